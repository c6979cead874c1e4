"""The pages: what a browser is shown. Templates escape everything; only charts drawn here are let through."""
