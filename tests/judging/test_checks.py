"""Quotations are believed only when they stand in the text, in one piece, whole, and a yes only with its values."""

import pytest

from ragstone.core.types import Question
from ragstone.judging.checks import bears_on, find_quote, keeps_values


@pytest.mark.parametrize(
    ("quote", "text"),
    [
        ("ＦＥＥ is 1.2", "The fee is 1.2 million."),
        ("1,200", "1200 yuan"),
        ("申請材料", "请于周一前提交申请材料。"),
        ("it is 12", "it is 12."),
        ("a", "a"),
        ("支持退款", "本店不支持退换，但支持退款。"),
        ("２０２６年", "二〇二六年，即2026年"),
    ],
)
def test_what_stands_there_is_found(quote: str, text: str) -> None:
    """Width, script, thousands and a second place do not matter."""
    span = find_quote(quote, text)

    assert span is not None
    assert text[slice(*span)]


@pytest.mark.parametrize(
    ("quote", "text"),
    [
        ("2 million", "The fee is 1.2 million."),
        ("12", "12.5"),
        ("200", "1,200 yuan"),
        ("２00", "1２００"),
        ("十万元", "二十万元"),
        ("支持退款", "本店不支持退款"),
        ("available", "It is not available."),
        ("able", "unable"),
        ("的", "他的书"),
        ("", ""),
        ("...", "..."),
        ("the fee is waived", "The fee is 1.2 million."),
    ],
)
def test_what_is_cut_or_made_up_is_not(quote: str, text: str) -> None:
    """A number, word or negation cut in two, a single character, nothing, and words that are not there."""
    assert find_quote(quote, text) is None


@pytest.mark.parametrize(
    ("point", "answer"),
    [
        ("만료 2개월 전까지 통보해야 한다", "계약이 끝나기 두 달 전까지는 알리셔야 합니다."),
        ("직원은 주 2회까지 재택근무를 할 수 있다", "재택근무는 최대 두 번까지 가능합니다."),
        ("평일 오전 9시부터 오후 6시까지 운영", "월요일부터 금요일까지 09:00~18:00에 운영합니다."),
        ("讲座下午三点开始", "讲座15:00开始。"),
        ("Store between 2 and 8 degrees Celsius", "Keep the vials at 2–8 °C."),
        ("Customers can withdraw €600 a day from ATMs.", "An ATM gives you 600 euros per day."),
        ("该车次停靠苏州北站", "第一站就是苏州北，之后直达。"),
        ("柯兰公司去年亏损", "柯兰去年入不敷出。"),
        ("The prize went to Ada.", "这个奖给了艾达。"),
        ("保修期为六个月", "半年之内坏了都免费修。"),
        ("두 달 걸린다", "2개월 정도 걸립니다."),
        ("苏岩生于1931年", "苏岩（1931—2010），当代版画家。"),
        ("约定次年归还", "约定第二年归还。"),
    ],
)
def test_a_value_may_be_written_otherwise(point: str, answer: str) -> None:
    """Other numerals, units and clocks, a scale's sign, a short form of a name, another script."""
    assert keeps_values(Question(kind="states", point=point, answer=answer))


@pytest.mark.parametrize(
    ("point", "answer"),
    [
        ("만료 2개월 전까지 통보해야 한다", "계약이 끝나기 세 달 전까지는 알리셔야 합니다."),
        ("讲座下午三点开始", "讲座16:00开始。"),
        ("두 달 걸린다", "3개월 정도 걸립니다."),
        ("厂歌写于1958年", "厂里办征文，柯兰的诗被定为歌词。"),
        ("The bond matures in 2031.", "Interest is paid twice a year."),
        ("专案负责人是林品妤", "本项目由林品睿担任负责人。"),
        ("年会在苏州举办", "今年的年会在无锡举办。"),
        ("The anthem was composed by Tomas Ekholm", "It was composed by Henrik Ekholm, a teacher."),
    ],
)
def test_a_changed_value_is_not_kept(point: str, answer: str) -> None:
    """Another number, hour, person or place: a judge's yes decides nothing."""
    assert not keeps_values(Question(kind="states", point=point, answer=answer))


@pytest.mark.parametrize(
    ("quote", "point", "answer", "told"),
    [
        ("You", "Refunds take a week", "You get your money back in seven days.", False),
        ("“the”", "Refunds take a week", "After the week it is there.", False),
        ("我们", "七天内可以退货", "我们一星期之内都能退。", False),
        ("week", "Refunds take a week", "After the week it is there.", True),
        ("退货", "七天内可以退货", "我们一星期之内都能退货。", True),
        ("7", "It takes 7 days", "You get it after 7 days.", True),
        ("能退", "七天内可以退货", "能退", True),
        ("一星期", "七天内可以退货", "我们一星期之内都能退。", True),
    ],
)
def test_a_quotation_bears_on_the_point(quote: str, point: str, answer: str, told: bool) -> None:
    """A word that says nothing is no proof; a word or number of the point, three characters, the whole answer are."""
    assert bears_on(quote, Question(kind="states", point=point, answer=answer)) is told


def test_a_refusal_may_be_quoted_in_a_word() -> None:
    """It has no point that words could be of."""
    assert bears_on("无", Question(kind="declines", answer="查无此项，请另行咨询。"))
