"""Metrics: two values in, one number out; no files, no network, no case."""
