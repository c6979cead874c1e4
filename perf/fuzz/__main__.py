"""Fuzz the readers: python -m perf.fuzz --seconds N [TARGET …]; prints inputs, seconds and findings a target."""

import argparse
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from perf.fuzz.targets import TARGETS

_RUNS = re.compile(r"number_of_executed_units:\s*(\d+)|Done (\d+) runs")


def fuzz(name: str, seconds: int, folder: Path) -> tuple[int, float, int]:
    """Run one target in a process of its own; return inputs tried, seconds and findings."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("RAGSTONE_", "OPENAI"))}
    words = [sys.executable, "-m", "perf.fuzz.one", name, str(seconds), str(folder)]
    began = time.monotonic()
    done = subprocess.run(words, capture_output=True, encoding="utf-8", errors="replace", env=kept, check=False)
    counts = [int(one or two) for one, two in _RUNS.findall(done.stderr)]
    (folder / f"{name}.log").write_text(done.stderr[-20_000:], encoding="utf-8")
    stopped = [path for path in folder.glob(f"{name}-*") if path.name.startswith((f"{name}-timeout", f"{name}-oom"))]
    crashed = int(done.returncode != 0 and not stopped)
    found = len(re.findall("^FINDING", done.stderr, re.MULTILINE)) + len(stopped) + crashed
    return max(counts, default=0), time.monotonic() - began, found


def main() -> int:
    """Run the targets one after the other."""
    parser = argparse.ArgumentParser(prog="python -m perf.fuzz", description=__doc__)
    parser.add_argument("targets", nargs="*", metavar="TARGET", help=f"one of {', '.join(TARGETS)}; all when left out")
    parser.add_argument("--seconds", type=int, default=60, help="seconds a target")
    parser.add_argument("--folder", type=Path, help="where inputs and findings are kept")
    given = parser.parse_args()
    if unknown := sorted(set(given.targets) - set(TARGETS)):
        parser.error(f"no such target: {', '.join(unknown)}")
    folder = given.folder or Path(tempfile.mkdtemp(prefix="ragstone-fuzz-"))
    folder.mkdir(parents=True, exist_ok=True)
    total, spent, findings = 0, 0.0, 0
    print(f"{'target':<20} {'inputs':>10} {'seconds':>8} {'findings':>9}   ({folder})")
    for name in given.targets or TARGETS:
        inputs, seconds, found = fuzz(name, given.seconds, folder)
        total, spent, findings = total + inputs, spent + seconds, findings + found
        print(f"{name:<20} {inputs:>10} {seconds:>8.0f} {found:>9}", flush=True)
    print(f"{'all':<20} {total:>10} {spent:>8.0f} {findings:>9}")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
