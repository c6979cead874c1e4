"""Reasoning: does what leads up to an answer agree with it, and do the steps come in order?"""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from ragstone.metrics.canon import canon
from ragstone.reading.answers.told import Told
from ragstone.reading.cuebook import find
from ragstone.text.fold import fold, squeeze
from ragstone.text.late import late
from ragstone.text.similar import prepare_folded, similar

_TEXT_KEYS = ("text", "summary", "rationale", "analysis", "content", "conclusion", "reason", "claim")
_MAX_DEPTH = 20
STEP_LIKENESS = 0.5
"""Bigram overlap from which on a given step is a wanted one in other words."""
MOST_STEPS = 200
_ASKS = late("[?吗]")
_MOST_PLACES = 50
"""Places of an answer in one text that are looked at."""


class Consistency(NamedTuple):
    """Whether any supporting text states the final answer, and the share of them that do."""

    consistent: float
    coverage: float


def fragments(value: Any, depth: int = 0) -> Iterator[str]:
    """Find the texts of a step, a claim, a rationale or a list of them; of objects `text`, `conclusion`, …"""
    if isinstance(value, str):
        if value.strip():
            yield value
    elif depth < _MAX_DEPTH and isinstance(value, list):
        for item in value:
            if isinstance(item, str):
                if item.strip():
                    yield item
            else:
                yield from fragments(item, depth + 1)
    elif depth < _MAX_DEPTH and isinstance(value, dict):
        for name in _TEXT_KEYS:
            if name in value:
                yield from fragments(value[name], depth + 1)


def final_text(value: Any) -> str:
    """Return a final answer as text; `{"value": …}` is unpacked."""
    if isinstance(value, dict):
        value = value.get("value")
    if value is None:
        return ""
    return value if isinstance(value, str) else canon(value)


def consistency(final: Any, supports: Iterable[str], *, normalize: bool = True) -> Consistency:
    """Look for the final answer in the supporting texts; nothing to look for, or nowhere to look, is 0."""
    plain = final_text(final).strip()
    texts = list(supports)
    tight = squeeze(plain)
    if not tight or not texts:
        return Consistency(0.0, 0.0)
    if normalize:
        final, tight = fold(plain), "" if plain.isascii() else tight
        hits = sum(_holds(text, final, tight) for text in texts)
    else:
        hits = sum(_states(text, fold(text), plain) for text in texts)
    return Consistency(float(hits > 0), hits / len(texts))


def _holds(text: str, final: str, tight: str) -> bool:
    """Whether a text states the folded final answer: A is not in BAD, 5 not in 15, 上涨 not in 不会上涨.

    `tight` is the answer without spaces, where it may be found so.
    """
    folded = fold(text)
    if final not in folded:
        return bool(tight) and tight in squeeze(text)
    return _states(folded, folded, final)


def _states(text: str, folded: str, final: str) -> bool:
    at, tries, told = text.find(final), 0, None
    while at >= 0 and tries < _MOST_PLACES:
        end = at + len(final)
        if not (_goes_on(text[max(0, at - 2) : at][::-1], final[0]) or _goes_on(text[end : end + 2], final[-1])):
            if not _ASKS.search(folded) and not find(folded):
                return True
            told = told or Told(text)
            if told.turn(at, end)[:1] in ("", "?"):
                return True
        at, tries = text.find(final, end), tries + 1
    return False


def _goes_on(beside: str, edge: str) -> bool:
    """Whether a Latin word or a number goes on at an edge of what was found."""
    if not edge.isascii() or not edge.isalnum() or not beside:
        return False
    if edge.isdigit() and beside[0] in ".-+":
        return beside[1:].isdigit() or beside[0] != "."
    return beside[0].isascii() and beside[0].isalnum()


class StepOrder(NamedTuple):
    """Share of the wanted steps that come in the wanted order, and share that come at all."""

    order: float
    coverage: float


def step_order(given: Sequence[str], wanted: Sequence[str]) -> StepOrder:
    """Compare two chains of steps; each wanted step is met by the first given step like it that is left."""
    if not wanted or not given:
        return StepOrder(0.0, 0.0)
    places = _places(given[:MOST_STEPS], wanted[:MOST_STEPS])
    met = [place for place in places if place is not None]
    size = min(len(wanted), MOST_STEPS)
    return StepOrder(_longest_rise(met) / size, len(met) / size)


def _places(given: Sequence[str], wanted: Sequence[str]) -> list[int | None]:
    free = {at: prepare_folded(text) for at, text in enumerate(given)}
    exact: dict[str, list[int]] = {}
    for at, item in free.items():
        exact.setdefault(item.text, []).append(at)
    places: list[int | None] = []
    for text in wanted:
        target = prepare_folded(text)
        # Equal writing first; likeness is looked for only where there is none.
        same = [at for at in exact.get(target.text, ()) if at in free]
        place = (
            same[0] if same else next((at for at, item in free.items() if similar(target, item, STEP_LIKENESS)), None)
        )
        if place is not None:
            del free[place]
        places.append(place)
    return places


def _longest_rise(places: Sequence[int]) -> int:
    """Length of the longest run of places, not necessarily neighbours, that only goes up."""
    ends: list[int] = []
    for place in places:
        at = bisect_left(ends, place)
        ends[at : at + 1] = [place]
    return len(ends)
