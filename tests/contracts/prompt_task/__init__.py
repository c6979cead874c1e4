"""Tests of contract 3."""
