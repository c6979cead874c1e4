"""Values and names that a text states, and whether evidence supports them."""
