"""What a judge may decide of a legal answer, and what the figures become by its verdicts."""

import pytest

from ragstone.core.interfaces import Decidable
from ragstone.core.types import JSON, Answer, Case, Question, RuleVerdict
from tests.contracts.legal_rag.samples import BARE, case_of, evidence_set, fact, gap


def _asked(case: Case, text: str) -> list[tuple[Question, RuleVerdict]]:
    reading = BARE.read(case, Answer(text=text))
    return list(BARE.asked(case, reading, BARE.score(case, reading)))


@pytest.mark.parametrize(
    ("question", "text", "kind", "point", "rule"),
    [
        (gap(), "对此材料里没有说明，无法确定。", "declines", "", "yes"),
        (gap(), "钱用来买了三台电脑。", "declines", "", "no"),
        (evidence_set(), "甲签了收条。", "states", "甲签了收条", "yes"),
        (evidence_set(), "那张纸是甲亲手写的。", "states", "甲签了收条", "open"),
        (fact(), "一共42000元。", "equivalent", "42000", "yes"),
        (fact(), "一共41000元。", "equivalent", "42000", "no"),
    ],
)
def test_each_type_asks_its_own_question(
    question: dict[str, JSON], text: str, kind: str, point: str, rule: RuleVerdict
) -> None:
    """Whether it declines, whether it states each key point, whether it gives each fact; with what the rules say."""
    ((found, verdict),) = _asked(case_of(question), text)

    assert (found.kind, found.point, verdict) == (kind, point, rule)
    assert found.answer == text


def test_silence_raises_no_question() -> None:
    """An empty answer earns nothing, whoever judges it."""
    assert _asked(case_of(gap()), "") == []
    assert _asked(case_of(fact()), "") == []


@pytest.mark.parametrize(
    ("question", "verdicts", "figures"),
    [
        (gap(), ["yes"], {"correct_abstention": 1.0}),
        (gap(), ["open"], {"correct_abstention": 0.0}),
        (gap(should_abstain=False), ["no"], {"correct_abstention": 1.0}),
        (evidence_set(), ["yes"], {"key_point_recall": 1.0}),
        (fact(), ["no"], {"exact_match": 0.0}),
        (fact(), [], {}),
    ],
)
def test_verdicts_make_the_figures(
    question: dict[str, JSON], verdicts: list[RuleVerdict], figures: dict[str, float]
) -> None:
    """The same formulas as by rule; what is open counts as no."""
    case = case_of(question)
    reading = BARE.read(case, Answer(text="甲签了收条。"))

    assert BARE.decide(case, reading, BARE.score(case, reading), verdicts) == figures


def test_verdicts_of_rules_give_the_figures_of_rules() -> None:
    """Deciding by what the rules said changes nothing."""
    assert isinstance(BARE, Decidable)
    for question, text in ((gap(), "无法确定。"), (evidence_set(), "甲签了收条。"), (fact(), "一共42000元。")):
        case = case_of(question)
        reading = BARE.read(case, Answer(text=text))
        card = BARE.score(case, reading)
        found = BARE.decide(case, reading, card, [rule for _, rule in BARE.asked(case, reading, card)])
        assert found == {name: card.sub_scores[name] for name in found}
