"""The perfect answer scores 1.0 on every valid question."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragstone.core.types import JSON, Answer, Case
from tests.contracts.legal_rag.samples import BARE, FULL, bundled, case_of
from tests.needs import many

WORDS = st.text(min_size=1, max_size=30).filter(lambda text: text.strip() != "")
PAGES = st.integers(0, 50)
SHARES = st.floats(0, 1, allow_nan=False)
DAYS = st.dates().map(lambda day: day.isoformat())
AMOUNTS = st.integers(-(10**12), 10**12) | st.floats(-1e9, 1e9, allow_nan=False)
EVIDENCE = st.lists(
    st.fixed_dictionaries({"page": PAGES, "must_include": WORDS}, optional={"is_critical": st.booleans()}), max_size=4
)
HEAD: dict[str, st.SearchStrategy[JSON]] = {"id": st.just("x"), "question": WORDS}
RANGES = st.tuples(DAYS, DAYS).map(lambda pair: {"start": min(pair), "end": max(pair)})
FACTS = st.fixed_dictionaries(
    {
        **HEAD,
        "type": st.just("fact_exact"),
        "expected": st.fixed_dictionaries(
            {},
            optional={
                "amount_total": AMOUNTS,
                "amount_breakdown": st.lists(
                    AMOUNTS | st.builds(lambda a: {"amount": a}, AMOUNTS), min_size=1, max_size=4
                ),
                "date": DAYS,
                "date_range": RANGES,
                "count": st.integers(-5, 10**6),
                "text_answer": WORDS,
                "boolean_answer": st.booleans(),
                "entity": WORDS,
            },
        ).filter(bool),
    },
    optional={
        "required_evidence": EVIDENCE,
        "scoring": st.fixed_dictionaries(
            {}, optional={name: st.booleans() for name in ("numeric_exact", "date_exact", "citation_required")}
        ),
    },
)
SETS = st.fixed_dictionaries(
    {
        **HEAD,
        "type": st.just("evidence_set"),
        "expected": st.fixed_dictionaries({"key_points": st.lists(WORDS, max_size=3)}),
        "required_evidence": EVIDENCE,
    },
    optional={
        "scoring": st.fixed_dictionaries(
            {},
            optional={
                "evidence_recall_min": SHARES,
                "evidence_precision_min": SHARES,
                "citation_required": st.booleans(),
            },
        )
    },
).filter(lambda question: question["required_evidence"] or question["expected"]["key_points"])
GAPS = st.fixed_dictionaries(
    {**HEAD, "type": st.just("conflict_gap"), "should_abstain": st.booleans()},
    optional={
        "required_quote": WORDS,
        "additional_quotes": st.lists(WORDS, max_size=2),
        "hallucination_penalty": WORDS,
        "scoring": st.fixed_dictionaries({}, optional={"quote_required": st.booleans(), "hallucination_check": WORDS}),
    },
)


def _score(case: Case, answer: Answer) -> float:
    return BARE.score(case, BARE.read(case, answer)).primary_score


@settings(max_examples=many(300), deadline=None)
@given(FACTS | SETS | GAPS, st.sampled_from(["笔录.md", None]))
def test_a_perfect_answer_scores_one_and_silence_nothing(question: dict[str, JSON], document: str | None) -> None:
    """On every valid question of every type, whatever its words."""
    case = case_of(question, document=document) if document else case_of(question, document="")

    assert _score(case, BARE.model_answer(case)) == 1.0
    assert _score(case, Answer()) == 0.0


@settings(max_examples=many(150), deadline=None)
@given(FACTS | SETS | GAPS, st.text(max_size=120))
def test_no_score_leaves_its_range(question: dict[str, JSON], text: str) -> None:
    """Whatever is answered to whatever is asked."""
    assert 0.0 <= _score(case_of(question), Answer(text=text)) <= 1.0


@pytest.mark.parametrize("case", bundled().values(), ids=bundled().keys())
def test_a_perfect_answer_to_every_bundled_question(case: Case) -> None:
    """With the document at hand: 1.0, a pass and no tag."""
    card = FULL.score(case, FULL.read(case, FULL.model_answer(case)))

    assert (card.primary_score, card.passed, card.error_tags) == (1.0, True, ())
