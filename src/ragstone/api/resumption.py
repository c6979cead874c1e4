"""Continue a stored run."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TypedDict, Unpack

from msgspec import structs

from ragstone.api.evaluation import later_of, opened_engine
from ragstone.api.event_loop import run_blocking
from ragstone.api.judging import JudgeLike, as_judging, complete_judging
from ragstone.api.run import Run
from ragstone.api.systems import SystemLike, as_list, connect_all, keep_offline
from ragstone.core.errors import RunError, SettingError
from ragstone.core.interfaces import Engine
from ragstone.core.masking import MASK
from ragstone.core.messages import message
from ragstone.core.settings import Settings, read_settings
from ragstone.core.types import JSON, Answer
from ragstone.runs.execute import Observer, notify, notify_message, walk, why
from ragstone.runs.judged.files import set_frame
from ragstone.runs.judged.judge_order import is_due
from ragstone.runs.plan import Plan
from ragstone.runs.reopen import plan_of
from ragstone.runs.schedule import Stop
from ragstone.runs.shards import part_of
from ragstone.runs.spending import exhausted
from ragstone.runs.store.admission import OWN, TRUSTING, Asking, Guard, Inputs, is_own
from ragstone.runs.store.describe import same_or_raise, scorer_name, take_scorer
from ragstone.runs.store.folder import RunFolder
from ragstone.runs.store.journal import BROKEN, Salvaged
from ragstone.runs.store.seal import ALTERED, SOURCES, altered, unseal


class ResumeOptions(TypedDict, total=False):
    """What `resume` takes besides run and system; its docstring says what each does."""

    retry_failed: bool
    system_options: Mapping[str, JSON] | None
    concurrency: int | None
    timeout: float | None
    settings: Settings | None
    watchers: Sequence[Observer]
    engine: str | Engine | None
    trust: bool | Guard
    salvage: bool
    judge: JudgeLike
    judge_options: Mapping[str, JSON] | None


def resume(run: str | Path, system: SystemLike | Sequence[SystemLike] = (), **options: Unpack[ResumeOptions]) -> Run:
    """Continue a run: ask exactly what has no answer yet (and with `retry_failed` what failed), score everything.

    `system_options` change those the run began with: a larger budget, a new key. So do `concurrency` and `timeout`;
    left out, they stay what they were, whatever the settings say now. What a run from somebody else names is loaded
    with `trust` only. `salvage` keeps the good answers of a damaged journal and asks the rest again.
    Where judges were not done with the run they go on, with `judge_options` that win over those of then; None keeps
    them out, and another `judge` takes their place.
    """
    stop = Stop()
    return run_blocking(aresume(run, system, stop=stop, **options), stop)


async def aresume(  # noqa: PLR0913 - whatever a run can be continued with
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
        saved_lines = _salvage_judging(folder, settings, watchers) if salvage else Salvaged(0, 0)
        meta, broken = folder.meta(), _broken(folder, salvage)
        guard = trust if isinstance(trust, Guard) else TRUSTING if trust else OWN
        plan = reopen(folder, as_list(system), settings, system_options=system_options, guard=guard)
        share = part_of(plan.shard, 1).of
        width = max(1, concurrency // share) if concurrency else plan.concurrency
        plan = structs.replace(plan, concurrency=width, timeout=timeout or plan.timeout)
        cut_short, over = meta.get("status") == "running", meta.get("status") == "complete"
        # Recorded answers are scored again at no cost; a finished run with another scorer needs `rescore`.
        own = is_own(folder)
        same_or_raise(folder, meta, plan, own=own, scorer=over)
        if saved_lines.dropped:
            _settle(folder, plan, saved_lines.kept)
            meta, broken = folder.meta(), _broken(folder, salvage)
        times = {"interrupted": int(meta.get("interrupted") or 0) + 1} if cut_short else {}
        begun = meta | {"status": "running"} | times | ({ALTERED: broken} if broken else {})
        if newer := take_scorer(folder, begun, plan.contract):
            notify_message(watchers, "notice.scorer_changed", plan, was=scorer_name(meta))
        if salvage and (saved := folder.salvage()).dropped:
            notify_message(watchers, "notice.salvaged", plan, kept=saved.kept, dropped=saved.dropped, file=BROKEN)
        unseal(folder, begun | newer, own=own, salvaged=salvage)
        if plan.decisions and not (over and not retry_failed):
            # The answers that come now were not part of the draw.
            set_frame(folder, "")
            plan = structs.replace(plan, decisions=plan.decisions.framed(""))
        again: Callable[[Answer], bool] | None = (lambda answer: answer.failure is not None) if retry_failed else None
        expected = int(meta["expected"])
        stop = stop or Stop()
        named = None if judge is None else as_judging(judge, judge_options)
        due = named and (named.judges or (is_due(folder) and (own or guard is TRUSTING)))
        if named and due:
            from ragstone.api.judges import require_files  # noqa: PLC0415 - only a judged run needs judges

            require_files(complete_judging(named, plan, settings), settings)
        later = later_of(judges)
        summary = await walk(
            plan, folder, expected, watchers, stop, again=again, later=later, cut_short=cut_short, salvage=salvage
        )
        done = Run(folder.path, summary, stop.reason, why(stop, plan.voice), plan.voice, exhausted(plan))
        if stop.requested or named is None or not due:
            return done
        from ragstone.api.judgement import judge_open  # noqa: PLC0415 - only a judged run needs judges

        decided = await judge_open(folder, named, settings, watchers, stop, guard)
        return structs.replace(done, summary=decided.summary, judging=decided)


def _settle(folder: RunFolder, plan: Plan, kept: int) -> None:
    """Take the judgements that were kept for sound where they fit the rows; else the run counts as altered."""
    from ragstone.runs.judged.decide import fits_rows  # noqa: PLC0415 - only a damaged run needs it
    from ragstone.runs.judged.files import settle_salvage  # noqa: PLC0415

    if fits_rows(plan, folder):
        settle_salvage(folder, kept)


def _salvage_judging(folder: RunFolder, settings: Settings, watchers: Sequence[Observer]) -> Salvaged:
    """Drop unreadable lines of judgements before the others are used."""
    from ragstone.runs.judged.files import BROKEN as BESIDE  # noqa: PLC0415 - only a damaged run needs it
    from ragstone.runs.judged.files import salvage_judgements  # noqa: PLC0415

    if (saved := salvage_judgements(folder)).dropped:
        params = {"kept": saved.kept, "dropped": saved.dropped, "file": BESIDE, "run": str(folder.path)}
        notify(watchers, settings.language or "en", partial(message("notice.salvaged_judge").say, params=params))
    return saved


def _broken(folder: RunFolder, salvage: bool) -> list[str]:
    """Return the altered files of a run; raise RunError unless it is to be repaired."""
    broken = altered(folder, SOURCES)
    fresh = [name for name in broken if name not in folder.meta().get(ALTERED, ())]
    if fresh and not salvage:
        raise RunError("run.altered", run=str(folder.path), files=fresh)
    return broken


def reopen(
    folder: RunFolder,
    asked: Sequence[SystemLike],
    settings: Settings,
    *,
    system_options: Mapping[str, JSON] | None = None,
    guard: Guard = OWN,
) -> Plan:
    """Rebuild the plan of a stored run with systems to ask; options given now override the stored ones."""
    meta = folder.meta()
    if tool := meta.get("imported_from"):
        raise RunError("import.resume", run=str(folder.path), tool=tool)
    if (origin := meta.get("rescored_from")) and meta.get("status") == "running":
        # Its answers are all in the other run: asking again would cost twice.
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
    """Return the run's own systems and options that still apply: what was not given now, and the guard allows."""
    systems = () if asked or plan.mock else tuple(spec for spec in plan.system_specs if spec)
    objects = bool(asked) and not any(isinstance(one, str) for one in asked)
    kept = {} if plan.mock or objects else {k: v for k, v in plan.system_options.items() if k not in given}
    named = Inputs(plan.dataset, plan.contract_name, plan.documents, plan.options)
    return guard.asking(folder, Asking(systems, kept), named, settings)


def _require_whole(folder: RunFolder, systems: Sequence[SystemLike], options: Mapping[str, JSON]) -> None:
    """Refuse to continue without a key that was not stored: it must be given again."""
    for spec in systems:
        if isinstance(spec, str) and MASK in spec:
            raise SettingError("system.masked", run=str(folder.path), spec=spec)
    if masked := [name for name, value in options.items() if MASK in str(value)]:
        raise SettingError("system.masked_option", run=str(folder.path), names=masked)
