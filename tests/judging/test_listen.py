"""What a reply comes to: by the chances of its first word, or by its words."""

from math import inf, log, nan

import pytest

from ragstone.core.types import Answer, Question
from ragstone.judging.listen import by_margin, by_quote

_ASKED = Question(kind="states", point="七天内可退", answer="一星期之内都能退。")


def _heard(**chances: float) -> tuple[str, str]:
    opinion = by_margin(Answer(first_word={token: log(chance) for token, chance in chances.items()}))
    return opinion.verdict, opinion.why


def test_the_word_with_nearly_all_the_probability_decides() -> None:
    """And not the leftovers of other words beside it."""
    assert _heard(不对=0.99, 是=0.004, 否=0.001) == ("no", "")
    assert _heard(是的=0.99, 否=0.004, 是=0.001) == ("yes", "")
    assert _heard(Y=0.97, N=0.01) == ("yes", "")
    assert _heard(N=0.97, Y=0.01) == ("no", "")


def test_words_that_carry_little_decide_nothing() -> None:
    """Where something else is likelier than yes and no together, it is neither."""
    assert _heard(嗯=0.9, 是=0.05, 否=0.01) == ("unsure", "no_word")
    assert _heard(The=0.6, yes=0.3, no=0.1) == ("unsure", "no_word")
    assert _heard(The=0.4, yes=0.5, no=0.1) == ("yes", "")


def test_a_word_that_stands_alone_is_sure() -> None:
    """What is not named has what is left at most; a chance of as good as nothing is no error."""
    alone = by_margin(Answer(first_word={"yes": 0.0}))
    assert (alone.verdict, alone.margin) == ("yes", 9.21034)
    assert by_margin(Answer(first_word={"yes": -0.02})).margin == pytest.approx(3.902, abs=0.001)
    assert by_margin(Answer(first_word={"no": -0.0001, "yes": -9999.0})).verdict == "no"


@pytest.mark.parametrize("odd", [nan, inf, 0.7])
def test_what_is_no_chance_decides_nothing(odd: float) -> None:
    """No number, and more than everything."""
    assert by_margin(Answer(first_word={"yes": -0.1, "no": odd})).why == "no_chances"
    assert by_margin(Answer(first_word={"yes": -0.1, "no": -3.0, "x": odd})).why == "no_chances"


@pytest.mark.parametrize(
    ("reply", "told"),
    [
        ('{"verdict": "Yes.", "quote": "一星期之内都能退"}', ("yes", "")),
        ('{"verdict": " 是的。", "quote": "一星期之内都能退"}', ("yes", "")),
        ('{"verdict": "NO!"}', ("no", "")),
        ('{"verdict": "Absent."}', ("no", "")),
        ('{"verdict": "yes", "verdict": "no", "quote": "一星期之内都能退"}', ("unsure", "unreadable")),
        ('Well: {"verdict": "no", "verdict": "no"}', ("unsure", "unreadable")),
        ('{"verdict": "perhaps"}', ("unsure", "unreadable")),
    ],
)
def test_a_verdict_is_read_in_its_writings_and_never_chosen_of_two(reply: str, told: tuple[str, str]) -> None:
    """A full stop changes nothing; two verdicts in one object are none."""
    opinion = by_quote(Answer(text=reply), _ASKED)

    assert (opinion.verdict, opinion.why) == told
