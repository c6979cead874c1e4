"""`python -m ragstone`."""

from ragstone.cli.front import main

main()
