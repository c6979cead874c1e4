"""Cases asked several times."""

import pytest

from ragstone.statistics.repeats import RepeatTally, pass_at


@pytest.mark.parametrize(
    ("k", "tries", "passed", "value"), [(1, 4, 1, 0.25), (2, 4, 1, 0.5), (4, 4, 1, 1.0), (3, 4, 0, 0.0), (2, 5, 3, 0.9)]
)
def test_pass_at_k_is_the_unbiased_one(k: int, tries: int, passed: int, value: float) -> None:
    """1 - C(n - c, k) / C(n, k)."""
    assert pass_at(k, tries, passed) == pytest.approx(value)


def test_more_than_was_tried_is_refused() -> None:
    """pass@5 cannot be told from three tries."""
    with pytest.raises(ValueError, match="pass@5"):
        pass_at(5, 3, 1)


def _tally(*cases: list[float]) -> RepeatTally:
    tally = RepeatTally()
    for number, scores in enumerate(cases):
        for score in scores:
            tally.add(f"Q{number}", score, score >= 0.5)
    return tally


def test_a_system_that_never_wavers_has_no_share() -> None:
    """All spread lies between the cases."""
    found = _tally([1.0] * 3, [0.0] * 3, [1.0] * 3).summary()

    assert found is not None
    assert (found.system_share, found.spread, found.always, found.never) == (0.0, 0.0, 2, 1)
    assert found.pass_at == {"1": pytest.approx(2 / 3), "2": pytest.approx(2 / 3), "3": pytest.approx(2 / 3)}


def test_a_system_that_only_wavers_has_it_all() -> None:
    """No spread lies between the cases."""
    found = _tally([1.0, 0.0], [0.0, 1.0], [1.0, 0.0]).summary()

    assert found is not None
    assert found.system_share == 1.0
    assert found.pass_at == {"1": 0.5, "2": 1.0}


def test_the_decomposition_by_hand() -> None:
    """One-way random effects on two cases of two answers."""
    found = _tally([0.2, 0.4], [0.8, 1.0]).summary()

    assert found is not None
    assert found.within_variance == pytest.approx(0.02)
    assert found.between_variance == pytest.approx((0.36 - 0.02) / 2)


def test_single_answers_and_uneven_ones() -> None:
    """One answer a case tells nothing; a case cut short lowers the k that can be told."""
    assert _tally([1.0], [0.0]).summary() is None
    assert RepeatTally().summary() is None
    found = _tally([1.0, 0.0, 1.0], [1.0]).summary()
    assert found is not None
    assert found.pass_at.keys() == {"1"}
