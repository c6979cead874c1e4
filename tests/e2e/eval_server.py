"""An OpenAI-compatible endpoint that knows the bundled Eval JSON v2 questions: `python -m tests.e2e.eval_server MODE`.

MODE `right` gives the expected answer to the question in the prompt, `wrong` prose. It prints its address.
"""

import asyncio
import json
import sys
from pathlib import Path

from aiohttp import web

import ragstone
from tests.loopback.server import completion

FULL = Path(ragstone.__file__).parent / "data" / "eval_json_v2" / "question_v2.json"


async def serve(mode: str) -> None:
    """Answer until the process is ended."""
    rows = json.loads(FULL.read_bytes())
    calls = 0

    async def handle(request: web.Request) -> web.Response:
        nonlocal calls
        if request.method == "GET":
            return web.json_response({"calls": calls})
        calls += 1
        prompt = "".join(message["content"] for message in (await request.json())["messages"])
        row = next(row for row in rows if row["question"] in prompt)
        expected = row["expected"]
        answer = json.dumps(expected["answer_example"] | {"source_map": expected["source_map"]}, ensure_ascii=False)
        return web.json_response(completion(answer if mode == "right" else "抱歉，我不知道。"))

    app = web.Application()
    app.router.add_route("*", "/{tail:.*}", handle)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    print(f"http://127.0.0.1:{runner.addresses[0][1]}", flush=True)  # noqa: T201
    await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(serve(sys.argv[1]))
