"""Numbers, dates and times of day as Japanese and Korean write them."""

import pytest

from ragstone.reading.values.values import values


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("하루 세 번", "1일 3회", True),
        ("다섯 권", "5권", True),
        ("열두 명", "12명", True),
        ("4만 5천 원", "45,000원", True),
        ("3천만 원", "30,000,000원", True),
        ("1억 2천만 원", "120,000,000원", True),
        ("매월 5일", "매달 5일", True),
        ("10퍼센트", "10%", True),
        ("6개월", "반년", True),
        ("오전 5시 40분", "아침 다섯 시 사십 분", True),
        ("2024년 3월 5일", "2024년 3월 6일", False),
        ("두 번", "두 권", False),
        ("契約は2年間", "契約は24か月です", True),
        ("二時間半の上映", "150分間の上映です", True),
        ("3割引き", "30%引きです", True),
        ("午後3時に開く", "15:00に開く", True),
        ("午後3時に開く", "午後4時に開く", False),
        ("两升半", "2.5升", True),
        ("可借两本", "可续借两次", False),
    ],
)
def test_values_meet_in_any_writing(one: str, other: str, same: bool) -> None:
    """The same amount is found in digits and in words; another amount or another unit is not."""
    assert any(a.equals(b) for a in values(one) for b in values(other)) is same
