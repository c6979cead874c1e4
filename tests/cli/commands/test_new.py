"""Starter files: every command their README shows runs as it is written."""

import json
import os
import re
import subprocess
import sys
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from ragstone.cli.commands.new import IN_ENGLISH, KINDS, TEMPLATES
from ragstone.core.types import JSON
from tests.conftest import Cli

SHOWN = re.compile(r"```bash\n(.*?)```", re.DOTALL)


def test_every_contract_has_starter_files() -> None:
    """One folder each, besides the documents' commands and what else a project may want."""
    contracts = ["eval_json_v2", "key_points", "legal_rag"]
    assert ["ci", "contract", "docker", *contracts, "runners", "schemas", "system", "task"] == KINDS


def _run(line: str, process: Cli) -> subprocess.CompletedProcess[str]:
    """Run a line of a README where the commands are those of this Python."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    words = [word for word in line.partition(" # ")[0].split() if word]
    if words[0] == "ragstone":
        return process(*words[1:])
    return subprocess.run(words, capture_output=True, encoding="utf-8", check=False, env=os.environ | {"PATH": path})


@pytest.mark.parametrize(
    ("kind", "codes"),
    [
        ("key_points", [0, 0, 0, 0]),
        pytest.param("legal_rag", [0, 0, 0, 0, 0, 1], marks=pytest.mark.long),  # scripts and pytest in their processes
        ("eval_json_v2", [0, 0, 0, 0, 1]),
    ],
)
def test_a_readme_can_be_followed(
    cli: Cli, process: Cli, monkeypatch: pytest.MonkeyPatch, kind: str, codes: list[int]
) -> None:
    """From `check` to the gate, in the folder that was made; a poor sample fails its tests or its gate, and says so."""
    assert cli("new", kind, "mine").returncode == 0
    monkeypatch.chdir("mine")
    block = SHOWN.search(Path("README.md").read_text(encoding="utf-8"))
    assert block

    done = [_run(line, process) for line in block[1].splitlines()]

    assert [one.returncode for one in done] == codes, [one.stdout + one.stderr for one in done]
    assert "0 errors, 0 warnings" in done[0].stdout


def test_the_python_example_runs(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    """Contract 1's own lines, in a project that has only the starter files."""
    assert cli("new", "legal_rag", "mine").returncode == 0
    monkeypatch.chdir("mine")
    code = re.search(r"```python\n(.*?)```", Path("README.md").read_text(encoding="utf-8"), re.DOTALL)
    assert code

    done = subprocess.run([sys.executable, "-c", code[1]], capture_output=True, encoding="utf-8", check=False)

    assert float(done.stdout) == 100.0, done.stderr


@pytest.mark.parametrize("kind", ["key_points", "legal_rag", "eval_json_v2", "task"])
def test_samples_are_said_to_be_fictional(kind: str) -> None:
    """Nobody shall take them for facts."""
    readme = (TEMPLATES / kind / "README.md").read_text(encoding="utf-8")

    assert "fictional" in readme
    assert re.search("虚构|虛構", readme)


HAN = re.compile("[\u4e00-\u9fff]")


@pytest.mark.parametrize(("lang", "english"), [("en_US.UTF-8", True), ("zh_CN.UTF-8", False), ("C.UTF-8", True)])
@pytest.mark.parametrize(
    ("kind", "sample"),
    [
        ("key_points", "questions.jsonl"),
        ("legal_rag", "benchmark/questions/fact_exact.json"),
        ("eval_json_v2", "questions.json"),
        ("prompt_task", "rows.csv"),
    ],
)
def test_a_sample_is_in_the_users_language(
    cli: Cli, monkeypatch: pytest.MonkeyPatch, kind: str, sample: str, lang: str, english: bool
) -> None:
    """As with `demo`: English where the language is set to English, Chinese elsewhere; contracts go by their names."""
    monkeypatch.setenv("LANG", lang)

    assert cli("new", kind, "mine").returncode == 0

    assert bool(HAN.search(Path("mine", sample).read_text(encoding="utf-8"))) is not english


def test_english_samples_hold_no_chinese() -> None:
    """Each stands for a Chinese file of the same path."""
    files = [path for path in IN_ENGLISH.rglob("*") if path.is_file() and "__pycache__" not in path.parts]

    assert {path.relative_to(IN_ENGLISH).parts[0] for path in files} == {
        "eval_json_v2",
        "key_points",
        "legal_rag",
        "task",
    }
    for path in files:
        assert not HAN.search(path.read_text(encoding="utf-8")), path
        assert (TEMPLATES / path.relative_to(IN_ENGLISH)).is_file(), path


@pytest.mark.parametrize(
    ("kind", "figures"),
    [
        ("key_points", ["accuracy: 100.0%", "accuracy: 100.0%", "accuracy: 100.0%"]),
        pytest.param("legal_rag", ["exact match: 100.0%", "passed 3/4", "passed 3/4"], marks=pytest.mark.long),
        ("eval_json_v2", ["score: 100.00", "score: 73.33", "score: 53.33"]),
    ],
)
def test_an_english_sample_runs_as_its_readme_says(
    cli: Cli, monkeypatch: pytest.MonkeyPatch, kind: str, figures: list[str]
) -> None:
    """Sound, answered by two systems, and scored from its recorded answers."""
    monkeypatch.setenv("LANG", "en_US.UTF-8")
    assert cli("new", kind, "mine").returncode == 0
    monkeypatch.chdir("mine")
    block = SHOWN.search(Path("README.md").read_text(encoding="utf-8"))
    assert block

    check, *others = [cli(*line.partition(" # ")[0].split()[1:]).stdout for line in block[1].splitlines()[:4]]

    assert "0 errors, 0 warnings" in check
    assert [figure in out for figure, out in zip(figures, others, strict=True)] == [True] * 3, others


PIPELINES: dict[str, tuple[str, Callable[[JSON], list[str]]]] = {
    "github": (".github/workflows/ragstone.yml", lambda file: [step.get("run") for step in _job(file)["steps"]]),
    "gitlab": (".gitlab-ci.yml", lambda file: file["ragstone"]["script"]),
    "pre-commit": (".pre-commit-config.yaml", lambda file: [f"{_hook(file)['entry']} questions.jsonl"]),
}


def _job(file: JSON) -> JSON:
    return file["jobs"]["evaluate"]


def _hook(file: JSON) -> JSON:
    return file["repos"][0]["hooks"][0]


def _words(line: str, given: dict[str, str]) -> list[str]:
    """Have a shell make words of a line that starts us."""
    told = ["sh", "-c", f'ragstone() {{ printf "%s\\n" "$@"; }}; {line}']
    return subprocess.run(told, env=os.environ | given, check=True, capture_output=True, text=True).stdout.splitlines()


@pytest.mark.parametrize("provider", PIPELINES)
def test_a_pipeline_runs_as_written(cli: Cli, process: Cli, monkeypatch: pytest.MonkeyPatch, provider: str) -> None:
    """Every command of ours in a build server's file works on the starter project, with the variables it sets."""
    assert cli("new", "key_points", "mine").returncode == 0
    monkeypatch.chdir("mine")
    name, lines = PIPELINES[provider]

    assert cli("new", "ci", provider).returncode == 0
    file = yaml.safe_load(Path(name).read_text(encoding="utf-8"))
    given = file.get("env") or file.get("ragstone", {}).get("variables") or {}
    commands = [line for line in lines(file) if line and line.startswith("ragstone ")]
    codes = [process(*_words(line, given), env=given).returncode for line in commands]

    assert codes in ([0], [0, 0, 0])


def test_an_unknown_pipeline_is_told(cli: Cli) -> None:
    """The message names those there are."""
    done = cli("new", "ci", "jenkins")

    assert done.returncode == 2 and "github, gitlab, pre-commit" in done.stderr


def test_the_image_serves_with_a_token_only(cli: Cli) -> None:
    """It runs as an ordinary user, has a health check, and compose demands a token."""
    assert cli("new", "docker", "mine").returncode == 0
    image, compose = (Path("mine", name).read_text(encoding="utf-8") for name in ("Dockerfile", "compose.yaml"))

    assert "USER 10001" in image and "HEALTHCHECK" in image and "/eval/login" in image
    assert "RAGSTONE_TOKEN:?" in compose and yaml.safe_load(compose)["services"]["ragstone"]["read_only"] is True


def test_a_converted_table_says_what_became_of_it(cli: Cli, tmp_path: Path) -> None:
    """Rows, columns that were not used, what to type next; groups are kept."""
    rows = "问题,标准答案,回答,category,备注\n几点开门？,九点,九点开门,时间,x\n几本书？,十本,十本,借阅,y\n"
    (tmp_path / "t.csv").write_text(rows, encoding="utf-8")

    done = cli("new", "key_points", "made", "--from", "t.csv")

    assert done.returncode == 0, done.stderr
    assert "questions 2, answers 2; not used: 备注" in done.stdout
    assert done.stdout.splitlines()[-1] == "Next: ragstone score made/questions.jsonl made/answers.jsonl"
    first = json.loads((tmp_path / "made" / "questions.jsonl").read_text(encoding="utf-8").splitlines()[0])
    assert first == {"id": "Q1", "q": "几点开门？", "gold": ["九点"], "doc_hint": [], "category": "时间"}


def test_a_long_table_is_converted_in_little_memory(cli: Cli, tmp_path: Path) -> None:
    """Rows are read and written one after the other: a table of 12 MB takes a fraction of that."""
    line = json.dumps({"question": "几点开门？", "expected_output": "九点", "response": "九点" * 2000}) + "\n"
    (tmp_path / "t.jsonl").write_text(line * 1000, encoding="utf-8")
    tracemalloc.start()

    done = cli("new", "key_points", "made", "--from", "t.jsonl")

    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "made" / "answers.jsonl").stat().st_size > 10_000_000
    assert peak < 6_000_000


def test_several_datasets_are_checked_at_once(cli: Cli, tmp_path: Path) -> None:
    """As pre-commit names them: all that changed in one command; one faulty file is enough to fail."""
    (tmp_path / "questions1.jsonl").write_text('{"q": "a", "gold": ["b"], "doc_hint": ["c.md"]}\n', encoding="utf-8")
    (tmp_path / "questions2.jsonl").write_text('{"q": "a"}\n', encoding="utf-8")

    both, one = cli("check", "questions1.jsonl", "questions2.jsonl"), cli("check", "questions1.jsonl")

    assert "questions1.jsonl: key_points, 1 case" in both.stdout and "questions2.jsonl" in both.stdout + both.stderr
    assert (both.returncode, one.returncode) == (2, 0)
    assert isinstance(json.loads(cli("check", "questions1.jsonl", "questions1.jsonl", "--json").stdout), list)


def test_a_folder_with_documents_of_the_users_own_is_left_alone(cli: Cli, tmp_path: Path) -> None:
    """Starter documents among them would become sources; --force writes them, and nothing over a file."""
    folder = tmp_path / "documents"
    folder.mkdir()
    (folder / "mine.md").write_text("mine", encoding="utf-8")

    refused, forced = cli("new", "key_points", "documents"), cli("new", "key_points", "documents", "--force")

    assert refused.returncode == 2 and "mine.md" in refused.stderr and "--force" in refused.stderr
    assert forced.returncode == 0 and (folder / "mine.md").read_text(encoding="utf-8") == "mine"
