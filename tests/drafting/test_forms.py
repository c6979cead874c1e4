"""Questions made of whole clauses: offices, makers, fees, terms, and what stands behind a colon."""

import pytest

from ragstone.documents.page import Page
from ragstone.drafting.corpus import Paper
from ragstone.drafting.find import Found, find


def _asked(title: str, text: str) -> dict[str, list[str]]:
    paper = Paper("a.md", "0" * 64, (Page(1, f"# {title}\n\n{text}\n"),))
    drafts = [one.draft for one in find(paper) if isinstance(one, Found)]
    return {draft.question: [point.text for point in draft.points] for draft in drafts}


@pytest.mark.parametrize(
    ("text", "question", "answer"),
    [
        ("云溪中学现任校长为郑怀远。", "云溪中学现任校长是谁？", "郑怀远"),
        ("云溪中学的教务主任是孙映萍。", "云溪中学的教务主任是谁？", "孙映萍"),
        ("云溪中学成立于1962年，现任校长为赵启航。", "云溪中学的现任校长是谁？", "赵启航"),
        ("云溪中学的校训由书法家韩墨言题写。", "云溪中学的校训由谁题写？", "韩墨言"),
        ("云溪中学由教育家梁思齐于1926年创办。", "云溪中学由谁于1926年创办？", "梁思齐"),
        ("云溪中学位于云溪县城南路18号。", "云溪中学位于哪里？", "云溪县城南路18号"),
    ],
)
def test_who_holds_an_office_or_made_something(text: str, question: str, answer: str) -> None:
    """In both orders, and where an earlier clause names what it is of."""
    assert _asked("云溪中学", text).get(question) == [answer]


@pytest.mark.parametrize(
    "text",
    [
        "县政府批准成立研究所，首任所长为周映雪。",
        "曾任校长是许望舒。",
        "云溪中学校长是一位画家。",
        "据说云溪中学的校长是许望舒。",
    ],
)
def test_whose_office_it_is_must_be_told(text: str) -> None:
    """The institute of another clause is not the document's own, and a description is nobody."""
    assert not [question for question in _asked("云溪中学", text) if "是谁" in question]


@pytest.mark.parametrize(
    ("text", "question", "answer"),
    [
        ("The head teacher of Hollin is Daniel Okoro.", "Who is the head teacher of Hollin?", "Daniel Okoro"),
        ("Ines Solberg is the deputy head of Hollin.", "Who is the deputy head of Hollin?", "Ines Solberg"),
        ("Hollin School was founded in 1911 by Eleanor Marr.", "Who founded Hollin School?", "Eleanor Marr"),
        (
            "The school hall was designed by the architect Lucas Hennig.",
            "According to “Hollin School”, who designed the school hall?",
            "Lucas Hennig",
        ),
        ("Hollin School was built by the firm Orrin Steel.", "Which firm built Hollin School?", "Orrin Steel"),
        ("Hollin School is located in the town of Wex.", "Where is Hollin School located?", "the town of Wex"),
    ],
)  # fmt: skip
def test_english_people_and_places(text: str, question: str, answer: str) -> None:
    """Active words: who designed it; a firm is asked for as one."""
    assert _asked("Hollin School", text).get(question) == [answer]


@pytest.mark.parametrize(
    ("title", "text", "question", "answers"),
    [
        ("考勤办法", "本办法所称加班，是指在规定时间以外继续工作。", "“加班”指的是什么？", ["在规定时间以外继续工作"]),
        ("考勤办法", "旷工指的是员工未经批准不到岗的行为。", "“旷工”指的是什么？", ["员工未经批准不到岗的行为"]),
        ("收费办法", "门禁卡补办费为50元。", "根据《收费办法》，门禁卡补办费为多少元？", ["50元"]),
        ("收费办法", "逾期滞纳金为每日20元。", "根据《收费办法》，逾期滞纳金为每日多少元？", ["20元"]),
        ("采购合同", "乙方应在合同生效后45日内交货。", "根据《采购合同》，乙方应在合同生效后多少日内交货？", ["45日"]),
        ("采购合同", "质保期为两年。", "根据《采购合同》，质保期为多少年？", ["两年"]),
        ("Rules", "The winter fee is £640 per season.", "According to “Rules”, how much is the winter fee per season?",
         ["£640"]),
        ("Rules", "Every boat must carry: an anchor, a lifebuoy and a flare.",
         "According to “Rules”, what must every boat carry?", ["an anchor", "a lifebuoy", "a flare"]),
        ("Rules", "Every boat must carry:\n\n- an anchor\n- a flare",
         "According to “Rules”, what must every boat carry?",
         ["an anchor", "a flare"]),
        ("Rules", "The office accepts the following cards:\n\n1. debit cards\n2. gift cards",
         "According to “Rules”, which cards does the office accept?", ["debit cards", "gift cards"]),
        ("Rules", "The following courses are taught: knots, tides and charts.",
         "According to “Rules”, which courses are taught?", ["knots", "tides", "charts"]),
    ],
)  # fmt: skip
def test_terms_fees_and_lists(title: str, text: str, question: str, answers: list[str]) -> None:
    """What a term means, a fee with what it is for, and what a colon announces."""
    assert _asked(title, text).get(question) == answers


def test_a_fee_of_nothing_is_not_asked() -> None:
    """The deposit of what, each page of what."""
    asked = _asked("办事须知", "持证到服务台办理，押金为100元。复印须提前申请，每页收费为2元。")

    assert asked == {}


@pytest.mark.parametrize(
    ("title", "text", "kinds"),
    [
        ("Harbour rules", "The daily fee is £28 for vessels up to 10 metres.", {"£28"}),
        ("青禾国", "1941年，青禾国政府用强调保卫祖国。", set()),
        ("员工手册", "新员工的试用期为三个月，表现优异者可以提前转正。", {"三个月"}),
        ("青禾集团", "青禾集团设有沈阳、长春和大连。", set()),
        ("骑行手册", "标准模式输出功率为百分之一百五十，运动模式为百分之二百五十。", {"百分之一百五十"}),
        ("青禾国", "1948年，青禾国违反条约。", set()),
        ("询问笔录", "**问：退了没有？**\n\n答：还没有退。", set()),
        ("青禾国", "青禾国和云岫国于2012年出局后卷土重来。", set()),
        ("青禾足联", "初时青禾足联主要成员国包括英国、法国和荷兰。", set()),
        ("青禾集团", "青禾集团设有财务部、人事部和法务部。", {"财务部", "人事部", "法务部"}),
    ],
)
def test_what_nobody_would_ask_so_is_not_asked(title: str, text: str, kinds: set[str]) -> None:
    """A limit beside a sum, a verb for a noun, a statement in front of yes or no, a list of nothing named."""
    assert {answer for answers in _asked(title, text).values() for answer in answers} == kinds


def test_a_number_is_no_point_of_a_section() -> None:
    """Article 4. is read as a sentence and says nothing."""
    text = "## Claims\n\nArticle 4. A claim must be filed within 90 days of leaving. Late claims are not accepted.\n"
    points = next(points for question, points in _asked("Pension policy", text).items() if "say about" in question)

    assert points == ["A claim must be filed within 90 days of leaving.", "Late claims are not accepted."]


@pytest.mark.parametrize(
    ("title", "text", "question", "answer"),
    [
        ("Rules", "A reader may sign the form.", "may a reader sign the form?", "may sign the form"),
        ("Rules", "Readers may sign the form.", "may readers sign the form?", "may sign the form"),
        ("常见问题", "**馆内可以饮食吗？**\n\n馆内禁止饮食，饮食请到休息区。", "馆内可以饮食吗？", "馆内禁止饮食"),
    ],
)  # fmt: skip
def test_yes_is_enough_for_what_is_asked(title: str, text: str, question: str, answer: str) -> None:
    """The question says all that the point says; of two clauses the rule is the point."""
    asked = _asked(title, text)

    assert [points for one, points in asked.items() if one.endswith(question)] == [[answer]]


@pytest.mark.parametrize(
    "text",
    [
        "两名专业人士指出，青禾的楼房共涉七项问题。",
        "青禾塔被指定用作运输，在1926年除名。",
        "2007年粮食价格上升是指2007年粮食价格上升的事。",
    ],
)
def test_no_term_is_made_of_a_verb(text: str) -> None:
    """指出 and 指定 define nothing, nor does what only repeats the term."""
    assert not [one for one in _asked("青禾志", text) if "指的是" in one]


@pytest.mark.parametrize(
    ("text", "question", "answer"),
    [
        (
            "The line manager must reply within three working days.",
            "within how many working days must the line manager reply?",
            "three working days",
        ),
        (
            "Groups of 15 or more receive a discount of 20 per cent.",
            "what discount do groups of 15 or more receive?",
            "20 per cent",
        ),
        (
            "A late fee of £15 is charged for every half hour.",
            "what late fee is charged for every half hour?",
            "£15",
        ),
        (
            "Menus must be booked at least seven days in advance.",
            "at least how far in advance must menus be booked?",
            "seven days",
        ),
        (
            "The first train leaves Ashby Halt at 10.15 am.",
            "at what time does the first train leave Ashby Halt?",
            "10.15 am",
        ),
        (
            "Before the storm, about 31,000 visitors came to the island.",
            "how many visitors came to the island before the storm?",
            "31,000",
        ),
        (
            "The company, founded in 1968, employs 74 people.",
            "how many people does the company employ?",
            "74 people",
        ),
        (
            "An information evening will be held at Thornbury Town Hall on 22 October 2025.",
            "where will an information evening be held?",
            "Thornbury Town Hall",
        ),
        (
            "The work is carried out by Penfold & Drury.",
            "who is the work carried out by?",
            "Penfold & Drury",
        ),
        (
            "Drones may be flown only by the survey team.",
            "who may drones be flown by?",
            "the survey team",
        ),
        (
            "A lost paddle is charged at £35.",
            "how much is charged for a lost paddle?",
            "£35",
        ),
        (
            "Carpets are shampooed twice a year.",
            "how often are carpets shampooed?",
            "twice a year",
        ),
        (
            "Hirers must be at least 18 years old.",
            "at least how old must hirers be?",
            "18 years",
        ),
    ],
)
def test_english_prose_of_a_document_that_sets_rules_is_asked_about(text: str, question: str, answer: str) -> None:
    """Terms, sums by their names, times of day, places, and who does it."""
    asked = {one.rpartition("”, ")[2]: points for one, points in _asked("Reserve rules", text).items()}

    assert asked.get(question) == [answer]
