"""Connect judges: systems, plug-ins and objects, each tried once."""

from collections import Counter
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from functools import partial
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from msgspec import structs

from ragstone.api.judging import Judging
from ragstone.api.systems import SystemLike, connect_system
from ragstone.core.errors import ConnectError, SettingError, UserError
from ragstone.core.interfaces import System
from ragstone.core.masking import MASK, hide_foreign
from ragstone.core.messages import message
from ragstone.core.registry import is_module, judge_in_module, judge_names, judge_plugin
from ragstone.core.settings import Settings
from ragstone.core.types import JSON
from ragstone.judging.certificate import read_certificates, stand
from ragstone.judging.decisions import RULES, Terms
from ragstone.judging.judge import (
    VERSIONS,
    ChatJudge,
    Judge,
    choose_way,
    close_all,
    faults_of,
    hear_version,
    hold_to,
    keep_apart,
    version_of,
    versions_in,
)
from ragstone.judging.label_file import read_labels
from ragstone.judging.prompts import Tongue, Way, tongue_of
from ragstone.runs.judged.asking import terms_of
from ragstone.runs.judged.costs import Paid
from ragstone.runs.judged.judge_order import JudgeOrder, order_of, seat_of
from ragstone.runs.plan import Plan
from ragstone.runs.schedule import Stop, unless_stopped
from ragstone.runs.store.fingerprint import redact
from ragstone.systems.wrappers.breaker import Breaker
from ragstone.systems.wrappers.budget import budget_of
from ragstone.systems.wrappers.wrapper import layers, secrets_of

UNKNOWN = frozenset({"system.unknown", "system.unnamed", "name.unknown"})
"""Error codes for names that nothing is registered under."""
MEMBERS = ("name", "way", "tongue", "identity", "prompt", "decide", "close")
"""What a judge must have."""


class Ready(NamedTuple):
    """Judges that have been tried, and their terms; none where nothing is to ask."""

    judges: list[Judge]
    terms: Terms
    order: JudgeOrder | None


@asynccontextmanager
async def connected_judges(
    plan: Plan, judging: Judging, settings: Settings, stop: Stop, paid: Paid | None = None
) -> AsyncIterator[Ready]:
    """Connect judges and try each once; `paid` is what a recorded run has spent on them."""
    # All parts of a split run are asked in the language of the whole: they are joined to one run.
    questions = [case.question for case in islice(structs.replace(plan, span=None).cases(), 200)]
    kinds = getattr(plan.contract, "question_kinds", ("states",))
    judges, terms = await unless_stopped(connect_judges(judging, questions, settings, kinds, paid), stop)
    _rest(judges)
    try:
        # Paths from the settings are not recorded: the settings of the next run may name other files.
        given = {name: str(getattr(judging, name) or "") for name in ("labels", "certificate")}
        named = {name: path for name, path in given.items() if path != getattr(settings.judge, name)}
        yield Ready(judges, terms, order_of(terms.judges, **named))
    finally:
        await close_all(judges)


async def connect_judges(
    judging: Judging,
    questions: Sequence[str],
    settings: Settings,
    kinds: Sequence[str] = ("states",),
    paid: Paid | None = None,
) -> tuple[list[Judge], Terms]:
    """Connect the judges that are named; return them with their terms."""
    if judging.listen not in {"", "margin", "quote"}:
        raise SettingError("judge.listen", found=judging.listen)
    if masked := [name for name, value in judging.options.items() if MASK in str(value)]:
        raise ConnectError("judge.masked", names=masked)
    place = Path(judging.certificate or settings.judge.certificate)
    known = read_certificates(place)
    judges = await _connect_each(judging, tongue_of(questions), settings, paid)
    await _require_different(judges)
    terms = []
    for asked, judge in zip(judging.judges, judges, strict=True):
        kept = redact(dict(judging.options))
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


async def _connect_each(judging: Judging, tongue: Tongue, settings: Settings, paid: Paid | None) -> list[Judge]:
    """Connect judges one by one; those that are open are closed where one cannot be."""
    judges: list[Judge] = []
    versions = versions_in(judging.options)
    try:
        for asked in judging.judges:
            judge = named_judge(asked, judging.options, settings)
            if isinstance(judge, System):
                listen: Way | None = judging.listen or None  # type: ignore[assignment]
                spent = paid.charge(judge) if paid else False
                # A judge without budget is not tried: its first question reports that.
                judge = (
                    ChatJudge(judge, listen or (paid and paid.way_of(judge)) or "margin", tongue, versions)
                    if spent
                    else await choose_way(judge, listen, tongue, versions, partial(_tell, judging, judge.model_id))
                )
            judges.append(judge)
    except BaseException:
        await close_all(judges)
        raise
    return judges


def _tell(judging: Judging, judge: str, code: str) -> None:
    if judging.tell:
        judging.tell(partial(message(code).say, params={"judge": judge}))


def _rest(judges: Sequence[Judge]) -> None:
    """Start a judge's time budget at its first question: a whole run may come before it."""
    for judge in judges:
        if isinstance(judge, ChatJudge) and (budget := budget_of(judge.system)) is not None:
            budget.rest()


def require_files(judging: Judging, settings: Settings) -> None:
    """Refuse labels and certificates that cannot be read, before anybody is asked."""
    if judging.labels:
        read_labels(Path(judging.labels))
    read_certificates(Path(judging.certificate or settings.judge.certificate))


async def _require_different(judges: Sequence[Judge]) -> None:
    """Refuse a jury with the same judge twice: it would agree with itself."""
    seats = Counter(map(seat_of, judges))
    twice = [judge.name for judge in judges if seats[seat_of(judge)] > 1]
    if twice:
        await close_all(judges)
        raise SettingError("judge.twice", names=list(dict.fromkeys(twice)))


def named_judge(asked: SystemLike, options: Mapping[str, JSON], settings: Settings) -> Judge | System:
    """Make the judge a name stands for: that of a plug-in, or a system to be used as one."""
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


def _of_module(module: str, rest: str, options: Mapping[str, JSON]) -> Judge | System | None:
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


def _of_plugin(kind: str, plugin: Callable[..., object], argument: str, options: Mapping[str, JSON]) -> Judge | System:
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
        missing = [name for name in MEMBERS if not hasattr(made, name)]
        raise ConnectError("judge.no_judge", kind=kind, found=type(made).__name__, missing=missing)
    return _sound(made, kind)


def _sound(judge: Judge, kind: str) -> Judge:
    """Refuse a judge without a usable identity before it is asked anything."""
    if problem := faults_of(judge):
        raise ConnectError("judge.plugin", kind=kind, problem=problem)
    return judge


def hurry(judges: Sequence[Judge]) -> None:
    """Do not wait for a judge that goes down while it is examined: the command can be repeated."""
    for judge in judges:
        for layer in layers(judge.system) if isinstance(judge, ChatJudge) else ():
            if isinstance(layer, Breaker):
                layer.hurry()
