"""Finds the specifics a text states: amounts, dates, counts, numbers of phones and people, and names.

What a careful reader does not call a detail is left out: ordinals and page numbers, one or two of something,
file names, kin and role words, and whatever a clause only declares missing from the source (材料没有提到张三).
A denied detail (没有给张三转账) is stated all the same: the source must know 张三 for it to be true.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Literal

from msgspec import Struct

from ragstone.reading.citations.document_names import EXTENSIONS
from ragstone.reading.statements import Statements
from ragstone.reading.values.names import find_names
from ragstone.reading.values.serials import find_serials
from ragstone.text.dates.find import DateMention, find_dates
from ragstone.text.fold import fold, squeeze
from ragstone.text.late import late
from ragstone.text.numbers.find import Quantity, find_numbers

SpecificKind = Literal[
    "amount",
    "percent",
    "count",
    "date",
    "phone",
    "id",
    "account",
    "email",
    "url",
    "address",
    "person",
    "place",
    "organisation",
    "product",
    "claim",
]
"""What may be stated; id also holds case numbers, plates, versions and codes, product also technical names.

A claim is a whole clause; it is found only where the source is at hand.
"""


class Specific(Struct, frozen=True):
    """One detail a text states."""

    kind: SpecificKind
    start: int
    end: int
    text: str
    """The detail as written."""
    value: str
    """The detail in comparable form: 42000, 2020-08-30/2020-08-30, a folded name."""
    quantity: Quantity | None = None
    """The number, for amounts, percents and counts."""
    date: DateMention | None = None
    """The days, for dates."""


LONGEST_ANSWER = 200_000
"""The characters of a text whose specifics are looked for; what stands behind them is not read."""


def find_specifics(text: str) -> list[Specific]:
    """Find all specifics of a text, in order and without overlap."""
    text = text[:LONGEST_ANSWER]
    found = find_written(text)
    said = Statements(_without_files(text)) if found else None
    return [one for one in found if said and not said.at(one.start).has("silent")]


def find_written(text: str) -> list[Specific]:
    """Find all specifics however long the text is, also those a clause only declares missing from the source."""
    shown = _without_files(text)
    layers = (_serials(shown), _dates(shown), _names(shown), _quantities(shown))
    return _apart([specific for layer in layers for specific in layer])


def _without_files(text: str) -> str:
    return _FILE.sub(lambda found: " " * len(found[0]), text)


_FILE = late(rf"(?<![A-Za-z0-9_\-./\\%])[A-Za-z0-9_\-./\\%]{{1,200}}\.(?:{EXTENSIONS})(?![A-Za-z0-9_])", re.IGNORECASE)


def _apart(specifics: Sequence[Specific]) -> list[Specific]:
    """Keep the first of specifics that overlap; the longest, and the one of the more certain reader, comes first."""
    taken: list[Specific] = []
    for specific in sorted(specifics, key=lambda one: (one.start, -one.end)):
        if not taken or specific.start >= taken[-1].end:
            taken.append(specific)
    return taken


def _serials(text: str) -> Iterator[Specific]:
    for serial in find_serials(text):
        written = text[serial.start : serial.end]
        yield Specific(serial.kind, serial.start, serial.end, written, compact(written))


_JOINERS = late(r"[\s\-()·._/]")


def compact(text: str) -> str:
    """Write serial numbers without the signs that only group their digits."""
    return _JOINERS.sub("", fold(text))


def _dates(text: str) -> Iterator[Specific]:
    for mention in find_dates(text):
        if mention.first is not None or mention.month is not None:
            value = f"{mention.first}/{mention.last}" if mention.first else f"{mention.month}-{mention.day}"
            yield Specific("date", mention.start, mention.end, mention.text, value, date=mention)


def _names(text: str) -> Iterator[Specific]:
    for name in find_names(text):
        written = text[name.start : name.end]
        yield Specific(name.kind, name.start, name.end, written, squeeze(written))


_COUNTED: dict[str, SpecificKind] = {
    "amount": "amount",
    "percent": "percent",
    "fraction": "percent",
    "count": "count",
    "plain": "count",
}
_LABEL_BEFORE = late(
    r"(?:page|pages|pp?\.|section|chapter|table|figure|fig\.|no\.|step|item|第|图|表|附件|步骤|编号|[\[【(（])\s?$",
    re.IGNORECASE,
)
_RATE = late("一(?:年|个月|周)的?(?:收入|工资|薪|租金|合计|总|共|费)")
"""一年收入 tells for which time, not how long."""
_FEW = frozenset("个种项类款样点条处家所件人名位口员次回方面份部篇句段天日边双对者")


def _quantities(text: str) -> Iterator[Specific]:
    for quantity in find_numbers(text):
        kind = _COUNTED.get(quantity.kind)
        if kind is not None and not (kind == "count" and _is_slight(quantity, text)):
            yield Specific(
                kind, quantity.start, quantity.end, quantity.text, f"{quantity.value.normalize():f}", quantity=quantity
            )


def _is_slight(quantity: Quantity, text: str) -> bool:
    """Tell the numbers that carry no detail: one person, two sides, step 3, page 3."""
    if not quantity.unit and _LABEL_BEFORE.search(text[max(0, quantity.start - 9) : quantity.start]):
        return True
    if _RATE.match(fold(text[quantity.start : quantity.end + 4])):
        return True
    written = not any(map(str.isdigit, quantity.text))
    if quantity.value <= 2 and quantity.high is None and written:
        return not quantity.unit or quantity.unit[-1:] in _FEW
    return quantity.value == 1 and quantity.unit[-1:] in _FEW
