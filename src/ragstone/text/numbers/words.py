"""Numerals into values: Arabic, Chinese (plain, financial, mixed) and English words, without what stands round them."""

from collections.abc import Iterable
from decimal import Decimal
from functools import lru_cache
from typing import NamedTuple

from ragstone.text.fold import fold
from ragstone.text.late import late

HAN = "零〇一二两三四五六七八九十百千万亿兆廿卅卌壹贰弍弌弎叁参肆伍陆柒捌玖拾佰仟"
DIGITS = dict(zip("零一二三四五六七八九", range(10), strict=True)) | dict(
    zip("〇壹贰叁肆伍陆柒捌玖", range(10), strict=True)
)
DIGITS |= {"两": 2, "弌": 1, "弍": 2, "弎": 3, "参": 3}
_FINANCIAL = frozenset("壹贰弍弌弎叁参肆伍陆柒捌玖拾佰仟")
_SMALL = {"十": 1, "百": 2, "千": 3, "拾": 1, "佰": 2, "仟": 3}
_BIG = {"万": 4, "亿": 8, "兆": 12}
_TENS = {"廿": 2, "卅": 3, "卌": 4}
_ZERO = frozenset("零〇")
# Longer runs are serial numbers or noise, and the limit keeps every sum within the precision of Decimal.
LONGEST = 40
_LONGEST_PIECE = 20
_MANY_TRIES, _FEWEST_TRIES = 20_000, 2000
_SPACE_OF_ONE, _LEAST_SPACE = 40, 8

_SPACED_UNIT = " ?(?:[元圆块人个%]|美元|港|欧元|日元|新台|人民|yuan|usd|rmb|euros?(?![a-z])|$)"
ARABIC = (
    r"(?:[0-9]{1,3}(?:,[0-9]{3})+(?![0-9]|,[0-9]{3})"
    rf"|[1-9][0-9]{{0,2}}(?: [0-9]{{3}}){{2,9}}(?![0-9]| [0-9]{{3}})|[1-9][0-9]{{0,2}} [0-9]{{3}}(?={_SPACED_UNIT})"
    r"|[0-9]++)(?:\.[0-9]++)?(?:(?<=[0-9])e[+-]?[0-9]{1,2}(?![0-9a-z]))?"
)
# 千瓦, 百分点 and 兆瓦 are units and 零下 is a sign, so their first character ends no numeral.
_PLAIN_HAN = "".join(char for char in HAN if char not in "零百千兆")
_NUMERAL = (
    rf"(?:{ARABIC}(?: (?=[万亿]|[百千]万))?|[{_PLAIN_HAN}]|零(?!下)|百(?!分点)|千(?![瓦米克卡赫帕伏])|兆(?![瓦赫字比]))"
)
RUN = rf"{_NUMERAL}+(?:点[零〇一二三四五六七八九]++[百千万亿]*+)?"
_PIECE = late(rf"{ARABIC}|.")


class Numeral(NamedTuple):
    """The value of a numeral, the upper end where it names two neighbours (三五十), and the rule that read it."""

    value: Decimal
    high: Decimal | None
    rule: str


@lru_cache(maxsize=2)
def unify(text: str) -> str:
    """Folded text of the same length that keeps 。, 、 and line ends apart from the marks inside a number."""
    return fold(text.replace("。", ";").replace("、", "|").replace("\n", "\x00"))


_APART = (("。", ";"), ("、", "|"), ("\n", "\x00"))


def unified(text: str, folded: str) -> str:
    """What `unify` makes of a text that is folded already."""
    for mark, sign in _APART:
        if mark in text:
            pieces, here = [], 0
            for piece in text.split(mark):
                pieces.append(folded[here : here + len(piece)])
                here += len(piece) + 1
            folded = sign.join(pieces)
    return folded


def most_tries(line: str) -> int:
    """How many places of a text are tried: the cost is theirs, so a line of mere numerals is not read through.

    One for each 8 characters, 2,000 at least and 20,000 at most; beyond 800,000 characters one for each 40.
    """
    if len(line) <= _FEWEST_TRIES:
        return _FEWEST_TRIES
    dense = max(_FEWEST_TRIES, len(line) // _LEAST_SPACE)
    return min(dense, max(_MANY_TRIES, len(line) // _SPACE_OF_ONE))


@lru_cache(maxsize=2048)
def read_numeral(run: str) -> Numeral | None:
    """The value of a run of digits and Chinese numerals in unified text, or None: read_numeral("4万2千") is 42000."""
    if len(run) > LONGEST or not run:
        return None
    if run.isascii():
        return Numeral(Decimal(run.replace(",", "").replace(" ", "")), None, "arabic")
    whole, point, fraction = run.partition("点")
    pieces = [piece for piece in _PIECE.findall(whole) if piece != " "]
    if point:
        return _decimal(pieces, fraction)
    return _digit_row(pieces) or _places(pieces)


def _decimal(pieces: list[str], fraction: str) -> Numeral | None:
    """三点一四, 六点八万: a whole part, digits one by one, and place words."""
    whole = _digit_row(pieces) or _places(pieces)
    digits = fraction.rstrip("百千万亿")
    if whole is None or whole.high is not None or not digits:
        return None
    tail = "".join(str(DIGITS[char]) for char in digits)
    power = sum(_SMALL.get(char) or _BIG[char] for char in fraction[len(digits) :])
    return Numeral((whole.value + Decimal(f"0.{tail}")).scaleb(power), None, "chinese_decimal")


def _digit_row(pieces: list[str]) -> Numeral | None:
    """二〇二〇, 一二三: digits in a row, each standing for itself."""
    if not all(piece in DIGITS for piece in pieces):
        return None
    row = "".join(str(DIGITS[piece]) for piece in pieces)
    return Numeral(Decimal(row), None, "chinese_numeral" if len(pieces) == 1 else "chinese_digits")


class _Sum:
    """A numeral being read from the left: what 万 and 亿 have closed, the section below, the digit still open."""

    def __init__(self) -> None:
        self.total = Decimal(0)
        self.section = Decimal(0)
        self.open: Decimal | None = None
        self.spread = Decimal(0)
        self.small = 9
        self.big = 99
        self.last = 0
        self.gap = False
        self.arabic = False
        """Whether the open digits are Arabic, which have no neighbours."""

    def digit(self, value: Decimal) -> bool:
        """Take a digit; a second one directly after the first makes a pair of neighbours (三五百)."""
        if self.open is not None:
            return self._neighbour(self.open, value)
        if self.spread:
            return False
        self.open = value
        return True

    def _neighbour(self, first: Decimal, value: Decimal) -> bool:
        if self.spread or not 0 < first < value < 10 or value - first > 2:
            return False
        self.spread = value - first
        return True

    def small_unit(self, power: int) -> bool:
        """Take 十, 百 or 千."""
        if power >= self.small or (self.open is None and power != 1):
            return False
        factor = Decimal(1) if self.open is None else self.open
        self.section += factor.scaleb(power)
        self.spread = self.spread.scaleb(power)
        self.open, self.small, self.last, self.gap = None, power, power, False
        self.arabic = False
        return True

    def big_unit(self, power: int) -> bool:
        """Take 万, 亿 or 兆; a bigger one after a smaller multiplies all before it (万亿)."""
        section = self.section + (self.open or 0)
        if power > self.big or not section:
            section, self.total = section + self.total, Decimal(0)
        if not section and self.open is None:
            return False
        self.total += section.scaleb(power)
        self.spread = self.spread.scaleb(power)
        self.section, self.open, self.small, self.big, self.last, self.gap = Decimal(0), None, 9, power, power, False
        self.arabic = False
        return True

    def zero(self) -> bool:
        """Take 零, which only stands between places."""
        if self.open is not None:
            return False
        self.gap = True
        return True

    def close(self) -> Decimal:
        """The value; a lone last digit fills the next lower place (四万二 is 42000)."""
        tail = self.open or Decimal(0)
        if 0 < tail < 10 and tail == int(tail) and self.last > 1 and not self.gap:
            tail = tail.scaleb(self.last - 1)
            self.spread = self.spread.scaleb(self.last - 1)
        return self.total + self.section + tail


def _places(pieces: list[str]) -> Numeral | None:
    """四万二千, 4万2千, 三五十: numerals with place words."""
    state = _Sum()
    for piece in pieces:
        if not _take(state, piece):
            return None
    value = state.close()
    return Numeral(value, value + state.spread if state.spread else None, _rule(pieces))


def _take(state: _Sum, piece: str) -> bool:
    if piece in _ZERO:
        return state.zero()
    if piece in DIGITS:
        return not state.arabic and state.digit(Decimal(DIGITS[piece]))
    if piece in _SMALL:
        return state.small_unit(_SMALL[piece])
    if piece in _BIG:
        return state.big_unit(_BIG[piece])
    if piece in _TENS:
        return state.open is None and state.digit(Decimal(_TENS[piece])) and state.small_unit(1)
    if len(piece) > _LONGEST_PIECE or state.open is not None:
        return False
    state.arabic = True
    return state.digit(Decimal(piece.replace(",", "").replace(" ", "")))


def _rule(pieces: list[str]) -> str:
    if any(piece[0].isascii() for piece in pieces):
        return "mixed_wan"
    return "financial_numeral" if any(piece in _FINANCIAL for piece in pieces) else "chinese_numeral"


def words(text: str) -> list[str]:
    """A list written as one line of words."""
    return text.split()


def by_first_letter(heads: Iterable[str]) -> str:
    """An alternation of words, in their order, that is left at once where none begins with the letter that is there."""
    rests: dict[str, list[str]] = {}
    for head in heads:
        rests.setdefault(head[0], []).append(head[1:])
    return "|".join(f"{letter}(?:{'|'.join(rest)})" for letter, rest in rests.items())


_EN_SMALL = words(
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen"
)
_EN_DIGITS = {word: value for value, word in enumerate(_EN_SMALL)}
_EN_DIGITS |= {
    word: 10 * at for at, word in enumerate(words("twenty thirty forty fifty sixty seventy eighty ninety"), 2)
}
_EN_POWERS = {"hundred": 2, "thousand": 3, "million": 6, "billion": 9, "trillion": 12}
_EN_PARTS = {word: at for at, word in enumerate(words("half third quarter fifth sixth seventh eighth ninth tenth"), 2)}
_EN_PARTS |= {"fourth": 4, "hundredth": 100}
_W = "|".join(sorted(_EN_DIGITS, key=len, reverse=True))
_S = "|".join(_EN_POWERS)
_P = "|".join(_EN_PARTS)
EN_HINT = f"{_W}|half|dozen|an? (?:{_S}|third|quarter|fifth|tenth)"
"""What an English number begins with."""
EN_HEADS = (*_EN_DIGITS, "half", "dozen")
"""The first words of English numbers but the articles."""
EN_ARTICLE = rf"an?(?=[ -](?:{_P}|{_S}|dozen))"
"""An article that is part of a number: a dozen, a third."""
EN_PHRASE = late(
    rf"(?:half an? (?:{_S}|dozen)"
    rf"|(?:{_W}) and a half(?: (?:{_S}))?"
    rf"|(?:(?:an?|{_W}) )?dozen|half"
    rf"|(?:an?|{_W})[ -](?:{_P})s?"
    rf"|(?:{_W}|an?(?= (?:{_S})))(?:[ -](?:and (?=(?:{_W})\b))?(?:{_W}|{_S})\b){{0,12}}(?: point(?: "
    rf"(?:{_W})\b){{1,8}})?)(?![a-z0-9-])"
)
"""English number words, as long as they go on."""


def read_english(phrase: str) -> Numeral:
    """The value of a phrase that EN_PHRASE found: read_english("two hundred and fifty") is 250."""
    words = phrase.replace("-", " ").split()
    if "half" in words or words[-1] == "dozen":
        return _english_half(words)
    part = words[-1] if words[-1] in _EN_PARTS else words[-1].removesuffix("s")
    if part in _EN_PARTS:
        return Numeral(Decimal(_EN_DIGITS.get(words[0], 1)) / _EN_PARTS[part], None, "english_fraction")
    whole, _, fraction = " ".join(words).partition(" point ")
    value = _english_whole(whole.split())
    if fraction:
        value += Decimal("0." + "".join(str(_EN_DIGITS[word] % 10) for word in fraction.split()))
    return Numeral(value, None, "english_words")


def _english_half(words: list[str]) -> Numeral:
    """half a million, one and a half, a dozen, half."""
    value = Decimal("0.5") if words[0] == "half" else Decimal(_EN_DIGITS.get(words[0], 1))
    if "and" in words:
        value += Decimal("0.5")
    if words[-1] == "dozen":
        value *= 12
    value = value.scaleb(_EN_POWERS.get(words[-1], 0))
    return Numeral(value, None, "english_words" if value >= 1 else "english_fraction")


def _english_whole(words: list[str]) -> Decimal:
    total, group = Decimal(0), Decimal(0)
    for word in words:
        if word == "hundred":
            group = (group or Decimal(1)) * 100
        elif word in _EN_POWERS:
            total += (group or Decimal(1)).scaleb(_EN_POWERS[word])
            group = Decimal(0)
        else:
            group += _EN_DIGITS.get(word, 0)
    return total + group
