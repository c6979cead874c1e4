"""Datasets in object stores."""

import json
import sys
from pathlib import Path

import fsspec
import pytest
from fsspec.implementations.memory import MemoryFileSystem

from ragstone.core.errors import DatasetError
from ragstone.datasets.fetch import FETCHED, at_hand
from tests.conftest import Cli


def test_a_path_stays_a_path() -> None:
    """Nothing is fetched, whether it is there or not."""
    assert at_hand("some/cases.jsonl") == Path("some/cases.jsonl")
    assert not FETCHED.exists()


def test_an_address_is_fetched_once() -> None:
    """And again when its content is another; the name's end stays, for it says the form."""
    store = fsspec.filesystem("memory")
    store.pipe("/bucket/cases.jsonl.gz", b"one")
    first, again = at_hand("memory://bucket/cases.jsonl.gz"), at_hand("memory://bucket/cases.jsonl.gz")
    store.pipe("/bucket/cases.jsonl.gz", b"another")
    other = at_hand("memory://bucket/cases.jsonl.gz")

    assert first == again != other
    assert (first.read_bytes(), other.read_bytes()) == (b"one", b"another")
    assert first.name.endswith("-cases.jsonl.gz")


@pytest.mark.parametrize("name", ["memory://nowhere/x.jsonl", "gopher://x/y.jsonl", "file:///no/such/file.jsonl"])
def test_what_cannot_be_fetched_is_named(name: str) -> None:
    """Whatever the store says."""
    with pytest.raises(DatasetError, match=name.partition(":")[0]):
        at_hand(name)


def test_what_cannot_be_fetched_leaves_nothing_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither a file nor the folder for it, though the store finds out late."""
    monkeypatch.setattr(MemoryFileSystem, "ukey", lambda *_: "mark")

    with pytest.raises(DatasetError, match="no such file"):
        at_hand("memory://nowhere/x.jsonl")

    assert not FETCHED.parent.exists()


def test_a_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """The message says what to install."""
    monkeypatch.setitem(sys.modules, "fsspec.core", None)

    with pytest.raises(DatasetError, match="fsspec"):
        at_hand("s3://bucket/cases.jsonl")


def test_commands_take_addresses(cli: Cli, tmp_path: Path) -> None:
    """Dataset and answers may lie elsewhere."""
    rows = "".join(json.dumps({"q": f"问{n}", "gold": [f"点{n}"], "doc_hint": []}) + "\n" for n in range(3))
    (tmp_path / "q.jsonl").write_text(rows, encoding="utf-8")
    (tmp_path / "a.jsonl").write_text(
        "".join(f'{{"id": "Q{n + 1}", "output": "点{n}"}}\n' for n in range(3)), encoding="utf-8"
    )
    done = cli("score", f"file://{tmp_path}/q.jsonl", f"file://{tmp_path}/a.jsonl", "--run-id", "r")

    assert done.returncode == 0, done.stderr
    assert cli("check", f"file://{tmp_path}/none.jsonl").returncode == 2
