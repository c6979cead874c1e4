"""Asking over HTTP from the command line, against a real loopback server in another process."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.request import urlopen

import pytest

from tests.conftest import Cli
from tests.loopback import served

Write = Callable[..., Path]
ROWS = [{"q": f"一共多少钱？（{n}）", "gold": ["四万二千元"], "doc_hint": ["a.md"]} for n in range(6)]


@pytest.fixture
def address() -> Iterator[str]:
    """A server that answers every question with 42000元."""
    with served("tests.loopback") as place:
        yield place


def _calls(address: str) -> int:
    with urlopen(address) as reply:
        return int(json.loads(reply.read())["calls"])


def test_plan_ping_run_and_the_cache(cli: Cli, write_rows: Write, address: str) -> None:
    """A plan asks nothing and counts exactly; a second run with the cache asks nothing either."""
    path = write_rows("q.jsonl", *ROWS)
    system = ("-s", "chat:m", "-O", f"base_url={address}/v1", "--cache")

    planned = cli("plan", path, *system, "--json", "--latency-ms", "100", "-c", "2")
    assert _calls(address) == 0
    first = cli("run", path, *system, "--json")
    second = cli("run", path, *system, "--json")

    assert _calls(address) == json.loads(planned.stdout)[0]["calls"] == 6
    assert json.loads(planned.stdout)[0]["seconds"] == pytest.approx(0.3)
    figures = [json.loads(done.stdout)["models"]["m"] for done in (first, second)]
    assert [figure["all"]["metrics"]["accuracy"]["mean"] for figure in figures] == [1.0, 1.0]
    assert [figure["costs"]["cached"] for figure in figures] == [0, 6]
    assert json.loads(cli("plan", path, *system, "--json").stdout)[0]["cached"] == 6
    ping = cli("ping", path, *system[:4], env={"OPENAI_API_KEY": "sk-canary"})
    assert "42000元" in ping.stdout
    assert "sk-canary" not in ping.stdout + ping.stderr


def test_a_budget_stops_cleanly_and_resume_finishes(cli: Cli, write_rows: Write, address: str) -> None:
    """Figures are marked partial, the exit code is 3, and nothing is asked twice."""
    path = write_rows("q.jsonl", *ROWS)

    done = cli("run", path, "-s", "chat:m", "-O", f"base_url={address}/v1", "-O", "max_calls=4", "--run-id", "r")

    assert done.returncode == 3
    assert "结果不完整（4/6） - 已问 4 例中整体准确率：" in done.stdout
    assert "运行的预算已用完：上限 4 次请求，已用 4" in done.stderr
    assert "\n继续运行：" in done.stdout and "ragstone resume runs/r -O max_calls=…\n" in done.stdout
    again = cli("resume", "r", "-q")
    assert (again.returncode, again.stdout, again.stderr.count("\n")) == (3, "", 1)
    assert "上限 4 次请求，已用 4" in again.stderr and "ragstone resume runs/r -O max_calls=…" in again.stderr
    assert _calls(address) == 4
    assert cli("resume", "r", "-O", "max_calls=0").returncode == 0
    assert _calls(address) == 6


@pytest.mark.parametrize("asked", ["flag", "environment"])
def test_a_run_is_told_in_the_language_asked_for(cli: Cli, write_rows: Write, address: str, asked: str) -> None:
    """A run goes on in its own language, and its watcher and its reader are told in theirs."""
    system = ("-s", "chat:m", "-O", f"base_url={address}/v1", "-O", "max_calls=2", "--run-id", "r")
    cli("run", write_rows("q.jsonl", *ROWS), *system, "--lang", "zh-Hans")
    words = ("--lang", "zh-Hant") if asked == "flag" else ()
    env = {} if words else {"RAGSTONE_LANGUAGE": "zh-Hant"}

    told = [cli("resume", "r", "-O", "max_calls=3", *words, env=env), cli("report", "r", *words, env=env)]

    assert [done.returncode for done in told] == [3, 0]
    assert "執行的預算已用完" in told[0].stderr and "繼續執行" in told[0].stdout
    assert all("整體準確率" in done.stdout and "准确率" not in done.stdout for done in told)
    assert "准确率" in Path("runs/r/report.md").read_text(encoding="utf-8")


def test_silence_ends_where_something_failed(cli: Cli, write_rows: Write) -> None:
    """-q and --json leave the reason of an exit code in one line of errors."""
    words = ("-s", "chat:m", "-O", "base_url=http://127.0.0.1:9/v1", "-O", "max_retries=0", "-O", "breaker_after=0")
    path = write_rows("q.jsonl", *ROWS)

    done = [cli("run", path, *words, flag, env={"RAGSTONE_LANGUAGE": "en"}) for flag in ("-q", "--json")]

    assert [one.returncode for one in done] == [3, 3]
    assert [one.stderr.partition(";")[0] for one in done] == ["6 of 6 cases failed"] * 2
    assert [one.stderr.count("\n") for one in done] == [1, 1]


def test_a_budget_that_cannot_be_kept_is_refused(cli: Cli, write_rows: Write, address: str, tmp_path: Path) -> None:
    """Money without prices, tokens without counts: nothing is asked."""
    path = write_rows("q.jsonl", *ROWS)
    (tmp_path / "s.yaml").write_text(f"url: {address}/v1\nbody: {{q: '{{{{question}}}}'}}\n", encoding="utf-8")

    money = cli("run", path, "-s", "chat:m", "-O", f"base_url={address}/v1", "-O", "max_cost=1")
    tokens = cli("run", path, "-s", "http_json:s.yaml", "-O", "max_tokens_spent=9")

    assert (money.returncode, tokens.returncode) == (2, 2)
    assert "price_config" in money.stderr and "usage" in tokens.stderr
    assert _calls(address) == 0


def test_answers_are_counted_as_answers(cli: Cli, write_rows: Write, address: str) -> None:
    """Two models or two repeats make more answers than cases, and the lines say which is which."""
    words = ("-s", "chat:m", "-O", f"base_url={address}/v1", "--repeats", "2")
    done = cli("run", write_rows("q.jsonl", *ROWS), *words, env={"RAGSTONE_LANGUAGE": "en"})

    assert done.stdout.startswith("[EVAL] started, cases: 6, answers to get: 12\n")


def test_a_system_can_be_named_in_the_settings(cli: Cli, write_rows: Write, address: str, tmp_path: Path) -> None:
    """[systems.NAME] holds what would be typed again and again."""
    (tmp_path / "ragstone.toml").write_text(f'[systems.prod]\nsystem = "chat:m"\nbase_url = "{address}/v1"\n')

    done = cli("run", write_rows("q.jsonl", *ROWS), "-s", "prod")

    assert "整体准确率：100.0%" in done.stdout


def test_a_name_that_is_none_of_the_settings_is_told(cli: Cli, write_rows: Write, tmp_path: Path) -> None:
    """A slip of the pen names the file and what stands there."""
    path, env = write_rows("q.jsonl", *ROWS), {"RAGSTONE_LANGUAGE": "en", "LANG": "en"}
    before = cli("run", path, "-s", "prodd", env=env)
    (tmp_path / "ragstone.toml").write_text('[systems.prod]\nsystem = "chat:m"\n')

    after = cli("run", path, "-s", "prodd", env=env)

    assert (before.returncode, after.returncode) == (2, 2)
    assert "ragstone.toml as [systems.prodd]" in before.stderr and "chat" in before.stderr
    assert "ragstone.toml describes 'prod'" in after.stderr


def test_an_endpoint_that_is_down_fails_its_cases_with_advice(cli: Cli, write_rows: Write) -> None:
    """Nothing listens there; every case is accounted for and says what to do."""
    words = ("-s", "chat:m", "-O", "base_url=http://127.0.0.1:9/v1", "-O", "max_retries=0", "-O", "breaker_after=0")
    done = cli("run", write_rows("q.jsonl", *ROWS), *words)

    assert done.returncode == 3
    assert "失败 6" in done.stdout
    assert "refused" in done.stdout


def test_the_built_in_rag_can_let_a_model_answer(cli: Cli, write_rows: Write, address: str, tmp_path: Path) -> None:
    """builtin retrieves, the chat model writes."""
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a.md").write_text("# 费用\n\n一共多少钱？一共四万二千元。\n", encoding="utf-8")
    options = ("-O", "chat=chat:m", "-O", f'chat_options={{"base_url": "{address}/v1"}}')

    done = cli("run", write_rows("q.jsonl", *ROWS[:1]), "-s", "builtin:docs", *options, "--json")

    assert json.loads(done.stdout)["models"]["builtin+m"]["all"]["metrics"]["accuracy"]["mean"] == 1.0


def test_the_answer_cache_goes_to_what_makes_the_calls(
    cli: Cli, write_rows: Write, address: str, tmp_path: Path
) -> None:
    """With the built-in RAG it keeps the model's answers; a Python function is not cached, and that is said."""
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a.md").write_text("# 费用\n\n一共多少钱？一共四万二千元。\n", encoding="utf-8")
    options = ("-O", "chat=chat:m", "-O", f'chat_options={{"base_url": "{address}/v1"}}', "--cache")
    path = write_rows("q.jsonl", *ROWS[:2])

    for _ in range(2):
        assert cli("run", path, "-s", "builtin:docs", *options, "-q").returncode == 0

    assert _calls(address) == 2
    refused = cli("run", path, "-s", "python:json:loads", "--cache")
    assert refused.returncode == 2
    assert "--cache" in refused.stderr
