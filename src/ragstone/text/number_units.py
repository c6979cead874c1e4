"""The words that stand round a number: currencies, measure words, marks of approximation, and what makes it no number."""

import re

_CURRENCY_NAMES = {
    "CNY": "人民币 人民币元 rmb cny cn¥ yuan renminbi 元 圆 块 块钱 元人民币 ¥ 块人民币",
    "TWD": "新台币 台币 twd ntd nt$ 元新台币 元台币 新台币元 nt",
    "HKD": "港币 港元 港纸 hkd hk$ 元港币 元港元",
    "USD": "美元 美金 usd us$ $ 元美金 dollars dollar bucks",
    "EUR": "欧元 eur € euros euro",
    "JPY": "日元 日圆 日币 jpy jp¥ yen 円",
    "GBP": "英镑 gbp £ pounds sterling",
    "KRW": "韩元 韩币 韩圆 krw ₩ won",
    "SGD": "新加坡元 新加坡币 新币 坡币 sgd s$",
    "MOP": "澳门元 澳门币 葡币 mop mop$",
    "AUD": "澳元 澳币 aud a$ au$",
    "CAD": "加元 加币 cad c$ ca$",
    "NZD": "新西兰元 纽币 nzd nz$",
    "CHF": "瑞士法郎 瑞郎 chf",
    "THB": "泰铢 thb ฿ baht",
    "RUB": "卢布 rub ₽ rubles roubles",
    "INR": "印度卢比 卢比 inr ₹ rupees",
    "VND": "越南盾 vnd ₫",
    "MYR": "马币 令吉 林吉特 myr",
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
}
CURRENCIES = {name: code for code, names in _CURRENCY_NAMES.items() for name in names.split()} | _LONG_NAMES
"""What a currency may be called, and its code; 元 without more is CNY."""
_ONLY_AFTER = {
    "元",
    "圆",
    "块",
    "块钱",
    "円",
    "won",
    "nt",
    "yuan",
    "dollars",
    "dollar",
    "bucks",
    "euros",
    "euro",
    "pounds",
    "yen",
}

MEASURES = (
    "平方公里 平方千米 平方厘米 平方米 平方尺 立方米 立方厘米 公里 千米 厘米 毫米 微米 纳米 英里 英寸 英尺 海里 米 里地 光年 公尺 公分 "
    "公斤 千克 毫克 克拉 盎司 公吨 吨 克 斤 磅 毫升 公升 升 加仑 公顷 亩 英亩 坪 "
    "个小时 小时 分钟 秒钟 秒 个星期 星期 个礼拜 礼拜 周岁 周年 个月 季度 年级 年 天 周 岁 世纪 刻钟 "
    "摄氏度 华氏度 度电 度 千瓦时 千瓦 兆瓦 瓦 伏 安培 赫兹 像素 字节 比特 卡路里 千卡 大卡 卡 焦耳 帕 分贝 "
    "个百分点 百分点 个工作日 工作日 个基点 基点 人次 人份 架次 车次 户 人 名 位 个 只 件 条 张 份 台 部 辆 艘 架 本 册 页 篇 章 节 段 句 字 行 列 "
    "家 所 座 间 套 栋 幢 层 根 支 枝 棵 株 朵 颗 粒 片 块 瓶 杯 碗 盒 箱 包 袋 桶 罐 盘 壶 把 扇 床 幅 副 对 双 "
    "头 匹 群 批 组 队 班 届 期 轮 场 次 回 趟 遍 遭 倍 种 类 项 款 笔 宗 起 桩 门 课 题 道 步 招 级 股 票 席 枚 发 "
    "口 滴 丝 束 串 排 堆 卷 集 代 分 点 刀 员 区 省 市 县 国 州 村 镇 校 人民币 处 样 号人 盏 顶 尊 颗星 星 令 打 克重 周期 阶段 小节"
).split()
"""Words that make a bare Chinese numeral a count."""
_LATIN_UNITS = (
    "kg km cm mm mg ml gb mb kb tb kwh kw mw hz khz mhz ghz px pt ms min hrs hours hour minutes minute seconds second days day "
    "weeks week months month years year people persons times pages items km/h kb/s mb/s db mah gwh twh ha m g l s h w v a °c ℃ °f ℉ ° tokens"
).split()


def longest_first(words: object) -> str:
    """An alternation in which no word hides a longer one."""
    assert isinstance(words, (list, tuple, set, dict))
    return "|".join(re.escape(word) for word in sorted(words, key=lambda word: (-len(word), word)))


_BEFORE_MARKS = (
    "约 大约 大概 约合 约为 大致 约莫 差不多 估计 近 将近 接近 逼近 几乎 超 超过 超出 逾 高于 多于 不到 不足 不够 少于 低于 未满 "
    "about around approximately approx approx. nearly almost roughly over under ca. circa ~ ≈"
).split() + ["more than", "less than", "fewer than", "close to", "some"]
_BOUND_BEFORE = [
    "至少",
    "最少",
    "最多",
    "至多",
    "不超过",
    "不低于",
    "不少于",
    "不高于",
    "突破",
    "at least",
    "at most",
    "up to",
    "no more than",
]
_AFTER_MARKS = ["左右", "上下", "开外", "出头", "许", "or so", "or more"]
_BOUND_AFTER = ["以上", "以下", "以内", "之内", "及以上", "及以下"]
BOUNDS = frozenset(_BOUND_BEFORE + _BOUND_AFTER)
"""Marks that set a limit and leave the number itself exact."""

_SIGN_BEFORE = [name for name in CURRENCIES if name not in _ONLY_AFTER]
BEFORE = re.compile(
    rf"(?:(?P<mark>{longest_first(_BEFORE_MARKS + _BOUND_BEFORE)})(?:合|为|是|有|计|在)? ?)?"
    rf"(?:(?<![a-z])(?P<currency>{longest_first(_SIGN_BEFORE)})[ :]{{0,2}})?"
    rf"(?P<late>约|近|逾|超过|将近)?(?P<sign>负|-|零下|minus )?$"
)
"""What may stand directly before a number, read up to its first character."""
BEFORE_CHARS = frozenset(name[-1] for name in [*_BEFORE_MARKS, *_BOUND_BEFORE, *_SIGN_BEFORE]) | frozenset(
    "合为是有计在 :负-下"
)
CURRENCY_AFTER = re.compile(
    rf" ?(?P<currency>{longest_first([n for n in CURRENCIES if n[0] not in '$€£¥₩₹₽₫฿' and n not in ('nt', '元', '圆', '块', '块钱')])})(?![a-z])"
    r"|(?P<yuan>元|圆|块钱|块)"
)
MEASURE_AFTER = re.compile(longest_first(MEASURES) + rf"| ?(?:{longest_first(_LATIN_UNITS)})(?![a-z0-9])")
MARK_AFTER = re.compile(longest_first(_AFTER_MARKS + _BOUND_AFTER))
GLUED = longest_first(
    [name for name in CURRENCIES if name.isascii() and name.isalpha() and len(name) <= 3 and name not in _ONLY_AFTER]
)
"""Currency codes that may be written against the digits: RMB42000."""
HALF_OF = "小时|个|年|天|日|月|周|斤|里|数|价|公里|票|吨|米|亩"
"""What 半 can be half of."""
LUMP = re.compile("石|砖|木|地|布|肉|蛋|豆|牌|板|玻|电|手|表|糖|饼|西|金|银|面|田|屏|硬|骨|肌|区|大|小")
"""What makes 块 a piece and no money."""
