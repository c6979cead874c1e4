"""Judges: a chat model asked one closed question at a time, or whatever a plug-in says decides.

A judge that is no chat endpoint (a local classifier) comes by the entry point `ragstone.judges`: a function like
`connect` of a system that returns a `Judge`; a program may also hand over the `Judge` itself.
"""

from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import NamedTuple, Protocol, runtime_checkable

import msgspec
from msgspec import Struct

from ragstone.core.errors import BudgetSpent, ConnectError
from ragstone.core.interfaces import System
from ragstone.core.types import JSON, Answer, Failure, Question, Request
from ragstone.judging.listen import Opinion, listen
from ragstone.judging.people import hash_of
from ragstone.judging.prompts import Tongue, Way, messages, prompt_sha256
from ragstone.judging.replies import Judgement
from ragstone.systems.wrappers.cache import Cache
from ragstone.systems.wrappers.wrapper import layers

_MARGIN: dict[str, JSON] = {"logprobs": True, "top_logprobs": 20, "max_tokens": 1, "temperature": 0}
_QUOTE: dict[str, JSON] = {"max_tokens": 500, "temperature": 0}
MOST_REPLY = 2000
"""Characters of a reply that are kept."""
TRIAL = Question(kind="states", question="1 + 1 = ?", point="1 + 1 = 2", answer="2")
"""Asked to hear how an endpoint speaks."""
_NOT_TAKEN = frozenset({"400", "415", "422", "501"})
"""How endpoints refuse a request with options that they do not know."""


class Heard(Struct, frozen=True, kw_only=True):
    """What came of asking a judge once."""

    opinion: Opinion
    reply: str = ""
    tokens: int = 0
    cost: float | None = None
    attempts: int = 1
    version: str = ""
    """What the endpoint called itself."""
    failure: Failure | None = None
    """Why it could not be asked; then there is no opinion, and it can be asked again."""


@runtime_checkable
class Judge(Protocol):
    """Who answers closed questions about answers."""

    name: str
    way: Way
    tongue: Tongue

    def identity(self) -> Mapping[str, JSON]:
        """Describe it, without secrets, well enough that another one is told apart."""
        ...

    def prompt(self, kind: str) -> str:
        """Return a hash of what it is told besides the case."""
        ...

    async def decide(self, question: Question) -> Heard:
        """Answer one question."""
        ...

    async def close(self) -> None:
        """Give back what it holds."""
        ...


class ChatJudge:
    """A system that is asked like any other, and listened to in one of two ways."""

    def __init__(self, system: System, way: Way, tongue: Tongue) -> None:
        self.name = system.model_id
        self.system = system
        self.way = way
        self.tongue = tongue

    def identity(self) -> Mapping[str, JSON]:
        """Describe the system."""
        return self.system.identity()

    def prompt(self, kind: str) -> str:
        """Hash instruction and examples."""
        return prompt_sha256(self.way, self.tongue, kind)

    async def decide(self, question: Question) -> Heard:
        """Ask one question and listen."""
        answer = await self.system.ask(self.request(question))
        return heard(answer, listen(answer, question, self.way), self.version)

    def request(self, question: Question) -> Request:
        """Say what is sent for a question."""
        said = messages(question, self.way, self.tongue)
        params = _MARGIN if self.way == "margin" else _QUOTE
        return Request(id=question.kind, question=said[-1].content, messages=said, params=params)

    @property
    def version(self) -> str:
        """What the endpoint called itself last."""
        return next((str(one.reported) for one in layers(self.system) if hasattr(one, "reported")), "")

    async def close(self) -> None:
        """Close the system."""
        await self.system.close()


def heard(answer: Answer, opinion: Opinion, version: str = "") -> Heard:
    """Put together what came of a call."""
    refused = answer.failure is not None and answer.failure.kind == "content_filtered"
    return Heard(
        opinion=Opinion(why="refused") if refused else opinion,
        reply=answer.text,
        tokens=answer.usage.total_tokens if answer.usage else 0,
        cost=answer.cost,
        attempts=answer.attempts,
        version=version,
        failure=None if refused else answer.failure,
    )


async def choose_way(system: System, wish: Way | None, tongue: Tongue) -> ChatJudge:
    """Listen to the first word's chances where the endpoint gives them, and to quotations elsewhere; it is tried."""
    try:
        judge = ChatJudge(system, wish or "margin", tongue)
        trial = await _try(judge)
        if judge.way == "margin" and trial.mute:
            judge = ChatJudge(system, "quote", tongue)
            trial = await _try(judge) if trial.failure else trial
            if not trial.failure and wish == "margin":
                raise ConnectError("judge.no_logprobs", judge=judge.name)
        if trial.failure:
            raise ConnectError("judge.down", judge=judge.name, failure=trial.failure.rstrip("."))
    except BaseException:
        await system.close()
        raise
    return judge


class _Trial(NamedTuple):
    failure: str
    mute: bool
    """Whether it gives no chances: its answer has none, or it does not take the request that asks for them."""


async def _try(judge: ChatJudge) -> _Trial:
    try:
        told = await judge.decide(TRIAL)
    except BudgetSpent as spent:
        return _Trial(spent.say("en"), mute=False)
    if told.failure is not None:
        return _Trial(told.failure.message, mute=told.failure.code in _NOT_TAKEN)
    return _Trial("", mute=told.opinion.why == "no_chances")


def identity_of(judge: Judge) -> str:
    """Hash who a judge is."""
    told = msgspec.json.encode([judge.name, judge.way, judge.tongue, dict(judge.identity())], order="sorted")
    return sha256(told).hexdigest()


def parts_of(judge: Judge) -> dict[str, str]:
    """Hash the parts of who a judge is, each by itself, so that it can be said which of them differs."""
    told = dict(judge.identity())
    parts: dict[str, JSON] = {
        "endpoint": told.pop("url", ""),
        "model": told.pop("model", judge.name),
        "way": judge.way,
        "tongue": judge.tongue,
        "parameters": told,
    }
    return {name: sha256(msgspec.json.encode(part, order="sorted")).hexdigest()[:16] for name, part in parts.items()}


def version_of(judge: Judge) -> str:
    """Return what the endpoint called itself last."""
    return str(getattr(judge, "version", ""))


def ask_anew(judge: Judge) -> None:
    """Have a judge's cache give nothing from before: what it says now is what is wanted."""
    for layer in layers(judge.system) if isinstance(judge, ChatJudge) else ():
        if isinstance(layer, Cache):
            layer.anew = True


def judgement(key: str, question: Question, case: str, judge: Judge, heard: Heard) -> Judgement:
    """Make the line of an opinion."""
    opinion = heard.opinion
    return Judgement(
        key=key,
        judge=judge.name,
        kind=question.kind,
        case=case,
        point=question.point,
        answer=hash_of(question.answer),
        margin=opinion.margin,
        verdict=opinion.verdict,
        quote=opinion.quote,
        why=opinion.why,
        reply=heard.reply[:MOST_REPLY],
        version=heard.version,
        tokens=heard.tokens,
        cost=heard.cost,
    )


def names_of(judges: Sequence[Judge]) -> str:
    """Name the judges of a jury."""
    return " + ".join(judge.name for judge in judges)
