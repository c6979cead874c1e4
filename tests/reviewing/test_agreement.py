"""How far people agree."""

from random import Random

import pytest
from msgspec import structs

from ragstone.judging.labels import Label, Labels
from ragstone.reviewing.agreement import agreed, alpha, kappa, units_of

FIRST, SECOND = "0100000010", "1110010000"
"""Two coders of ten units, as Krippendorff computes alpha for them by hand: 0.095."""


def _units(*coders: str) -> list[tuple[tuple[str, bool], ...]]:
    names = "abc"
    said = zip(*coders, strict=True)
    return [tuple((names[k], vote == "1") for k, vote in enumerate(one) if vote in "01") for one in said]


def test_alpha_is_krippendorffs() -> None:
    """His own example, one with a reviewer who saw only some, and nothing to compare."""
    assert alpha(_units(FIRST, SECOND)) == pytest.approx(0.095, abs=0.0005)
    assert alpha(_units("1100", "1100", "11-0")) == 1.0
    assert alpha(_units("11", "11")) is None


def test_two_people_have_a_kappa_and_three_an_alpha() -> None:
    """The measure is named, has an interval round it, and the base rate beside it."""
    two, three = agreed(_units(FIRST, SECOND)), agreed(_units(FIRST, SECOND, FIRST))

    assert (two.measure, two.value) == ("kappa", kappa(_units(FIRST, SECOND)))
    assert three.measure == "alpha"
    assert two.low is not None and two.value is not None and two.high is not None
    assert two.low <= two.value <= two.high
    assert two.base_rate == pytest.approx(6 / 20)
    assert two.share == pytest.approx(0.6)
    assert agreed([]).measure == ""


def test_the_bootstrap_holds_the_truth_about_as_often_as_it_says() -> None:
    """Two reviewers of a known agreement: their interval holds it in most of fifty rounds."""
    held = 0
    for seed in range(50):
        dice = Random(seed)
        truth = [dice.random() < 0.5 for _ in range(150)]
        said = [tuple((name, one != (dice.random() < 0.1)) for name in "ab") for one in truth]
        found = agreed(said, seed)
        assert found.low is not None and found.high is not None
        held += found.low <= 0.64 <= found.high  # 0.82 alike, 0.5 by chance

    assert held >= 43


def test_who_was_unsure_or_settled_it_is_not_compared() -> None:
    """Only independent verdicts of two people tell agreement."""
    one = Label(case="Q1", point="p", answer="h", verdict="stated", reviewer="a")
    labels = [
        one,
        structs.replace(one, reviewer="b", verdict="unsure"),
        structs.replace(one, reviewer="c", settles=True),
    ]

    assert units_of(Labels(labels)) == []
    assert units_of(Labels([*labels, structs.replace(one, reviewer="d", verdict="denied")])) == [
        (("a", True), ("d", False))
    ]
