"""Files that settings and commands name: read before anybody is asked, told by name, and kept by no run."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Cli
from tests.judging.bench import ANSWERS, ROWS, by_chances, judging
from tests.loopback import Loopback

Write = Callable[..., Path]


@pytest.fixture
def asked(cli: Cli, write_rows: Write) -> tuple[Path, Path]:
    """A dataset and recorded answers to it, scored as the run `one`."""
    questions, answers = write_rows("q.jsonl", *ROWS), write_rows("a.jsonl", *ANSWERS)
    assert cli("score", questions, answers, "--run-id", "one", "-q").returncode == 0
    return questions, answers


def _settings(server: Loopback, **more: str) -> None:
    lines = ["[judge]", 'judge = "chat:m"', *(f'{name} = "{value}"' for name, value in more.items())]
    lines += ["[judge.options]", f'base_url = "{server.url}/v1"', "max_retries = 0"]
    Path("ragstone.toml").write_text("\n".join(lines) + "\n", encoding="utf-8")


@pytest.mark.parametrize(
    ("name", "content"),
    [("labels", "no label\n"), ("labels", None), ("certificate", "{}}")],
    ids=["no_labels", "absent", "no_certificate"],
)
def test_a_wrong_file_in_the_settings_costs_no_call(
    cli: Cli, asked: tuple[Path, Path], name: str, content: str | None
) -> None:
    """No run is begun, nobody is asked; it is told which file it is."""
    if content:
        Path("named.jsonl").write_text(content, encoding="utf-8")
    questions, _ = asked
    with judging(by_chances()) as server:
        _settings(server, **{name: "named.jsonl"})
        words = ("-s", "chat:s", "-O", f"base_url={server.url}/v1", "--run-id", "two", "--judge")
        done = [
            cli("run", questions, *words),
            cli("judge", "one"),
            cli("run", questions, *words, "--gate-on", questions, "--gate-rule", "accuracy >= 0.1"),
            *([cli("judge", "one", "--probe")] if name == "certificate" else []),
        ]
        assert server.calls == 0

    assert [one.returncode for one in done] == [2] * len(done)
    assert all("named.jsonl" in one.stderr for one in done), [one.stderr for one in done]
    assert not Path("runs/two").exists()


def test_what_the_settings_name_does_not_stick_to_a_run(cli: Cli, asked: tuple[Path, Path]) -> None:
    """Labels that moved are looked for where the settings say today."""
    label = {"case": "Q4", "point": "周日照常营业", "answer_text": ANSWERS[3]["output"], "verdict": "absent"}
    Path("people.jsonl").write_text(json.dumps(label) + "\n", encoding="utf-8")
    with judging(by_chances()) as server:
        _settings(server, labels="people.jsonl", certificate="certs/m.json")
        first = cli("judge", "one")
        Path("people.jsonl").unlink()
        _settings(server)
        again = cli("judge", "one")

    assert (first.returncode, again.returncode) == (0, 0), first.stderr + again.stderr
    order = json.loads(Path("runs/one/run_meta.json").read_text(encoding="utf-8"))["judge_order"]
    assert "labels" not in order and "certificate" not in order


def _labels() -> None:
    rows = [(f"第{n}号展厅有灯", f"第{n}间屋里亮着", n % 2) for n in range(40)]
    lines = [
        json.dumps({"case": f"C{n}", "point": point, "answer_text": text, "verdict": "stated" if yes else "absent"})
        for n, (point, text, yes) in enumerate(rows)
    ]
    Path("l.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")


def test_a_certificate_makes_its_folder(cli: Cli) -> None:
    """By the flag or by the settings."""
    _labels()
    with judging(by_chances(lambda *_: True)) as server:
        _settings(server, certificate="certs/of/m.json")
        for words in ((), ("--out", "other/x.json")):
            done = cli("certify", "l.jsonl", "--probes", "1", *words)
            assert done.returncode == 0, done.stderr

    assert Path("certs/of/m.json").is_file() and Path("other/x.json").is_file()


def test_a_certificate_that_cannot_be_written_costs_no_call(cli: Cli) -> None:
    """A folder of its name, or a file where its folder should be."""
    _labels()
    Path("taken").mkdir()
    Path("file").write_text("", encoding="utf-8")
    with judging(by_chances(lambda *_: True)) as server:
        _settings(server)
        done = [cli("certify", "l.jsonl", "--out", place) for place in ("taken", "file/x.json")]
        assert server.calls == 0

    assert [one.returncode for one in done] == [2, 2]
    assert all("cannot be written" in one.stderr for one in done)


def test_labels_that_do_not_exist_are_called_so(cli: Cli, asked: tuple[Path, Path]) -> None:
    """Exporting none, and exporting into a folder that does not exist: no traceback, and the right reason."""
    none = cli("labels", "export", "x.csv")
    Path("runs/labels.jsonl").write_text("", encoding="utf-8")
    nowhere = cli("labels", "export", "nodir/x.csv")

    assert (none.returncode, nowhere.returncode) == (2, 2)
    assert "labels.jsonl does not exist" in none.stderr and "not a label" not in none.stderr
    assert "nodir/x.csv: cannot be written" in nowhere.stderr


@pytest.mark.parametrize(("rows", "line"), [(['A,p,"x\ny",stated'], 4), ([], 2)], ids=["after_two_lines", "first"])
def test_a_fault_in_a_table_is_told_by_its_line(cli: Cli, asked: tuple[Path, Path], rows: list[str], line: int) -> None:
    """As an editor counts them, the head and cells of several lines among them."""
    table = ["case,point,answer_text,verdict", *rows, "A,p,x,perhaps"]
    Path("bad.csv").write_text("\n".join(table) + "\n", encoding="utf-8")
    done = cli("labels", "import", "bad.csv")

    assert done.returncode == 2
    assert f"bad.csv:{line}:" in done.stderr


def test_a_run_inside_its_dataset_folder_changes_no_dataset(cli: Cli) -> None:
    """Judging it, verifying it and going on with it find the dataset as it was, whatever Ragstone wrote beside it."""
    rows = [
        {"id": "f1", "type": "fact_exact", "question": "何时动工？", "expected": {"text_answer": "三月动工"}},
        {"id": "g1", "type": "conflict_gap", "question": "电话是多少？", "expected": {"should_abstain": True}},
    ]
    told = {
        "benchmark_type": "fact_exact",
        "document": "t.md",
        "questions": [{**r, "required_evidence": []} for r in rows],
    }
    Path("questions").mkdir()
    Path("questions/q.json").write_text(json.dumps(told, ensure_ascii=False), encoding="utf-8")
    said = [{"id": "f1", "output": "开春以后才动手。"}, {"id": "g1", "output": "没见谁写下过。"}]
    Path("answers").mkdir()
    Path("answers/a.jsonl").write_text("\n".join(json.dumps(one, ensure_ascii=False) for one in said), encoding="utf-8")
    scored = cli("score", ".", "answers/a.jsonl", "--run-id", "one", "-q")
    with judging(by_chances(lambda point, answer: True)) as server:
        judged = cli("judge", "one", "--judge", "chat:m", "-J", f"base_url={server.url}/v1")
    drawn = cli("judge", "one", "--draw", "2")
    after = [cli("verify", "one"), cli("judge", "one", "--people", "--labels", "to-label.csv"), cli("verify", "one")]

    assert scored.returncode == 0, scored.stderr
    assert judged.returncode == 0, judged.stderr
    assert drawn.returncode == 0 and Path("to-label.csv").exists()
    assert [done.returncode for done in after] == [0, 0, 0], [done.stdout + done.stderr for done in after]


def test_a_run_is_judged_from_any_folder(
    cli: Cli, asked: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its dataset lies beside the runs; where it does not, both places are named."""
    elsewhere, runs = tmp_path / "elsewhere", ("--runs-dir", str(tmp_path / "runs"))
    elsewhere.mkdir()
    labels = [
        {"case": f"Q{n}", "point": f"p{n}", "answer_text": f"a{n}", "verdict": "yes" if n % 2 else "no"}
        for n in range(30)
    ]
    (elsewhere / "people.jsonl").write_text("\n".join(map(json.dumps, labels)), encoding="utf-8")
    cli("score", "q.jsonl", "a.jsonl", "--run-id", "near", "-q")
    monkeypatch.chdir(elsewhere)
    with judging(by_chances()) as server:
        where = ("--judge", "chat:m", "-J", f"base_url={server.url}/v1")
        done = cli("judge", "near", *where, *runs)
        certified = cli("certify", "people.jsonl", *where, "--run", "near", *runs)
    again = [cli("rescore", "near", *runs, "--out", "two"), cli("verify", "near", *runs)]
    asked[0].unlink()
    lost = cli("judge", "near", "--people", "--labels", "people.jsonl", *runs)

    assert done.returncode == 0, done.stderr
    assert "no such file" not in certified.stderr
    assert [one.returncode for one in again] == [0, 0], [one.stderr + one.stdout for one in again]
    assert lost.returncode == 2
    assert str(elsewhere) in lost.stderr and f"beside the runs in {tmp_path}" in lost.stderr
