"""Everything the command line, the page and Python programs can ask Ragstone to do.

import ragstone
run = ragstone.evaluate("questions.jsonl", my_rag.query)
print(run.summary.models["my_rag.query"].all.metrics["accuracy"].mean)
"""

import asyncio
import gc
import signal
import threading
from collections import Counter
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, asynccontextmanager, closing, contextmanager, nullcontext
from functools import partial
from html import escape
from itertools import islice
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any, NamedTuple, TypedDict, TypeVar, Unpack

from msgspec import Struct, structs, to_builtins

from ragstone.core.errors import ConnectError, Reason, RunError, SettingError, UserError
from ragstone.core.interfaces import Contract, Engine, Staged, System
from ragstone.core.language import Lang
from ragstone.core.masking import MASK, hide_foreign
from ragstone.core.messages import message
from ragstone.core.registry import connect, connect_engine, is_module, judge_in_module, judge_names, judge_plugin
from ragstone.core.settings import Settings, read_settings
from ragstone.core.types import JSON, Answer, Comparison, Result, Summary
from ragstone.datasets.check import Survey, load_cases, open_contract, require_sound, survey, with_usual
from ragstone.datasets.glossary import OPTION as GLOSSARY
from ragstone.datasets.glossary import with_content
from ragstone.report.comparison import comparison_lines
from ragstone.report.console import closing_lines
from ragstone.report.html import report_fragment
from ragstone.report.rows import ReportRows
from ragstone.report.table import flat_rows
from ragstone.runs.execute import JudgeObserver, Later, Observer, notify, walk, why
from ragstone.runs.judged.files import set_frame
from ragstone.runs.judged.order import JudgeOrder, is_due, known_versions, order_of, same_place, way_of
from ragstone.runs.plan import Plan
from ragstone.runs.reopen import plan_of, take_over, wording_of
from ragstone.runs.schedule import Stop, unless_stopped
from ragstone.runs.shards import judge_journal, part_of
from ragstone.runs.spending import exhausted
from ragstone.runs.store.admission import OWN, TRUSTING, Asking, Guard, Inputs, is_own
from ragstone.runs.store.codec import pretty, write_whole
from ragstone.runs.store.describe import describe, same_or_raise, scorer_name, take_scorer
from ragstone.runs.store.fingerprint import redact
from ragstone.runs.store.folder import RunFolder, new_run_id
from ragstone.runs.store.journal import BROKEN
from ragstone.runs.store.seal import ALTERED, SOURCES, add_facts, altered, begin, system_files, unseal
from ragstone.systems.options import NO_FACTS, FactOptions, fields, refuse_unknown, take
from ragstone.systems.python import wrap
from ragstone.systems.wrappers.wrapper import Named, secrets_of

if TYPE_CHECKING:
    import pandas
    import polars

    from ragstone.judging.certificate import Certificate
    from ragstone.judging.decisions import Terms
    from ragstone.judging.drift import Drift
    from ragstone.judging.judge import Judge
    from ragstone.judging.people import Label
    from ragstone.judging.probes import Probed
    from ragstone.judging.prompts import Tongue, Way
    from ragstone.runs.judged.decide import Deciding
    from ragstone.runs.judged.paid import Paid
    from ragstone.trust.gate import Gate, GateOutcome

T = TypeVar("T")
SystemLike = str | System | Callable[[str], object] | object
"""What can be asked: `kind:argument`, a System, a callable, or an object with .query()."""


ANSWER_CACHE = "answer_cache"
"""System option that names a file of kept answers; it goes to whatever makes the calls."""
UNKNOWN = frozenset({"system.unknown", "system.unnamed", "name.unknown"})
"""Codes of names that nothing stands behind."""
JUDGE_METHODS = ("identity", "prompt", "decide", "close")
"""What a judge can do."""
CACHED_KINDS = ("chat", "http_json")
"""Systems whose identity says all that an answer depends on; a Python function may change under its name."""
COLLECTED = 5_000
"""Things that may be made in a run, less those that are gone again, before cycles are looked for."""


class PrintedComparison(Comparison, frozen=True, kw_only=True):
    """A comparison that prints, and shows in a notebook, as `ragstone compare` does."""

    lang: Lang = "en"

    def __str__(self) -> str:
        """Return the table and the closing sentence."""
        return "\n".join(comparison_lines(self, self.lang))

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        printer.text(str(self))

    def _repr_html_(self) -> str:
        return f"<pre>{escape(str(self))}</pre>"


class Run(Struct, frozen=True):
    """A finished (or stopped) run."""

    folder: Path
    summary: Summary
    stopped: str = ""
    """Why it ended early: SIGINT, SIGTERM, or which budget was spent."""
    why: str = ""
    """The same as a sentence in the run's language."""
    lang: Lang = "en"
    """The language it was told in."""
    exhausted: tuple[str, ...] = ()
    """Options of the system, such as max_calls, that must grow before anything more is asked."""
    judging: "Deciding | None" = None
    """What came of putting it before judges, where that was asked for."""

    def results(self) -> Iterator[Result]:
        """Stream the rows."""
        return RunFolder(self.folder).results()

    def failures(self) -> list[Result]:
        """Return the rows that did not pass."""
        return [result for result in self.results() if not result.scorecard.passed]

    def compare(self, other: "Run | str | Path") -> PrintedComparison:
        """Compare this run, as the newer one, with another, case by case."""
        from ragstone.trust.compare import compare  # noqa: PLC0415 - statistics are needed only here

        first = other.folder if isinstance(other, Run) else Path(other)
        found = compare(RunFolder.open(first), RunFolder.open(self.folder))
        return PrintedComparison(**structs.asdict(found), lang=self.lang)

    def __str__(self) -> str:
        """Return what it came to, as the command line closes with it, and its folder."""
        lines = closing_lines(self.summary, wording_of(RunFolder(self.folder), self.lang))
        return "\n".join([*lines, str(self.folder)])

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        printer.text(str(self))

    def to_pandas(self) -> "pandas.DataFrame":
        """Return the rows as a pandas table, a column a metric; needs pandas."""
        from pandas import DataFrame  # noqa: PLC0415 - the user's own

        return DataFrame(flat_rows(self.results()))

    def to_polars(self) -> "polars.DataFrame":
        """Return the rows as a polars table, a column a metric; needs polars."""
        from polars import DataFrame  # noqa: PLC0415 - the user's own

        return DataFrame(list(flat_rows(self.results())), infer_schema_length=None)

    def _repr_html_(self) -> str:
        """Show a notebook the figures, the distribution and the first failures."""
        folder = RunFolder(self.folder)
        return "".join(report_fragment(self.summary, wording_of(folder, self.lang), ReportRows(folder.results())))


class RunOptions(TypedDict, total=False):
    """What `evaluate` and `aevaluate` take besides dataset and system; `plan_run` says what each does."""

    contract: str | None
    documents: str | Path | None
    options: Mapping[str, JSON] | None
    glossary: str | Path | None
    system_options: Mapping[str, JSON] | None
    run_id: str | None
    repeats: int
    max_samples: int | None
    mock: bool
    names: Sequence[str]
    links: Mapping[str, JSON] | None
    shard: str
    settings: Settings | None


def plan_run(  # noqa: PLR0913 - the one place where everything that can be chosen is chosen
    dataset: str | Path,
    system: SystemLike | Sequence[SystemLike] = (),
    *,
    contract: str | None = None,
    documents: str | Path | None = None,
    options: Mapping[str, JSON] | None = None,
    glossary: str | Path | None = None,
    system_options: Mapping[str, JSON] | None = None,
    run_id: str | None = None,
    repeats: int = 1,
    max_samples: int | None = None,
    mock: bool = False,
    names: Sequence[str] = (),
    links: Mapping[str, JSON] | None = None,
    shard: str = "",
    settings: Settings | None = None,
) -> tuple[Plan, Survey]:
    """Open and survey a dataset, connect the systems, and ask nothing.

    `options` are the contract's, `system_options` the systems'. `glossary` is a file of words that mean the same,
    instead of the settings' one; "" is none.
    `links` are facts about other runs, kept in run_meta.json.
    `mock` lets the contract's own perfect answers stand in for a system: a dry run without calls; `names` are those of
    the models it stands for. `shard` is "2/4" for the second of four parts; limits and budgets are divided by four.
    """
    settings = settings or read_settings()
    keep_offline(settings)
    path, folder_of_documents = Path(dataset), Path(documents) if documents else None
    given, usual = dict(options or {}), {GLOSSARY: settings.reading.glossary}
    given |= {} if glossary is None else {GLOSSARY: str(glossary)}
    opened = open_contract(path, name=contract, documents=folder_of_documents, options=given, usual=usual)
    found = survey(opened, path, most=max_samples)
    require_sound(found, opened, path)
    asked = _as_list(system)
    if not asked and not mock and not _names_its_models(opened):
        raise SettingError("system.none")
    part = part_of(shard, found.cases)
    if mock and isinstance(opened, Staged):
        names = opened.step_names(names or ("mock",))
    plan = Plan(
        run_id=run_id or new_run_id(opened.name),
        dataset=path,
        contract=opened,
        contract_name=contract or opened.name,
        systems=() if mock else connect_all(opened, asked, system_options, settings, share=part.of),
        system_specs=tuple(one if isinstance(one, str) else "" for one in asked),
        system_options=dict(system_options or {}),
        system_files={} if mock else _files_of(asked, system_options or {}, settings),
        names=tuple(names),
        documents=folder_of_documents,
        options=with_content(with_usual(opened, given, usual)),
        lang=settings.language or found.lang,
        concurrency=max(1, settings.concurrency // part.of),
        timeout=settings.timeout,
        repeats=repeats,
        max_samples=max_samples,
        shard=shard,
        span=part.span if shard else None,
        mock=mock,
        mask_private=settings.mask_private,
        links=dict(links or {}),
        runs_dir=Path(settings.runs_dir),
        kept=found.kept,
    )
    return plan, found


def evaluate(
    dataset: str | Path,
    system: SystemLike | Sequence[SystemLike] = (),
    *,
    watchers: Sequence[Observer] = (),
    engine: str | Engine | None = None,
    reuse: str | Path | None = None,
    judge: "JudgeLike" = (),
    judge_options: Mapping[str, JSON] | None = None,
    **options: Unpack[RunOptions],
) -> Run:
    """Ask a system every case of a dataset and score the answers; the options are those of `plan_run`.

    With an `engine` (`process:4`, `dask://host:8786`) answers are judged there, after all of them are in.
    `reuse` names a run whose answers to the same requests are taken instead of asking again.
    `judge` decides what the rules leave open, in figures of its own beside theirs, with `judge_options` such as
    `base_url` and `max_cost`; see `judge_run`. It is tried once before the first question.
    Works in a notebook too, where an event loop is running already.
    """
    stop, wish = Stop(), as_judging(judge, judge_options)
    work = aevaluate(dataset, system, watchers=watchers, stop=stop, engine=engine, reuse=reuse, judge=wish, **options)
    return run_blocking(work, stop)


async def aevaluate(
    dataset: str | Path,
    system: SystemLike | Sequence[SystemLike] = (),
    *,
    watchers: Sequence[Observer] = (),
    stop: Stop | None = None,
    engine: str | Engine | None = None,
    reuse: str | Path | None = None,
    judge: "JudgeLike" = (),
    judge_options: Mapping[str, JSON] | None = None,
    **options: Unpack[RunOptions],
) -> Run:
    """Ask, score and store in a program's own event loop; return when all is done or a stop was requested."""
    plan, found = plan_run(dataset, system, **options)
    settings, stop = options.get("settings") or read_settings(), stop or Stop()
    files, wish = describe(plan, found), as_judging(judge, judge_options)
    if wish.judges:
        wish = complete_judging(wish, None, settings)
        _require_files(wish, settings)
    async with _ready(plan, wish, settings, stop) as ready:
        with opened_engine(engine) as judges, RunFolder.create(plan.runs_dir, plan.run_id) as folder:
            files["run_meta.json"] |= _begun(ready) if ready else {}
            begin(folder, files)
            if reuse:
                take_over(plan, folder, RunFolder.open(Path(reuse)))
            expected = int(files["run_meta.json"]["expected"])
            summary = await walk(plan, folder, expected, watchers, stop, later=_later(judges))
            done = Run(folder.path, summary, stop.reason, why(stop, plan.voice), plan.voice, exhausted(plan))
            if ready and not stop.requested:
                decided = await _decide(plan_of(folder), folder, wish, stop, watchers, ready, settings)
                return structs.replace(done, summary=decided.summary, judging=decided)
            return done


@contextmanager
def opened_engine(engine: str | Engine | None) -> Iterator[Engine | None]:
    """Open the engine a text names and close it afterwards; an engine object stays open."""
    if not isinstance(engine, str):
        yield engine
        return
    made = connect_engine(engine)
    try:
        yield made
    finally:
        made.close()


def _later(engine: Engine | None) -> Later | None:
    if engine is None:
        return None
    return lambda plan, folder, journal, halted: judge_journal(plan, folder, journal, engine, halted)


class Judging(Struct, frozen=True, kw_only=True):
    """Who decides what the rules of a run leave open, and how."""

    judges: tuple[SystemLike, ...] = ()
    """`chat:MODEL`, a [systems.NAME] table, a System, or a `Judge`; several are a jury that must agree."""
    options: dict[str, JSON] = {}
    listen: str = ""
    """`margin`, `quote`, or whichever the endpoint can give."""
    labels: str | Path | None = None
    """Labels of people; left out, labels.jsonl beside the runs."""
    replace_labels: bool = False
    """Forget the labels the run took in before: what is given now is all there is."""
    people_only: bool = False
    """Take in what people said, and ask no judge; what judges said before counts."""
    certificate: str | Path | None = None
    """Certificate of the judges; left out, judge.json of the current folder."""
    tell: Callable[[Callable[[Lang], str]], None] | None = None
    """Is told what a judge does before it is asked anything, such as that it keeps one waiting."""


JudgeLike = Judging | SystemLike | Sequence[SystemLike] | None
"""Who can be a judge: what can be asked, a `Judge`, several of them or their names with commas: a jury."""


def as_judging(judge: JudgeLike, options: Mapping[str, JSON] | None = None) -> Judging:
    """Turn named judges into a Judging; None is none."""
    given = dict(options or {})
    if isinstance(judge, Judging):
        return structs.replace(judge, options={**judge.options, **given})
    named = [] if judge is None else _as_list(judge)
    return Judging(judges=tuple(one for some in named for one in _apart(some)), options=given)


def _apart(judge: SystemLike) -> list[SystemLike]:
    """Take names with commas apart."""
    if not isinstance(judge, str):
        return [judge]
    return [part.strip() for part in judge.split(",") if part.strip()]


def judge_run(
    run: "str | Path | Run",
    judge: JudgeLike = (),
    *,
    judge_options: Mapping[str, JSON] | None = None,
    settings: Settings | None = None,
    watchers: Sequence[Observer] = (),
    trust: bool | Guard = False,
) -> "Deciding":
    """Have judges and people decide what the rules of a stored run left open; the system under test is not asked.

    Without a judge, the one the run had goes on, or that of [judge] in ragstone.toml; what was asked before is not
    asked again. `judge_options` are the judges': `base_url`, `max_cost` and the like.
    """
    stop, wish = Stop(), as_judging(judge, judge_options)
    return run_blocking(ajudge_run(run, wish, settings=settings, watchers=watchers, stop=stop, trust=trust), stop)


async def ajudge_run(
    run: "str | Path | Run",
    judge: JudgeLike = (),
    *,
    judge_options: Mapping[str, JSON] | None = None,
    settings: Settings | None = None,
    watchers: Sequence[Observer] = (),
    stop: Stop | None = None,
    trust: bool | Guard = False,
) -> "Deciding":
    """Have a stored run judged in a program's own event loop."""
    settings = settings or read_settings()
    keep_offline(settings)
    guard = trust if isinstance(trust, Guard) else TRUSTING if trust else OWN
    with RunFolder.open(run.folder if isinstance(run, Run) else Path(run)) as folder:
        return await _judge_open(folder, as_judging(judge, judge_options), settings, watchers, stop or Stop(), guard)


async def _judge_open(
    folder: RunFolder, judge: Judging, settings: Settings, watchers: Sequence[Observer], stop: Stop, guard: Guard
) -> "Deciding":
    """Have a run judged that is held open."""
    from ragstone.runs.judged.decide import require_unaltered  # noqa: PLC0415 - only a judged run needs it
    from ragstone.runs.judged.paid import read_paid  # noqa: PLC0415

    require_unaltered(folder)
    plan, trusted = plan_of(folder, guard=guard), is_own(folder) or guard is TRUSTING
    # A run that somebody sent may name a judge anywhere; it is asked only where the user says so.
    wish = complete_judging(judge, plan if trusted else None, settings)
    _require_files(wish, settings)
    guard.verdicts(folder, _labels_sent(wish, folder, settings))
    _require_whole_labels(wish, folder, plan, watchers)
    if not (trusted or wish.judges or _labels(wish, folder)) and complete_judging(judge, plan, settings).judges:
        raise SettingError("judge.foreign", run=str(folder.path))
    async with AsyncExitStack() as stack:
        ready = None
        try:
            if not wish.people_only:
                paid = read_paid(folder)
                ready = await stack.enter_async_context(_ready(plan, wish, settings, stop, paid))
        except ConnectError as error:
            if judge.judges or plan.decisions is None or not _labels(wish, folder):
                raise
            # What the run's own judge said is on record; labels can be taken in without it.
            _notify(watchers, "judge.absent", plan, judges=", ".join(map(str, wish.judges)), problem=Reason(error.say))
        return await _decide(plan, folder, wish, stop, watchers, ready, settings)


class _Ready(NamedTuple):
    """Judges that have been tried, and their terms."""

    judges: "list[Judge]"
    terms: "Terms"
    order: JudgeOrder


@asynccontextmanager
async def _ready(
    plan: Plan, wish: Judging, settings: Settings, stop: Stop, paid: "Paid | None" = None
) -> AsyncIterator[_Ready | None]:
    """Connect judges and try each once; nothing where none are named. Of a recorded run it is told what it `paid`."""
    if not wish.judges:
        yield None
        return
    # All parts of a split run are asked in the language of the whole: they are joined to one run.
    questions = [case.question for case in islice(structs.replace(plan, span=None).cases(), 200)]
    from ragstone.judging.judge import close_all  # noqa: PLC0415 - only a judged run needs it

    kinds = getattr(plan.contract, "question_kinds", ("states",))
    judges, terms = await unless_stopped(connect_judges(wish, questions, settings, kinds, paid), stop)
    _rest(judges)
    try:
        # What the settings say is the settings' to say again: another file tomorrow is that one then.
        named = {name: path for name, path in _files(wish).items() if path != getattr(settings.judge, name)}
        yield _Ready(judges, terms, order_of(terms.judges, **named))
    finally:
        await close_all(judges)


def _begun(ready: _Ready) -> dict[str, JSON]:
    """Say in run_meta.json whom a run is to be put before, and what trying them took."""
    from ragstone.runs.judged.paid import Paid  # noqa: PLC0415 - only a judged run needs it

    return {**ready.order.facts(), **Paid().now(ready.judges, {}, 0).facts()}


def _rest(judges: "Sequence[Judge]") -> None:
    """Begin to count a judge's time when its first question is put, which a whole run may go before."""
    from ragstone.judging.judge import ChatJudge  # noqa: PLC0415 - only a judged run needs it
    from ragstone.systems.wrappers.around import budget_of  # noqa: PLC0415

    for judge in judges:
        if isinstance(judge, ChatJudge) and (budget := budget_of(judge.system)) is not None:
            budget.rest()


def _hear(judge: "Judge", watchers: Sequence[Observer], plan: Plan) -> None:
    """Tell observers what happens to a judge's endpoint: a pause because it is down, the end of one."""
    from ragstone.judging.judge import ChatJudge  # noqa: PLC0415 - only a judged run needs it
    from ragstone.systems.wrappers.wrapper import listen  # noqa: PLC0415

    if isinstance(judge, ChatJudge):
        listen(judge.system, lambda notice: notify(watchers, plan.voice, notice.say))


async def _decide(
    plan: Plan,
    folder: RunFolder,
    wish: Judging,
    stop: Stop,
    watchers: Sequence[Observer],
    ready: _Ready | None,
    settings: Settings,
) -> "Deciding":
    """Gather the labels, and go over the run."""
    from ragstone.judging.decisions import Terms  # noqa: PLC0415 - only a judged run needs it
    from ragstone.runs.judged.decide import decide_run  # noqa: PLC0415

    labels = _labels(wish, folder)
    if wish.replace_labels and wish.labels and not labels:
        raise SettingError("labels.replace_nothing", n=0, run=str(folder.path), known=len(_kept_labels(folder)))
    if not (ready or labels or (wish.replace_labels and plan.decisions)):
        raise SettingError("judge.none", run=str(folder.path))
    before = plan.decisions.terms if plan.decisions else Terms()
    judges, terms = (ready.judges, ready.terms) if ready else ([], before)
    told = [system.identity() for system in plan.systems]
    asked = [same_place(one) for one in (*told, *(one.get("chat") for one in told)) if isinstance(one, Mapping)]
    itself = tuple(judge.name for judge in judges if same_place(judge.identity()) in asked)
    for name in itself:
        _notify(watchers, "judge.itself", plan, judge=name)
    terms = (
        structs.replace(terms, itself=itself, judges=known_versions(terms.judges, before.judges)) if judges else terms
    )
    for judge in judges:
        _hear(judge, watchers, plan)
    heard = [watcher.judged for watcher in watchers if isinstance(watcher, JudgeObserver)]

    def tick(asked: int) -> None:
        for hear in heard:
            hear(asked)

    order = ready.order if ready else None
    width = plan.concurrency
    return await decide_run(
        plan,
        folder,
        judges,
        terms,
        labels,
        width=width,
        stop=stop,
        tick=tick,
        order=order,
        replace=wish.replace_labels,
        beside=_labels_beside(wish, folder, settings),
    )


def complete_judging(wish: Judging, plan: Plan | None, settings: Settings) -> Judging:
    """Fill in what was not given: from the run's own judges, then from the settings."""
    entry = settings.judge
    judges, options, listen = wish.judges, wish.options, wish.listen
    if not judges and plan and plan.ordered and plan.ordered.judges:
        order = plan.ordered
        judges, listen, options = order.judges, listen or order.listen, {**order.options, **options}
        told = {"labels": wish.labels or order.labels or None, "certificate": wish.certificate or order.certificate}
        wish = structs.replace(wish, **told)
    elif not judges and plan and plan.decisions and (before := plan.decisions.terms.judges):
        judges, listen = tuple(one.spec for one in before if one.spec), listen or way_of(before)
        options = {**before[0].options, **options}
    if not judges:
        named = entry.judge if isinstance(entry.judge, tuple) else (entry.judge,)
        judges, options = tuple(one for one in named if one), {**entry.options, **options}
    return structs.replace(
        wish,
        judges=judges,
        options=options,
        listen=listen or entry.listen,
        labels=wish.labels or entry.labels or None,
        certificate=wish.certificate or entry.certificate,
    )


def _files(wish: Judging) -> dict[str, str]:
    return {"labels": str(wish.labels or ""), "certificate": str(wish.certificate or "")}


def _require_files(wish: Judging, settings: Settings) -> None:
    """Refuse labels and certificates that cannot be read, before anybody is asked."""
    from ragstone.judging.certificate import read_certificates  # noqa: PLC0415 - only a judged run needs it
    from ragstone.judging.label_file import read_labels  # noqa: PLC0415

    if wish.labels:
        read_labels(Path(wish.labels))
    read_certificates(Path(wish.certificate or settings.judge.certificate))


def _require_whole_labels(wish: Judging, folder: RunFolder, plan: Plan, watchers: Sequence[Observer]) -> None:
    """Warn of labels whose last line is cut short; refuse them where they would replace what the run has."""
    from ragstone.judging.label_file import FILE, read_with_end  # noqa: PLC0415 - only a judged run needs it

    path = Path(wish.labels) if wish.labels else folder.path.parent / FILE
    if not path.is_file() or not (line := read_with_end(path).cut):
        return
    if wish.replace_labels:
        raise SettingError("labels.cut_replace", file=str(path), line=line)
    _notify(watchers, "labels.cut", plan, file=str(path), line=line)


def _labels(wish: Judging, folder: RunFolder) -> "list[Label]":
    from ragstone.judging.label_file import FILE, read_labels  # noqa: PLC0415 - only a judged run needs it

    beside = folder.path.parent / FILE
    path = Path(wish.labels) if wish.labels else beside
    return read_labels(path) if wish.labels or path.is_file() else []


def _kept_labels(folder: RunFolder) -> "list[Label]":
    from ragstone.judging.label_file import FILE, read_labels  # noqa: PLC0415 - only a judged run needs it

    path = folder.path / FILE
    return read_labels(path) if path.is_file() else []


def _labels_beside(wish: Judging, folder: RunFolder, settings: Settings) -> "list[Label]":
    """Return the labels beside the runs where other ones were given; not those that somebody sent with a folder."""
    alone = structs.replace(wish, labels=None)
    return _labels(alone, folder) if wish.labels and not _labels_sent(alone, folder, settings) else []


def _labels_sent(wish: Judging, folder: RunFolder, settings: Settings) -> list[str]:
    """Return labels that came with a folder of runs from elsewhere and were not asked for."""
    from ragstone.judging.label_file import FILE  # noqa: PLC0415 - only a judged run needs it

    place = folder.path.parent
    home = place.resolve() == Path(settings.runs_dir).resolve()
    sent = not (wish.labels or home or is_own(folder))
    return [str(place / FILE)] if sent and (place / FILE).exists() else []


async def connect_judges(
    wish: Judging,
    questions: Sequence[str],
    settings: Settings,
    kinds: Sequence[str] = ("states",),
    paid: "Paid | None" = None,
) -> "tuple[list[Judge], Terms]":
    """Connect the judges that are named; return them with their terms."""
    from ragstone.judging.certificate import read_certificates, stand  # noqa: PLC0415
    from ragstone.judging.decisions import RULES, Terms  # noqa: PLC0415 - only a judged run needs it
    from ragstone.judging.judge import ChatJudge, close_all, hear_version, hold_to, keep_apart, version_of  # noqa: PLC0415
    from ragstone.judging.prompts import tongue_of  # noqa: PLC0415
    from ragstone.runs.judged.decide import terms_of  # noqa: PLC0415

    if wish.listen not in {"", "margin", "quote"}:
        raise SettingError("judge.listen", found=wish.listen)
    if masked := [name for name, value in wish.options.items() if MASK in str(value)]:
        raise ConnectError("judge.masked", names=masked)
    place = Path(wish.certificate or settings.judge.certificate)
    known = read_certificates(place)
    judges = await _connect_each(wish, tongue_of(questions), settings, paid)
    await _require_different(judges)
    terms = []
    for asked, judge in zip(wish.judges, judges, strict=True):
        kept = redact(dict(wish.options))
        if isinstance(judge, ChatJudge):
            kept = secrets_of(judge.system).hide_keys_in(kept)
        one = terms_of(judge, asked if isinstance(asked, str) else "", kept)
        if one.version and one.identity in known and one.version != known[one.identity].version:
            try:
                await hear_version(judge)
            except BaseException:
                await close_all(judges)
                raise
        hold_to(judge, version_of(judge))
        terms.append(structs.replace(one, version=version_of(judge), place=place.as_posix()))
    certified, standing = stand(terms, lambda one: known, kinds)
    for judge, one in zip(judges, certified, strict=True):
        keep_apart(judge, one.epoch)
    return judges, Terms(judges=certified, standing=standing, rules=RULES)


async def _connect_each(wish: Judging, tongue: "Tongue", settings: Settings, paid: "Paid | None") -> "list[Judge]":
    """Connect judges one by one; those that are open are closed where one cannot be."""
    from ragstone.judging.judge import ChatJudge, choose_way, close_all, versions_in  # noqa: PLC0415 - as above

    judges: list[Judge] = []
    versions = versions_in(wish.options)
    try:
        for asked in wish.judges:
            judge = named_judge(asked, wish.options, settings)
            if isinstance(judge, System):
                listen: Way | None = wish.listen or None  # type: ignore[assignment]
                spent = paid.charge(judge) if paid else False
                # Who has nothing left to spend is not tried either: its first question says so.
                judge = (
                    ChatJudge(judge, listen or (paid and paid.way_of(judge)) or "margin", tongue, versions)
                    if spent
                    else await choose_way(judge, listen, tongue, versions, partial(_tell_waiting, wish))
                )
            judges.append(judge)
    except BaseException:
        await close_all(judges)
        raise
    return judges


def _tell_waiting(wish: Judging, judge: str) -> None:
    if wish.tell:
        wish.tell(partial(message("judge.waited").say, params={"judge": judge}))


async def _require_different(judges: "Sequence[Judge]") -> None:
    """Refuse a jury in which somebody sits twice: it would agree with itself."""
    from ragstone.judging.judge import close_all  # noqa: PLC0415 - only a judged run needs it
    from ragstone.runs.judged.order import seat_of  # noqa: PLC0415

    seats = Counter(map(seat_of, judges))
    twice = [judge.name for judge in judges if seats[seat_of(judge)] > 1]
    if twice:
        await close_all(judges)
        raise SettingError("judge.twice", names=list(dict.fromkeys(twice)))


def named_judge(asked: SystemLike, options: Mapping[str, JSON], settings: Settings) -> "Judge | System":
    """Make what a judge is named by: the judge of a plug-in, or a system that can be asked like one."""
    from ragstone.judging.judge import VERSIONS, Judge  # noqa: PLC0415 - only a judged run needs it

    if isinstance(asked, Judge):
        return _sound(asked, type(asked).__name__)
    kind, _, argument = asked.partition(":") if isinstance(asked, str) else ("", "", "")
    if kind and kind not in settings.systems and callable(plugin := judge_plugin(kind)):
        return _of_plugin(kind, plugin, argument, options)
    if kind not in settings.systems and isinstance(made := _of_module(kind, argument, options), Judge):
        return made
    try:
        return connect_system(asked, {name: one for name, one in options.items() if name != VERSIONS}, settings)
    except UserError as error:
        if error.code not in UNKNOWN and (error.code != "name.broken" or is_module(kind)):
            raise
        params = {"name": str(asked), "kinds": ", ".join(judge_names()), "known": list(settings.systems) or ["–"]}
        raise ConnectError("judge.unknown", **params) from None


def _of_module(module: str, rest: str, options: Mapping[str, JSON]) -> "Judge | System | None":
    """Make the judge that `module:function:argument` names; a function there may also make a system."""
    name, _, argument = rest.partition(":")
    try:
        function = judge_in_module(module, name)
    except SettingError as error:
        if error.code != "name.broken":
            raise
        told = {"name": f"{module}:{rest}", "problem": error.params["problem"], "module": module}
        raise ConnectError("judge.module", **told) from error
    return _of_plugin(f"{module}:{name}", function, argument, options) if callable(function) else None


def _of_plugin(
    kind: str, plugin: Callable[..., object], argument: str, options: Mapping[str, JSON]
) -> "Judge | System":
    from ragstone.judging.judge import Judge  # noqa: PLC0415 - only a judged run needs it

    try:
        made = plugin(argument, dict(options))
    except UserError:
        raise
    except Exception as error:
        problem = hide_foreign(f"{type(error).__name__}: {error}")
        raise ConnectError("judge.plugin", kind=kind, problem=problem) from error
    if isinstance(made, System) and not isinstance(made, Judge):
        return made
    if not isinstance(made, Judge):
        missing = [name for name in ("name", "way", "tongue", *JUDGE_METHODS) if not hasattr(made, name)]
        raise ConnectError("judge.no_judge", kind=kind, found=type(made).__name__, missing=missing)
    return _sound(made, kind)


def _sound(judge: "Judge", kind: str) -> "Judge":
    """Refuse a judge that cannot say who it is, before it is asked anything."""
    from ragstone.judging.judge import faults_of  # noqa: PLC0415 - only a judged run needs it

    if problem := faults_of(judge):
        raise ConnectError("judge.plugin", kind=kind, problem=problem)
    return judge


def _hurry(judges: "Sequence[Judge]") -> None:
    """Wait for no judge that goes down while it is examined: the command can be repeated."""
    from ragstone.judging.judge import ChatJudge  # noqa: PLC0415 - only examining needs it
    from ragstone.systems.wrappers.breaker import Breaker  # noqa: PLC0415
    from ragstone.systems.wrappers.wrapper import layers  # noqa: PLC0415

    for judge in judges:
        for layer in layers(judge.system) if isinstance(judge, ChatJudge) else ():
            if isinstance(layer, Breaker):
                layer.hurry()


class Certified(NamedTuple):
    """The result of examining judges."""

    certificates: "list[Certificate]"
    path: Path
    rows: int
    strays: int
    """Labels whose answer's text is neither in them nor in the runs."""
    disagreements: int
    notes: tuple[tuple[str, dict[str, JSON]], ...] = ()
    """What is to be known of labels that do not count: codes of messages with what they name."""


def certify(
    labels: str | Path | None = None,
    judge: JudgeLike = (),
    *,
    judge_options: Mapping[str, JSON] | None = None,
    runs: Sequence[str | Path] = (),
    out: str | Path | None = None,
    probes: int = 50,
    settings: Settings | None = None,
) -> Certified:
    """Examine judges by labels of people and by probes, and write their certificates into judge.json.

    Without `labels` those beside the runs are taken. `runs` hold the answers the labels are about, unless the labels
    have their texts with them; left out, they are those the labels name. Fewer than 50 `probes` of each kind cost
    less, and prove too little for trust.
    """
    settings = settings or read_settings()
    keep_offline(settings)
    given = structs.replace(as_judging(judge, judge_options), **({"labels": labels} if labels else {}))
    wish = complete_judging(given, None, settings)
    return run_blocking(_certify(wish, runs, out, probes, settings))


async def _certify(
    wish: Judging, runs: Sequence[str | Path], out: str | Path | None, probes: int, settings: Settings
) -> Certified:
    from ragstone.judging.certificate import read_certificates  # noqa: PLC0415 - only examining needs it
    from ragstone.judging.examine import begin, end, examine, require_room  # noqa: PLC0415
    from ragstone.judging.judge import close_all  # noqa: PLC0415
    from ragstone.judging.label_file import FILE, read_with_end  # noqa: PLC0415
    from ragstone.judging.replies import Judgements  # noqa: PLC0415
    from ragstone.runs.judged.certified import signed  # noqa: PLC0415
    from ragstone.runs.judged.examined import labelled_rows, runs_named  # noqa: PLC0415

    beside = Path(settings.runs_dir) / FILE
    if not wish.labels and not beside.is_file():
        raise SettingError("labels.none", file=str(beside))
    read = read_with_end(Path(wish.labels or beside))
    told, cut = read.labels, {"file": str(wish.labels or beside), "line": read.cut}
    named = [RunFolder.open(Path(run)) for run in runs] or runs_named(told, Path(settings.runs_dir))
    labelled = labelled_rows(told, named, named=bool(runs))
    labelled.require()
    rows = labelled.rows
    path = Path(out or settings.judge.certificate)
    require_room(path)
    known = read_certificates(path)
    judges, terms = await connect_judges(wish, [row.question.question for row in rows[:200]], settings)
    _hurry(judges)
    made = []
    try:
        if not judges:
            raise SettingError("judge.unnamed")
        with closing(Judgements(begin(path))) as said:
            for judge, one in zip(judges, terms.judges, strict=True):
                certificate = await examine(
                    judge,
                    one,
                    rows,
                    said,
                    width=settings.concurrency,
                    most_probes=probes,
                    before=known.get(one.identity),
                    rules=labelled.rules,
                )
                made.append(signed(certificate))
    finally:
        await close_all(judges)
    # First put away, then believed: what is left by a crash in between is a certificate less, never an old reply.
    end(path)
    write_whole(path, pretty(to_builtins(known | {one.identity: one for one in made})))
    notes = (*([("labels.cut", cut)] if read.cut else []), *labelled.notes())
    return Certified(made, path, len(rows), labelled.strays, len(labelled.disputed), notes)


class ProbedJudge(NamedTuple):
    """What the probes of a judge came to, and whether it has drifted since its certificate."""

    name: str
    probes: "dict[str, Probed]"
    drift: "Drift | None"
    """How the anchors turned; None without a certificate."""
    few: dict[str, int]
    """Kind of probe to how many there were, where these are too few to tell."""
    unsure: dict[str, int]
    """Kind of probe to how many more were answered with nothing that decides."""
    missed: tuple[str, ...] = ()
    """Kinds of probe that were missed too often."""
    version: str = ""
    """What it calls itself now, where its certificate is for another version."""
    other_rows: bool = False
    """Whether it was probed with other rows than those of its certificate: counts are not held against each other."""

    @property
    def is_held(self) -> bool:
        """Whether what it missed is held against its certificate: of other rows, only what must never be missed."""
        from ragstone.judging.probes import STRICT  # noqa: PLC0415 - only examining needs it

        return self.drift is not None and not (self.other_rows and STRICT.isdisjoint(self.missed))

    @property
    def fails(self) -> bool:
        """Whether it missed too many probes or has drifted."""
        return bool(self.missed) or (self.drift is not None and self.drift.alarms)


def probe_judge(run: str | Path, judge: JudgeLike = (), *, settings: Settings | None = None) -> list[ProbedJudge]:
    """Put probes made from a run's own rows to a judge, and the anchors of its certificate; no label is needed."""
    settings = settings or read_settings()
    keep_offline(settings)
    return run_blocking(_probe(Path(run), as_judging(judge), settings))


async def _probe(run: Path, wish: Judging, settings: Settings) -> list[ProbedJudge]:
    from tempfile import TemporaryDirectory  # noqa: PLC0415 - only examining needs it

    from ragstone.judging.certificate import failed, fault_of, read_certificates  # noqa: PLC0415
    from ragstone.judging.drift import missed_since  # noqa: PLC0415
    from ragstone.judging.examine import Examiner, probed_rows, probes_by_kind  # noqa: PLC0415
    from ragstone.judging.judge import ask_anew, close_all  # noqa: PLC0415
    from ragstone.judging.probes import STRICT, lacking, make_probes, possible_probes  # noqa: PLC0415
    from ragstone.judging.replies import Judgements  # noqa: PLC0415
    from ragstone.runs.judged.certified import raise_alarm  # noqa: PLC0415
    from ragstone.runs.judged.examined import questions_of  # noqa: PLC0415

    folder = RunFolder.open(run)
    rows = [(question, rule == "yes") for _, question, rule in questions_of(folder)]
    wish = complete_judging(wish, plan_of(folder) if is_own(folder) else None, settings)
    judges, terms = await connect_judges(wish, [question.question for question, _ in rows[:200]], settings)
    _hurry(judges)
    path = Path(wish.certificate or settings.judge.certificate)
    known, found = read_certificates(path), []
    try:
        for judge, one in zip(judges, terms.judges, strict=True):
            ask_anew(judge)
            # Nothing is taken from before: what the judge says now is what is wanted.
            with TemporaryDirectory() as place, closing(Judgements(Path(place) / "said.jsonl")) as said:
                examiner = Examiner(judge, one, said, settings.concurrency)
                before = known.get(one.identity)
                before = None if before is None or fault_of(before, one.identity) else before
                used = probed_rows(rows, before)
                probed = await examiner.probe(probes_by_kind(used) if before else list(make_probes(used)))
                turned = await examiner.drift(before) if before else None
            then = before.probed if before else {}
            other = before is not None and used is rows
            missed = missed_since(probed, {} if other else then)
            others = sorted((examiner.versions or {one.version}) - {before.version}) if before else []
            # Of other rows than the certificate's only what must never be missed tells of the judge.
            fresh = [name for name in missed if name not in failed(then) and (name in STRICT or not other)]
            # What another version does tells nothing of the one that was certified.
            if turned and not others and (turned.alarms or fresh):
                raise_alarm(path, one.identity, () if turned.alarms else fresh)
            unsure = {name: result.unsure for name, result in probed.items() if result.unsure}
            few = lacking("", probed, possible_probes(used))
            found.append(ProbedJudge(judge.name, probed, turned, few, unsure, missed, ", ".join(others), other))
    finally:
        await close_all(judges)
    return found


class GateFirst(NamedTuple):
    """The gate's run and verdict, and the full run when it was made."""

    gate_run: Run
    gated: "GateOutcome"
    full_run: Run | None = None
    forced: bool = False


def evaluate_behind_gate(
    dataset: str | Path,
    gate_set: str | Path,
    system: SystemLike | Sequence[SystemLike],
    *,
    rules: Sequence[str] = (),
    force: bool = False,
    on_verdict: "Callable[[GateOutcome, Lang], None]" = lambda gated, lang: None,
    **options: Any,
) -> GateFirst:
    """Run the gate set, judge it, and run the full set if it passed or is forced; forcing is recorded.

    What the gate set was asked is not asked again: cases of the full set that put the same request take its answers.
    A judge is asked about the full set alone.
    """
    from ragstone.trust.gate import judge_run  # noqa: PLC0415 - only a gated run needs the gate

    judge = as_judging(options.pop("judge", ()), options.pop("judge_options", None))
    if judge.judges:
        settings = options.get("settings") or read_settings()
        _require_files(complete_judging(judge, None, settings), settings)
    gate = _gate(Path(gate_set), rules, options)
    run_id = options.pop("run_id", None)
    first = evaluate(gate_set, system, run_id=f"{run_id}-gate" if run_id else None, **options)
    folder = RunFolder(first.folder)
    gated = judge_run(folder, gate)
    on_verdict(gated, first.lang)
    passed = gated.verdict.outcome == "PASS"
    add_facts(folder, {"gate_for": str(dataset), "forced": force and not passed})
    if first.stopped or not (passed or force):
        return GateFirst(gate_run=first, gated=gated)
    links = {
        "gate_run": folder.path.name,
        "gate_outcome": gated.verdict.outcome,
        "forced": force and not passed,
    }
    full = evaluate(dataset, system, run_id=run_id, links=links, reuse=folder.path, judge=judge, **options)
    add_facts(folder, {"full_run": full.folder.name})
    return GateFirst(gate_run=first, gated=gated, full_run=full, forced=force and not passed)


def _gate(gate_set: Path, rules: Sequence[str], options: Mapping[str, Any]) -> "Gate":
    """Make the gate of the rules given, or of those the contract demands; what is wrong with them costs no call."""
    from ragstone.trust.gate import GateFile, make_gate  # noqa: PLC0415 - only a gated run needs the gate
    from ragstone.trust.rules import check_groups, check_rules  # noqa: PLC0415

    documents = Path(options["documents"]) if options.get("documents") else None
    chosen = dict(options.get("options") or {})
    contract = open_contract(gate_set, name=options.get("contract"), documents=documents, options=chosen)
    own = getattr(contract, "gate_rules", ())
    if not rules and not own:
        raise SettingError("gate.no_own_rules", contract=options.get("contract") or contract.name)
    gate = make_gate(GateFile(), list(rules) or list(own))
    check_rules(gate.rules, contract.metrics)
    if any(rule.group for rule in gate.rules):
        found = survey(contract, gate_set, most=options.get("max_samples"))
        require_sound(found, contract, gate_set)
        check_groups(gate.rules, load_cases(contract, options.get("max_samples")))
    return gate


def resume(  # noqa: PLR0913 - whatever a run can be continued with
    run: str | Path,
    system: SystemLike | Sequence[SystemLike] = (),
    *,
    retry_failed: bool = False,
    system_options: Mapping[str, JSON] | None = None,
    concurrency: int | None = None,
    timeout: float | None = None,
    settings: Settings | None = None,
    watchers: Sequence[Observer] = (),
    engine: str | Engine | None = None,
    trust: bool | Guard = False,
    salvage: bool = False,
    judge: JudgeLike = (),
    judge_options: Mapping[str, JSON] | None = None,
) -> Run:
    """Continue a run: ask exactly what has no answer yet (and with `retry_failed` what failed), score everything.

    `system_options` change those the run began with: a larger budget, a new key. So do `concurrency` and `timeout`;
    left out, they stay what they were, whatever the settings say now. What a run from somebody else names is loaded
    with `trust` only. `salvage` keeps the good answers of a damaged journal and asks the rest again.
    Where judges were not done with the run they go on, with `judge_options` that win over those of then; None keeps
    them out, and another `judge` takes their place.
    """
    stop = Stop()
    work = aresume(
        run,
        system,
        retry_failed=retry_failed,
        system_options=system_options,
        concurrency=concurrency,
        timeout=timeout,
        settings=settings,
        watchers=watchers,
        stop=stop,
        engine=engine,
        trust=trust,
        salvage=salvage,
        judge=judge,
        judge_options=judge_options,
    )
    return run_blocking(work, stop)


async def aresume(  # noqa: PLR0913 - as above
    run: str | Path,
    system: SystemLike | Sequence[SystemLike] = (),
    *,
    retry_failed: bool = False,
    system_options: Mapping[str, JSON] | None = None,
    concurrency: int | None = None,
    timeout: float | None = None,  # noqa: ASYNC109 - of a case, not of this call
    settings: Settings | None = None,
    watchers: Sequence[Observer] = (),
    stop: Stop | None = None,
    engine: str | Engine | None = None,
    trust: bool | Guard = False,
    salvage: bool = False,
    judge: JudgeLike = (),
    judge_options: Mapping[str, JSON] | None = None,
) -> Run:
    """Continue a run in a program's own event loop."""
    settings = settings or read_settings()
    keep_offline(settings)
    with opened_engine(engine) as judges, RunFolder.open(Path(run)) as folder:
        if salvage:
            _salvage_judging(folder, settings, watchers)
        meta, broken = folder.meta(), _broken(folder, salvage)
        guard = trust if isinstance(trust, Guard) else TRUSTING if trust else OWN
        plan = reopen(folder, _as_list(system), settings, system_options=system_options, guard=guard)
        share = part_of(plan.shard, 1).of
        width = max(1, concurrency // share) if concurrency else plan.concurrency
        plan = structs.replace(plan, concurrency=width, timeout=timeout or plan.timeout)
        cut_short, over = meta.get("status") == "running", meta.get("status") == "complete"
        # What is answered costs nothing to score again; what was finished under another scorer is `rescore`'s to redo.
        own = is_own(folder)
        same_or_raise(folder, meta, plan, own=own, scorer=over)
        times = {"interrupted": int(meta.get("interrupted") or 0) + 1} if cut_short else {}
        begun = meta | {"status": "running"} | times | ({ALTERED: broken} if broken else {})
        if newer := take_scorer(folder, begun, plan.contract):
            _notify(watchers, "notice.scorer_changed", plan, was=scorer_name(meta))
        if salvage and (saved := folder.salvage()).dropped:
            _notify(watchers, "notice.salvaged", plan, kept=saved.kept, dropped=saved.dropped, file=BROKEN)
        unseal(folder, begun | newer, own=own, salvaged=salvage)
        if plan.decisions and not (over and not retry_failed):
            # Nobody could draw the answers that come now.
            set_frame(folder, "")
            plan = structs.replace(plan, decisions=plan.decisions.framed(""))
        again: Callable[[Answer], bool] | None = (lambda answer: answer.failure is not None) if retry_failed else None
        expected = int(meta["expected"])
        stop = stop or Stop()
        named = None if judge is None else as_judging(judge, judge_options)
        due = named and (named.judges or (is_due(folder) and (own or guard is TRUSTING)))
        if named and due:
            _require_files(complete_judging(named, plan, settings), settings)
        later = _later(judges)
        summary = await walk(
            plan, folder, expected, watchers, stop, again=again, later=later, cut_short=cut_short, salvage=salvage
        )
        done = Run(folder.path, summary, stop.reason, why(stop, plan.voice), plan.voice, exhausted(plan))
        if stop.requested or named is None or not due:
            return done
        decided = await _judge_open(folder, named, settings, watchers, stop, guard)
        return structs.replace(done, summary=decided.summary, judging=decided)


def _salvage_judging(folder: RunFolder, settings: Settings, watchers: Sequence[Observer]) -> None:
    """Drop bad lines of what judges said, before anything is made of the others."""
    from ragstone.runs.judged.salvaged import BROKEN as BESIDE  # noqa: PLC0415 - only a damaged run needs it
    from ragstone.runs.judged.salvaged import salvage_judgements  # noqa: PLC0415

    if (saved := salvage_judgements(folder)).dropped:
        params = {"kept": saved.kept, "dropped": saved.dropped, "file": BESIDE, "run": str(folder.path)}
        notify(watchers, settings.language or "en", partial(message("notice.salvaged_judge").say, params=params))


def _broken(folder: RunFolder, salvage: bool) -> list[str]:
    """Return the altered files of a run; raise RunError unless it is to be repaired."""
    broken = altered(folder, SOURCES)
    fresh = [name for name in broken if name not in folder.meta().get(ALTERED, ())]
    if fresh and not salvage:
        raise RunError("run.altered", run=str(folder.path), files=fresh)
    return broken


def _notify(watchers: Sequence[Observer], code: str, plan: Plan, **params: JSON) -> None:
    def say(lang: Lang) -> str:
        told = {name: one.say(lang) if isinstance(one, Reason) else one for name, one in params.items()}
        return message(code).say(lang, told)

    notify(watchers, plan.voice, say)


def reopen(
    folder: RunFolder,
    asked: Sequence[SystemLike],
    settings: Settings,
    *,
    system_options: Mapping[str, JSON] | None = None,
    guard: Guard = OWN,
) -> Plan:
    """Make the plan of a stored run again with systems to ask; options given now win over those of then."""
    meta = folder.meta()
    if tool := meta.get("imported_from"):
        raise RunError("import.resume", run=str(folder.path), tool=tool)
    if (origin := meta.get("rescored_from")) and meta.get("status") == "running":
        # Its answers are all in the other run: asking for them again would cost what was paid before.
        raise RunError("run.rescoring", run=str(folder.path), origin=dict(origin).get("folder"))
    plan = plan_of(folder, guard=guard)
    stored = _stored(folder, plan, asked, system_options or {}, settings, guard)
    systems = list(asked) or list(stored.systems)
    if not plan.mock and len(systems) != len(plan.system_specs):
        raise SettingError("system.again", run=str(folder.path))
    options = stored.options | dict(system_options or {})
    _require_whole(folder, systems, options)
    share = part_of(plan.shard, 1).of
    return structs.replace(
        plan,
        systems=() if plan.mock else connect_all(plan.contract, systems, options, settings, share=share),
        mask_private=settings.mask_private or plan.mask_private,
        runs_dir=folder.path.parent,
        reader=settings.language,
    )


def _stored(
    folder: RunFolder,
    plan: Plan,
    asked: Sequence[SystemLike],
    given: Mapping[str, JSON],
    settings: Settings,
    guard: Guard,
) -> Asking:
    """Return what is taken of whom the run asked: nothing that was said anew, and what the guard lets through."""
    systems = () if asked or plan.mock else tuple(spec for spec in plan.system_specs if spec)
    objects = bool(asked) and not any(isinstance(one, str) for one in asked)
    kept = {} if plan.mock or objects else {k: v for k, v in plan.system_options.items() if k not in given}
    named = Inputs(plan.dataset, plan.contract_name, plan.documents, plan.options)
    return guard.asking(folder, Asking(systems, kept), named, settings)


def _require_whole(folder: RunFolder, systems: Sequence[SystemLike], options: Mapping[str, JSON]) -> None:
    """Refuse to go on with a key that was not written down: it must be given again."""
    for spec in systems:
        if isinstance(spec, str) and MASK in spec:
            raise SettingError("system.masked", run=str(folder.path), spec=spec)
    if masked := [name for name, value in options.items() if MASK in str(value)]:
        raise SettingError("system.masked_option", run=str(folder.path), names=masked)


def keep_offline(settings: Settings) -> None:
    """Guard this process when the settings say so; there is no way back."""
    if settings.offline:
        from ragstone.core import offline  # noqa: PLC0415 - only where it is asked for

        offline.guard(settings.offline_allow)


def _names_its_models(contract: Contract) -> bool:
    return isinstance(contract, Staged) and bool(contract.step_names(()))


def connect_all(
    contract: Contract,
    asked: Sequence[SystemLike],
    options: Mapping[str, JSON] | None,
    settings: Settings,
    *,
    share: int = 1,
) -> tuple[System, ...]:
    """Connect what is asked; where cases are asked in steps, what each step asks."""
    connected = [connect_system(one, _called(one, options, settings), settings, share=share) for one in asked]
    systems = _with_distinct_names(asked, connected)
    if not isinstance(contract, Staged):
        return systems
    return contract.systems(systems, lambda name: connect_system(_spec(name), options, settings, share=share))


def _called(asked: SystemLike, options: Mapping[str, JSON] | None, settings: Settings) -> dict[str, JSON]:
    """Return a system's options: one of the settings goes by its name there, unless something says otherwise."""
    named = isinstance(asked, str) and asked in settings.systems and "model_id" not in settings.systems[asked]
    return {"model_id": str(asked), **(options or {})} if named else dict(options or {})


def _files_of(asked: Sequence[SystemLike], options: Mapping[str, JSON], settings: Settings) -> dict[str, JSON]:
    """Hash the files that connected systems are made of."""
    found: dict[str, JSON] = {}
    for one in asked:
        table = dict(settings.systems.get(one, {})) if isinstance(one, str) else {}
        found |= system_files(table.pop("system", one), {**table, **options})
    return found


def _with_distinct_names(asked: Sequence[SystemLike], systems: Sequence[System]) -> tuple[System, ...]:
    """Rename systems that share a name by their specs; refuse those that are still equal."""
    often = Counter(system.model_id for system in systems)
    named = tuple(
        Named(system, hide_foreign(one)) if isinstance(one, str) and often[system.model_id] > 1 else system
        for one, system in zip(asked, systems, strict=True)
    )
    for name, count in Counter(system.model_id for system in named).items():
        if count > 1:
            raise SettingError("system.same_name", name=name, count=count)
    return named


def _spec(model: str) -> str:
    """A plain name is one of the model registry's."""
    return model if ":" in model else f"chat:{model}"


def _as_list(system: SystemLike | Sequence[SystemLike]) -> list[SystemLike]:
    return list(system) if isinstance(system, list | tuple) else [system]


def connect_system(
    asked: SystemLike, options: Mapping[str, JSON] | None, settings: Settings, *, share: int = 1
) -> System:
    """Make a system of whatever names it: a [systems.NAME] table, `kind:argument`, a callable, or the thing itself.

    An option `chat` that is a text names the system that writes the answers of the built-in RAG. `share` is how many
    runs ask the same endpoint at once: each gets that part of its limits and budgets.
    """
    if not isinstance(asked, str):
        return _connect_object(asked, dict(options or {}))
    # A label is the page's.
    table = {name: value for name, value in settings.systems.get(asked, {}).items() if name != "label"}
    spec = str(table.pop("system", asked))
    table.pop("label", None)  # for the page alone
    given = table | dict(options or {})
    answers = given.pop(ANSWER_CACHE, None)
    if isinstance(given.get("chat"), str):
        inner = {**given.pop("chat_options", {}), **({ANSWER_CACHE: answers} if answers else {})}
        given["chat"] = connect_system(given["chat"], inner, settings, share=share)
    elif answers:
        if spec.partition(":")[0] not in CACHED_KINDS:
            raise SettingError("system.uncached", spec=spec, kinds=", ".join(CACHED_KINDS))
        given["cache"] = answers
    if share > 1 and spec.partition(":")[0] in CACHED_KINDS:
        own = given.get("share", 1)
        given["share"] = share * own if isinstance(own, int) else own  # what is no number is refused by its owner
    told = _pop_facts(given, spec) if spec.partition(":")[0] not in CACHED_KINDS else NO_FACTS
    try:
        return _named(connect(spec, given), told)
    except ConnectError as error:
        if error.code == "system.unknown" and settings.systems:
            raise ConnectError("system.unnamed", **error.params, known=list(settings.systems)) from None
        raise


def _connect_object(asked: object, options: dict[str, JSON]) -> System:
    """Make a system of a Python object; it takes only the options that every system has."""
    told = _pop_facts(options, type(asked).__name__)
    if isinstance(asked, System):
        return _named(asked, told)
    made = wrap(asked)
    refuse_unknown(options, (), made.model_id, also=fields(FactOptions))
    return _named(made, told)


def _pop_facts(given: dict[str, JSON], system: str) -> FactOptions:
    """Remove the facts about a system from its options and return them."""
    told = take(given, FactOptions, system)
    for name in fields(FactOptions):
        given.pop(name, None)
    return told


def _named(system: System, told: FactOptions) -> System:
    return system if told == NO_FACTS else Named(system, told.model_id or system.model_id, told.given)


def run_blocking(work: Coroutine[None, None, T], stop: Stop | None = None) -> T:
    """Run to the end; Ctrl-C asks for a clean stop, a second one drops what is in flight.

    Without a `stop` the first one drops it: for work that keeps what it has as it goes.
    """
    if _loop_is_running():
        return _run_beside(work, stop or Stop())
    alone = threading.current_thread() is threading.main_thread()
    with (
        _seldom_collected() if alone else nullcontext(),
        asyncio.Runner(loop_factory=_loop_factory()) as runner,
        _stopped_by_signals(runner.get_loop(), stop) if alone and stop else nullcontext(),
    ):
        return runner.run(work)


def _loop_is_running() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


def _run_beside(work: Coroutine[None, None, T], stop: Stop) -> T:
    """Run in a thread of its own: the loop of this one belongs to the caller, as in a notebook."""
    with ThreadPoolExecutor(1, thread_name_prefix="ragstone") as pool:
        done = pool.submit(run_blocking, work, stop)
        while True:
            try:
                return done.result()
            except KeyboardInterrupt:
                stop.escalate("SIGINT")


@contextmanager
def _stopped_by_signals(loop: asyncio.AbstractEventLoop, stop: Stop) -> Iterator[None]:
    """Stop the run on SIGINT and SIGTERM, also on systems whose loops take no signal handlers."""
    numbers = (signal.SIGINT, signal.SIGTERM)

    def handle(number: int, frame: FrameType | None = None) -> None:
        loop.call_soon_threadsafe(stop.escalate, signal.Signals(number).name)

    before = {number: signal.signal(number, handle) for number in numbers}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def _seldom_collected() -> Iterator[None]:
    """Look for cycles of garbage less often: a run makes many things that live briefly, and hardly a cycle."""
    before = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(COLLECTED, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()


def _loop_factory() -> Callable[[], asyncio.AbstractEventLoop] | None:
    try:
        from uvloop import new_event_loop  # noqa: PLC0415 - there is none on Windows
    except ImportError:
        return None
    return new_event_loop
