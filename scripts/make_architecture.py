"""Write docs/images/architecture.svg from the real imports: `uv run python scripts/make_architecture.py`."""

import sys
import tomllib
from html import escape
from pathlib import Path
from typing import NamedTuple

import grimp

ROOT = Path(__file__).parent.parent
TARGET = ROOT / "docs" / "images" / "architecture.svg"
PACKAGE = "ragstone"
WIDTH, BOX, HEIGHT, STEP, TOP = 980, 160, 50, 84, 34
WORDS = {
    "runners": "the users' own commands",
    "cli": "ragstone …",
    "testing": "pytest plug-in",
    "web": "page and HTTP API",
    "api": "evaluate, resume",
    "bridges": "other tools' runs",
    "drafting": "test sets from documents",
    "reviewing": "people's verdicts",
    "trust": "compare, gate, verify",
    "runs": "ask, journal, summary",
    "judging": "who decides if not rules",
    "contracts": "what is measured",
    "systems": "what is asked",
    "report": "what is shown",
    "datasets": "rows and checks",
    "documents": "files into pages",
    "metrics": "two values, one number",
    "statistics": "intervals, tests",
    "reading": "what an answer says",
    "core": "types, errors, messages",
    "text": "writing: numbers, dates",
}
STYLE = """
svg { background: #fff; font-family: ui-sans-serif, system-ui, sans-serif }
rect { fill: #f3f6fa; stroke: #5b6b7f } text { text-anchor: middle; fill: #1b2733 }
.name { font-size: 15px; font-weight: 600 } .size { font-size: 11px; fill: #5b6b7f }
path { fill: none; stroke: #7d94ad; stroke-width: 1.1; opacity: .75; marker-end: url(#tip) }
""".strip()


class Box(NamedTuple):
    """A package in the picture: its middle and its upper edge."""

    name: str
    x: float
    y: float


def layers() -> list[list[str]]:
    """Return the packages as pyproject.toml orders them, the highest layer first."""
    found = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]["contracts"]
    rows = next(contract["layers"] for contract in found if contract["type"] == "layers")
    return [[name.strip().rpartition(".")[2] for name in row.split("|")] for row in rows]


def imports(names: list[str]) -> set[tuple[str, str]]:
    """Return which package imports which, without those that follow from others."""
    graph = grimp.build_graph(PACKAGE, cache_dir=None)
    for name in names:
        if f"{PACKAGE}.{name}" in graph.modules and graph.find_children(f"{PACKAGE}.{name}"):
            graph.squash_module(f"{PACKAGE}.{name}")
    found = {
        (one, other)
        for one in names
        for other in names
        if one != other and graph.direct_import_exists(importer=f"{PACKAGE}.{one}", imported=f"{PACKAGE}.{other}")
    }
    return {edge for edge in found if not _follows(edge, found)}


def _follows(edge: tuple[str, str], found: set[tuple[str, str]]) -> bool:
    """Say whether a chain of other imports leads from one end to the other."""
    start, goal = edge
    seen, waiting = {start}, [other for one, other in found if one == start and other != goal]
    while waiting:
        name = waiting.pop()
        if name == goal:
            return True
        if name not in seen:
            seen.add(name)
            waiting += [other for one, other in found if one == name]
    return False


def boxes(rows: list[list[str]]) -> dict[str, Box]:
    """Give every package its place: a row a layer, in the middle of the page."""
    return {
        name: Box(name, WIDTH * (at + 1) / (len(row) + 1), TOP + STEP * level)
        for level, row in enumerate(rows)
        for at, name in enumerate(row)
    }


def _box(box: Box) -> str:
    x, y = box.x, box.y
    return (
        f'<rect x="{x - BOX / 2:.0f}" y="{y}" width="{BOX}" height="{HEIGHT}" rx="7"/>'
        f'<text class="name" x="{x:.0f}" y="{y + 22}">{escape(box.name)}</text>'
        f'<text class="size" x="{x:.0f}" y="{y + 39}">{escape(WORDS.get(box.name, ""))}</text>'
    )


def _line(one: Box, other: Box) -> str:
    """Draw an import downwards; one over several rows bows outwards round the boxes between."""
    far = (other.y - one.y) / STEP
    lean = (one.x - WIDTH / 2) or (other.x - WIDTH / 2) or 1
    bow = (lean / abs(lean)) * (150 if one.x == other.x else 62) * min(far - 1, 2)
    x, y, to, end = one.x, one.y + HEIGHT, other.x, other.y - 3
    middle = (x + to) / 2 + bow
    return f'<path d="M{x:.0f} {y} C{middle:.0f} {y + 34} {middle:.0f} {end - 34} {to:.0f} {end}"/>'


def picture() -> str:
    """Return the SVG."""
    rows = layers()
    places = boxes(rows)
    lines = [_line(places[one], places[other]) for one, other in sorted(imports(list(places)))]
    height = TOP + STEP * len(rows)
    tip = '<marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
    title = f'<text class="size" x="{WIDTH / 2:.0f}" y="18">A package imports only from the rows below it.</text>'
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img">',
            f"<title>The packages of Ragstone and what each imports</title><style>{STYLE}</style>",
            f'<defs>{tip}<path d="M0 0 L8 4 L0 8 z" style="fill:#7d94ad;stroke:none;marker-end:none"/></marker></defs>',
            title,
            *lines,
            *map(_box, places.values()),
            "</svg>\n",
        ]
    )


if __name__ == "__main__":
    TARGET.write_text(picture(), encoding="utf-8")
    sys.stdout.write(f"{TARGET.relative_to(ROOT)}\n")
