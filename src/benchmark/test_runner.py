"""`from benchmark.test_runner import BenchmarkRunner` in a clone of this repository, by `ragstone.runners`."""

import sys

from ragstone.runners.benchmark import BenchmarkRunner, main

__all__ = ["BenchmarkRunner", "main"]

if __name__ == "__main__":
    sys.exit(main())
