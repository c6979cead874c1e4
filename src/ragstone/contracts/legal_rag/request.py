"""A case into what is sent: the question, as it stands."""

from ragstone.core.types import Case, Request


def request(case: Case) -> Request:
    """Ask the question."""
    return Request(id=case.id, question=case.question)
