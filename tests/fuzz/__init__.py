"""Every reader of foreign text, fed with what it was not made for."""
