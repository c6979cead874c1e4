"""Stores files in the folder of datasets without overwriting any."""

import os
from pathlib import Path

from ragstone.runs.store.fingerprint import file_sha256
from ragstone.web.datasets.metadata import Metadata, write_metadata
from ragstone.web.places import Places

PRIVATE = 0o600
"""Who may read a dropped file: its owner."""


def store_bytes(places: Places, name: str, content: bytes, metadata: Metadata) -> str:
    """Keep a dataset that was made here; returns the name it got."""
    temporary = places.new_upload(name)
    try:
        write_private(temporary, content)
        kept = store_file(places, temporary, name)
    finally:
        temporary.unlink(missing_ok=True)
    write_metadata(places.datasets_dir, kept, metadata)
    return kept


def write_private(path: Path, content: bytes) -> None:
    """Write a new file that only its owner reads."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE), "wb") as file:
        file.write(content)


def store_file(places: Places, temporary: Path, name: str) -> str:
    """Keep a file under its own name, or one with a number when that is taken; return the name."""
    target, number = places.new_place(name), 1
    while True:
        try:
            # A link is refused where there is a file; so two that come at once cannot take each other's place.
            target.hardlink_to(temporary)
        except FileExistsError:
            if _same(temporary, target):
                return target.name
        else:
            return target.name
        number += 1
        target = target.with_name(f"{Path(name).stem}-{number}{target.suffix}")


def _same(one: Path, other: Path) -> bool:
    if not other.is_file() or one.stat().st_size != other.stat().st_size:
        return False
    return file_sha256(one) == file_sha256(other)
