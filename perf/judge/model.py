"""What a real model is worth as a judge: rules alone, judge alone, rules then judge, on labelled rows.

uv run python -m perf.judge.model ADDRESS KEPT.jsonl ROWS.jsonl TUNING.jsonl

ADDRESS is that of an OpenAI-compatible endpoint that gives logprobs. ROWS hold q, answer, cat and points with `stated`;
the threshold is tuned on TUNING, other rows of the same kind. What the judge says is kept in KEPT, so that a second run
asks only what is missing.
"""

import asyncio
import json
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from ragstone.core.types import Question
from ragstone.judging.certificate import Item, tune
from ragstone.judging.examine import Examiner
from ragstone.judging.judge import ChatJudge
from ragstone.judging.store import Judgement, Judgements
from ragstone.judging.values import keeps_figures
from ragstone.reading.forms import Point
from ragstone.reading.statements import Statements
from ragstone.reading.states import states
from ragstone.runs.deciding import terms_of
from ragstone.systems.chat import connect


class Told(NamedTuple):
    """A labelled point, what the rules make of it, and what the judge says."""

    question: Question
    stated: bool
    cat: str
    rule: str
    said: Judgement

    @property
    def margin(self) -> float:
        """How far the judge leans to yes."""
        return self.said.margin or 0.0


def questions(path: Path) -> Iterable[tuple[Question, bool, str]]:
    """Read the points of labelled rows."""
    for row in map(json.loads, path.read_text(encoding="utf-8").splitlines()):
        for point in row["points"]:
            question = Question(kind="states", question=row["q"], point=point["text"], answer=row["answer"])
            yield question, point["stated"], row["cat"]


async def ask(examiner: Examiner, path: Path) -> list[Told]:
    """Put every point to rules and judge."""
    told = []
    for question, stated, cat in questions(path):
        (said,) = await examiner.ask([question])
        rule = states(Point(question.point), Statements(question.answer), question.question).outcome
        told.append(Told(question, stated, cat, rule, said))
    return told


def show(name: str, told: Sequence[Told], says: Callable[[Told], bool]) -> None:
    """Print how often a way to decide is right, and how often it credits what is not stated."""
    right = sum(says(one) == one.stated for one in told) / len(told)
    false = [says(one) for one in told if not one.stated]
    heavy = [says(one) for one in told if one.stated and one.cat == "heavy"]
    found = f"heavy paraphrase found {sum(heavy)} of {len(heavy)}"
    print(f"{name:22} right {right:.3f}, false yes {sum(false) / len(false):.3f} ({len(false)}), {found}")


def auc(told: Sequence[Told]) -> float:
    """Return the chance that a stated point has the larger margin."""
    yes, no = [one.margin for one in told if one.stated], [one.margin for one in told if not one.stated]
    return sum((a > b) + 0.5 * (a == b) for a in yes for b in no) / (len(yes) * len(no))


async def main(address: str, kept: Path, rows: Path, tuning: Path) -> None:
    """Ask, and print the table."""
    judge = ChatJudge(connect("judge", {"base_url": f"{address}/v1", "timeout": 600}), "margin", "zh")
    with closing(Judgements(kept)) as said:
        examiner = Examiner(judge, terms_of(judge), said, 1)
        before, began = len(said), time.monotonic()
        told, others = await ask(examiner, rows), await ask(examiner, tuning)
        asked, seconds = len(said) - before, time.monotonic() - began
    await judge.close()
    left = [one for one in others if one.rule == "open"]
    cut = tune([Item(one.question, one.stated, one.said) for one in left])
    alone = tune([Item(one.question, one.stated, one.said) for one in others])
    undecided = [one for one in told if one.rule == "open"]
    print(
        f"{len(told)} points, {len(undecided)} open; threshold {cut:.2f} tuned on {len(left)} open points of {tuning}"
    )
    print(f"AUC {auc(told):.3f} over all, {auc(undecided):.3f} over open points")
    show("rules alone", told, lambda one: one.rule == "yes")
    show("judge alone", told, lambda one: one.margin > alone)
    show("rules, then judge", told, lambda one: one.rule == "yes" or (one.rule == "open" and one.margin > cut))
    show(
        "and numbers checked",
        told,
        lambda one: one.rule == "yes" or (one.rule == "open" and one.margin > cut and keeps_figures(one.question)),
    )
    if asked:
        print(f"{seconds / asked:.1f} s a point")


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], *map(Path, sys.argv[2:5])))
