"""Fetches a dataset or recording from an object store into a file beside the runs; needs fsspec."""

import hashlib
import os
import re
from pathlib import Path
from typing import Any

from ragstone.core.errors import DatasetError

FETCHED = Path(".ragstone/fetched")
"""Where fetched files are kept; the same address with the same content is not fetched again."""
BLOCK = 1 << 20
_ADDRESS = re.compile(r"[a-z][a-z0-9+.-]*://", re.IGNORECASE)


def is_address(name: str) -> bool:
    """Return whether a name is an address such as s3://bucket/cases.jsonl.

    >>> is_address("s3://bucket/cases.jsonl"), is_address("cases.jsonl")
    (True, False)
    """
    return _ADDRESS.match(name) is not None


def at_hand(name: str) -> Path:
    """Return the path of a file; one that an address names is fetched first."""
    if not is_address(name):
        return Path(name)
    store, path = _store(name)
    try:
        mark = hashlib.sha256(f"{name}\0{store.ukey(path)}".encode()).hexdigest()[:16]
        target = FETCHED / f"{mark}-{Path(path).name}"
        if not target.is_file():
            _fetch(store, path, target)
    except FileNotFoundError as error:
        raise DatasetError("dataset.missing", file=name) from error
    except Exception as error:  # every store has errors of its own
        raise DatasetError("dataset.unreadable", file=name, problem=f"{type(error).__name__}: {error}") from error
    return target


def _store(name: str) -> tuple[Any, str]:
    """Find the file system an address belongs to."""
    try:
        from fsspec.core import url_to_fs  # noqa: PLC0415 - an extra
    except ImportError as error:
        raise DatasetError("dataset.extra", file=name, extra="dask", package="fsspec") from error
    try:
        store, path = url_to_fs(name)
    except (ValueError, ImportError, TypeError) as error:
        raise DatasetError("dataset.unreadable", file=name, problem=str(error)) from error
    return store, str(path)


def _fetch(store: Any, path: str, target: Path) -> None:
    """Copy block by block; a file that is there is whole."""
    beside = target.with_name(f".{target.name}.{os.getpid()}.tmp")
    with store.open(path, "rb") as source:
        block = source.read(BLOCK)  # some stores find out only now that there is nothing
        target.parent.mkdir(parents=True, exist_ok=True)
        try:
            with beside.open("wb") as copy:
                while block:
                    copy.write(block)
                    block = source.read(BLOCK)
            beside.replace(target)
        finally:
            beside.unlink(missing_ok=True)
