"""The closed set of words for failures."""

from typing import Any

import pytest

from ragstone.core.errors import BudgetSpent
from ragstone.core.messages import codes, message
from ragstone.core.types import Failure
from ragstone.systems.failures import KINDS, Postponed, fail, is_down, may_pass


def test_content_filter_and_mapping_are_not_retried() -> None:
    """A filter, a wrong path or a page of HTML will not change by asking again."""
    stays = {"content_filtered", "missing_path", "html_page", "not_json", "empty_choices", "too_large", "tls"}

    assert [kind for kind in stays if may_pass(Failure(kind))] == []
    assert [kind for kind in stays if is_down(Failure(kind))] == []


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_has_a_sentence(kind: Any) -> None:
    """No failure shows its bare code."""
    failure = fail(kind, where="http://h", problem="p", host="h", seconds="1", limit=1, what="calls", spent=1, keys="k")

    assert failure.kind == kind
    assert " " in failure.message and not failure.message.startswith("ask.")


def test_every_sentence_is_there_in_chinese() -> None:
    """What is said of asking is said in both languages, with the same places to fill."""
    for code in sorted(code for code in codes() if code.startswith(("ask.", "notice."))):
        text = message(code)
        places = [
            sorted({part.split("}")[0].split(":")[0] for part in said.split("{")[1:]}) for said in (text.en, text.hans)
        ]
        assert text.hans != text.en and places[0] == places[1], code


def test_statuses_have_their_own_sentence() -> None:
    """A status with a known remedy says it; others speak for their family."""
    assert "key" in fail("http_4xx", "401", where="http://h", problem="p").message
    assert "418" in fail("http_4xx", "418", where="http://h", problem="p").message
    assert isinstance(fail("rate_limited", "429", 2.0, where="http://h", problem="p"), Postponed)


def test_a_failure_speaks_the_readers_language() -> None:
    """The sentence is kept as a code with its values, so that a Chinese report is Chinese throughout."""
    failure = fail("http_5xx", "503", where="http://127.0.0.1/v1", problem="busy")
    spent = BudgetSpent("outage", 1, 2, code="ask.circuit_open", params={"seconds": 2, "problem": failure})

    assert "服务出错：busy" in failure.say("zh-Hans")
    assert failure.say("en") == failure.message
    assert "服务出错：busy。请查看其日志，或稍后再试。请恢复服务" in spent.say("zh-Hans")
    assert ".." not in str(spent)
