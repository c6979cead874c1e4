"""A reading into one scorecard: every figure of the task, one primary score, tags and reasons."""

from collections.abc import Iterable, Mapping, Sequence

from ragstone.contracts.prompt_task.cases import row_of
from ragstone.contracts.prompt_task.measures.fields import Given, Measure
from ragstone.contracts.prompt_task.phrases import PHRASES, PROBLEMS
from ragstone.contracts.prompt_task.read import REPAIRED
from ragstone.core.types import JSON, Case, Reading, Reason, Scorecard
from ragstone.reading.json.fields import REPLACED

_FULL = 1.0 - 1e-12


class Judge:
    """Scores the readings of one task."""

    def __init__(self, measures: Sequence[Measure], pass_at: float, fields: Sequence[str]) -> None:
        self.measures, self.pass_at, self.fields = measures, pass_at, tuple(fields)
        chosen = [measure.main for measure in measures if measure.primary and measure.main]
        self.counted = tuple(chosen or [measure.main for measure in measures if measure.main])
        """The figures the primary score is the mean of; without any it is the share of fields that could be read."""
        self._nothing: Mapping[str, float | None] = {
            figure.name: None if figure.kind == "error" else 0.0 for measure in measures for figure in measure.specs
        }

    def score(self, case: Case, reading: Reading) -> Scorecard:
        """Judge one reading."""
        if reading.rung == "failed" or (not reading.fields and not reading.text.strip()):
            return self._unparsed(reading)
        done = _split(reading.tags)
        given = Given(reading.fields, frozenset(name for word in REPLACED & done.keys() for name in done[word]))
        row = row_of(case)
        values: dict[str, float | None] = {}
        tags: dict[str, None] = dict.fromkeys(done)
        reasons = [Reason("", word, {"fields": names}) for word, names in done.items()]
        for measure in self.measures:
            outcome = measure.score(given, row)
            values |= outcome.values
            if outcome.tags:
                tags.update(dict.fromkeys(outcome.tags))
            reasons.extend(outcome.reasons)
        primary = self._primary(values, given)
        reasons += _repair(reading)
        if reasons:
            tags |= {REPAIRED: None} if reasons[-1].code == REPAIRED else {}
        else:
            reasons.append(Reason("", "met" if primary >= _FULL else "fair", {"score": round(primary, 4)}))
        return Scorecard(
            primary_score=primary,
            passed=primary >= self.pass_at - 1e-12,
            sub_scores=values,
            error_tags=tuple(tags),
            reasons=tuple(reasons),
        )

    def _primary(self, values: Mapping[str, float | None], given: Given) -> float:
        numbers = [value for key in self.counted if (value := values[key]) is not None]
        if numbers:
            return sum(numbers) / len(numbers)
        if self.counted:
            return 0.0
        total = len(self.fields)
        return sum(name not in given.missing for name in self.fields) / total if total else 1.0

    def _unparsed(self, reading: Reading) -> Scorecard:
        """An answer that cannot be read scores 0 on every metric (R3.3)."""
        code = reading.problem if reading.problem in PROBLEMS else "empty"
        reason = Reason("", code, {"answer": reading.text})
        return Scorecard(
            primary_score=0.0,
            passed=False,
            sub_scores=dict(self._nothing),
            error_tags=("unparsed",),
            reasons=(reason,),
        )


def _split(tags: Iterable[str]) -> dict[str, list[JSON]]:
    """Gather the fields under each word of `word:field`."""
    found: dict[str, list[JSON]] = {}
    for tag in tags:
        word, colon, field = tag.partition(":")
        if colon and word in PHRASES and word != REPAIRED:
            found.setdefault(word, []).append(field)
    return found


def _repair(reading: Reading) -> list[Reason]:
    if reading.rung != "repaired":
        return []
    problem = next((tag.partition(":")[2] for tag in reading.tags if tag.startswith(REPAIRED)), "")
    return [Reason("", REPAIRED, {"problem": problem})]
