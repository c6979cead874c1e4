"""Contract 4, Eval JSON v2: seven fields in one JSON object, scored from 0 to 100."""
