"""Print the table: python -m perf.careful_reader DATA_DIR [TOPIC ...]; exit code 1 when an aim is missed."""

import importlib
import pkgutil
import sys
from collections.abc import Iterator
from pathlib import Path

import perf.careful_reader
from perf.careful_reader.row import Row

NOT_TOPICS = {"__main__", "row"}


def rows(data: Path, topics: list[str]) -> Iterator[Row]:
    """The rows of every topic module in this folder, or of the named ones."""
    for module in pkgutil.iter_modules(perf.careful_reader.__path__):
        if module.name not in NOT_TOPICS and (not topics or module.name in topics):
            yield from importlib.import_module(f"perf.careful_reader.{module.name}").rows(data)


def main() -> int:
    """Print as the figures come."""
    if len(sys.argv) < 2:
        print(__doc__, file=sys.stderr)
        return 2
    missed = 0
    print(f"{'topic':<13} {'data set':<34} {'n':>6}  {'figure':<16} {'aim':<14} ok")
    for row in rows(Path(sys.argv[1]), sys.argv[2:]):
        missed += not row.ok
        verdict = "yes" if row.ok else "NO"
        print(f"{row.topic:<13} {row.data:<34} {row.n:>6}  {row.figure:<16} {row.aim:<14} {verdict}", flush=True)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
