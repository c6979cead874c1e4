"""Filling a JSON tree: values go in whole, and nothing can break out of its place."""

from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragstone.core.errors import ConnectError
from ragstone.systems.http_json.template import compile_template

KNOWN = {"question", "top_k", "mode", "messages"}
VALUES: dict[str, Any] = {"question": "几点?", "top_k": 5, "mode": None, "messages": [{"role": "user"}]}


@pytest.mark.parametrize(
    ("tree", "filled"),
    [
        ("{{question}}", "几点?"),
        ({"q": "问: {{ question }}!", "k": "{{top_k}}"}, {"q": "问: 几点?!", "k": 5}),
        ({"m": "{{mode}}", "n": "x{{mode}}", "l": ["{{mode}}", 1]}, {"n": "x", "l": [1]}),
        ({"messages": "{{messages}}"}, {"messages": [{"role": "user"}]}),
        ({"text": "{{messages}} {{top_k}}"}, {"text": '[{"role":"user"}] 5'}),
        ({"a": None, "b": True, "c": 1.5, "d": "{question}", "e": "{{}}"}, None),
        (None, None),
    ],
)
def test_fill(tree: Any, filled: Any) -> None:
    """A place of its own takes the value as it is; within a text it takes the value's text."""
    assert compile_template(tree, KNOWN, "f")(VALUES) == (tree if filled is None else filled)


def test_unknown_place() -> None:
    """A place nobody fills is refused when the file is read, with those there are."""
    with pytest.raises(ConnectError, match=r"s\.yaml.*\{\{quest\}\}.*question"):
        compile_template({"q": ["{{quest}}"]}, KNOWN, "s.yaml")


@settings(deadline=None)
@given(question=st.text(st.characters(exclude_categories=["Cs"])))
def test_nothing_breaks_out(question: str) -> None:
    """Whatever the question, the JSON that is sent holds it and nothing else."""
    fill = compile_template({"q": "{{question}}", "r": "<{{question}}>"}, {"question"}, "f")

    sent = msgspec.json.decode(msgspec.json.encode(fill({"question": question})))

    assert sent == {"q": question, "r": f"<{question}>"}
