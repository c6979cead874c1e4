"""The runs there are: as a list that can be searched, and as lines that show how they moved."""
