"""A row of the table, and what the topics share to make one."""

import json
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple


class Row(NamedTuple):
    """One figure: of which topic, on which data, over how many items, what we aim at, and whether it is reached."""

    topic: str
    data: str
    n: int
    figure: str
    aim: str
    ok: bool


def records(path: Path) -> Iterator[dict[str, Any]]:
    """The objects of a JSONL file, none when it is not at hand."""
    if path.exists():
        yield from (json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip())


def share(topic: str, data: str, right: Sequence[bool], aim: float) -> Row:
    """A row for the share of right items."""
    value = sum(right) / len(right) if right else 0.0
    return Row(topic, data, len(right), f"{value:.4f} right", f">= {aim}", bool(right) and value >= aim)


def hostile(topic: str, work: Callable[[str], object], pieces: Sequence[str]) -> Row:
    """A row for the slowest of the hostile lines, each one piece repeated to a million characters."""
    slowest, of = 0.0, ""
    for piece in pieces:
        line = piece * (1_000_000 // len(piece))
        start = time.process_time()
        work(line)
        slowest, of = max((slowest, of), (time.process_time() - start, piece))
    return Row(topic, f"hostile lines of 1 MB ({of!r})", len(pieces), f"{slowest:.1f} s", "about 1 s", slowest <= 1.5)


def speed(topic: str, data: str, work: Callable[[Any], object], items: Sequence[Any], aim: float) -> Row:
    """A row for how many items a second of one core reads, after a first pass to warm up."""
    if not items:
        return Row(topic, data, 0, "no data", f">= {aim:,.0f}/s", False)
    for item in items:
        work(item)
    done, start = 0, time.process_time()
    while (taken := time.process_time() - start) < 0.5:
        for item in items:
            work(item)
        done += len(items)
    rate = done / taken
    return Row(topic, data, len(items), f"{rate:,.0f}/s", f">= {aim:,.0f}/s", rate >= aim)
