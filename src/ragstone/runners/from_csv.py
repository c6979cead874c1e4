"""`python -m bench.cli.from_csv rows.csv rows.jsonl --labels a,b`: a spreadsheet into the rows of a prompt task."""

import argparse
import csv
import io
import json
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from ragstone.cli.wording import choose, show_error
from ragstone.core.errors import DatasetError, SettingError, UserError
from ragstone.core.types import JSON
from ragstone.documents.encoding import decode
from ragstone.runs.store.codec import encode

LABEL_START = "gt_"
_BETWEEN = re.compile(r"[;；|、,，]")


def convert(
    text: str, *, labels: Sequence[str] = (), lists: Sequence[str] = (), id_column: str = ""
) -> Iterator[dict[str, JSON]]:
    """Turn CSV text into rows: labels get the prefix gt_, lists are split, cells that hold JSON are read as such.

    >>> list(convert("t,y,k\\nHi,a,x;y", labels=["y", "k"], lists=["k"]))
    [{'t': 'Hi', 'gt_y': 'a', 'gt_k': ['x', 'y']}]
    """
    reader = csv.DictReader(io.StringIO(text.removeprefix("\ufeff")), dialect=_dialect(text))
    names = reader.fieldnames or []
    if unknown := sorted({*labels, *lists, *([id_column] if id_column else [])} - set(names)):
        raise SettingError("bench.columns", names=unknown, known=list(names) or ["–"])
    renamed = {name: _name(name, labels, id_column) for name in names}
    for row in reader:
        cells = {name: row.get(name) for name in names}
        if any(value and value.strip() for value in cells.values()):
            yield {
                renamed[name]: _cell(value or "", name in lists)
                for name, value in cells.items()
                if value or not renamed[name].startswith(LABEL_START)
            }


def _dialect(text: str) -> type[csv.Dialect]:
    """Spreadsheets save with commas, semicolons or tabs."""
    first = text.partition("\n")[0]
    kind: type[csv.Dialect] = csv.excel
    if first.count("\t") > first.count(","):
        kind = csv.excel_tab
    elif first.count(";") > first.count(","):
        kind = type("Semicolons", (csv.excel,), {"delimiter": ";"})
    return kind


def _name(name: str, labels: Sequence[str], id_column: str) -> str:
    if name == id_column:
        return "sample_id"
    return f"{LABEL_START}{name}" if name in labels and not name.startswith(LABEL_START) else name


def _cell(value: str, is_list: bool) -> JSON:
    text = value.strip()
    if text[:1] in {"[", "{"}:
        try:
            return json.loads(text)
        except (ValueError, RecursionError):
            return value
    if is_list:
        return [item.strip() for item in _BETWEEN.split(text) if item.strip()]
    return value


def main(words: Sequence[str] | None = None) -> int:
    """Write the rows, and return the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.cli.from_csv",
        description=choose("Turn a CSV file into rows of a prompt task.", "将 CSV 文件转换为提示词任务的数据集。"),
    )
    parser.add_argument("source", type=Path, metavar="CSV")
    parser.add_argument("target", type=Path, metavar="JSONL")
    helps = {
        "labels": choose("Columns that hold what is wanted; they become gt_….", "标注列；将加上 gt_ 前缀。"),
        "lists": choose("Columns whose cells are lists.", "单元格为列表的列。"),
    }
    for name, text in helps.items():
        parser.add_argument(f"--{name}", default="", metavar="A,B", help=text)
    parser.add_argument("--id", default="", metavar="COLUMN", help=choose("Column with the ids.", "编号列。"))
    flags = parser.parse_args(words)
    try:
        return _write(flags)
    except (UserError, OSError) as error:
        if not show_error(error):
            raise
        return 2


def _write(flags: argparse.Namespace) -> int:
    try:
        text = decode(flags.source.read_bytes()).text
    except OSError as error:
        raise DatasetError("dataset.unreadable", file=str(flags.source), problem=error.strerror or "") from error
    names = {name: [part for part in getattr(flags, name).split(",") if part] for name in ("labels", "lists")}
    try:
        rows = list(convert(text, **names, id_column=flags.id))
    except csv.Error as error:
        raise DatasetError("dataset.unreadable", file=str(flags.source), problem=str(error)) from error
    if not rows:
        raise DatasetError("dataset.empty", file=str(flags.source))
    try:
        flags.target.parent.mkdir(parents=True, exist_ok=True)
        flags.target.write_bytes(b"".join(encode(row) + b"\n" for row in rows))
    except OSError as error:
        problem = error.strerror or str(error)
        raise SettingError("gate.unwritable", file=str(flags.target), problem=problem) from error
    fields = ", ".join(dict.fromkeys(name for row in rows for name in row))
    sys.stdout.write(
        choose(
            f"{flags.target}: {len(rows)} rows ({fields})\n",
            f"{flags.target}：{len(rows)} 行（{fields}）\n",
            f"{flags.target}：{len(rows)} 行（{fields}）\n",
        )
    )
    return 0
