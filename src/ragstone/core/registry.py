"""Finds a contract, a system or an engine by name: Ragstone's own table first, then the plug-ins' entry points."""

import sys
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import cast

from ragstone.core.errors import ConnectError, SettingError
from ragstone.core.files.ragstone_files import RUN_FILE, holds_run
from ragstone.core.interfaces import Connect, ConnectEngine, ContractType, Engine, Recogniser, System
from ragstone.core.types import JSON
from ragstone.text.nearest import nearest

CONTRACTS: dict[str, str] = {
    "eval_json_v2": "ragstone.contracts.eval_json_v2.contract:EvalJsonV2",
    "legal_rag": "ragstone.contracts.legal_rag.contract:LegalRag",
    "key_points": "ragstone.contracts.key_points.contract:KeyPoints",
    "prompt_task": "ragstone.contracts.prompt_task.contract:PromptTask",
}
RECOGNISERS: dict[str, str] = {name: f"ragstone.contracts.{name}.recognise" for name in CONTRACTS}
"""Where Ragstone's own contracts say what they recognise: whole contracts are slow to import."""
STORED: dict[str, str] = {
    "imported": "ragstone.contracts.imported.contract:Imported",
    "ragstone.workflow.contract:Workflow": "ragstone.runs.workflow.contract:Workflow",
}
"""Contracts that only stored runs name: imported ones, and where a contract was in an earlier version."""
SYSTEMS: dict[str, str] = {
    "builtin": "ragstone.systems.builtin:connect",
    "chat": "ragstone.systems.chat:connect",
    "http_json": "ragstone.systems.http_json.system:connect",
    "python": "ragstone.systems.python:connect",
    "replay": "ragstone.systems.replay:connect",
}
ENGINES: dict[str, str] = {
    "dask": "ragstone.runs.engines.dask:connect",
    "inproc": "ragstone.runs.engines.inproc:connect",
    "process": "ragstone.runs.engines.process:connect",
}
CONTRACT_GROUP = "ragstone.contracts"
SYSTEM_GROUP = "ragstone.systems"
ENGINE_GROUP = "ragstone.engines"
JUDGE_GROUP = "ragstone.judges"


def contract_names() -> list[str]:
    """List the contracts there are."""
    return _names(CONTRACTS, CONTRACT_GROUP)


def candidates() -> Iterator[str]:
    """Yield the contracts in the order in which they are shown a dataset; plug-ins are looked for when none fits.

    Key points are last of ours: they take any table of questions and what is expected.
    """
    yield from sorted(CONTRACTS, key=lambda name: (name == "key_points", name))
    yield from (name for name in contract_names() if name not in CONTRACTS)


def system_names() -> list[str]:
    """List the kinds of system there are."""
    return _names(SYSTEMS, SYSTEM_GROUP)


def recogniser(name: str) -> Recogniser:
    """Return who says whether a dataset belongs to a contract."""
    if name in RECOGNISERS:
        return cast("Recogniser", import_module(RECOGNISERS[name]))
    return contract_type(name)


def is_registered(name: str) -> bool:
    """Return whether a name is a built-in contract or one of an installed plug-in, and not code by its path."""
    known = CONTRACTS | STORED
    return name in known or name in known.values() or name in _plugged_in(CONTRACT_GROUP)


def contract_type(name: str) -> ContractType:
    """Return the class of a contract; `module:Class` names one that is not registered."""
    return cast("ContractType", _find(name, "contract", CONTRACTS | STORED, CONTRACT_GROUP))


def connect(spec: str, options: Mapping[str, JSON] | None = None) -> System:
    """Make the system a text such as `builtin:docs/` names; `module:connect:argument` calls an unregistered one."""
    kind, colon, argument = spec.partition(":")
    if kind not in SYSTEMS and kind not in system_names():
        if not colon:
            raise ConnectError("system.unknown", name=spec, kinds=", ".join(system_names()), near=_meant(spec))
        if kind in {"http", "https"}:
            raise ConnectError("system.unknown", name=spec, kinds=", ".join(system_names()), near=f"http_json:{spec}")
        function, _, rest = argument.partition(":")
        if function.isidentifier() and is_module(kind):
            kind, argument = f"{kind}:{function}", rest
    return cast("Connect", _find(kind, "system", SYSTEMS, SYSTEM_GROUP))(argument, dict(options or {}))


def _meant(name: str) -> str:
    """Return the system that a name alone was meant for: a preset of a service, or a folder of documents."""
    if Path(name).is_dir():
        return f"builtin:{name}"
    if name.endswith(".py"):
        return f"python:{name.removesuffix('.py')}:query"
    if name.endswith((".jsonl", ".json", ".csv")):
        return f"replay:{name}"
    found = nearest(name, tuple(import_module("ragstone.systems.http_json.service").presets()))
    return f"http_json:{found}" if found else ""


def connect_engine(spec: str) -> Engine:
    """Make the engine a text such as `process:4` or `dask://host:8786` names."""
    kind, _, argument = spec.partition(":")
    return cast("ConnectEngine", _find(kind, "engine", ENGINES, ENGINE_GROUP))(argument)


def judge_names() -> list[str]:
    """List the kinds of judge there are: systems that chat, and plug-ins."""
    return ["chat", *_plugged_in(JUDGE_GROUP)]


def judge_plugin(kind: str) -> object | None:
    """Return the function a plug-in makes judges with, when one of that name is installed."""
    return _find(kind, "judge", {}, JUDGE_GROUP) if kind in _plugged_in(JUDGE_GROUP) else None


def judge_in_module(module: str, function: str) -> object | None:
    """Return a function that makes judges and that no plug-in registers; None where a name means something else.

    Raises SettingError where the module has no such function.
    """
    if module in system_names() or not function.isidentifier() or not is_module(module):
        return None
    return _find(f"{module}:{function}", "judge", {}, JUDGE_GROUP)


def use_current_folder() -> None:
    """Add the current folder to the module search path."""
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.insert(0, here)


def is_module(module: str) -> bool:
    """Return whether a module can be imported from the current folder or the environment."""
    use_current_folder()
    try:
        return find_spec(module) is not None
    except (ImportError, ValueError):
        return False


def _names(table: Mapping[str, str], group: str) -> list[str]:
    return sorted({*table, *_plugged_in(group)})


def _plugged_in(group: str) -> dict[str, str]:
    """Return the plug-ins of a kind, and where each lies."""
    known = (point for folder in reversed(sys.path) for point in _points(str(Path(folder).absolute())))
    return {name: target for kind, name, target in known if kind == group}


@cache
def _points(folder: str) -> list[tuple[str, str, str]]:
    """Return the entry points of the packages in a folder: group, name, target. Reading them all takes long."""
    from importlib.metadata import distributions  # noqa: PLC0415 - slow to import, and seldom asked

    return [(one.group, one.name, one.value) for found in distributions(path=[folder]) for one in found.entry_points]


def _find(name: str, kind: str, table: Mapping[str, str], group: str) -> object:
    target = table.get(name) or _plugged_in(group).get(name)
    if target is None and ":" in name:
        target = name
    if target is None:
        known = _names(table, group)
        near = nearest(name, tuple(known))
        raise SettingError("name.unknown", kind=kind, name=name, known=", ".join(known), group=group, near=near)
    module, _, attribute = target.partition(":")
    use_current_folder()
    try:
        return getattr(load_module(module), attribute)
    except (ImportError, AttributeError) as error:
        problem = f"{type(error).__name__}: {error}"
        raise SettingError("name.broken", kind=kind, name=name, target=target, problem=problem) from error


def load_module(name: str) -> ModuleType:
    """Import a module by its name; raises SettingError when it lies in a run folder, and what importing it raises."""
    if name not in sys.modules and lies_in_run(name):
        raise SettingError("name.in_run", name=name)
    return import_module(name)


def lies_in_run(module: str) -> bool:
    """Return whether a module would be found in a run folder or a folder of runs, without importing it."""
    parts = module.split(".")
    return any(_leads_into_run(Path(entry or "."), parts) for entry in sys.path)


def _leads_into_run(base: Path, parts: list[str]) -> bool:
    top = base / parts[0]
    if not top.is_dir() and not top.with_name(f"{parts[0]}.py").is_file():
        return False
    here = base.resolve()
    if any((folder / RUN_FILE).is_file() for folder in (here, *here.parents)):
        return True
    return any(holds_run(base.joinpath(*parts[:depth])) for depth in range(1, len(parts)))
