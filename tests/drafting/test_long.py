"""One long document: the time grows with its length, and no faster."""

from time import process_time

import pytest

from ragstone.documents.page import Page
from ragstone.drafting.corpus import Corpus, Paper
from ragstone.drafting.draw import draw

_WORDS = "山水云林松柏青红黄江河湖海风雨雪月花草鸟鱼石田园亭台楼阁"


def _name(at: int) -> str:
    return "".join(_WORDS[(at // len(_WORDS) ** place + place) % len(_WORDS)] for place in range(4))


def _seconds(lines: int) -> float:
    told = (
        f"{_name(at)}码头建成于{1800 + at % 200}年{1 + at % 12}月{1 + at % 28}日，全长{100 + at % 9000}米。\n"
        + (f"\n## {_name(at)}区\n\n" if at % 40 == 0 else "")
        for at in range(lines)
    )
    paper = Paper("a.md", "0" * 64, (Page(1, "# 码头总录\n\n" + "".join(told)),))
    before = process_time()
    assert len(draw(Corpus((paper,)), 30).drafts) == 30
    return process_time() - before


@pytest.mark.long
def test_a_document_ten_times_as_long_takes_at_most_about_ten_times_as_long() -> None:
    """Sections, headings and what may answer elsewhere are looked up, not searched from the beginning each time."""
    _seconds(200)

    assert _seconds(40_000) < 16 * _seconds(4_000)
