"""What a stored run may load: its own maker's choices, or what is harmless; a run folder from elsewhere is data.

A `Guard` is asked before a dataset, a contract or a system that a run's files name is opened. This one lets through
what was made here and what could do no harm, and asks `agrees` about the rest.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from ragstone.core.errors import RunError
from ragstone.core.messages import message
from ragstone.core.registry import is_registered
from ragstone.core.settings import Settings
from ragstone.core.types import JSON
from ragstone.runs.store.codec import is_plain
from ragstone.runs.store.folder import META, RunFolder
from ragstone.runs.store.owner import foreign_verdicts, is_marked
from ragstone.runs.store.seal import BEGUN, PACKAGE, is_file

SHAPING = frozenset({"temperature", "max_tokens", "seed", "top_k", "sentences", "chunk_size", "max_context_chars"})
"""Numbers that shape answers; they reach no file, address or key."""
PACING = frozenset(
    {
        *("concurrency", "requests_per_minute", "tokens_per_minute", "share", "keep_alive"),
        *("max_calls", "max_tokens_spent", "max_cost", "max_seconds"),
        *("max_retries", "retry_delay", "max_retry_delay", "give_up_after"),
        *("breaker_after", "breaker_pause", "breaker_longest_pause", "patience", "patience_at_start"),
        "shut_out_after",
        *("connect_timeout", "first_byte_timeout", "timeout", "max_reply_bytes"),
    }
)
"""Numbers that say how fast and how much is asked; what the settings say of them goes before what a run says."""
MOST = {"max_reply_bytes": 1 << 26, "concurrency": 256}
"""The largest harmless number in a run from elsewhere: above it, memory and servers are at risk."""
MOST_READ = 1 << 20
"""Bytes of a named file in which addresses and variables are looked for."""
_VARIABLE = re.compile(r"\$\{(\w+)\}")
_HOST = re.compile(r"https?://([\w.\-\[\]:]+)")


class Inputs(NamedTuple):
    """What a run is scored from."""

    dataset: Path
    contract: str
    documents: Path | None
    options: dict[str, JSON]
    given: frozenset[str] = frozenset()
    """Names of those, and of the options, that the user has said now and the run has not."""


class Asking(NamedTuple):
    """Whom a run asks."""

    systems: tuple[str, ...]
    options: dict[str, JSON]


class Risk(NamedTuple):
    """Something a run from elsewhere would have loaded or reached."""

    kind: str
    """contract, system, option, file, variable, host or verdicts."""
    name: str


Agrees = Callable[[RunFolder, Sequence[Risk]], bool]


class Guard:
    """Lets a run load what its maker chose when that was this user here, or what is harmless."""

    def __init__(self, agrees: Agrees = lambda folder, risks: False) -> None:
        self._agrees = agrees
        self._agreed: set[Path] = set()

    def inputs(self, folder: RunFolder, named: Inputs) -> Inputs:
        """Return what may be opened to score a run's answers; raises RunError for what may not."""
        if not is_own(folder):
            self._require(folder, list(input_risks(folder, named)))
        return named

    def asking(self, folder: RunFolder, named: Asking, inputs: Inputs, settings: Settings) -> Asking:
        """Return what may be connected to continue a run; raises RunError for what may not."""
        if not is_own(folder):
            self._require(folder, list(asking_risks(folder, named, inputs, settings)))
        return named

    def code(self, folder: RunFolder, contract: str) -> str:
        """Return a contract's name when its class may be looked at; raises RunError when it may not."""
        if not is_registered(contract) and not is_own(folder):
            self._require(folder, [Risk("contract", contract)])
        return contract

    def verdicts(self, folder: RunFolder, beside: Sequence[str] = ()) -> None:
        """Check that verdicts given elsewhere may count, also those `beside` it; raise RunError without consent."""
        found = [*(name for name in foreign_verdicts(folder) if _holds(folder.path / name)), *beside]
        self._require(folder, [Risk("verdicts", name) for name in found])

    def _require(self, folder: RunFolder, risks: Sequence[Risk]) -> None:
        if not risks or folder.path in self._agreed:
            return
        if not self._agrees(folder, risks):
            raise RunError("run.foreign", run=str(folder.path), risks=[f"{risk.kind} {risk.name}" for risk in risks])
        self._agreed.add(folder.path)


OWN = Guard()
TRUSTING = Guard(lambda folder, risks: True)


def _holds(path: Path) -> bool:
    return is_plain(path) and path.stat().st_size > 0


def is_own(folder: RunFolder) -> bool:
    """Return whether a run was made by this user here, and what it names has not been changed since."""
    return is_marked(folder, folder.meta(), BEGUN)


def input_risks(folder: RunFolder, named: Inputs) -> Iterator[Risk]:
    """Return what scoring a run would load besides the built-in contracts and files of this project."""
    if "contract" not in named.given and not is_registered(named.contract):
        yield Risk("contract", named.contract)
    if "dataset" not in named.given and not (is_near(named.dataset) or _lies_in(named.dataset, folder.path)):
        yield Risk("file", str(named.dataset))
    texts = [str(named.documents)] if named.documents else []
    texts += [v for name, v in named.options.items() if isinstance(v, str) and name not in named.given]
    yield from (Risk("file", text) for text in texts if _names_path(text) and not is_near(Path(text)))


def asking_risks(folder: RunFolder, named: Asking, inputs: Inputs, settings: Settings) -> Iterator[Risk]:
    """Return what continuing a run would ask, run, read and send."""
    foreign = [spec for spec in named.systems if spec and not _is_harmless(spec, folder, settings)]
    odd = {name: value for name, value in named.options.items() if not is_number(name, value)}
    flow = inputs.options.get("workflow")
    yield from (Risk("system", spec) for spec in foreign)
    yield from (Risk("option", f"{name}={_shown(value)}") for name, value in odd.items())
    if isinstance(flow, str):
        yield Risk("file", flow)
    yield from _reached([*foreign, *_texts(odd), *([flow] if isinstance(flow, str) else [])], odd)


def is_number(name: str, value: JSON) -> bool:
    """Return whether an option is a number or a switch that can do no harm."""
    plain = value is None or (isinstance(value, int | float) and value <= MOST.get(name, value))
    return name in SHAPING | PACING and plain


def _is_harmless(spec: str, folder: RunFolder, settings: Settings) -> bool:
    """Return whether a system is one of the settings', or only reads files of this project."""
    kind, _, argument = spec.partition(":")
    return spec in settings.systems or (kind in {"replay", "builtin"} and is_near(Path(argument)))


def _reached(texts: Sequence[str], options: Mapping[str, JSON]) -> Iterator[Risk]:
    """Name the variables and hosts that texts, and the files they name, speak of."""
    named = [str(options["api_key_env"])] if options.get("api_key_env") else []
    said = [*texts, *(_content(text.partition(":")[2] or text) for text in texts)]
    variables = dict.fromkeys([*named, *(name for text in said for name in _VARIABLE.findall(text))])
    yield from (Risk("variable", name) for name in variables)
    yield from (Risk("host", host) for host in dict.fromkeys(host for text in said for host in _HOST.findall(text)))


def _content(name: str) -> str:
    try:
        if is_file(name):
            with Path(name).open("rb") as file:
                return file.read(MOST_READ).decode("utf-8", "replace")
    except OSError:
        pass
    return ""


def _texts(value: JSON) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        yield from (text for item in value.values() for text in _texts(item))
    elif isinstance(value, list):
        yield from (text for item in value for text in _texts(item))


def _shown(value: JSON) -> str:
    text = str(value)
    return text if len(text) < 80 else f"{text[:80]}…"


def _names_path(text: str) -> bool:
    """Return whether a text leads to a file or folder, or would by its look."""
    try:
        return any(sign in text for sign in "/\\") or Path(text).exists()
    except (OSError, ValueError):
        return True


def is_near(path: Path) -> bool:
    """Return whether a path leads into the current folder or to Ragstone's own data, and into no run."""
    try:
        real = path.resolve()
        here = Path.cwd().resolve()
        if real.is_relative_to(PACKAGE / "data"):
            return True
        within = [real, *real.parents][: len(real.parents) - len(here.parents)]
        return real.is_relative_to(here) and not any((folder / META).exists() for folder in within)
    except (OSError, ValueError, RuntimeError):
        return False


def _lies_in(path: Path, folder: Path) -> bool:
    try:
        return path.resolve().parent == folder.resolve()
    except (OSError, ValueError, RuntimeError):
        return False


def risk_lines(risks: Sequence[Risk], lang: str) -> list[str]:
    """Return what a run would load, a line a kind."""
    kinds = dict.fromkeys(risk.kind for risk in risks)
    return [
        message(f"risk.{kind}").say(lang, {"names": [risk.name for risk in risks if risk.kind == kind]})  # type: ignore[arg-type]
        for kind in kinds
    ]
