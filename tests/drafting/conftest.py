"""Documents to draft from."""

from pathlib import Path

import pytest

CLINIC = """# 松鹤诊所就诊须知

> 本文为虚构示例。

## 预约

网上预约开放14天内的号源。复诊患者须于就诊前一天确认预约。

## 费用

挂号费为80元。宠物不得进入候诊区。病历复印费为每页2元。

诊所提供以下服务：

- 疫苗接种：周一至周五
- 健康体检
- 慢性病随访
"""
PEOPLE = {
    "lin.md": "# 林知微\n\n林知微于1953年在青禾市逝世。林知微，又名林秋水。他在1970年回国。林知微毕业于青禾大学。\n",
    "gu.md": "# 顾听澜\n\n顾听澜于1961年在栖雾镇逝世。据说顾听澜在1950年去过青禾市。\n",
}
ENGLISH = """# Larch Archive rules

The audit log is kept for 180 days and then deleted. A reader must not copy sealed files.

| box | shelf | year |
|---|---|---|
| maps | 12 | 1931 |
| letters | 14 | 1955 |
"""


@pytest.fixture
def documents(tmp_path: Path) -> Path:
    """Some documents in three ways of writing."""
    folder = tmp_path / "documents"
    folder.mkdir()
    texts = {"clinic.md": CLINIC, "archive.md": ENGLISH, **PEOPLE}
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder
