"""What stands nearest to a point without stating it: its contrary, another limit, a longer name."""

import tomllib
from pathlib import Path

import pytest

from ragstone.reading.points.forms import Point
from ragstone.reading.points.states import states
from ragstone.reading.scopes import NEGATORS
from ragstone.reading.statements import Statements

CUES = Path(__file__).parents[3] / "src" / "ragstone" / "reading" / "cues"
PAIRS = [
    ("停车收费", "停车不收费"),
    ("停车不收费", "停车收费"),
    ("医生不建议服用阿司匹林", "医生建议服用阿司匹林"),
    ("该申请已通过审批", "该申请尚未通过审批"),
    ("该说法未经证实", "该说法已经证实"),
    ("双方协商不一致", "双方协商一致"),
    ("材料为金属", "材料为非金属"),
    ("价格不含税", "价格含税"),
    ("机器人能做到避障", "机器人做不到避障"),
    ("The course costs nothing", "The course costs money"),
    ("Students pay nothing", "Students pay $5"),
    ("The result is not guaranteed", "The result is guaranteed"),
    ("It is not certain that the plan works", "It is certain that the plan works"),
    ("The report is unconfirmed", "The report is confirmed"),
    ("The alarm sounds unless the door is locked", "The alarm sounds if the door is locked"),
    ("予約は不要です", "予約は必要です"),
    ("中学生以下は無料である", "中学生以下は200円です"),
    ("飲食は禁止されている", "飲食しても構いません"),
    ("예약이 필요 없다", "예약이 필요하다"),
    ("전기 요금이 인하되었다", "전기 요금이 올랐습니다"),
    ("The theatre closed before 1950", "The theatre closed some years after 1950"),
    ("회의에는 최소 7명이 필요하다", "회의에는 7명 이하가 필요하다"),
    ("Shares must be held for at least 12 months", "Shares must be held for 12 months at the longest"),
    ("她毕业于临江大学", "她毕业于临江大学附属中学"),
    ("星驰X没有货", "星驰X Pro目前没有货"),
    ("회장은 배정우이다", "부회장은 배정우이다"),
]
"""A point and what does not state it."""


@pytest.mark.parametrize(("point", "contrary"), PAIRS)
def test_the_contrary_of_a_point_does_not_state_it(point: str, contrary: str) -> None:
    """Neither by itself nor beside a question that says most of the point."""
    asked = "这一点是怎样的？" if not point.isascii() else "What does it say?"

    assert states(Point(point), Statements(contrary)).outcome != "yes"
    assert states(Point(point), Statements(contrary + "."), asked).outcome != "yes"


@pytest.mark.parametrize(("point", "_"), PAIRS)
def test_a_point_states_itself(point: str, _: str) -> None:
    """Whatever it denies or excepts."""
    assert states(Point(point), Statements(point + ".")).outcome == "yes"


def _denials(category: str) -> list[str]:
    """The words of a category that hold one denial and something behind it."""
    words = tomllib.loads((CUES / "zh.toml").read_text("utf-8"))[category].replace("\n", " ").split(";")
    plain = (word.strip() for word in words)
    return [word for word in plain if len(word) > 2 and not set(word) & set("~*!|") and _denied(word)]


def _denied(word: str) -> bool:
    return sum(char in NEGATORS for char in word) == 1 and word[-1] not in NEGATORS


@pytest.mark.parametrize("category", ["doubt", "refusing"])
def test_a_denial_inside_another_cue_denies(category: str) -> None:
    """尚未批准 is no approval, although the whole word is a doubt."""
    taken = []
    for word in _denials(category):
        said = "".join(char for char in word if char not in NEGATORS)
        if states(Point(f"蓝杯方案{said}处理"), Statements(f"蓝杯方案{word}处理。")).outcome == "yes":
            taken.append(word)

    assert set(taken) <= {"没有最后决定", "尚未最终确定"}


@pytest.mark.parametrize(
    ("question", "point", "answer"),
    [
        ("哪些项目不收费？", "停车不收费", "停车每小时5元。"),
        ("儿童票多少钱？", "六岁以下儿童免票", "六岁以下儿童需购买30元的儿童票。"),
        ("誰是主任？", "葉心怡是主任", "擔任副主任的是葉心怡。"),
        ("这台机器不支持无线吗？", "这台机器支持无线", "是的，不支持，只能插网线。"),
        ("Which phone has the telephoto lens?", "The Zelo 5 has the telephoto lens.", "It is found on the Zelo 5 Pro."),
    ],
)
def test_what_a_question_says_is_not_taken_for_the_answer(question: str, point: str, answer: str) -> None:
    """A clause that gives something else in its place does not state the rest of a point."""
    assert states(Point(point), Statements(answer), question).outcome != "yes"


@pytest.mark.parametrize(
    ("point", "answer"),
    [
        ("停车免费", "停车不收费。"),
        ("必须佩戴安全帽", "进入工地不得不佩戴安全帽。"),
        ("医生不建议服用阿司匹林", "医生不推荐服用阿司匹林。"),
        ("可以提前入住", "提前入住不是不可以。"),
        ("起火时店内没有人", "所幸起火时店内无人。"),
        ("Cockerels are not allowed.", "Hens may be kept, but cockerels may not."),
        ("Notice is one week", "Either side can walk away; notice is a week."),
    ],
)
def test_denials_in_other_words_are_not_denied(point: str, answer: str) -> None:
    """What says the same with another denial, or with two, is never proved wrong."""
    assert states(Point(point), Statements(answer)).outcome != "no"


def test_blank_sentences_before_a_list_break_nothing() -> None:
    """Sentences are counted as they are read, also where some hold nothing."""
    answer = "| 版本 | 容量 |\n|---|---|\n| 免费版 | 10 GB |\n\n。\n\n。\n价格：\n- 标准版：200元\n- 专业版：50元"

    assert states(Point("标准版50元"), Statements(answer)).outcome != "yes"


@pytest.mark.parametrize(
    ("question", "point", "answer"),
    [
        ("How much is the late fee?", "The late fee is 50 euros", "A parking permit costs 50 euros."),
        ("When does the lease end?", "The lease ends on 31 March 2027", "The boiler was serviced on 31 March 2027."),
        ("How many users may a team have?", "A team may have 25 users", "There are 25 parking spaces."),
        ("How long are backups of Fir kept?", "Backups of Fir are kept for 22 days", "It took 22 days to restore Fir."),
        ("How long are logs kept?", "Logs are kept for 30 days", "Logs are rotated every 30 days."),
        ("押金是多少？", "押金为3000元", "维修花了3000元。"),
        ("押金是多少？", "押金为3000元", "他欠了3000元。"),
        ("What is the deposit?", "The deposit is $300", "Rent is $300."),
        ("税率是多少？", "税率为8%", "利率为8%。"),
        ("보증금은 얼마인가요?", "보증금은 300만 원이다", "월세는 300만 원입니다."),
        ("ビザの費用はいくらですか？", "ビザの費用は5000円", "写真代は5000円です。"),
        ("套餐包含什么？", "套餐包含早餐", "早餐需另外付费。"),
        ("院长是谁？", "院长是周岚", "周岚是护士长。"),
        ("合同违约金是多少？", "违约金为合同金额的5%", "合同金额里有5%是税。"),
        ("石榴项目的备份保留多久？", "石榴项目的备份保留25天", "去年有人从磁带恢复了石榴，花了25天。"),
        ("银杏项目的备份保留多久？", "银杏项目的备份保留15天", "银杏每隔15天做一次副本。"),
    ],
)
def test_the_same_value_of_something_else_is_no_answer(question: str, point: str, answer: str) -> None:
    """A value that was asked for is credited only where nothing tells that it is another thing's."""
    assert states(Point(point), Statements(answer), question).outcome == "open"


@pytest.mark.parametrize(
    ("question", "point", "answer"),
    [
        ("How long is probation?", "Probation lasts six months", "It is six months."),
        ("What is the notice period?", "The notice period is one month", "You need to give a month's notice."),
        ("押金是多少？", "押金为3000元", "3000元。"),
        ("员工离职须提前多少日通知？", "三十日", "提前30天。"),
        ("应在多少日内退还押金？", "15日", "15天内退还。"),
        ("試用期多久？", "試用期為三個月", "一共三個月。"),
        ("How long is the notice period?", "The notice period is 90 days", "You have to give ninety days."),
    ],
)
def test_a_bare_value_answers_its_question(question: str, point: str, answer: str) -> None:
    """What was asked for need not be said again."""
    assert states(Point(point), Statements(answer), question).outcome == "yes"
