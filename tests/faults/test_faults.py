"""The fault table holds: every case accounted for, every call counted, an exit code and a sentence for each fault."""

import zlib
from pathlib import Path

import pytest

from ragstone.version import VERSION
from tests.conftest import Cli
from tests.faults.checking import faults_of
from tests.faults.place import Place, can_lock, last_line
from tests.faults.report import steady
from tests.faults.rows import FAULTS, Fault

DOCS = Path(__file__).parents[2] / "docs"


USUAL = ("none", "dns", "503", "web page", "wrong ids, recorded", "disk full, answers", "read-only folder", "killed")
"""One fault of each kind; the whole table is long."""


@pytest.mark.parametrize(
    "fault",
    [pytest.param(one, id=one.name, marks=[] if one.name in USUAL else pytest.mark.long) for one in FAULTS],
)
def test_fault(fault: Fault, tmp_path: Path, process: Cli) -> None:
    """Nothing is lost, nothing is asked twice without saying so; one half of the rows speaks Chinese."""
    lang = "zh" if zlib.crc32(fault.name.encode()) % 2 else "en"
    if fault.name.startswith("read-only") and not can_lock(tmp_path / "try"):
        pytest.skip("nothing stops this user from writing")

    outcome = fault.play(Place(tmp_path / "place", lang, process))

    assert faults_of(fault, outcome, lang) == []


@pytest.mark.parametrize("name", ["faults.md", "faults.zh.md"])
def test_the_page_holds_the_table(name: str) -> None:
    """The pages were made from the rows there are, by this version."""
    text = (DOCS / name).read_text(encoding="utf-8")

    assert f"Ragstone {VERSION}" in text
    assert [line.split(" | ")[0].removeprefix("| ") for line in text.splitlines() if line.startswith("| ")][2:] == [
        fault.name for fault in FAULTS
    ]


@pytest.mark.parametrize("progress", ["1/20 done, 0.1/s, 2:30 left", "已完成 1/20，0.1/s，剩余 2:30"])
def test_how_far_a_run_is_says_nothing_of_a_fault(progress: str) -> None:
    """The page shows what the user is told of the fault, and nothing where there is nothing to tell."""
    assert last_line(f"{progress}\n\n") == ""
    assert last_line(f"error: no more\n{progress}\n") == "error: no more"


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("Use `python -m ragstone rescore`.", "Use `ragstone rescore`."),
        ("Use /usr/bin/python3.11 -m ragstone rescore.", "Use ragstone rescore."),
        ("http://127.0.0.1:4711/v1: no reply after 0.507 s.", "http://127.0.0.1:PORT/v1: no reply after 0.5 s."),
        ("was 0.9+c1ba9bbfdb00, is 1.5.0+c1ba9bbfdb00", "was 0.9, is 1.5.0"),
    ],
)
def test_the_page_says_what_a_user_types(said: str, shown: str) -> None:
    """Nothing of how the rows start us, and nothing that differs from one run to the next, stands on the page."""
    assert steady(said) == shown
