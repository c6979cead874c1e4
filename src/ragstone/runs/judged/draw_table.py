"""The table of drawn cases that people fill in: with what they need to see, and without what they have labelled."""

import csv
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from ragstone.core.errors import SettingError
from ragstone.core.language import Lang
from ragstone.core.messages import message
from ragstone.core.types import JSON
from ragstone.judging.decisions import Decisions
from ragstone.judging.estimates.draw_tokens import is_draw
from ragstone.judging.label_file import COLUMNS, cell_of, read_labels
from ragstone.judging.label_file import FILE as LABELS
from ragstone.judging.labels import Key, Label, Labels
from ragstone.runs.judged.draws import draw_rows
from ragstone.runs.judged.questions import asked_of
from ragstone.runs.reopen import Answers, plan_of
from ragstone.runs.store.codec import is_plain
from ragstone.runs.store.folder import RunFolder

ASKED = "asked"
"""Column of what the row asks, and what each verdict means then."""
SOURCE = "source"
"""Column of what a sentence must be supported by."""
_LAST = ("verdict", "reviewer", "probability", "drawn")
_TRIES = 1000
_OWN = frozenset({"case", "kind", "question", "point", "answer_text", "answer", "probability", "drawn", SOURCE, ASKED})
"""Columns that are filled in before people are asked."""


def table_rows(
    folder: RunFolder, count: int, beside: RunFolder | None, labels: Sequence[Label], lang: Lang = "en"
) -> tuple[list[dict[str, JSON]], int]:
    """Draw cases as `draw_rows` does; return the rows nobody has labelled in such a draw, and how many somebody has.

    What was labelled elsewhere stands at the end with its verdict: a draw that left it out would be a picked one.
    """
    drawn = draw_rows(folder, count, beside)
    known = Labels(label for label in [*labels, *_kept(folder), *(_kept(beside) if beside else ())] if _decides(label))
    of_draw = [row for row in drawn if not (known.by(_key(row)) and _is_of(known.chances(_key(row)), row))]
    blank = [row for row in of_draw if not known.by(_key(row))]
    rows = [*blank, *(row | _said(known.of(_key(row))[0]) for row in of_draw if known.by(_key(row)))]
    if any(row["kind"] == "supported" for row in rows):
        found = dict(_seen(folder)) | dict(_seen(beside) if beside else ())
        rows = [row | found.get(_key(row), {}) for row in rows]
        rows = [{SOURCE: "", **row} for row in rows]
    rows = [_explained(row, lang) for row in rows]
    return rows, len(drawn) - len(blank)


def _is_of(chances: Mapping[str, float], row: Mapping[str, JSON]) -> bool:
    """Say whether something was drawn in such a draw before."""
    return {token.partition(":")[0] for token in row["drawn"].split() if not is_draw(token)} <= chances.keys()


def _said(label: Label) -> dict[str, JSON]:
    """Return what somebody said already, as a table holds it."""
    cells = {name: cell_of(label, name) for name in COLUMNS if name not in _OWN}
    return {name: cell for name, cell in cells.items() if cell}


def _explained(row: Mapping[str, JSON], lang: Lang) -> dict[str, JSON]:
    """Add what is asked, before what a reviewer fills in."""
    first = {name: value for name, value in row.items() if name not in _LAST}
    asked = message(f"labels.asked.{row['kind']}").say(lang, {})
    return {**first, ASKED: asked, **{name: row[name] for name in _LAST}}


def _decides(label: Label) -> bool:
    """Say whether somebody looked at it: a blank row that was taken in is to be labelled still."""
    return label.verdict != "withdrawn" and (label.verdict != "unsure" or bool(label.reviewer))


def _kept(folder: RunFolder) -> list[Label]:
    """Return the labels a run has, and those that lie beside it."""
    places = (folder.path / LABELS, folder.path.parent / LABELS)
    return [label for place in places if is_plain(place) for label in read_labels(place)]


def _key(row: Mapping[str, JSON]) -> Key:
    return Key(row["kind"], row["case"], row["point"], row["answer"])


def _seen(folder: RunFolder) -> Iterator[tuple[Key, dict[str, JSON]]]:
    """Yield what one must see besides a sentence to say whether it is supported: the question, and the source."""
    plan = plan_of(folder)
    with Answers(folder) as answers:
        for case, question, _ in asked_of(plan, answers):
            if question.kind == "supported":
                yield Decisions.label_key(case, question), {"question": case.question, SOURCE: question.source}


def free_name(path: Path) -> Path:
    """Return a path under which nothing is lost: the one that is named, or the next free one with a number."""
    if not path.exists() or is_blank(path):
        return path
    names = (path.with_stem(f"{path.stem}-{number}") for number in range(2, _TRIES))
    found = next((name for name in names if not name.exists()), None)
    if found is None:
        raise SettingError("import.taken", file=str(path))
    return found


def is_blank(path: Path) -> bool:
    """Return whether a file is a table of ours that nobody has begun to fill in."""
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            table = csv.DictReader(file)
            ours = {"case", "point", "verdict", "reviewer", "probability"} <= set(table.fieldnames or ())
            return ours and not any(_filled(row) for row in table)
    except (OSError, UnicodeDecodeError, csv.Error):
        return False


def _filled(row: Mapping[str | None, object]) -> bool:
    return any(value for name, value in row.items() if name not in _OWN)


def labels_in(path: Path) -> list[Label]:
    """Return the labels of a table somebody filled in; none of a file that is no such table."""
    try:
        return [label for label in read_labels(path) if _decides(label)] if path.is_file() else []
    except SettingError:
        return []
