"""Judges: a chat model asked one closed question at a time, or whatever a plug-in says decides.

A judge that is no chat endpoint (a local classifier) comes by the entry point `ragstone.judges`: a function like
`connect` of a system that returns a `Judge`; a program may also hand over the `Judge` itself.
"""

import asyncio
import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext, suppress
from hashlib import sha256
from math import isfinite
from typing import NamedTuple, Protocol, get_args, runtime_checkable

import msgspec
from msgspec import Struct

from ragstone.core.errors import BudgetSpent, ConnectError, RagstoneError, Reason
from ragstone.core.interfaces import System
from ragstone.core.masking import hide_foreign
from ragstone.core.types import JSON, Answer, Failure, Question, QuestionKind, Request
from ragstone.judging.judgements import Judgement
from ragstone.judging.labels import hash_of
from ragstone.judging.listen import Opinion, listen
from ragstone.judging.prompts import Tongue, Way, messages, prompt_sha256
from ragstone.systems.wrappers.cache import Cache
from ragstone.systems.wrappers.wrapper import layers

_MARGIN: dict[str, JSON] = {"logprobs": True, "top_logprobs": 20, "max_tokens": 1, "temperature": 0}
_QUOTE: dict[str, JSON] = {"max_tokens": 500, "temperature": 0}
MOST_REPLY = 2000
"""Characters of a reply that are kept."""
TRIAL = Question(kind="states", question="1 + 1 = ?", point="1 + 1 = 2", answer="2")
"""Asked to hear how an endpoint speaks."""
JOINED = "+"
"""Between the names of versions that are held as one."""
VERSIONS = "versions"
"""The option of a judge that names them."""
UNTOLD = "–"
"""What a version is called that an endpoint does not tell."""
LOST = frozenset({"raised", "odd"})
"""Why a plug-in decided nothing that is nobody's word: whoever wrote it can mend it."""
PATIENCE = 5
"""Replies of another version, or failures in a row, after which no more is asked."""
QUIET = 3.0
"""Seconds of a trial after which it is said that somebody is waited for."""
KINDS = get_args(QuestionKind)
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

    def __init__(self, system: System, way: Way, tongue: Tongue, versions: Sequence[str] = ()) -> None:
        """`versions` are names under which the endpoint is one and the same judge."""
        self.name = system.model_id
        self.system = system
        self.way = way
        self.tongue = tongue
        self.versions = tuple(sorted(versions))
        self.version = ""
        """What the endpoint called itself in its last reply, also in one that a cache kept."""
        self.fresh = False
        """Whether that reply came from the endpoint itself."""

    def identity(self) -> Mapping[str, JSON]:
        """Describe the system."""
        return self.system.identity()

    def prompt(self, kind: str) -> str:
        """Hash instruction and examples."""
        return prompt_sha256(self.way, self.tongue, kind)

    async def decide(self, question: Question) -> Heard:
        """Ask one question and listen."""
        answer = await self.system.ask(self.request(question))
        if answer.failure is None or answer.version is not None:
            self.version, self.fresh = self.named(answer), not answer.cached
        # What refuses a question tells nothing of its version, and is no other one for that.
        untold = answer.failure is not None and answer.version is None
        return heard(answer, listen(answer, question, self.way), self.version if untold else self.named(answer))

    def named(self, answer: Answer) -> str:
        """Return what the endpoint called itself in a reply; versions that are held as one have their joined name."""
        version = answer.version or ""
        if (version or UNTOLD) in self.versions:
            return JOINED.join(self.versions)
        return " ".join(JOINED.join(self.versions) if part in self.versions else part for part in version.split(" "))

    def request(self, question: Question) -> Request:
        """Say what is sent for a question."""
        said = messages(question, self.way, self.tongue)
        params = _MARGIN if self.way == "margin" else _QUOTE
        last, trial = said[-1].content, question is TRIAL
        return Request(
            id=question.kind, question=last, messages=said, params=params, wants_version=True, is_trial=trial
        )

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


async def ask(judge: Judge, question: Question) -> Heard:
    """Ask a judge; what a plug-in raises, or returns and is no verdict, decides nothing and says why."""
    if isinstance(judge, ChatJudge):
        return await judge.decide(question)
    try:
        told: object = await judge.decide(question)
        return _proper(told)
    except RagstoneError:
        raise
    except Exception as error:  # noqa: BLE001 - the boundary: a plug-in may raise anything, the judging goes on
        return _lost("raised", f"{type(error).__name__}: {error}")


def _proper(told: object) -> Heard:
    """Return what a plug-in said, if it is a verdict."""
    if not isinstance(told, Heard):
        return _lost("odd", repr(told))
    try:
        if not isfinite(told.opinion.margin or 0.0):
            raise ValueError(f"margin: {told.opinion.margin}")
        return msgspec.json.decode(msgspec.json.encode(told), type=Heard)
    except (AttributeError, TypeError, ValueError) as error:
        return _lost("odd", str(error))


def _lost(why: str, problem: str) -> Heard:
    return Heard(opinion=Opinion(why=why), reply=hide_foreign(problem).encode("utf-8", "replace").decode())


async def close_all(judges: Sequence[Judge]) -> None:
    """Close judges; what a plug-in raises then changes nothing that was decided."""
    for judge in judges:
        with nullcontext() if isinstance(judge, ChatJudge) else suppress(Exception):
            await judge.close()


def faults_of(judge: Judge) -> str:
    """Say what keeps a plug-in or an object from being a judge; "" when nothing does."""
    try:
        identity_of(judge)
        odd = [f"{name} is {found!r}" for name, found, kinds in _told_by(judge) if found not in kinds]
        texts = [judge.name, *map(judge.prompt, KINDS)]
    except Exception as error:  # noqa: BLE001 - the boundary: a plug-in may raise anything
        return hide_foreign(f"{type(error).__name__}: {error}")
    return "; ".join(odd + [f"{text!r} is no text" for text in texts if not isinstance(text, str)])


def _told_by(judge: Judge) -> tuple[tuple[str, str, tuple[str, ...]], ...]:
    return ("way", judge.way, get_args(Way)), ("tongue", judge.tongue, get_args(Tongue))


async def choose_way(
    system: System,
    wish: Way | None,
    tongue: Tongue,
    versions: Sequence[str] = (),
    tell: Callable[[str], None] = lambda code: None,
) -> ChatJudge:
    """Listen to the first word's chances where the endpoint gives those of yes and no, else to quotations; it is tried.

    Messages by their codes are for `tell`: the reply is not there after a few seconds, the first word is neither.
    """
    clock = asyncio.get_running_loop().call_later(QUIET, tell, "judge.waited")
    try:
        judge = ChatJudge(system, wish or "margin", tongue, versions)
        trial = await _try(judge)
        if wish is None and trial.lacks == "no_word":
            judge = ChatJudge(system, "quote", tongue, versions)
            tell("judge.wordy")
        elif judge.way == "margin" and trial.lacks == "no_chances":
            judge = ChatJudge(system, "quote", tongue, versions)
            trial = await _try(judge) if trial.failure else trial
            if not trial.failure and wish == "margin":
                raise ConnectError("judge.no_logprobs", judge=judge.name)
        if trial.failure:
            raise ConnectError("judge.down", judge=judge.name, failure=trial.failure)
    except BaseException:
        await system.close()
        raise
    finally:
        clock.cancel()
    return judge


class _Trial(NamedTuple):
    failure: Reason | None
    lacks: str = ""
    """Why it gives no margin: no_chances also where it does not take the request that asks for them."""


async def _try(judge: ChatJudge) -> _Trial:
    try:
        told = await judge.decide(TRIAL)
    except BudgetSpent as spent:
        return _Trial(Reason(spent.say))
    if told.failure is not None:
        return _Trial(Reason(told.failure.say), "no_chances" if told.failure.code in _NOT_TAKEN else "")
    return _Trial(None, told.opinion.why)


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


def versions_in(options: Mapping[str, JSON]) -> tuple[str, ...]:
    """Return the versions that options hold as one.

    >>> versions_in({"versions": "fp_b, fp_a"}), versions_in({"versions": ["fp_a", 7]}), versions_in({})
    (('fp_a', 'fp_b'), ('7', 'fp_a'), ())
    """
    told = options.get(VERSIONS) or ()
    parts = told if isinstance(told, list | tuple) else str(told).split(",")
    return tuple(sorted({str(part).strip() for part in parts} - {""}))


def holding(judge: Judge, versions: Iterable[str]) -> str:
    """Return the option that holds versions of a judge as one, with those that it holds so already."""
    held: tuple[str, ...] = getattr(judge, "versions", ())
    joined = JOINED.join(held)
    told = {version.replace(joined, one) if joined else version for version in versions for one in held or ("",)}
    return shlex.quote(f"{VERSIONS}={apart(version or UNTOLD for version in told)}")


def apart(versions: Iterable[str]) -> str:
    """Name versions by what tells them apart, as the option that holds them as one takes it.

    >>> apart(["m fp_a", "m fp_b"]), apart(["m-1", "m-2 fp"])
    ('fp_a,fp_b', 'm-1,m-2 fp')
    """
    names = sorted(versions)
    parts = [name.split(" ") for name in names]
    one = [place for place in range(len(parts[0])) if len({part[place] for part in parts if place < len(part)}) > 1]
    same = len({len(part) for part in parts}) == 1 and len(one) == 1
    return ",".join(sorted(part[one[0]] for part in parts) if same else names)


def ask_anew(judge: Judge) -> None:
    """Have a judge's cache give nothing from before: what it says now is what is wanted."""
    for cache in _caches(judge):
        cache.fits = lambda answer: False


async def hear_version(judge: Judge) -> None:
    """Hear from the endpoint itself what it calls itself, where only a cache has said so."""
    if isinstance(judge, ChatJudge) and not judge.fresh:
        ask_anew(judge)
        if (trial := await _try(judge)).failure:
            raise ConnectError("judge.down", judge=judge.name, failure=trial.failure)


def hold_to(judge: Judge, version: str) -> None:
    """Have a judge's cache give what this version said and nothing else; kept replies that do not tell are none."""
    for cache in _caches(judge):
        assert isinstance(judge, ChatJudge)
        # What tells no version, such as a service that is described in a file, is kept as it is.
        if hasattr(cache.innermost, "reported"):
            cache.fits = lambda answer: answer.version is not None and judge.named(answer) == version


def keep_apart(judge: Judge, epoch: str) -> None:
    """Have a judge's cache give only what was said in this epoch: before it, the judge was another one."""
    for cache in _caches(judge):
        cache.mark = epoch


def forget_version(judge: Judge) -> None:
    """Have the judge's next trial go to the endpoint: what its cache says of the version does not hold any more."""
    # A trial is made before the epoch is known.
    keep_apart(judge, "")
    for cache in _caches(judge):
        assert isinstance(judge, ChatJudge)
        cache.forget(judge.request(TRIAL))


def _caches(judge: Judge) -> Iterator[Cache]:
    yield from (one for one in layers(judge.system) if isinstance(one, Cache)) if isinstance(judge, ChatJudge) else ()


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
