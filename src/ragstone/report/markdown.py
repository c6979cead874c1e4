"""report.md: what a run came to, readable in any viewer; answers are shown as text, never as Markdown."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from ragstone.core.language import Lang, Text, excerpt
from ragstone.core.types import JSON, Block, Interval, MetricSpec, ModelSummary, Repeats, Result, Summary
from ragstone.report.console import (
    Wording,
    explained,
    show_figure,
    show_mean,
    show_range,
    show_score,
    show_share,
    show_value,
    told_of,
)
from ragstone.report.notices import DRY_MARK, NOT_MEASURED, measured, notices
from ragstone.report.rows import ReportRows
from ragstone.text.visible import markdown_cell

_T: dict[str, Text] = {
    "title": Text("Ragstone report", "Ragstone 评测报告"),
    "run": Text("Run", "运行"),
    "overall": Text("Overall", "整体指标"),
    "metric": Text("metric", "指标"),
    "mean": Text("value", "数值"),
    "counted": Text("n", "n"),
    "interval": Text("95 % interval", "95 % 区间"),
    "repeats": Text("Repeats", "重复提问"),
    "spread": Text("spread between answers", "回答间离散度"),
    "share": Text("the system's share of the variance", "系统自身波动占方差"),
    "always": Text("always / never passed", "总是/从未通过"),
    "na": Text("not applicable", "不适用"),
    "cases": Text("cases", "用例"),
    "scored": Text("scored", "已评分"),
    "errored": Text("failed", "失败"),
    "unparsed": Text("unreadable", "无法解析"),
    "passed": Text("passed", "通过"),
    "pass_rate": Text("pass rate", "通过率"),
    "score": Text("score", "得分"),
    "model": Text("model", "模型"),
    "groups": Text("By {group}", "按 {group} 分组"),
    "each": Text("Cases", "单例结果"),
    "question": Text("question", "问题"),
    "answer": Text("answer", "回答"),
    "why": Text("Errors", "错误汇总"),
    "more": Text("… {n} more in results.jsonl", "……另有 {n} 条，见 results.jsonl"),
    "kinds": Text("Error kinds", "错误类型"),
    "latency": Text("latency p50 / p95 (ms)", "延迟 p50 / p95 (ms)"),
    "tokens": Text("tokens", "令牌数"),
    "cost": Text("cost", "费用"),
    "retries": Text("retries", "重试"),
    "notes": Text("Notes", "Notes"),
}

_METRIC_HEADS = ("metric", "mean", "counted", "na", "interval")


def report_markdown(summary: Summary, words: Wording, rows: ReportRows, facts: Mapping[str, JSON]) -> Iterator[str]:
    """Yield the report piece by piece."""
    lang = words.lang
    yield f"# {_t('title', lang)}\n\n"
    summary = measured(summary)
    for notice in notices(summary, lang):
        yield f"**{markdown_cell(notice.text)}**\n\n"
    yield _table([_t("run", lang), markdown_cell(summary.run_id)], _facts(facts))
    yield from models_table(summary, words)
    yield f"\n## {_t('overall', lang)}\n\n"
    for at, (model, figures) in enumerate(summary.models.items()):
        yield "\n" if at else ""
        yield from _model(model, figures, words, dry_run=summary.dry_run)
    if summary.error_tags:
        yield f"\n## {_t('kinds', lang)}\n\n"
        kinds = [[markdown_cell(tag), str(n)] for tag, n in summary.error_tags.items()]
        yield _table([_t("kinds", lang), "n"], kinds)
    yield from _cases(words, rows)


def _facts(facts: Mapping[str, JSON]) -> list[list[str]]:
    return [[markdown_cell(str(name)), markdown_cell(str(value))] for name, value in facts.items()]


def _model(model: str, figures: ModelSummary, words: Wording, *, dry_run: bool) -> Iterator[str]:
    lang, block, costs = words.lang, figures.all, figures.costs
    yield f"### {_t('model', lang)}: {markdown_cell(model)}{_mark(block, lang, dry_run=dry_run)}\n\n"
    counts = [_t(name, lang) for name in ("cases", "scored", "errored", "unparsed", "passed", "pass_rate", "score")]
    yield _table(counts, [_counts(block)])
    yield "\n" + _table([_t(n, lang) for n in _METRIC_HEADS], _metric_rows(block, words))
    latency = f"{_number(costs.latency_ms_p50)} / {_number(costs.latency_ms_p95)}"
    row = [latency, str(costs.total_tokens), str(costs.retries), "–" if costs.cost is None else f"{costs.cost:.6g}"]
    yield "\n" + _table([_t(name, lang) for name in ("latency", "tokens", "retries", "cost")], [row])
    for name, cells in figures.tables.items():
        rows = [[markdown_cell(words.cell(name, cell)), str(n)] for cell, n in cells.items()]
        yield "\n" + _table([markdown_cell(words.tables[name].say(lang) if name in words.tables else name), "n"], rows)
    if figures.repeats:
        yield from _repeats(figures.repeats, lang)
    for group, values in figures.groups.items():
        yield f"\n#### {_T['groups'].say(lang, {'group': markdown_cell(group)})}\n\n"
        heads = [markdown_cell(group), *counts[:1], *counts[4:], *(spec.label.say(lang) for spec in words.headlines)]
        yield _table(heads, [_group_row(words.show(value), block, words) for value, block in values.items()])


def _counts(block: Block) -> list[str]:
    counts = [block.cases, block.scored, block.errored, block.unparsed, block.passed]
    return [*map(str, counts), show_share(block.pass_rate), show_score(block.primary_score, 4)]


def _mark(block: Block, lang: Lang, *, dry_run: bool) -> str:
    """Mark figures that measure no system, or are none."""
    mark = DRY_MARK if dry_run else NOT_MEASURED if block.pass_rate is None else None
    return f" ({mark.say(lang)})" if mark else ""


def _metric_rows(block: Block, words: Wording) -> list[list[str]]:
    rows = []
    for spec in words.metrics:
        figure = block.metrics[spec.name]
        if words.staged and not figure.n:
            continue
        label = f"{markdown_cell(spec.label.say(words.lang))} `{'`, `'.join((spec.name, *spec.also))}`"
        counts = [str(figure.n), str(figure.not_applicable - figure.lost)]
        rows.append([label, show_range(figure, spec, words.lang), *counts, _interval(figure.interval, spec)])
    return rows


def _interval(interval: Interval | None, spec: MetricSpec) -> str:
    return f"{show_mean(interval.low, spec)} – {show_mean(interval.high, spec)}" if interval else "–"


def _repeats(found: Repeats, lang: Lang) -> Iterator[str]:
    """Write the figures of repeated cases."""
    yield f"\n#### {_t('repeats', lang)}\n\n"
    heads = [*(f"pass@{k}" for k in found.pass_at), *(_t(name, lang) for name in ("always", "spread", "share"))]
    shares = [f"{share:.1%}" for share in found.pass_at.values()]
    row = [*shares, f"{found.always} / {found.never}", f"{found.spread:.4f}", f"{found.system_share:.1%}"]
    yield _table(heads, [row])


def _group_row(value: str, block: Block, words: Wording) -> list[str]:
    means = [show_figure(block.metrics[spec.name], spec, words.lang) for spec in words.headlines]
    counts = [str(block.cases), str(block.passed), show_share(block.pass_rate), show_score(block.primary_score, 4)]
    return [markdown_cell(value), *counts, *means]


def _cases(words: Wording, rows: ReportRows) -> Iterator[str]:
    lang, more = words.lang, rows.total - len(rows.first)
    heads = ["", _t("question", lang), _t("answer", lang), *(spec.label.say(lang) for spec in words.headlines)]
    yield f"\n## {_t('each', lang)}\n\n" + _table(heads, [])
    for result in map(words.cover, rows.first):
        yield _table_row(_case_row(result, words))
    if more:
        yield "\n" + _T["more"].say(lang, {"n": more}) + "\n"
    told = told_of(rows.foremost, lang)
    if told:
        yield f"\n## {_t('why', lang)}\n\n"
    for number, result in enumerate(map(words.cover, told), start=1):
        yield f"{number}. {markdown_cell(_name(result, words))}: {markdown_cell(explained(result, words.lang))}\n"


def _case_row(result: Result, words: Wording) -> list[str]:
    cells = [_name(result, words), excerpt(result.question), excerpt(result.output_text)]
    marks = [show_value(result.scorecard.sub_scores.get(spec.name), spec) for spec in words.headlines]
    return [*map(markdown_cell, cells), *marks]


def _name(result: Result, words: Wording) -> str:
    return f"{result.sample_id} @{result.model_step}" if words.many_models else result.sample_id


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    return _table_row(heads) + _table_row(["---"] * len(heads)) + "".join(_table_row(row) for row in rows)


def _table_row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |\n"


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.1f}"


def _t(name: str, lang: Lang) -> str:
    return _T[name].say(lang)


DEMANDED = (
    "model_id",
    "base_model",
    "adapter_id",
    "prompt_version",
    "prompt_sha256",
    "index_version",
    "eval_set_version",
)
"""Contract 4, section 6 requires these in every report, known or not: without them a run cannot be repeated."""
ALWAYS = ("contract", "created", "system_id", *DEMANDED, "scorer_version")
SOMETIMES = ("imported_from", "tool_means")
"""Said of runs that have them."""
NONE = "–"


def run_facts(meta: Mapping[str, JSON]) -> dict[str, JSON]:
    """Pick the facts out of run_meta.json; a dash stands where there is none."""
    told = {name: NONE if meta.get(name) in (None, "") else meta[name] for name in ALWAYS}
    return told | {name: meta[name] for name in SOMETIMES if meta.get(name) is not None}


_HEADS = (
    Text("model", "模型"),
    Text("cases", "用例"),
    Text("parse rate", "解析率"),
    Text("score", "得分"),
    Text("pass rate", "通过率"),
)
_TAILS = (
    Text("p50 / p95 (ms)", "p50 / p95 (ms)"),
    Text("tokens", "令牌数"),
    Text("cost", "费用"),
    Text("retries", "重试"),
)
_TITLE = Text("Models side by side", "模型对比")


def models_table(summary: Summary, words: Wording) -> Iterator[str]:
    """Yield a table with one row a model; nothing when there is only one."""
    if len(summary.models) < 2:
        return
    yield f"\n## {_TITLE.say(words.lang)}\n\n"
    names = (markdown_cell(spec.name) for spec in words.metrics)
    heads = [*(text.say(words.lang) for text in _HEADS), *names, *(text.say(words.lang) for text in _TAILS)]
    rows = ([markdown_cell(model), *_figures(figures, words)] for model, figures in summary.models.items())
    yield _table(heads, rows)


def _figures(figures: ModelSummary, words: Wording) -> Iterator[str]:
    block, costs = figures.all, figures.costs
    yield str(block.cases)
    yield f"{block.scored / block.cases:.1%}" if block.cases else "–"
    yield show_score(block.primary_score, 4)
    yield show_share(block.pass_rate)
    for spec in words.metrics:
        yield show_figure(block.metrics[spec.name], spec, words.lang)
    yield f"{_number(costs.latency_ms_p50)} / {_number(costs.latency_ms_p95)}"
    yield str(costs.total_tokens)
    yield "–" if costs.cost is None else f"{costs.cost:.6g}"
    yield str(costs.retries)
