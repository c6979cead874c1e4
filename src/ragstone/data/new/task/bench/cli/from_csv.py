"""`python -m bench.cli.from_csv rows.csv rows.jsonl`: a spreadsheet into rows; see `ragstone.runners.from_csv`."""

import sys

from ragstone.runners.from_csv import main

if __name__ == "__main__":
    sys.exit(main())
