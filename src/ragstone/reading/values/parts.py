"""Parts of a unit, and one of it without a numeral: 半小时, 两升半, half an hour, within a week, a fortnight.

The number reader leaves these alone, or reads no more than the share in them.
"""

import itertools
import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import NamedTuple

from ragstone.reading.cues import cue
from ragstone.reading.values.dimensions import dimension
from ragstone.text.late import late
from ragstone.text.numbers.words import read_english, read_numeral

_AND_A_HALF = cue(
    r"(?P<whole>[0-9]{1,4}|[一二两三四五六七八九十]{1,3})个?(?P<unit>升|斤|公斤|吨|公里|年|天|米|里)半(?![年天月])"
)
_HALF = cue(
    r"(?<![上下前后个年大多一二两三四五六七八九十0-9])半个?(分钟|小时|钟头|月|年|天)"
    r"|(?<=后)半个?(分钟|小时|钟头|月|年|天)(?=以?内|之内)"
)
_UNITS = (
    r"(?P<unit>minute|hour|day|week|month|year|kilomet(?:er|re)|met(?:er|re)|mile|inch|lit(?:er|re)|gram|pound|tonne)"
)
_SHARES = {
    "half": Fraction(1, 2),
    "quarter": Fraction(1, 4),
    "three quarters": Fraction(3, 4),
    "third": Fraction(1, 3),
    "two thirds": Fraction(2, 3),
}
_SHARE = r"(?P<share>half|three[ -]quarters|two[ -]thirds|(?:(?:an?|one)[ -])?(?:quarter|third))"
_WHOLE = r"(?P<whole>an?|[0-9]{1,4}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)"
_SPELT = (
    r"(?P<whole>(?:(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:-(?=[a-z]))?)?"
    r"(?:one|two|three|four|five|six|seven|eight|nine)?|ten|eleven|twelve|fifteen|eighteen)"
)
_LED = late(
    r"\b(?:within|after|for|at (?:least|most)|up to|(?:less|more|no) (?:longer )?than|under|over|lasts?|takes?)$"
)
"""Before one of a unit it tells how long or much."""
_LONGEST_LEAD = 20
_ENGLISH: tuple[tuple[Sequence[str], tuple[re.Pattern[str], ...]], ...] = (
    (
        ("half", "quarter", "third"),
        (
            late(rf"\b{_SHARE}(?: an? |[ -]){_UNITS}\b"),
            late(rf"(?<!first )(?<!second )(?<!other )\b{_SHARE} of an? {_UNITS}\b"),
            late(rf"\b{_WHOLE} {_UNITS}s? and {_SHARE.replace('half', '(?:a )?half')}\b(?! (?:million|dozen))"),
            late(rf"\b{_WHOLE} and {_SHARE} {_UNITS}s?\b"),
        ),
    ),
    ("-", (late(rf"\b(?=[efnost][a-z]+-){_SPELT}-{_UNITS}s?\b"),)),
    ((" a ", " an "), (late(rf" (?P<one>an? {_UNITS})\b(?! (?:later|ago|and|or))"),)),
    (("fortnight",), (late(r"\b(?:an? |one )?(?P<fortnight>fortnight)\b"),)),
)
"""What one of is in every text with such parts, and how they are written."""


class Part(NamedTuple):
    """A part of a unit and its place: what is measured, how much in the smallest unit, and what its own unit holds."""

    start: int
    end: int
    measure: str
    amount: Decimal
    factor: Decimal


def find_parts(folded: str) -> list[Part]:
    """Find parts of units in a folded text."""
    found = []
    if "半" in folded:
        found += [
            _part(one, _whole(one["whole"]) + Fraction(1, 2), one["unit"]) for one in _AND_A_HALF.finditer(folded)
        ]
        found += [_part(one, Fraction(1, 2), one[1] or one[2]) for one in _HALF.finditer(folded)]
    return [*found, *_english(folded)]


def _english(folded: str) -> Iterator[Part]:
    taken: list[range] = []
    for hints, patterns in _ENGLISH:
        if not [hint for hint in hints if hint in folded]:
            continue
        for one in itertools.chain.from_iterable([pattern.finditer(folded) for pattern in patterns]):
            told = one.groupdict()
            if told.get("one") and not _LED.search(folded, max(0, one.start() - _LONGEST_LEAD), one.start()):
                continue
            start, end = one.span("one" if told.get("one") else 0)
            if any(start in span for span in taken):
                continue
            taken.append(range(start, end))
            if told.get("fortnight"):
                yield _part(one, Fraction(2), "week")
                continue
            share = _share(told["share"]) if told.get("share") else Fraction(not told.get("whole"))
            amount = share + (_whole(told["whole"]) if told.get("whole") else 0)
            yield _part(one, amount, told["unit"])._replace(start=start, end=end)


def _share(written: str) -> Fraction:
    plain = written.replace("-", " ")
    return next(_SHARES[name] for name in (plain, plain.partition(" ")[2]) if name in _SHARES)


def _whole(written: str) -> Fraction:
    if written in ("a", "an"):
        return Fraction(1)
    read = read_english(written) if written[0].isascii() and written[0].isalpha() else read_numeral(written)
    return Fraction(read.value) if read else Fraction(0)


def _part(found: re.Match[str], share: Fraction, unit: str) -> Part:
    scale = dimension(unit)
    amount = share * Fraction(scale.factor)
    return Part(*found.span(), scale.name, Decimal(amount.numerator) / amount.denominator, scale.factor)
