"""Stand-ins for two models: one has read the tickets, the other gives no JSON."""


def good(question: str) -> str:
    """Sort every ticket the same way, in the wanted form."""
    return '{"category": "质量", "urgency": 3, "keywords": ["净化器", "换货"]}'


def poor(question: str) -> str:
    """Say something that cannot be read."""
    return "I cannot say."
