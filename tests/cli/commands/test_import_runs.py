"""`ragstone import` as a user types it."""

import json
from collections.abc import Callable
from pathlib import Path

from tests.bridges.samples import SAMPLES
from tests.conftest import Cli


def test_a_run_is_imported_and_used(cli: Cli) -> None:
    """Import, list, report, gate and rescore: five commands, no call."""
    done = cli("import", SAMPLES / "ragas/result.csv", "--out", "runs/r", "--model", "my-rag")
    assert done.returncode == 0, done.stderr
    assert "could not score supported for 1" in done.stdout

    shown = cli("report", "r", "--format", "markdown")
    gate = cli("gate", "r", "--rule", "supported >= 0.8", "--rule", "rouge_score_mode_fmeasure >= 0.9")
    again = cli("rescore", "r", "--contract", "key_points", "--json")

    assert "supported" in shown.stdout
    assert gate.returncode == 1, gate.stdout
    assert json.loads(again.stdout)["summary"]["finished"] == 7


def test_a_partial_run_has_its_exit_code(cli: Cli) -> None:
    """EvalScope's missing answer is told, in the reader's language, and the exit code is 3."""
    done = cli("import", SAMPLES / "evalscope", "--lang", "zh", "--out", "runs/e")

    assert done.returncode == 3
    assert "运行不完整" in done.stdout
    assert "0.1032（6 个）" in done.stdout


def test_machines_get_json(cli: Cli) -> None:
    """One JSON value with the tool's own figures beside ours."""
    done = cli("import", SAMPLES / "inspect/log.eval", "--from", "inspect", "--json")

    data = json.loads(done.stdout)

    assert data["tool"] == "inspect 0.3.285"
    assert data["unscored"] == {"shortness": 2}
    assert data["tool_means"]["shortness/mean"] == "0.6861 (of 5, 1 unscored)"


def test_a_wrong_file_is_an_error_without_a_traceback(cli: Cli) -> None:
    """What, where, what to do; exit code 2 and no run."""
    done = cli("import", __file__, env={"LANG": "zh_CN.UTF-8"})

    assert done.returncode == 2
    assert "不是 JSON" in done.stderr
    assert "Traceback" not in done.stderr


def test_answers_for_ones_own_dataset(cli: Cli, write_rows: Callable[..., Path]) -> None:
    """Import as a recording, then score it: two commands; a case without an answer is exit code 3."""
    write_rows(
        "q.jsonl",
        {"q": "云岭铁路几点发首班车？", "gold": ["6点20分"], "doc_hint": []},
        {"q": "另一题？", "gold": ["x"], "doc_hint": []},
    )

    done = cli("import", SAMPLES / "deepeval/test_run.json", "--dataset", "q.jsonl", "--answers", "a.jsonl")
    half = cli("import", SAMPLES / "deepeval/test_run.json", "--dataset", "q.jsonl")

    assert done.returncode == 3, done.stderr
    assert "1 of 2 cases" in done.stdout
    assert "ragstone score q.jsonl a.jsonl" in done.stdout
    assert half.returncode == 2


def test_what_the_tool_could_not_score_is_no_measurement(cli: Cli) -> None:
    """One of seven has no value: the rest is no figure of all, and nothing can be asked again here."""
    cli("import", SAMPLES / "ragas/result.csv", "--out", "runs/r")

    done = cli("gate", "r", "--rule", "supported >= 0.83")

    assert done.returncode == 3
    assert "could not give supported for 1 of 7" in done.stdout
    assert "resume" not in done.stdout


def test_an_import_without_any_score_measured_nothing(cli: Cli) -> None:
    """Exit code 3, and a sentence."""
    Path("nan.csv").write_text("user_input,response,faithfulness\nq,a,nan\nr,b,\n", encoding="utf-8")

    done = cli("import", "nan.csv", "--out", "runs/n")

    assert done.returncode == 3
    assert "nothing was measured" in done.stdout
    assert cli("gate", "n", "-r", "pass_rate >= 0").returncode == 3
