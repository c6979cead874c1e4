"""Whether a run was made here: a mark in run_meta.json that only this user's own key can make.

The key lies outside every project (`$XDG_STATE_HOME/ragstone/key`, else `~/.local/state/ragstone/key`), so that a run
folder from somebody else, or one whose configuration was changed, is told from one's own. Where no key can be kept, no
run is known as one's own.
"""

import hmac
import os
import secrets
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from ragstone.core.types import JSON
from ragstone.runs.store.codec import encode, is_plain
from ragstone.runs.store.fingerprint import file_sha256
from ragstone.runs.store.folder import RunFolder

MARK = "mark"
"""Where run_meta.json keeps it."""
_SIZE = 32


def key_file() -> Path:
    """Return the path of this user's key."""
    home = os.environ.get("XDG_STATE_HOME") or os.environ.get("LOCALAPPDATA")
    return (Path(home) if home else Path.home() / ".local" / "state") / "ragstone" / "key"


def mark_of(folder: RunFolder, run_id: str, names: tuple[str, ...]) -> dict[str, JSON]:
    """Return the mark of a run that is made here, for run_meta.json; nothing where no key can be kept."""
    key = _key(make=True)
    return {MARK: _mark(key, folder, run_id, names)} if key else {}


def is_marked(folder: RunFolder, meta: Mapping[str, JSON], names: tuple[str, ...]) -> bool:
    """Return whether the files that say what a run is made of are as this user's own process wrote them."""
    key, mark = _key(make=False), meta.get(MARK)
    if key is None or not isinstance(mark, str):
        return False
    try:
        return hmac.compare_digest(mark, _mark(key, folder, str(meta["run_id"]), names))
    except (OSError, TypeError):
        return False


def sign(content: bytes) -> str:
    """Return the mark of something that is kept beside the runs; empty where no key can be kept."""
    key = _key(make=True)
    return hmac.digest(key, content, "sha256").hex() if key else ""


def is_signed(content: bytes, mark: str) -> bool:
    """Return whether something was written down by this user's own process."""
    ours = sign(content)
    return bool(ours) and hmac.compare_digest(ours.encode(), mark.encode())


def _mark(key: bytes, folder: RunFolder, run_id: str, names: tuple[str, ...]) -> str:
    if not all(is_plain(folder.path / name) for name in names):
        raise FileNotFoundError(folder.path)
    files = [file_sha256(folder.path / name) for name in names]
    return hmac.digest(key, encode([run_id, *files]), "sha256").hex()


def _key(*, make: bool) -> bytes | None:
    """Read the key, or make one; None where that cannot be done."""
    try:
        path = key_file()
        if make and not path.exists():
            _make(path)
        key = path.read_bytes()
    except (OSError, RuntimeError):
        return None
    return key if len(key) == _SIZE else None


def _make(path: Path) -> None:
    """Create a key atomically; of two processes that do so, one wins."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    beside = path.with_name(f".key.{secrets.token_hex(4)}.tmp")
    try:
        with os.fdopen(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(secrets.token_bytes(_SIZE))
        with suppress(FileExistsError):
            path.hardlink_to(beside)
    finally:
        beside.unlink(missing_ok=True)
