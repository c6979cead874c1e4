"""`python benchmark/test_runner.py --type fact_exact`: the questions beside this file, by the installed runner."""

import sys
from pathlib import Path

if __name__ == "__main__":
    from benchmark.test_runner import main

    sys.exit(main(folder=Path(__file__).parent))
