"""The invented questions, and a tiny endpoint on 127.0.0.1 that answers them; standard library only.

Nothing here is true: the library, the café, the fair and the railway do not exist.
"""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import NamedTuple


class Fiction(NamedTuple):
    """One question with its reference, and what the endpoint says to it; None is an HTTP 500."""

    id: str
    question: str
    reference: str
    context: str
    answer: str | None


FICTIONS = (
    Fiction("loan", "星河图书馆的借书期限是多少天？", "30天", "星河图书馆规定：借书期限为30天。", "借书期限是30天。"),
    Fiction(
        "fee", "晨光咖啡館的年費是多少元？", "1,200元", "晨光咖啡館章程：會員年費一千二百元。", "年費是一千二百元。"
    ),
    Fiction(
        "fair",
        "Which town hosts the Lantern Fair?",
        "Port Ellery",
        "The Lantern Fair is held in Port Ellery every spring.",
        "The fair is held in Port Ellery.",
    ),
    Fiction("train", "云岭铁路几点发首班车？", "6点20分", "云岭铁路首班车为6点20分。", "首班车是7点40分。"),
    Fiction("phone", "What is the café's phone number?", "not given", "The notice names no phone number.", ""),
    Fiction("museum", "月湖博物館週一開放嗎？", "不開放", "月湖博物館週一閉館。", None),
    Fiction("formula", "=1+1 是多少？", "2", "=1+1 等于 2。", "=2"),
)
BROKEN = "月湖博物館"
"""A request that speaks of it gets an HTTP 500."""


def reply_to(text: str) -> str | None:
    """Find the answer to whatever question a prompt holds; a judge's prompt gets a verdict."""
    if "verdict" in text:
        wrong = "7点40分" in text
        return json.dumps({"reason": "wrong time" if wrong else "as the notice says", "verdict": int(not wrong)})
    for fiction in FICTIONS:
        if fiction.question in text:
            return fiction.answer
    return "I do not know."


class _Handler(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        size = int(self.headers.get("Content-Length") or 0)
        asked = json.loads(self.rfile.read(size) or b"{}")
        text = json.dumps(asked.get("messages", asked), ensure_ascii=False)
        answer = reply_to(text)
        if BROKEN in text or answer is None:
            self._send(500, {"error": {"message": "the endpoint is out of order", "type": "server_error"}})
            return
        choice = {"index": 0, "message": {"role": "assistant", "content": answer}, "finish_reason": "stop"}
        usage = {"prompt_tokens": 20, "completion_tokens": 8, "total_tokens": 28}
        named = {"id": "c1", "object": "chat.completion", "created": 0, "model": str(asked.get("model"))}
        self._send(200, {**named, "choices": [choice], "usage": usage})

    def _send(self, status: int, body: object) -> None:
        content = json.dumps(body, ensure_ascii=False).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class names it so
        """Say nothing."""


@contextmanager
def endpoint() -> Iterator[str]:
    """Serve until the block ends; yields the base address of an OpenAI-compatible API."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/v1"
    finally:
        server.shutdown()
        server.server_close()
