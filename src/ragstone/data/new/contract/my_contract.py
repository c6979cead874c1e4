"""A contract of your own: the answer must equal the expected text, whatever its width, script, case and punctuation.

Rows are JSON lines: {"id": "1", "question": "…", "expected": "…"}.
"""

from collections.abc import Iterator, Mapping

from ragstone.core.interfaces import Source
from ragstone.core.language import Text
from ragstone.core.types import JSON, Answer, Case, Finding, MetricSpec, Reading, Reason, Request, Scorecard
from ragstone.datasets.rows import FieldReader, read_rows
from ragstone.text.fold import bare


class SameText:
    """One flag: the same text or not."""

    name = task_name = "same_text"
    options: frozenset[str] = frozenset()
    scorer_version = "1.0.0"
    prompt_version: str | None = None
    metrics = (MetricSpec(name="same", label=Text("same text", "文本一致", "文本一致"), kind="flag", headline=True),)
    phrases: Mapping[str, Text] = {
        "differs": Text("expected {expected:q}, got {got:q}", "预期为{expected:q}，实际为{got:q}"),
        "equal": Text("the answer is {expected:q}", "回答为{expected:q}"),
    }

    def __init__(self, source: Source) -> None:
        self._path = source.path

    @staticmethod
    def recognises(source: Source) -> bool:
        """Claim datasets whose rows have exactly these fields."""
        return isinstance(source.first, dict) and source.first.keys() == {"id", "question", "expected"}

    def terms(self) -> Mapping[str, JSON]:
        """Nothing but the version needs recording."""
        return {}

    def load(self) -> Iterator[Case | Finding]:
        """Turn each row into a case, or say what is wrong with it."""
        for row in read_rows(self._path):
            if isinstance(row, Finding):
                yield row
                continue
            reader = FieldReader(row)
            case_id, question, expected = reader.text("id"), reader.text("question"), reader.text("expected")
            if reader.findings:
                yield from reader.findings
            else:
                yield Case(id=case_id, question=question, gold=expected, position=row.position)

    def check(self, case: Case) -> Iterator[Finding]:
        """Nothing can look wrong here."""
        return iter(())

    def request(self, case: Case) -> Request:
        """Send the question as it is."""
        return Request(id=case.id, question=case.question)

    def read(self, case: Case, answer: Answer) -> Reading:
        """Take the text as it is."""
        return Reading(text=answer.text)

    def score(self, case: Case, reading: Reading) -> Scorecard:
        """Compare with width, script, case, spaces and punctuation folded away."""
        same = bool(reading.text.strip()) and bare(reading.text) == bare(str(case.gold))
        params = {"expected": case.gold, "got": reading.text}
        reason = Reason("same", "equal" if same else "differs", params)
        value = float(same)
        return Scorecard(primary_score=value, passed=same, sub_scores={"same": value}, reasons=(reason,))

    def model_answer(self, case: Case) -> Answer:
        """Give the expected text."""
        return Answer(text=str(case.gold))
