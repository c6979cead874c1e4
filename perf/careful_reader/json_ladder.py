"""The JSON ladder: labelled texts with repair asked for, what two objects give, and speed."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from perf.careful_reader.row import Row, hostile, records, share, speed
from ragstone.reading.json.ladder import read_json

OWN = Path(__file__).parents[2] / "tests/data/json.jsonl"
HOSTILE = ("{}", "{", "[]", "{}\n", "{{}}", "{//\n}", '{"a":1,}', "{'a':1}", "<think>", "```\n{}\n```\n", '"', "[1,")


def _own(row: dict[str, Any]) -> bool:
    reading = read_json(row["raw"], repair=row["repair"], want=row["want"])
    return bool(reading.rung == row["rung"] and reading.value == row["value"])


def _right(row: dict[str, Any]) -> bool:
    """By the label; the two rows that pick one of two objects without a wanted key stay wrong by our rule."""
    reading = read_json(row["raw"], repair=True, want=row.get("want_keys", ()))
    return bool(reading.value == row["expect"] or reading.value in row.get("accept", []))


def rows(data: Path) -> Iterator[Row]:
    """Right readings, and texts a second."""
    yield share("json", "own texts", [*map(_own, records(OWN))], 1.0)
    labelled = [*records(data / "careful_reading/t9_json.jsonl")]
    yield share("json", "careful_reading/t9_json", [*map(_right, labelled)], 0.97)
    texts = [row["raw"] for row in labelled]
    yield speed("json", "t9_json without repair", read_json, texts, 20_000)
    yield speed("json", "t9_json with repair", lambda text: read_json(text, repair=True), texts, 2000)
    yield hostile("json", lambda line: read_json(line, repair=True), HOSTILE)
