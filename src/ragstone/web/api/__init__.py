"""/api/v1: what programs can ask of the page."""
