"""Model registry files: which models there are, where they answer and what they cost.

    active: deepseek-v3
    models:
      deepseek-v3:
        provider: deepseek
        model: deepseek-chat
        api_key: "${DEEPSEEK_API_KEY}"
        base_url: https://api.deepseek.com/v1
        price_config: {input_per_1k: 0.002, output_per_1k: 0.008}

JSON or YAML. A variable is looked up when its model is used, so that one missing key does not hinder the others.
"""

import difflib
from collections.abc import Mapping
from pathlib import Path

import msgspec
from msgspec import Struct

from ragstone.core.errors import ConnectError
from ragstone.core.masking import Secrets, names_secret
from ragstone.core.types import FACTS, JSON, Usage
from ragstone.systems.environment import Filler, read_config, read_environment, variables_in
from ragstone.systems.options import Amount, Number, with_text_facts

UNITS = {"input_per_1k": 1e3, "output_per_1k": 1e3, "input_per_1m": 1e6, "output_per_1m": 1e6}


class Price(Struct, frozen=True):
    """The price of one token that is sent, and of one that comes back."""

    sent: float
    returned: float

    def of(self, usage: Usage | None) -> float | None:
        """Return what a call cost, or None when the endpoint did not count its tokens."""
        if usage is None:
            return None
        return usage.prompt_tokens * self.sent + usage.completion_tokens * self.returned


def read_price(table: Mapping[str, JSON] | None, owner: str) -> Price | None:
    """Read a `price_config`: input and output, each per 1k or per 1m tokens.

    >>> read_price({"input_per_1k": 0.5, "output_per_1m": 1500}, "m")
    Price(sent=0.0005, returned=0.0015)
    """
    if not table:
        return None
    unknown = sorted(set(table) - set(UNITS) - {"currency"})
    wrong = sorted(name for name in UNITS if name in table and not _is_price(table[name]))
    if unknown or wrong:
        raise ConnectError("ask.price", owner=owner, names=unknown or wrong, known=[*UNITS, "currency"])
    return Price(_side(table, "input"), _side(table, "output"))


def _side(table: Mapping[str, JSON], side: str) -> float:
    return sum(float(table.get(name, 0)) / unit for name, unit in UNITS.items() if name.startswith(side))


def _is_price(value: JSON) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < 1e9


PROVIDERS = {
    "openai": "https://api.openai.com/v1",
    "deepseek": "https://api.deepseek.com/v1",
    "moonshot": "https://api.moonshot.cn/v1",
    "dashscope": "https://dashscope.aliyuncs.com/compatible-mode/v1",
    "zhipu": "https://open.bigmodel.cn/api/paas/v4",
}
"""Where a provider answers when the file gives no base_url."""

SAMPLING = ("temperature", "top_p", "max_tokens", "presence_penalty", "frequency_penalty", "stop", "response_format")
"""Fields of a model that are sent with every request."""


class Entry(Struct, frozen=True, kw_only=True):
    """One model as its file describes it; fields no rule knows are left alone."""

    model: str = ""
    provider: str = ""
    api_key: str | None = None
    base_url: str = ""
    timeout: float | None = None
    max_retries: int | None = None
    retry_delay: float | None = None
    concurrency: int | None = None
    seed: int | None = None
    price_config: dict[str, JSON] | None = None
    params: dict[str, JSON] = {}
    headers: dict[str, str] = {}
    temperature: Amount | None = None
    top_p: float | None = None
    max_tokens: Number | None = None
    presence_penalty: float | None = None
    frequency_penalty: float | None = None
    stop: str | list[str] | None = None
    response_format: JSON = None
    index_version: str = ""
    adapter_id: str = ""
    base_model: str = ""


class Model:
    """A model ready to be asked; its key is nowhere to be seen."""

    def __init__(self, name: str, entry: Entry, filler: Filler, secrets: Secrets, file: str) -> None:
        self.name = name
        self.file = file
        self.secrets = secrets
        self.model = entry.model or name
        self.facts = {fact: value for fact in FACTS if (value := getattr(entry, fact))}
        """What the file tells of it for run_meta.json."""
        self.seed = entry.seed
        self.params = {k: v for k in SAMPLING if (v := getattr(entry, k)) is not None} | entry.params
        self.price: Price | None = read_price(entry.price_config, f"{file}: model '{name}'")
        self.base_url = filler.fill(entry.base_url) or PROVIDERS.get(entry.provider.lower(), "")
        self.headers = {k: filler.fill(v, secret=True) for k, v in entry.headers.items()}
        for header, value in self.headers.items():
            if names_secret(header):
                secrets.add(value)
                secrets.add(value.rpartition(" ")[2])
        self._key = self._read_key(entry.api_key, filler)
        self.news = filler.news
        secret = [value for name, value in entry.headers.items() if names_secret(name)]
        self.key_variables = variables_in(" ".join([entry.api_key or "", *secret]))
        """The variables that hold what lets requests in."""
        calls = ("timeout", "max_retries", "retry_delay", "concurrency")
        self.options = {k: v for k in calls if (v := getattr(entry, k)) is not None}
        """Options for how it is called, by the names `chat` knows."""

    def __repr__(self) -> str:
        return f"Model({self.name!r}, {self.model!r})"

    def _read_key(self, api_key: str | None, filler: Filler) -> str | None:
        if api_key is None:
            return None
        key = filler.fill(api_key, secret=True).strip()
        if not key:
            raise ConnectError("ask.key_empty", file=self.file, owner=f"model '{self.name}'")
        if not (key.isascii() and key.isprintable()):
            problem = "its api_key holds a character that no header can carry"
            raise ConnectError("ask.model_field", file=self.file, name=self.name, problem=problem)
        self.secrets.add(key)
        return key

    @property
    def key_source(self) -> tuple[str, ...] | None:
        """The variables that hold the key, empty when no key is sent; None when it stands in the file itself."""
        return self.key_variables if self.key_variables or not self.authorization() else None

    def authorization(self) -> dict[str, str]:
        """Return the headers that let requests in: for the wire only."""
        return {"Authorization": f"Bearer {self._key}", **self.headers} if self._key else dict(self.headers)


class Registry:
    """The models of one file."""

    def __init__(self, path: Path, active: tuple[str, ...], entries: Mapping[str, Entry]) -> None:
        self.path = path
        self.active = active
        """Names to use when none is asked for."""
        self._entries = entries

    @property
    def names(self) -> tuple[str, ...]:
        """Every model of the file, in its order."""
        return tuple(self._entries)

    def concurrency(self, name: str) -> int | None:
        """Return how many requests at once a model is said to bear; no variable is looked up."""
        entry = self._entries.get(name)
        return entry.concurrency if entry else None

    def model(self, name: str = "") -> Model:
        """Return a model with its variables filled in; the first active one when no name is given."""
        name = name or next(iter(self.active), "")
        if name not in self._entries:
            raise ConnectError("ask.model_unknown", file=str(self.path), name=name, known=self.names)
        secrets = Secrets()
        environ = read_environment(Path(), self.path.parent)
        filler = Filler(environ, file=str(self.path), owner=f"model '{name}'", secrets=secrets)
        return Model(name, self._entries[name], filler, secrets, str(self.path))


def read_registry(path: Path) -> Registry:
    """Read a registry file; all that is wrong with it is an error that names model and field."""
    content = read_config(path)
    models = content.get("models")
    if not isinstance(models, dict) or not models:
        raise ConnectError("ask.file", file=str(path), problem="expected a mapping 'models' with at least one model")
    active = content.get("active") or ()
    names = (active,) if isinstance(active, str) else tuple(str(name) for name in active)
    entries = {str(name): _entry(path, str(name), value) for name, value in models.items()}
    return Registry(path, names, entries)


def _entry(path: Path, name: str, value: JSON) -> Entry:
    if not isinstance(value, dict):
        raise ConnectError("ask.model_field", file=str(path), name=name, problem="expected a mapping")
    for field in value:
        near = difflib.get_close_matches(str(field), Entry.__struct_fields__, 1, 0.8)
        if near and field not in Entry.__struct_fields__:
            problem = f"there is no field '{field}'; did you mean '{near[0]}'?"
            raise ConnectError("ask.model_field", file=str(path), name=name, problem=problem)
    try:
        return msgspec.convert(with_text_facts(value), Entry, strict=False)
    except msgspec.ValidationError as error:
        raise ConnectError("ask.model_field", file=str(path), name=name, problem=str(error)) from error
