"""What in a clause declines: whose knowledge, cannot or does not, tell or help, and the asked thing, put together.

Each is a category of cues. An excuse is `own` where the one who answers says it of itself: then nobody asks whose
knowledge it is.
"""

from collections.abc import Sequence
from typing import NamedTuple

from ragstone.reading.cuebook import Hit
from ragstone.reading.scopes import Clause
from ragstone.text.late import late

DENYING = frozenset(
    (
        *("negation", "denial", "complement", "negation_behind", "undone", "cannot", "refusing"),
        *("silent", "unsaid", "sought", "unable", "unknown"),
    )
)
"""Cues that say no."""
_SILENT = frozenset(("silent", "unsaid", "sought", "unable", "unknown"))
_SURE = frozenset(("unsaid", "unable", "unknown"))
_BEFORE = frozenset(("negation", "denial", "cannot"))
_BEHIND = frozenset(("negation_behind", "undone", "cannot", "complement"))
_TOLD = frozenset(("telling", "information"))
_SOURCES = frozenset(("narrator", "telling", "information"))
_SERVED = frozenset(("telling", "helping", "information", "scope"))
_DESCRIBED = late(r"[^ ]*(?:的|の)[\u3400-\u9fff\u30a0-\u30ff](?<!是)")
_NEAR_LATIN, _NEAR_HAN, _NEAR_BACK, _BESIDE = 24, 12, 10, 3
"""Characters between a denial and what is not told."""


class Excuse(NamedTuple):
    """The words of a clause that decline."""

    start: int
    end: int
    own: bool = False
    loose: bool = False
    """Whether it may also be a plain no: there is none."""
    composed: bool = False
    """Whether it is put together from a denial and a verb."""
    sought: bool = False
    """Whether it tells of a search in vain, which is the answerer's."""
    mind: bool = False
    """Whether it is a somebody who does not know or find."""
    soft: bool = False
    """Whether it only doubts what it goes on to say."""


def find_excuse(one: Clause, speaks: frozenset[str], text: str, *, favour: bool) -> Excuse | None:
    """The words of a clause that decline; `speaks` has the cues for the one who answers that are still in force."""
    hits = [hit for hit in one.hits if text[hit.start] != " " and not _describes(hit, text)]
    if found := _of_kind(hits, "refusal"):
        return Excuse(found.start, found.end, own=True)
    if found := _of_kind(hits, "unsure"):
        return Excuse(found.start, found.end, own=True, soft=True)
    denials = [hit for hit in hits if hit.kinds & DENYING]
    if denials and (own := _own(hits, denials, speaks)):
        return own
    if found := _of_kind(hits, "withheld"):
        return Excuse(found.start, found.end)
    if found := next((hit for hit in denials if hit.kinds & _SILENT), None):
        return _silent(found, text)
    if told := _composed(hits, text, _TOLD):
        return told
    served = _composed(hits, text, _SERVED) if favour else None
    return served._replace(own=True) if served else None


def _describes(hit: Hit, text: str) -> bool:
    """Whether "unknown" describes a thing that is told of: 未知的鱼."""
    return "unknown" in hit.kinds and _DESCRIBED.match(text, hit.start, hit.end + 4) is not None


def _silent(hit: Hit, text: str) -> Excuse:
    loose, mind = hit.kinds.isdisjoint(_SURE), bool(hit.kinds & {"unable", "sought"})
    sought = "sought" in hit.kinds and not text[hit.end - 1].isascii()
    return Excuse(hit.start, hit.end, loose=loose, mind=mind, sought=sought)


def _of_kind(hits: Sequence[Hit], kind: str) -> Hit | None:
    return next((hit for hit in hits if kind in hit.kinds), None)


def _own(hits: list[Hit], denials: list[Hit], speaks: frozenset[str]) -> Excuse | None:
    """A denial of the one who answers: an AI's of anything, anybody's of what is told, served or can be."""
    if _of_kind(hits, "scope"):
        return Excuse(denials[0].start, denials[0].end, own=True)
    able = any(hit.kinds & {"cannot", "unable"} for hit in denials) or any(hit.kinds & _SERVED for hit in hits)
    if "machine" in speaks or ("self" in speaks and able):
        return Excuse(denials[0].start, denials[0].end, own=True)
    return None


def _composed(hits: Sequence[Hit], text: str, told: frozenset[str]) -> Excuse | None:
    """A denial with a verb of telling or a word for information near it, before or behind it."""
    for number, hit in enumerate(hits):
        if hit.kinds & _BEFORE:
            near = _NEAR_LATIN if text[hit.end - 1].isascii() else _NEAR_HAN
            for other in hits[number + 1 :]:
                gap = other.start - hit.end
                if 0 <= gap <= (near if other.kinds & told else _BESIDE if "narrator" in other.kinds else -1):
                    return Excuse(hit.start, other.end, loose=True, composed=True)
        if hit.kinds & _BEHIND:
            for other in hits[:number]:
                if other.kinds & told:
                    return Excuse(other.start, hit.end, loose=True, composed=True)
    return None


def find_lack(one: Clause, text: str) -> Excuse | None:
    """A plain denial in a clause: where a source has none of what was asked, it declines."""
    found = next((hit for hit in one.hits if hit.kinds & DENYING and text[hit.start] != " "), None)
    return Excuse(found.start, found.end, loose=True) if found else None


def find_hints(one: Clause, speaks: frozenset[str]) -> set[str]:
    """What only hints at a refusal: a source that tells only other things, another counter, somebody else to ask."""
    kinds = {kind for hit in one.hits for kind in hit.kinds}
    found = kinds & {"refer", "later", "needs"}
    if "only" in kinds and kinds & _SOURCES:
        found.add("limits")
    if "only" in kinds and speaks and kinds & {"helping", "telling", "desk", "refer", "scope"}:
        found |= {"limits", "desk"}
    return found
