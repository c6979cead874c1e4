"""Code named by a text: taken from the current folder or the environment, never from inside a run folder.

Run folders travel between people. A run's files may name a contract, a metric or a system; they must not bring it.
"""

import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType

from ragstone.core.errors import SettingError

_RUN_FILE = "run_meta.json"


def load_module(name: str) -> ModuleType:
    """Import a module by its name; raises SettingError when it lies in a run folder, and what importing it raises."""
    if name not in sys.modules and lies_in_run(name):
        raise SettingError("name.in_run", name=name)
    return import_module(name)


def lies_in_run(module: str) -> bool:
    """Say whether a module would be found in a run folder, or in a folder of runs; nothing is imported to learn it."""
    parts = module.split(".")
    return any(_leads_into_run(Path(entry or "."), parts) for entry in sys.path)


def _leads_into_run(base: Path, parts: list[str]) -> bool:
    top = base / parts[0]
    if not top.is_dir() and not top.with_name(f"{parts[0]}.py").is_file():
        return False
    here = base.resolve()
    if any((folder / _RUN_FILE).is_file() for folder in (here, *here.parents)):
        return True
    return any(_holds_run(base.joinpath(*parts[:depth])) for depth in range(1, len(parts)))


def _holds_run(folder: Path) -> bool:
    """Say whether a folder is a run, or one that runs lie in."""
    try:
        return (folder / _RUN_FILE).is_file() or any((one / _RUN_FILE).is_file() for one in folder.iterdir())
    except OSError:
        return False
