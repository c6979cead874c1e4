"""Can the sources an answer names be found in what was retrieved (3.5)?"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ragstone.contracts.eval_json_v2.terms import MAX_ANCHORS, MAX_ENTRIES, MAX_REFS
from ragstone.core.types import JSON, Context


class GroundingScore(NamedTuple):
    """References that hold, of those that were looked at."""

    value: float
    ok: int
    total: int
    faults: list[dict[str, JSON]]
    """Each reference that does not hold: where it stands, and why."""


def score_grounding(source_map: Sequence[JSON], contexts: Sequence[Context]) -> GroundingScore:
    """Count the references whose file was retrieved and of whose anchors one stands in the retrieved text."""
    files = {context.source_path for context in contexts if context.source_path}
    # A line break between the pieces keeps an anchor from being found across two of them.
    text = "\n".join([context.text for context in contexts])
    total, faults = 0, []
    for entry, place, ref in _refs(source_map):
        total += 1
        if fault := _fault(ref, files, text):
            file = ref.get("file") if isinstance(ref, dict) else None
            faults.append({"entry": entry, "ref": place, "file": file, "fault": fault})
    ok = total - len(faults)
    return GroundingScore(ok / total if total else 0.0, ok, total, faults)


def _refs(source_map: Sequence[JSON]) -> Iterator[tuple[int, int, JSON]]:
    """Walk over the references that count; an entry without a list of references has none."""
    for number, entry in enumerate(source_map[:MAX_ENTRIES]):
        refs = entry.get("refs") if isinstance(entry, dict) else None
        if isinstance(refs, list):
            for place, ref in enumerate(refs[:MAX_REFS]):
                yield number, place, ref


def _fault(ref: JSON, files: set[str], text: str) -> str | None:
    """Say what is wrong with a reference, as a code, or None."""
    if not isinstance(ref, dict):
        return "not_an_object"
    file, anchors = ref.get("file"), ref.get("anchors")
    if not isinstance(file, str) or file not in files:
        return "file_not_retrieved"
    if not isinstance(anchors, list) or not anchors:
        return "no_anchors"
    for anchor in anchors[:MAX_ANCHORS]:
        # Blank anchors would stand in any text.
        if isinstance(anchor, str) and anchor.strip() and anchor in text:
            return None
    return "anchor_not_found"
