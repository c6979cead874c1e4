"""The kinds of failed calls: a closed set, each with a sentence that says what, where and what to do."""

from typing import Literal, get_args

from ragstone.core.errors import RagstoneError
from ragstone.core.messages import codes, message
from ragstone.core.types import JSON, Failure

Kind = Literal[
    "refused",
    "offline",
    "dns",
    "tls",
    "timeout_connect",
    "timeout_first_byte",
    "timeout_total",
    "reset",
    "cut_off",
    "damaged",
    "not_http",
    "handles",
    "stray",
    "wrong_id",
    "http_3xx",
    "http_4xx",
    "http_5xx",
    "rate_limited",
    "not_json",
    "html_page",
    "empty_choices",
    "content_filtered",
    "missing_path",
    "reported",
    "too_large",
    "budget",
    "circuit_open",
]
KINDS: tuple[Kind, ...] = get_args(Kind)

_PASSING = frozenset(
    {
        "refused",
        "dns",
        "timeout_connect",
        "timeout_first_byte",
        "timeout_total",
        "reset",
        "cut_off",
        "damaged",
        "rate_limited",
        "handles",
    }
)
_PASSING_STATUS = frozenset({"408", "409", "425", "500", "502", "503", "504"})
_DOWN = frozenset({"refused", "dns", "timeout_connect", "timeout_first_byte", "reset"})
_DOWN_STATUS = frozenset({"502", "503", "504"})


class Postponed(Failure, frozen=True, omit_defaults=True):
    """A failure of a server that said when to come back."""

    retry_after: float = 0.0
    """Seconds, as the server asked for; not yet capped."""


class AskError(RagstoneError):
    """A call that brought no answer, on its way to the system that turns it into one."""

    def __init__(self, failure: Failure) -> None:
        self.failure = failure
        super().__init__(failure.message)


def fail(
    kind: Kind, code: str | None = None, retry_after: float | None = None, variant: str = "", **params: JSON
) -> Failure:
    """Make a failure with its sentence; a status has its own sentence where there is one, or several variants."""
    own = f"ask.http_{code}{variant}"
    has_own = kind in {"http_4xx", "http_5xx"} and own in _CODES
    said = own if has_own else f"ask.{kind}"
    params = {"status": code, **params} if code else params
    text = message(said).say("en", params)
    if retry_after is None:
        return Failure(kind, text, code=code, said=said, params=params)
    return Postponed(kind, text, code=code, said=said, params=params, retry_after=retry_after)


def may_pass(failure: Failure) -> bool:
    """Return whether asking again can help."""
    return failure.kind in _PASSING or (failure.kind in {"http_4xx", "http_5xx"} and failure.code in _PASSING_STATUS)


def is_down(failure: Failure) -> bool:
    """Return whether the failure means that the endpoint is down, rather than that one request failed."""
    return failure.kind in _DOWN or (failure.kind == "http_5xx" and failure.code in _DOWN_STATUS)


def is_shut_out(failure: Failure) -> bool:
    """Return whether the failure means that the key is not accepted, rather than that one request failed."""
    return failure.kind == "http_4xx" and failure.code in {"401", "403"}


_CODES = codes()
