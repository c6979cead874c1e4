"""The contracts: what is asked, how an answer is read, and what it is worth. They know no system and no report."""
