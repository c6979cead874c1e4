"""Takes one case from request to result: ask, read, score. Failures become results; knows only the two protocols."""

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from msgspec import Struct, structs

from ragstone.core.errors import BudgetSpent
from ragstone.core.interfaces import Contract, Stage, System
from ragstone.core.language import Lang, excerpt
from ragstone.core.masking import hide_foreign
from ragstone.core.messages import phrase
from ragstone.core.offline import OfflineError
from ragstone.core.types import JSON, Answer, Case, Failure, Reading, Reason, Request, Result, Scorecard
from ragstone.judging.decisions import Decisions


class Unit(NamedTuple):
    """One answer to get: a case, put to one of the run's systems, for the n-th time."""

    number: int
    case: Case
    system: int = 0
    repeat: int = 0


class Frame(Struct, frozen=True, kw_only=True):
    """What all rows of a run have in common."""

    run_id: str
    lang: Lang
    model_ids: tuple[str, ...]
    stages: tuple[Stage, ...] = ()
    """By the same numbers as the models, when cases are asked in steps."""
    decisions: Decisions | None = None
    """What judges and people decided, where any were asked."""


class Perfect:
    """Stands in for a system in a dry run whose requests shall be made all the same."""

    model_id = "mock"

    def __init__(self, answer: Callable[[], Answer]) -> None:
        self._answer = answer

    def identity(self) -> Mapping[str, JSON]:
        """Describe the stand-in."""
        return {"kind": "mock"}

    async def ask(self, request: Request) -> Answer:
        """Give the perfect answer."""
        return self._answer()

    async def close(self) -> None:
        """Nothing is held."""


def request_of(contract: Contract, unit: Unit) -> Request:
    """Return what is sent for a unit."""
    request = contract.request(unit.case)
    return structs.replace(request, repeat=unit.repeat) if unit.repeat else request


async def ask(contract: Contract, system: System, unit: Unit, seconds: float | None) -> Answer:
    """Ask a system what a unit asks."""
    return await ask_for(lambda: request_of(contract, unit), system, seconds)


async def ask_for(make: Callable[[], Request], system: System, seconds: float | None) -> Answer:
    """Ask a system; whatever it raises or however long it takes becomes an answer with a failure.

    Only BudgetSpent passes: it is no failure of this case, but the signal to stop asking.
    """
    begin = time.perf_counter()
    try:
        if seconds is None:
            answer: object = await system.ask(make())
        else:
            async with asyncio.timeout(seconds):
                answer = await system.ask(make())
    except BudgetSpent:
        raise
    except TimeoutError as error:
        return _failed(begin, "timeout", str(error) or f"no answer within {seconds} s")
    except Exception as error:  # noqa: BLE001 - the boundary: a system may raise anything, the run goes on
        kind = "offline" if _was_offline(error) else "exception"
        return _failed(begin, kind, f"{type(error).__name__}: {error}")
    if not isinstance(answer, Answer):
        return _failed(begin, "bad_reply", f"expected an Answer, got {type(answer).__name__}")
    return answer


def _was_offline(error: BaseException | None) -> bool:
    """Return whether a connection was refused because the run is offline; libraries wrap errors in their own."""
    while error is not None and not isinstance(error, OfflineError):
        error = error.__cause__ or error.__context__
    return error is not None


def _failed(begin: float, kind: str, text: str) -> Answer:
    return Answer(failure=Failure(kind, excerpt(hide_foreign(text), 500)), latency_ms=_since(begin))


def _since(begin: float) -> float:
    return round((time.perf_counter() - begin) * 1000, 3)


def judge(contract: Contract, unit: Unit, answer: Answer, frame: Frame) -> Result:
    """Read and score an answer into the row that is kept."""
    case, failure = unit.case, answer.failure
    model_id, step_id = frame.model_ids[unit.system], ""
    if frame.stages:
        stage = frame.stages[unit.system]
        contract, model_id, step_id = stage.contract, stage.model_id, stage.step_id
    reading = Reading(text=answer.text)
    if failure is None:
        try:
            reading = contract.read(case, answer)
            card = contract.score(case, reading)
        except Exception as error:  # noqa: BLE001 - the boundary: one case a contract trips over must not end a run
            failure = Failure(
                "exception", excerpt(hide_foreign(f"{type(error).__name__}: {error}"), 500), stage="score"
            )
    if failure is not None:
        card = zero(contract, case, failure, frame.lang)
    if frame.decisions is not None:
        decisions = frame.decisions
        card = decisions.add(contract, case, reading, card) if failure is None else decisions.repeat(contract, card)
    if not card.explain:
        card = structs.replace(card, explain=explain(contract, card.reasons, frame.lang))
    return Result(
        run_id=frame.run_id,
        sample_id=case.id,
        repeat=unit.repeat,
        task_name=contract.task_name,
        model_id=model_id,
        step_id=step_id,
        prompt_version=contract.prompt_version,
        scorer_version=contract.scorer_version,
        question=case.question,
        groups=case.groups,
        weight=case.weight,
        output_text=answer.text,
        parsed=reading.fields or None,
        rung=reading.rung,
        task_metrics=card.sub_scores,
        scorecard=card,
        error_type=failure.kind if failure else "unparsed" if reading.rung == "failed" else None,
        error_stage=failure.stage if failure else "read" if reading.rung == "failed" else None,
        error_code=failure.code if failure else reading.problem,
        error_message=failure.message if failure else None,
        usage=answer.usage,
        latency_ms=answer.latency_ms,
        attempts=answer.attempts,
        cached=answer.cached,
        cost=answer.cost,
    )


def zero(contract: Contract, case: Case, failure: Failure, lang: Lang) -> Scorecard:
    """Score a case that could not be asked or scored: as silence, which is worth 0 wherever a metric applies."""
    try:
        nothing = contract.score(case, Reading()).sub_scores
    except Exception:  # noqa: BLE001 - a contract that cannot even score silence has failed already
        nothing = {spec.name: None if spec.kind == "error" else 0.0 for spec in contract.metrics}
    reason = Reason("", f"failed.{failure.stage}", {"kind": failure.kind, "problem": failure.say(lang)})
    tags = (failure.kind,)
    return Scorecard(primary_score=0.0, passed=False, sub_scores=nothing, error_tags=tags, reasons=(reason,))


def explain(contract: Contract, reasons: Sequence[Reason], lang: Lang) -> str:
    """Return the reasons in one line of sentences."""
    parts = [phrase(contract.phrases, reason.code, reason.params, lang, note=True).rstrip("。.") for reason in reasons]
    between, end = ("; ", ".") if lang == "en" else ("；", "。")
    return between.join(parts) + end if parts else ""
