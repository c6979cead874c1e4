"""The quick look for signs of a citation never overlooks one."""

import json
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from ragstone.reading.citations import find as citations
from ragstone.reading.citations.marks import find_marks, half_width, names_any
from tests.needs import many

ROWS = [json.loads(line) for line in Path("tests/data/citations.jsonl").read_text("utf-8").splitlines()]
PIECES = st.sampled_from(
    [*"《》“”「」\"'.pP页頁[]【】\\/_ \n0123中a第", "page ", "pp.", "第3页", "a.md", "https://h", "手册"]
)


@settings(max_examples=many(300), deadline=None)
@given(text=st.lists(PIECES, max_size=12).map("".join))
def test_no_mark_without_a_sign(text: str) -> None:
    """Whatever holds a mark holds a sign of one."""
    plain, known = half_width(text), ("手册.md",)

    quick = citations._SIGN.search(plain) is None and not names_any(plain, known)

    assert not quick or not find_marks(plain, known)


def test_labelled_rows_hold_signs() -> None:
    """Every labelled text with a citation is looked at closely."""
    for row in ROWS:
        if row["expected"]:
            plain = half_width(row["text"])
            assert citations._SIGN.search(plain) or names_any(plain, row.get("known", ())), row["text"]
