"""Reads the mark of a test: its dataset, system and limits."""

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import NoReturn

import pytest
from msgspec import Struct

from ragstone.core.errors import SettingError
from ragstone.core.types import JSON, Case

NAME = "ragstone"
IN_FILES = ("builtin", "replay", "http_json")
"""Systems whose argument names a file or a folder."""


class Mark(Struct, frozen=True, kw_only=True):
    """What `@pytest.mark.ragstone(…)` may say."""

    dataset: Path
    system: object = None
    """Text as on the command line, a callable, an object with .query(), a System; None asks the fixture."""
    documents: Path | None = None
    contract: str | None = None
    options: dict[str, JSON] = {}
    system_options: dict[str, JSON] = {}
    limit: int | None = None
    """The first so many cases."""
    ids: tuple[str, ...] | None = None
    """Only these cases."""
    label: Callable[[Case], str] | None = None
    """Names a case's test; its id when left out."""
    min: dict[str, float] = {}
    """Metric, or primary_score, to the least a case must reach; metrics that do not apply to a case are left out."""
    max: dict[str, float] = {}
    """The same for metrics of which less is better."""
    gate: tuple[str, ...] = ()
    """Rules that all cases together must meet."""


def read_mark(item: pytest.Item, home: Path) -> Mark:
    """Merge the marks of a test: its own win over its class's, those over its module's."""
    given: dict[str, JSON] = {}
    for mark in item.iter_markers(NAME):
        if mark.args:
            _refuse("name every argument: dataset=…, system=…")
        given = {**mark.kwargs, **given}
    if unknown := sorted(given.keys() - set(Mark.__struct_fields__)):
        _refuse(f"unknown: {', '.join(unknown)}; known: {', '.join(Mark.__struct_fields__)}")
    if "dataset" not in given:
        _refuse("a dataset is missing: dataset=…")
    places = (item.path.parent, home)
    for name in ("dataset", "documents"):
        if given.get(name) is not None:
            given[name] = find(_path(given[name], name), places)
    if isinstance(given.get("system"), str):
        given["system"] = find_system(given["system"], places)
    return Mark(**_checked(given))


def _checked(given: dict[str, JSON]) -> dict[str, JSON]:
    """Refuse wrong types: no type checker sees the arguments of a mark."""
    for name in ("options", "system_options", "min", "max"):
        given[name] = dict(_be(given.get(name) or {}, Mapping, name, "a dict"))
    for name in ("min", "max"):
        # Nothing is below, and nothing above, what is not a number: such a limit would hold for ever.
        if not all(isinstance(limit, int | float) and math.isfinite(limit) for limit in given[name].values()):
            _refuse(f"{name} holds finite numbers by the names of metrics")
    rules = given.get("gate") or ()
    given["gate"] = (rules,) if isinstance(rules, str) else tuple(_be(rules, Sequence, "gate", "a list of rules"))
    if given.get("ids") is not None:
        ids = given["ids"]
        given["ids"] = (ids,) if isinstance(ids, str) else tuple(map(str, _be(ids, Collection, "ids", "a list")))
    limit = given.get("limit")
    if limit is not None and (not isinstance(limit, int) or limit < 1):
        _refuse("limit is a whole number, at least 1")
    return given


def _be(value: JSON, kind: type, name: str, wanted: str) -> JSON:
    if not isinstance(value, kind):
        _refuse(f"{name} is {wanted}, not {type(value).__name__}")
    return value


def _path(value: JSON, name: str) -> Path:
    if not isinstance(value, str | Path):
        _refuse(f"{name} is a path, not {type(value).__name__}")
    return Path(value)


def _refuse(problem: str) -> NoReturn:
    raise SettingError("pytest.mark", problem=problem)


def find(path: Path, places: Sequence[Path]) -> Path:
    """Find a file beside the test, else where pytest was started; if it is nowhere, the latter is said to lack it."""
    found = next((place / path for place in places if (place / path).exists()), places[-1] / path)
    return found.absolute()


def find_system(spec: str, places: Sequence[Path]) -> str:
    """Find the file or folder a system's name holds in the same way."""
    kind, _, argument = spec.partition(":")
    is_preset = kind == "http_json" and not Path(argument).suffix
    if kind not in IN_FILES or not argument or is_preset:
        return spec
    return f"{kind}:{find(Path(argument), places)}"
