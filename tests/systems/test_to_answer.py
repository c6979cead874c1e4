"""What a system's owner hands over, into an Answer."""

from dataclasses import dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragstone.core.types import JSON, Answer, Citation, Context, Usage
from ragstone.systems.to_answer import from_parts, to_answer
from tests.needs import many


@dataclass
class Handmade:
    """A user's own result type."""

    answer: str
    citations: list[str]


def test_text_objects_and_answers_are_understood() -> None:
    """Whatever shape a system's reply has, the text is found."""
    assert to_answer("x").text == "x"
    assert to_answer({"answer": "x", "amount": 3}).data == {"answer": "x", "amount": 3}
    assert to_answer(Handmade("x", ["a.md"])).citations == (Citation("a.md"),)
    assert to_answer(Answer(text="x")) == Answer(text="x")
    assert to_answer([1, 2]).data == [1, 2]


def test_contexts_and_citations_of_common_frameworks_are_read() -> None:
    """Names differ between frameworks; file, page, text and score are found."""
    row = {
        "contexts": [
            {"page_content": "t", "metadata": {"source": "a.md", "page": 2}},
            "bare",
            {"content": "c", "score": 1},
        ],
        "citations": [{"file": "a.md", "page": "3", "quote": "q"}, "b.md"],
        "usage": {"prompt_tokens": 1, "completion_tokens": 2},
    }

    answer = from_parts("x", row)

    assert answer.contexts == (Context("a.md", 2, "t"), Context(text="bare"), Context(text="c", score=1.0))
    assert answer.citations == (Citation("a.md", 3, "q"), Citation("b.md"))
    assert answer.usage == Usage(1, 2, 3)


@pytest.mark.parametrize("value", [None, 3, object(), {1, 2}])
def test_what_is_no_answer_is_a_failure(value: object) -> None:
    """None and foreign things say what was expected."""
    failure = to_answer(value).failure

    assert failure is not None or isinstance(value, set)
    assert failure is None or "expected text" in failure.message


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@settings(max_examples=many(200), deadline=None)
@given(
    st.dictionaries(st.sampled_from(["contexts", "citations", "usage", "error", "latency_ms", "cost"]), _JSON), _JSON
)
def test_no_row_makes_it_raise(row: dict[str, object], output: object) -> None:
    """Whatever a recording holds, an answer comes out."""
    assert isinstance(from_parts(output, row), Answer)


def test_a_recorded_object_is_read_like_a_live_reply() -> None:
    """References inside the output count; what is called a source is cited, and one with text was retrieved, too."""
    output = {"answer": "九点", "citations": [{"file": "a.md", "page": 2}], "contexts": ["原文"]}
    sources = {"answer": "x", "sources": ["b.md", {"file": "c.md", "text": "piece"}]}

    recorded, mixed = from_parts(output, {"id": "Q1", "output": output}), from_parts(sources, sources)

    assert recorded.text == "九点" and recorded.citations[0].page == 2 and recorded.contexts[0].text == "原文"
    assert [one.file for one in mixed.citations] == ["b.md", "c.md"]
    assert [one.source_path for one in mixed.contexts] == ["c.md"]


@pytest.mark.parametrize(
    "reference",
    [
        "pool.md",
        {"document_name": "pool.md"},
        {"doc_name": "pool.md", "content": "opens at 7"},
        {"page_content": "opens at 7", "metadata": {"source": "pool.md"}},
        {"filename": "pool.md"},
        {"title": "The pool", "url": "pool.md"},
    ],
)
@pytest.mark.parametrize("name", ["citations", "references", "sources"])
def test_references_are_found_under_the_names_services_use(name: str, reference: JSON) -> None:
    """A right citation must not count for nothing because of a field's name."""
    assert [one.file for one in to_answer({"answer": "x", name: [reference]}).citations] == ["pool.md"]
