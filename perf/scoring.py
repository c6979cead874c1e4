"""What reading and scoring cost, contract by contract, on realistic and bundled fictional data: python -m perf.scoring.

Key points are measured on the sentences of `perf.loads`. Their points are forgotten before every round and prepared
anew, as in a run in which each question is asked once; the cost with the points prepared is a line of its own.
"""

import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from perf import eval_json_v2, legal, prompt_task
from perf.loads import SENTENCES, Turn
from ragstone.contracts.eval_json_v2.contract import EvalJsonV2
from ragstone.contracts.key_points.cases import Gold, gold_of
from ragstone.contracts.key_points.contract import KeyPoints
from ragstone.contracts.key_points.score import _prepare
from ragstone.contracts.legal_rag.contract import LegalRag
from ragstone.contracts.prompt_task.cases import row_of
from ragstone.contracts.prompt_task.contract import PromptTask
from ragstone.contracts.prompt_task.measures.fields import Given
from ragstone.core.interfaces import Contract, Source
from ragstone.core.types import Answer, Case, Position

DATA = Path(__file__).parents[1] / "src" / "ragstone" / "data"
CASES = 700
"""Cases with sentences; some 640 different points are among theirs."""
Pair = tuple[Case, Answer]


class Cost(NamedTuple):
    """CPU of one contract in microseconds an answer."""

    contract: str
    answers: int
    read: float
    score: float
    aim: float
    aimed: float
    """The figure the aim is about."""
    what: str


def costs(rounds: int = 10) -> Iterator[Cost]:
    """Measure the four contracts."""
    with tempfile.TemporaryDirectory() as folder:
        cost = _cost(*_eval_json_v2(), rounds)
        yield cost._replace(aim=150.0, aimed=cost.score, what="JSON answers, half of them with faults; aim: score")
        contract, pairs = _prompt_task(Path(folder))
        what = "all eight metric types; aim: the metrics alone"
        yield _cost(contract, pairs, rounds)._replace(aim=60.0, aimed=_eight(contract, pairs, rounds), what=what)
        cost = _cost(*_sentences(), rounds, _prepare.cache_clear)
        what = "sentences: three key points, 15 % missing, points prepared anew; aim: read and score"
        yield cost._replace(aim=400.0, aimed=cost.read + cost.score, what=what)
        for name, pairs_of, what in (
            ("sentences", _sentences, "the same, points prepared before"),
            ("bundled", _key_points, "lists of key points, and prose with half of them"),
            ("bundled", _legal_rag, "citations as objects and in prose"),
        ):
            cost = _cost(*pairs_of(), rounds)
            yield cost._replace(aim=400.0, aimed=cost.read + cost.score, what=f"{name}: {what}; aim: read and score")


def _cost(contract: Contract, pairs: Sequence[Pair], rounds: int, forget: Callable[[], object] = lambda: None) -> Cost:
    readings = [contract.read(case, answer) for case, answer in pairs]
    for (case, _), reading in zip(pairs, readings, strict=True):
        contract.score(case, reading)
    read = best(lambda: [contract.read(case, answer) for case, answer in pairs], rounds)
    score = best(lambda: [contract.score(c, r) for (c, _), r in zip(pairs, readings, strict=True)], rounds, forget)
    each = 1e6 / len(pairs)
    return Cost(contract.name, len(pairs), read * each, score * each, 0.0, 0.0, "")


def _eight(contract: PromptTask, pairs: Sequence[Pair], rounds: int) -> float:
    """Time the eight metrics without the scorecard round them."""
    rows = [(Given(contract.read(case, answer).fields, frozenset()), row_of(case)) for case, answer in pairs]
    work = best(lambda: [[one.score(*row) for one in contract._measures] for row in rows], rounds)
    return work / len(pairs) * 1e6


def best(work: Callable[[], object], rounds: int, forget: Callable[[], object] = lambda: None) -> float:
    """Return the seconds of CPU of the best round: other work on the machine only ever adds."""
    least = float("inf")
    for _ in range(rounds):
        forget()
        begin = time.process_time()
        work()
        least = min(least, time.process_time() - begin)
    return least


def _cases(contract: Contract) -> list[Case]:
    return [case for case in contract.load() if isinstance(case, Case)]


def _eval_json_v2() -> tuple[Contract, list[Pair]]:
    documents = DATA / "eval_json_v2" / "documents"
    contract = EvalJsonV2(Source(path=DATA / "eval_json_v2" / "question_v2.json", documents=documents))
    cases, pieces = _cases(contract), eval_json_v2.pieces_of(documents)
    perfect = [(case, contract.model_answer(case)) for case in cases]
    return contract, perfect + [(case, eval_json_v2.realistic(a, pieces, at)) for at, (case, a) in enumerate(perfect)]


def _prompt_task(folder: Path) -> tuple[PromptTask, list[Pair]]:
    contract = prompt_task.contract_in(folder)
    return contract, [(case, prompt_task.answer_to(row_of(case), at)) for at, case in enumerate(_cases(contract))]


def _sentences() -> tuple[Contract, list[Pair]]:
    contract = KeyPoints(Source(path=Path("sentences.jsonl")))
    turns = islice(SENTENCES.turns(), CASES)
    return contract, [(_asked(at, turn), Answer(text=turn.answer)) for at, turn in enumerate(turns)]


def _asked(at: int, turn: Turn) -> Case:
    gold = Gold(tuple(turn.gold), ())
    return Case(id=f"Q{at + 1}", question=turn.question, gold=gold, position=Position("sentences.jsonl", at + 1))


def _key_points() -> tuple[Contract, list[Pair]]:
    contract = KeyPoints(Source(path=DATA / "key_points" / "questions.jsonl"))
    cases = _cases(contract)
    return contract, [(case, contract.model_answer(case)) for case in cases] + [(c, _half(c)) for c in cases]


def _half(case: Case) -> Answer:
    """Answer in prose, with every second key point and the document's name."""
    gold = gold_of(case)
    text = "。".join(f"根据资料，{point}" for point in gold.points[::2])
    return Answer(text=f"{text}。以上内容见 {'、'.join(gold.documents)}，其余部分资料中没有提到。")


def _legal_rag() -> tuple[Contract, list[Pair]]:
    contract = LegalRag(Source(path=legal.BENCHMARK))
    perfect = [(case, contract.model_answer(case)) for case in _cases(contract)]
    return contract, perfect + [(case, Answer(text=legal.in_prose(answer))) for case, answer in perfect]


def main() -> None:
    """Print one line a contract."""
    for cost in costs():
        print(
            f"{cost.contract}: read {cost.read:.0f} µs, score {cost.score:.0f} µs CPU an answer"
            f" ({cost.answers} answers: {cost.what}: {cost.aimed:.0f} of {cost.aim:.0f} µs)"
        )


if __name__ == "__main__":
    main()
