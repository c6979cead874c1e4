"""The datasets that are made on the page: what it knows of them, and small ones cut out of large ones."""
