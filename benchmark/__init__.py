"""The legal RAG benchmark: fictional documents, questions, and the runner its users know."""
