"""Finding cases among many: filtered, searched, sorted, page by page.

Pages are found by key (the last row shown), never by counting off rows.
"""

import threading
import weakref
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from msgspec import structs

from ragstone.core.types import Result
from ragstone.runs.store.codec import decoder, read_plain
from ragstone.web.cases.facets import clean
from ragstone.web.cases.indexer import PARTS, Indexer
from ragstone.web.cases.query import MOST_ROWS, STATES, Bin, Page, Place, Query, Row, read_cursor, write_cursor
from ragstone.web.cases.search import fold_text, mark, places
from ragstone.web.errors import PageError, reading

KEPT_SEARCHES = 8
FEW_HITS = 1000
"""Hits up to which they are named one by one."""
OPEN = 16
"""Indexes kept open."""
MOST_VALUES = 200
"""Values of one kind of facet that are counted out."""
_RESULT = decoder(Result)
_BASE_SORTS = {"number": "n", "score": "score", "latency": "latency"}


class Index(Indexer):
    """The index of one run, to be asked."""

    def page(self, query: Query) -> Page:
        """Return one page of cases."""
        try:
            return self._page(query)
        except PageError:
            # A continued run rewrites its rows, perhaps between our two reads.
            self.refresh()
            return self._page(query)

    def _page(self, query: Query) -> Page:
        with self._lock:
            key, downwards = self._key(query.sort)
            limit = max(1, min(query.limit, MOST_ROWS))
            where, values = self._where(query)
            total = self._total(query, where, values)
            found = self._after(query, (key, downwards), read_cursor(query.after), limit + 1)
        rows = tuple(self._read(found[:limit]))
        following = write_cursor(found[limit - 1][4], found[limit - 1][0]) if len(found) > limit else None
        return Page(rows=rows, total=total, next=following)

    def _after(
        self, query: Query, order: tuple[str, bool], after: tuple[float, int] | None, limit: int
    ) -> list[tuple[Any, ...]]:
        """Return the places of some cases in an order, those after one of them."""
        (key, downwards), (where, values) = order, self._where(query)
        way, sign = ("DESC", "<") if downwards else ("ASC", ">")
        keyed, keys = ("", ()) if after is None else (f"AND ({key}, c.n) {sign} (?, ?)", after)
        return self._database.execute(
            f"SELECT c.n, c.at, c.size, c.state, {key} FROM cases c {where} {keyed} "  # noqa: S608 - our own words
            f"ORDER BY {key} {way}, c.n {way} LIMIT {limit}",
            (*values, *keys),
        ).fetchall()

    def around(self, query: Query, number: int) -> Place:
        """Return the place of a case among those a query finds, and its neighbours."""
        with self._lock:
            key, downwards = self._key(query.sort)
            where, values = self._where(query)
            here = self._database.execute(f"SELECT {key} FROM cases c {where} AND c.n = ?", (*values, number - 1))  # noqa: S608 - our own words
            if (found := here.fetchone()) is None:
                return Place()
            at = (found[0], number - 1)
            before = self._after(query, (key, not downwards), at, 1)
            after = self._after(query, (key, downwards), at, 1)
            sign = ">" if downwards else "<"
            (earlier,) = self._database.execute(
                f"SELECT count(*) FROM cases c {where} AND ({key}, c.n) {sign} (?, ?)",  # noqa: S608 - our own words
                (*values, *at),
            ).fetchone()
            total = self._total(query, where, values)
        previous, following = (rows[0][0] + 1 if rows else None for rows in (before, after))
        return Place(place=earlier + 1, total=total, previous=previous, next=following)

    def ids(self, query: Query, most: int) -> list[str]:
        """Return the ids of the cases a query finds, each once, in the order of the run."""
        with self._lock:
            where, values = self._where(query)
            found = self._database.execute(
                f"SELECT id FROM cases c {where} GROUP BY c.k ORDER BY c.k LIMIT {most:d}",  # noqa: S608 - our own words
                values,
            ).fetchall()
        return [case_id for (case_id,) in found]

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
                (clean(case_id), self._models.get(clean(model), -1), repeat),
            ).fetchone()
        return found[0] + 1 if found else None

    def ask(self, statement: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        """Ask the database; for views that are made of more than pages."""
        with self._lock:
            return self._database.execute(statement, values).fetchall()

    @property
    def cases(self) -> int:
        """How many cases there are, each counted once however often it was asked."""
        return self._case

    @property
    def model_names(self) -> dict[int, str]:
        """The models by the numbers they have here."""
        return {k: name for name, k in self._models.items()}

    @property
    def is_plain(self) -> bool:
        """Whether every model was asked every case once, and every case asks something of its own."""
        ((distinct,),) = self.table("SELECT count(DISTINCT q) FROM cases")
        return distinct == self._case and self._rows == self._case * len(self._models)

    def column(self, metric: str) -> str:
        """Name the column a metric stands in."""
        return self._columns[metric]

    def rows_of(self, case: int) -> tuple[Row, ...]:
        """Return all rows of one case: every model, every repeat."""
        found = self.ask(f"SELECT n, at, size, state FROM cases WHERE k = ? ORDER BY n LIMIT {MOST_ROWS}", (case,))  # noqa: S608 - a number
        return tuple(self._read(found))

    def rows_at(self, numbers: Sequence[int]) -> tuple[Row, ...]:
        """Return cases by their numbers."""
        wanted = ", ".join(str(number - 1) for number in numbers)
        return tuple(self._read(self.ask(f"SELECT n, at, size, state FROM cases WHERE n IN ({wanted}) ORDER BY n")))  # noqa: S608 - numbers only

    def rows_named(self, case_id: str) -> tuple[Row, ...]:
        """Return all rows of a case by its id."""
        found = self.ask(
            f"SELECT n, at, size, state FROM cases WHERE id = ? ORDER BY n LIMIT {MOST_ROWS}",  # noqa: S608 - a number
            (clean(case_id),),
        )
        return tuple(self._read(found))

    def bins(self, model: str = "") -> list[Bin]:
        """Count the primary scores by tenths."""
        counted = self.table(
            "SELECT part, sum(total * (state = 0)), sum(total * (state != 0)) "  # noqa: S608 - numbers only
            f"FROM tallies c WHERE {self._of(model)} GROUP BY part"
        )
        found = {part: (passed, missed) for part, passed, missed in counted}
        none = (0, 0)
        return [
            Bin(low=p / PARTS, high=(p + 1) / PARTS, passed=found.get(p, none)[0], missed=found.get(p, none)[1])
            for p in range(PARTS)
        ]

    def tags(self, model: str = "") -> dict[str, int]:
        """Count the error tags of a model or of all, most frequent first."""
        return self.values("tag", model)

    def values(self, name: str, model: str = "") -> dict[str, int]:
        """Count the values of a facet (tag, reason, author, open, group:NAME), most frequent first."""
        with self._lock:
            found = self._database.execute(
                "SELECT h.value, sum(c.total) AS t FROM holds h JOIN tallies c ON c.facets = h.k "  # noqa: S608 - numbers only
                f"WHERE h.name = ? AND {self._of(model)} GROUP BY h.value ORDER BY t DESC, h.value LIMIT {MOST_VALUES}",
                (name,),
            )
            return dict(found.fetchall())

    def table(self, statement: str) -> list[tuple[Any, ...]]:
        """Return the rows of a small table over all cases; it is kept until the run grows."""
        with self._lock:
            if statement not in self._tables:
                self._tables[statement] = self._database.execute(statement).fetchall()
            return self._tables[statement]

    def total(self, model: str = "") -> int:
        """Count the cases of a model, or all."""
        return self.page_total(Query(model=model))

    def page_total(self, query: Query) -> int:
        """Count the cases a query finds."""
        with self._lock:
            return self._total(query, *self._where(query))

    def _of(self, model: str) -> str:
        return f"c.model = {self._models.get(clean(model), -1):d}" if model else "1"

    def _read(self, found: Sequence[tuple[int, ...]]) -> Iterator[Row]:
        with reading(self._folder.path.name), read_plain(self._source) as file:
            for n, at, size, state, *_ in found:
                file.seek(at)
                result: Result = _RESULT(file.read(size))
                yield Row(number=n + 1, state=STATES[state], result=result)

    def _where(self, query: Query) -> tuple[str, list[object]]:
        parts, values = self._few(query)
        if query.metric:
            parts.append(self._below(query.metric))
        if text := query.text.replace("\0", "").strip():
            parts.append(self._look_for(text))
            values += [text] if parts[-1].startswith("hit") else []
        return f"WHERE {' AND '.join(parts)}", values

    def _few(self, query: Query) -> tuple[list[str], list[object]]:
        """Return the conditions that the small table of tallies can answer, too."""
        parts: list[str] = [self._of(query.model)]
        values: list[object] = []
        if query.state == "missed":
            parts.append("c.state != 0")
        elif query.state:
            parts.append(f"c.state = {_known(query.state, STATES, 'state')}")
        group, _, value = query.group.partition("=")
        wanted = {"tag": query.tag, "reason": query.reason, "author": query.author, "open": "yes" if query.open else ""}
        for name, wish in {**wanted, f"group:{group}": value if query.group else ""}.items():
            if wish or (query.group and name.startswith("group:")):
                parts.append("c.facets IN (SELECT k FROM holds WHERE name = ? AND value = ?)")
                values += [clean(name), clean(wish)]
        return parts, values

    def _look_for(self, text: str) -> str:
        """Return a condition that cases which hold a text meet; the last few searches are kept."""
        needle = fold_text(text)
        flags = self._found.get(needle)
        if flags is None:
            flags = self._found[needle] = bytearray(self._rows)
            for piece in self._database.execute("SELECT first, ends, text FROM words"):
                mark(flags, piece, needle)
            if len(self._found) > KEPT_SEARCHES:
                self._found.popitem(last=False)
        if flags.count(1) <= FEW_HITS:
            return f"c.n IN ({', '.join(map(str, places(flags)))})"
        self._database.create_function("hit", 2, lambda n, _: flags[n], deterministic=True)
        # The text stands in the query so that counts are kept apart by it.
        return "hit(c.n, ?)"

    def _below(self, metric: str) -> str:
        _known(metric, tuple(self._columns), "metric")
        if metric in self._lower:
            return f"c.{self._columns[metric]} > 0"
        return f"c.{self._columns[metric]} < {100 if metric in self._hundred else 1}"

    def _total(self, query: Query, where: str, values: list[object]) -> int:
        """Count the cases that fit; a search without filters has counted them already, tallies know the filters."""
        if not query.text and not query.metric:
            parts, few = self._few(query)
            counted = self._database.execute(f"SELECT sum(total) FROM tallies c WHERE {' AND '.join(parts)}", few)  # noqa: S608 - our own words
            return int(counted.fetchone()[0] or 0)
        plain = structs.replace(query, sort="number", after="", limit=50, text="") == Query()
        flags = self._found.get(fold_text(query.text.replace("\0", "").strip())) if plain else None
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


class Indexes:
    """The indexes of the runs that were looked at last."""

    def __init__(self) -> None:
        self._open: OrderedDict[Path, Index] = OrderedDict()
        self._held: weakref.WeakValueDictionary[Path, Index] = weakref.WeakValueDictionary()
        """All that are still in use, also evicted ones: two writers of one file would collide."""
        self._lock = threading.Lock()

    def of(self, folder: Path, enough: int = 0) -> Index:
        """Return the index of a run, in step with its file, or with the first rows of it where those are enough."""
        with self._lock:
            index = self._held.get(folder)
            if index is None:
                index = self._held[folder] = Index(folder)
            self._open[folder] = index
            self._open.move_to_end(folder)
            while len(self._open) > OPEN:
                # Somebody may be reading in it: it is closed when the last who holds it lets it go.
                self._open.popitem(last=False)
        index.refresh(enough)
        return index

    def forget(self, folder: Path) -> None:
        """Discard the index of a run, so that it is rebuilt."""
        with self._lock:
            index = self._held.get(folder)
        if index is not None:
            index.forget()

    def drop(self, folder: Path) -> None:
        """Close the index of a run whose folder is about to move."""
        with self._lock:
            self._open.pop(folder, None)
            index = self._held.pop(folder, None)
        if index is not None:
            index.close()

    def close(self) -> None:
        """Close all."""
        with self._lock:
            for index in self._open.values():
                index.close()
            self._open.clear()
            self._held.clear()


def _known(word: str, words: Sequence[str], field: str) -> int:
    if word not in words:
        raise PageError(422, "page.query", field=field, problem=", ".join(words))
    return words.index(word)
