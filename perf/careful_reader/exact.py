"""Exact match and F1: item by item against the published scripts, and speed."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from perf.careful_reader.published import Match, cmrc, folded, squad
from perf.careful_reader.row import Row, records, share, speed

Script = Callable[[str, Sequence[str]], Match]
SETS: tuple[tuple[str, Script], ...] = (
    ("squad_real_predictions_en", squad),
    ("cmrc2018_dev", cmrc),
    ("drcd_dev", cmrc),
    ("xquad_zh", cmrc),
)


def _equal(row: dict[str, Any], script: Script) -> bool:
    got, expected = script(row["prediction"], row["references"]), row["expected"]
    return bool(got.em == expected["em"] and abs(got.f1 - expected["f1"]) < 1e-9)


def _on_pair(script: Script) -> Callable[[tuple[str, Sequence[str]]], Match]:
    return lambda pair: script(*pair)


def rows(data: Path) -> Iterator[Row]:
    """Equal items, and answers a second."""
    for name, script in SETS:
        items = [*records(data / f"official_parity/{name}.jsonl")]
        yield share("exact", name, [_equal(row, script) for row in items], 1.0)
    pairs = [(row["prediction"], row["references"]) for row in records(data / "official_parity/drcd_dev.jsonl")]
    for own in (squad, cmrc, folded):
        yield speed("exact", f"drcd_dev by {own.__name__}", _on_pair(own), pairs, 5000)
