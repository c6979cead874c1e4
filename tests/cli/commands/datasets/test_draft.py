"""`ragstone draft`: a set that `check` accepts, and that says so when its documents change."""

import json
from pathlib import Path

import pytest

import ragstone
from ragstone.core.errors import SettingError
from tests.conftest import Cli

CLINIC = "# 松鹤诊所就诊须知\n\n## 费用\n\n挂号费为80元。宠物不得进入候诊区。网上预约开放14天内的号源。\n"
TOWNS = {
    "a": "# 青禾镇\n\n青禾镇面积约16平方公里。青禾镇由沈拾光于1861年重建为商埠。\n",
    "b": "# 栖雾镇\n\n栖雾镇位于北山脚下。栖雾镇面积约23平方公里。\n",
}


@pytest.fixture
def documents(tmp_path: Path) -> Path:
    """Three short documents."""
    folder = tmp_path / "documents"
    folder.mkdir()
    for name, text in {"clinic": CLINIC, **TOWNS}.items():
        (folder / f"{name}.md").write_text(text, encoding="utf-8")
    return folder


@pytest.mark.parametrize(
    ("contract", "out", "more"),
    [
        ("key_points", "d.jsonl", []),
        ("legal_rag", "d.json", ["--abstain", "0.3"]),
        ("eval_json_v2", "d.json", []),
        ("prompt_task", "d.jsonl", []),
    ],
)
def test_check_accepts_what_is_drafted(
    cli: Cli, documents: Path, contract: str, out: str, more: tuple[str, ...]
) -> None:
    """Every contract gets rows without a fault, each with the quotation that proves it."""
    done = cli("draft", documents, "-n", "6", "--contract", contract, "--out", out, *more)
    task = ("-o", "task=drafted_answer") if contract == "prompt_task" else ()
    checked = cli("check", out, "--contract", contract, "--documents", documents, "--json", *task)

    assert done.returncode == 0, done.stderr
    found = json.loads(checked.stdout)
    assert (found["errors"], found["cases"] > 2 * (contract != "eval_json_v2")) == (0, True)
    assert not {"check.unreachable", "check.short_evidence"} & {one["code"] for one in found["findings"]}
    assert [one["code"] for one in found["findings"] if one["code"].startswith("draft.")] == ["draft.unreviewed"]


def test_a_changed_document_names_the_stale_points(cli: Cli, documents: Path) -> None:
    """Moved quotations and a changed document are warnings, gone quotations and documents errors."""
    cli("draft", documents, "-n", "9", "--out", "d.jsonl")
    clinic = documents / "clinic.md"
    clinic.write_text(CLINIC.replace("80元", "90元").replace("\n\n## 费用", "\n\n\n## 费用"), encoding="utf-8")
    (documents / "b.md").unlink()

    checked = cli("check", "d.jsonl", "--documents", documents, "--json")

    codes = {one["code"] for one in json.loads(checked.stdout)["findings"]}
    assert checked.returncode == 2
    assert {"draft.stale", "draft.moved", "draft.changed", "draft.document_gone"} <= codes


def test_a_point_edited_by_hand_is_named(cli: Cli, documents: Path, tmp_path: Path) -> None:
    """A point must stand in its quotation."""
    cli("draft", documents, "-n", "3", "--out", "d.jsonl")
    file = tmp_path / "d.jsonl"
    rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    rows[0]["provenance"][0]["point"] = "99元"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")

    checked = cli("check", "d.jsonl", "--documents", documents)

    assert checked.returncode == 2
    assert "99元" in checked.stdout


def test_drafts_are_accepted_or_dropped(cli: Cli, documents: Path, tmp_path: Path) -> None:
    """Accepting marks a row, dropping takes it out; an id that is not there is refused."""
    cli("draft", documents, "-n", "4", "--out", "d.jsonl")

    done = cli("draft", "accept", "d.jsonl", "draft-0001", "--drop", "draft-0002")

    rows = [json.loads(line) for line in (tmp_path / "d.jsonl").read_text(encoding="utf-8").splitlines()]
    assert done.stdout.strip() == f"1 of {len(rows)} reviewed"
    assert [row["reviewed"] for row in rows][:2] == [True, False]
    assert "draft-0002" not in {row["id"] for row in rows}
    assert cli("draft", "accept", "d.jsonl", "draft-9999").returncode == 2


def test_too_few_good_ones_are_told(cli: Cli, documents: Path) -> None:
    """The number is not filled up with bad ones."""
    done = cli("draft", documents, "-n", "500", "--json", "--out", "d.jsonl")

    found = json.loads(done.stdout)
    assert found["drafted"] < found["wished"] == 500


def test_files_that_cannot_be_read_are_named(cli: Cli, tmp_path: Path) -> None:
    """Where nothing comes of a folder, what is wrong with its files is told."""
    (tmp_path / "bad").mkdir()
    (tmp_path / "bad" / "broken.pdf").write_bytes(bytes(range(256)))

    done = cli("draft", "bad", "--out", "d.jsonl")

    assert done.returncode == 2
    assert "broken.pdf" in done.stderr
    assert "holds no document that can be read" in done.stderr


def test_documents_that_state_nothing_are_told_apart_from_none(cli: Cli, tmp_path: Path) -> None:
    """An empty folder lacks documents; a page of greetings lacks facts."""
    (tmp_path / "empty").mkdir()
    (tmp_path / "greetings").mkdir()
    (tmp_path / "greetings" / "a.md").write_text("# Hello\n\nHello there.\n", encoding="utf-8")

    told = [cli("draft", name, "--out", "d.jsonl").stderr for name in ("empty", "greetings")]

    assert "holds no document that can be read" in told[0]
    assert "a sentence that tells no date, amount, name, rule or list in a form that is asked for 1" in told[1]


@pytest.mark.parametrize("text", ["", " \n\n", "\ufeff"])
def test_an_empty_document_is_named_and_passed_over(cli: Cli, documents: Path, text: str) -> None:
    """Beside others it is counted; alone it is no document."""
    (documents / "blank.md").write_text(text, encoding="utf-8")
    (documents.parent / "alone").mkdir()
    (documents.parent / "alone" / "blank.md").write_text(text, encoding="utf-8")

    beside, alone = cli("draft", documents, "--out", "d.jsonl"), cli("draft", "alone", "--out", "e.jsonl")

    assert "blank.md: the document is empty" in beside.stderr
    assert "passed over: 1 file" in beside.stdout
    assert "3 of 3 asked about" in beside.stdout
    assert (alone.returncode, "holds no document that can be read" in alone.stderr) == (2, True)


@pytest.mark.parametrize(
    ("contract", "out", "said"),
    [
        ("legal_rag", "d.jsonl", "ends in .json."),
        ("eval_json_v2", "d.jsonl", "ends in .json."),
        ("key_points", "d.json", "ends in .jsonl"),
        ("key_points", "d", "ends in .jsonl"),
        ("prompt_task", "d.csv", "ends in .jsonl"),
        ("key_points", "nowhere/d.jsonl", "a folder that exists"),
        ("key_points", "documents/clinic.md/d.jsonl", "a folder that exists"),
    ],
)
def test_a_file_nobody_could_read_again_is_refused(
    cli: Cli, documents: Path, contract: str, out: str, said: str
) -> None:
    """Before any work, and nothing is left behind; from Python too."""
    done = cli("draft", documents, "--contract", contract, "--out", out)
    with pytest.raises(SettingError):
        ragstone.draft(documents, 5, contract=contract, out=documents.parent / out)

    assert done.returncode == 2
    assert said in done.stderr
    assert {one.name for one in documents.parent.iterdir()} == {"documents"}


def test_fewer_left_out_than_wished_for_are_told(cli: Cli, documents: Path) -> None:
    """A document that gives no question need not be kept from the system."""
    (documents / "greeting.md").write_text("# 你好\n\n你好。\n", encoding="utf-8")
    words = ("draft", documents, "-n", "8", "--contract", "legal_rag", "--abstain", "0.5", "--leave-out", "3")

    done = cli(*words, "--out", "d.json")

    assert "of 3; the others have copies, or give no question" in done.stdout


def test_the_parts_tell_their_real_share_and_none_is_empty(cli: Cli, documents: Path, tmp_path: Path) -> None:
    """What cannot be divided is refused and nothing is written."""
    for name in ("a.md", "b.md"):
        (documents / name).unlink()
    single = cli("draft", documents, "-n", "3", "--dev", "0.5", "--out", "s.jsonl")
    for name, text in TOWNS.items():
        (documents / f"{name}.md").write_text(text, encoding="utf-8")
    done = cli("draft", documents, "-n", "9", "--dev", "0.01", "--out", "d.jsonl")

    assert (single.returncode, "one part would hold no question" in single.stderr) == (2, True)
    assert not list(tmp_path.glob("s-*"))
    sizes = [len((tmp_path / f"d-{part}.jsonl").read_bytes().splitlines()) for part in ("dev", "test")]
    assert f"d-dev.jsonl ({sizes[0] / sum(sizes):.0%})" in done.stdout
    assert "not the share of 1% asked for" in done.stdout


def test_rows_for_a_prompt_name_their_task(cli: Cli, documents: Path) -> None:
    """When they are drafted, and when they are checked without it."""
    done = cli("draft", documents, "--contract", "prompt_task", "--out", "d.jsonl")
    checked = cli("check", "d.jsonl")

    assert "-o task=drafted_answer" in done.stdout
    assert "-o task=drafted_answer" in checked.stderr


def test_key_points_have_no_form_for_declining(cli: Cli, documents: Path) -> None:
    """Questions without an answer are left to the contract that has them."""
    done = cli("draft", documents, "--abstain", "0.2", "--out", "d.jsonl")

    assert done.returncode == 2
    assert "legal_rag" in done.stderr


def test_programs_can_draft(documents: Path, tmp_path: Path) -> None:
    """The same from Python."""
    drawn = ragstone.draft(documents, 5, out=tmp_path / "d.jsonl")

    lines = (tmp_path / "d.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line)["q"] for line in lines] == [draft.question for draft in drawn.drafts]


def test_a_gate_says_that_nobody_has_read_the_questions(cli: Cli, documents: Path, tmp_path: Path) -> None:
    """The note is in the verdict and in gate.json until the drafts are accepted."""
    cli("draft", documents, "-n", "3", "--out", "d.jsonl")
    told = []
    for name in ("before", "after"):
        cli("run", "d.jsonl", "-s", f"builtin:{documents}", "--run-id", name, "-q")
        done = cli("gate", name, "-r", "accuracy >= 0")
        gate = json.loads((tmp_path / "runs" / name / "gate.json").read_bytes())
        told.append((gate["unreviewed_drafts"], "nobody has accepted" in done.stdout))
        cli("draft", "accept", "d.jsonl", "--all")

    assert told == [(3, True), (0, False)]


def test_a_half_that_is_there_already_is_not_written_over(cli: Cli, documents: Path, tmp_path: Path) -> None:
    """Accepted questions of an earlier split are never lost."""
    asked = ("draft", documents, "-n", "6", "--dev", "0.5", "--out", "d.jsonl")
    cli(*asked)
    cli("draft", "accept", "d-dev.jsonl", "--all")
    before = (tmp_path / "d-dev.jsonl").read_bytes()

    again = cli(*asked, "--seed", "8")

    assert again.returncode == 2
    assert "d-dev.jsonl already exists" in again.stderr
    assert (tmp_path / "d-dev.jsonl").read_bytes() == before


@pytest.mark.parametrize(
    ("flags", "told"),
    [
        (["-O", "max_calls=3"], "need --chat MODEL"),
        (["--again", "draft-0001", "--dev", "0.5"], "neither accept nor --dev"),
        (["--contract", "legal_rag", "--leave-out", "1"], "--abstain 0.2"),
        (["--contract", "legal_rag", "--leave-out", "3", "--abstain", "0.5"], "Leave out fewer"),
    ],
)
def test_what_would_have_no_effect_is_refused(cli: Cli, documents: Path, flags: list[str], told: str) -> None:
    """Nothing that was wished for is passed over in silence."""
    done = cli("draft", documents, "--out", "d.json", *flags)

    assert done.returncode == 2
    assert told in done.stderr


def test_accepting_in_a_file_that_is_not_there_says_so(cli: Cli) -> None:
    """A wrong name is no fault of the program."""
    done = cli("draft", "accept", "nowhere.jsonl", "--all")

    assert (done.returncode, "nowhere.jsonl: no such file" in done.stderr) == (2, True)


def test_a_model_that_cannot_be_reached_is_not_blamed_on_the_documents(cli: Cli, documents: Path) -> None:
    """What to do is said: look after the address; nothing about facts."""
    url = "http://127.0.0.1:9/v1"
    done = cli("draft", documents, "--chat", "m", "-O", f"base_url={url}", "-O", "max_retries=0", "--out", "d.jsonl")

    assert done.returncode == 2
    assert "Check that the service runs" in done.stderr
    assert "state facts" not in done.stderr
    assert "every passage was shown" not in done.stderr


def test_a_share_without_an_answer_that_is_not_reached_is_told(cli: Cli, documents: Path) -> None:
    """With the reasons, counted; for programs, too."""
    words = ("draft", documents, "-n", "8", "--contract", "legal_rag", "--abstain", "0.9", "--out")

    done, chinese = cli(*words, "a.json"), cli(*words, "b.json", env={"RAGSTONE_LANGUAGE": "zh-Hans"})
    told = json.loads(cli(*words, "c.json", "--json").stdout)

    assert f"without an answer: {told['absent']} of 7; no more questions could be turned into such:" in done.stdout
    assert f"无答案的题目：{told['absent']} / 7" in chinese.stdout
    assert told["absent"] < told["absent_wished"] == 7
    assert sum(told["missed"].values()) > 0
