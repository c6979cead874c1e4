"""Reports for people and machines."""

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec import structs

import ragstone
from ragstone import api
from ragstone.core.language import Lang, Text
from ragstone.core.settings import Settings
from ragstone.core.types import Figure, MetricSpec, Reason, Scorecard, Summary
from ragstone.report.console import (
    Wording,
    case_line,
    closing_lines,
    notes,
    open_lines,
    show_figure,
    show_mean,
    show_range,
    show_value,
)
from ragstone.report.html import report_html
from ragstone.report.markdown import DEMANDED, report_markdown, run_facts
from ragstone.report.rows import ReportRows
from ragstone.report.table import COLUMNS, summary_csv
from ragstone.runs.plan import Plan
from tests.conftest import Cli

Write = Callable[..., Path]
ROWS = [
    {"q": "甲?", "gold": ["Redis"], "doc_hint": ["a.md"], "category": "一"},
    {"q": "乙?", "gold": ["Milvus"], "doc_hint": [], "category": "二"},
]


class Keep:
    """Keeps what it hears."""

    plan: Plan

    def started(self, plan: Plan, folder: Path, expected: int) -> None:
        """Keep the plan."""
        self.plan = plan

    def __getattr__(self, name: str) -> Callable[..., None]:
        return lambda *_: None


def _run(write_rows: Write) -> tuple[ragstone.Run, Wording]:
    answers = write_rows("a.jsonl", {"id": "Q1", "output": "Redis a.md"}, {"id": "Q2", "output": "x | `y` <b>"})
    keep = Keep()
    run = ragstone.evaluate(write_rows("q.jsonl", *ROWS), f"replay:{answers}", settings=Settings(), watchers=[keep])
    return run, keep.plan.wording()


def test_summary_csv_has_the_columns_of_contract_3(write_rows: Write) -> None:
    """R3.1: one row per task, model and step, with tm_<key>_avg."""
    run, words = _run(write_rows)

    (row,) = csv.DictReader(io.StringIO((run.folder / "summary.csv").read_text(encoding="utf-8")))

    assert list(row)[: len(COLUMNS)] == list(COLUMNS)
    assert (row["task_name"], row["model_id"], row["request_count"], row["success_rate"]) == (
        "key_points",
        "a",
        "2",
        "1.0",
    )
    assert (row["tm_accuracy_avg"], row["tm_citation_avg"], row["tm_citation_n"]) == ("0.5", "1.0", "1")
    assert summary_csv(run.summary, words.metrics).decode("utf-8").count("\n") == 2


def test_report_md_shows_counts_groups_and_reasons(write_rows: Write) -> None:
    """What was left out stands beside every figure; answers are text."""
    run, _ = _run(write_rows)
    text = (run.folder / "report.md").read_text(encoding="utf-8")

    assert "| 引用率 `citation` | 100.0% | 1 | 1 |" in text
    assert "按 category 分组" in text
    assert "错误汇总" in text
    assert "<b>" not in text
    assert "x \\| \\`y\\` \\<b\\>" in text


def test_a_line_leaves_out_what_does_not_apply(write_rows: Write) -> None:
    """Not applicable is neither √ nor ×; it is counted in the closing lines."""
    run, words = _run(write_rows)
    _, second = run.results()

    assert "准确率：×" in case_line(second, words)
    assert "引用率" not in case_line(second, words)


@pytest.mark.parametrize(
    ("kind", "value", "one", "mean"),
    [
        ("flag", 1.0, "√", "100.0%"),
        ("flag", 0.0, "×", "0.0%"),
        ("ratio", 0.5, "0.5", "50.0%"),
        ("points", 95.5, "95.5", "95.50"),
        ("error", 0.25, "0.25", "0.25"),
    ],
)
def test_values_are_shown_by_kind(kind: str, value: float, one: str, mean: str) -> None:
    """Flags are marks, ratios percentages, points and errors numbers."""
    spec = MetricSpec(name="x", label=Text("x", "x"), kind=kind)  # type: ignore[arg-type]

    assert (show_value(value, spec), show_mean(value, spec)) == (one, mean)
    assert (show_value(None, spec), show_mean(None, spec)) == ("–", "–")


def _with_lost(summary: Summary) -> Summary:
    """Say that a tool could not score one of seven cases."""
    (model, figures), *_ = summary.models.items()
    figure = Figure(mean=5 / 6, n=6, not_applicable=1, total=5.0, lost=1)
    block = structs.replace(figures.all, metrics=figures.all.metrics | {"accuracy": figure})
    return structs.replace(summary, models={model: structs.replace(figures, all=block)})


def test_a_lost_score_stands_beside_its_figure_everywhere(write_rows: Write) -> None:
    """Terminal, both reports and the table say of how many cases a figure is, and how many were lost."""
    run, words = _run(write_rows)
    words, summary = structs.replace(words, lang="en"), _with_lost(run.summary)

    lines = "\n".join(closing_lines(summary, words))
    pages = ["".join(report(summary, words, ReportRows(), {})) for report in (report_markdown, report_html)]
    (row,) = csv.DictReader(io.StringIO(summary_csv(summary, words.metrics).decode("utf-8")))

    assert all("83.3% (of 6, 1 unscored)" in text for text in (lines, *pages))
    assert "accuracy not applicable" not in lines
    assert (row["tm_accuracy_n"], row["tm_accuracy_lost"]) == ("6", "1")


def test_open_verdicts_leave_a_range_that_is_told_everywhere(write_rows: Write) -> None:
    """A line of its own in the terminal, and beside the figure in both reports."""
    run, words = _run(write_rows)
    (model, figures), *_ = run.summary.models.items()
    figure = Figure(mean=0.5, n=6, not_applicable=0, total=3.0, open=2, mean_high=5 / 6)
    block = structs.replace(figures.all, metrics=figures.all.metrics | {"accuracy": figure})
    summary = structs.replace(run.summary, models={model: structs.replace(figures, all=block)})

    lines = open_lines(summary, words)
    pages = ["".join(report(summary, words, ReportRows(), {})) for report in (report_markdown, report_html)]

    assert "准确率 50.0%（2 项未定，最高 83.3%）" in lines
    assert all("50.0%（2 项未定，最高 83.3%）" in page for page in pages)


@pytest.mark.parametrize(
    ("lang", "said"), [("zh-Hans", "83.3%（6 个，另有 1 个未评分）"), ("zh-Hant", "83.3%（6 個，另有 1 個未評分）")]
)
def test_a_lost_score_is_said_in_chinese(lang: Lang, said: str) -> None:
    """The figure line speaks the reader's language."""
    spec = MetricSpec(name="a", label=Text("a", "甲"), kind="ratio")

    assert show_figure(Figure(mean=5 / 6, n=6, not_applicable=1, total=5.0, lost=1), spec, lang) == said


def test_nothing_to_note_has_no_heading(write_rows: Write) -> None:
    """A run without a row has no Notes, and the rest of a long one is in results.jsonl."""
    run, words = _run(write_rows)

    assert notes([], words) == []
    assert notes(run.results(), words, more=3)[-1].endswith("results.jsonl")


def test_what_is_private_is_hidden_before_the_cut(tmp_path: Path, write_rows: Write) -> None:
    """A number or an address that crosses the cut shows no beginning, in the Notes and in both reports."""
    said = f"{'甲' * 46}身份证号110105199003078888。{'乙' * 9}"
    data = write_rows("d.jsonl", {"q": f"{'问' * 50}邮箱zhang@example.com是谁的？", "gold": ["李四"], "doc_hint": []})
    answers = write_rows("a.jsonl", {"id": "Q1", "output": said})
    settings = Settings(runs_dir=str(tmp_path / "runs"), mask_private=True)

    run = ragstone.evaluate(data, f"replay:{answers}", settings=settings)

    shown = [(run.folder / name).read_text(encoding="utf-8") for name in ("report.md", "report.html")]
    assert not [text for text in shown if "1101" in text or "****99" in text or "zhang" in text]
    assert all("身份证号*********…" in text.replace("\\", "") for text in shown)


SET = Path(ragstone.__file__).parent / "data" / "eval_json_v2" / "question_v2_gate.json"


def test_a_dash_stands_for_what_is_not_known() -> None:
    """All six that contract 4, section 6 names are there, whatever is known of them."""
    told = run_facts({"model_id": "base", "prompt_version": "", "adapter_id": None, "imported_from": "ragas"})

    assert {name: told[name] for name in DEMANDED} == dict.fromkeys(DEMANDED, "–") | {"model_id": "base"}
    assert told["imported_from"] == "ragas"
    assert "tool_means" not in told


@pytest.mark.parametrize("name", ["report.md", "report.html"])
def test_both_reports_hold_what_section_6_demands(name: str) -> None:
    """Names and values as run_meta.json has them."""
    run = api.evaluate(SET, [], mock=True, max_samples=2, run_id="r")
    meta = json.loads((run.folder / "run_meta.json").read_bytes())

    report = (run.folder / name).read_text(encoding="utf-8").replace("\\", "")

    assert all(fact in report for fact in DEMANDED)
    assert meta["prompt_sha256"] in report
    assert meta["eval_set_version"] in report


def test_the_report_on_the_terminal_says_the_same(cli: Cli) -> None:
    """`ragstone report --format markdown` leaves nothing out."""
    run = api.evaluate(SET, [], mock=True, max_samples=2, run_id="r")

    done = cli("report", "r", "--format", "markdown")

    facts = [line for line in (run.folder / "report.md").read_text(encoding="utf-8").splitlines() if "prompt" in line]
    assert facts
    assert all(line in done.stdout for line in facts)


def test_one_row_a_model_and_none_for_one(write_rows: Write) -> None:
    """The table stands in report.md as soon as there are two models."""
    rows = write_rows("q.jsonl", {"q": "甲?", "gold": ["Redis"], "doc_hint": ["a.md"]})
    good = write_rows("good.jsonl", {"id": "Q1", "output": "Redis a.md"})
    poor = write_rows("poor.jsonl", {"id": "Q1", "output": "?"})

    both = ragstone.evaluate(rows, [f"replay:{good}", f"replay:{poor}"])
    one = ragstone.evaluate(rows, f"replay:{good}")

    report = (both.folder / "report.md").read_text(encoding="utf-8")
    table = report.partition("模型对比")[2].split("##")[0]
    assert [line.split(" | ")[:5] for line in table.splitlines() if line.startswith(("| good", "| poor"))] == [
        ["| good", "1", "100.0%", "1.0000", "100.0%"],
        ["| poor", "1", "100.0%", "0.0000", "0.0%"],
    ]
    assert "模型对比" not in (one.folder / "report.md").read_text(encoding="utf-8")


def test_an_estimate_without_a_verdict_says_so() -> None:
    """A table handed back as it was drawn estimates nothing."""
    spec = MetricSpec(name="accuracy_estimated", label=Text("accuracy", "准确率"), kind="flag")
    figure = Figure(mean=None, n=0, not_applicable=0, total=0.0, open=100)

    assert show_range(figure, spec, "en") == "– (no verdict filled in for any of the 100 drawn cases)"


def test_several_models_have_a_line_between_them(write_rows: Write) -> None:
    """A heading right behind a table is part of it in many viewers."""
    rows = write_rows("q.jsonl", *ROWS)
    answers = [write_rows(f"{name}.jsonl", {"id": "Q1", "output": "Redis"}) for name in ("alpha", "beta")]
    run = ragstone.evaluate(rows, [f"replay:{path}" for path in answers], settings=Settings())

    assert "\n\n### 模型: beta" in (run.folder / "report.md").read_text(encoding="utf-8")


def test_a_case_line_says_once_why_the_case_failed(write_rows: Write) -> None:
    """The reason of another metric than those on the line stands behind it; what was said is not said again."""
    spec = MetricSpec(name="score", label=Text("score", "总分"), kind="points", headline=True)
    phrases = {"odd": Text("the source is missing", "缺少来源")}
    words = Wording((spec,), phrases, "en")
    run, _ = _run(write_rows)
    row = next(iter(run.results()))

    for metric, stage in (("score", "read"), ("grounding", None)):
        card = Scorecard(
            primary_score=0.9,
            passed=False,
            sub_scores={"score": 90.0},
            explain="the source is missing.",
            reasons=(Reason(metric, "odd"),),
        )
        line = case_line(structs.replace(row, scorecard=card, error_stage=stage), words)
        assert line == "[EVAL] Q1 - score: 90.0 (the source is missing)"
