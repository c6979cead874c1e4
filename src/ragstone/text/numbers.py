"""Numbers and money in running text, each with its exact value and the rule that read it.

Left out on purpose, because they measure nothing: dates, times of day, phone and other serial numbers, versions, house and room
numbers, list markers and citation marks, and idioms (一定, 万一, 十分). 第3条 and 3rd are kept with the kind "ordinal".
Vague numbers (几百, 数十万, 十几个) have no value and are left out too.
"""

import re
from collections.abc import Iterator
from decimal import Decimal
from typing import Literal

import msgspec

from ragstone.text import number_units as units
from ragstone.text.number_skip import skip_from, skip_word
from ragstone.text.number_words import EN_PHRASE, HAN, RUN, Numeral, read_english, read_numeral, unify

Kind = Literal["amount", "percent", "fraction", "count", "ordinal", "plain"]
"""amount: money; percent: parts of 100 or 1000, 成; fraction: 2/3, 三分之二, 八折; count: with a measure word."""


class Quantity(msgspec.Struct, frozen=True):
    """A number found in a text: its place, exact value, kind, and the rule that read it."""

    start: int
    end: int
    text: str
    """text[start:end] as written, with sign, currency and unit, without the mark."""
    value: Decimal
    """The exact value; 30% is 0.3, 4.2万 is 42000. The lower end of a range."""
    rule: str
    kind: Kind = "plain"
    high: Decimal | None = None
    """The upper end of a range (3-5万), else None."""
    currency: str | None = None
    """ISO 4217 code, for an amount."""
    unit: str = ""
    """The measure word or unit behind the number, folded."""
    mark: str = ""
    """The word that softens or limits the number: 约, 左右, 超过, 以上."""
    approximate: bool = False
    """Whether the mark, or the form (三五十), leaves the value open; a limit (至少, 以上) does not."""

    @property
    def number(self) -> float:
        """The value as a float."""
        return float(self.value)


class Match(msgspec.Struct, frozen=True):
    """Whether two quantities are the same value, and by which rule or for which reason not."""

    same: bool
    rule: str


_ANY = re.compile(
    rf"[0-9{HAN}半]|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thir|fif|twenty|forty|eighty|hundred|half|dozen|zero|a third|a quarter|an? (?:thou|mill|bill|trill))"
)
_TOKEN = re.compile(
    rf"(?<![a-z0-9_])(?!(?:{units.GLUED})[0-9])(?P<word>[a-z_][a-z0-9_]*+(?:[-./@'][a-z0-9_]++)*+)"
    rf"|(?P<share>百分百|(?:[{HAN}]{{1,8}}+|[0-9]{{1,6}}+)分之(?=[{HAN}0-9]))"
    rf"|(?P<half>半(?={units.HALF_OF}))"
    rf"|(?P<part>[0-9]{{1,4}}/[0-9]{{1,4}}(?![0-9/]))"
    rf"|(?P<run>{RUN})"
)
_RUN = re.compile(RUN)
_SCALE_EN = re.compile(
    r" ?(?P<name>hundred|thousand|million|billion|trillion)(?![a-z])|(?P<letter>k|m|mn|b|bn|tn)(?![a-z0-9])"
)
_SCALES = {
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
_MORE = re.compile(r"(?P<more>多|余|来|几)(?P<scale>[百千万亿]{0,3})")
_COINS = re.compile(
    rf"(?:零?(?P<jiao>[0-9]{{1,2}}|[{HAN}])(?:角|毛)钱?)?(?:零?(?P<fen>[0-9]{{1,2}}|[{HAN}])分钱?)?(?P<rest>[0-9一二三四五六七八九](?![0-9{HAN}年月日个人次%.]))?(?P<whole>[整正](?![a-z一-龥]))?"
)
_COIN = re.compile(r"(?P<tenth>角|毛)(?:钱)?(?![度落色])(?:(?P<fen>[0-9一二三四五六七八九])分)?|分钱")
_SHARE = re.compile(
    r" ?(?P<sign>%|‰|percent|per cent|pct)(?![a-z])|成(?P<half>[一二三四五六七八九半])?(?![员为立功长本果都人分绩品交名型]|年人)|(?P<off>折)(?!合|算|叠|旧|扣|断)"
)
_JOIN = re.compile(r" ?(?:-|~|至|到|to(?= )|-\x2d) ?")
_HALF_AFTER = re.compile(r"(?P<unit>个|年|天|倍|块|斤|公里|小时|岁|周|米)?半(?P<of>小时|个?月|年|天|钟头|世纪|多?)")


def find_numbers(text: str) -> list[Quantity]:
    """All numbers of a text in order: find_numbers("共4万2千元")[0].value == 42000."""
    line = unify(text)
    if _ANY.search(line) is None:
        return []
    return list(_Scanner(text, line, strict=True).scan())


def read_number(text: str) -> Decimal | None:
    """The value of a text that is one number and nothing else, or None: read_number("肆萬貳仟圓整") == 42000."""
    text = text.strip()
    line = unify(text)
    found = list(_Scanner(text, line, strict=False).scan()) if len(text) <= 80 else []
    if len(found) != 1 or found[0].high is not None or found[0].kind == "ordinal":
        return None
    rest = line[: found[0].start] + line[found[0].end :]
    return found[0].value if not rest.replace(found[0].mark, "").strip(" ;,.!:()的") else None


def same_value(one: Quantity, other: Quantity) -> Match:
    """Whether two quantities are one value in two dresses; a missing currency agrees with any."""
    if (one.kind == "ordinal") != (other.kind == "ordinal"):
        return Match(False, "an ordinal is no amount")
    if one.currency and other.currency and one.currency != other.currency:
        return Match(False, f"{one.currency} is not {other.currency}")
    if one.value != other.value or one.high != other.high:
        return Match(False, "different values")
    return Match(True, one.rule if one.rule == other.rule else f"{one.rule} = {other.rule}")


class _Draft:
    """A quantity while it is being read."""

    __slots__ = ("currency", "end", "high", "kind", "mark", "rule", "soft", "start", "unit", "value")

    def __init__(self, start: int, end: int, numeral: Numeral) -> None:
        self.start, self.end = start, end
        self.value, self.high, self.rule = numeral
        self.kind: Kind = "plain"
        self.currency: str | None = None
        self.unit = ""
        self.mark = ""
        self.soft = numeral.high is not None

    def scale(self, factor: Decimal) -> None:
        self.value *= factor
        if self.high is not None:
            self.high *= factor


class _Scanner:
    """One pass over a text; `strict` leaves out what is no quantity in running text."""

    def __init__(self, text: str, line: str, *, strict: bool) -> None:
        self.text, self.line, self.strict = text, line, strict

    def scan(self) -> Iterator[Quantity]:
        """Each quantity, from left to right."""
        pos = 0
        while token := _TOKEN.search(self.line, pos):
            draft, pos = self._read(token)
            if draft is not None:
                yield self._finish(draft)

    def _read(self, token: re.Match[str]) -> tuple[_Draft | None, int]:
        kind = token.lastgroup
        if kind == "word":
            return self._word(token)
        if kind == "share":
            return self._share(token)
        if kind == "half":
            return self._half(token)
        if kind == "part":
            return self._part(token)
        return self._run(token)

    def _word(self, token: re.Match[str]) -> tuple[_Draft | None, int]:
        phrase = EN_PHRASE.match(self.line, token.start())
        numeral = read_english(phrase[0]) if phrase else None
        if phrase is None or numeral is None or (self.strict and phrase[0] == "one"):
            return None, max(token.end(), skip_word(self.text, self.line, token))
        draft = _Draft(phrase.start(), phrase.end(), numeral)
        if "half" in phrase[0] or numeral.rule == "english_fraction":
            draft.kind = "plain" if " " in phrase[0] and numeral.value >= 1 else "fraction"
        self._before(draft)
        self._after(draft)
        return draft, draft.end

    def _share(self, token: re.Match[str]) -> tuple[_Draft | None, int]:
        """百分之三十, 三分之二, 千分之五."""
        if token[0] == "百分百":
            draft = _Draft(token.start(), token.end(), Numeral(Decimal(1), None, "percent"))
            draft.kind = "percent"
            return draft, draft.end
        run = _RUN.match(self.line, token.end())
        top = read_numeral(run[0]) if run else (Numeral(Decimal(100), None, "") if False else None)
        if top is None and run is not None and run[0] == "百":
            top = Numeral(Decimal(100), None, "chinese_numeral")
        below = read_numeral(token[0][:-2]) or {
            "百": Numeral(Decimal(100), None, ""),
            "千": Numeral(Decimal(1000), None, ""),
            "万": Numeral(Decimal(10000), None, ""),
        }.get(token[0][:-2])
        if run is None or top is None or below is None or not below.value:
            return None, token.end()
        percent = below.value in (100, 1000, 10000)
        draft = _Draft(token.start(), run.end(), Numeral(top.value, top.high, "percent" if percent else "fraction"))
        draft.kind = "percent" if percent else "fraction"
        self._join(draft)
        draft.scale(1 / below.value)
        self._before(draft)
        self._mark_after(draft)
        return draft, draft.end

    def _half(self, token: re.Match[str]) -> tuple[_Draft | None, int]:
        draft = _Draft(token.start(), token.end(), Numeral(Decimal("0.5"), None, "half"))
        self._measure(draft)
        return draft, draft.end

    def _part(self, token: re.Match[str]) -> tuple[_Draft | None, int]:
        top, below = map(Decimal, token[0].split("/"))
        if not below or (
            self.strict and (top >= below or self.line[token.start() - 1 : token.start()] in ("/", ".", "-"))
        ):
            return None, token.end()
        draft = _Draft(token.start(), token.end(), Numeral(top / below, None, "fraction"))
        draft.kind = "fraction"
        self._before(draft)
        return draft, draft.end

    def _run(self, token: re.Match[str]) -> tuple[_Draft | None, int]:
        if self.strict:
            skipped = skip_from(self.line, token.start(), token.end())
            if skipped:
                return None, skipped
        numeral, start = _longest_tail(token[0], token.start())
        if numeral is None:
            return None, token.end()
        draft = _Draft(start, token.end(), numeral)
        if self.strict and self._drop_tail(draft):
            return draft, draft.end
        self._before(draft)
        self._after(draft)
        if draft.kind != "ordinal":
            self._join(draft)
        if self.strict and self._noise(draft, token):
            return None, max(draft.end, token.end())
        return draft, max(draft.end, start + 1)

    def _drop_tail(self, draft: _Draft) -> bool:
        """两百一个 is 200 for one: a lone last digit before a measure word starts the next number."""
        run = self.line[draft.start : draft.end]
        if len(run) < 3 or run[-1] not in "一二两三四五六七八九" or run[-2] not in "百千万亿":
            return False
        if units.MEASURE_AFTER.match(self.line, draft.end) is None or units.CURRENCY_AFTER.match(self.line, draft.end):
            return False
        shorter = read_numeral(run[:-1])
        if shorter is None:
            return False
        draft.value, draft.high, draft.rule = shorter
        draft.end -= 1
        self._before(draft)
        return True

    def _before(self, draft: _Draft) -> None:
        """Take sign, currency and mark that stand before the number."""
        at = draft.start
        if not at or self.line[at - 1] not in units.BEFORE_CHARS:
            if at and self.line[at - 1] == "第":
                draft.kind, draft.start = "ordinal", at - 1
            return
        found = units.BEFORE.search(self.line[max(0, at - 18) : at])
        if found is None:
            return
        offset = max(0, at - 18)
        if found["sign"] and self._signed(offset + found.start("sign")):
            draft.scale(Decimal(-1))
            draft.start = offset + found.start("sign")
        if found["currency"]:
            draft.kind, draft.currency = "amount", units.CURRENCIES[found["currency"]]
            draft.start = offset + found.start("currency")
        mark = found["mark"] or found["late"]
        if mark:
            draft.mark = mark

    def _signed(self, at: int) -> bool:
        return self.line[at] != "-" or at == 0 or not (self.line[at - 1].isalnum() or self.line[at - 1] in ")%]")

    def _after(self, draft: _Draft) -> None:
        """Take scale, share, currency, measure word and mark that follow the number."""
        if draft.kind == "ordinal":
            self._measure(draft)
            draft.kind = "ordinal"
            return
        self._scale_en(draft)
        more = _MORE.match(self.line, draft.end)
        if more and self._more(draft, more):
            return
        if not self._percent(draft) and not self._money(draft):
            self._measure(draft)
        self._mark_after(draft)

    def _scale_en(self, draft: _Draft) -> None:
        if draft.rule == "english_words":
            return
        found = _SCALE_EN.match(self.line, draft.end)
        if found is None:
            return
        name = found["name"] or found["letter"]
        if name == "m" and self.text[draft.end] == "m" and not draft.currency:
            return
        draft.scale(Decimal(10) ** _SCALES[name])
        draft.end = found.end()
        draft.rule = "english_scale"

    def _more(self, draft: _Draft, more: re.Match[str]) -> bool:
        """三百多, 五万余元, 二十多万; True when nothing more is to be read."""
        if more["more"] == "几" or (more["more"] == "来" and not more["scale"] and not self._unit_at(more.end())):
            return False
        for char in more["scale"]:
            draft.scale(Decimal(10) ** {"百": 2, "千": 3, "万": 4, "亿": 8}[char])
        draft.end, draft.mark = more.end(), more["more"]
        return False

    def _unit_at(self, at: int) -> bool:
        return bool(units.CURRENCY_AFTER.match(self.line, at) or units.MEASURE_AFTER.match(self.line, at))

    def _percent(self, draft: _Draft) -> bool:
        found = _SHARE.match(self.line, draft.end)
        if found is None:
            return False
        if found["sign"]:
            draft.scale(Decimal("0.001") if found["sign"] == "‰" else Decimal("0.01"))
            draft.kind, draft.rule = "percent", "percent"
        elif found["off"]:
            draft.scale(Decimal("0.01") if draft.value >= 10 else Decimal("0.1"))
            draft.kind, draft.rule = "fraction", "discount"
        else:
            if draft.value > 10:
                return False
            half = found["half"]
            extra = Decimal(0) if not half else Decimal(5) if half == "半" else read_value(half)
            draft.scale(Decimal("0.1"))
            draft.value += extra / 100
            draft.kind, draft.rule = "percent", "tenths"
        draft.end = found.end()
        return True

    def _money(self, draft: _Draft) -> bool:
        found = units.CURRENCY_AFTER.match(self.line, draft.end)
        if found is None:
            return self._coin(draft)
        if found["yuan"] == "块" and units.LUMP.match(self.line, found.end()):
            return False
        draft.kind = "amount"
        draft.currency = draft.currency or units.CURRENCIES[found["currency"] or found["yuan"]]
        draft.end = found.end()
        if found["yuan"]:
            self._coins(draft, colloquial=found["yuan"] == "块")
        return True

    def _coins(self, draft: _Draft, *, colloquial: bool) -> None:
        """12元5角, 三块五毛, 三块五, 元整."""
        found = _COINS.match(self.line, draft.end)
        if found is None:
            return
        end = draft.end
        if found["jiao"]:
            draft.value += read_value(found["jiao"]) / 10
            end = max(end, found.end("jiao") + 1)
        if found["fen"]:
            draft.value += read_value(found["fen"]) / 100
            end = found.end("fen") + 1
        if found["rest"] and colloquial and end == draft.end:
            draft.value += read_value(found["rest"]) / 10
            end = found.end("rest")
        if end != draft.end:
            draft.rule = "coins"
        draft.end = end
        if self.line[end : end + 1] in ("整", "正"):
            draft.end = end + 1

    def _coin(self, draft: _Draft) -> bool:
        found = _COIN.match(self.line, draft.end)
        if found is None:
            return False
        draft.scale(Decimal("0.1") if found["tenth"] else Decimal("0.01"))
        if found["fen"]:
            draft.value += read_value(found["fen"]) / 100
        draft.kind, draft.currency, draft.rule = "amount", draft.currency or "CNY", "coins"
        draft.end = found.end()
        return True

    def _measure(self, draft: _Draft) -> None:
        half = _HALF_AFTER.match(self.line, draft.end)
        if half and draft.high is None and (half["unit"] or half["of"]):
            draft.value += Decimal("0.5")
            draft.kind, draft.rule = "count", "half"
            draft.unit, draft.end = (half["unit"] or "") + half["of"], half.end()
            return
        found = units.MEASURE_AFTER.match(self.line, draft.end)
        if found is None or (found[0] == "g" and self.text[draft.end] == "G"):
            return
        draft.unit, draft.end = found[0].strip(), found.end()
        if draft.kind == "plain":
            draft.kind = "count"

    def _mark_after(self, draft: _Draft) -> None:
        found = units.MARK_AFTER.match(self.line, draft.end)
        if found is not None and not draft.mark:
            draft.mark = found[0]

    def _join(self, draft: _Draft) -> None:
        """Take the second end of a range: 3-5万, 三万元至五万元, 10%~20%."""
        link = _JOIN.match(self.line, draft.end)
        run = _RUN.match(self.line, link.end()) if link else None
        if draft.high is not None or run is None or (self.strict and skip_from(self.line, run.start(), run.end())):
            return
        numeral = read_numeral(run[0])
        if numeral is None or numeral.high is not None:
            return
        other = _Draft(run.start(), run.end(), numeral)
        bare = draft.kind == "plain" or (draft.rule in ("percent", "fraction") and not draft.unit)
        if (
            draft.kind in ("percent", "fraction")
            and bare
            and draft.rule != "percent_sign"
            and self.line[draft.end - 1] != "%"
        ):
            low = draft.value
            if low < other.value:
                draft.high, draft.end = other.value, other.end
            return
        self._after(other)
        low = _shared(draft, run[0], other) if draft.kind in ("plain", "amount") else draft.value
        if low >= other.value or not _kin(draft, other):
            return
        draft.value, draft.high, draft.end = low, other.value, other.end
        draft.kind, draft.unit, draft.rule = other.kind, other.unit, "range"
        draft.currency = draft.currency or other.currency
        if draft.currency:
            draft.kind = "amount"
        draft.mark = draft.mark or other.mark

    def _noise(self, draft: _Draft, token: re.Match[str]) -> bool:
        """Whether a numeral that stands alone in running text is rather a part of a word."""
        line, run = self.line, token[0]
        after = line[draft.end : draft.end + 1]
        if run[0].isdigit():
            return draft.kind == "plain" and after.isascii() and after.isalpha()
        if draft.kind == "ordinal":
            return False
        before = line[draft.start - 1 : draft.start] if draft.start else ""
        if before and before in "几数好":
            return True
        if draft.rule == "chinese_digits" and draft.kind in ("count", "amount") and len(run) == 2:
            first, second = (read_value(char) for char in run)
            if not 0 < first < second or second - first > 2:
                return True
            draft.value, draft.high, draft.soft = first, second, True
            return False
        if draft.kind == "plain":
            return len(run) < 3 if draft.rule == "chinese_digits" else len(run) < 2
        return False

    def _finish(self, draft: _Draft) -> Quantity:
        return Quantity(
            draft.start,
            draft.end,
            self.text[draft.start : draft.end],
            draft.value,
            draft.rule,
            draft.kind,
            draft.high,
            draft.currency,
            draft.unit,
            draft.mark,
            draft.soft or (bool(draft.mark) and draft.mark not in units.BOUNDS),
        )


def read_value(run: str) -> Decimal:
    """The value of a run known to be a numeral, 0 when it is none."""
    numeral = read_numeral(run)
    return numeral.value if numeral else Decimal(0)


def _longest_tail(run: str, start: int) -> tuple[Numeral | None, int]:
    """The numeral of a run, without up to three characters before it that belong to another word."""
    for drop in range(min(4, len(run))):
        numeral = read_numeral(run[drop:])
        if numeral is not None:
            return numeral, start + drop
        if run[drop].isdigit():
            break
    return None, start


def _shared(first: _Draft, run: str, second: _Draft) -> Decimal:
    """The lower end of a range whose place word is written once: the 3 of 3-5万 is 30000."""
    bare = run.rstrip("百千万亿")
    coefficient = read_numeral(bare) if bare != run else None
    if coefficient is None and second.rule == "english_scale":
        coefficient = read_numeral(run)
    if coefficient is None or first.value >= coefficient.value or not coefficient.value or first.rule == "mixed_wan":
        return first.value
    return first.value * (second.value / coefficient.value)


def _kin(first: _Draft, second: _Draft) -> bool:
    if first.currency and second.currency and first.currency != second.currency:
        return False
    return first.kind in ("plain", second.kind) or second.kind == "plain"
