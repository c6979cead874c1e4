"""Plays the whole fault table: `uv run python -m tests.faults [--only NAME] [--lang zh] [--write]`."""

import argparse
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.faults.checking import faults_of
from tests.faults.place import Place
from tests.faults.report import page, short
from tests.faults.rows import FAULTS

DOCS = Path(__file__).parents[2] / "docs"


def main() -> int:
    """Play the rows, print them as they come, and say whether all was as it must be."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--only", default="")
    parser.add_argument("--lang", choices=["en", "zh"], default="en")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--write", action="store_true", help="write docs/faults.md (or faults.zh.md)")
    given = parser.parse_args()
    played, bad = [], 0
    rows = [fault for fault in FAULTS if given.only in fault.name]
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(given.jobs) as pool:
        work = [pool.submit(fault.play, Place(Path(folder) / str(n), given.lang)) for n, fault in enumerate(rows)]
        for fault, job in zip(rows, work, strict=True):
            outcome = job.result()
            wrong = faults_of(fault, outcome, given.lang)
            bad += bool(wrong)
            print(short(fault, outcome), *wrong, sep="\n    !! ", flush=True)  # noqa: T201
            played.append((fault, outcome))
    if given.write and not bad:
        name = "faults.md" if given.lang == "en" else "faults.zh.md"
        (DOCS / name).write_text(page(played, given.lang), encoding="utf-8")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
