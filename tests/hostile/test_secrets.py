"""A canary in every cage: no key is in any byte that is written or shown, whatever goes wrong."""

import json
from base64 import b64encode
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import quote

import pytest

from ragstone.core.masking import Secrets, hide_addresses, hide_foreign, is_key
from ragstone.core.settings import Settings
from tests.conftest import Cli
from tests.hostile.server import Call, Said, serving
from tests.web.site import serving as serving_page

KEY = "cNry7f3A9q/Zx+w0="
QUOTED = quote(KEY, safe="")
USER = "bird"
INPUTS = {".env", "models.yaml", "service.yaml", "stream.yaml", "my_rag.py", "ragstone.toml"}
"""What the user wrote; the key may stand there."""
FORMS = [
    KEY,
    QUOTED,
    KEY.replace("/", "\\/"),
    b64encode(KEY.encode()).decode(),
    b64encode(f"{USER}:{KEY}".encode()).decode(),
    KEY[:12],
]
ESCAPED = "".join(f"\\u{ord(char):04x}" for char in KEY)


def _chat(text: str) -> bytes:
    choice = {"message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
    return json.dumps({"choices": [choice], "answer": text}, ensure_ascii=False).encode()


def echo(call: Call) -> Said:
    """Say the key back in every place a server has, one after the other."""
    told = f"{KEY} {call.headers} {call.path}"
    replies = [
        Said(_chat(f"支持 ChromaDB，密钥 {told}")),
        Said(_chat("支持 ChromaDB").replace(b"ChromaDB", ESCAPED.encode())),
        Said(json.dumps({"error": {"message": f"bad key {told}", "code": KEY}}).encode(), 401),
        Said(b"", 302, {"Location": f"http://127.0.0.1/{QUOTED}?api_key={QUOTED}&x={KEY}#{KEY}"}),
        Said(f"boom {told}".encode(), 500),
        Said(f"<html>{told}</html>".encode()),
        Said(b"x" * 190 + told.encode()),
        Said(json.dumps({"error": {"message": told}}).encode()),
        Said(json.dumps({KEY: told, "detail": told}).encode()),
        Said(f"slow down {told}".encode(), 429, {"Retry-After": KEY, "X-Key": KEY}),
        Said(b"", 200, {"Content-Encoding": KEY}),
        Said(json.dumps({"error": {KEY: "y" * 480 + KEY}}).encode(), 400),
    ]
    if "stream" in call.path:
        pieces = "".join(f"data: {json.dumps({'answer': char})}\n\n" for char in f"支持 {KEY}")
        return Said(pieces.encode(), 200, {"Content-Type": "text/event-stream"})
    return replies[call.number % len(replies)]


@pytest.fixture
def port() -> Iterator[int]:
    """A server that says back what it was told."""
    with serving(echo) as port:
        yield port


@pytest.fixture
def rows(write_rows: Callable[..., Path], port: int, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the key in every place a user can put it."""
    monkeypatch.setenv("CAGE_KEY", KEY)
    Path(".env").write_text(f"ENV_FILE_TOKEN={KEY}\n", encoding="utf-8")
    Path("models.yaml").write_text(
        f"active: m\nmodels:\n  m:\n    base_url: http://127.0.0.1:{port}/v1\n    api_key: ${{CAGE_KEY}}\n"
        f"    headers: {{X-Api-Key: '{KEY}'}}\n    params: {{user: '{KEY}'}}\n",
        encoding="utf-8",
    )
    service = (
        f"url: http://127.0.0.1:{port}/%s\nbody: {{q: '{{{{question}}}}', k: '{{{{pw}}}}'}}\nvariables: {{pw: ''}}\n"
        "headers: {Authorization: 'Bearer {{pw}}', X-Session: '${ENV_FILE_TOKEN}'}\nquery: {api_key: '{{pw}}'}\n"
    )
    Path("service.yaml").write_text(service % "ask", encoding="utf-8")
    Path("stream.yaml").write_text(service % "stream" + "stream: {kind: sse}\n", encoding="utf-8")
    Path("my_rag.py").write_text(RAISING, encoding="utf-8")
    wanted = [{"q": f"支持什么？（{n}）", "gold": ["支持 ChromaDB"], "doc_hint": ["a.md"]} for n in range(14)]
    return write_rows("q.jsonl", *wanted)


RAISING = """
import os
key = os.environ["CAGE_KEY"]
def answer(question):
    raise RuntimeError(f"401 for {key}: GET https://bird:{key}@host/v1?access_token={key} Authorization: Bearer {key}")
"""


IMPATIENT = ("-O", "patience=0.2", "-O", "patience_at_start=0.2")


def _specs(port: int) -> dict[str, list[str]]:
    at = f"127.0.0.1:{port}"
    return {
        "registry": ["-s", "chat:m", "-O", "registry=models.yaml"],
        "key in the environment": ["-s", "chat:m", "-O", f"base_url=http://{at}/v1", "-O", "api_key_env=CAGE_KEY"],
        "base_url": ["-s", "chat:m", "-O", f"base_url=http://{USER}:{QUOTED}@{at}/v1?api_key={QUOTED}"],
        "address": ["-s", f"http_json:http://{USER}:{QUOTED}@{at}/ask?token={QUOTED}"],
        "user only": ["-s", f"http_json:http://{QUOTED}@{at}/ask"],
        "service": ["-s", "http_json:service.yaml", "-O", f"pw={KEY}"],
        "stream": ["-s", "http_json:stream.yaml", "-O", f"pw={KEY}"],
        "proxy": ["-s", "http_json:http://far.invalid/ask", "-O", f"proxy=http://{USER}:{QUOTED}@{at}"],
        "no such host": ["-s", f"http_json:http://{USER}:{QUOTED}@no.invalid/?api_key={QUOTED}", *IMPATIENT],
        "python": ["-s", "python:my_rag:answer"],
        "no such preset": ["-s", f"http_json:{USER}:{QUOTED}@host/ask://x?api_key={QUOTED}"],
        "chat with an address": ["-s", f"chat:http://{USER}:{QUOTED}@{at}/v1"],
        "no such kind": ["-s", f"https://{USER}:{QUOTED}@{at}/v1?key={QUOTED}"],
    }


NAMES = list(_specs(0))


def _leaks(folder: Path, *shown: str) -> list[str]:
    """Look for the key in every byte that was written, and in what was shown."""
    found = [
        f"shown: {form} in …{text[max(0, text.find(form) - 60) :][:160]}"
        for text in shown
        for form in FORMS
        if form in text
    ]
    for path in folder.rglob("*"):
        if path.is_file() and path.name not in INPUTS and "__pycache__" not in path.parts:
            raw = path.read_bytes()
            at = [raw.find(form.encode()) for form in FORMS]
            found += [f"{path.name}: …{raw[max(0, n - 80) : n + 60]!r}" for n in at if n >= 0]
    return found


@pytest.mark.parametrize("name", NAMES)
def test_no_key_is_written_or_shown(inside: Cli, rows: Path, port: int, tmp_path: Path, name: str) -> None:
    """Run, ping and plan with a server that says the key back in every place it can."""
    system = [*_specs(port)[name], "-O", "max_retries=0"] if "python" not in name else _specs(port)[name]
    cached = ["--cache", "kept.sqlite"] if name in {"registry", "address", "service", "stream"} else []
    done = inside("run", rows, *system, *cached, "--run-id", "r", "-c", "1")
    pinged = inside("ping", rows, *system)
    planned = inside("plan", rows, *system)

    assert _leaks(tmp_path, *(one.stdout + one.stderr for one in (done, pinged, planned))) == []
    assert done.returncode in {2, 3} or name == "stream", done.stderr
    assert "Traceback" not in done.stderr + pinged.stderr + planned.stderr


def test_what_comes_after_a_run_shows_no_key_either(inside: Cli, rows: Path, port: int, tmp_path: Path) -> None:
    """Resume, report, compare, gate, verify, rescore, the JSON of each, and the list of runs."""
    system = _specs(port)["address"]
    words: list[list[str | Path]] = [
        ["run", rows, *system, "-O", "max_retries=0", "--run-id", "r", "--json"],
        ["resume", "runs/r", "--retry-failed", *system],
        ["run", rows, "-s", "http_json:service.yaml", "-O", f"pw={KEY}", "-O", "max_retries=0", "--run-id", "s"],
        ["report", "runs/r", "--format", "markdown"],
        ["compare", "runs/r", "runs/s"],
        ["gate", "runs/r", "-r", "accuracy >= 0.9", "--junit", "junit.xml", "--json"],
        ["verify", "runs/r"],
        ["rescore", "runs/r"],
        ["runs", "--json"],
    ]
    shown = [done.stdout + done.stderr for done in (inside(*command) for command in words)]

    assert _leaks(tmp_path, *shown) == []
    assert not any("Traceback" in text for text in shown)


def test_a_key_that_was_not_written_down_is_asked_for(inside: Cli, rows: Path, port: int) -> None:
    """resume says what to give again, and goes on once it is given."""
    system = _specs(port)["address"]
    inside("run", rows, *system, "-O", "max_retries=0", "-O", "max_calls=3", "-c", "1", "--run-id", "r")
    refused = inside("resume", "runs/r")
    done = inside("resume", "runs/r", *system, "-O", "max_calls=0")

    assert refused.returncode == 2 and "--system" in refused.stderr and "${NAME}" in refused.stderr
    assert done.returncode == 3 and len(Path("runs/r/results.jsonl").read_text(encoding="utf-8").splitlines()) == 14


def test_a_masked_option_is_asked_for(inside: Cli, rows: Path) -> None:
    """No request is ever sent with *** for a key."""
    inside("run", rows, "-s", "http_json:service.yaml", "-O", f"pw={KEY}", "-O", "max_calls=2", "--run-id", "r")
    refused = inside("resume", "runs/r")

    assert refused.returncode == 2 and "'pw'" in refused.stderr


def test_a_key_of_the_environment_resumes_by_itself(inside: Cli, rows: Path, port: int, tmp_path: Path) -> None:
    """A place for a variable stays in config.json, and is filled again."""
    spec = f"http_json:http://{USER}:${{CAGE_KEY}}@127.0.0.1:{port}/ask?token=${{CAGE_KEY}}"
    options = ["-O", "max_retries=0", "-O", "max_calls=3", "-c", "1"]
    first = inside(
        "run",
        rows,
        "-s",
        spec.replace("${CAGE_KEY}", "${CAGE_QUOTED}"),
        *options,
        "--run-id",
        "r",
        env={"CAGE_QUOTED": QUOTED},
    )
    done = inside("resume", "runs/r", "-O", "max_calls=0", env={"CAGE_QUOTED": QUOTED})

    assert first.returncode == 3 and done.returncode == 3
    assert "${CAGE_QUOTED}" in Path("runs/r/config.json").read_text(encoding="utf-8")
    assert _leaks(tmp_path, first.stdout, first.stderr, done.stdout, done.stderr) == []


def test_an_answer_that_repeats_the_key_is_kept_without_it(inside: Cli, rows: Path) -> None:
    """The key becomes ***, the rest of the answer stays and is scored."""
    inside("run", rows, "-s", "chat:m", "-O", "registry=models.yaml", "-O", "max_retries=0", "-c", "1", "--run-id", "r")
    texts = [
        json.loads(line)["output_text"]
        for line in Path("runs/r/results.jsonl").read_text(encoding="utf-8").splitlines()
    ]

    assert texts[0].startswith("支持 ChromaDB，密钥 *** ") and texts[1] == "支持 ***"


def test_the_page_shows_no_key(rows: Path, port: int, tmp_path: Path) -> None:
    """A run started over the API with a configured system: its pages, its files, the lists."""
    spec = f"http_json:http://{USER}:{QUOTED}@127.0.0.1:{port}/ask?token={QUOTED}"
    Path("datasets").mkdir()
    rows.rename("datasets/q.jsonl")
    with serving_page(Settings(systems={"cage": {"system": spec, "max_retries": 0}})) as page:
        run_id = page.run("cage", dataset="q.jsonl")
        refused = page.change("POST", "/api/v1/runs", {"dataset": "q.jsonl", "system": "endpoint", "url": spec[10:]})
        paths = [f"/eval/runs/{run_id}", "/eval", f"/api/v1/runs/{run_id}", "/api/v1/systems", "/api/v1/runs"]
        shown = [refused.text, *(page.get(path).text for path in paths)]

    assert _leaks(tmp_path, *shown) == []


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("http_json:https://me:pw@host/v1?api_key=abc&mode=mix", "http_json:https://***@host/v1?api_key=***&mode=mix"),
        ("http://me:p@ss@host/", "http://***@host/"),
        ("http://${USER}:${PW}@h/?token=${T:-x}", "http://${USER}:${PW}@h/?token=${T:-x}"),
        ("http://me:${PW}@h/", "http://me:${PW}@h/"),
        ("http://key12345678:${PW}@h/", "http://***@h/"),
        ("http_json:me:pw@host/ask", "http_json:***@host/ask"),
        ("a=b user@host http://host/a?b=c", "a=b user@host http://host/a?b=c"),
    ],
)
def test_addresses_in_a_text(text: str, shown: str) -> None:
    """Users, passwords and secret query values go; places for variables stay."""
    assert hide_addresses(text) == shown


@pytest.mark.parametrize(
    ("value", "fits"), [("EMPTY", False), ("lm-studio", False), ("abc12345", True), ("x" * 20, True)]
)
def test_what_is_a_key_in_an_answer(value: str, fits: bool) -> None:
    """A word that stands for no key is left in answers."""
    assert is_key(value) is fits
    assert (Secrets([value]).hide_keys(f"a {value} b") == "a *** b") is fits


def test_escapes_that_would_break_the_json_stay() -> None:
    """A quote or a backslash is not spelt out."""
    raw = json.dumps({"a": f'{KEY} \\ " / é'}).replace("c", "\\u0063").replace('\\"', "\\u0022").encode()
    kept = json.loads(Secrets([KEY]).hide_in_reply(raw))

    assert kept == {"a": '*** \\ " / é'}


def test_what_foreign_code_says(monkeypatch: pytest.MonkeyPatch) -> None:
    """The environment's keys and what is shaped like a key are hidden; ordinary variables are not."""
    monkeypatch.setenv("SOME_API_KEY", KEY)
    monkeypatch.setenv("SOME_NAME", "ordinary1word")

    assert hide_foreign(f"{KEY} Bearer abcdefgh ordinary1word") == "*** Bearer *** ordinary1word"
