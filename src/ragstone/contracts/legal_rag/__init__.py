"""Contract 1, the legal RAG benchmark: exact facts, sets of evidence, and honesty about gaps."""
