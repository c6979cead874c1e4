"""The three formulas, thresholds, tags and the abstention table."""

import pytest

from ragstone.contracts.legal_rag.contract import LegalRag
from ragstone.core.interfaces import Source
from ragstone.core.language import LANGS
from ragstone.core.types import JSON, Answer, Reading
from ragstone.runs.pipeline import explain
from tests.contracts.legal_rag.samples import (
    BARE,
    BENCHMARK,
    FULL,
    bundled,
    case_of,
    evidence_set,
    fact,
    gap,
    judge,
    rows,
)


@pytest.mark.parametrize("row", rows("legal_answers.jsonl"), ids=lambda row: f"{row['id']}-{row['answer'][:16]}")
def test_labelled_answers_in_plain_text(row: dict[str, JSON]) -> None:
    """What a careful reader gives each answer over the bundled transcript."""
    card = judge(bundled()[row["id"]], row["answer"], FULL)

    assert card.primary_score == pytest.approx(row["score"]), explain(FULL, card.reasons, "zh-Hans")


@pytest.mark.parametrize("question", [fact(), evidence_set(), gap(), gap(should_abstain=False)])
@pytest.mark.parametrize("answer", ["", "  ", "……", '{"answer": ""}', '{"abstained": false}'])
def test_r1_9_silence_earns_nothing_in_any_part(question: dict[str, JSON], answer: str) -> None:
    """R1.9: silence is no refusal."""
    card = judge(question, answer)

    assert card.primary_score == 0.0
    assert not any(card.sub_scores.values())
    assert "silent" in card.error_tags


def test_a_case_that_failed_scores_zero_where_a_metric_applies() -> None:
    """R0.2: an empty reading names the metrics of its own type."""
    card = BARE.score(case_of(evidence_set()), Reading())

    assert card.sub_scores["evidence_recall"] == 0.0
    assert "exact_match" not in card.sub_scores


@pytest.mark.parametrize(("threshold", "passed"), [(None, True), (0.7, True), (0.71, False), (0, True)])
def test_r1_10_a_question_passes_at_0_7_unless_told(threshold: float | None, passed: bool) -> None:
    """R1.10: 0.7 of 0.7 passes."""
    criteria = {} if threshold is None else {"evaluation_criteria": {"passing_threshold": threshold}}

    assert judge(case_of(fact(), **criteria), "42000元").passed is passed


@pytest.mark.parametrize(
    ("question", "answer", "cell"),
    [
        (gap(), "抱歉，材料中没有提到，无法回答。", "abstained_unanswerable"),
        (gap(), "花了8000元。", "answered_unanswerable"),
        (gap(should_abstain=False), "他说都忘记了。", "answered_answerable"),
        (gap(should_abstain=False), "抱歉，材料中没有提到，无法回答。", "abstained_answerable"),
        (fact(), "42000元", "answered_answerable"),
        (fact(), "抱歉，材料中没有提到，无法回答。", "abstained_answerable"),
        (fact(), "", "silent_answerable"),
    ],
)
def test_every_row_names_its_cell_of_the_abstention_table(question: dict[str, JSON], answer: str, cell: str) -> None:
    """answered/abstained × answerable/unanswerable, for every type."""
    assert judge(question, answer).details["abstention"] == cell


def test_rates_can_be_averaged_from_rows() -> None:
    """Coverage, over-refusal and unsupported answers are flags; where they do not apply they are None."""
    refused, invented = (
        judge(fact(), "抱歉，材料中没有提到，无法回答。").sub_scores,
        judge(gap(), "花了8000元。").sub_scores,
    )

    assert (refused["answered"], refused["over_refusal"], refused["unsupported_answer"]) == (0.0, 1.0, None)
    assert (invented["answered"], invented["over_refusal"], invented["unsupported_answer"]) == (1.0, None, 1.0)


@pytest.mark.parametrize(
    ("penalty", "score"), [("high", 0.0), ("medium", 0.1), ("low", 0.15), ("odd", 0.2), (None, 0.2)]
)
def test_the_penalty_is_shown_and_weighed_only_on_request(penalty: str | None, score: float) -> None:
    """An answer that invents keeps a part of its score; the scorer version shows it."""
    weighing = LegalRag(Source(path=BENCHMARK, options={"weigh_hallucination_penalty": True}))
    question = gap(scoring={"quote_required": False}, **({"hallucination_penalty": penalty} if penalty else {}))

    assert judge(question, "花了8000元。", weighing).primary_score == pytest.approx(score)
    assert judge(question, "花了8000元。").primary_score == pytest.approx(0.2)
    assert judge(question, "花了8000元。").details["hallucination_penalty"] == penalty
    assert weighing.scorer_version != BARE.scorer_version


@pytest.mark.parametrize("lang", LANGS)
def test_wrong_page_and_document_are_named_in_the_explanation(lang: str) -> None:
    """The reader sees which page was cited and which is right, in each language."""
    page = judge(fact(), Answer(text="42000元（第7页）"))
    paper = judge(fact(), "一共42000元（别的案卷.pdf 第2页）")

    said = explain(BARE, page.reasons, lang)  # type: ignore[arg-type]
    assert "7" in said
    assert "2" in said
    assert "别的案卷.pdf" in explain(BARE, paper.reasons, lang)  # type: ignore[arg-type]


def test_every_reason_has_a_phrase_whose_places_are_filled() -> None:
    """No phrase is left with a gap."""
    answers = ("", "42000元或24000元（第9页）", "抱歉，材料中没有提到，无法回答。", "王建国于2021年1月1日付了70000元")
    for question in (fact(), fact({"date": "2020-08-30"}), evidence_set(), gap(), gap(should_abstain=False)):
        for answer in answers:
            for reason in judge(question, answer).reasons:
                assert reason.code in BARE.phrases
                assert "{" not in explain(BARE, [reason], "zh-Hant")


@pytest.mark.parametrize(
    ("question", "answer", "at_most"),
    [
        (fact(), "可能是42000元。", {"exact_match": 1.0, "amount_total": 1.0}),
        (fact(), "24000元。", None),
        (
            fact({"boolean_answer": True}, question="他写过欠条吗？"),
            "今天下雨。",
            {"exact_match": 1.0, "boolean_answer": 1.0},
        ),
        (
            fact({"amount_total": 42000, "entity": "周岩"}),
            "可能是42000元，给了林晓舟。",
            {"exact_match": 0.0, "amount_total": 1.0},
        ),
        (evidence_set(), "甲把单子收好了。", {"key_point_recall": 1.0}),
        (fact(), "抱歉，材料中没有提到。", None),
    ],
)
def test_open_verdicts_say_what_they_could_come_to(
    question: dict[str, JSON], answer: str, at_most: dict[str, float] | None
) -> None:
    """What a guess or free words leave open earns nothing, and is counted apart."""
    card = judge(question, answer)

    assert card.details.get("at_most") == at_most
    assert all((card.sub_scores[name] or 0.0) <= high for name, high in (at_most or {}).items())


def test_of_an_endless_answer_the_beginning_is_read() -> None:
    """Thirty thousand characters are read, and the row says that there were more."""
    card = judge(fact(), "42000元。" + "好。" * 20_000 + "24000元。")

    assert card.sub_scores["exact_match"] == 1.0
    assert "answer_cut" in card.error_tags
