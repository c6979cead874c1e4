"""Environment, file and flags into one value."""

from pathlib import Path

import pytest

from ragstone.errors import SettingError
from ragstone.settings import Settings, read_settings


def test_defaults_hold_when_nothing_is_set() -> None:
    """An empty environment gives the defaults."""
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
