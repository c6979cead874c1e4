"""The lines of a run: `[EVAL] Q1 - 准确率：√ | 引用率：×（…）`, the closing line and the Notes (contract 2, R2.3)."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct, structs

from ragstone.core.language import Lang, Text, excerpt
from ragstone.core.messages import phrase
from ragstone.core.types import Block, Figure, Interval, MetricSpec, ModelSummary, Reason, Result, Summary
from ragstone.report.judging.authors import author_lines
from ragstone.report.notices import (
    DRY_MARK,
    NOT_MEASURED,
    against_text,
    authors_text,
    measured,
    notices,
    standing_text,
    unasked_text,
)
from ragstone.report.text_table import text_table
from ragstone.text.visible import visible_line

TAG = "[EVAL]"
_START = Text("{tag} started, cases: {n}", "{tag} 评测开始，总用例数：{n}")
_ANSWERS = Text(", answers to get: {n}", "，总回答数：{n}")
_DONE = Text("{tag} finished - {figures}", "{tag} 评测完成 - {figures}")
_PARTIAL = Text(
    "{tag} stopped, PARTIAL ({finished} of {expected}) - {of}{figures}",
    "{tag} 评测中止，结果不完整（{finished}/{expected}） - {of}{figures}",
)
_OF = Text("of the {n} asked, ", "已问 {n} 例中")
_OVERALL = Text("overall {label}: {value}", "整体{label}：{value}")
_COVERAGE = Text(
    "{tag} cases {cases}: scored {scored}, failed {errored}, unreadable {unparsed} (the last two count as 0){na}",
    "{tag} 用例 {cases}：已评分 {scored}，失败 {errored}，无法解析 {unparsed}（失败与无法解析按 0 分计入）{na}",
)
_MODEL = Text("model", "模型")
_CASES = Text("cases", "用例")
_RATE = Text("passed", "通过率")
_PASSED = Text("passed {n}/{all}", "通过 {n}/{all}")
_NA = Text("; {label} not applicable to {n}", "；{label}不适用 {n}")
_LOST = Text(
    "{value} (of {n}, {lost} unscored)",
    "{value}（{n} 个，另有 {lost} 个未评分）",
    "{value}（{n} 個，另有 {lost} 個未評分）",
)
OPEN = Text("{n} open, {high} at most", "{n} 项未定，最高 {high}")
_RANGE = Text("{value} ({open})", "{value}（{open}）")
_UNDECIDED = Text(
    "{value} ({n} of {drawn} drawn cases undecided: {low} to {high})",
    "{value}（抽取的 {drawn} 个用例中有 {n} 个未定：{low} 至 {high}）",
)
_BLANK = Text(
    "{value} (no verdict filled in for any of the {n:drawn case|drawn cases})",
    "{value}（抽取的 {n} 个用例均未填写结论）",
    "{value}（抽取的 {n} 個用例均未填寫結論）",
)
_MORE = Text("… and {n} more in {file}", "……另有 {n} 条，见 {file}")


class Wording(Struct, frozen=True):
    """What is needed to put results into words: the declared metrics, the phrases, the language."""

    metrics: tuple[MetricSpec, ...]
    phrases: Mapping[str, Text]
    lang: Lang
    many_models: bool = False
    mask: bool = False
    """Hide id numbers, phones, addresses and accounts from readers; what is kept on disk stays as it is."""
    staged: bool = False
    """Each step of a workflow has figures of its own: those of other steps are not shown with it."""
    tables: Mapping[str, Text] = {}
    """Tables of the contract, by name, with their titles."""
    retold: bool = False
    """The reader's language is not the run's: explanations are rebuilt from their reasons."""
    models: tuple[str, ...] = ()
    """All models of the run, those that gave no answer among them."""

    def cell(self, table: str, cell: str) -> str:
        """Label one cell of a table."""
        text = self.phrases.get(f"{table}.{cell}")
        return text.say(self.lang) if text else cell

    def show(self, text: str) -> str:
        """Return a text as readers may see it."""
        if not self.mask:
            return text
        from ragstone.reading.private import mask_private  # noqa: PLC0415 - a reader of names is slow to load

        return mask_private(text)

    def cover(self, result: Result) -> Result:
        """Return a row as readers may see it: in their language, and without what is private where that is hidden."""
        anew = self.retells(result)
        result = covered(result) if self.mask else result
        if not anew:
            return result
        said = say_reasons(result.scorecard.reasons, self.phrases, self.lang)
        return structs.replace(result, scorecard=structs.replace(result.scorecard, explain=said))

    def retells(self, result: Result) -> bool:
        """Return whether an explanation is rebuilt: for its language, or to hide texts before they are cut."""
        if not (self.retold or self.mask):
            return False
        said = say_reasons(result.scorecard.reasons, self.phrases, self.lang)
        return bool(said) and (self.retold or said == result.scorecard.explain)

    @property
    def headlines(self) -> tuple[MetricSpec, ...]:
        """The metrics shown on every line; the first one when none is marked."""
        return tuple(spec for spec in self.metrics if spec.headline) or self.metrics[:1]

    def headlines_of(self, block: Block) -> tuple[MetricSpec, ...]:
        """The metrics shown for a set of cases: those that applied to any of them."""
        applied = tuple(spec for spec in self.headlines if spec.name in block.metrics and block.metrics[spec.name].n)
        return applied if applied or self.staged else self.headlines


def covered(result: Result) -> Result:
    """Return a row without what is private in any of its texts; texts keep their length."""
    # A reader of names is slow to load.
    from ragstone.reading.private import mask_private, mask_private_in  # noqa: PLC0415

    card = result.scorecard
    reasons = tuple(structs.replace(one, params=mask_private_in(one.params)) for one in card.reasons)
    card = structs.replace(
        card, explain=mask_private(card.explain), reasons=reasons, details=mask_private_in(card.details)
    )
    groups = {name: tuple(map(mask_private, values)) for name, values in result.groups.items()}
    return structs.replace(
        result,
        sample_id=mask_private(result.sample_id),
        question=mask_private(result.question),
        groups=groups,
        output_text=mask_private(result.output_text),
        parsed=mask_private_in(result.parsed),
        scorecard=card,
        error_message=result.error_message and mask_private(result.error_message),
    )


def say_reasons(reasons: Iterable[Reason], phrases: Mapping[str, Text], lang: Lang) -> str:
    """Return why a case came out as it did, in one line of sentences."""
    parts = [phrase(phrases, reason.code, reason.params, lang, note=True).rstrip("。.") for reason in reasons]
    between, end = ("; ", ".") if lang == "en" else ("；", "。")
    return between.join(parts) + end if parts else ""


def start_line(n: int, lang: Lang, answers: int | None = None) -> str:
    """Return the line on how many cases there are, and how many answers with several models or repeats."""
    more = "" if answers in (None, n) else _ANSWERS.say(lang, {"n": answers})
    return _START.say(lang, {"tag": TAG, "n": n}) + more


def case_line(result: Result, words: Wording) -> str:
    """Return the line of one case; metrics that do not apply to it are left to the closing lines."""
    result = words.cover(result)
    colon, opening, closing = _marks(words.lang)
    parts, shown = [], {spec.name for spec in words.headlines}
    for spec in words.headlines:
        if (value := result.scorecard.sub_scores.get(spec.name)) is None:
            continue
        mark = show_value(value, spec)
        reasons = [_short(reason, words) for reason in result.scorecard.reasons if reason.metric == spec.name]
        because = f"{opening}{'; '.join(reasons)}{closing}" if reasons else ""
        parts.append(f"{spec.label.say(words.lang)}{colon}{mark}{because}")
    line = f"{TAG} {result_name(result, words)} - {' | '.join(parts)}"
    because = excerpt(result.scorecard.explain, 160).rstrip("。.")
    unsaid = not (result.scorecard.passed or any(reason.metric in shown for reason in result.scorecard.reasons))
    if (result.error_stage or unsaid) and because and because not in line:
        line += f"{opening}{because}{closing}"
    return visible_line(line)


NOTHING = "nothing."
"""Begins a phrase that says what a figure lacks that applied to no case."""
APART = frozenset({"partial", "judged", "estimated"})
"""Notices that stand in lines of their own kind."""
OVERALL = "overall_percentage"
"""Phrase of a contract whose users read all points over all that could be had."""


def closing_lines(summary: Summary, words: Wording) -> list[str]:
    """Return the result of the run: figures, what failed or did not apply, and why it was stopped."""
    lines = []
    expected, finished = summary.expected, summary.finished
    parted = words.many_models and words.models and finished != expected
    share = expected // len(words.models) if parted else 0
    for model, figures in measured(summary).models.items():
        block = figures.all
        done, wanted = (block.cases, share) if share else (finished, expected)
        told = _all_overall(figures, words, dry_run=summary.dry_run)
        lines.append(_closing(model, told, words, done, wanted, none=block.pass_rate is None))
        if coverage := _coverage(block, words):
            lines.append(coverage)
        lines += [f"{TAG} {one}" for one in _unmeasured(block, words)]
    lines += [f"{TAG} {one.text}" for one in notices(summary, words.lang) if one.kind not in APART]
    return [visible_line(line) for line in lines]


def model_lines(summary: Summary, words: Wording) -> list[str]:
    """Show several models below each other: cases, passing, the headline figures; nothing for one model."""
    if len(summary.models) < 2:
        return []
    specs = [spec for spec in words.headlines if any(spec.name in m.all.metrics for m in summary.models.values())]
    heads = [_MODEL.say(words.lang), _CASES.say(words.lang), _RATE.say(words.lang)]
    rows = [[*heads, *(spec.label.say(words.lang) for spec in specs)]]
    for model, figures in measured(summary).models.items():
        block = figures.all
        shown = (show_figure(block.metrics.get(spec.name), spec, words.lang) for spec in specs)
        rows.append([model, str(block.cases), show_share(block.pass_rate), *shown])
    return list(text_table(rows, right=range(1, len(rows[0]))))


def _all_overall(figures: ModelSummary, words: Wording, *, dry_run: bool) -> str:
    """Show the headline figures, or that there are none."""
    block, (_, opening, closing) = figures.all, _marks(words.lang)
    if block.pass_rate is None:
        return f"–{opening}{NOT_MEASURED.say(words.lang)}{closing}"
    shown = [_OVERALL.say(words.lang, _overall(block, spec, words.lang)) for spec in words.headlines_of(block)]
    if OVERALL in words.phrases:
        value = f"{100 * (block.primary_score or 0):.1f}%"
        shown += [words.phrases[OVERALL].say(words.lang, {"value": value}), _passed(figures, words.lang)]
    return " | ".join(shown) + (f"{opening}{DRY_MARK.say(words.lang)}{closing}" if dry_run else "")


def _passed(figures: ModelSummary, lang: Lang) -> str:
    """Return how many cases passed, of each type where there are several."""
    _, opening, closing = _marks(lang)
    kinds = figures.groups.get("type", {})
    parts = [f"{kind} {block.passed}/{block.cases}" for kind, block in kinds.items()] if len(kinds) > 1 else []
    told = f"{opening}{', '.join(parts)}{closing}" if parts else ""
    return _PASSED.say(lang, {"n": figures.all.passed, "all": figures.all.cases}) + told


def _closing(model: str, figures: str, words: Wording, finished: int, expected: int, *, none: bool) -> str:
    params = {"tag": TAG, "figures": figures, "expected": expected, "finished": finished}
    params["of"] = _OF.say(words.lang, {"n": finished}) if not none else ""
    line = (_DONE if finished == expected else _PARTIAL).say(words.lang, params)
    return line.replace(TAG, f"{TAG} {model}", 1) if words.many_models else line


def _overall(block: Block, spec: MetricSpec, lang: Lang) -> dict[str, str]:
    return {"label": spec.label.say(lang), "value": show_figure(block.metrics.get(spec.name), spec, lang)}


def _coverage(block: Block, words: Wording) -> str:
    missing = [
        (spec, block.metrics[spec.name].not_applicable - block.metrics[spec.name].lost)
        for spec in words.headlines_of(block)
        if spec.name in block.metrics
    ]
    na = [_NA.say(words.lang, {"label": spec.label.say(words.lang), "n": n}) for spec, n in missing if n]
    if not (block.errored or block.unparsed or na):
        return ""
    counts = {name: getattr(block, name) for name in ("cases", "scored", "errored", "unparsed")}
    return _COVERAGE.say(words.lang, {"tag": TAG, "na": "".join(na), **counts})


def _unmeasured(block: Block, words: Wording) -> Iterator[str]:
    """Yield the metrics the user asked for that applied to no case."""
    for name, figure in block.metrics.items():
        if not figure.n and block.cases and (text := words.phrases.get(NOTHING + name)):
            yield text.say(words.lang)


def open_lines(summary: Summary, words: Wording) -> list[str]:
    """Return how high the headline figures could be where verdicts are open, a line a model."""
    lines = [(model, _open(figures.all, words)) for model, figures in summary.models.items()]
    return [visible_line(f"{model}: {line}" if words.many_models else line) for model, line in lines if line]


def _open(block: Block, words: Wording) -> str:
    figures = [(spec, block.metrics[spec.name]) for spec in words.headlines_of(block) if spec.name in block.metrics]
    lang = words.lang
    return " | ".join(f"{spec.label.say(lang)} {show_range(f, spec, lang)}" for spec, f in figures if f.open)


_JUDGED = Text("{tag} judged: {figures} ({authors}){standing}", "{tag} 裁判后 - {figures}（{authors}）{standing}")
_BY_PEOPLE = Text("{tag} with people: {figures} ({authors})", "{tag} 计入人工判定 - {figures}（{authors}）")


def judged_lines(summary: Summary, words: Wording) -> list[str]:
    """Return the figures of judges and people, a line a model; nothing where none were asked."""
    if summary.judged_by is None:
        return []
    lang, lines = words.lang, []
    for model, figures in summary.models.items():
        added = [spec for spec in words.metrics if spec.name.endswith(("_judged", "_estimated"))]
        known = [(spec, figures.all.metrics.get(spec.name)) for spec in added]
        shown = [f"{spec.label.say(lang)} {_with_range(f, spec, lang)}" for spec, f in known if f and (f.n or f.open)]
        authors = authors_text(figures.authors, lang) + unasked_text(figures.unasked, lang)
        authors += against_text([figures], lang)
        params = {"tag": TAG, "figures": " | ".join(shown), "authors": authors}
        words_of = _JUDGED if summary.judged_by.names else _BY_PEOPLE
        line = words_of.say(lang, params | {"standing": standing_text(summary, lang)})
        lines.append(line.replace(TAG, f"{TAG} {model}", 1) if words.many_models else line)
    lines += [f"{TAG} {one.text}" for one in notices(summary, lang) if one.kind == "estimated"]
    return [visible_line(line) for line in lines]


def _with_range(figure: Figure, spec: MetricSpec, lang: Lang) -> str:
    if spec.name.endswith("_estimated") and figure.interval:
        ends = f"{show_mean(figure.interval.low, spec)}–{show_mean(figure.interval.high, spec)}"
        return f"{show_mean(figure.mean, spec)} [{ends}]{show_range(figure, spec, lang, value='')}"
    return show_range(figure, spec, lang)


def show_range(figure: Figure, spec: MetricSpec, lang: Lang, value: str | None = None) -> str:
    """Show the mean, or another `value`, and how high it could be where verdicts are open.

    >>> show_range(Figure(mean=0.5, n=4, not_applicable=0, total=2.0, open=1, mean_high=0.75), MetricSpec(name="a",
    ...     label=Text("a", "a"), kind="flag"), "en")
    '50.0% (1 open, 75.0% at most)'
    """
    value = show_figure(figure, spec, lang) if value is None else value
    if not figure.open:
        return value
    if spec.name.endswith("_estimated") and not figure.n:
        return _BLANK.say(lang, {"value": value, "n": figure.open})
    if spec.name.endswith("_estimated"):
        ends = {"low": show_mean(figure.mean_low, spec), "high": show_mean(figure.mean_high, spec)}
        return _UNDECIDED.say(lang, {"value": value, "n": figure.open, "drawn": figure.n + figure.open, **ends})
    told = OPEN.say(lang, {"n": figure.open, "high": show_mean(figure.mean_high, spec)})
    return _RANGE.say(lang, {"value": value, "open": told})


_UNSUPPORTED = Text("Its sources do not support: {claims}", "检索内容不支持：{claims}")
_SAID_BY = {
    "judge": Text("{claim} (by judge)", "{claim}（裁判判定）"),
    "person": Text("{claim} (by people)", "{claim}（人工判定）"),
}
_MOST_CLAIMS = 3
_MOST_AUTHORS = 5
_LONGEST_CLAIM = 80


def explained(result: Result, lang: Lang) -> str:
    """Return why a case came out as it did, with the sentences its sources do not support, and who decided what."""
    said = list(author_lines(result, lang))
    more = [f"… +{len(said) - _MOST_AUTHORS}"] if len(said) > _MOST_AUTHORS else []
    told = [result.scorecard.explain, unsupported(result, lang), "; ".join([*said[:_MOST_AUTHORS], *more])]
    return " ".join(filter(None, told))


def unsupported(result: Result, lang: Lang) -> str:
    """Name the sentences of an answer that its sources do not support, by rule, judge or person; "" without any."""
    details = result.scorecard.details
    judged = details.get("judged")
    found = judged.get("verdicts") if isinstance(judged, dict) else details.get("claims")
    # Rows of a run that was sent may tell anything.
    told = found if isinstance(found, list) else []
    rows = [one for one in told if isinstance(one, dict) and one.get("verdict") == "no"]
    said = [one for one in rows if one.get("kind") == "supported" or "claim" in one]
    if not said:
        return ""
    shown = [_claim(one, lang) for one in said[:_MOST_CLAIMS]]
    more = [f"… +{len(said) - _MOST_CLAIMS}"] if len(said) > _MOST_CLAIMS else []
    return _UNSUPPORTED.say(lang, {"claims": " ".join([*shown, *more])})


def _claim(row: Mapping[str, object], lang: Lang) -> str:
    """Quote a sentence, with the judge or person who found it without support."""
    shown = f"“{excerpt(str(row.get('claim') or row.get('point')), _LONGEST_CLAIM)}”"
    said_by = _SAID_BY.get(str(row.get("by")))
    return said_by.say(lang, {"claim": shown}) if said_by else shown


def told_of(results: Iterable[Result], lang: Lang) -> list[Result]:
    """Return the cases that reports explain: those that did not pass, or say what their sources do not."""
    return [result for result in results if not result.scorecard.passed or unsupported(result, lang)]


def claim_lines(results: Iterable[Result], words: Wording) -> Iterator[str]:
    """Yield a line a case whose answer says what its sources do not."""
    for result in results:
        if said := unsupported(words.cover(result), words.lang):
            yield visible_line(f"{TAG} {result_name(result, words)} - {said}")


def notes(results: Iterable[Result], words: Wording, *, more: int = 0, file: str = "results.jsonl") -> list[str]:
    """Number the explanations, failures first."""
    ordered = sorted(results, key=lambda result: result.scorecard.passed)
    lines = ["Notes:"] if ordered or more else []
    for number, result in enumerate(map(words.cover, ordered), start=1):
        lines.append(f"{number}. {result_name(result, words)}: {explained(result, words.lang)}")
    if more:
        lines.append(_MORE.say(words.lang, {"n": more, "file": file}))
    return [visible_line(line) for line in lines]


def show_value(value: float | None, spec: MetricSpec) -> str:
    """Show the value one case got."""
    if value is None:
        return "–"
    if spec.kind == "flag":
        return "√" if value >= 1 else "×"
    return f"{value:.1f}" if spec.kind == "points" else f"{value:.3g}"


def show_mean(value: float | None, spec: MetricSpec) -> str:
    """Show the mean over many cases."""
    if value is None:
        return "–"
    if spec.kind in {"flag", "ratio"}:
        return f"{value:.1%}"
    return f"{value:.2f}" if spec.kind == "points" else f"{value:.4g}"


def show_share(value: float | None) -> str:
    """Show a share of cases; where there is no case, there is none."""
    return "–" if value is None else f"{value:.1%}"


def show_shares(interval: Interval | None) -> str:
    """Show an interval of shares."""
    return "" if interval is None else f"{interval.low:.1%} – {interval.high:.1%}"


def show_score(value: float | None, digits: int = 3) -> str:
    """Show a primary score, 0..1; where there is no case, there is none."""
    return "–" if value is None else f"{value:.{digits}f}"


def show_figure(figure: Figure | None, spec: MetricSpec, lang: Lang) -> str:
    """Show the mean; a mean error with the number of cases it rests on, others with what another tool lost.

    >>> show_figure(Figure(mean=5 / 6, n=6, not_applicable=1, total=5.0, lost=1), MetricSpec(name="a",
    ...     label=Text("a", "a"), kind="ratio"), "en")
    '83.3% (of 6, 1 unscored)'
    """
    value = show_mean(figure.mean if figure else None, spec)
    if figure is not None and spec.kind == "error" and figure.mean is not None:
        return f"{value} (n={figure.n})"
    if figure is None or not figure.lost:
        return value
    return _LOST.say(lang, {"value": value, "n": figure.n, "lost": figure.lost})


def result_name(result: Result, words: Wording) -> str:
    """Return the name of a row: case, model where there are several, and repeat."""
    name = f"{result.sample_id} @{result.model_step}" if words.many_models else result.sample_id
    return f"{name} #{result.repeat + 1}" if result.repeat else name


def _short(reason: Reason, words: Wording) -> str:
    return phrase(words.phrases, reason.code, reason.params, words.lang).rstrip("。")


def _marks(lang: Lang) -> Sequence[str]:
    return (": ", " (", ")") if lang == "en" else ("：", "（", "）")
