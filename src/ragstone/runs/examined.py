"""Labelled questions and where their texts come from: the labels themselves, or the runs they are about."""

from collections.abc import Iterator, Sequence

from ragstone.core.types import Question, RuleVerdict
from ragstone.judging.certificate import FEWEST
from ragstone.judging.decisions import Decisions
from ragstone.judging.examine import Row
from ragstone.judging.labels import Key, Label, Labels, key_of
from ragstone.reading.forms import Point
from ragstone.reading.statements import Statements
from ragstone.reading.states import states
from ragstone.runs.deciding import asked_of
from ragstone.runs.store.folder import RunFolder
from ragstone.runs.stored import Answers, plan_of


def questions_of(folder: RunFolder) -> Iterator[tuple[Key, Question, RuleVerdict]]:
    """Yield every closed question of a run, under the key of its label, with what the rules made of it."""
    plan = plan_of(folder)
    with Answers(folder) as answers:
        for case, question, rule in asked_of(plan, answers):
            yield Decisions.label_key(case, question), question, rule


def labelled_rows(labels: Sequence[Label], runs: Sequence[RunFolder]) -> tuple[list[Row], int]:
    """Return the questions people decided, with their texts, and how many of them have no text anywhere.

    A judge is asked only what rules leave open: where enough labels are about such questions, only those count.
    """
    decided, texts = Labels(labels), {key_of(label): label for label in labels if label.answer_text}
    found: dict[Key, Question] = {
        key: Question(kind=label.kind, question=label.question, point=label.point, answer=label.answer_text)
        for key, label in texts.items()
    }
    for run in runs:
        found |= {key: question for key, question, _ in questions_of(run)}
    known = [(key, verdict) for key in decided if (verdict := decided.decided(key)) is not None]
    rows = [Row(found[key], verdict, _script(found[key])) for key, verdict in known if key in found]
    return _left_open(rows), len(known) - len(rows)


def _left_open(rows: list[Row]) -> list[Row]:
    undecided = [row for row in rows if row.question.kind != "states" or _rule(row.question) == "open"]
    enough = len(undecided) >= FEWEST and len({row.stated for row in undecided}) == 2
    return undecided if enough else rows


def _rule(question: Question) -> RuleVerdict:
    return states(Point(question.point), Statements(question.answer), question.question).outcome


def _script(question: Question) -> str:
    return "zh" if any(char >= "\u2e80" for char in question.point + question.answer) else "en"
