"""Any service that takes and gives JSON over HTTP, described in YAML.

http_json:service.yaml      a description of the user's
http_json:lightrag          a preset; `presets()` lists them
http_json:http://host/ask   takes {"question": …}, gives {"answer": …}
"""

import time
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import quote

import msgspec
from msgspec import structs

from ragstone.core.errors import ConnectError
from ragstone.core.interfaces import System
from ragstone.core.language import excerpt
from ragstone.core.masking import Secrets, names_secret
from ragstone.core.types import FACTS, JSON, Answer, Failure, Request
from ragstone.systems.endpoint_system import EndpointSystem, ms_since
from ragstone.systems.environment import Filler, read_environment, rename_variables, variables_in
from ragstone.systems.failures import AskError, fail
from ragstone.systems.http.endpoint import CallOptions, Endpoint
from ragstone.systems.http.streams import DONE, read_stream
from ragstone.systems.http.wire import decode, encode, why_not_json
from ragstone.systems.http_json.mapping import CutOff, ReplyMap, Reported, WrongId
from ragstone.systems.http_json.paths import Missing
from ragstone.systems.http_json.service import Service, convert, read_service
from ragstone.systems.http_json.template import as_text, compile_template, places_in
from ragstone.systems.models import read_price
from ragstone.systems.options import FactOptions, fields, refuse_unknown, take
from ragstone.systems.wrappers import compose

GIVEN = frozenset({"question", "prompt", "messages", "id", "repeat"})
"""Places every request fills: the question, the rendered prompt as one text, its messages, the case, the repeat."""

QUESTION = ("question", "prompt", "messages")
"""Places that carry what is asked: without one of them nothing is."""

SETTABLE = frozenset({"url", "method", "answer", *fields(FactOptions)})
"""Parts of a description that can be given as an option; and every one of its variables."""


KEY_OPTION = "api_key_env"
"""Names the variable that holds the key, in place of the one the description names."""


class HttpJson(EndpointSystem):
    """Asks a service by its description."""

    def __init__(self, service: Service, file: str, options: CallOptions, filler: Filler, secrets: Secrets) -> None:
        self._service, self._file, self._secrets = service, file, secrets
        self._variables = {name: filler.fill_tree(value) for name, value in service.variables.items()}
        for name, value in self._variables.items():
            if isinstance(value, str) and value and names_secret(name):
                secrets.add(value)
        known = {*GIVEN, *self._variables}
        self._query = compile_template({k: filler.fill_tree(v) for k, v in service.query.items()}, known, file)
        self._asks_in_query = bool(service.query)
        self._body = compile_template(filler.fill_tree(service.body), known, file)
        self._endpoint = Endpoint(
            self._url(filler),
            headers=self._headers(filler),
            secrets=secrets,
            options=options,
            method=service.method,
            key=self._key_source(),
        )
        url = self._endpoint.url
        # An address alone is named by all of it: one machine may have several services.
        alone = secrets.hide(f"{url.authority}{url.path.rstrip('/')}") if file == "options" else url.host
        self.model_id = service.model_id or alone
        self._price = read_price(service.price_config, file)
        self._map = _reply_map(service, file)

    def __repr__(self) -> str:
        return f"HttpJson({self._endpoint.where!r})"

    @property
    def secrets(self) -> Secrets:
        """What must not be shown."""
        return self._secrets

    def identity(self) -> Mapping[str, JSON]:
        """Describe what is sent where and what is read from the reply, without secrets."""
        content = msgspec.to_builtins(self._service)
        told = {name: value for name in FACTS if (value := content.pop(name))}
        for left_out in ("headers", "url", "variables", "notes", "price_config", "facts"):
            content.pop(left_out, None)
        return {
            "kind": "http_json",
            "url": self._endpoint.where,
            "headers": sorted(self._service.headers),
            "variables": self._secrets.hide_tree(self._variables),
            "service": self._secrets.hide_tree(content),
            **told,
        }

    async def ask(self, request: Request) -> Answer:
        """Fill the template, send it, and read the reply by the mapping."""
        began = time.perf_counter()
        raw = b""
        try:
            values = self._values(request)
            body = self._body(values)
            url = self._endpoint.url.with_query(_query(self._query(values))) if self._asks_in_query else None
            raw = await self._endpoint.call(None if body is None else encode(body), url)
            answer = self._read(raw, request.id)
        except WrongId as error:
            failure = fail("wrong_id", where=self._endpoint.where, found=error.found, expected=request.id)
            return Answer(failure=failure, latency_ms=ms_since(began))
        except (AskError, Missing, Reported, CutOff, ValueError) as error:
            return Answer(failure=self._failure(error, raw), latency_ms=ms_since(began))
        # A streamed answer may spell a key piece by piece.
        text = self._secrets.hide_keys(answer.text)
        return structs.replace(answer, text=text, latency_ms=ms_since(began), cost=self.cost(answer.usage))

    @property
    def counts_tokens(self) -> bool:
        """Whether the description says where a reply counts its tokens."""
        return self._service.usage is not None

    def _read(self, raw: bytes, case_id: str) -> Answer:
        wished = self._service.stream
        if wished is None:
            reply = decode(raw)
            answer = self._map.read(reply)
            self._map.check_id([reply], case_id)
            return answer
        stream = read_stream(raw, wished.kind, wished.done if isinstance(wished.done, str) else DONE)
        answer = self._map.read_stream(stream)
        self._map.check_id(stream.events, case_id)
        return answer

    def _values(self, request: Request) -> dict[str, JSON]:
        prompt = "\n\n".join(message.content for message in request.messages) or request.question
        messages = request.messages or ({"role": "user", "content": request.question},)
        own = {name: value for name, value in request.params.items() if name in self._variables}
        given = {"question": request.question, "prompt": prompt, "messages": messages}
        return {**self._variables, **own, **given, "id": request.id, "repeat": request.repeat}

    def _failure(self, error: Exception, raw: bytes) -> Failure:
        where, hide = self._endpoint.where, self._secrets.hide
        if isinstance(error, AskError):
            return error.failure
        if isinstance(error, Missing):
            return fail("missing_path", where=where, path=error.path, problem=hide(error.problem))
        if isinstance(error, CutOff):
            return fail("cut_off", where=where, mark=str(error))
        if isinstance(error, Reported):
            return fail("reported", where=where, problem=excerpt(hide(str(error)), 300))
        return why_not_json(raw, str(error), where, self._secrets)

    def _url(self, filler: Filler) -> str:
        """Fill the address once: it may hold variables, never a question."""
        parts = {name: _url_part(as_text(value)) for name, value in self._variables.items()}
        return str(compile_template(filler.fill(self._service.url), set(self._variables), self._file)(parts))

    def _headers(self, filler: Filler) -> dict[str, str]:
        """Fill the headers; all their values are secret, and an empty one is not sent."""
        headers = {"Content-Type": "application/json"} if self._service.body is not None else {}
        for name, text in self._service.headers.items():
            filled = compile_template(text, set(self._variables), self._file)(self._variables)
            value = filler.fill(as_text(filled), secret=True).strip()
            if not value.isprintable():
                problem = f"header '{name}' holds a character that no header can carry"
                raise ConnectError("ask.mapping", file=self._file, problem=problem)
            bare = value.split(" ")[-1] if value else ""
            if bare and bare.lower() not in {"bearer", "basic"}:
                headers[name] = value
                self._learn(name, value, bare)
        return headers

    def _key_source(self) -> tuple[str, ...] | None:
        """Return the variables in the headers that speak of a key; None when there are none to name."""
        texts = [text for name, text in self._service.headers.items() if names_secret(name)]
        return variables_in(" ".join(texts)) or None

    def _learn(self, name: str, value: str, bare: str) -> None:
        if names_secret(name):
            self._secrets.add(value)
            self._secrets.add(bare)


def connect(argument: str, options: Mapping[str, JSON]) -> System:
    """Make the system of a description and options, with all that stands round it."""
    name = f"http_json:{argument}"
    if not argument:
        raise ConnectError("system.spec", spec=name, problem="expected a file, a preset or an address")
    service, file = read_service(argument)
    known = {*fields(CallOptions), *compose.NAMES, *SETTABLE, *service.variables, KEY_OPTION}
    refuse_unknown(options, known, name)
    service = _override(service, options, file)
    _require_places(service, file)
    secrets = Secrets()
    folder = Path(argument).parent if file == argument else Path()
    filler = Filler(read_environment(Path(), folder), file=file, owner="the service", secrets=secrets)
    _require_variables(service, file, filler)
    system = HttpJson(service, file, take(options, CallOptions, name), filler, secrets)
    return compose.with_wrappers(system, options, news=filler.news)


def _reply_map(service: Service, file: str) -> ReplyMap:
    """Read the mapping; a path that cannot be read is named together with its file."""
    try:
        return ReplyMap(service)
    except ConnectError as error:
        path, problem = error.params["file"], error.params["problem"]
        raise ConnectError("ask.mapping", file=f"{file}: {path}", problem=problem) from error


def _require_places(service: Service, file: str) -> None:
    """Refuse a description that never sends the question, or expects an id back that it never sends."""
    sent = places_in([service.body, service.query])
    if sent.isdisjoint(QUESTION):
        problem = "nothing sends the question: body or query needs {{question}}, {{prompt}} or {{messages}}"
        raise ConnectError("ask.mapping", file=file, problem=problem)
    if service.id and "id" not in sent:
        problem = "'id' says where the reply repeats {{id}}, but neither body nor query sends it"
        raise ConnectError("ask.mapping", file=file, problem=problem)


def _require_variables(service: Service, file: str, filler: Filler) -> None:
    """Name every variable that is not set at once, with what to type."""
    missing = filler.missing_in((service.variables, service.headers, service.query, service.body, service.url))
    if missing:
        typed = " ".join(f"{name}=…" for name in missing)
        flags = [f"-O {name}=…" for name, value in service.variables.items() if filler.missing_in(value)]
        code = "ask.variables" if flags else "ask.keys"
        raise ConnectError(code, file=file, names=missing, typed=typed, options=flags)


def _override(service: Service, options: Mapping[str, JSON], file: str) -> Service:
    variables = {name: options.get(name, value) for name, value in service.variables.items()}
    parts = {name: options[name] for name in SETTABLE & set(options)}
    if variable := options.get(KEY_OPTION):
        parts["headers"] = _with_key(service.headers, str(variable))
    return convert({**msgspec.to_builtins(service), **parts, "variables": variables}, file)


def _with_key(headers: Mapping[str, str], variable: str) -> dict[str, str]:
    """Point the header that carries the key, or a new bearer header, to an environment variable."""
    if not any(names_secret(name) for name in headers):
        return {**headers, "Authorization": f"Bearer ${{{variable}}}"}
    return {name: rename_variables(text, variable) if names_secret(name) else text for name, text in headers.items()}


def _url_part(text: str) -> str:
    """Keep a value within its part of the address, unless it is the address's beginning."""
    return text.rstrip("/") if text.startswith(("http://", "https://")) else quote(text, safe="")


def _query(filled: JSON) -> dict[str, str]:
    return {name: as_text(value) for name, value in filled.items()}
