"""What the page may load of a stored run: only what today's settings and uploads allow."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from ragstone.core.registry import contract_names
from ragstone.core.settings import Settings
from ragstone.core.types import JSON
from ragstone.runs.store.admission import PACING, SHAPING, Asking, Guard, Inputs, is_number, is_own
from ragstone.runs.store.folder import RunFolder
from ragstone.web.errors import PageError
from ragstone.web.places import Dataset, Endpoint, Places

PLAIN_OPTIONS = frozenset({"repair"})
"""Options of contracts that name no file."""
IMPORTED = "imported"
"""The contract of runs that another tool made; it reads what the import wrote, and nothing can be asked by it."""
MOST_REPEATS, MOST_AT_ONCE = 100, 256
"""What a visitor may ask for; a run's own file may ask for no more."""


class PageGuard(Guard):
    """Finds what a run names among what the page offers, and refuses the rest by its name."""

    def __init__(self, places: Places) -> None:
        super().__init__()
        self._places = places

    def inputs(self, folder: RunFolder, named: Inputs) -> Inputs:
        """Return the dataset, contract and documents as the page offers them, or as this user's own run names them.

        A run of the user's own carries a mark over its files that only the user's key makes; a sent one has none.
        """
        known = named.contract in contract_names()
        if _holds_its_cases(folder, named) or (known and named.dataset.is_file() and is_own(folder)):
            return named
        run, dataset = folder.path.name, self._dataset(folder, named)
        config: Mapping[str, JSON] = folder.read("config.json")
        if config["repeats"] > MOST_REPEATS or config["concurrency"] > MOST_AT_ONCE:
            raise _refused(run, "repeats / concurrency")
        if not known and named.contract != dataset.contract:
            raise _refused(run, named.contract)
        if named.documents is not None and not self._offers(named.documents):
            raise _refused(run, named.documents.name)
        for name, value in named.options.items():
            if dataset.options.get(name) != value and not (name in PLAIN_OPTIONS and isinstance(value, str | bool)):
                raise _refused(run, name)
        return named._replace(dataset=dataset.path)

    def asking(self, folder: RunFolder, named: Asking, inputs: Inputs, settings: Settings) -> Asking:
        """Return the systems as the settings have them, with no more of the run's options than harmless numbers."""
        systems, taken = [], set[str]()
        for spec in named.systems:
            name, used = self._system(folder.path.name, spec, named.options)
            systems.append(name)
            taken |= used
        numbers = {name: value for name, value in named.options.items() if is_number(name, value)}
        kept = {name: value for name, value in numbers.items() if not self._is_set(systems, name)}
        base = {"base_url": named.options["base_url"]} if "base_url" in taken else {}
        if odd := sorted(named.options.keys() - numbers.keys() - taken):
            raise _refused(folder.path.name, ", ".join(odd))
        return Asking(tuple(systems), kept | base)

    def code(self, folder: RunFolder, contract: str) -> str:
        """Return a contract's name when it is one of those that are installed."""
        if contract not in {*contract_names(), IMPORTED}:
            raise _refused(folder.path.name, contract)
        return contract

    def _dataset(self, folder: RunFolder, named: Inputs) -> Dataset:
        offered = [one for one in self._places.datasets() if _same(one.path, named.dataset)]
        if not offered:
            raise _refused(folder.path.name, named.dataset.name)
        return offered[0]

    def _offers(self, documents: Path) -> bool:
        return any(one.documents and _same(one.documents, documents) for one in self._places.datasets())

    def _system(self, run: str, spec: str, options: Mapping[str, JSON]) -> tuple[str, set[str]]:
        """Return how the settings call a system, and the run's options that agree with theirs."""
        for name, table in self._tables(spec):
            agreeing = {option for option, value in options.items() if table.get(option) == value}
            if all(option in agreeing or is_number(option, value) for option, value in options.items()):
                return name, agreeing - SHAPING - PACING
        kind, _, argument = spec.partition(":")
        if kind == "builtin" and self._offers(Path(argument)):
            return spec, set()
        base = options.get("base_url")
        if kind == "http_json" and "://" in argument:
            self._places.asked("endpoint", _ANY, Endpoint(url=argument))
            return spec, set()
        if kind == "chat" and isinstance(base, str) and spec not in self._places.tables():
            self._places.asked("endpoint", _ANY, Endpoint(url=base, kind="chat", model=argument))
            return spec, {"base_url"}
        raise _refused(run, spec)

    def _tables(self, spec: str) -> Iterator[tuple[str, Mapping[str, JSON]]]:
        for name, table in self._places.tables().items():
            if spec in (name, table.get("system", name)):
                yield name, table

    def _is_set(self, systems: list[str], name: str) -> bool:
        tables = self._places.tables()
        return name in PACING and any(name in tables.get(system, {}) for system in systems)


_ANY = Dataset(name="", path=Path())


def _holds_its_cases(folder: RunFolder, named: Inputs) -> bool:
    """Return whether a run was imported: its cases are a file of its own folder, and it names nothing else."""
    inside = _same(named.dataset.resolve().parent, folder.path)
    return named.contract == IMPORTED and inside and named.documents is None and not named.options


def _refused(run: str, name: str) -> PageError:
    return PageError(409, "page.code", run=run, name=name)


def _same(one: Path, other: Path) -> bool:
    try:
        return one.resolve() == other.resolve()
    except (OSError, ValueError, RuntimeError):
        return False
