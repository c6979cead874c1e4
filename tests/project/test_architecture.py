"""docs/architecture.md: its picture is the real imports, and every file it names is there."""

import re
from pathlib import Path

import pytest

from scripts import make_architecture

ROOT = Path(__file__).parents[2]
NAMED = re.compile(r"`((?:[\w.]+/)*[\w.]+(?:/\w+|\.(?:py|md|toml)))`")
PAGES = ["architecture.md", "architecture.zh.md"]


def test_the_picture_is_that_of_the_imports() -> None:
    """Otherwise: uv run python scripts/make_architecture.py."""
    drawn = make_architecture.TARGET.read_text(encoding="utf-8")

    assert drawn == make_architecture.picture()


def test_every_package_is_in_the_picture() -> None:
    """A package that no layer names would be drawn nowhere."""
    names = {name for row in make_architecture.layers() for name in row}
    packages = {path.parent.name for path in (ROOT / "src" / "ragstone").glob("*/__init__.py")}

    assert names == packages


def test_a_folder_has_a_dozen_modules_at_most() -> None:
    """More than that, and a newcomer looks for the right one."""
    folders = {path.parent for path in (ROOT / "src" / "ragstone").rglob("*.py")}
    modules = {folder: [one for one in folder.glob("*.py") if one.name != "__init__.py"] for folder in folders}

    assert [folder.name for folder, names in modules.items() if len(names) > 12] == []


@pytest.mark.parametrize("page", PAGES)
def test_every_file_it_names_is_there(page: str) -> None:
    """From the repository's root, or from the package."""
    named = NAMED.findall((ROOT / "docs" / page).read_text(encoding="utf-8"))

    missing = [name for name in named if not any((base / name).exists() for base in (ROOT, ROOT / "src" / "ragstone"))]

    assert len(named) > 40
    assert missing == []


def test_both_languages_name_the_same_files() -> None:
    """In the same order."""
    first, second = (NAMED.findall((ROOT / "docs" / page).read_text(encoding="utf-8")) for page in PAGES)

    assert first == second
