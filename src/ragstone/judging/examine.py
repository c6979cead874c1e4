"""A judge examined: labelled rows and probes are put to it, and a certificate is written of what it said.

Every examination asks anew. What was said before counts only where the same judge's examination was interrupted
within a day: a judge that has changed must not be certified by what it said when it was another one.
"""

import asyncio
import os
import secrets
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from errno import EACCES, EISDIR
from functools import partial
from hashlib import sha256
from os import strerror
from pathlib import Path
from typing import NamedTuple

import msgspec
from msgspec import structs

from ragstone.core.errors import BudgetSpent, ConnectError, Reason, SettingError
from ragstone.core.types import Question, RuleCheck, RuleVerdict
from ragstone.judging.certificate import (
    MOST_ANCHORS,
    Anchor,
    Certificate,
    Item,
    Standing,
    certify,
    fault_of,
    probe_results,
    rule_rates,
    sealed,
    tuned,
)
from ragstone.judging.decisions import RULES, JudgeTerms, checked, outcome_of
from ragstone.judging.drift import Drift, Turned, drift
from ragstone.judging.judge import (
    LOST,
    PATIENCE,
    UNTOLD,
    Heard,
    Judge,
    ask,
    ask_anew,
    hear_version,
    holding,
    judgement,
    version_of,
)
from ragstone.judging.judgements import Judgement, Judgements, key_of
from ragstone.judging.probes import MOST, Probe, Probed, Rows, make_probes, possible_probes

AGAIN = "#2"
"""Behind the key of a question that is asked for the second time."""
LASTS = 24 * 3600
"""Seconds for which an interrupted examination can be gone on with."""


def part_of(path: Path) -> Path:
    """Name the file that holds what was said in an examination that is going on, beside its certificate."""
    return path.with_suffix(".part.jsonl")


def begin(path: Path) -> Path:
    """Return where an examination keeps what is said; what is too old to go on with is put away."""
    part = part_of(path)
    if part.is_file() and time.time() - part.stat().st_mtime > LASTS:
        part.unlink()
    return part


def require_room(path: Path) -> None:
    """Make the folder of a certificate; refuse a place where none can be written, before anybody is asked."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.is_dir():
            raise IsADirectoryError(EISDIR, strerror(EISDIR))
        if not os.access(path.parent, os.W_OK):
            raise PermissionError(EACCES, strerror(EACCES))
    except OSError as error:
        raise SettingError("gate.unwritable", file=str(path), problem=error.strerror or str(error)) from error


def end(path: Path) -> None:
    """Keep what was said for people who want to read it; no examination looks at it again."""
    part_of(path).replace(path.with_suffix(".jsonl"))


class Row(NamedTuple):
    """A question that people have decided."""

    question: Question
    stated: bool
    group: str = ""
    rule: RuleVerdict = "open"
    """What the rules made of it."""
    cluster: str = ""
    """The question that was answered, or its case where that is not known: labels on one are not independent."""


class _DownError(Exception):
    """A judge cannot be asked, for the reason given."""

    def __init__(self, reason: Reason) -> None:
        self.reason = reason
        super().__init__(str(reason))


async def _end(tasks: Sequence[asyncio.Task[Judgement]]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


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
        self._first = ""
        """What it called itself first, where its terms do not say."""
        self._others = 0
        """Replies of another version than the one that is examined."""

    async def ask(self, questions: Sequence[Question], mark: str = "") -> list[Judgement]:
        """Return what the judge says of each, in order; raises ConnectError when it cannot be asked."""
        tasks = [asyncio.create_task(self._one(question, mark)) for question in questions]
        try:
            return list(await asyncio.gather(*tasks))
        except _DownError as down:
            await _end(tasks)
            raise self._down(down.reason) from down
        finally:
            # Nothing is in flight any more when the judge's connections are closed.
            await _end(tasks)

    async def _one(self, question: Question, mark: str) -> Judgement:
        key = key_of(question, self.terms.identity, self.terms.prompts.get(question.kind, "")) + mark
        async with self._places:
            if (known := self._known(key)) is not None:
                return known
            heard = await self._heard(question)
        if heard.failure is not None:
            raise _DownError(Reason(heard.failure.say))
        one = judgement(key, question, "", self._judge, heard)
        self._said.append(one)
        self.asked.add(key)
        self.versions |= {one.version} - {""}
        if one.why not in LOST:
            self._require_one_version(one.version)
        return one

    def _require_one_version(self, version: str) -> None:
        """Stop where an endpoint answers as several versions by turns: nothing it says then certifies it."""
        known = self._first = self.terms.version or self._first or version
        self._others += version != known
        if self._others >= PATIENCE:
            told = {"judge": self._judge.name, "known": known, "found": version or UNTOLD}
            both = holding(self._judge, self.versions | {known, version})
            raise ConnectError("certify.versions", **told, both=both)

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
        """Return the terms with what the endpoint calls itself today."""
        await hear_version(self._judge)
        self.terms = structs.replace(self.terms, version=version_of(self._judge))
        return self.terms

    def _down(self, failure: Reason) -> ConnectError:
        """Say why a judge cannot be asked, and how many replies are kept: those that came after the failure too."""
        kept = len(self.asked | self.taken) if self._keeps else 0
        return ConnectError("certify.down" if kept else "judge.down", judge=self._judge.name, failure=failure, n=kept)

    async def _heard(self, question: Question) -> Heard:
        try:
            return await ask(self._judge, question)
        except BudgetSpent as spent:
            code = "" if spent.what == "outage" else "judge.budget"
            raise _DownError(Reason(partial(spent.say, code=code))) from spent

    def verdict(self, question: Question, said: Judgement) -> RuleVerdict:
        """Return what an opinion decides, numbers checked."""
        return checked(outcome_of(said, self.terms), question)

    async def probe(self, probes: Sequence[Probe]) -> dict[str, Probed]:
        """Ask all probes and count the misses."""
        said = await self.ask([probe.question for probe in probes if probe.name != "twice"])
        twice = await self.ask([probe.question for probe in probes if probe.name == "twice"], AGAIN)
        found, again = iter(said), iter(twice)
        told, caught = [], Counter[str]()
        for probe in probes:
            heard = next(again if probe.name == "twice" else found)
            verdict = self._probed(probe, heard)
            caught[probe.name] += verdict != self.verdict(probe.question, heard)
            like = self.verdict(probe.like, (await self.ask([probe.like]))[0]) if probe.like else None
            told.append((probe, verdict, like))
        return {name: one._replace(caught=caught[name]) for name, one in probe_results(told).items()}

    async def drift(self, before: Certificate) -> Drift:
        """Ask the anchors of a certificate again, and hear them with the thresholds of then."""
        again = await self.ask([anchor.question for anchor in before.anchors])
        self.terms = _terms_of(self.terms, before)
        pairs = zip(before.anchors, again, strict=True)
        turned = [Turned(a.question.kind, a.verdict, self.verdict(a.question, heard)) for a, heard in pairs]
        return drift(turned, before.repeats)

    def _probed(self, probe: Probe, said: Judgement) -> RuleVerdict:
        """Return what the judge itself made of a probe: its yes where a no is wanted, though a check takes it back."""
        missed = probe.wanted == "no" and outcome_of(said, self.terms) == "yes"
        return "yes" if missed else self.verdict(probe.question, said)


async def examine(
    judge: Judge,
    terms: JudgeTerms,
    rows: Sequence[Row],
    said: Judgements,
    *,
    width: int = 8,
    most_probes: int = MOST,
    before: Certificate | None = None,
    rules: Mapping[str, RuleCheck] | None = None,
) -> Certificate:
    """Ask a judge everything its certificate rests on, for each kind of question that has labels.

    `before` is the certificate that this one replaces, `rules` what the labels say of the rules by kind of question.
    """
    ask_anew(judge)
    examiner = Examiner(judge, terms, said, width, keeps=True)
    terms = await examiner.learn_version()
    found = {
        kind: await _examine_kind(examiner, terms, [row for row in rows if row.question.kind == kind], most_probes)
        for kind in dict.fromkeys(row.question.kind for row in rows)
    }
    checks = {kind: rule_rates((rules or {}).get(kind, RuleCheck())) for kind in found}
    kinds: dict[str, Standing] = {
        kind: structs.replace(one.standing, rules=checks[kind]) for kind, one in found.items()
    }
    if len(examiner.versions) > 1:
        kinds = {kind: structs.replace(one, why="versions") for kind, one in kinds.items()}
    created = datetime.now(UTC).isoformat(timespec="seconds")
    # Two certificates of one second are two epochs.
    fresh = f"{created} {secrets.token_hex(4)}"
    made = Certificate(
        name=judge.name,
        identity=terms.identity,
        way=judge.way,
        tongue=judge.tongue,
        version=terms.version or next(iter(examiner.versions), ""),
        prompts=terms.prompts,
        band=terms.band,
        kinds=kinds,
        anchors=tuple(anchor for one in found.values() for anchor in spread(one.anchors, MOST_ANCHORS // len(found))),
        created=created,
        rules=RULES,
        parts=terms.parts,
        asked=len(examiner.asked),
        taken=len(examiner.taken),
        epoch=await _epoch(examiner, before, fresh),
        versions=tuple(sorted(examiner.versions | ({terms.version} - {""}))),
    )
    return sealed(made)


class _Examined(NamedTuple):
    standing: Standing
    anchors: Sequence[Anchor]


async def _examine_kind(examiner: Examiner, terms: JudgeTerms, rows: Sequence[Row], most_probes: int) -> _Examined:
    """Put the rows of one kind of question to a judge, and the probes made of them."""
    examiner.terms = terms
    heard = await examiner.ask([row.question for row in rows])
    pairs = list(zip(rows, heard, strict=True))
    items = [Item(row.question, row.stated, one, row.group, row.cluster) for row, one in pairs]
    tuning = certify(items, terms, {}, 0)
    examiner.terms = tuned(terms, rows[0].question.kind, tuning.threshold, tuning.band)
    told = [(row.question, row.stated) for row in rows]
    probed = await examiner.probe(list(make_probes(told, most_probes)))
    flips = probed["twice"].misses if "twice" in probed else 0
    standing = certify(items, terms, probed, flips, most_probes, possible_probes(told))
    return _Examined(standing, [Anchor(r.question, examiner.verdict(r.question, one), r.stated) for r, one in pairs])


async def _epoch(examiner: Examiner, before: Certificate | None, now: str) -> str:
    """Say since when a judge has been the same: since its last certificate, if it answers that one's anchors alike.

    What it said of runs in another epoch is asked again; else what a judge said while it was ill would count again as
    soon as it is well. Of what it was before a first certificate, or one that was removed or edited, nothing is known.
    """
    if before is None or fault_of(before, examiner.terms.identity) or before.alarm:
        return now
    if (before.version, before.rules) != (examiner.terms.version, RULES):
        return now
    return now if (await examiner.drift(before)).alarms else before.epoch


def probed_rows(rows: Rows, before: Certificate | None) -> Rows:
    """Return the rows to probe a judge with: those of its certificate, where half of them are among the given ones.

    What other rows come to is not to be held against what these did.
    """
    given = {question for question, _ in rows}
    known = [(one.question, one.stated) for one in before.anchors if one.stated is not None] if before else []
    shared = sum(question in given for question, _ in known)
    return known if known and 2 * shared >= len(known) else rows


def probes_by_kind(rows: Rows, most: int = MOST) -> list[Probe]:
    """Make the probes of rows as an examination does: of each kind of question by itself."""
    kinds = dict.fromkeys(question.kind for question, _ in rows)
    return [one for kind in kinds for one in make_probes([row for row in rows if row[0].kind == kind], most)]


def spread(of: Sequence[Anchor], most: int) -> Sequence[Anchor]:
    """Take so many from all parts of the rows, by their hash: rows are often sorted, or of two kinds by turns."""
    return sorted(of, key=lambda one: sha256(msgspec.json.encode(one.question)).digest())[:most]


def _terms_of(terms: JudgeTerms, before: Certificate) -> JudgeTerms:
    """Return the terms with the thresholds that the verdicts on the anchors were made with."""
    for kind, standing in before.kinds.items():
        terms = tuned(terms, kind, standing.threshold, standing.band)
    return terms
