"""Two parts of a set that have no document in common, also where parts of them are there already."""

from collections.abc import Sequence
from pathlib import Path

from ragstone.drafting.draft import Draft
from ragstone.drafting.draw import Parts, split
from ragstone.drafting.files.earlier import proofs_in, read_drafts


def divide(paths: Sequence[Path], drafts: Sequence[Draft], seed: int, share: float) -> Parts:
    """Put drafts into the part that has their documents, and divide the others; `share` is that of the first part.

    What is about documents of both parts is left out.
    """
    owned = [_documents(path) for path in paths]
    if not any(owned):
        return split(drafts, seed, share)
    taken: tuple[list[Draft], list[Draft]] = ([], [])
    left = list(drafts)
    while joining := [one for one in left if any(owner & set(one.documents) for owner in owned)]:
        for one in joining:
            sides = [side for side, owner in enumerate(owned) if owner & set(one.documents)]
            if len(sides) == 1:
                taken[sides[0]].append(one)
                owned[sides[0]] |= set(one.documents)
        left = [one for one in left if one not in joining]
    first, rest = split(left, seed, share) if left else ((), ())
    return (*taken[0], *first), (*taken[1], *rest)


def _documents(path: Path) -> set[str]:
    rows = read_drafts(path).rows if path.exists() else []
    return {str(proof.get("document")) for row in rows for proof in proofs_in(row)}
