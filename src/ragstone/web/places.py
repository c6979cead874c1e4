"""What the page may touch: datasets in their folder, runs in theirs, systems that are configured; nothing else.

Names come from browsers. Each is looked up among what is there, never joined into a path unseen.
"""

import ipaddress
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

from msgspec import Struct, structs

from ragstone.parsing.formats import SUFFIXES
from ragstone.registry import contract_names
from ragstone.settings import DatasetEntry, Settings
from ragstone.store.folder import META
from ragstone.types import JSON
from ragstone.web.problems import PageError

DATA = Path(__file__).parent.parent / "data"
KINDS = (".jsonl", ".json")
MOST_DATASETS = 500
DEPTH = 3
_NAME = re.compile(r"[\w(（][\w .()（）\-]{0,120}")
EndpointKind = Literal["http_json", "chat"]


class Dataset(Struct, frozen=True, kw_only=True):
    """A dataset the page offers."""

    name: str
    path: Path
    label: str = ""
    contract: str | None = None
    documents: Path | None = None
    options: dict[str, JSON] = {}
    bundled: bool = False


class SystemChoice(Struct, frozen=True, kw_only=True):
    """A system the page offers."""

    name: str
    label: str = ""
    kind: Literal["configured", "builtin", "mock", "endpoint"]
    spec: str = ""


class Asked(Struct, frozen=True, kw_only=True):
    """How the hall is told what to ask."""

    systems: tuple[str, ...] = ()
    options: dict[str, JSON] = {}
    mock: bool = False


class Endpoint(Struct, frozen=True, kw_only=True):
    """An address a browser user entered."""

    url: str
    kind: EndpointKind = "http_json"
    model: str = ""


class Places:
    """The folders and names of one server."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.runs_dir = Path(settings.runs_dir)
        self.datasets_dir = Path(settings.datasets_dir)

    # --- datasets ---

    def datasets(self) -> list[Dataset]:
        """List the datasets: those the settings name, those in the folder, the bundled ones."""
        named = [_configured(name, entry) for name, entry in self.settings.datasets.items()]
        taken = {dataset.path.resolve() for dataset in named}
        found = [dataset for dataset in self._found() if dataset.path.resolve() not in taken]
        return [*named, *found, *_bundled()]

    def _found(self) -> Iterator[Dataset]:
        for number, path in enumerate(_files(self.datasets_dir, DEPTH)):
            if number >= MOST_DATASETS:
                return
            name = path.relative_to(self.datasets_dir).as_posix()
            yield Dataset(name=name, path=path, documents=_beside(path, self.datasets_dir))

    def dataset(self, name: str) -> Dataset:
        """Find a dataset by its name."""
        for dataset in self.datasets():
            if dataset.name == name:
                return dataset
        raise PageError(404, "page.dataset", name=name, folder=str(self.datasets_dir))

    def new_file(self, name: str, content_start: bytes) -> Path:
        """Say where a dropped file goes; its name and first bytes must be those of a dataset."""
        stem, dot, kind = name.rpartition(".")
        if not dot or f".{kind.lower()}" not in KINDS or not _NAME.fullmatch(stem):
            raise PageError(422, "page.file_name", name=name, kinds=", ".join(KINDS))
        if content_start.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] not in (b"{", b"["):
            raise PageError(415, "page.file_type", name=name)
        self.datasets_dir.mkdir(parents=True, exist_ok=True)
        return self.datasets_dir / f"{stem}.{kind.lower()}"

    # --- systems ---

    def systems(self) -> list[SystemChoice]:
        """List the systems: those the settings name, then what is always there."""
        tables = self.settings.systems.items()
        named = [
            SystemChoice(name=name, label=str(t.get("label", "")), kind="configured", spec=str(t.get("system", name)))
            for name, t in tables
        ]
        builtin = SystemChoice(name="builtin", kind="builtin")
        return [*named, builtin, SystemChoice(name="endpoint", kind="endpoint"), SystemChoice(name="mock", kind="mock")]

    def asked(self, name: str, dataset: Dataset, endpoint: Endpoint | None = None) -> Asked:
        """Turn a choice into what the hall is told; only configured systems may be of any kind."""
        choice = next((choice for choice in self.systems() if choice.name == name), None)
        if choice is None:
            raise PageError(404, "page.system", name=name)
        if choice.kind == "configured":
            return Asked(systems=(name,))
        if choice.kind == "mock":
            return Asked(mock=True)
        if choice.kind == "builtin":
            if dataset.documents is None:
                raise PageError(422, "page.documents")
            return Asked(systems=(f"builtin:{dataset.documents}",))
        if endpoint is None:
            raise PageError(404, "page.system", name=name)
        return self._entered(endpoint)

    def _entered(self, endpoint: Endpoint) -> Asked:
        require_allowed(endpoint.url, self.settings.allowed_endpoints)
        if endpoint.kind == "chat":
            # No key is sent: a browser user must not choose which of the server's secrets goes where.
            return Asked(systems=(f"chat:{endpoint.model or 'default'}",), options={"base_url": endpoint.url})
        return Asked(systems=(f"http_json:{endpoint.url}",))

    # --- runs ---

    def run_path(self, run_id: str) -> Path:
        """Find the folder of a run; a name that leads elsewhere is no run."""
        if not run_id or run_id.startswith(".") or any(mark in run_id for mark in "/\\\0"):
            raise PageError(404, "page.run", name=run_id)
        path = self.runs_dir / run_id
        try:
            inside = path.resolve().parent == self.runs_dir.resolve() and (path / META).is_file()
        except OSError:
            inside = False
        if not inside:
            raise PageError(404, "page.run", name=run_id)
        return path


def require_allowed(url: str, allowed: tuple[str, ...]) -> None:
    """Refuse an address that is neither this machine's own nor on the list (no server-side request forgery)."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        parts, port = urlsplit(""), None
    host = parts.hostname or ""
    fine = parts.scheme in {"http", "https"} and host and "@" not in parts.netloc and url.isprintable()
    if not fine or not (_is_own(host) or any(_fits(parts.scheme, host, port, rule) for rule in allowed)):
        listed = ", ".join(["127.0.0.1", "localhost", *allowed])
        raise PageError(403, "page.endpoint", url=url, allowed=listed)


def _is_own(host: str) -> bool:
    """Accept this machine's own names as they are usually written, and nothing that only resolves to them."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _fits(scheme: str, host: str, port: int | None, allowed: str) -> bool:
    rule = urlsplit(allowed if "://" in allowed else f"//{allowed}")
    if rule.hostname != host or (rule.scheme and rule.scheme != scheme):
        return False
    standard = {"http": 80, "https": 443}[scheme]
    return (port or standard) == (rule.port or standard)


def _configured(name: str, entry: DatasetEntry) -> Dataset:
    path = Path(entry.path)
    return Dataset(
        name=name,
        path=path,
        label=entry.label,
        contract=entry.contract,
        documents=Path(entry.documents) if entry.documents else _beside(path, path.parent),
        options=entry.options,
    )


def _bundled() -> list[Dataset]:
    sets = (("demo-zh", DATA / "key_points"), ("demo-en", DATA / "key_points_en"))
    return [
        Dataset(name=name, path=folder / "questions.jsonl", documents=folder / "documents", bundled=True)
        for name, folder in sets
    ]


def _beside(path: Path, root: Path) -> Path | None:
    """Find the documents that belong to a dataset: beside it, or one step up when that is still inside the root."""
    folders = [path.parent] if path.parent == root else [path.parent, path.parent.parent]
    return next((folder / "documents" for folder in folders if (folder / "documents").is_dir()), None)


def _files(folder: Path, depth: int) -> Iterator[Path]:
    """Yield the dataset files of a folder; links, hidden files and document folders are passed over."""
    try:
        entries = sorted(folder.iterdir())
    except OSError:
        return
    for path in entries:
        if path.name.startswith(".") or path.is_symlink():
            continue
        if path.is_file() and path.name.lower().endswith((*KINDS, *SUFFIXES)):
            yield path
        elif path.is_dir() and depth > 1 and path.name != "documents":
            yield from _files(path, depth - 1)


def with_contract(dataset: Dataset, contract: str | None) -> Dataset:
    """Return the dataset with the contract a user chose for it."""
    if not contract:
        return dataset
    if contract not in contract_names():
        raise PageError(422, "page.query", field="contract", problem=", ".join(contract_names()))
    return structs.replace(dataset, contract=contract)
