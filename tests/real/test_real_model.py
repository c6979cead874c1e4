"""Whole runs against a real model: retrieve, answer, cite, score; the cache; kill -9 and resume; JSON on demand."""

import json
import logging
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

import ragstone
from ragstone.contracts.eval_json_v2.terms import FIELDS, LISTS
from ragstone.core.types import Result
from tests.conftest import Cli
from tests.loopback import served
from tests.real.tally import Tally

pytestmark = [pytest.mark.long, pytest.mark.real, pytest.mark.timeout(600)]
HARBOR = Path(ragstone.__file__).parent / "data" / "key_points_en"
QUESTIONS = HARBOR / "questions.jsonl"
EVENTS = HARBOR.parent / "prompt_task" / "datasets" / "event_eval.jsonl"
PATIENT = {"temperature": 0, "timeout": 300, "first_byte_timeout": 300, "max_retries": 0}
ONE_SENTENCE_AND_A_SOURCE = r'root ::= [^.\[\n]{1,160} ". [" [1-2] "]"'
"""A grammar the server holds the model to: left alone, a model this small forgets to cite. It chooses the number."""

FERRY = "The ferry to the lighthouse leaves at nine."
Write = Callable[..., Path]


def _harbor(address: str, **chat: object) -> list[str]:
    """The built-in RAG over fictional documents, with the real model as its writer."""
    options = {"base_url": f"{address}/v1", "max_tokens": 64, **PATIENT} | chat
    return ["-s", f"builtin:{HARBOR / 'documents'}", "-O", "top_k=2", *_chat(options)]


def _chat(options: dict[str, Any]) -> list[str]:
    return ["-O", "chat=chat:smollm2", "-O", f"chat_options={json.dumps(options)}", "-c", "1", "--timeout", "300"]


def _citing(address: str, **chat: object) -> list[str]:
    return _harbor(address, params={"grammar": ONE_SENTENCE_AND_A_SOURCE}, **chat)


def _results(run: Path) -> list[Result]:
    return [msgspec.json.decode(line, type=Result) for line in (run / "results.jsonl").read_bytes().splitlines()]


def _answers(run: Path) -> dict[str, Any]:
    """What the journal holds; a line that is still being written does not count."""
    path = run / "answers.jsonl"
    lines = path.read_bytes().split(b"\n")[:-1] if path.exists() else []
    return {row["id"]: row["answer"] for row in map(json.loads, lines)}


def _log(results: list[Result]) -> None:
    """Report the figures; they belong to the model, not to us: `pytest tests/real -n0 --log-cli-level=info`."""
    for row in results:
        assert row.usage is not None and row.latency_ms is not None
        rate = row.usage.completion_tokens / row.latency_ms * 1000
        words = (row.sample_id, row.task_metrics, row.usage.completion_tokens, rate, row.output_text)
        logging.getLogger(__name__).info("%s %s %d tokens, %.1f/s: %s", *words)


def test_it_retrieves_answers_cites_and_is_scored(cli: Cli, model_address: str) -> None:
    """Every case comes back with usage, time, contexts; citations name what was retrieved; some answers are right."""
    done = cli("run", QUESTIONS, *_citing(model_address), "--run-id", "r", seconds=500)

    assert done.returncode == 0, done.stderr
    results, answers = _results(Path("runs/r")), _answers(Path("runs/r"))
    _log(results)
    assert [row.sample_id for row in results] == [f"Q{n}" for n in range(1, 9)]
    for row in results:
        assert (row.error_type, row.attempts, row.model_id) == (None, 1, "builtin+smollm2")
        assert row.usage is not None and row.usage.prompt_tokens > 50 and 0 < row.usage.completion_tokens <= 64
        assert row.latency_ms is not None and row.latency_ms > 0
        contexts = {one["source_path"]: one["text"] for one in answers[row.sample_id]["contexts"]}
        for citation in answers[row.sample_id].get("citations", ()):
            assert citation["file"] in contexts
    summary = json.loads(Path("runs/r/summary.json").read_bytes())["models"]["builtin+smollm2"]["all"]
    assert (summary["cases"], summary["scored"], summary["errored"]) == (8, 8, 0)
    # Measured: 6 of 8 right, 8 of 8 with the right source. The margin is for other processors.
    assert summary["metrics"]["accuracy"]["total"] >= 2
    assert summary["metrics"]["citation"]["total"] >= 3


def test_with_the_cache_nothing_is_asked_twice(cli: Cli, tally: Tally) -> None:
    """A second run has the same answers, and the model hears nothing of it."""
    words = ("run", QUESTIONS, *_citing(tally.address, cache="answers.db"), "--max-samples", "3", "--run-id")

    first = cli(*words, "first", seconds=300)
    calls = tally.asked.total()
    second = cli(*words, "second", seconds=300)

    assert (first.returncode, second.returncode) == (0, 0), first.stderr + second.stderr
    assert calls == tally.asked.total() == 3
    assert [row.cached for row in _results(Path("runs/second"))] == [True] * 3
    digests = {
        json.loads(Path(f"runs/{run}/summary.json").read_bytes())["results_digest"] for run in ("first", "second")
    }
    assert len(digests) == 1


def test_kill_9_in_the_middle_and_resume(cli: Cli, tally: Tally) -> None:
    """What was answered before the kill is not asked again, and all cases are finished."""
    run, cases = Path("runs/r"), 4
    words = ["run", str(QUESTIONS), *_citing(tally.address), "--max-samples", str(cases), "--run-id", "r", "-q"]
    with subprocess.Popen([sys.executable, "-m", "ragstone", *words], env=dict(os.environ)) as process:
        while len(_answers(run)) < 2 and process.poll() is None:
            time.sleep(0.02)
        process.send_signal(signal.SIGKILL)
    answered = _answers(run)

    resumed = cli("resume", "r", "-c", "1", "--timeout", "300", seconds=300)

    assert 2 <= len(answered) < cases
    assert resumed.returncode == 0, resumed.stderr
    results = _results(run)
    assert [(row.sample_id, row.error_type) for row in results] == [(f"Q{n}", None) for n in range(1, cases + 1)]
    asked = {row.sample_id: tally.asked[row.question] for row in results}
    assert all(asked[case] == 1 for case in answered), asked
    assert cases <= tally.asked.total() <= cases + 1, "only the call that was in flight may be repeated"
    assert answered.items() <= _answers(run).items()


def test_a_schema_is_kept_to(cli: Cli, model_address: str) -> None:
    """response_format reaches the server, and the seven fields of its reply are read without a repair."""
    options: dict[str, Any] = {"base_url": f"{model_address}/v1", "max_tokens": 400, **PATIENT}
    options["response_format"] = {"type": "json_schema", "json_schema": {"name": "v2", "schema": _shape()}}
    Path("docs").mkdir()
    Path("docs/ferry.md").write_text(f"# Ferry\n\n{FERRY}\n", encoding="utf-8")
    example = {"target_audience": "guests", "main_topic": "ferry", "sub_topic": "times", "original_evidence": FERRY}
    expected = {"answer_example": {**example, "detailed_description": [FERRY], "predicted_questions": []}}
    row = {"id": "F1", "question": "When does the ferry leave?", "expected": {**expected, "source_map": []}}
    Path("v2.json").write_text(json.dumps([row]), encoding="utf-8")

    done = cli("run", "v2.json", "-s", "builtin:docs", *_chat(options), "--run-id", "r", seconds=300)

    assert done.returncode == 0, done.stderr
    results = _results(Path("runs/r"))
    _log(results)
    assert results[0].rung == "direct"
    assert results[0].parsed is not None and set(results[0].parsed) == set(FIELDS)
    assert results[0].task_metrics["schema_ok"] == 1


def _shape() -> dict[str, Any]:
    shape: dict[str, Any] = {"type": "object", "required": [*FIELDS], "additionalProperties": False}
    return shape | {"properties": dict(map(_field, FIELDS))}


def _field(name: str) -> tuple[str, dict[str, Any]]:
    """Hold a field so short that the reply is never cut off."""
    text = {"type": "string", "maxLength": 24}
    if name in LISTS:
        return name, {"type": "array", "items": text, "maxItems": 1}
    return name, {"type": "array", "maxItems": 0} if name == "source_map" else text


@pytest.fixture
def stub_address() -> Iterator[str]:
    """A second model, which answers every question with 42000元."""
    with served("tests.loopback") as address:
        yield address


TASK = """
name: company_news
version: v1
prompt_template: company_news
default_params: {response_format: {type: json_object}}
parse_schema:
  - {field: company, type: str, default: ""}
  - {field: sentiment, type: enum, values: [positive, negative], default: positive}
metrics:
  - {type: exact_match, name: company_acc, pred_field: company, label_field: gt_company}
  - {type: exact_match, name: sentiment_acc, pred_field: sentiment, label_field: gt_sentiment}
"""
PROMPT = """
version: company_news.v1
system: You read news and reply with one JSON object with the fields company and sentiment.
user: |-
  News: Blue Lake Bank doubles its profit.
  {"company": "Blue Lake Bank", "sentiment": "positive"}
  News: Red Hill Mine is flooded.
  {"company": "Red Hill Mine", "sentiment": "negative"}
  News: {{ title }}.
"""
NEWS = (
    ("Beixing Robotics", "signs a three-year supply deal and raises its forecast", "positive"),
    ("Lanting Shipping", "loses two ships in a storm", "negative"),
    ("Yunlu Foods", "recalls three batches of jam", "negative"),
)


def _two_models(real: str, stub: str, max_tokens: int) -> list[str]:
    """Write a registry of both into the test's folder and name them."""
    first = {"base_url": f"{real}/v1", "max_tokens": max_tokens, "temperature": 0, "timeout": 300, "concurrency": 1}
    models = {"smollm2": first, "stub": {"base_url": f"{stub}/v1"}}
    Path("models.json").write_text(json.dumps({"models": models}), encoding="utf-8")
    calls = ["-O", "registry=models.json", "-O", "first_byte_timeout=300", "--timeout", "300"]
    return ["-s", "chat:smollm2", "-s", "chat:stub", *calls]


def test_json_object_on_two_models(cli: Cli, model_address: str, stub_address: str, write_rows: Write) -> None:
    """A task of the user's own: the real model's objects are read, what the other one says is counted as unparsed."""
    for kind, text in (("tasks", TASK), ("prompts", PROMPT)):
        Path("bench", kind).mkdir(parents=True)
        Path("bench", kind, "company_news.yaml").write_text(text, encoding="utf-8")
    news = ({"title": f"{name} {what}", "gt_company": name, "gt_sentiment": mood} for name, what, mood in NEWS)
    words = ("--contract", "prompt_task", "-o", "task=company_news", *_two_models(model_address, stub_address, 48))

    done = cli("run", write_rows("news.jsonl", *news), *words, "--run-id", "r", seconds=500)

    assert done.returncode == 0, done.stderr
    results = _results(Path("runs/r"))
    _log(results)
    real = [row for row in results if row.model_id == "smollm2"]
    assert any(row.rung == "direct" and row.task_metrics["company_acc"] == 1 for row in real)
    assert [row.error_type for row in results if row.model_id == "stub"] == ["unparsed"] * len(NEWS)
    assert len(results) == 2 * len(NEWS)


def test_the_bundled_event_task_runs_as_written(cli: Cli, model_address: str, stub_address: str) -> None:
    """Its Chinese prompt is beyond so small a model; each row is there all the same, read or counted as unparsed."""
    words = ("--contract", "prompt_task", "-o", "task=event_eval", *_two_models(model_address, stub_address, 64))

    done = cli("run", EVENTS, *words, "--max-samples", "2", "--run-id", "r", seconds=500)

    assert done.returncode == 0, done.stderr
    results = _results(Path("runs/r"))
    _log(results)
    assert [(row.sample_id, row.model_id) for row in results] == [
        (event, model) for event in ("E001", "E002") for model in ("smollm2", "stub")
    ]
    assert all(row.output_text.lstrip().startswith("{") for row in results if row.model_id == "smollm2")
    assert all(row.error_type in (None, "unparsed") for row in results)
