"""What the users' own commands call: `python -m bench.cli.runner`, `python benchmark/test_runner.py`."""
