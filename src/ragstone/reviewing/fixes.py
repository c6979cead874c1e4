"""What reviewers found wrong with the dataset and missing in the glossary, put into copies of both."""

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from ragstone.core.errors import DatasetError, SettingError
from ragstone.core.types import JSON, Finding
from ragstone.datasets.glossary import LONGEST, read_glossary
from ragstone.datasets.rows import read_rows
from ragstone.judging.labels import Label, Labels
from ragstone.text.fold import fold

_IDS = ("id", "sample_id", "question_id", "qid")
_PLACE = re.compile(r"Q([1-9][0-9]{0,8})")
"""How cases without an id of their own are named: by their place in the file."""


class GoldFix(NamedTuple):
    """A point of a case that should read otherwise."""

    case: str
    before: str
    after: str
    reviewer: str


def standing(labels: Iterable[Label]) -> list[Label]:
    """Return what stands of all labels: the settling word, or each reviewer's last."""
    found = Labels(labels)
    return [label for key in found for label in found.of(key)]


def gold_fixes(labels: Iterable[Label]) -> list[GoldFix]:
    """Return the points that reviewers rewrote; a point rewritten in two ways is left alone."""
    found: dict[tuple[str, str], dict[str, GoldFix]] = {}
    for label in standing(labels):
        if label.gold.strip() and label.point and label.gold != label.point:
            fix = GoldFix(label.case, label.point, label.gold.strip(), label.reviewer)
            found.setdefault((label.case, label.point), {})[fix.after] = fix
    return [next(iter(ways.values())) for ways in found.values() if len(ways) == 1]


def synonyms(labels: Iterable[Label], known: Sequence[Sequence[str]] = ()) -> list[tuple[str, ...]]:
    """Return the words that reviewers said mean the same, each group once, without those the glossary has."""
    groups = {frozenset(map(fold, group)) for group in known}
    found: dict[frozenset[str], tuple[str, ...]] = {}
    for label in standing(labels):
        words = tuple(dict.fromkeys(word for text in label.synonyms if (word := " ".join(text.split()))))
        folded = frozenset(map(fold, words))
        if len(folded) > 1 and all(map(_is_word, words)) and not any(folded <= group for group in groups):
            found.setdefault(folded, words)
    return list(found.values())


def _is_word(text: str) -> bool:
    """Return whether a glossary can hold a text: it has signs of its own, and reviewers may write anything."""
    return len(text) <= LONGEST and not set(text) & set("=＝#")


class Fixed(NamedTuple):
    """A dataset with its points as they should read."""

    content: bytes
    done: list[GoldFix]
    missing: list[GoldFix]
    """Fixes whose case or point is not in the dataset."""


def fix_dataset(path: Path, fixes: Sequence[GoldFix]) -> Fixed:
    """Return a copy of a dataset with fixed points; a point is found in the row of its case, word for word."""
    whole, rows = _load(path)
    done = [fix for fix in fixes if sum(_replace(row, fix) for row in _rows_of(fix.case, rows))]
    lines = (json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    text = "".join(lines) if whole is None else json.dumps(whole, ensure_ascii=False, indent=2) + "\n"
    return Fixed(text.encode("utf-8", "surrogatepass"), done, [fix for fix in fixes if fix not in done])


def _load(path: Path) -> tuple[JSON, list[dict[str, JSON]]]:
    """Read the rows of a dataset, and the object round them where there is one."""
    if path.suffix.lower() == ".json":
        try:
            whole = json.loads(path.read_bytes())
        except (OSError, ValueError, RecursionError) as error:
            raise DatasetError("dataset.unreadable", file=str(path), problem=str(error)) from error
        rows = whole.get("questions") if isinstance(whole, dict) else whole
        if isinstance(rows, list) and all(isinstance(row, dict) for row in rows):
            return whole, rows
        raise SettingError("labels.no_rows", file=str(path))
    found = list(read_rows(path))
    if faults := [one for one in found if isinstance(one, Finding)]:
        raise DatasetError("dataset.faults", faults, file=str(path))
    return None, [dict(one.value) for one in found if not isinstance(one, Finding)]


def _rows_of(case: str, rows: Sequence[dict[str, JSON]]) -> Iterator[dict[str, JSON]]:
    named = [row for row in rows if any(str(row[name]) == case for name in _IDS if name in row)]
    place = _PLACE.fullmatch(case)
    if not named and place and int(place[1]) <= len(rows):
        named = [rows[int(place[1]) - 1]]
    yield from named


def _replace(value: JSON, fix: GoldFix) -> bool:
    """Replace every value that is exactly the old text; return whether there was one."""
    places = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    done = False
    for name, item in list(places):
        if item == fix.before and name not in (*_IDS, "q", "question"):
            value[name] = fix.after
            done = True
        elif isinstance(item, dict | list):
            done = _replace(item, fix) or done
    return done


def fix_glossary(path: Path | None, groups: Sequence[Sequence[str]]) -> bytes:
    """Return a copy of a glossary, or a new one, with more words that mean the same."""
    before = path.read_bytes() if path else b""
    more = "".join(" = ".join(group) + "\n" for group in groups).encode()
    return before + (b"\n" if before and not before.endswith(b"\n") else b"") + more


def known_groups(path: Path | None) -> tuple[tuple[str, ...], ...]:
    """Return what a glossary says already."""
    return read_glossary(path).groups if path else ()
