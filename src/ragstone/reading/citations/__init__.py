"""Which documents, pages and quotes an answer names."""
