"""The runner users of the legal RAG benchmark know, over Ragstone's own steps.

    from benchmark.test_runner import BenchmarkRunner
    runner = BenchmarkRunner("benchmark")
    summary = runner.run_benchmark(rag_system, question_type="fact_exact")
    print(summary["overall_percentage"])

On the command line: python benchmark/test_runner.py --type fact_exact.
"""

import argparse
import asyncio
import inspect
import json
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import msgspec

from ragstone.api import evaluate
from ragstone.cli.wording import show_error
from ragstone.core.errors import UserError
from ragstone.core.interfaces import System
from ragstone.core.registry import connect
from ragstone.core.settings import read_settings
from ragstone.core.types import Answer, Case, Failure, Request, Result
from ragstone.datasets.check import load_cases, open_contract, require_sound, survey
from ragstone.runs.pipeline import Frame, Unit, judge
from ragstone.systems.to_answer import to_answer

TYPES = ("fact_exact", "evidence_set", "conflict_gap")
FOLDER = Path("benchmark")
"""Where the questions are looked for when no folder is named."""


class BenchmarkRunner:
    """Asks a RAG system every question of a benchmark folder, one after the other, and scores the answers."""

    def __init__(self, benchmark_dir: str | Path = ".", *, runs_dir: str | Path | None = None) -> None:
        self.benchmark_dir = Path(benchmark_dir)
        documents = self.benchmark_dir / "documents"
        self._documents = documents if documents.is_dir() else None
        self._settings = read_settings({"runs_dir": str(runs_dir) if runs_dir else None})
        usual = {"glossary": self._settings.reading.glossary}
        self._contract = open_contract(self.benchmark_dir, name="legal_rag", documents=self._documents, usual=usual)
        require_sound(survey(self._contract, self.benchmark_dir), self._contract, self.benchmark_dir)
        self._cases = {case.id: case for case in load_cases(self._contract)}
        self.results: list[dict[str, Any]] = []
        self.run_folder = ""
        """Where the last run was left, to be read with `ragstone report`."""

    def load_questions(self, question_type: str | None = None) -> list[dict[str, Any]]:
        """Return the questions, all or those of one type."""
        if question_type is not None and question_type not in TYPES:
            raise ValueError(f"unknown question type {question_type!r}; there are {', '.join(TYPES)}")
        return [
            {"id": case.id, "type": type_of(case), "question": case.question}
            for case in self._cases.values()
            if question_type in (None, type_of(case))
        ]

    def run_test(self, question: dict[str, Any], rag_system: object) -> dict[str, Any]:
        """Ask one question and score the answer."""
        case = self._cases[question["id"]]
        frame = Frame(run_id="benchmark", lang="zh-Hans", model_ids=(type(rag_system).__name__,))
        return _row(case, judge(self._contract, Unit(0, case), _ask(rag_system, case), frame))

    def run_benchmark(self, rag_system: object, question_type: str | None = None) -> dict[str, Any]:
        """Ask all questions, or those of one type, leave a run folder, and sum up."""
        self.load_questions(question_type)  # an unknown type is refused before anything is asked
        done = evaluate(
            self.benchmark_dir,
            rag_system,
            contract="legal_rag",
            documents=self._documents,
            options={"type": question_type} if question_type else {},
            settings=self._settings,
        )
        self.results = [_row(self._cases[result.sample_id], result) for result in done.results()]
        self.run_folder = str(done.folder)
        return self.generate_summary(self.results)

    def generate_summary(self, results: Sequence[dict[str, Any]]) -> dict[str, Any]:
        """Sum up; weights in the files weigh the overall score."""
        by_type = {kind: [row for row in results if row["type"] == kind] for kind in TYPES}
        return _totals(results) | {
            "by_type": {kind: _totals(rows) for kind, rows in by_type.items() if rows},
            "individual_results": list(results),
            "run_folder": self.run_folder,
        }

    def save_results(self, path: str | Path, summary: dict[str, Any] | None = None) -> None:
        """Write a summary as JSON; the last run's when none is given."""
        content = summary if summary is not None else self.generate_summary(self.results)
        Path(path).write_text(json.dumps(content, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")


def type_of(case: Case) -> str:
    """Return the type a question has."""
    return case.groups["type"][0]


def _ask(rag_system: object, case: Case) -> Answer:
    """Ask an object with .query(), a callable or a System; what it raises fails this question only."""
    try:
        if isinstance(rag_system, System):
            return asyncio.run(rag_system.ask(Request(id=case.id, question=case.question)))
        value = getattr(rag_system, "query", rag_system)(case.question)  # type: ignore[operator]
        return to_answer(asyncio.run(_result(value)) if inspect.isawaitable(value) else value)
    except Exception as error:  # noqa: BLE001 - the boundary: a system may raise anything
        return Answer(failure=Failure("exception", f"{type(error).__name__}: {error}"))


async def _result(value: Any) -> object:
    return await value


def _row(case: Case, result: Result) -> dict[str, Any]:
    card = result.scorecard
    return {
        "id": case.id,
        "type": type_of(case),
        "question": case.question,
        "answer": result.output_text,
        "score": card.primary_score * case.weight,
        "max_score": case.weight,
        "passed": card.passed,
        "sub_scores": card.sub_scores,
        "error_tags": list(card.error_tags),
        "explain": card.explain,
        "details": msgspec.to_builtins(card.details),
    }


def _totals(rows: Iterable[dict[str, Any]]) -> dict[str, Any]:
    rows = list(rows)
    score, most = sum(row["score"] for row in rows), sum(row["max_score"] for row in rows)
    passed = sum(row["passed"] for row in rows)
    return {
        "total_tests": len(rows),
        "passed_tests": passed,
        "pass_rate": passed / len(rows) if rows else 0.0,
        "overall_score": score,
        "max_score": most,
        "overall_percentage": 100 * score / most if most else 0.0,
    }


def main(words: Sequence[str] | None = None, *, folder: Path = FOLDER) -> int:
    """Run the benchmark from the command line; `folder` holds its questions unless a flag names another."""
    parser = argparse.ArgumentParser(description="Run the legal RAG benchmark.")
    parser.add_argument("--type", choices=TYPES, help="only questions of this type")
    parser.add_argument("--benchmark-dir", type=Path, default=folder)
    parser.add_argument("--output", type=Path, help="write the summary as JSON")
    parser.add_argument("--system", help="kind:argument; the built-in RAG over documents/ when left out")
    parser.add_argument("--runs-dir", type=Path, help="folder that holds the runs")
    parser.add_argument("--fail", action="store_true", help="leave with exit code 1 when a question fails")
    options = parser.parse_args(words)
    try:
        runner = BenchmarkRunner(options.benchmark_dir, runs_dir=options.runs_dir)
        system = connect(options.system or f"builtin:{options.benchmark_dir / 'documents'}")
        summary = runner.run_benchmark(system, options.type)
    except UserError as error:
        show_error(error)
        return 2
    for row in summary["individual_results"]:
        sys.stdout.write(f"{'√' if row['passed'] else '×'} {row['score']:.2f} {row['id']}: {row['explain']}\n")
    for kind, totals in summary["by_type"].items():
        sys.stdout.write(
            f"{kind}: {totals['passed_tests']}/{totals['total_tests']}, {totals['overall_percentage']:.1f}%\n"
        )
    sys.stdout.write(f"run_folder: {summary['run_folder']}\n")
    sys.stdout.write(f"overall_percentage: {summary['overall_percentage']:.1f}\n")
    if options.output:
        runner.save_results(options.output, summary)
    return int(options.fail and summary["passed_tests"] < summary["total_tests"])
