"""Every message, in every language."""

from string import Formatter

import pytest

from ragstone.core.messages import codes, message, phrase


def _places(template: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(template) if name}


@pytest.mark.parametrize("code", sorted(codes()))
def test_a_message_has_the_same_places_in_every_language(code: str) -> None:
    """No language forgets what, where or what to do."""
    text = message(code)

    assert text.en
    assert text.hans
    assert _places(text.en) == _places(text.hans)
    assert not text.hant or _places(text.hant) == _places(text.en)


def test_an_unknown_code_shows_itself() -> None:
    """A forgotten message hides no error."""
    assert phrase({}, "no.such", {}, "en") == "no.such"
