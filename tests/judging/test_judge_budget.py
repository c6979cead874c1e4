"""A judge's budget holds over everything that judges a run, and run_meta.json counts what was paid."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ragstone.runs.judged.costs import read_paid
from ragstone.runs.store.folder import RunFolder
from ragstone.runs.store.seal import add_facts
from tests.conftest import Cli
from tests.judging.bench import by_chances, judging, quoting
from tests.loopback import Loopback, Reply

Write = Callable[..., Path]
CASES = 12


@pytest.fixture
def run(cli: Cli, write_rows: Write) -> Path:
    """A run of twelve cases, all open."""
    rows = [{"q": f"{n}号展厅的灯怎么调？", "gold": [f"第{n}号展厅的灯光由馆员手动调节"]} for n in range(CASES)]
    answers = [{"id": f"Q{n + 1}", "output": f"{n}号那间屋里亮度靠工作人员自己拧。"} for n in range(CASES)]
    done = cli("score", write_rows("q.jsonl", *rows), write_rows("a.jsonl", *answers), "--run-id", "one", "-q")
    assert done.returncode == 0, done.stderr
    return Path("runs/one")


def _told(run: Path) -> dict[str, Any]:
    return dict(json.loads((run / "run_meta.json").read_text(encoding="utf-8"))["judging"])


def _words(server: Loopback) -> tuple[str, ...]:
    return ("--judge", "chat:m", "-J", f"base_url={server.url}/v1", "-J", "max_retries=0")


@pytest.mark.parametrize("say", [by_chances(lambda *_: True), quoting(lambda *_: True)], ids=["margin", "quote"])
def test_a_budget_holds_over_judge_and_resume(cli: Cli, run: Path, say: Callable[..., Reply]) -> None:
    """What is spent stays spent: no call, exit code 3, the same figures; a larger budget goes on from there."""
    with judging(say) as server:
        first = cli("judge", "one", *_words(server), "-J", "max_calls=7")
        figures = (run / "results.jsonl").read_bytes()
        again = [
            cli("judge", "one"),
            cli("resume", "one"),
            cli("judge", "one", *_words(server), "-J", "max_calls=7"),
        ]
        assert server.calls == 7
        assert [done.returncode for done in (first, *again)] == [3] * 4, [done.stderr for done in again]
        assert all("7" in done.stderr and "-J max_calls=" in done.stderr for done in again)
        assert (run / "results.jsonl").read_bytes() == figures
        more = cli("judge", "one", "-J", "max_calls=10")
        assert (more.returncode, server.calls) == (3, 10)
        rest = cli("judge", "one", "-J", "max_calls=99")
        assert rest.returncode == 0, rest.stderr
        assert _told(run)["calls"] == server.calls


def test_a_budget_of_a_run_holds_when_it_is_judged_at_once(cli: Cli, write_rows: Write, run: Path) -> None:
    """The trial before the first question counts as well."""
    with judging(by_chances(lambda *_: True)) as server:
        words = (*_words(server), "-J", "max_calls=4")
        done = cli("run", "q.jsonl", "-s", "replay:a.jsonl", "--run-id", "two", *words)
        for _ in range(2):
            assert cli("judge", "two").returncode == 3

    assert done.returncode == 3
    assert server.calls == 4 == _told(Path("runs/two"))["calls"]


def test_money_is_counted_over_passes(cli: Cli, run: Path) -> None:
    """max_cost holds like max_calls; cost and tokens of all passes add up."""
    prices = '[judge]\njudge = "chat:m"\n[judge.options]\nmax_cost = 40.0\nprice_config = {input_per_1k = 1000}\n'
    Path("ragstone.toml").write_text(prices, encoding="utf-8")
    with judging(by_chances(lambda *_: True)) as server:
        for _ in range(3):
            cli("judge", "one", "-J", f"base_url={server.url}/v1", "-J", "concurrency=1")
        calls = server.calls
    told = _told(run)

    assert calls < CASES
    assert told["calls"] == calls
    assert told["cost"] >= 40


def test_the_message_counts_what_was_in_flight(cli: Cli, run: Path) -> None:
    """What comes back after the budget was spent is spent, too, and the sentence says the figure of the file."""
    prices = '[judge]\njudge = "chat:m"\n[judge.options]\nmax_cost = 80.0\nprice_config = {input_per_1k = 1000}\n'
    Path("ragstone.toml").write_text(prices, encoding="utf-8")

    def slowly(body: Any, number: int) -> Reply:
        reply = by_chances(lambda *_: True)(body, number)
        return Reply(body=reply.body, delay=0.05 * number)

    with judging(slowly) as server:
        done = cli("judge", "one", "-J", f"base_url={server.url}/v1", "-J", "concurrency=3")

    assert done.returncode == 3
    assert f"{_told(run)['cost']:.6g} of 80" in done.stderr


def test_what_a_killed_process_paid_is_charged(cli: Cli, run: Path) -> None:
    """Replies that stand in judgements.jsonl behind what was written down count as calls."""
    with judging(by_chances(lambda *_: True)) as server:
        cli("judge", "one", *_words(server), "-J", "max_calls=7")
        told = _told(run)
        key = next(iter(told["judges"]))
        told["judges"][key]["spent"] = {**told["judges"][key]["spent"], "calls": 1}
        add_facts(RunFolder(run), {"judging": {**told, "calls": 1, "lines": 0}})
        assert read_paid(RunFolder(run)).calls == 7
        done = cli("judge", "one")

    assert done.returncode == 3
    assert server.calls == 7 == _told(run)["calls"]
