"""Pydantic's errors in our own words."""

from typing import Annotated, Any, Literal

import pytest
from pydantic import BaseModel, Field, ValidationError, field_validator

from ragstone.core.translations import in_chinese
from ragstone.datasets.field_errors import Misfit, misfit


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
        ("text", 5, Misfit("wrong type", "a string")),
        ("text", "a", Misfit("too short", "at least 2 characters")),
        ("text", "aaaa", Misfit("too long", "at most 3 characters")),
        ("text", "bb", Misfit("wrong value", "text that fits ^a")),
        ("count", "x", Misfit("wrong type", "a whole number")),
        ("count", 1.5, Misfit("wrong type", "a whole number")),
        ("count", 0, Misfit("out of range", "at least 1")),
        ("count", 9, Misfit("out of range", "less than 9")),
        ("share", 0, Misfit("out of range", "more than 0.0")),
        ("share", 2, Misfit("out of range", "at most 1.0")),
        ("share", float("inf"), Misfit("out of range", "a finite number")),
        ("share", "x", Misfit("wrong type", "a number")),
        ("flag", "perhaps", Misfit("wrong type", "a boolean")),
        ("items", "a", Misfit("wrong type", "an array")),
        ("items", [], Misfit("too few items", "at least 1 items")),
        ("items", ["a"] * 3, Misfit("too many items", "at most 2 items")),
        ("table", [], Misfit("wrong type", "an object")),
        ("kind", "z", Misfit("not allowed", "one of 'x' or 'y'")),
        ("own", "?", Misfit("lo 5 is above hi 1, it seems")),
    ],
)
def test_each_error_has_our_words(field: str, value: Any, expected: Misfit) -> None:
    """Nothing of the library's English is left, so all of it can be said in Chinese."""
    with pytest.raises(ValidationError) as caught:
        Sample.model_validate({field: value})

    found = misfit(caught.value.errors()[0])

    assert found == expected
    assert not expected.expected or in_chinese(expected.expected) != expected.expected


def test_an_error_nobody_knows_keeps_its_words() -> None:
    """Nothing is lost."""
    assert misfit({"type": "new_in_pydantic_9", "msg": "Something odd"}) == Misfit("wrong value", "Something odd")
