"""Datasets and recorded answers that are one JSON value."""

import json
from pathlib import Path

import pytest

from ragstone.core.types import JSON
from ragstone.datasets.check import load_cases, open_contract
from tests.conftest import Cli

ROWS: list[dict[str, JSON]] = [
    {"q": "几点开门？", "gold": ["九点"], "id": "a"},
    {"q": "几点关门？", "gold": "五点", "id": "b"},
]
RAGAS = [{"user_input": row["q"], "reference": row["gold"], "response": "九点开门"} for row in ROWS]
SHAPES = {
    "array": json.dumps(ROWS),
    "indented": "\ufeff" + json.dumps(ROWS, indent=2, ensure_ascii=False).replace("\n", "\r\n"),
    "one row": json.dumps(ROWS[:1]),
    "held": json.dumps({"version": 2, "tags": ["x"], "data": ROWS}),
    "a single object": json.dumps(ROWS[0]),
    "lines": "\n".join(map(json.dumps, ROWS)),
    "columns of Ragas": json.dumps(RAGAS),
    "held by `questions`": json.dumps({"name": "mine", "questions": ROWS}),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_every_shape_is_read(tmp_path: Path, shape: str) -> None:
    """The contract is recognised, the cases are the same, and gold may be one text."""
    path = tmp_path / "set.json"
    path.write_text(SHAPES[shape], encoding="utf-8")

    cases = list(load_cases(open_contract(path)))

    assert [case.question for case in cases] == [row["q"] for row in ROWS][: len(cases)]
    assert len(cases) == (1 if shape in {"one row", "a single object"} else 2)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('[{"q": "甲", "gold": ["乙"]},]', "trailing comma"),
        ('[{"q": "甲", "gold": ["乙"]}, 7]', "set.json#/1: error: expected a JSON object, found number"),
        ('[{"q": "甲", "gold": ["乙"]}, {"q": "丙"}]', "set.json#/1: case Q2: error: field 'gold' is missing"),
        ("[]", "has no cases"),
        ("", "has no cases"),
        ('[{"q": "甲", "gold": ["乙"]}', "truncated"),
    ],
)
def test_what_is_wrong_is_told_with_its_place(cli: Cli, tmp_path: Path, text: str, told: str) -> None:
    """By a JSON pointer where there are no lines."""
    (tmp_path / "set.json").write_text(text, encoding="utf-8")

    done = cli("check", "set.json")

    assert done.returncode == 2 and "Traceback" not in done.stderr
    assert told in done.stdout + done.stderr


def test_an_array_walks_the_whole_way(cli: Cli, tmp_path: Path) -> None:
    """Run, answers recorded in an array, a part of it, worker processes, and conversion."""
    (tmp_path / "set.json").write_text(SHAPES["held"], encoding="utf-8")
    answers = [{"id": "a", "output": "九点"}, {"id": "b", "output": "五点"}]
    (tmp_path / "answers.json").write_text(json.dumps(answers), encoding="utf-8")

    for words in (
        ("run", "set.json", "--mock"),
        ("score", "set.json", "answers.json", "--workers", "2"),
        ("subset", "set.json", "part.json", "-n", "1"),
        ("subset", "set.json", "part.jsonl", "-n", "1"),
        ("check", "part.json"),
        ("check", "part.jsonl"),
        ("new", "key_points", "made", "--from", "set.json"),
    ):
        done = cli(*words)
        assert done.returncode == 0, f"{words}: {done.stdout}{done.stderr}"
    assert json.loads((tmp_path / "part.json").read_text(encoding="utf-8"))["version"] == 2


@pytest.mark.parametrize(
    "content",
    [b"[%b[]]" % (b"[]," * 2_000_001), b"[%b0]" % (b"0," * 2_000_001), b'{"questions":[%b{}]}' % (b"{}," * 2_000_001)],
    ids=["lists", "numbers", "questions"],
)
def test_an_array_of_very_many_values_is_not_unfolded(tmp_path: Path, process: Cli, content: bytes) -> None:
    """Its limit is named, in a process that has no memory to hold it whole."""
    (tmp_path / "many.json").write_bytes(content)
    small = f"import resource; resource.setrlimit(resource.RLIMIT_AS, ({500 << 20}, {500 << 20}))\n"
    (tmp_path / "sitecustomize.py").write_text(small)

    done = process("check", "many.json", env={"PYTHONPATH": str(tmp_path), "RAGSTONE_LANGUAGE": "en"})

    assert (done.returncode, "more than 2000000 values" in done.stdout + done.stderr) == (2, True), done.stderr
