"""People decide what machines cannot: what to look at, who looks at it, how far they agree, what follows."""
