"""Tests of putting retrieved pieces into a request."""

from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import structs

from ragstone.contracts.eval_json_v2.request import NONE, SLOT, load_prompt, render
from ragstone.core.types import Context, Request
from ragstone.systems.context_slot import anchor_candidates, fill_contexts
from tests.contracts.eval_json_v2.samples import CONTEXTS, make_case


def _request(question: str = "幾次？") -> Request:
    return render(load_prompt(), structs.replace(make_case(), question=question), ("鎮民",), ("借閱",))


def test_pieces_stand_in_the_slot() -> None:
    """Each piece is shown with source_path, page, anchors and its text, and the instructions are gone."""
    filled = fill_contexts(_request(), CONTEXTS)

    content = filled.messages[-1].content
    assert "[2] source_path: loans.md｜頁碼: 1｜錨點: " in content
    assert CONTEXTS[1].text in content
    assert SLOT not in content
    assert "prompt" not in filled.params


def test_nothing_retrieved_is_said() -> None:
    """Without pieces the prompt says that there are none."""
    assert NONE in fill_contexts(_request(), ()).messages[-1].content


def test_slot_in_the_question_stays() -> None:
    """A question that looks like the slot is asked as it stands, and a piece cannot open another place."""
    filled = fill_contexts(_request(f"{SLOT} {{text}} 是什麼？"), (Context("a.md", 1, "{{question}} {text}"),))

    content = filled.messages[-1].content
    assert content.endswith(f"問題：{SLOT} {{text}} 是什麼？")
    assert "{{question}} {text}" in content


def test_request_of_another_contract_passes_through() -> None:
    """A request without a slot is left as it is."""
    request = Request(id="Q1", question="幾次？", params={"temperature": 0})

    assert fill_contexts(request, CONTEXTS) == request


@given(st.text(max_size=200))
@settings(deadline=None)
def test_candidates_stand_in_the_text(text: str) -> None:
    """Every candidate is found in the text word for word, once in the list."""
    found = anchor_candidates(text)

    assert all(anchor in text for anchor in found)
    assert len(found) == len(set(found)) <= 6
