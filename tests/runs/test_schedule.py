"""Many units at once, in stable order, with a clean stop."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragstone.core.errors import BudgetSpent
from ragstone.core.types import Answer, Case, Position
from ragstone.runs.pipeline import Unit
from ragstone.runs.schedule import Queue, Sequencer, Stop, asking, run_queues


async def _run(
    units: Iterator[Unit],
    ask: Callable[[Unit], Awaitable[Answer]],
    journal: Any,
    done: Callable[[Unit, Answer], None],
    *,
    concurrency: int,
    stop: Stop,
) -> bool:
    """Work through one stream of units; return whether all were done."""
    return await run_queues([Queue(units, concurrency)], asking(ask, journal, done), stop=stop)


def _unit(number: int) -> Unit:
    return Unit(number, Case(id=f"c{number}", question="?", gold=None, position=Position("x", number + 1)))


class MemoryJournal:
    """Keeps answers in memory and counts."""

    def __init__(self) -> None:
        self.answers: dict[int, Answer] = {}

    def find(self, unit: int) -> Answer | None:
        return self.answers.get(unit)

    def append(self, unit: int, case_id: str, answer: Answer) -> None:
        assert unit not in self.answers
        self.answers[unit] = answer


@settings(deadline=None)
@given(st.permutations(range(30)), st.integers(min_value=0, max_value=30))
def test_order_of_arrival_does_not_matter(arrivals: list[int], window: int) -> None:
    """Things come out in the order of their numbers, however few may wait in memory."""
    out: list[str] = []
    sequencer: Sequencer[str] = Sequencer(out.append, lambda unit: f"{unit.number}", window)

    for number in arrivals:
        sequencer.put(_unit(number), f"{number}")
        while sequencer.step():
            pass

    assert [str(number) for number in range(30)] == out


def test_drain_steps_over_gaps() -> None:
    """After a stop, what is there comes out in order."""
    out: list[str] = []
    sequencer: Sequencer[str] = Sequencer(out.append, lambda unit: "again", 1)
    for number in (5, 3, 0):
        sequencer.put(_unit(number), str(number))
        sequencer.step()

    sequencer.drain()

    assert out == ["0", "again", "5"]


@pytest.mark.parametrize("concurrency", [1, 7, 64])
async def test_every_unit_is_asked_once_within_the_bound(concurrency: int) -> None:
    """No more than the bound are in flight, and each answer is in the journal before it is heard of."""
    journal, done, flying, most = MemoryJournal(), [], 0, 0

    async def ask(unit: Unit) -> Answer:
        nonlocal flying, most
        flying += 1
        most = max(most, flying)
        await asyncio.sleep(0.001 * (unit.number % 3))
        flying -= 1
        return Answer(text=unit.case.id)

    def hear(unit: Unit, answer: Answer) -> None:
        assert journal.find(unit.number) is answer
        done.append(unit.number)

    complete = await _run(iter(map(_unit, range(200))), ask, journal, hear, concurrency=concurrency, stop=Stop())

    assert complete
    assert sorted(done) == list(range(200))
    assert most <= concurrency


async def test_what_the_journal_knows_is_not_asked_again() -> None:
    """A resumed run spends nothing twice."""
    journal, asked = MemoryJournal(), []
    journal.answers = {number: Answer(text="old") for number in range(0, 10, 2)}

    async def ask(unit: Unit) -> Answer:
        asked.append(unit.number)
        return Answer(text="new")

    await _run(iter(map(_unit, range(10))), ask, journal, lambda u, a: None, concurrency=3, stop=Stop())

    assert sorted(asked) == [1, 3, 5, 7, 9]


async def test_a_stop_finishes_what_is_in_flight_and_begins_nothing() -> None:
    """The first request lets answers that were paid for arrive."""
    journal, stop, done = MemoryJournal(), Stop(), []

    async def ask(unit: Unit) -> Answer:
        await asyncio.sleep(0.005)
        if unit.number == 4:
            stop.request("test")
        return Answer(text="x")

    complete = await _run(
        iter(map(_unit, range(100))), ask, journal, lambda u, a: done.append(u.number), concurrency=4, stop=stop
    )

    assert not complete
    assert sorted(done) == list(range(len(done)))
    assert len(done) < 20


async def test_a_second_wish_drops_what_is_in_flight() -> None:
    """A hung call does not keep a user from leaving."""
    journal, stop = MemoryJournal(), Stop()

    async def ask(unit: Unit) -> Answer:
        stop.escalate("first")
        asyncio.get_running_loop().call_later(0.01, stop.escalate, "second")
        await asyncio.sleep(60)
        return Answer()

    complete = await _run(iter([_unit(0)]), ask, journal, lambda u, a: None, concurrency=2, stop=stop)

    assert not complete
    assert journal.answers == {}


async def test_an_error_of_the_journal_ends_the_run() -> None:
    """A full disk is not a failed case."""

    class FullJournal(MemoryJournal):
        def append(self, unit: int, case_id: str, answer: Answer) -> None:
            raise OSError("full")

    async def ask(unit: Unit) -> Answer:
        return Answer()

    with pytest.raises(OSError, match="full"):
        await _run(iter([_unit(0)]), ask, FullJournal(), lambda u, a: None, concurrency=2, stop=Stop())


async def test_units_are_drawn_as_needed() -> None:
    """A long dataset is not read ahead of its answers."""
    drawn = 0

    def units() -> Iterator[Unit]:
        nonlocal drawn
        for number in range(1000):
            drawn += 1
            yield _unit(number)

    stop = Stop()

    async def ask(unit: Unit) -> Answer:
        await asyncio.sleep(0)
        if unit.number == 10:
            stop.request("enough")
        return Answer()

    await _run(units(), ask, MemoryJournal(), lambda u, a: None, concurrency=4, stop=stop)

    assert drawn < 30


async def test_a_spent_budget_stops_cleanly() -> None:
    """The unit that was one too many stays unanswered, the others are kept, and the reason is told."""
    journal, stop = MemoryJournal(), Stop()

    async def ask(unit: Unit) -> Answer:
        if unit.number == 5:
            raise BudgetSpent("calls", 5, 5)
        return Answer()

    complete = await _run(iter(map(_unit, range(100))), ask, journal, lambda u, a: None, concurrency=1, stop=stop)

    assert not complete
    assert sorted(journal.answers) == [0, 1, 2, 3, 4]
    assert "calls" in stop.reason


async def test_a_slow_queue_holds_back_no_other() -> None:
    """Each queue has workers of its own; the quick one is done long before the slow one."""
    heard: list[str] = []

    async def work(unit: Unit) -> None:
        await asyncio.sleep(0.02 if unit.system else 0)
        heard.append("slow" if unit.system else "quick")

    queues = [Queue(iter([_unit(n)._replace(system=s) for n in range(10)]), 2) for s in (0, 1)]
    complete = await run_queues(queues, work, stop=Stop())

    assert complete
    assert heard.index("slow") >= 5
    assert heard[-6:] == ["slow"] * 6


async def test_a_unit_too_far_ahead_waits() -> None:
    """A quick queue may be ahead by so much only."""
    sequencer: Sequencer[int] = Sequencer(lambda n: None, lambda unit: unit.number)
    most = 0

    async def work(unit: Unit) -> None:
        nonlocal most
        await asyncio.sleep(0.01 if unit.system else 0)
        most = max(most, unit.number - sequencer.next)
        sequencer.put(unit, unit.number)
        while sequencer.step():
            pass

    queues = [Queue((_unit(n)._replace(system=n % 2) for n in range(s, 60, 2)), 4) for s in (0, 1)]
    complete = await run_queues(queues, work, stop=Stop(), ahead=lambda unit: unit.number - sequencer.next > 10)

    assert complete
    assert sequencer.next == 60
    assert most <= 10
