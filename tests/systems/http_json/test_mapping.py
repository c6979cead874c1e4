"""Reading replies by a mapping: whatever comes, an answer or a word for why not."""

import gc
import sys
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragstone.core.types import Answer
from ragstone.systems.http.streams import Stream
from ragstone.systems.http_json.mapping import CutOff, ReplyMap, Reported
from ragstone.systems.http_json.paths import Missing
from ragstone.systems.http_json.service import Service, presets, read_service

LEAVES = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4)
NAMES = ["answer", "response", "data", "reference", "references", "chunks", "content", "positions", "score", "code"]
NAMES += ["metadata", "usage", "retriever_resources", "page", "responseData", "quoteList", "choices", "message"]
REPLIES = st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(NAMES), inner), max_leaves=25
)
MAPS = [ReplyMap(read_service(name)[0]) for name in presets()]


@settings(deadline=None)
@given(reply=REPLIES, which=st.integers(0, len(MAPS) - 1))
def test_any_reply(reply: Any, which: int) -> None:
    """Any JSON is an answer that survives a round trip, or a reported or missing thing."""
    for read in (MAPS[which].read, lambda value: MAPS[which].read_stream(Stream([value, value]))):
        try:
            answer = read(reply)
        except (Missing, Reported, CutOff) as error:
            assert str(error) or isinstance(error, Reported | CutOff)
            continue
        again = msgspec.json.decode(msgspec.json.encode(answer), type=Answer)
        assert again.text == answer.text
        assert all(context.score is None or context.score == context.score for context in answer.contexts)


def test_first_path_wins() -> None:
    """Of several paths the first that is there counts; the message speaks of the first."""
    mapping = ReplyMap(Service(url="http://h", answer=["a.b", "c"]))

    assert mapping.read({"c": "x"}).text == "x"
    try:
        mapping.read({"d": 1})
    except Missing as error:
        assert (error.path, error.problem) == ("a.b", "at the top the keys are d")


def test_a_reply_without_an_answer_is_let_go_at_once() -> None:
    """An error that was kept would keep the reply until the next collection: eight of 8 MB took 213 MB."""
    reply = {"other": "x"}
    before = sys.getrefcount(reply)
    gc.disable()
    try:
        for read in (MAPS[0].read, lambda value: MAPS[0].read_stream(Stream([value], whole=True))):
            with pytest.raises(Missing):
                read(reply)
        held = sys.getrefcount(reply) - before
    finally:
        gc.enable()

    assert held == 0
