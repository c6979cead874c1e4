"""What the page may access: datasets in their folder, runs in theirs, configured systems; nothing else.

Names come from browsers. Each is looked up among what is there, never joined into a path unseen.
"""

import contextlib
import ipaddress
import re
import secrets
import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

from msgspec import Struct, structs

from ragstone.api import Judging, complete_judging
from ragstone.core.errors import UserError
from ragstone.core.masking import hide_addresses
from ragstone.core.registry import contract_names
from ragstone.core.settings import DatasetEntry, Settings
from ragstone.core.types import JSON
from ragstone.datasets.check import open_contract
from ragstone.datasets.faults import unreadable
from ragstone.datasets.formats import SUFFIXES
from ragstone.runs.store.codec import is_plain
from ragstone.runs.store.folder import META
from ragstone.web.datasets.documents import ENDING, folder_of
from ragstone.web.datasets.metadata import DEEPEST, read_metadata
from ragstone.web.errors import PageError
from ragstone.web.security import is_for_its_owner
from ragstone.web.systems.saved import (
    HELD,
    SavedSystem,
    check_system,
    check_variable,
    read_saved,
    write_saved,
)

DATA = Path(__file__).parent.parent / "data"
KINDS = (".jsonl", ".json")
TABLES = (".csv", ".xlsx")
"""Tables of other programs, whose columns may have to be named."""
CONFIGS = (".yaml", ".yml")
"""Configurations of promptfoo, where they are its."""
MOST_DATASETS = 500
MOST_HERE = 100
"""Files looked at in the folder the page was started in."""
MOST_LOOKED_AT = 64 << 20
"""Bytes of such a file."""
DEPTH = 3
ANSWERS = ".answers"
"""The folder of recorded answers that were brought to the page."""
SET_JUDGE = "[judge]"
"""What the judge of the settings is chosen by."""
UPLOAD = ".upload-"
"""How the names of files begin that are still coming."""
MOST_NAME = 180
"""Bytes of a dropped file's name; file systems take 255, and a number or a temporary name is added."""
_NAME = re.compile(r"[\w(（][\w .()（）\-]{0,120}")
_PLAIN_PLACE = re.compile(r"(?:[A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?")
"""A host and port that every reader of addresses reads alike."""
_PLAIN_REST = re.compile(r"[^\s\\${}<>^`|\x00-\x20\x7f]*")
"""The rest of an address: no place to be filled, nothing that readers disagree about."""
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
    made_from: str = ""
    """The dataset it was cut out of or is a new version of."""
    documents_of: str = ""
    """The dataset whose documents it was drafted from."""


class SystemChoice(Struct, frozen=True, kw_only=True):
    """A system the page offers."""

    name: str
    label: str = ""
    kind: str
    """configured, builtin, mock, endpoint, or the kind of one that was entered."""
    spec: str = ""


class JudgeChoice(Struct, frozen=True, kw_only=True):
    """A judge the page offers."""

    name: str
    label: str


class SystemArguments(Struct, frozen=True, kw_only=True):
    """The systems to ask, as arguments of `ragstone.api`."""

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
        """List the datasets: those the settings name, those in the folder, those where we were started, the bundled."""
        named = [_configured(name, entry) for name, entry in self.settings.datasets.items()]
        taken = {dataset.path.resolve() for dataset in named}
        found = [dataset for dataset in self._found() if dataset.path.resolve() not in taken]
        every = [*named, *found, *self._here(taken, {dataset.name for dataset in found}), *bundled()]
        known = {dataset.name: dataset for dataset in every}
        return [_as_made(dataset, known) for dataset in every]

    def _found(self) -> Iterator[Dataset]:
        for number, path in enumerate(_files(self.datasets_dir, DEPTH)):
            if number >= MOST_DATASETS:
                return
            name = path.relative_to(self.datasets_dir).as_posix()
            metadata = read_metadata(self.datasets_dir, name)
            yield Dataset(
                name=name,
                path=path,
                contract=metadata.contract if metadata.contract in contract_names() else None,
                documents=_beside(path, self.datasets_dir),
                options=metadata.options,
                made_from=metadata.made_from,
                documents_of=metadata.documents_of,
            )

    def _here(self, taken: Collection[Path], names: Collection[str]) -> Iterator[Dataset]:
        """Yield the datasets of the folder we were started in: for its owner, where no other folder is named."""
        alone = is_for_its_owner(self.settings) and not self.settings.people
        if not alone or self.settings.datasets_dir != Settings().datasets_dir:
            return
        for path in islice(_files(Path(), 1, (*KINDS, *SUFFIXES, *CONFIGS)), MOST_HERE):
            if path.name not in names and path.resolve() not in taken and _is_dataset(path):
                yield Dataset(name=path.name, path=path, documents=_beside(path, Path()))

    def dataset(self, name: str) -> Dataset:
        """Find a dataset by its name."""
        for dataset in self.datasets():
            if dataset.name == name:
                return dataset
        raise PageError(404, "page.dataset", name=name, folder=str(self.datasets_dir))

    def new_file(self, name: str, content_start: bytes) -> Path:
        """Return where a dropped file goes; its name and first bytes must be those of a dataset."""
        place = self.new_place(name)
        check = _require_table if place.suffix in TABLES else _require_json
        check(name, content_start)
        return place

    def new_place(self, name: str) -> Path:
        """Return where a file of this name goes."""
        stem, dot, kind = name.rpartition(".")
        fits = _NAME.fullmatch(stem) and len(name.encode("utf-8", "replace")) <= MOST_NAME
        if not dot or f".{kind.lower()}" not in (*KINDS, *TABLES) or not fits:
            raise PageError(422, "page.file_name", name=name, kinds=", ".join((*KINDS, *TABLES)))
        self.datasets_dir.mkdir(parents=True, exist_ok=True)
        return self.datasets_dir / f"{stem}.{kind.lower()}"

    def is_own(self, dataset: Dataset) -> bool:
        """Return whether a dataset lies at the top of the folder of datasets, where the page puts them."""
        return dataset.path.parent == self.datasets_dir and "/" not in dataset.name

    def new_upload(self, name: str) -> Path:
        """Return where an upload is written; refuse it when the folder has too many datasets."""
        if sum(1 for _ in islice(_files(self.datasets_dir, DEPTH), MOST_DATASETS)) >= MOST_DATASETS:
            raise PageError(409, "page.full", number=MOST_DATASETS)
        return self.datasets_dir / f"{UPLOAD}{secrets.token_hex(8)}{Path(name).suffix.lower()[:6]}"

    def clear_uploads(self) -> None:
        """Remove what a server that was killed left of files that were coming, once they are a day old."""
        with contextlib.suppress(OSError):
            for path in self.datasets_dir.glob(f"{UPLOAD}*"):
                if path.lstat().st_mtime < time.time() - 86400:
                    path.unlink()

    # --- systems ---

    def systems(self) -> list[SystemChoice]:
        """List the systems: those the settings name, then what is always there."""
        named = [_choice(name, table, "configured") for name, table in self.settings.systems.items()]
        entered = [_choice(one.name, one.table(), one.kind) for one in self.entered()]
        builtin = SystemChoice(name="builtin", kind="builtin")
        own = [builtin, SystemChoice(name="endpoint", kind="endpoint"), SystemChoice(name="mock", kind="mock")]
        return [*named, *entered, *own]

    def judges(self) -> list[JudgeChoice]:
        """List the judges: that of the settings, then every chat endpoint that has a name."""
        own = self.settings.judge.judge
        named = ", ".join(own) if isinstance(own, tuple) else own
        first = [JudgeChoice(name=SET_JUDGE, label=named)] if named else []
        chats = [name for name, table in self.tables().items() if str(table.get("system", "")).startswith("chat:")]
        # The judge of the settings may be one of them, and stands there once.
        return first + [
            JudgeChoice(name=name, label=str(self.tables()[name].get("label") or name))
            for name in chats
            if name != named
        ]

    def judging(self, name: str) -> Judging:
        """Turn a choice into arguments of `ragstone.api`; a run's own files choose nothing."""
        if name not in {one.name for one in self.judges()}:
            raise PageError(404, "page.judge", name=name)
        wish = Judging() if name == SET_JUDGE else Judging(judges=(name,))
        return complete_judging(wish, None, self.settings)

    def entered(self) -> list[SavedSystem]:
        """List the systems that were entered here, as far as they may still be asked."""
        return [one for one in read_saved(self.runs_dir) if self._may_ask(one)]

    def _may_ask(self, entered: SavedSystem) -> bool:
        try:
            self.require_entered(entered)
        except PageError:
            return False
        return True

    def require_entered(self, entered: SavedSystem) -> None:
        """Refuse an address off the list, a file that is not ours, a name that is taken, a variable that is no key."""
        check_system(entered, lambda name: name in {*self.settings.systems, "builtin", "endpoint", "mock"})
        own = is_for_its_owner(self.settings)
        if entered.kind == "recorded":
            if self.answers_path(Path(entered.answers).name) != Path(entered.answers):
                raise PageError(404, "page.system", name=entered.name)
        else:
            require_allowed(entered.url, self.settings.allowed_endpoints, own=own)
        if entered.key_env and not entered.key_env.startswith(HELD):
            check_variable(entered.key_env, own=own)

    def remember(self, entered: SavedSystem) -> None:
        """Keep a system that was entered, in place of one of the same name."""
        self.require_entered(entered)
        others = [one for one in read_saved(self.runs_dir) if one.name != entered.name]
        write_saved(self.runs_dir, [*others, entered])

    def forget_system(self, name: str) -> None:
        """Forget a system that was entered."""
        kept = read_saved(self.runs_dir)
        if name not in {one.name for one in kept}:
            raise PageError(404, "page.system", name=name)
        write_saved(self.runs_dir, [one for one in kept if one.name != name])

    def answers_path(self, name: str) -> Path:
        """Return the path of a file of recorded answers."""
        return self.datasets_dir / ANSWERS / name

    def tables(self) -> dict[str, dict[str, JSON]]:
        """Return all systems that have a name, as ragstone.toml would have them."""
        return {**self.settings.systems, **{one.name: one.table() for one in self.entered()}}

    def run_settings(self) -> Settings:
        """Return the settings with the systems that were entered."""
        return structs.replace(self.settings, systems=self.tables())

    def asked_all(self, names: Sequence[str], dataset: Dataset, endpoint: Endpoint | None = None) -> SystemArguments:
        """Turn several choices into arguments of `ragstone.api`; a dry run and a bare endpoint stand alone."""
        every = [self.asked(name, dataset, endpoint) for name in dict.fromkeys(names)]
        if len(every) == 1:
            return every[0]
        if any(one.mock or one.options for one in every):
            raise PageError(422, "page.alone")
        return SystemArguments(systems=tuple(system for one in every for system in one.systems))

    def asked(self, name: str, dataset: Dataset, endpoint: Endpoint | None = None) -> SystemArguments:
        """Turn a choice into arguments of `ragstone.api`; only configured systems may be of any kind."""
        choice = next((choice for choice in self.systems() if choice.name == name), None)
        if choice is None:
            raise PageError(404, "page.system", name=name)
        if choice.kind not in {"mock", "builtin", "endpoint"}:
            return SystemArguments(systems=(name,))
        if choice.kind == "mock":
            return SystemArguments(mock=True)
        if choice.kind == "builtin":
            if dataset.documents is None:
                raise PageError(422, "page.documents")
            return SystemArguments(systems=(f"builtin:{dataset.documents}",))
        if endpoint is None:
            raise PageError(404, "page.system", name=name)
        return self._entered(endpoint)

    def endpoints(self) -> list[str]:
        """List the addresses a browser user may enter."""
        own = ["127.0.0.1", "localhost"] if is_for_its_owner(self.settings) else []
        return [*own, *self.settings.allowed_endpoints]

    def _entered(self, endpoint: Endpoint) -> SystemArguments:
        # Services of this machine are for those who sit at it; a page for others asks only what its owner has listed.
        require_allowed(endpoint.url, self.settings.allowed_endpoints, own=is_for_its_owner(self.settings))
        if endpoint.kind == "chat":
            # No key is sent: a browser user must not choose which of the server's secrets goes where.
            return SystemArguments(systems=(f"chat:{endpoint.model or 'default'}",), options={"base_url": endpoint.url})
        return SystemArguments(systems=(f"http_json:{endpoint.url}",))

    # --- runs ---

    def run_path(self, run_id: str) -> Path:
        """Find the folder of a run; a name that leads elsewhere is no run."""
        if not run_id or run_id.startswith(".") or any(mark in run_id for mark in "/\\\0"):
            raise PageError(404, "page.run", name=run_id)
        path = self.runs_dir / run_id
        try:
            inside = path.resolve().parent == self.runs_dir.resolve() and is_plain(path / META)
        except OSError:
            inside = False
        if not inside:
            raise PageError(404, "page.run", name=run_id)
        return path


def _require_json(name: str, content_start: bytes) -> None:
    start = content_start.lstrip(b"\xef\xbb\xbf \t\r\n")
    if start and start[:1] not in (b"{", b"["):
        broken = unreadable(content_start)
        if broken and broken.code != "row.not_utf8":
            raise PageError(415, broken.code, **broken.params)
        raise PageError(415, "page.file_type", name=name)


def _require_table(name: str, content_start: bytes) -> None:
    """Refuse a table that begins like none: a workbook is a zip, a CSV is text."""
    packed = content_start[:2] == b"PK"
    if packed is not name.lower().endswith(".xlsx") or (not packed and b"\0" in content_start[:4096]):
        raise PageError(415, "page.table_type", name=name)


def require_allowed(url: str, allowed: tuple[str, ...], *, own: bool = True) -> None:
    """Refuse an address that is neither this machine's own nor on the list (no server-side request forgery)."""
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        parts, host, port = urlsplit(""), "", None
    rest = url.partition("://")[2][len(parts.netloc) :]
    fine = parts.scheme in {"http", "https"} and _PLAIN_PLACE.fullmatch(parts.netloc) and _PLAIN_REST.fullmatch(rest)
    listed = any(_fits(parts.scheme, host, port, rule) for rule in allowed) if fine else False
    if not fine or not (listed or (own and _is_own(host))):
        names = [*(["127.0.0.1", "localhost"] if own else []), *allowed]
        raise PageError(403, "page.endpoint", url=url, allowed=", ".join(names) or "–")


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


def _choice(name: str, table: Mapping[str, JSON], kind: str) -> SystemChoice:
    spec = hide_addresses(str(table.get("system", name)))
    return SystemChoice(name=name, label=str(table.get("label", "")), kind=kind, spec=spec)


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


def _as_made(dataset: Dataset, known: Mapping[str, Dataset]) -> Dataset:
    """Fill in what a dataset made on the page inherits from the dataset it was made from."""
    if (source := known.get(dataset.documents_of)) is not None:
        dataset = structs.replace(dataset, documents=dataset.documents or source.documents)
    parent = known.get(dataset.made_from)
    for _ in range(DEEPEST):
        if parent is None or parent is dataset:
            break
        dataset = structs.replace(
            dataset,
            contract=dataset.contract or parent.contract,
            documents=dataset.documents or parent.documents,
            options=dataset.options or parent.options,
        )
        parent = known.get(parent.made_from)
    return dataset


def bundled() -> list[Dataset]:
    """List the datasets that come with Ragstone."""
    sets = (("demo-zh", DATA / "key_points"), ("demo-en", DATA / "key_points_en"))
    return [
        Dataset(name=name, path=folder / "questions.jsonl", documents=folder / "documents", bundled=True)
        for name, folder in sets
    ]


def _beside(path: Path, root: Path) -> Path | None:
    """Find the documents that belong to a dataset: beside it, or one step up when that is still inside the root."""
    own = folder_of(path)
    if own.is_dir() and not own.is_symlink():
        return own
    folders = [path.parent] if path.parent == root else [path.parent, path.parent.parent]
    return next((folder / "documents" for folder in folders if (folder / "documents").is_dir()), None)


def _is_dataset(path: Path) -> bool:
    """Return whether a contract recognises a file; answers, packages and settings are JSON as well."""
    try:
        found = path.stat()
    except OSError:
        return False
    return found.st_size <= MOST_LOOKED_AT and _recognised(path, found.st_mtime_ns, found.st_size)


@lru_cache(maxsize=MOST_HERE)
def _recognised(path: Path, changed: int, size: int) -> bool:
    """Try to open a file; what came of it is kept until the file changes."""
    try:
        open_contract(path)
    except (UserError, OSError):
        return False
    return True


def _files(folder: Path, depth: int, kinds: tuple[str, ...] = (*KINDS, *SUFFIXES)) -> Iterator[Path]:
    """Yield the dataset files of a folder; links, hidden files and document folders are passed over."""
    try:
        entries = sorted(folder.iterdir())
    except OSError:
        return
    for path in entries:
        if path.name.startswith(".") or path.is_symlink():
            continue
        if path.is_file() and path.name.lower().endswith(kinds):
            yield path
        elif path.is_dir() and depth > 1 and path.name != "documents" and not path.name.endswith(ENDING):
            yield from _files(path, depth - 1, kinds)


def with_contract(dataset: Dataset, contract: str | None) -> Dataset:
    """Return the dataset with the contract a user chose for it."""
    if not contract:
        return dataset
    if contract not in contract_names():
        raise PageError(422, "page.query", field="contract", problem=", ".join(contract_names()))
    return structs.replace(dataset, contract=contract)
