"""Recall and precision of the evidence an answer brings forward, and the key points it states (R1.6)."""

from collections.abc import Sequence, Set
from functools import lru_cache
from typing import NamedTuple

from ragstone.contracts.legal_rag.cases import Evidence, EvidenceSet, Gold
from ragstone.contracts.legal_rag.sources.quotes import holds, quote_key, quote_pieces
from ragstone.core.types import JSON, Reading
from ragstone.reading.lexicon import DEFAULT, Lexicon
from ragstone.reading.points.forms import Point
from ragstone.reading.points.states import states
from ragstone.reading.statements import Statements
from ragstone.reading.verdicts import Verdict


class Gathered(NamedTuple):
    """What the pieces of an answer are worth."""

    hit: tuple[bool, ...]
    """For each required evidence, whether a piece holds it; ten copies hit once."""
    relevant: tuple[bool, ...]
    """For each piece, whether it holds required evidence or states a key point."""
    misplaced: tuple[Evidence, ...]
    """Required evidence that a piece holds, but under another page."""
    points: tuple[Verdict, ...]
    """For each key point, whether the answer states it."""

    @property
    def stated(self) -> list[bool]:
        """For each key point, whether it is proved to be stated."""
        return [one.outcome == "yes" for one in self.points]

    def recall(self, points: bool) -> float:
        """Share of the required evidence found; where none is listed, of the key points."""
        parts = self.stated if points else self.hit
        return sum(parts) / len(parts)

    def precision(self) -> float:
        """Share of the pieces that are relevant; without pieces there is nothing relevant."""
        return sum(self.relevant) / len(self.relevant) if self.relevant else 0.0


class _Ready(NamedTuple):
    text: str
    key: str
    pages: Sequence[int]


def gather(gold: Gold, part: EvidenceSet, reading: Reading, question: str, lexicon: Lexicon = DEFAULT) -> Gathered:
    """Judge the pieces of an answer."""
    given = reading.fields.get("evidence", ())
    pieces = [_Ready(item["text"], quote_key(item["text"]), item["pages"]) for item in given]
    wanted = [(evidence, quote_pieces(evidence.text)) for evidence in gold.evidence]
    found = [[piece for piece in pieces if holds(piece.key, words)] for _, words in wanted]
    hit = [any(_fits(piece, e) for piece in held) for (e, _), held in zip(wanted, found, strict=True)]
    misplaced = [e for (e, _), held, met in zip(wanted, found, hit, strict=True) if held and not met]
    texts = [reading.text, *(item["text"] for item in given if "told" not in item)]
    stated = _states(texts, part.key_points, question, lexicon)
    relevant = [
        any(holds(piece.key, words) for _, words in wanted) or _states_any(piece, part.key_points, question, lexicon)
        for piece in pieces
    ]
    return Gathered(tuple(hit), tuple(relevant), tuple(misplaced), stated)


def _fits(piece: _Ready, evidence: Evidence) -> bool:
    """Return whether a piece names no page, or the right one among its pages."""
    return not piece.pages or evidence.page in piece.pages


def _states(texts: Sequence[str], points: Sequence[str], question: str, lexicon: Lexicon) -> tuple[Verdict, ...]:
    whole = "\n".join(texts)
    if not points or not whole.strip():
        return (Verdict("no", "empty"),) * len(points)
    lines = {quote_key(line) for line in (*texts, *whole.split("\n"))}
    said = Statements(whole)
    return tuple(
        Verdict("yes", "same_words")
        if _is_whole(point, whole, lines)
        else states(_prepare(point, lexicon), said, question)
        for point in points
    )


def _is_whole(point: str, text: str, lines: Set[str]) -> bool:
    """Return whether a line (by its key) is the point and nothing else."""
    wanted = _point_key(point)
    return wanted in lines if wanted else point.strip() in text


def _states_any(piece: _Ready, points: Sequence[str], question: str, lexicon: Lexicon) -> bool:
    if any(_is_whole(point, piece.text, {piece.key}) for point in points):
        return True
    said = Statements(piece.text)
    return any(states(_prepare(point, lexicon), said, question).outcome == "yes" for point in points)


_point_key = lru_cache(maxsize=1024)(quote_key)


_prepare = lru_cache(maxsize=512)(Point)


def evidence_details(gold: Gold, part: EvidenceSet, gathered: Gathered, reading: Reading) -> dict[str, JSON]:
    """List what was found and what was not."""
    required = [
        {"page": e.page, "must_include": e.text, "found": met}
        for e, met in zip(gold.evidence, gathered.hit, strict=True)
    ]
    pieces = [
        {**item, "relevant": good}
        for item, good in zip(reading.fields.get("evidence", ()), gathered.relevant, strict=True)
    ]
    points = [_point(point, one, reading) for point, one in zip(part.key_points, gathered.points, strict=True)]
    return {"required": required, "pieces": pieces, "key_points": points}


def _point(point: str, one: Verdict, reading: Reading) -> dict[str, JSON]:
    detail: dict[str, JSON] = {"point": point, "stated": one.outcome == "yes", "verdict": one.outcome, "rule": one.rule}
    # The pieces of evidence were read behind the answer's text.
    return detail | {"span": list(one.span)} if one.span and one.span[1] <= len(reading.text) else detail
