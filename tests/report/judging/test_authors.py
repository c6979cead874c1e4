"""Every verdict that is not a rule's can be traced to who gave it, and to the words or the margin behind it."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec import structs

from ragstone.core.types import Result
from ragstone.report.judging.authors import author_lines
from ragstone.runs.store.folder import RunFolder
from tests.conftest import Cli
from tests.judging.bench import ANSWERS, ROWS, by_chances, judging, quoting

Write = Callable[..., Path]
QUOTED = "judge m: yes to “收货后七天内可以退货”, quoting “到手一星期之内不喜欢都能寄回来”"


@pytest.fixture
def run(cli: Cli, write_rows: Write) -> Path:
    """A run with open points."""
    cli("score", write_rows("q.jsonl", *ROWS), write_rows("a.jsonl", *ANSWERS), "--run-id", "one", "-q")
    return Path("runs/one")


def test_reports_and_the_command_name_judge_and_quotation(cli: Cli, run: Path) -> None:
    """The same line in report.md, report.html and of a single case."""
    with judging(quoting()) as server:
        cli("judge", "one", "--judge", "chat:m", "-J", f"base_url={server.url}/v1", "--lang", "en")
    shown = cli("report", "one", "--case", "Q1", "--lang", "en").stdout
    rows = json.loads(cli("report", "one", "--case", "Q1", "--format", "json").stdout)

    assert QUOTED in shown and ANSWERS[0]["output"] in shown
    assert [row["sample_id"] for row in rows] == ["Q1"]
    assert "裁判 m：“收货后七天内可以退货”是，引文“到手一星期之内不喜欢都能寄回来”" in (run / "report.html").read_text(
        encoding="utf-8"
    )
    assert QUOTED in cli("report", "one", "--format", "markdown", "--lang", "en").stdout


def test_margins_people_and_open_questions_are_told(cli: Cli, run: Path) -> None:
    """A margin where there is no quotation, who labelled, and why something is open; nothing where a rule decided."""
    label = {"case": "Q2", "point": "每年一次", "answer_text": ANSWERS[1]["output"], "verdict": "stated"}
    Path("people.jsonl").write_text(json.dumps(label | {"reviewer": "lin"}) + "\n", encoding="utf-8")
    with judging(by_chances()) as server:
        cli("judge", "one", "--judge", "chat:m", "-J", f"base_url={server.url}/v1", "--labels", "people.jsonl")
    told = {one.sample_id: list(author_lines(one, "en")) for one in RunFolder(run).results()}

    assert told["Q2"] == ["judge m: yes to “只有正式员工可以申请”, margin +4.00", "person lin: yes to “每年一次”"]
    assert told["Q3"] == []
    assert told["Q4"] == ["judge m: no to “周日照常营业”, margin -4.00"]


@pytest.mark.parametrize(
    ("judged", "told"),
    [
        ({"verdicts": [{"by": "open", "point": "p", "why": "near"}]}, ["open: “p” (too close to the threshold)"]),
        ({"verdicts": [{"by": "judge", "who": 7, "quotes": [1], "margins": "x"}, 3]}, ["judge –: – to “None”"]),
        ({"verdicts": "x"}, []),
        ([], []),
    ],
)
def test_rows_that_were_sent_may_tell_anything(cli: Cli, run: Path, judged: object, told: list[str]) -> None:
    """What is not there is a dash, and what cannot be read is left out."""
    row: Result = next(iter(RunFolder(run).results()))
    card = structs.replace(row.scorecard, details={"judged": judged})

    assert list(author_lines(structs.replace(row, scorecard=card), "en")) == told


def test_a_case_that_is_not_there_is_named(cli: Cli, run: Path) -> None:
    """Exit code 2."""
    done = cli("report", "one", "--case", "Q99", "--lang", "en")

    assert done.returncode == 2
    assert "Q99" in done.stderr
