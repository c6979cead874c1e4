"""The stemmer gives Porter's stems, with the additions of rouge-score's stemmer."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragstone.text.stem import stem

STEMS = (
    "caresses:caress ponies:poni dies:die ties:tie cats:cat feed:feed agreed:agre plastered:plaster bled:bled "
    "motoring:motor sing:sing conflated:conflat troubled:troubl sized:size hopping:hop falling:fall hissing:hiss "
    "fizzed:fizz failing:fail filing:file happy:happi sky:sky skies:sky relational:relat conditional:condit "
    "valenci:valenc digitizer:digit radically:radic vietnamization:vietnam operator:oper feudalism:feudal "
    "decisiveness:decis hopefulness:hope sensibiliti:sensibl triplicate:triplic formative:form electrical:electr "
    "goodness:good revival:reviv allowance:allow inference:infer airliner:airlin adjustable:adjust irritant:irrit "
    "replacement:replac adoption:adopt effective:effect probate:probat rate:rate cease:ceas controll:control roll:roll "
    "dying:die news:news innings:inning proceed:proceed died:die tried:tri geology:geolog usefully:use by:by yes:ye"
)


@pytest.mark.parametrize("pair", STEMS.split())
def test_published_examples(pair: str) -> None:
    """Each word has its known stem."""
    word, _, expected = pair.partition(":")

    assert stem(word) == expected


@settings(deadline=None)
@given(st.text(alphabet="abcdeilnsty0", max_size=12))
def test_a_stem_is_no_longer_than_its_word(word: str) -> None:
    """Stemming never raises and adds at most a final e."""
    assert len(stem(word)) <= len(word) + 1
