"""What judges and people decide about the answers of a stored run."""
