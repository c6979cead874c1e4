"""Which measure words count the same thing, so that 两年 and 24个月 are one length of time."""

from decimal import Decimal
from typing import NamedTuple

from ragstone.text.fold import fold


class Dimension(NamedTuple):
    """What a unit measures, and how many of the dimension's smallest unit it holds."""

    name: str
    factor: Decimal


_TABLE = {
    "month": "1 月 个月 month months | 3 季度 | 12 年 周年 岁 周岁 year years",
    "second": (
        "0.001 毫秒 ms | 1 秒 秒钟 second seconds s | 60 分钟 minute minutes min mins | 900 刻钟"
        "| 3600 小时 个小时 钟头 个钟头 hour hours hr hrs h"
        "| 86400 天 日 day days | 604800 周 星期 个星期 礼拜 个礼拜 week weeks"
    ),
    "gram": (
        "0.001 毫克 mg | 1 克 g gram grams | 453.592 磅 pound pounds lb lbs | 500 斤"
        "| 1000 千克 公斤 kg kilogram kilograms | 1000000 吨 公吨 tonne tonnes"
    ),
    "metre": (
        "0.001 毫米 mm | 0.01 厘米 公分 cm | 0.0254 英寸 inch inches | 0.3048 英尺 foot feet ft"
        "| 1 米 公尺 m metre metres meter meters | 1000 公里 千米 km kilometre kilometres kilometer kilometers"
        "| 1609.344 英里 mile miles"
    ),
    "byte": (
        "1 byte bytes 字节 | 1024 kb kilobyte kilobytes | 1048576 mb megabyte megabytes 兆"
        "| 1073741824 gb gigabyte gigabytes | 1099511627776 tb terabyte terabytes"
    ),
    "watt": "1 w 瓦 瓦特 watt watts | 1000 kw 千瓦 kilowatt kilowatts | 1000000 mw 兆瓦",
    "watt hour": "1 wh 瓦时 | 1000 kwh 千瓦时 度电",
    "litre": "0.001 毫升 ml | 1 升 公升 l litre litres liter liters",
    "cubic metre": "1 立方米 立方 方 m3",
    "area": "1 平方米 平米 m2 | 10000 公顷 ha | 1000000 平方公里 平方千米",
    "working day": "1 工作日 个工作日",
    "person": "1 人 名 位 口 员 人次 人份 people persons",
    "thing": "1 个 种 项 类 款 样 点 条 处 家 件 items",
    "time": "1 次 回 趟 遍 times",
}
_ONE = Decimal(1)
_DIMENSIONS = {"": Dimension("thing", _ONE)} | {
    fold(unit): Dimension(name, Decimal(factor))
    for name, groups in _TABLE.items()
    for factor, *units in map(str.split, groups.split("|"))
    for unit in units
}


MEASURES = frozenset(_TABLE) - {"person", "thing", "time"}
"""Dimensions that measure; what counts people, things or times is often left out or told by another word."""


def dimension(unit: str) -> Dimension:
    """Return what a folded unit measures; an unknown unit measures only itself, an English noun counts things."""
    return _DIMENSIONS.get(unit) or Dimension("thing" if unit.isascii() else unit, _ONE)
