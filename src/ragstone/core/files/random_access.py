"""Files that stay open and are read from their middle, also where the system has no `pread` (Windows)."""

import os
from threading import Lock

BINARY: int = getattr(os, "O_BINARY", 0)
"""Windows changes line ends of what is opened by number without it."""
_PIECE = 1 << 14
_SEEKING = Lock()


def line_at(file: int, offset: int) -> bytes:
    """Return the line of an open file that begins at a place."""
    pieces = []
    while piece := _read_at(file, _PIECE, offset):
        head, newline, _ = piece.partition(b"\n")
        pieces.append(head)
        if newline:
            break
        offset += len(piece)
    return b"".join(pieces)


def _read_by_seeking(file: int, size: int, offset: int) -> bytes:
    with _SEEKING:
        os.lseek(file, offset, os.SEEK_SET)
        return os.read(file, size)


_read_at = getattr(os, "pread", _read_by_seeking)
