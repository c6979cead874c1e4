"""Citations: what a text names is found, joined and compared as a careful reader would."""

import cProfile
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragstone.reading.citations.find import LONGEST_ANSWER, document_key, find_citations
from tests.needs import many

ROWS = [
    json.loads(line)
    for line in (Path(__file__).parents[2] / "data" / "citations.jsonl").read_text("utf-8").splitlines()
]


@pytest.mark.parametrize("row", ROWS, ids=[row["id"] for row in ROWS])
def test_labelled_row(row: dict[str, Any]) -> None:
    """Every labelled text yields its documents, pages and quotes, and nothing else."""
    expected = {(document_key(file) if file else None, page, quote) for file, page, quote in row["expected"]}

    found = find_citations(row["text"], row.get("known", ()), row.get("references", ()))

    assert {(document_key(one.file) if one.file else None, one.page, one.quote) for one in found} == expected


@given(st.text(max_size=200))
@settings(deadline=None)
def test_any_text_is_read(text: str) -> None:
    """Nothing raises, and every citation lies inside its text."""
    found = find_citations(text, known=["orchid_faq.md", text], references=[text])

    assert all(0 <= one.start <= one.end <= len(text) for one in found)


@given(st.text(alphabet='《》「」“”"[]()【】1第页頁pP.md-–,，。\n\\_a/:#参考见%', max_size=80))
@settings(max_examples=many(300), deadline=None)
def test_signs_of_citations_are_read(text: str) -> None:
    """Nothing raises on texts made of the very signs that citations are made of."""
    found = find_citations(text, known=["a.md"], references=["a.md", text])

    assert all(one.file != "" and 0 <= one.start <= one.end <= len(text) for one in found)


@pytest.mark.parametrize(
    "unit", ["[1]", ".md", "](", '"a', "“", "第", "a/", "p.1", "《a》", "参考", "a.md 第3页", "\n[1] ", "[a](", "\\["]
)
def test_hostile_line_is_read_in_linear_time(unit: str) -> None:
    """A long line of one repeated sign is read; the run's own time limit guards the speed."""
    text = unit * (100_000 // len(unit))

    found = find_citations(text, references=["a.md"])

    assert len(found) <= len(text)


def test_a_hostile_line_is_looked_through_to_its_bound() -> None:
    """What stands beyond the bound costs nothing and is not found."""
    early, late = "见 early.md。", "见 late.md。"

    found = find_citations(early + "。" * LONGEST_ANSWER + late)

    assert [citation.file for citation in found] == ["early.md"]


MARKS = (
    *("第1页", "《a》", "a.md第1页", "](a.md", "第1页“ab”", "「ab」", "“ab”", "来源：a_b ", "\n1. a.md", "[x](a.md)"),
    *("guide.md ", "\n[1] a", "p.1 ", "pages 1-50, ", "第1-50页、", "http://a.b/c ", "ａ．ｍｄ "),
)


@pytest.mark.parametrize("piece", MARKS)
def test_marks_beyond_a_bound_cost_nothing(piece: str) -> None:
    """Three times a text that is nothing but marks takes hardly more calls than the text."""
    short, long = (calls(piece * (size // len(piece))) for size in (60_000, 180_000))

    assert long < 1.3 * short


def calls(text: str) -> int:
    """How many functions are called to find what a text cites."""
    profile = cProfile.Profile()
    profile.runcall(find_citations, text, ["a.md"])
    return sum(entry.callcount for entry in profile.getstats())


def test_an_answer_with_a_thousand_citations_is_read_through() -> None:
    """The bound lies far beyond what an answer names."""
    found = find_citations("".join(f"见 guide{at}.md 第{at}页。" for at in range(1, 1001)))

    assert found[-1].file == "guide1000.md"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("租期为三年[1]。", [1]),
        ("For three years[2].", [2]),
        ("利息为百分之五【1】【4】。", [1, 4]),
        ("见［3-5］", [3, 4, 5]),
        ("数组 arr[1] 的值为 5。", []),
    ],
)
def test_numbers_without_a_list_are_told_when_asked_for(text: str, expected: list[int]) -> None:
    """[1] that stands for nothing known is told by its number, an index of code is not, and unasked neither is."""
    assert [one.number for one in find_citations(text, numbers=True)] == expected
    assert find_citations(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "这一说法不是来自 guide.md。",
        "该内容并非出自《guide.md》第3页。",
        "本回答未引用 guide.md。",
        "没有参考 guide.md 和 docs/a/guide.md。",
        "This is not from guide.md.",
        "It was not taken from `guide.md`, page 3.",
        "I did not use the file guide.md or docs/a/guide.md.",
    ],
)
def test_a_document_that_is_ruled_out_is_not_cited(text: str) -> None:
    """What an answer says it does not rest on is no citation, nor are its pages."""
    assert find_citations(text, ["docs/a/guide.md"]) == []


@pytest.mark.parametrize(
    "text",
    [
        "来自 guide.md，而不是 other.md。",
        "Taken from guide.md rather than other.md.",
        "是不是来自 guide.md？是的。",
        "不仅来自 guide.md。",
        "Not only from guide.md.",
        "不得不参考 guide.md。",
        "没有其他规定，根据 guide.md。",
        "It is not allowed. See guide.md.",
        "不支持退款（guide.md）。",
    ],
)
def test_a_denial_of_something_else_leaves_the_citation(text: str) -> None:
    """Only the document that is denied is left out."""
    assert [citation.file for citation in find_citations(text, ["docs/a/guide.md"])] == ["guide.md"]


def test_a_known_stem_keeps_its_folders() -> None:
    """docs/b/guide names another document than docs/a/guide.md, with or without its ending."""
    found = find_citations("参见 docs/b/guide 与 https://example.com/c/guide.md 。", ["docs/a/guide.md"])

    assert [citation.file for citation in found] == ["docs/b/guide", "c/guide.md"]


@pytest.mark.parametrize(
    "text",
    [
        "根据员工手册-考勤与假期.md，年假为10天。",
        "详见《员工手册-考勤与假期.md》",
        "（员工手册-考勤与假期.md）",
        "请参考员工手册-考勤与假期.md。",
    ],
)
def test_a_han_name_with_a_hyphen_is_whole(text: str) -> None:
    """手册 in front of a hyphen is part of the name and introduces none."""
    assert [one.file for one in find_citations(text)] == ["员工手册-考勤与假期.md"]


@pytest.mark.parametrize(
    ("text", "files"),
    [
        ("经营者须持有《食品经营许可证》方可营业。", []),
        ("出差按《境外差旅管理规定》执行。", []),
        ("《境外差旅管理规定》对补贴另有规定。", []),
        ("出差按《差旅费》执行。", ["差旅费"]),
        ("来源：《境外差旅管理规定》、《差旅说明》", ["境外差旅管理规定", "差旅说明"]),
        ("补贴为300元（《境外差旅管理规定》）。", ["境外差旅管理规定"]),
        ("《境外差旅管理规定》第3页写了补贴。", ["境外差旅管理规定"]),
        ("《境外差旅管理规定》所载补贴为300元。", ["境外差旅管理规定"]),
    ],
)
def test_a_title_is_cited_where_it_is_known_or_named_as_a_source(text: str, files: list[str]) -> None:
    """Running text also speaks of licences and rules that nobody cites."""
    assert [one.file for one in find_citations(text, ["差旅费.md"])] == files
