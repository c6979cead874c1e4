"""What proves a drafted row: quotations that are whole, and gold that is what they say."""
