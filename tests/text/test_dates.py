"""Dates in running text."""

from datetime import date

import pytest

from ragstone.text.dates import find_dates


@pytest.mark.parametrize(
    "text",
    [
        "2020年8月30日",
        "二〇二〇年八月三十日",
        "2020/8/30",
        "20200830",
        "民國109年8月30日",
        "Aug 30, 2020",
        "30th of August 2020",
    ],
)
def test_dresses_of_one_day(text: str) -> None:
    """One day in many dresses reads as one day."""
    (found,) = find_dates(text)

    assert (found.first, found.last, found.ambiguous) == (date(2020, 8, 30), date(2020, 8, 30), False)


def test_year_unknown() -> None:
    """A day without a year and without a base has no date and says why."""
    (found,) = find_dates("8月30日")

    assert (found.first, found.month, found.day, found.reason) == (None, 8, 30, "no_year")
