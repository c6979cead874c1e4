"""`--verbose` and `--log-file`."""

import asyncio
import re
from pathlib import Path

import pytest

from tests.conftest import Cli
from tests.loopback import Loopback, Reply

KEY = "sk-verysecret0123456789"
ROWS = '{"q": "几点开门？", "gold": ["九点"]}\n{"q": "几点关门？", "gold": ["五点"]}\n'


async def test_a_log_tells_what_failed_and_no_key(process: Cli, tmp_path: Path) -> None:
    """A service that echoes the key in its refusal; the command line names a password."""
    (tmp_path / "q.jsonl").write_text(ROWS, encoding="utf-8")
    refusal = Reply({"error": {"message": f"Incorrect API key provided: {KEY}"}}, status=401)
    async with Loopback(refusal) as server:
        address = server.url.replace("//", "//user:pass0word1@")
        words = ("run", "q.jsonl", "-s", "chat:m", "-O", f"base_url={address}", "-O", "api_key_env=MY_KEY", "-v")

        done = await asyncio.to_thread(process, *words, "--log-file", "logs/a.log", env={"MY_KEY": KEY})

    log = (tmp_path / "logs" / "a.log").read_text(encoding="utf-8")
    assert done.returncode == 3
    assert log.splitlines()[-1] in done.stderr
    assert KEY not in log + done.stderr and "pass0word1" not in log + done.stderr
    assert "Incorrect API key provided: ***" in log
    assert re.match(r"\d{4}-\d\d-\d\dT[\d:.]+Z command line=ragstone run q\.jsonl ", log)


def test_a_log_grows_and_holds_no_question(cli: Cli, tmp_path: Path) -> None:
    """Two runs stand in one file, with versions, times and outcomes, and nothing of what was asked or answered."""
    (tmp_path / "q.jsonl").write_text(ROWS, encoding="utf-8")

    for run in "ab":
        assert cli("run", "q.jsonl", "--mock", "-q", "--run-id", run, "--log-file", "x.log").returncode == 0

    log = (tmp_path / "x.log").read_text(encoding="utf-8")
    assert log.count(" answered case=Q1 ") == log.count(" finished run=") == log.count(" version ragstone=") == 2
    assert "门" not in log and "九点" not in log


def test_a_log_that_cannot_be_written_is_told_before_a_call(cli: Cli, tmp_path: Path) -> None:
    """A file where a folder is needed."""
    (tmp_path / "q.jsonl").write_text(ROWS, encoding="utf-8")

    done = cli("run", "q.jsonl", "--mock", "--log-file", "q.jsonl/a.log")

    assert done.returncode == 2 and "q.jsonl" in done.stderr and "Traceback" not in done.stderr
    assert not (tmp_path / "runs").exists()


def test_options_may_stand_before_the_command(cli: Cli, tmp_path: Path) -> None:
    """Where many tools have them: `ragstone --verbose --log-file x.log run …`."""
    (tmp_path / "q.jsonl").write_text(ROWS, encoding="utf-8")

    done = cli("--verbose", "--log-file", "x.log", "--quiet", "run", "q.jsonl", "--mock")

    assert done.returncode == 0 and not done.stdout and " answered case=Q1 " in done.stderr
    assert (tmp_path / "x.log").read_text(encoding="utf-8").splitlines()[-1] in done.stderr


def test_a_language_before_the_command_is_that_of_every_command(process: Cli, tmp_path: Path) -> None:
    """Also of those that have no --lang of their own, and of their help; a wrong one is refused."""
    (tmp_path / "q.jsonl").write_text(ROWS, encoding="utf-8")
    english = {"LANG": "en_US.UTF-8"}

    assert "用例 2" in process("--lang", "zh-Hans", "check", "q.jsonl", env=english).stdout
    assert "整体准确率" in process("--lang=zh-Hans", "run", "q.jsonl", "--mock", env=english).stdout
    assert "在发出请求之前" in process("--lang", "zh-Hans", "check", "--help", env=english).stdout
    assert "'xx'" in process("--lang", "xx", "check", "q.jsonl", env=english).stderr


def test_an_option_a_command_does_not_have_is_refused(cli: Cli) -> None:
    """By the command, as if it stood behind it; and one that no command has by the program."""
    assert "--verbose" in cli("--verbose", "runs").stderr
    assert cli("--nope", "runs").returncode == 2


@pytest.mark.parametrize("words", [("judge", "one"), ("certify", "labels.jsonl")])
def test_errors_follow_a_language_that_stands_behind_the_command(
    process: Cli, tmp_path: Path, words: tuple[str, ...]
) -> None:
    """As they do where it stands before it."""
    english = {"LC_ALL": "en_US.UTF-8"}
    after, joined = (process(*words, *lang, env=english) for lang in (("--lang", "zh"), ("--lang=zh",)))

    assert after.returncode == 2 and "error" not in after.stderr
    assert after.stderr == joined.stderr == process("--lang", "zh", *words, env=english).stderr
