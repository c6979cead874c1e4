"""Reports of a run for people and machines, drawn from the metrics a contract declares."""
