"""A draw as every row of its table tells it: which rows of the run it took, and how likely each of them was.

Rows that do not come back are known by it: who deletes hard rows must not change a rate unseen. Strata may have changed
since, when another judge was asked, so the rows themselves are named, not how to draw them again.
"""

import base64
import binascii
import zlib
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import accumulate, pairwise
from typing import NamedTuple

import msgspec

MARK = "~"
"""Between the frame and what was drawn of it: `4f0c…~eNpr…`; `4f0c…:0.25` is one row's chance."""
LONGEST = 30_000
"""Characters of it; a spreadsheet's cell holds no more, and nobody labels as many rows as need them."""
_MOST = 1 << 22
"""Bytes it may unpack to."""
_LEAST = 1e-6


class WholeDraw(NamedTuple):
    """What was drawn of one run."""

    frame: str
    """Digest of the cases and answers it was drawn from."""
    rows: Mapping[int, float]
    """Number of each drawn row to how likely it was to be drawn."""


def token_of(draw: WholeDraw) -> str:
    """Write a draw in one word; "" where it is too large for a table.

    >>> whole_draw(token_of(WholeDraw("4f0c", {3: 0.25, 7: 0.25, 8: 1.0}))).rows
    {3: 0.25, 7: 0.25, 8: 1.0}
    """
    parts: dict[float, list[int]] = {}
    for row in sorted(draw.rows):
        parts.setdefault(draw.rows[row], []).append(row)
    told = [[chance, [b - a for a, b in pairwise([0, *rows])]] for chance, rows in parts.items()]
    packed = base64.urlsafe_b64encode(zlib.compress(msgspec.msgpack.encode(told), 9)).decode().rstrip("=")
    return draw.frame + MARK + packed if len(packed) <= LONGEST else ""


@lru_cache(maxsize=8)
def whole_draw(token: str) -> WholeDraw:
    """Read a draw; raises ValueError."""
    frame, _, packed = token.partition(MARK)
    try:
        unpack = zlib.decompressobj()
        content = unpack.decompress(base64.b64decode(packed + "=" * (-len(packed) % 4), b"-_", validate=True), _MOST)
        parts = msgspec.msgpack.decode(content, type=list[tuple[float, list[int]]])
    except (binascii.Error, zlib.error, msgspec.DecodeError, UnicodeError) as error:
        raise ValueError(str(error)) from error
    rows = {row: chance for chance, steps in parts for row in accumulate(steps)}
    if not frame or not all(row > 0 and _LEAST <= chance <= 1 for row, chance in rows.items()):
        raise ValueError("rows or chances that cannot be")
    return WholeDraw(frame, dict(sorted(rows.items())))


def is_draw(token: str) -> bool:
    """Say whether a word of `drawn` tells of a whole draw, not of one row's chance."""
    return MARK in token


def draws_of(drawn: Sequence[str]) -> list[WholeDraw]:
    """Return the draws that rows tell of, each once."""
    tokens = dict.fromkeys(token for one in drawn for token in one.split() if is_draw(token))
    return [whole_draw(token) for token in tokens]
