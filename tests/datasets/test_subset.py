"""Tests of drawing a small set that stands for a large one."""

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragstone.core.types import Case, Position
from ragstone.datasets.subset import cut, draw


def _case(number: int, audience: str, topic: str, question: str | None = None) -> Case:
    groups: dict[str, tuple[str, ...]] = {"target_audience": (audience,), "main_topic": (topic,)}
    where = Position("set.json", pointer=f"/{number}")
    return Case(id=f"Q{number + 1}", question=question or f"問題{number}", gold=None, groups=groups, position=where)


def _cases(sizes: dict[tuple[str, str], int]) -> list[Case]:
    names = [name for name, size in sizes.items() for _ in range(size)]
    return [_case(number, *name) for number, name in enumerate(names)]


def test_strata_share_by_size() -> None:
    """Places are shared out by size, and every stratum gets at least one."""
    cases = _cases({("鎮民", "回收"): 60, ("旅客", "渡輪"): 30, ("員工", "請假"): 2})

    subset = draw(cases, 10)

    drawn = {stratum.name: stratum.drawn for stratum in subset.strata}
    assert drawn == {("員工", "請假"): 1, ("旅客", "渡輪"): 3, ("鎮民", "回收"): 6}


def test_same_draw_everywhere() -> None:
    """A draw is fixed to the byte: this one was made once and must never change."""
    subset = draw(_cases({("鎮民", "回收"): 9, ("旅客", "渡輪"): 6}), 5, seed="一")

    assert [case.id for case in subset.cases] == EXPECTED_IDS
    assert subset.fingerprint == EXPECTED_FINGERPRINT


def test_order_of_rows_does_not_matter() -> None:
    """The same cases are drawn when the file is shuffled."""
    cases = _cases({("鎮民", "回收"): 9, ("旅客", "渡輪"): 6})

    there, back = draw(cases, 6), draw(cases[::-1], 6)

    assert {case.id for case in there.cases} == {case.id for case in back.cases}


def test_seed_changes_the_draw() -> None:
    """Another seed draws other cases and has another fingerprint."""
    cases = _cases({("鎮民", "回收"): 200})

    one, other = draw(cases, 20, seed="1"), draw(cases, 20, seed="2")

    assert one.cases != other.cases
    assert one.fingerprint != other.fingerprint


def test_copies_come_last() -> None:
    """A question is drawn twice only when no new one is left."""
    cases = [_case(number, "鎮民", "回收", f"問題{number % 4}") for number in range(40)]

    subset = draw(cases, 5)

    assert len({case.question for case in subset.cases}) == 4
    assert subset.strata[0].distinct == 4


def test_cut_from_array_keeps_bytes() -> None:
    """Rows of a JSON array are cut out byte for byte."""
    data = '\ufeff[{"a": 1.50} , {"b": "二"}\n, {"c":[ ]}]'.encode()
    chosen = [_case(0, "", ""), _case(2, "", "")]

    assert cut(data, chosen) == b'[\n{"a": 1.50},\n{"c":[ ]}\n]\n'


def test_cut_from_lines() -> None:
    """Rows of a JSONL file are cut out by line."""
    case = Case(id="Q2", question="", gold=None, position=Position("a.jsonl", line=2))

    assert cut(b'{"q":1}\r\n{"q":2}\r\n', [case]) == b'{"q":2}\n'


@given(st.lists(st.integers(0, 5), max_size=60), st.integers(0, 70), st.text(max_size=5))
@settings(deadline=None)
def test_draw_has_the_size_asked_for(topics: list[int], size: int, seed: str) -> None:
    """Any draw has as many cases as asked for, or all, each once and in file order."""
    cases = [_case(number, "鎮民", str(topic)) for number, topic in enumerate(topics)]

    subset = draw(cases, size, seed=seed)

    places = [cases.index(case) for case in subset.cases]
    assert places == sorted(set(places))
    assert len(places) == min(size, len(cases))
    assert sum(stratum.drawn for stratum in subset.strata) == len(places)


@pytest.mark.parametrize("size", [1, 2, 3])
def test_few_places_go_to_the_largest(size: int) -> None:
    """With fewer places than strata the largest strata are served first."""
    cases = _cases({("a", "x"): 1, ("b", "x"): 3, ("c", "x"): 2})

    drawn = Counter(case.groups["target_audience"][0] for case in draw(cases, size).cases)

    assert drawn == Counter("bca"[:size])


EXPECTED_IDS = ["Q1", "Q6", "Q8", "Q12", "Q15"]
EXPECTED_FINGERPRINT = "35dd0ef544ec3a45a1fa9410972b84faca1801d7d8a7c6c640cd14a9784570cc"
