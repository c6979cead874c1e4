"""Tests of scoring behind the calls."""

import asyncio
import threading
import time

import pytest

from ragstone.core.types import Answer, Case, Position
from ragstone.runs.pipeline import Unit
from ragstone.runs.schedule import Sequencer
from ragstone.runs.scoring_queue import LONG, MOST, MOST_CHARACTERS, SLICE, ScoringQueue


def _unit(number: int) -> Unit:
    return Unit(number, Case(id=f"c{number}", question="?", gold=None, position=Position("x", number + 1)))


def _score(unit: Unit, answer: Answer) -> str:
    return f"{unit.number}:{answer.text}"


async def test_what_was_put_comes_out_in_order() -> None:
    """Whatever the order of arrival, and all of it before the work ends."""
    out: list[str] = []
    queue = ScoringQueue(_score, Sequencer(out.append, lambda unit: "again"))
    working = asyncio.create_task(queue.work())

    for number in (2, 0, 1):
        queue.put(_unit(number), Answer(text="x"))
        await asyncio.sleep(0)
    queue.close()
    await working

    assert out == ["0:x", "1:x", "2:x"]


async def test_others_have_their_turn_between_answers() -> None:
    """A task that wants to run is held up by a slice at most, not by all that waits."""
    turns = 0

    def slow(unit: Unit, answer: Answer) -> str:
        time.sleep(SLICE)
        return ""

    queue = ScoringQueue(slow, Sequencer(lambda _: None, lambda unit: ""))
    for number in range(20):
        queue.put(_unit(number), Answer())
    queue.close()
    working = asyncio.create_task(queue.work())
    while not working.done():
        await asyncio.sleep(0)
        turns += 1

    assert turns >= 20


async def test_answers_that_come_go_before_scoring() -> None:
    """While one comes after the other nothing is scored, until half of what may wait does."""
    out: list[str] = []
    queue = ScoringQueue(_score, Sequencer(out.append, lambda unit: ""))
    working = asyncio.create_task(queue.work())
    scored_at = 0

    for number in range(MOST):
        queue.put(_unit(number), Answer())
        await asyncio.sleep(0)
        scored_at = scored_at or (len(out) and number)

    assert MOST // 2 <= scored_at < MOST // 2 + 10
    queue.close()
    await working
    assert len(out) == MOST


async def test_long_answers_fill_it_sooner() -> None:
    """What waits is counted in characters too, and forgotten when it is scored."""
    queue = ScoringQueue(_score, Sequencer(lambda _: None, lambda unit: ""))
    text = "x" * LONG
    for number in range(MOST_CHARACTERS // LONG + 1):
        queue.put(_unit(number), Answer(text=text))

    full_before = queue.is_full
    working = asyncio.create_task(queue.work())
    await queue.room()

    assert (full_before, queue.is_full) == (True, False)
    queue.close()
    await working


async def test_who_has_more_waits_for_room() -> None:
    """A full queue says so, and whoever waits goes on when half of it is scored."""
    out: list[str] = []
    queue = ScoringQueue(_score, Sequencer(out.append, lambda unit: ""))
    for number in range(MOST + 1):
        queue.put(_unit(number), Answer())

    full_before = queue.is_full
    working = asyncio.create_task(queue.work())
    await queue.room()

    assert len(out) >= MOST // 2
    assert (full_before, queue.is_full) == (True, False)
    queue.close()
    await working
    assert len(out) == MOST + 1


async def test_a_very_long_answer_is_scored_in_a_thread() -> None:
    """It holds up nobody, whatever it takes."""
    where: list[str] = []

    def score(unit: Unit, answer: Answer) -> str:
        where.append(threading.current_thread().name)
        return ""

    queue = ScoringQueue(score, Sequencer(lambda _: None, lambda unit: ""))
    queue.put(_unit(0), Answer(text="x" * (LONG + 1)))
    queue.put(_unit(1), Answer(text="x"))
    queue.close()
    await queue.work()

    assert where[0] != where[1] == threading.current_thread().name


async def test_a_failure_ends_the_waiting() -> None:
    """When rows cannot be written, nobody waits for room for ever, and the error is raised."""

    def full(_: str) -> None:
        raise OSError("no space")

    queue = ScoringQueue(_score, Sequencer(full, lambda unit: ""))
    for number in range(MOST + 1):
        queue.put(_unit(number), Answer())
    working = asyncio.create_task(queue.work())
    await queue.room()

    assert not queue.is_full
    with pytest.raises(OSError, match="no space"):
        await working
