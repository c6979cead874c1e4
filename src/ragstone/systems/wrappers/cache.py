"""Caches answers by request and system: a re-run is free, and nothing is paid for twice.

One SQLite file for all runs and processes. Failures are never kept. A damaged file is set aside, never fatal.
"""

import asyncio
import contextlib
import hashlib
import os
import sqlite3
import time
from collections.abc import Callable
from pathlib import Path
from typing import Protocol, runtime_checkable

import msgspec
from msgspec import structs

from ragstone.core.errors import ConnectError
from ragstone.core.interfaces import System
from ragstone.core.types import Answer, Request, Usage
from ragstone.systems.wrappers.wrapper import Notice, Wrapper, layers

FORMAT = 1
"""Part of every key: answers of another format are not found rather than misread."""
GROUP = 128
"""Answers written in one commit."""
LATEST = 0.2
"""Seconds an answer waits for others to be written with."""
MOST_WAITING = 4096

_SCHEMA = "CREATE TABLE IF NOT EXISTS answers (key BLOB PRIMARY KEY, body BLOB NOT NULL, made REAL NOT NULL)"


@runtime_checkable
class Priced(Protocol):
    """A system that knows what a usage costs today; a kept answer may be older than its price."""

    def cost(self, usage: Usage | None) -> float | None:
        """Return the price of a usage."""
        ...


class Cache(Wrapper):
    """Looks for an answer before asking, and keeps the one it gets."""

    def __init__(self, inner: System, path: Path) -> None:
        super().__init__(inner)
        self.path = path
        self.hits = 0
        self.misses = 0
        self.fits: Callable[[Answer], bool] = lambda answer: True
        """Whether a kept answer will do; what is asked instead is kept in its place."""
        self.mark = ""
        """Part of every key, where it is set: what was kept under another mark is not found."""
        seed = _ENCODER.encode([FORMAT, dict(inner.identity())])
        self._seed = hashlib.sha256(seed)
        *_, self.innermost = layers(inner)
        self._priced = self.innermost if isinstance(self.innermost, Priced) else None
        self._waiting: dict[bytes, bytes] = {}
        self._flying: dict[bytes, asyncio.Event] = {}
        self._timer: asyncio.TimerHandle | None = None
        self._warned = False
        self._database: sqlite3.Connection | None = self._open()

    async def ask(self, request: Request) -> Answer:
        """Return the answer that is kept, or ask and keep it; equal requests in flight are asked once."""
        key = self.key(request)
        while self.news:
            self.notify(self.news.pop(0))
        while (kept := self._find(key)) is None and (flying := self._flying.get(key)) is not None:
            await flying.wait()
        if kept is not None:
            self.hits += 1
            cost = self._priced.cost(kept.usage) if self._priced else kept.cost
            return structs.replace(kept, cached=True, attempts=0, cost=cost)
        self.misses += 1
        done = self._flying[key] = asyncio.Event()
        try:
            answer = await self.inner.ask(request)
            if answer.failure is None:
                self._keep(key, answer)
        finally:
            del self._flying[key]
            done.set()
        return answer

    def holds(self, request: Request) -> bool:
        """Return whether a request would cost nothing."""
        return self._find(self.key(request)) is not None

    def forget(self, request: Request) -> None:
        """Remove an answer."""
        key = self.key(request)
        self._waiting.pop(key, None)
        if self._database is not None:
            with contextlib.suppress(sqlite3.Error), self._database:
                self._database.execute("DELETE FROM answers WHERE key = ?", (key,))

    async def close(self) -> None:
        """Write what waits, then close the file and the system inside."""
        self._write()
        if self._database is not None:
            with contextlib.suppress(sqlite3.Error):
                self._database.close()
            self._database = None
        await self.inner.close()

    def key(self, request: Request) -> bytes:
        """Make the key of what is asked; the case it is asked for plays no part."""
        parts = [request.question, request.messages, request.params, request.repeat]
        try:
            content = _ENCODER.encode(parts)
        except UnicodeEncodeError:
            content = repr(parts).encode("utf-8", "backslashreplace")
        digest = self._seed.copy()
        digest.update(_ENCODER.encode(self.mark) if self.mark else b"")
        digest.update(content)
        return digest.digest()

    def _find(self, key: bytes) -> Answer | None:
        body = self._waiting.get(key)
        if body is None and self._database is not None:
            try:
                row = self._database.execute("SELECT body FROM answers WHERE key = ?", (key,)).fetchone()
            except sqlite3.Error as error:
                self._survive(error)
                return None
            body = row[0] if row else None
        try:
            answer = _DECODER.decode(body) if body is not None else None
        except (ValueError, TypeError, RecursionError):
            return None
        return answer if answer is not None and self.fits(answer) else None

    def _keep(self, key: bytes, answer: Answer) -> None:
        if self._database is None or len(self._waiting) >= MOST_WAITING:
            return
        try:
            self._waiting[key] = msgspec.json.encode(answer)
        except (TypeError, ValueError, OverflowError, RecursionError):
            return  # a system's own data that no JSON can hold is asked for again
        if len(self._waiting) >= GROUP:
            self._write()
        elif self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(LATEST, self._write)

    def _write(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if not self._waiting or self._database is None:
            return
        now = time.time()
        rows = [(key, body, now) for key, body in self._waiting.items()]
        try:
            with self._database:
                self._database.executemany("INSERT OR REPLACE INTO answers VALUES (?, ?, ?)", rows)
        except sqlite3.Error as error:
            self._survive(error)
        else:
            self._waiting.clear()

    def _survive(self, error: sqlite3.Error) -> None:
        """Keep the run going whatever the file does."""
        if _is_damage(error):
            self._database = self._begin_anew()
        elif not self._warned:
            # Busy or out of room: what waits is tried again with the next group.
            self._warned = True
            self.news.append(Notice("cache_off", {"file": str(self.path), "problem": str(error)}))

    def _open(self) -> sqlite3.Connection | None:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            os.close(os.open(self.path, os.O_RDWR | os.O_CREAT, 0o600))
            return _connect(self.path)
        except sqlite3.Error as error:
            if _is_damage(error):
                return self._begin_anew()
            raise ConnectError("ask.cache", file=str(self.path), problem=str(error)) from error
        except OSError as error:
            raise ConnectError("ask.cache", file=str(self.path), problem=str(error)) from error

    def _begin_anew(self) -> sqlite3.Connection | None:
        try:
            aside = _set_aside(self.path)
            database = _connect(self.path)
        except (OSError, sqlite3.Error) as error:
            self.news.append(Notice("cache_off", {"file": str(self.path), "problem": str(error)}))
            return None
        self.news.append(Notice("cache_set_aside", {"file": str(self.path), "aside": aside.name}))
        return database


def _is_damage(error: sqlite3.Error) -> bool:
    return getattr(error, "sqlite_errorcode", 0) & 0xFF in {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}


def _connect(path: Path) -> sqlite3.Connection:
    database = sqlite3.connect(path, timeout=1.0, check_same_thread=False)
    try:
        database.execute("PRAGMA journal_mode = WAL")
        database.execute("PRAGMA synchronous = NORMAL")
        database.execute(_SCHEMA)
        database.commit()
    except sqlite3.Error:
        database.close()
        raise
    return database


def _set_aside(path: Path) -> Path:
    """Rename a damaged cache; its log files belong to it and go with it."""
    number = next(n for n in range(1, 10**6) if not path.with_name(f"{path.name}.damaged-{n}").exists())
    aside = path.with_name(f"{path.name}.damaged-{number}")
    path.rename(aside)
    for suffix in ("-wal", "-shm"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)
    return aside


_ENCODER = msgspec.json.Encoder(order="sorted", enc_hook=str)
_DECODER = msgspec.json.Decoder(Answer)
