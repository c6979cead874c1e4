"""A run whose key is refused: it stops early, says why, and goes on when the key is right."""

from collections.abc import Callable
from pathlib import Path

from tests.conftest import Cli
from tests.judging.bench import judging
from tests.loopback import Reply, completion

Write = Callable[..., Path]


def test_a_wrong_key_stops_the_run_and_can_be_resumed(cli: Cli, write_rows: Write) -> None:
    """Of forty cases a few are refused; afterwards every one is answered, and none is asked twice that was answered."""
    rows = write_rows("q.jsonl", *({"q": f"第{number}问？", "gold": ["是"]} for number in range(40)))
    right: list[bool] = []
    with judging(
        lambda body, _: Reply(completion("是") if right else {"error": "bad key"}, 200 if right else 401)
    ) as at:
        words = ("-O", f"base_url={at.url}/v1", "-O", "max_retries=0", "--concurrency", "2", "--run-id", "k", "-q")
        refused = cli("run", str(rows), "-s", "chat:m", *words)
        asked = at.calls
        right.append(True)
        resumed = cli("resume", "k", "--retry-failed", "-q")

    assert refused.returncode == 3 and asked < 10, refused.stderr
    assert "401" in refused.stderr and "bad key" in refused.stderr and "--retry-failed" in refused.stderr
    assert resumed.returncode == 0 and at.calls == asked + 40


def test_the_hint_to_go_on_asks_what_was_refused_again(cli: Cli, write_rows: Write) -> None:
    """A plain `resume` would keep the refusals as the answers they are not."""
    rows = write_rows("q.jsonl", *({"q": f"第{number}问？", "gold": ["是"]} for number in range(40)))
    with judging(lambda *_: Reply({"error": "bad key"}, 401)) as at:
        words = ("-O", f"base_url={at.url}/v1", "-O", "max_retries=0", "--concurrency", "2", "--run-id", "k")
        refused = cli("run", str(rows), "-s", "chat:m", *words)

    assert "ragstone resume runs/k --retry-failed" in refused.stdout
    assert "例中" not in refused.stdout and "–（未测得）" in refused.stdout
    gated = cli("gate", "k", "-r", "accuracy >= 0")
    assert "0 of 40 answers" in gated.stdout and "not one of" in gated.stdout and "is 0" not in gated.stdout
    assert all("0.0%" not in Path("runs/k", name).read_text("utf-8") for name in ("report.md", "report.html"))


def test_notices_follow_the_reader_not_the_dataset(process: Cli, write_rows: Write) -> None:
    """A Chinese dataset under an English locale: verdicts in Chinese, what happens to the run in English."""
    rows = write_rows("q.jsonl", *({"q": f"第{number}问？", "gold": ["是"]} for number in range(40)))
    with judging(lambda *_: Reply({"error": "bad key"}, 401)) as at:
        words = ("-O", f"base_url={at.url}/v1", "-O", "max_retries=0", "--concurrency", "2", "--log-file", "x.log")
        loud = process("run", str(rows), "-s", "chat:m", *words, env={"LANG": "en_US.UTF-8"})
        quiet = process("run", str(rows), "-s", "chat:m", *words, "-q", env={"LANG": "en_US.UTF-8"})

    assert "评测开始" in loud.stdout
    assert "the key was refused" in loud.stderr and "密钥" not in loud.stderr
    assert "the key was refused" in quiet.stderr and "密钥" not in quiet.stderr
    assert "notice text=the key was refused" in Path("x.log").read_text(encoding="utf-8")
