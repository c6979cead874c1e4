"""How well and how fast the careful reader reads: one table, one module per topic."""
