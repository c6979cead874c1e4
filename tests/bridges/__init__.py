"""Importers, on files the tools themselves made."""
