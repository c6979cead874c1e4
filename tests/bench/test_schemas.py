"""The published schemas are current, and real artefacts keep to them."""

import csv
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ragstone.runners.bench import main
from tests.bench.conftest import Server
from tests.loopback import Reply, completion

ROOT = Path(__file__).parents[2]
SCHEMAS = ROOT / "docs" / "schemas"
WORDS = ("--task", "event_eval", "--dataset", "datasets/your_data.jsonl", "--quiet", "--run-id", "r", "--repeats", "2")
_TYPES: dict[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "null": (type(None),),
}


def _faults(value: Any, schema: dict[str, Any], root: dict[str, Any], where: str = "") -> Iterator[str]:
    """Check the words of JSON Schema that our schemas use."""
    if ref := schema.get("$ref"):
        schema = root["$defs"][ref.rsplit("/", 1)[1]]
    if options := schema.get("anyOf"):
        if all(list(_faults(value, option, root, where)) for option in options):
            yield f"{where}: {value!r} fits nowhere"
        return
    kinds = [schema["type"]] if isinstance(schema.get("type"), str) else schema.get("type", [])
    allowed = tuple(kind for name in kinds for kind in _TYPES[name])
    if allowed and (not isinstance(value, allowed) or (isinstance(value, bool) and bool not in allowed)):
        yield f"{where}: {value!r} is no {kinds}"
    if "enum" in schema and value not in schema["enum"]:
        yield f"{where}: {value!r} is not allowed"
    yield from _inside(value, schema, root, where)


def _inside(value: Any, schema: dict[str, Any], root: dict[str, Any], where: str) -> Iterator[str]:
    if isinstance(value, dict):
        for name in schema.get("required", ()):
            if name not in value:
                yield f"{where}/{name}: missing"
        known, rest = schema.get("properties", {}), schema.get("additionalProperties")
        for name, item in value.items():
            if name in known:
                yield from _faults(item, known[name], root, f"{where}/{name}")
            elif isinstance(rest, dict):
                yield from _faults(item, rest, root, f"{where}/{name}")
            elif known:
                yield f"{where}/{name}: unknown"
    if isinstance(value, list) and isinstance(schema.get("items"), dict):
        for at, item in enumerate(value):
            yield from _faults(item, schema["items"], root, f"{where}/{at}")


def test_the_published_schemas_are_current() -> None:
    """What the generator makes is what stands in the package and in docs."""
    done = subprocess.run(
        [sys.executable, str(ROOT / "scripts" / "make_schemas.py"), "--check"], capture_output=True, check=False
    )

    assert done.returncode == 0, done.stdout


def test_every_row_keeps_to_its_schema(project: Path, endpoint: Server) -> None:
    """Good, unreadable and failed answers alike; and a row with a wrong type would be noticed."""
    replies = [completion('{"sentiment": "positive", "impact_score": 9}'), completion("?")]
    endpoint.script = lambda body, call: Reply(replies[call % 2]) if call % 3 else Reply({"error": "no"}, status=400)
    main([*WORDS, "--models", "deepseek-v3,qwen-small"])
    schema = json.loads((SCHEMAS / "results.schema.json").read_text(encoding="utf-8"))
    rows = [json.loads(line) for line in (project / "runs" / "r" / "results.jsonl").read_text("utf-8").splitlines()]

    assert {row["error_type"] for row in rows} >= {None, "unparsed"}
    assert [fault for row in rows for fault in _faults(row, schema, schema)] == []
    assert list(_faults(rows[0] | {"latency_ms": "1"}, schema, schema))
    assert list(_faults(rows[0] | {"scorecard": {}}, schema, schema))


def test_summary_csv_has_exactly_the_columns_published(project: Path) -> None:
    """In the published order, each metric's columns in their places."""
    main([*WORDS, "--mock"])
    with (project / "runs" / "r" / "summary.csv").open(encoding="utf-8-sig", newline="") as file:
        header = next(csv.reader(file))
    keys = [
        name.removeprefix("tm_").removesuffix("_avg") for name in header if name.startswith("tm_") and "_avg" in name
    ]
    published = json.loads((SCHEMAS / "summary-columns.json").read_text(encoding="utf-8"))["columns"]

    wanted: list[str] = []
    for column in published:
        name = column["name"]
        wanted += [name.replace("<key>", key) for key in keys] if column.get("for_each") else [name]
    assert header == wanted
    assert len(keys) == 6
