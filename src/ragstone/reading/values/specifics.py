"""Finds the specifics a text states: amounts, dates, counts, numbers of phones and people, and names.

What a careful reader does not call a detail is left out: ordinals and page numbers, one or two of something,
file names, kin and role words, and whatever a clause only declares missing from the source (材料没有提到张三).
A denied detail (没有给张三转账) is stated all the same: the source must know 张三 for it to be true.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from ragstone.reading.citations.document_names import EXTENSIONS
from ragstone.reading.statements import Statements
from ragstone.reading.values.names import find_names
from ragstone.reading.values.serials import find_serials
from ragstone.text.dates.find import DateMention, find_dates
from ragstone.text.fold import fold, squeeze
from ragstone.text.late import late
from ragstone.text.numbers.find import Quantity, find_numbers
from ragstone.text.numbers.units import MEASURE_AFTER

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
]
"""What may be stated; id also holds case numbers, plates, versions and codes, product also technical names."""


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
    kept = find_written(text)
    silences = _silences(Statements(_without_files(text))) if kept else []
    return _stated(kept, silences) if silences else kept


def find_written(text: str) -> list[Specific]:
    """Find all specifics however long the text is, also those a clause only declares missing from the source."""
    shown = _without_files(text)
    layers = (_serials(shown), _dates(shown), _names(shown), _quantities(shown))
    return _apart([specific for layer in layers for specific in layer])


def _without_files(text: str) -> str:
    return _FILE.sub(lambda found: " " * len(found[0]), text)


_FILE = late(rf"(?<![A-Za-z0-9_\-./\\%])[A-Za-z0-9_\-./\\%]{{1,200}}\.(?:{EXTENSIONS})(?![A-Za-z0-9_])", re.IGNORECASE)


def _silences(said: Statements) -> list[tuple[int, int]]:
    """Find the clauses that only declare something missing from the source."""
    return [(one.start, one.end) for one in said.clauses if one.has("silent")]


def _stated(specifics: list[Specific], silences: Sequence[tuple[int, int]]) -> list[Specific]:
    starts = [start for start, _ in silences]
    return [one for one in specifics if not _is_inside(one, silences, bisect_right(starts, one.start))]


def _is_inside(specific: Specific, silences: Sequence[tuple[int, int]], upto: int) -> bool:
    return any(specific.end <= end for _, end in silences[max(0, upto - 3) : upto])


def _apart(specifics: Sequence[Specific]) -> list[Specific]:
    """Keep, of specifics that overlap, the one found by the more certain reader."""
    taken: list[Specific] = []
    rank = {id(specific): at for at, specific in enumerate(specifics)}
    for specific in sorted(specifics, key=lambda one: (one.start, -one.end)):
        if taken and specific.start < taken[-1].end:
            if rank[id(specific)] < rank[id(taken[-1])]:
                taken[-1] = specific
        else:
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
    for found in find_numbers(text):
        quantity = measured(text, found)
        kind = _COUNTED.get(quantity.kind)
        if kind is not None and not (kind == "count" and _is_slight(quantity, text)):
            yield Specific(
                kind, quantity.start, quantity.end, quantity.text, f"{quantity.value.normalize():f}", quantity=quantity
            )


_UNIT_AFTER = late(r" ?(?:(?P<day>日)(?=[内后前以之]|$|[^\u4e00-\u9fff])|(?P<unit>" + MEASURE_AFTER.pattern + "))")


def measured(text: str, quantity: Quantity) -> Quantity:
    """Give a bare number the unit that stands behind a space, or the 日 of a period (15日内)."""
    if quantity.kind != "plain" or quantity.unit:
        return quantity
    found = _UNIT_AFTER.match(fold(text[quantity.end : quantity.end + 12]))
    if found is None:
        return quantity
    end = quantity.end + found.end()
    unit = "天" if found["day"] else found["unit"].strip()
    return replace(quantity, kind="count", unit=unit, end=end, text=text[quantity.start : end])


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
