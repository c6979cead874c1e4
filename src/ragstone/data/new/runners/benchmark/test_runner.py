"""`python benchmark/test_runner.py --type fact_exact`: the questions beside this file, by `ragstone.runners`."""

import sys
from pathlib import Path

from ragstone.runners.benchmark import BenchmarkRunner, main

__all__ = ["BenchmarkRunner", "main"]

if __name__ == "__main__":
    sys.exit(main(folder=Path(__file__).parent))
