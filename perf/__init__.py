"""Our speed and agreement figures; each prints its table, none is a test."""
