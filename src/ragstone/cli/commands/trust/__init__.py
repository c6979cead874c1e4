"""Commands about stored runs: compare, gate, score again, verify."""
