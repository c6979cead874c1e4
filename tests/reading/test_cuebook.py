"""Cue words: every category is known, and the small pattern language does what its page says."""

import re
import tomllib
from importlib import resources

import pytest

from ragstone.reading import cuebook
from ragstone.text.fold import fold

FILES = tuple(f"{name}.toml" for name in cuebook.LANGUAGES)


@pytest.mark.parametrize("name", FILES)
def test_every_category_of_a_language_is_one_the_reader_knows(name: str) -> None:
    """A misspelt category would be data that nobody reads."""
    written = resources.files("ragstone.reading").joinpath("cues", name).read_text("utf-8")
    known = cuebook.ALL | cuebook.LISTED

    assert set(tomllib.loads(written)) <= known


def test_every_word_of_the_files_is_read() -> None:
    """The files are TOML, though only what is used of it is read."""
    found: dict[str, set[str]] = {}
    for name in FILES:
        written = resources.files("ragstone.reading").joinpath("cues", name).read_text("utf-8")
        for kind, words in tomllib.loads(written).items():
            found.setdefault(kind, set()).update(cuebook.entries(words))

    assert {kind: cuebook.tables()[kind] for kind in found} == found
    assert set(found) == cuebook.ALL | cuebook.LISTED


def test_only_english_has_cues_in_ascii() -> None:
    """A text of nothing but ASCII is read with the English cues alone."""
    for kind in cuebook.ALL:
        alone = set(cuebook.tables().english(kind))
        others = cuebook.tables()[kind] - alone
        assert not [word for word in others if re.split("[~*!]", word)[0].isascii()], kind


def test_a_text_of_ascii_has_the_same_cues_in_any_company() -> None:
    """Words that cannot be in a text are left out, which changes nothing."""
    for text in ("nobody can tell, unless it isn't closed on mondays; from 5 to 7 dollars", "it may be 3 times 3"):
        assert cuebook.find(text, cuebook.ALL) == cuebook.find(f"{text} \u2603", cuebook.ALL)


@pytest.mark.parametrize(
    ("text", "kind", "found"),
    [
        ("目前不支持", "denial", True),
        ("不仅支持", "negation", False),
        ("they acquired it", "direction", True),
        ("a notable thing", "negation", False),
        ("it isn't there", "negation", True),
        ("从100元调整为200元", "former_between", True),
        ("从一百公里以外的地方一路向北走到了很远很远的山里再调整", "former_between", False),
        ("会议不在周三", "negation", True),
        ("也许支持", "guess", True),
        ("不在北京", "negation", True),
    ],
)
def test_cues_are_found_as_whole_words_and_with_their_gaps(text: str, kind: str, found: bool) -> None:
    """Latin cues are whole words, a gap has a length, and a longer word that is no cue hides the shorter one."""
    assert any(kind in hit.kinds for hit in cuebook.find(fold(text))) is found


def test_the_words_inside_the_first_part_of_a_gap_count_on_their_own() -> None:
    """我不能~6~提供 hides neither 我 nor 不能 where nothing is provided."""
    hits = cuebook.find(fold("我不能诊断"), cuebook.ALL)

    assert [(hit.start, hit.end) for hit in hits if hit.kinds & {"self", "cannot"}] == [(0, 1), (1, 3)]


def test_no_word_is_written_twice_in_one_category() -> None:
    """What stands twice was added without looking."""
    for name in FILES:
        written = resources.files("ragstone.reading").joinpath("cues", name).read_text("utf-8")
        for kind, words in tomllib.loads(written).items():
            entries = [part.strip() for part in words.split(";")]
            assert len(entries) == len(set(entries)), (name, kind)
