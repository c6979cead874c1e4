"""What looks wrong about a task and its rows before anything is spent on them."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from ragstone.contracts.prompt_task.cases import LABEL_START, row_of
from ragstone.contracts.prompt_task.measures.fields import Measure
from ragstone.contracts.prompt_task.measures.reasoning import Own
from ragstone.contracts.prompt_task.phrases import PHRASES
from ragstone.core.messages import phrase
from ragstone.core.types import JSON, Case, Finding, Scorecard
from ragstone.datasets.fields.slips import Slip
from ragstone.text.nearest import nearest


class Checker:
    """Looks at the cases of one dataset in turn; what concerns all of them is said at the first."""

    def __init__(
        self,
        measures: Sequence[Measure],
        schema_fields: Sequence[str],
        prompt_fields: Sequence[str],
        mapping: Mapping[str, str],
        compared: bool,
    ) -> None:
        self._measures, self._schema, self._prompt = measures, frozenset(schema_fields), prompt_fields
        self._mapping, self._compared = mapping, compared
        self._used = frozenset(name for measure in measures for name in measure.labels)
        # A function that is given the whole row may use any label.
        self._any_label = any(isinstance(measure, Own) and not measure.labels for measure in measures)
        self._first: str | None = None
        self._said: set[str] = set()

    def check(self, case: Case, best: Scorecard) -> Iterator[Finding]:
        """Find everything about one case; `best` is what an answer made from its labels scores."""
        if self._first is None or self._first == case.id:
            self._first = case.id
            yield from self._about_all(case)
        row = row_of(case)
        yield from self._unused(case, row)
        missing = [one.labels[0] for one in self._measures if _lacks(one, row)]
        for name in dict.fromkeys(missing):
            yield _finding(case, "check.label_missing", "warning", field=name)
            if name not in self._said:
                self._said.add(name)
                yield from _slip(case, name, [one for one in row if one not in self._used])
        if best.primary_score < 1 - 1e-9 and not missing and self._compared:
            reason = "; ".join(phrase(PHRASES, one.code, one.params, "en") for one in best.reasons)
            yield _finding(case, "check.unreachable", "warning", best=round(best.primary_score, 4), reason=reason)

    def _about_all(self, case: Case) -> Iterator[Finding]:
        for name in self._prompt:
            if name.startswith(LABEL_START) or name in self._used:
                yield _finding(case, "check.label_in_prompt", "warning", field=name)
        if self._schema:
            needs = dict.fromkeys(name for measure in self._measures for name in measure.needs)
            for name in needs:
                if name not in self._schema:
                    yield _finding(case, "check.field_unknown", "warning", field=name)
                    yield from _slip(case, name, sorted(self._schema))
        if not self._compared:
            yield _finding(case, "check.nothing_compared", "note")

    def _unused(self, case: Case, row: Mapping[str, JSON]) -> Iterator[Finding]:
        """Say of each label once that no metric uses it."""
        for name in () if self._any_label else row:
            known = name in self._used or self._mapping.get(name) in self._used
            if name.startswith(LABEL_START) and not known and name not in self._said:
                self._said.add(name)
                yield _finding(case, "check.label_unused", "warning", field=name)


def _slip(case: Case, written: str, known: Sequence[str]) -> Iterator[Finding]:
    """Offer the nearest name where there is one."""
    if near := nearest(written, tuple(known)):
        yield Slip("", written, near).at(case.position, case.id)


def _lacks(measure: Measure, row: Mapping[str, JSON]) -> bool:
    """Whether a measure needs a label and the row has none."""
    if measure.optional or not measure.labels:
        return False
    return not any(row.get(name) is not None for name in measure.labels)


def _finding(case: Case, code: str, level: Literal["warning", "note"], **params: JSON) -> Finding:
    return Finding(level=level, code=code, position=case.position, case_id=case.id, params=params)
