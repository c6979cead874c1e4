"""The judges a run is to be put before, as run_meta.json keeps them from before the first question.

Whoever goes on with the run finds them there, also after a process that ended without a word.
"""

from collections.abc import Mapping, Sequence
from urllib.parse import urlsplit

import msgspec
from msgspec import Struct, structs, to_builtins

from ragstone.core.errors import RunError
from ragstone.core.types import JSON
from ragstone.judging.decisions import JudgeTerms
from ragstone.judging.judge import Judge
from ragstone.runs.store.fingerprint import redact
from ragstone.runs.store.folder import META, RunFolder

_HERE = frozenset({"localhost", "127.0.0.1", "::1", "0.0.0.0"})  # noqa: S104 - compared, not listened on
NAME = "judge_order"
"""Where run_meta.json keeps it."""


class JudgeOrder(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Who is asked and how, without secrets."""

    judges: tuple[str, ...] = ()
    """How they were named; none where one was an object of a program, which nobody can make again."""
    options: dict[str, JSON] = {}
    listen: str = ""
    labels: str = ""
    certificate: str = ""
    due: bool = True
    """Whether something is still to be asked."""

    def facts(self) -> dict[str, JSON]:
        """Return what run_meta.json says."""
        return {NAME: to_builtins(self)}


def order_of(terms: Sequence[JudgeTerms], *, labels: object = None, certificate: object = None) -> JudgeOrder:
    """Describe judges that were connected; their terms hold no secrets."""
    return JudgeOrder(
        judges=tuple(redact([one.spec for one in terms])) if all(one.spec for one in terms) else (),
        options=terms[0].options if terms else {},
        listen=way_of(terms),
        labels=str(labels or ""),
        certificate=str(certificate or ""),
    )


def way_of(terms: Sequence[JudgeTerms]) -> str:
    """Return how all judges of a jury are listened to; "" where that differs."""
    ways = {one.way for one in terms}
    return ways.pop() if len(ways) == 1 else ""


def same_place(identity: Mapping[str, JSON]) -> dict[str, JSON]:
    """Return what a system says of itself so that two ways to write one endpoint are the same.

    >>> one, other = ({"kind": "chat", "model": "m", "url": url} for url in ("http://localhost:80/v1/", "http://127.0.0.1:80/v1"))
    >>> same_place(one) == same_place(other)
    True
    """
    if identity.get("kind") != "chat":
        return dict(identity)
    # How it is asked (temperature, prompt) makes no other model of it.
    address = str(identity.get("url") or identity.get("base_url") or "")
    return {"kind": "chat", "model": identity.get("model"), "url": _address(address)}


def seat_of(judge: Judge) -> str:
    """Tell the judges of a jury apart by what they are, whatever they are called and however an endpoint is written."""
    told = dict(judge.identity())
    who = {**{name: told[name] for name in told.keys() - {"url", "model_id"}}, **same_place(told)}
    name = "" if told.get("kind") == "chat" else judge.name
    return msgspec.json.encode([name, judge.way, who], order="sorted").decode()


def _address(text: str) -> str:
    parts = urlsplit(text.strip().rstrip("/"))
    host = "127.0.0.1" if (parts.hostname or "") in _HERE else parts.hostname
    port = parts.port or {"http": 80, "https": 443}.get(parts.scheme)
    return f"{parts.scheme}://{host}:{port}{parts.path.removesuffix('/chat/completions').rstrip('/')}"


def known_versions(terms: Sequence[JudgeTerms], before: Sequence[JudgeTerms]) -> tuple[JudgeTerms, ...]:
    """Return judges with the version they had where they tell none: a cache answers for them and does not know it."""
    known = {one.identity: one.version for one in before}
    return tuple(structs.replace(one, version=one.version or known.get(one.identity, "")) for one in terms)


def read_order(folder: RunFolder, meta: Mapping[str, JSON] | None = None) -> JudgeOrder | None:
    """Return whom a run was to be put before; None where nobody said so."""
    known = (folder.meta() if meta is None else meta).get(NAME)
    if known is None:
        return None
    try:
        return msgspec.convert(known, JudgeOrder)
    except msgspec.ValidationError as error:
        raise RunError("run.damaged", run=str(folder.path), file=META, problem=str(error)) from error


def is_due(folder: RunFolder) -> bool:
    """Return whether named judges are still to be asked about a run."""
    order = read_order(folder)
    return order is not None and order.due and bool(order.judges)
