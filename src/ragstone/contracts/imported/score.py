"""What another tool said of an answer, into a scorecard; nothing is judged here.

A score the tool wanted and could not make (NaN, an error) is None and counts as 0 in the primary score; a metric it
did not apply to a case is left out of it.
"""

import math
from collections.abc import Mapping, Sequence

from ragstone.contracts.imported.cases import gold_of
from ragstone.core.types import JSON, Case, MetricSpec, Reading, Reason, Scorecard

PASS_AT = 0.5
"""The primary score from which on a case passes, where its tool names no verdict."""
_TOPS = {"flag": 1.0, "ratio": 1.0, "points": 100.0}


def score(specs: Sequence[MetricSpec], tool: str, case: Case, reading: Reading) -> Scorecard:
    """Return what the tool said."""
    said = reading.fields
    if not said:
        return _silence(specs, tool, case)
    given: Mapping[str, JSON] = said.get("scores") or {}
    scores = {spec.name: _value(given.get(spec.name), spec) for spec in specs}
    lost = [spec for spec in specs if spec.name in given and scores[spec.name] is None]
    primary = _primary(specs, said, given, scores)
    own = isinstance(said.get("score"), int | float)
    scaled = own or any(spec.name in given and spec.kind in _TOPS for spec in specs)
    passed = said.get("passed")
    sure = passed if isinstance(passed, bool) else primary >= PASS_AT and (own or not lost)
    return Scorecard(
        primary_score=primary,
        passed=sure,
        sub_scores=scores,
        error_tags=("not_scored",) if lost or not given else (),
        reasons=tuple(_reasons(tool, lost, said, primary, scaled=scaled)),
        details={"said": said.get("notes") or {}},
    )


def _silence(specs: Sequence[MetricSpec], tool: str, case: Case) -> Scorecard:
    """Nothing was said of the answer: 0 wherever more is better and the metric applies."""
    applies = gold_of(case).metrics
    scores: dict[str, float | None] = {
        spec.name: 0.0
        if spec.kind in _TOPS and spec.better == "higher" and (applies is None or spec.name in applies)
        else None
        for spec in specs
    }
    reason = Reason("", "unsaid", {"tool": tool})
    return Scorecard(primary_score=0.0, passed=False, sub_scores=scores, error_tags=("not_scored",), reasons=(reason,))


def _value(value: JSON, spec: MetricSpec) -> float | None:
    """Return a score that fits its declaration; what does not is none."""
    if not isinstance(value, int | float) or not math.isfinite(value) or value < 0:
        return None
    return float(value) if value <= _TOPS.get(spec.kind, math.inf) else None


def _primary(
    specs: Sequence[MetricSpec], said: Mapping[str, JSON], given: Mapping[str, JSON], scores: Mapping[str, float | None]
) -> float:
    """Take the tool's own score of the case, or the mean of those metrics that have a scale."""
    own = said.get("score")
    if isinstance(own, int | float) and 0 <= own <= 1:
        return float(own)
    parts = [_share(scores[spec.name], spec) for spec in specs if spec.name in given and spec.kind in _TOPS]
    return math.fsum(parts) / len(parts) if parts else float(said.get("passed") is True)


def _share(value: float | None, spec: MetricSpec) -> float:
    if value is None:
        return 0.0
    share = value / _TOPS[spec.kind]
    return share if spec.better == "higher" else 1 - share


def _reasons(
    tool: str, lost: Sequence[MetricSpec], said: Mapping[str, JSON], primary: float, *, scaled: bool
) -> list[Reason]:
    notes: Mapping[str, JSON] = said.get("notes") or {}
    passed = said.get("passed")
    reasons = [Reason(spec.name, "lost", {"tool": tool, "metric": spec.label.en}) for spec in lost]
    if isinstance(passed, bool):
        reasons.append(Reason("", "passed" if passed else "failed", {"tool": tool}))
    else:
        code = "mean" if scaled else "unscaled"
        reasons.append(Reason("", code, {"tool": tool, "score": f"{primary:.4g}"}))
    reasons += [Reason("", "note", {"metric": name, "text": str(text)}) for name, text in list(notes.items())[:5]]
    return reasons
