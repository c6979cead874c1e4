"""What the page knows of a dataset besides its file: where it comes from, how its columns are read."""

from pathlib import Path

import msgspec
from msgspec import Struct

from ragstone.core.types import JSON
from ragstone.runs.store.codec import encode, write_whole

FOLDER = ".about"
"""A hidden folder among the datasets."""
LARGEST = 1 << 16
DEEPEST = 20
"""Datasets made out of one another, one after the other."""


class Metadata(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What is remembered of a dataset the page has made."""

    made_from: str = ""
    """The dataset it was cut out of or is a new version of; its contract, options and documents are the same."""
    run: str = ""
    """The run whose cases were cut out."""
    documents_of: str = ""
    """The dataset whose documents are its own, too."""
    contract: str | None = None
    options: dict[str, JSON] = {}


def read_metadata(datasets: Path, name: str) -> Metadata:
    """Read what is known of a dataset; nothing is what is not there or makes no sense."""
    path = _path(datasets, name)
    try:
        if path is None or path.stat().st_size > LARGEST:
            return Metadata()
        return msgspec.json.decode(path.read_bytes(), type=Metadata)
    except (OSError, ValueError, RecursionError):
        return Metadata()


def write_metadata(datasets: Path, name: str, metadata: Metadata) -> None:
    """Remember something of a dataset."""
    path = _path(datasets, name)
    assert path is not None, name
    path.parent.mkdir(mode=0o700, exist_ok=True)
    write_whole(path, encode(metadata), mode=0o600)


def _path(datasets: Path, name: str) -> Path | None:
    """Return its path; only files at the top of the folder are made by the page."""
    return None if "/" in name or "\\" in name else datasets / FOLDER / f"{name}.json"
