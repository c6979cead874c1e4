"""compare, gate, verify and rescore as a user types them."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

import ragstone
from tests.conftest import Cli
from tests.runs.stopped import leave

Write = Callable[..., Path]
CONTRACT = Path(ragstone.__file__).parent / "data" / "new" / "contract" / "my_contract.py"
ROWS = [{"id": f"c{i}", "question": f"问题{i}？", "expected": f"答案{i}"} for i in range(30)]


@pytest.fixture
def cli(process: Cli) -> Cli:
    """The command line in a process of its own: a scorer that changes on disk is imported anew."""
    return process


@pytest.fixture
def score(cli: Cli, write_rows: Write, tmp_path: Path) -> Callable[..., None]:
    """Score recorded answers with a plug-in contract that lies beside them."""
    (tmp_path / "my_contract.py").write_bytes(CONTRACT.read_bytes())
    write_rows("q.jsonl", *ROWS)

    def run(name: str, wrong: int) -> None:
        answers = [{"id": row["id"], "output": "错" if i < wrong else row["expected"]} for i, row in enumerate(ROWS)]
        path = write_rows(f"{name}.jsonl", *answers)
        done = cli("score", "q.jsonl", path, "--contract", "my_contract:SameText", "--run-id", name, "-q")
        assert done.returncode == 0, done.stderr

    return run


def test_two_runs_are_compared(cli: Cli, score: Callable[..., None]) -> None:
    """Lines for people, one JSON value for machines, a file for a merge request."""
    score("a", 3)
    score("b", 12)

    done = cli("compare", "a", "b", "--markdown", "c.md")

    assert done.returncode == 0, done.stderr
    assert re.search(r"^  same +0\.9 +0\.6 +-0\.3 ", done.stdout, re.MULTILINE)
    assert done.stdout.splitlines()[-1].startswith("[COMPARE] B b is worse on 9 cases, better on 0; the drop in ")
    assert "9 passed and now fail" in done.stdout
    assert "the answer changed 9" in done.stdout
    assert Path("c.md").read_text(encoding="utf-8").startswith("## Comparison: a → b")
    found = json.loads(cli("compare", "a", "b", "--json").stdout)
    assert (found["broken"], found["causes"]) == (9, {"answer": 9})


def test_a_gate_passes_fails_or_is_not_measured(cli: Cli, score: Callable[..., None]) -> None:
    """Exit codes 0, 1 and 3; 2 is the user's to fix."""
    score("a", 0)
    score("b", 2)

    assert cli("gate", "a", "-r", "same >= 0.9").returncode == 0
    assert cli("gate", "b", "-r", "same >= 0.99").returncode == 1
    assert cli("gate", "b", "--baseline", "a").returncode == 3
    assert cli("gate", "b", "--baseline", "a", "--unsure", "fail").returncode == 1
    score("c", 2)
    assert cli("gate", "c", "--baseline", "b").returncode == 0
    misspelt = cli("gate", "a", "-r", "sane >= 0.9")
    assert misspelt.returncode == 2
    assert "'same'" in misspelt.stderr
    assert cli("gate", "a").returncode == 2
    assert cli("gate", "a", "-r", "same >= 0.9", "--junit", "no/such/folder.xml").returncode == 2


def test_a_gate_writes_what_a_build_server_reads(cli: Cli, score: Callable[..., None], tmp_path: Path) -> None:
    """JUnit XML, Markdown, annotations and the step summary, in the language asked for."""
    score("a", 0)
    score("b", 15)
    (tmp_path / "gate.yaml").write_text("rules:\n  - drop(same) <= 2%\n", encoding="utf-8")
    files = ("--file", "gate.yaml", "--junit", "j.xml", "--markdown", "m.md", "--github")

    done = cli("gate", "b", "-b", "a", *files, "--lang", "zh-Hans", env={"GITHUB_STEP_SUMMARY": str(tmp_path / "s.md")})

    assert done.returncode == 1, done.stderr
    assert "决定规则：drop(same) <= 0.02" in done.stdout
    assert "::error title=drop(same) <= 0.02 @b::same 由 1 到 0.5" in done.stderr
    assert "<failure" in (tmp_path / "j.xml").read_text(encoding="utf-8")
    assert (tmp_path / "m.md").read_text(encoding="utf-8") == (tmp_path / "s.md").read_text(encoding="utf-8")
    assert json.loads((tmp_path / "runs" / "b" / "gate.json").read_text())["outcome"] == "FAIL"


def test_a_gate_speaks_json(cli: Cli, score: Callable[..., None]) -> None:
    """One value, nothing else."""
    score("a", 0)

    found = json.loads(cli("gate", "a", "-r", "same >= 0.9", "--json").stdout)

    assert found["outcome"] == "PASS"
    assert found["rulings"][-1]["params"]["value"] == 1.0


def test_verify_names_what_drifted(cli: Cli, score: Callable[..., None], tmp_path: Path) -> None:
    """Identical, then one changed byte of the scorer's own file, then no dataset at all."""
    score("a", 3)

    assert cli("verify", "a").returncode == 0
    scorer = tmp_path / "my_contract.py"
    scorer.write_text(scorer.read_text().replace("bool(reading.text.strip())", "bool(reading.text.strip()) or True"))
    drifted = cli("verify", "a")
    assert drifted.returncode == 1
    assert "scorer has changed" in drifted.stdout
    assert "'contract'" in drifted.stdout
    assert json.loads(cli("verify", "a", "--json").stdout)["status"] == "drift"
    scorer.write_bytes(CONTRACT.read_bytes())
    (tmp_path / "q.jsonl").unlink()
    assert cli("verify", "a").returncode == 2


def test_rescore_makes_a_linked_run(cli: Cli, score: Callable[..., None], tmp_path: Path) -> None:
    """The scorer now lets everything pass: the old run is kept, what moved is told with its cause."""
    score("a", 3)
    scorer = tmp_path / "my_contract.py"
    scorer.write_text(scorer.read_text().replace("== bare(str(case.gold))", "is not None"))

    done = cli("rescore", "a")

    assert done.returncode == 0, done.stderr
    assert "3 failed and now pass" in done.stdout
    assert "the scorer changed 3" in done.stdout
    assert "a-rescored-1" in done.stdout
    meta = json.loads((tmp_path / "runs" / "a-rescored-1" / "run_meta.json").read_text())
    assert meta["rescored_from"]["run_id"] == "a"
    again = json.loads(cli("rescore", "a", "--out", "elsewhere/x", "--json").stdout)
    assert again["summary"]["models"]["a"]["all"]["passed"] == 30
    assert cli("gate", "a", "-r", "same >= 0.1").returncode == 3


def test_help_is_bilingual(cli: Cli) -> None:
    """Each command explains itself in both languages."""
    for command, word in (("compare", "比较"), ("gate", "判断"), ("verify", "哈希"), ("rescore", "重新评分")):
        assert cli(command, "--help").returncode == 0
        assert word in cli(command, "--help", env={"LANG": "zh_CN.UTF-8"}).stdout


def test_parts_are_run_and_merged_from_the_command_line(cli: Cli, tmp_path: Path) -> None:
    """What `run --shard` leaves behind, `merge` joins; the same folder twice and a bad part are refused."""
    rows = "".join(json.dumps({"q": f"问{n}", "gold": [f"点{n}"], "doc_hint": []}) + "\n" for n in range(5))
    (tmp_path / "q.jsonl").write_text(rows, encoding="utf-8")
    said = "".join(json.dumps({"id": f"Q{n + 1}", "output": f"点{n}"}) + "\n" for n in range(5))
    (tmp_path / "a.jsonl").write_text(said, encoding="utf-8")
    run = ("run", "q.jsonl", "--system", "replay:a.jsonl")
    made = [cli(*run, "--shard", f"{i}/2", "--run-id", f"p{i}") for i in (1, 2)]
    whole = cli("merge", "p1", "p2", "--out", "runs/whole", "--json")

    assert [done.returncode for done in made] == [0, 0], made[0].stderr
    assert whole.returncode == 0, whole.stderr
    assert json.loads(whole.stdout)["summary"]["finished"] == 5
    assert cli("gate", "p1", "-r", "accuracy >= 0").returncode == 3
    assert cli("gate", "whole", "-r", "accuracy >= 0").returncode == 0
    assert "[shard 1/2]" in cli("runs").stdout
    assert cli("merge", "p1", "p1", "--out", "runs/x").returncode == 2
    assert cli("merge", "p1", "--out", "runs/y", "--partial").returncode == 3
    assert cli("run", "q.jsonl", "--mock", "--shard", "0/0").returncode == 2
    assert cli("run", "q.jsonl", "--mock", "--shard", "1/2", "--gate-on", "q.jsonl").returncode == 2


def test_engines_are_named_on_the_command_line(cli: Cli, tmp_path: Path) -> None:
    """`--workers` and `--engine` come to the same as neither; what nobody knows is refused."""
    rows = "".join(json.dumps({"q": f"问{n}", "gold": [f"点{n}"], "doc_hint": []}) + "\n" for n in range(5))
    (tmp_path / "q.jsonl").write_text(rows, encoding="utf-8")
    (tmp_path / "a.jsonl").write_text('{"id": "Q1", "output": "点0"}\n', encoding="utf-8")
    first = cli("score", "q.jsonl", "a.jsonl", "--run-id", "r", "--runs-dir", "one")
    second = cli("score", "q.jsonl", "a.jsonl", "--run-id", "r", "--runs-dir", "two", "--workers", "2")

    assert (first.returncode, second.returncode) == (3, 3), second.stderr
    assert second.stdout.replace("two", "one") == first.stdout
    assert (tmp_path / "one/r/results.jsonl").read_bytes() == (tmp_path / "two/r/results.jsonl").read_bytes()
    assert cli("verify", "two/r", "--engine", "inproc").returncode == 0
    assert cli("rescore", "two/r", "--workers", "auto", "--json").returncode == 0
    assert cli("verify", "two/r", "--engine", "magic").returncode == 2
    assert cli("verify", "two/r", "--engine", "inproc", "--workers", "2").returncode == 2


def test_all_commands_tell_one_story_of_an_interrupted_run(cli: Cli, score: Callable[..., None]) -> None:
    """What kill -9 leaves behind: interrupted, so many answers kept, resume."""
    score("a", 3)
    score("b", 3)
    folder = Path("runs") / "b"
    leave(folder)
    (folder / "summary.json").unlink()
    for name in ("answers.jsonl", "results.jsonl"):
        lines = (folder / name).read_bytes().splitlines(keepends=True)
        (folder / name).write_bytes(b"".join(lines[:12]))

    told = [cli(*words) for words in (["report", "b"], ["compare", "a", "b"], ["verify", "b"])]
    gated = cli("gate", "b", "-r", "same >= 0")

    assert re.search(r"interrupted +– +12 of 30 answers kept", cli("runs").stdout)
    assert [done.returncode for done in (*told, gated)] == [2, 2, 3, 3]
    for done in told:
        assert "interrupted; 12 of 30 answers are kept" in done.stdout + done.stderr
        assert "ragstone resume" in done.stdout + done.stderr
    assert "12 of 30 answers; continue it with: " in gated.stdout and "ragstone resume\n" in gated.stdout


def test_a_finished_run_with_a_damaged_summary_is_not_unfinished(cli: Cli, score: Callable[..., None]) -> None:
    """The way out is named, and it works."""
    score("a", 3)
    (Path("runs") / "a" / "summary.json").write_text('{"run_id": 3}')

    assert cli("runs").returncode == 0
    told = [cli("report", "a"), cli("gate", "a", "-r", "same >= 0")]

    assert [done.returncode for done in told] == [2, 2]
    assert all("ragstone rescore" in done.stderr for done in told)
    assert cli("rescore", "a").returncode == 0


def test_an_altered_run_is_marked(cli: Cli, score: Callable[..., None], tmp_path: Path) -> None:
    """`runs` and `report` say so, `gate` measures nothing and names the file."""
    score("a", 0)
    path = tmp_path / "runs" / "a" / "summary.json"
    path.write_text(path.read_text(encoding="utf-8").replace('"pass_rate"', ' "pass_rate"', 1), encoding="utf-8")

    gate, shown = cli("gate", "a", "-r", "same >= 0"), cli("report", "a", "--lang", "en")

    assert (gate.returncode, "summary.json" in gate.stdout) == (3, True)
    assert "summary.json changed after the run had ended" in shown.stderr.replace("'", "")
    assert "[altered: summary.json]" in cli("runs").stdout


def test_a_run_is_no_baseline_of_itself(cli: Cli, score: Callable[..., None]) -> None:
    """A mistyped baseline may be the beginning of the run's own name."""
    score("k2", 0)

    for words in (("gate", "k2", "--baseline", "k"), ("compare", "k", "k2"), ("gate", "k2", "-b", "runs/k2")):
        done = cli(*words)
        assert (done.returncode, done.stdout) == (2, "")
        assert "a run cannot be compared with itself" in done.stderr


def test_every_output_of_a_gate_names_the_baseline(cli: Cli, score: Callable[..., None]) -> None:
    """The one that was found, not what was typed: terminal, JSON, Markdown, JUnit, annotations."""
    score("firstrun", 0)
    score("second", 0)

    done = cli("gate", "second", "-b", "first", "--junit", "j.xml", "--markdown", "m.md", "--github")

    assert "[GATE] run second, baseline firstrun" in done.stdout
    assert "baseline firstrun" in done.stderr
    assert "run second, baseline firstrun" in Path("m.md").read_text(encoding="utf-8")
    assert '<property name="baseline" value="firstrun"/>' in Path("j.xml").read_text(encoding="utf-8")
    assert json.loads(cli("gate", "second", "-b", "first", "--json").stdout)["baseline"] == "firstrun"
    Path("g.yaml").write_text("baseline: first\n", encoding="utf-8")
    assert json.loads(cli("gate", "second", "--file", "g.yaml", "--json").stdout)["baseline"] == "firstrun"


def test_a_verdict_needs_no_place_to_be_kept(cli: Cli, score: Callable[..., None]) -> None:
    """A folder that cannot be written to gives its verdict and exit code, and a warning."""
    score("a", 3)
    Path("runs/a/gate.json").mkdir()

    failed, passed = (cli("gate", "a", "-r", f"same >= {limit}") for limit in (0.95, 0.5))

    assert (failed.returncode, passed.returncode) == (1, 0)
    assert "decided by: same >= 0.95" in failed.stdout
    assert "warning: runs/a: the verdict stands, but gate.json could not be written" in failed.stderr


@pytest.mark.parametrize("where", ["no/such/s.md", "s" * 300])
def test_a_verdict_is_said_before_it_is_written(cli: Cli, score: Callable[..., None], where: str) -> None:
    """A file that cannot be written is the user's to fix; what was decided is known by then."""
    score("a", 0)

    for done in (
        cli("gate", "a", "-r", "same >= 0.9", "--junit", where),
        cli("gate", "a", "-r", "same >= 0.9", "--github", env={"GITHUB_STEP_SUMMARY": where}),
    ):
        assert done.returncode == 2
        assert "every rule is met" in done.stdout
        assert "cannot be written" in done.stderr


def test_contract_4_brings_its_own_gate(cli: Cli) -> None:
    """Section 5 by its own names, without a rule and as rules; a dry run meets it, and is not measured all the same."""
    data = CONTRACT.parents[2] / "eval_json_v2" / "question_v2_gate.json"
    assert cli("run", data, "--mock", "--run-id", "v2", "-q").returncode == 0

    done = cli("gate", "v2")

    assert done.returncode == 3, done.stderr
    assert "a dry run (--mock)" in done.stdout
    assert "those of the contract eval_json_v2 hold: eval_score_avg >= 95, schema_pass_rate >= 0.98" in done.stdout
    assert "eval_score_avg is 100" in done.stdout
    ruled = cli("gate", "v2", "-r", "eval_score_avg >= 95", "-r", "schema_pass_rate >= 98%").stdout
    assert "PASS  eval_score_avg >= 95" in ruled
    assert "PASS  schema_pass_rate >= 0.98" in ruled
    assert "eval_score_avg" in cli("gate", "v2", "-r", "foo >= 1").stderr


def test_a_comparison_is_punctuated_in_its_language(cli: Cli, score: Callable[..., None]) -> None:
    """Full-width marks between what is said in Chinese."""
    score("a", 0)
    score("b", 3)

    lines = cli("compare", "a", "b", "--lang", "zh-Hans").stdout.splitlines()

    changed = next(line for line in lines if "通过→失败" in line)
    assert "，通过→失败，" in changed and ", " not in changed.partition("：")[0]


def test_rescoring_says_what_is_open(cli: Cli, tmp_path: Path) -> None:
    """A 0 that no rule could prove either way may be more."""
    (tmp_path / "q.jsonl").write_text('{"q": "RAG需要什么？", "gold": ["检索系统"], "doc_hint": []}', encoding="utf-8")
    (tmp_path / "a.jsonl").write_text('{"id": "Q1", "output": "大概和检索有关。"}', encoding="utf-8")
    cli("score", "q.jsonl", "a.jsonl", "--run-id", "r")

    assert "accuracy 0.0% (1 open, 100.0% at most)" in cli("rescore", "r", "--lang", "en").stdout
