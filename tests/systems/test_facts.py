"""What a run records of any kind of system: base model, adapter, index version, and the name in the rows."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

import ragstone
from ragstone.core.errors import ConnectError
from ragstone.core.settings import Settings
from ragstone.core.types import FACTS, JSON
from ragstone.runs.store.folder import RunFolder
from ragstone.trust.rescore import rescore
from tests.conftest import Cli
from tests.loopback import Loopback, Reply
from tests.web.site import answering

Write = Callable[..., Path]
ROW = {"q": "问？", "gold": ["要点"], "doc_hint": ["a.md"]}
TOLD = {"index_version": "kb7", "adapter_id": "lora3", "base_model": "qwen7b"}
OPTIONS = [word for name, value in TOLD.items() for word in ("-O", f"{name}={value}")]


class Rag:
    """Tells of itself by its attributes."""

    model_id, index_version, adapter_id, base_model = "my-rag", "kb7", "lora3", "qwen7b"

    def query(self, question: str) -> str:
        """Answer."""
        return "要点，见 a.md"


def _replying(question: str) -> dict[str, str]:
    return {"answer": "要点，见 a.md", **TOLD}


def _facts(folder: Path) -> dict[str, JSON]:
    meta = json.loads((folder / "run_meta.json").read_bytes())
    return {name: meta[name] for name in FACTS}


@pytest.mark.parametrize("system", [Rag(), _replying])
def test_a_python_system_tells_by_attribute_or_with_its_answers(write_rows: Write, system: object) -> None:
    """Both land in run_meta.json and in the report, and a new scoring keeps them."""
    run = ragstone.evaluate(write_rows("q.jsonl", ROW), system)

    assert _facts(run.folder) == TOLD
    assert json.loads((run.folder / "run_meta.json").read_bytes())["model_id"] == "qwen7b"
    assert all(value in (run.folder / "report.md").read_text("utf-8") for value in TOLD.values())
    assert _facts(rescore(RunFolder.open(run.folder)).folder.path) == TOLD


def test_options_tell_of_any_system_and_name_it(write_rows: Write) -> None:
    """An option goes before what the object says of itself; the rows carry the name."""
    told = {**TOLD, "base_model": "other", "model_id": "named"}
    run = ragstone.evaluate(write_rows("q.jsonl", ROW), Rag(), system_options=told)

    assert _facts(run.folder) == {**TOLD, "base_model": "other"}
    assert [row.model_id for row in run.results()] == ["named"]


def test_an_option_a_python_system_does_not_have_is_refused(cli: Cli, write_rows: Write) -> None:
    """A slip of the pen costs no call, and names what there is."""
    Path("rag.py").write_text("def answer(q): return q")

    done = cli("run", write_rows("q.jsonl", ROW), "-s", "python:rag:answer", "-O", "index_verson=kb7")

    assert done.returncode == 2
    assert "there is no option 'index_verson'" in done.stderr
    assert "'index_version'" in done.stderr


@pytest.mark.parametrize(("row", "words"), [(TOLD, []), ({}, OPTIONS), (TOLD | {"base_model": "x"}, OPTIONS)])
def test_recorded_answers_tell_by_row_or_flag(
    cli: Cli, write_rows: Write, row: dict[str, str], words: list[str]
) -> None:
    """Where file and flag differ, both are named."""
    answers = write_rows("a.jsonl", {"id": "Q1", "output": "要点，见 a.md", **row})

    done = cli("score", write_rows("q.jsonl", ROW), answers, *words, "--run-id", "r")

    assert done.returncode == 0, done.stderr
    both = {"base_model": "qwen7b, x"} if row and words else {}
    assert _facts(Path("runs/r")) == TOLD | both


@pytest.mark.parametrize("place", ["description", "option", "reply"])
async def test_a_service_tells_in_its_description_by_option_or_reply(write_rows: Write, place: str) -> None:
    """The three ways of an http_json system."""
    given: dict[str, JSON] = {"facts": {name: f"meta.{name}" for name in TOLD}} if place == "reply" else {}
    given |= TOLD if place == "description" else {}
    async with Loopback(Reply({"answer": "要点，见 a.md", "meta": TOLD})) as server:
        service = {"url": f"{server.url}/ask", "body": {"question": "{{question}}"}, **given}
        write_rows("s.json", service)
        options = TOLD if place == "option" else {}
        run = await ragstone.aevaluate(write_rows("q.jsonl", ROW), "http_json:s.json", system_options=options)

    assert _facts(run.folder) == TOLD


@pytest.mark.parametrize("version", ["7", "2024.10", "007"])
def test_a_version_is_a_text_however_it_looks(cli: Cli, write_rows: Write, version: str) -> None:
    """As it was typed, not as a number would be written."""
    Path("rag.py").write_text("def answer(q): return q")

    done = cli("run", write_rows("q.jsonl", ROW), "-s", "python:rag:answer", "-O", f"index_version={version}", "-q")

    assert done.returncode == 0, done.stderr
    assert _facts(next(Path("runs").iterdir()))["index_version"] == version


async def test_a_file_may_hold_a_number_as_version(write_rows: Write) -> None:
    """In a service's description and in a registry, which may tell all three."""
    async with Loopback(Reply()) as server:
        entry = {"model": "qwen7b", "base_url": server.url, "adapter_id": "lora3", "index_version": 7}
        write_rows("models.json", {"models": {"tuned": entry}})
        write_rows("s.json", {"url": server.url, "body": "{{question}}", "index_version": 7, "answer": "id"})
        rows = write_rows("q.jsonl", ROW)
        chat = await ragstone.aevaluate(rows, "chat:tuned", system_options={"registry": "models.json"})
        served = await ragstone.aevaluate(rows, "http_json:s.json")

    assert _facts(chat.folder) == {"index_version": "7", "adapter_id": "lora3", "base_model": "qwen7b"}
    assert _facts(served.folder)["index_version"] == "7"


async def test_a_model_of_a_registry_is_its_own_adapter(write_rows: Write) -> None:
    """The registry's name stands as adapter_id, the model it sends as base_model."""
    async with Loopback(Reply()) as server:
        registry = {"models": {"tuned": {"model": "qwen7b", "base_url": server.url}}}
        write_rows("models.json", registry)
        options = {"registry": "models.json", "index_version": "kb7"}
        run = await ragstone.aevaluate(write_rows("q.jsonl", ROW), "chat:tuned", system_options=options)

    assert _facts(run.folder) == TOLD | {"adapter_id": "tuned"}


def test_a_callable_takes_no_other_option(write_rows: Write) -> None:
    """Python users hear of it as those of the command line do."""
    with pytest.raises(ConnectError, match="no option 'top_k'"):
        ragstone.evaluate(write_rows("q.jsonl", ROW), _replying, system_options={"top_k": 3})


def test_a_system_of_the_settings_goes_by_its_name_there(write_rows: Write) -> None:
    """Two tables for one callable are two systems; a name that a table gives wins."""
    table = {"system": "python:json:dumps"}
    systems = {"desk": table, "till": {**table, "model_id": "counter"}}
    both = ragstone.evaluate(write_rows("q.jsonl", ROW), ["desk", "till"], settings=Settings(systems=systems))

    assert list(both.summary.models) == ["desk", "counter"]


def test_addresses_without_a_name_go_by_all_of_them(write_rows: Write) -> None:
    """Two services of one machine are two systems."""
    with answering({"answer": "要点"}) as service:
        specs = [f"http_json:{service.url}{path}" for path in ("/ask", "/html/ask/")]
        both = ragstone.evaluate(write_rows("q.jsonl", ROW), specs)
    place = service.url.removeprefix("http://")

    assert list(both.summary.models) == [f"{place}/ask", f"{place}/html/ask"]


def test_model_id_is_the_base_models_name_and_system_id_the_systems(write_rows: Write) -> None:
    """Contract 4, section 6; a system that nobody tells of goes by its own name, and the rows by the system's."""
    both = ragstone.evaluate(write_rows("q.jsonl", ROW), [Rag(), lambda question: "要点"])
    meta = json.loads((both.folder / "run_meta.json").read_bytes())

    assert meta["system_id"].split(", ")[0] == "my-rag"
    assert meta["model_id"].split(", ") == ["qwen7b", meta["system_id"].split(", ")[1]]
    assert next(row.model_id for row in both.results()) == "my-rag"
