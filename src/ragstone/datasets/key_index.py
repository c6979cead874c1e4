"""A dictionary from text to a whole number that moves to a temporary file when it grows: memory stays flat."""

import sqlite3
from hashlib import blake2b

IN_MEMORY = 50_000
"""Keys held in memory before the rest goes to disk."""


class KeyTable:
    """Remembers the first number given for each key; keys are distinguished by a 63-bit hash."""

    def __init__(self, in_memory: int = IN_MEMORY) -> None:
        self._free = in_memory
        self._near: dict[str, int] = {}
        self._far: sqlite3.Connection | None = None

    def add(self, key: str, value: int) -> int | None:
        """Remember a key; return the number it already had, if any."""
        if (known := self._near.get(key)) is not None:
            return known
        if len(self._near) < self._free:
            self._near[key] = value
            return None
        far = self._far or self._open()
        if far.execute("INSERT OR IGNORE INTO keys VALUES (?, ?)", (_hash(key), value)).rowcount:
            return None
        return self.find(key)

    def find(self, key: str) -> int | None:
        """Return the number of a key."""
        if (known := self._near.get(key)) is not None or self._far is None:
            return known
        row = self._far.execute("SELECT value FROM keys WHERE hash = ?", (_hash(key),)).fetchone()
        return None if row is None else int(row[0])

    def count(self, key: str) -> int:
        """Count a key; return how often it was counted before. A table holds counts, or first numbers, not both."""
        before = self.find(key) or 0
        if key in self._near or len(self._near) < self._free:
            self._near[key] = before + 1
        else:
            far = self._far or self._open()
            far.execute("INSERT OR REPLACE INTO keys VALUES (?, ?)", (_hash(key), before + 1))
        return before

    def _open(self) -> sqlite3.Connection:
        # An empty name makes a database in a temporary file that vanishes with the connection.
        far = sqlite3.connect("", isolation_level=None, check_same_thread=False)
        far.execute("PRAGMA synchronous = OFF")
        far.execute("PRAGMA journal_mode = OFF")
        far.execute("PRAGMA cache_size = -16000")
        far.execute("CREATE TABLE keys (hash INTEGER PRIMARY KEY, value INTEGER NOT NULL)")
        far.execute("BEGIN")
        self._far = far
        return far

    def close(self) -> None:
        """Drop everything."""
        self._near.clear()
        if self._far is not None:
            self._far.close()
            self._far = None


def _hash(key: str) -> int:
    return int.from_bytes(blake2b(key.encode("utf-8", "surrogatepass"), digest_size=8).digest()) >> 1
