"""Charts as SVG text, drawn here and shown by the page and report.html alike.

Colours are classes, so that the page around them chooses light or dark. All text is escaped.
"""

from collections.abc import Mapping, Sequence
from html import escape
from math import ceil
from typing import NamedTuple

from ragstone.text.visible import visible_line

MOST_POINTS = 60
_LINES = ("s1", "s2", "s3", "s4", "s5", "s6")


class Column(NamedTuple):
    """One column of a distribution: where it stands on the scale, and how many passed and did not."""

    low: float
    high: float
    passed: int
    missed: int


class Moment(NamedTuple):
    """One run on a trend: its name, when it was, its values (0..1) by series, and where it leads."""

    name: str
    when: str
    values: Mapping[str, float | None]
    link: str = ""
    at: str = ""
    """When, for machines: a page may show it in its reader's zone."""


def distribution(columns: Sequence[Column], label: str, passed: str, missed: str) -> str:
    """Draw how many cases got which score."""
    most = max((column.passed + column.missed for column in columns), default=0) or 1
    width, height, base = 640, 200, 168
    step = width / max(1, len(columns))
    parts = []
    for place, column in enumerate(columns):
        parts.append(_column(column, place * step, step, base, most, (passed, missed)))
    ticks = [_text(place * step, base + 20, f"{column.low:.1f}", "start") for place, column in enumerate(columns)]
    ticks.append(_text(width, base + 20, "1.0", "end"))
    axis = f'<line class="axis" x1="0" y1="{base}.5" x2="{width}" y2="{base}.5"/>'
    return _svg(width, height, label, "".join([*parts, axis, *ticks]), "distribution")


def _column(column: Column, x: float, step: float, base: int, most: int, names: tuple[str, str]) -> str:
    total = column.passed + column.missed
    room = base - 24
    good, bad = (ceil(room * count / most) for count in (column.passed, column.missed))
    title = f"{column.low:.1f} – {column.high:.1f}: {names[0]} {column.passed}, {names[1]} {column.missed}"
    parts = [f"<g><title>{esc(title)}</title>"]
    wide = f'x="{x + 3:.1f}" width="{step - 6:.1f}"'
    if good:
        parts.append(f'<rect class="good" {wide} y="{base - good}" height="{good}" rx="2"/>')
    if bad:
        parts.append(f'<rect class="bad" {wide} y="{base - good - bad}" height="{bad}" rx="2"/>')
    if total:
        parts.append(_text(x + step / 2, base - good - bad - 6, str(total), "middle", "count"))
    return "".join([*parts, "</g>"])


def bar(share: float | None, low: float | None = None, high: float | None = None) -> str:
    """Draw a share (0..1) as a bar, with its interval as a fine line; it says nothing that is not written beside it."""
    if share is None:
        return '<svg class="bar" aria-hidden="true" viewBox="0 0 100 8" preserveAspectRatio="none"></svg>'
    wide = 100 * min(1.0, max(0.0, share))
    whisker = ""
    if low is not None and high is not None:
        left, right = 100 * min(1.0, max(0.0, low)), 100 * min(1.0, max(0.0, high))
        whisker = f'<rect class="whisker" x="{left:.2f}" width="{max(0.6, right - left):.2f}" height="8"/>'
    return (
        '<svg class="bar" aria-hidden="true" viewBox="0 0 100 8" preserveAspectRatio="none">'
        '<rect class="track" width="100" height="8"/>'
        f'<rect class="plain" width="{wide:.2f}" height="8"/>{whisker}</svg>'
    )


def trend(moments: Sequence[Moment], series: Mapping[str, str], label: str) -> str:
    """Draw how figures moved from run to run, oldest first, each in a strip of its own; `series` gives their labels."""
    moments = moments[-MOST_POINTS:]
    width, left, right, strip = 440, 8, 60, 76
    step = (width - left - right) / max(1, len(moments) - 1)
    xs = [left + step * place if len(moments) > 1 else width / 2 for place in range(len(moments))]
    parts = []
    for place, (name, words) in enumerate(series.items()):
        drawn = [(x, m.values.get(name), m) for x, m in zip(xs, moments, strict=True)]
        known = [(x, value, m) for x, value, m in drawn if value is not None]
        parts.append(_strip(known, (words, _LINES[place % len(_LINES)]), place * strip, width - right))
    base = len(series) * strip
    for place in sorted({0, len(moments) - 1}) if moments else ():
        anchor = "start" if place == 0 and len(moments) > 1 else "end" if place else "middle"
        parts.append(_text(xs[place], base + 14, moments[place].when, anchor, time=moments[place].at))
    return _svg(width, base + 22, label, "".join(parts), "trend")


def _strip(spots: Sequence[tuple[float, float, Moment]], words: tuple[str, str], top: float, end: float) -> str:
    """Draw one figure between 0 and 1: its name above, its last value at the end of the line."""
    label, style = words
    high, low = top + 24, top + 66

    def y_of(value: float) -> float:
        return low - (low - high) * min(1.0, max(0.0, value))

    lines = [f'<line class="grid" x1="8" y1="{y:.1f}" x2="{end:.1f}" y2="{y:.1f}"/>' for y in (high, low)]
    path = " ".join(f"{x:.1f},{y_of(value):.1f}" for x, value, _ in spots)
    drawn = f'<polyline class="line {style}" points="{path}"/>'
    marks = [_spot(x, y_of(value), value, m, label, style) for x, value, m in spots]
    last = [_text(end + 10, y_of(spots[-1][1]) + 4, f"{spots[-1][1]:.1%}", "start", "count")] if spots else []
    return "".join([_text(8, top + 14, label, "start"), *lines, drawn, *marks, *last])


def _spot(x: float, y: float, value: float, moment: Moment, words: str, style: str) -> str:
    """Draw one run; a pointer opens it, and readers of the list have its link there."""
    title = f"<title>{esc(f'{moment.name} · {words} {value:.1%}')}</title>"
    link = f' data-open="{esc(moment.link)}"' if moment.link else ""
    return f'<circle class="spot {style}" cx="{x:.1f}" cy="{y:.1f}" r="4.5"{link}>{title}</circle>'


def _text(x: float, y: float, words: str, anchor: str, kind: str = "tick", *, time: str = "") -> str:
    when = f' data-time="{esc(time)}"' if time else ""
    return f'<text{when} class="{kind}" x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{esc(words)}</text>'


def _svg(width: int, height: int, label: str, content: str, kind: str) -> str:
    head = f'<svg class="chart {kind}" role="img" aria-label="{esc(label)}" viewBox="0 0 {width} {height}">'
    return f"{head}{content}</svg>"


def esc(words: str) -> str:
    """Return a text as one visible line, escaped for HTML and SVG."""
    return escape(visible_line(words))
