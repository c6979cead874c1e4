"""What is said about a question before a run."""

from pathlib import Path

import pytest

from ragstone.contracts.legal_rag.contract import LegalRag
from ragstone.core.interfaces import Source
from ragstone.core.types import JSON, Case
from tests.contracts.legal_rag.samples import BENCHMARK, EVIDENCE, FULL, bundled, case_of, evidence_set, fact, gap

TEXT = "<!-- page 1 -->\n案由：甲案\n问：多少？\n答：42000元。\n<!-- page 2 -->\n答：具体请了谁吃饭，都忘记了。\n"


@pytest.fixture
def contract(tmp_path: Path) -> LegalRag:
    """A contract with one short transcript at hand."""
    (tmp_path / "笔录.md").write_text(TEXT, encoding="utf-8")
    return LegalRag(Source(path=tmp_path / "q.json", documents=tmp_path))


def _codes(contract: LegalRag, case: Case) -> list[str]:
    return [finding.code for finding in contract.check(case)]


def test_every_bundled_quote_is_on_its_page() -> None:
    """Nothing is found wrong with the bundled benchmark."""
    assert [finding for case in bundled().values() for finding in FULL.check(case)] == []


def test_the_bundled_lines_hold_their_quotes() -> None:
    """evidence_location.lines are lines of the file."""
    lines = (BENCHMARK / "documents" / "interrogation_hejichuan.md").read_text("utf-8").splitlines()
    for case in bundled().values():
        part = case.gold.part  # type: ignore[attr-defined]
        if getattr(part, "lines", None):
            first, _, last = part.lines.partition("-")
            said = "".join(lines[int(first) - 1 : int(last or first)])
            assert part.quotes[0].split("…")[0].split("...")[0] in said


@pytest.mark.parametrize(
    ("question", "code"),
    [
        (fact(), "legal.not_on_page"),
        (gap(evidence_location={"page": 1}), "legal.not_on_page"),
        (gap(additional_quotes=["从未说过的话"]), "legal.nowhere"),
        (fact(required_evidence=[EVIDENCE | {"must_include": "从未说过的话"}]), "legal.nowhere"),
        (fact(required_evidence=[EVIDENCE | {"page": 1, "speaker": "question"}]), "legal.other_speaker"),
        (fact(required_evidence=[EVIDENCE | {"page": 1, "section": "header"}]), "legal.other_speaker"),
        (fact(required_evidence=[], scoring={"citation_required": True}), "legal.no_evidence"),
        (fact(required_evidence=[{"page": 1, "must_include": "。"}]), "legal.nothing_to_compare"),
    ],
)
def test_what_is_wrong_is_found(contract: LegalRag, question: dict[str, JSON], code: str) -> None:
    """Wrong pages, wrong speakers and empty gold are named."""
    assert code in _codes(contract, case_of(question))


def test_a_wrong_page_is_an_error_that_names_the_right_one(contract: LegalRag) -> None:
    """The user sees where the words are."""
    (finding,) = [one for one in contract.check(case_of(fact())) if one.code == "legal.not_on_page"]

    assert (finding.level, finding.case_id, finding.params["page"], finding.params["pages"]) == ("error", "f", 2, "1")


def test_a_document_that_is_not_there_is_an_error(contract: LegalRag) -> None:
    """A name that no file has cannot be proved."""
    assert _codes(contract, case_of(fact(), document="别的.md")) == ["check.document_missing"]


@pytest.mark.parametrize(
    ("question", "code"),
    [
        (evidence_set(expected={"evidence_count_min": 9}), "legal.too_many_wanted"),
        (evidence_set(scoring={"evidence_recall_min": 0}), "legal.always_met"),
        ({name: value for name, value in gap(scoring={}).items() if name != "should_abstain"}, "legal.abstain_unsaid"),
    ],
)
def test_thresholds_that_mean_nothing_are_found(question: dict[str, JSON], code: str) -> None:
    """Thresholds nobody can miss or reach, and what is left unsaid."""
    assert code in _codes(LegalRag(Source(path=Path("nowhere.json"))), case_of(question))


def test_a_sound_question_has_no_findings(contract: LegalRag) -> None:
    """Nothing is said where nothing is wrong."""
    sound = [
        fact(required_evidence=[EVIDENCE | {"page": 1}]),
        gap(evidence_location={"page": 2}),
    ]

    assert [_codes(contract, case_of(question)) for question in sound] == [[], []]
