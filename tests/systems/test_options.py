"""Options as a user writes them, sorted and checked."""

import pytest
from msgspec import Struct

from ragstone.errors import ConnectError
from ragstone.systems.options import fields, refuse_unknown, take


class Some(Struct, frozen=True, kw_only=True):
    """Options of a part."""

    number: float = 1.0
    flag: bool = False
    table: dict[str, int] = {}


def test_text_from_a_command_line() -> None:
    """Numbers, flags and JSON may be written as text; names of other parts are left to them."""
    taken = take({"number": "2.5", "flag": "true", "table": '{"a": 1}', "other": 1}, Some, "s")

    assert taken == Some(number=2.5, flag=True, table={"a": 1})


@pytest.mark.parametrize("options", [{"number": "many"}, {"table": "{"}, {"flag": 7}])
def test_wrong_values(options: dict[str, object]) -> None:
    """A value that cannot be meant is refused with its place."""
    with pytest.raises(ConnectError, match=next(iter(options))):
        take(options, Some, "s")


def test_unknown_names() -> None:
    """An option nobody knows is refused with those there are."""
    with pytest.raises(ConnectError, match=r"numbr.*number"):
        refuse_unknown({"numbr": 1}, fields(Some), "s")
