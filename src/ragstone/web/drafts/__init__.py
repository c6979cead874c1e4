"""Test sets drafted on the page, from documents that were brought there."""
