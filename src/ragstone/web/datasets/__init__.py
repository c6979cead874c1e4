"""Datasets made on the page: facts about them, and small ones cut out of large ones."""
