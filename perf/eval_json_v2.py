"""Eval JSON v2 on a folder of questions: full marks, what a lost field costs, and CPU per answer.

uv run python -m perf.eval_json_v2 DATA_DIR        DATA_DIR holds question_v2*.json and documents/
"""

import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec

from ragstone.contracts.eval_json_v2.contract import EvalJsonV2
from ragstone.contracts.eval_json_v2.terms import POINTS
from ragstone.core.interfaces import Source
from ragstone.core.types import JSON, Answer, Case, Context, Reading

AIM_MS = 0.19
ROUNDS = 20
UNRELATED = "※毫不相干※"


def main(folder: Path) -> None:
    """Print one line per figure."""
    path = next(iter(sorted(folder.glob("question_v2*.json"))))
    contract = EvalJsonV2(Source(path=path, documents=folder / "documents"))
    cases = [case for case in contract.load() if isinstance(case, Case)]
    answers = [contract.model_answer(case) for case in cases]
    print(f"{path.name}: {len(cases)} questions, scorer {contract.scorer_version}")
    full = sum(_points(contract, case, answer) == 100 for case, answer in zip(cases, answers, strict=True))
    print(f"perfect answers that score 100.0: {full} of {len(cases)}")
    for name, points in POINTS.items():
        exact = sum(
            _points(contract, case, _without(answer, name)) == 100 - points
            for case, answer in zip(cases, answers, strict=True)
        )
        print(f"{name} lost costs exactly {points}: {exact} of {len(cases)}")
    _speed(contract, cases, answers, pieces_of(folder / "documents"))


def _points(contract: EvalJsonV2, case: Case, answer: Answer) -> JSON:
    return contract.score(case, contract.read(case, answer)).sub_scores["score"]


def _without(answer: Answer, metric: str) -> Answer:
    field = {"grounding": "source_map"}.get(metric, metric.removesuffix("_f1"))
    fields = msgspec.json.decode(answer.text)
    fields[field] = [UNRELATED] if isinstance(fields[field], list) else UNRELATED
    return Answer(text=msgspec.json.encode(fields).decode(), contexts=answer.contexts)


def _speed(contract: EvalJsonV2, cases: list[Case], answers: list[Answer], chunks: list[Context]) -> None:
    """Time three kinds of answers, each with five retrieved pieces of a few hundred characters."""
    for label, make in (("perfect", _perfect), ("realistic", realistic), ("largest, hardly right", _largest)):
        given = [make(answer, chunks, at) for at, answer in enumerate(answers)]
        read = [contract.read(case, answer) for case, answer in zip(cases, given, strict=True)]
        for case, reading in zip(cases, read, strict=True):
            contract.score(case, reading)
        parse = _per_answer(lambda at, given=given: contract.read(cases[at], given[at]), len(cases))  # type: ignore[misc]
        score = _per_answer(lambda at, read=read: contract.score(cases[at], read[at]), len(cases))  # type: ignore[misc]
        verdict = "ok" if score <= AIM_MS else "missed"
        print(f"{label} answers: score {score:.4f} ms CPU (aim {AIM_MS}: {verdict}), read {parse:.4f} ms CPU")


def _per_answer(work: Callable[[int], Reading | object], count: int) -> float:
    """Return the best of several rounds, in milliseconds of CPU: other work on the machine only ever adds."""
    best = float("inf")
    for _ in range(ROUNDS):
        begin = time.process_time()
        for at in range(count):
            work(at)
        best = min(best, time.process_time() - begin)
    return best / count * 1000


def _perfect(answer: Answer, chunks: list[Context], at: int) -> Answer:
    return Answer(text=answer.text, contexts=(*answer.contexts, *_take(chunks, at, 4)))


def realistic(answer: Answer, chunks: list[Context], at: int) -> Answer:
    """Leave out one description, reword one, add one that is beside the point; miss one question and the sub-topic."""
    other = _take(chunks, at, 1)[0].text
    fields = msgspec.json.decode(answer.text)
    first, *rest = fields["detailed_description"]
    fields["detailed_description"] = [f"根據資料，{first[2:]}", *rest[1:], other[:45]]
    fields["predicted_questions"] = [*fields["predicted_questions"][1:], other[10:30]]
    fields["sub_topic"] = other[:6]
    return _perfect(Answer(text=msgspec.json.encode(fields).decode(), contexts=answer.contexts), chunks, at)


def _largest(answer: Answer, chunks: list[Context], at: int) -> Answer:
    """Give eight descriptions and five questions, as many as the prompt allows, most of them beside the point."""
    fields = msgspec.json.decode(answer.text)
    other = [chunk.text[:50] for chunk in _take(chunks, at, 8)]
    fields["detailed_description"] = (fields["detailed_description"][::2] + other)[:8]
    fields["predicted_questions"] = (fields["predicted_questions"][::2] + [text[:24] for text in other])[:5]
    fields["sub_topic"] = other[0][:8]
    return _perfect(Answer(text=msgspec.json.encode(fields).decode(), contexts=answer.contexts), chunks, at)


def _take(chunks: list[Context], at: int, count: int) -> list[Context]:
    return [chunks[(at * 7 + step) % len(chunks)] for step in range(count)]


def pieces_of(folder: Path) -> list[Context]:
    """Cut the documents of a folder into pieces of a few hundred characters."""
    return list(_pieces(folder))


def _pieces(folder: Path) -> Iterator[Context]:
    for path in sorted(folder.glob("*.md")):
        text = path.read_text(encoding="utf-8")
        for start in range(0, len(text), 350):
            yield Context(path.name, 1, text[start : start + 350])


if __name__ == "__main__":
    main(Path(sys.argv[1]))
