"""Names and paths a user gives to the commands: whatever is wrong with them is told, and nothing shows a traceback."""

import contextlib
import json
from pathlib import Path

import click
import pytest

from ragstone.cli.main import cli as commands
from ragstone.cli.wording import show_error
from tests.conftest import Cli

PLACES = [
    "run @ --mock",
    "run q.jsonl --mock --run-id @",
    "run q.jsonl --mock --runs-dir @",
    "run q.jsonl --mock --documents @",
    "run q.jsonl --mock --gate-on @",
    "run q.jsonl --mock --contract @",
    "run q.jsonl --mock --contract prompt_task -o task=@",
    "run q.jsonl --mock --contract eval_json_v2 -o prompt=@",
    "run q.jsonl --mock --cache @",
    "run q.jsonl -s @",
    "run q.jsonl -s replay:@",
    "run q.jsonl -s builtin:@",
    "run q.jsonl -s python:@:ask",
    "run q.jsonl -s http:@",
    "run q.jsonl -s chat:m -O registry=@",
    "score q.jsonl @",
    "check @",
    "plan @",
    "ping @ -s replay:a.jsonl",
    "resume @",
    "report @",
    "runs --runs-dir @",
    "compare @ b",
    "compare a b --markdown @",
    "gate a --baseline @",
    "gate a --file @",
    "gate a -r accuracy>=0 --junit @",
    "verify @",
    "rescore a --out @",
    "rescore a --dataset @",
    "import @",
    "import a.jsonl --from ragas --out @",
    "merge a --out @",
    "subset @ out.jsonl",
    "subset q.jsonl @",
    "index @",
    "index docs --out @",
    "new task @",
]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Make a dataset, answers, documents, two runs, and a file in the way."""
    row = {"q": "问题", "gold": ["甲"], "doc_hint": ["a.md"]}
    (tmp_path / "q.jsonl").write_text(json.dumps(row) + "\n", encoding="utf-8")
    (tmp_path / "a.jsonl").write_text('{"id": "Q1", "output": "甲 a.md"}\n', encoding="utf-8")
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a.md").write_text("甲。", encoding="utf-8")
    (tmp_path / "file").write_bytes(b"x")
    for name in ("a", "b"):
        _call("run", "q.jsonl", "--mock", "--run-id", name, "-q")
    return tmp_path


def _call(*words: str) -> None:
    with contextlib.suppress(click.exceptions.Exit):
        commands.main(list(words), standalone_mode=False)


@pytest.mark.parametrize("place", ["a" * 300, "/".join(["b" * 200] * 30), "file/inner", "file", "\udcff"])
def test_a_bad_path_is_told_without_a_traceback(project: Path, place: str) -> None:
    """Too long, through a file, a file where a folder is meant, not UTF-8: told, wherever it is given."""
    for words in PLACES:
        try:
            _call(*(word.replace("@", place) for word in words.split()))
        except click.ClickException:
            continue
        except Exception as error:  # noqa: BLE001 - what is no message is the finding
            assert show_error(error), words


def test_a_long_name_is_cut_where_it_is_shown(cli: Cli, project: Path) -> None:
    """One sentence on the terminal, in the user's language."""
    done = cli("check", "长" * 100, env={"RAGSTONE_LANGUAGE": "zh"})

    assert done.returncode == 2
    assert done.stderr == f"错误：{'长' * 80}…：无法使用：名称过长。请指定其他文件或文件夹。\n"


def test_files_with_names_in_another_encoding_are_run(cli: Cli, project: Path) -> None:
    """Documents and datasets from an old archive are read, scored, verified."""
    (project / "q.jsonl").rename("\udcc4\udce3.jsonl")
    (project / "docs" / "a.md").rename("docs/\udcc4\udce3.md")

    done = cli("run", "\udcc4\udce3.jsonl", "--documents", "docs", "--mock", "--run-id", "odd", "-q")

    assert done.returncode == 0, done.stderr
    assert cli("verify", "odd").returncode == 0
