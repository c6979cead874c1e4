"""Which judges a run is given to, from arguments, the run itself and the settings."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from msgspec import Struct, structs

from ragstone.api.systems import SystemLike, as_list
from ragstone.core.language import Lang
from ragstone.core.settings import Settings
from ragstone.core.types import JSON
from ragstone.runs.judged.judge_order import way_of
from ragstone.runs.plan import Plan


class Judging(Struct, frozen=True, kw_only=True):
    """Which judges and labels decide what the rules of a run leave open."""

    judges: tuple[SystemLike, ...] = ()
    """`chat:MODEL`, a [systems.NAME] table, a System, or a `Judge`; several are a jury that must agree."""
    options: dict[str, JSON] = {}
    listen: str = ""
    """`margin`, `quote`, or whichever the endpoint can give."""
    labels: str | Path | None = None
    """Labels of people; left out, labels.jsonl beside the runs."""
    replace_labels: bool = False
    """Replace the labels the run has by those given now."""
    people_only: bool = False
    """Apply people's labels without asking a judge; earlier verdicts of judges count."""
    certificate: str | Path | None = None
    """Certificate of the judges; left out, judge.json of the current folder."""
    tell: Callable[[Callable[[Lang], str]], None] | None = None
    """Called with notices from before the first question, such as that a judge is slow to answer."""


JudgeLike = Judging | SystemLike | Sequence[SystemLike] | None
"""A judge: a system, a `Judge`, or a name; several of them, or names separated by commas, are a jury."""


def as_judging(judge: JudgeLike, options: Mapping[str, JSON] | None = None) -> Judging:
    """Turn named judges into a Judging; None is none."""
    given = dict(options or {})
    if isinstance(judge, Judging):
        return structs.replace(judge, options={**judge.options, **given})
    named = [] if judge is None else as_list(judge)
    return Judging(judges=tuple(one for some in named for one in _apart(some)), options=given)


def _apart(judge: SystemLike) -> list[SystemLike]:
    """Split names at commas."""
    if not isinstance(judge, str):
        return [judge]
    return [part.strip() for part in judge.split(",") if part.strip()]


def complete_judging(judging: Judging, plan: Plan | None, settings: Settings) -> Judging:
    """Fill in what was not given: from the run's own judges, then from the settings."""
    entry = settings.judge
    judges, options, listen = judging.judges, judging.options, judging.listen
    if not judges and plan and plan.ordered and plan.ordered.judges:
        order = plan.ordered
        judges, listen, options = order.judges, listen or order.listen, {**order.options, **options}
        told = {
            "labels": judging.labels or order.labels or None,
            "certificate": judging.certificate or order.certificate,
        }
        judging = structs.replace(judging, **told)
    elif not judges and plan and plan.decisions and (before := plan.decisions.terms.judges):
        judges, listen = tuple(one.spec for one in before if one.spec), listen or way_of(before)
        options = {**before[0].options, **options}
    if not judges:
        named = entry.judge if isinstance(entry.judge, tuple) else (entry.judge,)
        judges, options = tuple(one for one in named if one), {**entry.options, **options}
    return structs.replace(
        judging,
        judges=judges,
        options=options,
        listen=listen or entry.listen,
        labels=judging.labels or entry.labels or None,
        certificate=judging.certificate or entry.certificate,
    )
