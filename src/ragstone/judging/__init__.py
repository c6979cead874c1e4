"""Who decides what rules leave open: a judge that is measured against people, and people themselves."""
