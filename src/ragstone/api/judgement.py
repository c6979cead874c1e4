"""Have judges and people decide what the rules of a run left open."""

from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from pathlib import Path

from msgspec import structs

from ragstone.api.event_loop import run_blocking
from ragstone.api.judges import Ready, connected_judges, require_files
from ragstone.api.judging import JudgeLike, Judging, as_judging, complete_judging
from ragstone.api.run import Run
from ragstone.api.systems import keep_offline
from ragstone.core.errors import ConnectError, Reason, SettingError
from ragstone.core.settings import Settings, read_settings
from ragstone.core.types import JSON
from ragstone.judging.decisions import Terms
from ragstone.judging.judge import ChatJudge
from ragstone.judging.label_file import FILE, read_labels, read_with_end
from ragstone.judging.labels import Label, Labels
from ragstone.runs.execute import JudgeObserver, Observer, notify, notify_message
from ragstone.runs.judged.costs import Paid, read_paid
from ragstone.runs.judged.decide import Deciding, decide_run, require_unaltered
from ragstone.runs.judged.judge_order import known_versions, same_place
from ragstone.runs.judged.questions import leaves_open
from ragstone.runs.plan import Plan
from ragstone.runs.reopen import plan_of
from ragstone.runs.schedule import Stop
from ragstone.runs.store.admission import OWN, TRUSTING, Guard, is_own
from ragstone.runs.store.folder import RunFolder
from ragstone.systems.wrappers.wrapper import listen


def judge_run(
    run: str | Path | Run,
    judge: JudgeLike = (),
    *,
    judge_options: Mapping[str, JSON] | None = None,
    settings: Settings | None = None,
    watchers: Sequence[Observer] = (),
    trust: bool | Guard = False,
) -> Deciding:
    """Have judges and people decide what the rules of a stored run left open; the system under test is not asked.

    Without a judge, the one the run had goes on, or that of [judge] in ragstone.toml; what was asked before is not
    asked again. `judge_options` are the judges': `base_url`, `max_cost` and the like.
    """
    stop, judging = Stop(), as_judging(judge, judge_options)
    return run_blocking(ajudge_run(run, judging, settings=settings, watchers=watchers, stop=stop, trust=trust), stop)


async def ajudge_run(
    run: str | Path | Run,
    judge: JudgeLike = (),
    *,
    judge_options: Mapping[str, JSON] | None = None,
    settings: Settings | None = None,
    watchers: Sequence[Observer] = (),
    stop: Stop | None = None,
    trust: bool | Guard = False,
) -> Deciding:
    """`judge_run` for a program that has an event loop."""
    settings = settings or read_settings()
    keep_offline(settings)
    guard = trust if isinstance(trust, Guard) else TRUSTING if trust else OWN
    with RunFolder.open(run.folder if isinstance(run, Run) else Path(run)) as folder:
        return await judge_open(folder, as_judging(judge, judge_options), settings, watchers, stop or Stop(), guard)


async def judge_open(
    folder: RunFolder, judge: Judging, settings: Settings, watchers: Sequence[Observer], stop: Stop, guard: Guard
) -> Deciding:
    """Judge a run whose folder is open."""
    require_unaltered(folder)
    plan, trusted = plan_of(folder, guard=guard), is_own(folder) or guard is TRUSTING
    # A run from elsewhere may name any judge; it is asked only if the user says so.
    judging = complete_judging(judge, plan if trusted else None, settings)
    require_files(judging, settings)
    guard.verdicts(folder, _labels_sent(judging, folder, settings))
    _require_whole_labels(judging, folder, plan, watchers)
    if not (trusted or judging.judges or _labels(judging, folder)) and complete_judging(judge, plan, settings).judges:
        raise SettingError("judge.foreign", run=str(folder.path))
    async with AsyncExitStack() as stack:
        ready = None
        try:
            if judging.judges and not (judging.people_only or _is_open(plan, folder, judging, settings)):
                ready = Ready([], plan.decisions.terms if plan.decisions else Terms(), plan.ordered)
            elif judging.judges and not judging.people_only:
                paid = read_paid(folder)
                ready = await stack.enter_async_context(connected_judges(plan, judging, settings, stop, paid))
        except ConnectError as error:
            if judge.judges or plan.decisions is None or not _labels(judging, folder):
                raise
            # What the run's own judge said is on record; labels can be taken in without it.
            notify_message(
                watchers, "judge.absent", plan, judges=", ".join(map(str, judging.judges)), problem=Reason(error.say)
            )
        return await decide_open(plan, folder, judging, stop, watchers, ready, settings)


def _is_open(plan: Plan, folder: RunFolder, judging: Judging, settings: Settings) -> bool:
    """Return whether there is anything to ask a judge, so that it is not tried for nothing."""
    given = [*([] if judging.replace_labels else _labels_in(folder.path)), *_labels(judging, folder)]
    # Of those beside the runs only some are taken in: with them or without, nothing must be open.
    return leaves_open(plan, folder, Labels(given), Labels([*_labels_beside(judging, folder, settings), *given]))


async def decide_open(
    plan: Plan,
    folder: RunFolder,
    judging: Judging,
    stop: Stop,
    watchers: Sequence[Observer],
    ready: Ready | None,
    settings: Settings,
) -> Deciding:
    """Read the labels and decide the run's open questions."""
    labels = _labels(judging, folder)
    if judging.replace_labels and judging.labels and not labels:
        raise SettingError("labels.replace_nothing", n=0, run=str(folder.path), known=len(_labels_in(folder.path)))
    if not (ready or labels or (judging.replace_labels and plan.decisions)):
        raise SettingError("judge.none", run=str(folder.path))
    before = plan.decisions.terms if plan.decisions else Terms()
    judges, terms = (ready.judges, ready.terms) if ready else ([], before)
    told = [system.identity() for system in plan.systems]
    asked = [same_place(one) for one in (*told, *(one.get("chat") for one in told)) if isinstance(one, Mapping)]
    itself = tuple(judge.name for judge in judges if same_place(judge.identity()) in asked)
    for name in itself:
        notify_message(watchers, "judge.itself", plan, judge=name)
    if judges:
        kept = {"checked": before.checked, "drifted": before.drifted}
        terms = structs.replace(terms, itself=itself, judges=known_versions(terms.judges, before.judges), **kept)
    for judge in judges:
        if isinstance(judge, ChatJudge):  # its endpoint may go down and come back
            listen(judge.system, lambda notice: notify(watchers, plan.voice, notice.say))
    heard = [watcher.judged for watcher in watchers if isinstance(watcher, JudgeObserver)]

    def tick(asked: int) -> None:
        for hear in heard:
            hear(asked)

    return await decide_run(
        plan,
        folder,
        judges,
        terms,
        labels,
        stop=stop,
        tick=tick,
        order=ready.order if ready else None,
        replace=judging.replace_labels,
        beside=_labels_beside(judging, folder, settings),
    )


def first_facts(ready: Ready) -> dict[str, JSON]:
    """Return what run_meta.json records of the judges: who they are, and what trying them cost."""
    return {**(ready.order.facts() if ready.order else {}), **Paid().now(ready.judges, {}, 0).facts()}


def _require_whole_labels(judging: Judging, folder: RunFolder, plan: Plan, watchers: Sequence[Observer]) -> None:
    """Warn of labels whose last line is cut short; refuse them if they would replace the run's own."""
    path = Path(judging.labels) if judging.labels else folder.path.parent / FILE
    if not path.is_file() or not (line := read_with_end(path).cut):
        return
    if judging.replace_labels:
        raise SettingError("labels.cut_replace", file=str(path), line=line)
    notify_message(watchers, "labels.cut", plan, file=str(path), line=line)


def _labels(judging: Judging, folder: RunFolder) -> list[Label]:
    """Return the labels that were named, or those beside the runs."""
    return read_labels(Path(judging.labels)) if judging.labels else _labels_in(folder.path.parent)


def _labels_in(folder: Path) -> list[Label]:
    path = folder / FILE
    return read_labels(path) if path.is_file() else []


def _labels_beside(judging: Judging, folder: RunFolder, settings: Settings) -> list[Label]:
    """Return the labels beside the runs where other ones were given; not those that came with a folder of runs."""
    alone = structs.replace(judging, labels=None)
    return _labels(alone, folder) if judging.labels and not _labels_sent(alone, folder, settings) else []


def _labels_sent(judging: Judging, folder: RunFolder, settings: Settings) -> list[str]:
    """Return labels that came with a folder of runs from elsewhere and were not asked for."""
    place = folder.path.parent
    home = place.resolve() == Path(settings.runs_dir).resolve()
    sent = not (judging.labels or home or is_own(folder))
    return [str(place / FILE)] if sent and (place / FILE).exists() else []
