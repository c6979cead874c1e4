"""The real command line, as a user types it."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Cli

Write = Callable[..., Path]
ROWS = [
    {"q": "评估指标有哪些？", "gold": ["忠实度指标"], "doc_hint": ["lightrag_evaluation.md"]},
    {"q": "如何降低幻觉？", "gold": ["分块优化"], "doc_hint": ["lightrag_optimization.md"]},
    {"q": "结果为NaN怎么办？", "gold": ["API密钥配置错误", "模型端点错误"], "doc_hint": ["lightrag_faq.md"]},
]
ANSWERS = [
    {"id": "Q1", "output": "LightRAG 的 RAGAS 包含忠实度指标，参考 lightrag\\[_evaluation.md](_evaluation.md)"},
    {"id": "Q2", "output": "可通过分块优化降低幻觉，参考 ragas\\[_install.md](_install.md)"},
    {"id": "Q3", "output": "NaN结果可重启服务解决", "citations": ["lightrag_faq.md"]},
]
CONSOLE = """\
[EVAL] 评测开始，总用例数：3
[EVAL] Q1 - 准确率：√ | 引用率：√
[EVAL] Q2 - 准确率：√ | 引用率：×（引用了错误文档 'ragas_install.md'，预期是 'lightrag_optimization.md'）
[EVAL] Q3 - 准确率：×（未覆盖任何gold关键点，回答为'NaN结果可重启服务解决'） | 引用率：√
[EVAL] 评测完成 - 整体准确率：66.7% | 整体引用率：66.7%

Notes:
1. Q2: 引用了错误的文档 'ragas_install.md'，预期是 'lightrag_optimization.md'。
2. Q3: 未覆盖gold中的任何关键点（预期提及'API密钥配置错误'或'模型端点错误'），仅回答了'NaN结果可重启服务解决'。
3. Q1: 准确率和引用率均符合预期，回答完整覆盖gold关键点且引用了正确文档 'lightrag_evaluation.md'。
"""


def test_r2_3_the_console_is_the_documents(cli: Cli, write_rows: Write) -> None:
    """R2.3: the lines, the closing line and the Notes of the contract's own example."""
    done = cli("score", write_rows("q.jsonl", *ROWS), write_rows("a.jsonl", *ANSWERS))

    assert done.stdout.startswith(CONSOLE)
    assert "\n准确率 66.7%（1 项未定，最高 100.0%）\n" in done.stdout
    assert done.returncode == 0, done.stderr


def test_the_console_speaks_english_too(cli: Cli, write_rows: Write) -> None:
    """--lang chooses the language of the verdicts."""
    done = cli("score", write_rows("q.jsonl", *ROWS), write_rows("a.jsonl", *ANSWERS), "--lang", "en")

    assert "[EVAL] Q2 - accuracy: √ | citation rate: × (cited the wrong document 'ragas_install.md'" in done.stdout
    assert "[EVAL] finished - overall accuracy: 66.7% | overall citation rate: 66.7%" in done.stdout


def test_demo_runs_without_key_or_network(cli: Cli, tmp_path: Path) -> None:
    """The first thing a user types shows lines, Notes, the run folder and the next step."""
    done = cli("demo")

    assert done.returncode == 0, done.stderr
    assert done.stdout.count("[EVAL] Q") == 10
    assert "Notes:" in done.stdout
    assert "ragstone report" in done.stdout
    (folder,) = (tmp_path / "runs").iterdir()
    names = {path.name for path in folder.iterdir()}
    assert names >= {
        "config.json",
        "run_meta.json",
        "dataset_fingerprint.json",
        "model_snapshot.json",
        "answers.jsonl",
        "results.jsonl",
        "summary.csv",
        "summary.json",
        "report.md",
    }


def test_runs_and_report_find_what_was_done(cli: Cli, write_rows: Write) -> None:
    """A run is listed and can be read again in every format."""
    cli("score", write_rows("q.jsonl", *ROWS), write_rows("a.jsonl", *ANSWERS), "--run-id", "first")

    heads, row = cli("runs").stdout.splitlines()
    assert heads.split() == ["run", "status", "cases", "figures", "model", "dataset"]
    assert row.startswith("first  complete      3  accuracy 66.7%  citation 66.7%  a ")
    assert "first  完成     3  准确率 66.7%  引用率 66.7%" in cli("runs", env={"LANG": "zh_CN.UTF-8"}).stdout
    assert json.loads(cli("runs", "--json").stdout)[0]["run_id"] == "first"
    assert "Q2" in cli("report").stdout
    assert (
        "| 准确率 `accuracy` | 66.7%（1 项未定，最高 100.0%） | 3 | 0 |"
        in cli("report", "first", "--format", "markdown").stdout
    )
    assert "tm_accuracy_avg" in cli("report", "first", "--format", "csv").stdout
    assert json.loads(cli("report", "first", "--format", "json").stdout)["finished"] == 3


def test_a_dry_run_is_marked_in_the_list(cli: Cli, write_rows: Write) -> None:
    """Its figures stand there beside those of systems that were asked."""
    cli("run", write_rows("q.jsonl", *ROWS), "--mock", "--run-id", "dry")

    assert cli("runs").stdout.rstrip().endswith("[dry run]")


def test_json_is_all_that_machines_get(cli: Cli, write_rows: Write) -> None:
    """--json prints one JSON value and nothing else."""
    done = cli("score", write_rows("q.jsonl", *ROWS), write_rows("a.jsonl", *ANSWERS), "--json")

    summary = json.loads(done.stdout)
    assert summary["models"]["a"]["all"]["metrics"]["accuracy"]["mean"] == pytest.approx(2 / 3)
    assert done.stderr == ""


def test_a_missing_answer_counts_as_zero_and_is_told(cli: Cli, write_rows: Write) -> None:
    """R0.2: what could not be asked stays in the denominator; the exit code says so."""
    done = cli("score", write_rows("q.jsonl", *ROWS), write_rows("a.jsonl", ANSWERS[0]))

    assert done.returncode == 3
    assert "整体准确率：33.3%" in done.stdout
    assert "失败 2" in done.stdout
    assert "no_answer" in done.stdout


@pytest.mark.parametrize(
    ("content", "needles"),
    [
        (b"", ["no cases"]),
        (b"\n\n", ["no cases"]),
        (b'{"q": "x"', ["bad.jsonl:1", "not valid JSON"]),
        ('{"q": "x", "gold": ["a"], "doc_hint": ["d"]}'.encode("utf-16"), ["UTF-16", "iconv"]),
        (b'{"q": 1, "gold": [], "doc_hint": "x"}', ["bad.jsonl:1", "Q1", "'q'", "'gold'", "'doc_hint'"]),
        (b'{"q": "\xff", "gold": ["a"], "doc_hint": []}', ["bad.jsonl:1", "UTF-8"]),
        (b'{"x": 1}', ["no contract recognises", "x", "--contract"]),
        (b'{"q": "x", "gold": ["a"], "doc_hint": []}\nnull\n[]\n{"q": ""}', ["jsonl:2", "jsonl:3", "jsonl:4"]),
    ],
)
@pytest.mark.parametrize("command", [("check",), ("run", "--mock")])
def test_bad_datasets_are_told_in_full(
    cli: Cli, tmp_path: Path, content: bytes, needles: list[str], command: tuple[str, ...]
) -> None:
    """Every fault is named with its place; nothing is asked; exit code 2; no traceback."""
    (tmp_path / "bad.jsonl").write_bytes(content)

    done = cli(command[0], "bad.jsonl", *command[1:])

    said = done.stdout + done.stderr
    assert done.returncode == 2, said
    assert all(needle in said for needle in needles), said
    assert "Traceback" not in said
    assert not (tmp_path / "runs").exists()


def test_a_fifty_megabyte_line_is_named_not_loaded(cli: Cli, tmp_path: Path) -> None:
    """The line and the limit are told."""
    with (tmp_path / "bad.jsonl").open("wb") as file:
        file.write(b'{"q": "x", "gold": ["a"], "doc_hint": []}\n{"q": "')
        for _ in range(50):
            file.write(b"x" * 1_000_000)
        file.write(b'", "gold": ["a"], "doc_hint": []}\n')

    done = cli("check", "bad.jsonl")

    assert done.returncode == 2
    assert "bad.jsonl:2" in done.stdout
    assert "longer than" in done.stdout


@pytest.mark.parametrize(
    ("words", "needle"),
    [
        (("run", "nothing.jsonl", "--mock"), "no such file"),
        (("run", ".", "--mock", "--contract", "key_points"), "is a folder"),
        (("run", "q.jsonl"), "--system"),
        (("run", "q.jsonl", "-s", "builtin:nowhere"), "nowhere"),
        (("run", "q.jsonl", "-s", "unknown:x"), "builtin"),
        (("run", "q.jsonl", "-s", "unknown"), "KIND:ARGUMENT"),
        (("run", "q.jsonl", "-s", "python:no_such_module:x"), "no_such_module"),
        (("run", "q.jsonl", "-s", "python:json:nothing"), "nothing"),
        (("run", "q.jsonl", "--mock", "--contract", "nope"), "key_points"),
        (("run", "q.jsonl", "--mock", "--documents", "nowhere"), "nowhere"),
        (("run", "q.jsonl", "--mock", "-o", "x"), "NAME=VALUE"),
        (("run", "q.jsonl", "--mock", "--lang", "fr"), "language"),
        (("run", "q.jsonl", "--nonsense"), "nonsense"),
        (("resume", "nothing"), "no such run"),
        (("resume", "."), "not a run folder"),
        (("report", "nothing"), "no such run"),
        (("score", "q.jsonl", "nothing.jsonl"), "no such file"),
    ],
)
def test_what_the_user_must_fix_has_a_message_and_exit_code_2(
    cli: Cli, write_rows: Write, words: tuple[str, ...], needle: str
) -> None:
    """What, where, what is allowed, what to do; never a traceback."""
    write_rows("q.jsonl", *ROWS)

    done = cli(*words)

    assert done.returncode == 2, done.stdout + done.stderr
    assert needle in done.stderr
    assert "Traceback" not in done.stderr


BROKEN = """
import time
def raises(q): raise ValueError("boom " + q)
def nothing(q): return None
def hangs(q): time.sleep(3600)
async def number(q): return 42
"""


@pytest.mark.parametrize(
    ("name", "needle"), [("raises", "boom"), ("nothing", "NoneType"), ("hangs", "timeout"), ("number", "int")]
)
def test_a_broken_callable_fails_its_cases_not_the_run(
    cli: Cli, write_rows: Write, tmp_path: Path, name: str, needle: str
) -> None:
    """A callable that raises, returns None or never returns; all cases are accounted for."""
    (tmp_path / "my_rag.py").write_text(BROKEN)

    patience = "0.3" if name == "hangs" else "30"

    done = cli("run", write_rows("q.jsonl", *ROWS), "-s", f"python:my_rag:{name}", "--timeout", patience, seconds=60)

    assert done.returncode == 3
    assert needle in done.stdout
    assert "评测完成 - –（未测得）" in done.stdout and "0.0%" not in done.stdout
    assert "失败 3" in done.stdout
    assert "--retry-failed" in done.stdout


def test_retry_failed_asks_only_what_failed(cli: Cli, write_rows: Write, tmp_path: Path) -> None:
    """What was answered is not asked again."""
    (tmp_path / "my_rag.py").write_text(
        "import pathlib\n"
        "def answer(q):\n"
        "    with open('asked.txt', 'a') as f: f.write(q + '\\n')\n"
        "    if 'NaN' in q and not pathlib.Path('fixed').exists(): raise RuntimeError('down')\n"
        "    return '忠实度指标 分块优化 API密钥配置错误 lightrag_evaluation.md'\\\n"
        "        ' lightrag_optimization.md lightrag_faq.md'\n"
    )
    assert cli("run", write_rows("q.jsonl", *ROWS), "-s", "python:my_rag:answer", "--run-id", "r").returncode == 3
    (tmp_path / "fixed").touch()

    done = cli("resume", "r", "--retry-failed")

    assert done.returncode == 0, done.stdout + done.stderr
    assert "整体准确率：100.0%" in done.stdout
    assert len((tmp_path / "asked.txt").read_text().splitlines()) == 4


def test_a_complete_run_is_not_told_again(cli: Cli, write_rows: Write) -> None:
    """Resuming what is complete says so in one line."""
    cli("score", write_rows("q.jsonl", *ROWS), write_rows("a.jsonl", *ANSWERS), "--run-id", "r")

    done = cli("resume", "r", "--system", "replay:a.jsonl")

    assert (done.returncode, done.stdout.count("\n"), done.stderr) == (0, 1, "")
    assert "r 已完成：3 个回答齐全，没有提问。" in done.stdout


def test_an_english_reader_is_told_what_to_do_next_in_english(
    cli: Cli, write_rows: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Verdicts are in the dataset's language; what is said about the run is in the reader's."""
    monkeypatch.setenv("LANG", "en_US.UTF-8")
    files = write_rows("q.jsonl", *ROWS), write_rows("a.jsonl", *ANSWERS)

    done, again = cli("score", *files, "--run-id", "r"), cli("resume", "r", "--system", "replay:a.jsonl")

    assert "整体准确率" in done.stdout and "Run folder: runs/r\nRead it again: " in done.stdout
    assert again.stdout.startswith("r is complete: 3 answers are there")


def test_a_run_looked_for_in_the_wrong_folder(cli: Cli) -> None:
    """Where there are no runs at all, one stands in the wrong folder."""
    done = cli("report", "latest")

    assert done.returncode == 2 and "Change to the folder the run was made in" in done.stderr


def test_the_example_follows_the_language(cli: Cli) -> None:
    """English where English is asked for, or the C locale of a container."""
    for lang, line in (
        ("en_US.UTF-8", "started, cases: 8"),
        ("C.UTF-8", "started, cases: 8"),
        ("POSIX", "started, cases: 8"),
        ("zh_CN.UTF-8", "总用例数：10"),
    ):
        assert line in cli("demo", env={"LANG": lang}).stdout


def test_a_changed_dataset_is_not_resumed(cli: Cli, write_rows: Write) -> None:
    """Answers of one dataset are not mixed with questions of another."""
    cli("score", write_rows("q.jsonl", *ROWS), write_rows("a.jsonl", *ANSWERS), "--run-id", "r")
    write_rows("q.jsonl", *ROWS[:2])

    done = cli("resume", "r")

    assert done.returncode == 2
    assert "has changed" in done.stderr


def test_hostile_answers_reach_no_reader_alive(cli: Cli, write_rows: Write, tmp_path: Path) -> None:
    """No escape, tag or formula of an answer reaches the terminal, report.md or summary.csv."""
    hostile = "\x1b[2J<script>alert(1)</script> ![x](http://evil/x.png) =1+1 \u202e\x00"

    done = cli(
        "score", write_rows("q.jsonl", ROWS[0]), write_rows("a.jsonl", {"id": "Q1", "output": hostile}), "--run-id", "r"
    )

    folder = tmp_path / "runs" / "r"
    report = (folder / "report.md").read_text(encoding="utf-8")
    for text in (done.stdout, report, (folder / "summary.csv").read_text(encoding="utf-8")):
        assert not re.search("[\x1b\x00\u202e]", text)
    assert "<script>" not in report
    assert "](http" not in report
    row = json.loads((folder / "results.jsonl").read_text(encoding="utf-8"))
    assert row["output_text"] == hostile


def test_private_numbers_can_be_hidden_from_readers(cli: Cli, write_rows: Write, tmp_path: Path) -> None:
    """--mask-private hides phones and accounts in lines and reports; the rows keep what was said."""
    answer = {"id": "Q1", "output": "他的电话是13800001234，账号6222020000000000123。"}

    done = cli(
        "score", write_rows("q.jsonl", ROWS[0]), write_rows("a.jsonl", answer), "--run-id", "r", "--mask-private"
    )

    folder = tmp_path / "runs" / "r"
    assert "13800001234" not in done.stdout + (folder / "report.md").read_text(encoding="utf-8")
    assert "13800001234" in (folder / "results.jsonl").read_text(encoding="utf-8")


def test_help_is_bilingual(cli: Cli) -> None:
    """The list of commands is shown in the user's language."""
    assert "Commands" in cli("--help").stdout
    assert "命令" in cli("--help", env={"LANG": "zh_CN.UTF-8"}).stdout
    for command in ("demo", "check", "run", "score", "resume", "runs", "report", "new", "completion"):
        assert cli(command, "--help").returncode == 0


def test_errors_are_bilingual(cli: Cli) -> None:
    """A message follows the locale."""
    assert "文件或文件夹不存在" in cli("check", "x.jsonl", env={"LANG": "zh_CN.UTF-8"}).stderr


def test_check_finds_duplicates_and_missing_documents(cli: Cli, write_rows: Write, tmp_path: Path) -> None:
    """Before a call is spent: the effective n, documents that are not there, cases that ask for no citation."""
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "lightrag_faq.md").write_text("x")
    path = write_rows("q.jsonl", ROWS[2], ROWS[2] | {"q": "結果為NaN怎麼辦？"}, ROWS[0] | {"doc_hint": []}, ROWS[1])

    done = cli("check", path, "--documents", "docs")

    assert done.returncode == 0
    assert "4 cases, 3 distinct questions" in done.stdout
    assert "same as that of case Q1" in done.stdout
    assert "lightrag_optimization.md" in done.stdout
    assert "doc_hint is empty" in done.stdout


def test_own_ids_name_the_cases(cli: Cli, tmp_path: Path) -> None:
    """A column of ids is used; one that stands twice is refused."""
    lines = ["id,q,gold,doc_hint", *(f'x1,{q},"[""b""]","[""c.md""]"' for q in "ad")]
    (tmp_path / "d.csv").write_text("\n".join(lines), encoding="utf-8")

    done = cli("check", "d.csv")

    assert done.returncode == 2 and "id 'x1' is used more than once" in done.stdout


def test_ids_that_are_the_cases_names_are_fine(cli: Cli, write_rows: Write) -> None:
    """Q1, Q2, … in file order are what the cases are called anyhow."""
    rows = [row | {"id": f"Q{n}"} for n, row in enumerate(ROWS, 1)]

    assert "0 warnings" in cli("check", write_rows("q.jsonl", *rows)).stdout


def test_new_writes_files_that_run(cli: Cli, tmp_path: Path) -> None:
    """Starter files work as they are, and existing files are left alone."""
    assert cli("new", "key_points", "mine").returncode == 0

    assert cli("run", "mine/questions.jsonl", "-s", "builtin:mine/documents").returncode == 0
    assert cli("new", "key_points", "mine").returncode == 2


def test_completion_prints_a_script(cli: Cli) -> None:
    """Shell completion is built in."""
    assert "_RAGSTONE_COMPLETE" in cli("completion", "bash").stdout


def test_ten_thousand_notes_are_not_printed(cli: Cli, write_rows: Write) -> None:
    """A long run prints a closing line and some Notes, and says where the rest is."""
    rows = [ROWS[2]] * 1200
    answers = [{"id": f"Q{n}", "output": "x"} for n in range(1, 1201)]

    done = cli("score", write_rows("q.jsonl", *rows), write_rows("a.jsonl", *answers))

    assert len(done.stdout.splitlines()) < 60
    assert "1180" in done.stdout


def test_a_run_id_that_leads_elsewhere_is_refused(cli: Cli, write_rows: Write, tmp_path: Path) -> None:
    """The run stays in the runs folder; nothing is asked."""
    done = cli("run", write_rows("q.jsonl", *ROWS), "--mock", "--run-id", "../../x")

    assert done.returncode == 2
    assert "--runs-dir" in done.stderr
    assert not (tmp_path.parent / "x").exists()


def test_import_and_rescore_onto_a_folder_name_their_own_flag(cli: Cli, write_rows: Write) -> None:
    """Neither has --run-id, so neither speaks of it."""
    cli("run", write_rows("q.jsonl", *ROWS), "--mock", "--run-id", "one")
    done = cli("rescore", "one", "--out", "runs/one")

    assert done.returncode == 2
    assert "another --out" in done.stderr
    assert "--run-id" not in done.stderr


def test_failed_cases_are_seen_in_the_list(cli: Cli, write_rows: Write) -> None:
    """A run whose cases could not be asked is not mistaken for a poor one; a misspelt rule is told the nearest."""
    cli("score", write_rows("q.jsonl", *ROWS), write_rows("a.jsonl", *ANSWERS[:1]), "--run-id", "r")

    assert cli("runs").stdout.rstrip().endswith("[2 failed]")
    assert "Did you mean 'accuracy'?" in cli("gate", "r", "-r", "acuracy >= 0.5").stderr


def test_several_models_stand_below_each_other(cli: Cli, write_rows: Write) -> None:
    """After a run of two systems, and when it is read again: a line a model, headed."""
    write_rows("q.jsonl", *ROWS)
    write_rows("a.jsonl", *ANSWERS)
    write_rows("b.jsonl", *ANSWERS)

    ran = cli("run", "q.jsonl", "-s", "replay:a.jsonl", "-s", "replay:b.jsonl", "--run-id", "two", "--lang", "en")

    for shown in (ran.stdout, cli("report", "two", "--lang", "en").stdout):
        lines = shown.splitlines()
        at = next(n for n, line in enumerate(lines) if line.startswith("model "))
        assert lines[at].split() == ["model", "cases", "passed", "accuracy", "citation", "rate"]
        assert [line.split()[0] for line in lines[at + 1 : at + 3]] == ["a", "b"]
