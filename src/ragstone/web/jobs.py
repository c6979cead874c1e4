"""Jobs: runs the server works on, a few at once, watched by any number of browsers.

Each job has a thread with an event loop of its own, so that checking a long dataset or writing a report never keeps
the page waiting, and a system that hangs never keeps the server from ending.
What is to be done is kept in a file, so that a server killed and started again goes on.
A browser that watches holds no queue: it is told that something changed and takes the newest state.
"""

import asyncio
import contextlib
import logging
import threading
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any, Literal

import msgspec
from msgspec import Struct

from ragstone import api
from ragstone.core.errors import DatasetError, UserError
from ragstone.core.interfaces import Staged
from ragstone.core.language import Lang
from ragstone.core.settings import Settings
from ragstone.core.types import Block, Finding, Result, Summary
from ragstone.datasets.check import open_contract
from ragstone.datasets.glossary import OPTION as GLOSSARY
from ragstone.reading.private import mask_private, mask_private_in
from ragstone.report.console import Wording, case_line, closing_lines, start_line
from ragstone.runs.execute import Observer, Progress
from ragstone.runs.plan import Plan
from ragstone.runs.reopen import inputs_of
from ragstone.runs.schedule import Stop
from ragstone.runs.store.admission import Asking
from ragstone.runs.store.codec import encode, read_plain, write_whole
from ragstone.runs.store.folder import LARGEST, META, RunFolder, new_run_id
from ragstone.runs.store.label import make_label, write_label
from ragstone.runs.store.owner import is_signed, sign
from ragstone.web.admission import PageGuard
from ragstone.web.errors import PageError, say_error
from ragstone.web.places import Endpoint, Places, SystemArguments, with_contract

JOBS_FILE = ".page-jobs.json"
HEARTBEAT = 15.0
"""Seconds after which a silent connection is shown to be alive."""
MOST_NOTICES = 5
MOST_LINES = 1000
"""Cases up to which the server's console has a line for each."""
MOST_WAITING = 100
"""Runs that may wait their turn."""
KEPT_JOBS = 200
"""Runs that are over and still remembered; their folders tell of all others."""
State = Literal["queued", "running", "complete", "partial", "failed"]
_OVER: frozenset[State] = frozenset({"complete", "partial", "failed"})
_log = logging.getLogger("ragstone.web")


class Order(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a browser asked for; names only, so that it can be kept in a file."""

    run_id: str = ""
    dataset: str = ""
    contract: str | None = None
    system: str = ""
    systems: tuple[str, ...] = ()
    """Several of them, in place of the one."""
    endpoint: Endpoint | None = None
    max_samples: int | None = None
    repeats: int = 1
    concurrency: int | None = None
    reader: Lang = "zh-Hans"
    """The language of the user who started it; the verdicts' language is the run's own."""
    resume: bool = False
    retry_failed: bool = False
    name: str = ""
    """What to call the run."""
    like: str = ""
    """The run whose systems are asked again."""
    judge: str = ""
    """Who decides what the rules leave open."""
    asked: bool = False
    """Only the judge is asked: the run has its answers."""


class KeptOrders(Struct, frozen=True, kw_only=True):
    """What a server writes down of runs that are not finished, with the mark of whose server it was."""

    orders: list[Order]
    mark: str


class Live(Struct, frozen=True, kw_only=True):
    """The progress of a run, as sent to browsers."""

    run_id: str
    state: State
    finished: int = 0
    expected: int = 0
    rate: float = 0.0
    seconds_left: float | None = None
    cost: float | None = None
    blocks: dict[str, Block] = {}
    notices: tuple[str, ...] = ()
    stopping: bool = False
    """Whether a stop was asked for: what is in flight is waited for."""
    judged: int | None = None
    """Questions the judge has answered; none before it is its turn."""
    error: str = ""
    findings: tuple[Finding, ...] = ()


class Job:
    """One run and its watchers. The worker writes, the server's loop reads."""

    def __init__(self, order: Order, loop: asyncio.AbstractEventLoop) -> None:
        self.order = order
        self.live = Live(run_id=order.run_id, state="queued")
        self.stop = Stop()
        self.cancelled = False
        self._stopped = False
        self.left = False
        self._loop = loop
        self._worker: asyncio.AbstractEventLoop | None = None
        self._changed = asyncio.Event()
        self._cost: float | None = None

    @property
    def over(self) -> bool:
        """Whether nothing more will happen."""
        return self.live.state in _OVER

    def change(self, **fields: object) -> None:
        """Publish a change to watchers; may be called from any thread."""
        self.live = msgspec.structs.replace(self.live, **fields)
        with contextlib.suppress(RuntimeError):  # the server may be gone already
            self._loop.call_soon_threadsafe(self._wake)

    def _wake(self) -> None:
        changed, self._changed = self._changed, asyncio.Event()
        changed.set()

    async def watch(self) -> AsyncIterator[Live | None]:
        """Yield the state whenever it has changed, and None when it has not for a while."""
        shown: Live | None = None
        while True:
            changed, live = self._changed, self.live
            if live is not shown:
                shown = live
                yield live
            if live.state in _OVER or self.left:
                return
            if self.live is shown:
                try:
                    async with asyncio.timeout(HEARTBEAT):
                        await changed.wait()
                except TimeoutError:
                    yield None

    def leave(self) -> None:
        """Disconnect all watchers: the server is about to end, the run is not over."""
        self.left = True
        self.change()

    def cancel(self) -> None:
        """Ask for a stop; asking again drops what is in flight."""
        self.cancelled = True
        self.request_stop()
        self.change(stopping=True)

    def request_stop(self) -> None:
        """Ask the run to stop cleanly; a second call cancels what is in flight."""
        first, self._stopped = not self._stopped, True
        if self._worker is None:
            self.stop.request("")
            return
        with contextlib.suppress(RuntimeError):
            # A second request cancels tasks, which must happen in the loop that runs them.
            # The first one does not tell of Ctrl-C, which a browser has not.
            self._worker.call_soon_threadsafe(self.stop.request if first else self.stop.escalate, "")

    def speaks(self, voice: Lang) -> Lang:
        """Be told of what happens in the language of whoever pressed the button."""
        return self.order.reader

    # --- what a run reports: see runs.execute.Observer ---

    def started(self, plan: Plan, folder: Path, expected: int) -> None:
        """Note how much there is to do."""
        self._worker = asyncio.get_running_loop()
        if self.order.name and not self.order.resume:
            write_label(folder, make_label(self.order.name))
        self.change(state="running", expected=expected)

    def result(self, result: Result) -> None:
        """Add up what it costs."""
        if result.cost is not None:
            self._cost = (self._cost or 0.0) + result.cost

    def tick(self, progress: Progress) -> None:
        """Show how far it is."""
        self.change(
            finished=progress.finished,
            expected=progress.expected,
            rate=progress.rate,
            seconds_left=progress.seconds_left,
            cost=self._cost,
            blocks=progress.blocks,
        )

    def judged(self, asked: int) -> None:
        """Show how far the judge is."""
        self.change(judged=asked)

    def notice(self, text: str) -> None:
        """Show what a person wants to know."""
        if text:
            self.change(notices=(*self.live.notices, text)[-MOST_NOTICES:])

    def finished(self, plan: Plan, folder: Path, summary: Summary) -> None:
        """Show the results."""
        blocks = {model: figures.all for model, figures in summary.models.items()}
        self.change(finished=summary.finished, cost=self._cost, blocks=blocks, seconds_left=0.0)


class Console:
    """Prints the lines of a run where the server was started, as the command line does."""

    def __init__(self, say: Callable[[str], object]) -> None:
        self._print = say
        self._words: Wording | None = None
        self._lines = False

    def _say(self, line: str) -> None:
        with contextlib.suppress(OSError, ValueError):  # the reader may be gone; the run goes on
            self._print(line)

    def started(self, plan: Plan, folder: Path, expected: int) -> None:
        """Print how many cases there are."""
        self._words, self._lines = plan.spoken(), expected <= MOST_LINES
        each = 1 if isinstance(plan.contract, Staged) else len(plan.model_ids) * plan.repeats
        self._say(start_line(expected // each, plan.voice, expected))

    def result(self, result: Result) -> None:
        """Print how a case came out, unless the run is long."""
        if self._lines and self._words:
            self._say(case_line(result, self._words))

    def tick(self, progress: Progress) -> None:
        """Nothing: the page shows it."""

    def notice(self, text: str) -> None:
        """Nothing: the page shows it."""

    def finished(self, plan: Plan, folder: Path, summary: Summary) -> None:
        """Print the result of the run."""
        for line in closing_lines(summary, plan.spoken()):
            self._say(line)


class Jobs:
    """All runs of one server; `say` is called with the lines of each, `made` with the folder of each finished one."""

    def __init__(
        self,
        places: Places,
        *,
        changed: Callable[[Path], None] = lambda folder: None,
        made: Callable[[Path], object] = lambda folder: None,
        say: Callable[[str], object] = lambda line: None,
    ) -> None:
        self._say = say
        self._places = places
        self._settings = places.settings
        self._guard = PageGuard(places)
        self._changed = changed
        self._made = made
        self._jobs: dict[str, Job] = {}
        self._turns = asyncio.Semaphore(max(1, self._settings.max_jobs))
        self._tasks: set[asyncio.Task[None]] = set()
        self._closing = False
        self._file_lock = threading.Lock()

    def find(self, run_id: str) -> Job | None:
        """Return the job of a run this server knows."""
        return self._jobs.get(run_id)

    def forget(self, run_id: str) -> None:
        """Forget a run that is over: it was deleted."""
        if (job := self._jobs.get(run_id)) is not None and job.over:
            del self._jobs[run_id]

    def going(self) -> list[Job]:
        """List what runs or waits, in the order it came."""
        return [job for job in self._jobs.values() if not job.over]

    async def start(self, order: Order) -> Job:
        """Queue a run; errors in the order are raised at once."""
        dataset = with_contract(self._places.dataset(order.dataset), order.contract)
        self._arguments(order)
        if order.judge:
            self._places.judging(order.judge)
        self._require_capacity()
        opened = await asyncio.to_thread(
            open_contract,
            dataset.path,
            name=dataset.contract,
            documents=dataset.documents,
            options=dataset.options,
            usual={GLOSSARY: self._settings.reading.glossary},
        )
        return self._take(msgspec.structs.replace(order, run_id=self._new_id(opened.name)))

    def _new_id(self, contract: str) -> str:
        """Make a name that no run has, also among those begun in the same second."""
        while True:
            run_id = new_run_id(contract)
            if run_id not in self._jobs and not (self._places.runs_dir / run_id).exists():
                return run_id

    def _require_capacity(self) -> None:
        waiting = sum(job.live.state == "queued" for job in self._jobs.values())
        if waiting >= MOST_WAITING:
            raise PageError(429, "page.queue", number=waiting)

    def resume(self, run_id: str, *, retry_failed: bool = False) -> Job:
        """Continue a run that stopped."""
        job = self._jobs.get(run_id)
        if job and not job.over:
            raise PageError(409, "page.going", run=run_id)
        before = job.order if job else Order(run_id=run_id)
        self._require_allowed(RunFolder(self._places.run_path(run_id)))
        self._require_capacity()
        return self._take(msgspec.structs.replace(before, resume=True, retry_failed=retry_failed, asked=False))

    def judge(self, run_id: str, name: str, reader: Lang) -> Job:
        """Have a judge decide what the rules of a run left open; its systems are not asked."""
        job = self._jobs.get(run_id)
        if job and not job.over:
            raise PageError(409, "page.going", run=run_id)
        self._places.judging(name)
        folder = RunFolder(self._places.run_path(run_id))
        self._guard.inputs(folder, inputs_of(folder))
        self._require_capacity()
        return self._take(Order(run_id=run_id, judge=name, asked=True, reader=reader))

    def _require_allowed(self, folder: RunFolder) -> None:
        """Refuse at once what a run's own files name and the settings do not."""
        config: dict[str, Any] = folder.read("config.json")
        inputs = self._guard.inputs(folder, inputs_of(folder))
        if not config["mock"]:
            named = Asking(tuple(filter(None, config["systems"])), config["system_options"])
            self._guard.asking(folder, named, inputs, self._settings)

    def cancel(self, run_id: str) -> Job:
        """Stop a run, or take it out of the queue."""
        job = self._jobs.get(run_id)
        if job is None or job.over:
            raise PageError(409, "page.idle", run=run_id)
        job.cancel()
        if job.live.state == "queued":
            job.change(state="partial")
            self._keep()
        return job

    def _take(self, order: Order) -> Job:
        job = Job(order, asyncio.get_running_loop())
        self._jobs.pop(order.run_id, None)
        self._jobs[order.run_id] = job
        self._forget_old()
        self._keep()
        task = asyncio.create_task(self._turn(job))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return job

    def _forget_old(self) -> None:
        over = [run_id for run_id, job in self._jobs.items() if job.over]
        for run_id in over[:-KEPT_JOBS]:
            del self._jobs[run_id]

    async def _turn(self, job: Job) -> None:
        async with self._turns:
            if job.over or self._closing:
                return
            # Said here and not in the thread: between the two a cancel would take it for one that waits.
            job.change(state="running")
            await _in_thread(self._work, job)
        self._keep()

    def _work(self, job: Job) -> None:
        """Do one run to its end, in a thread with a loop of its own."""
        folder = self._places.runs_dir / job.order.run_id
        try:
            self._changed(folder)
            status = api.run_blocking(self._run(job, folder), job.stop)
            self._made(folder)
        except DatasetError as error:
            job.change(
                state="failed",
                error=say_error(error, job.order.reader),
                findings=_bare(error.findings, mask=self._settings.mask_private),
            )
        except UserError as error:
            job.change(state="failed", error=say_error(error, job.order.reader))
        except Exception as error:  # noqa: BLE001 - the boundary: one broken run must not take the page with it
            _log.exception("run %s", job.order.run_id)
            text = PageError(500, "page.bug", problem=type(error).__name__).say(job.order.reader)
            job.change(state="failed", error=text)
        else:
            job.change(state="complete" if status == "complete" else "partial")

    async def _run(self, job: Job, folder: Path) -> str:
        """Ask the systems, then the judge; return what became of the run."""
        if job.order.asked:
            status = str(RunFolder(folder).meta().get("status"))
        else:
            status = (await self._ask(job, folder)).summary.status
        if job.order.judge and status == "complete" and not job.stop.requested:
            await self._judge(job, folder)
        return status

    async def _judge(self, job: Job, folder: Path) -> None:
        """Have the judge decide; where it cannot, the run stays as the rules made it, and the page says why."""
        wish, settings = self._places.judging(job.order.judge), self._for_run(job.order)
        job.change(judged=0)
        watchers: list[Observer] = [job]
        try:
            done = await api.ajudge_run(
                folder, wish, settings=settings, watchers=watchers, stop=job.stop, trust=self._guard
            )
        except UserError as error:
            job.change(error=say_error(error, job.order.reader))
        else:
            if done.asked.stopped:
                problem = PageError(
                    409, "page.judge_stopped", why=done.asked.reasons.get(job.order.reader) or done.asked.stopped
                )
                job.change(error=say_error(problem, job.order.reader))

    async def _ask(self, job: Job, folder: Path) -> api.Run:
        order = job.order
        watchers: list[Observer] = [job, Console(self._say)]
        if order.resume or (folder / META).is_file():
            settings = self._for_run(order)
            again = order.retry_failed
            # Who may judge is said by today's settings, never by the run: `_judge` asks whom they name.
            return await api.aresume(
                folder,
                retry_failed=again,
                settings=settings,
                watchers=watchers,
                stop=job.stop,
                trust=self._guard,
                judge=None,
            )
        dataset, systems, options = self._arguments(order)
        return await api.aevaluate(dataset, systems, watchers=watchers, stop=job.stop, **options)

    def _arguments(self, order: Order) -> tuple[Path, list[str], dict[str, Any]]:
        """Turn an order's names into arguments of `ragstone.api`."""
        dataset = with_contract(self._places.dataset(order.dataset), order.contract)
        names = order.systems or (order.system,)
        asked = self._as_before(order.like) if order.like else self._places.asked_all(names, dataset, order.endpoint)
        options: dict[str, Any] = {
            "contract": dataset.contract,
            "documents": dataset.documents,
            "options": dataset.options,
            "system_options": asked.options,
            "run_id": order.run_id,
            "repeats": order.repeats,
            "max_samples": order.max_samples,
            "mock": asked.mock,
            "settings": self._for_run(order),
        }
        return dataset.path, list(asked.systems), options

    def _as_before(self, run_id: str) -> SystemArguments:
        """Ask whom another run asked, as far as the settings still offer it."""
        folder = RunFolder(self._places.run_path(run_id))
        config: dict[str, Any] = folder.read("config.json")
        if config["mock"]:
            return SystemArguments(mock=True)
        named = Asking(tuple(filter(None, config["systems"])), config["system_options"])
        inputs = self._guard.inputs(folder, inputs_of(folder))
        asking = self._guard.asking(folder, named, inputs, self._settings)
        return SystemArguments(systems=asking.systems, options=asking.options)

    def _for_run(self, order: Order) -> Settings:
        settings = self._places.run_settings()
        if order.concurrency is None:
            return settings
        return msgspec.structs.replace(settings, concurrency=order.concurrency)

    # --- surviving the server ---

    def _keep(self) -> None:
        """Write down what is not finished; a run that was cancelled is."""
        if self._closing:
            return
        orders = [job.order for job in self._jobs.values() if not job.over and not job.cancelled]
        with self._file_lock, contextlib.suppress(OSError):
            self._places.runs_dir.mkdir(parents=True, exist_ok=True)
            kept = KeptOrders(orders=orders, mark=sign(encode(orders)))
            write_whole(self._places.runs_dir / JOBS_FILE, encode(kept), mode=0o600)

    def restore(self) -> list[Job]:
        """Go on with what a server of this user before this one did not finish; a file that was sent starts nothing."""
        try:
            with read_plain(self._places.runs_dir / JOBS_FILE) as file:
                kept = msgspec.json.decode(file.read(LARGEST), type=KeptOrders)
        except (OSError, ValueError, RecursionError):
            return []
        orders = kept.orders if is_signed(encode(kept.orders), kept.mark) else []
        return [self._take(order) for order in orders if order.run_id not in self._jobs]

    def leave(self) -> None:
        """Disconnect all watchers, so that the server can end."""
        for job in list(self._jobs.values()):
            job.leave()

    async def close(self, seconds: float = 3.0) -> None:
        """Stop all jobs cleanly, then cancel what is in flight; the file keeps them for the next server."""
        self._closing = True
        for _ in range(2):
            for job in self.going():
                job.request_stop()
            if self._tasks:
                await asyncio.wait(self._tasks, timeout=seconds)


def _hidden(finding: Finding) -> Finding:
    """Return a fault without private text."""
    case_id = finding.case_id and mask_private(finding.case_id)
    return msgspec.structs.replace(finding, case_id=case_id, params=mask_private_in(finding.params))


def _bare(findings: tuple[Finding, ...], *, mask: bool) -> tuple[Finding, ...]:
    """Return a dataset's faults without its path."""
    if mask:
        findings = tuple(map(_hidden, findings))
    places = [msgspec.structs.replace(one.position, file=Path(one.position.file).name) for one in findings]
    return tuple(msgspec.structs.replace(one, position=at) for one, at in zip(findings, places, strict=True))


async def _in_thread(work: Callable[[Job], None], job: Job) -> None:
    """Do a job in a thread of its own: the page's few threads stay free, and one that hangs dies with the process."""
    loop = asyncio.get_running_loop()
    done = asyncio.Event()

    def call() -> None:
        work(job)
        with contextlib.suppress(RuntimeError):  # the server may be gone already
            loop.call_soon_threadsafe(done.set)

    threading.Thread(target=call, daemon=True, name=f"ragstone-{job.order.run_id}").start()
    await done.wait()


def is_busy(folder: Path) -> bool:
    """Return whether any process works on a run right now."""
    try:
        with RunFolder(folder):
            return False
    except UserError as error:
        return error.code == "run.busy"
