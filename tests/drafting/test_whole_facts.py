"""Whole golds and whole questions: agents, units, ASCII marks, lost clauses, plain English facts, tables."""

import json
from collections import Counter
from pathlib import Path

import pytest

from ragstone.documents.page import Page
from ragstone.drafting.corpus import Corpus, Paper
from ragstone.drafting.draw import draw
from ragstone.drafting.find import Found, find
from ragstone.drafting.make import draft
from ragstone.drafting.proof import stale
from ragstone.drafting.rows import fits
from tests.conftest import Cli


def _paper(text: str, name: str = "a.md") -> Paper:
    return Paper(name, "0" * 64, (Page(1, text),))


def _asked(text: str, title: str = "云岫公司管理办法") -> dict[str, list[str]]:
    drafts = [one.draft for one in find(_paper(f"# {title}\n\n{text}\n")) if isinstance(one, Found)]
    drafts = [one for one in drafts if one.kind != "section"]
    return {one.question.split("》，")[-1].split("”, ")[-1]: [point.text for point in one.points] for one in drafts}


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("本办法由财务管理中心负责解释。", {"本办法由哪个部门负责解释？": ["财务管理中心"]}),
        ("钥匙由物资管理部统一保管。", {"钥匙由哪个部门统一保管？": ["物资管理部"]}),
        ("印章由综合管理办公室保管。", {"印章由哪个部门保管？": ["综合管理办公室"]}),
        ("资金由资金运营中心管理。", {"资金由哪个部门管理？": ["资金运营中心"]}),
        ("采购合同由监督管理局审批。", {"采购合同由谁审批？": ["监督管理局"]}),
        ("设备由信息部负责人张敏验收。", {"设备由谁验收？": ["张敏"]}),
        ("設備由人力資源管理處驗收。", {"設備由哪個部門驗收？": ["人力資源管理處"]}),
        ("到货后须由请购部门与采购组共同验收。", {"到货后须由哪些部门共同验收？": ["请购部门与采购组"]}),
        ("会上决定改成分页,由郭启明在8月27日前完成改造并提供测试报告。", {}),
        ("验收单由何文涛在周末完成并提供。", {}),
        ("签字表由前台在当天下班前负责检查。", {}),
    ],
)
def test_an_agent_is_a_bare_person_or_department(text: str, asked: dict[str, list[str]]) -> None:
    """A verb within a department's name is no predicate; a time or another verb within the agent is refused."""
    assert {question: gold for question, gold in _asked(text).items() if "由" in question} == asked


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("噪音不大于72分贝。", {"噪音不大于多少分贝？": ["72分贝"]}),
        ("备用发电机功率为800千瓦。", {"备用发电机功率为多少千瓦？": ["800千瓦"]}),
        ("噪音:不大于72分贝", {}),
        ("工作日:每批不超过15人,须提前三天登记", {}),
        ("会议时间:2025年8月20日(周三)14:00-15:20", {}),
        ("乙方应于每季度首月5日前支付租金。", {"乙方应于每季度首月几日前支付租金？": ["5日"]}),
        ("接口出现三次超时,原因是超过上限。", {"接口出现多少次超时？": ["三次"]}),
        ("许蔓汇报,立体货架安装完成82%。", {"立体货架安装完成百分之几？": ["82%"]}),
        ("E5:电机过热保护,请断电静置30分钟。", {}),
        ("不要携带电子产品,零花钱不超过30元。", {}),
        ("豆浆程序约需28分钟,干豆用量不超过90克。", {"豆浆程序约需多少分钟？": ["28分钟"]}),
        ("满十年以上的为18天。", {}),
        ("逾期超过30日的,甲方有权解除合同。", {}),
        ("合同期满并交还商铺后15个工作日内,甲方无息退还。", {}),
        ("逾期按年利率5%加计利息。", {}),
        ("接口上周出现三次超时。", {}),
        ("逾期交纳的,每日按欠费金额的万分之三收取滞纳金。", {}),
        ("其后每满四小时再给付三千元。", {}),
        ("预计8月29日全部到货。", {}),
        ("连续输入错误六次,账号锁定三十分钟。", {"连续输入错误六次，账号锁定多少分钟？": ["三十分钟"]}),
    ],
)
def test_values_are_whole_and_questions_have_what_they_are_of(text: str, asked: dict[str, list[str]]) -> None:
    """ASCII marks are read as Chinese ones; labels, lost subjects and clauses of something else are refused."""
    assert _asked(text) == asked


def test_units_keep_their_script() -> None:
    """里 of 公里 is no 裡."""
    assert "充滿電後可行駛約多少公里？" in _asked("充滿電後可行駛約九十公里。", "電動自行車使用手冊")


@pytest.mark.parametrize(
    ("text", "question", "gold"),
    [
        ("The rent is $900 per month.", "how much is the rent per month?", "$900"),
        (
            "**Rent.** Monthly rent is $1,640, due on the first day of each month.",
            "how much is the monthly rent?",
            "$1,640",
        ),
        ("The term is three years.", "how long is the term?", "three years"),
        (
            "The warranty period is two years from the date of purchase.",
            "how long is the warranty period from the date of purchase?",
            "two years",
        ),
        (
            "A late fee of $75 applies if rent is not received by the fifth.",
            "how much is the late fee if rent is not received by the fifth?",
            "$75",
        ),
        (
            "Tenant shall pay a deposit of $2,460 before moving in.",
            "how much is the deposit the Tenant must pay before moving in?",
            "$2,460",
        ),
        ("The Employee must give 30 days' notice.", "how much notice must the Employee give?", "30 days"),
        ("AGM will be held on Saturday 4 October at 2 pm.", "when will the AGM be held?", "Saturday 4 October at 2 pm"),
    ],
)
def test_plain_english_facts(text: str, question: str, gold: str) -> None:
    """What a contract or notice tells of its own subject."""
    assert _asked(text, "Otter Quay Lease Agreement").get(question) == [gold]


@pytest.mark.parametrize(
    "text",
    [
        "Minutes of the Board Meeting held on 9 July 2025 at Otter Hall.",
        "TG visited on 2 July.",
        "Staff may not work from abroad because of client contracts.",
        "We provide a one-time allowance of £350. The allowance is claimed with receipts within 90 days.",
        "A charge of $20 applies.",
    ],
)
def test_english_that_only_its_document_explains(text: str) -> None:
    """A participle, initials, a reason, a thing introduced before, and a charge for nobody knows what."""
    assert _asked(text, "Otter Quay Staff Policy") == {}


PRICES = """# 云岫茶业价目表

价格单位:元/公斤(含税)

| 品名 | 产地 | 批发价 | 起订量 |
|---|---|---|---|
| 铁观音 | 青禾 | 460 | 5公斤 |
| 大红袍 | 栖雾 | 880 | 2公斤 |
| 茉莉花茶 | 白鹭 | 150 | 10公斤 |
"""
RATES = """# 云岫集团差旅费管理办法

## 住宿
第五条 住宿标准(每人每晚):

| 职级 | 一线城市 | 其他城市 |
|---|---|---|
| 普通员工 | 500元 | 300元 |
"""


def test_sums_are_asked_with_their_unit_and_by_their_caption() -> None:
    """元/公斤 above a table, and what the sums of a column of cases are."""
    prices, rates = (
        {one.draft.question.split("，")[-1] for one in find(_paper(text)) if isinstance(one, Found)}
        for text in (PRICES, RATES)
    )

    assert "大红袍的批发价是每公斤多少元？" in prices
    assert "普通员工一线城市的住宿标准是多少？" in rates


def test_a_size_is_no_definition() -> None:
    """What a thing's size column says is asked for as its size."""
    text = "# 云岫采购须知\n\n| 名称 | 规格 | 起订量 |\n|---|---|---|\n| 手套 | 100只/盒 | 10盒 |\n"
    asked = [one.draft.question.split("，")[-1] for one in find(_paper(text)) if isinstance(one, Found)]

    assert "手套是什么？" not in asked


def test_one_table_gives_a_few_questions() -> None:
    """However many are wished for, where there are several documents."""
    others = [_paper(f"# 云岫公司管理办法{n}\n\n报销单应在{n}日内提交。\n", f"{n}.md") for n in range(3, 22)]
    drafts = draw(Corpus((_paper(PRICES), *others)), 100).drafts

    assert Counter(one.kind in ("table", "comparison") for one in drafts)[True] == 4


def test_a_bare_yes_does_not_prove_facts() -> None:
    """An answer that tells the facts need not say Yes."""
    text = "# Pond FAQ\n\n## Can I hire skates?\n\nYes. Skates cost £4.\n"
    (draft,) = [one.draft for one in find(_paper(text)) if isinstance(one, Found) and one.draft.kind == "yes_no"]

    assert draft.points[0].text == "Yes"
    assert not fits(draft, "legal_rag")


def test_whole_evidence_of_a_table_stays_in_its_section_and_survives_a_new_column(tmp_path: Path) -> None:
    """A comparison shows both rows; another column's new name makes the drafts of a row stale, not changed by hand."""
    folder, out = tmp_path / "docs", tmp_path / "d.json"
    folder.mkdir()
    row = "| 普通员工 | 500元 | 300元 |"
    text = RATES.replace(row, f"{row}\n| 经理 | 650元 | 400元 |\n\n## 报销\n\n另行通知。")
    (folder / "a.md").write_text(text, encoding="utf-8")
    draft(folder, 30, contract="eval_json_v2", out=out)
    rows = json.loads(out.read_text(encoding="utf-8"))
    (folder / "a.md").write_text(text.replace("其他城市", "其余城市"), encoding="utf-8")

    shown = {one["question"]: one["expected"]["answer_example"]["original_evidence"] for one in rows}
    assert all("普通员工" in told and "经理" in told for question, told in shown.items() if "更高" in question)
    assert any("更高" in question for question in shown)
    assert not any("另行通知" in told for question, told in shown.items() if "住宿标准" in question)
    assert {one.code for one in stale(out, folder)} == {"draft.changed", "draft.reframed", "draft.unreviewed"}


@pytest.mark.parametrize("contract", ["legal_rag", "key_points"])
def test_a_missing_document_is_counted_once(cli: Cli, documents: Path, contract: str, tmp_path: Path) -> None:
    """Neither warnings nor errors are counted below what is told."""
    out = tmp_path / ("d.json" if contract == "legal_rag" else "d.jsonl")
    cli("draft", documents, "-n", "6", "--contract", contract, "--out", out)
    (documents / "clinic.md").unlink()
    found = json.loads(cli("check", out, "--contract", contract, "--documents", documents, "--json").stdout)

    levels = Counter(one["level"] for one in found["findings"])
    assert (found["errors"], found["warnings"]) == (levels["error"], levels["warning"])
