"""Reading what stands round a numeral: sign, currency and mark before it; scale, share, money and unit after it."""

import re
from decimal import Decimal
from typing import Literal

from msgspec import Struct

from ragstone.text.late import late
from ragstone.text.numbers import units
from ragstone.text.numbers.words import HAN, Numeral, read_english, read_numeral

Kind = Literal["amount", "percent", "fraction", "count", "ordinal", "plain"]
"""amount: money; percent: 30%, 三成; fraction: 2/3, 八折, 一半; count: with a measure word; ordinal: 第3, 3rd."""

_HEAD = 18
_VERB = 4
"""Characters before a number that hold its verb and the end of a mark before that: 约为, 超过了."""
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_SCALE_EN = late(
    r" ?(?P<name>hundred|thousand|million|billion|trillion)(?![a-z])|(?P<letter>k|m|mn|b|bn|tn)(?![a-z0-9])"
    r"|(?P<wan>w)(?=[+元块人多粉]| ?(?:元|rmb)|$)"
)
_POWERS = {
    "hundred": 2,
    "thousand": 3,
    "million": 6,
    "billion": 9,
    "trillion": 12,
    "k": 3,
    "m": 6,
    "mn": 6,
    "b": 9,
    "bn": 9,
    "tn": 12,
}
_POWERS |= {"w": 4, "百": 2, "千": 3, "万": 4, "亿": 8}
_MORE = late(r"(?P<more>多|余|来|\+(?![0-9]))(?P<scale>[百千万亿]{0,3})|个(?P<more2>多|余)?(?P<scale2>亿)")
_SHARE = late(
    r" ?(?P<sign>%|‰|percent|per cent|pct)(?![a-z])(?! ?point)"
    r"|成(?P<half>[一二三四五六七八九半])?(?![员为立功长本果都人分绩品交名型]|年人)"
    r"|(?P<off>折)(?![合算叠旧扣断返])"
)
_COINS = late(
    rf"(?:零?(?P<jiao>[0-9]{{1,2}}|[{HAN}])(?:角|毛))?(?:零?(?P<fen>[0-9]{{1,2}}"
    rf"|[{HAN}])分)?钱?(?P<whole>[整正](?![a-z一-龥]))?"
)
_LOOSE_COIN = late(rf"[0-9一二三四五六七八九](?![0-9{HAN}年月日个人次%.,])")
_COIN = late(
    r"(?P<tenth>角|毛)(?![度落色楼])钱?(?:零?(?P<fen>[0-9一二三四五六七八九])(?:分钱?|(?![0-9一-龥])))?|分钱"
    r"|(?P<cent>美分| ?cents)"
)
_HALF_AFTER = late(
    r"(?P<unit>个|年|天|倍|块|斤|公里|小时|岁|周|米)半(?P<of>小时|钟头|月|年|天|世纪|多)?|半(?P<bare>小时)"
)
_MORE_THAN_ONE = late("个(?P<more>多|来)(?P<of>月|小时|星期|礼拜|世纪|钟头)")
_METRES = late(rf"米(?P<rest>[0-9]{{1,2}}|[一二三四五六七八九]{{1,2}})(?![0-9{HAN}.,%点年月日天个人只名次件条米厘公])")
_TH = late("(?:st|nd|rd|th)(?![a-z])")
_AGAIN = late(
    rf" ?\((?P<number>[0-9][0-9,.]{{0,19}}|[{HAN}]{{1,20}}|[a-z][a-z -]{{2,40}})\)(?P<scale>[百千万亿]{{0,2}})"
)


class Draft(Struct, gc=False):
    """A quantity while it is being read."""

    start: int
    end: int
    value: Decimal
    high: Decimal | None
    rule: str
    soft: bool
    """Whether its own form leaves the value open."""
    kind: Kind = "plain"
    currency: str | None = None
    unit: str = ""
    mark: str = ""
    negative: bool = False
    """Whether a minus is read but not yet applied: what follows adds to the amount, not to the sign."""

    @classmethod
    def of(cls, start: int, end: int, numeral: Numeral, kind: Kind = "plain") -> "Draft":
        """A quantity of which only the numeral is read."""
        value, high, rule = numeral
        return cls(start, end, value, high, rule, high is not None, kind)

    def settle(self) -> None:
        """Apply the sign, once."""
        if self.negative:
            self.negative = False
            self.scale(Decimal(-1))

    def scale(self, factor: Decimal) -> None:
        """Multiply both ends."""
        self.value *= factor
        if self.high is not None:
            low, high = sorted((self.value, self.high * factor))
            self.value, self.high = low, high

    def shift(self, power: int) -> None:
        """Move the decimal point to the right."""
        self.scale(Decimal(10) ** power)


def digit(char: str) -> Decimal:
    """The value of one numeral, 0 when it is none."""
    numeral = read_numeral(char)
    return numeral.value if numeral else Decimal(0)


def read_before(line: str, draft: Draft, floor: int) -> None:
    """Take sign, currency and mark; `floor` is where the number before ended, so that its range dash is no minus."""
    at = draft.start
    if at == 0:
        return
    last = line[at - 1]
    if last == "第" or (last == " " and line[at - 2 : at - 1] == "第"):
        draft.kind, draft.start = "ordinal", at - (1 if last == "第" else 2)
        return
    if last not in units.BEFORE_CHARS:
        return
    offset = max(floor, at - _HEAD, 0)
    head = line[offset:at]
    if (last == " " and not _may_end(head)) or (last in units.VERBS and units.MARK_ENDS.isdisjoint(head[-_VERB:])):
        return
    found = units.BEFORE.search(head)
    if found is not None:
        _take_before(line, draft, found, offset)


def _may_end(head: str) -> bool:
    """Whether what stands before a number and a space ends with a word that may belong to it; other signs may."""
    head = head[:-1]
    word = head[len(head.rstrip(_LETTERS)) :]
    return not word or word in units.LAST_WORDS


def _take_before(line: str, draft: Draft, found: re.Match[str], offset: int) -> None:
    sign = found["sign"]
    place = offset + found.start("sign")
    if sign and not (
        sign in "-+" and place and (line[place - 1] in ")]%" or _is_ascii_word(line[place - 1]) or place == offset > 0)
    ):
        draft.start = place
        draft.negative = sign != "+"
    elif sign:
        return
    if found["currency"]:
        draft.currency = units.CURRENCIES[found["currency"]]
        draft.start = offset + found.start("currency")
        if draft.kind in ("plain", "count"):
            draft.kind = "amount"
    draft.mark = found["mark"] or found["late"] or ""


def _is_ascii_word(char: str) -> bool:
    return char.isascii() and char.isalnum()


def read_after(text: str, line: str, draft: Draft) -> None:
    """Take scale, share, currency, measure word and mark."""
    if draft.kind in ("plain", "amount") and _sign(line, draft.end) == "(":
        _again(line, draft)
    end = draft.end
    first = line[end : end + 1]
    if first not in units.AFTER_CHARS:
        return
    if draft.kind == "ordinal":
        read_measure(text, line, draft)
        return
    if first in "stnr" and (found := _TH.match(line, end)):
        draft.kind, draft.end = "ordinal", found.end()
        return
    sign = _sign(line, end)
    if sign in _SCALES:
        _scale_en(text, line, draft)
    if line[draft.end : draft.end + 1] in _MORES:
        _more(line, draft)
    if draft.end > end:
        sign = _sign(line, draft.end)
    taken = (sign in _SHARES and _share(line, draft)) or (sign in units.MONEY_CHARS and _money(line, draft))
    if not taken:
        read_measure(text, line, draft)
    read_mark(line, draft)


def _again(line: str, draft: Draft) -> None:
    """Pass over the same number in the other writing: thirty (30) days, 三（3）个月."""
    found = _AGAIN.match(line, draft.end)
    if found is None or draft.high is not None:
        return
    number = found["number"]
    again = read_english(number) if "a" <= number[0] <= "z" else read_numeral(number)
    if again is None or again.value != draft.value:
        return
    counts = found["scale"] or unit_at(line, found.end()) or line.startswith("%", found.end())
    if line[draft.start] in HAN and draft.end - draft.start == 1 and not counts:
        return
    draft.end = found.end()
    for char in found["scale"]:
        draft.shift(_POWERS[char])


def _sign(line: str, at: int) -> str:
    """The first character at a place, or behind a space there: each pattern begins with few of them."""
    char = line[at : at + 1]
    return line[at + 1 : at + 2] if char == " " else char


_SCALES, _MORES, _SHARES = frozenset("htmbkw"), frozenset("多余来+个"), frozenset("%‰p成折")
_COINED = frozenset(f"0123456789钱整正{HAN}")
_HALVED = frozenset("个年天倍块斤公小岁周米半")


def read_mark(line: str, draft: Draft) -> None:
    """Take 左右, 以上 and the like."""
    if _sign(line, draft.end) not in units.MARK_CHARS:
        return
    found = units.MARK_AFTER.match(line, draft.end)
    if found is not None and not draft.mark:
        draft.mark = found[0].strip()


def _scale_en(text: str, line: str, draft: Draft) -> None:
    found = _SCALE_EN.match(line, draft.end) if draft.rule != "english_words" else None
    if found is None:
        return
    name = found["name"] or found["letter"] or found["wan"]
    if name == "m" and text[draft.end] == "m" and not draft.currency:
        return  # metres
    if name == "w" and found.end() == len(line) and (draft.start or text[draft.end] == "W"):
        return  # watts, unless the text is nothing but the number: 5w
    draft.shift(_POWERS[name])
    draft.end, draft.rule = found.end(), "english_scale"


def _more(line: str, draft: Draft) -> None:
    """三百多, 五万余元, 二十多万, 3个亿."""
    found = _MORE.match(line, draft.end)
    if found is None:
        return
    scale = found["scale"] or found["scale2"] or ""
    if found["more"] == "来" and not scale and not unit_at(line, found.end()):
        return
    for char in scale:
        draft.shift(_POWERS[char])
    draft.end = found.end()
    draft.mark = found["more"] or found["more2"] or draft.mark


def unit_at(line: str, at: int) -> bool:
    """Whether a currency or a measure word stands here."""
    return bool(units.CURRENCY_AFTER.match(line, at) or units.MEASURE_AFTER.match(line, at))


def _share(line: str, draft: Draft) -> bool:
    found = _SHARE.match(line, draft.end)
    if found is None:
        return False
    if found["sign"]:
        draft.shift(-3 if found["sign"] == "‰" else -2)
        draft.kind, draft.rule = "percent", "percent"
    elif found["off"]:
        draft.shift(-2 if draft.value >= 10 else -1)
        draft.kind, draft.rule = "fraction", "discount"
    elif draft.value > 10:
        return False
    else:
        draft.shift(-1)
        draft.value += (Decimal(5) if found["half"] == "半" else digit(found["half"] or "")) / 100
        draft.kind, draft.rule = "percent", "tenths"
    draft.end = found.end()
    return True


def _money(line: str, draft: Draft) -> bool:
    found = units.CURRENCY_AFTER.match(line, draft.end)
    if found is None:
        return _coin(line, draft)
    if found["yuan"] == "块" and units.LUMP.match(line, found.end()):
        return False
    draft.kind = "amount"
    draft.currency = draft.currency or units.CURRENCIES[found["name"] or found["yuan"]]
    draft.end = found.end()
    if found["yuan"]:
        _coins(line, draft, colloquial=found["yuan"] == "块")
    return True


def _coins(line: str, draft: Draft, *, colloquial: bool) -> None:
    """12元5角, 三块五毛, 三块五, 元整."""
    if line[draft.end : draft.end + 1] not in _COINED:
        return
    found = _COINS.match(line, draft.end)
    assert found is not None  # every part of the pattern may be absent
    if found["jiao"] or found["fen"]:
        draft.value += digit(found["jiao"] or "") / 10 + digit(found["fen"] or "") / 100
        draft.rule = "coins"
    draft.end = found.end()
    loose = _LOOSE_COIN.match(line, draft.end)
    if loose and (colloquial or found["jiao"]) and not found["fen"]:
        draft.value += digit(loose[0]) / (100 if found["jiao"] else 10)
        draft.end, draft.rule = loose.end(), "coins"


def _coin(line: str, draft: Draft) -> bool:
    """八角, 五毛钱, 八分钱, 50美分."""
    found = _COIN.match(line, draft.end)
    if found is None or draft.kind == "ordinal":
        return False
    draft.shift(-1 if found["tenth"] else -2)
    draft.value += digit(found["fen"] or "") / 100
    draft.kind, draft.rule = "amount", "coins"
    draft.currency = draft.currency or ("USD" if found["cent"] else "CNY")
    draft.end = found.end()
    return True


def read_measure(text: str, line: str, draft: Draft) -> None:
    """Take a measure word, also one that is halved (两个半小时)."""
    first = line[draft.end : draft.end + 1]
    half = _HALF_AFTER.match(line, draft.end) if first in _HALVED else None
    if half and draft.high is None:
        draft.value += Decimal("0.5")
        draft.kind, draft.rule = "count", "half"
        draft.unit, draft.end = (half["unit"] or "") + (half["of"] or half["bare"] or ""), half.end()
        return
    if first == "个" and (more := _MORE_THAN_ONE.match(line, draft.end)):
        draft.unit, draft.end, draft.mark = "个" + more["of"], more.end(), more["more"]
        draft.kind = "count"
        return
    if first == "米" and draft.value < 10 and draft.high is None and (tall := _METRES.match(line, draft.end)):
        digits = "".join(str(digit(char)) for char in tall["rest"])
        draft.value += Decimal(f"0.{digits}")
        draft.kind, draft.unit, draft.end = "count", "米", tall.end()
        return
    found = units.MEASURE_AFTER.match(line, draft.end) if _sign(line, draft.end) in units.MEASURE_CHARS else None
    if found is None or (found["space"] and not line[draft.end - 1].isascii()) or text[found.end() - 1] == "G":
        return
    draft.unit, draft.end = found[0].strip(" -"), found.end()
    if draft.kind == "plain":
        draft.kind = "count"
