"""Which end of a transfer a name stands at."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragstone.contracts.legal_rag.transfers import asked_end, at_other_end
from ragstone.text.fold import fold

GIVER = "钱是谁转的？"
ACCOUNT = "钱进了谁的账户？"


@pytest.mark.parametrize(
    ("question", "end"),
    [
        (GIVER, "source"),
        ("谁把定金汇给了中介？", "source"),
        ("钱从谁的账户转出？", "source"),
        ("Who sent the deposit?", "source"),
        (ACCOUNT, "target"),
        ("货款付给了谁？", "target"),
        ("Into whose account did it go?", "target"),
        ("介绍人是谁？", ""),
        ("一共多少钱？", ""),
    ],
)
def test_a_question_asks_for_one_end(question: str, end: str) -> None:
    """The giver, the one it went to, or neither."""
    assert asked_end(question) == end


@pytest.mark.parametrize(
    ("question", "text", "other"),
    [
        (GIVER, "是周岩转的", False),
        (GIVER, "是林晓舟转给周岩的", True),
        (GIVER, "再由周岩退还", True),
        (GIVER, "交给周岩转给林晓舟", False),
        (ACCOUNT, "进了周岩的账户", False),
        (ACCOUNT, "从林晓舟的账户转入了周岩的账户", False),
        (ACCOUNT, "从周岩的账户转入了林晓舟的账户", True),
        (ACCOUNT, "周岩账户汇出", True),
        ("介绍人是谁？", "从周岩的账户转出", False),
    ],
)
def test_a_name_at_the_other_end_is_no_answer(question: str, text: str, other: bool) -> None:
    """The words before and behind a name say where the money went."""
    at = text.index("周岩")

    assert at_other_end(fold(text), at, at + 2, question) is other


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=40), st.integers(0, 40))
def test_any_text_is_read(text: str, at: int) -> None:
    """No string breaks the reading."""
    assert at_other_end(fold(text), at, at + 2, ACCOUNT) in (True, False)
