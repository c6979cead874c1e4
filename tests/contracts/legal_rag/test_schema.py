"""schema.json: what it covers, and that the loader obeys it."""

import json

import pytest

from ragstone.contracts.legal_rag.cases import FACT_FIELDS
from ragstone.contracts.legal_rag.schema import faults, schema
from ragstone.core.types import JSON
from tests.contracts.legal_rag.samples import BENCHMARK, evidence_set, fact, gap

EXAMPLES: list[JSON] = [
    {
        "id": "fact_001",
        "type": "fact_exact",
        "question": "甲总共给了乙多少钱用于办理手续？",
        "expected": {"amount_total": 42000},
        "required_evidence": [
            {"page": 2, "must_include": "42000元", "section": "qa_pair", "speaker": "answer", "is_critical": True}
        ],
        "scoring": {"numeric_exact": True, "citation_required": True},
        "metadata": {"difficulty": "easy", "category": "monetary", "tags": ["金额", "收款"]},
    },
    {
        "id": "evidence_001",
        "type": "evidence_set",
        "question": "有哪些证据表明乙承诺退款？",
        "expected": {"evidence_count_min": 2, "key_points": ["承诺如果办理不成功会将42000元退回"]},
        "required_evidence": [],
        "scoring": {"evidence_recall_min": 0.8, "evidence_precision_min": 0.7, "citation_required": True},
    },
    {
        "id": "conflict_gap_001",
        "question": "42000元具体用到哪里了？",
        "should_abstain": True,
        "hallucination_penalty": "high",
        "required_quote": "具体请了谁吃饭...都忘记了",
        "evidence_location": {"page": 4, "lines": "105-107"},
        "expected_behavior": "System must refuse to provide specific details.",
        "scoring": {
            "abstention_required": True,
            "hallucination_check": "must_not_invent_details",
            "quote_required": True,
        },
    },
]
"""Questions of the shape of the contract's three examples."""


def test_the_version_is_1_0_0() -> None:
    """The file says what it is."""
    assert schema()["version"] == "1.0.0"
    assert schema()["$id"].endswith(":1.0.0")
    assert schema()["$schema"] == "https://json-schema.org/draft/2020-12/schema"


@pytest.mark.parametrize(
    ("name", "example"), list(zip(("fact_exact", "evidence_set", "conflict_gap"), EXAMPLES, strict=True))
)
def test_the_contracts_examples_are_valid(name: str, example: JSON) -> None:
    """The three examples of the contract's document have no fault."""
    assert list(faults(example, name)) == []
    assert list(faults({"benchmark_type": name, "questions": [example]})) == []


def test_every_field_of_the_tables_is_covered() -> None:
    """No field the contract's tables name is unknown to the schema."""
    defs = schema()["$defs"]
    fact_fields = defs["fact_exact"]["properties"]

    assert set(FACT_FIELDS) == set(fact_fields["expected"]["properties"])
    assert {"numeric_exact", "date_exact", "citation_required"} <= set(fact_fields["scoring"]["properties"])
    assert {"evidence_count_min", "key_points"} == set(defs["evidence_set"]["properties"]["expected"]["properties"])
    assert {"evidence_recall_min", "evidence_precision_min", "citation_required"} <= set(
        defs["evidence_set"]["properties"]["scoring"]["properties"]
    )
    assert {
        "should_abstain",
        "hallucination_penalty",
        "required_quote",
        "additional_quotes",
        "evidence_location",
    } < set(defs["conflict_gap"]["properties"])
    assert {"page", "must_include", "section", "speaker", "is_critical"} == set(
        defs["required_evidence"]["items"]["properties"]
    )
    assert {"difficulty", "category", "tags", "notes"} == set(defs["metadata"]["properties"])


@pytest.mark.parametrize("name", ["fact_exact", "evidence_set", "conflict_gap"])
def test_the_bundled_files_are_valid(name: str) -> None:
    """Root and questions of each bundled file."""
    root = json.loads((BENCHMARK / "questions" / f"{name}.json").read_text("utf-8"))

    assert list(faults(root)) == []
    assert [fault for question in root["questions"] for fault in faults(question, name)] == []


@pytest.mark.parametrize(
    ("question", "name"), [(fact(x=1), "fact_exact"), (evidence_set(x=[]), "evidence_set"), (gap(x={}), "conflict_gap")]
)
def test_unknown_fields_are_allowed(question: JSON, name: str) -> None:
    """R0.5: users may keep their own fields."""
    assert list(faults(question, name)) == []


def test_a_fault_says_what_was_expected_and_found() -> None:
    """Enough to fix it without reading code."""
    (fault,) = faults(gap(should_abstain="yes"), "conflict_gap")

    assert (fault.pointer, fault.problem, fault.expected, fault.found) == (
        "/should_abstain",
        "wrong type",
        "boolean",
        "'yes'",
    )
