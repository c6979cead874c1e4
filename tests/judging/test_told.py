"""What is said when something about a judge or its labels goes wrong: in one language, and with a way on."""

import csv
import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from ragstone.core.errors import BudgetSpent, ConnectError, Reason
from ragstone.judging.label_file import read_labels
from ragstone.runs.store.seal import SEAL, meta_sha256
from tests.conftest import Cli
from tests.judging.bench import ANSWERS, ROWS, by_chances, judging

Write = Callable[..., Path]
DOWN = "http://127.0.0.1:9/v1"


@pytest.fixture
def run(cli: Cli, write_rows: Write) -> Path:
    """A run with open points."""
    cli("score", write_rows("q.jsonl", *ROWS), write_rows("a.jsonl", *ANSWERS), "--run-id", "one", "-q")
    return Path("runs/one")


def _english_words(text: str) -> list[str]:
    """Return runs of three English words."""
    return re.findall(r"\b[a-z]+ [a-z]+ [a-z]+\b", text)


def test_a_judge_that_is_down_is_told_in_chinese(cli: Cli, run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All of the sentence, the reason too, also where labels are taken in without the judge."""
    with judging(by_chances()) as server:
        cli("judge", "one", "--judge", "chat:m", "-J", f"base_url={server.url}/v1", "-J", "max_retries=0")
    Path("labels.jsonl").write_text('{"case":"Q1","answer":"x","verdict":"stated"}\n', encoding="utf-8")
    down = ("-J", f"base_url={DOWN}", "-J", "max_retries=0")
    monkeypatch.setenv("RAGSTONE_LANGUAGE", "zh")
    refused = cli("judge", "one", "--judge", "chat:other", *down)
    absent = cli("judge", "one", "--labels", "labels.jsonl", "-J", f"base_url={DOWN}")

    assert refused.returncode == 2
    assert "无法向裁判 other 提问" in refused.stderr and "连接被拒绝" in refused.stderr
    assert not _english_words(refused.stderr)
    assert "无法向 chat:m 提问（" in absent.stdout + absent.stderr
    assert "the connection was refused" not in absent.stdout + absent.stderr


def test_a_reason_is_said_in_the_language_of_its_message() -> None:
    """A spent budget, too; its full stop is not doubled."""
    spent = BudgetSpent("calls", 3, 3, code="judge.budget")
    error = ConnectError("judge.down", judge="m", failure=Reason(spent.say), n=0)

    assert str(Reason(spent.say)) in str(error) and ".." not in str(error)
    assert not _english_words(error.say("zh-Hans")) and "。。" not in error.say("zh-Hans")
    assert error.say("zh-Hant") != error.say("zh-Hans")


def test_a_gate_after_a_kill_says_that_judging_was_interrupted(cli: Cli, run: Path) -> None:
    """Judgements are on disk and the judge is named: `ragstone judge RUN` goes on, nobody has to name it again."""
    meta = json.loads((run / "run_meta.json").read_text(encoding="utf-8"))
    (run / "run_meta.json").unlink()
    order = {"judge_order": {"judges": ["chat:m"], "options": {"base_url": DOWN}}}
    _write_sealed(run, meta | order)
    told = {lang: cli("gate", "one", "--rule", "accuracy_judged >= 0.5", "--lang", lang) for lang in ("en", "zh")}

    assert {one.returncode for one in told.values()} == {3}
    assert "was interrupted" in told["en"].stdout and "ragstone judge RUN" in told["en"].stdout
    assert "--judge chat:MODEL" not in told["en"].stdout
    assert "中断" in told["zh"].stdout


def _write_sealed(run: Path, meta: dict[str, object]) -> None:
    whole = {**meta, SEAL: meta_sha256(meta)}
    (run / "run_meta.json").write_text(json.dumps(whole, ensure_ascii=False), encoding="utf-8")


def _table(cli: Cli, encoding: str, delimiter: str) -> Path:
    """Draw, fill in, and save as a spreadsheet of another kind does."""
    cli("judge", "one", "--draw", "9")
    with Path("to-label.csv").open(encoding="utf-8-sig", newline="") as file:
        rows = [row | {"verdict": "stated", "reviewer": "林"} for row in csv.DictReader(file)]
    for row in rows if delimiter == ";" else ():
        row["probability"] = row["probability"].replace(".", ",")
    with Path("mine.csv").open("w", encoding=encoding, newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]), delimiter=delimiter)
        writer.writeheader()
        writer.writerows(rows)
    return Path("mine.csv")


@pytest.mark.parametrize("delimiter", [";", "\t"])
def test_tables_with_other_separators_are_read(cli: Cli, run: Path, delimiter: str) -> None:
    """Spreadsheets of other countries part cells by semicolons, and decimals by commas."""
    labels = read_labels(_table(cli, "utf-8-sig", delimiter))

    assert len(labels) == 5 and {label.verdict for label in labels} == {"stated"}
    assert {label.probability for label in labels} == {1.0}


@pytest.mark.parametrize(("encoding", "told"), [("gb18030", "GBK"), ("utf-16", "UTF-16")])
def test_a_table_in_another_encoding_is_told_how_to_be_saved(
    cli: Cli, run: Path, encoding: str, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In both languages, as with a dataset; no decoder speaks."""
    path = str(_table(cli, encoding, ","))
    english = cli("judge", "one", "--labels", path)
    monkeypatch.setenv("RAGSTONE_LANGUAGE", "zh")
    chinese = cli("judge", "one", "--labels", path)

    assert english.returncode == chinese.returncode == 2
    assert told in english.stderr and "UTF-8" in english.stderr and "codec" not in english.stderr
    assert "另存为 UTF-8" in chinese.stderr and "codec" not in chinese.stderr and "not a label" not in english.stderr


def test_lines_in_another_encoding_are_told_so(cli: Cli, run: Path) -> None:
    """JSON lines, too."""
    line = json.dumps({"case": "Q1", "answer_text": "到手一星期之内", "verdict": "stated"}, ensure_ascii=False)
    Path("mine.jsonl").write_bytes((line + "\n").encode("gbk"))
    done = cli("judge", "one", "--labels", "mine.jsonl")

    assert done.returncode == 2 and "GBK" in done.stderr and "UTF-8" in done.stderr
