"""What libraries say, inside a Chinese sentence."""

import json
import re
import tomllib

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragstone.errors import ConnectError, SettingError
from ragstone.language import fill
from ragstone.problems import in_chinese


@pytest.mark.parametrize(
    "raw", [b'{"a": x}', b'{"a" 1}', b"[1 2]", b'{"a": 1', b"[1]]", b'{"a": "\\q"}', b"{1: 2}", b"[1,]", b"-", b"[01]"]
)
def test_every_broken_json_is_told_in_chinese(raw: bytes) -> None:
    """No English word is left of what the decoder says."""
    with pytest.raises(msgspec.DecodeError) as caught:
        msgspec.json.decode(raw)

    assert not re.search(r"[a-z]{3}", in_chinese(str(caught.value)))


@pytest.mark.parametrize("text", ["x", '{"a" 1}', "[1 2]", "[1]]", '{"a', "{1: 2}"])
def test_the_other_decoder_too(text: str) -> None:
    """The standard library's sentences are known as well."""
    with pytest.raises(json.JSONDecodeError) as caught:
        json.loads(text)

    assert not re.search(r"[a-z]{3}", in_chinese(str(caught.value)))


@pytest.mark.parametrize("text", ["a = ", "a", "a = 1\na = 2", "a = 'x", "a = 1 b = 2", "= 1"])
def test_a_broken_settings_file_is_told_in_chinese(text: str) -> None:
    """So are those of the reader of ragstone.toml."""
    with pytest.raises(tomllib.TOMLDecodeError) as caught:
        tomllib.loads(text)

    assert not re.search(r"[a-z]{3}", in_chinese(str(caught.value)))


@pytest.mark.parametrize(
    ("english", "chinese"),
    [
        ("Invalid enum value 'fr' - at `$.language`", "没有 'fr' 这个值（位于 $.language）"),
        ("Expected `int`, got `str` - at `$.concurrency`", "应为整数，实际为字符串（位于 $.concurrency）"),
        ("expected a number from 1 to 256, or auto", "应为 1 到 256 的整数，或 auto"),
        ("[Errno 13] Permission denied: 'a/b'", "没有权限：'a/b'"),
        ("Input should be a valid integer, unable to parse string as an integer", "应为整数"),
        ("somebody's own words", "somebody's own words"),
    ],
)
def test_known_sentences_are_said_anew(english: str, chinese: str) -> None:
    """The pieces of a sentence are kept; what is not known stays."""
    assert in_chinese(english) == chinese


def test_errors_are_chinese_through_and_through() -> None:
    """The sentence in the middle has the language of the sentence around it."""
    assert "：应写成 种类:参数。" in ConnectError("system.spec", spec="foo", problem="expected kind:argument").say(
        "zh-Hans"
    )
    error = SettingError("engine.spec", engine="process:0", problem="expected a number from 1 to 256, or auto")
    assert "：應為 1 到 256 的整數，或 auto。" in error.say("zh-Hant")
    assert "expected a number from 1 to 256, or auto" in error.say("en")


def test_the_kind_of_an_unknown_name_is_chinese() -> None:
    """Contract, system and engine have their Chinese names."""
    params = {"name": "nope", "known": "a", "group": "g"}

    for kind, word in (("contract", "契约"), ("system", "系统"), ("engine", "引擎")):
        assert f"没有名为 'nope' 的{word}。" in SettingError("name.unknown", kind=kind, **params).say("zh-Hans")


def test_only_places_for_problems_are_said_anew() -> None:
    """An answer that happens to be such a word is left alone."""
    assert (
        fill("{answer} {answer:q}", {"answer": "Permission denied"}, "zh-Hans")
        == "Permission denied 'Permission denied'"
    )


@given(st.text())
def test_any_text_is_fine(text: str) -> None:
    """Nothing raises, and what nobody knows stays."""
    assert isinstance(in_chinese(text), str)
    assert in_chinese(f"《{text}》") == f"《{text}》"
