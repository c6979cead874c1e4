"""Tests of the sentences: every code has one, in every language, with the same places."""

from string import Formatter

import pytest

from ragstone.contracts.eval_json_v2.phrases import PHRASES
from ragstone.contracts.eval_json_v2.read import read_answer
from ragstone.contracts.eval_json_v2.score import score_reading
from ragstone.core.language import LANGS, Text

from .samples import TABLE, make_answer, make_gold


def _places(template: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(template) if name}


@pytest.mark.parametrize("text", PHRASES.values(), ids=PHRASES)
def test_languages_have_the_same_places(text: Text) -> None:
    """A sentence is there in all three languages and fills in the same values."""
    assert all(text)
    assert _places(text.en) == _places(text.hans) == _places(text.hant)


def test_every_reason_of_the_table_can_be_said() -> None:
    """Each reason has a sentence whose places are all filled by its values."""
    for row in TABLE:
        card = score_reading(make_gold(), read_answer(make_answer(row.get("output"), **row["change"])))
        for reason in card.reasons:
            assert _places(PHRASES[reason.code].en) <= reason.params.keys()
            assert all("{" not in PHRASES[reason.code].say(lang, reason.params | {"fields": []}) for lang in LANGS)
