"""The page: units, the API, and what a stranger may not do."""
