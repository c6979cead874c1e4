"""One run from its first question to its report: opens the folder, walks the corridor, writes what it came to."""

import asyncio
import contextlib
import platform
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from itertools import islice, tee
from pathlib import Path
from typing import Protocol

from msgspec import Struct, structs, to_builtins

from ragstone.checking import Survey, load_cases
from ragstone.errors import RunError
from ragstone.handles import room_for
from ragstone.interfaces import Contract, Staged, System, tables_of
from ragstone.language import Lang
from ragstone.messages import message
from ragstone.pipeline import Frame, Perfect, Unit, ask, ask_for, judge
from ragstone.report.html import report_html
from ragstone.report.lines import Wording
from ragstone.report.markdown import report_markdown
from ragstone.report.shown import Shown
from ragstone.report.table import summary_csv
from ragstone.schedule import Lane, Sequencer, Stop, Work, asking, run_lanes
from ragstone.sealing import beside, scorer_parts, seal, terms_sha256
from ragstone.store.fingerprint import installed, path_fingerprint, redact, value_sha256
from ragstone.store.folder import FORMAT, META, ResultWriter, RunFolder
from ragstone.store.journal import AnswerJournal
from ragstone.summary import Summarizer
from ragstone.systems.wrapper import calls_of, listen, secrets_of
from ragstone.types import JSON, Answer, Block, Case, Request, Result, Summary
from ragstone.version import VERSION

TICK = 0.2
"""Seconds between two looks at a running run."""
SYNC = 1.0
"""Seconds between two forced writes of the journal onto the disk."""
AHEAD = 16_384
"""Answers a quick model may be ahead of the slowest one, so that memory stays flat."""


class Plan(Struct, frozen=True, kw_only=True):
    """Everything that decides what a run does; config.json holds it without its secrets."""

    run_id: str
    dataset: Path
    contract: Contract
    contract_name: str
    """How the contract was named, so that it can be found again."""
    systems: tuple[System, ...]
    system_specs: tuple[str, ...] = ()
    """How the systems were named, so that `resume` can make them again."""
    names: tuple[str, ...] = ()
    """What the models of a dry run are called, when it stands for models that have names."""
    system_options: dict[str, JSON] = {}
    documents: Path | None = None
    options: dict[str, JSON] = {}
    lang: Lang = "en"
    concurrency: int = 8
    """Requests in flight, for each system."""
    timeout: float = 120.0
    repeats: int = 1
    max_samples: int | None = None
    shard: str = ""
    """`2/4` when this run is the second of four parts of a larger one."""
    span: tuple[int, int] | None = None
    """Places of the first case of that part and of the first one after it."""
    mock: bool = False
    mask_private: bool = False
    links: dict[str, JSON] = {}
    """Facts about other runs this one belongs with, for run_meta.json."""
    runs_dir: Path = Path("runs")
    kept: tuple[Case, ...] | None = None
    """All cases of the dataset, when they were read before and are few."""

    @property
    def model_ids(self) -> tuple[str, ...]:
        """The names the systems go by, each once."""
        return (self.names or ("mock",)) if self.mock else tuple(system.model_id for system in self.systems)

    def cases(self) -> Iterator[Case]:
        """Stream the cases of this run."""
        first, end = self.span or (0, self.max_samples)
        return islice(load_cases(self.contract) if self.kept is None else self.kept, first, end)

    @property
    def first_unit(self) -> int:
        """The number of the first thing to be asked; a part of a run keeps the numbers of the whole."""
        return self.span[0] * len(self.model_ids) * self.repeats if self.span else 0

    def units(self) -> Iterator[Unit]:
        """Stream what is to be asked: case by case, each system, each repeat."""
        number = self.first_unit
        for case in self.cases():
            for system in range(len(self.model_ids)):
                for repeat in range(self.repeats):
                    yield Unit(number, case, system, repeat)
                    number += 1

    def lanes(self) -> list[Lane]:
        """Return the same units as streams that can be worked on apart: one a system."""
        if isinstance(self.contract, Staged):
            return self._staged_lanes(self.contract.size)
        if len(self.systems) < 2:
            return [Lane(self.units(), self.concurrency)]
        streams = tee(self.cases(), len(self.systems))
        return [Lane(self._lane(system, cases), self.concurrency) for system, cases in enumerate(streams)]

    def _staged_lanes(self, size: int) -> list[Lane]:
        """Return the first step's units of each model: whoever works on one works on all steps of its case."""
        firsts = range(0, len(self.model_ids), size)
        streams = tee(self.cases(), len(firsts))
        return [Lane(self._lane(first, cases), self.concurrency) for first, cases in zip(firsts, streams, strict=True)]

    def _lane(self, system: int, cases: Iterator[Case]) -> Iterator[Unit]:
        for place, case in enumerate(cases, self.span[0] if self.span else 0):
            first = (place * len(self.model_ids) + system) * self.repeats
            for repeat in range(self.repeats):
                yield Unit(first + repeat, case, system, repeat)

    def frame(self) -> Frame:
        """Return what all rows have in common."""
        names, contract = self.model_ids, self.contract
        stages = tuple(contract.stage(name) for name in names) if isinstance(contract, Staged) else ()
        return Frame(run_id=self.run_id, lang=self.lang, model_ids=names, stages=stages)

    def wording(self) -> Wording:
        """Return what is needed to put the results into words."""
        contract, many = self.contract, len(self.model_ids) > 1
        staged = isinstance(contract, Staged)
        metrics, tables = tuple(contract.metrics), tables_of(contract)
        return Wording(metrics, contract.phrases, self.lang, many, self.mask_private, staged, tables)


class Progress(Struct, frozen=True, kw_only=True):
    """How far a run is."""

    finished: int
    expected: int
    seconds: float
    asked: int
    """Answers got in this process, not taken from the journal."""
    blocks: dict[str, Block]

    @property
    def rate(self) -> float:
        """Answers a second."""
        return self.asked / self.seconds if self.seconds > 0 else 0.0

    @property
    def seconds_left(self) -> float | None:
        """Time the rest will take at this rate."""
        return (self.expected - self.finished) / self.rate if self.rate else None


class Observer(Protocol):
    """Somebody who watches a run."""

    def started(self, plan: Plan, folder: Path, expected: int) -> None:
        """A run begins or goes on."""

    def result(self, result: Result) -> None:
        """A case is finished; its answer is on disk."""

    def tick(self, progress: Progress) -> None:
        """Time has passed."""

    def notice(self, text: str) -> None:
        """Something happened that a person wants to know: a pause, a retry storm, a spent budget."""

    def finished(self, plan: Plan, folder: Path, summary: Summary) -> None:
        """The run is over, complete or not."""


def describe(plan: Plan, found: Survey) -> dict[str, dict[str, JSON]]:
    """Return the files that say what a run was made of, by name."""
    contract, dataset = plan.contract, path_fingerprint(plan.dataset)
    parts = scorer_parts(type(contract))
    identities = [dict(system.identity()) for system in plan.systems] or [{"kind": "mock"} for _ in plan.model_ids]
    cases = plan.span[1] - plan.span[0] if plan.span else found.cases
    expected = cases * len(plan.model_ids) * plan.repeats
    config = {
        "dataset": str(plan.dataset),
        "contract": plan.contract_name,
        "documents": str(plan.documents) if plan.documents else None,
        "options": plan.options,
        "systems": list(plan.system_specs),
        "system_options": plan.system_options,
        "mock": plan.mock,
        "names": list(plan.names),
        "language": plan.lang,
        "mask_private": plan.mask_private,
        "concurrency": plan.concurrency,
        "timeout": plan.timeout,
        "repeats": plan.repeats,
        "max_samples": plan.max_samples,
        **({"shard": plan.shard, "span": list(plan.span)} if plan.span else {}),
        "metrics": to_builtins(list(contract.metrics)),
    }
    meta = (
        {
            "format_version": FORMAT,
            "run_id": plan.run_id,
            "status": "running",
            "created": _now(),
            "finished": None,
            "ragstone_version": VERSION,
            "contract": contract.name,
            "scorer_version": contract.scorer_version,
            "scorer_sha256": value_sha256(parts),
            "scorer_parts": parts,
            "terms_sha256": terms_sha256(contract.terms()),
            "prompt_version": contract.prompt_version,
            "prompt_sha256": None,
            "model_id": ", ".join(plan.model_ids),
            "adapter_id": _of_any(identities, "adapter_id"),
            "index_version": _of_any(identities, "index_version"),
            "system_sha256": value_sha256(identities),
            "eval_set_version": f"{plan.dataset.stem}@{str(dataset['sha256'])[:12]}",
            "dataset_sha256": dataset["sha256"],
            "cases": cases,
            "expected": expected,
            "installed_sha256": value_sha256(installed()),
            "python": platform.python_version(),
            "platform": platform.platform(),
        }
        | dict(contract.terms())
        | plan.links
    )
    fingerprint = dataset | {"cases": cases} | beside(plan.documents, plan.options)
    snapshot = {"models": dict(zip(plan.model_ids, identities, strict=True))}
    files = {
        "config.json": config,
        "dataset_fingerprint.json": fingerprint,
        "model_snapshot.json": snapshot,
        META: meta,
    }
    kept = {name: redact(value) for name, value in files.items()}
    for secrets in map(secrets_of, plan.systems):
        kept = {name: secrets.hide_keys_in(value) for name, value in kept.items()}
    return kept


def scorer_sha256(contract: Contract) -> str:
    """Hash the code a contract's scores are made by."""
    return value_sha256(scorer_parts(type(contract)))


def _of_any(identities: Sequence[JSON], name: str) -> JSON:
    """Find a fact in what the systems say of themselves, or of the systems inside them."""
    for identity in identities:
        if isinstance(identity, Mapping):
            found = identity.get(name)
            found = found if found is not None else _of_any(list(identity.values()), name)
            if found is not None:
                return found
    return None


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


async def walk(
    plan: Plan,
    folder: RunFolder,
    expected: int,
    watchers: Sequence[Observer],
    stop: Stop,
    *,
    again: Callable[[Answer], bool] | None = None,
    later: "Later | None" = None,
    cut_short: bool = False,
) -> Summary:
    """Ask what is unanswered, score everything, write the run's files; `again` picks answers to be asked anew.

    `cut_short` says that the process before this one ended without a word: what it had in flight is not known.
    With `later` nothing is judged while there is something to ask; it judges the whole journal afterwards.
    """
    wished, plan = plan, _within_handles(plan)
    journal = folder.journal()
    calls = _calls_before(folder, journal, cut_short)
    try:
        if again:
            for unit in [unit for unit in journal.units() if (a := journal.find(unit)) and again(a)]:
                journal.forget(unit)
        for watcher in watchers:
            watcher.started(plan, folder.path, expected)
        if plan.concurrency < wished.concurrency:
            _tell(watchers, message("notice.handles").say(plan.lang, {"limit": plan.concurrency}))
        if cut_short and len(journal) < expected:
            most = plan.concurrency * max(1, len(plan.systems))
            _tell(watchers, message("notice.cut_short").say(plan.lang, {"most": most}))
        for system in plan.systems:
            listen(system, lambda notice: _tell(watchers, notice.say(plan.lang)))
        walker = _Walker(plan, folder, expected, watchers, journal, later)
        stop.heard = lambda: _tell(watchers, message("notice.stopping").say(plan.lang, {}))
        complete = await walker.run(stop)
        calls += _calls(plan, walker.asked)
        if stop.reason:
            _tell(watchers, _why(stop, plan.lang))
    finally:
        journal.close()
        for system in plan.systems:
            await system.close()
    summary = finish(plan, folder, walker.figures, expected, complete, calls=calls, shown=walker.shown)
    for watcher in watchers:
        watcher.finished(plan, folder.path, summary)
    return summary


def _why(stop: Stop, lang: Lang) -> str:
    """Say in a sentence why a run ended early."""
    if stop.why:
        return stop.why.say(lang)
    by_signal = stop.reason.startswith("SIG")
    return message("notice.stopped").say(lang, {"signal": stop.reason}) if by_signal else stop.reason


def _within_handles(plan: Plan) -> Plan:
    """Ask no more at once than there are file handles for."""
    systems = max(1, len(plan.systems))
    return structs.replace(plan, concurrency=max(1, room_for(plan.concurrency * systems) // systems))


def _calls_before(folder: RunFolder, journal: AnswerJournal, cut_short: bool) -> int:
    """Count the calls earlier processes made; of one that was cut short only those whose answers are on record."""
    known = int(folder.meta().get("calls") or 0)
    if not cut_short:
        return known
    answers = (journal.find(unit) for unit in journal.units())
    return max(known, sum(answer.attempts for answer in answers if answer))


def _calls(plan: Plan, asked: int) -> int:
    """Count the calls this process made, retries and those that came to nothing among them."""
    if plan.mock:
        return 0
    counts = [calls_of(system) for system in plan.systems if getattr(system, "makes_calls", True)]
    return asked if None in counts else sum(count for count in counts if count)


def _tell(watchers: Sequence[Observer], text: str) -> None:
    for watcher in watchers:
        watcher.notice(text)


class Row(Protocol):
    """A judged answer, and the line that says so."""

    @property
    def row(self) -> bytes:
        """The line of results.jsonl."""

    @property
    def result(self) -> Result:
        """The same as a value."""


Later = Callable[[Plan, Path, AnswerJournal, Callable[[], bool]], Iterator[Row]]
"""Judges what a journal holds, in order; the last argument says when somebody wants it to end."""
BATCH = 500
"""Rows that are taken over at once from whoever judges them."""


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
        self.figures = Summarizer(plan.contract.metrics, tables_of(plan.contract))
        self.shown = Shown()
        self.frame = plan.frame()
        self.writer = ResultWriter(folder.path / "results.jsonl")
        self.sequencer = Sequencer(self._emit, self._remake, first=plan.first_unit)
        self.unjudged = Sequencer[bool](lambda _: None, lambda _: True, first=plan.first_unit)
        self.asked = 0
        self.began = time.monotonic()

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
        if self.later:
            self.unjudged.put(unit, True)
        else:
            self.sequencer.put(unit, self._judge(unit, answer))

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
        from ragstone.workflow.contract import Workflow  # noqa: PLC0415 - only a workflow needs it
        from ragstone.workflow.flow import Flow  # noqa: PLC0415

        assert isinstance(self.plan.contract, Workflow)
        return Flow(self.plan.contract, self._step_asker(), self.journal, self._done, self.plan.repeats).work

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
        ticker.add_done_callback(lambda task: None if task.cancelled() else stop.wish(str(task.exception())))
        try:
            self._warm()
            lanes = self.plan.lanes()
            ahead = self._is_ahead if len(lanes) > 1 else _never
            complete = await run_lanes(lanes, self._work(), stop=stop, ahead=ahead)
            self.sequencer.drain()
            if ticker.done():
                # It ends by itself only when nothing can be written any more.
                await ticker
            return await self._judge_later(self.later, stop) and complete if self.later else complete
        finally:
            ticker.cancel()
            self.writer.close()

    def _warm(self) -> None:
        """Judge a right and a wrong answer before anything is asked: what scoring loads at first holds up no call."""
        if self.expected < 2 or self.plan.mock or self.later or isinstance(self.plan.contract, Staged):
            return
        contract = self.plan.contract
        with contextlib.suppress(Exception):
            if (case := next(self.plan.cases(), None)) is not None:
                for answer in (contract.model_answer(case), Answer(text=case.question)):
                    judge(contract, Unit(0, case), answer, self.frame)

    async def _judge_later(self, later: Later, stop: Stop) -> bool:
        """Have the journal judged elsewhere; say whether all of it was."""
        wished = stop.wished

        def halted() -> bool:
            return stop.insisted or stop.wished is not wished

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
            finished=self.figures.finished or self.unjudged.next - self.plan.first_unit,
            expected=self.expected,
            seconds=time.monotonic() - self.began,
            asked=self.asked,
            blocks=self.figures.figures(),
        )


def _never(unit: Unit) -> bool:
    return False


def finish(
    plan: Plan,
    folder: RunFolder,
    figures: Summarizer,
    expected: int,
    complete: bool,
    *,
    calls: int = 0,
    shown: Shown | None = None,
) -> Summary:
    """Write summary.json, summary.csv and the reports, and mark the run complete or partial.

    What the reports show is read from the rows on disk unless somebody has gathered it already.
    """
    status = "complete" if complete and figures.finished == expected else "partial"
    contract = plan.contract
    summary = figures.summary(
        run_id=plan.run_id,
        task_name=contract.task_name,
        status=status,
        scorer_version=contract.scorer_version,
        expected=expected,
    )
    digest = summary.results_digest
    meta = folder.meta() | {"status": status, "finished": _now(), "results_digest": digest, "calls": calls}
    folder.write("summary.json", summary)
    folder.write_bytes("summary.csv", summary_csv(summary, contract.metrics))
    write_report(folder, summary, plan.wording(), shown or Shown(folder.results()))
    folder.write(META, seal(folder, meta))
    return summary


def write_report(folder: RunFolder, summary: Summary, words: Wording, shown: Shown) -> None:
    """Write report.md and report.html."""
    meta = folder.meta()
    told: tuple[str, ...] = (
        "contract",
        "created",
        "model_id",
        "scorer_version",
        "prompt_version",
        "eval_set_version",
        "index_version",
    )
    told += ("imported_from", "tool_means")
    facts = {name: meta.get(name) for name in told}
    for name, report in (("report.md", report_markdown), ("report.html", report_html)):
        pieces = report(summary, words, shown, facts)
        folder.write_bytes(name, "".join(pieces).encode("utf-8", "replace"))


def same_or_raise(folder: RunFolder, meta: Mapping[str, JSON], plan: Plan) -> None:
    """Refuse to continue a run whose dataset, scorer or prompt is no longer the one it began with."""
    now = path_fingerprint(plan.dataset)["sha256"]
    if now != meta.get("dataset_sha256"):
        was = str(meta.get("dataset_sha256"))[:12]
        raise RunError("run.dataset_changed", run=str(folder.path), file=str(plan.dataset), was=was, now=str(now)[:12])
    scorer = f"{plan.contract.scorer_version}+{scorer_sha256(plan.contract)[:12]}"
    was = f"{meta.get('scorer_version')}+{str(meta.get('scorer_sha256'))[:12]}"
    if scorer != was:
        raise RunError("run.scorer_changed", run=str(folder.path), was=was, now=scorer)
    prompt = plan.contract.terms().get("prompt_sha256")
    if prompt != meta.get("prompt_sha256"):
        was, now = str(meta.get("prompt_sha256"))[:12], str(prompt)[:12]
        raise RunError("run.prompt_changed", run=str(folder.path), was=was, now=now)
