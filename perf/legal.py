"""The legal benchmark's verdicts beside human labels, and its speed: python -m perf.legal DATA_DIR.

DATA_DIR holds judged/hallucination/uhgeval_zh.jsonl and judged/abstention/*.jsonl.
Each row becomes a conflict_gap question: hallucination is its no_hallucination part with the row's context as evidence,
abstention the cell of the table its answer falls into.
"""

import json
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from ragstone.contracts.legal_rag.cases import cases_of
from ragstone.contracts.legal_rag.contract import LegalRag
from ragstone.core.interfaces import Source
from ragstone.core.types import JSON, Answer, Case, Context, Scorecard

BENCHMARK = Path(__file__).parents[1] / "benchmark"
ROUNDS = 10


class Agreement(NamedTuple):
    """How often verdict and label agree."""

    both: int
    verdict_only: int
    label_only: int
    neither: int

    @property
    def n(self) -> int:
        """How many were judged."""
        return sum(self)

    @property
    def precision(self) -> float:
        """Share of the verdicts that the label confirms."""
        return self.both / max(1, self.both + self.verdict_only)

    @property
    def recall(self) -> float:
        """Share of the labels that the verdict finds."""
        return self.both / max(1, self.both + self.label_only)

    @property
    def kappa(self) -> float:
        """Agreement beyond chance (Cohen)."""
        said, meant = self.both + self.verdict_only, self.both + self.label_only
        chance = (said * meant + (self.n - said) * (self.n - meant)) / max(1, self.n) ** 2
        observed = (self.both + self.neither) / max(1, self.n)
        return (observed - chance) / (1 - chance) if chance < 1 else 1.0


def agreement(pairs: Iterable[tuple[bool, bool]]) -> Agreement:
    """Count (verdict, label) pairs."""
    seen = Counter(pairs)
    return Agreement(seen[True, True], seen[True, False], seen[False, True], seen[False, False])


def read(path: Path) -> list[dict[str, JSON]]:
    """Read a JSONL file."""
    return [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]


def judge(contract: LegalRag, row: dict[str, JSON], *, should_abstain: bool) -> Scorecard:
    """Judge a row as an answer to a conflict_gap question."""
    question = {"id": row["id"], "question": row["question"] or "?", "should_abstain": should_abstain}
    (case,) = cases_of({"benchmark_type": "conflict_gap", "questions": [question]}, Path("row.json"))
    assert isinstance(case, Case), case
    contexts = (Context(text=row["context"]),) if row.get("context") else ()
    return contract.score(case, contract.read(case, Answer(text=row["answer"], contexts=contexts)))


def hallucination(contract: LegalRag, rows: list[dict[str, JSON]]) -> Agreement:
    """Compare no_hallucination with label_hallucinated."""
    return agreement(
        (judge(contract, row, should_abstain=False).sub_scores["no_hallucination"] == 0, row["label_hallucinated"])
        for row in rows
        if row["label_hallucinated"] is not None
    )


def abstained(contract: LegalRag, row: dict[str, JSON], *, should_abstain: bool) -> bool:
    """Tell whether the contract takes the answer for a refusal."""
    cell: str = judge(contract, row, should_abstain=should_abstain).details["abstention"]
    return cell.startswith("abstained")


def abstention(contract: LegalRag, rows: list[dict[str, JSON]], *, should_abstain: bool) -> Agreement:
    """Compare the answer's cell with label_abstained."""
    return agreement(
        (abstained(contract, row, should_abstain=should_abstain), row["label_abstained"])
        for row in rows
        if row["label_abstained"] is not None
    )


def cells(contract: LegalRag, rows: list[dict[str, JSON]]) -> Iterator[str]:
    """Draw the four-cell table of a set that says what should be declined."""
    known = [row for row in rows if row.get("label_should_abstain") is not None]
    if not known:
        return
    seen = Counter(
        judge(contract, row, should_abstain=row["label_should_abstain"]).details["abstention"] for row in known
    )
    answerable = seen["answered_answerable"] + seen["abstained_answerable"]
    unanswerable = seen["answered_unanswerable"] + seen["abstained_unanswerable"]
    yield "  " + ", ".join(f"{cell} {count}" for cell, count in sorted(seen.items()))
    yield (
        f"  over-refusal {seen['abstained_answerable'] / max(1, answerable):.3f}"
        f", unsupported answers {seen['answered_unanswerable'] / max(1, unanswerable):.3f}"
        f", coverage {seen['answered_answerable'] / max(1, answerable):.3f}"
    )


def speed() -> str:
    """Time reading and scoring of the perfect answers to the bundled questions, as objects and as plain text."""
    contract = LegalRag(Source(path=BENCHMARK))
    cases = [case for case in contract.load() if isinstance(case, Case)]
    perfect = [(case, contract.model_answer(case)) for case in cases]
    pairs = perfect + [(case, Answer(text=in_prose(answer))) for case, answer in perfect]
    for case, answer in pairs:
        contract.score(case, contract.read(case, answer))
    begin = time.process_time()
    for _ in range(ROUNDS):
        for case, answer in pairs:
            contract.score(case, contract.read(case, answer))
    spent = (time.process_time() - begin) / ROUNDS / len(pairs)
    return f"speed: {spent * 1000:.2f} ms CPU an answer ({len(pairs)} answers; aim: at most 1 ms)"


def in_prose(answer: Answer) -> str:
    """Put an answer and its citations into one text."""
    places = "".join(f"（第{citation.page}页：“{citation.quote}”）" for citation in answer.citations)
    return answer.text + places


def main() -> int:
    """Print one line per set."""
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    judged = Path(sys.argv[1]) / "judged"
    contract = LegalRag(Source(path=Path("nowhere.json")))
    print(f"{'verdict':<34} {'data set':<24} {'n':>5} {'precision':>9} {'recall':>7} {'kappa':>6}")
    _print("hallucination", "uhgeval_zh", hallucination(contract, read(judged / "hallucination" / "uhgeval_zh.jsonl")))
    for path in sorted((judged / "abstention").glob("*.jsonl")):
        rows = read(path)
        _print("abstention (answerable)", path.stem, abstention(contract, rows, should_abstain=False))
        _print("abstention (gap, reports counted)", path.stem, abstention(contract, rows, should_abstain=True))
        for line in cells(contract, rows):
            print(line)
    print(speed())
    return 0


def _print(verdict: str, name: str, found: Agreement) -> None:
    figures = f"{found.n:>5} {found.precision:>9.3f} {found.recall:>7.3f} {found.kappa:>6.3f}"
    print(f"{verdict:<34} {name:<24} {figures}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
