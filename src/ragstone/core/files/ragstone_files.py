"""What Ragstone itself wrote into a folder of the user's: runs, certificates, tables of labels, settings.

None of it belongs to a dataset or to documents that lie in the same folder.
"""

from collections.abc import Iterable, Iterator, Mapping
from os import walk
from pathlib import Path

RUN_FILE = "run_meta.json"
_BEGUN = "dataset_fingerprint.json"
_HEAD = 1 << 16
_MARKS: Mapping[str, bytes] = {
    "ragstone.toml": b"",
    "judge.json": b'"identity"',
    "judge.jsonl": b'"judge"',
    "judge.part.jsonl": b'"judge"',
    "labels.jsonl": b'"verdict"',
}
"""Names of files with what stands in ours: another file of the name is the user's."""
_TABLE = "to-label"


def holds_run(folder: Path) -> bool:
    """Return whether a folder is a run, or one that runs lie in."""
    try:
        return (folder / RUN_FILE).is_file() or any((one / RUN_FILE).is_file() for one in folder.iterdir())
    except OSError:
        return False


def is_run(folder: Path) -> bool:
    """Return whether a folder is a run, also one that has just begun."""
    return (folder / RUN_FILE).is_file() or (folder / _BEGUN).is_file()


def is_ragstone_file(path: Path) -> bool:
    """Return whether a file outside of runs was written by Ragstone, by its name and its beginning."""
    table = path.suffix == ".csv" and path.stem.startswith(_TABLE)
    mark = b"verdict" if table else _MARKS.get(path.name)
    if mark is None:
        return False
    try:
        with path.open("rb") as file:
            return mark in file.read(_HEAD)
    except OSError:
        return False


def without_runs(here: str | Path, folders: Iterable[str]) -> list[str]:
    """Leave out runs from the folders in a place."""
    return [name for name in folders if not is_run(Path(here, name))]


def user_files(folder: Path) -> Iterator[Path]:
    """Yield the files of a folder and those below it that the user put there, without entering linked folders."""
    for here, folders, files in walk(folder):
        folders[:] = without_runs(here, folders)
        yield from (path for name in files if (path := Path(here, name)).is_file() and not is_ragstone_file(path))
