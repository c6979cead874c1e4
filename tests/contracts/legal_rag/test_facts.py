"""Each field of a fact_exact question."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragstone.contracts.legal_rag.facts.compare import compare
from ragstone.core.types import JSON
from tests.contracts.legal_rag.samples import fact, judge, rows

RANGE = {"start": "2020-05-03", "end": "2020-06-08"}


def _matches(expected: JSON, answer: str | dict[str, JSON], **more: JSON) -> bool:
    return judge(fact(expected, **more), answer).sub_scores["exact_match"] == 1.0


@pytest.mark.parametrize(
    "answer",
    ["42000", "42000元", "4.2万元", "四万二千元", "肆萬貳仟圓整", "４２０００", "42,000元", "4万2千元", "人民币4.2万"],
)
def test_r0_1_an_amount_in_any_dress_matches(answer: str) -> None:
    """R0.1: one value, many writings."""
    assert _matches({"amount_total": 42000}, answer)
    assert _matches({"amount_total": 42000}, {"answer": "见下", "amount": answer})


@pytest.mark.parametrize(
    "answer",
    ["24000元", "4200元", "420000元", "4.2元", "42万", "四万二", "142000元", "超过42000元", "42000多元", "4-5万元"],
)
def test_r0_1_another_amount_never_matches(answer: str) -> None:
    """R0.1: different values never match."""
    assert _matches({"amount_total": 42000}, answer) is (answer == "四万二")


@settings(deadline=None)
@given(st.integers(1, 10**9), st.integers(1, 10**9))
def test_no_two_amounts_match(one: int, other: int) -> None:
    """A number matches itself and nothing else."""
    assert _matches({"amount_total": one}, f"一共{other}元") is (one == other)


def test_another_currency_is_another_amount() -> None:
    """The evidence says which money is meant."""
    assert not _matches({"amount_total": 42000}, "42000美元")
    assert _matches({"amount_total": 42000}, "人民币42000元")


@pytest.mark.parametrize(
    ("answer", "right"),
    [
        ("两笔：20000元和22000元", True),
        ("20000元、22000元，合计42000元", True),
        ("20000元", False),
        ("20000元、22000元、500元", False),
        ({"amount_breakdown": [22000, 20000]}, True),
        ({"amount_breakdown": [{"amount": "2万元", "description": "首笔"}, {"amount": 22000}]}, True),
        ({"amount_breakdown": {"首笔": 20000, "尾款": 22000}}, True),
        ({"amount_breakdown": [20000, 22000, 1]}, False),
        ({"amount_breakdown": [20000, "若干"]}, False),
        ({"amount_breakdown": []}, False),
    ],
)
def test_r1_2_a_breakdown_is_a_set_of_amounts(answer: str | dict[str, JSON], right: bool) -> None:
    """R1.2: descriptions and order ignored, every part and no other."""
    assert _matches({"amount_breakdown": [20000, 22000]}, answer) is right


@pytest.mark.parametrize(
    ("answer", "right"),
    [
        ("2020年8月30日", True),
        ("二〇二〇年八月三十日", True),
        ("民國109年8月30日", True),
        ("2020/8/30", True),
        ("Aug 30, 2020", True),
        ("2020年8月30日左右", True),
        ("2020年8月31日", False),
        ("2020年8月", False),
        ("8月30日", False),
        ("2020年8月30日或31日", False),
        ({"date": "2020-08-30"}, True),
        ({"date": "2020-8-30"}, True),
        ({"date": "2019-08-30"}, False),
        ({"date": 20200830}, False),
    ],
)
def test_dates_are_compared_by_day(answer: str | dict[str, JSON], right: bool) -> None:
    """R0.1: one day in many writings; a month is no day."""
    assert _matches({"date": "2020-08-30"}, answer) is right


@pytest.mark.parametrize(
    ("answer", "right"),
    [
        ("2020年5月3日至2020年6月8日", True),
        ("从2020年5月3日起，到2020年6月8日止", True),
        ("2020年5月3日至6月8日", True),
        ("2020年5月3日开始", False),
        ("2020年5月3日至2020年6月9日", False),
        ({"date_range": RANGE}, True),
        ({"date_range": ["2020-05-03", "2020-06-08"]}, True),
        ({"date_range": "2020-05-03 ~ 2020-06-08"}, True),
        ({"date_range": {"start": "2020-05-03"}}, False),
        ({"date_range": {"start": "2020-06-08", "end": "2020-05-03"}}, False),
    ],
)
def test_r1_2_a_range_needs_both_ends(answer: str | dict[str, JSON], right: bool) -> None:
    """R1.2: one end is not enough."""
    assert _matches({"date_range": RANGE}, answer, question="哪段时间？") is right


@pytest.mark.parametrize(
    ("answer", "exact", "right"),
    [("42300元", False, True), ("42500元", False, False), ("42300元", True, False), ("约4.2万元", True, True)],
)
def test_r1_4_numeric_exact_false_allows_one_percent(answer: str, exact: bool, right: bool) -> None:
    """R1.4: 1 % relative difference, and only when the question says so."""
    assert _matches({"amount_total": 42000}, answer, scoring={"numeric_exact": exact}) is right


@pytest.mark.parametrize(
    ("answer", "exact", "right"),
    [
        ("2020年8月25日左右", False, True),
        ("2020年8月下旬", False, True),
        ("大约在2020年8月", False, True),
        ("2020年8月25日", False, False),
        ("2020年9月1日左右", False, False),
        ("2020年8月下旬", True, False),
    ],
)
def test_r1_4_date_exact_false_allows_the_month(answer: str, exact: bool, right: bool) -> None:
    """R1.4: the same month when the day is approximate, and only when the question says so."""
    assert _matches({"date": "2020-08-30"}, answer, scoring={"date_exact": exact}, question="哪一天？") is right


@pytest.mark.parametrize(
    ("answer", "right"),
    [
        ("3辆", True),
        ("三辆", True),
        ("一共3辆车，每辆10万元，2名司机", True),
        ("3", True),
        ("两辆", False),
        ("3辆或4辆", False),
        ({"count": 3}, True),
        ({"count": "3辆"}, True),
        ({"count": 4, "answer": "3辆"}, False),
    ],
)
def test_counts_are_compared(answer: str | dict[str, JSON], right: bool) -> None:
    """The measure word the question asks for goes first."""
    assert _matches({"count": 3}, answer, question="一共几辆车？") is right


@pytest.mark.parametrize(
    ("answer", "right"),
    [
        ("是屈仲平介绍的", True),
        ("屈仲平（前同事）", True),
        ({"entity": "屈仲平"}, True),
        ("屈仲平或者阮大勇", False),
        ("不是屈仲平", False),
        ("阮大勇", False),
        ({"entity": "阮大勇", "answer": "屈仲平"}, False),
    ],
)
def test_entities_are_stated_not_only_named(answer: str | dict[str, JSON], right: bool) -> None:
    """A name that is denied or one of two is no answer."""
    assert _matches({"entity": "屈仲平"}, answer, question="介绍人是谁？") is right


def test_a_longer_name_is_another_name() -> None:
    """李明 is not 李明珠."""
    assert not _matches({"entity": "李明"}, "介绍人是李明珠。", question="介绍人是谁？")
    assert _matches({"entity": "李明"}, "介绍人是李明，不是李明珠。", question="介绍人是谁？")


def test_texts_are_stated_in_other_words() -> None:
    """A text answer is met by what says the same, and not by its denial."""
    expected = {"text_answer": "照片是他自己找人做的"}

    assert _matches(expected, "这张照片是他自己找人做的。", question="照片哪里来的？")
    assert not _matches(expected, "照片不是他自己找人做的。", question="照片哪里来的？")


def test_r1_2_exact_match_needs_every_field() -> None:
    """R1.2: one wrong field is 0, and each field is shown; three fields never score more than 1."""
    question = fact({"amount_total": 42000, "count": 3, "boolean_answer": True})
    card = judge(question, {"answer": "", "amount": 42000, "count": 3, "boolean": False})
    full = judge(
        question, {"amount": 42000, "count": 3, "boolean": True, "citations": [{"page": 2, "quote": "42000元"}]}
    )

    assert card.sub_scores["exact_match"] == 0.0
    assert [card.sub_scores[name] for name in ("amount_total", "count", "boolean_answer")] == [1.0, 1.0, 0.0]
    assert "boolean_answer_wrong" in card.error_tags
    assert full.primary_score == 1.0


def test_a_text_against_its_own_field_is_named() -> None:
    """The field decides, and the reader is told that the text says something else."""
    card = judge(fact(), {"answer": "一共24000元", "amount": 42000})

    assert card.sub_scores["exact_match"] == 1.0
    assert "amount_total_contradicted" in card.error_tags


def test_a_repeated_question_states_nothing() -> None:
    """问：… 答：… is read by its answers only."""
    question = fact({"boolean_answer": False}, question="手上有没有车源？")

    assert judge(question, "问：手上有没有车源？\n答：没有。").sub_scores["exact_match"] == 1.0
    assert _matches({"amount_total": 42000}, "是24000元吗？不是，是42000元。")


def test_a_match_says_which_rule_made_it() -> None:
    """四万二千元 is 42000 by the Chinese numeral."""
    (row,) = judge(fact(), "四万二千元").details["fields"]

    assert (row["outcome"], row["found"], row["rule"]) == ("match", "四万二千元", "chinese_numeral")
    assert compare.__doc__


@pytest.mark.parametrize("row", rows("legal_stated.jsonl"), ids=lambda row: f"{row['phenomenon']}-{row['answer'][:24]}")
def test_r1_3_only_what_is_stated_is_the_answer(row: dict[str, JSON]) -> None:
    """R1.3: quotes, denials, questions, bounds, roles, double negations and corrections, in three writings."""
    evidence = [{"page": 4, "must_include": row["must_include"]}]

    right = _matches(row["expected"], row["answer"], question=row["question"], required_evidence=evidence)

    assert right is row["right"]


def test_an_answer_that_only_asks_states_nothing() -> None:
    """他给了42000元吗 gives no amount, and its citation does not answer for it."""
    card = judge(fact(), "他给了42000元吗？（第2页：“一共给了42000元”）")

    assert card.sub_scores["exact_match"] == 0.0
    assert card.sub_scores["citation_correctness"] == 1.0


def test_a_structured_value_needs_no_words() -> None:
    """A field is believed whatever its text asks."""
    assert _matches({"amount_total": 42000}, {"answer": "还有别的问题吗？", "amount": 42000})
    assert _matches({"entity": "屈仲平"}, {"answer": "对吗？", "entity": "屈仲平"}, question="介绍人是谁？")


@pytest.mark.parametrize(
    ("expected", "answer", "shown"),
    [
        ({"amount_total": 42000}, "总价超过42000元，具体不明。", "超过42000元"),
        ({"amount_total": 42000}, "总价在42000元以上。", "42000元以上"),
        ({"count": 3}, "他至少交了三次货。", "至少交了三次"),
        ({"date": "2020-08-30"}, "在2020年8月30日之前签的。", "2020年8月30日之前"),
        ({"date": "2020-08-30"}, "不早于2020年8月30日。", "不早于2020年8月30日"),
    ],
)
def test_a_limit_is_shown_with_its_value(expected: JSON, answer: str, shown: str) -> None:
    """An explanation never seems to hold the expected value itself against an answer."""
    (row,) = judge(fact(expected, question="笔录里是怎么说的？"), answer).details["fields"]

    assert (row["outcome"], row["others"]) == ("wrong", [shown])


def test_a_denied_denial_refuses_nothing() -> None:
    """并非没有写 answers, and answers yes."""
    card = judge(fact({"boolean_answer": False}, question="他写过欠条吗？"), "并非没有写，他后来补写了欠条。")

    assert card.sub_scores["exact_match"] == 0.0
    assert "over_refusal" not in card.error_tags


@pytest.mark.parametrize(
    ("question", "expected", "answer", "right"),
    [
        ("逾期付款的违约金上限是多少？", 1500000, "违约金累计不超过1,500,000元。", True),
        ("违约金是多少？", 1500000, "违约金累计不超过1,500,000元。", False),
        ("What is the maximum penalty?", 1500, "The penalty is at most $1,500.", True),
        ("What amount did the court award?", 310, "The claimant asked for $310 in all; the court awarded $130.", False),
    ],
)
def test_what_was_asked_decides_about_limits_and_rivals(question: str, expected: int, answer: str, right: bool) -> None:
    """A limit answers a question for one; an amount that shares more words with the question is a rival."""
    assert _matches({"amount_total": expected}, answer, question=question) is right


@pytest.mark.parametrize(
    ("question", "count", "answer", "right"),
    [
        ("应提前多少日通知对方？", 45, "四十五日（第2页）。", True),
        ("应提前多少日通知对方？", 45, "45日，第2页第三条。", True),
        ("应提前多少日通知对方？", 45, "45天", True),
        ("应提前多少日通知对方？", 45, "45个月", False),
        ("应提前多少日通知对方？", 45, "45小时", False),
        ("应提前多少日通知对方？", 45, "四十五个工作日", False),
        ("应提前多少日通知对方？", 45, "5月45日", False),
        ("逾期超过多少日可以解除？", 20, "超过二十天就可以解除", True),
        ("逾期超过多少日可以解除？", 20, "逾期20天以上", True),
        ("保修期是几年？", 2, "24个月，即两年", True),
        ("保修期是几年？", 2, "两个月", False),
        ("How many days after the offer does it lapse?", 14, "14 weeks", False),
        ("How many days after the offer does it lapse?", 14, "14 days before the offer", False),
        ("How many days after the offer does it lapse?", 7, "A week", True),
        ("How many cubic metres of gravel were sold?", 9, "9 m³", True),
        ("How many cubic metres of gravel were sold?", 9, "Nine, all washed", True),
        ("How many cubic metres of gravel were sold?", 9, "9 tonnes", False),
        ("How many cubic metres of gravel were sold?", 9, "9 trucks", False),
    ],
)
def test_a_count_has_the_unit_that_is_asked_for(question: str, count: int, answer: str, right: bool) -> None:
    """45日 alone answers for days; 45 months, hours and working days are another length."""
    assert _matches({"count": count}, answer, question=question, required_evidence=[]) is right


def test_the_evidence_tells_the_unit_where_the_question_does_not() -> None:
    """The offer lapses after 14 days: 14 weeks is another length."""
    evidence = [{"page": 4, "must_include": "lapses after 14 days"}]
    question = "How long is the offer open?"

    assert _matches({"count": 14}, "14 days", question=question, required_evidence=evidence)
    assert not _matches({"count": 14}, "14 weeks", question=question, required_evidence=evidence)


@pytest.mark.parametrize(("answer", "right"), [("Ms Reed", True), ("A. Reed", True), ("Mr Reeder", False)])
def test_a_short_form_is_the_name(answer: str, right: bool) -> None:
    """A title or an initial before the last name is enough."""
    assert _matches({"entity": "Anna Reed"}, answer, question="Who is the witness?") is right


@pytest.mark.parametrize(
    ("answer", "shown"),
    [
        ("租期 为24个月，两年，即两年（第1页）。", "两年"),
        ("租期 为24个月，“不少于24个月”，两年。", "两年"),
        ("两年", "两年"),
    ],
)
def test_the_words_shown_are_the_words_found(answer: str, shown: str) -> None:
    """A space between two characters shifts nothing."""
    (row,) = judge(fact({"text_answer": "两年"}, question="租期多长？"), answer).details["fields"]

    assert (row["outcome"], row["found"]) == ("match", shown)


FEE = "What is the fee after the change?"
ADVANCE = "How much deposit must the Tenant pay?"


@pytest.mark.parametrize(
    ("question", "amount", "answer", "outcome"),
    [
        (FEE, 900, "It was cut by £900.", "wrong"),
        (FEE, 900, 'It came down from £1,200 to £900 (page 3: "lower the fee to £900").', "match"),
        (FEE, 900, "It was lowered to £900; before that it had been £1,200.", "match"),
        (FEE, 900, "1,200 - 300 = 900 pounds", "match"),
        (FEE, 900, '£900 (page 2, "a fee of £900").', "match"),
        (FEE, 900, "£900 was never agreed.", "wrong"),
        (FEE, 900, "It was increased by £100 to £900.", "match"),
        ("What was the purchase price?", 900, "£900 per year", "open"),
        (FEE, 900, "Three quarters: £900 out of £1,200.", "match"),
        ("By how much was the fee cut?", 300, "It was cut by £300.", "match"),
        (ADVANCE, 700, "The Tenant must pay a balance of £700.", "open"),
        (ADVANCE, 700, "The Landlord must pay the Tenant £700.", "open"),
        (ADVANCE, 700, "The Tenant must pay £700.", "match"),
        ("What is the total price?", 700, "£700 per month", "wrong"),
        ("每月的管理费是多少？", 1600, "1,600元/季度", "wrong"),
        ("每月的管理费是多少？", 1600, "每年1,600元", "wrong"),
        ("每月的管理费是多少？", 1600, "1,600元/月", "match"),
        ("调整后月管理费是多少？", 1600, "降低了200元，之后每月交1,600元", "match"),
    ],
)
def test_an_amount_is_what_was_asked_for(question: str, amount: int, answer: str, outcome: str) -> None:
    """By how much something changed, for what time it is paid, its label and who pays it are looked at."""
    (row,) = judge(fact({"amount_total": amount}, question=question, required_evidence=[]), answer).details["fields"]

    assert row["outcome"] == outcome


@pytest.mark.parametrize(
    ("question", "date", "answer", "right"),
    [
        ("On which day was it signed?", "2021-05-13", "The thirteenth of May 2021.", True),
        ("On which day was it signed?", "2021-05-13", "May the thirteenth, 2021", True),
        ("On which day was it signed?", "2021-05-13", "On the 13th of May, 2021", True),
        ("By when must it be delivered?", "2021-11-30", "No later than the last day of November 2021", True),
        ("By when must it be delivered?", "2021-11-30", "After 30 November 2021", False),
        ("By when must it be delivered?", "2021-11-30", "By 30 November 2021", True),
        ("最迟哪一天交货？", "2021-11-30", "2021年11月30日之后", False),
    ],
)
def test_a_day_in_words_and_a_day_from_which_on(question: str, date: str, answer: str, right: bool) -> None:
    """May in a date is no guess; after a day is no deadline."""
    assert _matches({"date": date}, answer, question=question) is right


def test_one_end_told_as_the_end_of_its_month() -> None:
    """11月底到期，也就是11月30日 names one end twice."""
    period = {"start": "2021-06-01", "end": "2021-11-30"}

    assert _matches({"date_range": period}, "起租2021年6月1日，2021年11月底到期，也就是11月30日。", question="租期？")


@pytest.mark.parametrize(
    ("answer", "outcome"),
    [("It was signed on 07/05/2021.", "open"), ("07/05/2021, that is 7 May 2021", "match"), ("05/08/2021", "wrong")],
)
def test_a_day_that_can_be_read_in_two_ways_is_open(answer: str, outcome: str) -> None:
    """07/05/2021 is the 7th of May or the 5th of July."""
    question = fact({"date": "2021-05-07"}, question="On which day was it signed?")
    (row,) = judge(question, answer).details["fields"]

    assert row["outcome"] == outcome


@pytest.mark.parametrize(
    ("wanted", "question", "answer", "right"),
    [
        ("1300W", "吹风机的额定功率是多少？", "额定功率为1300W", True),
        ("1300W", "吹风机的额定功率是多少？", "1300瓦", True),
        ("1300W", "吹风机的额定功率是多少？", "1.3 kW", True),
        ("1300W", "吹风机的额定功率是多少？", "额定功率为1500W", False),
        ("16周岁", "多大年龄可以报名？", "年满16周岁", True),
        ("16周岁", "参加者须年满多少岁？", "未满16周岁", False),
        ("四小時", "加班多久可以領餐券？", "滿四小時", True),
        ("四小時", "加班多久可以領餐券？", "滿五小時", False),
        ("10月15日", "什么时候前提交材料？", "10月15日前", True),
        ("10月15日", "什么时候前提交材料？", "10月15日后", False),
        ("9月5日", "学费应在什么时候前缴清？", "应于9月5日前缴清", True),
        ("the laws of Ireland", "What governing law is chosen?", "The charter is governed by Irish law.", True),
        ("the laws of Ireland", "What governing law is chosen?", "The charter is governed by English law.", False),
        ("Yes", "May the Processor engage sub-processors?", "The Processor may engage sub-processors.", True),
        ("Yes", "May the Processor engage sub-processors?", "The Processor may not engage sub-processors.", False),
    ],
)
def test_a_value_is_stated_in_the_words_a_source_has_for_it(
    wanted: str, question: str, answer: str, right: bool
) -> None:
    """A unit by another name, a limit that was asked for, an age reached, a country's law, a yes in other words."""
    assert _matches({"text_answer": wanted}, answer, question=question) is right


@pytest.mark.parametrize(
    ("answer", "right"), [("不超过30元", True), ("30元", True), ("超过30元", False), ("至少30元", False)]
)
def test_an_upper_limit_that_is_asked_for_is_one(answer: str, right: bool) -> None:
    """不超过多少元 asks for the most."""
    assert _matches({"amount_total": 30}, answer, question="每餐报销不超过多少元？") is right


@pytest.mark.parametrize(
    ("question", "answer", "says"),
    [
        ("May the Processor engage sub-processors?", "The Processor may engage sub-processors.", True),
        ("May the licensee sublicense the software?", "Sublicensing is prohibited under section 2.4.", False),
        ("May the licensee sublicense the software?", "Sublicensing is allowed under section 2.4.", True),
        ("May the tenant sublet?", "The tenant is prohibited from subletting.", False),
        ("Are dogs allowed in the garden?", "Dogs are not allowed in the garden.", False),
    ],
)
def test_may_is_answered_by_what_is_allowed_or_prohibited(question: str, answer: str, says: bool) -> None:
    """Whether something may be done is told by its verb, in any ending."""
    assert _matches({"boolean_answer": says}, answer, question=question)
    assert not _matches({"boolean_answer": not says}, answer, question=question)
