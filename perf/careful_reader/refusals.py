"""Abstention: labelled rows, real model answers with human verdicts, false alarms, speed and hostile lines."""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from perf.careful_reader.row import Row, records, share, speed
from ragstone.reading.refusals.declines import declines
from ragstone.reading.statements import Statements

OWN = Path(__file__).parents[2] / "tests/data/refusals.jsonl"
HOSTILE = ("不", "i cannot ", "没有相关的", "it is not ", "I don't know\n")
MEGABYTE = 1_000_000


def _abstained(row: dict[str, Any]) -> bool:
    return declines(row["question"], Statements(row["answer"])).outcome == "yes"


def _labelled(data: Path) -> Iterator[Row]:
    yield share("refusals", "our own rows", [_abstained(row) == row["abstained"] for row in records(OWN)], 0.95)
    rows = list(records(data / "careful_reading/t6_abstain.jsonl"))
    yield share("refusals", "t6_abstain", [_abstained(row) == row["abstain"] for row in rows], 0.95)
    # The rows call an empty answer an abstention; the contracts do not, and the reader names it silence.
    told = [row for row in rows if row["cat"] != "empty"]
    yield share("refusals", "t6_abstain without silence", [_abstained(row) == row["abstain"] for row in told], 0.95)


def _f1(name: str, path: Path, aim: float) -> Row:
    rows = [row for row in records(path) if row["label_abstained"] is not None]
    found = [(_abstained(row), row["label_abstained"]) for row in rows]
    hits = sum(one and label for one, label in found)
    wrong = sum(one != label for one, label in found)
    value = 2 * hits / (2 * hits + wrong) if hits else 0.0
    return Row("refusals", name, len(rows), f"F1 {value:.4f}", f">= {aim}", value >= aim)


def _alarms(data: Path) -> Row:
    rows = [
        row
        for name in ("evouna_nq_en", "nq301_human_en", "mtrag_human_en")
        for row in records(data / f"judged/correctness/{name}.jsonl")
        if row["label_correct"] is True
    ]
    alarms = sum(map(_abstained, rows))
    rate = 1000 * alarms / len(rows) if rows else 0.0
    return Row("refusals", "alarms on correct answers", len(rows), f"{rate:.2f} in 1,000", "<= 2", rate <= 2)


def _quick(data: Path) -> Iterator[Row]:
    answers = [row["answer"] for row in records(OWN)]
    yield speed("refusals", "short answers", lambda one: declines("", Statements(one)), answers, 10_000)
    for piece in HOSTILE:
        text = piece * (MEGABYTE // len(piece))
        start = time.process_time()
        declines("", Statements(text))
        taken = time.process_time() - start
        yield Row("refusals", f"1 MB of {piece.strip()}", 1, f"{taken:.2f} s", "<= 2 s", taken <= 2)


def rows(data: Path) -> Iterator[Row]:
    """The figures of the topic."""
    judged = data / "judged/abstention"
    yield from _labelled(data)
    yield _f1("xstest_en", judged / "xstest_en.jsonl", 0.92)
    yield _f1("nomiracl_zh", judged / "nomiracl_zh.jsonl", 0.92)
    yield _alarms(data)
    yield from _quick(data)
