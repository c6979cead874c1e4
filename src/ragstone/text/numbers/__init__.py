"""Numbers and money in running text."""
