"""The rules a contract keeps, as functions any test can call; plug-in authors may use them too."""

import math

from ragstone.core.interfaces import Contract
from ragstone.core.language import LANGS
from ragstone.core.types import Answer, Case, Result
from ragstone.datasets.check import load_cases
from ragstone.runs.pipeline import Frame, Unit, judge
from ragstone.runs.store.codec import decoder, encode

FRAME = Frame(run_id="r", lang="zh-Hans", model_ids=("m",))
HOSTILE = (
    "",
    " ",
    "{",
    "[]",
    "null",
    "<think>",
    "```json\n{}\n```",
    "\ud800",
    "\x00",
    "是",
    "42",
    "無",
    "I don't know",
)


def results(contract: Contract, answer_of: "dict[str, Answer] | None" = None, text: str | None = None) -> list[Result]:
    """Judge every case: with its perfect answer, or with one text for all."""
    out = []
    for number, case in enumerate(load_cases(contract)):
        answer = contract.model_answer(case) if text is None else Answer(text=text)
        out.append(judge(contract, Unit(number, case), answer, FRAME))
    assert out
    return out


def check_gold_scores_full_marks(contract: Contract) -> None:
    """A perfect answer is worth 1 and passes."""
    for result in results(contract):
        assert result.error_type is None, result
        assert result.scorecard.primary_score == 1.0, (result.sample_id, result.scorecard)
        assert result.scorecard.passed


def check_silence_scores_zero(contract: Contract) -> None:
    """An empty answer earns nothing in any part."""
    for result in results(contract, text=""):
        card = result.scorecard
        assert card.primary_score == 0.0, (result.sample_id, card)
        assert not card.passed
        kinds = {spec.name: spec.kind for spec in contract.metrics}
        assert all(not value for name, value in card.sub_scores.items() if kinds[name] != "error"), card.sub_scores


def check_scores_stay_in_range(contract: Contract) -> None:
    """Whatever an answer says, no number leaves its range, every declared metric is there, and a reason is given."""
    names = {spec.name for spec in contract.metrics}
    tops = {spec.name: {"points": 100.0, "error": math.inf}.get(spec.kind, 1.0) for spec in contract.metrics}
    for text in HOSTILE:
        for result in results(contract, text=text):
            card = result.scorecard
            assert result.error_type in {None, "unparsed"}, result
            assert 0.0 <= card.primary_score <= 1.0
            assert card.sub_scores.keys() <= names
            values = [(name, value) for name, value in card.sub_scores.items() if value is not None]
            assert all(math.isfinite(value) and 0.0 <= value <= tops[name] for name, value in values), card.sub_scores
            assert card.explain


def check_results_survive_json(contract: Contract) -> None:
    """A row read back from results.jsonl is the row that was written."""
    read = decoder(Result)
    for result in [*results(contract), *results(contract, text="\ud800\x00")]:
        assert read(encode(result)) == result


def check_reasons_are_said_in_every_language(contract: Contract) -> None:
    """No verdict shows a bare code."""
    from ragstone.core.messages import codes  # noqa: PLC0415 - only here

    known = {*contract.phrases, *(code.removesuffix(".note") for code in contract.phrases), *codes()}
    for text in (None, "", "无关的回答"):
        for result in results(contract, text=text):
            assert all(reason.code in known for reason in result.scorecard.reasons), result.scorecard.reasons
    for lang in LANGS:
        assert all(phrase.say(lang) for phrase in contract.phrases.values())
        assert all(spec.label.say(lang) for spec in contract.metrics)


def check_requests_are_stable(contract: Contract) -> None:
    """The same case asks the same thing, under its own id."""
    cases = list(load_cases(contract))
    assert [case.id for case in cases] == [case.id for case in load_cases(contract)]
    for case in cases:
        assert isinstance(case, Case)
        assert contract.request(case) == contract.request(case)
        assert contract.request(case).id == case.id


RULES = (
    check_gold_scores_full_marks,
    check_silence_scores_zero,
    check_scores_stay_in_range,
    check_results_survive_json,
    check_reasons_are_said_in_every_language,
    check_requests_are_stable,
)
