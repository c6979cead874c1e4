"""What public question packs write: empty quotes, documents of their own, citations asked for without evidence."""

import json
from pathlib import Path

import pytest

import ragstone
from ragstone.contracts.legal_rag.cases import gold_of, load
from ragstone.core.types import JSON, Answer, Case, Citation, Finding
from ragstone.datasets.check import open_contract
from tests.conftest import Cli
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
        (gap(penalty="high"), "row.slip", "hallucination_penalty"),
        (gap(required_quote="", scoring={"quote_required": True}), "legal.no_quote", None),
    ],
)
def test_slips_of_the_pen_are_warnings(tmp_path: Path, question: JSON, code: str, near: str | None) -> None:
    """The nearest name is offered, and the question is still asked."""
    finding, case = _load(tmp_path, question)

    assert isinstance(case, Case)
    assert isinstance(finding, Finding)
    assert (finding.level, finding.code, finding.params.get("near")) == ("warning", code, near)


def _pack(folder: Path, many: int = 40) -> None:
    """Write a pack as public ones are: one file a type, no document at the root, empty quotes, fields of its own."""
    (folder / "documents").mkdir()
    (folder / "questions").mkdir()
    for case in range(many):
        text = f"<!-- page 1 -->\n问：借款多少？\n答：我一共借了{1000 + case}元，2021年3月{case % 28 + 1}日给的。\n"
        (folder / "documents" / f"case_{case}.md").write_text(text, encoding="utf-8")
    own = [{"document": f"case_{case}.md", "source_case": {"no": case}} for case in range(many)]
    facts = [
        fact({"amount_total": 1000 + case}, id=case, question=f"第{case}案一共借了多少元？", **own[case])
        | {"required_evidence": [{"page": 1, "must_include": f"{1000 + case}元"}], "scoring": {}}
        for case in range(many)
    ]
    gaps = [
        gap(
            id=f"g{case}",
            question=f"第{case}案借款人的电话是多少？",
            required_quote="",
            additional_quotes=[],
            **own[case],
        )
        for case in range(many)
    ]
    for name, questions in (("fact_exact", facts), ("conflict_gap", gaps)):
        root = {"benchmark_type": name, "description": "虚构", "questions": questions}
        (folder / "questions" / f"{name}.json").write_text(json.dumps(root, ensure_ascii=False), encoding="utf-8")


def test_a_pack_of_the_public_shape_is_taken_whole(tmp_path: Path, inside: Cli) -> None:
    """No question is refused, each is held against its own document, and a perfect answer to each earns everything."""
    _pack(tmp_path)

    checked = json.loads(inside("check", tmp_path, "--json").stdout)
    run = ragstone.evaluate(tmp_path, mock=True)

    assert (checked["errors"], checked["cases"]) == (0, 80)
    (figures,) = run.summary.models.values()
    assert (figures.all.cases, figures.all.passed, figures.all.primary_score) == (80, 80, 1.0)


def test_each_question_of_a_pack_is_held_against_its_own_document(tmp_path: Path) -> None:
    """What stands in another case's document is invented here."""
    _pack(tmp_path, 2)
    answers = {0: "无法回答，原文没有写明，但记录里有1001元。", 1: "原文没有写明，无法回答。"}

    run = ragstone.evaluate(tmp_path, lambda question: answers[int(question[1])], options={"type": "conflict_gap"})

    assert [row.task_metrics["no_hallucination"] for row in run.results()] == [0.0, 1.0]
