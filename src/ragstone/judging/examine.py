"""A judge examined: labelled rows and probes are put to it, and a certificate is written of what it said."""

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import NamedTuple

from ragstone.core.errors import BudgetSpent, ConnectError
from ragstone.core.types import Question, RuleVerdict
from ragstone.judging.certificate import (
    MOST_ANCHORS,
    Anchor,
    Certificate,
    Item,
    Standing,
    certify,
    probe_results,
    require_labels,
    tuned,
)
from ragstone.judging.decisions import RULES, JudgeTerms, checked, outcome_of
from ragstone.judging.judge import Heard, Judge, judgement
from ragstone.judging.probes import MOST, Probe, Probed, make_probes
from ragstone.judging.replies import Judgement, Judgements, key_of

AGAIN = "#2"
"""Behind the key of a question that is asked for the second time."""


class Row(NamedTuple):
    """A question that people have decided."""

    question: Question
    stated: bool
    group: str = ""


class Examiner:
    """Puts questions to one judge, none of them twice."""

    def __init__(self, judge: Judge, terms: JudgeTerms, said: Judgements, width: int) -> None:
        self._judge = judge
        self.terms = terms
        self._said = said
        self._places = asyncio.Semaphore(width)

    async def ask(self, questions: Sequence[Question], mark: str = "") -> list[Judgement]:
        """Return what the judge says of each, in order; raises ConnectError when it cannot be asked."""
        tasks = [asyncio.create_task(self._one(question, mark)) for question in questions]
        try:
            return list(await asyncio.gather(*tasks))
        finally:
            # Nothing is in flight any more when the judge's connections are closed.
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _one(self, question: Question, mark: str) -> Judgement:
        key = key_of(question, self.terms.identity, self.terms.prompts.get(question.kind, "")) + mark
        async with self._places:
            if (known := self._said.find(key)) is not None:
                return known
            heard = await self._heard(question)
        if heard.failure is not None:
            raise ConnectError("judge.down", judge=self._judge.name, failure=heard.failure.message.rstrip("."))
        one = judgement(key, question, "", self._judge, heard)
        self._said.append(one)
        return one

    async def _heard(self, question: Question) -> Heard:
        try:
            return await self._judge.decide(question)
        except BudgetSpent as spent:
            why = spent.say("en", "" if spent.what == "outage" else "judge.budget").rstrip(".")
            raise ConnectError("judge.down", judge=self._judge.name, failure=why) from spent

    def verdict(self, question: Question, said: Judgement) -> RuleVerdict:
        """Return what an opinion decides, numbers checked."""
        return checked(outcome_of(said, self.terms), question)

    async def probe(self, probes: Sequence[Probe]) -> dict[str, Probed]:
        """Ask all probes and count the misses."""
        said = await self.ask([probe.question for probe in probes if probe.name != "twice"])
        twice = await self.ask([probe.question for probe in probes if probe.name == "twice"], AGAIN)
        found, again = iter(said), iter(twice)
        told = []
        for probe in probes:
            verdict = self.verdict(probe.question, next(again if probe.name == "twice" else found))
            like = self.verdict(probe.like, (await self.ask([probe.like]))[0]) if probe.like else None
            told.append((probe, verdict, like))
        return probe_results(told)


async def examine(
    judge: Judge, terms: JudgeTerms, rows: Sequence[Row], said: Judgements, *, width: int = 8, most_probes: int = MOST
) -> Certificate:
    """Ask a judge everything its certificate rests on, for each kind of question that has labels."""
    if not rows:
        require_labels([])
    kinds: dict[str, Standing] = {}
    anchors: list[Anchor] = []
    for kind in dict.fromkeys(row.question.kind for row in rows):
        of = [row for row in rows if row.question.kind == kind]
        require_labels([(row.question, row.stated) for row in of])
        examiner = Examiner(judge, terms, said, width)
        heard = await examiner.ask([row.question for row in of])
        items = [Item(row.question, row.stated, one, row.group) for row, one in zip(of, heard, strict=True)]
        standing = certify(items, terms, {}, 0)
        examiner.terms = tuned(terms, kind, standing.threshold, standing.band)
        probed = await examiner.probe(list(make_probes([(row.question, row.stated) for row in of], most_probes)))
        kinds[kind] = certify(items, terms, probed, probed["twice"].misses if "twice" in probed else 0)
        verdicts = [examiner.verdict(row.question, one) for row, one in zip(of, heard, strict=True)]
        anchors += [Anchor(row.question, verdict) for row, verdict in zip(of, verdicts, strict=True)]
    return Certificate(
        name=judge.name,
        identity=terms.identity,
        way=judge.way,
        tongue=judge.tongue,
        version=terms.version,
        prompts=terms.prompts,
        band=terms.band,
        kinds=kinds,
        anchors=tuple(anchors[:MOST_ANCHORS]),
        created=datetime.now(UTC).isoformat(timespec="seconds"),
        rules=RULES,
    )
