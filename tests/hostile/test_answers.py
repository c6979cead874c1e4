"""Hostile answers through whole runs: harmless wherever people read, and kept as they came."""

import csv
import io
import json
import re
from collections.abc import Callable, Iterator
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest
from markdown_it import MarkdownIt

from ragstone.core.settings import Settings
from tests.conftest import Cli
from tests.hostile.answers import ANSWERS
from tests.hostile.server import Call, Said, serving
from tests.web.site import serving as serving_page

TEXTS = list(ANSWERS.values())
HARMFUL = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u061c\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff\ud800-\udfff]"
)
"""What moves a cursor, recolours a terminal, turns writing round or is no character."""
MODULE = """
import json, pathlib
answers = json.loads(pathlib.Path("answers.json").read_text())
def answer(question):
    text = answers[int(question.rpartition("#")[2])]
    contexts = [{"source_path": answers[0], "text": answers[1]}]
    return {"answer": text, "contexts": contexts, "citations": [{"file": answers[3], "page": 1, "quote": answers[10]}]}
def fails(question):
    raise RuntimeError(answers[int(question.rpartition("#")[2])])
"""


def _reply(call: Call) -> Said:
    """Answer as a chat endpoint does; JSON's escapes carry what UTF-8 cannot."""
    text = TEXTS[int(json.loads(call.body)["messages"][-1]["content"].rpartition("#")[2])]
    return Said(json.dumps({"choices": [{"message": {"content": text}, "finish_reason": text}]}).encode())


@pytest.fixture
def port() -> Iterator[int]:
    """An endpoint that gives the hostile answers."""
    with serving(_reply) as port:
        yield port


@pytest.fixture
def rows(write_rows: Callable[..., Path]) -> Path:
    """A case for each answer; the dataset itself is hostile, too."""
    Path("my_rag.py").write_text(MODULE, encoding="utf-8")
    Path("answers.json").write_text(json.dumps(TEXTS), encoding="utf-8")
    wanted = [
        {"q": f"{text[:200]} #{n}", "gold": [f"支持{n}号 {text[:100]}"], "doc_hint": ["a.md"], "category": text[:60]}
        for n, text in enumerate(text.encode("utf-8", "replace").decode() for text in TEXTS)
    ]
    return write_rows("q.jsonl", *wanted)


def _systems(port: int) -> dict[str, list[str]]:
    chat = ["-s", "chat:m<b>=1+1", "-O", f"base_url=http://127.0.0.1:{port}/v1", "-O", "max_retries=0"]
    return {"python": ["-s", "python:my_rag:answer"], "fails": ["-s", "python:my_rag:fails"], "chat": chat}


class _Tags(HTMLParser):
    """The kinds of element a page is made of, with the names of their attributes."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: set[tuple[str, tuple[str, ...]]] = set()
        self.addresses: list[str] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.add((tag, tuple(sorted(name for name, _ in attrs))))
        self.addresses += [
            value or "" for name, value in attrs if name in {"href", "src", "action", "srcset", "poster"}
        ]


def _require_harmless_html(html: str) -> None:
    tags = _Tags(html)
    names = {tag for tag, _ in tags.found}

    assert not names & {"iframe", "object", "embed", "img", "animate", "base"}
    assert not [name for _, attrs in tags.found for name in attrs if name.startswith("on") or name == "srcdoc"]
    assert not [one for one in tags.addresses if re.match(r"(?i)\s*(javascript|data|vbscript|https?|//)", one)]
    assert "alert(1)</script>" not in html and "evil.test/x.js></script>" not in html
    assert not HARMFUL.search(html)


def _require_harmless_markdown(text: str) -> None:
    tokens = MarkdownIt("gfm-like", {"html": True, "linkify": False}).parse(text)
    inner = [child.type for token in tokens for child in token.children or []]

    assert {token.type for token in tokens} & {"html_block", "fence", "code_block", "blockquote_open", "hr"} == set()
    assert set(inner) & {"html_inline", "image", "link_open"} == set()
    assert "http://" not in text and not HARMFUL.search(text)


def _require_harmless_csv(raw: bytes) -> None:
    for row in csv.reader(io.StringIO(raw.decode("utf-8"))):
        assert not [cell for cell in row if re.match(r"\s*[=+@\t\r]|\s*-(?!\d*\.?\d+$)", cell)]


@pytest.mark.parametrize("name", ["python", "fails", "chat"])
def test_a_run_of_hostile_answers_is_harmless_to_read(
    inside: Cli, rows: Path, port: int, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Terminal, report.md, report.html, summary.csv, JUnit, annotations, step summary, gate.json."""
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", "step.md")
    system = _systems(port)[name]
    ran = inside("run", rows, *system, "--run-id", "r")
    inside("run", rows, "--mock", "--run-id", "perfect")
    shown = [ran, inside("ping", rows, *system), inside("plan", rows, *system), inside("report", "runs/r")]
    shown += [inside("report", "runs/r", "--format", kind) for kind in ("markdown", "csv")]
    shown += [inside("compare", "runs/perfect", "runs/r"), inside("check", rows)]
    shown += [inside(*words, "--json") for words in (("runs",), ("compare", "perfect", "r"), ("gate", "r"))]
    shown += [inside("report", "r", "--format", "json"), inside("check", rows, "--json")]
    gated = inside("gate", "runs/r", "-b", "runs/perfect", "--file", _gate(), "--junit", "j.xml", "--github")

    for one in [*shown, gated]:
        assert not HARMFUL.search(one.stdout + one.stderr), one.args
        assert "Traceback" not in one.stderr, one.stderr
    run = Path("runs/r")
    _require_harmless_markdown((run / "report.md").read_text(encoding="utf-8"))
    _require_harmless_html((run / "report.html").read_text(encoding="utf-8"))
    _require_harmless_csv((run / "summary.csv").read_bytes())
    ElementTree.fromstring(Path("j.xml").read_text(encoding="utf-8"))
    _require_harmless_markdown(Path("step.md").read_text(encoding="utf-8"))
    json.loads((run / "gate.json").read_bytes())
    commands = [line for line in gated.stdout.splitlines() if line.startswith("::")]
    assert {line.partition(" ")[0] for line in commands} <= {"::error", "::warning", "::notice"}


def _gate() -> Path:
    path = Path("gate.yaml")
    path.write_text("rules:\n  - accuracy >= 0.9\n  - drop(primary_score) <= 0.02\n", encoding="utf-8")
    return path


def _kept(run: str) -> list[str]:
    lines = Path(run, "results.jsonl").read_bytes().splitlines()
    return [json.loads(line)["output_text"] for line in lines]


def test_answers_of_a_function_are_kept_as_they_came(inside: Cli, rows: Path) -> None:
    """Null characters and lone surrogates stand as JSON escapes; each row is one line of ASCII or UTF-8."""
    inside("run", rows, "-s", "python:my_rag:answer", "--run-id", "r")
    raw = Path("runs/r/results.jsonl").read_bytes()

    assert _kept("runs/r") == TEXTS
    assert b"\\ud800" in raw and b"\\u0000" in raw and b"\x00" not in raw
    raw.decode("utf-8")
    inside("rescore", "runs/r", "--run-id", "again")
    assert "Traceback" not in inside("verify", "runs/r").stderr


def test_answers_over_http_are_kept_as_text(inside: Cli, rows: Path, port: int) -> None:
    """All but lone surrogates, which no text on the wire can hold: they become the replacement character."""
    inside("run", rows, *_systems(port)["chat"], "--run-id", "r")

    assert _kept("runs/r") == [re.sub("[\ud800-\udfff]", "\ufffd", text) for text in TEXTS]


def test_no_answer_talks_its_judge_into_anything(inside: Cli, rows: Path) -> None:
    """Scores are made by rules: an answer that asks for full marks gets what it is worth."""
    inside("run", rows, "-s", "python:my_rag:answer", "--run-id", "r")
    lines = [json.loads(line) for line in Path("runs/r/results.jsonl").read_bytes().splitlines()]
    judged = {name: line["scorecard"] for name, line in zip(ANSWERS, lines, strict=True)}

    assert not judged["injection"]["pass"] and not judged["fake row"]["pass"]
    assert len(lines) == len(TEXTS)


def test_a_very_long_answer_is_kept_and_reported(inside: Cli, write_rows: Callable[..., Path], port: int) -> None:
    """Ten megabytes from a function are scored; from an endpoint they are refused by their size."""
    code = "def answer(q):\n    return '支持 ChromaDB，见 a.md。' + '与此无关。' * 700_000\n"
    Path("my_rag.py").write_text(code, encoding="utf-8")
    rows = write_rows("q.jsonl", {"q": "支持什么？ #0", "gold": ["支持 ChromaDB"], "doc_hint": ["a.md"]})
    done = inside("run", rows, "-s", "python:my_rag:answer", "--run-id", "r")

    assert done.returncode == 0 and len(done.stdout) < 20_000
    assert len(_kept("runs/r")[0].encode()) > 10_000_000
    assert Path("runs/r/report.html").stat().st_size < 1_000_000


def test_the_page_shows_hostile_answers_harmlessly(inside: Cli, rows: Path) -> None:
    """The run, each of its cases and the comparison; and the browser is told to run nothing that stands in a page."""
    inside("run", rows, "-s", "python:my_rag:answer", "--run-id", "r")
    with serving_page(Settings()) as page:
        paths = ["/eval", "/eval/runs/r", *(f"/eval/runs/r/cases/{n + 1}" for n in range(len(TEXTS)))]
        replies = {path: page.get(path) for path in paths}

    for path, reply in replies.items():
        assert reply.status == 200, path
        tags = _Tags(reply.text)
        assert not [name for _, attrs in tags.found for name in attrs if name.startswith("on") or name == "srcdoc"]
        assert not [one for one in tags.addresses if re.match(r"(?i)\s*(javascript|data|vbscript|https?|//)", one)]
        policy = reply.headers["content-security-policy"]
        assert "script-src 'self'" in policy and "unsafe" not in policy
