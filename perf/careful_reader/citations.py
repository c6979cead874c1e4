"""Citations: labelled texts, speed, and time on one hostile megabyte."""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from perf.careful_reader.row import Row, records, share, speed
from ragstone.reading.citations.find import document_key, find_citations

OWN = Path(__file__).parents[2] / "tests/data/citations.jsonl"
HOSTILE = ("[1]", "](", "《a》", '"a', "第", "a/", "p.1", "参考")


def _read(row: dict[str, Any]) -> set[tuple[str | None, int | None, str | None]]:
    found = find_citations(row["text"], row.get("known", ()), row.get("references", ()))
    return {(document_key(one.file) if one.file else None, one.page, one.quote) for one in found}


def _right(row: dict[str, Any]) -> bool:
    return _read(row) == {(document_key(file) if file else None, page, quote) for file, page, quote in row["expected"]}


def _other_right(row: dict[str, Any]) -> bool:
    """Whether another author's row is read as labelled: documents, pages, quotes, and bare numbers such as [1]."""
    found = find_citations(row["text"], numbers=True)
    read = {(document_key(one.file or ""), one.page, one.quote, one.number) for one in found}
    wanted = row["expect"]
    return read == {(document_key(one["file"] or ""), one["page"], one["quote"], one.get("number")) for one in wanted}


def rows(data: Path) -> Iterator[Row]:
    """Right texts, named documents of real cases found again, texts a second, and the slowest hostile line."""
    own = [*records(OWN)]
    yield share("citations", "own rows", [_right(row) for row in own], 1.0)
    other = [*records(data / "careful_reading/citations.jsonl")]
    if other:
        yield share("citations", "careful_reading/citations", [*map(_other_right, other)], 0.95)
    hints = [row["doc_hint"][0] for row in records(data / "keypoint/cases.jsonl") if row.get("doc_hint")]
    named = [
        document_key(hint) in {document_key(one.file or "") for one in find_citations(f"见{hint}。")} for hint in hints
    ]
    if named:
        yield share("citations", "keypoint doc_hints named", named, 1.0)
    yield speed("citations", "own rows", _read, own, 5000)
    slowest = max(map(_seconds, HOSTILE))
    yield Row("citations", "hostile line of 1 MB", len(HOSTILE), f"{slowest:.1f} s", "<= 3 s", slowest <= 3)


def _seconds(unit: str) -> float:
    text = unit * (1_000_000 // len(unit))
    start = time.process_time()
    find_citations(text, references=["a.md"])
    return time.process_time() - start
