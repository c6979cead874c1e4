"""Hashes what a run was made of: datasets, documents, scorer code, installed parts; secrets are left out."""

import hashlib
import os
import re
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

from ragstone.core.files.ragstone_files import user_files
from ragstone.core.masking import MASK, hide_addresses
from ragstone.core.types import JSON
from ragstone.runs.store.codec import encode, read_plain

_BLOCK = 1 << 20
_CODE = frozenset({".py", ".md", ".json", ".yaml", ".toml"})
_SECRET_NAME = re.compile(r"(?i)(api[-_]?key|secret|token|passw|authorization|credential|cookie)")
_NOT_SECRET = re.compile(r"(?i)(max_tokens|tokens?_per|api_key_env|_tokens$|^\$\{\w+\}$)")


def file_sha256(path: Path, most: int | None = None) -> str:
    """Hash a file's bytes, or the first `most` of them."""
    digest, left = hashlib.sha256(), sys.maxsize if most is None else most
    with read_plain(path, follow=True) as file:
        while block := file.read(min(_BLOCK, left)):
            digest.update(block)
            left -= len(block)
    return digest.hexdigest()


def path_fingerprint(path: Path) -> dict[str, JSON]:
    """Hash a file, or every file of a folder under its name; runs and other files of Ragstone's own are none of it."""
    if path.is_file():
        return {"path": str(path), "sha256": file_sha256(path), "bytes": path.stat().st_size}
    files = {str(p.relative_to(path)): file_sha256(p) for p in _files(path)}
    return {"path": str(path), "sha256": value_sha256(files), "files": files}


def _files(folder: Path) -> Iterable[Path]:
    return (
        p
        for p in sorted(user_files(folder))
        if not any(part.startswith((".", "__")) for part in p.relative_to(folder).parts)
    )


def value_sha256(value: object) -> str:
    """Hash a JSON-like value."""
    return hashlib.sha256(encode(value)).hexdigest()


def code_sha256(folders: Iterable[Path]) -> str:
    """Hash the Python source (and data beside it) that a score is made by."""
    digest = hashlib.sha256()
    for folder in folders:
        found = folder.rglob("*") if folder.is_dir() else [folder]
        for path in sorted(path for path in found if path.suffix in _CODE and path.is_file()):
            digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


def installed() -> list[str]:
    """List the installed distributions with their versions, by the names of their folders: no file need be opened."""
    names = (name for folder in sys.path if folder for name in _names_in(folder))
    return sorted({name.removesuffix(".dist-info").lower() for name in names if name.endswith(".dist-info")})


def _names_in(folder: str) -> list[str]:
    try:
        return os.listdir(folder)  # noqa: PTH208 - every run asks, and paths take ten times as long
    except OSError:
        return []


def redact(value: JSON) -> JSON:
    """Return a copy of a configuration without its secrets; references to the environment stay."""
    if isinstance(value, Mapping):
        return {name: MASK if _is_secret(name, item) else redact(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [redact(item) for item in value]
    return hide_addresses(value) if isinstance(value, str) else value


def _is_secret(name: object, item: JSON) -> bool:
    if not isinstance(item, str) or not item or _NOT_SECRET.search(item) or _NOT_SECRET.search(str(name)):
        return False
    return bool(_SECRET_NAME.search(str(name)))
