"""Which value, name, or yes or no an answer gives for what was asked."""
