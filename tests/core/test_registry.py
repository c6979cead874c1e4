"""Names into contracts and systems."""

from importlib import metadata
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from ragstone.core.errors import SettingError
from ragstone.core.registry import connect, contract_names, contract_type, system_names


def test_an_unknown_name_lists_the_known_ones() -> None:
    """The message says what there is and how to add one."""
    with pytest.raises(SettingError, match=r"key_points.*ragstone\.contracts"):
        contract_type("nope")


def test_a_plug_in_is_found_by_its_entry_point(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A third party's package adds a name without a change here."""
    (tmp_path / "third_party.py").write_text("def connect(argument, options): return (argument, options)\n")
    point = EntryPoint("strange", "third_party:connect", "ragstone.systems")
    monkeypatch.setattr(metadata, "entry_points", lambda group: [point] if group == "ragstone.systems" else [])

    assert "strange" in system_names()
    made: object = connect("strange:x", {"a": 1})
    assert made == ("x", {"a": 1})


def test_a_broken_plug_in_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """What cannot be imported says so, with its target."""
    point = EntryPoint("broken", "no_such_module:X", "ragstone.contracts")
    monkeypatch.setattr(metadata, "entry_points", lambda group: [point])

    assert "broken" in contract_names()
    with pytest.raises(SettingError, match="no_such_module"):
        contract_type("broken")
