"""Which contract has a form for a draft."""

from pathlib import Path

import pytest

from ragstone.core.types import JSON
from ragstone.drafting.corpus import read_corpus
from ragstone.drafting.draft import Draft, Place, Point, Writing
from ragstone.drafting.files.accept import draft_rows
from ragstone.drafting.make import Plan, make
from ragstone.drafting.proof import stale
from ragstone.drafting.rows import fits, write_rows
from tests.conftest import Cli


def _rule(question: str, gold: str, answer: bool, writing: Writing = "zh-Hans") -> Draft:
    place = Place("a.md", "0" * 64, 1, 0, len(gold), gold)
    expected: dict[str, JSON] = {"boolean_answer": answer}
    return Draft(question=question, points=(Point(gold, place),), kind="yes_no", writing=writing, expected=expected)


@pytest.mark.parametrize(
    ("draft", "told"),
    [
        (_rule("根据《星桥员工手册》中「差旅」，员工可以乘坐商务舱吗？", "不得乘坐商务舱", False), True),
        (_rule("读者可以自带电脑吗？", "可以自带电脑", True), True),
        (_rule("May a reader copy sealed files?", "must not copy sealed files", False, "en"), True),
        (_rule("May children borrow comics?", "may borrow comics", True, "en"), True),
        # The point says more than the question: yes or no alone does not prove it.
        (_rule("读者可以自带电脑吗？", "可以自带电脑，但须登记", True), False),
        (_rule("Are dogs allowed?", "Guide dogs only", False, "en"), False),
    ],
)
def test_a_rule_is_a_row_of_key_points_where_a_bare_answer_is_told_from_a_wrong_one(draft: Draft, told: bool) -> None:
    """Other contracts hold the yes or no itself."""
    assert (fits(draft, "key_points"), fits(draft, "legal_rag")) == (told, True)


def test_a_bare_no_to_a_drafted_rule_passes_and_a_bare_yes_does_not(cli: Cli, documents: Path, tmp_path: Path) -> None:
    """Scored as people answer."""
    (documents / "handbook.md").write_text("# 星桥员工手册\n\n## 差旅\n\n员工不得乘坐商务舱。\n", encoding="utf-8")
    questions = [one for one in make(read_corpus(documents), Plan(size=60)).drafts if one.kind == "yes_no"]
    cli("draft", documents, "-n", "60", "--out", "d.jsonl")
    text = (tmp_path / "d.jsonl").read_text(encoding="utf-8")
    rows = [line for line in text.splitlines() if '"yes_no"' in line]
    assert len(rows) == len(questions) > 1
    (tmp_path / "d.jsonl").write_text("\n".join(rows), encoding="utf-8")
    for name, word in (("no", "No."), ("yes", "Yes.")):
        said = [word if one.writing == "en" else {"no": "不可以。", "yes": "可以。"}[name] for one in questions]
        answers = [
            f'{{"question": "{one.question}", "output": "{two}"}}' for one, two in zip(questions, said, strict=True)
        ]
        (tmp_path / f"{name}.jsonl").write_text("\n".join(answers), encoding="utf-8")
        cli("run", "d.jsonl", "-s", f"replay:{name}.jsonl", "--run-id", name, "-q")

    gates = [cli("gate", name, "-r", f"accuracy {rule}").returncode for name, rule in (("no", ">= 1"), ("yes", "<= 0"))]
    assert gates == [0, 0]


def test_a_row_of_a_table_is_handed_out_below_its_columns(tmp_path: Path) -> None:
    """A model that answers from the passage alone must know what each cell is; check knows the passage."""
    table = "| Ticket | Price |\n|---|---|\n| Adult | £5 |\n| Child | £3 |\n"
    (tmp_path / "tariff.md").write_text(f"# Alba pool tariff\n\n{table}\n{'The pool is warm. ' * 20}", encoding="utf-8")
    rows = write_rows(make(read_corpus(tmp_path), Plan(size=5, contract="prompt_task")).drafts, "prompt_task")
    (tmp_path / "d.jsonl").write_bytes(rows)

    told = [str(row["passage"]) for row in draft_rows(rows).rows if "“Child”" in str(row["question"])]
    assert [one.splitlines()[:2] for one in told] == [["| Ticket | Price |", "| Child | £3 |"]]
    assert not [one for one in stale(tmp_path / "d.jsonl", tmp_path) if one.level == "error"]
