"""Which column of a user's table holds what: as the user says, or by the names that tools and spreadsheets use.

Question and gold are what a case needs; documents, id, and a recorded answer with its contexts may stand beside them.
"""

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import islice
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from ragstone.core.errors import SettingError
from ragstone.core.types import JSON
from ragstone.datasets.promptfoo import EXPECTED, stated, written
from ragstone.datasets.rows import Row, read_rows
from ragstone.text.fold import fold
from ragstone.text.nearest import nearest

LOOKED_AT = 100
"""Rows that are looked at for a column: an empty cell is no field."""
FIELDS = ("question", "gold", "documents", "id", "answer", "contexts")
"""What a column may hold, as `--map FIELD=COLUMN` names it."""
_KNOWN: dict[str, str] = {
    "question": "q question query userinput inputsquestion inputsquery inputsinput varsquestion varsquery varsinput "
    "inputquestion inputquery inputinput inputtext input prompt 问题 用户问题 测试问题 提问 题目 问句",
    "gold": "gold keypoints reference groundtruth groundtruths goldanswer goldenanswer expectedoutputanswer "
    "expectedoutputoutput expectedoutputtext expectedoutput expectedanswer expected referenceanswer idealanswer "
    "referenceoutputsanswer outputsanswer outputsoutput outputsexpected outputsreference assert 关键点 要点 标准答案 "
    "参考答案 期望答案 预期答案 正确答案 期望输出 预期输出 标准回答 参考回答 答案 ideal "
    "answerstext answers answer outputanswer",
    "documents": "dochint document documents doc docs sourcedocument sourcedocuments sourcefile source sources file "
    "filename 文档 文档名 参考文档 来源文档 文件 文件名 来源 出处",
    "id": "id caseid questionid qid sampleid 编号 序号 用例编号",
    "answer": "output response actualoutput modelanswer modeloutput prediction generatedanswer answer "
    "模型回答 系统回答 实际回答 模型答案 模型输出 系统输出 实际输出 回答",
    "contexts": "retrievedcontexts retrievalcontext contexts context 检索内容 检索结果 上下文",
}
"""Folded names without spaces and signs, the likeliest first; `answer` is gold only where nothing else is."""
_SIGNS = re.compile(r"[\W_]+")
_BULLET = re.compile(r"^\s*(?:[-*•·]|\d{1,3}[.)、])\s*")
_LISTS = frozenset({"keypoints", "关键点", "要点", *_KNOWN["documents"].split()})
"""Columns whose cell may list several texts in one line."""


class Columns(Struct, frozen=True):
    """The column of each field; empty where there is none. A dot leads into an object."""

    question: str = ""
    gold: str = ""
    documents: str = ""
    id: str = ""
    answer: str = ""
    contexts: str = ""

    @property
    def is_dataset(self) -> bool:
        """Whether a row holds a case."""
        return bool(self.question and self.gold)


def read_map(pairs: Mapping[str, JSON]) -> dict[str, str]:
    """Check what a user says of columns; the dataset's own names for fields are understood, too."""
    own = {"q": "question", "doc_hint": "documents"}
    found = {own.get(name, name): str(column) for name, column in pairs.items()}
    if unknown := sorted(found.keys() - set(FIELDS)):
        raise SettingError("map.unknown", names=unknown, known=", ".join(FIELDS))
    return found


def require_columns(path: Path, given: Mapping[str, str]) -> None:
    """Refuse a column that none of a table's first rows has: one fault instead of one a row."""
    rows = (row.value for row in islice(read_rows(path), LOOKED_AT) if isinstance(row, Row))
    known = tuple(dict.fromkeys(name for row in rows for name in _names(row)))
    for column in given.values():
        if known and column not in known:
            raise SettingError(
                "map.no_column", column=column, file=str(path), known=list(known), near=nearest(column, known)
            )


def find_columns(row: Mapping[str, JSON], given: Mapping[str, str] | None = None) -> Columns:
    """Return which columns of a row hold what; those the user names are used as they are."""
    return _columns(_names(row), tuple(given.items()) if given else ())


def recorded_columns(row: Mapping[str, JSON], given: Mapping[str, str] | None = None) -> Columns:
    """Return which columns of a recorded answer hold what: there `answer` is the system's."""
    found = find_columns(row, given)
    said = not found.answer and _bare(found.gold) in ("answer", "答案")
    return replace(found, answer=found.gold, gold="") if said else found


def column_names(row: Mapping[str, JSON]) -> Iterator[str]:
    """Yield the names a user may give to --map, but for objects, whose fields are named instead."""
    return (name for name in _names(row) if not (isinstance(row.get(name), dict) and row[name]))


def _names(row: Mapping[str, JSON]) -> tuple[str, ...]:
    """Return the names of a row's columns, and of those one object deep."""
    names: list[str] = []
    for name, value in row.items():
        names.append(name)
        if isinstance(value, dict):
            names += [f"{name}.{inner}" for inner in value]
    return tuple(names)


@lru_cache(maxsize=256)
def _columns(names: tuple[str, ...], given: tuple[tuple[str, str], ...]) -> Columns:
    free = {_bare(name): name for name in reversed(names)}
    found = dict(given)
    for field in FIELDS:
        wanted = (free.get(known) for known in _KNOWN[field].split() if field not in found)
        column = next((name for name in wanted if name is not None and name not in found.values()), "")
        if column:
            found[field] = column
    return Columns(**found)


def _bare(name: str) -> str:
    """Fold a column's name, without its spaces and signs."""
    return _SIGNS.sub("", fold(name).lower())


def cell(row: Mapping[str, JSON], column: str) -> JSON:
    """Return what a column holds; None where there is nothing."""
    if not column or column in row:
        return row.get(column)
    outer, _, inner = column.partition(".")
    value = row.get(outer)
    return value.get(inner) if isinstance(value, dict) else None


def row_id(row: Row, columns: Columns) -> str:
    """Return the id of a row's case: its own, or Q1, Q2, … by its place."""
    own = cell(row.value, columns.id)
    if isinstance(own, int) and not isinstance(own, bool):
        own = str(own)
    return own.strip() if isinstance(own, str) and own.strip() else f"Q{row.number}"


def points_of(column: str, value: JSON) -> list[JSON]:
    """Return the texts of a cell, read as its column's name says: promptfoo's `__expected`, or a list between `;`."""
    if column == EXPECTED:
        cells = value if isinstance(value, list) else [value]
        return [text for cell in cells for text in (written(cell) if isinstance(cell, str) else [cell])]
    if isinstance(value, str) and "\n" not in value and _bare(column) in _LISTS:
        return [point.strip() for point in re.split("[;；]", value) if point.strip()] or [value]
    return texts_of(value)


def texts_of(value: JSON) -> list[JSON]:
    """Return a cell as a list: a text by its lines, without their bullets; promptfoo's assertions by their values."""
    if isinstance(value, str):
        lines = [_BULLET.sub("", line).strip() for line in value.splitlines() if line.strip()]
        return list(lines) if len(lines) > 1 else [value]
    if isinstance(value, int | float) and not isinstance(value, bool):
        return [str(value)]
    if isinstance(value, list):
        return [text for item in value for text in (_assertion(item) if isinstance(item, dict) else [item])]
    return [] if value is None else [value]


def _assertion(item: Mapping[str, JSON]) -> list[JSON]:
    return stated(item) or [] if "type" in item else [dict(item)]
