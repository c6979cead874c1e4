"""Questions of one set: no fact twice, and none tells another's answer, however large the set is."""

from time import process_time

import pytest
from msgspec import structs

from ragstone.drafting.clashes import Facts
from ragstone.drafting.draft import Draft, Place, Point


def _draft(question: str, gold: str, quote: str, document: str = "a.md", *, at: int = 0) -> Draft:
    place = Place(document, "0" * 64, 1, at, at + len(quote), quote)
    return Draft(question=question, points=(Point(gold, place),), kind="date", topic="林知微")


BORN = "林知微于1944年出生在云岫城。"
WHEN = _draft("林知微出生在云岫城是在什么时候？", "1944年", BORN)
WHERE = _draft("林知微于1944年出生在哪里？", "云岫城", BORN)
ELSEWHERE = _draft("1944年出生在云岫城的林知微师从谁？", "顾听澜", "林知微师从顾听澜。", "b.md")
SCHOOL = _draft("林知微毕业于哪所学校？", "青禾大学", "林知微毕业于青禾大学。", at=40)


@pytest.mark.parametrize(
    ("one", "other", "clash"),
    [
        (WHEN, WHERE, True),
        (WHEN, WHEN, True),
        (WHEN, ELSEWHERE, True),
        (WHEN, SCHOOL, False),
        (WHEN, structs.replace(SCHOOL, compared=WHEN.points), True),
    ],
)
def test_two_questions_clash_in_both_orders(one: Draft, other: Draft, clash: bool) -> None:
    """One fact again, beside another or in a comparison; an answer that another question tells."""
    for first, second in ((one, other), (other, one)):
        facts = Facts()
        facts.take(first)
        assert facts.clash(second) is clash


def _seconds(count: int) -> float:
    facts, before = Facts(), process_time()
    for at in range(count):
        draft = _draft(
            f"第{at}号码头建成于哪一年？", f"{1000 + at}年", f"第{at}号码头建成于{1000 + at}年。", at=at * 30
        )
        assert not facts.clash(draft)
        facts.take(draft)
    return process_time() - before


@pytest.mark.long
def test_a_set_ten_times_as_large_takes_about_ten_times_as_long() -> None:
    """Each question is compared with those that share a place or a gold, not with all."""
    assert _seconds(3000) < 40 * _seconds(300)
