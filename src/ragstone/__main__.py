"""`python -m ragstone`."""

from ragstone.cli.main import main

main()
