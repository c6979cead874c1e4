"""Checks whether figures can be relied on: compare, gate, regression, verify, rescore."""
