"""Any endpoint that speaks OpenAI's chat completions.

chat:gpt-4o-mini          with base_url, api_key_env, … as options
chat:deepseek-v3          a name of a model registry, with registry=models.yaml as option
"""

import asyncio
import time
from collections.abc import Mapping
from math import isfinite
from pathlib import Path

import msgspec
from msgspec import Struct, structs

from ragstone.core.errors import ConnectError
from ragstone.core.interfaces import System
from ragstone.core.masking import Secrets
from ragstone.core.messages import message
from ragstone.core.types import JSON, Answer, Failure, Message, Request, Usage
from ragstone.systems.context_slot import fill_contexts
from ragstone.systems.endpoint_system import EndpointSystem, ms_since
from ragstone.systems.environment import Filler, read_environment
from ragstone.systems.failures import AskError, fail
from ragstone.systems.http.endpoint import CallOptions, Endpoint, join_url
from ragstone.systems.http.wire import clean, decode, encode, why_not_json
from ragstone.systems.models import Entry, Model, read_price, read_registry
from ragstone.systems.options import NO_FACTS, Amount, Count, FactOptions, Number, fields, refuse_unknown, take
from ragstone.systems.wrappers import compose

TRIAL_SECONDS = 30.0
"""How long a trial waits for its reply where no other limit was set."""


class ChatOptions(Struct, frozen=True, kw_only=True):
    """What `chat:` understands besides how it is called."""

    registry: str = ""
    """A model registry file; the name behind `chat:` is then one of its models."""
    base_url: str = ""
    """Where the API begins, often ending in /v1; else OPENAI_BASE_URL."""
    api_key_env: str = ""
    """The variable that holds the key; none is sent without it, except to OPENAI_BASE_URL."""
    system_prompt: str = ""
    """Said before the question when a contract renders no messages of its own."""
    params: dict[str, JSON] = {}
    """Sent with every request: temperature, max_tokens, response_format, …"""
    temperature: Amount | None = None
    max_tokens: Number | None = None
    response_format: JSON = None
    seed: int | None = None
    """Repeat r is asked with seed + r, so that repeats differ and each can be repeated."""
    price_config: dict[str, JSON] | None = None


class _Said(Struct):
    content: str | list[JSON] | None = None
    refusal: str | None = None


class _Choice(Struct):
    message: _Said | None = None
    finish_reason: str | None = None
    logprobs: msgspec.Raw = msgspec.Raw(b"null")


class _Chance(Struct):
    token: str
    logprob: float


class _Token(_Chance):
    top_logprobs: list[_Chance] = []


class _Logprobs(Struct):
    content: list[_Token] = []


class _Counts(Struct):
    prompt_tokens: Count = 0
    completion_tokens: Count = 0
    total_tokens: Count = 0


class _Reply(Struct):
    choices: list[_Choice] = []
    usage: _Counts | None = None
    model: JSON = None
    system_fingerprint: JSON = None


class Chat(EndpointSystem):
    """Asks one model of one endpoint."""

    def __init__(
        self, model: Model, options: CallOptions, system_prompt: str = "", facts: FactOptions = NO_FACTS
    ) -> None:
        self._facts = facts.given
        if not model.base_url:
            raise ConnectError("ask.base_url", system=f"chat:{model.name}")
        self.model_id = facts.model_id or model.name
        self._model = model
        headers = {"Content-Type": "application/json", **model.authorization()}
        self._endpoint = Endpoint(
            join_url(model.base_url, "chat/completions"),
            headers=headers,
            secrets=model.secrets,
            options=options,
            key=model.key_source,
        )
        self._params = {"model": model.model, **_sendable(model.params)}
        self._seed = model.seed
        self._price = model.price
        self._prefix = (Message("system", system_prompt),) if system_prompt else ()
        self.reported = ""
        """What the endpoint last called its model and version."""

    def __repr__(self) -> str:
        return f"Chat({self.model_id!r}, {self._endpoint.where!r})"

    @property
    def secrets(self) -> Secrets:
        """What must not be shown."""
        return self._model.secrets

    def identity(self) -> Mapping[str, JSON]:
        """Describe endpoint, model and parameters, without secrets."""
        said = [message.content for message in self._prefix]
        shown = {"params": self._params, "seed": self._seed, "system_prompt": said, **self._facts}
        return {
            "kind": "chat",
            "url": self._endpoint.where,
            "model": self._model.model,
            **{name: self._model.secrets.hide_tree(value) for name, value in shown.items() if value not in (None, [])},
        }

    async def ask(self, request: Request) -> Answer:
        """Ask for one completion."""
        began = time.perf_counter()
        try:
            raw = await self._called(request)
        except AskError as error:
            failure = _short(error.failure) if request.params.get("max_tokens") else error.failure
            return Answer(failure=failure, latency_ms=ms_since(began))
        try:
            reply = _REPLY.decode(raw)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            return self._lenient(raw, request, began)
        return self._told(reply, request, began, raw)

    async def _called(self, request: Request) -> bytes:
        """Send a request; a trial waits no longer than is said, or than a trial does where nothing was said."""
        body = encode(self._body(request))
        if not request.is_trial or self._endpoint.options.has_own_limits:
            return await self._endpoint.call(body)
        try:
            async with asyncio.timeout(TRIAL_SECONDS) as clock:
                return await self._endpoint.call(body)
        except TimeoutError:
            if not clock.expired():
                raise
            raise AskError(fail("timeout_total", where=self._endpoint.where, seconds=f"{TRIAL_SECONDS:g}")) from None

    def sent_as(self, request: Request) -> Request:
        """Return a request with the messages it is sent as."""
        return structs.replace(request, messages=tuple(self._body(request)["messages"]))

    def _body(self, request: Request) -> dict[str, JSON]:
        if "prompt" in request.params:
            request = fill_contexts(request, ())
        body = {**self._params, **_sendable(request.params)} if request.params else dict(self._params)
        if self._seed is not None and "seed" not in body:
            body["seed"] = self._seed + request.repeat
        body["messages"] = request.messages or (*self._prefix, Message("user", request.question))
        return body

    def _told(self, reply: _Reply, request: Request, began: float, raw: bytes) -> Answer:
        """Make the answer of a reply, with what a judge wants besides."""
        answer = self._answer(reply, began, raw)
        if request.wants_version and reply.choices:
            answer = structs.replace(answer, version=self.reported)
        if request.params.get("logprobs") and reply.choices:
            return structs.replace(answer, first_word=_first_word(reply.choices[0].logprobs))
        return answer

    def _answer(self, reply: _Reply, began: float, raw: bytes) -> Answer:
        if not reply.choices:
            return Answer(failure=self._choiceless(raw), latency_ms=ms_since(began))
        choice = reply.choices[0]
        self.reported = " ".join(str(part) for part in (reply.model, reply.system_fingerprint) if part)
        text = _text(choice.message)
        usage = _usage(reply.usage)
        failure = None
        if choice.finish_reason == "content_filter":
            failure = fail("content_filtered", where=self._endpoint.where, problem="finish_reason: content_filter")
        return Answer(
            text=text,
            usage=usage,
            latency_ms=ms_since(began),
            finish_reason=choice.finish_reason,
            cost=self.cost(usage),
            failure=failure,
        )

    def _lenient(self, raw: bytes, request: Request, began: float) -> Answer:
        """Read a reply whose fields have other types than they should, as far as it makes sense."""
        try:
            value = decode(raw)
        except ValueError as error:
            return Answer(failure=self._unread(raw, str(error)), latency_ms=ms_since(began))
        choices = value.get("choices") if isinstance(value, dict) else None
        if not isinstance(choices, list) or not choices or not isinstance(choices[0], dict):
            return Answer(failure=self._choiceless(raw), latency_ms=ms_since(began))
        said = choices[0].get("message")
        said = said if isinstance(said, dict) else {}
        content = said.get("content")
        reason = choices[0].get("finish_reason")
        counts = value.get("usage")
        choice = _Choice(
            message=_Said(clean(_text(_Said(content))) if isinstance(content, str | list) else None),
            finish_reason=reason if isinstance(reason, str) else None,
            logprobs=msgspec.Raw(encode(choices[0].get("logprobs"))),
        )
        usage = _counts(counts) if isinstance(counts, dict) else None
        named = value.get("model"), value.get("system_fingerprint")
        return self._told(_Reply([choice], usage, *named), request, began, raw)

    def _choiceless(self, raw: bytes) -> Failure:
        """Return why a JSON reply holds no choice: some endpoints report errors with status 200."""
        try:
            value = decode(raw)
        except ValueError as error:
            return self._unread(raw, str(error))
        error_part = value.get("error") if isinstance(value, dict) else None
        if error_part:
            said = error_part.get("message", error_part) if isinstance(error_part, dict) else error_part
            return fail("reported", where=self._endpoint.where, problem=self._model.secrets.hide(str(said))[:300])
        keys = ", ".join(sorted(value)[:20]) if isinstance(value, dict) else f"none ({type(value).__name__})"
        return fail("empty_choices", where=self._endpoint.where, keys=self._model.secrets.hide(keys))

    def _unread(self, raw: bytes, problem: str) -> Failure:
        return why_not_json(raw, problem, self._endpoint.where, self._model.secrets)


def _sendable(params: Mapping[str, JSON]) -> dict[str, JSON]:
    """Leave out what this system decides itself: replies come whole, messages come from the request."""
    return {k: v for k, v in params.items() if k not in {"stream", "stream_options", "messages"}}


def _text(said: _Said | None) -> str:
    if said is None:
        return ""
    content = said.content
    if isinstance(content, str):
        return content
    if content is None:
        return said.refusal or ""
    parts = (part.get("text") if isinstance(part, dict) else part for part in content)
    return "".join(part for part in parts if isinstance(part, str))


def _first_word(raw: msgspec.Raw) -> dict[str, float]:
    """Return the chances of the first token; nothing when the endpoint gives none."""
    try:
        found = msgspec.json.decode(raw, type=_Logprobs | None)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return {}
    if found is None or not found.content:
        return {}
    first = found.content[0]
    named = (first, *first.top_logprobs)
    # One that is no number leaves it open what the others come to.
    return {one.token: one.logprob for one in named} if all(isfinite(one.logprob) for one in named) else {}


def _short(failure: Failure) -> Failure:
    """Return why a short reply did not come: a shorter one would not have come either."""
    if failure.kind != "timeout_total":
        return failure
    said = "ask.timeout_short"
    return structs.replace(failure, said=said, message=message(said).say("en", failure.params))


def _usage(counts: _Counts | None) -> Usage | None:
    if counts is None:
        return None
    total = counts.total_tokens or counts.prompt_tokens + counts.completion_tokens
    return Usage(counts.prompt_tokens, counts.completion_tokens, total)


def _counts(value: Mapping[str, JSON]) -> _Counts:
    numbers = {k: value.get(k) for k in _Counts.__struct_fields__}
    return _Counts(**{k: int(v) for k, v in numbers.items() if isinstance(v, int | float) and 0 <= v < 1e12})


def connect(argument: str, options: Mapping[str, JSON]) -> System:
    """Make the system of a model name and its options, with all that stands round it."""
    name = f"chat:{argument}"
    refuse_unknown(options, fields(ChatOptions, CallOptions, FactOptions) | compose.NAMES, name)
    own = take(options, ChatOptions, name)
    model = read_registry(Path(own.registry)).model(argument) if own.registry else _model(argument, own)
    _override(model, own)
    given = {**model.options, **options}
    told = take({**model.facts, **options}, FactOptions, name)
    chat = Chat(model, take(given, CallOptions, name), own.system_prompt, told)
    return compose.with_wrappers(chat, given, news=model.news)


def _model(argument: str, own: ChatOptions) -> Model:
    """Describe a model that stands in no registry."""
    environ = read_environment(Path())
    secrets = Secrets()
    system = f"chat:{argument}"
    if not argument or "://" in argument:
        raise ConnectError("system.spec", spec=system, problem="expected chat:MODEL, with its address as base_url")
    key_name = own.api_key_env or ("" if own.base_url else "OPENAI_API_KEY")
    api_key = f"${{{key_name}}}" if own.api_key_env or environ.get(key_name) else None
    entry = Entry(model=argument, base_url=own.base_url or environ.get("OPENAI_BASE_URL", ""), api_key=api_key)
    filler = Filler(environ, file="options", owner=system, secrets=secrets)
    return Model(argument, entry, filler, secrets, "options")


def _override(model: Model, own: ChatOptions) -> None:
    """Override the registry with options given for this run."""
    single = {k: v for k in ("temperature", "max_tokens", "response_format") if (v := getattr(own, k)) is not None}
    model.params = {**model.params, **own.params, **single}
    model.seed = own.seed if own.seed is not None else model.seed
    if own.price_config:
        model.price = read_price(own.price_config, f"chat:{model.name}")


_REPLY = msgspec.json.Decoder(_Reply)
