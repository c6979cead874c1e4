"""A reviewer reads the answer and its quotation, not the fields of a contract."""

from pathlib import Path

import pytest

from ragstone.drafting.corpus import read_corpus
from ragstone.drafting.draft import Draft
from ragstone.drafting.make import Plan, make
from ragstone.drafting.rows import WRITERS
from ragstone.web.review.expected import answers_of, proof_of

TEXT = """# 柳岸渡口须知

渡船票价为12元。渡口成立于1998年5月4日。宠物不得进入船舱。

渡口提供以下服务：

- 行李寄存
- 失物招领
"""


@pytest.fixture
def drafted(tmp_path: Path) -> list[Draft]:
    """Drafts of several kinds."""
    (tmp_path / "ferry.md").write_text(TEXT, encoding="utf-8")
    return list(make(read_corpus(tmp_path), Plan(contract="legal_rag")).drafts)


def _told(drafts: list[Draft], contract: str, lang: str) -> list[list[str]]:
    return [answers_of(WRITERS[contract](draft, "draft-0001"), lang) for draft in drafts]  # type: ignore[arg-type]


def test_typed_values_are_told_in_words(drafted: list[Draft]) -> None:
    """The words of the document first, then what they are read as."""
    told = _told(drafted, "legal_rag", "zh-Hans")
    assert ["12元", "数值：12"] in told
    assert ["不得进入船舱", "否"] in [[lines[0][-6:], *lines[1:]] for lines in told]
    assert ["行李寄存", "失物招领"] in told
    assert ["12元", "as a number: 12"] in _told(drafted, "legal_rag", "en")
    assert not any(name in line for lines in told for line in lines for name in ("difficulty", "is_critical", "True"))


@pytest.mark.parametrize("contract", ["key_points", "prompt_task"])
def test_other_contracts_tell_the_same_words(drafted: list[Draft], contract: str) -> None:
    """And nothing of how a row is filed."""
    amounts = [draft for draft in drafted if draft.kind == "amount"]
    assert _told(amounts, contract, "zh-Hans") == [["12元"]]


def test_whole_answers_are_told_with_topic_and_section(drafted: list[Draft]) -> None:
    """Without audience and source map."""
    [draft] = [draft for draft in drafted if draft.kind == "amount"]
    [lines] = _told([draft], "eval_json_v2", "en")
    assert lines[0] == draft.points[0].place.quote
    assert lines[1:] == ["topic: 柳岸渡口须知", f"section: {draft.section}"]


def test_where_it_stands(drafted: list[Draft]) -> None:
    """Document, page and quotation; each once."""
    [draft] = [draft for draft in drafted if draft.kind == "amount"]
    row = WRITERS["legal_rag"](draft, "draft-0001")
    row["provenance"] *= 2
    assert proof_of(row, "zh-Hans") == ["ferry.md 第 1 页：渡船票价为12元。"]


def test_no_answer_is_told_with_what_is_missing() -> None:
    """Whatever the reason."""
    row = {"should_abstain": True, "provenance": [], "absent": {"kind": "left_out", "words": ["b.md"]}}
    assert answers_of(row, "en")[0].startswith("no answer")
    assert proof_of(row, "en") == ["only in documents that the system is not given: 'b.md'"]


def test_a_field_of_ones_own_is_named() -> None:
    """What was written by hand is seen."""
    row = {"expected": {"colour": "red", "boolean_answer": True}, "provenance": "none"}
    assert (answers_of(row, "en"), proof_of(row, "en")) == (["colour: red", "yes"], [])
