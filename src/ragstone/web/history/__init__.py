"""The history of runs: a list that can be searched, and charts of figures over time."""
