"""Everything of a run that a person can decide: its closed questions, with what is needed to see them.

Texts lie in a database of its own on disk, which goes with the process; what stays in memory is a few bytes a
question, so that a run of any length can be reviewed.
"""

import sqlite3
import threading
from array import array
from collections.abc import Iterator, Sequence
from hashlib import sha256

from msgspec import Struct

from ragstone.core.types import JSON, Question, RuleVerdict
from ragstone.judging.decisions import SURE, Decisions, sure_value
from ragstone.judging.estimates.clusters import Apart
from ragstone.judging.estimates.estimate import draw
from ragstone.judging.labels import Key
from ragstone.reviewing.failing_rows import failing_of
from ragstone.runs.judged.draws import unit_name, with_strata
from ragstone.runs.judged.questions import AskedRow
from ragstone.runs.plan import Plan
from ragstone.runs.store.codec import decoder, encode
from ragstone.runs.store.folder import RunFolder

MOST_SOURCES, LONGEST_SOURCE = 12, 4000
"""Retrieved pieces shown beside a question, and characters of each."""
LONGEST_ANSWER = 40_000


class Item(Struct, frozen=True, kw_only=True):
    """One closed question of a run, as a person sees it."""

    number: int
    key: Key
    row: int
    """The row of the run it is about, from 1 on."""
    model: str
    question: str
    answer: str
    source: str = ""
    sources: tuple[tuple[str, str], ...] = ()
    """Where each retrieved piece is from, and what it says."""
    points: tuple[str, ...] = ()
    """All that is asked of this answer, in its order."""
    rule: RuleVerdict = "open"
    judge: RuleVerdict = "open"


_ITEM = decoder(Item)


class Worksheet:
    """The closed questions of one run, numbered; a question about the same answer to the same case is there once."""

    def __init__(self, folder: RunFolder, plan: Plan) -> None:
        self.run = folder.path.name
        self._lock = threading.Lock()
        self._database = sqlite3.connect("", check_same_thread=False)
        self._database.execute("CREATE TABLE items (n INTEGER PRIMARY KEY, key BLOB UNIQUE, value BLOB)")
        self.units = array("I")
        """The first unit each question is about."""
        self.rows = array("I")
        """The first row of each unit: of each answer to a case, however often the case was asked."""
        self._all_rows, self._unit_of = array("I"), array("I")
        self.times = array("I")
        """How many rows each unit stands for."""
        self.sizes: dict[str, int] = {}
        """How many rows each stratum has."""
        self.apart = Apart()
        self._first, self._flat = array("I", [0]), array("I")
        self.open, self.against = array("I"), array("I")
        self._failing, self.gate = failing_of(folder)
        """`gate` names the rules that the run failed its gate by, where there are any."""
        self._failed = array("H")
        """Which of the reasons below put each question among the failed; 0 for those that did not fail."""
        self._reasons: list[tuple[str, ...]] = []
        self._strata = array("H")
        self.sure = array("d")
        """What answers that leave nothing to decide come to."""
        members: dict[str, dict[str, int]] = {}
        with self._database:
            for stratum, one in with_strata(folder, plan):
                self.apart.add(one.row.question or one.case.id)
                if stratum == SURE:
                    self.sure.extend(sure_value(plan.contract, one.row.scorecard))
                    continue
                unit = self._add(one, plan.decisions)
                if unit == len(self._strata):
                    members.setdefault(stratum, {})[unit_name(one)] = unit
                    self._strata.append(list(members).index(stratum))
                of = list(members)[self._strata[unit]]
                self.sizes[of] = self.sizes.get(of, 0) + 1
        self.strata: dict[str, array[int]] = {
            stratum: array("I", (units[name] for name in draw(list(units), len(units), self.run)))
            for stratum, units in members.items()
        }
        """The units of each stratum in the order in which they are drawn."""
        self._names = tuple(self.strata)
        self.failed = array("I", (number for number, reason in enumerate(self._failed) if reason))

    def _add(self, one: AskedRow, decisions: Decisions | None) -> int:
        """Take in a row; return its unit, an earlier one where the same answer to its case was there before."""
        points = tuple(question.point for question, _ in one.asked)
        failed = self._failing(one.row)
        numbers = array("I")
        for question, rule in one.asked:
            judge = decisions.by_judge(question) if decisions else "open"
            number, fresh = self._put(one, question, rule, judge, points)
            numbers.append(number)
            if fresh:
                self._sort(number, rule, judge)
            if failed is not None:
                self._fail(number, failed)
        unit = self._unit(numbers)
        if unit == len(self.rows):
            self.rows.append(one.number)
            self.times.append(0)
            self._flat.extend(numbers)
            self._first.append(len(self._flat))
        self.times[unit] += 1
        self._all_rows.append(one.number)
        self._unit_of.append(unit)
        return unit

    def _unit(self, numbers: Sequence[int]) -> int:
        """Return the unit with the same questions; a new one where there is none."""
        first = self.units[numbers[0]]
        return first if first < len(self.rows) and self.of_unit(first) == numbers else len(self.rows)

    def _put(
        self, one: AskedRow, question: Question, rule: RuleVerdict, judge: RuleVerdict, points: tuple[str, ...]
    ) -> tuple[int, bool]:
        key, number = Decisions.label_key(one.case, question), len(self.units)
        item = Item(
            number=number,
            key=key,
            row=one.number,
            model=one.row.model_id,
            question=one.case.question,
            answer=question.answer[:LONGEST_ANSWER],
            source=question.source[:LONGEST_ANSWER],
            sources=tuple((c.source_path, c.text[:LONGEST_SOURCE]) for c in one.reading.contexts[:MOST_SOURCES]),
            points=points,
            rule=rule,
            judge=judge,
        )
        made = self._database.execute(
            "INSERT OR IGNORE INTO items VALUES (?, ?, ?)", (number, _hash(key), encode(item))
        )
        if made.rowcount:
            self.units.append(len(self.rows))
            return number, True
        found = self.find(key)
        assert found is not None
        return found, False

    def _sort(self, number: int, rule: RuleVerdict, judge: RuleVerdict) -> None:
        if rule == "open" and judge == "open":
            self.open.append(number)
        if "open" not in (rule, judge) and rule != judge:
            self.against.append(number)
        self._failed.append(0)

    def _fail(self, number: int, rules: tuple[str, ...]) -> None:
        """Put a question among the failed; other rows with the same answer may have failed by other rules."""
        reason = tuple(dict.fromkeys((*self.rules_of(number), *rules)))
        if reason not in self._reasons:
            self._reasons.append(reason)
        self._failed[number] = self._reasons.index(reason) + 1

    def rules_of(self, number: int) -> tuple[str, ...]:
        """Return the rules of the run's gate that a question's answer failed."""
        reason = self._failed[number]
        return self._reasons[reason - 1] if reason else ()

    def __len__(self) -> int:
        return len(self.units)

    def stratum_of(self, unit: int) -> str:
        """Return the stratum a unit belongs to."""
        return self._names[self._strata[unit]]

    def of_unit(self, unit: int) -> Sequence[int]:
        """Return the questions about one answer."""
        return self._flat[self._first[unit] : self._first[unit + 1]]

    def of_rows(self, rows: Sequence[int]) -> Iterator[int]:
        """Yield the questions about some rows of the run."""
        wanted = set(rows)
        found = (unit for row, unit in zip(self._all_rows, self._unit_of, strict=True) if row in wanted)
        for unit in dict.fromkeys(found):
            yield from self.of_unit(unit)

    def find(self, key: Key) -> int | None:
        """Return the number of a question by what its label is about."""
        with self._lock:
            found = self._database.execute("SELECT n FROM items WHERE key = ?", (_hash(key),)).fetchone()
        return found[0] if found else None

    def item(self, number: int) -> Item | None:
        """Return one question with its texts."""
        with self._lock:
            found = self._database.execute("SELECT value FROM items WHERE n = ?", (number,)).fetchone()
        item: Item | None = _ITEM(found[0]) if found else None
        return item

    def close(self) -> None:
        """Close the database."""
        self._database.close()


def _hash(key: Key) -> bytes:
    return sha256("\0".join(key).encode("utf-8", "surrogatepass")).digest()[:16]


def shown(item: Item) -> dict[str, JSON]:
    """Return what a reviewer sees of a question before it is decided: neither rule nor judge."""
    return {
        "number": item.number,
        "case": item.key.case,
        "kind": item.key.kind,
        "row": item.row,
        "model": item.model,
        "question": item.question,
        "point": item.key.point,
        "points": item.points,
        "answer": item.answer,
        "source": item.source,
        "sources": [{"name": name, "text": text} for name, text in item.sources],
    }
