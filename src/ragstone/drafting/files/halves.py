"""Two parts of a set that have no document in common, also where parts of them are there already."""

from collections.abc import Sequence
from pathlib import Path

from ragstone.drafting.draft import Draft
from ragstone.drafting.draw import Parts, split
from ragstone.drafting.files.earlier import proofs_in, read_drafts


def divide(paths: Sequence[Path], drafts: Sequence[Draft], seed: int, share: float) -> Parts:
    """Put drafts into the part that has their document, and divide the others; `share` is that of the first part."""
    owned = [_documents(path) for path in paths]
    first, rest = ([draft for draft in drafts if draft.documents[0] in owner] for owner in owned)
    more = split([draft for draft in drafts if draft not in first and draft not in rest], seed, share)
    return (*first, *more[0]), (*rest, *more[1])


def _documents(path: Path) -> set[str]:
    rows = read_drafts(path).rows if path.exists() else []
    return {str(proof.get("document")) for row in rows for proof in proofs_in(row)}
