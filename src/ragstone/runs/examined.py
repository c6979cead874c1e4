"""Labelled questions and where their texts come from: the labels themselves, or the runs they are about."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import itemgetter

from ragstone.core.types import JSON, Question, RuleVerdict
from ragstone.judging.certificate import FEWEST
from ragstone.judging.decisions import Decisions
from ragstone.judging.estimate import deal, draw
from ragstone.judging.examine import Row
from ragstone.judging.labels import Key, Label, Labels, hash_of, key_of
from ragstone.reading.forms import Point
from ragstone.reading.statements import Statements
from ragstone.reading.states import states
from ragstone.runs.deciding import asked_of
from ragstone.runs.plan import Plan
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


def draw_rows(folder: RunFolder, count: int) -> list[dict[str, JSON]]:
    """Draw cases for people to label, more of those that rules and judge are unsure of; each row knows its chance.

    The verdict is left empty, and what rule and judge said is not shown: whoever labels shall not be led.
    """
    plan = plan_of(folder)
    cases: dict[str, list[Question]] = {}
    strata: dict[str, dict[str, None]] = {}
    with Answers(folder) as answers:
        for (number, case), found in groupby(_numbered(plan, answers), key=itemgetter(0, 1)):
            asked = [(question, rule) for _, _, question, rule in found]
            name = f"{number}\0{case}"
            cases[name] = [question for question, _ in asked]
            strata.setdefault(_stratum(asked, plan.decisions), {})[name] = None
    sizes = {name: len(members) for name, members in strata.items()}
    dealt = deal(sizes, {name: size * (0.5 if "open" in name else 0.25) for name, size in sizes.items()}, count)
    return [
        _blank(name.partition("\0")[2], question, dealt[stratum] / sizes[stratum])
        for stratum, members in strata.items()
        for name in draw(list(members), dealt[stratum], folder.path.name)
        for question in cases[name]
    ]


def _numbered(plan: Plan, answers: Answers) -> Iterator[tuple[int, str, Question, RuleVerdict]]:
    """Number the answers that questions are about; a case asked twice has two."""
    number, before = 0, ("", "")
    for case, question, rule in asked_of(plan, answers):
        number += before != (case.id, question.answer)
        before = (case.id, question.answer)
        yield number, case.id, question, rule


def _stratum(asked: Sequence[tuple[Question, RuleVerdict]], decisions: Decisions | None) -> str:
    rules = sorted({rule for _, rule in asked})
    judged = {decisions.by_judge(question) for question, rule in asked if decisions and rule == "open"}
    return f"{'/'.join(rules)} {'/'.join(sorted(judged))}"


def _blank(case: str, question: Question, probability: float) -> dict[str, JSON]:
    return {
        "case": case,
        "kind": question.kind,
        "question": question.question,
        "point": question.point,
        "answer_text": question.answer,
        "answer": hash_of(question.answer),
        "verdict": "",
        "reviewer": "",
        "probability": round(probability, 6),
    }
