"""Reasoning: does what leads up to an answer agree with it, and do the steps come in order?"""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from ragstone.metrics.canon import canon
from ragstone.text.fold import squeeze
from ragstone.text.similar import prepare_folded, similar

_TEXT_KEYS = ("text", "summary", "rationale", "analysis", "content", "conclusion", "reason", "claim")
_MAX_DEPTH = 20
STEP_LIKENESS = 0.5
"""Bigram overlap from which on a given step is a wanted one in other words."""
MOST_STEPS = 200


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
    target = squeeze(plain) if normalize else plain
    texts = list(supports)
    if not target or not texts:
        return Consistency(0.0, 0.0)
    # A number must stand alone: 5 is not stated by 15 or 0.5.
    alone = normalize and _is_number(target)
    hits = 0
    for text in texts:
        if alone:
            hits += _holds_number(squeeze(text), target)
        else:
            # What is there as written need not be folded.
            hits += plain in text or (normalize and target in squeeze(text))
    return Consistency(float(hits > 0), hits / len(texts))


def _is_number(text: str) -> bool:
    return text.lstrip("+-").replace(".", "", 1).isdigit()


def _holds_number(text: str, number: str) -> bool:
    at = text.find(number)
    while at >= 0:
        end = at + len(number)
        before, after = text[at - 1 : at], text[end : end + 2]
        if not (before.isdigit() or before in (".", "-", "+")) and not (
            after[:1].isdigit() or (after[:1] == "." and after[1:].isdigit())
        ):
            return True
        at = text.find(number, at + 1)
    return False


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
