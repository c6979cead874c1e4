"""Plan a run and make it."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, contextmanager
from pathlib import Path
from typing import TypedDict, Unpack

from msgspec import structs

from ragstone.api.event_loop import run_blocking
from ragstone.api.judging import JudgeLike, as_judging, complete_judging
from ragstone.api.run import Run
from ragstone.api.systems import SystemLike, as_list, connect_all, files_of, keep_offline
from ragstone.core.errors import DatasetError, SettingError
from ragstone.core.interfaces import Engine, Staged
from ragstone.core.registry import connect_engine
from ragstone.core.settings import Settings, read_settings
from ragstone.core.types import JSON
from ragstone.datasets.check import Survey, open_contract, require_sound, survey, with_usual
from ragstone.datasets.glossary import OPTION as GLOSSARY
from ragstone.datasets.glossary import with_content
from ragstone.runs.execute import Later, Observer, walk, why
from ragstone.runs.plan import Plan
from ragstone.runs.reopen import plan_of, take_over
from ragstone.runs.schedule import Stop
from ragstone.runs.shards import judge_journal, part_of
from ragstone.runs.spending import exhausted
from ragstone.runs.store.describe import describe
from ragstone.runs.store.folder import RunFolder, new_run_id
from ragstone.runs.store.seal import begin
from ragstone.systems.recorded import recordings


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
    asked = as_list(system)
    if not asked and not mock and not (isinstance(opened, Staged) and opened.step_names(())):
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
        system_files={} if mock else files_of(asked, system_options or {}, settings),
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
    for replay in recordings(plan.systems):
        # A dataset that holds its own answers has each beside its question.
        if replay.path.resolve() != path.resolve() and (faults := replay.contradictions()):
            raise DatasetError("answers.faults", faults, file=str(replay.path))
    return plan, found


def evaluate(
    dataset: str | Path,
    system: SystemLike | Sequence[SystemLike] = (),
    *,
    watchers: Sequence[Observer] = (),
    engine: str | Engine | None = None,
    reuse: str | Path | None = None,
    judge: JudgeLike = (),
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
    stop, judging = Stop(), as_judging(judge, judge_options)
    work = aevaluate(
        dataset, system, watchers=watchers, stop=stop, engine=engine, reuse=reuse, judge=judging, **options
    )
    return run_blocking(work, stop)


async def aevaluate(
    dataset: str | Path,
    system: SystemLike | Sequence[SystemLike] = (),
    *,
    watchers: Sequence[Observer] = (),
    stop: Stop | None = None,
    engine: str | Engine | None = None,
    reuse: str | Path | None = None,
    judge: JudgeLike = (),
    judge_options: Mapping[str, JSON] | None = None,
    **options: Unpack[RunOptions],
) -> Run:
    """Ask, score and store in a program's own event loop; return when all is done or a stop was requested."""
    plan, found = plan_run(dataset, system, **options)
    settings, stop = options.get("settings") or read_settings(), stop or Stop()
    files, judging = describe(plan, found), as_judging(judge, judge_options)
    async with AsyncExitStack() as stack:
        ready = None
        if judging.judges:
            from ragstone.api.judgement import decide_open, first_facts  # noqa: PLC0415 - only a judged run needs judges
            from ragstone.api.judges import connected_judges, require_files  # noqa: PLC0415

            judging = complete_judging(judging, None, settings)
            require_files(judging, settings)
            ready = await stack.enter_async_context(connected_judges(plan, judging, settings, stop))
            files["run_meta.json"] |= first_facts(ready)
        with opened_engine(engine) as judges, RunFolder.create(plan.runs_dir, plan.run_id) as folder:
            begin(folder, files)
            if reuse:
                take_over(plan, folder, RunFolder.open(Path(reuse)))
            expected = int(files["run_meta.json"]["expected"])
            summary = await walk(plan, folder, expected, watchers, stop, later=later_of(judges))
            done = Run(folder.path, summary, stop.reason, why(stop, plan.voice), plan.voice, exhausted(plan))
            if ready and not stop.requested:
                decided = await decide_open(plan_of(folder), folder, judging, stop, watchers, ready, settings)
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


def later_of(engine: Engine | None) -> Later | None:
    """Return how an engine scores the answers of a run once all are in; without one they are scored as they come."""
    if engine is None:
        return None
    return lambda plan, folder, journal, halted: judge_journal(plan, folder, journal, engine, halted)
