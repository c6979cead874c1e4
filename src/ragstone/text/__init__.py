"""Text comparison: folding, tokens, similarity, numbers, dates; knows no case, no answer and no score."""
