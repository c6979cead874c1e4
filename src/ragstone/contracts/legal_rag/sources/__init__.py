"""Pages and quotes of the source documents, and whether an answer cites them rightly."""
