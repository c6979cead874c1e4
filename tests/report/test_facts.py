"""What every report says a run was made of."""

import json
from pathlib import Path

import pytest

import ragstone
from ragstone import api
from ragstone.report.facts import DEMANDED, run_facts
from tests.conftest import Cli

SET = Path(ragstone.__file__).parent / "data" / "eval_json_v2" / "question_v2_gate.json"


def test_a_dash_stands_for_what_is_not_known() -> None:
    """All six that contract 4, section 6 names are there, whatever is known of them."""
    told = run_facts({"model_id": "base", "prompt_version": "", "adapter_id": None, "imported_from": "ragas"})

    assert {name: told[name] for name in DEMANDED} == dict.fromkeys(DEMANDED, "–") | {"model_id": "base"}
    assert told["imported_from"] == "ragas"
    assert "tool_means" not in told


@pytest.mark.parametrize("name", ["report.md", "report.html"])
def test_both_reports_hold_what_section_6_demands(name: str) -> None:
    """Names and values as run_meta.json has them."""
    run = api.evaluate(SET, [], mock=True, max_samples=2, run_id="r")
    meta = json.loads((run.folder / "run_meta.json").read_bytes())

    report = (run.folder / name).read_text(encoding="utf-8").replace("\\", "")

    assert all(fact in report for fact in DEMANDED)
    assert meta["prompt_sha256"] in report
    assert meta["eval_set_version"] in report


def test_the_report_on_the_terminal_says_the_same(cli: Cli) -> None:
    """`ragstone report --format markdown` leaves nothing out."""
    run = api.evaluate(SET, [], mock=True, max_samples=2, run_id="r")

    done = cli("report", "r", "--format", "markdown")

    facts = [line for line in (run.folder / "report.md").read_text(encoding="utf-8").splitlines() if "prompt" in line]
    assert facts
    assert all(line in done.stdout for line in facts)
