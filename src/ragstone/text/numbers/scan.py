"""The walk through a text that finds its numerals and leaves out what is no quantity."""

import re
from collections.abc import Callable
from decimal import Decimal

from ragstone.text.late import late
from ragstone.text.numbers import units
from ragstone.text.numbers.around import Draft, Kind, digit, read_after, read_before, read_mark, read_measure
from ragstone.text.numbers.skip import WORD_HEADS, skip_from, skip_word
from ragstone.text.numbers.words import (
    EN_ARTICLE,
    EN_HEADS,
    EN_PHRASE,
    HAN,
    LONGEST,
    RUN,
    Numeral,
    by_first_letter,
    most_tries,
    read_english,
    read_numeral,
)

_WORD = rf"(?<![a-z0-9_])(?!(?:{units.GLUED})[0-9])(?P<word>[a-z_][a-z0-9_]*+(?:[-./@'][a-z0-9_]++)*)"
_TOKEN = (
    f"{_WORD}"
    # A cell of a list of numbers has nothing round it that could change it.
    r"|(?<=[,;|])(?P<cell>(?:0|[1-9][0-9]{0,8})(?:\.[0-9]{1,9})?)(?=[;|]|,(?![0-9]{3}(?![0-9])))"
    rf"|(?P<share>百分百|(?:(?:[{HAN}]{{1,4}}|[0-9]{{1,4}})又)?(?:[{HAN}]{{1,8}}+|[0-9]{{1,6}}+) ?分之 ?(?=[{HAN}0-9]))"
    rf"|(?<![上下前后大多过])(?P<half>一半(?![个天年月])|半(?={units.HALF_OF}))"
    rf"|(?P<part>[0-9]{{1,4}}/[0-9]{{1,4}}(?![0-9/]))"
    rf"|(?P<run>{RUN})"
)
_NUMBER_HEADS = rf"(?:{by_first_letter(sorted(EN_HEADS))})(?![a-z])|{EN_ARTICLE}"
_HEADS = rf"{_NUMBER_HEADS}|(?:{by_first_letter(sorted(WORD_HEADS))})(?=\.?[ ,]{{0,2}}#?[0-9])"
_PLAIN_WORD = _WORD.replace("(?P<word>", f"(?!{_HEADS})(?:")
# Most words are mere letters without digits behind them, and begin neither a label nor a currency.
_LETTERS = rf"(?<![a-z0-9_])(?!{_NUMBER_HEADS})[a-z]++(?![0-9_./@'-]|[ ,]{{0,2}}#?[0-9])"
_REST = f"[^0-9a-z_半{HAN}]"
_NEXT = late(f"(?:{_LETTERS}{_REST}*+|{_REST}++|{_PLAIN_WORD})*+(?:{_TOKEN}|(?P<other>[0-9a-z_半{HAN}]))")
"""All that holds no number, marks and words that begin none, and the token behind it."""
_RUN = late(RUN)
_SHARE_NEXT = late(rf"(?:百|千|万|[{HAN}]{{1,8}}) ?分之 ?")
_JOIN = late(r" ?(?:-{1,2}|~|至|到|to(?= )|(?P<pair>and(?= )|和|与)) ?")
_JOIN_CHARS = frozenset(" -~至到和与")
_ONE_OF_A_UNIT = late(
    r" (?:year|month|week|hour|minute|(?:[kmgt]|kilo|mega|giga|tera)b(?:yte)?|kilo(?:gram|met(?:er|re))|lit(?:er|re)"
    r"|(?:business|working|calendar) day)\b| day['’]"
)
"""One month is a value; one of them is none, and neither is one day in a tale."""
_DENOMINATORS = {"百": 100, "千": 1000, "万": 10000, "百万": 1000000}
_BARE = late("[百千万亿]{1,3}$")
_BARE_POWERS = {"百": 2, "千": 3, "万": 4, "亿": 8}
_BARE_BEFORE = late("(?:将近|接近|超过|不足|不到|大约|近|约|逾|超|过)(?:人民币|新台币|港币|美元)?$")
_VAGUE = late("几[百千万亿]*")
_FINANCIAL = frozenset("壹贰弍弌弎叁参肆伍陆柒捌玖拾佰仟")
_PLACES = frozenset("十百千万亿兆廿卅卌拾佰仟")


_CODE_TAIL = late("[a-z0-9_]++")
_BETWEEN = frozenset(("以上", "至", "到", "|", "或", "或者", "及", "和", "逾"))


_Step = tuple[Draft | None, int]
"""What a token gave, and where to go on."""


def scan(text: str, line: str, *, strict: bool) -> list[Draft]:
    """Each quantity from left to right; `strict` leaves out what is no quantity in running text."""
    return _Scanner(text, line, strict=strict).scan()


class _Scanner:
    """One pass over a text."""

    def __init__(self, text: str, line: str, *, strict: bool) -> None:
        self.text, self.line, self.strict = text, line, strict
        self.floor = 0
        self.money: str | None = None
        """The currency of the quantity before."""

    def scan(self) -> list[Draft]:
        """Each quantity, from left to right."""
        line, pos, left = self.line, 0, most_tries(self.line)
        found: list[Draft] = []
        while left and (token := _NEXT.match(line, pos)):
            kind = token.lastgroup or ""
            start, pos = token.span(kind)
            if kind == "other":
                continue
            draft, pos = _READERS[kind](self, start, pos)
            left -= draft is not None or kind != "word"
            if draft is not None:
                if draft.negative:
                    draft.settle()
                self.floor, self.money = draft.end, draft.currency
                found.append(draft)
        return found

    def _cell(self, start: int, end: int) -> _Step:
        return Draft.of(start, end, Numeral(Decimal(self.line[start:end]), None, "arabic")), end

    def _word(self, start: int, end: int) -> _Step:
        phrase = EN_PHRASE.match(self.line, start)
        numeral = read_english(phrase[0]) if phrase else None
        if phrase is None or numeral is None or (self.strict and not self._counts(phrase)):
            return None, max(end, skip_word(self.text, self.line, start, end))
        draft = Draft.of(
            phrase.start(), phrase.end(), numeral, "fraction" if numeral.rule == "english_fraction" else "plain"
        )
        read_before(self.line, draft, self.floor)
        read_after(self.text, self.line, draft)
        return draft, draft.end

    def _counts(self, phrase: re.Match[str]) -> bool:
        """Whether number words count something: not one of them, not the second half."""
        head = self.line[max(0, phrase.start() - 8) : phrase.start()]
        alone = phrase[0] == "one" and not _ONE_OF_A_UNIT.match(self.line, phrase.end())
        return not alone and not (phrase[0] == "half" and head.endswith(("first ", "second ", "latter ", "other ")))

    def _share(self, start: int, end: int) -> _Step:
        """百分之三十, 三分之二, 千分之五."""
        written = self.line[start:end]
        if written == "百分百":
            return Draft.of(start, end, Numeral(Decimal(1), None, "percent"), "percent"), end
        ahead, also, name = written.partition("分")[0].strip().rpartition("又")
        below = Decimal(_DENOMINATORS.get(name) or digit(name))
        run = _RUN.match(self.line, end)
        top = _top(run[0]) if run else None
        if run is None or top is None or not below:
            return None, end
        kind, rule = ("percent", "percent") if name in _DENOMINATORS or below == 100 else ("fraction", "fraction")
        draft = Draft.of(start, run.end(), top._replace(rule=rule), "percent" if kind == "percent" else "fraction")
        self._join_share(draft)
        draft.value, draft.high = draft.value / below, draft.high if draft.high is None else draft.high / below
        if also:
            draft.value += digit(ahead)
        read_before(self.line, draft, self.floor)
        read_mark(self.line, draft)
        return draft, draft.end

    def _join_share(self, draft: Draft) -> None:
        """百分之三到五, 百分之十至百分之二十."""
        link = _JOIN.match(self.line, draft.end)
        if link is None or draft.high is not None:
            return
        again = _SHARE_NEXT.match(self.line, link.end())
        run = _RUN.match(self.line, again.end() if again else link.end())
        top = _top(run[0]) if run else None
        if run and top and top.value > draft.value and not self._unit_follows(run.end()):
            draft.high, draft.end = top.value, run.end()

    def _unit_follows(self, at: int) -> bool:
        return bool(units.CURRENCY_AFTER.match(self.line, at) or units.MEASURE_AFTER.match(self.line, at))

    def _half(self, start: int, end: int) -> _Step:
        kind: Kind = "fraction" if self.line[start] == "一" else "plain"
        draft = Draft.of(start, end, Numeral(Decimal("0.5"), None, "half"), kind)
        read_before(self.line, draft, self.floor)
        if draft.kind == "plain":
            read_measure(self.text, self.line, draft)
        return draft, draft.end

    def _part(self, start: int, end: int) -> _Step:
        """2/3; in running text only a proper fraction that is no piece of a path or date."""
        top, below = map(Decimal, self.line[start:end].split("/"))
        inside = self.line[max(0, start - 1) : start] in ("/", ".", "-", ":")
        if not below or (self.strict and (top >= below or inside or not top)):
            return None, end
        draft = Draft.of(start, end, Numeral(top / below, None, "fraction"), "fraction")
        read_before(self.line, draft, self.floor)
        return draft, draft.end

    def _run(self, start: int, end: int) -> _Step:
        if end - start > LONGEST:
            return None, end
        line = self.line
        run = line[start:end]
        skipped = skip_from(line, start, end) if self.strict else 0
        if skipped:
            return None, skipped
        draft = self._draft(run, start, end)
        if draft is None:
            return None, end
        if line[draft.end : draft.end + 1] == "几":
            return None, self._after_vague(draft.end)
        read_before(line, draft, self.floor)
        if draft.end == end:
            read_after(self.text, line, draft)
            if draft.negative:
                draft.settle()
            if line[draft.end : draft.end + 1] in _JOIN_CHARS and draft.high is None:
                self._join(draft)
            if self.money and self.money != draft.currency == "CNY":
                self._share_currency(draft)
        if self.strict and self._is_noise(draft, run):
            tail = _CODE_TAIL.match(line, end) if run[0].isdigit() else None
            return None, max(draft.end, tail.end() if tail else end)
        return draft, draft.end

    def _share_currency(self, draft: Draft) -> None:
        """新台币6千元以上3万元以下: the currency is written once."""
        named_after = self.line[self.floor - 2 : self.floor] in units.CURRENCIES
        if not named_after and self.line[self.floor : draft.start] in _BETWEEN:
            draft.currency = self.money

    def _after_vague(self, at: int) -> int:
        found = _VAGUE.match(self.line, at)
        return found.end() if found else at + 1

    def _draft(self, run: str, start: int, end: int) -> Draft | None:
        numeral = read_numeral(run)
        if numeral is not None:
            shorter = None if run.isascii() else self._without_tail(run, end)
            return Draft.of(start, end - 1, shorter) if shorter else Draft.of(start, end, numeral)
        if len(run) > 1 and run[0] in "一二三四五六七八九" and (numeral := read_numeral(run[1:])):
            return Draft.of(start + 1, end, numeral)  # the first character ends a word before: 统一|一万元
        return self._bare(run, start, end)

    def _without_tail(self, run: str, end: int) -> Numeral | None:
        """两百一个 is 200 for one: a lone last digit before a measure word starts the next number."""
        if len(run) < 3 or run[-1] not in "一二两三四五六七八九" or run[-2] not in "百千万亿" or not self.strict:
            return None
        if units.MEASURE_AFTER.match(self.line, end) is None or units.CURRENCY_AFTER.match(self.line, end):
            return None
        return read_numeral(run[:-1])

    def _bare(self, run: str, start: int, end: int) -> Draft | None:
        """近百人, 千余元: a place word alone stands for one of its kind only when it is softened."""
        if _BARE.match(run) is None:
            return None
        if not _BARE_BEFORE.search(self.line[max(0, start - 8) : start]) and self.line[end : end + 1] not in (
            "余",
            "多",
        ):
            return None
        power = sum(_BARE_POWERS[char] for char in run)
        return Draft.of(start, end, Numeral(Decimal(10) ** power, None, "chinese_numeral"))

    def _join(self, draft: Draft) -> None:
        """Take the second end of a range: 3-5万, 三万元至五万元, 10%~20%."""
        link = _JOIN.match(self.line, draft.end)
        if link is None:
            return
        sign = units.CURRENCY_HERE.match(self.line, link.end())
        run = _RUN.match(self.line, sign.end() if sign else link.end())
        if run is None or (self.strict and skip_from(self.line, run.start(), run.end())):
            return
        numeral = read_numeral(run[0])
        if numeral is None or numeral.high is not None:
            return
        other = Draft.of(run.start(), run.end(), numeral, "ordinal" if draft.kind == "ordinal" else "plain")
        if sign:
            other.kind, other.currency = "amount", units.CURRENCIES[sign[0].strip()]
        read_after(self.text, self.line, other)
        if link["pair"] is None or self._between(draft, other):
            _merge(draft, other, run[0], numeral.value)

    def _between(self, draft: Draft, other: Draft) -> bool:
        """Whether two numbers joined by a mere and are the ends of a range."""
        return self.line.endswith("between ", 0, draft.start) or self.line.startswith("之间", other.end)

    def _is_noise(self, draft: Draft, run: str) -> bool:
        """Whether a numeral that stands in running text is rather a part of a word, a code or a vague number."""
        arabic = run[0].isdigit()
        if draft.kind == "ordinal" or (arabic and draft.kind != "plain"):
            return False
        after = self.line[draft.end : draft.end + 1]
        if arabic:
            return "a" <= after <= "z" or (after == "-" and "a" <= self.line[draft.end + 1 : draft.end + 2] <= "z")
        if draft.start and self.line[draft.start - 1] in ("几数好" if run[0] in _PLACES else "几好"):
            return True
        if draft.kind != "amount" and not _PLACES.intersection(run) and _FINANCIAL.intersection(run):
            return True
        if draft.rule == "chinese_digits":
            return _is_row_noise(draft, run, after)
        return draft.kind == "plain" and len(run) < 2


_READERS: dict[str, Callable[[_Scanner, int, int], _Step]] = {
    "cell": _Scanner._cell,
    "word": _Scanner._word,
    "share": _Scanner._share,
    "half": _Scanner._half,
    "part": _Scanner._part,
    "run": _Scanner._run,
}
"""What reads a token of each kind."""


def _top(run: str) -> Numeral | None:
    return Numeral(Decimal(100), None, "percent") if run == "百" else read_numeral(run)


def _is_row_noise(draft: Draft, run: str, after: str) -> bool:
    """Digits in a row: 七八个 are neighbours, 一二三 is a number, 三五 alone is neither."""
    if len(run) > 2:
        return after == "等"
    first, second = digit(run[0]), digit(run[-1])
    if draft.kind not in ("count", "amount", "percent") or not 0 < first < second or second - first > 2:
        return True
    factor = draft.value / (first * 10 + second)
    draft.value, draft.high = sorted((first * factor, second * factor))
    draft.soft = True
    return False


def _merge(draft: Draft, other: Draft, run: str, raw: Decimal) -> None:
    low = _shared(draft, other, run, raw)
    if low >= other.value or not _kin(draft, other):
        return
    draft.value, draft.high, draft.end = low, other.value, other.end
    draft.currency = draft.currency or other.currency
    if draft.kind == "plain" or draft.currency:
        draft.kind = "amount" if draft.currency else other.kind
    draft.unit = draft.unit or other.unit
    draft.mark = draft.mark or other.mark
    draft.rule = "range"


def _shared(first: Draft, second: Draft, run: str, raw: Decimal) -> Decimal:
    """The lower end of a range whose place word or sign is written once: the 3 of 3-5万 is 30000, of 3-5% is 0.03."""
    low, factor = first.value, Decimal(1)
    bare = run.rstrip("百千万亿")
    part = read_numeral(bare) if bare != run else None
    if (
        first.kind in ("plain", "amount")
        and part is not None
        and part.value
        and low < part.value
        and first.rule != "mixed_wan"
    ):
        factor = raw / part.value
    if first.kind == "plain" or (first.kind == "amount" and second.rule == "english_scale" != first.rule):
        factor *= second.value / raw if raw else 1
    return low * factor


def _kin(first: Draft, second: Draft) -> bool:
    if first.currency and second.currency and first.currency != second.currency:
        return False
    if first.kind == "plain":
        return True
    return first.kind == second.kind or (second.kind == "plain" and first.kind in ("amount", "count"))
