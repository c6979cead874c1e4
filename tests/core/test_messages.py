"""Messages by their codes."""

from ragstone.core.messages import phrase


def test_an_unknown_code_shows_itself() -> None:
    """A forgotten message hides no error."""
    assert phrase({}, "no.such", {}, "en") == "no.such"
