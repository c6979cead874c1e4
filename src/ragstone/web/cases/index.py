"""Finding cases among many: an SQLite index beside results.jsonl, grown while a run goes, made again when stale.

The index holds numbers, tags, groups and searchable text; the rows themselves stay in results.jsonl and are read by
their place in it. Pages are found by key (the last row shown), never by counting off rows.
"""

import base64
import binascii
import contextlib
import shutil
import sqlite3
import tempfile
import threading
import weakref
import zlib
from array import array
from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

import msgspec
from msgspec import Struct, convert, structs

from ragstone.core.types import MetricSpec, Result, model_step
from ragstone.runs.store.codec import decoder
from ragstone.runs.store.folder import RunFolder
from ragstone.web.errors import PageError, reading

FORMAT = 4
INDEX = "cases.sqlite"
MOST_ROWS = 200
"""Rows of one page."""
MOST_TEXT = 4000
"""Characters of an answer that can be searched."""
KEPT_SEARCHES = 8
FEW_HITS = 1000
"""Hits up to which they are named one by one."""
OPEN = 16
"""Indexes kept open."""
State = Literal["passed", "failed", "errored", "unparsed"]
STATES: tuple[State, ...] = get_args(State)
_RESULT = decoder(Result)
_CLEAR = (
    "DELETE FROM cases; DELETE FROM words; DELETE FROM tags; DELETE FROM parts; DELETE FROM models; DELETE FROM state"
)
_BASE_SORTS = {"number": "n", "score": "score", "latency": "latency"}


class Query(Struct, frozen=True, kw_only=True):
    """Which cases, in what order, after which one."""

    state: str = ""
    """One of STATES, `missed` for all that did not pass, or nothing."""
    tag: str = ""
    group: str = ""
    """Group and value as `type=fact_exact`."""
    model: str = ""
    metric: str = ""
    """Only cases that did not get full marks in this metric."""
    text: str = ""
    sort: str = "number"
    """number, score, latency or a metric; with a minus before it downwards."""
    after: str = ""
    limit: int = 50


class Row(Struct, frozen=True, kw_only=True):
    """One case of a page."""

    number: int
    state: State
    result: Result


class Page(Struct, frozen=True, kw_only=True):
    """Some cases, and where the next ones begin."""

    rows: tuple[Row, ...]
    total: int
    next: str | None


class Bin(Struct, frozen=True, kw_only=True):
    """How many scores lie in one part of the scale."""

    low: float
    high: float
    passed: int
    missed: int


class Cell(Struct, frozen=True, kw_only=True):
    """How one model did on one case."""

    number: int
    state: State
    score: float


class GridLine(Struct, frozen=True, kw_only=True):
    """One case of a matrix: its place, its name, and by model how it came out, each repeat."""

    case: int
    id: str
    cells: dict[str, list[Cell]]


class Grid(Struct, frozen=True, kw_only=True):
    """Some lines of a matrix, and how many there are."""

    rows: tuple[GridLine, ...]
    total: int


class _Card(Struct, rename={"passed": "pass"}):
    """As much of a scorecard as is indexed."""

    primary_score: float
    passed: bool
    sub_scores: dict[str, float | None]
    error_tags: tuple[str, ...] = ()


class _Slim(Struct):
    """As much of a row as is indexed; the rest is passed over unread."""

    sample_id: str
    model_id: str
    question: str
    output_text: str
    scorecard: _Card
    step_id: str = ""
    groups: dict[str, tuple[str, ...]] = {}
    error_type: str | None = None
    latency_ms: float | None = None


_SLIM = decoder(_Slim)


class Index:
    """The index of one run."""

    def __init__(self, folder: Path) -> None:
        self._folder = RunFolder(folder)
        self._source = folder / "results.jsonl"
        with reading(folder.name):
            specs = convert(self._folder.read("config.json")["metrics"], list[MetricSpec])
        self._columns = {spec.name: f"m{place}" for place, spec in enumerate(specs)}
        self._lower = {spec.name for spec in specs if spec.better == "lower" or spec.kind == "error"}
        self._hundred = {spec.name for spec in specs if spec.kind == "points"}
        self._lock = threading.Lock()
        self._counts: OrderedDict[tuple[object, ...], int] = OrderedDict()
        self._found: OrderedDict[bytes, bytearray] = OrderedDict()
        self._tables: dict[str, list[tuple[Any, ...]]] = {}
        self._elsewhere = ""
        self._database = self._open()
        self._let_go = weakref.finalize(self, _release, self._database, self._elsewhere)
        self._models: dict[str, int] = dict(self._database.execute("SELECT name, k FROM models"))
        self._end, self._crc, self._rows, self._seen = self._state()
        last = self._database.execute("SELECT id, k FROM cases ORDER BY n DESC LIMIT 1").fetchone()
        self._case_id: str = last[0] if last else ""
        self._case: int = last[1] if last else 0
        """The case the last row is about, and its place: the rows of one case follow each other."""
        self._proved = False
        self._last = b""
        """The last line that was taken in here."""

    # --- keeping in step with the file ---

    def _open(self) -> sqlite3.Connection:
        path = self._folder.path / INDEX
        if not path.is_symlink():
            with contextlib.suppress(sqlite3.DatabaseError, OSError):
                return self._prepare_anew(path)
        # In a folder that cannot be written to, or one that would have us write somewhere else.
        self._elsewhere = tempfile.mkdtemp(prefix="ragstone-index-")
        return self._prepare_anew(Path(self._elsewhere) / INDEX)

    def _prepare_anew(self, path: Path) -> sqlite3.Connection:
        try:
            return self._prepare(path)
        except sqlite3.DatabaseError:
            # Damaged, or made by another version.
            path.unlink(missing_ok=True)
            return self._prepare(path)

    def _prepare(self, path: Path) -> sqlite3.Connection:
        database = sqlite3.connect(path, check_same_thread=False, isolation_level=None)
        try:
            database.executescript("PRAGMA journal_mode=WAL; PRAGMA synchronous=OFF; PRAGMA mmap_size=268435456;")
            (version,) = database.execute("PRAGMA user_version").fetchone()
            if version and version != FORMAT:
                raise sqlite3.DatabaseError("another version")
            database.executescript(self._schema())
        except sqlite3.DatabaseError:
            database.close()
            raise
        return database

    def _schema(self) -> str:
        metrics = "".join(f", {column} REAL" for column in self._columns.values())
        return f"""
            PRAGMA user_version={FORMAT};
            CREATE TABLE IF NOT EXISTS cases (n INTEGER PRIMARY KEY, at INTEGER, size INTEGER, id TEXT, model INTEGER,
                state INTEGER, score REAL, latency REAL{metrics}, k INTEGER);
            CREATE INDEX IF NOT EXISTS by_case ON cases (k, state);
            CREATE TABLE IF NOT EXISTS words (first INTEGER PRIMARY KEY, ends BLOB, text BLOB);
            CREATE TABLE IF NOT EXISTS tags (tag TEXT, n INTEGER, model INTEGER, PRIMARY KEY (tag, n)) WITHOUT ROWID;
            CREATE TABLE IF NOT EXISTS parts (name TEXT, value TEXT, n INTEGER, PRIMARY KEY (name, value, n))
                WITHOUT ROWID;
            CREATE TABLE IF NOT EXISTS models (name TEXT PRIMARY KEY, k INTEGER);
            CREATE TABLE IF NOT EXISTS state (one INTEGER PRIMARY KEY, at INTEGER, crc INTEGER, n INTEGER, seen TEXT);
        """

    def _state(self) -> tuple[int, int, int, str]:
        row = self._database.execute("SELECT at, crc, n, seen FROM state").fetchone()
        return row or (0, 0, 0, "")

    def refresh(self) -> None:
        """Take in what was written since; begin anew when what was taken in is no longer there."""
        with self._lock:
            try:
                stat = self._source.stat()
            except FileNotFoundError:
                return
            seen = f"{stat.st_size}.{stat.st_mtime_ns}"
            if seen == self._seen and self._proved:
                return
            if not self._is_prefix(stat.st_size):
                self._clear()
            self._proved = True
            if stat.st_size > self._end or seen != self._seen:
                self._append_or_begin_anew(seen)

    def _is_prefix(self, size: int) -> bool:
        """Say whether the file still begins with the bytes that were taken in.

        Of a file that grew under our eyes the last line is looked at: a run that is continued writes it anew. One that
        has its old size, or that we meet for the first time, is read through.
        """
        if size < self._end:
            return False
        grew = self._proved and size > self._end
        crc, left = 0, len(self._last) if grew else self._end
        with self._source.open("rb") as file:
            if grew:
                file.seek(self._end - left)
                return file.read(left) == self._last
            while left and (block := file.read(min(left, 1 << 20))):
                crc, left = zlib.crc32(block, crc), left - len(block)
        return crc == self._crc

    def forget(self) -> None:
        """Begin anew with the next look: the run is being made again."""
        with self._lock:
            self._clear()

    def _clear(self) -> None:
        self._database.executescript(_CLEAR)
        self._models.clear()
        self._counts.clear()
        self._found.clear()
        self._tables.clear()
        self._end, self._crc, self._rows, self._seen = 0, 0, 0, ""
        self._case_id, self._case = "", 0
        self._last = b""

    def _append_or_begin_anew(self, seen: str) -> None:
        """Take in the rest; what makes no sense may be the middle of a line of a file that was just written anew."""
        try:
            self._append(seen)
        except PageError:
            self._clear()
            self._append(seen)

    def _append(self, seen: str) -> None:
        with reading(self._folder.path.name), self._source.open("rb") as file:
            file.seek(self._end)
            while lines := _whole_lines(file.readlines(1 << 20)):
                self._add(lines)
        self._seen = seen
        self._counts.clear()
        self._found.clear()
        self._tables.clear()
        self._keep_state()

    def _keep_state(self) -> None:
        values = (self._end, self._crc, self._rows, self._seen)
        self._database.execute("INSERT OR REPLACE INTO state VALUES (1, ?, ?, ?, ?)", values)

    def _add(self, lines: Sequence[bytes]) -> None:
        cases, tags, parts, words = [], [], [], _Words(self._rows)
        for line in lines:
            result: _Slim = _SLIM(line)
            n = self._rows
            if result.sample_id != self._case_id:
                self._case_id, self._case = result.sample_id, self._case + 1
            cases.append((n, self._end, len(line), *self._cells(result), self._case))
            words.add(f"{result.sample_id}\n{result.question}\n{result.output_text[:MOST_TEXT]}")
            tags += [(_short(tag), n, cases[-1][4]) for tag in result.scorecard.error_tags]
            parts += [(_short(g), _short(v), n) for g, vs in result.groups.items() for v in vs]
            self._end += len(line)
            self._crc = zlib.crc32(line, self._crc)
            self._last = line
            self._rows += 1
        database = self._database
        database.execute("BEGIN")
        places = ", ".join("?" * (9 + len(self._columns)))
        database.executemany(f"INSERT INTO cases VALUES ({places})", cases)  # noqa: S608 - only question marks
        database.execute("INSERT INTO words VALUES (?, ?, ?)", words.row())
        database.executemany("INSERT OR IGNORE INTO tags VALUES (?, ?, ?)", tags)
        database.executemany("INSERT OR IGNORE INTO parts VALUES (?, ?, ?)", parts)
        database.executemany("INSERT OR IGNORE INTO models VALUES (?, ?)", self._models.items())
        self._keep_state()
        database.execute("COMMIT")

    def _cells(self, result: "_Slim") -> tuple[object, ...]:
        card = result.scorecard
        name = model_step(result.model_id, result.step_id) if result.step_id else result.model_id
        model = self._models.setdefault(_short(name), len(self._models))
        state = STATES.index(state_of(result.error_type, card.passed))
        scores = map(card.sub_scores.get, self._columns)
        return (_clean(result.sample_id), model, state, card.primary_score, result.latency_ms, *scores)

    # --- looking things up ---

    def __len__(self) -> int:
        return self._rows

    def page(self, query: Query) -> Page:
        """Return one page of cases."""
        try:
            return self._page(query)
        except PageError:
            # A run that is continued writes its rows anew, perhaps between our two looks.
            self.refresh()
            return self._page(query)

    def _page(self, query: Query) -> Page:
        with self._lock:
            key, downwards = self._key(query.sort)
            way, limit = "DESC" if downwards else "ASC", max(1, min(query.limit, MOST_ROWS))
            after = _read_cursor(query.after)
            where, values = self._where(query)
            total = self._total(query, where, values)
            keyed, keys = ("", ()) if after is None else (f"AND ({key}, c.n) {'<' if downwards else '>'} (?, ?)", after)
            found = self._database.execute(
                f"SELECT c.n, c.at, c.size, c.state, {key} FROM cases c {where} {keyed} "  # noqa: S608 - our own words
                f"ORDER BY {key} {way}, c.n {way} LIMIT {limit + 1}",
                (*values, *keys),
            ).fetchall()
        rows = tuple(self._read(found[:limit]))
        following = _cursor(found[limit - 1][4], found[limit - 1][0]) if len(found) > limit else None
        return Page(rows=rows, total=total, next=following)

    def case(self, number: int) -> Row | None:
        """Return one case by its number, which begins at 1."""
        if not 0 < number <= self._rows:
            return None
        with self._lock:
            found = self._database.execute("SELECT n, at, size, state FROM cases WHERE n = ?", (number - 1,)).fetchall()
        return next(self._read(found), None)

    def number_of(self, case_id: str, model: str, repeat: int = 0) -> int | None:
        """Return the number of a case by what it is called."""
        with self._lock:
            found = self._database.execute(
                "SELECT n FROM cases WHERE id = ? AND model = ? ORDER BY n LIMIT 1 OFFSET ?",
                (_clean(case_id), self._models.get(_clean(model), -1), repeat),
            ).fetchone()
        return found[0] + 1 if found else None

    def grid(self, start: int = 0, limit: int = 100, *, differing: bool = False) -> Grid:
        """Return some cases with how each model did, in the order of the dataset; or those where models differ."""
        if differing:
            found = [
                k for (k,) in self._table("SELECT k FROM cases GROUP BY k HAVING min(state = 0) != max(state = 0)")
            ]
            total, wanted = len(found), found[start : start + limit]
        else:
            total, wanted = self._case, list(range(start + 1, min(start + limit, self._case) + 1))
        if not wanted:
            return Grid(rows=(), total=total)
        with self._lock:
            cells = self._database.execute(
                f"SELECT k, id, n, model, state, score FROM cases WHERE k IN ({', '.join(map(str, wanted))}) ORDER BY n"  # noqa: S608 - numbers only
            ).fetchall()
        names = {k: name for name, k in self._models.items()}
        lines: dict[int, GridLine] = {}
        for k, case_id, n, model, state, score in cells:
            line = lines.setdefault(k, GridLine(case=k, id=case_id, cells={}))
            line.cells.setdefault(names[model], []).append(Cell(number=n + 1, state=STATES[state], score=score))
        return Grid(rows=tuple(lines.values()), total=total)

    def rows_of(self, case: int) -> tuple[Row, ...]:
        """Return all rows of one case: every model, every repeat."""
        with self._lock:
            found = self._database.execute("SELECT n, at, size, state FROM cases WHERE k = ? ORDER BY n", (case,))
            places = found.fetchmany(MOST_ROWS)
        return tuple(self._read(places))

    def bins(self, model: str = "", parts: int = 10) -> list[Bin]:
        """Count the primary scores by tenths."""
        only = f"WHERE {self._of(model)}" if model else ""
        counted = self._table(
            f"SELECT min({parts - 1}, CAST(score * {parts} AS INTEGER)) AS part, sum(state = 0), sum(state != 0) "  # noqa: S608 - numbers only
            f"FROM cases c {only} GROUP BY part"
        )
        found = {part: (passed, missed) for part, passed, missed in counted}
        return [
            Bin(low=p / parts, high=(p + 1) / parts, passed=found.get(p, (0, 0))[0], missed=found.get(p, (0, 0))[1])
            for p in range(parts)
        ]

    def tags(self, model: str = "") -> dict[str, int]:
        """Count the error tags of a model or of all, most frequent first."""
        only = f"WHERE {self._of(model)}" if model else ""
        return dict(
            self._table(f"SELECT tag, count(*) AS t FROM tags c {only} GROUP BY tag ORDER BY t DESC, tag LIMIT 200")  # noqa: S608 - numbers only
        )

    def _table(self, statement: str) -> list[tuple[Any, ...]]:
        """Return the rows of a small table over all cases; it is kept until the run grows."""
        with self._lock:
            if statement not in self._tables:
                self._tables[statement] = self._database.execute(statement).fetchall()
            return self._tables[statement]

    def total(self, model: str = "") -> int:
        """Count the cases of a model, or all."""
        if not model:
            return self._rows
        with self._lock:
            return self._count(f"WHERE {self._of(model)}", [])

    def _of(self, model: str) -> str:
        return f"c.model = {self._models.get(_clean(model), -1):d}"

    def _read(self, found: Sequence[tuple[int, ...]]) -> Iterator[Row]:
        with reading(self._folder.path.name), self._source.open("rb") as file:
            for n, at, size, state, *_ in found:
                file.seek(at)
                result: Result = _RESULT(file.read(size))
                yield Row(number=n + 1, state=STATES[state], result=result)

    def _where(self, query: Query) -> tuple[str, list[object]]:
        parts: list[str] = []
        values: list[object] = []
        if query.state == "missed":
            parts.append("c.state != 0")
        elif query.state:
            parts.append(f"c.state = {_known(query.state, STATES, 'state')}")
        if query.model:
            parts.append(self._of(query.model))
        if query.metric:
            parts.append(self._below(query.metric))
        if query.tag:
            parts.append("c.n IN (SELECT n FROM tags WHERE tag = ?)")
            values.append(_clean(query.tag))
        if query.group:
            name, _, value = query.group.partition("=")
            parts.append("c.n IN (SELECT n FROM parts WHERE name = ? AND value = ?)")
            values += [_clean(name), _clean(value)]
        if text := query.text.replace("\0", "").strip():
            parts.append(self._look_for(text))
            values += [text] if parts[-1].startswith("hit") else []
        return f"WHERE {' AND '.join(parts)}" if parts else "WHERE 1", values

    def _look_for(self, text: str) -> str:
        """Return a condition that cases which hold a text meet; the last few searches are kept."""
        needle = _folded(text)
        flags = self._found.get(needle)
        if flags is None:
            flags = self._found[needle] = bytearray(self._rows)
            for first, ends, words in self._database.execute("SELECT first, ends, text FROM words"):
                for n in _search(first, ends, words, needle):
                    flags[n] = 1
            if len(self._found) > KEPT_SEARCHES:
                self._found.popitem(last=False)
        if flags.count(1) <= FEW_HITS:
            return f"c.n IN ({', '.join(map(str, _places(flags)))})"
        self._database.create_function("hit", 2, lambda n, _: flags[n], deterministic=True)
        # The text stands in the query so that counts are kept apart by it.
        return "hit(c.n, ?)"

    def _below(self, metric: str) -> str:
        _known(metric, tuple(self._columns), "metric")
        if metric in self._lower:
            return f"c.{self._columns[metric]} > 0"
        return f"c.{self._columns[metric]} < {100 if metric in self._hundred else 1}"

    def _total(self, query: Query, where: str, values: list[object]) -> int:
        """Count the cases that fit; a search without filters has counted them already."""
        plain = structs.replace(query, sort="number", after="", limit=50, text="") == Query()
        flags = self._found.get(_folded(query.text.replace("\0", "").strip())) if plain else None
        return flags.count(1) if flags is not None else self._count(where, values)

    def _count(self, where: str, values: list[object]) -> int:
        key = (where, *values)
        if key not in self._counts:
            (self._counts[key],) = self._database.execute(f"SELECT count(*) FROM cases c {where}", values).fetchone()  # noqa: S608 - our own words
            if len(self._counts) > 64:
                self._counts.popitem(last=False)
        return self._counts[key]

    def _key(self, sort: str) -> tuple[str, bool]:
        """Return the expression to sort by; cases to which it does not apply come first upwards, last downwards."""
        downwards, name = sort.startswith("-"), sort.lstrip("-")
        column = _BASE_SORTS.get(name) or self._columns.get(name)
        if column is None:
            raise PageError(422, "page.query", field="sort", problem=", ".join([*_BASE_SORTS, *self._columns]))
        return ("c.n" if column == "n" else f"coalesce(c.{column}, -1)"), downwards

    def close(self) -> None:
        """Give the file back."""
        with self._lock:
            self._let_go()


def _release(database: sqlite3.Connection, folder: str) -> None:
    database.close()
    if folder:
        shutil.rmtree(folder, ignore_errors=True)


class Indexes:
    """The indexes of the runs that were looked at last."""

    def __init__(self) -> None:
        self._open: OrderedDict[Path, Index] = OrderedDict()
        self._held: weakref.WeakValueDictionary[Path, Index] = weakref.WeakValueDictionary()
        """All that somebody still holds, also those put away: two writers of one file would get in each other's way."""
        self._lock = threading.Lock()

    def of(self, folder: Path) -> Index:
        """Return the index of a run, in step with its file."""
        with self._lock:
            index = self._held.get(folder)
            if index is None:
                index = self._held[folder] = Index(folder)
            self._open[folder] = index
            self._open.move_to_end(folder)
            while len(self._open) > OPEN:
                # Somebody may be reading in it: it is closed when the last who holds it lets it go.
                self._open.popitem(last=False)
        index.refresh()
        return index

    def forget(self, folder: Path) -> None:
        """Let the index of a run be made anew."""
        with self._lock:
            index = self._held.get(folder)
        if index is not None:
            index.forget()

    def close(self) -> None:
        """Close all."""
        with self._lock:
            for index in self._open.values():
                index.close()
            self._open.clear()
            self._held.clear()


def state_of(error_type: str | None, passed: bool) -> State:
    """Say how a case came out, in one word."""
    if error_type is not None:
        return "unparsed" if error_type == "unparsed" else "errored"
    return "passed" if passed else "failed"


def _whole_lines(lines: list[bytes]) -> list[bytes]:
    """Leave out a last line that is still being written."""
    return lines if not lines or lines[-1].endswith(b"\n") else lines[:-1]


def _clean(text: str) -> str:
    """Return a text SQLite can hold."""
    return text.encode("utf-8", "replace").decode() if not text.isascii() else text


_short = lru_cache(maxsize=8192)(_clean)


def _known(word: str, words: Sequence[str], field: str) -> int:
    if word not in words:
        raise PageError(422, "page.query", field=field, problem=", ".join(words))
    return words.index(word)


class _Words:
    """The texts of neighbouring cases in one piece: searching a few long pieces is quicker than many short ones."""

    def __init__(self, first: int) -> None:
        self._first = first
        self._texts: list[bytes] = []
        self._ends = array("q")
        self._end = 0

    def add(self, text: str) -> None:
        """Take the text of the next case."""
        folded = _folded(text.replace("\0", " ")) + b"\0"
        self._texts.append(folded)
        self._end += len(folded)
        self._ends.append(self._end)

    def row(self) -> tuple[int, bytes, bytes]:
        """Return what is kept: the number of the first case, where each text ends, and the texts."""
        return self._first, self._ends.tobytes(), b"".join(self._texts)


def _folded(text: str) -> bytes:
    return text.lower().encode("utf-8", "replace")


def _places(flags: bytearray) -> Iterator[int]:
    at = flags.find(1)
    while at >= 0:
        yield at
        at = flags.find(1, at + 1)


def _search(first: int, ends: bytes, words: bytes, needle: bytes) -> Iterator[int]:
    """Yield the numbers of the cases whose text holds the needle."""
    places = array("q")
    places.frombytes(ends)
    at = words.find(needle)
    while at >= 0:
        row = bisect_right(places, at)
        yield first + row
        at = words.find(needle, places[row])


_Number = Annotated[int, msgspec.Meta(ge=0, lt=1 << 62)]
"""The number of a case, as far as SQLite can count."""


def _cursor(value: float, n: int) -> str:
    return base64.urlsafe_b64encode(msgspec.json.encode((value, n))).decode().rstrip("=")


def _read_cursor(cursor: str) -> tuple[float, int] | None:
    if not cursor:
        return None
    try:
        padded = cursor + "=" * (-len(cursor) % 4)
        return msgspec.json.decode(base64.urlsafe_b64decode(padded), type=tuple[float, _Number])
    except (binascii.Error, ValueError, msgspec.DecodeError) as error:
        raise PageError(422, "page.query", field="after", problem="?") from error
