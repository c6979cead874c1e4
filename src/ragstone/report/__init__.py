"""What a run came to, for people and machines to read; drawn from the metrics a contract declares."""
