"""What a judge is worth, and what is made of its verdicts."""
