"""Limits and old values round a number."""

import pytest

from ragstone.reading.values import number_limits
from ragstone.reading.values.number_limits import NONE, Limit, is_change, is_old, limit_of
from ragstone.reading.values.values import values
from ragstone.text.fold import fold


def _limit(text: str, number: str, kind: str) -> Limit:
    folded = fold(text)
    start = folded.index(fold(number))
    return limit_of(folded, start, start + len(number), kind)


@pytest.mark.parametrize(
    ("text", "number", "kind", "side", "firm"),
    [
        ("票价不到120元", "120元", "number", "high", True),
        ("票價高於120元", "120元", "number", "low", True),
        ("票价120元以上", "120元", "number", "low", True),
        ("不得超过26摄氏度", "26摄氏度", "number", "high", True),
        ("不低于50人", "50人", "number", "low", True),
        ("最高25℃", "25℃", "number", "high", True),
        ("最低内存为16GB", "16GB", "number", "low", False),
        ("18.2 or later", "18.2", "number", "low", True),
        ("no more than 5 devices", "5", "number", "high", True),
        ("at least 8 characters", "8", "number", "low", True),
        ("30天内", "30天", "time", "high", False),
        ("after 30 days", "30 days", "time", "low", False),
        ("at least 30 days in advance", "30 days", "time", "low", False),
        ("5月10日前开始", "5月10日", "date", "high", True),
        ("5月10日前后", "5月10日", "date", "", False),
        ("before May 4", "May 4", "date", "high", True),
        ("票价为120元", "120元", "number", "", False),
    ],
)
def test_limits_are_read(text: str, number: str, kind: str, side: str, firm: bool) -> None:
    """Each limit tells its open side, and whether it changes the value."""
    limit = _limit(text, number, kind)

    assert (limit.side, limit.firm) == (side, firm)


@pytest.mark.parametrize(
    ("own", "other", "admitted"),
    [
        (NONE, NONE, True),
        (NONE, Limit("low", firm=True), False),
        (NONE, Limit("high", firm=False), True),
        (Limit("low", firm=True), NONE, True),
        (Limit("low", firm=True), Limit("low", firm=True), True),
        (Limit("low", firm=False), Limit("high", firm=False), False),
    ],
)
def test_a_limit_is_not_the_value(own: Limit, other: Limit, admitted: bool) -> None:
    """R2.1: a limit where none is asked for, or on the other side, changes the number."""
    assert own.admits(other) is admitted


@pytest.mark.parametrize(
    ("text", "old"),
    [("从42000元调整为24000元", True), ("由42000元降至24000元", True), ("从42000元的年费中扣除", False)],
)
def test_an_old_value_is_told(text: str, old: bool) -> None:
    """What something changed from no longer holds."""
    assert is_old(text, 1, 7) is old


@pytest.mark.parametrize(
    ("text", "old"),
    [
        ("料金は500円から600円に引き上げられた", ["500円"]),
        ("가격이 500원에서 600원으로 인상됐다", ["500원"]),
        ("적립률은 1.0%에서 0.7%로 조정되었다", ["1.0%"]),
        ("会场は500円から選べる", []),
        ("서비스 시간이 9:00에서 10:00까지다", []),
        ("服务时间由 9:00-18:00 延长到 8:00-22:00", ["9:00", "18:00"]),
    ],
)
def test_what_a_change_began_with_is_old(text: str, old: list[str]) -> None:
    """In Japanese and Korean it stands before its sign; a range of hours is old at both ends."""
    assert [one.text for one in values(text) if one.old] == old


def test_a_change_is_no_range() -> None:
    """Raised from 10 to 20 is a change, from 10 to 20 a range."""
    assert is_change("raised from 10 gb to 20 gb", 12)
    assert not is_change("sizes from 10 gb to 20 gb", 11)


@pytest.mark.parametrize("text", ["票价为120元", "the ticket costs 120 yuan", "a film of 90 minutes 3 times"])
def test_most_numbers_are_no_limit(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """They are seen at a glance, and the long pattern is not asked; minutes are no minimum."""
    monkeypatch.setattr(number_limits, "_LIMIT_BEFORE", None)

    assert all(one.limit is NONE for one in values(text))
