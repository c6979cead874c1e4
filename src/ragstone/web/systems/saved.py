"""Systems a browser user entered; they are remembered by name, their keys only by the name of a variable."""

import os
import re
import secrets
from collections.abc import Callable
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct

from ragstone.core.types import JSON
from ragstone.runs.store.codec import encode, write_whole
from ragstone.web.errors import PageError

FILE = ".page-systems.json"
MOST = 100
LARGEST = 1 << 20
HELD = "PAGE_KEY_"
"""How the names of variables begin that hold a typed key for as long as the server lives."""
Kind = Literal["http_json", "chat", "lightrag", "ragflow", "dify", "fastgpt", "recorded"]
PRESETS = frozenset({"lightrag", "ragflow", "dify", "fastgpt"})
_NAME = re.compile(r"\w[\w .()（）@-]{0,59}")
_VARIABLE = re.compile(r"[A-Z][A-Z0-9_]{0,60}(?:KEY|TOKEN)")
_PLAIN = re.compile(r"[\w.@/+ -]{0,200}")
_KEY = re.compile(r"[\x21-\x7e]{1,500}")


class SavedSystem(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A system as it was entered; no secret is among it."""

    name: str
    kind: Kind = "http_json"
    url: str = ""
    model: str = ""
    chat_id: str = ""
    """The assistant of a RAGFlow server."""
    key_env: str = ""
    """The variable that holds the key."""
    answers: str = ""
    """The file of recorded answers."""

    def table(self) -> dict[str, JSON]:
        """Return it as ragstone.toml would have it."""
        if self.kind == "recorded":
            return {"system": f"replay:{self.answers}"}
        more: dict[str, JSON] = {"model_id": self.name}
        if self.key_env:
            more["api_key_env"] = self.key_env
        if self.kind == "chat":
            return {"system": f"chat:{self.model or 'default'}", "base_url": self.url, **more}
        if self.kind in PRESETS:
            chat = {"chat_id": self.chat_id} if self.kind == "ragflow" else {}
            return {"system": f"http_json:{self.kind}", "base_url": self.url, **chat, **more}
        return {"system": f"http_json:{self.url}", **more}


def check_system(entered: SavedSystem, taken: Callable[[str], bool]) -> None:
    """Refuse a name that is taken or none, and anything in it that would be read as more than a word."""
    if not _NAME.fullmatch(entered.name):
        raise PageError(422, "page.system_name", name=entered.name)
    if taken(entered.name):
        raise PageError(422, "page.system_taken", name=entered.name)
    for field in ("model", "chat_id"):
        if not _PLAIN.fullmatch(getattr(entered, field)):
            raise PageError(422, "page.query", field=field, problem="?")


def hold_key(key: str) -> str:
    """Keep a typed key in this process only, and return the variable that holds it."""
    if not _KEY.fullmatch(key):
        raise PageError(422, "page.key")
    name = f"{HELD}{secrets.token_hex(6).upper()}"
    os.environ[name] = key
    return name


def check_variable(name: str, *, own: bool) -> None:
    """Accept a variable that can hold a key, where the page's users sit at this machine; no setting of ours."""
    if not own or not _VARIABLE.fullmatch(name) or name.startswith("RAGSTONE_"):
        raise PageError(403, "page.variable", name=name)


def read_saved(runs_dir: Path) -> list[SavedSystem]:
    """Read the systems that were entered before; nothing is what makes no sense."""
    path = runs_dir / FILE
    try:
        if path.stat().st_size > LARGEST:
            return []
        return msgspec.json.decode(path.read_bytes(), type=list[SavedSystem])[:MOST]
    except (OSError, ValueError, RecursionError):
        return []


def write_saved(runs_dir: Path, entered: list[SavedSystem]) -> None:
    """Write them down."""
    if len(entered) > MOST:
        raise PageError(409, "page.many_systems", number=MOST)
    runs_dir.mkdir(parents=True, exist_ok=True)
    write_whole(runs_dir / FILE, encode(entered), mode=0o600)
