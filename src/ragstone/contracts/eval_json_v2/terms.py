"""The weights, thresholds and limits of the contract's document, as data; none can be set from outside (R4.4)."""

from ragstone.core.types import JSON
from ragstone.text.similar import V2_THRESHOLD

SCORER_VERSION = "1.1.0"
"""Changes whenever any score could change."""

LABELS = ("target_audience", "main_topic", "sub_topic")
LISTS = ("detailed_description", "predicted_questions")
FIELDS = (*LABELS, "detailed_description", "original_evidence", "source_map", "predicted_questions")
"""The seven fields of an answer, in the order of the document."""

POINTS = {
    "target_audience": 10,
    "main_topic": 10,
    "sub_topic": 10,
    "detailed_description_f1": 30,
    "original_evidence": 20,
    "predicted_questions_f1": 10,
    "grounding": 10,
}
"""The weights in hundredths. They sum to 100, and whole numbers make a lost field cost exactly its weight."""

ASKED = {"detailed_description": 8, "predicted_questions": 5}
"""How many items the prompt asks for at most; more are tolerated and tagged."""
COMPARED = {"detailed_description": 12, "predicted_questions": 10}
"""How many given items take part in the comparison."""

KEYWORDS = 30
FULL_HITS = 8
FULL_LENGTH = 40

MAX_ENTRIES = 12
MAX_REFS = 6
MAX_ANCHORS = 6

PASS_SCORE = 95.0
"""The bar of the gate, applied to one case."""
GATE = {"eval_score_avg": 95.0, "schema_pass_rate": 0.98}


def terms() -> dict[str, JSON]:
    """Everything a score depends on, ready to be written into a run's metadata."""
    return {
        "weights": {name: points / 100 for name, points in POINTS.items()},
        "bigram_jaccard_min": V2_THRESHOLD,
        "items_asked": dict(ASKED),
        "items_compared": dict(COMPARED),
        "evidence_limits": {"keywords": KEYWORDS, "full_hits": FULL_HITS, "full_length": FULL_LENGTH},
        "grounding_limits": {"entries": MAX_ENTRIES, "refs": MAX_REFS, "anchors": MAX_ANCHORS},
        "pass_score": PASS_SCORE,
        "gate_thresholds": dict(GATE),
    }
