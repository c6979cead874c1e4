"""Serials: phones, identity numbers, accounts, codes and versions are told apart."""

import pytest

from ragstone.reading.values.serials import find_serials

FOUND = [
    ("电话010-62512345", "phone", "010-62512345"),
    ("手机139 0000 1234", "phone", "139 0000 1234"),
    ("Call +49 30 555 0199.", "phone", "+49 30 555 0199"),
    ("客服400-800-5678", "phone", "400-800-5678"),
    ("拨打110报警", "phone", "110"),
    ("身份证370202198801012345", "id", "370202198801012345"),
    ("身份证37020219880101234X", "id", "37020219880101234X"),
    ("卡号6217 0012 3456 7890 123", "account", "6217 0012 3456 7890 123"),
    ("账号尾号为3391", "account", "3391"),
    ("（2020）粤0304刑初123号", "id", "（2020）粤0304刑初123号"),
    ("109年度訴字第1234號", "id", "109年度訴字第1234號"),
    ("车牌粤B12345", "id", "粤B12345"),
    ("合同编号HX-2021-0387", "id", "HX-2021-0387"),
    ("国药准字H10900089", "id", "H10900089"),
    ("v1.2.0 已发布", "id", "v1.2.0"),
    ("写信到 press@acme.example", "email", "press@acme.example"),
    ("见 https://example.com/a?b=1", "url", "https://example.com/a?b=1"),
    ("the R7 robot", "product", "R7"),
]


@pytest.mark.parametrize(("text", "kind", "serial"), FOUND)
def test_serial_is_found(text: str, kind: str, serial: str) -> None:
    """Serial writing is found whole and with its kind."""
    assert [(one.kind, text[one.start : one.end]) for one in find_serials(text)] == [(kind, serial)]


@pytest.mark.parametrize(
    "text", ["2020年8月30日 12:30", "1,280萬元", "2021-06-30", "356,000.00", "40kg 的 10th", "04_setup.md", "第3条"]
)
def test_numbers_are_no_serials(text: str) -> None:
    """Dates, amounts, measures and files are left to other readers."""
    assert find_serials(text) == []
