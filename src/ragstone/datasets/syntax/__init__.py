"""How the rows of a file are written: JSON arrays, YAML, keys that stand twice."""
