"""Calls the work on one shard by name; every engine ends here."""

import traceback
from collections.abc import Callable
from functools import lru_cache
from importlib import import_module

import msgspec

from ragstone.core.errors import RunError, UserError
from ragstone.core.interfaces import Shard, Work

Doing = Callable[[bytes, bytes], bytes]


class Outcome(msgspec.Struct, frozen=True, array_like=True):
    """The result of a shard, or its error."""

    content: bytes = b""
    code: str = ""
    """Code of the message, when the user can fix it."""
    params: dict[str, str] = {}
    bug: str = ""
    """Traceback of anything else."""


@lru_cache(maxsize=8)
def find(target: str) -> Doing:
    """Import what `module:function` names."""
    module, _, name = target.partition(":")
    doing: Doing = getattr(import_module(module), name)
    return doing


def call(target: str, setup: bytes, content: bytes) -> bytes:
    """Do one shard; whatever goes wrong is written into the outcome, so that no engine need carry exceptions."""
    try:
        outcome = Outcome(find(target)(setup, content))
    except UserError as error:
        outcome = Outcome(code=error.code, params={name: str(value) for name, value in error.params.items()})
    except Exception:  # noqa: BLE001 - the boundary: an error must reach the caller
        outcome = Outcome(bug=traceback.format_exc())
    return _ENCODE(outcome)


def read(reply: bytes, shard: Shard, engine: str) -> bytes:
    """Return the result of a shard, or raise its error."""
    outcome = _DECODE(reply)
    if outcome.code:
        raise UserError(outcome.code, **outcome.params)
    if outcome.bug:
        problem = outcome.bug.strip().rpartition("\n")[2]
        error = RunError("engine.bug", engine=engine, shard=shard.name, problem=problem)
        error.add_note(outcome.bug)
        raise error
    return outcome.content


def lost(shard: Shard, engine: str, deaths: int) -> RunError:
    """Return the error of a shard whose workers died again and again."""
    return RunError("engine.lost", engine=engine, shard=shard.name, deaths=deaths)


def checked(work: Work) -> Work:
    """Refuse work that cannot be imported here, before a worker tries."""
    find(work.target)
    return work


_ENCODE = msgspec.msgpack.Encoder().encode
_DECODE = msgspec.msgpack.Decoder(Outcome).decode
