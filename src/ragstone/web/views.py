"""Turns figures and cases into plain values for templates; nothing is scored here."""

import contextlib
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from msgspec import Struct, structs

from ragstone.core.language import Lang, Text, excerpt
from ragstone.core.messages import codes, message, phrase
from ragstone.core.types import (
    JSON,
    Block,
    Comparison,
    Context,
    Delta,
    Figure,
    Finding,
    Interval,
    MetricSpec,
    ModelSummary,
    Reason,
    Result,
    Ruling,
)
from ragstone.report.charts import Column, bar, distribution
from ragstone.report.comparison import cover_comparison
from ragstone.report.console import notes, show_figure, show_range, show_score, show_share, show_shares, show_value
from ragstone.report.markdown import run_facts
from ragstone.report.notices import DRY_MARK, NOT_MEASURED
from ragstone.report.rows import BEYOND, gold_of
from ragstone.report.verdict import drafts_note, say_outcome, say_ruling
from ragstone.runs.store.admission import Guard
from ragstone.runs.store.label import read_label
from ragstone.text.visible import visible_block, visible_line
from ragstone.trust.compare import MOST_CHANGES
from ragstone.trust.differences import SAME
from ragstone.trust.gate import last_verdict
from ragstone.web.cases.facets import author_of, verdicts_of
from ragstone.web.cases.highlights import Piece, anchor_marks, answer_marks, leaves, pieces
from ragstone.web.cases.index import Index
from ragstone.web.cases.query import Query, Row
from ragstone.web.cases.stored import Stored, find_answer, find_case
from ragstone.web.display_names import display_name
from ragstone.web.errors import ON_PAGE
from ragstone.web.places import bundled
from ragstone.web.words import say

ERRORS_SHOWN = 30
NOTES_SHOWN = 20
MOST_GROUP_VALUES = 40
EXCERPT = 240
SHORT = 48
"""Characters of a reason in a list of choices."""
LONG = 100_000
"""Characters of one text that are put on a page."""
_FACTS = ("ragstone_version", "finished", "results_digest")
"""Said on the page besides what every report says."""


EXAMPLES = {one.path: one.name for one in bundled()}
"""The names of the bundled datasets by their files."""


class ShownFigure(Struct, frozen=True, kw_only=True):
    """One figure as it is shown."""

    name: str
    label: str
    value: str
    kind: str = "flag"
    """flag or ratio: a share; points: 0..100; error or plain: a number."""
    bar: str = ""
    note: str = ""
    """What stands small beside the value: how far it could rise."""
    interval: str = ""
    n: int | None = None
    not_applicable: int = 0
    headline: bool = False
    lower: bool = False


class GroupRow(Struct, frozen=True, kw_only=True):
    """One value of a group as it is shown."""

    value: str
    cases: int
    passed: str
    bar: str
    figures: tuple[str, ...]


# --- figures ---


def figures_of(block: Block, specs: Sequence[MetricSpec], lang: Lang) -> list[ShownFigure]:
    """Show passing, the score and every metric that applied to anything."""
    share = ShownFigure(
        name="pass_rate",
        label=say("overall.pass_rate", lang),
        value=show_share(block.pass_rate),
        bar=_bar(block.pass_rate, block.pass_interval),
        interval=show_shares(block.pass_interval),
        n=block.cases,
        headline=True,
    )
    score = ShownFigure(
        name="primary_score",
        kind="plain",
        label=say("overall.score", lang),
        value=show_score(block.primary_score),
        bar=_bar(block.primary_score, block.score_interval),
        interval=_plain(block.score_interval, 3),
        n=block.cases,
        headline=True,
    )
    shown = [_figure(spec, block.metrics[spec.name], lang) for spec in specs if spec.name in block.metrics]
    return [share, score, *(one for one in shown if one.n)]


def _figure(spec: MetricSpec, figure: Figure, lang: Lang) -> ShownFigure:
    scale = {"points": 100.0, "error": 0.0}.get(spec.kind, 1.0)
    share = None if figure.mean is None or not scale else figure.mean / scale
    interval = show_shares(figure.interval) if spec.kind in {"flag", "ratio"} else _plain(figure.interval, 2)
    whole, value = show_range(figure, spec, lang), show_figure(figure, spec, lang)
    return ShownFigure(
        name=spec.name,
        label=" ".join((spec.label.say(lang), *spec.also)),
        value=value,
        note=whole.removeprefix(value).strip(" ()（）"),
        kind=spec.kind,
        bar=_bar(share, figure.interval, scale) if scale else "",
        interval=interval,
        n=figure.n,
        not_applicable=figure.not_applicable - figure.lost,
        headline=spec.headline,
        lower=spec.better == "lower" or spec.kind == "error",
    )


def _bar(share: float | None, interval: Interval | None, scale: float = 1.0) -> str:
    if interval is None:
        return bar(share)
    return bar(share, interval.low / scale, interval.high / scale)


def _plain(interval: Interval | None, digits: int) -> str:
    return "" if interval is None else f"{interval.low:.{digits}f} – {interval.high:.{digits}f}"


def groups_of(figures: ModelSummary, stored: Stored, lang: Lang) -> dict[str, list[GroupRow]]:
    """Show each group's values, the weakest first."""
    shown = {}
    for group, values in figures.groups.items():
        ordered = sorted(values.items(), key=lambda pair: (pair[1].pass_rate or 0.0, pair[0]))[:MOST_GROUP_VALUES]
        shown[group] = [
            GroupRow(
                value=stored.hide(value),
                cases=block.cases,
                passed=show_share(block.pass_rate),
                bar=_bar(block.pass_rate, block.pass_interval),
                figures=tuple(mean_of(block, spec, lang) for spec in stored.headlines),
            )
            for value, block in ordered
        ]
    return shown


def mean_of(block: Block, spec: MetricSpec, lang: Lang) -> str:
    """Show one figure of a block."""
    return show_figure(block.metrics.get(spec.name), spec, lang)


def distribution_of(index: Index, model: str, lang: Lang) -> str:
    """Draw the scores of a run."""
    bins = index.bins(model)
    columns = [Column(one.low, one.high, one.passed, one.missed) for one in bins]
    total = sum(one.passed + one.missed for one in bins)
    counts = (f"{one.low:.1f}–{one.high:.1f}: {one.passed + one.missed}" for one in bins if one.passed + one.missed)
    label = f"{say('distribution.label', lang, n=total)}: {', '.join(counts)}"
    return distribution(columns, label, say("cases.passed", lang), say("cases.missed", lang))


def mark_of(stored: Stored, block: Block | None, lang: Lang) -> str:
    """Return what stands beside every figure of a dry run, and where nothing was measured."""
    if stored.dry_run:
        return DRY_MARK.say(lang)
    return "" if block and block.pass_rate is not None else NOT_MEASURED.say(lang)


# --- a run ---


def title_of(stored: Stored) -> str:
    """Call a run by the name people gave it, or by its dataset."""
    return read_label(stored.folder).name or dataset_name(stored)


def dataset_name(stored: Stored) -> str:
    """Name a run's dataset; of an imported run, the file it was imported from and the tool that made it."""
    source = stored.meta.get("imported")
    if isinstance(source, dict) and source.get("file"):
        return visible_line(f"{Path(str(source['file'])).name} · {stored.meta.get('imported_from') or '–'}")
    path = Path(str(stored.config.get("dataset") or stored.run_id))
    # Both examples are files of one name.
    return visible_line(EXAMPLES.get(path) or path.name)


def gate_of(stored: Stored, lang: Lang) -> dict[str, JSON]:
    """Show what a gate last said of a run; nothing where none did, or where the figures are others since."""
    found = last_verdict(stored.folder)
    if found is None:
        return {}
    with contextlib.suppress(LookupError, TypeError, ValueError):
        lines = [f"{say_outcome(one.outcome, lang)}  {_of(one)}: {say_ruling(one, lang)}" for one in found.rulings]
        shown = [visible_line(line) for line in (*lines, *drafts_note(found, lang))]
        return {"outcome": found.outcome, "said": say_outcome(found.outcome, lang), "lines": shown}
    return {}


def _of(one: Ruling) -> str:
    return f"{one.rule} @{one.model}" if one.model else one.rule


def facts_of(stored: Stored) -> dict[str, str]:
    """Show what a run was made of."""
    found = run_facts(stored.meta) | {name: stored.meta.get(name) for name in _FACTS}
    return {name: visible_line(str(value)) for name, value in found.items() if value not in (None, "")}


def row_of(row: Row, stored: Stored, lang: Lang) -> dict[str, JSON]:
    """Show one case in a list."""
    result = stored.cover(row.result)
    return {
        "number": row.number,
        "id": visible_line(result.sample_id),
        "model": visible_line(result.model_step),
        "repeat": result.repeat,
        "state": row.state,
        "question": visible_line(excerpt(result.question, EXCERPT)),
        "answer": visible_line(excerpt(result.output_text, EXCERPT)),
        "score": result.scorecard.primary_score,
        "marks": [show_value(result.scorecard.sub_scores.get(spec.name), spec) for spec in stored.headlines],
        "why": why(result.scorecard.reasons, stored, lang) or visible_line(result.scorecard.explain),
        "latency_ms": result.latency_ms,
        "tags": [visible_line(tag) for tag in result.scorecard.error_tags],
    }


def why(reasons: Iterable[Reason], stored: Stored, lang: Lang) -> str:
    """Return in one line why a case came out as it did, in the reader's language."""
    parts = [reason_words(reason, stored, lang).rstrip("。.") for reason in reasons]
    return ("; " if lang == "en" else "；").join(parts)


def reason_words(reason: Reason, stored: Stored, lang: Lang) -> str:
    """Return one reason in words."""
    return visible_line(phrase(stored.phrases, reason.code, reason.params, lang, note=True))


def errors_of(index: Index, stored: Stored, lang: Lang, model: str = "") -> dict[str, JSON]:
    """Show the cases that did not pass, with their reasons."""
    page = index.page(Query(state="missed", limit=ERRORS_SHOWN, model=model))
    return {"rows": [row_of(row, stored, lang) for row in page.rows], "total": page.total}


def notes_of(index: Index, stored: Stored, lang: Lang, model: str = "") -> list[str]:
    """Write the Notes as the contract's document shows them: failures first."""
    missed = index.page(Query(state="missed", limit=NOTES_SHOWN, model=model)).rows
    passed = index.page(Query(state="passed", limit=max(1, NOTES_SHOWN - len(missed)), model=model)).rows
    rows = [_in_words(stored.cover(row.result), stored, lang) for row in (*missed, *passed)][:NOTES_SHOWN]
    return notes(rows, stored.wording(lang), more=max(0, index.total(model) - len(rows)))


def _in_words(result: Result, stored: Stored, lang: Lang) -> Result:
    """Return a row whose explanation is in the reader's language."""
    if not (said := why(result.scorecard.reasons, stored, lang)):
        return result
    card = structs.replace(result.scorecard, explain=said + ("." if lang == "en" else "。"))
    return structs.replace(result, scorecard=card)


def when(stamp: JSON) -> str:
    """Show a time as a person writes it, in UTC; the page's script puts it into the reader's zone."""
    return visible_line(str(stamp or "")[:16].replace("T", " "))


# --- a case ---


def case_of(row: Row, stored: Stored, lang: Lang, guard: Guard) -> dict[str, JSON]:
    """Show everything about one case."""
    answer, case = find_answer(stored, row.result), find_case(stored, row.result, guard)
    row = structs.replace(row, result=stored.cover(row.result))
    result, gold = row.result, stored.hide(gold_of(case) if case else None)
    contexts = [_hidden(context, stored) for context in answer.contexts] if answer else []
    documents = [context.source_path for context in contexts] + [text for text in leaves(gold) if _is_file(text)]
    text = result.output_text[:LONG]
    details = result.scorecard.details
    needles = [*leaves(gold), *(str(node) for node in leaves(details.get("points")))]
    return {
        **row_of(row, stored, lang),
        "question": visible_block(result.question),
        "pieces": _clean(pieces(text, answer_marks(text, details, documents))),
        "gold": gold,
        "contexts": [
            {
                "source": visible_line(context.source_path),
                "page": context.page,
                "score": context.score,
                "pieces": _clean(pieces(context.text[:LONG], anchor_marks(context.text, needles))),
            }
            for context in contexts
        ],
        "citations": [_citation(one, stored) for one in answer.citations] if answer else [],
        "scores": _scores(row, stored, lang),
        "reasons": _reasons(row, stored, lang),
        "open": any(one["verdict"] == "open" for one in verdicts_of(details)),
        "details": details,
        "verdicts": _judged(details, lang),
        "raw": visible_block(result.output_text[:LONG]),
        "parsed": result.parsed,
        "facts": _case_facts(row, stored, lang),
        "passed": result.scorecard.passed,
        "groups": result.groups,
    }


def _judged(details: Mapping[str, JSON], lang: Lang) -> list[dict[str, JSON]]:
    """Show what was decided about a judged case, and by whom; nothing where only rules did."""
    if not isinstance(details.get("judged"), dict):
        return []
    return [
        {
            "point": _point(one),
            "verdict": one["verdict"] if one["verdict"] in {"yes", "no"} else "open",
            "by": author_of(one) if one["verdict"] in {"yes", "no"} else "",
            "who": _voters(one),
            "why": _why_open(one, lang),
            "quotes": _strings(one.get("quotes")),
            "margins": [f"{value:+.2f}" for value in _listed(one.get("margins")) if isinstance(value, int | float)],
        }
        for one in reversed(verdicts_of(details))
    ]


def _voters(verdict: Mapping[str, JSON]) -> list[str]:
    """Return who is behind a verdict; of a jury that disagrees each with its vote."""
    who, votes = _strings(verdict.get("who")), _strings(verdict.get("votes"))
    return [f"{name} ({vote})" for name, vote in zip(who, votes, strict=True)] if len(who) == len(votes) else who


def _why_open(verdict: Mapping[str, JSON], lang: Lang) -> str:
    """Return why a judge left something open; "" for a code nobody knows, as a run that was sent may have."""
    code = f"open.{verdict.get('why')}"
    return message(code).say(lang) if verdict["verdict"] == "open" and code in codes() else ""


def _listed(value: JSON) -> list[JSON]:
    return value if isinstance(value, list) else []


def _strings(value: JSON) -> list[str]:
    """Show the texts of a list; a run that was sent may hold anything there."""
    return [visible_line(excerpt(text, EXCERPT)) for text in _listed(value) if isinstance(text, str)]


def _hidden(context: Context, stored: Stored) -> Context:
    """Return a retrieved piece as a reader may see it."""
    if not stored.mask:
        return context
    text = context.text[: LONG + BEYOND]
    return structs.replace(context, source_path=stored.hide(context.source_path), text=stored.hide(text))


def _citation(citation: object, stored: Stored) -> str:
    parts = [str(getattr(citation, name)) for name in ("file", "page", "quote") if getattr(citation, name) is not None]
    return visible_line(excerpt(stored.hide(" · ".join(parts)), EXCERPT))


def _clean(shown: Iterable[Piece]) -> list[Piece]:
    return [Piece(visible_block(one.text), one.kind, visible_line(one.label), one.rule) for one in shown]


def _scores(row: Row, stored: Stored, lang: Lang) -> list[dict[str, JSON]]:
    card = row.result.scorecard
    shown = []
    for spec in stored.specs:
        if spec.name not in card.sub_scores:
            continue
        value = card.sub_scores[spec.name]
        best = 0.0 if spec.better == "lower" or spec.kind == "error" else 100.0 if spec.kind == "points" else 1.0
        verdict = (
            "" if value is None else "good" if value == best else "bad" if spec.kind == "flag" or not value else ""
        )
        shown.append({"label": spec.label.say(lang), "value": show_value(value, spec), "verdict": verdict})
    return shown


def _reasons(row: Row, stored: Stored, lang: Lang) -> list[dict[str, str]]:
    labels = {spec.name: spec.label.say(lang) for spec in stored.specs}
    card = row.result.scorecard
    found = [{"metric": labels.get(r.metric, ""), "text": reason_words(r, stored, lang)} for r in card.reasons]
    still = [{"metric": "", "text": text} for text in _still_open(card.details, lang)]
    return still + (found or [{"metric": "", "text": visible_line(card.explain)}])


def _still_open(details: Mapping[str, JSON], lang: Lang) -> list[str]:
    """Say which verdicts of a case are open, and why nobody could decide them."""
    return [
        say(
            "case.open",
            lang,
            point=_point(one),
            why=_why_open(one, lang) or display_name(str(one.get("rule", "–")), lang),
        )
        for one in reversed(verdicts_of(details))
        if one["verdict"] == "open"
    ]


def _point(verdict: Mapping[str, JSON]) -> str:
    return visible_line(
        excerpt(str(verdict.get("point") or verdict.get("claim") or verdict.get("kind") or "–"), EXCERPT)
    )


def names_of(stored: Stored) -> dict[str, Text]:
    """Return what a run's contract calls its metrics and its kinds of errors."""
    tags = {code: text for code, text in stored.phrases.items() if code.startswith("tag.")}
    return {**{spec.name: spec.label for spec in stored.specs}, **tags}


_PLACE = re.compile(r"\s*\{[^{}]*\}\s*")


def reason_names(stored: Stored, codes: Iterable[str], lang: Lang) -> dict[str, str]:
    """Return the kinds of reasons: each phrase with its places left open, or the code where there is none."""
    shown = {}
    for code in codes:
        text = stored.phrases.get(code) or stored.phrases.get(f"{code}.note")
        words = _PLACE.sub("…", text.say(lang)) if text else display_name(code, lang)
        shown[code] = visible_line(excerpt(words.rstrip("。."), SHORT))
    return shown


def _case_facts(row: Row, stored: Stored, lang: Lang) -> dict[str, str]:
    result, names = row.result, names_of(stored)
    tags = [visible_line(display_name(tag, lang, names)) for tag in result.scorecard.error_tags]
    shown: dict[str, str | None] = {
        "case.rung": display_name(result.rung, lang),
        "case.latency": None if result.latency_ms is None else f"{result.latency_ms:,.0f} ms",
        "case.attempts": str(result.attempts) if result.attempts > 1 else None,
        "case.tokens": f"{result.usage.total_tokens:,}" if result.usage else None,
        "case.cost": None if result.cost is None else f"{result.cost:.6g}",
        "case.cached": "√" if result.cached else None,
        "case.error": _failure(row, lang),
        "case.tags": ", ".join(tags) or None,
    }
    return {say(name, lang): value for name, value in shown.items() if value}


def _failure(row: Row, lang: Lang) -> str | None:
    result = row.result
    if result.error_type is None:
        return None
    kinds = (display_name(name, lang) for name in (result.error_stage, result.error_type) if name)
    return visible_line(" · ".join([*kinds, *(part for part in (result.error_code, result.error_message) if part)]))


def _is_file(text: str) -> bool:
    stem, dot, kind = text.rpartition(".")
    return bool(stem and dot) and len(text) < 200 and 1 < len(kind) < 6 and kind.isalnum()


# --- findings ---


def finding_words(
    finding: Finding, lang: Lang, file: str = "", phrases: Mapping[str, Text] | None = None
) -> dict[str, JSON]:
    """Show what `check` noticed; only the name of a file, not where it lies."""
    position = finding.position
    return {
        "level": finding.level,
        "code": finding.code,
        "file": file or Path(position.file).name,
        "line": position.line,
        "pointer": position.pointer,
        "case": finding.case_id,
        "text": visible_line(phrase(phrases or {}, ON_PAGE.get(finding.code, finding.code), finding.params, lang)),
    }


# --- history and comparing ---


def listed(found: Comparison) -> Comparison:
    """Return a comparison with no more changes than a report lists."""
    kinds: dict[str, int] = {}
    kept = []
    for change in found.changes:
        kinds[change.kind] = kinds.get(change.kind, 0) + 1
        if kinds[change.kind] <= MOST_CHANGES:
            kept.append(change)
    return structs.replace(found, changes=tuple(kept))


def comparison_of(found: Comparison, runs: tuple[Stored, Stored], lang: Lang) -> Comparison:
    """Return a comparison as a reader may see it; its reasons stay in the language they are recorded in."""
    words = structs.replace(runs[1].wording(lang), mask=any(run.mask for run in runs))
    return cover_comparison(found, (), words)


def delta_rows(comparison: Comparison, specs: Mapping[str, MetricSpec], lang: Lang) -> list[dict[str, JSON]]:
    """Show the differences over all cases."""
    shown = [delta for delta in comparison.deltas if not delta.group and delta.n]
    shown.sort(key=lambda delta: (delta.model, delta.figure in specs))
    return [_delta(delta, specs, lang) for delta in shown]


def _delta(delta: Delta, specs: Mapping[str, MetricSpec], lang: Lang) -> dict[str, JSON]:
    spec = specs.get(delta.figure)
    label = spec.label.say(lang) if spec else _whole_label(delta.figure, lang)
    percent = delta.figure == "pass_rate" or (spec is not None and spec.kind in {"flag", "ratio"})
    better = 0 if not delta.difference else (1 if (delta.difference > 0) == (delta.better == "higher") else -1)
    interval = delta.interval
    return {
        "label": label,
        "model": visible_line(delta.model),
        "first": _value(delta.first, percent),
        "second": _value(delta.second, percent),
        "difference": _signed(delta.difference, percent),
        "interval": f"{_signed(interval.low, percent)} … {_signed(interval.high, percent)}" if interval else "",
        "p": "" if delta.p_holm is None else f"{delta.p_holm:.3f}" if delta.p_holm >= 0.001 else "< 0.001",
        "gained": delta.gained,
        "lost": delta.lost,
        "detectable": _signed(delta.detectable, percent).lstrip("+") if delta.detectable is not None else "",
        "way": {1: "good", -1: "bad", 0: ""}[better],
        "sure": bool(interval and (interval.low > 0 or interval.high < 0)),
    }


def moved_figures(before: Row, after: Row, stored: Stored, lang: Lang) -> list[str]:
    """Return which figures of a case differ in the second run: `key point recall 1 → 0.5`."""
    first, second = before.result.scorecard, after.result.scorecard
    shown = []
    if abs(first.primary_score - second.primary_score) > SAME:
        shown.append(f"{say('overall.score', lang)} {first.primary_score:.3f} → {second.primary_score:.3f}")
    both = [spec for spec in stored.specs if spec.name in first.sub_scores and spec.name in second.sub_scores]
    for spec in both:
        mine, yours = (show_value(card.sub_scores[spec.name], spec) for card in (first, second))
        if mine != yours:
            shown.append(f"{spec.label.say(lang)} {mine} → {yours}")
    return shown


def _whole_label(figure: str, lang: Lang) -> str:
    return say("overall.pass_rate" if figure == "pass_rate" else "overall.score", lang)


def _value(value: float | None, percent: bool) -> str:
    return "–" if value is None else f"{value:.1%}" if percent else f"{value:.3f}"


def _signed(value: float | None, percent: bool) -> str:
    if value is None:
        return "–"
    return (f"{value * 100:+.1f} pp" if percent else f"{value:+.3f}").replace("-", "−")
