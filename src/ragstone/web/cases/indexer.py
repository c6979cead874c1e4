"""An index of a run's cases that grows with results.jsonl and is made again when it has fallen out of step.

It is an SQLite file beside the runs: numbers, facets and searchable text. The rows themselves stay in
results.jsonl and are read by their place in it.
"""

import contextlib
import hashlib
import shutil
import sqlite3
import tempfile
import threading
import weakref
import zlib
from collections import Counter, OrderedDict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
from msgspec import convert

from ragstone.core.types import model_step
from ragstone.runs.reopen import specs_of
from ragstone.runs.store.codec import read_plain
from ragstone.runs.store.folder import RunFolder
from ragstone.web.cases.facets import Facet, Facets, IndexedRow, clean, read_indexed, short
from ragstone.web.cases.query import STATES, state_of
from ragstone.web.cases.search import MOST_TEXT, Words
from ragstone.web.errors import PageError, reading

FORMAT = 7
FIXED = 12
"""Columns of a case besides its metrics."""
INDEXES = ".page-index"
"""The folder beside the runs that holds the indexes: a run's own folder may be anybody's, and an index there lie."""
PARTS = 10
"""Parts of the scale in which scores are counted."""
_TABLES = ("cases", "words", "sets", "holds", "tallies", "models", "differing", "state")
_CLEAR = ";".join(f"DELETE FROM {table}" for table in _TABLES)  # noqa: S608 - our own words


class Indexer:
    """The index of one run, kept in step with its file."""

    def __init__(self, folder: Path) -> None:
        self._folder = RunFolder(folder)
        self._source = folder / "results.jsonl"
        self._columns: dict[str, str] = {}
        self._lower: set[str] = set()
        self._hundred: set[str] = set()
        self._read_metrics()
        self._facets = Facets()
        self._lock = threading.Lock()
        self._counts: OrderedDict[tuple[object, ...], int] = OrderedDict()
        self._found: OrderedDict[bytes, bytearray] = OrderedDict()
        self._tables: dict[str, list[tuple[Any, ...]]] = {}
        self._elsewhere = ""
        self._models: dict[str, int] = {}
        self._sets: dict[frozenset[Facet], int] = {}
        self._end, self._crc, self._rows, self._seen = 0, 0, 0, ""
        self._case_id, self._case = "", 0
        """The case the last row is about, and its place: the rows of one case follow each other."""
        self._passed = False
        """Whether its first row passed."""
        self._proved = False
        self._last = b""
        """The last line that was taken in here."""
        self.path = index_of(folder)
        """Where it is kept."""
        self._database = self._open()
        self._let_go = weakref.finalize(self, _release, self._database, self._elsewhere)

    def _read_metrics(self) -> bool:
        """Read the metrics of the run; return whether they changed, as a judged run gets more."""
        with reading(self._folder.path.name):
            specs = specs_of(self._folder)
        before, self._columns = self._columns, {spec.name: f"m{place}" for place, spec in enumerate(specs)}
        self._lower = {spec.name for spec in specs if spec.better == "lower" or spec.kind == "error"}
        self._hundred = {spec.name for spec in specs if spec.kind == "points"}
        return self._columns != before

    # --- keeping in step with the file ---

    def _open(self) -> sqlite3.Connection:
        with contextlib.suppress(sqlite3.DatabaseError, OSError):
            self.path.parent.mkdir(mode=0o700, exist_ok=True)
            return self._prepare_anew(self.path)
        # In a folder that cannot be written to.
        self._elsewhere = tempfile.mkdtemp(prefix="ragstone-index-")
        self.path = Path(self._elsewhere) / self.path.name
        return self._prepare_anew(self.path)

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
            if len(database.execute("PRAGMA table_info(cases)").fetchall()) != FIXED + len(self._columns):
                raise sqlite3.DatabaseError("other metrics")
            self._load(database)
        except sqlite3.DatabaseError:
            database.close()
            raise
        return database

    def _load(self, database: sqlite3.Connection) -> None:
        """Read how far the index has come."""
        try:
            self._models = dict(database.execute("SELECT name, k FROM models"))
            self._sets = {_read_set(key): k for key, k in database.execute("SELECT key, k FROM sets ORDER BY k")}
            self._end, self._crc, self._rows, self._seen = convert(_state(database), tuple[int, int, int, str])
            last = database.execute("SELECT id, k FROM cases ORDER BY n DESC LIMIT 1").fetchone()
            self._case_id, self._case = convert(last or ("", 0), tuple[str, int])
            first = database.execute("SELECT state FROM cases WHERE k = ? ORDER BY n LIMIT 1", (self._case,)).fetchone()
            self._passed = first == (0,)
        except (TypeError, ValueError) as error:
            raise sqlite3.DatabaseError("not ours") from error

    def _schema(self) -> str:
        metrics = "".join(f", {column} REAL" for column in self._columns.values())
        return f"""
            PRAGMA user_version={FORMAT};
            CREATE TABLE IF NOT EXISTS cases (n INTEGER PRIMARY KEY, at INTEGER, size INTEGER, id TEXT, model INTEGER,
                state INTEGER, score REAL, latency REAL{metrics}, facets INTEGER, k INTEGER, q INTEGER, weight REAL);
            CREATE INDEX IF NOT EXISTS by_case ON cases (k, state);
            CREATE INDEX IF NOT EXISTS by_id ON cases (id);
            CREATE TABLE IF NOT EXISTS words (first INTEGER PRIMARY KEY, ends BLOB, text BLOB);
            CREATE TABLE IF NOT EXISTS sets (key TEXT PRIMARY KEY, k INTEGER);
            CREATE TABLE IF NOT EXISTS holds (name TEXT, value TEXT, k INTEGER, PRIMARY KEY (name, value, k))
                WITHOUT ROWID;
            CREATE TABLE IF NOT EXISTS tallies (model INTEGER, state INTEGER, facets INTEGER, part INTEGER,
                total INTEGER, PRIMARY KEY (model, state, facets, part)) WITHOUT ROWID;
            CREATE TABLE IF NOT EXISTS differing (k INTEGER PRIMARY KEY);
            CREATE TABLE IF NOT EXISTS models (name TEXT PRIMARY KEY, k INTEGER);
            CREATE TABLE IF NOT EXISTS state (one INTEGER PRIMARY KEY, at INTEGER, crc INTEGER, n INTEGER, seen TEXT);
        """

    def refresh(self, enough: int = 0) -> None:
        """Index what was written since; start over if rows that were indexed are gone.

        With `enough`, so many rows will do for now: the rest is taken in by the next who needs all of them.
        """
        with self._lock:
            try:
                stat = self._source.lstat()
            except FileNotFoundError:
                return
            seen = f"{stat.st_size}.{stat.st_mtime_ns}"
            if seen == self._seen and self._proved:
                return
            with reading(self._folder.path.name):
                same = self._is_prefix(stat.st_size)
            if not same:
                self._clear()
            self._proved = True
            if (stat.st_size > self._end or seen != self._seen) and not 0 < enough <= self._rows:
                self._append_or_begin_anew(seen, enough)

    def _is_prefix(self, size: int) -> bool:
        """Return whether the file still begins with the bytes that were taken in.

        Of a file that grew under our eyes the last line is looked at: a run that is continued writes it anew. One that
        has its old size, or that we meet for the first time, is read through.
        """
        if size < self._end:
            return False
        grew = self._proved and size > self._end
        crc, left = 0, len(self._last) if grew else self._end
        with read_plain(self._source) as file:
            if grew:
                file.seek(self._end - left)
                return file.read(left) == self._last
            while left and (block := file.read(min(left, 1 << 20))):
                crc, left = zlib.crc32(block, crc), left - len(block)
        return crc == self._crc

    def forget(self) -> None:
        """Start over at the next update: the run is being rewritten."""
        with self._lock:
            self._clear()

    def _clear(self) -> None:
        if self._read_metrics():
            self._database.executescript(f"DROP TABLE cases; {self._schema()}")
        self._database.executescript(_CLEAR)
        self._models.clear()
        self._sets.clear()
        self._counts.clear()
        self._found.clear()
        self._tables.clear()
        self._end, self._crc, self._rows, self._seen = 0, 0, 0, ""
        self._case_id, self._case = "", 0
        self._last = b""

    def _append_or_begin_anew(self, seen: str, enough: int) -> None:
        """Index the rest; an unreadable line may be the middle of one in a file that was just rewritten."""
        try:
            self._append(seen, enough)
        except PageError:
            self._clear()
            self._append(seen, enough)

    def _append(self, seen: str, enough: int) -> None:
        with reading(self._folder.path.name), read_plain(self._source) as file:
            file.seek(self._end)
            while lines := _whole_lines(file.readlines(1 << 20)):
                self._add(lines)
                if 0 < enough <= self._rows:
                    break
            else:
                self._seen = seen
        self._counts.clear()
        self._found.clear()
        self._tables.clear()
        self._keep_state()

    def _keep_state(self) -> None:
        values = (self._end, self._crc, self._rows, self._seen)
        self._database.execute("INSERT OR REPLACE INTO state VALUES (1, ?, ?, ?, ?)", values)

    def _add(self, lines: Sequence[bytes]) -> None:
        cases, tallies, words, known = [], Counter[tuple[int, ...]](), Words(self._rows), len(self._sets)
        differing: set[tuple[int]] = set()
        for line in lines:
            row = read_indexed(line)
            cells, facets = self._cells(row), self._set(self._facets.of(row))
            if row.sample_id != self._case_id:
                self._case_id, self._case, self._passed = row.sample_id, self._case + 1, not cells[2]
            elif self._passed is bool(cells[2]):
                differing.add((self._case,))
            asked = _number(row.question or row.sample_id)
            cases.append((self._rows, self._end, len(line), *cells, facets, self._case, asked, row.weight))
            tallies[cells[1], cells[2], facets, _part(cells[3])] += 1
            words.add(f"{row.sample_id}\n{row.question}\n{row.output_text[:MOST_TEXT]}")
            self._end += len(line)
            self._crc = zlib.crc32(line, self._crc)
            self._last = line
            self._rows += 1
        database = self._database
        database.execute("BEGIN")
        places = ", ".join("?" * (FIXED + len(self._columns)))
        database.executemany(f"INSERT INTO cases VALUES ({places})", cases)  # noqa: S608 - only question marks
        database.execute("INSERT INTO words VALUES (?, ?, ?)", words.row())
        database.executemany(
            "INSERT INTO tallies VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET total = total + excluded.total",
            ((*key, total) for key, total in tallies.items()),
        )
        self._keep_sets(known)
        database.executemany("INSERT OR IGNORE INTO differing VALUES (?)", differing)
        database.executemany("INSERT OR IGNORE INTO models VALUES (?, ?)", self._models.items())
        self._keep_state()
        database.execute("COMMIT")

    def _keep_sets(self, known: int) -> None:
        """Write down the sets of facets that are new."""
        new = [(facets, k) for facets, k in list(self._sets.items())[known:]]
        self._database.executemany("INSERT INTO sets VALUES (?, ?)", ((_write_set(facets), k) for facets, k in new))
        self._database.executemany(
            "INSERT OR IGNORE INTO holds VALUES (?, ?, ?)",
            ((*facet, k) for facets, k in new for facet in facets),
        )

    def _set(self, facets: frozenset[Facet]) -> int:
        return self._sets.setdefault(facets, len(self._sets))

    def _cells(self, row: IndexedRow) -> tuple[Any, ...]:
        card = row.scorecard
        name = model_step(row.model_id, row.step_id) if row.step_id else row.model_id
        model = self._models.setdefault(short(name), len(self._models))
        state = STATES.index(state_of(row.error_type, card.passed))
        scores = map(card.sub_scores.get, self._columns)
        return (clean(row.sample_id), model, state, card.primary_score, row.latency_ms, *scores)

    def __len__(self) -> int:
        return self._rows

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._let_go()


def index_of(folder: Path) -> Path:
    """Return the path of a run's index; its name is short, however long the run's is."""
    name = hashlib.sha256(folder.name.encode("utf-8", "surrogateescape")).hexdigest()[:32]
    return folder.parent / INDEXES / f"{name}.sqlite"


def clear_indexes(runs_dir: Path) -> None:
    """Remove the indexes of runs that are gone."""
    with contextlib.suppress(OSError):
        kept = {index_of(path).name for path in runs_dir.iterdir()}
        for path in (runs_dir / INDEXES).iterdir():
            if path.name.partition("-")[0] not in kept:
                path.unlink()


def _release(database: sqlite3.Connection, folder: str) -> None:
    database.close()
    if folder:
        shutil.rmtree(folder, ignore_errors=True)


def _state(database: sqlite3.Connection) -> tuple[Any, ...]:
    return database.execute("SELECT at, crc, n, seen FROM state").fetchone() or (0, 0, 0, "")


def _number(text: str) -> int:
    """Return a number that identifies a question."""
    digest = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "little", signed=True)


def _part(score: float) -> int:
    """Return the bin of a score; one beyond the scale, as in a forged row, is in the nearest one."""
    return min(PARTS - 1, int(max(0.0, min(1.0, score)) * PARTS))


def _whole_lines(lines: list[bytes]) -> list[bytes]:
    """Leave out a last line that is still being written."""
    return lines if not lines or lines[-1].endswith(b"\n") else lines[:-1]


def _write_set(facets: frozenset[Facet]) -> bytes:
    return msgspec.json.encode(sorted(facets))


def _read_set(key: bytes) -> frozenset[Facet]:
    return frozenset(msgspec.json.decode(key, type=list[Facet]))
