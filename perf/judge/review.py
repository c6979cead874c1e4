"""A review of a known truth, by the real desk: does the printed interval hold it, and how long do pages take?

uv run python -m perf.judge.review [ROUNDS]      1,000 rounds when left out; then 10,000 labels on one desk
"""

import json
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import chdir
from pathlib import Path
from random import Random

from ragstone import evaluate
from ragstone.core.settings import Settings
from ragstone.judging.labels import Label
from ragstone.reviewing.sample import Design, first_design, grown, standing
from ragstone.runs.store.admission import OWN
from ragstone.web.people import LOCAL
from ragstone.web.review.reviews import Reviews, Said

CASES = 600
STRATA = {"high/high": (0.42, 0.98), "low/low": (0.10, 0.03), "low/high!": (0.28, 0.88), "low/low?": (0.20, 0.25)}
"""What rule and judge made of a case: its share of all cases, and how many of them people find stated."""


RATE = sum(share * stated for share, stated in STRATA.values())


class Population:
    """A run of a known truth, with the parts of a worksheet that a sample is drawn from."""

    def __init__(self, dice: Random) -> None:
        names = dice.choices(list(STRATA), [share for share, _ in STRATA.values()], k=CASES)
        self.truth = [dice.random() < STRATA[name][1] for name in names]
        self.strata: dict[str, list[int]] = {name: [] for name in STRATA}
        for unit, name in enumerate(names):
            self.strata[name].append(unit)
        for units in self.strata.values():
            dice.shuffle(units)
        self.strata = {name: units for name, units in self.strata.items() if units}

    def review(self) -> tuple[bool, bool, int, float, int]:
        """Label round by round as the page asks for it.

        Returns whether the interval holds the rate the cases were drawn from, and the rate among just these cases;
        labels, width and rounds.
        """
        sizes = {name: len(units) for name, units in self.strata.items()}
        design = first_design(sizes, 0.04)
        while True:
            now = standing(sizes, self._labels(design, sizes))
            more = grown(design, now)
            if more is design:
                break
            design = more
        assert now.interval is not None
        low, high = now.interval.low, now.interval.high
        held = [low <= rate <= high for rate in (RATE, sum(self.truth) / CASES)]
        return held[0], held[1], now.labelled, high - low, design.round

    def _labels(self, design: Design, sizes: dict[str, int]) -> dict[str, list[tuple[float, float]]]:
        return {
            name: [
                (1 / design.chance(name, sizes[name]), self.truth[unit] * 1.0) for unit in units[: design.dealt[name]]
            ]
            for name, units in self.strata.items()
        }


def coverage(rounds: int) -> None:
    """Print how often the printed interval held the truth, and what it took."""
    seen = [Population(Random(seed)).review() for seed in range(rounds)]
    drawn, here = (sum(one[k] for one in seen) / rounds for k in (0, 1))
    labels, width = sum(one[2] for one in seen) / rounds, sum(one[3] for one in seen) / rounds
    most = max(one[4] for one in seen)
    print(
        f"{rounds} reviews of {CASES} cases to ± 4 points: the interval held the rate they were drawn from in", end=" "
    )
    print(f"{drawn:.1%}, that among just these cases in {here:.1%};", end=" ")
    print(f"{labels:.0f} labels and ± {50 * width:.1f} points on average, at most {most} rounds", flush=True)


def _rows(count: int) -> Iterator[tuple[dict[str, object], dict[str, object]]]:
    for n in range(count):
        said = f"{n}号那间屋里亮度靠工作人员自己拧。" if n % 3 else f"{n}号那间屋里最近换了新的地毯。"
        row: dict[str, object] = {"q": f"{n}号展厅的灯怎么调？", "gold": [f"第{n}号展厅的灯光由馆员手动调节"]}
        yield row, {"id": f"Q{n + 1}", "output": said}


def pace(labels: int = 10_000) -> None:
    """Print how long the server takes to give the next question among so many labels, and what memory does."""
    with tempfile.TemporaryDirectory() as folder, chdir(folder):
        rows = list(_rows(labels + 500))
        for name, place in (("q.jsonl", 0), ("a.jsonl", 1)):
            Path(name).write_text("".join(json.dumps(row[place]) + "\n" for row in rows), encoding="utf-8")
        run = evaluate("q.jsonl", "replay:a.jsonl", run_id="one", settings=Settings()).folder
        begin = time.perf_counter()
        reviews = Reviews(Settings(), Path("runs"), OWN, several=False)
        one = reviews.open("one")
        print(f"{len(one.desk.sheet)} questions opened in {time.perf_counter() - begin:.1f} s", flush=True)
        items = (one.desk.sheet.item(n) for n in range(labels))
        keys = [item.key for item in items if item is not None]
        made = [
            Label(case=key.case, point=key.point, answer=key.answer, verdict="stated", reviewer="lin") for key in keys
        ]
        reviews._keep(made)
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        times = sorted(_timed(lambda: reviews.next("one", "open", LOCAL)) for _ in range(200))
        saves = sorted(_timed(lambda: _decide(reviews)) for _ in range(100))
        views = sorted(_timed(lambda: reviews.overview("one", LOCAL)) for _ in range(50))
        after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        for name, found in (("next question", times), ("verdict saved", saves), ("page of the queues", views)):
            middle, late = found[len(found) // 2] * 1000, found[len(found) * 95 // 100] * 1000
            print(f"{name}: median {middle:.1f} ms, 95th percentile {late:.1f} ms")
        told = f"with {len(made)} labels in {run.name}"
        print(f"memory {before >> 10} MB before, {after >> 10} MB after 350 requests, {told}")


def _decide(reviews: Reviews) -> None:
    item = reviews.next("one", "open", LOCAL)["item"]
    reviews.save("one", LOCAL, Said(number=item["number"], verdict="absent"))


def _timed(work: Callable[[], object]) -> float:
    begin = time.perf_counter()
    work()
    return time.perf_counter() - begin


if __name__ == "__main__":
    coverage(int(sys.argv[1]) if len(sys.argv) > 1 else 1000)
    pace()
