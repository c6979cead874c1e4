"""What a document is called: its title, or its file's name sooner than one section among others."""

import pytest

from ragstone.documents.page import Page
from ragstone.drafting.corpus import Paper

SECTIONS = "{0} Fees\n\nA visit costs £4.\n\n{0} Opening hours\n\nThe gate opens at nine.\n"


def _title(name: str, text: str) -> str:
    return Paper(name, "0" * 64, (Page(1, text),)).title


@pytest.mark.parametrize(
    ("name", "text", "title"),
    [
        ("visitor-guide.docx", SECTIONS.format("#"), "visitor guide"),
        ("访客须知.docx", "# 收费\n\n门票每位四元。\n\n# 时间\n\n九点开门。\n", "访客须知"),
        ("visitor-guide.md", SECTIONS.format("##"), "visitor guide"),
        ("a.docx", SECTIONS.format("#"), "a"),
        ("visitor-guide.docx", "# Larkspur Guide\n\n" + SECTIONS.format("#"), "Larkspur Guide"),
        ("visitor-guide.docx", "# Larkspur Guide\n\nOf 2031.\n\n" + SECTIONS.format("##"), "Larkspur Guide"),
        ("visitor-guide.md", "# Larkspur Guide\n\nOf 2031.\n\n" + SECTIONS.format("#"), "Larkspur Guide"),
    ],
)
def test_a_section_among_others_is_no_title(name: str, text: str, title: str) -> None:
    """In Word files of every level; in Markdown the first level is a title's."""
    assert _title(name, text) == title


def test_a_file_name_that_says_nothing_is_no_heading() -> None:
    """Questions do not name it."""
    paper = Paper("a.docx", "0" * 64, (Page(1, SECTIONS.format("#")),))
    assert paper.heading == ""
