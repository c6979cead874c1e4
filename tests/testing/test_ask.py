"""Asking from a thread that waits: once a case, in order, and with a clean end."""

import asyncio
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from ragstone.api import plan_run
from ragstone.core.types import Answer, Request
from ragstone.testing.ask import Asker, Background
from ragstone.testing.mark import Mark
from ragstone.testing.suite import open_suite, places_of
from tests.testing.project import CASES


class Slow:
    """A system that waits to be told, and remembers what it was asked."""

    model_id = "slow"

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.go = threading.Event()
        self.closed = False

    def identity(self) -> dict[str, str]:
        return {"kind": "slow"}

    async def ask(self, request: Request) -> Answer:
        self.asked.append(request.id)
        while not self.go.is_set():  # noqa: ASYNC110 - the event is another thread's
            await asyncio.sleep(0.001)
        return Answer(text=f"回答 {request.id}")

    async def close(self) -> None:
        self.closed = True


@pytest.fixture
def dataset(write_rows: Callable[..., Path]) -> Path:
    """Four questions."""
    return write_rows("cases.jsonl", *CASES)


def test_a_case_is_asked_once(dataset: Path) -> None:
    """Asked ahead or not, twice or once: the system hears of each case one time."""
    system, background = Slow(), Background()
    mark = Mark(dataset=dataset, system=system)
    places = places_of(open_suite(mark), mark)
    asker = Asker(plan_run(dataset, system)[0], background)
    system.go.set()

    asker.begin(places[:2])
    texts = [asker.answer(place).text for place in (places[1], places[0], places[2], places[0])]
    asker.close()
    background.close()

    assert texts == ["回答 Q2", "回答 Q1", "回答 Q3", "回答 Q1"]
    assert sorted(system.asked) == ["Q1", "Q2", "Q3"]
    assert system.closed


def test_closing_drops_what_nobody_waits_for(dataset: Path) -> None:
    """A system that hangs does not hold the session's end."""
    system, background = Slow(), Background()
    mark = Mark(dataset=dataset, system=system)
    asker = Asker(plan_run(dataset, system)[0], background)
    asker.begin(places_of(open_suite(mark), mark))

    asker.close()
    background.close()

    assert system.closed
    assert not system.go.is_set()
    assert system.asked
