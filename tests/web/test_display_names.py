"""The names of files in the reader's words."""

import re
from pathlib import Path
from typing import get_args

import pytest

from ragstone.core.language import Text
from ragstone.core.types import Rung
from ragstone.reading.values.specifics import SpecificKind
from ragstone.systems.failures import Kind
from ragstone.web.display_names import DISPLAY_NAMES, ENDS, NAME_FIELDS, display_name
from tests.web.site import Site

CONTRACTS = Path(__file__).parents[2] / "src" / "ragstone" / "contracts"


@pytest.mark.parametrize(
    ("name", "hans", "hant", "en"),
    [
        ("no_key_point", "未覆盖关键点", "未覆蓋關鍵點", "no key point"),
        ("direct", "直接读取", "直接讀取", "direct"),
        ("invented_amount", "编造金额", "編造金額", "invented an amount"),
        ("hallucination", "编造内容", "編造內容", "hallucination"),
        ("amount_total_wrong", "总金额：不符", "總金額：不符", "total: wrong"),
        ("abstained_answerable", "拒答：可回答", "拒答：可回答", "abstained: answerable"),
        ("missing:main_topic", "缺失：main_topic", "缺失：main_topic", "missing: main_topic"),
        ("ours", "我们的错误", "我們的錯誤", "our own"),
        ("nobody_knows", "nobody_knows", "nobody_knows", "nobody_knows"),
        ("", "", "", ""),
    ],
)
def test_a_name_is_said_as_people_say_it(name: str, hans: str, hant: str, en: str) -> None:
    """Metrics by their labels, kinds of errors by their words or a contract's own; the rest as it is."""
    more = {"amount_total": Text("total", "总金额"), "tag.ours": Text("our own", "我们的错误")}

    assert (display_name(name, "zh-Hans", more), display_name(name, "zh-Hant", more)) == (hans, hant)
    assert display_name(name, "en", more) == en


def test_every_rung_failure_and_tag_has_a_word() -> None:
    """What Ragstone itself writes into a run is known here."""
    source = "".join(path.read_text(encoding="utf-8") for path in sorted(CONTRACTS.glob("*/*.py")))
    tags = set(re.findall(r'tags(?:\.append\(|\s*\+?=\s*\[|=\()"([a-z_]+)"', source))

    assert {*get_args(Rung), *get_args(Kind), *ENDS, *NAME_FIELDS} <= DISPLAY_NAMES.keys()
    assert tags - {"original_evidence"} <= DISPLAY_NAMES.keys()
    assert {f"invented_{kind}" for kind in get_args(SpecificKind)} <= DISPLAY_NAMES.keys()


def test_the_chinese_case_page_has_no_english_names(site: Site) -> None:
    """Parts of the verdict, the rung and the kinds of errors are Chinese; the API keeps them as they are."""
    run_id = site.run()

    page = site.get(f"/eval/runs/{run_id}/cases/3?lang=zh-Hans").text
    shown = set(re.findall(r"<d[td]>([a-z_ ]+)</d[td]>", page))

    assert not shown & {
        "points",
        "documents",
        "direct",
        "class",
        "open",
        "point",
        "verdict",
        "rule",
        "wrong documents",
        "no_key_point",
    }
    assert "未覆盖关键点" in page
    assert "未覆盖关键点" in site.get(f"/eval/runs/{run_id}?lang=zh-Hans").text
    assert "no_key_point" in site.get(f"/api/v1/runs/{run_id}/cases/3").text
