"""Reads dataset files into rows and checks them before anything is spent; knows no contract by name."""
