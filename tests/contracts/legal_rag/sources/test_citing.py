"""Citations against required evidence."""

import pytest

from ragstone.core.types import JSON, Answer, Citation
from tests.contracts.legal_rag.samples import EVIDENCE, FULL, bundled, fact, judge


@pytest.mark.parametrize(
    ("citation", "share", "tag"),
    [
        (Citation("笔录.md", 2, "一共给了42000元"), 1.0, None),
        (Citation(None, 2, "一共给了４２，０００元"), 1.0, None),
        (Citation("笔录.md", 3, "一共给了42000元"), 0.0, "wrong_page"),
        (Citation("笔录.md", 2, "给了142000元"), 0.0, "wrong_quote"),
        (Citation("别的.md", 2, "一共给了42000元"), 0.0, "wrong_document"),
        (Citation("笔录.md", 2), 0.0, "citation_unproved"),
        (Citation("笔录.md", 3), 0.0, "wrong_page"),
        (Citation(None, None, "一共给了42000元"), 0.0, "no_citation"),
    ],
)
def test_r1_5_page_and_quote_decide(citation: Citation, share: float, tag: str | None) -> None:
    """R1.5: right page and must_include in the quote; a wrong page never counts."""
    card = judge(fact(), Answer(text="四万二千", citations=(citation,)))

    assert card.sub_scores["citation_correctness"] == share
    assert card.primary_score == pytest.approx(0.7 + 0.3 * share)
    assert tag is None or tag in card.error_tags


def test_r1_5_a_page_alone_counts_when_the_source_proves_it() -> None:
    """R1.5: without a quote the document at hand must hold must_include on that page."""
    case = bundled()["fact_001"]
    cards = [judge(case, Answer(text="31.8万", citations=(Citation(page=page),)), FULL) for page in (3, 4)]

    assert [card.sub_scores["citation_correctness"] for card in cards] == [1.0, 0.0]


def test_r1_5_only_critical_evidence_counts() -> None:
    """R1.5: is_critical absent is critical, false is not."""
    required: JSON = [
        EVIDENCE,
        {"page": 3, "must_include": "签名", "is_critical": False},
        {"page": 5, "must_include": "收条"},
    ]
    answer = {"answer": "42000元", "citations": [{"page": 2, "quote": "42000元"}]}

    assert judge(fact(required_evidence=required), answer).sub_scores["citation_correctness"] == 0.5
    assert judge(fact(required_evidence=required[:2]), answer).sub_scores["citation_correctness"] == 1.0


def test_r1_5_no_citation_required_grants_it() -> None:
    """R1.5: citation_required false is 1, but not for silence."""
    question = fact(scoring={"citation_required": False})

    assert judge(question, "42000元").primary_score == 1.0
    assert judge(question, "").primary_score == 0.0


def test_42000_beside_a_wrong_page_gets_0_7() -> None:
    """The right amount with the wrong page keeps exactly the 0.7."""
    assert judge(fact(), "一共42000元（第3页）").primary_score == 0.7


def test_a_sentence_with_its_page_is_its_own_quote() -> None:
    """（第2页） behind words that hold must_include needs no quotation marks."""
    assert judge(fact(), "一共给了42000元（第2页）。").sub_scores["citation_correctness"] == 1.0


def test_precision_and_recall_over_file_page_and_quote() -> None:
    """The details count right citations of all, and cited evidence of all."""
    answer = {"answer": "42000元", "citations": [{"page": 2, "quote": "42000元"}, {"page": 9, "quote": "无关"}]}
    detail = judge(fact(), answer).details["citation"]

    assert (detail["precision"], detail["recall"]) == (0.5, 1.0)
    assert [row["verdict"] for row in detail["citations"]] == ["right", "not_required"]


def test_a_made_up_quote_is_named_when_the_source_is_at_hand() -> None:
    """A quote that does not stand on its page is tagged, whatever it holds."""
    answer = Answer(text="31.8万", citations=(Citation(page=3, quote="我一共付了318000元，他还请我吃饭"),))
    card = judge(bundled()["fact_001"], answer, FULL)

    assert card.sub_scores["citation_correctness"] == 1.0
    assert "quote_not_on_page" in card.error_tags


def test_a_title_that_is_no_file_is_no_wrong_document() -> None:
    """《讯问笔录》 names the kind of document, not another one."""
    assert judge(fact(), "一共给了42000元（《讯问笔录》第2页）。").primary_score == 1.0


def test_a_quote_without_a_page_is_looked_for_everywhere() -> None:
    """A made-up quote is named also beside a right citation; one from any page is not."""
    case = bundled()["fact_001"]
    right = Citation(page=3)
    made_up, real = (
        judge(case, Answer(text="31.8万", citations=(right, Citation(quote=quote))), FULL)
        for quote in ("车款从未支付过一分钱", "一共付了318000元")
    )

    assert made_up.sub_scores["citation_correctness"] == 1.0
    assert "citation.not_in_source" in [reason.code for reason in made_up.reasons]
    assert "citation.not_in_source" not in [reason.code for reason in real.reasons]
