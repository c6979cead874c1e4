"""Compares a run with its baseline: what got worse, where, and how.

Leaves gate.json, regression.json and regression.md in the run's folder.
"""

import heapq
from collections.abc import Callable, Iterable, Iterator, Sequence

from msgspec import Struct

from ragstone.core.errors import RunError
from ragstone.core.language import Lang, Text, excerpt
from ragstone.core.types import Change, Delta, Result, Summary, Verdict
from ragstone.report.comparison import delta_cells
from ragstone.report.console import Wording
from ragstone.report.verdict import percent, verdict_lines
from ragstone.runs.reopen import is_masked, wording_of
from ragstone.runs.store.admission import OWN, Guard
from ragstone.runs.store.folder import RunFolder
from ragstone.text.visible import markdown_cell, visible_line
from ragstone.trust.gate import TOLERANCE, Gate, GateOutcome, judge_run, keep, stored_summary
from ragstone.trust.rules import parse_rule

MOST_FAILED = 10
JSON_FILE, MARKDOWN_FILE = "regression.json", "regression.md"


class FailedCase(Struct, frozen=True, kw_only=True):
    """A sample that failed, with what it scored before when it changed."""

    sample_id: str
    repeat: int = 0
    model: str
    score: float
    baseline_score: float | None = None
    error_tags: tuple[str, ...] = ()
    explain: str = ""


class TagCount(Struct, frozen=True):
    """How often an error tag was given in both runs."""

    tag: str
    baseline: int
    run: int


class Regression(Struct, frozen=True, kw_only=True):
    """What became of a run in comparison with its baseline."""

    run_id: str
    baseline: str
    tolerance: float
    differs: tuple[str, ...]
    """What besides the answers is not the same: prompt, prompt_unversioned, scorer, dataset, …"""
    verdict: Verdict
    drift: tuple[Delta, ...]
    """Every figure of every model over all cases."""
    error_tags: tuple[TagCount, ...]
    failed: tuple[FailedCase, ...]
    """The worst samples of the run."""


def regress(  # noqa: PLR0913 - whatever the runner's flags can say of a comparison
    folder: RunFolder,
    baseline: RunFolder,
    *,
    tolerance: float = TOLERANCE,
    metrics: Sequence[str] = (),
    most: int = MOST_FAILED,
    lang: Lang = "en",
    on_unkept: Callable[[RunError], None] = lambda error: None,
    guard: Guard = OWN,
    allow_cached: bool = False,
) -> Regression:
    """Judge a run against a baseline: the primary score and the chosen sub-scores may not drop by more.

    `on_unkept` learns of every file that could not be left in the run's folder; the verdict stands without it.
    """
    figures = dict.fromkeys(["primary_score", *metrics])
    # Whoever names a tolerance wants an answer: where the cases cannot prove it, the figures decide.
    rules = tuple(parse_rule(f"drop({figure}) <= {tolerance:.12g}", unsure="point") for figure in figures)
    gated = judge_run(folder, Gate(rules=rules, allow_cached=allow_cached), baseline, guard=guard)
    words = wording_of(folder, lang, mask=is_masked(baseline))
    found = _regression(folder, gated, stored_summary(baseline), tolerance, most, words)
    told = "".join(regression_markdown(found, lang)).encode("utf-8", "replace")
    for problem in (gated.unkept, keep(folder, JSON_FILE, found), keep(folder, MARKDOWN_FILE, told)):
        if problem is not None:
            on_unkept(problem)
    return found


def _regression(
    folder: RunFolder, gated: GateOutcome, before: Summary, tolerance: float, most: int, words: Wording
) -> Regression:
    comparison = gated.comparison
    assert comparison is not None
    return Regression(
        run_id=comparison.second,
        baseline=comparison.first,
        tolerance=tolerance,
        differs=comparison.differs,
        verdict=gated.verdict,
        drift=tuple(delta for delta in comparison.deltas if not delta.group and delta.n),
        error_tags=tuple(_tags(before, gated.summary)),
        failed=tuple(_worst(folder.results(), comparison.changes, most, words)),
    )


def _tags(before: Summary, now: Summary) -> Iterator[TagCount]:
    for tag in sorted(before.error_tags.keys() | now.error_tags.keys()):
        yield TagCount(tag, before.error_tags.get(tag, 0), now.error_tags.get(tag, 0))


def _worst(rows: Iterable[Result], changes: Iterable[Change], most: int, words: Wording) -> Iterator[FailedCase]:
    """Pick the failed samples with the lowest scores, those that passed before first among equals."""
    before = {(one.sample_id, one.repeat, one.model): one for one in changes}
    broken = {key for key, change in before.items() if change.kind == "broken"}

    def rank(row: Result) -> tuple[float, bool]:
        return row.scorecard.primary_score, (row.sample_id, row.repeat, row.model_step) not in broken

    for row in heapq.nsmallest(most, (row for row in rows if not row.scorecard.passed), key=rank):
        change, shown = before.get((row.sample_id, row.repeat, row.model_step)), words.cover(row)
        yield FailedCase(
            sample_id=shown.sample_id,
            repeat=row.repeat,
            model=row.model_step,
            score=row.scorecard.primary_score,
            baseline_score=change.first_score if change else None,
            error_tags=row.scorecard.error_tags,
            explain=shown.scorecard.explain,
        )


_T: dict[str, Text] = {
    "title": Text("Regression against {baseline}", "与基线 {baseline} 的回归对比"),
    "differs": Text("Not the same in both runs: {what}", "两次运行的差异：{what}"),
    "verdict": Text("Verdict", "结论"),
    "drift": Text("Metric drift", "指标漂移"),
    "tags": Text("Error tags", "错误标签"),
    "failed": Text("Failed samples", "失败样本"),
    "figure": Text("figure", "指标"),
    "first": Text("baseline", "基线"),
    "second": Text("run", "本次"),
    "difference": Text("difference", "差值"),
    "interval": Text("{level} interval", "{level} 区间"),
    "counts": Text("better / worse", "变好/变差"),
    "sample": Text("sample", "样本"),
    "model": Text("model", "模型"),
    "score": Text("score", "得分"),
    "why": Text("why", "原因"),
}


def regression_lines(found: Regression, lang: Lang) -> Iterator[str]:
    """Return the lines of the verdict, and which samples to look at first."""
    yield from verdict_lines(found.verdict, lang)
    if found.differs:
        yield visible_line(_T["differs"].say(lang, {"what": ", ".join(found.differs)}))
    for case in found.failed if found.verdict.outcome != "PASS" else ():
        yield visible_line(f"  {case.sample_id} @{case.model}: {case.score:.4g} ({excerpt(case.explain, 120)})")


def regression_markdown(found: Regression, lang: Lang) -> Iterator[str]:
    """Write the whole comparison: verdict, drift, error tags, failed samples."""
    yield f"# {_T['title'].say(lang, {'baseline': markdown_cell(found.baseline)})}\n\n"
    yield f"## {_T['verdict'].say(lang)}: {found.verdict.outcome}\n\n"
    yield from (f"- {markdown_cell(line)}\n" for line in verdict_lines(found.verdict, lang))
    if found.differs:
        yield "\n" + _T["differs"].say(lang, {"what": markdown_cell(", ".join(found.differs))}) + "\n"
    cells = [delta_cells(delta, True) for delta in found.drift]
    heads = ("figure", "first", "second", "difference", "interval", "counts")
    level = next((percent(delta.interval.level) for delta in found.drift if delta.interval), "")
    yield from _table("drift", heads, [[*row[:5], row[6]] for row in cells], lang, level)
    counts = [[one.tag, str(one.baseline), str(one.run), f"{one.run - one.baseline:+}"] for one in found.error_tags]
    yield from _table("tags", ("tags", "first", "second", "difference"), counts, lang)
    yield from _table("failed", ("sample", "model", "first", "score", "tags", "why"), map(_cells, found.failed), lang)


def _cells(case: FailedCase) -> list[str]:
    before = "–" if case.baseline_score is None else f"{case.baseline_score:.4g}"
    name = f"{case.sample_id} #{case.repeat + 1}" if case.repeat else case.sample_id
    return [name, case.model, before, f"{case.score:.4g}", ", ".join(case.error_tags), excerpt(case.explain, 200)]


def _table(
    title: str, heads: Sequence[str], rows: Iterable[Sequence[str]], lang: Lang, level: str = ""
) -> Iterator[str]:
    names = (_T[head].say(lang, {"level": level}).strip() for head in heads)
    yield f"\n## {_T[title].say(lang)}\n\n| {' | '.join(names)} |\n"
    yield f"|{' --- |' * len(heads)}\n"
    for row in rows:
        yield f"| {' | '.join(markdown_cell(cell) for cell in row)} |\n"
