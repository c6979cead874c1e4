"""An answer's text into fields: JSON, citations, refusals, specifics; knows no score."""
