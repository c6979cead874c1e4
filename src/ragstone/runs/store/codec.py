"""Values to lines of JSON and back; an answer comes back exactly as it came, lone surrogates included."""

import errno
import json
import os
import stat
from pathlib import Path
from typing import BinaryIO

import msgspec

from ragstone.core.types import JSON

TOO_DEEP = "nested too deeply"
_ENCODER = msgspec.json.Encoder()


def encode(value: object) -> bytes:
    """Write a value as JSON on one line, without the line's end."""
    try:
        return _ENCODER.encode(value)
    except UnicodeEncodeError:
        # Text with lone surrogates is not UTF-8, but it is JSON when escaped.
        return json.dumps(msgspec.to_builtins(value), ensure_ascii=True, allow_nan=False).encode("ascii")


class LineDecoder(msgspec.Struct, frozen=True):
    """Reads lines that `encode` wrote, as values of one type."""

    type: type
    quick: msgspec.json.Decoder[JSON]

    def __call__(self, line: bytes) -> JSON:
        """Read one line; raises DecodeError or ValueError when it holds no such value."""
        try:
            return self.quick.decode(line)
        except msgspec.DecodeError:
            if b"\\u" not in line:
                raise
        except RecursionError as error:
            raise ValueError(TOO_DEEP) from error
        try:
            return msgspec.convert(json.loads(line), self.type)
        except RecursionError as error:
            raise ValueError(TOO_DEEP) from error


def decoder(kind: type) -> LineDecoder:
    """Prepare a reader for one type."""
    return LineDecoder(kind, msgspec.json.Decoder(kind))


def pretty(value: object) -> bytes:
    """Write a value as JSON for people."""
    line = encode(value)
    try:
        return msgspec.json.format(line, indent=2) + b"\n"
    except msgspec.DecodeError:
        # A file's name may be no UTF-8, and then holds lone surrogates.
        return json.dumps(json.loads(line), indent=2).encode("ascii") + b"\n"


_AT_ONCE = sum(getattr(os, name, 0) for name in ("O_NONBLOCK", "O_CLOEXEC", "O_BINARY"))
"""How a file is opened that may be a pipe without a writer."""
_NO_LINK = getattr(os, "O_NOFOLLOW", 0)


def open_plain(path: Path, flags: int = os.O_RDONLY, *, follow: bool = False) -> int:
    """Open a file of a run; raise OSError for a link, a pipe, a folder or a device."""
    file = os.open(path, flags | _AT_ONCE | (0 if follow else _NO_LINK), 0o644)
    if stat.S_ISREG(os.fstat(file).st_mode):
        return file
    os.close(file)
    raise OSError(errno.ELOOP, "not a plain file", str(path))


def read_plain(path: Path, *, follow: bool = False) -> BinaryIO:
    """Open a file of a run to read it; `follow` lets a link lead to it."""
    return os.fdopen(open_plain(path, follow=follow), "rb")


def is_plain(path: Path) -> bool:
    """Return whether a path is a file itself, and nothing that leads to one."""
    try:
        return stat.S_ISREG(path.lstat().st_mode)
    except (OSError, ValueError):
        return False


def write_whole(path: Path, content: bytes, *, mode: int = 0o666) -> None:
    """Write a file atomically: a reader sees the old one or the new one, never half."""
    beside = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    beside.unlink(missing_ok=True)
    try:
        # A file of this name that is there again may be an attack: a link to another file.
        with os.fdopen(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)
