"""Tests of the bundled question set: it is sound, and its gate subset is the one that is drawn."""

import json
import re
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from ragstone.contracts.eval_json_v2.cases import QuestionSet
from ragstone.contracts.eval_json_v2.contract import EvalJsonV2
from ragstone.core.interfaces import Source
from ragstone.core.types import Case
from ragstone.datasets.subset import cut, draw
from ragstone.documents import read_folder

DATA = Path(str(files("ragstone").joinpath("data/eval_json_v2")))
FULL, GATE = DATA / "question_v2.json", DATA / "question_v2_gate.json"
FINGERPRINT = "9d030335128d24b97d1089843bcd156bb05fcff48220bd0c2d9bf9fa7d4676b2"


def _cases(path: Path) -> list[Case]:
    found = list(QuestionSet(path).load())
    assert all(isinstance(item, Case) for item in found)
    return [item for item in found if isinstance(item, Case)]


def test_set_is_large_enough() -> None:
    """There are at least sixty distinct questions over at least twelve documents."""
    cases = _cases(FULL)

    assert len({case.question for case in cases}) == len({case.id for case in cases}) == len(cases) >= 60
    assert len(list(read_folder(DATA / "documents"))) >= 12


def test_documents_say_that_they_are_invented() -> None:
    """Every document says at its top that it is fiction."""
    for document in read_folder(DATA / "documents"):
        assert "本文件為虛構範例" in document.text[:120], document.name


@pytest.mark.parametrize("path", [FULL, GATE], ids=lambda path: path.stem)
def test_nothing_to_find_fault_with(path: Path) -> None:
    """Every gold can be reached, and every anchor stands on the page it is said to stand on."""
    contract = EvalJsonV2(Source(path=path, documents=DATA / "documents"))

    assert [finding for case in _cases(path) for finding in contract.check(case)] == []


def test_evidence_and_descriptions_are_quotes() -> None:
    """Expected evidence and descriptions stand in the documents word for word."""
    texts = {document.name: document.text for document in read_folder(DATA / "documents")}
    for row in json.loads(FULL.read_text(encoding="utf-8")):
        example = row["expected"]["answer_example"]
        text = texts[row["expected"]["source_map"][0]["refs"][0]["file"]]
        assert all(quote in text for quote in (example["original_evidence"], *example["detailed_description"]))


def test_model_answers_score_a_hundred() -> None:
    """Perfect answers to the bundled set score 100 on all."""
    contract = EvalJsonV2(Source(path=FULL))
    for case in _cases(FULL):
        card = contract.score(case, contract.read(case, contract.model_answer(case)))
        assert card.sub_scores["score"] == 100.0


def test_gate_subset_is_the_one_that_is_drawn() -> None:
    """The bundled gate subset is byte for byte what the draw gives, two questions for each audience and topic."""
    subset = draw(_cases(FULL), 26)

    assert cut(FULL.read_bytes(), subset.cases) == GATE.read_bytes()
    assert subset.fingerprint == FINGERPRINT
    assert {stratum.drawn for stratum in subset.strata} == {2}


SCHEMA = json.loads(files("ragstone.contracts.eval_json_v2").joinpath("question.schema.json").read_text("utf-8"))
_TYPES: dict[str, Any] = {"object": dict, "array": list, "string": str, "integer": int, "null": type(None)}


def _valid(value: Any, schema: dict[str, Any]) -> bool:
    """Apply the few words of JSON Schema that ours uses."""
    if "$ref" in schema:
        return _valid(value, SCHEMA["$defs"][schema["$ref"].rsplit("/", 1)[1]])
    kinds = schema.get("type", [])
    kinds = [kinds] if isinstance(kinds, str) else kinds
    if kinds and not isinstance(value, tuple(_TYPES[kind] for kind in kinds)):
        return False
    if "not" in schema and _valid(value, schema["not"]):
        return False
    if not (any(_valid(value, one) for one in schema["anyOf"]) if "anyOf" in schema else True):
        return False
    if isinstance(value, str):
        return re.search(schema.get("pattern", ""), value) is not None
    if isinstance(value, list):
        return all(_valid(item, schema.get("items", {})) for item in value)
    if isinstance(value, dict):
        inner = schema.get("properties", {})
        return set(schema.get("required", ())) <= value.keys() and all(
            _valid(value[name], inner[name]) for name in inner.keys() & value.keys()
        )
    return True


def test_schema_holds_for_the_bundled_sets() -> None:
    """The JSON Schema accepts both bundled files."""
    assert _valid(json.loads(FULL.read_text(encoding="utf-8")), SCHEMA)
    assert _valid(json.loads(GATE.read_text(encoding="utf-8")), SCHEMA)


@pytest.mark.parametrize(
    "change",
    [
        {"question": None},
        {"question": " "},
        {"expected": {}},
        {"expected": {"answer_example": {}}},
        {"expected": {"must_include": "兩次"}},
        {"expected": {"keywords": ["兩次"]}},
        {"id": 5},
        {"id": True},
        {"note": "unknown fields are allowed"},
    ],
)
def test_schema_and_reader_agree(tmp_path: Path, change: dict[str, Any]) -> None:
    """The JSON Schema refuses what the reader refuses."""
    row = json.loads(FULL.read_text(encoding="utf-8"))[0] | change
    path = tmp_path / "set.json"
    path.write_text(json.dumps([row]), encoding="utf-8")
    found = list(QuestionSet(path).load())

    # A Boolean is a whole number to isinstance, not to JSON Schema.
    assert isinstance(found[0], Case) == (_valid([row], SCHEMA) and row["id"] is not True)
