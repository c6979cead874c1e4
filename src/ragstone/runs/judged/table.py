"""The table of drawn cases that people fill in: with what they need to see, and without what they have labelled."""

import csv
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from ragstone.core.errors import SettingError
from ragstone.core.types import JSON
from ragstone.judging.decisions import Decisions
from ragstone.judging.label_file import FILE as LABELS
from ragstone.judging.label_file import read_labels
from ragstone.judging.people import Key, Label, key_of
from ragstone.runs.judged.decide import asked_of
from ragstone.runs.judged.examined import draw_rows
from ragstone.runs.reopen import Answers, plan_of
from ragstone.runs.store.codec import is_plain
from ragstone.runs.store.folder import RunFolder

SOURCE = "source"
"""Column of what a sentence must be supported by."""
_TRIES = 1000


def table_rows(
    folder: RunFolder, count: int, beside: RunFolder | None, labels: Sequence[Label]
) -> tuple[list[dict[str, JSON]], int]:
    """Draw cases as `draw_rows` does; return the rows nobody has labelled yet, and how many somebody has."""
    drawn = draw_rows(folder, count, beside)
    known = {
        key_of(label) for label in [*labels, *_kept(folder), *(_kept(beside) if beside else ())] if _decides(label)
    }
    rows = [row for row in drawn if _key(row) not in known]
    if any(row["kind"] == "supported" for row in rows):
        found = dict(_seen(folder)) | dict(_seen(beside) if beside else ())
        rows = [row | found.get(_key(row), {}) for row in rows]
        rows = [{SOURCE: "", **row} for row in rows]
    return rows, len(drawn) - len(rows)


def _decides(label: Label) -> bool:
    return label.verdict != "withdrawn"


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
    own = {"case", "kind", "question", "point", "answer_text", "answer", "probability", SOURCE}
    return any(value for name, value in row.items() if name not in own)


def labels_in(path: Path) -> list[Label]:
    """Return the labels of a table somebody filled in; none of a file that is no such table."""
    try:
        return (
            [label for label in read_labels(path) if label.verdict != "unsure" or label.reviewer]
            if path.is_file()
            else []
        )
    except SettingError:
        return []
