"""The figures as an SVG picture, legible on light and dark pages; knows no scenario, only named numbers."""

from collections.abc import Iterator, Sequence
from html import escape
from math import log10
from typing import Literal, NamedTuple

NAME_WIDTH, PANEL, GAP, VALUE = 190, 160, 30, 58
ROW, TOP, BOTTOM, MARGIN = 25, 74, 34, 16
STYLE = """
svg{--paper:#fff;--ink:#1f2328;--faint:#59636e;--line:#d1d9e0;--plain:#8c959f;--own:#0a7d55;--peer:#4a7ab5}
@media(prefers-color-scheme:dark){
svg{--paper:#0d1117;--ink:#e6edf3;--faint:#9198a1;--line:#30363d;--plain:#6e7681;--own:#3fb98a;--peer:#6b9bd6}}
text{font:13px system-ui,-apple-system,"Segoe UI",sans-serif;fill:var(--ink)}
.small{font-size:11px;fill:var(--faint)}.head{font-weight:600}.own{fill:var(--own)}.peer{fill:var(--peer)}
.plain{fill:var(--plain)}.line{stroke:var(--line)}.paper{fill:var(--paper);stroke:var(--line)}
text.own{font-weight:600}text.peer,text.plain{fill:var(--ink)}
""".strip()
Kind = Literal["own", "peer", "plain"]


class Bar(NamedTuple):
    """A row: whose it is, and its figure in each panel; a figure may be missing."""

    name: str
    kind: Kind
    values: tuple[float | None, ...]


class Panel(NamedTuple):
    """A column of bars."""

    title: str
    hint: str
    """Which way is better."""
    ticks: tuple[float, ...]
    """First and last are the ends of the scale."""
    log: bool = False
    digits: int = 2

    def place(self, value: float) -> float:
        """Return where a value stands on the scale, 0 to 1."""
        low, high = self.ticks[0], self.ticks[-1]
        if self.log:
            value, low, high = log10(max(value, low)), log10(low), log10(high)
        return min(1.0, max(0.0, (value - low) / (high - low)))


def chart(title: str, panels: Sequence[Panel], bars: Sequence[Bar]) -> str:
    """Draw one row a bar and one column a panel."""
    width = 2 * MARGIN + NAME_WIDTH + len(panels) * (PANEL + VALUE) + (len(panels) - 1) * GAP
    height = TOP + len(bars) * ROW + BOTTOM
    return "\n".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
            f' role="img" aria-label="{escape(title)}">',
            f"<title>{escape(title)}</title>",
            f"<style>{STYLE}</style>",
            f'<rect class="paper" x="0.5" y="0.5" width="{width - 1}" height="{height - 1}" rx="8"/>',
            *_names(bars),
            *(line for at, panel in enumerate(panels) for line in _panel(at, panel, bars)),
            "</svg>\n",
        )
    )


def _names(bars: Sequence[Bar]) -> Iterator[str]:
    for row, bar in enumerate(bars):
        yield f'<text class="{bar.kind}" x="{MARGIN}" y="{TOP + row * ROW + 17}">{escape(bar.name)}</text>'


def _panel(at: int, panel: Panel, bars: Sequence[Bar]) -> Iterator[str]:
    left = MARGIN + NAME_WIDTH + at * (PANEL + VALUE + GAP)
    end = TOP + len(bars) * ROW
    yield f'<text class="head" x="{left}" y="28">{escape(panel.title)}</text>'
    yield f'<text class="small" x="{left}" y="45">{escape(panel.hint)}</text>'
    for tick in panel.ticks:
        x = left + PANEL * panel.place(tick)
        yield f'<line class="line" x1="{x:.1f}" y1="{TOP - 4}" x2="{x:.1f}" y2="{end}"/>'
        yield f'<text class="small" x="{x:.1f}" y="{end + 16}" text-anchor="middle">{tick:g}</text>'
    for row, bar in enumerate(bars):
        yield from _bar(left, TOP + row * ROW, panel, bar.kind, bar.values[at])


def _bar(left: float, top: float, panel: Panel, kind: Kind, value: float | None) -> Iterator[str]:
    if value is None:
        yield f'<text class="small" x="{left + 4}" y="{top + 17}">not measured</text>'
        return
    long = max(2.0, PANEL * panel.place(value))
    yield f'<rect class="{kind}" x="{left}" y="{top + 5}" width="{long:.1f}" height="{ROW - 9}" rx="2"/>'
    yield f'<text class="{kind}" x="{left + long + 6:.1f}" y="{top + 17}">{value:.{panel.digits}f}</text>'
