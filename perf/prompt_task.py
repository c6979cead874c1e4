"""Prompt tasks: CPU per row of the eight metric types together, of each alone, of reading and of rendering.

uv run python -m perf.prompt_task
"""

import json
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from ragstone.contracts.prompt_task.cases import row_of
from ragstone.contracts.prompt_task.contract import PromptTask
from ragstone.contracts.prompt_task.measures.fields import Given
from ragstone.core.interfaces import Source
from ragstone.core.types import JSON, Answer, Case
from ragstone.metrics.rouge import kept_counts

AIM_US = 60.0
ROWS = 400
ROUNDS = 15
TASK = """
name: all_eight
prompt_template: all_eight.yaml
parse_schema:
  - {field: summary, type: str}
  - {field: sentiment, type: enum, values: [positive, neutral, negative], default: neutral}
  - {field: impact_score, type: int, lo: -5, hi: 5, default: 0}
  - {field: keywords, type: list}
  - {field: removed_count, type: int, lo: 0, hi: 1000, default: 0}
  - {field: final_answer, type: str}
  - {field: steps, type: list}
  - {field: claims, type: list_raw}
metrics:
  - {type: field_completeness, fields: [summary, sentiment, keywords]}
  - {type: reference_rouge, output_field: summary, reference_field: gt_summary}
  - {type: custom_ratio, name: dedup_ratio, numerator_field: removed_count, denominator_sample_field: news_items}
  - {type: exact_match, name: sentiment_acc, pred_field: sentiment, label_field: gt_sentiment}
  - {type: numeric_error, name: impact, pred_field: impact_score, label_field: gt_impact_score, tolerance: 1}
  - {type: list_overlap, name: keyword, pred_field: keywords, label_field: gt_keywords}
  - {type: reasoning_consistency, name: reasoning, support_fields: [steps]}
  - {type: claim_evidence_overlap, name: evidence, label_field: gt_evidence_ids}
"""
PROMPT = 'version: v1\nsystem: 只输出 JSON。\nuser: "代号 {{ ticker }} 新闻 {{ news_items }}"\n'
WORDS = ["营收", "增长", "召回", "停产", "派息", "临床", "授信", "检修", "指引", "离职", "量产", "传感器"]


def main() -> None:
    """Print one line per figure."""
    with tempfile.TemporaryDirectory() as folder:
        contract = contract_in(Path(folder))
        cases = [case for case in contract.load() if isinstance(case, Case)]
        answers = [answer_to(row_of(case), at) for at, case in enumerate(cases)]
        readings = [contract.read(case, answer) for case, answer in zip(cases, answers, strict=True)]
        given = [Given(reading.fields, frozenset()) for reading in readings]
        for measure in contract._measures:
            each = _per_row(lambda at, m=measure: m.score(given[at], row_of(cases[at])))  # type: ignore[misc]
            print(f"{type(measure).__name__} alone: {each:.1f} µs CPU a row")
        total = _per_row(lambda at: [measure.score(given[at], row_of(cases[at])) for measure in contract._measures])
        verdict = "ok" if total <= AIM_US else "too slow"
        print(f"all eight metrics, row by row: {total:.1f} µs CPU a row (aim {AIM_US:g}: {verdict})")
        first = _per_row(lambda at: kept_counts.__wrapped__(row_of(cases[at])["gt_summary"]))
        print(f"of ROUGE, cutting a reference that was not seen before (first model only): {first:.1f} µs CPU more")
        print(f"whole scorecard: {_per_row(lambda at: contract.score(cases[at], readings[at])):.1f} µs CPU a row")
        print(f"reading the answer: {_per_row(lambda at: contract.read(cases[at], answers[at])):.1f} µs CPU a row")
        print(f"rendering the prompt: {_per_row(lambda at: contract.request(cases[at])):.1f} µs CPU a row")
        print(f"loading rows: {_per_row_of_load(contract):.1f} µs CPU a row")


def contract_in(folder: Path) -> PromptTask:
    """Write a task with all eight metric types, and its rows, into a folder."""
    (folder / "all_eight.yaml").write_text(PROMPT, encoding="utf-8")
    task = folder / "task.yaml"
    task.write_text(TASK, encoding="utf-8")
    data = folder / "rows.jsonl"
    data.write_text("".join(json.dumps(_row(at), ensure_ascii=False) + "\n" for at in range(ROWS)), encoding="utf-8")
    return PromptTask(Source(path=data, options={"task": str(task)}))


def _row(at: int) -> dict[str, JSON]:
    """Make a row no other is equal to, with a reference of some sixty characters."""
    picked = [WORDS[(at * step + step) % len(WORDS)] for step in (1, 5, 7)]
    return {
        "sample_id": f"P{at}",
        "ticker": f"T{at}",
        "news_items": [{"id": f"news_{n}", "title": word} for n, word in enumerate(picked)],
        "gt_summary": (
            f"第{at}家虚构公司公布业绩，{picked[0]}同比变化{at % 37}.5%，{picked[1]}影响有限，"
            f"公司维持全年计划，市场反应平稳，{picked[2]}。"
        ),
        "gt_sentiment": ("positive", "neutral", "negative")[at % 3],
        "gt_impact_score": at % 11 - 5,
        "gt_keywords": [*picked, f"事件{at}"],
        "gt_evidence_ids": ["news_0", "news_2"],
    }


def answer_to(row: dict[str, JSON], at: int) -> Answer:
    """Answer in other words than the reference two times of three, and one row of three wrong."""
    wrong = at % 3 == 2
    fields = {
        "summary": row["gt_summary"][4:] + "另有说明" if at % 3 else row["gt_summary"],
        "sentiment": "neutral" if wrong else row["gt_sentiment"],
        "impact_score": 0 if wrong else row["gt_impact_score"],
        "keywords": [*row["gt_keywords"][:2], "别的"] if wrong else row["gt_keywords"],
        "removed_count": 1,
        "final_answer": "持有",
        "steps": ["先看业绩", "再看指引", "结论是持有"],
        "claims": [
            {"text": "业绩变化", "evidence": ["news_0"]},
            {"text": "指引", "evidence": ["news_1" if wrong else "news_2"]},
        ],
    }
    return Answer(text=json.dumps(fields, ensure_ascii=False))


def _per_row(work: Callable[[int], object]) -> float:
    """Return the best of several rounds, in microseconds of CPU: other work on the machine only ever adds."""
    best = float("inf")
    for _ in range(ROUNDS):
        begin = time.process_time()
        for at in range(ROWS):
            work(at)
        best = min(best, time.process_time() - begin)
    return best / ROWS * 1e6


def _per_row_of_load(contract: PromptTask) -> float:
    best = float("inf")
    for _ in range(5):
        begin = time.process_time()
        count = sum(1 for _ in contract.load())
        best = min(best, (time.process_time() - begin) / count)
    return best * 1e6


if __name__ == "__main__":
    main()
