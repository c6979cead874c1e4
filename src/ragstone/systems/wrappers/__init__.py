"""What stands around a system: cache, retry, limits, breaker, budget."""
