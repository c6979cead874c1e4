"""Labels on one question are no independent proof: in a certificate every question has one vote."""

import json
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from ragstone.core.errors import SettingError
from ragstone.core.types import Question
from ragstone.judging.certificate import FEWEST, LOWEST, Item, Standing, certify, require_labels
from ragstone.judging.decisions import JudgeTerms
from ragstone.judging.judgements import Judgement
from tests.conftest import Cli

ROUNDS = 200
_TERMS = JudgeTerms(name="j", identity="i", way="quote", tongue="en")


def _item(question: int, answer: int, *, right: bool) -> Item:
    asked = Question(kind="states", question=f"Q{question}", point="P", answer=f"{answer}")
    stated = question % 2 == 0
    said = Judgement(key="", judge="j", kind="states", case="", answer="", verdict="yes" if right is stated else "no")
    return Item(asked, stated, said, cluster=asked.question)


def _certified(questions: int, repeats: int, is_right: Callable[[int, int], bool]) -> Standing:
    items = [_item(q, a, right=is_right(q, a)) for q in range(questions) for a in range(repeats)]
    return certify(items, _TERMS, {}, 0)


def test_repeats_of_a_question_make_nothing_surer() -> None:
    """Eight answers to each question give the intervals of one answer to each."""
    once, often = (_certified(60, repeats, lambda q, a: q % 7 > 0) for repeats in (1, 8))

    assert often.labels == 8 * once.labels
    assert (often.sensitivity, often.specificity) == (once.sensitivity, once.specificity)


def test_a_question_that_was_judged_both_ways_is_half_right() -> None:
    """Its vote is the share of its verdicts that are right."""
    halves = _certified(60, 2, lambda q, a: a == 0)

    assert halves.sensitivity.right == pytest.approx(halves.sensitivity.n / 2)
    assert {item.tunes for item in (_item(4, a, right=True) for a in range(9))} in ({True}, {False})


@pytest.mark.parametrize("together", [0.0, 0.5, 1.0], ids=["apart", "half", "together"])
def test_a_judge_at_the_bar_is_hardly_ever_called_good_enough(together: float) -> None:
    """Right about 85 % of answers, one by one or a whole question at once: so called in 2.5 % of certificates."""
    dice, good = Random(7), 0
    for _ in range(ROUNDS):
        right = {(q, a): dice.random() < LOWEST for q in range(160) for a in range(5)}
        right |= {(q, a): right[q, 0] for q, a in right if dice.random() < together}
        found = _certified(160, 5, lambda q, a, right=right: right[q, a])  # type: ignore[misc]
        ends = [one.interval.low for one in (found.sensitivity, found.specificity) if one.interval]
        good += sum(end >= LOWEST for end in ends)

    assert good <= 0.025 * 2 * ROUNDS


def test_twenty_labels_are_labels_on_twenty_questions() -> None:
    """Any number of answers to fewer questions certifies nothing."""
    labels = [(f"Q{n % (FEWEST - 1)}", n % 2 == 0) for n in range(400)]
    with pytest.raises(SettingError) as caught:
        require_labels(labels)

    assert (caught.value.code, caught.value.params["n"]) == ("certify.few", FEWEST - 1)
    require_labels([*labels, ("one more", True)])


def test_certify_counts_questions_before_it_asks_anybody(cli: Cli, tmp_path: Path) -> None:
    """Forty labels on ten cases are refused by the number of cases, with a judge that nobody can reach."""
    rows = [
        {"case": f"Q{n % 10}", "point": "P", "answer_text": f"answer {n}", "verdict": "stated" if n % 2 else "absent"}
        for n in range(40)
    ]
    (tmp_path / "people.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    done = cli("certify", "people.jsonl", "--judge", "chat:m", "-J", "base_url=http://127.0.0.1:9/v1")

    assert done.returncode == 2
    assert "10 questions" in done.stderr
