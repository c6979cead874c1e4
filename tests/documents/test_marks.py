"""Page marks: which lines are marks, and which text belongs to which page."""

import re
from pathlib import Path
from time import process_time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragstone.documents.marks import split_pages


def numbers(text: str) -> list[int]:
    """Return the page numbers found."""
    return [page.number for page in split_pages(text)]


@pytest.mark.parametrize(
    ("mark", "number"),
    [
        ("<!-- page 3 -->", 3),
        ("<!-- 第3页 -->", 3),
        ("第3页", 3),
        ("第 12 頁", 12),
        ("--- 第 3 页 ---", 3),
        ("—— 第３页 ——", 3),
        ("[page 3]", 3),
        ("[Page 3 of 8]", 3),
        ("Page 4", 4),
        ("PAGE 4", 4),
        ("=== Page: 4 / 9 ===", 4),
        ("【第三页】", 3),
        ("第二十一页", 21),
        ("第一百零二页", 102),
        ("第十页 共十二页", 10),
        ("第5页，共12页", 5),
        ("## 第6页", 6),
    ],
)
def test_marks(mark: str, number: int) -> None:
    """A line of its own that only names a page is a mark."""
    assert numbers(f"{mark}\n甲的陈述。\n") == [number]


@pytest.mark.parametrize(
    "line", ["见第3页", "第3页写明了租金。", "page 3 shows it", "homepage 3", "第页", "第3条", "page three", "pages 3"]
)
def test_lines_that_are_no_marks(line: str) -> None:
    """A page that is only spoken of does not begin a page."""
    assert split_pages(f"甲。\n{line}\n乙。")[0].text == f"甲。\n{line}\n乙。"


def test_text_before_page_one_belongs_to_it() -> None:
    """A title above the first mark stands on page 1."""
    pages = split_pages("# 笔录\n\n--- 第 1 页 ---\n问：姓名？\n--- 第 2 页 ---\n答：张三。\n")

    assert [page.number for page in pages] == [1, 2]
    assert "# 笔录" in pages[0].text
    assert "问：姓名？" in pages[0].text
    assert pages[1].text == "答：张三。\n"


def test_first_mark_two_means_page_one_came_before() -> None:
    """Marks may begin with the second page."""
    pages = split_pages("甲。\n[page 2]\n乙。")

    assert [(page.number, page.text.strip()) for page in pages] == [(1, "甲。"), (2, "乙。")]


def test_marks_at_the_foot() -> None:
    """When the text ends with a mark, marks close their pages."""
    pages = split_pages("甲。\n第1页\n乙。\n第2页\n")

    assert [(page.number, page.text.strip()) for page in pages] == [(1, "甲。"), (2, "乙。")]


def test_form_feeds_count_pages() -> None:
    """Without numbers every form feed begins the next page; an empty one is passed over."""
    pages = split_pages("甲。\f乙。\f\f丙。")

    assert [(page.number, page.text) for page in pages] == [(1, "甲。"), (2, "乙。"), (4, "丙。")]


def test_the_same_page_twice_is_one_page() -> None:
    """Pieces under the same number are joined."""
    pages = split_pages("[page 1]\n甲。\n[page 2]\n乙。\n[page 1]\n丙。")

    assert [page.number for page in pages] == [1, 2]
    assert "丙。" in pages[0].text


def test_no_mark_is_one_page() -> None:
    """A text without marks is page 1, to the letter."""
    assert split_pages("甲。\n乙。")[0] == split_pages("甲。\n乙。")[-1]
    assert split_pages("甲。\n乙。")[0].text == "甲。\n乙。"


@pytest.mark.parametrize("line", ["-" * 200_000, "第" * 200_000, "page " * 40_000, "[" * 70 + "page 1", "\f" * 9999])
def test_hostile_lines_are_quick(line: str) -> None:
    """No line makes the search slow."""
    start = process_time()
    split_pages(line + "\n" + line)

    assert process_time() - start < 30


@settings(deadline=None)
@given(st.text(alphabet="第页頁page 0123十百[]-\n\f甲", max_size=80))
def test_never_raises_and_numbers_are_distinct(text: str) -> None:
    """Any text has pages, each number once."""
    found = numbers(text)

    assert len(found) == len(set(found))
    assert found


@pytest.mark.parametrize("name", ["legal_rag.md", "legal_rag.zh.md"])
def test_every_mark_the_documentation_shows_is_one(name: str) -> None:
    """A page has text behind each of them."""
    text = (Path(__file__).parents[2] / "docs" / "contracts" / name).read_text(encoding="utf-8")
    (line,) = (line for line in text.splitlines() if "<!-- page 1 -->" in line)
    forms = re.findall("`([^`]+)`", line)

    assert len(forms) >= 8
    for form in forms:
        other = form.replace("1", "2").replace("一", "二")
        assert numbers(f"{form}\n甲\n{other}\n乙\n") == [1, 2], form
