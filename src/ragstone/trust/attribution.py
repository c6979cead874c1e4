"""Finds why a case came out differently: one cause, without a call.

What differs between two runs is known from their hashes and, case by case, from their answers and datasets. Where one
thing differs for a case, it is the cause; where several do, the first run's answer is scored again with one thing
exchanged at a time: the code, then the gold, and the answer is what is left. That takes the second run's code: where
another one is installed, the cause is `unknown`, so that two folders never tell two stories.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from types import TracebackType
from typing import Self

from ragstone.core.errors import UserError
from ragstone.core.types import JSON, Answer, Case, Cause, Result
from ragstone.datasets.check import load_cases
from ragstone.datasets.glossary import OPTION as GLOSSARY
from ragstone.judging.decisions import JUDGED
from ragstone.runs.pipeline import Unit, judge
from ragstone.runs.plan import Plan
from ragstone.runs.reopen import Answers, model_names, plan_of
from ragstone.runs.store.admission import OWN, Guard
from ragstone.runs.store.fingerprint import path_fingerprint, redact, value_sha256
from ragstone.runs.store.folder import RunFolder
from ragstone.runs.store.seal import beside, recorded_parts, scorer_parts, terms_sha256

MOST_TURNS = 50
"""Times a dataset is read again from its beginning to find cases that stand in another order."""
_PACKAGE_CAUSES: dict[frozenset[str], Cause] = {
    frozenset({"text"}): "normaliser",
    frozenset({"reading"}): "parser",
    frozenset({"documents"}): "parser",
    frozenset({"reading", "documents"}): "parser",
    frozenset({"metrics"}): "scorer",
}


class Side:
    """One of two runs: what it was made of, and as much of it as is still at hand."""

    def __init__(self, folder: RunFolder, guard: Guard = OWN) -> None:
        self.meta = folder.meta()
        self.fingerprint: Mapping[str, JSON] = folder.read("dataset_fingerprint.json")
        self.parts = recorded_parts(self.meta)
        self.models = model_names(folder)
        self.folder = folder
        self._guard = guard
        self._opened: Plan | None = None
        self._tried = False
        self._answers: Answers | None = None
        self._cases: _Cases | None = None

    @property
    def gold(self) -> list[JSON]:
        """What identifies the gold: the dataset and what lies beside it; a glossary is the scorer's."""
        files = {k: v for k, v in (self.fingerprint.get("option_files") or {}).items() if k != GLOSSARY}
        return [*(_hash_of(self.fingerprint.get(name)) for name in ("sha256", "documents")), files]

    @property
    def code(self) -> tuple[str, ...]:
        """What identifies the scorer: its version, its code, and its options."""
        told = value_sha256(self.folder.read("config.json")["options"])
        names = ("scorer_version", "scorer_sha256", "terms_sha256")
        return *(str(self.meta.get(name)) for name in names), told

    def plan(self) -> Plan | None:
        """Open the run's dataset; None when it is gone or no longer what it was."""
        if not self._tried:
            self._tried = True
            try:
                plan = plan_of(self.folder, guard=self._guard)
                same = path_fingerprint(plan.dataset)["sha256"] == self.fingerprint.get("sha256")
                now = redact(beside(plan.documents, plan.options))
                same = same and all(_hash_of(now[n]) == _hash_of(self.fingerprint.get(n)) for n in now)
                same = same and terms_sha256(plan.contract.terms()) == self.meta.get("terms_sha256")
            except (UserError, OSError):
                return None
            self._opened = plan if same else None
        return self._opened

    def answer(self, row: Result) -> Answer | None:
        """Return the whole recorded answer of a row."""
        if self._answers is None:
            try:
                self._answers = Answers(self.folder)
            except UserError:
                return None
        return self._answers.of(row.sample_id, self.models.index(row.model_step), row.repeat)

    def case(self, case_id: str) -> Case | None:
        """Return a case of the run's dataset."""
        plan = self.plan()
        if plan is None:
            return None
        if self._cases is None:
            self._cases = _Cases(lambda: load_cases(plan.contract, plan.max_samples))
        return self._cases.find(case_id)

    def close(self) -> None:
        """Close the recording."""
        if self._answers is not None:
            self._answers.__exit__(None, None, None)


def _hash_of(value: JSON) -> JSON:
    return value.get("sha256", value) if isinstance(value, Mapping) else value


class _Cases:
    """Finds cases that are asked for in about the order of their file, without holding the file."""

    def __init__(self, load: Callable[[], Iterator[Case]]) -> None:
        self._load = load
        self._rest = load()
        self._last: Case | None = None
        self._turns = 0

    def find(self, case_id: str) -> Case | None:
        if self._last is not None and self._last.id == case_id:
            return self._last
        for _ in range(2):
            for case in self._rest:
                if case.id == case_id:
                    self._last = case
                    return case
            if self._turns >= MOST_TURNS:
                return None
            self._turns += 1
            self._rest = self._load()
        return None


class Attribution:
    """Names the cause of each change between two runs."""

    def __init__(self, first: RunFolder, second: RunFolder, guard: Guard = OWN) -> None:
        self._stack = ExitStack()
        self.first, self.second = Side(first, guard), Side(second, guard)
        self._stack.callback(self.first.close)
        self._stack.callback(self.second.close)
        self.gold_differs = self.first.gold != self.second.gold
        self.code_differs = self.first.code != self.second.code
        self._now: str | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.close()

    def cause(self, before: Result, after: Result) -> Cause:
        """Return what made a case come out otherwise."""
        gold_differs = self.gold_differs and not self._same_case(before, after)
        answer_differs = self._answer_differs(before, after)
        differing = [self.code_differs, gold_differs, answer_differs]
        if sum(differing) == 1:
            return self._code_cause(before, after) if self.code_differs else "gold" if gold_differs else "answer"
        # Only the code that is installed can be run.
        if any(differing) and self.second.code[1] == self.today():
            return self._walk(before, after, gold_differs=gold_differs, answer_differs=answer_differs)
        return "judge" if not any(differing) and _only_judged(before, after) else "unknown"

    def _same_case(self, before: Result, after: Result) -> bool:
        """Return whether different datasets hold the same case; one that is gone counts as different."""
        if self.first.gold[1:] != self.second.gold[1:]:
            return False
        mine, yours = self.first.case(before.sample_id), self.second.case(after.sample_id)
        return mine is not None and yours is not None and _asked(mine) == _asked(yours)

    def _answer_differs(self, before: Result, after: Result) -> bool:
        if before.output_text != after.output_text:
            return True
        first, second = self.first.answer(before), self.second.answer(after)
        return first is not None and second is not None and _content(first) != _content(second)

    def _walk(self, before: Result, after: Result, *, gold_differs: bool, answer_differs: bool) -> Cause:
        """Walk from the first run's row to the second's, exchanging one thing at a time until the outcome changes."""
        answer, plan = self.first.answer(before), self.second.plan() or self.first.plan()
        if answer is None or plan is None:
            return "unknown"
        outcome = _outcome(before, after)
        value, new = outcome(before), self.second.case(after.sample_id)
        if self.code_differs and (case := self.first.case(before.sample_id) or (None if gold_differs else new)):
            again = _judged(plan, case, answer, before)
            if outcome(again) != value:
                return self._code_cause(before, again)
        if gold_differs:
            if new is None:
                return "unknown"
            if outcome(_judged(plan, new, answer, before)) != value:
                return "gold" if not self.code_differs or self.first.plan() else "unknown"
        return "answer" if answer_differs else "unknown"

    def today(self) -> str:
        """Hash the scorer that is installed; nothing when neither run can be opened."""
        if self._now is None:
            plan = self.second.plan() or self.first.plan()
            self._now = value_sha256(scorer_parts(type(plan.contract))) if plan else ""
        return self._now

    def _code_cause(self, before: Result, after: Result) -> Cause:
        """Return parser, normaliser or scorer as the cause: by the packages that changed, else by what was read."""
        if self.first.meta.get("contract") != self.second.meta.get("contract"):
            return "scorer"
        packages = self.first.parts.keys() | self.second.parts.keys()
        changed = frozenset(
            package for package in packages if self.first.parts.get(package) != self.second.parts.get(package)
        )
        if known := _PACKAGE_CAUSES.get(changed):
            return known
        if (before.parsed, before.rung) != (after.parsed, after.rung):
            return "parser"
        return "normaliser" if changed and changed <= {"text", "reading", "documents"} else "scorer"


def _outcome(before: Result, after: Result) -> Callable[[Result], object]:
    """What must change: passing when that flipped, else any value."""
    if before.scorecard.passed != after.scorecard.passed:
        return lambda row: row.scorecard.passed
    return lambda row: (row.scorecard.primary_score, row.scorecard.sub_scores)


def _only_judged(before: Result, after: Result) -> bool:
    """Return whether rules say the same of both rows: then judges or people have decided otherwise."""
    mine, yours = (row.scorecard.sub_scores for row in (before, after))
    differing = [name for name in {**mine, **yours} if mine.get(name) != yours.get(name)]
    return bool(differing) and all(name.endswith(JUDGED) for name in differing)


def _asked(case: Case) -> tuple[object, ...]:
    """What of a case can decide its score."""
    return case.question, case.gold, case.inputs, case.extra


def _content(answer: Answer) -> tuple[object, ...]:
    failed = answer.failure is not None
    return answer.text, answer.data, answer.contexts, answer.citations, failed


def _judged(plan: Plan, case: Case, answer: Answer, row: Result) -> Result:
    """Score an answer by the model and step its row stands for, or in the only one there is."""
    names = plan.model_ids
    place = names.index(row.model_step) if row.model_step in names else 0
    return judge(plan.contract, Unit(0, case, place), answer, plan.frame())
