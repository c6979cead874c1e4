"""Datasets and recorded answers that are one JSON value."""

import gzip
import json
import tracemalloc
from collections import deque
from collections.abc import Callable
from functools import partial
from io import BytesIO
from pathlib import Path

import pytest
from hypothesis import given, strategies

from ragstone.core.types import JSON
from ragstone.datasets.check import load_cases, open_contract
from ragstone.datasets.syntax import arrays
from ragstone.datasets.syntax.arrays import BrokenError, items, parts
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


_long = partial(pytest.param, marks=pytest.mark.long)


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (lambda: b"[%b[]]" % (b"[]," * 600_001), "expected a JSON object, found array"),
        (lambda: b'[{"q":"a","gold":["b"],"x":[%b0]}]' % (b"[]," * 600_001), "more than 500000 values"),
        (lambda: b'[{"q":"a","gold":["%b"]}]' % (b"x" * (17 << 20)), "longer than 16777216 bytes"),
        (lambda: b'[{"q":%b}]' % (b"[" * 3_000_000), "nested too deeply"),
        _long(lambda: b"[%b0]" % (b"0," * 600_001), "expected a JSON object, found number"),
        _long(lambda: b'{"questions":[%b{}]}' % (b"{}," * 60_000), "'q' is missing"),
        _long(lambda: b'[{"q":"a","gold":["%b' % (b"x" * (17 << 20)), "longer than 16777216 bytes"),
        _long(lambda: b"[" + b" " * 30_000_000, "truncated"),
    ],
    ids=["lists", "row", "giant", "deep", "numbers", "questions", "unterminated", "blank"],
)
def test_a_hostile_array_takes_little_memory(
    tmp_path: Path, process: Cli, content: Callable[[], bytes], told: str
) -> None:
    """What is wrong is named, in a process that has no memory to hold its values."""
    (tmp_path / "many.json").write_bytes(content())
    small = f"import resource; resource.setrlimit(resource.RLIMIT_AS, ({500 << 20}, {500 << 20}))\n"
    (tmp_path / "sitecustomize.py").write_text(small)

    done = process(
        "check",
        "many.json",
        "--contract",
        "key_points",
        env={"PYTHONPATH": str(tmp_path), "RAGSTONE_LANGUAGE": "en"},
    )

    assert (done.returncode, told in done.stdout + done.stderr) == (2, True), done.stdout[-500:] + done.stderr


def test_a_value_without_an_end_is_given_up_at_its_bound() -> None:
    """No more is read of it than the bound and a piece."""
    file = BytesIO(b'[{"q":"' + b"x" * 10_000_000)

    with pytest.raises(BrokenError) as caught:
        list(parts(file, 1000))

    assert caught.value.broken.code == "row.too_long"
    assert file.tell() < 1_000_000


def test_a_large_array_is_streamed() -> None:
    """Of 20 MB of rows a few are held, in an array and in an object that holds one."""
    rows = b",".join(b'{"q": "%d", "gold": ["%b"]}' % (number, b"x" * 1000) for number in range(20_000))

    for content, pointer in ((b"[%b]" % rows, "/19999"), (b'{"data": [%b], "v": 1}' % rows, "/data/19999")):
        tracemalloc.start()
        *_, last = deque(items(partial(BytesIO, content)), maxlen=1)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()

        assert last.pointer == pointer and peak < 4 << 20


@pytest.mark.parametrize("packed", [False, True])
def test_repeated_names_and_lone_surrogates(tmp_path: Path, cli: Cli, packed: bool) -> None:
    """Of members with one name the last counts, and is warned of; half of a surrogate pair is kept."""
    text = '{"data": [{"q": "old", "gold": ["x"]}], "data": [{"q": "\\ud83d?", "q": "\\ud83d!", "gold": ["y"]}]}'
    name = "set.json.gz" if packed else "set.json"
    (tmp_path / name).write_bytes(gzip.compress(text.encode()) if packed else text.encode())

    done = cli("check", name)
    (case,) = load_cases(open_contract(tmp_path / name))

    assert case.question == "\ud83d!" and done.returncode == 0
    assert f"{name}#/data/0/q: warning" in done.stdout and f"{name}#/data: warning" in done.stdout


VALUES = strategies.recursive(
    strategies.none() | strategies.booleans() | strategies.integers() | strategies.text(max_size=8),
    lambda inner: strategies.lists(inner, max_size=4) | strategies.dictionaries(strategies.text(max_size=4), inner),
    max_leaves=20,
)


@given(VALUES, strategies.integers(1, 40), strategies.booleans())
def test_every_value_is_split_as_a_decoder_reads_it(value: JSON, chunk: int, spaced: bool) -> None:
    """However it is cut into pieces while it is read."""
    text = json.dumps(value, indent=1 if spaced else None, ensure_ascii=spaced).encode()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(arrays, "_CHUNK", chunk)
        found = list(parts(BytesIO(text)))

    if isinstance(value, list):
        assert [json.loads(part.raw) for part in found] == value
    elif isinstance(value, dict):
        held: dict[str, JSON] = {}
        for part in found:
            one = json.loads(part.raw)
            held[part.name or ""] = one if part.place is None else [*held.get(part.name or "", []), one]
        assert held == value
    else:
        assert [json.loads(part.raw) for part in found] == [value]


@given(VALUES, strategies.integers(0, 60), strategies.sampled_from(list(',:[]{}"x\\ 1')))
def test_what_no_decoder_reads_is_broken(value: JSON, at: int, mark: str) -> None:
    """A character too many, or an end too early, is found here or in a part."""
    text = json.dumps(value)
    for damaged in (text[:at] + mark + text[at:], text[:at]):
        try:
            expected = json.loads(damaged)
        except ValueError:
            expected = BrokenError
        try:
            whole = [json.loads(part.raw) for part in parts(BytesIO(damaged.encode()))]
            assert expected is not BrokenError or not damaged, (damaged, whole)
        except (BrokenError, ValueError):
            assert expected is BrokenError, damaged
