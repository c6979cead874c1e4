"""Finds the baseline of a run: the one that was named or pinned, else the last one that passed its gate.

Pins are kept in pins.json beside the runs, a name to a run's folder, so that they travel with them.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Literal, NamedTuple

import msgspec

from ragstone.core.errors import RunError, SettingError
from ragstone.core.types import JSON
from ragstone.runs.reopen import model_names
from ragstone.runs.store.catalogue import Entry, find_run, runs
from ragstone.runs.store.codec import pretty, write_whole
from ragstone.runs.store.folder import RunFolder, is_there

AUTO = "auto"
"""Stands for the run that is looked for."""
PINS = "pins.json"
Why = Literal["named", "pinned", "passed", "unjudged"]


class Baseline(NamedTuple):
    """A run to compare with, and why it is that one."""

    folder: RunFolder
    why: Why
    pin: str = ""

    @property
    def params(self) -> dict[str, JSON]:
        """What fills the sentence `baseline.<why>`."""
        return {"run": self.folder.path.name, "pin": self.pin}


class Key(NamedTuple):
    """What two runs must share for one to be the other's baseline."""

    task: str
    models: frozenset[str]
    prompt_version: str
    scorer_version: str


def key_of(folder: RunFolder) -> Key:
    """Return what identifies a run among others."""
    meta = folder.meta()
    name = str(meta.get("task") or meta.get("workflow") or meta.get("contract"))
    return Key(name, frozenset(model_names(folder)), str(meta.get("prompt_version")), str(meta.get("scorer_version")))


def choose_baseline(runs_dir: Path, name: str, folder: RunFolder) -> Baseline | None:
    """Return the run a name refers to: a pin, a run, or with `auto` whichever fits."""
    return find_baseline(runs_dir, folder) if name == AUTO else named_baseline(runs_dir, name)


def named_baseline(runs_dir: Path, name: str) -> Baseline:
    """Return the run that is pinned under a name, or else has that name."""
    pinned = read_pins(runs_dir).get(name)
    if pinned is None:
        return Baseline(find_run(runs_dir, name), "named")
    try:
        return Baseline(RunFolder.open(runs_dir / pinned), "pinned", name)
    except RunError as error:
        raise RunError("pin.gone", pin=name, run=pinned, file=str(runs_dir / PINS)) from error


def find_baseline(runs_dir: Path, folder: RunFolder) -> Baseline | None:
    """Return the newest earlier run with the same task, models, prompt and scorer version that may be a baseline.

    Pinned runs go before those that passed their gate, and these before those that were never judged; a run that
    failed its gate is nobody's baseline. Runs of the same dataset go before others.
    """
    pins = {run: name for name, run in read_pins(runs_dir).items()}
    found = [Baseline(run, why, pins.get(run.path.name, "")) for run, why in _candidates(runs_dir, folder, pins)]
    order: tuple[Why, ...] = ("pinned", "passed", "unjudged")
    return min(found, key=lambda one: (_set_name(one.folder) != _set_name(folder), order.index(one.why)), default=None)


def _candidates(runs_dir: Path, folder: RunFolder, pins: dict[str, str]) -> Iterator[tuple[RunFolder, Why]]:
    """Yield the runs that could be a run's baseline, newest first."""
    wanted, created = key_of(folder), str(folder.meta().get("created"))
    for entry in runs(runs_dir):
        if entry.path.name == folder.path.name or not _is_whole(entry, created):
            continue
        run = RunFolder(entry.path)
        try:
            key = key_of(run)
            fits = key._replace(models=wanted.models) == wanted and wanted.models <= key.models and not _is_part(run)
        except RunError:
            continue  # a folder that lost a file cannot be a baseline
        outcome = _outcome(run)
        if fits and entry.path.name in pins:
            yield run, "pinned"
        elif fits and outcome in ("PASS", None):
            yield run, "passed" if outcome else "unjudged"


def _is_whole(entry: Entry, created: str) -> bool:
    return entry.meta.get("status") == "complete" and str(entry.meta.get("created")) <= created


def _is_part(run: RunFolder) -> bool:
    """Return whether a run is a dry one, or a part of another: neither is held against anything."""
    config = run.read("config.json")
    return bool(config.get("mock") or config.get("shard"))


def _outcome(run: RunFolder) -> str | None:
    """Return what a run's last gate decided, if it stood before one."""
    if not is_there(run.path / "gate.json"):
        return None
    try:
        return str(run.read("gate.json").get("outcome"))
    except (RunError, AttributeError):
        return "NOT MEASURED"


def _set_name(run: RunFolder) -> str:
    return str(run.meta().get("eval_set_version")).rpartition("@")[0]


def read_pins(runs_dir: Path) -> dict[str, str]:
    """Return the names that were given to runs, and their folders."""
    path = runs_dir / PINS
    try:
        return msgspec.json.decode(path.read_bytes(), type=dict[str, str])
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, RecursionError) as error:
        raise SettingError("pin.file", file=str(path), problem=str(error)) from error


def pin(folder: RunFolder, name: str) -> Path:
    """Pin a run under a name for `--baseline`, replacing the run that had it; return the file of pins."""
    runs_dir = folder.path.resolve().parent
    if not name.strip() or name in (AUTO, "latest") or is_there(runs_dir / name):
        raise SettingError("pin.name", pin=name)
    if folder.meta().get("status") != "complete" or _is_part(folder):
        raise RunError("pin.unfit", run=str(folder.path))
    path = runs_dir / PINS
    try:
        write_whole(path, pretty({**read_pins(runs_dir), name: folder.path.resolve().name}))
    except OSError as error:
        raise RunError("gate.unkept", folder=str(runs_dir), file=PINS, problem=error.strerror or str(error)) from error
    return path
