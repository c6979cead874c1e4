"""Drafting with a model: it proposes questions and quotations, and code decides what is kept."""
