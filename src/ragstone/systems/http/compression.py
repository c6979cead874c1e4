"""Compressed bodies, opened no further than a limit; a damaged one is refused rather than read in part."""

import zlib

STEP = 4096
"""Bytes that are fed at once: what lies behind the end of a member is copied for the next one."""
MEMBERS = 65_536
"""Members a gzip body may consist of."""
LAYERS = 4
"""Times a body may have been compressed."""
GZIP = b"\x1f\x8b"


def inflate(raw: bytes, encoding: str | None, limit: int) -> bytes:
    """Decompress no further than one byte beyond the limit; raises ValueError when the body is cut short or damaged.

    An unknown encoding, or a body that was not compressed at all, stays as it is.
    """
    layers = (encoding or "").lower().split(",")
    if len(layers) > LAYERS:
        raise ValueError(f"it is compressed more than {LAYERS} times")
    for named in reversed(layers):
        if len(raw := _layer(raw, named.strip(), limit)) > limit:
            break
    return raw


def _layer(raw: bytes, named: str, limit: int) -> bytes:
    if named in {"gzip", "x-gzip"}:
        return _members(raw, limit) if raw.startswith(GZIP) else raw
    if named != "deflate" or not raw:
        return raw
    # What is called deflate comes with zlib's two bytes before it, or bare.
    wrapped = raw[0] & 15 == zlib.DEFLATED and int.from_bytes(raw[:2]) % 31 == 0
    try:
        return _one(raw, zlib.MAX_WBITS if wrapped else -zlib.MAX_WBITS, limit)
    except zlib.error as error:
        if wrapped:
            raise ValueError(str(error)) from error
        return raw


def _one(raw: bytes, window: int, limit: int) -> bytes:
    opened = zlib.decompressobj(window)
    data = opened.decompress(raw, limit + 1)
    if not opened.eof and len(data) <= limit:
        raise ValueError("it ends in the middle")
    return data


def _members(raw: bytes, limit: int) -> bytes:
    """Open one gzip member after the other; only zeros may follow the last."""
    found, place = bytearray(), 0
    for _ in range(MEMBERS):
        member = zlib.decompressobj(zlib.MAX_WBITS | 16)
        while not member.eof:
            piece = raw[place : place + STEP]
            found += _opened(member, piece, limit + 1 - len(found))
            if len(found) > limit:
                return bytes(found)
            place += len(piece) - len(member.unused_data)
        if not raw.startswith(GZIP, place):
            break
    if raw[place:].strip(b"\0"):
        raise ValueError("something else follows its end")
    return bytes(found)


def _opened(member: "zlib._Decompress", piece: bytes, most: int) -> bytes:
    if not piece:
        raise ValueError("it ends in the middle")
    try:
        return member.decompress(piece, most)
    except zlib.error as error:
        raise ValueError(str(error)) from error
