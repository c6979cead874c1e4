"""What can be asked of a run's cases, and what comes back."""

import base64
import binascii
from typing import Annotated, Literal, get_args

import msgspec
from msgspec import Struct

from ragstone.core.types import Result
from ragstone.web.errors import PageError

MOST_ROWS = 200
"""Rows of one page."""
State = Literal["passed", "failed", "errored", "unparsed"]
STATES: tuple[State, ...] = get_args(State)


class Query(Struct, frozen=True, kw_only=True):
    """Which cases, in what order, after which one."""

    state: str = ""
    """One of STATES, `missed` for all that did not pass, or nothing."""
    tag: str = ""
    reason: str = ""
    """The code of a reason."""
    author: str = ""
    """Who gave the verdict: rule, judge, person."""
    open: bool = False
    """Only cases with an open verdict."""
    group: str = ""
    """Group and value as `type=fact_exact`."""
    model: str = ""
    metric: str = ""
    """Only cases that did not get full marks in this metric."""
    text: str = ""
    sort: str = "number"
    """number, score, latency or a metric; with a minus before it downwards."""
    after: str = ""
    limit: int = 50


class Row(Struct, frozen=True, kw_only=True):
    """One case of a page."""

    number: int
    state: State
    result: Result


class Page(Struct, frozen=True, kw_only=True):
    """Some cases, and where the next ones begin."""

    rows: tuple[Row, ...]
    total: int
    next: str | None


class Place(Struct, frozen=True, kw_only=True):
    """Where a case stands among those a query finds; no place when it is none of them."""

    place: int = 0
    total: int = 0
    previous: int | None = None
    next: int | None = None


class Bin(Struct, frozen=True, kw_only=True):
    """How many scores lie in one part of the scale."""

    low: float
    high: float
    passed: int
    missed: int


def state_of(error_type: str | None, passed: bool) -> State:
    """Return the state of a case in one word."""
    if error_type is not None:
        return "unparsed" if error_type == "unparsed" else "errored"
    return "passed" if passed else "failed"


_Number = Annotated[int, msgspec.Meta(ge=0, lt=1 << 62)]
"""The number of a case, as far as SQLite can count."""


def write_cursor(value: float, n: int) -> str:
    """Name a row as the one after which a page begins."""
    return base64.urlsafe_b64encode(msgspec.json.encode((value, n))).decode().rstrip("=")


def read_cursor(cursor: str) -> tuple[float, int] | None:
    """Read what `write_cursor` wrote."""
    if not cursor:
        return None
    try:
        padded = cursor + "=" * (-len(cursor) % 4)
        return msgspec.json.decode(base64.urlsafe_b64decode(padded), type=tuple[float, _Number])
    except (binascii.Error, ValueError, msgspec.DecodeError) as error:
        raise PageError(422, "page.query", field="after", problem="?") from error
