"""Run folders as somebody may send them: planted, damaged, or both; each act is a plain value that can be repeated."""

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple
from zlib import crc32

from hypothesis import strategies as st

from ragstone.runs.store.codec import is_plain
from ragstone.runs.store.fingerprint import file_sha256
from ragstone.runs.store.folder import JOURNAL, META
from ragstone.runs.store.owner import DECIDED
from ragstone.runs.store.seal import FILES, SEAL, SEALED, meta_sha256
from tests.runs.stopped import leave

JSON_FILES = (
    "config.json",
    META,
    "model_snapshot.json",
    "dataset_fingerprint.json",
    "summary.json",
    "gate.json",
    "label.json",
    "judging.json",
)
LINE_FILES = (JOURNAL, "results.jsonl", "judgements.jsonl", "labels.jsonl")
ALL_FILES = (*JSON_FILES, *LINE_FILES, "summary.csv", "report.md", "report.html", "run.lock")
KEY = "canary-0123456789"
SECRET = "what-nobody-may-read"
"""What the environment, and a file outside every run, hold."""
FORGED = (
    b'{"terms":{"judges":[{"name":"j","spec":"python:evil:f","options":{"base_url":"{url}","api_key_env":"AWS_SECRET"},'
    b'"identity":"x","way":"margin","tongue":"zh"}],"labels":9,"standing":{"states":""}},"metrics":[]}'
)
"""A judging.json of a judge that nobody here has asked."""
PLANTED: tuple[dict[str, object], ...] = (
    {"systems": ["builtin:datasets"], "system_options": {"chat": "python:evil:f"}},
    {"system_options": {"chat": "python:evil:f", "chat_options": {"system": "python:evil:f"}}},
    {"systems": ["python:evil:f"]},
    {"systems": ["evil:f:x"]},
    {"contract": "evil:X"},
    {"contract": "evil"},
    {"systems": ["chat:m"], "system_options": {"base_url": "{url}", "api_key_env": "AWS_SECRET"}},
    {"systems": ["chat:m"], "system_options": {"base_url": "{url}", "headers": {"X": "${AWS_SECRET}"}}},
    {"systems": ["http_json:{url}/${AWS_SECRET}"]},
    {"systems": ["http_json:planted.yaml"]},
    {"systems": ["recorded"], "system_options": {"proxy": "{url}", "base_url": "http://192.0.2.1"}},
    {"systems": ["chat:m"], "system_options": {"registry": "planted.json"}},
    {"systems": ["replay:../outside/secret.txt"]},
    {"systems": ["builtin:../outside"]},
    {"dataset": "../outside/secret.txt"},
    {"dataset": "/dev/zero"},
    {"dataset": "{url}/questions.jsonl"},
    {"documents": "../outside"},
    {"contract": "prompt_task", "options": {"task": "../outside/secret.txt"}},
    {"contract": "prompt_task", "options": {"task": "planted.yaml"}},
    {"options": {"workflow": "planted.yaml"}},
    {"repeats": 1 << 52, "concurrency": 1 << 52},
    {"names": ["<script>alert(1)</script>"], "language": "\x1b[31m"},
)
"""What a planted config.json says instead."""
WORDS = (
    *("python:evil:f", "evil:X", "{url}", "http_json:{url}/${AWS_SECRET}", "${AWS_SECRET}", "../outside/secret.txt"),
    *("/etc/passwd", "\x1b]0;owned\x07\x1b[2J", "<script>alert(1)</script>", "=cmd|'/c calc'!A1", "a\0b", "\ud800"),
    *(
        "9" * 5000,
        "{0.__class__}",
        "%s%n",
        "\u202egnp.exe",
        "x" * 100_000,
        "",
        " ",
        "NaN",
        "-1",
        "2026-99-99T99:99:99Z",
    ),
)


def _link_to_a_pipe(path: Path) -> None:
    pipe = path.with_suffix(".pipe")
    if not pipe.exists():
        os.mkfifo(pipe)
    path.symlink_to(pipe.name)


def _verdicts() -> bytes:
    """Return lines that fit their checksums, of which one is nested too deeply."""
    heads = [
        b'{"key":"k","judge":"j","kind":"states","case":"Q1","answer":"a","verdict":"stated","x":%b' % value
        for value in (b"1", b"[" * 3000 + b"]" * 3000)
    ]
    return b"".join(head + b',"crc":"%08x"}\n' % crc32(head) for head in heads)


RAW: dict[str, Callable[[Path], object]] = {
    "gone": lambda path: None,
    "empty": lambda path: path.write_bytes(b""),
    "a folder": lambda path: path.mkdir(),
    "a link to a secret": lambda path: path.symlink_to(path.parents[2] / "outside" / "secret.txt"),
    "a link to itself": lambda path: path.symlink_to(path.name),
    "a link to nothing": lambda path: path.symlink_to("nothing"),
    "a link to a new file": lambda path: path.symlink_to(path.parents[2] / "outside" / "new.txt"),
    "a link to another run": lambda path: path.symlink_to(path.parents[1] / "good" / path.name),
    "a link to a device": lambda path: path.symlink_to("/dev/zero"),
    "a pipe": os.mkfifo,
    "a link to a pipe": _link_to_a_pipe,
    "noise": lambda path: path.write_bytes(bytes(range(256)) * 40),
    "a judge": lambda path: path.write_bytes(FORGED),
    "verdicts": lambda path: path.write_bytes(_verdicts()),
    "deep": lambda path: path.write_bytes(b'{"a":' * 100_000),
    "deep and whole": lambda path: path.write_bytes(b"[" * 50_000 + b"]" * 50_000),
    "many digits": lambda path: path.write_bytes(b'{"format_version":' + b"9" * 100_000 + b"}\n"),
    "wide": lambda path: path.write_bytes(b"[" + b"0," * 500_000 + b"0]\n"),
    "a list": lambda path: path.write_bytes(b"[]\n"),
    "a text": lambda path: path.write_bytes(b'"\\ud800"\n'),
    "not UTF-8": lambda path: path.write_bytes(b'{"a":"\xff\xfe"}\n'),
    "UTF-16": lambda path: path.write_bytes('{"a": 1}\n'.encode("utf-16")),
    "no end": lambda path: path.write_bytes(b'{"a": "' + b"x" * 1_000_000),
}
"""What a file of a run is replaced by."""
NAMES = (
    *("bad", "bad", "bad", "bad", "-rf", "<b>bad", "bad\x1b[31m", "bad\nbad", "bad{{7*7}}", "bad'; --", "b" * 255),
    *(".bad", "bad%2e%2e", "bad?x=1#y", "坏\u202egnp", os.fsdecode(b"bad\xff")),
)


class Act(NamedTuple):
    """One thing that was done to a run folder."""

    kind: str
    """plant, value, line, raw, flip or cut."""
    file: str
    place: int = 0
    value: Any = None


class Sent(NamedTuple):
    """A run folder from elsewhere."""

    acts: tuple[Act, ...]
    name: str = "bad"
    unfinished: bool = False
    """Whether there is something left to ask."""
    fits: bool = False
    """Whether its seal was made to fit again."""


_PLAIN = st.one_of(
    st.sampled_from(WORDS),
    st.sampled_from((None, True, 0, -1, 1 << 62, 1 << 64, 10**30, -(10**400), 0.5, 1e308, -1e-320)),
    st.text(max_size=20),
)
_VALUES = st.recursive(
    _PLAIN,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)
_DEEP = st.integers(50, 3000).map(lambda depth: "\0nested" + "[" * depth + "]" * depth)
"""Values that are nested too deeply to be held as such here; they are put into the file as text."""
_PLACES = st.integers(0, 1 << 20)
ACTS = st.one_of(
    st.builds(Act, st.just("plant"), st.just("config.json"), st.integers(0, len(PLANTED) - 1), st.none()),
    st.builds(Act, st.just("value"), st.sampled_from(JSON_FILES), _PLACES, _VALUES | _DEEP),
    st.builds(Act, st.just("line"), st.sampled_from(LINE_FILES), _PLACES, _VALUES | _DEEP),
    st.builds(Act, st.just("raw"), st.sampled_from(ALL_FILES), st.just(0), st.sampled_from(sorted(RAW))),
    st.builds(Act, st.sampled_from(("flip", "cut")), st.sampled_from(ALL_FILES), _PLACES, st.none()),
)
SENT = st.builds(
    Sent, st.lists(ACTS, min_size=1, max_size=3).map(tuple), st.sampled_from(NAMES), st.booleans(), st.booleans()
)


def make(sent: Sent, good: Path, url: str) -> Path:
    """Copy a run and do to it what somebody did."""
    folder = good.parent / sent.name
    shutil.copytree(good, folder)
    if sent.unfinished:
        leave(folder, slice(1))
    for act in sent.acts:
        _do(act, folder, url)
    if sent.fits:
        _fit(folder)
    return folder


def _do(act: Act, folder: Path, url: str) -> None:
    path = folder / act.file
    if act.kind == "raw":
        _remove(path)
        RAW[act.value](path)
        return
    if not path.is_file() or path.is_symlink():
        return
    if act.kind in {"flip", "cut"}:
        content = bytearray(path.read_bytes())
        at = act.place % max(1, len(content))
        if act.kind == "cut":
            del content[at:]
        elif content:
            content[at] ^= 1 << act.place % 8
        path.write_bytes(content)
    elif act.kind == "line":
        _change_line(path, act, url)
    else:
        _change_value(path, act, url)


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def _change_value(path: Path, act: Act, url: str) -> None:
    """Put another value somewhere into a JSON file."""
    try:
        value = json.loads(path.read_bytes())
    except (ValueError, RecursionError):
        return
    if act.kind == "plant" and isinstance(value, dict):
        value |= PLANTED[act.place]
    elif act.kind == "value":
        value = _replaced(value, act)
    path.write_bytes(_written(value, url))


def _change_line(path: Path, act: Act, url: str) -> None:
    """Put another value into one line of a file, with a checksum that fits where the place is even."""
    lines = path.read_bytes().splitlines()
    if not lines:
        return
    number = act.place % len(lines)
    try:
        value = json.loads(lines[number])
    except (ValueError, RecursionError):
        return
    crc = value.pop("crc", None) if isinstance(value, dict) else None
    line = _written(_replaced(value, act), url)
    if crc is not None and act.place % 2 == 0:
        line = b'%b,"crc":"%08x"}' % (line[:-1], crc32(line[:-1]))
    lines[number] = line
    path.write_bytes(b"\n".join(lines) + b"\n")


def _replaced(value: Any, act: Act) -> Any:
    """Return a value with something of it, chosen by a number, replaced."""
    place, inner, steps = act.place, value, list[Any]()
    while isinstance(inner, dict | list) and inner and (not steps or place % 4):
        keys = list(inner) if isinstance(inner, dict) else list(range(len(inner)))
        steps.append((inner, keys[place % len(keys)]))
        place //= max(2, len(keys))
        inner = inner[steps[-1][1]]
    if not steps:
        return act.value
    holder, key = steps[-1]
    holder[key] = act.value
    return value


def _written(value: Any, url: str) -> bytes:
    text = json.dumps(value, separators=(",", ":")).replace("{url}", url)
    head, sign, tail = text.partition('"\\u0000nested')
    if sign:
        nested, _, rest = tail.partition('"')
        text = head + nested + rest
    return text.encode()


def _fit(folder: Path) -> None:
    """Make the seal of a run fit what is there now, as whoever knows the format can."""
    path = folder / META
    if not is_plain(path):
        return
    try:
        meta = json.loads(path.read_bytes())
        meta[FILES] = {name: file_sha256(folder / name) for name in (*SEALED, *DECIDED) if is_plain(folder / name)}
        meta[SEAL] = meta_sha256(meta)
        path.write_text(json.dumps(meta))
    except (OSError, ValueError, TypeError, RecursionError, AttributeError):
        return
