"""Dates and ranges of dates in running text."""
