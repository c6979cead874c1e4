"""A quotation of a model is exactly what its question asks for, or is refused."""

import pytest

from ragstone.documents.page import Page
from ragstone.drafting.corpus import Paper
from ragstone.drafting.find import Found
from ragstone.drafting.model.propose import passages
from ragstone.drafting.model.reply import judge

CLINIC = """# 青禾门诊收费表

会员卡的有效期为两年。门诊部建筑面积1.2万平方米，2014年动工。高风险运动包括潜水、跳伞和攀岩。
押金为100元，教职工免交。材料费另计，天然染色为1200元。

| 项目 | 价格 | 会员价 |
|---|---|---|
| 全景片 | 120 | 96 |
| 根管治疗（前牙） | 1200 | 1080 |
"""
PLANT = """# Tarrow lab rules

Weigh 2.0 g of salicylic acid into a 100 mL flask. The lab employs 180 people. Interest accrues at 4% per annum above
the base rate. The lab repeats a test up to 8 times. Staff receive 27 days of paid leave plus bank holidays.
“Relative” means a spouse, civil partner, parent or child.
"""


@pytest.mark.parametrize(
    ("question", "quote", "gold"),
    [
        ("会员卡的有效期为哪一年？", "两年", ""),
        ("会员卡的有效期为多少年？", "有效期为两年", "两年"),
        ("门诊部的建筑面积是多少平方米？", "建筑面积1.2万平方米", "1.2万平方米"),
        ("青禾门诊收费表的高风险运动包括哪些？", "潜水、跳伞", ""),
        ("青禾门诊收费表的押金为多少元？", "100元", ""),
        ("天然染色为多少元？", "1200元", ""),
        ("全景片的会员价是多少？", "120", ""),
        ("全景片的会员价是多少？", "96", "96"),
        ("根管治疗的价格是多少？", "1200", ""),
        ("How much salicylic acid is weighed in the Tarrow lab?", "100 mL", ""),
        ("How many people does the Tarrow lab employ?", "employs 180 people", "180 people"),
        ("How many people does the Tarrow lab employ?", "The lab employs 180 people", "180 people"),
        ("At what rate does interest accrue at the Tarrow lab?", "4% per annum", ""),
        ("How many times does the Tarrow lab repeat a test?", "8 times", ""),
        ("How many days of bank holidays do staff of the Tarrow lab receive?", "27 days", ""),
        ("What does “Relative” mean in the Tarrow lab rules?", "spouse, civil partner", ""),
    ],
)
def test_a_quotation_is_what_is_asked_for(question: str, quote: str, gold: str) -> None:
    """That cell, that value without its verb, the whole of a list, with its limit."""
    papers = [Paper(name, name, (Page(1, text),)) for name, text in (("a.md", CLINIC), ("b.md", PLANT))]
    found = [judge(question, quote, one) for paper in papers for one in passages(paper) if quote in one.text]
    assert [one.draft.points[0].text for one in found if isinstance(one, Found)] == [gold] * bool(gold)
