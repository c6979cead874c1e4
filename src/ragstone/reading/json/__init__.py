"""JSON out of a model's text: the ladder, the repair and the fields."""
