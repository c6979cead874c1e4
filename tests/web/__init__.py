"""The page: units, the API, and what a visitor may not do."""
