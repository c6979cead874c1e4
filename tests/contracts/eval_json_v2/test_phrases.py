"""Tests of the sentences: every reason can be said in every language."""

from string import Formatter

from ragstone.contracts.eval_json_v2.phrases import PHRASES
from ragstone.contracts.eval_json_v2.read import read_answer
from ragstone.contracts.eval_json_v2.score import score_reading
from ragstone.core.language import LANGS

from .samples import TABLE, make_answer, make_gold


def _places(template: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(template) if name}


def test_every_reason_of_the_table_can_be_said() -> None:
    """Each reason has a sentence whose places are all filled by its values."""
    for row in TABLE:
        card = score_reading(make_gold(), read_answer(make_answer(row.get("output"), **row["change"])))
        for reason in card.reasons:
            assert _places(PHRASES[reason.code].en) <= reason.params.keys()
            assert all("{" not in PHRASES[reason.code].say(lang, reason.params | {"fields": []}) for lang in LANGS)
