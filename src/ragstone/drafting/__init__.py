"""Test sets from documents: questions whose every gold point is a proved place in a text."""
