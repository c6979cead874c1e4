"""A small set that stands for a large one: drawn by strata, with a seed, the same on every machine.

Order comes from SHA-256 of seed and case, never from a generator of random numbers, so that any version of any
interpreter draws the same cases.
"""

from collections.abc import Iterable, Sequence
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

import msgspec

from ragstone.core.types import Case
from ragstone.datasets.faults import BOM
from ragstone.datasets.formats import form_of
from ragstone.datasets.rows import Row, read_rows
from ragstone.datasets.syntax.arrays import items

BY = ("target_audience", "main_topic")
SEED = "ragstone"


class Stratum(NamedTuple):
    """One combination of group values: how many cases there are, how many distinct questions, how many were drawn."""

    name: tuple[str, ...]
    size: int
    distinct: int
    drawn: int


class Subset(NamedTuple):
    """The drawn cases in file order, where they come from, and a fingerprint of the draw."""

    cases: tuple[Case, ...]
    strata: tuple[Stratum, ...]
    fingerprint: str


def draw(cases: Iterable[Case], size: int, *, by: Sequence[str] = BY, seed: str = SEED) -> Subset:
    """Draw `size` cases, shared out over the strata by their size, at least one from each as long as there is room.

    A question that was drawn already comes last within its stratum: copies add nothing to what a figure rests on.
    """
    everything = list(cases)
    strata: dict[tuple[str, ...], list[int]] = {}
    for place, case in enumerate(everything):
        strata.setdefault(_stratum(case, by), []).append(place)
    names = sorted(strata)
    shares = _share([len(strata[name]) for name in names], min(size, len(everything)))
    drawn: set[int] = set()
    table = []
    for name, share in zip(names, shares, strict=True):
        places = strata[name]
        drawn.update(_order(everything, places, seed)[:share])
        table.append(Stratum(name, len(places), len({everything[at].question for at in places}), share))
    chosen = tuple(case for place, case in enumerate(everything) if place in drawn)
    return Subset(chosen, tuple(table), _fingerprint(chosen, by, seed))


def cut_out(path: Path, cases: Iterable[Case], *, lines: bool) -> bytes:
    """Return the rows of some cases of a file: as they are in the file, or as JSONL if requested."""
    form = form_of(path)
    if form.plain or (form == ("json", "") and not lines):
        return cut(path.read_bytes(), cases)
    return _as_lines(path, cases)


def cut(data: bytes, cases: Iterable[Case]) -> bytes:
    """Cut the rows of the given cases out of a dataset file (a JSON array or JSONL), byte for byte, in file order."""
    positions = [case.position for case in cases]
    if any(position.line is not None for position in positions):
        lines = data.split(b"\n")
        return b"".join(lines[position.line - 1].rstrip(b"\r") + b"\n" for position in positions if position.line)
    wanted = {position.pointer or "" for position in positions}
    rows = {item.pointer: item.raw for item in items(lambda: BytesIO(data)) if item.pointer in wanted}
    kept = b"[\n" + b",\n".join(rows[position.pointer or ""] for position in positions) + b"\n]\n"
    holder = (positions[0].pointer or "").rpartition("/")[0]
    return _held(data, holder, kept) if holder else kept


def _held(data: bytes, holder: str, rows: bytes) -> bytes:
    """Put rows back into the object that held them."""
    whole = msgspec.json.decode(data.removeprefix(BOM), type=dict[str, msgspec.Raw])
    name = holder[1:].replace("~1", "/").replace("~0", "~")
    return msgspec.json.encode(whole | {name: msgspec.Raw(rows)})


def _as_lines(path: Path, cases: Iterable[Case]) -> bytes:
    """Write the rows of the given cases as JSONL, whatever form their file has."""
    places = {(case.position.line, case.position.pointer) for case in cases}
    found = (row for row in read_rows(path) if isinstance(row, Row))
    rows = (row for row in found if (row.position.line, row.position.pointer) in places)
    return b"".join(msgspec.json.encode(row.value) + b"\n" for row in rows)


def _stratum(case: Case, by: Sequence[str]) -> tuple[str, ...]:
    return tuple("、".join(case.groups.get(name, ())) for name in by)


def _share(sizes: Sequence[int], total: int) -> list[int]:
    """Share out places by largest remainder; first one for each, the largest strata first."""
    shares = [0] * len(sizes)
    for at in sorted(range(len(sizes)), key=lambda at: (-sizes[at], at))[:total]:
        shares[at] = 1
    left, room = total - sum(shares), sum(sizes) - sum(shares)
    if not left:
        return shares
    # Whole numbers only: the quotient is the share, the remainder decides who gets what is over.
    exact = [divmod(left * (size - share), room) for size, share in zip(sizes, shares, strict=True)]
    shares = [share + whole for share, (whole, _) in zip(shares, exact, strict=True)]
    over = total - sum(shares)
    for at in sorted(range(len(sizes)), key=lambda at: (-exact[at][1], at))[:over]:
        shares[at] += 1
    return shares


def _order(cases: Sequence[Case], places: Sequence[int], seed: str) -> list[int]:
    """Order a stratum by hash, copies of a question after all first ones."""
    mixed = sorted(places, key=lambda at: (_hash(seed, cases[at].id, cases[at].question), at))
    seen: dict[str, int] = {}
    copies = {}
    for at in mixed:
        copies[at] = seen[cases[at].question] = seen.get(cases[at].question, -1) + 1
    return sorted(mixed, key=lambda at: copies[at])


def _fingerprint(cases: Sequence[Case], by: Sequence[str], seed: str) -> str:
    return _hash(seed, *by, *(part for case in cases for part in (case.id, case.question)))


def _hash(*parts: str) -> str:
    """Hash strings so that no two lists of strings look the same."""
    return sha256(msgspec.json.encode(parts)).hexdigest()
