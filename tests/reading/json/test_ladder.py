"""The JSON ladder finds the one object, names its rung, and says why it failed."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragstone.reading.json.ladder import MAX_DEPTH, MOST_PIECES, read_json
from tests.needs import sweep

DATA = Path(__file__).parents[2] / "data/json.jsonl"
ROWS = [json.loads(line) for line in DATA.read_text("utf-8").splitlines()]
quick = settings(deadline=None)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
objects = st.dictionaries(st.text(), values, min_size=1, max_size=3)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["id"])
def test_labelled_texts(row: dict[str, Any]) -> None:
    """Each labelled text has its value, rung, problem and tags (ruling R4.3)."""
    reading = read_json(row["raw"], repair=row["repair"], want=row["want"])

    assert (reading.rung, reading.problem) == (row["rung"], row["problem"])
    assert reading.value == row["value"]
    assert list(reading.tags) == row["tags"]
    assert reading.ok is (row["rung"] != "failed")


@quick
@given(objects)
def test_values_survive_any_wrapping(value: dict[str, Any]) -> None:
    """An object reads back unchanged from every rung below repair."""
    text = json.dumps(value, ensure_ascii=False)

    assert read_json(text).value == value
    assert read_json(f"```json\n{text}\n```").value == value
    assert read_json(f"<think>嗯 [1]</think>\n{text}").value == value
    assert read_json(f"结果是：{text}。").value == value


@quick
@given(objects, objects)
def test_two_objects_always_fail(one: dict[str, Any], other: dict[str, Any]) -> None:
    """No two objects become one, with repair or without."""
    text = f"{json.dumps(one)} 和 {json.dumps(other)}"

    assert read_json(text).problem == "two_objects"
    assert read_json(text, repair=True).rung == "failed"


@quick
@given(st.text(alphabet="{}[]\"\\,:1aN `~<think>/中“”‘\n'", max_size=40), st.booleans())
def test_nothing_raises(text: str, repair: bool) -> None:
    """Any string gives a reading, and only failed readings have no value."""
    reading = read_json(text, repair=repair)

    assert reading.ok is isinstance(reading.value, dict | list)
    json.dumps(reading.value, allow_nan=False)


@quick
@given(objects, st.data())
def test_a_cut_object_is_never_taken_for_whole(value: dict[str, Any], data: st.DataObject) -> None:
    """Every proper beginning of an object fails, mostly as truncated."""
    text = json.dumps(value, ensure_ascii=False)
    cut = text[: data.draw(st.integers(1, len(text) - 1))]

    assert not read_json(cut).ok


@pytest.mark.parametrize("opening", ["[", '{"a":', '[{"a":'])
def test_deep_nesting_is_refused(opening: str) -> None:
    """Nesting beyond the bound fails without a recursion error."""
    assert read_json(opening * 5000).problem == "too_deep"
    assert read_json("答：" + opening * 5000, repair=True).rung == "failed"


def test_nesting_up_to_the_bound_is_read() -> None:
    """The bound itself is allowed, and many brackets side by side are not deep."""
    assert read_json("[" * MAX_DEPTH + "]" * MAX_DEPTH).ok
    assert read_json("[" + "[]," * 5000 + "[]]").ok
    assert not read_json("[" * (MAX_DEPTH + 1) + "]" * (MAX_DEPTH + 1)).ok


def test_endless_integers_are_refused() -> None:
    """An integer of five thousand digits is a problem of its own."""
    assert read_json('{"a": ' + "1" * 5000 + "}").problem == "huge_number"


# fmt: off
PIECES = [
    "{", "[", '"', '{"', "{a:", "[[", "{}", "[]", "{//\n}", "{{}}", '{"a":{', "```", "<think>", "</think>", "{'", "}",
]
# fmt: on


@pytest.mark.parametrize("piece", sweep(PIECES, 4))
def test_hostile_lines_are_read_through(piece: str) -> None:
    """A long line of one piece fails at once, where a quadratic reader would run into the test's time limit."""
    assert not read_json("答 " + piece * (300_000 // len(piece)), repair=True).ok


def test_endless_objects_are_not_chosen_between() -> None:
    """Beyond ten thousand objects a text is not read to its end, and none is taken."""
    assert read_json('{"a": 1}\n' * (MOST_PIECES - 1), want=["a"]).ok
    assert read_json('{"a": 1}\n' * (MOST_PIECES + 1), want=["a"]).problem == "two_objects"
