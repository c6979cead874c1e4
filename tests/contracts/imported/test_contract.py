"""The contract of imported runs keeps the rules of every contract."""

import json
from pathlib import Path

import pytest

from ragstone.core.errors import DatasetError
from ragstone.core.interfaces import Contract
from ragstone.core.registry import contract_names
from ragstone.datasets.check import open_contract
from tests.conformance.rules import RULES

METRICS = [
    {"name": "a", "label": "A", "kind": "flag"},
    {"name": "b", "label": "B", "kind": "ratio", "better": "lower"},
    {"name": "c", "label": "C", "kind": "points"},
    {"name": "d", "label": "D", "kind": "error"},
]
ROWS = [
    {"id": "Q1", "q": "问？", "gold": ["答"], "imported": {"tool": "t", "version": "1", "metrics": METRICS}},
    {"id": "Q2", "q": "二？", "gold": [], "metrics": ["a"], "category": "x"},
]


@pytest.fixture
def contract() -> Contract:
    """Open a small imported dataset."""
    Path("d.jsonl").write_text("".join(json.dumps(row) + "\n" for row in ROWS), encoding="utf-8")
    return open_contract(Path("d.jsonl"), name="imported")


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_the_rules_are_kept(contract: Contract, rule: object) -> None:
    """Gold is worth full marks, silence nothing, and no score leaves its range."""
    rule(contract)  # type: ignore[operator]


def test_it_is_not_offered_for_asking(contract: Contract) -> None:
    """Only a stored run has it; its dataset is recognised as key points."""
    assert "imported" not in contract_names()
    assert open_contract(Path("d.jsonl")).name == "key_points"


def test_a_dataset_without_its_header_is_refused() -> None:
    """The first row says what was measured."""
    Path("d.jsonl").write_text('{"id": "Q1", "q": "x", "gold": []}\n', encoding="utf-8")

    with pytest.raises(DatasetError) as error:
        open_contract(Path("d.jsonl"), name="imported")

    assert error.value.code == "import.header"
