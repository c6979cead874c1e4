"""Does a text state a point: the point made ready, its parts found, and what turns them."""
