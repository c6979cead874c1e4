"""One run from first question to report: opens the folder, asks and scores the cases, writes what came of it."""

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from msgspec import Struct, structs

from ragstone.core.errors import BudgetSpent, Reason, RunError
from ragstone.core.interfaces import Staged, System, tables_of
from ragstone.core.language import LANGS, Lang
from ragstone.core.messages import message
from ragstone.core.settings import DEFAULT_TIMEOUT
from ragstone.core.types import JSON, Answer, Block, Request, Result, Summary
from ragstone.report.rows import ReportRows
from ragstone.runs.finish import finish
from ragstone.runs.pipeline import Perfect, Unit, ask, ask_for, judge
from ragstone.runs.plan import Plan
from ragstone.runs.reopen import misplaced
from ragstone.runs.schedule import Queue, Sequencer, Stop, Work, asking, run_queues
from ragstone.runs.scoring_queue import ScoringQueue
from ragstone.runs.spending import go_on_spending, spent
from ragstone.runs.store.folder import ResultWriter, RunFolder
from ragstone.runs.store.journal import AnswerJournal
from ragstone.runs.summary import Summarizer
from ragstone.systems.recorded import Unused, doubts, unused
from ragstone.systems.wrappers.wrapper import Notice, calls_of, limit_time, listen

try:
    import resource
except ImportError:  # pragma: no cover - Windows has no such limit
    resource = None  # type: ignore[assignment]

KEPT = 32
"""Handles left for everything that is no connection: journal, rows, reports, modules that are loaded late."""
TICK = 0.2
"""Seconds between two looks at a running run."""
SYNC = 1.0
"""Seconds between two forced writes of the journal onto the disk."""
WARMING = 4
"""Cases that are judged beforehand: they may be of several languages."""
AHEAD = 16_384
"""Answers a quick model may be ahead of the slowest one, so that memory stays flat."""


MOST_FACTS = 10
"""Values kept of one fact: every reply may bring a new one."""


class Progress(Struct, frozen=True, kw_only=True):
    """How far a run is."""

    finished: int
    expected: int
    seconds: float
    asked: int
    """Answers got in this process, not taken from the journal."""
    paused: bool = False
    """Whether an endpoint is down and everybody waits for it."""
    blocks: dict[str, Block]

    @property
    def rate(self) -> float:
        """Answers a second."""
        return self.asked / self.seconds if self.seconds > 0 else 0.0

    @property
    def seconds_left(self) -> float | None:
        """Seconds the rest will take at this rate; None while nothing is answered or an endpoint is down."""
        return (self.expected - self.finished) / self.rate if self.rate and not self.paused else None


class Observer(Protocol):
    """Is notified of the progress of a run."""

    def started(self, plan: Plan, folder: Path, expected: int) -> None:
        """A run begins or goes on."""

    def result(self, result: Result) -> None:
        """A case is finished; its answer is on disk."""

    def tick(self, progress: Progress) -> None:
        """Time has passed."""

    def notice(self, text: str) -> None:
        """Something happened that a person wants to know: a pause, a retry storm, a spent budget.

        An observer with a method `speaks`, given the run's language, says in which one it wants to be told.
        """

    def finished(self, plan: Plan, folder: Path, summary: Summary) -> None:
        """The run is over, complete or not."""


@runtime_checkable
class JudgeObserver(Protocol):
    """Is notified of the progress of judges, too."""

    def judged(self, asked: int) -> None:
        """So many questions were put to the judges by now."""


async def walk(  # noqa: PLR0913 - whatever a run can be worked on with
    plan: Plan,
    folder: RunFolder,
    expected: int,
    watchers: Sequence[Observer],
    stop: Stop,
    *,
    again: Callable[[Answer], bool] | None = None,
    later: "Later | None" = None,
    cut_short: bool = False,
    salvage: bool = False,
) -> Summary:
    """Ask what is unanswered, score everything, write the run's files; `again` picks answers to ask again.

    `cut_short` says that the process before this one ended without a word: what it had in flight is not known.
    With `later` nothing is judged while there is something to ask; it judges the whole journal afterwards.
    """
    wished, plan = plan, _within_handles(plan)
    journal = folder.journal()
    calls = _calls_before(folder, journal, cut_short)
    try:
        _check_ids(plan, journal, watchers, salvage=salvage)
        if again:
            for unit in [unit for unit in journal.units() if (a := journal.find(unit)) and again(a)]:
                journal.forget(unit)
        for watcher in watchers:
            watcher.started(plan, folder.path, expected)
        for warning in _warnings(plan, wished, cut_short=cut_short and len(journal) < expected):
            notify(watchers, plan.voice, warning)
        walker = _Walker(plan, folder, expected, watchers, journal, later)
        go_on_spending(plan, folder.meta(), journal, cut_short=cut_short)
        for number, system in enumerate(plan.systems):
            listen(system, partial(walker.on_notice, number))
            if plan.timeout != DEFAULT_TIMEOUT:
                limit_time(system, plan.timeout)
        stop.on_request = partial(notify, watchers, plan.voice, message("notice.stopping").say)
        complete = await walker.run(stop)
        calls += _calls(plan, walker.asked)
        if stop.reason and not walker.told_why:
            notify(watchers, plan.voice, partial(why, stop))
    finally:
        journal.close()
        for system in plan.systems:
            await system.close()
    facts = {"calls": calls, "stop_reason": {lang: why(stop, lang) for lang in LANGS} if stop.requested else {}}
    facts |= {"spent": ledger} if (ledger := spent(plan)) else {}
    strays = Unused()
    if complete and plan.max_samples is None and not plan.shard:
        strays = unused(plan.systems, folder.results, hidden=plan.mask_private)
    facts |= {"unused_answers": strays.n} if strays.n else {}
    for say in strays.told:
        notify(watchers, plan.voice, say)
    summary = finish(
        plan, folder, walker.figures, expected, complete, facts=facts, shown=walker.shown, told=walker.facts
    )
    for watcher in watchers:
        watcher.finished(plan, folder.path, summary)
    return summary


def _warnings(plan: Plan, wished: Plan, *, cut_short: bool) -> Iterator[Callable[[Lang], str]]:
    """Yield what is to be known before the first question."""
    yield from doubts(plan.systems, lambda: next((unit.case.question for unit in plan.units()), ""))
    if getattr(plan.contract, "wants_json", False) and any(_only_quotes(system) for system in plan.systems):
        yield partial(message("notice.only_quotes").say, params={})
    if plan.concurrency < wished.concurrency:
        yield partial(message("notice.handles").say, params={"limit": plan.concurrency})
    if cut_short:
        most = plan.concurrency * max(1, len(plan.systems))
        yield partial(message("notice.cut_short").say, params={"most": most})


def _only_quotes(system: System) -> bool:
    identity = system.identity()
    return identity.get("kind") == "builtin" and "chat" not in identity


def _check_ids(plan: Plan, journal: AnswerJournal, watchers: Sequence[Observer], *, salvage: bool) -> None:
    """Refuse answers that are recorded under another case than the dataset has there, or have them asked again."""
    if not len(journal):
        return
    strays = 0
    for unit in misplaced(plan, journal):
        if not salvage:
            raise RunError(
                "run.journal",
                file=str(journal.path),
                line=journal.number_of(unit),
                problem=f"the line is for {journal.id_of(unit)!r}, which is not case {unit} of the dataset",
                run=str(journal.path.parent),
            )
        journal.forget(unit)
        strays += 1
    if strays:
        params = {"kept": len(journal), "dropped": strays, "file": journal.path.name}
        notify(watchers, plan.voice, partial(message("notice.salvaged").say, params=params))


def why(stop: Stop, lang: Lang) -> str:
    """Return in a sentence why a run ended early, or "" when it did not."""
    if len(stop.spent) == 1:
        return next(iter(stop.spent.values())).say(lang)
    if stop.spent:
        return " ".join(_of_queue(name, signal, lang) for name, signal in stop.spent.items())
    if stop.requested and not stop.reason:
        return message("notice.cancelled").say(lang, {})
    by_signal = stop.reason.startswith("SIG")
    return message("notice.stopped").say(lang, {"signal": stop.reason}) if by_signal else stop.reason


def _of_queue(name: str, signal: BudgetSpent, lang: Lang) -> str:
    return f"{name}{': ' if lang == 'en' else '：'}{signal.say(lang)}"


def _within_handles(plan: Plan) -> Plan:
    """Ask no more at once than there are file handles for."""
    systems = max(1, len(plan.systems))
    return structs.replace(plan, concurrency=max(1, free_handles(plan.concurrency * systems) // systems))


def _calls_before(folder: RunFolder, journal: AnswerJournal, cut_short: bool) -> int:
    """Count the calls earlier processes made; of one that was cut short only those whose answers are on record."""
    known = int(folder.meta().get("calls") or 0)
    if not cut_short:
        return known
    answers = (journal.find(unit) for unit in journal.units())
    return max(known, sum(answer.attempts for answer in answers if answer))


def _calls(plan: Plan, asked: int) -> int:
    """Count the calls this process made, including retries and failed ones."""
    if plan.mock:
        return 0
    counts = [calls_of(system) for system in plan.systems if getattr(system, "makes_calls", True)]
    return asked if None in counts else sum(count for count in counts if count)


def notify(watchers: Sequence[Observer], voice: Lang, say: Callable[[Lang], str]) -> None:
    """Give every observer a notice, in the run's language or in the one it speaks."""
    for watcher in watchers:
        speaks: Callable[[Lang], Lang] | None = getattr(watcher, "speaks", None)
        watcher.notice(say(speaks(voice) if speaks else voice))


def notify_message(watchers: Sequence[Observer], code: str, plan: Plan, **params: JSON | Reason) -> None:
    """Give every observer a message as a notice."""

    def say(lang: Lang) -> str:
        told = {name: one.say(lang) if isinstance(one, Reason) else one for name, one in params.items()}
        return message(code).say(lang, told)

    notify(watchers, plan.voice, say)


class Row(Protocol):
    """A judged answer, and the line that says so."""

    @property
    def row(self) -> bytes:
        """The line of results.jsonl."""

    @property
    def result(self) -> Result:
        """The same as a value."""


Later = Callable[[Plan, Path, AnswerJournal, Callable[[], bool]], Iterator[Row]]
"""Judges what a journal holds, in order; the last argument says when to stop."""
BATCH = 500
"""Rows taken at once from an engine."""


class _Walker:
    """The moving parts of one run."""

    def __init__(
        self,
        plan: Plan,
        folder: RunFolder,
        expected: int,
        watchers: Sequence[Observer],
        journal: AnswerJournal,
        later: Later | None = None,
    ) -> None:
        self.plan = plan
        self.folder = folder
        self.later = later
        self.expected = expected
        self.watchers = watchers
        self.journal = journal
        self.figures = Summarizer(plan.metrics, tables_of(plan.contract))
        self.shown = ReportRows()
        self.frame = plan.frame()
        self.writer = ResultWriter(folder.path / "results.jsonl")
        self.sequencer = Sequencer(self._emit, self._remake, first=plan.first_unit)
        self.scoring = ScoringQueue(self._judge, self.sequencer)
        self.unjudged = Sequencer[bool](lambda _: None, lambda _: True, first=plan.first_unit)
        self.facts: dict[str, dict[str, None]] = {}
        """Facts about the systems from the replies, each value once."""
        self.asked = self.done = 0
        self.paused: set[int] = set()
        """The systems that are down."""
        self.told_why = False
        self.began = time.monotonic()

    def on_notice(self, system: int, notice: Notice) -> None:
        """Pass on a notice of a system, and note whether it is down."""
        if notice.code == "paused":
            self.paused.add(system)
        elif notice.code == "resumed":
            self.paused.discard(system)
        notify(self.watchers, self.plan.voice, notice.say)

    def _queue_over(self, queue: Queue, signal: BudgetSpent) -> None:
        """Notify that a model cannot be asked any more, while others go on."""
        self.told_why = True
        notify(self.watchers, self.plan.voice, partial(_of_queue, queue.name, signal))

    def _emit(self, result: Result) -> None:
        self.writer.add(result)
        self._take(result)

    def _take(self, result: Result) -> None:
        self.figures.add(result)
        self.shown.take(result)
        for watcher in self.watchers:
            watcher.result(result)

    def _judge(self, unit: Unit, answer: Answer) -> Result:
        return judge(self.plan.contract, unit, answer, self.frame)

    def _remake(self, unit: Unit) -> Result:
        answer = self.journal.find(unit.number)
        assert answer is not None, "a finished unit is in the journal"
        return self._judge(unit, answer)

    def _done(self, unit: Unit, answer: Answer) -> None:
        self.done += 1
        for name, value in answer.facts.items():
            if len(known := self.facts.setdefault(name, {})) < MOST_FACTS:
                known.setdefault(value)
        if self.later:
            self.unjudged.put(unit, True)
            while self.unjudged.step():
                pass
        else:
            self.scoring.put(unit, answer)

    def _asker(self) -> Callable[[Unit], Awaitable[Answer]]:
        plan = self.plan
        limits = [None if getattr(system, "keeps_time", False) else plan.timeout for system in plan.systems]

        async def model_answer(unit: Unit) -> Answer:
            self.asked += 1
            return plan.contract.model_answer(unit.case)

        async def real_answer(unit: Unit) -> Answer:
            answer = await ask(plan.contract, plan.systems[unit.system], unit, limits[unit.system])
            self.asked += 1
            return answer

        return model_answer if plan.mock else real_answer

    def _work(self) -> Work:
        if not isinstance(self.plan.contract, Staged):
            return asking(self._asker(), self.journal, self._done)
        from ragstone.runs.workflow.contract import Workflow  # noqa: PLC0415 - only a workflow needs it
        from ragstone.runs.workflow.steps import StepRunner  # noqa: PLC0415

        assert isinstance(self.plan.contract, Workflow)
        return StepRunner(self.plan.contract, self._step_asker(), self.journal, self._done, self.plan.repeats).work

    def _step_asker(self) -> Callable[[Unit, Callable[[], Request]], Awaitable[Answer]]:
        plan, stages = self.plan, self.frame.stages
        limits = [None if getattr(system, "keeps_time", False) else plan.timeout for system in plan.systems]

        async def ask_step(unit: Unit, make: Callable[[], Request]) -> Answer:
            perfect = stages[unit.system].contract.model_answer
            system = Perfect(lambda: perfect(unit.case)) if plan.mock else plan.systems[unit.system]
            answer = await ask_for(make, system, None if plan.mock else limits[unit.system])
            self.asked += 1
            return answer

        return ask_step

    async def run(self, stop: Stop) -> bool:
        ticker = asyncio.create_task(self._tick())
        ticker.add_done_callback(lambda task: None if task.cancelled() else stop.request(str(task.exception())))
        try:
            self._warm()
            queues = self.plan.queues()
            many: dict[str, Any] = {"ahead": self._is_ahead, "spent": self._queue_over} if len(queues) > 1 else {}
            complete = await self._ask_all(queues, stop, many)
            self.sequencer.drain()
            if ticker.done():
                # It ends by itself only when nothing can be written any more.
                await ticker
            return await self._judge_later(self.later, stop) and complete if self.later else complete
        finally:
            ticker.cancel()
            self.writer.close()

    async def _ask_all(self, queues: Sequence[Queue], stop: Stop, many: dict[str, Any]) -> bool:
        """Ask everything, and score it meanwhile; return whether all was done."""
        scoring = asyncio.create_task(self.scoring.work())
        scoring.add_done_callback(
            lambda task: None if task.cancelled() or not task.exception() else stop.request("error")
        )
        work = self._work()

        async def work_with_room(unit: Unit) -> None:
            await work(unit)
            if self.scoring.is_full:
                await self.scoring.room()

        try:
            complete = await run_queues(queues, work_with_room, stop=stop, **many)
            self.scoring.close()
            await scoring
            return complete
        finally:
            scoring.cancel()

    def _warm(self) -> None:
        """Judge right and wrong answers before anything is asked: what scoring loads at first holds up no call."""
        if self.expected < 2 or self.plan.mock or self.later or isinstance(self.plan.contract, Staged):
            return
        contract = self.plan.contract
        with contextlib.suppress(Exception):
            for case in islice(self.plan.cases(), WARMING):
                for answer in (contract.model_answer(case), Answer(text=case.question)):
                    judge(contract, Unit(0, case), answer, self.frame)

    async def _judge_later(self, later: Later, stop: Stop) -> bool:
        """Judge the journal by an engine; return whether all of it was judged."""
        before = stop.requested

        def halted() -> bool:
            return stop.escalated or stop.requested is not before

        rows = later(self.plan, self.folder.path, self.journal, halted)
        while batch := await asyncio.to_thread(lambda: list(islice(rows, BATCH))):
            for judged in batch:
                self.writer.add_line(judged.row)
                self._take(judged.result)
        return not halted()

    def _is_ahead(self, unit: Unit) -> bool:
        return unit.number - (self.unjudged if self.later else self.sequencer).next > AHEAD

    async def _tick(self) -> None:
        synced = time.monotonic()
        while True:
            await asyncio.sleep(TICK)
            self.writer.flush()
            progress = self.progress()
            for watcher in self.watchers:
                watcher.tick(progress)
            if time.monotonic() - synced > SYNC:
                await asyncio.to_thread(self.journal.sync)
                synced = time.monotonic()

    def progress(self) -> Progress:
        return Progress(
            finished=(self.later and self.figures.finished) or self.done,
            expected=self.expected,
            seconds=time.monotonic() - self.began,
            asked=self.asked,
            paused=len(self.paused) == max(1, len(self.plan.systems)),
            blocks=self.figures.figures(),
        )


def free_handles(wanted: int) -> int:
    """Return how many connections can be had, at least one; the limit is raised as far as the system allows.

    Every connection takes a file handle, and the run's own files need some too.
    """
    return wanted if resource is None else _raised(wanted)


def _raised(wanted: int) -> int:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    need = wanted + KEPT
    if soft == resource.RLIM_INFINITY or soft >= need:
        return wanted
    with contextlib.suppress(OSError, ValueError):
        most = need if hard == resource.RLIM_INFINITY else min(need, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
        soft = most
    return max(1, min(wanted, soft - KEPT))
