"""Ordinary business documents: what they are called, and what is asked of them."""

from pathlib import Path

import pytest

from ragstone.documents.page import Page
from ragstone.drafting.corpus import Paper, read_corpus
from ragstone.drafting.find import Found, find
from ragstone.drafting.make import Plan, make
from ragstone.drafting.questions.parts import Refused

DATA = Path(__file__).parents[2] / "src/ragstone/data"


def _paper(text: str, name: str = "a.txt") -> Paper:
    return Paper(name, "0" * 64, (Page(1, text),))


def _asked(text: str, name: str = "a.txt") -> dict[str, str]:
    found = [one.draft for one in find(_paper(text, name)) if isinstance(one, Found)]
    return {one.question: one.points[0].text for one in found}


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("Lease Agreement for 3 Otter Quay\nThe landlord is Ida Marsh.\n", "Lease Agreement for 3 Otter Quay"),
        ("雲岫市自來水處 停水公告\n\n聯絡人：沈拾光\n", "雲岫市自來水處 停水公告"),
        ("仓储服务合同（虚构示例）\n\n甲方：云岫茶业有限公司\n", "仓储服务合同"),
        ("The mill was founded by Ida Marsh\nand burnt down in 1931.\n", "a"),
        ("云岫镇的面积为16平方公里\n云岫镇有三所学校。\n", "a"),
        ("Dear Ms Marsh\n\nThe rent is $900.\n", "a"),
        ("甲方：云岫茶业有限公司\n\n乙方：青禾仓储\n", "a"),
        ("Otter Quay Rules\n", "a"),
    ],
)
def test_the_first_line_is_a_title_where_it_looks_like_one(text: str, title: str) -> None:
    """Not a sentence, a greeting, a field of a form, or all there is."""
    paper = _paper(text)

    assert paper.title == title
    assert all(paper.page(one.page)[one.start : one.end] != title for one in paper.blocks)


def test_numbered_lines_and_chapters_are_headings() -> None:
    """Alone above a text; in a list they are items."""
    text = "Otter Quay Policy\n\n1. Scope\nAll staff.\n\n2. Leave\nSome leave.\n\nSteps:\n1. Ask\n2. Wait\n"
    chapters = "云岫科技制度\n\n第一章 总则\n全体员工。\n第二章 标准\n另见附件。\n"

    assert _paper(text).sections == {"Scope", "Leave"}
    assert _paper(chapters).sections == {"总则", "标准"}


def test_cells_without_a_ruled_line_are_a_table() -> None:
    """As a word processor's tables are read: every row is asked for; two bars in a sentence are none."""
    text = "Otter Quay Rules\n\nBerth type | Daily rate\nInner berth | $12\nOuter berth | $9\n\nAsk a | b here.\n"

    assert [answer for question, answer in _asked(text).items() if "daily rate" in question] == ["$12", "$9"]
    assert [one.form for one in _paper("Otter Quay Rules\n\nAsk a | b here.\n").blocks] == ["text"]


@pytest.mark.parametrize(
    ("title", "text", "question", "answer"),
    [
        ("云岫员工手册", "上班时间为上午9:00。", "上班时间为几点？", "上午9:00"),
        ("云岫营业公告", "营业时间为每日上午8时至下午5时。", "营业时间为每日几点到几点？", "上午8时至下午5时"),
        ("云岫开放时间", "周二至周五上午八点开门。", "周二至周五几点开门？", "上午八点"),
        ("云岫开放时间", "每周一闭馆。", "星期几闭馆？", "每周一"),
        (
            "云岫员工手册",
            "一线城市的住宿标准为每晚600元，其他城市为每晚400元。",
            "一线城市的住宿标准为每晚多少元？",
            "600元",
        ),
        ("云岫借阅规则", "逾期归还的，每册每天收取0.2元滞纳金。", "逾期归还的，每册每天收取多少元滞纳金？", "0.2元"),
        ("云岫劳动合同", "乙方的月工资为人民币玖仟元整（￥9,000）。", "乙方的月工资为多少元？", "人民币玖仟元整"),
        ("云岫借阅规则", "读者每次最多可以借十本书。", "读者每次最多可以借多少本书？", "十本"),
        (
            "云岫劳动合同",
            "一方解除合同的，应当提前三十日书面通知对方。",
            "一方解除合同的，应当提前多少日书面通知对方？",
            "三十日",
        ),
        ("云岫停水公告", "管线工程由青禾营造股份有限公司承揽。", "管线工程由哪家公司承揽？", "青禾营造股份有限公司"),
        (
            "云岫报销制度",
            "单笔金额超过5000元的，须经财务总监沈拾光审批。",
            "单笔金额超过5000元的，须经谁审批？",
            "沈拾光",
        ),
        ("云岫劳动合同", "存放地点为白鹭湾三号库。", "存放地点在哪里？", "白鹭湾三号库"),
        (
            "云岫停水公告",
            "东里管线工程，定于2025年11月6日上午9时停水。",
            "东里管线工程，定于什么时候停水？",
            "2025年11月6日上午9时",
        ),
    ],
)
def test_what_a_notice_or_contract_tells_is_asked_for(title: str, text: str, question: str, answer: str) -> None:
    """Hours, amounts, periods, roles, contacts: each by the words of its clause, behind the document's name."""
    asked = {one.partition("》，")[2] or one: point for one, point in _asked(f"{title}\n\n{text}\n").items()}

    assert asked.get(question) == answer


@pytest.mark.parametrize(
    ("text", "question", "answer"),
    [
        ("Visiting hours are from 2 pm to 6 pm.", "what are the visiting hours?", "from 2 pm to 6 pm"),
        ("The head nurse of ward B is Ida Marsh.", "who is the head nurse of ward B?", "Ida Marsh"),
        ("Claims go to the finance director, Ida Marsh.", "who is the finance director?", "Ida Marsh"),
        ("Requests must be approved by the line manager.", "who must approve requests?", "the line manager"),
        (
            "The service desk can be reached on 01632 960 822.",
            "what telephone number can the service desk be reached on?",
            "01632 960 822",
        ),
        (
            "Expense reports must be submitted within 21 days after the end of the trip.",
            "within how many days must expense reports be submitted after the end of the trip?",
            "21 days",
        ),
        (
            "The tenant must give notice of 60 days before moving out.",
            "how many days' notice must the tenant give before moving out?",
            "60 days",
        ),
        ("This agreement begins on 1 September 2026.", "when does the agreement begin?", "1 September 2026"),
        (
            "The per diem for domestic travel is £45. The per diem for international travel is £70.",
            "how much is the per diem for domestic travel?",
            "£45",
        ),
    ],
)
def test_what_an_english_policy_tells_is_asked_for(text: str, question: str, answer: str) -> None:
    """The same of English documents."""
    title = "Otter Quay Agreement"

    assert _asked(f"{title}\n\n{text}\n").get(f"According to “{title}”, {question}") == answer


@pytest.mark.parametrize(
    ("title", "text", "question"),
    [
        ("云岫借阅规则", "读者可以自带电脑。", "根据《云岫借阅规则》，读者可以自带电脑吗？"),
        ("Otter Quay Rules", "Members may moor two boats.", ""),
        ("Otter Quay Rules", "Members may bring guests aboard.", "May members bring guests aboard?"),
        ("Otter Quay Rules", "The water may also be cold.", ""),
        ("Otter Quay", "Members may bring guests aboard.", ""),
    ],
)
def test_what_is_allowed_is_asked_for_too(title: str, text: str, question: str) -> None:
    """In documents that regulate; a number is asked for by itself, and what may happen is no permission."""
    found = [one.draft for one in find(_paper(f"{title}\n\n{text}\n")) if isinstance(one, Found)]
    rules = [(one.question.split("”, ")[-1].capitalize(), one.expected) for one in found if one.kind == "yes_no"]

    assert rules == ([(question, {"boolean_answer": True})] if question else [])


def test_a_column_that_only_says_in_which_case_its_cells_hold_is_not_asked_for() -> None:
    """The allowance of a manager in a large city is no large city of a manager."""
    table = "| 职级 | 一线城市 |\n|---|---|\n| 经理 | 600元 |\n| 职员 | 450元 |\n"
    asked = _asked(f"# 云岫报销制度\n\n第三条 住宿费标准如下：\n\n{table}", "a.md")

    assert not asked


def test_what_gives_no_question_is_told_why() -> None:
    """A sentence without a fact, and a document that no question can name."""
    greeting = find(_paper("# Otter Quay\n\nHello there.\n"))
    untitled = find(_paper("the rent is due\nThe deposit is $900.\n"))

    assert [one.reason for one in greeting if isinstance(one, Refused)] == ["nothing_told"]
    assert "no_title" in {one.reason for one in untitled if isinstance(one, Refused)}


@pytest.mark.parametrize("sample", ["new", "new_en"])
def test_the_sample_of_a_new_evaluation_gives_questions(sample: str) -> None:
    """Its documents are what people try first."""
    drafts = make(read_corpus(DATA / sample / "key_points" / "documents"), Plan(size=10)).drafts

    assert {one.documents[0] for one in drafts} == {"borrowing.md", "opening_hours.md"}


@pytest.mark.parametrize(
    ("text", "question", "answer"),
    [
        ("补卡单应在两个工作日内提交。", "补卡单应在多少个工作日内提交？", "两个工作日"),
        ("单笔超过5000元的报销，需由财务总监沈若兰审批。", "单笔超过多少元的报销，需由财务总监沈若兰审批？", "5000元"),
        ("单笔超过5000元的报销，需由财务总监沈若兰审批。", "单笔超过5000元的报销，需由谁审批？", "沈若兰"),
        ("泳池每天6:30至22:00开放，每周一上午换水。", "泳池每天几点到几点开放？", "6:30至22:00"),
        ("泳池每天6:30至22:00开放，每周一上午换水。", "泳池每天6:30至22:00开放，星期几换水？", "每周一上午"),
        ("合同期限为2025年9月1日至2026年7月15日。", "合同期限从什么时候到什么时候？", "2025年9月1日至2026年7月15日"),
        ("本制度所称加班，指在工作时间以外继续工作。", "“加班”指的是什么？", "在工作时间以外继续工作"),
        ("满意度低于80%的，责令运营方限期整改。", "满意度低于百分之几的，责令运营方限期整改？", "80%"),
        ("团体参观（15人以上）须提前三天预约。", "团体参观（15人以上）须提前多少天预约？", "三天"),
        ("浴巾租用10元，押金50元。", "浴巾租用10元，押金多少元？", "50元"),
        ("婚假为10天，陪产假为15天。", "陪产假为多少天？", "15天"),
    ],
)
def test_values_are_asked_for_in_their_own_sentence(text: str, question: str, answer: str) -> None:
    """Behind the clauses that lead to them, and in front of what only such a value holds for."""
    asked = {one.partition("》，")[2] or one: point for one, point in _asked(f"云岫管理制度\n\n{text}\n").items()}

    assert asked.get(question) == answer


@pytest.mark.parametrize(
    "text",
    [
        "工程预算为46万元。",
        "申请由街道办事处受理。",
        "甲方由管理员和教师共同验收。",
        "逾期者停借三个月。",
        "每户每年得免费清运三件。",
        "租期届满后，甲方应于七日内返还。",
        "非登记之接送人，教职员不得将幼儿交付。",
        "租赁期自2025年5月1日起至2028年4月30日止，共三年。",
    ],
)
def test_what_only_its_heading_or_the_sentence_before_explains_is_not_asked(text: str) -> None:
    """Which works, which application, what is handed back, to whom."""
    asked = _asked(f"云岫管理制度\n\n本制度自颁布之日起执行。{text}\n")

    assert not [one for one in asked if "从什么时候" not in one and "起至什么时候" not in one]
