"""A small project of a user of the plugin, and the tests that run a pytest of their own over it."""
