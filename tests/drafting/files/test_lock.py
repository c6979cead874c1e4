"""One command at a time drafts into a file, and what it writes behind a torn line can be read."""

import multiprocessing
import os
import signal
from pathlib import Path

import pytest

import ragstone
from ragstone.core.errors import SettingError
from ragstone.drafting.files.lock import LOCK, alone, append
from ragstone.drafting.model.propose import Journal
from tests.conftest import Cli


def test_a_second_command_is_refused_in_both_languages(
    inside: Cli, documents: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is written meanwhile; afterwards the file is free, and no lock lies beside it."""
    with alone(tmp_path / "d.jsonl"):
        done = inside("draft", documents, "--out", "d.jsonl")
        again = inside("draft", documents, "--out", "d.jsonl", "--dev", "0.5")
        monkeypatch.setenv("RAGSTONE_LANGUAGE", "zh")
        chinese = inside("draft", documents, "--out", "d.jsonl")
        with pytest.raises(SettingError, match="another command"):
            ragstone.draft(documents, 3, out=tmp_path / "d.jsonl")
    assert (done.returncode, again.returncode, chinese.returncode) == (2, 2, 2)
    assert "d.jsonl: another command is drafting into it" in done.stderr
    assert "另一条命令正在起草" in chinese.stderr
    assert not (tmp_path / "d.jsonl").exists()
    assert inside("draft", documents, "--out", "d.jsonl").returncode == 0
    assert not (tmp_path / f"d.jsonl{LOCK}").exists()


def test_drafting_again_is_refused_too(inside: Cli, documents: Path, tmp_path: Path) -> None:
    """A single question is written into the same file."""
    assert inside("draft", documents, "--out", "d.jsonl").returncode == 0
    before = (tmp_path / "d.jsonl").read_bytes()
    with alone(tmp_path / "d.jsonl"):
        done = inside("draft", documents, "--out", "d.jsonl", "--again", "draft-0001")
    assert (done.returncode, (tmp_path / "d.jsonl").read_bytes()) == (2, before)


def _die_holding(path: Path) -> None:
    with alone(path):
        os.kill(os.getpid(), signal.SIGKILL)


def test_the_lock_of_a_dead_process_does_not_count(tmp_path: Path) -> None:
    """It lies there, and nobody holds it."""
    path = tmp_path / "d.jsonl"
    dying = multiprocessing.get_context("spawn").Process(target=_die_holding, args=(path,))
    dying.start()
    dying.join(30)
    assert (dying.exitcode, path.with_name(path.name + LOCK).exists()) == (-signal.SIGKILL, True)
    with alone(path):
        pass
    assert not path.with_name(path.name + LOCK).exists()


def test_a_torn_line_swallows_no_reply(tmp_path: Path) -> None:
    """What is written behind it is found again, and the torn line is none."""
    path = tmp_path / "d.proposals.jsonl"
    Journal(path).add("one", "first")
    with path.open("ab") as stream:
        stream.write(b'{"passage":"two","ans')
    Journal(path).add("three", "third")
    kept = Journal(path)
    assert [kept.find(name) for name in ("one", "two", "three")] == ["first", None, "third"]


def test_whole_lines_are_left_as_they_are(tmp_path: Path) -> None:
    """Nothing is put between them."""
    path = tmp_path / "lines"
    append(path, [b"1"])
    append(path, [b"2", b"3"])
    assert path.read_bytes() == b"1\n2\n3\n"
