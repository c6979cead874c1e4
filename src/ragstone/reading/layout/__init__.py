"""How a text is laid out: tables, and spaces that were lost or gained on the way."""
