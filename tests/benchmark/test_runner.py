"""The names users of the legal benchmark have."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from ragstone.runners.benchmark import TYPES, BenchmarkRunner, main

ROOT = Path(__file__).parents[2]
BENCHMARK = ROOT / "benchmark"


class Perfect:
    """Answers every question with the contract's own perfect answer."""

    def __init__(self, runner: BenchmarkRunner) -> None:
        self.by_question = {case.question: case for case in runner._cases.values()}
        self.contract = runner._contract

    def query(self, question: str) -> Any:
        return self.contract.model_answer(self.by_question[question])


def test_a_perfect_system_gets_everything() -> None:
    """All types, all points; the summary has the keys its users read."""
    runner = BenchmarkRunner(BENCHMARK)

    summary = runner.run_benchmark(Perfect(runner))

    assert summary["overall_percentage"] == 100.0
    assert summary["passed_tests"] == summary["total_tests"] == len(runner.load_questions()) >= 40
    assert set(summary["by_type"]) == set(TYPES)
    assert {"pass_rate", "overall_score", "max_score", "individual_results"} <= summary.keys()


def test_a_silent_and_a_broken_system_get_nothing() -> None:
    """Silence is worth nothing, and an exception fails its question only."""
    runner = BenchmarkRunner(BENCHMARK)

    def broken(question: str) -> str:
        raise RuntimeError("down")

    assert runner.run_benchmark(lambda question: "")["overall_percentage"] == 0.0
    summary = runner.run_benchmark(broken, question_type="fact_exact")
    assert summary["overall_score"] == 0.0
    assert "down" in summary["individual_results"][0]["explain"]


def test_one_question_is_asked_of_any_kind_of_system() -> None:
    """An object with .query(), an asynchronous function, and one that raises."""
    runner = BenchmarkRunner(BENCHMARK)
    question = runner.load_questions("fact_exact")[0]
    perfect = Perfect(runner)

    async def later(text: str) -> Any:
        return perfect.query(text)

    def broken(text: str) -> str:
        raise RuntimeError("down")

    rows = [runner.run_test(question, system) for system in (perfect, later, broken)]

    assert [row["passed"] for row in rows] == [True, True, False]
    assert "down" in rows[2]["explain"]


def test_results_are_saved(tmp_path: Path) -> None:
    """A summary survives as JSON."""
    runner = BenchmarkRunner(BENCHMARK)
    summary = runner.run_benchmark(lambda question: "不知道", question_type="conflict_gap")

    runner.save_results(tmp_path / "out.json")

    assert json.loads((tmp_path / "out.json").read_text(encoding="utf-8")) == summary


def test_an_unknown_type_is_refused() -> None:
    """The message lists the types."""
    with pytest.raises(ValueError, match="fact_exact"):
        BenchmarkRunner(BENCHMARK).load_questions("facts")


def test_the_script_runs_as_the_document_shows(tmp_path: Path) -> None:
    """python benchmark/test_runner.py --type fact_exact, from the repository."""
    words = [sys.executable, "benchmark/test_runner.py", "--type", "fact_exact", "--output", str(tmp_path / "o.json")]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, encoding="utf-8", check=False)

    assert done.returncode == 0, done.stderr
    assert "overall_percentage:" in done.stdout
    assert json.loads((tmp_path / "o.json").read_text(encoding="utf-8"))["by_type"].keys() == {"fact_exact"}


def test_a_missing_folder_is_told(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """No traceback for what the user can fix."""
    assert main(["--benchmark-dir", str(tmp_path / "nothing")]) == 2
    assert "nothing" in capsys.readouterr().err


def test_pytest_runs_each_question(tmp_path: Path) -> None:
    """pytest benchmark/ -k fact_exact makes a test of every question of the type."""
    words = [sys.executable, "-m", "pytest", "benchmark", "-k", "fact_exact", "-n0", "-v", "--co", "-p", "no:randomly"]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, encoding="utf-8", check=False)

    assert done.stdout.count("[fact_exact-") >= 16, done.stdout
    assert "conflict_gap" not in done.stdout


def test_a_run_leaves_its_folder_and_an_exit_code_when_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    """The folder can be reported on; --fail says by exit code 1 that questions fail."""
    words = ["--benchmark-dir", str(BENCHMARK), "--type", "conflict_gap"]
    plain, strict = main(words), main([*words, "--fail", "--system", "python:builtins:repr"])

    assert (plain, strict) == (0, 1)
    folders = [
        line.partition(": ")[2] for line in capsys.readouterr().out.splitlines() if line.startswith("run_folder")
    ]
    assert all((Path(folder) / "report.md").is_file() for folder in folders)
    config = json.loads((Path(folders[0]) / "config.json").read_bytes())
    assert config["options"] == {"type": "conflict_gap"}


@pytest.mark.parametrize("place", ["benchmark", "src/ragstone/data/new/legal_rag/benchmark"])
def test_the_schema_lies_beside_the_questions(place: str) -> None:
    """The copy users read is the one the loader obeys."""
    own = ROOT / "src/ragstone/contracts/legal_rag/schema.json"

    assert (ROOT / place / "schema.json").read_bytes() == own.read_bytes()
