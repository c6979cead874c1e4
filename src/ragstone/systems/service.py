"""The description of a service that answers over HTTP, as a user writes it in YAML; refused as a whole when wrong."""

from importlib import resources
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct

from ragstone.errors import ConnectError
from ragstone.systems.config_file import read_config
from ragstone.types import JSON

Paths = str | list[str]
"""One path, or several of which the first that is there counts."""


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


class StreamMap(_Part, frozen=True):
    """How a streamed reply is put together."""

    kind: Literal["sse", "ndjson"]
    join: Literal["concat", "last"] = "concat"
    """Whether each event brings the next piece or the whole answer so far."""


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
    model_id: str = ""
    price_config: dict[str, JSON] | None = None
    notes: str = ""
    """For people."""


def read_service(argument: str) -> tuple[Service, str]:
    """Read a description from a file or a preset; an address alone is a service that takes a question and answers."""
    if argument.startswith(("http://", "https://")):
        return Service(url=argument, body={"question": "{{question}}"}), "options"
    path = Path(argument)
    if path.suffix.lower() in {".yaml", ".yml", ".json"} or path.is_file():
        return _convert(read_config(path), argument), argument
    names = presets()
    if argument not in names:
        raise ConnectError("ask.preset_unknown", name=argument, known=names)
    import yaml  # noqa: PLC0415 - slow to import, and most systems are described without it

    text = resources.files("ragstone.systems").joinpath("presets", f"{argument}.yaml").read_text(encoding="utf-8")
    return _convert(yaml.safe_load(text), f"preset {argument}"), f"preset {argument}"


def presets() -> list[str]:
    """Return the names of the services that are described already."""
    folder = resources.files("ragstone.systems").joinpath("presets")
    return sorted(file.name.removesuffix(".yaml") for file in folder.iterdir() if file.name.endswith(".yaml"))


def _convert(content: JSON, file: str) -> Service:
    try:
        return msgspec.convert(content, Service, strict=False)
    except msgspec.ValidationError as error:
        raise ConnectError("ask.mapping", file=file, problem=str(error)) from error
