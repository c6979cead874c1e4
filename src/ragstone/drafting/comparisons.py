"""Questions that need two places, made of two that ask for sums of one column: which of two rows costs more."""

import re
from collections.abc import Iterable, Iterator
from decimal import Decimal
from itertools import pairwise
from typing import NamedTuple

from ragstone.drafting.draft import Draft, Point
from ragstone.drafting.find import Found
from ragstone.reading.values.values import values
from ragstone.text.late import late
from ragstone.text.traditional import traditional


class _Cell(NamedTuple):
    """What a table's cell measures, the row it is of, and its question."""

    value: object
    row: str
    draft: Draft

    @property
    def told(self) -> str:
        """What the cell says."""
        return self.draft.points[0].text


_UNIT = late(r"[0-9.,]+|\s")
_SUM_ASKED = late("的?(?P<column>[^，的\n]{2,14})是(?:每[^，]{1,4})?多少[^，]{0,3}？$")
_ENGLISH_SUM = late(r"[Ww]hat is the (?P<column>[^,]{3,30}) for (?P<rows>the [a-z ]+)?[“\"]")


def compared(found: Iterable[Found]) -> Iterator[Draft]:
    """Ask which of two rows of a table costs more."""
    columns: dict[tuple[str, str, str], list[_Cell]] = {}
    for one in found:
        draft, told = one.draft, values(one.draft.points[0].text)
        sums = [value.low for value in told if value.measure in ("money", "bare")]
        if draft.kind == "table" and len(told) == len(sums) == 1 and draft.question.count(one.subject) == 1:
            key = (draft.documents[0], draft.section, draft.question.replace(one.subject, "\n"))
            columns.setdefault(key, []).append(_Cell(sums[0], one.subject, draft))
    for (*_, asked), cells in sorted(columns.items(), key=lambda column: column[0]):
        cells.sort(key=lambda cell: cell.row)
        for this, that in pairwise(cells):
            if (
                this.value != that.value
                and _UNIT.sub("", this.told) == _UNIT.sub("", that.told)
                and (question := _which(asked, this, that))
            ):
                yield _dearer(this, that, question)


def _which(asked: str, one: _Cell, two: _Cell) -> str:
    """Word which of two rows has the higher sum; nothing where the column is none of sums."""
    if one.draft.writing == "en":
        found = _ENGLISH_SUM.search(asked)
        if not found or not re.search("price|fee|fare|cost|charge|rent", found["column"], re.IGNORECASE):
            return ""
        rows = (found["rows"] or "").removeprefix("the ").strip()
        which = f"Which {rows}".strip() if asked.startswith("What") else f"which {rows}".strip()
        return f"{asked[: found.start()]}{which} has the higher {found['column']}, “{one.row}” or “{two.row}”?"
    found = _SUM_ASKED.search(asked)
    if not found or not re.search("[价費费]|金额|金額|标准|標準", found["column"]):
        return ""
    column = found["column"]
    said = asked.replace("\n", f"{one.row}{_said('和', one)}{two.row}")
    return f"{said[: _SUM_ASKED.search(said).start('column')]}{column}{_said('哪个更高', one)}？"  # type: ignore[union-attr]


def _said(words: str, cell: _Cell) -> str:
    return traditional(words) if cell.draft.writing == "zh-Hant" else words


def _dearer(one: _Cell, two: _Cell, question: str) -> Draft:
    high, low = sorted((one, two), key=lambda cell: -Decimal(str(cell.value)))
    points = (Point(high.row, high.draft.points[0].place), low.draft.points[0])
    return Draft(
        question=question,
        points=points,
        kind="comparison",
        difficulty="hard",
        writing=one.draft.writing,
        topic=one.draft.topic,
        section=one.draft.section,
        expected={"entity": high.row},
        compared=(high.draft.points[0], low.draft.points[0]),
    )
