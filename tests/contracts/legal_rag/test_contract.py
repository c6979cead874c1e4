"""The contract as one object."""

import json
from pathlib import Path

import pytest

from ragstone.contracts.legal_rag.contract import LegalRag
from ragstone.core.interfaces import Contract, Source
from ragstone.core.types import JSON
from tests.contracts.legal_rag.samples import BARE, BENCHMARK, FULL, bundled, evidence_set, fact, gap, judge


def test_it_is_a_contract() -> None:
    """The protocol is kept."""
    assert isinstance(FULL, Contract)


@pytest.mark.parametrize("path", [BENCHMARK, BENCHMARK / "questions", BENCHMARK / "questions" / "fact_exact.json"])
def test_its_own_datasets_are_recognised(path: Path) -> None:
    """A folder, its questions, or one file."""
    assert LegalRag.recognises(Source(path=path))
    assert LegalRag(Source(path=path)).terms()["documents_at_hand"] is True


@pytest.mark.parametrize("root", [[], {}, {"questions": []}, {"questions": [{"q": 1}]}, {"q": "x", "gold": ["y"]}])
def test_other_datasets_are_not(tmp_path: Path, root: JSON) -> None:
    """Neither lists nor key-point rows."""
    (tmp_path / "x.json").write_text(json.dumps(root), encoding="utf-8")

    assert not LegalRag.recognises(Source(path=tmp_path / "x.json", first=root))
    assert not LegalRag.recognises(Source(path=tmp_path / "none.jsonl"))


def test_every_sub_score_is_declared() -> None:
    """Reports are drawn from the declaration."""
    declared = {spec.name for spec in FULL.metrics}
    seen = {name for question in (fact(), evidence_set(), gap()) for name in judge(question, "42000元").sub_scores}

    assert seen <= declared
    assert {"exact_match", "evidence_recall", "no_hallucination"} <= seen


def test_the_question_is_asked_as_it_stands() -> None:
    """Systems never learn what is measured."""
    case = bundled()["fact_001"]

    assert FULL.request(case).question == case.question
    assert FULL.request(case).id == "fact_001"


def test_same_answer_same_verdict() -> None:
    """R0.3: two contracts give the same scorecard."""
    case = bundled()["conflict_gap_002"]
    answer = BARE.model_answer(case)
    other = LegalRag(Source(path=BENCHMARK))

    assert FULL.score(case, FULL.read(case, answer)) == other.score(case, other.read(case, answer))
