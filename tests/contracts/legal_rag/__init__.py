"""Tests of contract 1."""
