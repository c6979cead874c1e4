"""Imports finished runs of other tools: one module a tool turns its files into records; nothing is asked."""
