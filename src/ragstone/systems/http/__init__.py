"""The HTTP/1.1 client: addresses, connections, replies."""
