"""Finished runs of other tools into runs of ours: one module a tool, from its files to records; nothing is asked."""
