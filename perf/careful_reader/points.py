"""Key points: labelled rows, human verdicts on plain answers beside folded containment, speed and hostile lines."""

import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from perf.careful_reader.row import Row, records, share, speed
from ragstone.reading.points.forms import Point
from ragstone.reading.points.states import states
from ragstone.reading.statements import Statements
from ragstone.text.fold import bare

OWN = Path(__file__).parents[2] / "tests/data/mention.jsonl"
HOSTILE = ("不支持A，", "not ", "支持。", "I don't know\n", '"')
MEGABYTE = 1_000_000


def _stated(point: str, answer: str, question: str = "") -> bool:
    return states(Point(point), Statements(answer), question).outcome == "yes"


def _kappa(ours: Sequence[bool], labels: Sequence[bool]) -> float:
    n = len(labels)
    agreed = sum(one == label for one, label in zip(ours, labels, strict=True)) / n
    yes, wanted = sum(ours) / n, sum(labels) / n
    chance = yes * wanted + (1 - yes) * (1 - wanted)
    return (agreed - chance) / (1 - chance) if chance < 1 else 1.0


def _labelled(data: Path) -> Iterator[Row]:
    own = [_stated(row["point"], row["answer"], row.get("question", "")) == row["stated"] for row in records(OWN)]
    yield share("points", "our own rows", own, 0.84)
    rows = records(data / "careful_reading/t5_keypoint.jsonl")
    yield share("points", "t5_keypoint", [_stated(row["point"], row["answer"]) == row["covered"] for row in rows], 0.87)


def _plain(data: Path) -> Iterator[Row]:
    rows = [row for row in records(data / "judged/correctness/evouna_nq_en.jsonl") if row["label_correct"] is not None]
    if not rows:
        return
    labels = [bool(row["label_correct"]) for row in rows]
    ours = [any(_stated(gold, row["answer"], row["question"]) for gold in row["gold"]) for row in rows]
    held = [any(bare(gold) in bare(row["answer"]) for gold in row["gold"]) for row in rows]
    one, other = _kappa(ours, labels), _kappa(held, labels)
    yield Row("points", "evouna_nq kappa with humans", len(rows), f"{one:.4f}", f">= {other:.4f} held", one >= other)


def _entities(data: Path) -> Iterator[Row]:
    right = []
    for case in records(data / "keypoint/cases.jsonl"):
        document = (data / "keypoint/documents" / case["doc_hint"][0]).read_text("utf-8")
        texts = [document[piece.start : piece.end] for piece in Statements(document).sentences]
        wanted = bare(case["gold"][0])
        holding = [text for text in texts if wanted in bare(text)][:1]
        others = [text for text in texts if wanted not in bare(text)][:2]
        right += [_stated(case["gold"][0], text, case["q"]) for text in holding]
        right += [not _stated(case["gold"][0], text, case["q"]) for text in others]
    yield share("points", "sentences of the key-point papers", right, 0.98)


def _quick(data: Path) -> Iterator[Row]:
    pairs = [(Point(row["point"]), row["answer"]) for row in records(OWN)]
    yield speed("points", "pairs", lambda pair: states(pair[0], Statements(pair[1])), pairs, 2_000)
    for piece in HOSTILE:
        text = piece * (MEGABYTE // len(piece))
        start = time.process_time()
        _stated("支持断点续传", text)
        taken = time.process_time() - start
        yield Row("points", f"1 MB of {piece.strip()}", 1, f"{taken:.2f} s", "<= 2 s", taken <= 2)


def rows(data: Path) -> Iterator[Row]:
    """The figures of the topic."""
    for part in (_labelled, _plain, _entities, _quick):
        yield from part(data)
