"""Tokens keep Latin words and numbers whole and split CJK writing."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragstone.text.tokens import has_cjk, keywords, search_tokens, tokens

DATA = Path(__file__).parent.parent / "data/rouge.jsonl"
# Latin-only rows are cut by another tokenizer there.
ROWS = [row for row in map(json.loads, DATA.read_text("utf-8").splitlines()) if has_cjk(row["ref"])]
quick = settings(deadline=None)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["id"])
def test_labelled_texts(row: dict[str, Any]) -> None:
    """Each labelled text has the tokens written down for it."""
    assert tokens(row["ref"]) == row["ref_tokens"]
    assert tokens(row["hyp"]) == row["hyp_tokens"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("U.S. GDP rose 2.5%", ["u", "s", "gdp", "rose", "2.5"]),
        ("1,2 and 12,345.6", ["1", "2", "and", "12345.6"]),
        ("cafe\u0301", ["café"]),
        ("soft\u00adware", ["software"]),
        ("３Ｄ打印", ["3d", "打", "印"]),
        ("", []),
    ],
)
def test_tokens_by_example(text: str, expected: list[str]) -> None:
    """Numbers, accents, soft hyphens and width."""
    assert tokens(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Apple發布iPhone15與AI", ["apple", "發布", "iphone15"]),
        ("梵語的梵語", ["梵語", "語的", "的梵"]),
        ("甲 乙丙", ["乙丙"]),
        ("GPU gpu a_bcd", ["gpu", "bcd"]),
        ("12 123", ["123"]),
        ("", []),
    ],
)
def test_keywords_by_ruling(text: str, expected: list[str]) -> None:
    """Ruling R4.2: tokens of three, bigrams of Han runs, in order, once each, nothing folded."""
    assert keywords(text) == expected


def test_search_tokens_find_two_character_words() -> None:
    """A two-character word in the query is a token of the text."""
    found = search_tokens("承諾退款 LightRAG v2")

    assert set(search_tokens("退款")) <= set(found)
    assert {"承诺", "lightrag", "v2"} <= set(found)
    assert "诺退" in found


@quick
@given(st.text())
def test_nothing_raises(text: str) -> None:
    """Every string has tokens, keywords and search tokens."""
    assert all(tokens(text))
    assert len(set(keywords(text))) == len(keywords(text))
    assert all(search_tokens(text))
