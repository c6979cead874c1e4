"""Question files into cases."""

import json
from pathlib import Path

import pytest

from ragstone.contracts.legal_rag.cases import Fact, Gap, gold_of, load
from ragstone.contracts.legal_rag.contract import LegalRag
from ragstone.core.errors import DatasetError
from ragstone.core.interfaces import Source
from ragstone.core.types import JSON, Case, Finding
from tests.contracts.legal_rag.samples import bundled, case_of, evidence_set, fact, gap


def _write(path: Path, root: JSON) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(root, ensure_ascii=False), encoding="utf-8")
    return path


def test_r1_1_a_question_without_type_takes_the_files() -> None:
    """R1.1: the type is the question's own, or else the file's benchmark_type."""
    plain = {name: value for name, value in gap().items() if name != "type"}

    assert case_of(plain, benchmark_type="conflict_gap").groups["type"] == ("conflict_gap",)
    assert case_of(fact(), benchmark_type="conflict_gap").groups["type"] == ("fact_exact",)


def test_r1_1_no_type_at_all_is_a_fault(tmp_path: Path) -> None:
    """R1.1: without either the question cannot be scored, and the message says where a type may stand."""
    plain = {name: value for name, value in gap().items() if name != "type"}
    (finding,) = load(_write(tmp_path / "q.json", {"questions": [plain]}))

    assert isinstance(finding, Finding)
    assert (finding.code, finding.position.pointer, finding.case_id) == ("row.missing", "/questions/0/type", "g")
    assert "benchmark_type" in finding.params["expected"]


def test_all_faults_of_all_files_come_together(tmp_path: Path) -> None:
    """R0.5: file, JSON pointer and case id of every fault, and sound questions beside them."""
    wrong = fact({"amount_total": "42000", "date": "2020-02-30"}, scoring={"numeric_exact": "yes"})
    _write(tmp_path / "questions" / "a.json", {"questions": [wrong, fact(id="ok")]})
    _write(tmp_path / "questions" / "b.json", {"questions": [gap(should_abstain=1), 7], "document": 3})
    found = list(load(tmp_path))

    findings = [item for item in found if isinstance(item, Finding)]
    assert [Path(f.position.file).name + "#" + str(f.position.pointer) for f in findings] == [
        "a.json#/questions/0/expected/amount_total",
        "a.json#/questions/0/expected/date",
        "a.json#/questions/0/scoring/numeric_exact",
        "b.json#/document",
        "b.json#/questions/0/should_abstain",
        "b.json#/questions/1",
    ]
    assert [item.id for item in found if isinstance(item, Case)] == ["ok"]


@pytest.mark.parametrize(
    ("question", "pointer"),
    [
        (fact({}), "/expected"),
        (fact({"unknown": 1}), "/expected"),
        (fact({"date_range": {"start": "2020-02-01", "end": "2020-01-01"}}), "/expected/date_range"),
        (fact({"date_range": {"start": "2020-02-01"}}), "/expected/date_range/end"),
        (fact({"count": 1.5}), "/expected/count"),
        (fact({"amount_breakdown": ["一千"]}), "/expected/amount_breakdown/0"),
        (fact(question=" "), "/question"),
        (fact(required_evidence=[{"page": 1}]), "/required_evidence/0/must_include"),
        (fact(required_evidence=[{"page": "2", "must_include": "x"}]), "/required_evidence/0/page"),
        (evidence_set(required_evidence=[], expected={}), ""),
        (evidence_set(scoring={"evidence_recall_min": 80}), "/scoring/evidence_recall_min"),
        (gap(required_quote=7), "/required_quote"),
        (gap(additional_quotes="x"), "/additional_quotes"),
        ({**gap(), "type": "other"}, "/type"),
    ],
)
def test_a_wrong_field_is_pointed_at(tmp_path: Path, question: JSON, pointer: str) -> None:
    """R0.5: missing and wrongly typed fields are errors with a JSON pointer."""
    (finding,) = load(_write(tmp_path / "q.json", {"questions": [question]}))

    assert isinstance(finding, Finding)
    assert (finding.level, finding.position.pointer) == ("error", "/questions/0" + pointer)
    assert finding.params["expected"]


def test_unknown_fields_are_carried_through() -> None:
    """R0.5: nothing of a user's question is lost."""
    case = case_of(fact(source_case={"no": 3}, metadata={"difficulty": "easy", "tags": ["金额", "金额"], "x": 1}))

    assert case.extra == {"source_case": {"no": 3}, "metadata": {"x": 1}}
    assert case.groups == {"type": ("fact_exact",), "difficulty": ("easy",), "tags": ("金额",)}


def test_r1_10_threshold_and_weight_come_from_the_file() -> None:
    """R1.10: passing_threshold of the file, weight of the question."""
    case = case_of(fact(scoring={"weight": 3}), evaluation_criteria={"passing_threshold": 0.9})

    assert (case.weight, gold_of(case).threshold) == (3.0, 0.9)
    assert (case_of(fact()).weight, gold_of(case_of(fact())).threshold) == (1.0, 0.7)


def test_a_breakdown_may_be_numbers_or_objects() -> None:
    """R1.2: descriptions are ignored."""
    part = gold_of(case_of(fact({"amount_breakdown": [100, {"amount": 0.1, "description": "零头"}]}))).part

    assert isinstance(part, Fact)
    assert [str(value) for value in part.amount_breakdown or ()] == ["100", "0.1"]


def test_should_abstain_falls_back_to_abstention_required() -> None:
    """A gap says itself whether it is one; without a word declining is right."""
    plain = {name: value for name, value in gap().items() if name != "should_abstain"}
    parts = [gold_of(case_of(plain | {"scoring": s})).part for s in ({"abstention_required": False}, {})]

    assert [part.should_abstain for part in parts if isinstance(part, Gap)] == [False, True]


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"\xff\xfe{\x00", "row.utf16"),
        (b'{"questions": "\xff"}', "row.not_utf8"),
        (b"{", "file.not_json"),
        (b'[{"a": 1}]', "row.not_object"),
        (b'{"a": ' + b"[" * 100_000, "file.not_json"),
    ],
)
def test_a_file_that_is_no_object_is_named(tmp_path: Path, data: bytes, code: str) -> None:
    """Bytes that cannot be read become a finding, never a traceback."""
    path = tmp_path / "q.json"
    path.write_bytes(data)
    (finding,) = load(path)

    assert isinstance(finding, Finding)
    assert finding.code == code


def test_a_missing_file_and_an_empty_folder_are_refused(tmp_path: Path) -> None:
    """What is not there is said at once."""
    for path, code in ((tmp_path / "no.json", "dataset.missing"), (tmp_path, "dataset.empty")):
        with pytest.raises(DatasetError) as caught:
            list(load(path))
        assert caught.value.code == code


def test_a_byte_order_mark_is_tolerated(tmp_path: Path) -> None:
    """Editors write one."""
    path = tmp_path / "q.json"
    path.write_bytes(b"\xef\xbb\xbf" + json.dumps({"questions": [fact()]}).encode())

    assert [item.id for item in load(path) if isinstance(item, Case)] == ["f"]


def test_the_bundled_questions_are_at_least_forty() -> None:
    """16 facts, 12 evidence sets, 12 gaps, and every expected field type among them."""
    cases = bundled().values()
    counts = {
        name: sum(case.groups["type"] == (name,) for case in cases)
        for name in ("fact_exact", "evidence_set", "conflict_gap")
    }
    fields = {name for case in cases if isinstance(part := gold_of(case).part, Fact) for name in part.asked()}

    assert counts["fact_exact"] >= 16
    assert min(counts["evidence_set"], counts["conflict_gap"]) >= 12
    assert len(fields) == 8


def test_a_misspelt_file_type_is_named(tmp_path: Path) -> None:
    """The file is this contract's, and the nearest type is offered."""
    path = tmp_path / "typo.json"
    path.write_text('{"benchmark_type": "fact_exakt", "questions": [{"question": "?"}]}', encoding="utf-8")

    assert LegalRag.recognises(Source(path=path))
    found = [one for one in LegalRag(Source(path=path)).load() if isinstance(one, Finding)]
    assert "did you mean fact_exact?" in found[0].params["expected"]
