"""The page: a browser's door to the hall. It shows what contracts declare and knows none of them by name."""
