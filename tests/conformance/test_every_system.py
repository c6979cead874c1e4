"""Every system keeps the same rules: it answers, describes itself without secrets, and closes."""

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import ragstone
from ragstone.core.interfaces import System
from ragstone.core.registry import connect
from ragstone.core.types import Answer, Request
from ragstone.runs.store.codec import decoder, encode

DATA = Path(ragstone.__file__).parent / "data"
SPECS = {
    "builtin": f"builtin:{DATA / 'key_points' / 'documents'}",
    "python": "python:my_rag:answer",
    "replay": "replay:answers.jsonl",
    "plug-in": "my_system:connect:!",
}


@pytest.fixture(params=list(SPECS.values()), ids=list(SPECS))
def system(
    request: pytest.FixtureRequest, write_rows: Callable[..., Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> System:
    """Connect one system of each kind."""
    write_rows("answers.jsonl", {"id": "Q1", "output": "答"})
    (tmp_path / "my_rag.py").write_text("def answer(q):\n    return q\n")
    for folder in (DATA / "new" / "system", tmp_path):
        monkeypatch.syspath_prepend(str(folder))
    for name in ("my_rag", "my_system"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    return connect(request.param)


async def test_it_answers_and_the_answer_survives_json(system: System) -> None:
    """An answer comes back from the journal as it went in."""
    answer = await system.ask(Request(id="Q1", question="忠实度指标衡量什么？"))

    assert isinstance(answer, Answer)
    assert answer.failure is None
    assert answer.text
    assert decoder(Answer)(encode(answer)) == answer
    await system.close()


async def test_it_describes_itself(system: System) -> None:
    """The description is JSON and the same every time."""
    assert isinstance(system, System)
    assert system.model_id
    assert json.dumps(system.identity()) == json.dumps(system.identity())
    await system.close()
