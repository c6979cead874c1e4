"""The fields of a fact_exact question, each compared with what an answer gives for it."""
