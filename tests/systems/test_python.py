"""A callable or an object with .query() as a system."""

import asyncio
import sys
import threading
from pathlib import Path

import pytest

from ragstone.core.errors import ConnectError
from ragstone.core.types import Request
from ragstone.systems.python import connect, wrap

ASK = Request(id="1", question="q")


class Rag:
    """The shape the documents show."""

    def query(self, question: str) -> dict[str, object]:
        """Answer."""
        return {"answer": question * 2}


async def _slow(question: str) -> str:
    await asyncio.sleep(0)
    return question


def _handing_on(question: str) -> object:
    return _slow(question)


class AsyncCallable:
    """An object whose call is async."""

    async def __call__(self, question: str) -> str:
        return question


@pytest.mark.parametrize(
    ("target", "expected"),
    [(str.upper, "Q"), (_slow, "q"), (Rag(), "qq"), (AsyncCallable(), "q"), (_handing_on, "q")],
)
async def test_every_kind_of_callable_is_asked(target: object, expected: str) -> None:
    """Sync, async, objects with .query(), async objects, functions that return coroutines."""
    answer = await wrap(target, "x").ask(ASK)

    assert answer.text == expected
    assert answer.latency_ms is not None


async def test_a_blocking_call_does_not_hold_the_others() -> None:
    """Calls that wait for each other all come back: they run side by side."""
    together = threading.Barrier(4, timeout=60)

    def slow(question: str) -> str:
        together.wait()
        return question

    system = wrap(slow, "x")

    answers = await asyncio.gather(*(system.ask(ASK) for _ in range(20)))

    assert [answer.failure for answer in answers] == [None] * 20


async def test_what_it_raises_is_raised() -> None:
    """The pipeline makes a failed case of it; a StopIteration cannot vanish on the way."""

    def broken(question: str) -> str:
        raise StopIteration("x")

    with pytest.raises(RuntimeError, match="StopIteration"):
        await wrap(broken, "x").ask(ASK)


def test_a_module_is_found_in_the_users_folder(tmp_path: Path) -> None:
    """python:module:attribute is looked up where the user stands; a class is made without arguments."""
    (tmp_path / "my_own_rag.py").write_text("class Rag:\n    def query(self, q): return q\n")

    assert connect("my_own_rag:Rag", {}).model_id == "my_own_rag:Rag"


@pytest.mark.parametrize(
    "argument",
    ["nothing", ":", "no.such.module:x", "json:no_such", "json:__name__", "ragstone.core.types:RESULT_SCHEMA_VERSION"],
)
def test_what_cannot_be_asked_is_refused(argument: str) -> None:
    """The message says how to write it."""
    with pytest.raises(ConnectError):
        connect(argument, {})


def _leaving(question: str) -> str:
    sys.exit(f"no {question}")


def _breaking(question: str) -> str:
    raise KeyboardInterrupt


async def _leaving_late(question: str) -> str:
    await asyncio.sleep(0)
    sys.exit(3)


@pytest.mark.parametrize(
    ("target", "expected"),
    [(_leaving, "SystemExit: no q"), (_breaking, "KeyboardInterrupt"), (_leaving_late, "SystemExit: 3")],
)
async def test_code_that_ends_the_process_fails_its_case_at_once(target: object, expected: str) -> None:
    """A call to sys.exit is a failure by its own name, not a wait until the time is up."""
    answer = await asyncio.wait_for(wrap(target, "x").ask(ASK), 5)

    assert answer.failure is not None
    assert (answer.failure.kind, answer.failure.message) == ("exception", expected)


def test_a_module_that_ends_the_process_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A module that calls sys.exit when it is loaded is named."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "leaving_module.py").write_text("raise SystemExit(4)")

    with pytest.raises(ConnectError, match="SystemExit: 4"):
        connect("leaving_module:answer", {})
