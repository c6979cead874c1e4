"""Names that stand for the person."""

import pytest

from ragstone.reading.values.persons import is_whole


@pytest.mark.parametrize(
    ("text", "name", "whole"),
    [
        ("由赵磊负责", "赵磊", True),
        ("由赵磊明负责", "赵磊", False),
        ("由周敏敏负责", "周敏", False),
        ("赵磊明天负责", "赵磊", True),
        ("赵磊的助理", "赵磊", False),
        ("赵磊的签名", "赵磊", True),
        ("nora pell's manager", "nora pell", False),
        ("nora pell's signature", "nora pell", True),
    ],
)
def test_a_name_is_whole_or_not(text: str, name: str, whole: bool) -> None:
    """A longer name and somebody else's assistant are other persons."""
    start = text.index(name)

    assert is_whole(text, start, start + len(name)) is whole
