"""What a real model is worth as a judge: rules alone, judge alone, rules then judge, on labelled rows.

uv run python -m perf.judge.model ADDRESS KEPT.jsonl ROWS.jsonl OTHER.jsonl [COUNT]

ADDRESS is that of an OpenAI-compatible endpoint that gives logprobs. Both files hold q, answer, cat and points with
`stated`; each is measured with the threshold that the other's open points tune. With COUNT only so many rows of each
are asked, the first by the hash of their ids. What the judge says is kept in KEPT, so that a second run asks only what
is missing.
"""

import asyncio
import json
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from msgspec import structs

from perf.judge.weights import JUDGE
from ragstone.core.types import Question
from ragstone.judging.certificate import Item, certify, margins_of, tune, tune_band
from ragstone.judging.checks import keeps_values
from ragstone.judging.decisions import JudgeTerms
from ragstone.judging.examine import Examiner
from ragstone.judging.judge import ChatJudge
from ragstone.judging.judgements import Judgement, Judgements
from ragstone.reading.points.forms import Point
from ragstone.reading.points.states import states
from ragstone.reading.statements import Statements
from ragstone.runs.judged.asking import terms_of
from ragstone.systems.chat import connect

Says = Callable[["Told"], str]
"""What a way to decide makes of a point: yes, no or open, which counts as not stated."""


class Told(NamedTuple):
    """A labelled point, what the rules make of it, and what the judge says."""

    question: Question
    stated: bool
    cat: str
    rule: str
    literal: bool
    """Whether a rule's yes is word for word."""
    said: Judgement

    @property
    def margin(self) -> float:
        """How far the judge leans to yes."""
        return self.said.margin or 0.0

    @property
    def item(self) -> Item:
        """The point as a certificate takes it."""
        return Item(self.question, self.stated, self.said, cluster=self.question.question)


def questions(path: Path, count: int | None) -> Iterable[tuple[Question, bool, str]]:
    """Read the points of labelled rows."""
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    for row in sorted(rows, key=lambda row: sha256(row["id"].encode()).digest())[:count]:
        for point in row["points"]:
            question = Question(kind="states", question=row["q"], point=point["text"], answer=row["answer"])
            yield question, point["stated"], row.get("cat", "")


async def ask(examiner: Examiner, path: Path, count: int | None) -> list[Told]:
    """Put every point to rules and judge."""
    told = []
    for question, stated, cat in questions(path, count):
        (said,) = await examiner.ask([question])
        verdict = states(Point(question.point), Statements(question.answer), question.question)
        told.append(Told(question, stated, cat, verdict.outcome, verdict.rule == "verbatim", said))
    return told


def show(name: str, told: Sequence[Told], says: Says) -> None:
    """Print how often a way to decide is right, and how often it credits what is not stated."""
    verdicts = [says(one) for one in told]
    yes = [verdict == "yes" for verdict in verdicts]
    right = sum(said == one.stated for said, one in zip(yes, told, strict=True)) / len(told)
    false = [said for said, one in zip(yes, told, strict=True) if not one.stated]
    found = [said for said, one in zip(yes, told, strict=True) if one.stated]
    heavy = [said for said, one in zip(yes, told, strict=True) if one.stated and one.cat == "heavy"]
    decided = [v == ("yes" if one.stated else "no") for v, one in zip(verdicts, told, strict=True) if v != "open"]
    print(
        f"{name:36} right {right:.3f}, false yes {sum(false) / len(false):.3f} ({sum(false)} of {len(false)}), "
        f"found {sum(found) / len(found):.3f}, heavy paraphrase {sum(heavy)} of {len(heavy)}; "
        f"decided {len(decided) / len(told):.2f}, right of these {sum(decided) / max(1, len(decided)):.3f}"
    )


def auc(told: Sequence[Told]) -> float:
    """Return the chance that a stated point has the larger margin; nan where there are no two kinds."""
    yes, no = [one.margin for one in told if one.stated], [one.margin for one in told if not one.stated]
    if not yes or not no:
        return float("nan")
    return sum((a > b) + 0.5 * (a == b) for a in yes for b in no) / (len(yes) * len(no))


def report(name: str, told: Sequence[Told], others: Sequence[Told]) -> None:
    """Print what each way to decide is worth on some rows, its threshold tuned on others."""
    left = [one for one in others if one.rule == "open"]
    margins = margins_of([one.item for one in left])
    cut, alone, band = tune(margins), tune(margins_of([one.item for one in others])), tune_band(margins)
    undecided, credited = [one for one in told if one.rule == "open"], [one for one in told if one.rule == "yes"]
    print(
        f"{name}: {len(told)} points, {len(undecided)} open; threshold {cut:.2f} of {len(left)} open points elsewhere"
    )
    print(f"AUC {auc(told):.3f} over all, {auc(undecided):.3f} over open, {auc(credited):.3f} over the rules' yes")

    def judged(one: Told, band: float = 0.0) -> str:
        if one.rule != "open":
            return one.rule
        off = one.margin - cut
        return "open" if abs(off) < band else "yes" if off > 0 else "no"

    def checked(one: Told, band: float = 0.0) -> str:
        verdict = judged(one, band)
        return "open" if verdict == "yes" and one.rule == "open" and not keeps_values(one.question) else verdict

    def confirmed(one: Told) -> str:
        doubted = one.rule == "yes" and not one.literal and one.margin < cut - band
        return "open" if doubted else checked(one)

    show("rules alone", told, lambda one: one.rule)
    show("judge alone", told, lambda one: "yes" if one.margin > alone else "no")
    show("rules, then judge", told, judged)
    show("and numbers and names checked", told, checked)
    show(f"and unsure within {band:.2f}, as shipped", told, lambda one: checked(one, band))
    show("no band, a rule's yes confirmed", told, confirmed)


def certificate(told: Sequence[Told], terms: JudgeTerms) -> None:
    """Print what a certificate over all open points would say, probes left out."""
    standing = certify([one.item for one in told if one.rule == "open"], terms, {}, 0)
    for name, rate in (("sensitivity", standing.sensitivity), ("specificity", standing.specificity)):
        assert rate.interval is not None
        print(f"{name} {rate.right} of {rate.n} ({rate.interval.low:.2f}-{rate.interval.high:.2f})", end=", ")
    print(f"unsure {standing.unsure} of {standing.certified}, AUC {standing.auc}, kappa {standing.kappa:.2f}", end="; ")
    print(f"held back by: {standing.why or 'nothing'}")


async def main(address: str, kept: Path, rows: Path, other: Path, count: int | None) -> None:
    """Ask, and print the tables."""
    judge = ChatJudge(
        connect("judge", {"base_url": f"{address}/v1", "timeout": 900, "first_byte_timeout": 900}), "margin", "zh"
    )
    # Where a model listens changes from day to day; what it said is kept under its weights.
    terms = structs.replace(terms_of(judge), identity=JUDGE.sha256)
    with closing(Judgements(kept)) as said:
        examiner = Examiner(judge, terms, said, 1)
        before, began = len(said), time.monotonic()
        told, others = await ask(examiner, rows, count), await ask(examiner, other, count)
        asked, seconds = len(said) - before, time.monotonic() - began
    await judge.close()
    report(str(rows), told, others)
    report(str(other), others, told)
    certificate([*told, *others], terms)
    if asked:
        print(f"{seconds / asked:.1f} s a point ({asked} asked)")


if __name__ == "__main__":
    kept, rows, other = map(Path, sys.argv[2:5])
    asyncio.run(main(sys.argv[1], kept, rows, other, int(sys.argv[5]) if len(sys.argv) > 5 else None))
