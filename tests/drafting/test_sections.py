"""Drafted question sets, and the doors of Eval JSON v2 by the names its document gives them."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from scripts.make_question_set import question_set, sections

ROOT = Path(__file__).parents[2]
CODE = ROOT / "src/ragstone/contracts/eval_json_v2"
DOORS = ROOT / "graphrag_saas/backend/scripts"
TEXT = "# 借閱規則\n\n## 續借\n\n" + "".join(f"第{n}類圖書可以續借{n}次，每次延長十四天。" for n in range(60))


def _script(path: Path, *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(path), *words]
    return subprocess.run(command, capture_output=True, encoding="utf-8", check=False, env={**os.environ})


def test_sections_are_cut_at_headings() -> None:
    """The first heading is the topic; a section that says too little is passed over."""
    (found,) = sections([("a.md", 2, TEXT + "\n## 空\n\n略。")])

    assert (found.file, found.page, found.topic, found.title, len(found.sentences)) == (
        "a.md",
        2,
        "借閱規則",
        "續借",
        60,
    )


def test_questions_are_distinct_and_no_more_than_wanted() -> None:
    """Each has an id, an answer and a source."""
    drafts = question_set(sections([("a.md", 1, TEXT)]), 100)

    assert len(drafts) == len({draft["question"] for draft in drafts}) == 100
    assert drafts[0]["expected"]["source_map"][0]["refs"][0]["file"] == "a.md"
    assert question_set([], 5) == []


def test_the_documented_flow_can_be_walked_at_its_size() -> None:
    """1,000 drafted questions and 100 of them, then the gate and the full set by the documented scripts."""
    Path("kb").mkdir()
    for number in range(9):
        Path("kb", f"d{number}.md").write_text(TEXT.replace("續借", f"續借{number}"), encoding="utf-8")
    made = _script(ROOT / "scripts/make_question_set.py", "kb")
    Path("docs/eval_sets/question_v2_dev100.json").unlink()
    drawn = _script(DOORS / "make_eval_subset.py")
    done = _script(DOORS / "eval_json_v2.py", "--mock", "--force", "--run-id", "r", "--quiet")

    assert made.stdout.startswith("1000 questions in docs/question_v2.json, 100 in"), made.stderr
    assert drawn.returncode == 0, drawn.stderr
    assert len(json.loads(Path("docs/eval_sets/question_v2_dev100.json").read_bytes())) == 100
    assert done.returncode == 0, done.stderr
    meta = json.loads(Path("runs/r/run_meta.json").read_bytes())
    assert (meta["cases"], meta["gate_run"], meta["eval_set_version"][:12]) == (1000, "r-gate", "question_v2@")


@pytest.mark.parametrize(
    ("copy", "own"), [("question.schema.json", "question.schema.json"), ("prompts/eval_json_v2.md", "prompt.md")]
)
def test_the_files_the_document_names_are_those_that_are_used(copy: str, own: str) -> None:
    """Schema and prompt lie where the document says."""
    assert (ROOT / "docs" / copy).read_bytes() == (CODE / own).read_bytes()
