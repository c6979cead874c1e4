"""Charts of the runs of one dataset and one system over time, a line for every figure."""

from collections.abc import Iterable, Sequence

from msgspec import Struct

from ragstone.core.language import Lang
from ragstone.report.charts import Moment, trend
from ragstone.report.console import show_share
from ragstone.web.history.lines import ListedRun
from ragstone.web.words import say

MOST_CHARTS = 6


class Chart(Struct, frozen=True):
    """One dataset and one system."""

    title: str
    svg: str


def trends(known: Iterable[ListedRun], lang: Lang) -> list[Chart]:
    """Draw how each dataset's runs moved, system by system: complete runs that asked one, as they left it.

    A run over a part of the dataset stays out where another was over more of it.
    """
    tracks: dict[tuple[str, str], list[ListedRun]] = {}
    for one in known:
        if one.line.altered:
            continue
        for model in one.points:
            tracks.setdefault((one.source, model), []).append(one)
    whole = [(model, [one for one in track if _fits(one, track, model)]) for (_, model), track in tracks.items()]
    long = [(model, track[::-1]) for model, track in whole if len(track) > 1]
    return [_chart(model, track, lang) for model, track in long[:MOST_CHARTS]]


def _fits(one: ListedRun, track: Sequence[ListedRun], model: str) -> bool:
    return not one.cut or one.counts[model] == max(other.counts[model] for other in track)


def _chart(model: str, track: Sequence[ListedRun], lang: Lang) -> Chart:
    measured = {name for one in track for name, value in one.points[model].items() if value is not None}
    series = {name: words for name, words in track[-1].series.items() if name in measured}
    moments = [
        Moment(
            f"{one.line.title} · n = {one.counts[model]}",
            one.line.created,
            one.points[model],
            f"/eval/runs/{one.line.run_id}",
            one.line.at,
        )
        for one in track
    ]
    title = " · ".join(part for part in (track[-1].line.dataset, model) if part)
    first, last = moments[0].values, moments[-1].values
    moved = (f"{words} {show_share(first.get(name))} → {show_share(last.get(name))}" for name, words in series.items())
    label = f"{say('history.trend.label', lang, what=title, n=len(moments))}: {'; '.join(moved)}"
    return Chart(title, trend(moments, series, label))
