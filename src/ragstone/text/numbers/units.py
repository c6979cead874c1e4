"""The words that stand round a number: currencies, measure words, and marks that soften or limit it."""

import re
from collections.abc import Iterable

from ragstone.text.late import late
from ragstone.text.numbers.words import words

_CURRENCY_NAMES = {
    "CNY": "人民币 人民币元 元人民币 块人民币 rmb cny cn¥ ¥ yuan renminbi 元 圆 块 块钱",
    "TWD": "新台币 台币 元新台币 元台币 新台币元 新台币$ twd ntd nt$ nt",
    "HKD": "港币 港元 港纸 港圆 元港币 hkd hk$",
    "USD": "美元 美金 元美金 usd us$ $ dollars dollar bucks",
    "EUR": "欧元 eur € euros euro",
    "JPY": "日元 日圆 日币 円 jpy jp¥ yen",
    "GBP": "英镑 英磅 gbp £ pounds pound",
    "KRW": "韩元 韩币 韩圆 krw ₩ won",
    "SGD": "新加坡元 新加坡币 新币 坡币 sgd s$",
    "MOP": "澳门元 澳门币 葡币 mop mop$",
    "AUD": "澳元 澳币 澳大利亚元 aud a$ au$",
    "CAD": "加元 加币 加拿大元 cad c$ ca$",
    "NZD": "新西兰元 纽币 nzd nz$",
    "CHF": "瑞士法郎 瑞郎 chf",
    "THB": "泰铢 泰币 thb ฿ baht",
    "RUB": "卢布 rub ₽ rubles roubles",
    "INR": "印度卢比 卢比 inr ₹ rupees",
    "VND": "越南盾 vnd ₫",
    "MYR": "马币 令吉 林吉特 myr",
    "PHP": "菲律宾比索 ₱",
}
_LONG_NAMES = {
    "us dollars": "USD",
    "u.s. dollars": "USD",
    "hong kong dollars": "HKD",
    "nt dollars": "TWD",
    "new taiwan dollars": "TWD",
    "australian dollars": "AUD",
    "canadian dollars": "CAD",
    "singapore dollars": "SGD",
    "chinese yuan": "CNY",
    "japanese yen": "JPY",
    "swiss francs": "CHF",
}
CURRENCIES = {name: code for code, names in _CURRENCY_NAMES.items() for name in names.split()} | _LONG_NAMES
"""What a currency may be called, and its code; 元 without more is CNY."""
_PLAIN_YUAN = {"元", "圆", "块", "块钱"}
_ONLY_AFTER = _PLAIN_YUAN | set(_LONG_NAMES)
_ONLY_AFTER |= set(words("円 won nt yuan dollars dollar bucks euros euro pounds pound yen baht"))
_ONLY_BEFORE = {name for name in CURRENCIES if name[-1] in "$€£¥₩₹₽₫฿₱"} | {"nt"}

_MEASURES = words(
    "平方公里 平方千米 平方厘米 平方米 平方尺 平方英尺 平方公尺 立方米 立方公尺 立方厘米 公里 千米 厘米 毫米 微米 "
    "纳米 英里 英寸 英尺 海里 米 光年 公尺 "
    "公分 公斤 千克 毫克 微克 克拉 盎司 公吨 吨 克 斤 磅 毫升 公升 升 加仑 公顷 亩 英亩 坪 平米 "
    "个小时 小时 个钟头 钟头 分钟 秒钟 毫秒 秒 个星期 星期 个礼拜 礼拜 周岁 周年 个月 个季度 季度 年级 年 天 "
    "日 周 岁 个世纪 刻钟 学年 "
    "摄氏度 华氏度 度电 度 千瓦时 瓦时 千瓦 兆瓦 瓦特 瓦 伏 安培 赫兹 像素 字节 比特 卡路里 千卡 大卡 卡 焦耳 帕 分贝 "
    "马力 "
    "个百分点 百分点 个工作日 工作日 个工作天 工作天 个基点 基点 个交易日 人次 人份 架次 车次 户 人 名 位 个 只 "
    "件 条 张 份 台 部 辆 艘 架 本 册 页 篇 "
    "章 节 段 句 字 行 列 家 所 座 间 套 栋 幢 层 根 支 枝 棵 株 朵 颗 粒 片 块 瓶 杯 碗 盒 箱 包 袋 桶 罐 盘 "
    "壶 把 扇 床 幅 副 对 双 "
    "头 匹 群 批 组 队 班 届 期 轮 场 次 回 趟 遍 遭 倍 种 类 项 款 笔 宗 起 桩 门 课 题 道 步 级 股 票 席 枚 "
    "发 注 手 例 则 封 首 "
    "口 滴 束 串 排 堆 卷 集 代 分 点 员 区 省 市 县 国 州 村 镇 校 处 样 号人 盏 顶 尊 星 打 阶段 小节 维 核 "
    "字段 亩地 口人 胎 单 桌 晚 夜"
)
_LATIN_UNITS = words(
    "kg km cm mm mg ml gb mb kb tb kwh kw mw hz khz mhz ghz px pt ms min mins hrs hours hour minutes minute "
    "seconds second "
    "days day weeks week months month years year people persons times pages page items units users members km/h db mah "
    "gigabytes gigabyte megabytes megabyte terabytes terabyte "
    "gwh twh wh ha m g l s h w v a °c ℃ °f ℉ ° ㎡ m² m2 km² ㎏ ㎞ tokens watts kilowatts miles meters metres feet "
    "inches pounds "
    "tons tonnes students "
    "employees bps lbs lb oz ft acres liters litres grams kilograms kilometers kilometres customers copies workers "
    "residents patients passengers votes shares seats rooms cases "
    "mmol/l mmol/mol mmol umol/l μmol/l mg/dl mg/l mg/kg ng/ml ug/l g/l g/dl u/l iu/l iu mmhg kpa hpa mpa kcal "
    "kj mcg ug μg nm μm um m/s rpm fps dpi kbps mbps gbps ppm"
)
_LATIN_UNITS.append("percentage points")


def longest_first(names: Iterable[str]) -> str:
    """An alternation in which no word hides a longer one."""
    rests: dict[str, list[str]] = {}
    for name in sorted(names, key=lambda name: (-len(name), name)):
        rests.setdefault(re.escape(name[0]), []).append(re.escape(name[1:]))
    # One class for all that is one character: it is left at once, as a word is where its first letter is not there.
    alone = "".join(first for first, rest in rests.items() if rest == [""])
    longer = [f"{first}(?:{'|'.join(rest)})" for first, rest in rests.items() if rest != [""]]
    return "|".join(longer + [f"[{alone}]"] * bool(alone))


_SOFT_BEFORE = words(
    "大约 大概 约合 约为 大致 约莫 差不多 估计 将近 接近 逼近 几乎 超 超过 超出 逾 高于 多于 不到 不足 不够 "
    "少于 低于 未满 "
    "about around approximately approx approx. nearly almost roughly over under ca. circa ~ ≈ some"
)
_SOFT_BEFORE += ["more than", "less than", "fewer than", "close to"]
_LIMIT_BEFORE = words(
    "至少 最少 起码 最多 至多 顶多 不超过 不低于 不少于 不高于 不多于 不止 不只 不下 不下于 何止 突破"
)
_LIMIT_BEFORE += ["at least", "at most", "up to", "no more than", "not more than", "no less than", "no fewer than"]
_LIMIT_BEFORE += ["not less than", "not fewer than"]
_SOFT_AFTER = ["左右", "上下", "开外", "出头", "多", "+", "or so", " or so"]
_LIMIT_AFTER = ["及以上", "及以下", "以上", "以下", "以内", "之内"]
LIMITS = frozenset(_LIMIT_BEFORE + _LIMIT_AFTER)
"""Marks that set a limit and leave the number itself exact."""

_SIGNS = [name for name in CURRENCIES if name not in _ONLY_AFTER]
_BEGINNINGS = "".join(
    {name[0] for name in [*_SOFT_BEFORE, *_LIMIT_BEFORE, *_SIGNS, "约", "近"] if not "a" <= name <= "{"}
)
# 合约, 预约, 附近 and 最近 end like a mark and are none.
_MARKS = rf"(?<![a-z])(?:{longest_first(_SOFT_BEFORE + _LIMIT_BEFORE)})|(?<![合预条违签契公])约|(?<![附最靠邻])近"
BEFORE = late(
    # What it begins with, looked at first: most places of a text are left here.
    rf"(?=[{_BEGINNINGS}负零+-]|(?<![a-z])[a-z]|minus |negative |$)"
    rf"(?:(?P<mark>{_MARKS})(?:合|为|是|有|计|在|了|需要?|要花?|花了?|用了?)? ?)?"
    rf"(?:(?<![a-z])(?P<currency>{longest_first(_SIGNS)})[ :]{{0,2}}(?P<late>约为|约|近|逾|超过|将近|不到)?)?"
    r"(?P<sign>负|-|\+|零下|minus |negative )?$"
)
"""What may stand directly before a number, read up to its first character."""
_LAST_CHARS = {name[-1] for name in [*_SOFT_BEFORE, *_LIMIT_BEFORE, *_SIGNS]}
LAST_WORDS = frozenset(
    found[0]
    for name in [*_SOFT_BEFORE, *_LIMIT_BEFORE, *_SIGNS, "minus", "negative"]
    if (found := re.search("[a-z]+$", name))
)
"""The last words of what may stand before a number, where that ends with a Latin letter."""
BEFORE_CHARS = frozenset(_LAST_CHARS | set("约近合为是有计在了需要花用 :负-+下"))
"""What can stand before a number and belong to it: a gate before the pattern."""
_VERBS = "合为是有计在了需要花用"
VERBS = frozenset(_VERBS)
MARK_ENDS = frozenset(mark.rstrip(_VERBS)[-1] for mark in (*_SOFT_BEFORE, *_LIMIT_BEFORE, "约", "近"))
"""What may stand between a mark and its number, and how the marks end in front of that."""
CURRENCY_HERE = late(rf"(?:{longest_first(_SIGNS)}) ?")
"""A currency before the second end of a range."""
CURRENCY_AFTER = late(
    rf" ?(?:(?P<name>{longest_first(set(CURRENCIES) - _ONLY_BEFORE - _PLAIN_YUAN)})(?![a-z])|(?P<yuan>元|圆|块钱|块))"
)
MEASURE_AFTER = late(
    rf"(?P<space> ?)(?:{longest_first(_MEASURES)})(?!分之)| ?-?(?:{longest_first(_LATIN_UNITS)})(?![a-z0-9])"
)
"""A word that makes a number a count."""
# 多边形 and 多次 are words of their own.
MARK_AFTER = late(rf"(?!多[边种个次数样元]|\+[0-9])(?:{longest_first(_SOFT_AFTER + _LIMIT_AFTER)})")
MONEY_CHARS = frozenset(name[0] for name in CURRENCIES) | frozenset("角毛分美c")
MEASURE_CHARS = frozenset(name[0] for name in [*_MEASURES, *_LATIN_UNITS]) | frozenset("-")
MARK_CHARS = frozenset(name.strip()[0] for name in [*_SOFT_AFTER, *_LIMIT_AFTER])
"""How a currency or coin, a measure word and a mark behind a number begin."""
AFTER_CHARS = (
    frozenset(name[0] for name in [*CURRENCIES, *_MEASURES, *_LATIN_UNITS, *_SOFT_AFTER, *_LIMIT_AFTER])
    | frozenset("stnrkmbwp%‰成折多余来个半角毛分美 -")
    | frozenset(name[0] for name in ("hundred", "thousand", "million", "billion", "trillion"))
)
"""What can follow a number and belong to it: a gate before the patterns."""
GLUED = longest_first(name for name in _SIGNS if name.isascii() and name.isalpha())
"""Currency codes that may be written against the digits: RMB42000."""
HALF_OF = "(?:个)?(?:小时|钟头|年|天|日|月|周|星期|世纪|斤|公里|里|吨|米|亩|场|价|数|票|杯|瓶|页|箱)|个(?!子)"
"""What 半 can be half of."""
LUMP = late("石|砖|木|地(?!铁)|布|肉|蛋|豆|牌|板|玻|电池|手表|表|糖|饼|西瓜|金|银|面|田|屏|硬盘|骨|肌|区域|大|小")
"""What makes 块 a piece and no money."""
