"""Contract 3, prompt tasks: a task file, a prompt, the user's own rows, and figures that can be compared."""
