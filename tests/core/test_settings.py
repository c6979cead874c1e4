"""Environment, file and flags into one value."""

from pathlib import Path

import pytest

from ragstone.core.errors import SettingError
from ragstone.core.settings import Settings, read_settings


def test_defaults_hold_when_nothing_is_set(monkeypatch: pytest.MonkeyPatch) -> None:
    """An empty environment gives the defaults."""
    monkeypatch.delenv("RAGSTONE_OFFLINE")
    monkeypatch.delenv("RAGSTONE_OFFLINE_ALLOW")

    assert read_settings() == Settings()


def test_flags_win_over_environment_over_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The nearest wish counts."""
    (tmp_path / "ragstone.toml").write_text("concurrency = 2\ntimeout = 5\nruns_dir = 'a'\n")
    monkeypatch.setenv("RAGSTONE_CONCURRENCY", "3")
    monkeypatch.setenv("RAGSTONE_TIMEOUT", "6.5")

    settings = read_settings({"concurrency": 4, "timeout": None})

    assert (settings.concurrency, settings.timeout, settings.runs_dir) == (4, 6.5, "a")


@pytest.mark.parametrize(
    ("content", "word"),
    [
        ("concurency = 2", "concurency"),
        ("concurrency = 'many'", "concurrency"),
        ("concurrency = 0", "concurrency"),
        ("language = 'fr'", "language"),
        ("x = ", "ragstone.toml"),
    ],
)
def test_a_wrong_file_is_refused_by_name(tmp_path: Path, content: str, word: str) -> None:
    """The message says which setting is wrong."""
    (tmp_path / "ragstone.toml").write_text(content)

    with pytest.raises(SettingError, match=word):
        read_settings()


def test_a_language_is_read_as_a_locale() -> None:
    """zh_TW is Traditional Chinese."""
    assert read_settings({"language": "zh_TW"}).language == "zh-Hant"


def test_lists_stand_apart_by_commas(monkeypatch: pytest.MonkeyPatch) -> None:
    """A variable can hold a list."""
    monkeypatch.setenv("RAGSTONE_ALLOWED_HOSTS", "a.example, b.example,")

    assert read_settings().allowed_hosts == ("a.example", "b.example")


def test_tables_name_systems_and_datasets(tmp_path: Path) -> None:
    """Two kinds of table are settings; others belong to somebody else."""
    (tmp_path / "ragstone.toml").write_text(
        "[systems.rag]\nsystem = 'builtin:docs'\n[datasets.faq]\npath = 'faq.jsonl'\n[other]\nx = 1\n"
    )

    settings = read_settings()

    assert settings.systems == {"rag": {"system": "builtin:docs"}}
    assert settings.datasets["faq"].path == "faq.jsonl"


def test_a_wrong_table_is_refused_by_name(tmp_path: Path) -> None:
    """A slip in a table is told, not passed over."""
    (tmp_path / "ragstone.toml").write_text("[datasets.faq]\npth = 'faq.jsonl'\n")

    with pytest.raises(SettingError, match="pth"):
        read_settings()


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("concurrency", "abc", "RAGSTONE_CONCURRENCY cannot be 'abc'. Give a whole number."),
        ("concurrency", "2.5", "RAGSTONE_CONCURRENCY cannot be '2.5'. Give a whole number."),
        ("concurrency", "0", "RAGSTONE_CONCURRENCY cannot be '0'. Give a whole number of 1 or more."),
        ("timeout", "0", "RAGSTONE_TIMEOUT cannot be '0'. Give a number of seconds greater than 0."),
        ("timeout", "inf", "RAGSTONE_TIMEOUT cannot be 'inf'. Give a number of seconds greater than 0."),
        ("timeout", "soon", "RAGSTONE_TIMEOUT cannot be 'soon'. Give a number."),
        ("mask_private", "maybe", "RAGSTONE_MASK_PRIVATE cannot be 'maybe'. Write 1 or 0."),
    ],
)
def test_a_wrong_variable_is_named(monkeypatch: pytest.MonkeyPatch, name: str, value: str, said: str) -> None:
    """What was set, to what, and what it should be; no word of the library that read it."""
    monkeypatch.setenv(f"RAGSTONE_{name.upper()}", value)

    with pytest.raises(SettingError) as caught:
        read_settings()

    assert str(caught.value) == said


def test_a_wrong_value_of_the_file_is_named_with_the_file(tmp_path: Path) -> None:
    """The file is where it is to be fixed."""
    (tmp_path / "ragstone.toml").write_text("port = 'eight'\nhost = 5\n")

    with pytest.raises(SettingError, match=r"ragstone.toml: host cannot be '5'. Give a text in quotation marks."):
        read_settings()
    with pytest.raises(SettingError, match=r"^port cannot be 'nine'. Give a whole number.$"):
        read_settings({"port": "nine", "host": "h"})
