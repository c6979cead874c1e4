"""Ragstone."""
