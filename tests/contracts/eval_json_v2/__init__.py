"""Tests of contract 4."""
