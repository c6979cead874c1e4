"""Asking an OpenAI-compatible endpoint, well and badly behaved, over a real connection."""

import asyncio
import socket
import ssl
import sys
from collections.abc import AsyncIterator
from typing import Any

import pytest

from ragstone.core.errors import ConnectError
from ragstone.core.interfaces import System
from ragstone.core.types import Answer, Message, Request
from ragstone.systems.chat import Chat, connect
from ragstone.systems.wrappers.wrapper import layers
from tests.loopback import Loopback, Reply, completion

ONCE = {"max_retries": 0, "breaker_after": 0}
CANARY = "sk-canary-5f2b9d7e"


@pytest.fixture
async def server() -> AsyncIterator[Loopback]:
    """A server that answers well until told otherwise."""
    async with Loopback() as running:
        yield running


async def ask(url: str, request: Request | None = None, **options: Any) -> Answer:
    """Ask one thing and close."""
    system = connect("m", {"base_url": f"{url}/v1", **ONCE, **options})
    try:
        return await system.ask(request or Request(id="a", question="多少钱？"))
    finally:
        await system.close()


def chat_of(system: System) -> Chat:
    """Return the system inside its wrappers."""
    *_, inner = layers(system)
    assert isinstance(inner, Chat)
    return inner


async def test_answer(server: Loopback) -> None:
    """Text, usage, cost, finish reason and latency come with the answer."""
    price = {"input_per_1k": 1.0, "output_per_1m": 2000}

    answer = await ask(server.url, price_config=price)

    assert (answer.text, answer.finish_reason, answer.attempts) == ("42000元", "stop", 1)
    assert answer.usage and answer.usage.total_tokens == 17
    assert answer.cost == pytest.approx(0.012 + 0.01)
    assert answer.latency_ms and answer.latency_ms > 0


async def test_what_is_sent(server: Loopback) -> None:
    """Model, parameters, seed of the repeat and messages are sent; streaming is never asked for."""
    request = Request(id="a", question="q", params={"temperature": 0.5, "stream": True}, repeat=2)

    await ask(server.url, request, seed=7, system_prompt="be short", params={"temperature": 0, "top_p": 1})

    assert server.seen[0].path == "/v1/chat/completions"
    assert server.seen[0].body == {
        "model": "m",
        "temperature": 0.5,
        "top_p": 1,
        "seed": 9,
        "messages": [{"role": "system", "content": "be short"}, {"role": "user", "content": "q"}],
    }


async def test_rendered_messages_win(server: Loopback) -> None:
    """Messages of the contract are sent as they are, without the system prompt."""
    request = Request(id="a", question="q", messages=(Message("user", "只答数字"),))

    await ask(server.url, request, system_prompt="x", response_format={"type": "json_object"})

    assert server.seen[0].body["messages"] == [{"role": "user", "content": "只答数字"}]
    assert server.seen[0].body["response_format"] == {"type": "json_object"}


HTML = b"<!DOCTYPE html><html><body>Log in</body></html>"
MISHAPS = {
    "400": (Reply({"error": {"message": "no such model"}}, 400), "http_4xx", "400", "no such model"),
    "401": (Reply({"error": {"message": "bad key"}}, 401), "http_4xx", "401", "key"),
    "403": (Reply({"detail": "not yours"}, 403), "http_4xx", "403", "not yours"),
    "404": (Reply(b"nothing here", 404), "http_4xx", "404", "/v1"),
    "409": (Reply({}, 409), "http_4xx", "409", "409"),
    "413": (Reply({}, 413), "http_4xx", "413", "Shorten"),
    "422": (Reply({"detail": [{"loc": ["x"]}]}, 422), "http_4xx", "422", "parameters"),
    "429": (Reply({"error": "slow down"}, 429), "rate_limited", "429", "slow down"),
    "500": (Reply(HTML, 500, content_type="text/html"), "http_5xx", "500", "log"),
    "502": (Reply({}, 502), "http_5xx", "502", "502"),
    "503": (Reply({}, 503), "http_5xx", "503", "503"),
    "504": (Reply({}, 504), "http_5xx", "504", "504"),
    "redirect": (Reply({}, 302, {"Location": "http://elsewhere.invalid/x?key=abc"}), "http_3xx", "302", "elsewhere"),
    "not json": (Reply(b"Bad things happened"), "not_json", None, "Bad things"),
    "cut json": (Reply(b'{"choices": [{"mess'), "not_json", None, "not JSON"),
    "empty body": (Reply(b""), "not_json", None, "empty"),
    "html with 200": (Reply(HTML, content_type="text/html"), "html_page", None, "web page"),
    "no choices": (Reply({"choices": [], "id": "x"}), "empty_choices", None, "choices, id"),
    "no choices at all": (Reply({"output": "x"}), "empty_choices", None, "output"),
    "list": (Reply([1, 2]), "empty_choices", None, "list"),
    "odd choices": (Reply({"choices": ["x"]}), "empty_choices", None, "choices"),
    "error with 200": (Reply({"error": {"message": "quota"}}), "reported", None, "quota"),
    "filtered": (Reply(completion("", finish="content_filter")), "content_filtered", None, "filter"),
    "filtered 400": (Reply({"error": {"code": "content_filter"}}, 400), "content_filtered", "400", "filter"),
    "inspection": (Reply({"error": {"code": "data_inspection_failed"}}, 400), "content_filtered", "400", "filter"),
    "reset": (Reply(manner="reset"), "reset", None, "broke off"),
    "reset mid body": (Reply(manner="reset_mid_body"), "reset", None, "broke off"),
    "silent": (Reply(manner="silent"), "timeout_first_byte", None, "first_byte_timeout"),
    "byte by byte": (Reply(manner="slow"), "timeout_total", None, "raise timeout"),
    "endless": (Reply(manner="endless"), "too_large", None, "65536"),
    "bomb": (Reply(b"0" * 3_000_000, manner="gzip"), "too_large", None, "65536"),
    "large": (Reply(b"0" * 70_000), "too_large", None, "65536"),
    "deep": (Reply(b"[" * 50_000 + b"]" * 50_000, headers={}), "too_large", None, "65536"),
    "nested": (Reply(b"[" * 20_000 + b"]" * 20_000), "not_json", None, "JSON"),
}


@pytest.mark.parametrize("name", MISHAPS)
async def test_mishap(server: Loopback, name: str) -> None:
    """Every mishap has its word, its status and a sentence with address and remedy; the next case goes on."""
    reply, kind, code, said = MISHAPS[name]
    server.then([reply, Reply()])
    limits = {"timeout": 1.0, "first_byte_timeout": 0.7, "max_reply_bytes": 65536}
    system = connect("m", {"base_url": f"{server.url}/v1", **ONCE, **limits})

    first = await system.ask(Request(id="a", question="q"))
    second = await system.ask(Request(id="b", question="q"))
    await system.close()

    assert first.failure is not None
    assert (first.failure.kind, first.failure.code) == (kind, code)
    assert said in first.failure.message and server.url in first.failure.message
    assert second.text == "42000元"
    assert server.calls == first.attempts + second.attempts == 2


async def test_refused() -> None:
    """A port where nobody listens is refused."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{free.getsockname()[1]}"

        answer = await ask(url)

    assert answer.failure and answer.failure.kind == "refused" and url in answer.failure.message


async def test_unknown_host() -> None:
    """A host nobody knows is a failure of its own."""
    answer = await ask("http://nowhere.invalid")

    assert answer.failure and answer.failure.kind == "dns" and "nowhere.invalid" in answer.failure.message


async def test_tls(server: Loopback) -> None:
    """Speaking TLS to a server that does not is told apart from a broken connection."""
    answer = await ask(server.url.replace("http:", "https:"))

    assert answer.failure and answer.failure.kind == "tls" and "certificate" in answer.failure.message


@pytest.mark.skipif(sys.platform != "linux", reason="a full queue is refused elsewhere")
async def test_connect_timeout() -> None:
    """A listener whose queue is full lets the connection time out."""
    with socket.socket() as full:
        full.bind(("127.0.0.1", 0))
        full.listen(0)
        held = [socket.socket() for _ in range(4)]
        for client in held:
            client.setblocking(False)
            client.connect_ex(full.getsockname())
        await asyncio.sleep(0.05)

        answer = await ask(f"http://127.0.0.1:{full.getsockname()[1]}", connect_timeout=0.2)
        for client in held:
            client.close()

    assert answer.failure and answer.failure.kind == "timeout_connect"


async def test_not_http() -> None:
    """A server that speaks another language is reported as such."""

    async def babble(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(100)
        writer.write(b"220 mail ready\r\n\r\n")
        await writer.drain()
        writer.close()

    babbler = await asyncio.start_server(babble, "127.0.0.1", 0)
    async with babbler:
        answer = await ask(f"http://127.0.0.1:{babbler.sockets[0].getsockname()[1]}")

    assert answer.failure and answer.failure.kind == "not_http"


async def test_length_is_no_failure(server: Loopback) -> None:
    """An answer cut by its length is an answer; the finish reason tells."""
    server.then([Reply(completion("第一", finish="length"))])

    answer = await ask(server.url)

    assert (answer.text, answer.finish_reason, answer.failure) == ("第一", "length", None)


PATIENT: dict[str, tuple[Any, str]] = {
    "null content": ({"choices": [{"message": {"content": None}}]}, ""),
    "refusal": ({"choices": [{"message": {"content": None, "refusal": "I cannot"}}]}, "I cannot"),
    "parts": ({"choices": [{"message": {"content": [{"type": "text", "text": "a"}, {"text": "b"}]}}]}, "ab"),
    "odd usage": ({"choices": [{"message": {"content": "a"}}], "usage": {"prompt_tokens": "3"}}, "a"),
    "number as content": ({"choices": [{"message": {"content": 5}}]}, ""),
    "lone surrogate": (b'{"choices":[{"message":{"content":"a\\ud83d"}}]}', "a\ufffd"),
    "bom": (b'\xef\xbb\xbf{"choices":[{"message":{"content":"a"}}]}', "a"),
    "nan": (b'{"choices":[{"message":{"content":"a"}}],"x":NaN}', "a"),
}


@pytest.mark.parametrize("name", PATIENT)
async def test_patience_with_odd_replies(server: Loopback, name: str) -> None:
    """Replies a little off the rule are read as far as they make sense."""
    body, text = PATIENT[name]
    server.then([Reply(body)])

    answer = await ask(server.url)

    assert answer.failure is None
    assert answer.text == text


async def test_gzip_and_large_request(server: Loopback) -> None:
    """Compressed replies and long prompts pass."""
    server.then([Reply(completion("长" * 1000), manner="gzip")])

    answer = await ask(server.url, Request(id="a", question="问" * 500_000))

    assert answer.text == "长" * 1000
    assert len(server.seen[0].body["messages"][0]["content"]) == 500_000


async def test_key_never_shows(server: Loopback, monkeypatch: pytest.MonkeyPatch) -> None:
    """The key goes over the wire and nowhere else, even when the endpoint echoes it."""
    monkeypatch.setenv("MY_KEY", CANARY)
    echo = {"error": {"message": f"Authorization: Bearer {CANARY} is wrong, {CANARY[:-3]}"}}
    server.then([Reply(echo, 401), Reply(f"oops {CANARY}".encode()), Reply({CANARY: 1}), Reply(echo)])
    system = connect("m", {"base_url": f"{server.url}/v1?api_key={CANARY}", "api_key_env": "MY_KEY", **ONCE})

    answers = [await system.ask(Request(id="a", question="q")) for _ in range(4)]
    shown = repr((answers, system.identity(), system, chat_of(system).__dict__))
    await system.close()

    assert server.seen[0].headers["Authorization"] == f"Bearer {CANARY}"
    assert all(answer.failure for answer in answers)
    assert CANARY not in shown and CANARY[:-3] not in shown


async def test_no_key_for_other_hosts(server: Loopback, monkeypatch: pytest.MonkeyPatch) -> None:
    """The key of OPENAI_API_KEY is sent to OPENAI_BASE_URL only, not to any address that is given."""
    monkeypatch.setenv("OPENAI_API_KEY", CANARY)
    monkeypatch.setenv("OPENAI_BASE_URL", f"{server.url}/v1")

    await ask(server.url)
    await ask(server.url, base_url="")

    assert "Authorization" not in server.seen[0].headers
    assert server.seen[1].headers["Authorization"] == f"Bearer {CANARY}"


async def test_identity(server: Loopback) -> None:
    """Identity names endpoint, model and parameters, and does not depend on how it is called."""
    one = connect("m", {"base_url": "http://h.invalid/v1", "timeout": 3, "params": {"temperature": 0}})
    two = connect("m", {"base_url": "http://h.invalid/v1", "max_retries": 9, "temperature": 0})
    other = connect("m", {"base_url": "http://h.invalid/v1", "temperature": 1})

    expected = {
        "kind": "chat",
        "url": "http://h.invalid/v1/chat/completions",
        "model": "m",
        "params": {"model": "m", "temperature": 0},
    }
    assert one.identity() == two.identity() == expected
    assert one.identity() != other.identity()


@pytest.mark.parametrize(
    ("argument", "options", "said"),
    [
        ("m", {}, "base_url"),
        ("m", {"base_url": "ftp://x"}, "ftp://x"),
        ("m", {"base_url": "http://h.invalid", "temprature": 1}, "temprature"),
        ("m", {"base_url": "http://h.invalid", "timeout": "soon"}, "timeout"),
        ("m", {"base_url": "http://h.invalid", "api_key_env": "UNSET_KEY"}, "UNSET_KEY"),
        ("m", {"base_url": "http://h.invalid", "ca_file": "/nowhere.pem"}, "nowhere.pem"),
        ("m", {"base_url": "http://h.invalid", "price_config": {"per_token": 1}}, "per_token"),
        ("m", {"base_url": "http://h.invalid", "price_config": {"input_per_1k": "x"}}, "input_per_1k"),
        ("", {"base_url": "http://h.invalid"}, "chat:MODEL"),
    ],
)
def test_what_the_user_must_fix(argument: str, options: dict[str, Any], said: str) -> None:
    """Wrong options are refused before anything is asked, with their names."""
    with pytest.raises(ConnectError) as caught:
        connect(argument, options)

    assert said in str(caught.value)


def test_two_loops() -> None:
    """A system may be used in one event loop after another."""
    system = connect("m", {"base_url": "http://127.0.0.1:9/v1", **ONCE})

    async def once() -> str:
        answer = await system.ask(Request(id="a", question="q"))
        await system.close()
        return answer.failure.kind if answer.failure else ""

    assert [asyncio.run(once()) for _ in range(2)] == ["refused"] * 2


def test_ssl_is_checked_by_default() -> None:
    """Certificates are checked unless the user says otherwise."""
    checked = chat_of(connect("m", {"base_url": "https://h.invalid/v1"}))
    unchecked = chat_of(connect("m", {"base_url": "https://h.invalid/v1", "verify_tls": "false"}))

    strict, lax = checked._endpoint._tls, unchecked._endpoint._tls
    assert strict is not None and strict.verify_mode == ssl.CERT_REQUIRED and strict.check_hostname
    assert lax is not None and lax.verify_mode == ssl.CERT_NONE
