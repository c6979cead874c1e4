"""Names into contracts and systems."""

import pytest

from ragstone.core.errors import SettingError
from ragstone.core.registry import connect, contract_names, contract_type, system_names
from tests.conftest import PlugIn


def test_an_unknown_name_lists_the_known_ones() -> None:
    """The message says what there is and how to add one."""
    with pytest.raises(SettingError, match=r"key_points.*ragstone\.contracts"):
        contract_type("nope")


def test_a_plug_in_is_found_by_its_entry_point(plug_in: PlugIn) -> None:
    """A third party's package adds a name without a change here."""
    site = plug_in("ragstone.systems", "strange", "third_party:connect")
    (site / "third_party.py").write_text("def connect(argument, options): return (argument, options)\n")

    assert "strange" in system_names()
    made: object = connect("strange:x", {"a": 1})
    assert made == ("x", {"a": 1})


def test_a_broken_plug_in_is_named(plug_in: PlugIn) -> None:
    """What cannot be imported says so, with its target."""
    plug_in("ragstone.contracts", "broken", "no_such_module:X")

    assert "broken" in contract_names()
    with pytest.raises(SettingError, match="no_such_module"):
        contract_type("broken")
