"""Puts what is open in a run to its judges: each question once, several at a time, until a stop, a budget or a failure.

What a judge said is on disk before anything is made of it. A trusted judge is asked some anchors of its certificate
again when a pass is over.
"""

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from msgspec import Struct, field, structs

from ragstone.core.errors import BudgetSpent, ConnectError
from ragstone.core.language import LANGS, Lang
from ragstone.core.messages import message
from ragstone.core.types import JSON, Question
from ragstone.judging.certificate import Certificate, read_certificates
from ragstone.judging.decisions import Decisions, JudgeTerms, Terms
from ragstone.judging.examine import Examiner, spread
from ragstone.judging.judge import (
    KINDS,
    LOST,
    PATIENCE,
    UNTOLD,
    Heard,
    Judge,
    ask,
    ask_anew,
    forget_version,
    holding,
    identity_of,
    judgement,
    parts_of,
    version_of,
)
from ragstone.judging.judgements import FILE as JUDGEMENTS
from ragstone.judging.judgements import Judgements
from ragstone.judging.listen import Opinion
from ragstone.runs.judged.certificates import cover, place_of, raise_alarm, replies_of
from ragstone.runs.judged.questions import asked_of, is_undecided, require_questions
from ragstone.runs.plan import Plan
from ragstone.runs.reopen import Answers
from ragstone.runs.schedule import Stop
from ragstone.runs.store.folder import RunFolder
from ragstone.systems.wrappers.budget import Ledger

MOST_CANARIES = 30
"""Anchors that a trusted judge is asked again after a pass over a run."""
CANARY_LEVEL = 0.01
"""The chance below which their verdicts are a drift: every pass looks, so false alarms must be rarer than on demand."""


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
    owed: int = 0
    """Replies after which a trusted judge could not be checked for drift."""
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

    @property
    def due(self) -> bool:
        """Whether a judge is to be asked more."""
        return self.unasked > 0 or self.owed > 0


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
    require_questions(plan)
    seen = set[str]()
    sorts = decisions.makes_estimate() and is_undecided(plan, answers, decisions.labels)
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
        self.seen: dict[int, set[str]] = {}
        """The versions that each judge answered as, where there are several."""
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
        seen = state.seen.setdefault(one.judge, {known})
        seen.add(heard.version)
        params = {"judge": judge.name, "known": known or UNTOLD, "found": heard.version or UNTOLD}
        params |= {"both": holding(judge, seen)}
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


async def check_drift(
    judges: Sequence[Judge], terms: Terms, folder: RunFolder, tally: JudgingTally, width: int
) -> Terms:
    """Ask judges that are trusted some anchors of their certificates again; return the terms with what that showed.

    A judge may fall ill under the same version: then what it just said must not pass a gate, also when it is well
    again. As many anchors as the run has replies of it, so that a few questions do not cost many. Where it cannot be
    asked they are owed.
    """
    for place, (judge, one) in enumerate(zip(judges, terms.judges, strict=True)):
        replies = replies_of(one, terms, folder)
        path = place_of(one, folder) if replies.owed and not all(one.standing.values()) else None
        if path is None:
            continue
        before = read_certificates(path)[one.identity]
        before = structs.replace(before, anchors=tuple(spread(before.anchors, min(replies.all, MOST_CANARIES))))
        drifts: bool | None = bool(one.epoch) and one.epoch in terms.drifted
        if before.anchors and not drifts:
            drifts = None if tally.stopped else await _drifts(judge, one, before, place, tally, width)
        if drifts:
            # A certificate that was put back hides nothing: it is to be certified as another judge.
            raise_alarm(path, one.identity)
            terms = structs.replace(terms, drifted=tuple(dict.fromkeys([*terms.drifted, one.epoch])))
        elif drifts is None:
            tally.owed += replies.owed
        else:
            terms = structs.replace(terms, checked={**terms.checked, one.who_now: cover(folder)})
    return terms


async def _drifts(
    judge: Judge, terms: JudgeTerms, before: Certificate, place: int, tally: JudgingTally, width: int
) -> bool | None:
    """Return whether a judge drifted; None where it did not answer, or another version did."""
    ask_anew(judge)
    with TemporaryDirectory() as kept, closing(Judgements(Path(kept) / JUDGEMENTS)) as said:
        examiner = Examiner(judge, terms, said, width)
        try:
            found = await examiner.drift(before)
        except ConnectError as error:
            tally.fail(error.say)
            return None
        finally:
            for one in filter(None, map(said.find, examiner.asked)):
                tally.take(place, Heard(opinion=Opinion(), tokens=one.tokens, cost=one.cost))
    if others := examiner.versions - {terms.version}:
        _note_version(judge, terms.version, others, tally)
        return None
    return found.p < CANARY_LEVEL


def _note_version(judge: Judge, known: str, others: set[str], tally: JudgingTally) -> None:
    told = {"judge": judge.name, "known": known or UNTOLD, "found": min(others)}
    tally.fail(partial(message("judge.version").say, params={**told, "both": holding(judge, {known, *others})}))
