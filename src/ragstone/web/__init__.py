"""The page: what a browser sees of `ragstone.api`. It shows what contracts declare and knows none of them by name."""
