"""What public question packs write: empty quotes, documents of their own, citations asked for without evidence."""

import json
from pathlib import Path

import pytest

from ragstone.contracts.legal_rag.cases import gold_of, load
from ragstone.core.types import JSON, Answer, Case, Citation, Finding
from ragstone.datasets.check import open_contract
from tests.contracts.legal_rag.samples import fact, gap


def _load(tmp_path: Path, *questions: JSON, **root: JSON) -> list[Case | Finding]:
    path = tmp_path / "questions.json"
    path.write_text(json.dumps({"questions": questions, **root}, ensure_ascii=False), encoding="utf-8")
    return list(load(path))


def test_an_empty_required_quote_means_none(tmp_path: Path) -> None:
    """The question is taken, and no quote is asked for."""
    (case,) = _load(tmp_path, gap(required_quote=""))

    assert isinstance(case, Case)
    assert gold_of(case).part.quotes == ()  # type: ignore[union-attr]


def test_a_question_has_a_document_of_its_own(tmp_path: Path) -> None:
    """It goes before the file's; a file may do without."""
    own, files = _load(tmp_path, fact(document="own.md"), fact(id="g"), document="file.md")

    assert [gold_of(case).document for case in (own, files) if isinstance(case, Case)] == ["own.md", "file.md"]


@pytest.mark.parametrize(("cited", "score"), [((), 0.7), ((Citation("a.md", 1),), 1.0)])
def test_a_citation_asked_for_without_evidence_must_be_given(
    tmp_path: Path, cited: tuple[Citation, ...], score: float
) -> None:
    """An answer that cites nothing is not praised for it."""
    _load(tmp_path, fact(required_evidence=[], scoring={"citation_required": True}))
    contract = open_contract(tmp_path / "questions.json", name="legal_rag")
    (case,) = (one for one in contract.load() if isinstance(one, Case))
    card = contract.score(case, contract.read(case, Answer(text="42000元", citations=cited)))

    assert card.primary_score == pytest.approx(score)
    assert ("no_citation" in card.error_tags) == (not cited)
    best = contract.score(case, contract.read(case, contract.model_answer(case)))
    assert best.primary_score == 1.0


@pytest.mark.parametrize(
    ("question", "code", "near"),
    [
        (fact(scoring={"numeric_exat": True}), "row.slip", "numeric_exact"),
        (fact({"amount_total": 1, "dates": "2020-01-01"}), "row.slip", "date"),
        (fact(scoring={"evidence_recal_min": 0.5}), "row.slip", "numeric_exact, date_exact, citation_required, weight"),
        (gap(hallucination_penalty="hgih"), "row.slip", "high"),
        (gap(required_quote="", scoring={"quote_required": True}), "legal.no_quote", None),
    ],
)
def test_slips_of_the_pen_are_warnings(tmp_path: Path, question: JSON, code: str, near: str | None) -> None:
    """The nearest name is offered, and the question is still asked."""
    finding, case = _load(tmp_path, question)

    assert isinstance(case, Case)
    assert isinstance(finding, Finding)
    assert (finding.level, finding.code, finding.params.get("near")) == ("warning", code, near)
