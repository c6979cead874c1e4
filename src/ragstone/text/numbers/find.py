"""Numbers and money in running text, each with its exact value and the rule that read it.

Left out on purpose, because they measure nothing: dates, times of day, phone and other serial numbers, versions, house
and room numbers, list markers and citation marks, and idioms (一定, 万一, 十分). 第3条 and 3rd are ordinals.
Vague numbers (几百, 数十万, 十几个) have no value and are left out too.
In one text so many numerals are read as `most_tries` says, and nothing behind them.
"""

from decimal import Decimal
from functools import lru_cache

import msgspec

from ragstone.text.late import late
from ragstone.text.numbers.around import Draft, Kind
from ragstone.text.numbers.scan import scan
from ragstone.text.numbers.units import LIMITS
from ragstone.text.numbers.words import EN_HINT, HAN, unify

_ANY = late(rf"[0-9{HAN}半]|\b(?:{EN_HINT})")
"""Number words that are glued to others are read only where another number stands."""
# A text that is one number is short; the rest is not worth a walk.
_LONGEST_NUMBER = 80


class Quantity(msgspec.Struct, frozen=True, gc=False):
    """A number found in a text: its place, exact value, kind, and the rule that read it."""

    start: int
    end: int
    text: str
    """text[start:end] as written, with sign, currency and unit, without the mark before it."""
    value: Decimal
    """The exact value; 30% is 0.3, 4.2万 is 42000. The lower end of a range."""
    rule: str
    """arabic, mixed_wan, chinese_numeral, chinese_digits, chinese_decimal, financial_numeral, english_words,
    english_scale, english_fraction, percent, tenths, discount, fraction, half, coins or range."""
    kind: Kind = "plain"
    high: Decimal | None = None
    """The upper end of a range (3-5万), else None."""
    currency: str | None = None
    """ISO 4217 code, for an amount; 元 and ¥ without more are CNY."""
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


def find_numbers(text: str, line: str = "") -> list[Quantity]:
    """All numbers of a text in order: find_numbers("共4万2千元")[0].value == 42000; `line` is the text unified."""
    return list(_found(text, line or unify(text)))


@lru_cache(maxsize=4)
def _found(text: str, line: str) -> tuple[Quantity, ...]:
    """The numbers of a text; the rules that read one answer ask in turn."""
    drafts = scan(text, line, strict=True)
    there = drafts and (_ANY.search(line, drafts[0].start) or _ANY.search(line))
    return tuple([_quantity(text, draft) for draft in drafts]) if there else ()


def read_number(text: str) -> Decimal | None:
    """The value of a text that is one number and nothing else, or None: read_number("肆萬貳仟圓整") == 42000."""
    text = text.strip()
    if text[:1] == ".":
        text = "0" + text
    line = unify(text)
    if len(text) > _LONGEST_NUMBER or not text:
        return None
    if line == "半":
        return Decimal("0.5")
    found = scan(text, line, strict=False)
    if len(found) != 1 or found[0].high is not None or found[0].kind == "ordinal":
        return None
    rest = line[: found[0].start] + line[found[0].end :]
    return found[0].value if not rest.replace(found[0].mark, "").strip(" ;,.!:()+\"'的") else None


def _quantity(text: str, draft: Draft) -> Quantity:
    return Quantity(
        draft.start,
        draft.end,
        text[draft.start : draft.end],
        draft.value,
        draft.rule,
        draft.kind,
        draft.high,
        draft.currency,
        draft.unit,
        draft.mark,
        draft.soft or (bool(draft.mark) and draft.mark not in LIMITS),
    )
