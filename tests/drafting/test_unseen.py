"""What readers do not see of a document is no text of it."""

from ragstone.documents.page import Page
from ragstone.drafting.corpus import Corpus, Paper
from ragstone.drafting.draw import draw
from ragstone.drafting.proof import holds

HIDDEN = """# 灯塔公园管理规定

## 收费

<!--
旧规定：
缆车单程票为88元。
-->

~~游船票为60元。~~

<div style="display:none">储物柜租金为12元。</div>

<b>观景台</b>开放时间为9:00至17:00。
"""
RADICALS = "⾼地公园使⽤须知\n\n⾼地公园门票为25元。⼭顶停车费为⼆⼗元。\n"


def _asked(text: str, name: str) -> dict[str, str]:
    paper = Paper(name, "", (Page(1, text),))
    drawn = draw(Corpus((paper,)), 20)
    assert all(holds(paper, point.place) for draft in drawn.drafts for point in draft.points)
    return {draft.question.split("，", 1)[-1]: draft.points[0].text for draft in drawn.drafts}


def test_comments_and_what_is_struck_out_give_no_question() -> None:
    """Nor does markup stand in one; quotations are the text as it is written."""
    assert _asked(HIDDEN, "a.md") == {"观景台开放时间为几点到几点？": "9:00至17:00"}


def test_letters_of_pdf_fonts_are_plain_in_questions() -> None:
    """In quotations they stay, and are no gold."""
    assert list(_asked(RADICALS, "a.pdf").values()) == ["25元"]
    assert "高地公园" in next(iter(_asked(RADICALS, "a.pdf")))


def test_sections_are_those_of_numbered_headings() -> None:
    """With lists of another style below them, without empty lines; what comes next in their order ends them."""
    texts = {
        "纪要\n\n一、基本情况\n共860户。\n\n二、议定事项\n1. 停车费每月150元。\n\n三、其他\n押金500元。\n": [
            "基本情况",
            "议定事项",
            "其他",
        ],
        "Rules\n\n1. Plots\n1.1 A plot is big.\n2. Use\n2.1 Keep hens.\n": ["Plots", "Use"],
        "须知\n\n一、总则\n全文如下。\n二、停水时间：上午。\n三、范围：东街。\n": ["总则", "", ""],
    }
    for text, sections in texts.items():
        assert [one.section for one in Paper("a.txt", "", (Page(1, text),)).blocks] == sections


def test_the_kind_of_a_text_is_no_title() -> None:
    """Questions would name it as one."""
    text = "FOR IMMEDIATE RELEASE\n\nHalden Foods to open its plant\n\nIt opens on 3 June 2025.\n"
    assert Paper("a.txt", "", (Page(1, text),)).heading == ""
