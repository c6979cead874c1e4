"""The fields of a row or a task file: what is wrong with one, and names that none of them has."""
