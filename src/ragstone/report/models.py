"""Several models of one run in one table, for report.md."""

from collections.abc import Iterator

from ragstone.core.language import Lang, Text
from ragstone.core.types import ModelSummary, Summary
from ragstone.report.console import Wording, show_figure
from ragstone.text.visible import markdown_cell

_HEADS = (
    Text("model", "模型", "模型"),
    Text("cases", "用例", "用例"),
    Text("parse rate", "解析率", "解析率"),
    Text("score", "得分", "得分"),
    Text("pass rate", "通过率", "通過率"),
)
_TAILS = (
    Text("p50 / p95 (ms)", "p50 / p95 (ms)", "p50 / p95 (ms)"),
    Text("tokens", "令牌数", "詞元數"),
    Text("cost", "费用", "費用"),
    Text("retries", "重试", "重試"),
)
_TITLE = Text("Models side by side", "模型对比", "模型對比")


def models_table(summary: Summary, words: Wording) -> Iterator[str]:
    """Yield a table with one row a model; nothing when there is only one."""
    if len(summary.models) < 2:
        return
    yield f"\n## {_TITLE.say(words.lang)}\n\n"
    heads = [
        *_say(_HEADS, words.lang),
        *(markdown_cell(spec.name) for spec in words.metrics),
        *_say(_TAILS, words.lang),
    ]
    yield _line(heads)
    yield _line(["---"] * len(heads))
    for model, figures in summary.models.items():
        yield _line([markdown_cell(model), *_figures(figures, words)])


def _figures(figures: ModelSummary, words: Wording) -> Iterator[str]:
    block, costs = figures.all, figures.costs
    yield str(block.cases)
    yield f"{block.scored / block.cases:.1%}" if block.cases else "–"
    yield f"{block.primary_score:.4f}"
    yield f"{block.pass_rate:.1%}"
    for spec in words.metrics:
        yield show_figure(block.metrics[spec.name], spec, words.lang)
    yield f"{_number(costs.latency_ms_p50)} / {_number(costs.latency_ms_p95)}"
    yield str(costs.total_tokens)
    yield "–" if costs.cost is None else f"{costs.cost:.6g}"
    yield str(costs.retries)


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.1f}"


def _say(texts: tuple[Text, ...], lang: Lang) -> list[str]:
    return [text.say(lang) for text in texts]


def _line(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |\n"
