"""A run against its baseline: found, judged, and shown where it got worse."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

import ragstone
from ragstone.core.errors import SettingError
from ragstone.core.settings import Settings
from ragstone.runs.store.folder import RunFolder
from ragstone.trust.regression import Regression, regress, regression_lines

Write = Callable[..., Path]
ROWS = [
    {"sample_id": f"S{n}", "ticker": f"T{n}", "news_items": [{"title": f"消息{n}"}], "gt_sentiment": "positive"}
    | {"gt_impact_score": n % 4, "gt_keywords": ["订单"]}
    for n in range(40)
]


def _run(write: Write, name: str, wrong: int, *, broken: int = 0) -> RunFolder:
    """Make a run in which the first answers are wrong, or not even JSON."""
    answers = []
    for number, row in enumerate(ROWS):
        said: dict[str, Any] = {"sentiment": "negative" if number < wrong else "positive"}
        said |= {"impact_score": row["gt_impact_score"], "keywords": ["订单"]}
        answers.append({"id": row["sample_id"], "output": "?" if number < broken else json.dumps(said)})
    system = f"replay:{write('m.jsonl', *answers)}"
    data = write("rows.jsonl", *ROWS)
    done = ragstone.evaluate(data, system, options={"task": "event_eval"}, run_id=name, settings=Settings())
    return RunFolder.open(done.folder)


def _own_prompt(text: str, version: str = "v1") -> None:
    path = Path("bench/prompts/ie_json.yaml")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"version: {version}\nuser: |\n  {text} {{{{ ticker }}}} {{{{ news_items_json }}}}\n")


def test_r3_5_a_drop_beyond_0_02_fails(write_rows: Write) -> None:
    """R3.5: the primary score may drop by 0.02; the worst samples, the tags and every figure are shown."""
    before, now = _run(write_rows, "a", 0), _run(write_rows, "b", 8)

    found = regress(now, before)

    assert found.verdict.outcome == "FAIL"
    assert found.verdict.decided_by == "drop(primary_score) <= 0.02"
    assert {(d.figure, d.first, d.second) for d in found.drift} >= {("sentiment_acc", 1.0, 0.8)}
    assert [(one.tag, one.baseline, one.run) for one in found.error_tags] == [("wrong_value", 0, 8)]
    assert {one.sample_id for one in found.failed} == {f"S{n}" for n in range(8)}
    assert found.failed[0].baseline_score == 1.0
    assert msgspec.convert(now.read("regression.json"), Regression) == found
    report = (now.path / "regression.md").read_text(encoding="utf-8")
    assert "| wrong\\_value | 0 | 8 | +8 |" in report.replace("\\+", "+")
    assert any("S0" in line for line in regression_lines(found, "zh-Hans"))


def test_a_small_drop_and_no_drop_pass(write_rows: Write) -> None:
    """One of forty wrong costs less than the tolerance; the tolerance can be narrowed."""
    before, now = _run(write_rows, "a", 0), _run(write_rows, "b", 1)

    assert regress(now, before).verdict.outcome == "PASS"
    assert regress(_run(write_rows, "c", 1), now).verdict.outcome == "PASS"
    assert regress(now, before, tolerance=0.005).verdict.outcome == "FAIL"


def test_chosen_sub_scores_are_watched_too(write_rows: Write) -> None:
    """A sub-score that drops fails the run though the primary score holds."""
    before, now = _run(write_rows, "a", 0), _run(write_rows, "b", 2)

    assert regress(now, before).verdict.outcome == "PASS"
    assert regress(now, before, metrics=["sentiment_acc"]).verdict.outcome == "FAIL"
    with pytest.raises(SettingError, match="no_such"):
        regress(now, before, metrics=["no_such"])


def test_unreadable_answers_count_against_a_run(write_rows: Write) -> None:
    """What can no longer be parsed lowers the score and shows up as a tag."""
    found = regress(_run(write_rows, "b", 0, broken=4), _run(write_rows, "a", 0))

    assert found.verdict.outcome == "FAIL"
    assert ("unparsed", 0, 4) in [(one.tag, one.baseline, one.run) for one in found.error_tags]


def test_a_prompt_changed_without_a_new_version_is_caught(write_rows: Write) -> None:
    """Its hash tells: nothing is measured, and the message says what to do; with a new version all is well."""
    _own_prompt("看")
    before = _run(write_rows, "a", 0)
    _own_prompt("再看")
    silent = regress(_run(write_rows, "b", 0), before)
    _own_prompt("再看", "v2")
    told = regress(_run(write_rows, "c", 0), before)

    assert silent.verdict.outcome == "NOT MEASURED"
    assert "prompt_unversioned" in silent.differs
    assert any("raise its version" in line for line in regression_lines(silent, "en"))
    assert told.verdict.outcome == "PASS"
    assert told.differs == ("prompt",)
