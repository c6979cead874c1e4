"""Names: people, places, organisations and products are found, and common words are not."""

import subprocess
import sys

import pytest

from ragstone.reading.values.names import find_names

NAMED = [
    ("介绍人叫范志刚。", "person", "范志刚"),
    ("出租方联系人是高建军。", "person", "高建军"),
    ("李某某和王芳到场。", "person", "李某某"),
    ("汪先生也在场。", "person", "汪先生"),
    ("諸葛明華到場。", "person", "諸葛明華"),
    ("玛丽亚·穆斯塔法告诉记者。", "person", "玛丽亚·穆斯塔法"),
    ("外長弗拉德里希表示。", "person", "弗拉德里希"),
    ("Chief executive Martin Keller said so.", "person", "Martin Keller"),
    ("住杭州市余杭区良渚街道。", "place", "杭州市余杭区良渚街道"),
    ("The plants are in Michigan.", "place", "Michigan"),
    ("地址：北京市海淀区中关村大街27号。", "address", "北京市海淀区中关村大街27号"),
    ("在杭州市公安局西湖分局问话。", "organisation", "杭州市公安局西湖分局"),
    ("被告为宏远营造股份有限公司。", "organisation", "宏远营造股份有限公司"),
    ("由苏州大学信息检索实验室维护。", "organisation", "苏州大学信息检索实验室"),
    ("Northwind Capital led it.", "organisation", "Northwind Capital"),
    ("它支持OpenSearch和Faiss。", "product", "OpenSearch"),
    ("We use FastAPI here.", "product", "FastAPI"),
]
NAMELESS = [
    "高度重视安全性和舒适性。",
    "该公司与其他银行有关。",
    "城市建设和经济建设。",
    "全市各地区道路畅通。",
    "任何人都可以向法院申请。",
    "The total is high. It grew on Monday in March.",
    "用 API 和 PDF 即可。",
    "**Summary:** it works.",
    "請確認契約的其他條文。",
    "打开日志，用蓝牙连接海关的台站。",
]


@pytest.mark.parametrize(("text", "kind", "name"), NAMED)
def test_name_is_found(text: str, kind: str, name: str) -> None:
    """A name is found whole and with its kind."""
    assert (kind, name) in [(one.kind, text[one.start : one.end]) for one in find_names(text)]


@pytest.mark.parametrize("text", NAMELESS)
def test_common_words_are_no_names(text: str) -> None:
    """What only looks like a name is left out."""
    assert [text[one.start : one.end] for one in find_names(text)] == []


def test_tagger_is_loaded_late() -> None:
    """Importing the readers does not load rjieba: its dictionary costs start-up time."""
    code = "import sys, ragstone.reading.values.support; sys.exit('rjieba' in sys.modules)"

    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
