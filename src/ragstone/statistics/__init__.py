"""Intervals, tests and detectable differences of figures; knows no run, no file and no report."""
