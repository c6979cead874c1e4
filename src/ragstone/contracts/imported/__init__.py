"""Runs of other tools: their scores as they were, beside answers that any contract can score again."""
