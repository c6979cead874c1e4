"""The rows of a stored run with the closed questions they rest on, and whether any is left to a judge."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ragstone.core.errors import RunError
from ragstone.core.interfaces import Decidable
from ragstone.core.types import Answer, Case, Question, Reading, Result, RuleVerdict
from ragstone.judging.decisions import Decisions
from ragstone.judging.labels import Key, Labels
from ragstone.runs.plan import Plan
from ragstone.runs.reopen import Answers, plan_of
from ragstone.runs.store.describe import same_or_raise
from ragstone.runs.store.folder import RunFolder


def require_questions(plan: Plan) -> None:
    """Refuse a run whose contract asks nothing that a judge could decide."""
    contract = plan.contract
    if not isinstance(contract, Decidable) or not contract.judged:
        raise RunError("judge.no_questions", contract=contract.name)


def leaves_open(plan: Plan, folder: RunFolder, *people: Labels) -> bool:
    """Say whether rules and people leave anything to a judge, by any of some labels; of a run that goes on, they do."""
    require_questions(plan)
    meta = folder.meta()
    if meta.get("status") == "running":
        return True
    same_or_raise(folder, meta, plan)
    with Answers(folder) as answers:
        return any(is_undecided(plan, answers, one) for one in people)


def is_undecided(plan: Plan, answers: Answers, people: Labels) -> bool:
    """Return whether people left anything to the judge."""
    found = asked_of(plan, answers)
    return any(
        rule == "open" and people.decided(Decisions.label_key(case, question)) is None for case, question, rule in found
    )


class AskedRow(NamedTuple):
    """A row of a run with the closed questions it rests on."""

    number: int
    """Its place among the rows, from 1 on."""
    case: Case
    answer: Answer
    reading: Reading
    row: Result
    asked: Sequence[tuple[Question, RuleVerdict]]


def every_row(plan: Plan, answers: Answers) -> Iterator[AskedRow]:
    """Yield the rows with the closed questions they rest on, if any; they are believed, for the scorer is the same."""
    contract = plan.contract
    if not isinstance(contract, Decidable):
        return
    for number, (case, answer, row) in enumerate(rows_of(plan, answers), start=1):
        if has_failed(row):
            yield AskedRow(number, case, answer, Reading(), row, ())
        else:
            reading = contract.read(case, answer)
            yield AskedRow(number, case, answer, reading, row, contract.asked(case, reading, row.scorecard))


def has_failed(row: Result) -> bool:
    """Return whether there is no answer; one that cannot be read is an answer."""
    return row.error_type is not None and row.error_stage != "read"


def asked_of(plan: Plan, answers: Answers) -> Iterator[tuple[Case, Question, RuleVerdict]]:
    """Yield the closed questions a run's rows rest on."""
    for one in every_row(plan, answers):
        for question, rule in one.asked:
            yield one.case, question, rule


def rows_of(plan: Plan, answers: Answers) -> Iterator[tuple[Case, Answer, Result]]:
    """Set each row of a run beside its case and its answer."""
    rows = answers.folder.results()
    for unit in plan.units():
        if (answer := answers.find(unit)) is None:
            continue
        row = next(rows, None)
        if row is None or (row.sample_id, row.repeat) != (unit.case.id, unit.repeat):
            raise RunError("run.damaged", run=str(answers.folder.path), file="results.jsonl", problem=unit.case.id)
        yield unit.case, answer, row


def asked_keys(plan: Plan, answers: Answers) -> Iterator[tuple[int, Key]]:
    """Yield what labels may be about, with the numbers of the rows."""
    for one in every_row(plan, answers):
        for question, _ in one.asked:
            yield one.number, Decisions.label_key(one.case, question)


def questions_of(folder: RunFolder) -> Iterator[tuple[Key, Question, RuleVerdict]]:
    """Yield every closed question of a run, under the key of its label, with what the rules made of it."""
    plan = plan_of(folder)
    with Answers(folder) as answers:
        for case, question, rule in asked_of(plan, answers):
            yield Decisions.label_key(case, question), question, rule
