"""What a case expects, for people to read."""

from dataclasses import dataclass

import pytest
from msgspec import Struct

from ragstone.core.types import Case, Position
from ragstone.report.rows import gold_of


class Points(Struct):
    """An expectation as contracts hold it."""

    points: tuple[str, ...]
    note: str = ""


@dataclass
class Odd:
    """An expectation that holds what JSON cannot."""

    value: object


@pytest.mark.parametrize(
    ("gold", "shown"),
    [
        (Points(("三十天",)), {"points": ["三十天"]}),
        ("三十天", "三十天"),
        (None, None),
        ({"a": [{"b": ""}]}, {"a": [{}]}),
    ],
)
def test_gold_is_shown_as_plain_values(gold: object, shown: object) -> None:
    """Nothing that is empty, whatever the contract made of it."""
    assert gold_of(Case(id="1", question="?", gold=gold, position=Position("c.jsonl"))) == shown


def test_gold_that_is_no_json_is_shown_as_text() -> None:
    """A third party's contract may hold anything."""
    gold = Odd(object)

    assert gold_of(Case(id="1", question="?", gold=gold, position=Position("c.jsonl"))) == str(gold)
