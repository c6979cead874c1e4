"""What is told of recorded answers: those for no case of the dataset, and files that are likely in another encoding."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

from ragstone.core.interfaces import System
from ragstone.core.language import Lang
from ragstone.core.messages import message
from ragstone.core.types import JSON, Result
from ragstone.systems.replay import Replay
from ragstone.systems.wrappers.wrapper import layers
from ragstone.text.tokens import has_cjk

MOST_NAMED = 5
Say = Callable[[Lang], str]


def recordings(systems: Iterable[System]) -> Iterator[Replay]:
    """Yield the recordings among systems."""
    for system in systems:
        *_, innermost = layers(system)
        if isinstance(innermost, Replay):
            yield innermost


def doubts(systems: Iterable[System], question: Callable[[], str]) -> Iterator[Say]:
    """Yield a warning for each recording that is UTF-8 by chance: Chinese was asked, and only GBK reads Chinese."""
    for replay in recordings(systems):
        if (found := replay.by_chance()) and has_cjk(question()):
            params = {"file": str(replay.path), "found": found.read[:20], "meant": found.meant[:20]}
            yield partial(message("answers.encoding").say, params=params)


class Unused(NamedTuple):
    """How many recorded answers are for no case, and what names them."""

    n: int = 0
    told: Sequence[Say] = ()


def unused(systems: Iterable[System], results: Callable[[], Iterable[Result]], *, hidden: bool) -> Unused:
    """Count the recorded answers that are for no case of a finished run, and name the first few of each file."""
    found = [(replay, replay.strays(results())) for replay in recordings(systems)]
    told: list[Say] = [
        partial(message("answers.stray").say, params=_params(replay, names, hidden=hidden))
        for replay, names in found
        if names
    ]
    return Unused(sum(len(names) for _, names in found), told)


def _params(replay: Replay, names: Sequence[str], *, hidden: bool) -> dict[str, JSON]:
    named = list(names[:MOST_NAMED])
    if hidden:
        from ragstone.reading.private import mask_private_in  # noqa: PLC0415 - a reader of names is slow to load

        named = mask_private_in(named)
    return {"file": str(replay.path), "n": len(names), "ids": named}
