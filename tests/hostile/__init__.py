"""Whole runs against systems that mean no good."""
