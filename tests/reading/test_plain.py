"""A plain part of a text is in no mood, whoever wrote it."""

import json
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragstone.reading import negation
from ragstone.reading.plain import BLOCK, PlainParts, is_plain
from ragstone.text.fold import fold

CUES = [
    cue
    for name in ("_NEGATOR", "_NON", "_DISMISSED", "_DENIED_BEFORE", "_CANNOT_DO", "_ASKED", "_SUPPOSED", "_GUESSED")
    if (cue := getattr(negation, name))
]
ANSWERS = [
    fold(row["answer"])
    for name in ("mention", "refusals")
    for row in map(json.loads, Path(f"tests/data/{name}.jsonl").read_text("utf-8").splitlines())
]
FRAGMENTS = sorted({part for cue in CUES for part in re.findall(r"[\u4e00-\u9fff]+|[a-z']+", cue.pattern)})


@pytest.mark.parametrize("cue", CUES)
def test_every_labelled_cue_holds_a_sign(cue: re.Pattern[str]) -> None:
    """What a cue finds in real answers is never plain."""
    for answer in ANSWERS:
        for found in cue.finditer(answer):
            assert not is_plain(answer[max(0, found.start() - BLOCK) : found.end() + BLOCK]), found[0]


@settings(max_examples=500, deadline=None)
@given(parts=st.lists(st.sampled_from([*FRAGMENTS, ",", ".", " ", "它", "是", "the ", "is "]), max_size=8))
def test_no_cue_in_plain_text(parts: list[str]) -> None:
    """Whatever is put together from the words of the cues: a plain text holds no cue."""
    text = "".join(parts)

    assert not is_plain(text) or not any(cue.search(text) for cue in CUES)


def test_parts() -> None:
    """Far from a sign a long text is plain, near it and in a text that asks it is not."""
    text = "该合同有效." * 200 + "不" + "该合同有效." * 200

    parts = PlainParts(text)

    assert 0 in parts and len(text) - 1 in parts and text.index("不") + 40 not in parts
    assert 0 not in PlainParts(text + "?")
