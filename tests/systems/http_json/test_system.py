"""Any JSON service by its description, over a real connection."""

import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from ragstone.core.errors import ConnectError
from ragstone.core.types import Answer, Citation, Context, Message, Request, Usage
from ragstone.systems.http_json.system import connect
from ragstone.systems.models import read_registry
from tests.loopback import Loopback, Reply

ONCE = {"max_retries": 0, "breaker_after": 0}
CANARY = "canary-77aa88bb"
SERVICE: dict[str, Any] = {
    "url": "{{base_url}}/ask/{{flow}}",
    "headers": {"Authorization": "Bearer ${RAG_KEY}", "X-Mode": "plain"},
    "variables": {"base_url": "http://127.0.0.1:9", "top_k": 5, "flow": "a/b", "mode": None},
    "body": {"q": "{{question}}", "k": "{{top_k}}", "mode": "{{mode}}", "n": "{{repeat}}", "all": "{{prompt}}"},
    "answer": "data.answer",
    "contexts": {
        "items": "data.docs[*]",
        "source_path": "meta.file",
        "page": "meta.page",
        "text": "text",
        "score": "s",
    },
    "citations": {"items": "data.cites[*]", "file": "file", "page": "page", "quote": "quote", "optional": True},
    "usage": {"prompt_tokens": "use.in", "completion_tokens": "use.out"},
    "finish_reason": "data.stop",
    "error": {"path": "code", "ok": [0], "message": "msg"},
    "price_config": {"input_per_1k": 1, "output_per_1k": 1},
    "model_id": "my-rag",
}
DOC = {"meta": {"file": "判决.pdf", "page": "3"}, "text": "文", "s": 0.5}
GOOD = {
    "code": 0,
    "data": {"answer": "42000元", "docs": [DOC, {"text": "b"}], "cites": [{"file": "a.md", "page": 2}], "stop": "end"},
    "use": {"in": 10, "out": 5},
}


@pytest.fixture
async def server() -> AsyncIterator[Loopback]:
    """A server that answers as the description says."""
    async with Loopback(Reply(GOOD)) as running:
        yield running


@pytest.mark.parametrize("key", ["answer", "response", "output", "text", "result"])
async def test_an_address_alone_finds_the_answer(key: str) -> None:
    """Under the names that services give it; nobody has to write a description first."""
    async with Loopback(Reply({key: "九点", "references": ["a.md"]})) as server:
        answer = await connect(f"{server.url}/ask", dict(ONCE)).ask(Request(id="1", question="几点？"))

    assert (answer.text, [one.file for one in answer.citations]) == ("九点", ["a.md"])


@pytest.mark.parametrize(
    "reply",
    [
        {"data": {"answer": "九点", "sources": ["a.md"]}},
        {"choices": [{"message": {"content": "九点"}}], "citations": ["a.md"]},
    ],
)
async def test_an_address_alone_finds_an_answer_within(reply: dict[str, Any]) -> None:
    """References stand beside the answer, also where a reply wraps both, and a chat endpoint's form is known."""
    async with Loopback(Reply(reply)) as server:
        answer = await ask(f"{server.url}/ask")

    assert (answer.text, [one.file for one in answer.citations]) == ("九点", ["a.md"])


@pytest.fixture
def describe(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Write a description with some parts changed and return its path."""
    monkeypatch.setenv("RAG_KEY", CANARY)

    def write(**changes: Any) -> str:
        path = tmp_path / "service.yaml"
        content = {k: v for k, v in {**SERVICE, **changes}.items() if v is not ...}
        path.write_text(yaml.safe_dump(content, allow_unicode=True), encoding="utf-8")
        return str(path)

    return write


async def ask(argument: str, request: Request | None = None, **options: Any) -> Answer:
    """Ask one thing and close."""
    system = connect(argument, {**ONCE, **options})
    try:
        return await system.ask(request or Request(id="a", question="多少钱？"))
    finally:
        await system.close()


async def test_everything(server: Loopback, describe: Any) -> None:
    """Answer, contexts, citations, usage, cost and finish reason are where the description says."""
    answer = await ask(describe(), base_url=server.url)

    assert (answer.text, answer.failure, answer.finish_reason) == ("42000元", None, "end")
    assert answer.contexts == (Context("判决.pdf", 3, "文", 0.5), Context(text="b"))
    assert answer.citations == (Citation("a.md", 2),)
    assert answer.usage == Usage(10, 5, 15) and answer.cost == pytest.approx(0.015)
    assert answer.latency_ms and answer.latency_ms > 0


async def test_what_is_sent(server: Loopback, describe: Any) -> None:
    """Variables, options and the request fill the template; null leaves its key out; parts of an address stay parts."""
    messages = (Message("system", "短"), Message("user", "问"))
    request = Request(id="a", question="问", messages=messages, params={"top_k": 9, "other": 1}, repeat=2)

    await ask(describe(), request, base_url=server.url + "/")

    assert server.seen[0].body == {"q": "问", "k": 9, "n": 2, "all": "短\n\n问"}
    assert server.seen[0].headers["Authorization"] == f"Bearer {CANARY}"
    assert server.seen[0].path == "/ask/a/b"


async def test_get(server: Loopback, describe: Any) -> None:
    """A service may be asked by its query."""
    path = describe(method="GET", query={"q": "{{question}}", "k": "{{top_k}}"}, body=...)

    await ask(path, Request(id="a", question="a&b=c 问"), base_url=server.url)

    assert (server.seen[0].method, server.seen[0].query) == ("GET", {"q": "a&b=c 问", "k": "5"})


async def test_an_address_alone(server: Loopback) -> None:
    """An address is enough for a service that takes a question and answers."""
    server.then([Reply({"answer": {"amount": 42000}}), Reply({"reply": 5})])

    structured = await ask(f"{server.url}/ask")
    other = await ask(f"{server.url}/ask", answer="reply")

    assert (structured.text, structured.data) == ('{"amount":42000}', {"amount": 42000})
    assert (other.text, other.data) == ("5", None)
    assert server.seen[0].body == {"question": "多少钱？"}


MISHAPS: dict[str, tuple[Any, str, str]] = {
    "missing answer": ({"code": 0, "data": {"text": "x", "id": 1}}, "missing_path", "at 'data' the keys are text, id"),
    "missing contexts": ({"code": 0, "data": {"answer": "x"}}, "missing_path", "data.docs[*]"),
    "reported": ({"code": 102, "msg": "no such chat"}, "reported", "102: no such chat"),
    "reported oddly": ({"code": "0", "data": {}}, "reported", "0"),
    "not json": (b"oops", "not_json", "oops"),
    "html": (b"  <html><body>", "html_page", "web page"),
    "list": ([1], "missing_path", "at the top is a list of 1"),
    "null": (b"null", "missing_path", "at the top is null"),
}


@pytest.mark.parametrize("name", MISHAPS)
async def test_mishap(server: Loopback, describe: Any, name: str) -> None:
    """A reply that is not as described says what was there instead; the next case goes on."""
    body, kind, said = MISHAPS[name]
    server.then([Reply(body), Reply(GOOD)])
    system = connect(describe(), {**ONCE, "base_url": server.url})

    first = await system.ask(Request(id="a", question="q"))
    second = await system.ask(Request(id="b", question="q"))
    await system.close()

    assert first.failure and first.failure.kind == kind
    assert said in first.failure.message and server.url in first.failure.message
    assert second.text == "42000元"


@pytest.mark.parametrize(
    "reply",
    [
        {"data": {"answer": None, "docs": None}},
        {"data": {"answer": "x", "docs": [1, None, "t", [], {}], "cites": [None, "f", {"page": True}]}},
        {"data": {"answer": True, "docs": [{"meta": 5, "s": "0.5"}]}, "use": {"in": "x", "out": -1}},
        {"data": {"answer": [1, {"a": None}], "docs": [{"s": "nan", "meta": {"page": 1.5}}]}, "use": None},
        {"data": {"answer": "x", "docs": [{"text": ["a", "b"], "meta": {"page": 10**30, "file": 7}}]}},
    ],
)
async def test_odd_values_never_break(server: Loopback, describe: Any, reply: Any) -> None:
    """Values of other types than expected are left out or written as text, and nothing raises."""
    server.then([Reply(reply)])

    answer = await ask(describe(), base_url=server.url)

    assert answer.failure is None
    assert all(context.score is None or 0 <= context.score <= 1 for context in answer.contexts)


SSE = (
    b': hello\n\nevent: message\ndata: {"t": "4200"}\n\ndata: ping\n\n'
    b'data: {"t":\r\ndata: "0\\u5143"}\r\n\r\ndata: {"refs": ["a.md"]}\n\ndata: [DONE]\n\n'
)
NDJSON = b'{"refs": ["a.md"]}\n{"t": "4200"}\n\n{"t": "0\xe5\x85\x83"}\n'
WHOLE = b'data: {"t": "4"}\n\ndata: {"t": "42000\xe5\x85\x83", "refs": ["a.md"]}\n\ndata: {"t": ""}\n\n'


@pytest.mark.parametrize(
    ("raw", "stream"),
    [
        (SSE, {"kind": "sse"}),
        (NDJSON, {"kind": "ndjson"}),
        (WHOLE, {"kind": "sse", "join": "last"}),
        (b'{"t": "42000\xe5\x85\x83", "refs": ["a.md"]}', {"kind": "sse"}),
    ],
)
async def test_streams_are_joined(server: Loopback, raw: bytes, stream: Any, describe: Any) -> None:
    """SSE and NDJSON become one answer, references come from wherever they were."""
    server.then([Reply(raw, content_type="text/event-stream")])
    parts = {"answer": "t", "contexts": ..., "citations": {"items": "refs[*]"}, "usage": ..., "error": ...}

    answer = await ask(describe(stream=stream, **parts), base_url=server.url)

    assert (answer.text, answer.citations) == ("42000元", (Citation("a.md"),))


@pytest.mark.parametrize(
    ("raw", "kind"),
    [
        (b'data: {"x": 1}\n\n', "missing_path"),
        (b'data: {"x\n\n', "not_json"),
        (b"<html>", "html_page"),
        (b"", "not_json"),
    ],
)
async def test_streams_that_are_none(server: Loopback, describe: Any, raw: bytes, kind: str) -> None:
    """A stream without an answer says so."""
    server.then([Reply(raw)])
    path = describe(stream={"kind": "sse"}, answer="t", contexts=..., error=...)

    answer = await ask(path, base_url=server.url)

    assert answer.failure and answer.failure.kind == kind


async def test_secrets_never_show(server: Loopback, describe: Any) -> None:
    """Keys in headers, query and variables are in no message, identity or repr."""
    server.then([Reply({"error": f"bad key {CANARY}"}, 401), Reply({CANARY: CANARY}), Reply(f"x {CANARY}".encode())])
    path = describe(query={"token": "${RAG_KEY}"}, variables={**SERVICE["variables"], "password": CANARY})
    system = connect(path, {**ONCE, "base_url": server.url})

    answers = [await system.ask(Request(id="a", question="q")) for _ in range(3)]
    shown = repr((answers, system.identity(), system))
    await system.close()

    assert server.seen[0].query == {"token": CANARY}
    assert [answer.failure.kind for answer in answers if answer.failure] == ["http_4xx", "missing_path", "not_json"]
    assert CANARY not in shown


def test_identity(describe: Any) -> None:
    """Identity changes with what is asked and read, not with how it is called."""
    path = describe()
    one, two, three = (connect(path, options) for options in ({}, {"timeout": 3}, {"top_k": 6}))

    assert one.identity() == two.identity() != three.identity()
    assert one.model_id == "my-rag"


@pytest.mark.parametrize(
    ("changes", "options", "said"),
    [
        ({"answr": "x"}, {}, "answr"),
        ({"url": ...}, {}, "url"),
        ({"answer": "a..b"}, {}, "service.yaml: path 'a..b'"),
        ({"body": {"q": "{{quest}}"}}, {}, "quest"),
        ({"url": "http://h/{{question}}", "variables": {}, "body": "{{question}}"}, {}, "known: none"),
        ({"body": {"q": "{{top_k}}"}}, {}, "{{question}}"),
        ({"body": ...}, {}, "{{question}}"),
        ({"id": "request"}, {}, "{{id}}"),
        ({"headers": {"X": "${UNSET_ONE}"}}, {}, "UNSET_ONE"),
        ({"stream": {"kind": "xml"}}, {}, "allowed: ndjson, sse"),
        ({"stream": {"kind": "sse", "done": {"path": "a..b"}}}, {}, "a..b"),
        ({"method": "DELETE"}, {}, "'DELETE' - at `$.method`; allowed: GET, POST, PUT"),
        ({}, {"method": "DELETE"}, "allowed: GET, POST, PUT"),
        ({"contexts": {"item": "x"}}, {}, "item"),
        ({"headers": {"X-Note": "a\nb"}}, {}, "X-Note"),
        ({}, {"topk": 3}, "topk"),
        ({}, {"base_url": "no address"}, "no address"),
    ],
)
def test_what_the_user_must_fix(describe: Any, changes: Any, options: Any, said: str) -> None:
    """A description that cannot work is refused before anything is asked."""
    with pytest.raises(ConnectError) as caught:
        connect(describe(**changes), options)

    assert said in str(caught.value)


@pytest.mark.parametrize("argument", ["", "nosuchpreset", "gone.yaml"])
def test_what_is_not_there(argument: str) -> None:
    """A name that is neither file nor preset nor address is refused with what there is."""
    with pytest.raises(ConnectError):
        connect(argument, {})


@pytest.mark.parametrize(
    ("found", "kind"), [("a", None), ("b", "wrong_id"), (None, "missing_path"), (..., "missing_path"), (7, "wrong_id")]
)
async def test_a_reply_to_another_question_is_refused(
    server: Loopback, describe: Any, found: Any, kind: str | None
) -> None:
    """A service that repeats the id it was sent cannot mix two questions up unseen."""
    server.then([Reply(GOOD if found is ... else {**GOOD, "request": found})])

    path = describe(url=server.url, id="request", body={"q": "{{question}}", "request": "{{id}}"})
    answer = await ask(path)

    assert (answer.failure.kind if answer.failure else None) == kind


CUT = b'data: {"t": "4200"}\n\n'
OPENAI = {"kind": "sse", "done": "[DONE]"}
NAMED = {"kind": "sse", "done": {"path": "event", "is": ["end", "stop"]}}


@pytest.mark.parametrize(
    ("raw", "stream", "kind"),
    [
        (CUT + b'event: error\ndata: {"error": {"message": "boom mid"}}\n\n', {"kind": "sse"}, "reported"),
        (CUT + b"event: error\ndata: boom mid\n\n", {"kind": "sse"}, "reported"),
        (CUT + b'data: {"error": {"message": "boom mid"}}\n\n', {"kind": "sse"}, "reported"),
        (b'{"t": "4200"}\n{"error": "boom mid"}\n', {"kind": "ndjson"}, "reported"),
        (CUT, OPENAI, "cut_off"),
        (CUT + b'data: {"event": "pause"}\n\n', NAMED, "cut_off"),
        (CUT + b'data: {"over": false}\n\n', {"kind": "sse", "done": {"path": "over"}}, "cut_off"),
        (CUT + b"data: [DONE]\n\n", OPENAI, None),
        (CUT + b'data: {"event": "stop"}\n\n', NAMED, None),
        (b'{"t": "4200"}\n{"done": true}\n', {"kind": "ndjson", "done": {"path": "done"}}, None),
        (b'{"t": "4200", "error": null}', OPENAI, None),
    ],
)
async def test_a_stream_that_breaks_off_is_no_answer(
    server: Loopback, describe: Any, raw: bytes, stream: Any, kind: str | None
) -> None:
    """An error in its middle, or an end without its mark, fails the case and says why."""
    server.then([Reply(raw, content_type="text/event-stream")])

    answer = await ask(describe(stream=stream, answer="t", contexts=..., error=...), base_url=server.url)

    assert (answer.failure.kind if answer.failure else None) == kind
    assert answer.text == ("" if kind else "4200")
    assert kind != "reported" or (answer.failure and "boom mid" in answer.failure.message)


async def test_a_stream_that_was_cut_off_is_asked_again(server: Loopback, describe: Any) -> None:
    """The next attempt may come whole."""
    server.then([Reply(CUT), Reply(CUT + b"data: [DONE]\n\n")])
    path = describe(stream=OPENAI, answer="t", contexts=..., error=...)

    answer = await ask(path, base_url=server.url, max_retries=1, retry_delay=0.01)

    assert (answer.text, answer.attempts) == ("4200", 2)


EXAMPLES = [
    block.split("```")[0]
    for page in sorted((Path(__file__).parents[3] / "docs").glob("systems*.md"))
    for block in page.read_text(encoding="utf-8").split("```yaml\n")[1:]
]


@pytest.mark.parametrize("number", range(len(EXAMPLES)))
def test_every_example_of_the_documents_can_be_used(
    number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a reader copies works: descriptions, parts of descriptions and model registries."""
    for variable in re.findall(r"\$\{(\w+)\}", EXAMPLES[number]):
        monkeypatch.setenv(variable, CANARY)
    content = yaml.safe_load(EXAMPLES[number])
    path = tmp_path / "example.yaml"
    if "models" in content:
        path.write_text(EXAMPLES[number], encoding="utf-8")
        assert read_registry(path).model().name in content["models"]
        return
    path.write_text(yaml.safe_dump({"url": "http://127.0.0.1:9", **content}), encoding="utf-8")

    assert connect(str(path), {}).model_id
