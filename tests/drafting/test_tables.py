"""Tables: which column names the rows, which cells are asked for, and why others are not."""

from collections import Counter

import pytest

from ragstone.documents.page import Page
from ragstone.drafting.corpus import Paper
from ragstone.drafting.find import Found, find
from ragstone.drafting.questions.parts import Refused


def _found(text: str) -> tuple[dict[str, str], Counter[str]]:
    found = list(find(Paper("a.md", "0" * 64, (Page(1, text),))))
    asked = {one.draft.question: one.draft.points[0].text for one in found if isinstance(one, Found)}
    return asked, Counter(one.reason for one in found if isinstance(one, Refused))


def _table(*rows: str) -> str:
    return "\n".join([f"| {rows[0]} |", "|" + "---|" * (rows[0].count("|") + 1), *(f"| {row} |" for row in rows[1:])])


def test_a_column_of_codes_does_not_name_its_rows() -> None:
    """The column of names does, and the code is asked for like the price; a number that only counts is not."""
    table = _table("序号 | 货号 | 品名 | 单价", "1 | Y-11 | 竹刨 | 35元", "2 | Y-12 | 木槌 | 28元")
    asked, refused = _found(f"# 云岭工具价目表\n\n{table}\n")
    assert asked == {
        "根据《云岭工具价目表》，竹刨的货号是什么？": "Y-11",
        "根据《云岭工具价目表》，竹刨的单价是多少？": "35元",
        "根据《云岭工具价目表》，木槌的货号是什么？": "Y-12",
        "根据《云岭工具价目表》，木槌的单价是多少？": "28元",
    }
    assert not refused


def test_codes_alone_are_said_with_their_column() -> None:
    """Nothing else names the rows."""
    asked, _ = _found(f"# 云岭工具价目表\n\n{_table('产品编号 | 单价', 'P-7 | 3元', 'P-8 | 4元')}\n")
    assert asked == {
        "根据《云岭工具价目表》，产品编号为P-7的，单价是多少？": "3元",
        "根据《云岭工具价目表》，产品编号为P-8的，单价是多少？": "4元",
    }


def test_english_codes_are_passed_over_and_counted() -> None:
    """The product names the row; its code cannot be asked for well."""
    table = _table("Item no. | Product | Price", "K-11 | Copper kettle | £42", "K-12 | Oak stool | £65")
    asked, refused = _found(f"# Kestrel Supplies price list\n\n{table}\n")
    assert set(asked.values()) == {"£42", "£65"}
    assert all("for the product “" in question for question in asked)
    assert refused == {"broken": 2}


def test_a_word_of_the_title_names_no_product() -> None:
    """Price, Lead time: what the title writes with a capital is a column all the same."""
    table = _table("Product | Price | Lead time", "Copper kettle | £42 | 5 days")
    asked, _ = _found(f"# Kestrel Price List\n\n{table}\n")
    assert list(asked.values()) == ["£42", "5 days"]


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        (("品名 | 单价", "竹刨 | 35元", "竹刨 | 28元"), {"two_places": 2}),
        (("品名 | 单价", "竹刨 | 35元 | 现货"), {"broken": 1}),
        (("品名 | 单价", "—— | 35元"), {"no_subject": 1}),
        (("品名 | 现货", "竹刨 | 有"), {"nothing_told": 1}),
        (("品名 | 备注（含税）", "竹刨 | 三年保修"), {"broken": 1}),
    ],
)
def test_what_is_not_taken_is_counted(rows: tuple[str, ...], reason: dict[str, int]) -> None:
    """A row that is not alone, not whole or has no name; a cell that says little; a column that reads badly."""
    asked, refused = _found(f"# 云岭工具价目表\n\n{_table(*rows)}\n")
    assert (asked, refused) == ({}, reason)


@pytest.mark.parametrize(
    "noun", ["规约", "規約", "公约", "章程", "守则", "须知", "指引", "细则", "准则", "管理办法", "注意事项"]
)
def test_documents_that_set_rules_are_alike_whatever_they_are_called(noun: str) -> None:
    """The same ban gives the same question."""
    asked, _ = _found(f"# 柳岸小区{noun}\n\n停车位不得出租予非住户。\n")
    assert list(asked.values()) == ["不得出租予非住户"]


def test_what_a_term_means_is_no_subject() -> None:
    """The clause behind a term tells what that is, and is asked for as its meaning alone."""
    asked, _ = _found("# 柳岸渡船保固条款\n\n本条款所称原装配件，系指由松针公司制造或授权之零件。\n")
    assert not [question for question in asked if "哪家公司" in question]


def test_of_software_tables_and_lists_are_asked_about() -> None:
    """Its sentences are not: they hang on code."""
    code = "```bash\nharbor init\n```\n"
    table = _table("Option | Default", "`port` | 8080", "`workers` | 4")
    listed = "Harbor supports the following databases:\n\n- SQLite\n- MySQL\n"
    text = f"# Harbor Install\n\n{code}\n{table}\n\n{listed}\n{code}"
    asked, refused = _found(text)

    assert asked["According to “Harbor Install”, what is the default for the option “workers”?"] == "4"
    assert "According to “Harbor Install”, which databases does Harbor support?" in asked
    assert refused["software"]


def test_what_a_specification_lists_is_asked_for() -> None:
    """Its second column says nothing of its figures, whatever it is called; other cells below it are no value."""
    asked, _ = _found(
        f"# 晨霧咖啡機使用手冊\n\n{_table('項目 | 內容', '功率 | 1,350W', '日期 | 2031年5月', '保固 | 主機十八個月')}\n"
    )
    assert asked == {"根據《晨霧咖啡機使用手冊》，功率是多少？": "1,350W"}


@pytest.mark.parametrize(
    "rows",
    [
        ("类别 | 价格 | 价格", " | 老人 | 其他", "午餐 | 12元 | 18元"),
        ("类别 | 价格 | 价格", "午餐 | 12元 | 18元"),
        ("类别 | 老人价格 | 其他价格", "类别 | 非周末 | 非周末", "午餐 | 12元 | 18元"),
        ("类别 | 价格", "堂食 | 外带", "午餐 | 12元 | 18元", "晚餐 | 10元 | 15元"),
    ],
)
def test_columns_that_a_second_header_tells_apart_are_not_asked_for(rows: tuple[str, ...]) -> None:
    """One name alone, or cells that were one in the file, do not say which column is meant."""
    asked, refused = _found(f"# 滨江食堂收费标准\n\n{_table(*rows)}\n")
    assert asked == {}
    assert refused


def test_a_column_beside_two_of_one_name_is_asked_for() -> None:
    """Only the two of one name are unclear."""
    asked, _ = _found(f"# 滨江食堂收费标准\n\n{_table('类别 | 价格 | 价格 | 时长', '午餐 | 12元 | 18元 | 2小时')}\n")
    assert list(asked.values()) == ["2小时"]


@pytest.mark.parametrize(
    ("columns", "asked", "skipped"), [(90, 20 * 90, {"spread": 20}), (240, 0, {"spread": 30, "length": 10 * 240})]
)
def test_of_a_large_table_some_rows_are_asked_about(columns: int, asked: int, skipped: dict[str, int]) -> None:
    """So many cells, and none of a row that nobody could read; what is not asked for is counted."""
    rows = [" | ".join(["型号", *(f"规格{at}" for at in range(columns))])]
    rows += [" | ".join([f"甲板{row}号", *(f"{row}元" for _ in range(columns))]) for row in range(10, 50)]

    found, refused = _found(f"# 大表价格\n\n{_table(*rows)}\n")

    assert (len(found), refused) == (asked, skipped)


def test_what_is_counted_by_is_not_asked_for() -> None:
    """A share of a thousand is asked for as one, and a headline stands in marks."""
    asked, _ = _found(f"# 云岭工具价目表\n\n{_table('品名 | 单位 | 单价', '竹刨 | 把 | 35元')}\n")
    assert list(asked.values()) == ["35元"]
    asked, _ = _found("# 云岭租赁合同\n\n乙方每逾期一日按应付金额的0.3‰支付违约金。\n")
    assert [one for one in asked if "千分之几" in one]
    asked, _ = _found("# 云岭航天“翠鸟二号”卫星发射成功\n\n媒体联系人：许婷\n")
    assert list(asked) == ["根据《云岭航天“翠鸟二号”卫星发射成功》，媒体联系人是谁？"]
