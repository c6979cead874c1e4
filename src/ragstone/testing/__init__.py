"""The pytest plugin: every case of a dataset as a test of its own."""
