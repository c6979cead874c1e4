"""Has judges decide what the rules of a stored run left open and no judge was asked, then makes the figures anew.

The system under test is not asked. What a judge said is on disk before anything is made of it; a judge that is down
leaves questions open, and the next time only those are asked.
"""

import os
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import closing
from time import monotonic

from msgspec import Struct, field, structs

from ragstone.core.errors import RunError
from ragstone.core.interfaces import tables_of
from ragstone.core.types import JSON, Answer, Case, Interval, ModelSummary, Result, Summary
from ragstone.judging.decisions import Decisions, Terms, judge_votes, open_whys, verdicts_of
from ragstone.judging.estimates.estimate import Checked, undo_errors
from ragstone.judging.judge import Judge
from ragstone.judging.judgements import FILE as JUDGEMENTS
from ragstone.judging.judgements import Judgements
from ragstone.judging.labels import Key, Label, Labels
from ragstone.runs.finish import finish
from ragstone.runs.judged.asking import JudgingTally, ask_judges, check_drift, pending
from ragstone.runs.judged.certificates import believed, stand_today
from ragstone.runs.judged.costs import Paid, read_paid
from ragstone.runs.judged.draws import frame_of
from ragstone.runs.judged.files import write_judging
from ragstone.runs.judged.judge_order import JudgeOrder
from ragstone.runs.judged.questions import has_failed, rows_of
from ragstone.runs.judged.take_labels import require_deciding, take_labels
from ragstone.runs.plan import Plan
from ragstone.runs.reopen import Answers
from ragstone.runs.schedule import Stop
from ragstone.runs.store.admission import is_own
from ragstone.runs.store.describe import same_or_raise
from ragstone.runs.store.folder import ResultWriter, RunFolder
from ragstone.runs.store.seal import ALTERED, SOURCES, add_facts, altered, unseal
from ragstone.runs.summary import Summarizer

EVERY = 2.0
"""Seconds after which it is written down again what was paid."""


class Deciding(Struct, frozen=True, kw_only=True):
    """What came of a pass over a run."""

    summary: Summary
    asked: JudgingTally
    labels: int = 0
    strays: int = 0
    """Labels about answers that are not in the run."""
    lacking: int = 0
    """Questions that were drawn and not handed back: they count as undecided."""
    disputed: tuple[Key, ...] = ()
    """What reviewers disagree about."""
    foreign: int = 0
    """Labels about its answers that were drawn from other runs: they make no estimate."""
    whys: dict[str, int] = {}
    """Why judges left questions of the run open, by code, the most frequent first."""
    corrected: dict[str, Interval] = {}
    """Kind of question to the rate behind the judge's yeses, by the errors of its certificate."""

    def __repr__(self) -> str:
        asked = self.asked
        counts = {"open": asked.open, "asked": asked.asked, "known": asked.known + asked.cached}
        counts |= {"unasked": asked.unasked, "labels": self.labels}
        return f"Deciding({', '.join(f'{name}={n}' for name, n in counts.items())})"


async def decide_run(  # noqa: PLR0913 - whatever a pass over a run rests on
    plan: Plan,
    folder: RunFolder,
    judges: Sequence[Judge],
    terms: Terms,
    labels: Sequence[Label],
    *,
    stop: Stop,
    tick: Callable[[int], None] = lambda asked: None,
    order: JudgeOrder | None = None,
    replace: bool = False,
    beside: Sequence[Label] = (),
) -> Deciding:
    """Ask the judges of a run what is open, take in labels, and write rows, summary and reports anew.

    Of labels `beside` the runs those are taken that tables of a draw leave out because they are there.
    The `order` is on disk before anything is asked, so that somebody can go on after a kill; so is what was paid by
    then, and every few seconds afterwards.
    """
    meta = folder.meta()
    if meta.get("status") == "running":
        raise RunError("judge.running", run=str(folder.path))
    require_unaltered(folder)
    # Rows are written anew: by another scorer their figures by rule would change, and that is `rescore`'s to do.
    same_or_raise(folder, meta, plan)
    if replace:
        require_deciding(folder, labels, plan)
    tally, paid = JudgingTally(), read_paid(folder, meta)
    tally.lines = paid.lines
    tick = _keeping(folder, tick, lambda: paid.now(judges, tally.took, tally.lines))
    begun = paid.now(judges, {}, paid.lines).facts() if judges else {}
    unseal(folder, {**meta, **(order.facts() if order else {}), **begun}, own=is_own(folder))
    with Answers(folder) as answers, closing(Judgements(folder.path / JUDGEMENTS)) as said:
        taken = take_labels(folder, labels, plan, answers, replace=replace, beside=beside)
        known = taken.labels
        terms = terms.renewed().framed(frame_of(plan, answers) if len(known) else "", known)
        if judges:
            questions = pending(plan, answers, Decisions(terms, said, known), said, tally)
            versions, width = [judge.version for judge in terms.judges], plan.concurrency
            await ask_judges(questions, judges, said, tally, versions=versions, width=width, stop=stop, tick=tick)
            terms = stand_today(terms, versions, folder)
            terms = stand_today(await check_drift(judges, terms, folder, tally, width), versions, folder)
        plan = structs.replace(plan, decisions=Decisions(terms, said, known))
        own = {spec.name for spec in plan.contract.metrics}
        write_judging(folder, terms, [spec for spec in plan.metrics if spec.name not in own])
        counted = Counted()
        figures = rewrite(plan, folder, answers, counted)
    facts: dict[str, JSON] = {
        name: meta[name] for name in ("calls", "stop_reason", "spent", "unused_answers") if name in meta
    }
    facts |= structs.replace(paid.now(judges, tally.took, tally.lines), stopped=tally.stopped).facts()
    if order:
        facts |= structs.replace(order, due=tally.due).facts()
    summary = finish(plan, folder, figures, int(meta["expected"]), meta["status"] == "complete", facts=facts)
    return Deciding(
        summary=believed(folder, summary),
        asked=tally,
        labels=len(known),
        strays=taken.strays,
        lacking=taken.lacking,
        disputed=tuple(known.disagreements()),
        foreign=terms.foreign,
        whys=dict(counted.whys.most_common()),
        corrected=_corrected(terms, counted.votes),
    )


def _keeping(folder: RunFolder, tick: Callable[[int], None], now: Callable[[], Paid]) -> Callable[[int], None]:
    """Write down what was paid every few seconds: a process that is killed tells nobody."""
    last = monotonic()

    def keep(asked: int) -> None:
        nonlocal last
        tick(asked)
        if monotonic() - last > EVERY:
            add_facts(folder, now().facts())
            last = monotonic()

    return keep


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
        decisions = Decisions(terms.framed(frame_of(plan, answers), labels), said, labels)
        plan = structs.replace(plan, decisions=decisions)
        figures = Summarizer(plan.metrics)
        for case, answer, row in rows_of(plan, answers):
            figures.add(_decided(row, case, answer, plan))
    told = {"run_id": plan.run_id, "task_name": "", "status": "", "scorer_version": ""}
    return dict(figures.summary(**told, expected=0).models)


def require_unaltered(folder: RunFolder) -> None:
    """Refuse a run whose answers or verdicts are not as it left them, unless that is on record."""
    known = folder.meta().get(ALTERED, ())
    if broken := [name for name in altered(folder, SOURCES) if name not in known]:
        raise RunError("run.altered", run=str(folder.path), files=broken)


def fits_rows(plan: Plan, folder: RunFolder) -> bool:
    """Return whether judgements make the rows that a run has, but for what no judge is on record for any more.

    Lines that were edited with their checksums do not pass for sound because another line was damaged.
    """
    if "results.jsonl" in altered(folder):
        return False
    with Answers(folder) as answers:
        return all(
            was == now or now.get("why") == "not_asked"
            for case, answer, row in rows_of(plan, answers)
            for was, now in zip(
                verdicts_of(row.scorecard.details),
                verdicts_of(_decided(row, case, answer, plan).scorecard.details),
                strict=True,
            )
        )


class Counted(Struct):
    """What judges said of a run, counted."""

    votes: Counter[tuple[str, str]] = field(default_factory=Counter)
    """Kind of question and verdict."""
    whys: Counter[str] = field(default_factory=Counter)
    """Why there is none, by code."""
    case: str = ""
    answers: set[str] = field(default_factory=set)
    """What was said to this case by now: all answers to a case come one after another."""

    def vote(self, row: Result) -> None:
        """Count what judges said of an answer, equal answers to a case once: they are one verdict."""
        if row.sample_id != self.case:
            self.case, self.answers = row.sample_id, set()
        if row.output_text not in self.answers:
            self.answers.add(row.output_text)
            self.votes.update(judge_votes(row.scorecard.details))


def rewrite(plan: Plan, folder: RunFolder, answers: Answers, counted: Counted) -> Summarizer:
    """Write the rows anew with what was decided, and count votes, and why there are none; the rules' part stays."""
    figures = Summarizer(plan.metrics, tables_of(plan.contract))
    path = folder.path / "results.jsonl"
    beside = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    writer = ResultWriter(beside)
    try:
        for case, answer, row in rows_of(plan, answers):
            judged = _decided(row, case, answer, plan)
            writer.add(judged)
            figures.add(judged)
            counted.vote(judged)
            counted.whys.update(open_whys(judged.scorecard.details))
    finally:
        writer.close()
    beside.replace(path)
    return figures


def _decided(row: Result, case: Case, answer: Answer, plan: Plan) -> Result:
    assert plan.decisions is not None
    contract, card = plan.contract, plan.decisions.without(row.scorecard)
    if has_failed(row):
        card = plan.decisions.repeat(contract, card)
    else:
        card = plan.decisions.add(contract, case, contract.read(case, answer), card)
    return structs.replace(row, scorecard=card, task_metrics=card.sub_scores)
