"""One case from request to result: failures become results."""

import asyncio
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from ragstone.core.interfaces import Contract
from ragstone.core.types import JSON, Answer, Case, Failure, Reading, Request, Scorecard
from ragstone.datasets.check import load_cases, open_contract
from ragstone.runs.pipeline import Frame, Unit, ask, judge
from ragstone.systems.python import wrap

FRAME = Frame(run_id="r", lang="en", model_ids=("m",))


@pytest.fixture
def contract(write_rows: Callable[..., Path]) -> Contract:
    """A key-points contract with one case."""
    return open_contract(write_rows("q.jsonl", {"q": "Which?", "gold": ["Redis"], "doc_hint": ["a.md"]}))


def _unit(contract: Contract, repeat: int = 0) -> Unit:
    (case,) = load_cases(contract)
    return Unit(0, case, 0, repeat)


async def test_a_late_answer_is_a_failure(contract: Contract) -> None:
    """A system that takes too long is not waited for."""

    async def late(question: str) -> str:
        await asyncio.sleep(60)
        return question

    answer = await ask(contract, wrap(late, "x"), _unit(contract), 0.01)

    assert answer.failure is not None
    assert answer.failure.kind == "timeout"
    assert "0.01" in answer.failure.message


async def test_what_a_system_returns_must_be_an_answer(contract: Contract) -> None:
    """A plug-in that breaks its promise fails its case."""

    class Liar:
        model_id = "liar"

        def identity(self) -> Mapping[str, JSON]:
            return {}

        async def ask(self, request: Request) -> Answer:
            return "text"  # type: ignore[return-value]

        async def close(self) -> None:
            pass

    answer = await ask(contract, Liar(), _unit(contract), 1)

    assert answer.failure is not None
    assert answer.failure.kind == "bad_reply"


async def test_repeats_are_told_apart(contract: Contract) -> None:
    """A system sees which repeat it is asked for."""
    seen: list[int] = []

    class Counter:
        model_id = "c"

        def identity(self) -> Mapping[str, JSON]:
            return {}

        async def ask(self, request: Request) -> Answer:
            seen.append(request.repeat)
            return Answer(text="x")

        async def close(self) -> None:
            pass

    for repeat in range(3):
        await ask(contract, Counter(), _unit(contract, repeat), 1)

    assert seen == [0, 1, 2]


def test_a_failure_scores_zero_where_a_metric_applies(contract: Contract) -> None:
    """R0.2: it stays in every denominator; what does not apply stays not applicable."""
    result = judge(contract, _unit(contract), Answer(failure=Failure("timeout", "late")), FRAME)

    assert result.scorecard.sub_scores["accuracy"] == 0
    assert result.scorecard.sub_scores["citation"] == 0
    assert result.scorecard.sub_scores["retrieval_hit"] is None
    assert (result.error_type, result.error_stage) == ("timeout", "ask")
    assert "late" in result.scorecard.explain


@pytest.mark.parametrize("method", ["read", "score"])
def test_a_contract_that_trips_fails_one_case(contract: Contract, monkeypatch: pytest.MonkeyPatch, method: str) -> None:
    """An error in a contract becomes a row with the error's name."""

    def broken(case: Case, given: Answer | Reading) -> Scorecard:
        raise ZeroDivisionError("oops")

    monkeypatch.setattr(contract, method, broken)
    result = judge(contract, _unit(contract), Answer(text="x"), FRAME)

    assert result.scorecard.primary_score == 0
    assert (result.error_type, result.error_stage) == ("exception", "score")
    assert "oops" in result.scorecard.explain
