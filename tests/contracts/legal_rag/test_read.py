"""Answers, structured or plain, into fields, citations and pieces."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragstone.contracts.legal_rag.read import NAMES, is_silent, read
from ragstone.core.types import JSON, Answer, Citation, Reading
from tests.contracts.legal_rag.samples import BARE, case_of, evidence_set, fact, gap
from tests.needs import many

FACT = case_of(fact())
OBJECT = {"answer": "共42000元", "amount": 42000, "citations": [{"file": "笔录.md", "page": 2, "quote": "42000元"}]}


def test_r1_3_an_object_is_read_field_by_field() -> None:
    """R1.3: the object a rag_system.query() returns."""
    reading = read(FACT, Answer(text="共42000元", data=OBJECT))

    assert reading.text == "共42000元"
    assert reading.fields == {"amount": 42000}
    assert reading.citations == (Citation("笔录.md", 2, "42000元"),)


@pytest.mark.parametrize(
    ("text", "rung"),
    [
        ('{"answer": "共42000元", "amount": 42000}', "direct"),
        ('```json\n{"answer": "共42000元", "amount": 42000}\n```', "unfenced"),
        ('<think>想一想24000元</think>{"answer": "共42000元", "amount": 42000}', "direct"),
    ],
)
def test_r1_3_an_object_in_the_text_is_an_object(text: str, rung: str) -> None:
    """A model that writes JSON gives a structured answer, and the rung says how it was found."""
    reading = read(FACT, Answer(text=text))

    assert (reading.text, reading.fields["amount"], reading.rung) == ("共42000元", 42000, rung)


def test_thinking_aloud_is_no_answer() -> None:
    """What stands in <think> is not said."""
    reading = read(FACT, Answer(text="<think>也许24000元？</think>\n42000元"))

    assert (reading.text, reading.tags) == ("42000元", ("think",))


def test_an_answer_that_is_an_object_is_opened() -> None:
    """{"answer": {"amount": …}} states its fields."""
    reading = read(FACT, Answer(data={"answer": {"amount": 42000, "entity": "甲"}}))

    assert reading.fields == {"amount": 42000, "entity": "甲"}
    assert reading.text == "42000\n甲"


@pytest.mark.parametrize(
    ("given_", "citation"),
    [
        ({"citations": [{"page": "2", "quote": "x"}]}, Citation(None, 2, "x")),
        ({"citation": {"page": "第2页", "text": "x"}}, Citation(None, 2, "x")),
        ({"citation": "笔录.md 第2页：“共42000元”"}, Citation("笔录.md", 2, "共42000元")),
        ({"citations": [2]}, Citation(None, 2, None)),
        ({"citations": ["第2页：共42000元"]}, Citation(None, 2, "共42000元")),
        ({"citations": [{"page": "P2", "quote": "x"}]}, Citation(None, 2, "x")),
        ({"citations": ["第2页"]}, Citation(None, 2, None)),
        ({"evidence": [{"page": 2, "content": "x"}]}, Citation(None, 2, "x")),
    ],
)
def test_citations_come_in_many_forms(given_: JSON, citation: Citation) -> None:
    """Pages as numbers or words, citations as objects or sentences."""
    reading = read(FACT, Answer(data={"answer": "共42000元"} | given_))

    assert reading.citations == (citation,)


def test_citations_in_the_text_and_beside_it_are_one() -> None:
    """The same place is not counted twice."""
    answer = Answer(
        text="共42000元（第2页：“42000元”）", citations=(Citation(page=2, quote="42000元"), Citation(page=2))
    )

    assert read(FACT, answer).citations == (Citation(None, 2, "42000元"),)


def test_a_place_without_quote_keeps_its_sentence() -> None:
    """（第2页） behind a sentence speaks of that sentence."""
    reading = read(FACT, Answer(text="他说了话。共给42000元。（第2页）"))

    assert {item["text"] for item in reading.fields["cited"]} >= {"共给42000元。"}


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        (
            "证据如下：\n1. 签了收条（第1页）\n2. 转账三笔（第2页）\n综上，成立。",
            [([1], "签了收条"), ([2], "转账三笔")],
        ),
        ("他签了收条（第1页）。又转账三笔（第2页）。", [([1], "签了收条"), ([2], "转账三笔")]),
        ("他签了收条。（第1页）", [([1], "签了收条")]),
        ("（1）签了收条（第1页）；（2）转账三笔（第2页）。", [([1], "签了收条"), ([2], "转账三笔")]),
    ],
)
def test_a_plain_answer_is_cut_into_pieces(text: str, pieces: list[tuple[list[int], str]]) -> None:
    """List items, or else sentences, each with the pages it names; frame sentences are no evidence."""
    found = read(case_of(evidence_set()), Answer(text=text)).fields["evidence"]

    assert [item["pages"] for item in found] == [pages for pages, _ in pieces]
    assert all(words in item["text"] for item, (_, words) in zip(found, pieces, strict=True))


@pytest.mark.parametrize(
    ("reading", "silent"),
    [
        (Reading(), True),
        (Reading(text=" …。"), True),
        (Reading(fields={"abstained": False}), True),
        (Reading(fields={"evidence": []}), True),
        (Reading(fields={"abstained": True}), False),
        (Reading(fields={"boolean": False}), False),
        (Reading(fields={"count": 0}), False),
        (Reading(text="否"), False),
    ],
)
def test_silence_is_told_from_a_short_answer(reading: Reading, silent: bool) -> None:
    """R1.9: zero and no are answers, nothing is not."""
    assert is_silent(reading) is silent


JSONS = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)
KEYS = st.sampled_from(sorted({*NAMES, "answer", "evidence", "citation", "citations"}))


@settings(max_examples=many(150), deadline=None)
@given(st.text(max_size=40), st.dictionaries(KEYS, JSONS, max_size=5), st.sampled_from([fact(), evidence_set(), gap()]))
def test_whatever_a_system_sends_is_read_and_scored(text: str, data: JSON, question: dict[str, JSON]) -> None:
    """Nothing raises, and no score leaves 0..1."""
    case = case_of(question)
    card = BARE.score(case, BARE.read(case, Answer(text=text, data=data)))

    assert 0.0 <= card.primary_score <= 1.0
    assert all(0.0 <= value <= 1.0 for value in card.sub_scores.values() if value is not None)
