"""`ping` shows what went over the wire, above all when something is wrong; against a real server of bad manners."""

import json
from pathlib import Path

import pytest

from tests.conftest import Cli
from tests.faults.server import Asked, Faulty, Wire, good, head

KEY = "sk-canary-4711aabb"


def locked(wire: Wire, asked: Asked) -> None:
    """Refuse the key, repeat it, and set a cookie."""
    body = {"error": {"message": f"no such key {KEY}"}}
    wire.reply(body, "401 Unauthorized", more=("X-Request-Id: r-17", "Set-Cookie: session=hush"))


def breaks_off(wire: Wire, asked: Asked) -> bool:
    """Hang up in the middle of the reply."""
    wire.send(head("200 OK", "application/json", 5000, ("X-Request-Id: r-18",)) + b'{"choices": [')
    wire.reset()
    return False


def silent(wire: Wire, asked: Asked) -> bool:
    """Hang up without a word."""
    wire.reset()
    return False


def lengthy(wire: Wire, asked: Asked) -> None:
    """Answer with more than anybody wants to read."""
    wire.reply({"choices": [{"message": {"content": "长" * 100_000}}]})


@pytest.fixture
def ask(cli: Cli, tmp_path: Path) -> object:
    """Ping a server with some manner."""

    def ping(manner: object, *words: str) -> str:
        with Faulty(manner) as server:  # type: ignore[arg-type]
            chat = json.dumps({"base_url": server.url, "api_key_env": "MY_KEY", "max_retries": 0})
            plain = ("-s", "chat:m", "-O", f"base_url={server.url}", "-O", "api_key_env=MY_KEY", "-O", "max_retries=0")
            system = ("-s", "builtin:docs", "-O", "chat=chat:m", "-O", f"chat_options={chat}") if words else plain
            done = cli("ping", "--question", "押金多少元？", *system, env={"MY_KEY": KEY, "RAGSTONE_LANGUAGE": "en"})
        assert KEY not in done.stdout + done.stderr
        return f"{done.stdout}{done.stderr}{done.returncode}"

    return ping


@pytest.mark.parametrize(
    ("manner", "parts"),
    [
        (good, ["< HTTP/1.1 200 OK (", "< content-type: application/json", "< {", "text: 0"]),
        (
            locked,
            ["< HTTP/1.1 401 Unauthorized", "< x-request-id: r-17", "< set-cookie: ***", "no such key ***", "'MY_KEY'"],
        ),
        (breaks_off, ["< HTTP/1.1 200 OK", "< x-request-id: r-18", '< {"choices": [', "reset: "]),
        (silent, ["< no reply (", "reset: "]),
        (lengthy, ["< HTTP/1.1 200 OK", "长…"]),
    ],
)
def test_the_reply_is_shown_with_its_head(ask: object, manner: object, parts: list[str]) -> None:
    """Status line, headers and body are there for failures, too, as far as they came; secrets are masked."""
    said = ask(manner)  # type: ignore[operator]

    assert [part for part in parts if part not in said] == []


def test_the_exchange_of_the_model_behind_the_built_in_rag_is_shown(ask: object, tmp_path: Path) -> None:
    """What the chat model was sent, passages and all, and what it replied."""
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a.md").write_text("# 押金\n\n押金为三千元。\n", encoding="utf-8")

    said = ask(good, "builtin")  # type: ignore[operator]

    assert "> POST http://127.0.0.1" in said and "押金为三千元" in said and "< HTTP/1.1 200 OK" in said


def test_a_mistake_in_the_env_file_is_told(cli: Cli, tmp_path: Path) -> None:
    """A line nobody understands is named; the others count."""
    (tmp_path / ".env").write_text(f'BAD LINE\nMY_KEY="{KEY}" # mine\n', encoding="utf-8")
    with Faulty() as server:
        words = ("-s", "chat:m", "-O", f"base_url={server.url}", "-O", "api_key_env=MY_KEY")
        done = cli("ping", "--question", "0?", *words, env={"RAGSTONE_LANGUAGE": "en"})

    assert done.returncode == 0
    assert ".env:1: not a NAME=VALUE line" in done.stderr


def test_the_time_of_an_attempt_is_limited(cli: Cli) -> None:
    """--timeout holds for an endpoint, too."""

    def slow(wire: Wire, asked: Asked) -> None:
        wire.rest(20)

    with Faulty(slow) as server:
        words = ("-s", "chat:m", "-O", f"base_url={server.url}", "-O", "max_retries=0", "--timeout", "0.2")
        done = cli("ping", "--question", "0?", *words, env={"RAGSTONE_LANGUAGE": "en"}, seconds=15)

    assert done.returncode == 3
    assert "timeout_total" in done.stdout
