"""Pydantic's errors in our own words."""

from typing import Annotated, Any, Literal

import pytest
from pydantic import BaseModel, Field, ValidationError, field_validator

from ragstone.core.translations import in_chinese
from ragstone.datasets.fields.errors import FieldError, field_error


class Sample(BaseModel):
    """One of each."""

    text: Annotated[str, Field(min_length=2, max_length=3, pattern="^a")] = "aa"
    count: Annotated[int, Field(ge=1, lt=9)] = 1
    share: Annotated[float, Field(gt=0, le=1, allow_inf_nan=False)] = 1.0
    flag: bool = True
    items: Annotated[list[str], Field(min_length=1, max_length=2)] = ["a"]
    table: dict[str, int] = {}
    kind: Literal["x", "y"] = "x"
    own: str = ""

    @field_validator("own")
    @classmethod
    def _own(cls, value: str) -> str:
        if value:
            raise ValueError("lo 5 is above hi 1, it seems")
        return value


@pytest.mark.parametrize(
    ("field", "value", "expected"),
    [
        ("text", 5, FieldError("wrong type", "a string")),
        ("text", "a", FieldError("too short", "at least 2 characters")),
        ("text", "aaaa", FieldError("too long", "at most 3 characters")),
        ("text", "bb", FieldError("wrong value", "text that fits ^a")),
        ("count", "x", FieldError("wrong type", "a whole number")),
        ("count", 1.5, FieldError("wrong type", "a whole number")),
        ("count", 0, FieldError("out of range", "at least 1")),
        ("count", 9, FieldError("out of range", "less than 9")),
        ("share", 0, FieldError("out of range", "more than 0.0")),
        ("share", 2, FieldError("out of range", "at most 1.0")),
        ("share", float("inf"), FieldError("out of range", "a finite number")),
        ("share", "x", FieldError("wrong type", "a number")),
        ("flag", "perhaps", FieldError("wrong type", "a boolean")),
        ("items", "a", FieldError("wrong type", "an array")),
        ("items", [], FieldError("too few items", "at least 1 items")),
        ("items", ["a"] * 3, FieldError("too many items", "at most 2 items")),
        ("table", [], FieldError("wrong type", "an object")),
        ("kind", "z", FieldError("not allowed", "one of 'x' or 'y'")),
        ("own", "?", FieldError("lo 5 is above hi 1, it seems")),
    ],
)
def test_each_error_has_our_words(field: str, value: Any, expected: FieldError) -> None:
    """Nothing of the library's English is left, so all of it can be said in Chinese."""
    with pytest.raises(ValidationError) as caught:
        Sample.model_validate({field: value})

    found = field_error(caught.value.errors()[0])

    assert found == expected
    assert not expected.expected or in_chinese(expected.expected) != expected.expected


def test_an_error_nobody_knows_keeps_its_words() -> None:
    """Nothing is lost."""
    assert field_error({"type": "new_in_pydantic_9", "msg": "Something odd"}) == FieldError(
        "wrong value", "Something odd"
    )
