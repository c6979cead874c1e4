"""Source documents page by page."""

from pathlib import Path

import pytest

from ragstone.contracts.legal_rag.sources.pages import Library

TEXT = """<!-- page 1 -->
案由：甲案
问：多少钱？
答：一共四千元，
<!-- page 2 -->
分两次给的。
问：给谁了？
答：给了乙。
"""


@pytest.fixture
def library(tmp_path: Path) -> Library:
    """A folder with one transcript."""
    (tmp_path / "笔录.md").write_text(TEXT, encoding="utf-8")
    return Library(tmp_path)


def test_words_are_found_on_their_page(library: Library) -> None:
    """A page holds what stands on it and nothing else."""
    paper = library.paper("笔录.pdf")

    assert paper is not None
    assert paper.holds(1, "一共…四千元")
    assert not paper.holds(2, "一共四千元")
    assert not paper.holds(9, "一共四千元")
    assert paper.find("给了乙") == (2,)


@pytest.mark.parametrize(
    ("page", "words", "speaker"),
    [
        (1, "案由", "header"),
        (1, "多少钱", "question"),
        (1, "四千元", "answer"),
        (2, "分两次", "answer"),
        (2, "给谁", "question"),
    ],
)
def test_speakers_are_known_also_over_a_page_break(library: Library, page: int, words: str, speaker: str) -> None:
    """问/答 structure tells who says what."""
    paper = library.paper("笔录")

    assert paper is not None
    assert paper.speakers(page, words) == {speaker}


def test_a_text_without_turns_has_no_speakers(tmp_path: Path) -> None:
    """A plain document is no transcript."""
    (tmp_path / "a.txt").write_text("甲给乙四千元。", encoding="utf-8")
    paper = Library(tmp_path).paper("a")

    assert paper is not None
    assert paper.speakers(1, "四千元") == frozenset()


def test_documents_are_found_by_any_name_or_none(library: Library, tmp_path: Path) -> None:
    """One document needs no name; a name that is not there is not at hand."""
    assert library.paper(None) is library.paper("docs/笔录.docx")
    assert library.paper("别的.md") is None
    assert library.source("别的.md") is None
    assert Library(None).source(None) is None
    (tmp_path / "b.md").write_text("乙", encoding="utf-8")
    both = Library(tmp_path)
    assert both.paper(None) is None
    assert both.source(None) is not None


def test_of_many_documents_those_wanted_last_are_held(tmp_path: Path) -> None:
    """One that was let go is read again, and says the same."""
    for name in "abc":
        (tmp_path / f"{name}.md").write_text(f"{name} owes 4000 yuan.", encoding="utf-8")
    few = Library(tmp_path, most=40)
    first, second, third = (few.paper(name) for name in "abc")

    assert few.paper("b") is second
    assert few.paper("c") is third
    again = few.paper("a")
    assert again is not first
    assert again is not None
    assert again.holds(1, "a owes 4000")
    assert few.paper("b") is not second
    both = few.source(None)
    assert both is not None
    assert both.text == "a owes 4000 yuan.\nb owes 4000 yuan.\nc owes 4000 yuan."
