"""Dataset files into rows, checked before anything is spent; knows no contract by name."""
