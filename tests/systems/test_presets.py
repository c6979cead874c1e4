"""Each preset against an imitation that follows the project's published API."""

import json
from collections.abc import Mapping
from typing import Any

import pytest

from ragstone.core.errors import ConnectError
from ragstone.core.types import Answer, Citation, Context, Request, Usage
from ragstone.systems.http_json.service import presets
from ragstone.systems.http_json.system import connect
from tests.loopback import Loopback, Reply

QUESTION = "押金多少？"


def sse(*values: Any) -> bytes:
    """Write events as a server sends them."""
    return b"".join(b"data: " + json.dumps(value, ensure_ascii=False).encode() + b"\n\n" for value in values)


def lightrag(body: Mapping[str, Any], number: int) -> Reply:
    """LightRAG: references with chunk texts when asked for; a stream of lines."""
    if body["mode"] not in {"local", "global", "hybrid", "naive", "mix", "bypass"} or len(body["query"]) < 3:
        return Reply({"detail": [{"loc": ["body", "mode"], "msg": "Input should be 'local', …"}]}, 422)
    references: list[dict[str, Any]] = [
        {"reference_id": "1", "file_path": "租约.pdf", "content": ["押金三千元。", "月付。"]},
        {"reference_id": "2", "file_path": "收据.md", "content": None},
    ]
    if not body["include_chunk_content"]:
        references = [{k: v for k, v in item.items() if k != "content"} for item in references]
    if not body["stream"]:
        return Reply({"response": "三千元 [1]", "references": references, "llm_generated": True})
    lines = [{"references": references}, {"response": "三千"}, {"response": "元 [1]"}]
    return Reply(b"".join(json.dumps(line).encode() + b"\n" for line in lines), content_type="application/x-ndjson")


CHUNK = {
    "id": "c1",
    "content": "押金三千元。",
    "document_id": "d1",
    "document_name": "租约.pdf",
    "dataset_id": "s1",
    "similarity": 0.7,
    "positions": [[2, 10, 20, 30, 40]],
}


def ragflow(body: Mapping[str, Any], number: int) -> Reply:
    """RAGFlow: errors with status 200; streamed answers come whole each time, then a closing true."""
    if not body.get("question"):
        return Reply({"code": 102, "message": "Please input your question."})
    part = {"answer": "三千", "reference": {}, "id": "m", "session_id": "s"}
    whole = {**part, "answer": "三千元 ##0$$", "reference": {"total": 1, "chunks": [CHUNK], "doc_aggs": []}}
    if not body["stream"]:
        return Reply({"code": 0, "data": whole})
    ends = [{"code": 0, "message": "", "data": part}, {"code": 0, "data": whole}, {"code": 0, "data": True}]
    return Reply(sse(*ends), content_type="text/event-stream")


RESOURCE = {
    "position": 1,
    "dataset_name": "合同",
    "document_id": "d",
    "document_name": "租约.pdf",
    "segment_id": "s",
    "score": 0.98,
    "content": "押金三千元。",
    "page": 2,
}
METADATA = {
    "usage": {"prompt_tokens": 30, "completion_tokens": 5, "total_tokens": 35, "total_price": "0.1", "latency": 0.7},
    "retriever_resources": [RESOURCE],
}


def dify(body: Mapping[str, Any], number: int) -> Reply:
    """Dify: a user is required; pieces first, metadata at the end."""
    if not body.get("user"):
        return Reply({"code": "invalid_param", "message": "user is required", "status": 400}, 400)
    common = {"task_id": "t", "message_id": "m", "conversation_id": "c"}
    if body["response_mode"] == "blocking":
        whole = {"event": "message", "mode": "chat", "answer": "三千元", "metadata": METADATA, **common}
        return Reply({**whole, "created_at": 1})
    if body["query"] == "boom":
        return Reply(sse({"event": "error", "status": 400, "code": "provider_quota_exceeded", "message": "quota"}))
    pieces = [{"event": "message", "answer": piece, **common} for piece in ("三", "千元")]
    if body["query"] == "cut":
        return Reply(sse(*pieces), content_type="text/event-stream")
    if body["query"] == "moderated":
        pieces += [{"event": "message_replace", "answer": "不便回答", **common}, {"event": "ping"}]
    raw = b"event: ping\n\n" + sse(*pieces, {"event": "message_end", "metadata": METADATA, **common})
    return Reply(raw, content_type="text/event-stream")


def fastgpt(body: Mapping[str, Any], number: int) -> Reply:
    """FastGPT: what the modules did is in responseData; an app's error has a code."""
    if body["messages"][-1]["content"] == "boom":
        return Reply({"code": 514, "statusText": "unAuthApiKey", "message": "Key is error", "data": None})
    quote = {
        "id": "q1",
        "q": "押金多少？",
        "a": "三千元。",
        "sourceName": "租约.pdf",
        "score": [{"type": "rrf", "value": 0.4}],
    }
    modules = [
        {"moduleName": "知识库搜索", "moduleType": "datasetSearchNode", "quoteList": [quote], "inputTokens": 6},
        {"moduleName": "AI 对话", "moduleType": "chatNode", "inputTokens": 20, "outputTokens": 4},
    ]
    choice = {"message": {"role": "assistant", "content": "三千元"}, "finish_reason": "stop", "index": 0}
    if number:
        choice["message"] = {"role": "assistant", "content": [{"type": "text", "text": {"content": "三千元"}}]}
    return Reply({"responseData": modules, "id": "", "model": "", "usage": {"total_tokens": 1}, "choices": [choice]})


KEYS = {
    "LIGHTRAG_API_KEY": "k-light",
    "RAGFLOW_API_KEY": "k-flow",
    "DIFY_API_KEY": "k-dify",
    "FASTGPT_API_KEY": "k-fast",
}
CONTEXT = Context("租约.pdf", 2, "押金三千元。", 0.7)
CITED = Citation("租约.pdf", 2, "押金三千元。")


@pytest.fixture(autouse=True)
def _keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {**KEYS, "RAGFLOW_CHAT_ID": "chat-1"}.items():
        monkeypatch.setenv(name, value)


async def ask(preset: str, script: Any, question: str = QUESTION, **options: Any) -> tuple[Answer, Loopback]:
    """Ask an imitation by a preset."""
    async with Loopback(script=script) as server:
        system = connect(preset, {"base_url": server.url, "max_retries": 0, **options})
        answer = await system.ask(Request(id="a", question=question))
        await system.close()
    return answer, server


def test_there_is_an_imitation_of_each() -> None:
    """No preset goes untested."""
    assert presets() == ["dify", "dify_stream", "fastgpt", "lightrag", "lightrag_stream", "ragflow", "ragflow_stream"]


@pytest.mark.parametrize("preset", ["lightrag", "lightrag_stream"])
async def test_lightrag(preset: str) -> None:
    """References become citations, their chunk texts contexts."""
    answer, server = await ask(preset, lightrag, mode="hybrid", top_k=8)

    assert answer.text == "三千元 [1]"
    assert answer.citations == (Citation("租约.pdf"), Citation("收据.md"))
    assert answer.contexts[:2] == (Context("租约.pdf", text="押金三千元。"), Context("租约.pdf", text="月付。"))
    assert (server.seen[0].body["mode"], server.seen[0].body["top_k"]) == ("hybrid", 8)
    assert server.seen[0].headers["X-API-Key"] == "k-light" and "chunk_top_k" not in server.seen[0].body


@pytest.mark.parametrize("mode", ["local", "global", "hybrid", "naive", "mix", "bypass", "wrong"])
async def test_lightrag_modes(mode: str) -> None:
    """Every mode is passed on; one the server does not know is its to refuse."""
    answer, server = await ask("lightrag", lightrag, mode=mode)

    assert server.seen[0].body["mode"] == mode
    assert (answer.failure is None) == (mode != "wrong")


async def test_lightrag_without_key_and_references(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server without a key, and a reply without references, are fine."""
    monkeypatch.delenv("LIGHTRAG_API_KEY")

    answer, server = await ask("lightrag", lambda body, number: Reply({"response": "x", "references": None}))

    assert (answer.text, answer.contexts, answer.failure) == ("x", (), None)
    assert "X-API-Key" not in server.seen[0].headers


@pytest.mark.parametrize("preset", ["ragflow", "ragflow_stream"])
async def test_ragflow(preset: str) -> None:
    """Chunks become contexts and citations, with the page of their first position."""
    answer, server = await ask(preset, ragflow)

    assert (answer.text, answer.contexts, answer.citations) == ("三千元 ##0$$", (CONTEXT,), (CITED,))
    assert server.seen[0].path == "/api/v1/chats/chat-1/completions"
    assert server.seen[0].headers["Authorization"] == "Bearer k-flow"


async def test_ragflow_reports() -> None:
    """An error with status 200 is an error."""
    answer, _ = await ask("ragflow", ragflow, question="")

    assert answer.failure and answer.failure.kind == "reported"
    assert "102: Please input" in answer.failure.message


@pytest.mark.parametrize("preset", ["dify", "dify_stream"])
async def test_dify(preset: str) -> None:
    """Retriever resources become contexts and citations; usage is counted."""
    answer, server = await ask(preset, dify, inputs={"city": "新北"})

    assert answer.text == "三千元"
    assert answer.contexts == (Context("租约.pdf", 2, "押金三千元。", 0.98),)
    assert answer.citations == (CITED,)
    assert answer.usage == Usage(30, 5, 35)
    assert server.seen[0].path == "/chat-messages" and server.seen[0].body["inputs"] == {"city": "新北"}


async def test_dify_reports() -> None:
    """An error event in the stream is an error, and so is a status."""
    streamed, _ = await ask("dify_stream", dify, question="boom")
    refused, _ = await ask("dify", dify, user="")

    assert streamed.failure and "provider_quota_exceeded: quota" in streamed.failure.message
    assert refused.failure and refused.failure.code == "400" and "user is required" in refused.failure.message


async def test_dify_streams_that_change_their_mind_or_break_off() -> None:
    """A replacement takes the place of what came before it; without its end a stream is no answer."""
    replaced, _ = await ask("dify_stream", dify, question="moderated")
    cut, _ = await ask("dify_stream", dify, question="cut")

    assert (replaced.text, replaced.usage) == ("不便回答", Usage(30, 5, 35))
    assert cut.failure and cut.failure.kind == "cut_off" and "message_end" in cut.failure.message


async def test_ragflow_streams_that_break_off() -> None:
    """Without the closing true a stream is no answer."""

    def cut(body: Mapping[str, Any], number: int) -> Reply:
        whole = ragflow(body, number).body
        assert isinstance(whole, bytes)
        return Reply(b"\n\n".join(whole.split(b"\n\n")[:2]) + b"\n\n", content_type="text/event-stream")

    answer, _ = await ask("ragflow_stream", cut)

    assert answer.failure and answer.failure.kind == "cut_off"


async def test_fastgpt() -> None:
    """Quotes become contexts and citations; tokens are added up over the modules."""
    answer, server = await ask("fastgpt", fastgpt)

    assert (answer.text, answer.finish_reason) == ("三千元", "stop")
    assert answer.contexts == (Context("租约.pdf", None, "押金多少？\n三千元。", 0.4),)
    assert answer.citations == (Citation("租约.pdf", None, "三千元。"),)
    assert answer.usage == Usage(26, 4, 30)
    assert server.seen[0].body["messages"] == [{"role": "user", "content": QUESTION}]
    assert "chatId" not in server.seen[0].body


async def test_fastgpt_in_parts_and_in_error() -> None:
    """Answers in parts are joined, and a code other than 200 is an error."""
    parts, _ = await ask("fastgpt", lambda body, number: fastgpt(body, 1))
    wrong, _ = await ask("fastgpt", fastgpt, question="boom")

    assert parts.text == "三千元"
    assert wrong.failure and "514: Key is error" in wrong.failure.message


def test_everything_a_preset_needs_is_named_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """With what to type, not one variable after the other; what is given as an option is not asked for."""
    for name in ("RAGFLOW_CHAT_ID", "RAGFLOW_API_KEY"):
        monkeypatch.delenv(name, raising=False)

    with pytest.raises(ConnectError) as both:
        connect("ragflow", {})
    with pytest.raises(ConnectError) as key:
        connect("ragflow", {"chat_id": "c"})

    assert "export RAGFLOW_CHAT_ID=… RAGFLOW_API_KEY=…" in both.value.say("en")
    assert "-O chat_id=…" in both.value.say("en") and "写入 .env" in both.value.say("zh-Hans")
    assert "RAGFLOW_CHAT_ID" not in key.value.say("en") and "export RAGFLOW_API_KEY=…" in key.value.say("en")
