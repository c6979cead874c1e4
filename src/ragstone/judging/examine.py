"""A judge examined: labelled rows and probes are put to it, and a certificate is written of what it said.

Every examination asks anew. What was said before counts only where the same judge's examination was interrupted
within a day: a judge that has changed must not be certified by what it said when it was another one.
"""

import asyncio
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from msgspec import structs

from ragstone.core.errors import BudgetSpent, ConnectError
from ragstone.core.types import Question, RuleVerdict
from ragstone.judging.certificate import (
    MOST_ANCHORS,
    Anchor,
    Certificate,
    Item,
    Standing,
    certify,
    drift,
    probe_results,
    require_labels,
    tuned,
)
from ragstone.judging.decisions import RULES, JudgeTerms, checked, outcome_of
from ragstone.judging.judge import TRIAL, ChatJudge, Heard, Judge, ask_anew, judgement, version_of
from ragstone.judging.probes import MOST, Probe, Probed, make_probes
from ragstone.judging.replies import Judgement, Judgements, key_of

AGAIN = "#2"
"""Behind the key of a question that is asked for the second time."""
LASTS = 24 * 3600
"""Seconds for which an interrupted examination can be gone on with."""
ALARM = 0.05
"""The chance below which anchors that turned are a drift."""


def part_of(path: Path) -> Path:
    """Name the file that holds what was said in an examination that is going on, beside its certificate."""
    return path.with_suffix(".part.jsonl")


def begin(path: Path) -> Path:
    """Return where an examination keeps what is said; what is too old to go on with is put away."""
    part = part_of(path)
    if part.is_file() and time.time() - part.stat().st_mtime > LASTS:
        part.unlink()
    return part


def end(path: Path) -> None:
    """Keep what was said for people who want to read it; no examination looks at it again."""
    part_of(path).replace(path.with_suffix(".jsonl"))


class Row(NamedTuple):
    """A question that people have decided."""

    question: Question
    stated: bool
    group: str = ""


class Examiner:
    """Puts questions to one judge, none of them twice."""

    def __init__(self, judge: Judge, terms: JudgeTerms, said: Judgements, width: int, *, keeps: bool = False) -> None:
        self._judge = judge
        self.terms = terms
        self._said = said
        self._keeps = keeps
        """Whether what was said is there again after an interruption."""
        self._places = asyncio.Semaphore(width)
        self.asked = set[str]()
        self.taken = set[str]()
        self.versions = set[str]()

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
            if (known := self._known(key)) is not None:
                return known
            heard = await self._heard(question)
        if heard.failure is not None:
            raise self._down(heard.failure.message.rstrip("."))
        one = judgement(key, question, "", self._judge, heard)
        self._said.append(one)
        self.asked.add(key)
        self.versions |= {one.version} - {""}
        return one

    def _known(self, key: str) -> Judgement | None:
        """Return what was said in this examination, also before it was interrupted, by this version."""
        known = self._said.find(key)
        if known is None or key in self.asked:
            return known
        if known.version != self.terms.version:
            return None
        self.taken.add(key)
        return known

    async def learn_version(self) -> JudgeTerms:
        """Return the terms with what the endpoint calls itself; it is asked something idle where it said nothing."""
        if isinstance(self._judge, ChatJudge) and not self._judge.version:
            await self._heard(TRIAL)
        self.terms = structs.replace(self.terms, version=version_of(self._judge))
        return self.terms

    def _down(self, failure: str) -> ConnectError:
        kept = len(self.asked | self.taken) if self._keeps else 0
        return ConnectError("certify.down" if kept else "judge.down", judge=self._judge.name, failure=failure, n=kept)

    async def _heard(self, question: Question) -> Heard:
        try:
            return await self._judge.decide(question)
        except BudgetSpent as spent:
            why = spent.say("en", "" if spent.what == "outage" else "judge.budget").rstrip(".")
            raise self._down(why) from spent

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
            verdict = self._probed(probe, next(again if probe.name == "twice" else found))
            like = self.verdict(probe.like, (await self.ask([probe.like]))[0]) if probe.like else None
            told.append((probe, verdict, like))
        return probe_results(told)

    def _probed(self, probe: Probe, said: Judgement) -> RuleVerdict:
        """Return what a probe came to: a yes that checked values take back credits nobody, and was heard."""
        verdict = self.verdict(probe.question, said)
        taken_back = probe.wanted == "no" and verdict == "open" and outcome_of(said, self.terms) == "yes"
        return "no" if taken_back else verdict


async def examine(
    judge: Judge,
    terms: JudgeTerms,
    rows: Sequence[Row],
    said: Judgements,
    *,
    width: int = 8,
    most_probes: int = MOST,
    before: Certificate | None = None,
) -> Certificate:
    """Ask a judge everything its certificate rests on, for each kind of question that has labels.

    `before` is the certificate that this one replaces.
    """
    if not rows:
        require_labels([])
    ask_anew(judge)
    examiner = Examiner(judge, terms, said, width, keeps=True)
    terms = await examiner.learn_version()
    kinds: dict[str, Standing] = {}
    anchors: list[Anchor] = []
    for kind in dict.fromkeys(row.question.kind for row in rows):
        of = [row for row in rows if row.question.kind == kind]
        require_labels([(row.question, row.stated) for row in of])
        examiner.terms = terms
        heard = await examiner.ask([row.question for row in of])
        items = [Item(row.question, row.stated, one, row.group) for row, one in zip(of, heard, strict=True)]
        standing = certify(items, terms, {}, 0)
        examiner.terms = tuned(terms, kind, standing.threshold, standing.band)
        probed = await examiner.probe(list(make_probes([(row.question, row.stated) for row in of], most_probes)))
        flips = probed["twice"].misses if "twice" in probed else 0
        kinds[kind] = certify(items, terms, probed, flips, most_probes)
        verdicts = [examiner.verdict(row.question, one) for row, one in zip(of, heard, strict=True)]
        anchors += [Anchor(row.question, verdict) for row, verdict in zip(of, verdicts, strict=True)]
    created = datetime.now(UTC).isoformat(timespec="seconds")
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
        created=created,
        rules=RULES,
        parts=terms.parts,
        asked=len(examiner.asked),
        taken=len(examiner.taken),
        epoch=await _epoch(examiner, before, created),
        versions=tuple(sorted(examiner.versions | ({terms.version} - {""}))),
    )


async def _epoch(examiner: Examiner, before: Certificate | None, now: str) -> str:
    """Say since when a judge has been the same: since its last certificate, if it answers that one's anchors alike.

    What it said of runs in another epoch is asked again; else what a judge said while it was ill would count again as
    soon as it is well.
    """
    if before is None:
        return ""
    if before.alarm or before.version != examiner.terms.version or before.rules != RULES:
        return now
    again = await examiner.ask([anchor.question for anchor in before.anchors])
    examiner.terms = _terms_of(examiner.terms, before)
    verdicts = [examiner.verdict(one.question, heard) for one, heard in zip(before.anchors, again, strict=True)]
    turned = drift((one.verdict, verdict) for one, verdict in zip(before.anchors, verdicts, strict=True))
    return now if turned[2] < ALARM else before.epoch


def _terms_of(terms: JudgeTerms, before: Certificate) -> JudgeTerms:
    """Return the terms with the thresholds that the verdicts on the anchors were made with."""
    for kind, standing in before.kinds.items():
        terms = tuned(terms, kind, standing.threshold, standing.band)
    return terms
