"""Documents to draft from, and a model that proposes."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.loopback import Reply, completion

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


TEXT = "# {name}\n\n{name}面积约１６平方公里，由{builder}于1861年重建为商埠。镇上的白云寺供奉山神，每年三月举行庙会。\n"
TOWNS = {"青禾镇": "沈拾光", "栖雾村": "顾听澜", "白鹭洲": "叶南乔", "望舒里": "陆汀", "云岫乡": "裴砚"}


@pytest.fixture
def towns(tmp_path: Path) -> Path:
    """Five documents of which a model proposes two questions each."""
    folder = tmp_path / "docs"
    folder.mkdir()
    for name, builder in TOWNS.items():
        (folder / f"{name}.md").write_text(TEXT.format(name=name, builder=builder), encoding="utf-8")
    return folder


def model(body: Mapping[str, Any], number: int) -> Reply:
    """Propose who rebuilt a town and which god its temple is for."""
    shown = body["messages"][0]["content"].split("标题：")[1]
    title, builder = shown.split("\n")[0], shown.split("由")[1].split("于")[0]
    asked = {f"{title}由谁重建为商埠？": builder, f"{title}的白云寺供奉什么神？": "山神"}
    rows = [{"question": question, "quote": quote} for question, quote in asked.items()]
    return Reply(completion(json.dumps({"questions": rows}, ensure_ascii=False)))


def rows_of(file: Path) -> list[dict[str, Any]]:
    """The rows of a file of lines."""
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def write(file: Path, rows: list[dict[str, Any]]) -> None:
    """Write rows as lines."""
    file.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
