"""Tests of reading the one JSON object of an answer (R4.3)."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragstone.contracts.eval_json_v2.read import read_answer
from ragstone.contracts.eval_json_v2.terms import FIELDS
from ragstone.core.types import Answer

from .samples import PERFECT, make_answer


def test_plain_object_is_read_directly() -> None:
    """A bare object gives the seven fields in the document's order, and nothing is tagged."""
    reading = read_answer(make_answer(note="extra fields are left out"))

    assert reading.rung == "direct"
    assert tuple(reading.fields) == FIELDS
    assert reading.tags == ()


@pytest.mark.parametrize(
    ("output", "tags"),
    [
        ("```json\n{}\n```", ("fence",)),
        ("```\n{}\n```", ("fence",)),
        ('<think>想一想 {"a": 1}</think>{}', ("think",)),
        ("<think>想</think>\n```json\n{}\n```", ("think", "fence")),
    ],
)
def test_r4_3_fence_and_think_are_tolerated_and_tagged(output: str, tags: tuple[str, ...]) -> None:
    """R4.3: a code fence or a think block around the object is tolerated and tagged."""
    reading = read_answer(make_answer(output))

    assert reading.rung == "unfenced"
    assert reading.tags == tags


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "empty"),
        (" \n", "empty"),
        ("我不知道。", "not_json"),
        ("{'target_audience': '鎮民'}", "not_json"),
        ("[1, 2]", "not_object"),
        ('"字串"', "not_object"),
        ("null", "not_object"),
        ('{"target_audience": "鎮', "truncated"),
        ("{}", "missing_field"),
        ('{"target_audience": NaN}', "not_finite"),
        ('{"target_audience": "\\ud83d"}', "not_unicode"),
    ],
)
def test_r4_3_what_is_no_object_fails(text: str, problem: str) -> None:
    """R4.3: text that is not one JSON object with seven fields cannot be read, and says why."""
    reading = read_answer(Answer(text=text))

    assert (reading.rung, reading.problem) == ("failed", problem)


@pytest.mark.parametrize(
    ("output", "problem"),
    [
        ("好的：{}", "prose"),
        ("{}\n希望有幫助！", "prose"),
        ("答案：\n```json\n{}\n```", "prose"),
        ("```json\n{}\n```\n以上為答案。", "prose"),
        ("{}{}", "two_objects"),
        ("{}\n\n{}", "two_objects"),
        ("```json\n{}\n```\n```json\n{}\n```", "two_objects"),
        ("cut", "truncated"),
    ],
)
def test_r4_3_more_or_less_than_one_object_fails(output: str, problem: str) -> None:
    """R4.3: prose around it, a second object and a cut one are no single JSON object."""
    reading = read_answer(make_answer(output))

    assert (reading.rung, reading.problem) == ("failed", problem)


@pytest.mark.parametrize("name", FIELDS)
def test_r4_3_missing_field_fails(name: str) -> None:
    """R4.3: each of the seven fields must be there."""
    reading = read_answer(make_answer(**{name: None}))

    assert reading.problem == "missing_field"
    assert reading.tags == (f"missing:{name}",)


@pytest.mark.parametrize("name", FIELDS)
@pytest.mark.parametrize("value", [5, True, {"a": 1}, [[]]])
def test_r4_3_wrong_type_fails(name: str, value: Any) -> None:
    """R4.3: a field of another type than the document's fails; what stands inside source_map only costs grounding."""
    reading = read_answer(make_answer(**{name: value}))

    fits = name == "source_map" and isinstance(value, list)
    assert reading.problem == (None if fits else "wrong_type")


def test_more_items_than_asked_for_are_tagged() -> None:
    """Nine descriptions and six questions are tolerated and tagged."""
    reading = read_answer(make_answer(detailed_description=["甲"] * 9, predicted_questions=["乙"] * 6))

    assert reading.rung == "direct"
    assert reading.tags == ("over_limit:detailed_description", "over_limit:predicted_questions")


def test_structured_data_is_taken_as_it_is() -> None:
    """A system that gives an object instead of text is read from the object."""
    reading = read_answer(Answer(text="see data", data=PERFECT))

    assert reading.fields == PERFECT


def test_foreign_data_is_no_answer() -> None:
    """Data without any of the fields, such as a service's whole reply, leaves the text to be read."""
    reading = read_answer(Answer(text=json.dumps(PERFECT), data={"choices": []}))

    assert reading.fields == PERFECT


@pytest.mark.parametrize(("output", "raw"), [("好的：{}", "prose"), ("cut", "truncated")])
def test_repair_says_what_was_wrong(output: str, raw: str) -> None:
    """With repair on a broken object is read, and the tags tell that it was and why."""
    reading = read_answer(make_answer(output), repair=True)

    assert reading.tags[:2] == ("repaired", f"raw:{raw}")


def test_repair_leaves_good_answers_alone() -> None:
    """With repair on an object that reads well is read as before."""
    assert read_answer(make_answer(), repair=True) == read_answer(make_answer())


@given(st.text(max_size=60) | st.text(alphabet='{}[]":,\\`think<>/a1 \n', max_size=60))
@settings(deadline=None)
def test_never_raises(text: str) -> None:
    """No text breaks the reader, with or without repair."""
    assert read_answer(Answer(text=text)).rung == "failed"
    assert read_answer(Answer(text=text), repair=True).problem is not None
