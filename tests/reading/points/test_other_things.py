"""A value or a name that stands there for something else than the question asks about proves nothing."""

import pytest

from ragstone.reading.points.forms import Point
from ragstone.reading.points.states import states
from ragstone.reading.statements import Statements

PLANS = "免费版五万次，企业版不限次数"
PORTS = "The server uses 9090; the proxy uses 8080"
RETURNS = "Standard returns: 30 days. Sale items: 14 days."
STAFF = "张伟负责采购，备份是李敏管的"
LEADS = "Helen Marsh led it until 2021; now it's Tom Reed"
SLIPPED = "It was planned for 12 March 2024 but slipped to April"
MIXED = "1 project and 5 GB of storage."
LIMITS = "免费版每天最多调用1000次接口，企业版每天最多调用五万次。limits.md"


@pytest.mark.parametrize(
    ("point", "answer", "question", "outcome"),
    [
        # a longer name
        ("Helen Marsh", "Helen Marshall leads it.", "Who leads the project?", "open"),
        ("Anna Kowal", "Anna Kowalski leads it.", "Who leads the project?", "open"),
        ("Helen Marsh", "Helen Marsh leads it.", "Who leads the project?", "yes"),
        # another plan, machine, person
        ("不限次数", PLANS, "企业版每天可以调用多少次接口？", "yes"),
        ("五万次", PLANS, "企业版每天可以调用多少次接口？", "open"),
        ("五万次", PLANS, "免费版每天可以调用多少次接口？", "yes"),
        ("1000次", "企业版1000次，免费版100次", "免费版每天最多调用多少次？", "open"),
        ("1000次", "企业版1000次。", "免费版每天最多调用多少次？", "open"),
        ("1000次", "企业版1000次，免费版100次", "企业版每天最多调用多少次？", "yes"),
        ("五万次", LIMITS, "企业版每天最多调用多少次接口？", "yes"),
        ("8080", PORTS, "Which port does the server use?", "open"),
        ("9090", PORTS, "Which port does the server use?", "yes"),
        ("30 days", RETURNS, "How long do I have to return sale items?", "open"),
        ("14 days", RETURNS, "How long do I have to return sale items?", "yes"),
        ("300元", "成人票500元，学生票300元。", "成人票多少钱？", "open"),
        ("张伟", STAFF, "谁负责备份？", "open"),
        ("李敏", STAFF, "谁负责备份？", "yes"),
        ("Helen Marsh", "Helen Marsh leads sales. Tom Reed leads support.", "Who leads support?", "open"),
        ("Tom Reed", "Helen Marsh leads sales. Tom Reed leads support.", "Who leads support?", "yes"),
        # another time, another thing counted, another limit
        ("1000次", "每小时1000次", "免费版每天最多调用多少次？", "open"),
        ("1000次", "1000 times an hour", "How many times per day can it be called?", "open"),
        ("1000次", "每天1000次", "免费版每天最多调用多少次？", "yes"),
        ("5 projects and 1 GB of storage", MIXED, "What does the free plan include?", "open"),
        ("5 projects and 1 GB of storage", "You get 1 GB of storage and 5 projects.", "What does it include?", "yes"),
        ("5 projects and 1 GB of storage", "Five projects, one gigabyte of storage.", "What does it include?", "yes"),
        ("500人", "500个项目，50人。", "企业版最多多少人？", "open"),
        ("500人", "500个用户。", "企业版最多多少人？", "yes"),
        ("500人", "500人以上。", "企业版最多多少人？", "open"),
        ("500人", "上限500位用户。", "企业版最多支持多少人？", "yes"),
        ("4 GB", "At least 8 GB, 4 GB is too little", "How much memory does it need?", "no"),
        # plans and former times
        ("12 March 2024", SLIPPED, "When was version 2 released?", "no"),
        ("Helen Marsh", LEADS, "Who leads the project?", "no"),
        ("Tom Reed", LEADS, "Who leads the project?", "yes"),
        # a rent from which the deposit is made
        ("月租金为3200元", "押金为两个月租金，即6400元。", "押金多少？", "open"),
    ],
)
def test_what_is_told_of_another_thing_is_not_told_of_this_one(
    point: str, answer: str, question: str, outcome: str
) -> None:
    """Each short answer has the value or name; only some give it to what was asked about."""
    assert states(Point(point), Statements(answer), question).outcome == outcome


@pytest.mark.parametrize(
    ("point", "answer", "question"),
    [
        ("AES-256", "AES 256", "Which encryption is used?"),
        ("Guests cannot invite anyone", "Guests are not allowed to invite anyone", "Can guests invite people?"),
        ("可续借一次", "到期前能够再续 1 次", "可以续借吗？"),
        ("每张读者证最多借10册", "一张读者证一次可以借的上限是10本。", "最多能借几本？"),
        ("试用期员工可以远程办公", "处于试用期的员工也能在家办公。", "试用期员工能远程办公吗？"),
        ("The headquarters are in Dunmore", "Its head office is in Dunmore.", "Where is it headquartered?"),
        (
            "2号线首班车6:05发车",
            "| 线路 | 首班车 |\n|---|---|\n| 1号线 | 5:50 |\n| 2号线 | 6:05 |",
            "2号线首班车几点？",
        ),
        (
            "Viewer imports OBJ files",
            "Viewer imports the following formats:\n\n- STL\n- OBJ\n- PLY",
            "What can it import?",
        ),
        ("租金含第三人責任險", "租金已內含強制險與第三人責任險。", "租金包含哪些保險？"),
        ("周二至周日9:00至20:30开放", "开放时间如下：\n- 周二至周日：9:00–20:30\n- 周一：闭馆", "什么时候开放？"),
        ("大人の料金は1回500円", "大人が1回500円、小中学生が200円です。", "大人の料金はいくらですか"),
        ("The bond pays interest twice a year", "Interest is paid twice a year.", "Does the bond pay interest?"),
        (
            "Lindwurm imports OBJ files",
            "Lindwurm imports the following:\n\n| Format | Since |\n|---|---|\n| STL | 1.0 |\n| OBJ | 1.4 |",
            "Which formats does Lindwurm import?",
        ),
        ("退房时间为12:00之前", "退房请在中午12点前完成哦。", "几点前退房？"),
        ("Staff pay 4 pounds per visit", "Members of staff are charged £4 a visit.", "How much do staff pay?"),
    ],
)
def test_everyday_wordings_state_a_point(point: str, answer: str, question: str) -> None:
    """What anybody would read as the point is the point."""
    assert states(Point(point), Statements(answer), question).outcome == "yes"


@pytest.mark.parametrize(
    ("point", "answer", "question"),
    [
        ("Line 2 starts at 6:05", "Line 1 starts at 6:05.", "When does Line 2 start?"),
        ("A区停车费5元", "B区停车费5元。", "A区停车费多少？"),
        (
            "2号线首班车5:50发车",
            "| 线路 | 首班车 |\n|---|---|\n| 1号线 | 5:50 |\n| 2号线 | 6:05 |",
            "2号线首班车几点？",
        ),
    ],
)
def test_another_line_or_building_proves_nothing(point: str, answer: str, question: str) -> None:
    """What is told of another number of the same kind is not told of this one."""
    assert states(Point(point), Statements(answer), question).outcome != "yes"
