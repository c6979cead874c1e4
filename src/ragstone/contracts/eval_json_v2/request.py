"""A case into the fixed prompt: question and allowed labels filled in, the slot for retrieved contexts left open.

Retrieval is the system's affair. `Request.params["prompt"]` tells a system what to put where: replace the first `slot`
of the last message by the retrieved pieces, each shown as in `piece`; a system without retrieval puts `none` there.
"""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

from ragstone.core.errors import SettingError
from ragstone.core.types import JSON, Case, Message, Request

PROMPT_VERSION = "eval_json_v2/1.0.0"
PINNED: Mapping[str, str] = {
    PROMPT_VERSION: "0965cd1593bbdb9fcffd3e2066a40c0ed4e80359a9d5379fae739f49ac6b86a6",
}
"""Every version there ever was, with the SHA-256 of its bytes. A changed prompt gets a new line here."""

SLOT = "{{contexts}}"
PIECE = "[{number}] source_path: {source_path}｜頁碼: {page}｜錨點: {anchors}\n{text}"
NONE = "（沒有檢索到任何片段）"
FREE = "（自行擬定）"
MAX_LABELS = 200
"""A field with more labels than this is no classification, and listing them would swamp the prompt."""

_VERSION = re.compile(r"\A<!-- prompt_version: (\S+) -->\n")
_PARTS = re.compile(r"^<!-- (system|user) -->\n", re.MULTILINE)
_PLACE = re.compile(r"\{\{(question|audiences|topics)\}\}")


class Prompt(NamedTuple):
    """A versioned prompt: two templates and the hash of the file they stand in."""

    version: str
    sha256: str
    system: str
    user: str


@cache
def load_prompt(path: Path | None = None) -> Prompt:
    """Load the fixed prompt, or another one that names a version of its own."""
    name = str(path) if path else "prompt.md"
    try:
        data = path.read_bytes() if path else files(__package__).joinpath("prompt.md").read_bytes()
        text = data.decode()
    except (OSError, UnicodeDecodeError) as error:
        raise SettingError("plain", text=f"{name}: the prompt cannot be read: {error}") from error
    return parse_prompt(text, sha256(data).hexdigest(), name)


def parse_prompt(text: str, digest: str, name: str = "prompt") -> Prompt:
    """Take a prompt file apart, and refuse one that was changed under a known version."""
    version = _VERSION.match(text)
    pieces = _PARTS.split(text)
    if not version or pieces[1::2] != ["system", "user"] or SLOT not in pieces[4] or "{{question}}" not in pieces[4]:
        shape = (
            "<!-- prompt_version: NAME -->, then <!-- system -->, then <!-- user --> with {{contexts}} and {{question}}"
        )
        raise SettingError("plain", text=f"{name}: not a prompt of this contract; expected {shape}")
    if PINNED.get(version[1], digest) != digest:
        problem = f"the text of prompt version {version[1]!r} has changed; give the changed prompt a new version"
        raise SettingError("plain", text=f"{name}: {problem}")
    return Prompt(version[1], digest, pieces[2].strip(), pieces[4].strip())


def render(prompt: Prompt, case: Case, audiences: Sequence[str], topics: Sequence[str]) -> Request:
    """Fill in question and labels."""
    values = {"question": case.question, "audiences": _labels(audiences), "topics": _labels(topics)}
    user = _PLACE.sub(lambda place: values[place[1]], prompt.user)
    about: dict[str, JSON] = {"version": prompt.version, "sha256": prompt.sha256}
    about |= {"slot": SLOT, "piece": PIECE, "none": NONE}
    messages = (Message("system", prompt.system), Message("user", user))
    return Request(id=case.id, question=case.question, messages=messages, params={"prompt": about})


def _labels(labels: Sequence[str]) -> str:
    return "、".join(labels) if 0 < len(labels) <= MAX_LABELS else FREE
