"""Rates with people in them: labels in strata, and their intervals."""
