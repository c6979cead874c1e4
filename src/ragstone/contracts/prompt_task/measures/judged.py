"""A rubric of the user's own that only a judge or a person can decide: rules give it no value."""

from collections.abc import Sequence

from ragstone.contracts.prompt_task import taskfile as tf
from ragstone.contracts.prompt_task.measures.fields import Given, Measure, Outcome, Row, shown, spec
from ragstone.core.types import JSON, Question, Reading, RuleVerdict


class Rubric(Measure):
    """judged."""

    def __init__(self, rule: tf.JudgedMetric) -> None:
        self.rule = rule
        self.specs = (spec(rule.name, "flag", rule.name, "own"),)
        self.main, self.primary = None, False
        self.needs = (rule.output_field,) if rule.output_field else ()
        self.labels = ()

    def score(self, given: Given, row: Row) -> Outcome:
        """Leave it to whoever can decide."""
        return Outcome({self.rule.name: None})

    def gold(self, row: Row) -> dict[str, JSON]:
        """Nobody knows beforehand."""
        return {}

    def question(self, asked: str, reading: Reading) -> Question:
        """Ask whether an answer, or one field of it, meets the rubric."""
        field = self.rule.output_field
        answer = shown(reading.fields.get(field)) if field else reading.text
        return Question(kind="meets", question=asked, point=self.rule.rubric, answer=answer)

    def is_silent(self, reading: Reading) -> bool:
        """Return whether the field it is about holds nothing: that meets no rubric, and nobody need be asked."""
        field = self.rule.output_field
        if not field:
            return False
        value = reading.fields.get(field)
        return value is None or value in ([], {}) or not shown(value).strip()


def rubrics(measures: Sequence[Measure]) -> tuple[Rubric, ...]:
    """Return the measures of a task that wait for a judge."""
    return tuple(measure for measure in measures if isinstance(measure, Rubric))


def asked(found: Sequence[Rubric], question: str, reading: Reading) -> list[tuple[Question, RuleVerdict]]:
    """Return what is asked of an answer that could be read."""
    if reading.rung == "failed" or not (reading.text.strip() or reading.fields):
        return []
    return [(rubric.question(question, reading), "no" if rubric.is_silent(reading) else "open") for rubric in found]
