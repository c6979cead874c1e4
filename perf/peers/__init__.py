"""One small driver for each peer, started inside the peer's own environment: `python -m perf.peers.NAME`."""
