"""Tests of the seven sub-scores and their sum."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragstone.contracts.eval_json_v2.gold import Wanted
from ragstone.contracts.eval_json_v2.read import read_answer
from ragstone.contracts.eval_json_v2.score import score_reading
from ragstone.contracts.eval_json_v2.terms import POINTS
from ragstone.core.types import Answer, Context, Scorecard
from tests.needs import many

from . import oracle
from .samples import CONTEXTS, PERFECT, TABLE, make_answer, make_gold

READABLE = [row for row in TABLE if row["score"]]


def _card(answer: Answer, **gold: Any) -> Scorecard:
    return score_reading(make_gold(**gold), read_answer(answer))


@pytest.mark.parametrize("row", TABLE, ids=[row["name"] for row in TABLE])
def test_table_worked_out_by_hand(row: dict[str, Any]) -> None:
    """Every answer of the table scores what was worked out by hand, sub-score by sub-score."""
    card = _card(make_answer(row.get("output"), **row["change"]))

    full = 1.0 if card.sub_scores["schema_ok"] else 0.0
    expected = {name: row.get("subs", {}).get(name, full) for name in POINTS}
    assert {name: card.sub_scores[name] for name in POINTS} == pytest.approx(expected, abs=1e-12)
    assert card.sub_scores["score"] == pytest.approx(row["score"], abs=1e-9)
    assert set(row.get("tags", ())) <= set(card.error_tags)


@pytest.mark.parametrize(("name", "points"), POINTS.items())
def test_lost_field_costs_exactly_its_weight(name: str, points: int) -> None:
    """A field that is wholly wrong costs its weight to the last bit."""
    field = {"grounding": "source_map"}.get(name, name.removesuffix("_f1"))
    wrong: Any = [] if isinstance(PERFECT[field], list) else "毫不相干"

    card = _card(make_answer(**{field: wrong}))

    assert card.sub_scores["score"] == 100 - points
    assert card.primary_score == (100 - points) / 100


def test_weights_sum_to_one() -> None:
    """The weights of section 4 sum to 1, as the document says."""
    assert sum(POINTS.values()) == 100
    assert {name: points / 100 for name, points in POINTS.items()} == oracle.WEIGHTS


@pytest.mark.parametrize(
    ("field", "metric", "value"),
    [
        ("detailed_description", "detailed_description_f1", 1.0),
        ("predicted_questions", "predicted_questions_f1", 1.0),
        ("target_audience", "target_audience", 0.0),
        ("main_topic", "main_topic", 0.0),
        ("sub_topic", "sub_topic", 0.0),
    ],
)
def test_r4_1_empty_against_empty(field: str, metric: str, value: float) -> None:
    """R4.1: empty against empty is 1 for a list and 0 for a classification field."""
    nothing: Any = [] if field in {"detailed_description", "predicted_questions"} else ""

    card = _card(make_answer(**{field: nothing}), **{field: nothing})

    assert card.sub_scores[metric] == value


def test_r4_1_counts_each_side_by_itself() -> None:
    """R4.1: one given item may meet several expected ones, and several given ones the same."""
    card = _card(
        make_answer(detailed_description=["甲乙丙丁戊己庚辛", "甲乙丙丁"]),
        detailed_description=["甲乙丙丁", "戊己庚辛"],
    )

    assert card.sub_scores["detailed_description_f1"] == 1.0


def test_r4_2_only_first_thirty_keywords_count() -> None:
    """R4.2: what stands after the thirtieth keyword of the expected evidence earns nothing."""
    first = "".join(chr(0x4E00 + at) for at in range(31))
    later = "".join(chr(0x5E00 + at) for at in range(45))

    card = _card(make_answer(original_evidence=later), original_evidence=f"{first}，{later}")

    assert card.sub_scores["original_evidence"] == 0.0


def test_r4_2_latin_keywords_are_whole_and_lower_case() -> None:
    """R4.2: a Latin keyword is met by the same token in any case, not by a longer one."""
    gold = "ABC1 DEF2 GHI3 JKL4 MNO5 PQR6 STU7 VWX8 and further words to be long"

    met = _card(make_answer(original_evidence=gold.lower()), original_evidence=gold)
    longer = _card(make_answer(original_evidence=gold.replace(" ", "x ")), original_evidence=gold)

    assert met.sub_scores["original_evidence"] == 1.0
    assert longer.sub_scores["original_evidence"] == 1 / 8  # only the last word is left as it was


def test_r4_2_length_is_that_of_the_text_as_it_stands() -> None:
    """R4.2: white space counts towards the length of the evidence."""
    evidence = str(PERFECT["original_evidence"])[:20]

    card = _card(make_answer(original_evidence=evidence + " " * 20))

    assert card.sub_scores["original_evidence"] == 1.0


def test_diagnostics_tell_what_met_what() -> None:
    """A list that lost shows what each item met, and the nearest one of those that met nothing."""
    given_items = ["圖書每冊可續借兩次。", "預約書到館以後會保留七天。"]

    card = _card(make_answer(detailed_description=given_items))

    items = card.details["detailed_description"]
    assert items["expected"][0] == {"met": [0]}
    assert items["expected"][1]["nearest"] == 1
    assert 0 < items["expected"][1]["similarity"] < 0.72
    assert items["got"][1] == {"met": [], "nearest": 1, "similarity": items["expected"][1]["similarity"]}


def test_diagnostics_tell_why_a_source_does_not_hold() -> None:
    """Each reference that fails says where it stands and why."""
    refs = [{"file": "x.md", "anchors": ["圖書"]}, {"file": "loans.md", "anchors": ["無此語"]}, "loans.md"]

    card = _card(make_answer(source_map=[{"refs": refs}, "?", {"refs": None}]))

    assert [fault["fault"] for fault in card.details["grounding"]] == [
        "file_not_retrieved",
        "anchor_not_found",
        "not_an_object",
    ]


def test_without_contexts_nothing_is_grounded() -> None:
    """A system that gives no contexts loses grounding, and the reason says so."""
    answer = Answer(text=make_answer().text)

    card = _card(answer)

    assert card.sub_scores["grounding"] == 0.0
    assert card.reasons[0].code == "no_contexts"
    assert card.sub_scores["retrieval_recall"] is None


def test_retrieval_is_measured_against_the_expected_sources() -> None:
    """Recall, reciprocal rank and nDCG come from the order of the retrieved documents."""
    card = _card(make_answer())

    assert card.sub_scores["retrieval_recall"] == 1.0
    assert card.sub_scores["reciprocal_rank"] == 0.5
    assert card.sub_scores["retrieval_ndcg"] == pytest.approx(0.63093, abs=1e-5)


def test_older_form_is_scored_by_coverage() -> None:
    """Must_include and keywords are looked for in what the answer says, and the row says so."""
    gold = Wanted(("每冊以兩次為限", "十四天"), ("渡輪", "14天"))

    card = score_reading(gold, read_answer(make_answer()))

    assert card.primary_score == card.sub_scores["coverage"] == 0.5
    assert "scored_by_coverage" in card.error_tags
    assert card.reasons[0].params["missing"] == ["渡輪", "14天"]


def test_older_form_needs_the_schema_too() -> None:
    """An answer without the seven fields scores 0 in the older form as well."""
    card = score_reading(Wanted(("渡輪",), ()), read_answer(Answer(text="渡輪")))

    assert card.primary_score == 0.0
    assert card.sub_scores == {"score": 0.0, "schema_ok": 0.0, "coverage": 0.0}


_WORDS = st.text(alphabet="圖書借閱續預約天三 \u3000ab1。，Éé", max_size=12)
_LISTS = st.lists(_WORDS, max_size=14)
_REFS = st.fixed_dictionaries(
    {"file": st.sampled_from(["loans.md", "x.md", ""]), "anchors": st.lists(_WORDS, max_size=8)}
)
_FIELDS = st.fixed_dictionaries(
    {
        "target_audience": _WORDS,
        "main_topic": _WORDS,
        "sub_topic": _WORDS,
        "detailed_description": _LISTS,
        "original_evidence": st.text(alphabet="圖書借閱續預約天三 abcC19，É〇々", max_size=60),
        "source_map": st.lists(st.fixed_dictionaries({"refs": st.lists(_REFS, max_size=8)}), max_size=14),
        "predicted_questions": _LISTS,
    }
)


@given(_FIELDS, _FIELDS, st.lists(_WORDS, max_size=3))
@settings(max_examples=many(150), deadline=None)
def test_same_as_the_slow_and_obvious_way(gold: dict[str, Any], got: dict[str, Any], texts: list[str]) -> None:
    """The scorer agrees with a slow, obvious implementation on any gold and any answer."""
    contexts = tuple(Context("loans.md", 1, text) for text in texts)
    answer = Answer(text=json.dumps(got, ensure_ascii=False), contexts=contexts)

    card = score_reading(make_gold(**gold), read_answer(answer))

    expected = oracle.sub_scores(gold, got, contexts)
    assert {name: card.sub_scores[name] for name in POINTS} == pytest.approx(expected, abs=1e-12)
    assert card.sub_scores["score"] == pytest.approx(oracle.total(expected), abs=1e-9)
    assert 0 <= card.primary_score <= 1


_NEAR = st.text(alphabet="甲乙丙丁", min_size=20, max_size=40)


@given(st.lists(_NEAR, min_size=1, max_size=4), st.data())
@settings(deadline=None)
def test_same_near_the_threshold(wanted: list[str], data: st.DataObject) -> None:
    """The two agree on items that differ by a few characters, where Jaccard decides."""
    given_items = []
    for item in wanted:
        at = data.draw(st.integers(0, len(item)))
        given_items.append(item[:at] + data.draw(st.text(alphabet="甲戊己", max_size=6)) + item[at + 2 :])

    card = _card(make_answer(detailed_description=given_items), detailed_description=wanted)

    assert card.sub_scores["detailed_description_f1"] == pytest.approx(oracle.f1(wanted, given_items), abs=1e-12)


@pytest.mark.parametrize("row", READABLE, ids=[row["name"] for row in READABLE])
def test_table_agrees_with_the_oracle(row: dict[str, Any]) -> None:
    """The slow implementation gives the same scores for the part of the table that can be read."""
    got = PERFECT | row["change"]

    assert oracle.total(oracle.sub_scores(PERFECT, got, CONTEXTS)) == pytest.approx(row["score"], abs=1e-9)
