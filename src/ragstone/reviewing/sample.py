"""The cases an estimate needs: drawn by stratum, in rounds, until its interval is as narrow as was asked for."""

from collections.abc import Iterator, Mapping, Sequence
from math import ceil
from pathlib import Path
from typing import NamedTuple

import msgspec
from msgspec import Struct, structs

from ragstone.core.types import Interval
from ragstone.judging.estimates.clusters import Apart
from ragstone.judging.estimates.estimate import Stratum, deal, mean_of
from ragstone.judging.estimates.strata import StrataTally, Weighed
from ragstone.reviewing.worksheet import Worksheet
from ragstone.runs.judged.draws import first_deal
from ragstone.runs.store.codec import is_plain, pretty, read_plain, write_whole

FOLDER = ".review"
"""The folder among the runs that holds the designs."""
HALF = 0.04
PILOT = 60
"""Cases drawn first: enough to tell how many more are wanted."""
_LARGEST = 1 << 20


class Design(Struct, frozen=True, kw_only=True):
    """How many cases of each stratum are drawn."""

    dealt: dict[str, int]
    half: float = HALF
    """Half the width that the interval shall have."""
    round: int = 1

    def chance(self, stratum: str, size: int) -> float:
        """Return how likely a case of a stratum is to be drawn."""
        return round(self.dealt.get(stratum, 0) / size, 9)


class Standing(NamedTuple):
    """What the labels of a sample tell so far."""

    mean: float | None
    interval: Interval | None
    strata: dict[str, Stratum]
    labelled: int
    """Cases whose value people's labels tell."""
    wide: Interval | None = None
    """The interval with whatever drawn cases would be of which people said something and decided nothing."""

    @property
    def half(self) -> float | None:
        """Half the width of the interval."""
        return half_of(self.interval)


def half_of(interval: Interval | None) -> float | None:
    """Return half the width of an interval."""
    return (interval.high - interval.low) / 2 if interval else None


def first_design(sizes: Mapping[str, int], half: float = HALF) -> Design:
    """Draw the first cases, more of those that rules left open."""
    return Design(dealt=first_deal(sizes, PILOT), half=half)


def standing(
    sizes: Mapping[str, int],
    labels: Mapping[str, Sequence[Weighed]],
    sure: Sequence[float] = (),
    lacking: Mapping[str, Sequence[Weighed]] | None = None,
    apart: Apart | None = None,
) -> Standing:
    """Return what weighed labels of some strata tell, beside cases that leave nothing to label."""
    tally = StrataTally(sizes, labels, sure, lacking, apart)
    strata = tally.strata()
    known = list(strata.values())
    interval = tally.interval(known)
    mean = mean_of(known) if interval else None
    drawn = {name: one for name, one in strata.items() if not one.sure}
    return Standing(mean, interval, drawn, sum(map(len, labels.values())), tally.figure().interval)


def grown(design: Design, now: Standing, sizes: Mapping[str, int]) -> Design:
    """Draw more, as many as the interval's width says are wanted; the same design when there are enough.

    `sizes` are the answers of each stratum, equal ones counted once.
    """
    if now.half is None or now.half <= design.half:
        return design
    wanted = ceil(now.labelled * (now.half / design.half) ** 2)
    parts = {name: one.size * one.spread for name, one in now.strata.items()}
    fresh = deal(sizes, parts, wanted)
    dealt = {name: max(fresh[name], design.dealt.get(name, 0)) for name in sizes}
    return design if dealt == design.dealt else structs.replace(design, dealt=dealt, round=design.round + 1)


def drawn_units(sheet: Worksheet, design: Design) -> Iterator[int]:
    """Yield the units a design draws, the strata taking turns, so that an early end leaves none out."""
    turns = {name: list(units[: design.dealt.get(name, 0)]) for name, units in sheet.strata.items()}
    places = [
        ((place + 0.5) / len(units), name, unit) for name, units in turns.items() for place, unit in enumerate(units)
    ]
    yield from (unit for _, _, unit in sorted(places))


def read_design(runs: Path, run: str) -> Design | None:
    """Read the design of a run's review; None where there is none, or none that can be read."""
    path = runs / FOLDER / f"{run}.json"
    if not is_plain(path):
        return None
    try:
        with read_plain(path) as file:
            return msgspec.json.decode(file.read(_LARGEST), type=Design)
    except (OSError, ValueError, RecursionError):
        return None


def write_design(runs: Path, run: str, design: Design) -> None:
    """Keep the design of a run's review."""
    folder = runs / FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    write_whole(folder / f"{run}.json", pretty(design))
