"""The page and the chart of the speed figures, made of invented ones."""

from pathlib import Path
from xml.etree import ElementTree

import pytest

from perf.__main__ import chosen, options, write
from perf.chart import Bar, Panel, chart
from perf.contestants import ALL, BARE, BARE_ORJSON, BARE_UVLOOP, RAGSTONE
from perf.environments import Environment
from perf.performance import Report, page, picture_of
from perf.scenarios import Figures, Pace, Size, Starts, Waiting
from perf.scoring import Cost
from perf.stages import Profile, stage_of

PACE = {BARE: Pace(0.3, 0.32, 0.2, 512), BARE_UVLOOP: Pace(0.2, 0.22, 0.2, 512), RAGSTONE: Pace(0.25, 0.4, 0.3, 512)}
WAITING = {BARE_UVLOOP: Waiting(0.8, 640), RAGSTONE: Waiting(0.76, 640), "deepeval": Waiting(0.2, 640)}


@pytest.fixture
def report() -> Report:
    """Invented figures: one peer measured, one that failed."""
    figures = Figures(
        pace=PACE | {"deepeval": Pace(5.0, 6.0, 3.0, 512)},
        words=PACE,
        waiting=WAITING,
        endurance=WAITING,
        storm=WAITING,
        starts=Starts(0.02, 0.05, 0.3, 0.6),
        problems={"promptfoo": "npm is not here"},
    )
    environments = {RAGSTONE: Environment(Path(), "0.1", 45.0), "deepeval": Environment(Path(), "4.3", 89.0)}
    costs = (Cost("key_points", 20, 90.0, 450.0, 1000.0, 540.0, "lists"),)
    return Report(Size(), environments, figures, costs, Profile(10, {"score": 30.0, "call": 10.0}, [("a.py: f", 0.5)]))


def test_the_page_says_every_figure_once(report: Report) -> None:
    """Rows, ratios, aims, profile, sizes, and who is missing and why."""
    text = page(report, "images/p.svg")

    assert "| **Ragstone** | 0.25 ms | 1.20 | 0.80 | 0.40 ms | 0.55 | 0.76 | 0.95 | 0.30 s |" in text
    assert "| deepeval | 5.00 ms | 0.06 | 0.04 |" in text
    assert "| no latency, sentences: CPU | 0.80 | at least 0.6 | yes |" in text
    assert "| one case by a bare aiohttp script | 2.00 | at most 1.5 | no |" in text
    assert "| `ragstone --help` by `python -c pass` | 2.50 | at most 1.5 | no |" in text
    assert "| score: the scorecard | 30 | 75% |" in text
    assert "| deepeval 4.3 | 89 |" in text
    assert "- promptfoo: npm is not here" in text


def test_a_page_of_nothing_has_no_empty_tables() -> None:
    """What was not measured is not drawn."""
    text = page(Report(Size(), {}, Figures({}, {}, {}, {}, {}, None, {})), "images/p.svg")

    assert "## Calls" not in text
    assert "|---" not in text


def test_the_chart_is_a_picture_with_a_row_for_everybody(report: Report) -> None:
    """Well-formed SVG, a bar for each figure, and a word where there is none."""
    root = ElementTree.fromstring(picture_of(report))
    words = ["".join(text.itertext()) for text in root.iter("{http://www.w3.org/2000/svg}text")]

    assert root.tag.endswith("svg")
    assert {"Ragstone", "deepeval", BARE} <= set(words)
    assert "0.76" in words
    assert "not measured" in words


def test_names_are_escaped_and_bars_stay_inside() -> None:
    """A name may hold any sign, a value may be off the scale."""
    text = chart(
        "a & b", [Panel("p", "h", (0.1, 1.0), log=True)], [Bar("<x>", "own", (99.0,)), Bar("y", "peer", (0.0,))]
    )
    bars = list(ElementTree.fromstring(text).iter("{http://www.w3.org/2000/svg}rect"))[1:]

    assert [float(bar.get("width", "")) for bar in bars] == [160.0, 2.0]


def test_page_and_picture_are_written_side_by_side(report: Report, tmp_path: Path) -> None:
    """The page names the picture where it is."""
    write(tmp_path / "performance.md", report)

    assert "](images/performance.svg)" in (tmp_path / "performance.md").read_text(encoding="utf-8")
    assert (tmp_path / "images" / "performance.svg").exists()


def test_peers_can_be_chosen_by_name() -> None:
    """A named peer comes in all its ways; the bare loops and Ragstone always."""
    names = [one.name for one in chosen("ragas")]

    assert names == [BARE, BARE_UVLOOP, BARE_ORJSON, RAGSTONE, "ragas", "ragas + aiohttp"]
    assert len(chosen(None)) == len(ALL)
    assert all(not one.peer for one in chosen("none"))
    with pytest.raises(SystemExit, match="no such peer: nobody"):
        chosen("nobody")


def test_a_scenario_may_be_named_alone() -> None:
    """The command line takes what it says."""
    assert options(["--only", "pace", "--only", "start", "--rounds", "5"]).only == ["pace", "start"]


def test_a_stack_without_us_is_the_call() -> None:
    """The event loop and what it calls belong to the call."""
    assert stage_of(None) == "call"
