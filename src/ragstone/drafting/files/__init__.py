"""A file of drafts: adding to it, accepting what stands in it, drafting single questions again."""
