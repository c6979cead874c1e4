"""The names that users of prompt tasks already type; everything is done by Ragstone."""
