"""Killed at every change a run makes on disk: before it, and torn in its middle; then resumed and compared.

`uv run python -m tests.faults.boundaries` plays all of them; the tests play every so many.
"""

import argparse
import re
import sys
import tempfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.faults import server as manners
from tests.faults.place import Place
from tests.faults.server import Faulty

CASES = 6
CONCURRENCY = 2


@dataclass(frozen=True)
class Moment:
    """Where the process dies: at a change, before it or in its middle."""

    change: str
    how: str


@dataclass(frozen=True)
class Calm:
    """The undisturbed run: its rows, its digest, and the changes it made, in order."""

    rows: list[dict[str, Any]]
    digest: str
    changes: list[str]

    def moments(self) -> list[Moment]:
        """Return every moment there is; a write can also be torn, and rows are flushed as time goes by."""
        steady = [change for change in self.changes if not re.match(r"write .*results.jsonl #(?!1$)", change)]
        hows = {change: ("before", "torn") if change.startswith("write") else ("before",) for change in steady}
        return [Moment(change, how) for change in steady for how in hows[change]]


@dataclass(frozen=True)
class Aftermath:
    """What a kill came to."""

    exit: str
    """How the first process ended; what it said last, when it was not killed."""
    lost: int
    """Answers that were on disk and asked for again."""
    twice: int
    """Questions that were in flight and asked a second time."""
    told: bool
    equal: bool

    @property
    def sound(self) -> bool:
        """Whether nothing was lost, and nothing asked twice without saying so."""
        return self.exit == "-9" and self.equal and not self.lost and self.told and self.twice <= CONCURRENCY


def calm_run(folder: Path) -> Calm:
    """Make the undisturbed run, and write down every change it makes."""
    place, trace = _place(folder), folder.parent / f"{folder.name}.trace"
    with Faulty() as server:
        done = place.ragstone(*_words(place, server), fault={"trace": str(trace)})
    assert done.returncode == 0, done.stderr
    return Calm(rows_of(place), str(place.meta()["results_digest"]), trace.read_text(encoding="utf-8").splitlines())


def kill_at(moment: Moment, calm: Calm, folder: Path) -> Aftermath:
    """Let a run die at a moment, go on with it, and compare."""
    place = _place(folder)
    with Faulty(manners.slow(0.01)) as server:
        words = _words(place, server)
        dead = place.ragstone(*words, fault={"kill": moment.change, "how": moment.how})
        answered, before = place.answered(), server.counts()
        begun = (place.run_folder / "run_meta.json").exists()
        done = place.ragstone(*(["resume", "r", "-c", CONCURRENCY] if begun else words))
        again = server.counts() - before
    lost = sum(f"Q{_number(question)}" in answered for question in again)
    twice = sum(count > 1 for count in server.counts().values())
    return Aftermath(
        exit="-9" if dead.returncode == -9 else f"{dead.returncode} {dead.stderr[-300:]}",
        lost=lost,
        twice=twice,
        told=not twice or "a second time" in done.stderr,
        equal=rows_of(place) == calm.rows and place.meta().get("results_digest") == calm.digest,
    )


def _place(folder: Path) -> Place:
    place = Place(folder)
    place.dataset(CASES)
    return place


def _words(place: Place, server: Faulty) -> list[object]:
    return place.run_words(server.url, "-c", CONCURRENCY, first_byte_timeout=30, timeout=30)


def _number(question: str) -> int:
    return int(question.split(maxsplit=1)[0])


def rows_of(place: Place) -> list[dict[str, Any]]:
    """Return the rows without what tells the time."""
    return [{name: value for name, value in row.items() if name != "latency_ms"} for row in place.rows()]


def main() -> int:
    """Play every moment (or every n-th) and print what it came to."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    given = parser.parse_args()
    counts, bad = Counter[str](), 0
    with tempfile.TemporaryDirectory() as name, ThreadPoolExecutor(given.jobs) as pool:
        calm = calm_run(Path(name) / "calm")
        moments = calm.moments()[:: given.every]
        work = [pool.submit(kill_at, one, calm, Path(name) / str(place)) for place, one in enumerate(moments)]
        for moment, found in zip(moments, (job.result() for job in work), strict=True):
            counts.update(killed=found.exit == "-9", lost=found.lost, twice=found.twice, equal=found.equal)
            if not found.sound:
                bad += 1
                print(moment, found, flush=True)  # noqa: T201
    print(f"{len(calm.changes)} changes, {len(moments)} moments: {dict(counts)}, {bad} unsound")  # noqa: T201
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
