"""Things that can be asked; they know no contract."""
