"""The review page: people decide, one question on one screen."""
