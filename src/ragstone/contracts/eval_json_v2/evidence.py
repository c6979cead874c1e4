"""The given evidence against the keywords of the expected one (3.4, R4.2)."""

import re
from typing import NamedTuple

from ragstone.contracts.eval_json_v2.gold import Keywords
from ragstone.contracts.eval_json_v2.terms import FULL_HITS, FULL_LENGTH
from ragstone.text.tokens import HAN, keywords

_HAN = re.compile(f"[{HAN}]+")


class EvidenceScore(NamedTuple):
    """Keyword hits and the length of the given evidence."""

    value: float
    hits: int
    length: int


def score_evidence(wanted: Keywords, got: str) -> EvidenceScore:
    """Count the keywords that the given evidence holds, and weigh by its length as it stands."""
    # Two neighbouring Han characters are a bigram of their run wherever they stand, so that `in` is enough for them.
    hits = sum([word in got for word in wanted.han])
    if wanted.latin:
        given = frozenset(keywords(_HAN.sub(" ", got)))
        hits += sum([word in given for word in wanted.latin])
    length = len(got)
    value = min(1.0, hits / FULL_HITS) * (1.0 if length >= FULL_LENGTH else length / FULL_LENGTH)
    return EvidenceScore(value, hits, length)
