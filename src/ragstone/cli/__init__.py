"""The command line: a thin layer over `ragstone.api`. Slow imports stay inside the command that needs them."""
