"""The name users of the legal RAG benchmark import its runner by; a folder of questions needs nothing of it."""
