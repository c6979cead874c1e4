"""People and roles: people have tokens that are stored hashed, or are named by a proxy.

people.toml:

    proxy_header = "X-Forwarded-User"      # believed from these addresses only
    trusted_proxies = ["127.0.0.1"]
    proxy_role = "viewer"                  # of people the proxy names and this file does not; left out, none

    [people.lin]
    role = "reviewer"
    token_sha256 = "…"                     # made by `ragstone people add lin --role reviewer`
"""

import hashlib
import hmac
import ipaddress
import json
import os
import re
import secrets
import time
import tomllib
from pathlib import Path
from typing import Literal, NamedTuple

import msgspec
from msgspec import Struct, structs

from ragstone.core.errors import SettingError
from ragstone.runs.store.codec import write_whole

Role = Literal["viewer", "reviewer", "runner", "admin"]
ROLES: tuple[Role, ...] = ("viewer", "reviewer", "runner", "admin")
AUDIT = "audit.jsonl"
_NAME = re.compile(r"[\w][\w .@+\-]{0,59}")
_LARGEST = 1 << 20
_OPEN = ("/eval/login", "/eval/logout", "/static/")
_REVIEW = "/api/v1/review/"
_LEADING = ("/settle", "/withdraw", "/figures")
"""Ends of addresses under which a lead decides for others, or changes a run's figures."""


class Person(NamedTuple):
    """A person with access to the page."""

    name: str
    role: Role

    def may(self, role: Role) -> bool:
        """Return whether the person has a role; each role includes those before it."""
        return ROLES.index(self.role) >= ROLES.index(role)


LOCAL = Person("local", "admin")
"""The one user of a page that only this machine reaches."""
KEEPER = Person("admin", "admin")
"""Whoever has the server's own token."""


class Entry(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One person of the file."""

    role: Role
    token_sha256: str = ""


class Book(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """people.toml."""

    proxy_header: str = ""
    trusted_proxies: tuple[str, ...] = ("127.0.0.1", "::1")
    proxy_role: Role | None = None
    people: dict[str, Entry] = {}


def hash_token(name: str, token: str) -> str:
    """Hash a person's token; tokens are long and random, so that one round is enough."""
    return hashlib.sha256(f"ragstone\0{name}\0{token}".encode("utf-8", "surrogateescape")).hexdigest()


def needed(method: str, path: str) -> Role | None:
    """Return the role a request needs; None for public paths."""
    if path.startswith(_OPEN):
        return None
    if path.startswith(_REVIEW) and (method != "GET" or path.endswith("/next")):
        return "runner" if path.endswith(_LEADING) else "reviewer"
    if method in {"GET", "HEAD", "OPTIONS"}:
        return "viewer"
    return "admin" if method == "DELETE" or path.endswith("/restore") else "runner"


def read_book(path: Path) -> Book:
    """Read people.toml, or refuse it by what is wrong with it."""
    try:
        data = path.read_bytes()
        if len(data) > _LARGEST:
            raise ValueError(f"longer than {_LARGEST} bytes")
        book = msgspec.convert(tomllib.loads(data.decode()), Book)
        for proxy in book.trusted_proxies:
            ipaddress.ip_network(proxy)
    except (OSError, ValueError, msgspec.ValidationError, RecursionError) as error:
        raise SettingError("people.file", file=str(path), problem=str(error)) from error
    if odd := [name for name in book.people if not _NAME.fullmatch(name)]:
        raise SettingError("people.name", file=str(path), name=odd[0])
    return book


class People:
    """The people of one server; the file is looked at again whenever it changes."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._book = read_book(path)
        self._stamp = self._now()
        if not self._book.people and not self._book.proxy_header:
            raise SettingError("people.none", file=str(path))

    def _now(self) -> tuple[int, int]:
        stat = self._path.stat()
        return stat.st_mtime_ns, stat.st_size

    @property
    def book(self) -> Book:
        """What the file says now; while it cannot be read, what it said before."""
        try:
            if (stamp := self._now()) != self._stamp:
                self._book, self._stamp = read_book(self._path), stamp
        except (OSError, SettingError):
            return self._book
        return self._book

    def named(self, name: str) -> Person | None:
        """Find a person by name."""
        entry = self.book.people.get(name)
        return Person(name, entry.role) if entry else None

    def by_token(self, token: str) -> Person | None:
        """Find the person of a token; every hash is compared, so that timing reveals nothing."""
        found = None
        for name, entry in self.book.people.items():
            fits = hmac.compare_digest(hash_token(name, token), entry.token_sha256)
            if fits and entry.token_sha256:
                found = Person(name, entry.role)
        return found

    def by_proxy(self, name: str | None, address: str) -> Person | None:
        """Return the person a proxy names; None when no trusted proxy does."""
        book = self.book
        if not name or not book.proxy_header or not _NAME.fullmatch(name) or not _within(address, book.trusted_proxies):
            return None
        return self.named(name) or (Person(name, book.proxy_role) if book.proxy_role else None)


def _within(address: str, networks: tuple[str, ...]) -> bool:
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return False
    return any(found in ipaddress.ip_network(network) for network in networks)


def add_person(path: Path, name: str, role: Role) -> str:
    """Add a person to the file, or give them another token; return the token, which is not stored."""
    if not _NAME.fullmatch(name):
        raise SettingError("people.name", file=str(path), name=name)
    token = secrets.token_urlsafe(32)
    book = read_book(path) if path.exists() else Book()
    entry = Entry(role=role, token_sha256=hash_token(name, token))
    write_book(path, structs.replace(book, people={**book.people, name: entry}))
    return token


def remove_person(path: Path, name: str) -> None:
    """Remove a person from the file; their labels stay."""
    book = read_book(path)
    if name not in book.people:
        raise SettingError("people.unknown", file=str(path), name=name)
    write_book(path, structs.replace(book, people={n: e for n, e in book.people.items() if n != name}))


def write_book(path: Path, book: Book) -> None:
    """Write people.toml; only its owner may read it."""
    told = {
        "proxy_header": book.proxy_header,
        "trusted_proxies": list(book.trusted_proxies),
        "proxy_role": book.proxy_role,
    }
    lines = [f"{name} = {json.dumps(value)}" for name, value in told.items() if value]
    for name, entry in book.people.items():
        lines += ["", f"[people.{json.dumps(name, ensure_ascii=False)}]", f'role = "{entry.role}"']
        lines += [f'token_sha256 = "{entry.token_sha256}"'] if entry.token_sha256 else []
    write_whole(path, ("\n".join(lines) + "\n").encode(), mode=0o600)


def note_change(folder: Path, person: Person, method: str, path: str, status: int) -> None:
    """Write down who changed what, when, and what came of it."""
    line = {
        "at": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        "who": person.name,
        "role": person.role,
        "method": method,
        "path": path[:500],
        "status": status,
    }
    folder.mkdir(parents=True, exist_ok=True)
    mode = os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOFOLLOW", 0)
    file = os.open(folder / AUDIT, mode, 0o600)
    try:
        os.write(file, json.dumps(line).encode() + b"\n")
        os.fsync(file)
    finally:
        os.close(file)
