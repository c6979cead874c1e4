"""The path language: small, exact, and helpful when nothing is there."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragstone.core.errors import ConnectError
from ragstone.systems.http_json.paths import Missing, Path

REPLY: dict[str, Any] = {
    "data": {"answer": "甲", "empty": None, "odd.key": {"x": 1}},
    "choices": [{"message": {"content": "乙"}}, {"message": {"content": "丙"}}],
    "docs": [{"name": "a", "quotes": [1, 2]}, {"other": 1}, {"name": "b", "quotes": [3]}],
    "none": None,
    "list": [],
}


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("data.answer", "甲"),
        ("choices[0].message.content", "乙"),
        ("choices[-1].message.content", "丙"),
        ("docs[*].name", ["a", "b"]),
        ("docs[*].quotes[*]", [1, 2, 3]),
        ('data["odd.key"].x', 1),
        ("['data'].answer", "甲"),
        ("data.empty", None),
        ("none[*].x", []),
        ("list[*].name", []),
        ("docs[*]", REPLY["docs"]),
    ],
)
def test_found(path: str, value: Any) -> None:
    """Keys, places and every item lead where they say."""
    assert Path(path).one(REPLY) == value


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("answer", "at the top the keys are data, choices, docs, none, list"),
        ("data.reply", "at 'data' the keys are answer, empty, odd.key"),
        ("choices[7].message", "at 'choices' is a list of 2"),
        ("data.answer.text", "at 'data.answer' is text"),
        ("docs[*].title", "at 'docs[*]' the keys are name, quotes"),
        ("none.x", "at 'none' is null"),
        ("data[*]", "at 'data' the keys are"),
        ("docs.name", "at 'docs' is a list of 3"),
    ],
)
def test_missing(path: str, said: str) -> None:
    """What is not there is reported with what was."""
    with pytest.raises(Missing) as caught:
        Path(path).one(REPLY)

    assert caught.value.path == path
    assert said in caught.value.problem


@pytest.mark.parametrize("path", ["", ".a", "a..b", "a[", "a[x]", "a b", "a[1", "$.a", "a[*", "a]"])
def test_refused(path: str) -> None:
    """A path that is not understood is refused when it is read, not when it is used."""
    if path == "$.a":
        assert Path(path).steps == ("$", "a")
        return
    with pytest.raises(ConnectError):
        Path(path)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abc"), inner, max_size=3),
    max_leaves=12,
)


@settings(deadline=None)
@given(reply=JSON, path=st.sampled_from(["a", "a.b", "a[0].b", "a[*].b", "[*]", "[0][*].a", "a[*].b[*].c"]))
def test_never_anything_but_missing(reply: Any, path: str) -> None:
    """Whatever the reply, a path finds something or says what was there."""
    try:
        Path(path).one(reply)
    except Missing as error:
        assert error.problem


@settings(deadline=None)
@given(text=st.text(max_size=40))
def test_reading_a_path_never_breaks(text: str) -> None:
    """Any text is a path or refused."""
    try:
        assert Path(text).steps
    except ConnectError as error:
        assert "path" in str(error)
