"""Any service that takes and gives JSON over HTTP, described in YAML."""
