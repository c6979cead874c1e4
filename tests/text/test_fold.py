"""Folding gives one form to every way of writing a character and keeps offsets where it promises to."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragstone.text.fold import bare, bare_with_offsets, fold, key, same, squeeze, squeeze_with_offsets

DATA = Path(__file__).parent.parent / "data/fold.jsonl"
ROWS = [json.loads(line) for line in DATA.read_text("utf-8").splitlines()]
quick = settings(deadline=None)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["id"])
def test_labelled_pairs(row: dict[str, Any]) -> None:
    """Every labelled pair is the same writing, or is not."""
    assert same(row["a"], row["b"]) is row["same"]


@quick
@given(st.text())
def test_fold_keeps_length_and_is_idempotent(text: str) -> None:
    """Folding twice is folding once, and no character is lost or won."""
    folded = fold(text)

    assert len(folded) == len(text)
    assert fold(folded) == folded


def test_fold_every_character_is_idempotent() -> None:
    """The whole of Unicode folds one to one."""
    everything = "".join(map(chr, range(0x110000)))
    folded = fold(everything)

    assert len(folded) == len(everything)
    assert fold(folded) == folded


@quick
@given(st.text(alphabet=st.sampled_from("Ａ臺 ，。\u200b\ufeff1.5-「x\n"), max_size=30))
def test_offsets_lead_back(text: str) -> None:
    """Each squeezed or bare character folds from the character its offset names."""
    folded = fold(text)
    for placed in (squeeze_with_offsets(text), bare_with_offsets(text)):
        assert placed.text == "".join(folded[offset] for offset in placed.offsets)
    assert squeeze_with_offsets(text).text == squeeze(text)
    assert bare_with_offsets(text).text == bare(text)


@quick
@given(st.text())
def test_reductions_never_raise(text: str) -> None:
    """Any string can be squeezed, bared and keyed, and squeezing is idempotent."""
    assert squeeze(squeeze(text)) == squeeze(text)
    assert isinstance(bare(text) + key(text), str)


def test_span_marks_the_original() -> None:
    """A span found in squeezed text leads back to the original, white space included."""
    text = "承 諾\n退款"
    placed = squeeze_with_offsets(text)

    assert placed.text == "承诺退款"
    assert placed.span(0, 2) == (0, 3)
    assert placed.span(4, 4) == (6, 6)
    assert squeeze_with_offsets("").span(0, 0) == (0, 0)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ａ臺灣，", "a台湾,"),
        ("⺠事", "民事"),
        ("x²", "x²"),
        ("ﾃｽﾄ", "ﾃｽﾄ"),
        ("“好”「好」", '"好""好"'),
        ("a—b–c−d", "a-b-c-d"),
        ("İ", "İ"),
        ("①", "①"),
    ],
)
def test_fold_examples(text: str, expected: str) -> None:
    """Folding by example."""
    assert fold(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("「12.5」萬，", "12.5万"),
        ("1,200和1,20", "1200和1,20"),
        ("1-3 條。", "1-3条"),
        ("C++、C#", "c++c#"),
        ("（甲）", "甲"),
        ("30%。", "30%"),
    ],
)
def test_bare_keeps_numbers_whole(text: str, expected: str) -> None:
    """Punctuation goes, except inside a number and where it is a sign."""
    assert bare(text) == expected
