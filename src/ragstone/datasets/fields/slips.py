"""Finds unknown names in a user's file, and the known name each was probably meant for."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from ragstone.core.types import JSON, Finding, Position
from ragstone.text.nearest import nearest


class Slip(NamedTuple):
    """A name or a word that no rule knows, and the one it may have been meant for."""

    pointer: str
    written: str
    near: str

    def at(self, position: Position, case_id: str | None) -> Finding:
        """Return it as a warning."""
        params = {"written": self.written, "near": self.near}
        return Finding(level="warning", code="row.slip", position=position, case_id=case_id, params=params)


def slips(value: Mapping[str, JSON], known: Sequence[str], pointer: str = "") -> Iterator[Slip]:
    """Find the keys of an object that are nearly known ones which it lacks."""
    for key in value:
        if key not in known and (near := meant(key, tuple(one for one in known if one not in value))):
            yield Slip(f"{pointer}/{key}", key, near)


def meant(written: str, known: tuple[str, ...]) -> str:
    """Return the field that a key was meant for: the nearest one, or the only one it is a word of.

    >>> meant("penalty", ("type", "hallucination_penalty"))
    'hallucination_penalty'
    """
    whole = [name for name in known if written in name.split("_")]
    return nearest(written, known) or (whole[0] if len(whole) == 1 else "")
