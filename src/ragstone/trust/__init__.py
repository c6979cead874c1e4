"""Whether a figure can be relied on: compare, gate, regression, verify, rescore."""
