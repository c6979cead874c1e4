"""Commands: `python -m bench.cli.runner`, `python -m bench.cli.from_csv`."""
