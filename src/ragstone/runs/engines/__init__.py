"""Where work on recorded answers is done: here, in processes beside, or on a cluster. Knows no contract and no run."""
