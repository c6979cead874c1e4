"""What is a person's own is hidden, wherever it stands and however it is written."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragstone.reading.private import mask_private, mask_private_in
from ragstone.reading.values.specifics import LONGEST_ANSWER


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("电话13900001234。", "电话*********34。"),
        ("身份证号370202198801012345。", "身份证号****************45。"),
        ("卡号6217001234567890123。", "卡号*****************23。"),
        ("写信到sales@lumen.example。", "写信到*****@lumen.example。"),
        ("住青岛市市南区香港中路76号。", "住青岛市市南区*******。"),
        ("共42000元。", "共42000元。"),
        ("版本v1.2.0，合同HX-2021-0387，拨打110。", "版本v1.2.0，合同HX-2021-0387，拨打110。"),
    ],
)
def test_private_details_are_hidden(text: str, masked: str) -> None:
    """Phones, identity numbers, accounts, mail and streets are hidden, and everything else stays."""
    assert mask_private(text) == masked


@pytest.mark.parametrize(
    "text",
    [
        "材料没有提到{}。",
        "The text does not mention {}",
        "录音-{}.pdf",
        "/a/{}/b.pdf",
        "https://lumen.example/u?tel={}",
        "q-{}",
        "a{}b",
        '{{"phone":{}}}',
        "{}.0",
        "{}…",
        "{},{}",
    ],
)
@pytest.mark.parametrize("number", ["13900001234", "370202198801012345"])
def test_a_number_is_hidden_wherever_it_stands(text: str, number: str) -> None:
    """A clause that denies it, a file's name, an address, a letter beside it: none of them shows a number."""
    assert number[:8] not in mask_private(text.format(number, number))


@pytest.mark.parametrize("text", ["13,900,001,234", "1.3900001234e10", "A123456789", "02-2345-6789", "1390000123…"])
def test_other_dresses_of_a_number_are_hidden(text: str) -> None:
    """A phone read as an amount, numbers of Taiwan and the beginning of a number that was cut are hidden."""
    assert sum(map(str.isdigit, mask_private(text))) == 2


@pytest.mark.parametrize("text", ["0.12345678", "第 3 条，共 2,450,000 元", "2020-08-30 10:15:00", "score 0.8333333"])
def test_what_is_nobodys_own_stays(text: str) -> None:
    """Amounts, dates and scores stay."""
    assert mask_private(text) == text


def test_all_of_a_value_is_hidden() -> None:
    """Texts, numbers and names of fields are looked at; small numbers, flags and nothing stay."""
    value = {"13900001234": [13900001234, 13900001234.0, "电话13900001234"], "score": 0.5, "ok": True, "none": None}

    hidden = mask_private_in(value)

    assert hidden == {
        "*********34": ["*********34", "*********34.0", "电话*********34"],
        "score": 0.5,
        "ok": True,
        "none": None,
    }


@given(st.text(max_size=80))
@settings(deadline=None)
def test_masking_keeps_the_length(text: str) -> None:
    """A masked text is as long as before."""
    assert len(mask_private(text)) == len(text)


def test_an_endless_answer_is_masked_to_its_end() -> None:
    """All of a text is masked, however long it is."""
    assert mask_private("字" * LONGEST_ANSWER + " 手机13800138000").endswith("手机*********00")


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("电话一三九一二三四五六七八。", "电话*********七八。"),
        ("电话：幺三九 一二三四 五六七八", "电话：*** **** **七八"),
        ("二〇二六年三月五日，第一百二十三条", "二〇二六年三月五日，第一百二十三条"),
        ("一、二、三、四、五、六、七、八、九、一、二", "一、二、三、四、五、六、七、八、九、一、二"),
        ("身份证号110105…", "身份证号****05…"),
        ("邮箱zhang@e…", "邮箱*****@e…"),
    ],
)
def test_han_digits_and_cut_texts_are_hidden(text: str, masked: str) -> None:
    """A phone in Han digits is a phone, and the beginning of a number or an address is as private as the whole."""
    assert mask_private(text) == masked
