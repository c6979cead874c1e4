"""`python -m bench.cli.runner`: the document's command, its flags, its artefacts and its exit codes."""

import csv
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ragstone.core.messages import codes, message
from ragstone.runners.bench import RENAMED, main, parser
from tests.bench.conftest import ROWS, SECRET, Server
from tests.loopback import Reply, completion
from tests.runs.stopped import leave

Find = Callable[[], Path]
DATASET = "datasets/your_data.jsonl"
BASE = ("--task", "event_eval", "--dataset", DATASET, "--out", "runs", "--quiet")
BOTH = ("--models", "deepseek-v3", "qwen-small")
REGISTRY = ("--model-registry", "configs/llm_providers.json")


def _table(run: Path) -> dict[str, dict[str, str]]:
    with (run / "summary.csv").open(encoding="utf-8-sig", newline="") as file:
        return {row["model_id"]: row for row in csv.DictReader(file)}


def _rows(run: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (run / "results.jsonl").read_text(encoding="utf-8").splitlines()]


def test_the_documents_command_runs_as_written(project: Path, only_run: Find) -> None:
    """Contract 3, section 3, word for word; all artefacts are there, with the tm_ columns."""
    words = "--task event_eval --dataset datasets/your_data.jsonl --models deepseek-v3"
    words += " --model-registry configs/llm_providers.json --out runs/"
    done = subprocess.run(
        [sys.executable, "-m", "bench.cli.runner", *words.split()], capture_output=True, encoding="utf-8", check=False
    )

    assert done.returncode == 0, done.stderr
    names = {path.name for path in only_run().iterdir()}
    assert names >= {"results.jsonl", "summary.csv", "report.md", "run_meta.json", "dataset_fingerprint.json"}
    assert names >= {"model_snapshot.json", "config.json"}
    row = _table(only_run())["deepseek-v3"]
    assert (row["task_name"], row["step_id"], row["request_count"]) == ("event_eval", "", str(ROWS))
    figures = ("tm_sentiment_acc_avg", "tm_impact_within_tol_avg", "tm_keyword_f1_avg", "parse_rate", "success_rate")
    assert [row[name] for name in figures] == ["1.0"] * 5
    assert row["tm_impact_mae_avg"] == "0.0"


def test_two_models_stand_side_by_side(project: Path, only_run: Find, endpoint: Server) -> None:
    """One run, two models of one real endpoint: figures, tokens, cost and latency for each."""
    code = main([*BASE, *BOTH, *REGISTRY])

    assert code == 0
    assert endpoint.asked == {"good-1": ROWS, "poor-1": ROWS}
    table = _table(only_run())
    assert list(table) == ["deepseek-v3", "qwen-small"]
    assert table["deepseek-v3"]["tm_sentiment_acc_avg"] == "1.0"
    assert table["qwen-small"]["tm_sentiment_acc_avg"] == str(3 / ROWS)
    assert table["qwen-small"]["avg_total_tokens"] == "110.0"
    assert float(table["deepseek-v3"]["cost_estimate"]) == pytest.approx(ROWS * (12 * 0.001 + 5 * 0.002) / 1000)
    assert table["qwen-small"]["cost_estimate"] == ""
    assert all(float(row["p95_latency_ms"]) > 0 for row in table.values())
    report = (only_run() / "report.md").read_text(encoding="utf-8")
    assert re.search(r"\| deepseek\\-v3 \|.*\n\| qwen\\-small \|", report)


def test_r3_3_what_no_model_could_parse_lowers_the_score(project: Path, only_run: Find, endpoint: Server) -> None:
    """R3.3: an unreadable answer scores 0 on every metric, counts in parse_rate and is shown."""
    endpoint.script = lambda body, call: Reply(completion("看涨"))

    code = main([*BASE, *BOTH, *REGISTRY, "--max-samples", "2"])

    assert code == 0
    row = _table(only_run())["qwen-small"]
    names = ("parse_rate", "tm_sentiment_acc_avg", "tm_keyword_f1_avg", "primary_score_avg")
    assert [row[name] for name in names] == ["0.0"] * 4
    assert (row["request_count"], row["success_rate"], row["unparsed"]) == ("2", "1.0", "2")
    assert {one["error_type"] for one in _rows(only_run())} == {"unparsed"}
    report = (only_run() / "report.md").read_text(encoding="utf-8")
    assert "| unparsed | 4 |" in report
    assert r"S001 @qwen\-small" in report


def test_equal_bytes_for_concurrency_1_and_64(project: Path) -> None:
    """R0.3: two models, one or many in flight, the same rows (timings apart)."""
    kept = []
    for width in ("1", "64"):
        out = f"runs-{width}"
        main([*BASE, "--out", out, *BOTH, *REGISTRY, "--run-id", "r", "--concurrency", width, "--repeats", "2"])
        text = (project / out / "r" / "results.jsonl").read_text(encoding="utf-8")
        kept.append(re.sub(r'"latency_ms":[0-9.]+', "", text))

    assert kept[0] == kept[1]
    assert kept[0].count("\n") == ROWS * 2 * 2


def test_no_secret_reaches_a_file(project: Path, only_run: Find, endpoint: Server) -> None:
    """The key is sent, and stands in no file, not even in an error that echoes it."""
    endpoint.script = lambda body, call: Reply({"error": {"message": f"bad key {SECRET}"}}, status=401)

    code = main([*BASE, *REGISTRY])

    assert code == 3
    assert endpoint.server.seen[0].headers["Authorization"] == f"Bearer {SECRET}"
    for path in only_run().parent.rglob("*"):
        assert not path.is_file() or SECRET.encode() not in path.read_bytes(), path


def test_mock_needs_no_key_and_no_registry(project: Path, only_run: Find, endpoint: Server) -> None:
    """The document's dry run: three samples, perfect answers, the models' names, no call."""
    (project / "configs" / "llm_providers.json").unlink()

    code = main([*BASE, "--mock", "--max-samples", "3", "--models", "a,b", "c"])

    assert code == 0
    table = _table(only_run())
    assert {name: row["request_count"] for name, row in table.items()} == {"a": "3", "b": "3", "c": "3"}
    assert not endpoint.server.calls


def test_the_active_model_is_asked_when_none_is_named(project: Path, only_run: Find, endpoint: Server) -> None:
    """The usual registry is found, too."""
    assert main([*BASE, "--max-samples", "1"]) == 0

    assert endpoint.asked == {"good-1": 1}


@pytest.mark.parametrize(("flag", "calls"), [((), 2), (("--no-cache",), 4)])
def test_answers_are_kept_unless_told_otherwise(
    project: Path, endpoint: Server, flag: tuple[str, ...], calls: int
) -> None:
    """A second run costs nothing; --no-cache asks again."""
    for _ in range(2):
        assert main([*BASE, "--max-samples", "2", *flag]) == 0

    assert endpoint.server.calls == calls
    assert (project / "runs" / ".cache" / "answers.sqlite").exists() == (not flag)


def test_params_go_over_the_tasks_own(project: Path, endpoint: Server) -> None:
    """--params is sent, beside the task's response_format."""
    assert main([*BASE, "--max-samples", "1", "--params", '{"temperature": 0.5, "seed": 7}']) == 0

    body = endpoint.server.seen[0].body
    assert (body["temperature"], body["seed"]) == (0.5, 7)
    assert body["response_format"] == {"type": "json_object"}


def test_retries_are_counted_for_each_model(project: Path, only_run: Find, endpoint: Server) -> None:
    """A model that stumbles once shows one retry; the other none."""
    usual = endpoint.script
    stumbled: list[int] = []

    def stumble(body: Any, call: int) -> Reply:
        if body["model"] == "poor-1" and not stumbled:
            stumbled.append(call)
            return Reply({"error": "busy"}, status=503)
        return usual(body, call)

    endpoint.script = stumble
    assert main([*BASE, *BOTH, *REGISTRY]) == 0

    assert {name: row["retry_count"] for name, row in _table(only_run()).items()} == {
        "deepseek-v3": "0",
        "qwen-small": "1",
    }


def test_a_registry_concurrency_binds_its_model_only(project: Path, endpoint: Server) -> None:
    """deepseek-v3 bears three at once by its registry entry; the run's default is wider."""
    endpoint.script = lambda body, call: Reply(completion("{}"), delay=0.02)

    main([*BASE, *REGISTRY, "--models", "deepseek-v3"])
    assert endpoint.server.most_at_once == 3

    main([*BASE, *REGISTRY, "--models", "qwen-small"])
    assert endpoint.server.most_at_once == 8


def test_resume_finishes_what_is_left(project: Path, only_run: Find, endpoint: Server) -> None:
    """A run cut short goes on where it stopped; a changed prompt is refused."""
    assert main([*BASE, *REGISTRY, "--no-cache"]) == 0
    leave(only_run(), slice(5))
    before = endpoint.server.calls

    code = main(["--resume-run-dir", str(only_run()), "--quiet"])

    assert code == 0
    assert endpoint.server.calls - before == ROWS - 5
    assert len(_rows(only_run())) == ROWS


def test_resume_refuses_another_prompt(
    project: Path, only_run: Find, bundled: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The prompt is part of what a run is; its hash tells."""
    assert main([*BASE, *REGISTRY, "--max-samples", "1"]) == 0
    with bundled.open("a", encoding="utf-8") as file:
        file.write("\n# changed\n")

    code = main(["--resume-run-dir", str(only_run()), "--quiet"])

    assert code == 2
    assert "prompt has changed" in capsys.readouterr().err


@pytest.fixture
def bundled(project: Path) -> Path:
    """A prompt of the user's own, found before the bundled one of the same name."""
    path = project / "bench" / "prompts" / "ie_json.yaml"
    path.parent.mkdir(parents=True)
    path.write_text("version: v9\nuser: |\n  T{{ ticker[1:] }} {{ news_items_json }}\n", encoding="utf-8")
    return path


def test_the_users_own_prompt_comes_first(project: Path, only_run: Find, bundled: Path) -> None:
    """bench/prompts of the current folder is looked at before the bundled prompts."""
    assert main([*BASE, *REGISTRY, "--max-samples", "1"]) == 0

    assert _rows(only_run())[0]["prompt_version"] == "v9"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--dataset", DATASET), "--task"),
        (("--task", "event_eval"), "--dataset"),
        ((*BASE, "--models", "no-such"), "no-such"),
        ((*BASE, "--task", "no_such_task"), "no_such_task"),
        ((*BASE, "--model-registry", "nowhere.json"), "nowhere.json"),
        ((*BASE, "--params", "{oops"), "params"),
        ((*BASE, "--mock", "--dataset", "nowhere.jsonl"), "nowhere.jsonl"),
    ],
)
def test_what_the_user_must_fix_is_said(
    project: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], said: str
) -> None:
    """Exit code 2, one sentence, no traceback, no run."""
    code = main(list(words))

    assert code == 2
    error = capsys.readouterr().err
    assert said in error
    assert "Traceback" not in error


def test_without_models_the_registry_is_asked_for(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """No registry, no dry run: the message names both ways out."""
    (project / "configs" / "llm_providers.json").unlink()

    assert main([*BASE, "--models", "m"]) == 2
    assert "--model-registry" in capsys.readouterr().err


def test_failed_calls_make_the_run_not_measured(project: Path, only_run: Find, endpoint: Server) -> None:
    """Exit code 3; the failures stay in the denominator with their kind."""
    endpoint.script = lambda body, call: Reply({"error": "no"}, status=400)

    assert main([*BASE, *REGISTRY, "--max-samples", "2"]) == 3
    row = _table(only_run())["deepseek-v3"]
    assert (row["request_count"], row["success_count"], row["primary_score_avg"]) == ("2", "0", "0.0")


def test_a_wrong_key_measures_no_model(project: Path, endpoint: Server, capsys: pytest.CaptureFixture[str]) -> None:
    """A model that answered nothing has no figure: a dash, not 0.0 %."""
    endpoint.script = lambda body, call: Reply({"error": "bad key"}, status=401)

    assert main([*BASE[:-1], *BOTH, *REGISTRY, "--max-samples", "2", "--lang", "en"]) == 3

    said = capsys.readouterr().out
    assert "0.0%" not in said
    assert said.count("– (not measured)") == 2 and "Not measured: 0 of 4 answers" in said


def test_a_run_is_held_against_its_baseline(
    project: Path, endpoint: Server, capsys: pytest.CaptureFixture[str]
) -> None:
    """R3.5 from the command line: no baseline yet, then equal, then worse (exit code 1, with the samples)."""
    words = [*BASE, *REGISTRY, "--no-cache", "--baseline", "auto", "--gate-metrics", "sentiment_acc"]
    assert main([*words, "--run-id", "1"]) == 0
    assert "无可比较的基线" in capsys.readouterr().err
    assert main([*words, "--run-id", "2"]) == 0
    endpoint.script = lambda body, call: Reply(completion('{"sentiment": "neutral"}'))

    code = main([*words, "--run-id", "3"])

    assert code == 1
    said = capsys.readouterr().err
    assert "drop(sentiment_acc) <= 0.02" in said
    assert "S002 @deepseek-v3" in said
    assert json.loads((project / "runs" / "3" / "regression.json").read_text())["baseline"] == "2"
    assert main([*words, "--run-id", "again"]) == 1
    assert json.loads((project / "runs" / "again" / "regression.json").read_text())["baseline"] == "2"
    assert main([*words[:-4], "--run-id", "4", "--baseline", "1", "--tolerance", "1"]) == 0


def test_a_dead_endpoint_does_not_pass_on_its_cached_answers(
    project: Path, endpoint: Server, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit code 3 unless the scorer is what is compared; console, reports and table say where the answers are from."""
    words = [*BASE, *REGISTRY, "--lang", "en"]
    assert main([*words, "--run-id", "1"]) == 0
    endpoint.script = lambda body, call: Reply({"error": "down"}, status=500)
    words.remove("--quiet")

    assert main([*words, "--run-id", "2", "--baseline", "1"]) == 3
    said = capsys.readouterr()
    told = "12 of 12 answers came from the cache"
    assert f"[EVAL] {told}" in said.out
    assert f"[GATE] NOT MEASURED  cache: {told}" in said.err
    run = project / "runs" / "2"
    assert all(told in (run / name).read_text("utf-8") for name in ("report.md", "report.html", "regression.md"))
    row = _table(run)["deepseek-v3"]
    assert (row["avg_latency_ms"], row["p95_latency_ms"], row["cached_count"]) == ("", "", "12")

    assert main([*words, "--run-id", "3", "--baseline", "1", "--allow-cached"]) == 0
    assert f"[GATE] PASS: every rule is met; {told}" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--task", "t", "--workflow", "w"], "--task and --workflow cannot be given together"),
        ([], "--task / --workflow is needed"),
    ],
)
def test_one_of_task_and_workflow_is_wanted(
    words: list[str], said: str, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Both and neither are told apart."""
    assert main([*words, "--dataset", DATASET]) == 2
    assert said in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--max-samples", "0"], "'0' is not a whole number of 1 or more"),
        (["--concurrency", "two"], "'two' is not a whole number of 1 or more"),
        (["--tolerance", "nan"], "'nan' is not a number of 0 or more"),
    ],
)
def test_a_number_that_is_none_is_told_in_words(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """No name of our own code in a message."""
    with pytest.raises(SystemExit):
        main([*BASE, *words])

    assert said in capsys.readouterr().err


def test_a_mistyped_baseline_costs_no_call(project: Path, endpoint: Server, capsys: pytest.CaptureFixture[str]) -> None:
    """It is looked for before anything is asked, so that the new run cannot be found in its place."""
    assert main([*BASE, *REGISTRY, "--no-cache", "--run-id", "new-2", "--baseline", "new"]) == 2

    assert "no such run" in capsys.readouterr().err
    assert not endpoint.asked


def test_a_mistyped_gate_metric_costs_no_call(
    project: Path, endpoint: Server, capsys: pytest.CaptureFixture[str]
) -> None:
    """The task's own figures are named before anything is asked."""
    assert main([*BASE, *REGISTRY, "--no-cache", "--baseline", "auto", "--gate-metrics", "sentiment_ac"]) == 2

    assert "no figure 'sentiment_ac'; it has: 'sentiment_acc'" in capsys.readouterr().err
    assert not endpoint.asked


OTHER_COMMANDS = (
    "engine.",
    "shard.",
    "merge.",
    "ping.",
    "gate.",
    "map.",
    "new.",
    "serve.",
    "import.",
    "promptfoo.",
    "draft.",
    "judge.",
    "certify.",
    "labels.",
    "standing.",
    "pytest.",
    "page.",
)
"""What messages are called that only other commands have reason for."""
NEVER_HERE = {
    "dataset.unrecognised": "the runner names the contract itself",
    "dataset.no_file": "the same",
    "dataset.rows_of_task": "the same",
    "dataset.rows_of_draft": "the same",
    "dataset.no_question": "the same",
    "dataset.no_gold": "the same",
    "notice.only_quotes": "it tells to give the built-in RAG a model, which the registry names",
    "option.rubric": "the runner takes no options of contracts",
    "system.none": "the runner asks for models in words of its own",
    "system.uncached": "it keeps answers by the option cache, which every kind refuses or takes by itself",
}
_COMMAND = re.compile(r"`?(?:ragstone|iconv|ulimit|python|inspect) [^`；;。)）]*`?")
_FLAG = re.compile(r"(?<![\w-])--?[a-zA-Z][\w-]*")


def _strange(said: str) -> set[str]:
    """Return the flags a sentence advises that the runner does not have; whole commands of others may have theirs."""
    known = {flag for action in parser()._actions for flag in action.option_strings}
    for flag, other in RENAMED.items():
        said = said.replace(flag, other)
    return set(_FLAG.findall(_COMMAND.sub(" ", said))) - known


def test_every_message_advises_only_flags_the_runner_has() -> None:
    """Or a whole command of `ragstone`; messages of other commands apart, each of them known."""
    strange = {code for code in codes() for said in (message(code).en, message(code).hans) if _strange(said)}

    assert {code for code in strange if not code.startswith(OTHER_COMMANDS)} == set(NEVER_HERE)


@pytest.mark.parametrize(
    "words",
    [
        ["--run-id", "a/b"],
        ["--out", "rows.jsonl/x"],
        ["--run-id", "taken"],
        ["--models", "nobody"],
        ["--models", "python:nowhere:f"],
        ["--models", "replay:nowhere.jsonl"],
        ["--model-registry", "nowhere.json"],
        ["--task", "nowhere"],
        ["--dataset", "nowhere.jsonl"],
        ["--params", "[]"],
        ["--baseline", "nowhere"],
        ["--resume-run-dir", "nowhere"],
        ["--resume-run-dir", "planted"],
    ],
)
def test_mistakes_are_answered_with_flags_the_runner_has(
    project: Path, capsys: pytest.CaptureFixture[str], words: list[str]
) -> None:
    """The command line itself, one mistake at a time."""
    assert main([*BASE, "--mock", "--run-id", "taken", "--max-samples", "1"]) == 0
    shutil.copytree("runs/taken", "planted")
    (project / "planted/answers.jsonl").write_text("{}\n", encoding="utf-8")
    (project / "rows.jsonl").write_text("{}", encoding="utf-8")
    capsys.readouterr()

    code = main([*BASE, *REGISTRY, *words])

    said = capsys.readouterr().err
    assert (code, _strange(said)) == (2, set()), said


def test_a_python_function_can_be_a_model(project: Path, only_run: Find) -> None:
    """It keeps no answers and needs no registry, also where one is at hand."""
    code = 'def answer(question):\n    return \'{"sentiment": "neutral", "impact_score": 1, "keywords": []}\'\n'
    (project / "own.py").write_text(code, encoding="utf-8")

    assert main([*BASE, *REGISTRY, "--models", "python:own:answer"]) == 0
    assert _table(only_run())["own:answer"]["request_count"] == str(ROWS)
