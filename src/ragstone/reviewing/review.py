"""One run under review: who looks at what next, what they said, and what it tells so far.

A question belongs to one reviewer at a time: whoever is shown it holds it for some minutes. A share of the questions,
chosen by hash, goes to two people; so does what somebody was unsure of. Nothing here writes: labels come in by `take`.
"""

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from hashlib import sha256
from itertools import chain
from typing import Literal, NamedTuple

from msgspec import Struct, structs

from ragstone.core.interfaces import Decidable
from ragstone.judging.decisions import by_people
from ragstone.judging.estimates.strata import Weighed
from ragstone.judging.labels import Key, Label, Labels
from ragstone.reviewing.sample import HALF, Design, Standing, drawn_units, first_design, grown, half_of, standing
from ragstone.reviewing.worksheet import Item, Worksheet
from ragstone.runs.judged.draws import frame_of, with_strata
from ragstone.runs.judged.questions import AskedRow
from ragstone.runs.plan import Plan
from ragstone.runs.reopen import Answers
from ragstone.runs.store.folder import RunFolder

Name = Literal["sample", "open", "against", "flipped", "failed", "settle"]
QUEUES: tuple[Name, ...] = ("sample", "open", "against", "flipped", "failed", "settle")
SHARE = 0.2
LOCK_SECONDS = 300.0


class Rules(Struct, frozen=True, kw_only=True):
    """How questions are dealt."""

    share: float = SHARE
    """Share of the questions that two people decide."""
    lock_seconds: float = LOCK_SECONDS


class Progress(NamedTuple):
    """How far a queue is."""

    done: int
    total: int
    unsure: int = 0
    """Questions that everybody asked was unsure of: they stay open."""

    @property
    def left(self) -> int:
        """Questions that are open."""
        return self.total - self.done


class Wanted(NamedTuple):
    """What the estimate still needs."""

    labels: int
    """Labels that are still missing for the interval that was asked for."""
    half: float
    now: float | None
    """Half the width of the interval as it is, whatever undecided cases of the sample would be."""
    mean: float | None


class RunReview:
    """What reviewers of one run share."""

    def __init__(
        self,
        folder: RunFolder,
        plan: Plan,
        labels: Labels,
        design: Design | None = None,
        rules: Rules | None = None,
        *,
        half: float = HALF,
    ) -> None:
        """`labels` are everybody's; `design` is what was drawn before, if anything was."""
        self.sheet, self.rules = Worksheet(folder, plan), rules or Rules()
        with Answers(folder) as answers:
            self.frame = frame_of(plan, answers)
        self._folder, self._plan, self._labels = folder, plan, labels
        self._locks: dict[int, tuple[str, float]] = {}
        self._said: dict[int, Mapping[str, Label]] = {}
        self._keys: dict[int, Key] = {}
        self._flipped: Sequence[int] = ()
        self._sizes = {name: len(units) for name, units in self.sheet.strata.items()}
        self.design = design or first_design(self._sizes, half)
        self._rows: dict[int, AskedRow] = {}
        self._values: dict[int, float | None] = {}
        self._done: set[int] = set()
        self._split: set[int] = set()
        self._now: Standing | None = None
        self._draw()
        for key in labels:
            self._note(key)

    # what was said

    def take(self, label: Label) -> None:
        """Learn of a label that is kept."""
        self._note(Key(label.kind, label.case, label.point, label.answer))

    def _note(self, key: Key) -> None:
        number = self.sheet.find(key)
        if number is None:
            return
        self._said[number] = self._labels.by(key)
        self._keys[number] = key
        self._locks.pop(number, None)
        self._now = None
        for unit in self._units_of.get(number, ()):
            self._values.pop(unit, None)
        (self._done.add if self._decided_enough(number) else self._done.discard)(number)
        (self._split.add if self._disagree(number) else self._split.discard)(number)

    def said(self, number: int) -> Mapping[str, Label]:
        """Return what stands of each reviewer on a question."""
        return self._said.get(number, {})

    def needs(self, number: int) -> int:
        """Return how many people must decide a question; where nobody is to be asked twice, one is enough for all."""
        unsure = any(one.verdict == "unsure" for one in self.said(number).values())
        return 2 if self.rules.share and (unsure or self.is_double(number)) else 1

    def is_double(self, number: int) -> bool:
        """Return whether a question is one of those that two people decide."""
        place = sha256(f"{self.sheet.run}\0{number}".encode("utf-8", "replace")).digest()
        return int.from_bytes(place[:4]) < self.rules.share * 2**32

    def _decided_enough(self, number: int) -> bool:
        said = self.said(number)
        return len(said) >= self.needs(number) or any(one.settles for one in said.values())

    # who looks at what

    def queue(self, name: Name) -> Sequence[int]:
        """Return the questions of a queue in their order."""
        if name == "settle":
            return sorted(self._split)
        if name == "flipped":
            return self._flipped
        return self._sample if name == "sample" else getattr(self.sheet, name)

    def set_flipped(self, rows: Sequence[int]) -> None:
        """Set the rows whose outcome differs from another run's."""
        self._flipped = list(self.sheet.of_rows(rows))

    def _disagree(self, number: int) -> bool:
        """Return whether people disagree about a question and nobody has settled it."""
        said = self.said(number).values()
        sides = {one.verdict == "stated" for one in said if one.verdict != "unsure"}
        return len(sides) > 1 and not any(one.settles for one in said)

    def next(self, name: Name, reviewer: str, after: int | None = None, now: float | None = None) -> Item | None:
        """Return the next question of a queue and reserve it for the reviewer; `after` skips one."""
        moment = time.monotonic() if now is None else now
        order = self.queue(name)
        begin = order.index(after) + 1 if after is not None and after in order else 0
        over = frozenset[int]() if name == "settle" else self._done
        for number in (n for n in chain(order[begin:], order[:begin]) if n not in over):
            if number != after and self._is_free(name, number, reviewer, moment):
                self.release(reviewer)
                self._locks[number] = (reviewer, moment + self.rules.lock_seconds)
                return self.sheet.item(number)
        return None

    def _is_free(self, name: Name, number: int, reviewer: str, moment: float) -> bool:
        holder, until = self._locks.get(number, ("", 0.0))
        if holder not in ("", reviewer) and until > moment:
            return False
        return name == "settle" or reviewer not in self.said(number)

    def release(self, reviewer: str) -> None:
        """Let go what a reviewer holds."""
        for number in [n for n, (holder, _) in self._locks.items() if holder == reviewer]:
            del self._locks[number]

    def progress(self, name: Name) -> Progress:
        """Return how far a queue is."""
        order = self.queue(name)
        seen = [] if name == "settle" else [number for number in order if number in self._done]
        unsure = sum(all(one.verdict == "unsure" for one in self.said(number).values()) for number in seen)
        return Progress(len(seen) - unsure, len(order), unsure)

    def reviewers(self) -> dict[str, int]:
        """Return how many questions of this run each reviewer has decided."""
        return dict(Counter(name for said in self._said.values() for name in said).most_common())

    def labelled(self) -> list[Key]:
        """Return what people said anything of in this run."""
        return [self._keys[number] for number, said in self._said.items() if said]

    # what it tells

    def chance(self, number: int) -> float | None:
        """Return how likely a question was to be drawn; None when it was not."""
        if number not in self._in_sample:
            return None
        stratum = self.sheet.stratum_of(self.sheet.units[number])
        return self.design.chance(stratum, self._sizes[stratum])

    def drawn(self, number: int) -> str:
        """Return what a question was drawn from and how likely, as its label does."""
        chance = self.chance(number)
        return f"{self.frame}:{chance}" if chance else ""

    def passed(self) -> list[Label]:
        """Return labels from elsewhere as they must be said again: the sample came to where they stand in it."""
        found: list[Label] = []
        for number in self._sample:
            if number not in self._done:
                break
            if self.frame not in self._labels.chances(self._keys[number]):
                found += [self._again(one, number) for one in list(self.said(number).values())[:1]]
        return found

    def _again(self, label: Label, number: int) -> Label:
        chance, round_ = self.chance(number), self.design.round
        return structs.replace(label, probability=chance, drawn=self.drawn(number), round=round_)

    def standing(self) -> Standing:
        """Return what the labels of the sample tell so far."""
        self._now = self._now or self._stand()
        return self._now

    def _stand(self) -> Standing:
        labels: dict[str, list[Weighed]] = {}
        lacking: dict[str, list[Weighed]] = {}
        for unit in filter(self._is_of_sample, self._units):
            value, stratum = self._value(unit), self.sheet.stratum_of(unit)
            found = lacking if value is None else labels
            found.setdefault(stratum, []).append(self._weighed(unit, stratum, value or 0.0))
        return standing(self.sheet.sizes, labels, self.sheet.sure, lacking, self.sheet.apart)

    def _weighed(self, unit: int, stratum: str, value: float) -> Weighed:
        """Say for how many rows of the run an answer of the sample stands."""
        chance, one = self.design.chance(stratum, self._sizes[stratum]), self._rows[unit]
        return Weighed(self.sheet.times[unit] / chance, value, one.row.question or one.case.id)

    def _is_of_sample(self, unit: int) -> bool:
        """Return whether people looked at an answer because it was drawn here."""
        said = (self._keys[number] for number in self.sheet.of_unit(unit) if self.said(number))
        return any(self.frame in self._labels.chances(key) for key in said)

    def wanted(self) -> Wanted:
        """Return how many labels are missing for the interval that was asked for."""
        now = self.standing()
        design = grown(self.design, now, self._sizes)
        if now.half is not None and now.half <= design.half:
            return Wanted(0, design.half, half_of(now.wide), now.mean)
        units = self._units if design is self.design else list(drawn_units(self.sheet, design))
        missing = {n for unit in units for n in self.sheet.of_unit(unit) if n not in self._done}
        labels = sum(self.needs(n) - len(self.said(n)) for n in missing)
        return Wanted(labels, design.half, half_of(now.wide), now.mean)

    def grow(self) -> list[Label]:
        """Draw more cases when the sample is used up and its interval too wide.

        Returns the labels of drawn cases as they must be said again: the same verdicts, with the chance they have now.
        """
        if any(not self.said(number) for number in self._sample):
            return []
        design = grown(self.design, self.standing(), self._sizes)
        if design is self.design:
            return []
        self.design = design
        self._draw()
        return [
            self._again(one, number)
            for number, said in self._said.items()
            for one in said.values()
            if self._labels.chances(self._keys[number]).get(self.frame) not in (None, self.chance(number))
        ]

    def _draw(self) -> None:
        """Take the drawn answers into memory, which people's verdicts are made into values of."""
        self._units = list(drawn_units(self.sheet, self.design))
        numbers = dict.fromkeys(n for unit in self._units for n in self.sheet.of_unit(unit))
        self._sample, self._in_sample = list(numbers), frozenset(numbers)
        self._units_of: dict[int, list[int]] = {}
        for unit in self._units:
            for number in self.sheet.of_unit(unit):
                self._units_of.setdefault(number, []).append(unit)
        rows = {self.sheet.rows[unit]: unit for unit in self._units if unit not in self._rows}
        if rows:
            found = (one for _, one in with_strata(self._folder, self._plan) if one.number in rows)
            self._rows |= {rows[one.number]: one for one in found}
        self._values.clear()
        self._now = None

    def _value(self, unit: int) -> float | None:
        """Return what people made of the first judged metric of an answer."""
        if unit not in self._values:
            self._values[unit] = self._decided(unit)
        return self._values[unit]

    def _decided(self, unit: int) -> float | None:
        contract, one = self._plan.contract, self._rows.get(unit)
        if one is None or not isinstance(contract, Decidable):
            return None
        if not any(self.said(number) for number in self.sheet.of_unit(unit)):
            return None
        values = by_people(self._labels, contract, one.case, one.reading, one.row.scorecard, one.asked)
        return values.get(contract.judged[0])
