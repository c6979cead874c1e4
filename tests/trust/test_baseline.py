"""Which run a run is held against: named, pinned, or the last one that passed its gate."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import ragstone
from ragstone.core.errors import RunError, SettingError
from ragstone.core.settings import Settings
from ragstone.runs.store.folder import RunFolder
from ragstone.trust.baseline import AUTO, choose_baseline, find_baseline, named_baseline, pin
from ragstone.trust.regression import regress
from tests.conftest import Cli

Write = Callable[..., Path]
RUNS = Path("runs")
ROWS = [{"q": f"问题 {n}？", "gold": ["要点"], "doc_hint": ["a.md"]} for n in range(50)]


def _run(write: Write, name: str, wrong: int, **choices: Any) -> RunFolder:
    """Make a run in which some answers are wrong."""
    texts = ["无关"] * wrong + ["要点，见 a.md"] * (len(ROWS) - wrong)
    answers = write("m.jsonl", *({"id": f"Q{n}", "output": text} for n, text in enumerate(texts, 1)))
    data = write("rows.jsonl", *ROWS)
    return RunFolder(ragstone.evaluate(data, f"replay:{answers}", run_id=name, settings=Settings(), **choices).folder)


def _judged(write: Write, name: str, wrong: int) -> tuple[str, str]:
    """Make a run, hold it against whatever `auto` finds, and return the verdict and the baseline."""
    run = _run(write, name, wrong)
    found = find_baseline(RUNS, run)
    assert found is not None
    return regress(run, found.folder).verdict.outcome, found.folder.path.name


def test_a_failed_run_is_not_the_next_baseline(write_rows: Write) -> None:
    """Worse, and the same again, fails both times; what passes becomes the baseline."""
    _run(write_rows, "a", 5)

    assert _judged(write_rows, "b", 7) == ("FAIL", "a")
    assert _judged(write_rows, "c", 7) == ("FAIL", "a")
    assert _judged(write_rows, "d", 4) == ("PASS", "a")
    assert _judged(write_rows, "e", 4) == ("PASS", "d")


def test_a_pinned_run_goes_before_those_that_passed(write_rows: Write) -> None:
    """Small drops add up against the last run, not against the pinned one."""
    pin(_run(write_rows, "a", 5), "release")
    _judged(write_rows, "b", 5)
    found = choose_baseline(RUNS, AUTO, _run(write_rows, "c", 5))

    assert found is not None
    assert (found.folder.path.name, found.why, found.pin) == ("a", "pinned", "release")
    assert named_baseline(RUNS, "release").folder.path.name == "a"


def test_the_baseline_is_found_by_its_key(write_rows: Write) -> None:
    """A dry run, another model and a folder that lost a file are passed over."""
    first = _run(write_rows, "a", 0)
    _run(write_rows, "b", 0, system_options={"model_id": "other"})
    ragstone.evaluate("rows.jsonl", mock=True, names=["m"], run_id="c")
    last = _run(write_rows, "d", 0)

    found = find_baseline(RUNS, last)
    assert found is not None
    assert (found.folder.path.name, found.why) == ("a", "unjudged")
    (first.path / "model_snapshot.json").unlink()
    assert find_baseline(RUNS, last) is None


@pytest.mark.parametrize("name", ["", " ", "auto", "latest", "a"])
def test_a_pin_has_a_name_of_its_own(write_rows: Write, name: str) -> None:
    """It can be mistaken for nothing else."""
    with pytest.raises(SettingError, match="cannot be a pin"):
        pin(_run(write_rows, "a", 0), name)


def test_pins_that_lead_nowhere_say_so(write_rows: Write) -> None:
    """A run that is gone, a file that is broken, a dry run."""
    with pytest.raises(RunError, match="only a complete run"):
        pin(RunFolder(ragstone.evaluate(write_rows("q.jsonl", *ROWS), mock=True).folder), "x")
    (RUNS / "pins.json").write_text(json.dumps({"x": "gone"}))
    with pytest.raises(RunError, match="pinned to gone, which is gone"):
        named_baseline(RUNS, "x")
    (RUNS / "pins.json").write_text("[")
    with pytest.raises(SettingError, match="pins cannot be read"):
        named_baseline(RUNS, "x")


def test_the_command_pins_what_passed_and_tells_why(cli: Cli, write_rows: Write) -> None:
    """`gate RUN --pin NAME`, then `--baseline NAME` and `--baseline auto`; a run that fails is not pinned."""
    for name, wrong in (("a", 0), ("b", 9)):
        _run(write_rows, name, wrong)

    pinned = cli("gate", "a", "--rule", "accuracy >= 0.9", "--pin", "release")
    by_name, by_auto = (cli("gate", "b", "--baseline", name, "--pin", "next") for name in ("release", "auto"))

    assert (pinned.returncode, by_name.returncode, by_auto.returncode) == (0, 1, 1)
    assert "pinned a as 'release' in" in pinned.stderr
    assert "compared with a, which is pinned as 'release'" in by_name.stdout
    assert "compared with a, which is pinned as 'release'" in by_auto.stdout
    assert "b is not pinned" in by_auto.stderr
    assert json.loads((RUNS / "pins.json").read_bytes()) == {"release": "a"}


def test_a_run_can_be_pinned_without_rules_and_auto_may_find_nothing(cli: Cli, write_rows: Write) -> None:
    """A person may decide by hand; without any candidate the message says what one would be."""
    _run(write_rows, "a", 0)

    assert cli("gate", "a", "--pin", "good").returncode == 0
    alone = cli("gate", "a", "--baseline", "auto")
    assert alone.returncode == 2
    assert "did not fail its gate" in alone.stderr
