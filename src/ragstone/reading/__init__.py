"""What an answer says: JSON, citations, statements, values; knows no score."""
