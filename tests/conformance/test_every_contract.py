"""Every contract keeps the same rules, on the data bundled with it."""

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import ragstone
from ragstone.core.interfaces import Contract
from ragstone.core.registry import CONTRACTS, contract_type
from ragstone.datasets.check import open_contract, survey
from tests.conformance.rules import RULES

DATA = Path(ragstone.__file__).parent / "data"
PLUGIN = "my_contract:SameText"
TASKS = ("event_eval", "news_analysis", "news_dedup", "stock_association", "stock_score")
SETS: list[tuple[str, Path]] = [
    *(("prompt_task", DATA / "prompt_task" / "datasets" / f"{task}.jsonl") for task in TASKS),
    ("key_points", DATA / "key_points" / "questions.jsonl"),
    ("key_points", DATA / "key_points_en" / "questions.jsonl"),
    ("eval_json_v2", DATA / "eval_json_v2" / "question_v2.json"),
    ("legal_rag", Path(__file__).parents[2] / "benchmark" / "questions"),
    (PLUGIN, DATA / "new" / "contract" / "cases.jsonl"),
]


@pytest.fixture(params=SETS, ids=lambda pair: f"{pair[0]}-{pair[1].parent.name}-{pair[1].stem}")
def contract(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Contract:
    """Open one bundled dataset."""
    name, path = request.param
    monkeypatch.syspath_prepend(str(DATA / "new" / "contract"))
    monkeypatch.delitem(sys.modules, "my_contract", raising=False)
    return open_contract(path, name=name, options=_options(name, path))


def _options(name: str, path: Path) -> dict[str, str]:
    """A prompt task is named after its bundled dataset."""
    return {"task": path.stem} if name == "prompt_task" else {}


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_every_contract_keeps_the_rule(contract: Contract, rule: Callable[[Contract], None]) -> None:
    """Gold is worth full marks, silence nothing, and no score leaves its range."""
    rule(contract)


@pytest.mark.parametrize(("name", "path"), [pair for pair in SETS if pair[0] in CONTRACTS])
def test_a_dataset_is_recognised_and_sound(name: str, path: Path) -> None:
    """The contract need not be named, and the bundled data has no faults."""
    opened = open_contract(path, options=_options(name, path))

    assert opened.name == name
    assert survey(opened, path, thorough=True).errors == 0


def test_every_contract_has_bundled_data() -> None:
    """A contract that is registered is tested here."""
    assert {name for name, _ in SETS} >= set(CONTRACTS)


@pytest.mark.parametrize("name", sorted(CONTRACTS))
def test_a_contract_is_of_the_declared_type(name: str) -> None:
    """What the table names can be opened."""
    assert callable(contract_type(name).recognises)
