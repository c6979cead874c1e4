"""What is fuzzed: each target takes any bytes and may raise nothing but Ragstone's own errors.

A target reads its bytes the way Ragstone reads a user's file, a server's reply or a model's answer.
"""

import asyncio
import csv
import shutil
import tempfile
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import cache
from math import isnan
from pathlib import Path

from msgspec import to_builtins

import ragstone
from ragstone.contracts.prompt_task.prompts import Prompt, variables
from ragstone.contracts.prompt_task.taskfile import load_prompt, load_task
from ragstone.core.errors import UserError
from ragstone.core.interfaces import Contract
from ragstone.core.masking import Secrets
from ragstone.core.settings import SETTINGS_FILE, Settings, read_settings
from ragstone.core.types import Answer, Case, Request
from ragstone.datasets.check import load_cases, open_contract, survey
from ragstone.documents import read_document
from ragstone.reading.answers.told import Told
from ragstone.reading.answers.yes_no import read_yes_no
from ragstone.reading.citations.find import find_citations
from ragstone.reading.json.ladder import read_json
from ragstone.reading.points.forms import Point
from ragstone.reading.points.states import states
from ragstone.reading.private import mask_private
from ragstone.reading.refusals.declines import declines
from ragstone.reading.statements import Statements
from ragstone.reading.values.specifics import find_specifics
from ragstone.reading.values.support import Evidence, unsupported
from ragstone.runners.from_csv import convert
from ragstone.runs.pipeline import Frame, Unit, judge
from ragstone.runs.store.codec import encode
from ragstone.runs.workflow.file import read_workflow
from ragstone.systems.chat import Chat
from ragstone.systems.environment import Filler, read_environment
from ragstone.systems.failures import AskError
from ragstone.systems.http.address import read_address, safe_url
from ragstone.systems.http.connection import CallFailed, CallLimits, Connection, Reply
from ragstone.systems.http.endpoint import CallOptions, Endpoint
from ragstone.systems.http.wire import decode
from ragstone.systems.http_json.paths import Missing
from ragstone.systems.http_json.paths import Path as ReplyPath
from ragstone.systems.http_json.service import ContextMap, Service, StreamMap, UsageMap, read_service
from ragstone.systems.http_json.system import HttpJson
from ragstone.systems.models import Entry, Model, read_registry
from ragstone.systems.replay import Replay
from ragstone.systems.to_answer import to_answer
from ragstone.text.dates.find import find_dates
from ragstone.text.numbers.find import find_numbers, read_number
from ragstone.text.visible import csv_cell, markdown_cell, visible_block
from ragstone.trust.gate import read_gate
from ragstone.trust.rules import parse_rule
from ragstone.web.places import Places

Target = Callable[[bytes], None]
QUESTION = "被告应支付的赔偿金额是多少？ How much must be paid?"


def text_of(raw: bytes) -> str:
    """Read bytes as text of any kind: lone surrogates are among it."""
    return raw.decode("utf-8", "surrogateescape")


@cache
def _folder() -> Path:
    """A folder of this process for the files that are read."""
    place = Path("/dev/shm") if Path("/dev/shm").is_dir() else None
    return Path(tempfile.mkdtemp(prefix="ragstone-fuzz-", dir=place))


def _file(name: str, raw: bytes) -> Path:
    path = _folder() / name
    path.write_bytes(raw)
    return path


def _dataset(name: str, contract: str | None, **options: str) -> Target:
    def target(raw: bytes) -> None:
        path = _file(name, raw)
        opened = open_contract(path, name=contract, options=dict(options))
        survey(opened, path, thorough=True)

    return target


def _csv(raw: bytes) -> None:
    # The command that reads the file says of a csv.Error what is wrong with the file.
    with suppress(csv.Error):
        for row in convert(text_of(raw), lists=()):
            encode(row)


def _task(raw: bytes) -> None:
    load_task(str(_file("task.yaml", raw)))


def _prompt(raw: bytes) -> None:
    prompt = Prompt(load_prompt(str(_file("prompt.yaml", raw))))
    row = dict.fromkeys(prompt.names, "值")
    prompt.render(variables(prompt, row, ()))


def _template(raw: bytes) -> None:
    text = text_of(raw).replace("\n", "\n  ")
    prompt = Prompt(
        load_prompt(str(_file("prompt.yaml", f"version: a\nuser: |2\n  {text}".encode("utf-8", "replace"))))
    )
    prompt.render({name: ["值", {"a": 1}] for name in prompt.names})


def _settings(raw: bytes) -> None:
    _file(SETTINGS_FILE, raw)
    read_settings(folder=_folder())


def _registry(suffix: str) -> Target:
    def target(raw: bytes) -> None:
        registry = read_registry(_file(f"models{suffix}", raw))
        for name in registry.names:
            with suppress(UserError):
                registry.model(name)

    return target


def _env(raw: bytes) -> None:
    _file(".env", raw)
    values = read_environment(_folder())
    filler = Filler(values, file=".env", owner="fuzz", secrets=Secrets())
    filler.fill(text_of(raw))


def _service(raw: bytes) -> None:
    service, file = read_service(str(_file("service.yaml", raw)))
    filler = Filler({}, file=file, owner="fuzz", secrets=Secrets())
    system = HttpJson(service, file, CallOptions(), filler, Secrets())
    to_builtins(system.identity())


def _gate(raw: bytes) -> None:
    with suppress(UserError):
        read_gate(_file("gate.yaml", raw))
    parse_rule(text_of(raw))


def _ladder(raw: bytes) -> None:
    text = text_of(raw)
    encode(to_builtins(read_json(text).value))
    encode(to_builtins(read_json(text, repair=True, want=("score",)).value))


def _numbers(raw: bytes) -> None:
    text = text_of(raw)
    read_number(text)
    for found in find_numbers(text):
        assert not isnan(found.number)


def _dates(raw: bytes) -> None:
    find_dates(text_of(raw))


def _citations(raw: bytes) -> None:
    find_citations(text_of(raw), known=("guide.md", "规则.pdf"))


def _refusals(raw: bytes) -> None:
    declines(QUESTION, Statements(text_of(raw)))


def _specifics(raw: bytes) -> None:
    text = text_of(raw)
    find_specifics(text)
    unsupported(text, Evidence.prepare("合同金额为42000元，签于2020年8月30日。"), QUESTION)
    mask_private(text)


def _points(raw: bytes) -> None:
    states(Point("支持 ChromaDB 与 42000 元"), Statements(text_of(raw)), QUESTION)


def _yes_no(raw: bytes) -> None:
    told = Told(text_of(raw), QUESTION)
    read_yes_no(told)
    told.quote_answers([quote.start for quote in told.quotes])


def _shown(raw: bytes) -> None:
    for show in (visible_block, markdown_cell, csv_cell):
        show(text_of(raw)).encode()


def _recorded(raw: bytes) -> None:
    replay = Replay(_file("answers.jsonl", raw))
    try:
        for case_id in ("Q1", "1"):
            encode(asyncio.run(replay.ask(Request(id=case_id, question=QUESTION))))
    finally:
        asyncio.run(replay.close())


def _returned(raw: bytes) -> None:
    """What a callable returns, when it is whatever JSON can say."""
    with suppress(ValueError):
        encode(to_answer(decode(raw)))


def _answer_of(system: Chat | HttpJson, raw: bytes) -> None:
    """Have a system read a reply that never went over a wire."""

    async def reply(body: bytes | None, address: object = None) -> bytes:
        return raw

    system._endpoint.call = reply  # type: ignore[method-assign]
    encode(asyncio.run(system.ask(Request(id="Q1", question=QUESTION))))


def _chat(raw: bytes) -> None:
    secrets = Secrets()
    filler = Filler({}, file="options", owner="fuzz", secrets=secrets)
    model = Model("m", Entry(model="m", base_url="http://127.0.0.1:9/v1"), filler, secrets, "options")
    _answer_of(Chat(model, CallOptions()), raw)


def _http_json(stream: StreamMap | None) -> Target:
    service = Service(
        url="http://127.0.0.1:9/ask",
        body={"question": "{{question}}"},
        answer=["data.answer", "answer", "choices[0].delta.content"],
        contexts=ContextMap(
            items="docs[*]", source_path="name", page="page", text="text", score="score", optional=True
        ),
        usage=UsageMap(prompt_tokens="usage.prompt_tokens"),
        stream=stream,
    )

    def target(raw: bytes) -> None:
        filler = Filler({}, file="options", owner="fuzz", secrets=Secrets())
        _answer_of(HttpJson(service, "options", CallOptions(), filler, Secrets()), raw)

    return target


def _path(raw: bytes) -> None:
    path = ReplyPath(text_of(raw))
    with suppress(Missing):
        path.one({"data": [{"answer": ["x", {"y": None}]}]})


def _status(raw: bytes) -> None:
    endpoint = Endpoint("http://127.0.0.1:9/", headers={}, secrets=Secrets(["0123456789"]), options=CallOptions())
    status = 300 + (raw[0] if raw else 0)
    headers = {name: text_of(raw[:200]) for name in ("location", "retry-after", "retry-after-ms")}
    headers["content-encoding"] = ("gzip", "deflate", "br")[status % 3]
    with suppress(AskError):
        endpoint._status(Reply(status, "", headers, raw, cut=False))
        endpoint._body(Reply(200, "", headers, raw, cut=False))


class _Wire(asyncio.Transport):
    """A connection to nowhere."""

    def write(self, data: object) -> None:
        """Nobody hears it."""

    def abort(self) -> None:
        """Nothing is open."""


def _line(raw: bytes) -> None:
    """A server's bytes as they come over the wire, in two pieces."""

    async def read() -> Reply:
        line = Connection(asyncio.get_running_loop())
        line.connection_made(_Wire())
        waiter = line.ask(b"GET / HTTP/1.1\r\n\r\n", CallLimits(5, 5, 4096))
        line.data_received(raw[: len(raw) // 2])
        line.data_received(raw[len(raw) // 2 :])
        line.connection_lost(None)
        return await waiter

    with suppress(CallFailed):
        asyncio.run(read())


def _address(raw: bytes) -> None:
    text = text_of(raw)
    safe_url(text).encode("utf-8", "surrogatepass")
    with suppress(ValueError):
        str(read_address(text))


def _upload(raw: bytes) -> None:
    places = Places(Settings(datasets_dir=str(_folder() / "datasets"), runs_dir=str(_folder() / "runs")))
    name, _, content = raw.partition(b"\n")
    path = places.new_file(text_of(name), content[:64])
    path.write_bytes(content)
    assert path.resolve().parent == (_folder() / "datasets").resolve(), "outside"
    try:
        survey(open_contract(path), path)
    finally:
        path.unlink()


def _document(suffix: str) -> Target:
    def target(raw: bytes) -> None:
        read_document(_file(f"document{suffix}", raw))

    return target


def _workflow(raw: bytes) -> None:
    read_workflow(_file("flow.yaml", raw))


DATA = Path(ragstone.__file__).parent / "data"
OPENED: Mapping[str, tuple[Path, dict[str, str]]] = {
    "legal_rag": (Path(__file__).parents[2] / "benchmark" / "questions" / "fact_exact.json", {}),
    "key_points": (DATA / "key_points" / "questions.jsonl", {}),
    "prompt_task": (DATA / "prompt_task" / "datasets" / "stock_score.jsonl", {"task": "stock_score"}),
    "eval_json_v2": (DATA / "eval_json_v2" / "question_v2_gate.json", {}),
}


@cache
def _opened(contract: str) -> tuple[Contract, Case]:
    path, options = OPENED[contract]
    opened = open_contract(path, name=contract, options=dict(options))
    return opened, next(load_cases(opened))


def _judged(contract: str) -> Target:
    """A whole answer through reading and scoring, as a run does it."""

    def target(raw: bytes) -> None:
        opened, case = _opened(contract)
        frame = Frame(run_id="r", lang="en", model_ids=("m",))
        result = judge(opened, Unit(0, case), Answer(text=text_of(raw)), frame)
        assert result.error_stage != "score", result.error_message
        assert 0 <= result.scorecard.primary_score <= 1, "a score out of its range"
        encode(result)

    return target


TARGETS: Mapping[str, Target] = {
    "dataset_jsonl": _dataset("rows.jsonl", None),
    "dataset_legal": _dataset("questions.json", "legal_rag"),
    "dataset_key_points": _dataset("rows.jsonl", "key_points"),
    "dataset_eval_v2": _dataset("questions.json", "eval_json_v2"),
    "dataset_task": _dataset("rows.jsonl", "prompt_task", task="stock_score"),
    "dataset_csv": _csv,
    "task_yaml": _task,
    "prompt_yaml": _prompt,
    "prompt_template": _template,
    "workflow_yaml": _workflow,
    "settings_toml": _settings,
    "registry_json": _registry(".json"),
    "registry_yaml": _registry(".yaml"),
    "service_yaml": _service,
    "gate": _gate,
    "env_file": _env,
    "json_ladder": _ladder,
    "numbers": _numbers,
    "dates": _dates,
    "citations": _citations,
    "refusals": _refusals,
    "specifics": _specifics,
    "points": _points,
    "yes_no": _yes_no,
    "shown": _shown,
    "recorded": _recorded,
    "returned": _returned,
    "chat_reply": _chat,
    "http_json_reply": _http_json(None),
    "http_sse": _http_json(StreamMap(kind="sse")),
    "http_ndjson": _http_json(StreamMap(kind="ndjson", join="last")),
    "http_status": _status,
    "http_line": _line,
    "address": _address,
    "mapping_path": _path,
    "upload": _upload,
    **{f"judge_{name}": _judged(name) for name in OPENED},
    "document_text": _document(".md"),
    "document_docx": _document(".docx"),
    "document_pdf": _document(".pdf"),
}


def feed(name: str, raw: bytes) -> None:
    """Give a target its bytes; Ragstone's own errors are what it may raise."""
    with suppress(UserError):
        TARGETS[name](raw)


def clean_up() -> None:
    """Remove this process's files."""
    shutil.rmtree(_folder(), ignore_errors=True)
    _folder.cache_clear()
