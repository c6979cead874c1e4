"""`ragstone run FULL --gate-on SMALL`: the full set is asked only when the gate set passes (R4.5)."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Cli

Write = Callable[..., Path]
RAG = """
import os
LOG = os.open("asked.log", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
def answer(question):
    os.write(LOG, (question + "\\n").encode())
    return "要点 见 a.md" if os.path.exists("good") else "无关"
"""
ROWS = [{"q": f"问题 {n}", "gold": ["要点"], "doc_hint": ["a.md"]} for n in range(8)]


def _meta(name: str) -> dict[str, object]:
    meta: dict[str, object] = json.loads(Path("runs", name, "run_meta.json").read_bytes())
    return meta


def _run(cli: Cli, write_rows: Write, *words: str) -> tuple[int, str]:
    Path("gate_rag.py").write_text(RAG)
    full, gate = write_rows("full.jsonl", *ROWS), write_rows("gate.jsonl", *ROWS[:2])
    system = ("-s", "python:gate_rag:answer", "--run-id", "r")
    done = cli("run", full, "--gate-on", gate, *system, "--gate-rule", "accuracy >= 0.9", *words)
    return done.returncode, done.stdout + done.stderr


def _asked() -> int:
    return len(Path("asked.log").read_text().splitlines())


def test_a_failed_gate_keeps_the_full_set_unasked(cli: Cli, write_rows: Write) -> None:
    """Exit code 1, only the gate set was asked, and the rule that decided is shown."""
    code, said = _run(cli, write_rows)

    assert code == 1
    assert _asked() == 2
    assert "FAIL" in said
    assert "accuracy >= 0.9" in said
    assert not Path("runs", "r").exists()


def test_a_passed_gate_goes_on_and_both_runs_are_linked(cli: Cli, write_rows: Write) -> None:
    """The gate's run and the full run name each other in run_meta.json."""
    Path("good").touch()

    code, _ = _run(cli, write_rows)

    assert code == 0
    assert _asked() == 8
    assert (_meta("r")["gate_run"], _meta("r")["gate_outcome"], _meta("r")["forced"]) == ("r-gate", "PASS", False)
    assert _meta("r-gate")["full_run"] == "r"


def test_forcing_is_recorded(cli: Cli, write_rows: Write) -> None:
    """R4.5: --force goes on, and nobody can overlook it."""
    code, _ = _run(cli, write_rows, "--force")

    assert code == 0
    assert _asked() == 8
    assert (_meta("r")["gate_outcome"], _meta("r")["forced"]) == ("FAIL", True)


def test_a_contract_without_a_gate_of_its_own_wants_rules(cli: Cli, write_rows: Write) -> None:
    """What must hold is said by the contract or by the user."""
    done = cli("run", write_rows("a.jsonl", *ROWS), "--gate-on", write_rows("b.jsonl", *ROWS[:2]), "--mock")

    assert done.returncode == 2
    assert "--gate-rule" in done.stderr


@pytest.mark.parametrize(
    "rule",
    ["nonsense", "foo >= 1", "accuracy >= 90", "drop(accuracy) <= 0.1", "accuracy >= 0.5 for no_such=x"],
)
def test_a_rule_that_cannot_be_used_costs_no_call(cli: Cli, write_rows: Write, rule: str) -> None:
    """It is refused before the gate set is asked, and no run is begun."""
    code, said = _run(cli, write_rows, "--gate-rule", rule)

    assert code == 2
    assert rule.split(maxsplit=1)[0] in said
    assert not Path("asked.log").exists()
    assert not Path("runs").exists()


def test_the_gates_run_keeps_its_seal(cli: Cli, write_rows: Write) -> None:
    """What is noted in its run_meta.json afterwards is no alteration."""
    Path("good").touch()
    _run(cli, write_rows)

    assert cli("gate", "r-gate", "-r", "accuracy >= 0.9").returncode == 0
    assert cli("verify", "r-gate").returncode == 0


@pytest.mark.parametrize("words", [("--quiet",), ("--json",)])
def test_a_failed_gate_is_heard_under_quiet_and_in_the_runs_language(
    cli: Cli, write_rows: Write, words: tuple[str, ...]
) -> None:
    """The verdict's lines go to stderr, in the language of the cases."""
    _, said = _run(cli, write_rows, *words)

    assert "[GATE] 未通过 FAIL" in said
