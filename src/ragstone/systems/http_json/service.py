"""The description of a service that answers over HTTP, as a user writes it in YAML; refused as a whole when wrong."""

import re
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, Literal, get_args

import msgspec
from msgspec import Struct

from ragstone.core.errors import ConnectError
from ragstone.core.types import JSON
from ragstone.systems.environment import read_config
from ragstone.systems.options import allowed, with_text_facts
from ragstone.text.nearest import nearest

Paths = str | list[str]
"""One path, or several of which the first that is there counts."""
ANSWERS = (
    *("answer", "response", "output", "text", "content", "result", "reply"),
    *("data.answer", "choices[0].message.content"),
)
"""Where the answer is in the reply of a service without a description."""


class _Part(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Base of the parts: an unknown key is a mistake."""


class ContextMap(_Part, frozen=True):
    """Where the retrieved pieces are, and within each piece its parts."""

    items: str
    source_path: Paths | None = None
    page: Paths | None = None
    text: Paths | None = None
    """Several paths are joined by line breaks here."""
    score: Paths | None = None
    optional: bool = False
    """Whether a reply may come without them."""


class CitationMap(_Part, frozen=True):
    """Where the references are, and within each reference its parts."""

    items: str
    file: Paths | None = None
    page: Paths | None = None
    quote: Paths | None = None
    optional: bool = False


class UsageMap(_Part, frozen=True):
    """Where the token counts are; with [*] they are added up."""

    prompt_tokens: str | None = None
    completion_tokens: str | None = None
    total_tokens: str | None = None


class ErrorMap(_Part, frozen=True):
    """How the service reports an error with status 200."""

    path: str
    """An error is reported when something else than `ok` stands here."""
    ok: tuple[JSON, ...] = (None, 0, "", False)
    message: str | None = None


class FactMap(_Part, frozen=True):
    """Where a reply states what it was made with."""

    index_version: str | None = None
    adapter_id: str | None = None
    base_model: str | None = None


class Sign(_Part, frozen=True):
    """By what an event is known: a value at a path."""

    path: str
    value: JSON = msgspec.field(name="is", default=None)
    """The value there, or a list of allowed ones; left out, anything but null and false."""


class StreamMap(_Part, frozen=True):
    """How a streamed reply is put together."""

    kind: Literal["sse", "ndjson"]
    join: Literal["concat", "last"] = "concat"
    """Whether each event brings the next piece or the whole answer so far."""
    done: str | Sign | None = None
    """The closing mark: a data line such as [DONE], or the event that comes last; without it a reply was cut off."""
    replace: Sign | None = None
    """Events whose answer takes the place of all that came before."""


class Service(_Part, frozen=True):
    """One service: what is sent, and where in the reply things are."""

    url: str
    method: Literal["POST", "GET", "PUT"] = "POST"
    headers: dict[str, str] = {}
    query: dict[str, JSON] = {}
    body: JSON = None
    variables: dict[str, JSON] = {}
    """Values for places in url, query and body; each can be given as an option."""
    answer: Paths = "answer"
    id: str | None = None
    """Where the reply repeats the id it was sent; an answer under another id is refused."""
    contexts: ContextMap | None = None
    citations: CitationMap | None = None
    usage: UsageMap | None = None
    finish_reason: str | None = None
    error: ErrorMap | None = None
    stream: StreamMap | None = None
    facts: FactMap | None = None
    model_id: str = ""
    index_version: str = ""
    adapter_id: str = ""
    base_model: str = ""
    price_config: dict[str, JSON] | None = None
    notes: str = ""
    """For people."""


def read_service(argument: str) -> tuple[Service, str]:
    """Read a description from a file or a preset; an address alone is a service that takes a question and answers."""
    if argument.startswith(("http://", "https://")):
        return Service(url=argument, body={"question": "{{question}}"}, answer=list(ANSWERS)), "options"
    path = Path(argument)
    if path.suffix.lower() in {".yaml", ".yml", ".json"} or path.is_file():
        return convert(read_config(path), argument), argument
    names = presets()
    if argument not in names:
        raise ConnectError("ask.preset_unknown", name=argument, known=names, near=nearest(argument, tuple(names)))
    import yaml  # noqa: PLC0415 - slow to import, and most systems are described without it

    text = _preset_folder().joinpath(f"{argument}.yaml").read_text(encoding="utf-8")
    return convert(yaml.safe_load(text), f"preset {argument}"), f"preset {argument}"


def presets() -> list[str]:
    """Return the names of the services that are described already."""
    files = _preset_folder().iterdir()
    return sorted(file.name.removesuffix(".yaml") for file in files if file.name.endswith(".yaml"))


def _preset_folder() -> Traversable:
    return resources.files("ragstone.systems.http_json").joinpath("presets")


def convert(content: JSON, file: str) -> Service:
    """Make a description of plain data; what is wrong with it is an error that names the file."""
    try:
        plain = with_text_facts(content) if isinstance(content, dict) else content
        return msgspec.convert(plain, Service, strict=False)
    except msgspec.ValidationError as error:
        raise ConnectError("ask.mapping", file=file, problem=_with_choices(str(error))) from error


def _with_choices(problem: str) -> str:
    """Add what is allowed at the place a complaint names, where that is a closed set."""
    found = re.fullmatch(r"Invalid enum value .+ - at `\$\.([\w.]+)`", problem)
    if found is None:
        return problem
    kind: type | None = Service
    for name in found[1].split("."):
        kind = _FIELDS.get(kind, {}).get(name) if kind else None
    return f"{problem}; allowed: {allowed(kind)}" if kind else problem


def _fields(part: type[Struct]) -> dict[str, Any]:
    """Return the types of a part's fields; of those that may be left out, the type they have when they are there."""
    types = {field.encode_name: field.type for field in msgspec.structs.fields(part)}
    return {name: next((one for one in get_args(kind) if one in _PARTS), kind) for name, kind in types.items()}


_PARTS = (ContextMap, CitationMap, UsageMap, ErrorMap, StreamMap)
_FIELDS: dict[Any, dict[str, Any]] = {part: _fields(part) for part in (Service, StreamMap)}
