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
from time import monotonic
from typing import NamedTuple

from msgspec import Struct, field, structs

from ragstone.core.errors import BudgetSpent, RunError, SettingError
from ragstone.core.interfaces import Decidable, tables_of
from ragstone.core.language import LANGS, Lang
from ragstone.core.messages import message
from ragstone.core.types import (
    JSON,
    Answer,
    Case,
    Interval,
    ModelSummary,
    Question,
    Reading,
    Result,
    RuleVerdict,
    Summary,
)
from ragstone.judging.decisions import Decisions, JudgeTerms, Terms, judge_votes, open_whys
from ragstone.judging.estimates.estimate import Checked, undo_errors
from ragstone.judging.estimates.whole_draw import is_draw
from ragstone.judging.judge import (
    LOST,
    PATIENCE,
    Heard,
    Judge,
    apart,
    ask,
    forget_version,
    identity_of,
    judgement,
    parts_of,
    version_of,
)
from ragstone.judging.label_file import FILE as LABELS
from ragstone.judging.label_file import append_labels, read_labels
from ragstone.judging.people import Key, Label, Labels, with_kinds
from ragstone.judging.people import key_of as label_key
from ragstone.judging.replies import FILE as JUDGEMENTS
from ragstone.judging.replies import Judgements
from ragstone.runs.finish import finish
from ragstone.runs.judged.blanks import blanks
from ragstone.runs.judged.certified import believed, stand_today
from ragstone.runs.judged.files import write_judging
from ragstone.runs.judged.frame import frame_of
from ragstone.runs.judged.order import JudgeOrder
from ragstone.runs.judged.paid import Paid, read_paid
from ragstone.runs.plan import Plan
from ragstone.runs.reopen import Answers
from ragstone.runs.schedule import Stop
from ragstone.runs.store.admission import is_own
from ragstone.runs.store.codec import is_plain
from ragstone.runs.store.describe import same_or_raise
from ragstone.runs.store.folder import ResultWriter, RunFolder
from ragstone.runs.store.seal import ALTERED, SOURCES, add_facts, altered, unseal
from ragstone.runs.summary import Summarizer
from ragstone.systems.wrappers.around import Ledger

EVERY = 2.0
"""Seconds after which it is written down again what was paid."""
KINDS = ("states", "declines", "supported", "equivalent", "meets")


class JudgingTally(Struct, kw_only=True):
    """What came of asking the judges."""

    open: int = 0
    """Questions the rules left open."""
    known: int = 0
    """Opinions that were on record."""
    cached: int = 0
    """Opinions that the judge's cache gave."""
    asked: int = 0
    """Questions that the judge itself was asked."""
    unsure: int = 0
    failed: int = 0
    left: int = 0
    """Questions to which it did not come any more."""
    calls: int = 0
    tokens: int = 0
    cost: float | None = None
    lines: int = 0
    """Lines of judgements.jsonl by now."""
    took: dict[int, Ledger] = {}
    """What each judge took, by its place."""
    stopped: str = ""
    """Why not everything was asked."""
    reasons: dict[str, str] = {}
    """The same by language; where single questions failed, what the last of them met."""
    whys: Counter[str] = field(default_factory=Counter)
    """Why replies decide nothing, by code."""
    problems: dict[str, str] = {}
    """The last such reply, by code."""

    def take(self, place: int, heard: Heard) -> None:
        """Count what a question took; what the cache answered took nothing."""
        spent = self.took.setdefault(place, Ledger())
        spent.calls += heard.attempts
        spent.tokens += heard.tokens
        spent.cost += heard.cost or 0.0
        self.calls += heard.attempts
        self.tokens += heard.tokens
        self.cost = self.cost if heard.cost is None else (self.cost or 0.0) + heard.cost

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
    sorts = decisions.makes_estimate() and _is_undecided(plan, answers, decisions)
    for case, question, rule in asked_of(plan, answers):
        # A person's word is the last one. Only where an estimate sorts cases by what the judge made of them must it
        # have been asked of labelled ones as of others.
        if rule != "open" or (decisions.by_person(case, question) is not None and not sorts):
            continue
        tally.open += 1
        for number, (judge, key) in enumerate(decisions.keys(question)):
            before = said.find(key, judge.version)
            if key in seen or (before is not None and before.why not in LOST):
                tally.known += 1
                continue
            seen.add(key)
            yield Pending(number, key, case.id, question)


def _is_undecided(plan: Plan, answers: Answers, decisions: Decisions) -> bool:
    """Return whether people left anything to the judge."""
    found = asked_of(plan, answers)
    return any(rule == "open" and decisions.by_person(case, question) is None for case, question, rule in found)


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
    for number, (case, answer, row) in enumerate(_rows(plan, answers), start=1):
        if _failed(row):
            yield AskedRow(number, case, answer, Reading(), row, ())
        else:
            reading = contract.read(case, answer)
            yield AskedRow(number, case, answer, reading, row, contract.asked(case, reading, row.scorecard))


def _failed(row: Result) -> bool:
    """Return whether there is no answer; one that cannot be read is an answer."""
    return row.error_type is not None and row.error_stage != "read"


def asked_of(plan: Plan, answers: Answers) -> Iterator[tuple[Case, Question, RuleVerdict]]:
    """Yield the closed questions a run's rows rest on."""
    for one in every_row(plan, answers):
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
    versions: list[str],
    width: int,
    stop: Stop,
    tick: Callable[[int], None] = lambda asked: None,
) -> None:
    """Ask several questions at once until all are asked, a stop is requested, a budget is spent or a judge is down.

    Only what the `versions` say counts, one for each judge; where none is known the first reply tells it.
    """
    state = _State(versions)

    async def work() -> None:
        for one in questions:
            if stop.requested or state.over:
                tally.left += 1
                return
            await _ask(one, judges[one.judge], said, tally, state)
            tally.lines = said.lines
            tick(tally.asked + tally.cached)

    await asyncio.gather(*(work() for _ in range(width)))
    if state.why:
        tally.stop(state.why)
    if state.other:
        # The next trial goes to the endpoint: its cache may still say what it called itself before.
        for judge in judges:
            forget_version(judge)
    tally.stopped = tally.stopped or stop.reason
    tally.left += sum(1 for _ in questions)


class _State:
    def __init__(self, versions: list[str]) -> None:
        self.versions = versions
        self.over = self.other = False
        self.why: Callable[[Lang], str] | None = None
        """Why nothing more may be asked: said when nothing is in flight any more, with what is spent by then."""
        self.row = 0


async def _ask(one: Pending, judge: Judge, said: Judgements, tally: JudgingTally, state: _State) -> None:
    try:
        heard = await ask(judge, one.question)
    except BudgetSpent as spent:
        state.over = True
        state.why = state.why or partial(spent.say, code="" if spent.what == "outage" else "judge.budget")
        tally.left += 1
        return
    tally.take(one.judge, heard)
    if heard.failure is not None:
        _note_failure(heard.failure.say, tally, state)
        return
    if heard.opinion.why in LOST:
        heard = structs.replace(heard, version=state.versions[one.judge])
    known = state.versions[one.judge] = state.versions[one.judge] or heard.version
    if heard.version != known:
        # It is kept for a judging that goes by this version; in this one it is nobody's word.
        said.append(judgement(one.key, one.question, one.case, judge, heard))
        state.other = True
        params = {"judge": judge.name, "known": known or "–", "found": heard.version or "–"}
        params |= {"both": apart(known or "–", heard.version or "–")}
        _note_failure(partial(message("judge.version").say, params=params), tally, state)
        return
    state.row = 0
    tally.asked += heard.attempts > 0
    tally.cached += heard.attempts == 0
    if heard.opinion.why:
        tally.unsure += 1
        tally.whys[heard.opinion.why] += 1
        tally.problems[heard.opinion.why] = heard.reply
    said.append(judgement(one.key, one.question, one.case, judge, heard))


def _note_failure(say: Callable[[Lang], str], tally: JudgingTally, state: _State) -> None:
    tally.failed += 1
    tally.fail(say)
    state.row += 1
    if state.row >= PATIENCE:
        state.over = True
        tally.stop(say)


def take_labels(
    folder: RunFolder,
    labels: Sequence[Label],
    plan: Plan,
    answers: Answers,
    *,
    replace: bool = False,
    beside: Sequence[Label] = (),
) -> "Taken":
    """Keep those labels in the run that are about its answers, and blank ones for what was drawn and is in none.

    With `replace` those it had are forgotten. What was drawn and is in none of the `labels` may be `beside` the runs.
    """
    kept = read_labels(folder.path / LABELS) if is_plain(folder.path / LABELS) else []
    about = list(_asked_keys(plan, answers)) if labels else []
    keys = {key for _, key in about}
    labels = with_kinds(labels, keys)
    fitting = [label for label in labels if label_key(label) in keys]
    strays = len(labels) - len(fitting)
    if replace:
        (folder.path / LABELS).unlink(missing_ok=True)
        kept = []
    elif more := _drawn_beside([*kept, *fitting], beside, frame_of(plan, answers) if beside else "", about):
        fitting = [*more, *fitting]
    known = set(kept)
    fresh = [label for label in fitting if label not in known]
    # Who came back to an earlier verdict said it again in the same words: the last word must be the last here, too.
    now = _last([*kept, *fresh])
    again = [label for place, label in _last(fitting).items() if now[place] != label]
    here = [*kept, *fresh, *again]
    lacking = list(blanks(here, frame_of(plan, answers), about)) if any(is_draw(one.drawn) for one in fitting) else []
    append_labels(folder.path / LABELS, [*fresh, *again, *lacking])
    return Taken(Labels([*here, *lacking]), strays, len(lacking))


def _require_deciding(folder: RunFolder, given: Sequence[Label], plan: Plan) -> None:
    """Refuse to forget a run's labels for a file that says nothing of it: the wrong one, or one nobody filled in."""
    path = folder.path / LABELS
    known = Labels(read_labels(path) if is_plain(path) else [])
    if not given or all(known.decided(key) is None for key in known):
        return
    with Answers(folder) as answers:
        keys = {key for _, key in _asked_keys(plan, answers)}
    if not any(_is_deciding(label) and label_key(label) in keys for label in given):
        raise SettingError("labels.replace_nothing", n=len(given), run=str(folder.path), known=len(known))


def _is_deciding(label: Label) -> bool:
    return label.verdict not in ("unsure", "withdrawn")


def _drawn_beside(
    here: Sequence[Label], beside: Sequence[Label], frame: str, about: Sequence[tuple[int, Key]]
) -> list[Label]:
    """Return those labels beside the runs that are about what was drawn and is in no table: these leave it out."""
    lacking = {label_key(blank) for blank in blanks(here, frame, about)} if beside else set()
    return [label for label in beside if label_key(label) in lacking]


class Taken(NamedTuple):
    """The labels a run has, and what is to be said of those that were given."""

    labels: Labels
    strays: int
    """Labels about answers that are not in the run."""
    lacking: int
    """What was drawn with them and was not handed back."""


def _asked_keys(plan: Plan, answers: Answers) -> Iterator[tuple[int, Key]]:
    """Yield what labels may be about, with the numbers of the rows."""
    for one in every_row(plan, answers):
        for question, _ in one.asked:
            yield one.number, Decisions.label_key(one.case, question)


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
    width: int,
    stop: Stop,
    tick: Callable[[int], None] = lambda asked: None,
    order: JudgeOrder | None = None,
    replace: bool = False,
    paid: Paid | None = None,
    beside: Sequence[Label] = (),
) -> Deciding:
    """Ask the judges of a run what is open, take in labels, and write rows, summary and reports anew.

    Of labels `beside` the runs those are taken that tables of a draw leave out because they are there.
    The `order` is on disk before anything is asked, so that somebody can go on after a kill; so is what was `paid` by
    then, and every few seconds afterwards.
    """
    meta = folder.meta()
    if meta.get("status") == "running":
        raise RunError("judge.running", run=str(folder.path))
    require_unaltered(folder)
    # Rows are written anew: by another scorer their figures by rule would change, and that is `rescore`'s to do.
    same_or_raise(folder, meta, plan)
    if replace:
        _require_deciding(folder, labels, plan)
    tally, paid = JudgingTally(), paid or read_paid(folder, meta)
    tally.lines = paid.lines
    tick = _keeping(folder, tick, lambda: paid.now(judges, tally.took, tally.lines))
    begun = paid.now(judges, {}, paid.lines).facts() if judges else {}
    unseal(folder, {**meta, **(order.facts() if order else {}), **begun}, own=is_own(folder))
    with Answers(folder) as answers, closing(Judgements(folder.path / JUDGEMENTS)) as said:
        taken = take_labels(folder, labels, plan, answers, replace=replace, beside=beside)
        known = taken.labels
        terms = terms.renewed().framed(frame_of(plan, answers) if len(known) else "", known)
        decisions = Decisions(terms, said, known)
        if judges:
            questions = pending(plan, answers, decisions, said, tally)
            versions = [judge.version for judge in terms.judges]
            await ask_judges(questions, judges, said, tally, versions=versions, width=width, stop=stop, tick=tick)
            terms = stand_today(terms, versions, folder)
            decisions = Decisions(terms, said, known)
        plan = structs.replace(plan, decisions=decisions)
        own = {spec.name for spec in plan.contract.metrics}
        write_judging(folder, terms, [spec for spec in plan.metrics if spec.name not in own])
        counted = Counted()
        figures = rewrite(plan, folder, answers, counted)
    facts: dict[str, JSON] = {
        name: meta[name] for name in ("calls", "stop_reason", "spent", "unused_answers") if name in meta
    }
    facts |= structs.replace(paid.now(judges, tally.took, tally.lines), stopped=tally.stopped).facts()
    if order:
        facts |= structs.replace(order, due=tally.unasked > 0).facts()
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
        for case, answer, row in _rows(plan, answers):
            figures.add(_decided(row, case, answer, plan))
    told = {"run_id": plan.run_id, "task_name": "", "status": "", "scorer_version": ""}
    return dict(figures.summary(**told, expected=0).models)


def require_unaltered(folder: RunFolder) -> None:
    """Refuse a run whose answers or verdicts are not as it left them, unless that is on record."""
    known = folder.meta().get(ALTERED, ())
    if broken := [name for name in altered(folder, SOURCES) if name not in known]:
        raise RunError("run.altered", run=str(folder.path), files=broken)


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
        for case, answer, row in _rows(plan, answers):
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
    if _failed(row):
        card = plan.decisions.repeat(contract, card)
    else:
        card = plan.decisions.add(contract, case, contract.read(case, answer), card)
    return structs.replace(row, scorecard=card, task_metrics=card.sub_scores)
