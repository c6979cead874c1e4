"""Keys that stand twice."""

import gzip
from pathlib import Path

import pytest

from ragstone.datasets.syntax.repeated_keys import repeated_keys

TWICE = '{"q": "a", "q": "b"}'


def _found(path: Path) -> list[tuple[str, object]]:
    return [(str(finding.position).removeprefix(str(path)), finding.params["field"]) for finding in repeated_keys(path)]


@pytest.mark.parametrize(
    ("name", "text", "found"),
    [
        ("a.jsonl", '{"q": "a"}\n' + TWICE + "\n", [(":2", "q")]),
        ("a.jsonl", '{"a": {"b": [1, {"c": 1, "c": 2}]}}', [(":1", "a/b/1/c")]),
        ("a.jsonl", '\ufeff{"x": 1, "y": 2, "x": 1, "y": 3}', [(":1", "x"), (":1", "y")]),
        ("a.json", "[{}, " + TWICE + "]", [("#/1/q", "1/q")]),
        ("a.csv", "q,gold,q\n1,2,3\n", [(":1", "q")]),
        ("a.csv", "q;gold; q\n1;2;3\n", [(":1", "q")]),
        ("a.jsonl", '{"q": "a"}\nno json\n[1]\n', []),
        ("a.json", "{", []),
        ("a.csv", "", []),
    ],
)
def test_each_key_is_named_with_its_place(
    name: str, text: str, found: list[tuple[str, object]], tmp_path: Path
) -> None:
    """Rows by their line, a file that is one value by its pointer; what is broken is passed over."""
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")

    assert _found(path) == found


def test_folders_and_packed_files_are_looked_at(tmp_path: Path) -> None:
    """A folder's JSON files, and rows inside gzip; a damaged one ends the look."""
    (tmp_path / "questions").mkdir()
    (tmp_path / "questions" / "a.json").write_text(TWICE, encoding="utf-8")
    packed = tmp_path / "a.jsonl.gz"
    packed.write_bytes(gzip.compress(TWICE.encode()) + b"damaged")

    assert _found(tmp_path) == [("/questions/a.json#/q", "q")]
    assert _found(packed) in ([(":1", "q")], [])
