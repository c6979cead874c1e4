"""Does an answer decline the question."""
