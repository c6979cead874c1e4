"""The contract of runs that other tools made: it gives back what they said."""

from collections.abc import Iterator, Mapping, Sequence

from ragstone.contracts.imported import cases
from ragstone.contracts.imported.phrases import PHRASES
from ragstone.contracts.imported.score import PASS_AT, score
from ragstone.core.interfaces import Source
from ragstone.core.language import Text
from ragstone.core.types import JSON, Answer, Case, Finding, MetricSpec, Reading, Request, Scorecard


class Imported:
    """Another tool's scores, as they were."""

    name = task_name = "imported"
    options: frozenset[str] = frozenset()
    packages: Sequence[str] = ()
    """No package of ours decides these scores, so they never grow stale."""
    scorer_version = "1.0.0"
    prompt_version: str | None = None
    phrases: Mapping[str, Text] = PHRASES

    def __init__(self, source: Source) -> None:
        self._path = source.path
        self._header = cases.header_of(source.first, str(source.path))
        self.metrics: Sequence[MetricSpec] = self._header.specs()

    @staticmethod
    def recognises(source: Source) -> bool:
        """Never: the cases of an imported run may be asked anew, by a contract that judges."""
        return False

    def terms(self) -> Mapping[str, JSON]:
        """Return which tool judged; another version of it is another scorer."""
        header = self._header
        rule = f"the tool's verdict; without one, its own score or the mean of all scores, none missing, >= {PASS_AT}"
        return {"imported_from": f"{header.tool} {header.version}".strip(), "pass": rule}

    def load(self) -> Iterator[Case | Finding]:
        """Stream the cases."""
        return cases.load(self._path)

    def check(self, case: Case) -> Iterator[Finding]:
        """Nothing is asked by this contract, so nothing can be wrong before."""
        return iter(())

    def request(self, case: Case) -> Request:
        """Ask the question."""
        return Request(id=case.id, question=case.question)

    def read(self, case: Case, answer: Answer) -> Reading:
        """Take what the tool said of the answer."""
        return Reading(text=answer.text, fields=dict(answer.judged), contexts=answer.contexts)

    def score(self, case: Case, reading: Reading) -> Scorecard:
        """Return the tool's scores."""
        return score(self.metrics, self._header.tool, case, reading)

    def model_answer(self, case: Case) -> Answer:
        """Answer with the reference, and say of it the best that can be said."""
        applies = cases.gold_of(case).metrics
        chosen = [spec for spec in self.metrics if applies is None or spec.name in applies]
        best = {spec.name: _best(spec) for spec in chosen}
        return Answer(text="\n".join(cases.gold_of(case).points), judged={"scores": best, "passed": True})


def _best(spec: MetricSpec) -> float:
    if spec.better == "lower" or spec.kind == "error":
        return 0.0
    return 100.0 if spec.kind == "points" else 1.0
