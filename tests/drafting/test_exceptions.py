"""A rule whose exception stands beside it is not asked for yes or no."""

import pytest

from ragstone.documents.page import Page
from ragstone.drafting.corpus import Paper
from ragstone.drafting.find import Found, find

BAN_ZH, BAN = "乙方不得在外兼职。", "The tenant may not keep dogs."


def _ruled(title: str, text: str) -> list[str]:
    paper = Paper("a.md", "0" * 64, (Page(1, f"# {title}\n\n{text}\n"),))
    return [one.draft.question for one in find(paper) if isinstance(one, Found) and one.draft.kind == "yes_no"]


@pytest.mark.parametrize(
    "text",
    [
        f"{BAN_ZH}经甲方书面同意的除外。",
        f"{BAN_ZH}特殊情况须经部门负责人批准。",
        f"{BAN_ZH}\n\n但公益活动不受此限。",
        "除下列情形外，应遵守本条。" + BAN_ZH,
        "乙方不得在外兼职，但经甲方同意的除外。",
        f"第五条 {BAN_ZH}\n\n第六条 实习期内不适用第五条。",
        "乙方可以在外兼职。涉及竞争业务的除外。",
    ],
)
def test_a_chinese_rule_with_an_exception_is_not_asked(text: str) -> None:
    """Behind it, before it, in it, or in another article; of bans and of what is allowed."""
    assert _ruled("云岫劳动合同", text) == []


@pytest.mark.parametrize(
    "text",
    [
        f"{BAN} Guide dogs are exempt.",
        f"{BAN} However, the landlord may agree to one.",
        f"{BAN}\n\nThis does not apply to guide dogs.",
        "Except as stated below, the house is quiet. " + BAN,
        "The tenant may not keep dogs unless the landlord agrees.",
        "The tenant may keep dogs. With the exception of the yard, this holds everywhere.",
    ],
)
def test_an_english_rule_with_an_exception_is_not_asked(text: str) -> None:
    """The same in English."""
    assert _ruled("Lease Agreement", text) == []


@pytest.mark.parametrize(
    ("title", "text"),
    [
        ("云岫劳动合同", f"{BAN_ZH}工资按月发放。"),
        ("云岫劳动合同", f"第五条 {BAN_ZH}\n\n第六条 实习期内不适用第四条。"),
        ("Lease Agreement", f"{BAN} The rent is paid every month."),
    ],
)
def test_a_rule_without_one_is_asked(title: str, text: str) -> None:
    """What stands beside it tells of something else."""
    assert len(_ruled(title, text)) == 1
