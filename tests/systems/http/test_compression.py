"""Compressed bodies: bounded, whole, or refused."""

import gzip
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragstone.systems.http.compression import inflate

HELLO = gzip.compress(b"hello", mtime=0)
RAW = zlib.compress(b"hello", wbits=-15)


def test_bombs_are_bounded() -> None:
    """However much a body would swell, one byte beyond the limit is enough to know."""
    bomb = gzip.compress(b"0" * 10_000_000)

    assert len(inflate(bomb, "gzip", 1000)) == len(inflate(bomb[:5000], "gzip", 1000)) == 1001


@pytest.mark.parametrize("encoding", ["gzip", "deflate", "br", "GZIP", None, ""])
def test_what_is_not_compressed_stays(encoding: str | None) -> None:
    """A wrong or unknown encoding leaves the body as it is, for the decoder to complain about."""
    assert inflate(b"not compressed", encoding, 100) == b"not compressed"


@pytest.mark.parametrize(
    ("raw", "encoding", "body"),
    [
        (HELLO * 3, "gzip", b"hello" * 3),
        (gzip.compress(HELLO, mtime=0), "gzip, gzip", b"hello"),
        (gzip.compress(zlib.compress(b"hello"), mtime=0), "deflate,gzip", b"hello"),
        (HELLO * 2000, "x-gzip", b"hello" * 2000),
        (HELLO + b"\0\0\0", "gzip", b"hello"),
        (gzip.compress(b"", mtime=0) * 3, "gzip", b""),
        (zlib.compress(b"hello"), "deflate", b"hello"),
        (RAW, "Deflate", b"hello"),
    ],
)
def test_whole_bodies(raw: bytes, encoding: str, body: bytes) -> None:
    """Several members are one body; deflate comes with its header or without."""
    assert inflate(raw, encoding, 100_000) == body


@pytest.mark.parametrize(
    ("raw", "encoding"),
    [
        (HELLO[:-1], "gzip"),
        (HELLO, "gzip, gzip, gzip, gzip, gzip"),
        (gzip.compress(HELLO[:-1], mtime=0), "gzip, gzip"),
        (HELLO[:12], "gzip"),
        (HELLO[:5], "gzip"),
        (HELLO + HELLO[:-3], "gzip"),
        (HELLO[:-5] + bytes([HELLO[-5] ^ 1]) + HELLO[-4:], "gzip"),
        (HELLO[:-1] + b"\1", "gzip"),
        (HELLO + b"more", "gzip"),
        (zlib.compress(b"hello")[:-1], "deflate"),
        (zlib.compress(b"hello")[:-1] + b"!", "deflate"),
        (RAW[:-1], "deflate"),
        (gzip.compress(b"", mtime=0) * 70_000, "gzip"),
    ],
)
def test_damaged_bodies_are_refused(raw: bytes, encoding: str) -> None:
    """Cut short, a wrong checksum or length, something else behind the end: nothing of it is used."""
    with pytest.raises(ValueError, match=r"."):
        inflate(raw, encoding, 100_000)


@given(parts=st.lists(st.binary(max_size=9000), min_size=1, max_size=4))
def test_members_are_joined(parts: list[bytes]) -> None:
    """Whatever the members hold, they come out one after the other."""
    assert inflate(b"".join(map(gzip.compress, parts)), "gzip", 100_000) == b"".join(parts)
