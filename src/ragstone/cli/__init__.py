"""The command line: a thin door to the hall. Heavy rooms are entered only by the command that needs them."""
