"""Has judges decide what the rules of a stored run left open and no judge was asked, then makes the figures anew.

The system under test is not asked. What a judge said is on disk before anything is made of it; a judge that is down
leaves questions open, and the next time only those are asked.
"""

import asyncio
import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from functools import partial
from typing import NamedTuple

from msgspec import Struct, field, structs

from ragstone.core.errors import BudgetSpent, RunError
from ragstone.core.interfaces import Decidable, tables_of
from ragstone.core.language import LANGS, Lang
from ragstone.core.types import (
    JSON,
    Answer,
    Case,
    Failure,
    Interval,
    ModelSummary,
    Question,
    Reading,
    Result,
    RuleVerdict,
    Summary,
)
from ragstone.judging.decisions import Decisions, JudgeTerms, Terms, judge_votes
from ragstone.judging.estimates.estimate import Checked, undo_errors
from ragstone.judging.judge import Judge, identity_of, judgement, parts_of, version_of
from ragstone.judging.label_file import FILE as LABELS
from ragstone.judging.label_file import append_labels, read_labels
from ragstone.judging.people import Key, Label, Labels
from ragstone.judging.people import key_of as label_key
from ragstone.judging.replies import FILE as JUDGEMENTS
from ragstone.judging.replies import Judgements
from ragstone.runs.finish import finish
from ragstone.runs.judged.files import write_judging
from ragstone.runs.judged.order import JudgeOrder
from ragstone.runs.plan import Plan
from ragstone.runs.reopen import Answers
from ragstone.runs.schedule import Stop
from ragstone.runs.store.admission import is_own
from ragstone.runs.store.codec import is_plain
from ragstone.runs.store.describe import same_or_raise
from ragstone.runs.store.folder import ResultWriter, RunFolder
from ragstone.runs.store.seal import ALTERED, SOURCES, altered, unseal
from ragstone.runs.summary import Summarizer

PATIENCE = 5
"""Failures in a row after which a judge is taken to be down."""
KINDS = ("states", "declines", "supported", "equivalent", "meets")


class JudgingTally(Struct, kw_only=True):
    """What came of asking the judges."""

    open: int = 0
    """Questions the rules left open."""
    known: int = 0
    """Opinions that were on record."""
    asked: int = 0
    unsure: int = 0
    failed: int = 0
    left: int = 0
    """Questions to which it did not come any more."""
    calls: int = 0
    tokens: int = 0
    cost: float | None = None
    stopped: str = ""
    """Why not everything was asked."""
    reasons: dict[str, str] = {}
    """The same by language; where single questions failed, what the last of them met."""
    whys: Counter[str] = field(default_factory=Counter)
    """Why replies decide nothing, by code."""

    def stop(self, say: Callable[[Lang], str]) -> None:
        """Note why no more is asked."""
        self.stopped = say("en")
        self.fail(say)

    def fail(self, say: Callable[[Lang], str]) -> None:
        """Note why a question could not be asked."""
        self.reasons = {lang: say(lang) for lang in LANGS}

    @property
    def unasked(self) -> int:
        """Questions that could not be asked."""
        return self.failed + self.left


class Pending(Struct, frozen=True):
    """One question one judge has not been asked yet."""

    judge: int
    key: str
    case: str
    question: Question


def terms_of(judge: Judge, spec: str = "", options: Mapping[str, JSON] | None = None) -> JudgeTerms:
    """Describe a judge as a run keeps it."""
    return JudgeTerms(
        name=judge.name,
        spec=spec,
        options=dict(options or {}),
        identity=identity_of(judge),
        way=judge.way,
        tongue=judge.tongue,
        prompts={kind: judge.prompt(kind) for kind in KINDS},
        version=version_of(judge),
        parts=parts_of(judge),
    )


def pending(
    plan: Plan, answers: Answers, decisions: Decisions, said: Judgements, tally: JudgingTally
) -> Iterator[Pending]:
    """Yield what is open and was not asked, in the order of the dataset, each question once."""
    contract, seen = plan.contract, set[str]()
    if not isinstance(contract, Decidable) or not contract.judged:
        raise RunError("judge.no_questions", contract=plan.contract.name)
    for case, question, rule in asked_of(plan, answers):
        if rule != "open":
            continue
        tally.open += 1
        for number, (judge, key) in enumerate(decisions.keys(question)):
            if key in seen or judge.heard(said.find(key)) is not None:
                tally.known += 1
                continue
            seen.add(key)
            yield Pending(number, key, case.id, question)


class AskedRow(NamedTuple):
    """A row of a run with the closed questions it rests on."""

    number: int
    """Its place among the rows, from 1 on."""
    case: Case
    answer: Answer
    reading: Reading
    row: Result
    asked: Sequence[tuple[Question, RuleVerdict]]


def asked_rows(plan: Plan, answers: Answers) -> Iterator[AskedRow]:
    """Yield the rows that rest on closed questions; the rows are believed, for the scorer is the same."""
    contract = plan.contract
    if not isinstance(contract, Decidable):
        return
    for number, (case, answer, row) in enumerate(_rows(plan, answers), start=1):
        if row.error_type is None:
            reading = contract.read(case, answer)
            if asked := contract.asked(case, reading, row.scorecard):
                yield AskedRow(number, case, answer, reading, row, asked)


def asked_of(plan: Plan, answers: Answers) -> Iterator[tuple[Case, Question, RuleVerdict]]:
    """Yield the closed questions a run's rows rest on."""
    for one in asked_rows(plan, answers):
        for question, rule in one.asked:
            yield one.case, question, rule


def _rows(plan: Plan, answers: Answers) -> Iterator[tuple[Case, Answer, Result]]:
    """Set each row of a run beside its case and its answer."""
    rows = answers.folder.results()
    for unit in plan.units():
        if (answer := answers.find(unit)) is None:
            continue
        row = next(rows, None)
        if row is None or (row.sample_id, row.repeat) != (unit.case.id, unit.repeat):
            raise RunError("run.damaged", run=str(answers.folder.path), file="results.jsonl", problem=unit.case.id)
        yield unit.case, answer, row


async def ask_judges(
    questions: Iterator[Pending],
    judges: Sequence[Judge],
    said: Judgements,
    tally: JudgingTally,
    *,
    width: int,
    stop: Stop,
    tick: Callable[[int], None] = lambda asked: None,
) -> None:
    """Ask several questions at once until all are asked, a stop is requested, a budget is spent or a judge is down."""
    state = _State()

    async def work() -> None:
        for one in questions:
            if stop.requested or state.over:
                tally.left += 1
                return
            await _ask(one, judges[one.judge], said, tally, state)
            tick(tally.asked)

    await asyncio.gather(*(work() for _ in range(width)))
    tally.stopped = tally.stopped or stop.reason
    tally.left += sum(1 for _ in questions)


class _State:
    def __init__(self) -> None:
        self.over = False
        self.row = 0


async def _ask(one: Pending, judge: Judge, said: Judgements, tally: JudgingTally, state: _State) -> None:
    try:
        heard = await judge.decide(one.question)
    except BudgetSpent as spent:
        state.over = True
        tally.stop(partial(spent.say, code="" if spent.what == "outage" else "judge.budget"))
        tally.left += 1
        return
    tally.calls += heard.attempts
    if heard.failure is not None:
        _note_failure(heard.failure, tally, state)
        return
    state.row = 0
    tally.asked += 1
    tally.tokens += heard.tokens
    tally.cost = tally.cost if heard.cost is None else (tally.cost or 0.0) + heard.cost
    if heard.opinion.why:
        tally.unsure += 1
        tally.whys[heard.opinion.why] += 1
    said.append(judgement(one.key, one.question, one.case, judge, heard))


def _note_failure(failure: Failure, tally: JudgingTally, state: _State) -> None:
    tally.failed += 1
    tally.fail(failure.say)
    state.row += 1
    if state.row >= PATIENCE:
        state.over = True
        tally.stop(failure.say)


def take_labels(
    folder: RunFolder, labels: Sequence[Label], plan: Plan, answers: Answers, *, replace: bool = False
) -> tuple[Labels, int]:
    """Keep those labels in the run that are about its answers; return all it has, and how many were about none.

    With `replace` those it had are forgotten.
    """
    if replace:
        (folder.path / LABELS).unlink(missing_ok=True)
    kept = read_labels(folder.path / LABELS) if is_plain(folder.path / LABELS) else []
    about = {Decisions.label_key(case, question) for case, question, _ in asked_of(plan, answers)} if labels else set()
    fitting = [label for label in labels if label_key(label) in about]
    known = set(kept)
    fresh = [label for label in fitting if label not in known]
    # Who came back to an earlier verdict said it again in the same words: the last word must be the last here, too.
    now = _last([*kept, *fresh])
    again = [label for place, label in _last(fitting).items() if now[place] != label]
    append_labels(folder.path / LABELS, [*fresh, *again])
    return Labels([*kept, *fresh, *again]), len(labels) - len(fitting)


def _last(labels: Sequence[Label]) -> dict[tuple[Key, str], Label]:
    """Return what each reviewer said last of everything."""
    return {(label_key(label), label.reviewer): label for label in labels}


class Deciding(Struct, frozen=True, kw_only=True):
    """What came of a pass over a run."""

    summary: Summary
    asked: JudgingTally
    labels: int = 0
    strays: int = 0
    """Labels about answers that are not in the run."""
    disagreements: int = 0
    corrected: dict[str, Interval] = {}
    """Kind of question to the rate behind the judge's yeses, by the errors of its certificate."""


async def decide_run(  # noqa: PLR0913 - whatever a pass over a run rests on
    plan: Plan,
    folder: RunFolder,
    judges: Sequence[Judge],
    terms: Terms,
    labels: Sequence[Label],
    *,
    width: int,
    stop: Stop,
    tick: Callable[[int], None] = lambda asked: None,
    order: JudgeOrder | None = None,
    replace: bool = False,
) -> Deciding:
    """Ask the judges of a run what is open, take in labels, and write rows, summary and reports anew.

    The `order` is on disk before anything is asked, so that somebody can go on after a kill.
    """
    meta = folder.meta()
    if meta.get("status") == "running":
        raise RunError("judge.running", run=str(folder.path))
    require_unaltered(folder)
    # Rows are written anew: by another scorer their figures by rule would change, and that is `rescore`'s to do.
    same_or_raise(folder, meta, plan)
    tally = JudgingTally()
    unseal(folder, {**meta, **(order.facts() if order else {})}, own=is_own(folder))
    with Answers(folder) as answers, closing(Judgements(folder.path / JUDGEMENTS)) as said:
        known, strays = take_labels(folder, labels, plan, answers, replace=replace)
        terms = structs.replace(terms.renewed(), labels=len(known))
        decisions = Decisions(terms, said, known)
        if judges:
            questions = pending(plan, answers, decisions, said, tally)
            await ask_judges(questions, judges, said, tally, width=width, stop=stop, tick=tick)
        plan = structs.replace(plan, decisions=decisions)
        own = {spec.name for spec in plan.contract.metrics}
        write_judging(folder, terms, [spec for spec in plan.metrics if spec.name not in own])
        votes = Counter[tuple[str, str]]()
        figures = _rewrite(plan, folder, answers, votes)
    facts: dict[str, JSON] = {name: meta[name] for name in ("calls", "stop_reason", "spent") if name in meta}
    facts["judging"] = _facts(meta, tally)
    if order:
        facts |= structs.replace(order, due=tally.unasked > 0).facts()
    summary = finish(plan, folder, figures, int(meta["expected"]), meta["status"] == "complete", facts=facts)
    return Deciding(
        summary=summary,
        asked=tally,
        labels=len(known),
        strays=strays,
        disagreements=len(known.disagreements()),
        corrected=_corrected(terms, votes),
    )


def _corrected(terms: Terms, votes: Counter[tuple[str, str]]) -> dict[str, Interval]:
    """Undo the errors of a single judge where the only labels are those of its certificate."""
    if len(terms.judges) != 1 or terms.labels:
        return {}
    found = {}
    for kind, (stated, of, left_out, others) in terms.judges[0].rates.items():
        yes = Checked(votes[kind, "yes"], votes[kind, "yes"] + votes[kind, "no"])
        found[kind] = undo_errors(yes, Checked(stated, of), Checked(left_out, others))
    return {kind: interval for kind, interval in found.items() if interval}


def figures_with(plan: Plan, folder: RunFolder, labels: Labels) -> dict[str, ModelSummary]:
    """Return what a run's figures would be with some labels, by model; nothing is written."""
    terms = plan.decisions.terms if plan.decisions else Terms()
    with Answers(folder) as answers, closing(Judgements(folder.path / JUDGEMENTS, read_only=True)) as said:
        decisions = Decisions(structs.replace(terms, labels=len(labels)), said, labels)
        plan = structs.replace(plan, decisions=decisions)
        figures = Summarizer(plan.metrics)
        for case, answer, row in _rows(plan, answers):
            figures.add(_decided(row, case, answer, plan))
    told = {"run_id": plan.run_id, "task_name": "", "status": "", "scorer_version": ""}
    return dict(figures.summary(**told, expected=0).models)


def require_unaltered(folder: RunFolder) -> None:
    """Refuse a run whose answers or verdicts are not as it left them, unless that is on record."""
    known = folder.meta().get(ALTERED, ())
    if broken := [name for name in altered(folder, SOURCES) if name not in known]:
        raise RunError("run.altered", run=str(folder.path), files=broken)


def _rewrite(plan: Plan, folder: RunFolder, answers: Answers, votes: Counter[tuple[str, str]]) -> Summarizer:
    """Write the rows anew with what was decided, and count judges' votes; what the rules made of them stays."""
    figures = Summarizer(plan.metrics, tables_of(plan.contract))
    path = folder.path / "results.jsonl"
    beside = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    writer = ResultWriter(beside)
    try:
        for case, answer, row in _rows(plan, answers):
            judged = _decided(row, case, answer, plan)
            writer.add(judged)
            figures.add(judged)
            votes.update(judge_votes(judged.scorecard.details))
    finally:
        writer.close()
    beside.replace(path)
    return figures


def _decided(row: Result, case: Case, answer: Answer, plan: Plan) -> Result:
    assert plan.decisions is not None
    contract, card = plan.contract, plan.decisions.without(row.scorecard)
    failed = row.error_type is not None and row.error_stage != "read"
    if failed:
        card = plan.decisions.repeat(contract, card)
    else:
        card = plan.decisions.add(contract, case, contract.read(case, answer), card)
    return structs.replace(row, scorecard=card, task_metrics=card.sub_scores)


def _facts(meta: Mapping[str, JSON], tally: JudgingTally) -> dict[str, JSON]:
    """Add up what judging took, over all passes."""
    before: Mapping[str, JSON] = meta.get("judging") or {}
    cost = None if tally.cost is None and before.get("cost") is None else (before.get("cost") or 0) + (tally.cost or 0)
    return {
        "calls": int(before.get("calls") or 0) + tally.calls,
        "tokens": int(before.get("tokens") or 0) + tally.tokens,
        "cost": cost,
        "stopped": tally.stopped,
    }
