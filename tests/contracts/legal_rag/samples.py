"""Questions and contracts the tests of contract 1 start from."""

import json
from pathlib import Path

from ragstone.contracts.legal_rag.cases import cases_of
from ragstone.contracts.legal_rag.contract import LegalRag
from ragstone.core.interfaces import Source
from ragstone.core.types import JSON, Answer, Case, Finding, Scorecard

BENCHMARK = Path(__file__).parents[3] / "benchmark"
DATA = Path(__file__).parents[2] / "data"
BARE = LegalRag(Source(path=Path("nowhere.json")))
"""A contract without documents at hand."""
FULL = LegalRag(Source(path=BENCHMARK))
"""The bundled benchmark with its document."""

EVIDENCE = {"page": 2, "must_include": "42000元", "section": "qa_pair", "speaker": "answer", "is_critical": True}


def rows(name: str) -> list[dict[str, JSON]]:
    """Read labelled rows of our own."""
    return [json.loads(line) for line in (DATA / name).read_text("utf-8").splitlines()]


def bundled() -> dict[str, Case]:
    """Load the bundled questions by id."""
    return {case.id: case for case in FULL.load() if isinstance(case, Case)}


def fact(expected: JSON = None, **more: JSON) -> dict[str, JSON]:
    """Write a fact_exact question."""
    expected = {"amount_total": 42000} if expected is None else expected
    question = "甲一共给了乙多少钱？"
    return {
        "id": "f",
        "type": "fact_exact",
        "question": question,
        "expected": expected,
        "required_evidence": [EVIDENCE],
    } | more


def evidence_set(**more: JSON) -> dict[str, JSON]:
    """Write an evidence_set question with three pieces of evidence on pages 1 to 3."""
    required = [
        {"page": page, "must_include": words} for page, words in ((1, "签了收条"), (2, "转账三笔"), (3, "退了押金"))
    ]
    return {
        "id": "e",
        "type": "evidence_set",
        "question": "有哪些证据？",
        "expected": {"evidence_count_min": 2, "key_points": ["甲签了收条"]},
        "required_evidence": required,
        "scoring": {"evidence_recall_min": 0.6, "evidence_precision_min": 0.5},
    } | more


def gap(**more: JSON) -> dict[str, JSON]:
    """Write a conflict_gap question."""
    return {
        "id": "g",
        "type": "conflict_gap",
        "question": "钱具体用到哪里了？",
        "should_abstain": True,
        "required_quote": "具体请了谁吃饭...都忘记了",
        "scoring": {"abstention_required": True, "hallucination_check": "must_not_invent_details"},
    } | more


def case_of(question: dict[str, JSON], **root: JSON) -> Case:
    """Load one question as a file holds it; warnings are let pass."""
    found = list(cases_of({"document": "笔录.md", "questions": [question]} | root, Path("q.json")))
    (case,) = (one for one in found if not isinstance(one, Finding) or one.level == "error")
    assert isinstance(case, Case), case
    return case


def judge(
    question: dict[str, JSON] | Case, answer: str | dict[str, JSON] | Answer, contract: LegalRag = BARE
) -> Scorecard:
    """Read and score an answer: a text, the object a system returns, or an Answer."""
    case = question if isinstance(question, Case) else case_of(question)
    if isinstance(answer, str):
        answer = Answer(text=answer)
    if isinstance(answer, dict):
        answer = Answer(text=str(answer.get("answer", "")), data=answer)
    return contract.score(case, contract.read(case, answer))
