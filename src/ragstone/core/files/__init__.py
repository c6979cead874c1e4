"""Helpers for files, whatever is in them."""
