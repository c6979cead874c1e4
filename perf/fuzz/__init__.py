"""Fuzzing every reader of foreign text: the targets, and the command that feeds them."""
