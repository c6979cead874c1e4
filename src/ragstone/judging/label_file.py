"""labels.jsonl: appended and synced before anybody is told that a label is kept, a checksum a line.

Tables (CSV with a byte-order mark, Excel) and JSON lines have the same columns. Lines without a checksum are those
that somebody wrote by hand; a line whose checksum does not fit was damaged or edited, and is refused by its number.
"""

import csv
import json
import os
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import partial
from io import BytesIO, StringIO
from itertools import chain
from math import inf
from pathlib import Path
from typing import NamedTuple, get_args
from zlib import crc32

import msgspec

from ragstone.core.errors import Reason, RunError, SettingError
from ragstone.core.messages import message
from ragstone.core.types import JSON, QuestionKind
from ragstone.datasets.faults import HEAD, unreadable
from ragstone.datasets.formats import DamagedError, need, xlsx_rows
from ragstone.judging.estimates.draw_tokens import draws_of
from ragstone.judging.labels import Label, Verdict, chances_of, hash_of
from ragstone.text.fold import fold

try:
    import fcntl
except ImportError:  # pragma: no cover - Windows has none: one server appends there
    fcntl = None  # type: ignore[assignment]

FILE = "labels.jsonl"
FORMATS = (".csv", ".jsonl", ".xlsx")
COLUMNS = tuple(name for name in Label.__struct_fields__)
_SUM = b',"crc":"%08x"}'
_TAIL = 18
_LAST = 1 << 16
"""Bytes at the end of a file in which the beginning of its last line is looked for first."""
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
_MARK = "'"
"""Keeps a spreadsheet from taking a text for a formula."""
LEAST_CHANCE = 1e-6
"""The least likely draw: one of a million cases."""
LONGEST = 16 << 20
"""Bytes a line may have."""
_BOM = b"\xef\xbb\xbf"
_LISTED = {"quote": "-", "synonyms": "="}
"""Columns that hold several values in a table, and what stands between them."""
_WORDS: Mapping[str, str] = {
    **dict.fromkeys(("stated", "yes", "true", "1", "是", "对", "√", "✓", "陈述", "已陈述", "提及", "提到"), "stated"),
    **dict.fromkeys(("符合", "满足", "支持", "一致", "拒答"), "stated"),
    **dict.fromkeys(("absent", "no", "false", "0", "否", "错", "×", "not stated", "未陈述", "未提及"), "absent"),
    **dict.fromkeys(
        ("未提到", "没有提及", "没有提到", "没提到", "缺失", "不符合", "不满足", "不支持", "不一致"), "absent"
    ),
    **dict.fromkeys(("denied", "否定", "否认", "相反", "矛盾"), "denied"),
    **dict.fromkeys(("unsure", "不确定", "不清楚", "无法判断", "待定", ""), "unsure"),
    **dict.fromkeys(("withdrawn", "撤回", "撤销"), "withdrawn"),
}
_KINDS: Mapping[str, str] = {
    **dict.fromkeys(("要点", "陈述"), "states"),
    "拒答": "declines",
    **dict.fromkeys(("支持", "来源支持", "忠实"), "supported"),
    **dict.fromkeys(("等同", "等价", "一致"), "equivalent"),
    **dict.fromkeys(("要求", "标准", "符合"), "meets"),
}
_HEADERS: Mapping[str, str] = {
    **dict.fromkeys(("编号", "用例", "用例编号", "样例", "题号", "id"), "case"),
    **dict.fromkeys(("要点", "陈述", "关键点", "标准", "参考答案"), "point"),
    **dict.fromkeys(("回答", "答案", "回答原文"), "answer_text"),
    **dict.fromkeys(("判定", "结论", "裁定", "标注", "判断"), "verdict"),
    **dict.fromkeys(("标注人", "标注者", "评审", "评审人", "审核人", "人员"), "reviewer"),
    **dict.fromkeys(("种类", "类型", "问题种类"), "kind"),
    **dict.fromkeys(("备注", "说明", "意见"), "comment"),
    **dict.fromkeys(("问题", "提问"), "question"),
    **dict.fromkeys(("概率", "抽样概率"), "probability"),
    "抽样": "drawn",
    "引文": "quote",
    "同义词": "synonyms",
    "轮次": "round",
}
"""What a column may be called besides the name of its field; Traditional characters are the same."""
_NAMES, _VERDICTS = ({fold(word): known for word, known in table.items()} for table in (_HEADERS, _WORDS))
_NEEDED = ("case", "answer")


class LabelsRead(NamedTuple):
    """The labels of a file, and what is wrong with its end."""

    labels: list[Label]
    cut: int = 0
    """Number of a last line that was cut short, as by a full disk or a crash: it is left out; 0 where none was."""


def read_labels(path: Path) -> list[Label]:
    """Read labels: JSON lines, or a table with the same columns; `answer_text` may stand for the hash."""
    return read_with_end(path).labels


def read_with_end(path: Path) -> LabelsRead:
    """Read labels, and say whether the last line is whole."""
    if not path.exists():
        raise SettingError("labels.none", file=str(path))
    ending = path.suffix.lower()
    if ending == ".xlsx":
        rows = list(_sheet(path))
        _require_verdicts({name for _, row in rows for name in row} if rows else _DECIDING, path)
        return LabelsRead([_label(_typed(row), path, number) for number, row in rows])
    if ending == ".csv":
        table, cut = _whole(list(_table(path)), path)
        return LabelsRead([_label(_typed(row), path, number) for number, row in table], cut)
    found, cut = list[Label](), 0
    for number, line, whole in _lines(path):
        label = _line(line, path, number, whole=whole)
        cut = number if label is None and not whole and line.strip() else cut
        found += [label] if label is not None else []
    return LabelsRead(found, cut)


_DECIDING = frozenset({"verdict"})
"""Columns without which nobody has decided anything: every row would count as undecided."""
_Rows = list[tuple[int, dict[str, JSON]]]


def _require_verdicts(names: Collection[str | None], path: Path | str) -> None:
    known = {_NAMES.get(_plain(name), name) if name else name for name in names}
    if missing := sorted(_DECIDING - known):
        raise SettingError("labels.column", file=str(path), name=missing[0])


def _whole(rows: _Rows, path: Path) -> tuple[_Rows, int]:
    """Part a table from a last row that was cut short: without its end, and with cells missing or a quote open."""
    content = path.read_bytes()
    if not rows or content.endswith((b"\n", b"\r")):
        return rows, 0
    number, last = rows[-1]
    is_cut = None in last.values() or content.count(b'"') % 2 == 1
    return (rows[:-1], number) if is_cut else (rows, 0)


def _lines(path: Path) -> Iterator[tuple[int, bytes, bool]]:
    """Yield the lines of a file by their numbers, and whether each has its end."""
    try:
        with path.open("rb") as file:
            for number, line in enumerate(iter(lambda: file.readline(LONGEST + 1), b""), start=1):
                if len(line) > LONGEST:
                    raise ValueError(f"line {number} is longer than {LONGEST} bytes")
                yield number, line.removeprefix(_BOM) if number == 1 else line, line.endswith(b"\n")
    except (OSError, ValueError) as error:
        raise SettingError("labels.file", file=str(path), problem=str(error)) from error


def _table(path: Path) -> Iterator[tuple[int, dict[str, JSON]]]:
    """Yield the rows of a table, each by the line of the file it begins in."""
    lines = (line.decode() for _, line, _ in _lines(path))
    try:
        first = next(lines, "")
        # Spreadsheets save with commas, semicolons or tabs.
        table = csv.DictReader(chain([first], lines), delimiter=max(",\t;", key=first.count))
        if table.fieldnames:
            _require_verdicts(table.fieldnames, path)
        begin = len(table.fieldnames or ()) and table.line_num + 1
        for row in table:
            yield begin, row
            begin = table.line_num + 1
    except UnicodeDecodeError as error:
        raise _foreign(path, str(error)) from error
    except csv.Error as error:
        raise SettingError("labels.file", file=str(path), problem=str(error)) from error


def _foreign(path: Path, problem: str) -> SettingError:
    """Say which encoding a file seems to be in, and how to save it."""
    with path.open("rb") as file:
        fault = unreadable(file.read(HEAD))
    if fault is None or fault.code == "row.not_utf8":
        return SettingError("labels.file", file=str(path), problem=problem)
    problem_of = Reason(partial(message(fault.code).say, params=fault.params))
    return SettingError("labels.text", file=str(path), problem=problem_of)


def _sheet(path: Path) -> Iterator[tuple[int, dict[str, JSON]]]:
    try:
        yield from xlsx_rows(path, path.name, blanks=True)
    except DamagedError as error:
        raise SettingError("labels.file", file=str(path), problem=str(error)) from error


def _line(line: bytes, path: Path, number: int, *, whole: bool = True) -> Label | None:
    """Read one line; the last one may be cut short by a crash: whoever wrote it was not told that it is kept."""
    line = line.rstrip(b"\r\n")
    if not line.strip():
        return None
    try:
        row = _object(line)
    except ValueError as error:
        if not whole:
            return None
        if isinstance(error, UnicodeDecodeError):
            raise _foreign(path, str(error)) from error
        raise SettingError("labels.file", file=f"{path}:{number}", problem=str(error)) from error
    if "crc" in row and line[-_TAIL:] != _SUM % crc32(line[:-_TAIL]):
        raise SettingError("labels.damaged", file=f"{path}:{number}")
    _require_verdicts(row, f"{path}:{number}")
    return _label({name: value for name, value in row.items() if name != "crc"}, path, number)


def _object(line: bytes) -> dict[str, JSON]:
    try:
        return msgspec.json.decode(line, type=dict[str, JSON])
    except RecursionError as error:
        raise ValueError("nested too deeply") from error
    except msgspec.DecodeError:
        # Escaped lone surrogates are no UTF-8, and may be part of a point all the same.
        try:
            row = json.loads(line)
        except RecursionError:
            raise ValueError("nested too deeply") from None
        if not isinstance(row, dict):
            raise ValueError("not an object") from None
        return row


def _label(row: Mapping[str, JSON], path: Path, number: int) -> Label:
    value = _by_names({name: found for name, found in row.items() if found not in (None, "")})
    if "answer_text" in value:
        value.setdefault("answer", hash_of(str(value["answer_text"])))
    said, kind = value.get("verdict", ""), value.get("kind")
    value["verdict"] = _VERDICTS.get(_plain(said), said)
    if isinstance(kind, str):
        value["kind"] = _KINDS.get(_plain(kind), _plain(kind))
    _require_known(value, f"{path}:{number}")
    try:
        label = msgspec.convert(value, Label, strict=False)
    except msgspec.ValidationError as error:
        raise SettingError("labels.file", file=f"{path}:{number}", problem=str(error)) from error
    _bounded(label, f"{path}:{number}")
    return label


def _plain(word: JSON) -> str:
    """Return a word of a table in one writing."""
    return fold(str(word)).strip(" .!")


def _by_names(row: Mapping[str, JSON]) -> dict[str, JSON]:
    """Return a row by the names of its fields; a column under another name stands where the field itself does not."""
    others = [(name, found) for name, found in row.items() if name not in COLUMNS]
    # The first of two columns that are called alike is the one.
    named = {_NAMES.get(_plain(name), name): found for name, found in reversed(others)}
    return {**named, **{name: found for name, found in row.items() if name in COLUMNS}}


def _require_known(value: Mapping[str, JSON], place: str) -> None:
    """Refuse a label that lacks a field or has another word than there are, in the user's language."""
    lacking = [name for name in _NEEDED if name not in value]
    if lacking:
        raise _refused(place, "labels.lacks", names=lacking)
    for field, known in (("verdict", get_args(Verdict)), ("kind", get_args(QuestionKind))):
        if field in value and value[field] not in known:
            raise _refused(place, "labels.word", field=field, found=str(value[field])[:80], known=list(known))


def _refused(place: str, code: str, **params: JSON) -> SettingError:
    return SettingError("labels.file", file=place, problem=Reason(partial(message(code).say, params=params)))


def _bounded(label: Label, place: str) -> None:
    """Refuse figures that cannot be: a label weighs as much as it was unlikely to be drawn."""
    chance, seconds = label.probability, label.seconds
    if chance is not None and not LEAST_CHANCE <= chance <= 1:
        raise SettingError("labels.file", file=place, problem=f"probability: {chance} is not {LEAST_CHANCE:f} to 1")
    try:
        sound = all(LEAST_CHANCE <= one <= 1 for one in chances_of(label).values())
        draws_of([label.drawn])
    except ValueError:
        sound = False
    if not sound:
        raise SettingError("labels.file", file=place, problem=f"drawn: {label.drawn[:80]!r}")
    if seconds is not None and not 0 <= seconds < inf:
        raise SettingError("labels.file", file=place, problem=f"seconds: {seconds}")


def _typed(row: Mapping[str, JSON]) -> dict[str, JSON]:
    """Return the cells of a table as a label has them: without the mark against formulas, several values apart."""
    found = {name: _unmarked(str(value)) for name, value in _by_names(row).items() if name and value not in (None, "")}
    several = {name: [part.strip() for part in found[name].split(_LISTED[name])] for name in _LISTED if name in found}
    # Where semicolons part the cells, commas part decimals.
    numbers: dict[str, JSON] = {
        name: found[name].replace(",", ".") for name in ("probability", "seconds") if name in found
    }
    return {**found, **several, **numbers}


def _unmarked(text: str) -> str:
    rest = text.removeprefix(_MARK)
    return rest if rest.lstrip().startswith(_FORMULA) or rest.startswith(_MARK) else text


def cell_of(label: Label, name: str) -> str:
    """Return one column of a label as a table holds it: a spreadsheet shows it and does not compute it."""
    value: JSON = getattr(label, name)
    if name in _LISTED and value:
        value = f" {_LISTED[name]} ".join(map(str, value))
    text = "" if value is None or value is False or value == () else "true" if value is True else str(value)
    text = text.encode("utf-8", "replace").decode()
    return _MARK + text if text.lstrip().startswith(_FORMULA) or text.startswith(_MARK) else text


def encode_labels(labels: Iterable[Label], ending: str) -> bytes:
    """Write labels as a file of one of the formats."""
    if ending == ".jsonl":
        return b"".join(map(encode_line, labels))
    rows = ([cell_of(label, name) for name in COLUMNS] for label in labels)
    if ending == ".csv":
        table = StringIO(newline="")
        csv.writer(table, lineterminator="\r\n").writerows([COLUMNS, *rows])
        return b"\xef\xbb\xbf" + table.getvalue().encode()
    return _workbook(rows)


def _workbook(rows: Iterable[list[str]]) -> bytes:
    openpyxl = need("openpyxl", "labels.xlsx")
    book = openpyxl.Workbook(write_only=True)
    sheet = book.create_sheet("labels")
    for row in ([*COLUMNS], *rows):
        sheet.append([openpyxl.cell.cell.ILLEGAL_CHARACTERS_RE.sub("�", cell) for cell in row])
    content = BytesIO()
    book.save(content)
    return content.getvalue()


def encode_line(label: Label) -> bytes:
    """Write a label as one line with its checksum."""
    try:
        head = msgspec.json.encode(label)[:-1]
    except UnicodeEncodeError:
        head = json.dumps(msgspec.to_builtins(label), ensure_ascii=True).encode()[:-1]
    return head + _SUM % crc32(head) + b"\n"


def append_labels(path: Path, labels: Iterable[Label]) -> None:
    """Put labels on disk, each a whole line, before anything is made of them."""
    lines = b"".join(map(encode_line, labels))
    mode = os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOFOLLOW", 0)
    try:
        file = os.open(path, mode, 0o644)
    except OSError as error:
        raise RunError("run.unwritable", folder=str(path.parent), problem=error.strerror or str(error)) from error
    try:
        if fcntl is not None:
            fcntl.flock(file, fcntl.LOCK_EX)
        lines = _complete(file) + lines
        if os.write(file, lines) != len(lines):
            raise RunError("run.unwritable", folder=str(path.parent), problem="No space left on device")
        os.fsync(file)
    finally:
        os.close(file)


def _complete(file: int) -> bytes:
    """Take away a last line that a crash cut short; return what must stand before the next one."""
    size = os.fstat(file).st_size
    tail = _last_line(file, size)
    if not tail:
        return b""
    try:
        _object(tail)
    except ValueError:
        os.ftruncate(file, size - len(tail))
        return b""
    return b"\n"


def _last_line(file: int, size: int) -> bytes:
    """Return what stands behind the last line break."""
    span = _LAST
    while True:
        start = max(0, size - span)
        os.lseek(file, start, os.SEEK_SET)
        _, found, tail = os.read(file, size - start).rpartition(b"\n")
        if found or not start:
            return tail
        span *= 16


class LabelFile:
    """labels.jsonl as somebody keeps it open: appended to, and read on where others have appended."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._at = 0
        self._number = 0

    def fresh(self) -> list[Label] | None:
        """Return the labels that stand in the file since the last look; None when it became shorter: look anew."""
        try:
            with self.path.open("rb") as file:
                if os.fstat(file.fileno()).st_size < self._at:
                    self._at = self._number = 0
                    return None
                file.seek(self._at)
                content = file.read()
        except FileNotFoundError:
            return None if self._at else []
        return list(self._read(content[: content.rfind(b"\n") + 1]))

    def _read(self, content: bytes) -> Iterator[Label]:
        for line in content.split(b"\n")[:-1]:
            self._number += 1
            label = _line(line, self.path, self._number)
            if label is not None:
                yield label
        self._at += len(content)

    def append(self, labels: Iterable[Label]) -> None:
        """Put labels on disk; `fresh` tells of them like of anybody's."""
        append_labels(self.path, labels)
