"""report.html: one file that opens anywhere without a server, a script or another address.

Answers are hostile: everything is escaped, and the page forbids itself to load or run anything.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape

from ragstone.core.language import Lang, Text, excerpt
from ragstone.core.types import JSON, Block, Figure, Interval, MetricSpec, ModelSummary, Result, Summary
from ragstone.report.charts import Column, bar, distribution, esc
from ragstone.report.console import (
    Wording,
    explained,
    result_name,
    show_figure,
    show_range,
    show_score,
    show_share,
    show_shares,
    show_value,
    told_of,
)
from ragstone.report.judging.authors import author_lines
from ragstone.report.notices import DRY_MARK, NOT_MEASURED, measured, notices
from ragstone.report.rows import MOST_TEXT, PARTS, ReportRows
from ragstone.text.visible import visible_block

_T: dict[str, Text] = {
    "title": Text("Ragstone report", "Ragstone 评测报告"),
    "overall": Text("Overall", "整体指标"),
    "pass_rate": Text("pass rate", "通过率"),
    "score": Text("score", "得分"),
    "counts": Text(
        "scored {scored} · failed {errored} · unreadable {unparsed} (the last two count as 0)",
        "已评分 {scored} · 失败 {errored} · 无法解析 {unparsed}（失败与无法解析按 0 分计入）",
    ),
    "metric": Text("metric", "指标"),
    "value": Text("value", "数值"),
    "interval": Text("95% interval", "95% 置信区间"),
    "na": Text("not applicable", "不适用"),
    "distribution": Text("Score distribution", "得分分布"),
    "passed": Text("passed", "通过"),
    "missed": Text("not passed", "未通过"),
    "cases": Text("Cases", "单例结果"),
    "count": Text("cases", "用例"),
    "errors": Text("Errors", "错误汇总"),
    "more": Text("… {n} more in results.jsonl", "……另有 {n} 条，见 results.jsonl"),
    "facts": Text("What it was made of", "评测构成"),
    "empty": Text("(empty)", "（空）"),
}
_STYLE = """
:root{--paper:#faf9f6;--card:#fff;--line:#e4e0d8;--soft:#f3f0ea;--ink:#211f1c;--quiet:#635d54;--accent:#0f5e59;
--good:#1c7443;--bad:#b0342b;--warn:#85590a;color-scheme:light}
@media(prefers-color-scheme:dark){:root{--paper:#161513;--card:#1f1e1b;--line:#37342f;--soft:#292723;--ink:#ece8e0;
--quiet:#aaa397;--accent:#6cc7bb;--good:#6fcf97;--bad:#f2938a;--warn:#e3b85c;color-scheme:dark}}
*{box-sizing:border-box}body{margin:0 auto;max-width:64rem;padding:2.5rem 1.25rem 4rem;background:var(--paper);
color:var(--ink);font:16px/1.65 system-ui,-apple-system,"Segoe UI","PingFang SC","Microsoft YaHei","Noto Sans CJK SC",
sans-serif}h1{font-size:1.6rem;line-height:1.3;margin:0 0 .3rem}h2{font-size:1.15rem;margin:2.2rem 0 .8rem}
p{margin:.3rem 0}.quiet{color:var(--quiet);font-size:.9rem}.warn{color:var(--warn);font-weight:600}
.cards{display:grid;grid-template-columns:repeat(auto-fit,minmax(11rem,1fr));gap:1rem}
.card{background:var(--card);border:1px solid var(--line);border-radius:12px;padding:1rem 1.2rem;min-width:0}
.value{font-size:1.9rem;font-weight:650;line-height:1.25;font-variant-numeric:tabular-nums}
table{border-collapse:collapse;width:100%;font-size:.93rem}th,td{text-align:left;padding:.5rem .6rem;vertical-align:top}
thead th{color:var(--quiet);font-weight:550;border-bottom:1px solid var(--line)}tbody tr+tr>*{border-top:1px solid
var(--line)}.n{text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums}tbody th{font-weight:500}
.scroll{overflow-x:auto}.bar{display:block;width:100%;height:7px;border-radius:9px}.bar .track{fill:var(--soft)}
.bar .plain{fill:var(--accent)}.bar .whisker{fill:var(--ink);opacity:.3}.chart{display:block;width:100%;height:auto}
.chart text{font-size:13px;fill:var(--quiet)}.chart .count{fill:var(--ink);font-weight:600}.chart .axis{stroke:
var(--line)}.chart .good{fill:var(--good)}.chart .bad{fill:var(--bad)}details{border-top:1px solid var(--line);
padding:.6rem 0}details:first-of-type{border:0}summary{cursor:pointer;overflow-wrap:anywhere}summary .g{color:
var(--good)}summary .b{color:var(--bad)}.said{white-space:pre-wrap;overflow-wrap:anywhere;margin:.5rem 0 .3rem;
padding-left:1rem;border-left:3px solid var(--line)}ol{padding-left:1.4rem}li{margin:.3rem 0;overflow-wrap:anywhere}
code{font-size:.88em;overflow-wrap:anywhere}
"""
_FRAGMENT_STYLE = """
.ragstone{max-width:56rem}.ragstone .bar{display:none}.ragstone .card{display:inline-block;margin:0 1.5rem .5rem 0;
vertical-align:top}.ragstone .card:has(svg.chart){display:block;max-width:40rem}.ragstone .value{font-size:1.5rem;
font-weight:600;margin:0}.ragstone p{margin:.1rem 0}.ragstone .quiet{opacity:.7;font-size:.9em}
.ragstone .warn{font-weight:600}.ragstone .chart{width:100%;height:auto}.ragstone .chart text{font-size:13px;
fill:currentColor}.ragstone .chart .axis{stroke:currentColor;opacity:.4}.ragstone .chart .good{fill:#1c7443}
.ragstone .chart .bad{fill:#b0342b}
"""
"""For a page that has a style of its own, such as a notebook: nothing outside the fragment is touched."""
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"


def report_html(summary: Summary, words: Wording, rows: ReportRows, facts: Mapping[str, JSON]) -> Iterator[str]:
    """Yield the report piece by piece."""
    lang = words.lang
    title = _t("title", lang)
    yield f'<!doctype html>\n<html lang="{lang}"><head><meta charset="utf-8">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield f'<meta http-equiv="Content-Security-Policy" content="{escape(_POLICY)}">'
    yield f"<title>{esc(title)} · {esc(summary.run_id)}</title><style>{_STYLE}</style></head><body>\n"
    yield f'<h1>{esc(title)}</h1><p class="quiet">{esc(summary.run_id)}</p>\n'
    yield from _figures(summary, words, rows)
    yield from _errors(rows, words)
    yield from _cases(rows, words)
    yield f"<h2>{esc(_t('facts', lang))}</h2><table><tbody>"
    for name, value in facts.items():
        yield f'<tr><th scope="row">{esc(str(name))}</th><td><code>{esc(str(value))}</code></td></tr>'
    yield "</tbody></table>\n</body></html>\n"


def report_fragment(summary: Summary, words: Wording, rows: ReportRows) -> Iterator[str]:
    """Yield the figures, the distribution and what failed, to stand inside another page."""
    yield f'<div class="ragstone"><style>{_FRAGMENT_STYLE}</style><p class="quiet">{esc(summary.run_id)}</p>\n'
    yield from _figures(summary, words, rows)
    yield from _errors(rows, words)
    yield "</div>\n"


def _figures(summary: Summary, words: Wording, rows: ReportRows) -> Iterator[str]:
    for notice in notices(summary, words.lang):
        yield f'<p class="warn">{esc(notice.text)}</p>\n'
    for model, figures in measured(summary).models.items():
        yield from _model(model, figures, words, dry_run=summary.dry_run)
    yield from _distribution(rows, words.lang)


def _model(model: str, figures: ModelSummary, words: Wording, *, dry_run: bool) -> Iterator[str]:
    lang, block = words.lang, figures.all
    mark = DRY_MARK.say(lang) if dry_run else "" if block.pass_rate is not None else NOT_MEASURED.say(lang)
    yield f'<h2>{esc(_t("overall", lang))} · {esc(model)}</h2><div class="cards">'
    share, score = show_share(block.pass_rate), show_score(block.primary_score)
    yield _card(_t("pass_rate", lang), share, bar(block.pass_rate), show_shares(block.pass_interval), mark)
    yield _card(_t("score", lang), score, bar(block.primary_score), _plain(block.score_interval), mark)
    for spec in words.headlines:
        figure = block.metrics.get(spec.name)
        if figure is not None and figure.n:
            between = _between(figure, spec)
            yield _card(spec.label.say(lang), show_figure(figure, spec, lang), _bar_of(figure, spec), between, mark)
    counts = {name: getattr(block, name) for name in ("scored", "errored", "unparsed")}
    yield f'</div><p class="quiet">{esc(_T["counts"].say(lang, counts))}</p>\n'
    yield from _metrics(block, words)
    for group, values in figures.groups.items():
        yield from _group(group, values, words)


def _between(figure: Figure, spec: MetricSpec) -> str:
    return show_shares(figure.interval) if spec.kind in {"flag", "ratio"} else _plain(figure.interval)


def _plain(interval: Interval | None) -> str:
    return "" if interval is None else f"{interval.low:.3g} – {interval.high:.3g}"


def _card(label: str, value: str, drawn: str, between: str, mark: str) -> str:
    marked = f' <span class="warn">{esc(mark)}</span>' if mark else ""
    return (
        f'<div class="card"><p class="quiet">{esc(label)}{marked}</p><p class="value">{esc(value)}</p>{drawn}'
        f'<p class="quiet">{esc(between)}&nbsp;</p></div>'
    )


def _bar_of(figure: Figure, spec: MetricSpec) -> str:
    if figure.mean is None or spec.kind == "error":
        return ""
    return bar(figure.mean / 100 if spec.kind == "points" else figure.mean)


def _metrics(block: Block, words: Wording) -> Iterator[str]:
    lang = words.lang
    heads = (_t("metric", lang), _t("value", lang), _t("interval", lang), "n", _t("na", lang))
    rows = []
    for spec in words.metrics:
        figure = block.metrics.get(spec.name)
        if figure is not None and figure.n:
            between = _between(figure, spec) or "–"
            label = f"{spec.label.say(lang)} ({', '.join((spec.name, *spec.also))})"
            rows.append(
                [
                    label,
                    show_range(figure, spec, lang),
                    between,
                    str(figure.n),
                    str(figure.not_applicable - figure.lost),
                ]
            )
    yield _table(heads, rows)


def _group(group: str, values: Mapping[str, Block], words: Wording) -> Iterator[str]:
    lang = words.lang
    heads = (group, _t("count", lang), _t("pass_rate", lang), *(spec.label.say(lang) for spec in words.headlines))
    rows = [
        [
            words.show(value),
            str(block.cases),
            show_share(block.pass_rate),
            *(show_figure(block.metrics.get(spec.name), spec, lang) for spec in words.headlines),
        ]
        for value, block in values.items()
    ]
    yield f"<h2>{esc(group)}</h2>" + _table(heads, rows)


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    first, *others = heads
    top = f'<th scope="col">{esc(first)}</th>' + "".join(f'<th scope="col" class="n">{esc(h)}</th>' for h in others)
    body = (
        f'<tr><th scope="row">{esc(row[0])}</th>' + "".join(f'<td class="n">{esc(c)}</td>' for c in row[1:]) + "</tr>"
        for row in rows
    )
    return f'<div class="scroll"><table><thead><tr>{top}</tr></thead><tbody>{"".join(body)}</tbody></table></div>\n'


def _distribution(rows: ReportRows, lang: Lang) -> Iterator[str]:
    if not rows.total:
        return
    columns = [Column(p / PARTS, (p + 1) / PARTS, good, bad) for p, (good, bad) in enumerate(rows.columns)]
    label = _t("distribution", lang)
    drawn = distribution(columns, label, _t("passed", lang), _t("missed", lang))
    yield f'<h2>{esc(label)}</h2><div class="card">{drawn}</div>\n'


def _errors(rows: ReportRows, words: Wording) -> Iterator[str]:
    told = told_of(rows.foremost, words.lang)
    if not told:
        return
    yield f"<h2>{esc(_t('errors', words.lang))}</h2><ol>"
    for result in map(words.cover, told):
        yield f"<li><b>{esc(result_name(result, words))}</b> {esc(explained(result, words.lang))}</li>"
    yield "</ol>\n"


def _cases(rows: ReportRows, words: Wording) -> Iterator[str]:
    lang = words.lang
    yield f'<h2>{esc(_t("cases", lang))}</h2><div class="card">'
    for result in map(words.cover, rows.foremost):
        yield _case(result, words)
    yield "</div>\n"
    if rows.total > len(rows.foremost):
        yield f'<p class="quiet">{esc(_T["more"].say(lang, {"n": rows.total - len(rows.foremost)}))}</p>\n'


def _case(result: Result, words: Wording) -> str:
    card = result.scorecard
    marks = " · ".join(
        f"{spec.label.say(words.lang)} {show_value(card.sub_scores.get(spec.name), spec)}" for spec in words.headlines
    )
    kind, name = "g" if card.passed else "b", result_name(result, words)
    said = escape(visible_block(result.output_text[:MOST_TEXT])) or esc(_t("empty", words.lang))
    return (
        f'<details><summary><b class="{kind}">{esc(name)}</b> {esc(excerpt(result.question, 120))}'
        f' <span class="quiet">{esc(marks)}</span></summary><p class="said">{said}</p>'
        f'<p class="quiet">{"<br>".join(map(esc, (card.explain, *author_lines(result, words.lang))))}</p></details>\n'
    )


def _t(name: str, lang: Lang) -> str:
    return _T[name].say(lang)
