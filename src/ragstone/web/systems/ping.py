"""Tries a system with one question before a run is spent on it."""

import asyncio
import time

from msgspec import structs

from ragstone import api
from ragstone.core.language import Lang
from ragstone.core.settings import Settings
from ragstone.core.types import JSON, Answer, Request
from ragstone.datasets.check import load_cases, open_contract
from ragstone.runs.pipeline import Unit, ask
from ragstone.systems.replay import NO_ANSWER
from ragstone.text.visible import visible_block
from ragstone.web.display_names import display_name
from ragstone.web.places import Dataset, SystemArguments

SECONDS = 30.0
MOST_MATCHED = 200
"""Cases that recorded answers are looked up for."""
SHOWN = 4000
"""Characters of the answer that are shown."""


def try_one(asked: SystemArguments, dataset: Dataset, question: str, settings: Settings, lang: Lang) -> dict[str, JSON]:
    """Ask a system one question: the one given, or the first case's."""
    begin = time.perf_counter()
    said, answer = asyncio.run(_once(asked, dataset, question, structs.replace(settings, timeout=SECONDS)))
    failure = answer.failure
    why = " · ".join(filter(None, (display_name(failure.kind, lang), failure.message))) if failure else ""
    return {
        "question": visible_block(said[:SHOWN]),
        "answer": visible_block(answer.text[:SHOWN]),
        "contexts": len(answer.contexts),
        "problem": visible_block(why[:SHOWN]),
        "ms": round(1000 * (time.perf_counter() - begin)),
    }


def match(asked: SystemArguments, dataset: Dataset, settings: Settings) -> tuple[int, int]:
    """Return how many of the first cases recorded answers know, and of how many."""
    known = asyncio.run(_known(asked, dataset, settings))
    return sum(known), len(known)


async def _known(asked: SystemArguments, dataset: Dataset, settings: Settings) -> list[bool]:
    target = api.connect_system(asked.systems[0], dict(asked.options), settings)
    try:
        contract = open_contract(
            dataset.path, name=dataset.contract, documents=dataset.documents, options=dataset.options
        )
        answers = [await ask(contract, target, Unit(0, case), SECONDS) for case in load_cases(contract, MOST_MATCHED)]
        return [answer.failure is None or answer.failure.said != NO_ANSWER for answer in answers]
    finally:
        await target.close()


async def _once(asked: SystemArguments, dataset: Dataset, question: str, settings: Settings) -> tuple[str, Answer]:
    target = api.connect_system(asked.systems[0], dict(asked.options), settings)
    try:
        if question:
            return question, await asyncio.wait_for(target.ask(Request(id="ping", question=question)), SECONDS)
        contract = open_contract(
            dataset.path, name=dataset.contract, documents=dataset.documents, options=dataset.options
        )
        unit = Unit(0, next(load_cases(contract, 1)))
        return unit.case.question, await ask(contract, target, unit, SECONDS)
    finally:
        await target.close()
