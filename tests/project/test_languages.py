"""Every page of the docs that users read stands there in English and in Chinese."""

from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"
FOR_MAINTAINERS = {"dependencies.md", "performance.md", "real-model.md", "releasing.md", "testing.md"}
"""Pages about building Ragstone, in the language of its code; the design notes are, too."""
BOTH_IN_ONE = {"glossary.md"}
PAGES = sorted(
    path.relative_to(DOCS).as_posix()
    for path in [*DOCS.glob("*.md"), *(DOCS / "contracts").glob("*.md")]
    if not path.name.endswith(".zh.md") and path.name not in FOR_MAINTAINERS | BOTH_IN_ONE
)


@pytest.mark.parametrize("page", PAGES)
def test_a_page_has_its_chinese_sibling(page: str) -> None:
    """And a link leads from either to the other."""
    english = (DOCS / page).read_text(encoding="utf-8")
    sibling = DOCS / page.replace(".md", ".zh.md")
    chinese = sibling.read_text(encoding="utf-8") if sibling.is_file() else ""

    assert chinese, f"write {sibling.name}"
    assert f"({sibling.name})" in english
    assert f"({Path(page).name})" in chinese


def test_no_chinese_page_stands_alone() -> None:
    """A page that was renamed takes its sibling along."""
    alone = [
        path.name for path in DOCS.rglob("*.zh.md") if not path.with_name(path.name.replace(".zh.md", ".md")).exists()
    ]

    assert alone == []
