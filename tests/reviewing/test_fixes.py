"""What reviewers fixed, in copies of dataset and glossary."""

import json
from pathlib import Path

from msgspec import structs

from ragstone.datasets.glossary import read_glossary
from ragstone.judging.label_file import append_labels
from ragstone.judging.labels import Label
from ragstone.reviewing.fixes import fix_dataset, gold_fixes, synonyms
from tests.conftest import Cli

ONE = Label(case="Q2", point="每年一次", answer="h", verdict="stated", reviewer="lin", gold="每年最多一次")
ROWS = [{"q": "每年一次", "gold": ["七天"]}, {"q": "多久一次？", "gold": ["每年一次", "要登记"]}]


def _dataset(folder: Path) -> Path:
    path = folder / "q.jsonl"
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in ROWS), encoding="utf-8")
    return path


def test_a_point_is_fixed_in_the_row_of_its_case(tmp_path: Path) -> None:
    """No other row and no question changes; what is not there is told."""
    gone = structs.replace(ONE, case="Q9")

    fixed = fix_dataset(_dataset(tmp_path), gold_fixes([ONE, gone]))

    rows = [json.loads(line) for line in fixed.content.splitlines()]
    assert rows == [ROWS[0], {"q": "多久一次？", "gold": ["每年最多一次", "要登记"]}]
    assert [fix.case for fix in fixed.missing] == ["Q9"]


def test_two_ways_to_fix_a_point_fix_nothing() -> None:
    """Reviewers must agree first, and what is withdrawn is no fix."""
    other = structs.replace(ONE, reviewer="wang", gold="一年一次")
    gone = structs.replace(ONE, verdict="withdrawn")

    assert gold_fixes([ONE, other]) == []
    assert gold_fixes([ONE, gone]) == []
    assert [fix.after for fix in gold_fixes([ONE, other, structs.replace(other, settles=True)])] == ["一年一次"]


def test_words_that_mean_the_same_are_told_once() -> None:
    """Not those the glossary has, nor what would be more than a line of it."""
    labels = [structs.replace(ONE, case=f"Q{n}", synonyms=words) for n, words in enumerate(
        [("SSO", "单点登录"), ("单点登录", "sso"), ("工号", "员工号"), ("a = b", "c"), ("一", "二\n三 = 四")]
    )]  # fmt: skip

    assert synonyms(labels, [("工号", "员工号", "编号")]) == [("SSO", "单点登录")]


def test_nothing_is_applied_without_a_word(cli: Cli, tmp_path: Path) -> None:
    """The change is shown; only --yes writes, into new files, and never over one."""
    dataset = _dataset(tmp_path)
    Path("words.txt").write_text("A = B\n", encoding="utf-8")
    append_labels(Path("labels.jsonl"), [structs.replace(ONE, synonyms=("年", "十二个月"))])
    given = ("labels", "apply", dataset, "--labels", "labels.jsonl", "--glossary", "words.txt")

    asked = cli(*given)
    assert "每年一次 → 每年最多一次 (lin)" in asked.stdout
    assert not Path("q-fixed.jsonl").exists()
    assert cli(*given, "--yes").returncode == 0

    assert "每年最多一次" in Path("q-fixed.jsonl").read_text(encoding="utf-8")
    assert read_glossary(Path("words-more.txt")).groups == (("A", "B"), ("年", "十二个月"))
    assert cli(*given, "--yes").returncode == 2
