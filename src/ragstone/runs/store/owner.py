"""Whether a run was made here: a mark in run_meta.json that only this user's own key can make.

The key lies outside every project (`$XDG_STATE_HOME/ragstone/key`, else `~/.local/state/ragstone/key`), so that a run
folder from somebody else, or one whose configuration was changed, is told from one's own. Where no key can be kept, no
run is known as one's own.

What judges and people decided in a run has a mark of its own: a run that was sent back with other verdicts still is
the user's, and one that was sent without any may be judged here. While a run is being judged its files change, and a
mark says that it is this user who judges.
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
VERDICTS_MARK = "verdicts_mark"
"""Where it keeps that of what was decided."""
DECIDED = ("judging.json", "judgements.jsonl", "labels.jsonl")
"""What judges and people decided, where any were asked; figures are made from it, too."""
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


def foreign_verdicts(folder: RunFolder) -> tuple[str, ...]:
    """Name the files of verdicts that this user's processes did not write; none if nothing was decided."""
    meta, files = folder.meta(), _files(folder)
    known = _is_deciding(meta) or _is(meta, _told(meta, files))
    return () if known else tuple(name for name in files if (folder.path / name).stat().st_size)


def _is_deciding(meta: Mapping[str, JSON]) -> bool:
    """Return whether this user is judging a run, or was when the process ended."""
    return _is(meta, _opened(meta))


def open_verdicts(meta: Mapping[str, JSON]) -> dict[str, JSON]:
    """Return what run_meta.json says while this user's process decides."""
    return {VERDICTS_MARK: sign(_opened(meta))}


def close_verdicts(folder: RunFolder, meta: Mapping[str, JSON]) -> dict[str, JSON]:
    """Return what run_meta.json says when all is decided; nothing where this user did not decide it."""
    return {VERDICTS_MARK: sign(_told(meta, _files(folder)))} if _is_deciding(meta) else {}


def _files(folder: RunFolder) -> dict[str, str]:
    return {name: file_sha256(folder.path / name) for name in DECIDED if is_plain(folder.path / name)}


def _told(meta: Mapping[str, JSON], files: Mapping[str, str]) -> bytes:
    return encode(["verdicts", meta.get("run_id"), files])


def _opened(meta: Mapping[str, JSON]) -> bytes:
    return encode(["judging", meta.get("run_id")])


def _is(meta: Mapping[str, JSON], content: bytes) -> bool:
    mark = meta.get(VERDICTS_MARK)
    return isinstance(mark, str) and is_signed(content, mark)


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
