"""What a user gets wrong: one sentence that says what, where and what is allowed; exit code 2; nothing left behind."""

import json
from pathlib import Path

import pytest

from ragstone.messages import codes
from tests.conftest import Cli

ROWS = "".join(
    json.dumps({"q": f"问题{n}", "gold": ["甲"], "doc_hint": ["a.md"], "category": "c"}, ensure_ascii=False) + "\n"
    for n in range(4)
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Make a small dataset, its answers and files that are something else."""
    (tmp_path / "q.jsonl").write_text(ROWS, encoding="utf-8")
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a.md").write_text("甲。", encoding="utf-8")
    table = "q,gold,doc_hint\n问题,甲,\n"
    (tmp_path / "gbk.csv").write_bytes(table.encode("gbk"))
    (tmp_path / "utf16.csv").write_bytes(table.encode("utf-16"))
    (tmp_path / "nan.jsonl").write_text(ROWS + '{"q": "甲", "gold": NaN}\n', encoding="utf-8")
    return tmp_path


MISTAKES = [
    (("subset", "q.jsonl", "nowhere/x.jsonl", "-n", "2"), "nowhere/x.jsonl: cannot be written", "无法写入"),
    (("subset", "q.jsonl", "q.jsonl"), "Give another name", "请换一个名称"),
    (("subset", "q.jsonl", "x.jsonl", "--by", "nope"), "no case has a group 'nope'", "没有用例带有分组 'nope'"),
    (("run", "q.jsonl", "-s", "builtin:docs", "-o", "foo=3"), "key_points has no option 'foo'", "没有选项 'foo'"),
    (("check", "gbk.csv"), "Save the file as UTF-8", "请将文件存为 UTF-8"),
    (("check", "utf16.csv"), "Save it as UTF-8", "请另存为 UTF-8"),
    (("check", "nan.jsonl"), "NaN is no JSON value", "NaN 不是 JSON 的值"),
    (("check", "q.jsonl", "--contract", "legal_rag"), "or is --contract another?", "--contract 选错了"),
]


@pytest.mark.parametrize(("words", "english", "chinese"), MISTAKES)
def test_a_mistake_is_told_in_one_sentence(
    cli: Cli, folder: Path, words: tuple[str, ...], english: str, chinese: str
) -> None:
    """In the reader's language, without a traceback or advice that does not fit."""
    for lang, needle in (("en", english), ("zh_CN.UTF-8", chinese)):
        done = cli(*words, env={"LANG": lang})

        said = done.stdout + done.stderr
        assert done.returncode == 2, said
        assert needle in said
        assert "Traceback" not in said
        assert said.count("\n") <= 3
        assert not (folder / "runs").exists()


def test_no_code_shows_itself() -> None:
    """Every code the table above leads to has its text."""
    assert {"group.unknown", "row.nan", "file.not_json"} <= codes()


def test_groups_that_are_there_can_be_drawn_by(cli: Cli, folder: Path) -> None:
    """A group of the dataset's own is as good as the usual ones."""
    done = cli("subset", "q.jsonl", "x.jsonl", "-n", "2", "--by", "category")

    assert done.returncode == 0, done.stderr
    assert (folder / "x.jsonl").read_text(encoding="utf-8").count("\n") == 2
