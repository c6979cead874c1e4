"""A dataset and its answers in every form: the same rows come out."""

import gzip
import json
from pathlib import Path

import pyarrow
import pyarrow.parquet
import pytest
import zstandard

from ragstone.api import evaluate
from ragstone.core.errors import DatasetError
from ragstone.core.types import JSON
from ragstone.datasets.check import open_contract, survey

QUESTIONS: list[dict[str, JSON]] = [
    {"q": "服务器支持哪些数据库？", "gold": ["支持 PostgreSQL", "支持 SQLite"], "doc_hint": ["db.md"]},
    {"q": "保修期多久？", "gold": ["保修期为两年"], "doc_hint": ["warranty.md"]},
]
ANSWERS: list[dict[str, JSON]] = [
    {"id": "Q1", "output": "支持 PostgreSQL。", "citations": [{"file": "db.md"}]},
    {"id": "Q2", "output": "保修期为一年。", "citations": []},
]


def _write(path: Path, rows: list[dict[str, JSON]]) -> Path:
    lines = b"".join(json.dumps(row, ensure_ascii=False).encode() + b"\n" for row in rows)
    if path.suffix == ".parquet":
        pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows), path)
    elif path.suffix == ".csv":
        cells = [[v if isinstance(v, str) else json.dumps(v, ensure_ascii=False) for v in r.values()] for r in rows]
        quoted = [",".join('"' + cell.replace('"', '""') + '"' for cell in row) for row in [list(rows[0]), *cells]]
        path.write_text("\n".join(quoted), encoding="utf-8")
    else:
        packed = {".gz": gzip.compress(lines), ".zst": zstandard.compress(lines)}
        path.write_bytes(packed.get(path.suffix, lines))
    return path


def _rows(tmp_path: Path, questions: str, answers: str) -> list[JSON]:
    dataset, recorded = _write(tmp_path / questions, QUESTIONS), _write(tmp_path / answers, ANSWERS)
    return [json.loads(line) | {"run_id": ""} for line in _run(dataset, recorded)]


def _run(dataset: Path, recorded: Path) -> list[bytes]:
    run = evaluate(dataset, f"replay:{recorded}")
    return (run.folder / "results.jsonl").read_bytes().splitlines()


@pytest.mark.parametrize("kind", ["jsonl.gz", "jsonl.zst", "csv", "parquet"])
def test_the_form_of_a_file_changes_no_row(tmp_path: Path, kind: str) -> None:
    """Dataset and answers in any form come to what they come to as plain lines."""
    assert _rows(tmp_path, "q.jsonl", "a.jsonl") == _rows(tmp_path, f"q.{kind}", f"a.{kind}")


def test_faults_in_a_table_are_told_with_their_line(tmp_path: Path) -> None:
    """What `check` finds in a CSV file stands at the line an editor shows."""
    path = tmp_path / "q.csv"
    path.write_text('q,gold,doc_hint\n好,"[""甲""]","[]"\n坏,,"[]"\n', encoding="utf-8")
    found = survey(open_contract(path), path)

    assert [(str(f.position), f.code) for f in found.findings] == [(f"{path}:3", "row.missing")]
    with pytest.raises(DatasetError, match="fault"):
        evaluate(path, mock=True)
