"""A folder in which one fault is played, and the account of what came of it."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import chdir, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from tests.faults.server import Faulty

CHILD = Path(__file__).with_name("child.py")
CASES = 20
Run = Callable[..., subprocess.CompletedProcess[str]]
QUICK = {
    "retry_delay": 0.01,
    "max_retry_delay": 0.05,
    "breaker_pause": 0.05,
    "patience": 0.4,
    "patience_at_start": 0.4,
    "connect_timeout": 2,
    "first_byte_timeout": 0.5,
    "timeout": 2,
}
"""Options that make an endpoint's faults pass quickly; their defaults are for real ones."""


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """What a run came to: on disk, at the server, and in words."""

    cases: int
    scored: int
    right: int
    """Scored cases whose answer was the one of their own question."""
    errored: int
    unparsed: int
    unasked: int
    """Cases that have no row: they can be asked by `ragstone resume`."""
    seen: int
    """Requests that reached the server."""
    counted: int
    """Calls the run says it made."""
    twice: int
    """Cases the server was asked more than once."""
    exit: int
    says: str
    afterwards: str = ""


class Place:
    """Where a run is made, disturbed and looked at."""

    def __init__(self, folder: Path, lang: str = "en", run: Run | None = None) -> None:
        self.folder = folder
        self._run = run
        """Runs a command that nothing is done to sooner than a new process does."""
        self.lang = lang
        self.cases = CASES
        folder.mkdir(parents=True, exist_ok=True)
        self.dataset(CASES)

    @property
    def run_folder(self) -> Path:
        """The folder of the run."""
        return self.folder / "runs" / "r"

    def dataset(self, cases: int) -> None:
        """Write made-up questions about the lockers of a made-up house."""
        rows = (
            {"q": f"{n} 号柜的押金是多少？", "gold": [f"{n}00元"], "doc_hint": ["柜.md"]} for n in range(1, cases + 1)
        )
        lines = (json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
        (self.folder / "q.jsonl").write_text("".join(lines), encoding="utf-8")
        self.cases = cases

    def start(self, *words: object, fault: dict[str, Any] | None = None) -> "Process":
        """Start the real command line, with something done to it or not."""
        code = [str(CHILD), json.dumps(fault)] if fault else ["-m", "ragstone"]
        return subprocess.Popen(
            [sys.executable, *code, *map(str, words)],
            cwd=self.folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            env=_environment(self.lang),
        )

    def ragstone(
        self, *words: object, fault: dict[str, Any] | None = None, seconds: float = 60
    ) -> subprocess.CompletedProcess[str]:
        """Run the real command line to its end."""
        if self._run and not fault:
            with chdir(self.folder):
                return self._run(*map(str, words), env=_environment(self.lang), seconds=seconds)
        process = self.start(*words, fault=fault)
        out, err = process.communicate(timeout=seconds)
        return subprocess.CompletedProcess([*map(str, words)], process.returncode, out, err)

    def run_words(self, url: str, *more: object, **options: object) -> list[object]:
        """Return the words that ask a chat endpoint every case."""
        chosen = {"base_url": url, **QUICK, **options}
        given = [word for name, value in chosen.items() for word in ("-O", f"{name}={value}")]
        return ["run", "q.jsonl", "-s", "chat:m", *given, "--run-id", "r", "-c", 4, "--lang", self.lang, *more]

    def rows(self) -> list[dict[str, Any]]:
        """Return the whole rows on disk."""
        path = self.run_folder / "results.jsonl"
        lines = path.read_bytes().split(b"\n")[:-1] if path.exists() else []
        return [json.loads(line) for line in lines]

    def answered(self) -> set[str]:
        """Return the ids of the answers on disk."""
        path = self.run_folder / "answers.jsonl"
        lines = path.read_bytes().split(b"\n")[:-1] if path.exists() else []
        return {json.loads(line)["id"] for line in lines}

    def meta(self) -> dict[str, Any]:
        """Return run_meta.json."""
        path = self.run_folder / "run_meta.json"
        meta: dict[str, Any] = json.loads(path.read_bytes()) if path.exists() else {}
        return meta

    def outcome(self, done: subprocess.CompletedProcess[str], server: Faulty | None = None) -> Outcome:
        """Add up what is on disk and what the server saw."""
        rows = self.rows()
        kinds = Counter(row["error_type"] for row in rows)
        asked = server.counts() if server else Counter[str]()
        failed = [row for row in rows if row["error_type"]]
        return Outcome(
            cases=self.cases,
            scored=kinds[None],
            right=sum(row["scorecard"]["pass"] for row in rows),
            errored=len(rows) - kinds[None] - kinds["unparsed"],
            unparsed=kinds["unparsed"],
            unasked=self.cases - len(rows),
            seen=asked.total(),
            counted=int(self.meta().get("calls") or 0),
            twice=sum(count > 1 for count in asked.values()),
            exit=done.returncode,
            says=failed[0]["scorecard"]["explain"] if failed else last_line(done.stderr),
        )

    def then(self, before: Outcome, server: Faulty | None, *words: object, **named: Any) -> Outcome:
        """Say in the account of a run what came of going on with it."""
        done = self.ragstone(*words, "--lang", self.lang, **named)
        after = self.outcome(done, server)
        told = "" if after.seen == before.seen else f", {after.seen - before.seen} more calls"
        text = f"`{words[0]}`: exit {after.exit}, {after.scored} scored of {after.cases}{told}"
        return replace(before, afterwards="; ".join(filter(None, (before.afterwards, text))))


Process = subprocess.Popen[str]
_PROGRESS = re.compile(r"\d+/\d+ done|已完成 \d+/\d+")


def last_line(text: str) -> str:
    """Return the last line that says something; how far a slow run is says nothing of a fault."""
    lines = (line for line in reversed(text.splitlines()) if line.strip() and not _PROGRESS.match(line))
    return next(lines, "")


def _environment(lang: str) -> dict[str, str]:
    wish = {"PYTHONWARNINGS": "error", "LC_ALL": "C.UTF-8", "RAGSTONE_LANGUAGE": "zh-Hans" if lang == "zh" else lang}
    return {**os.environ, **wish}


@contextmanager
def small_disk(folder: Path, kilobytes: int) -> Iterator[bool]:
    """Put a small file system under a folder; say whether this machine let us."""
    folder.mkdir(parents=True, exist_ok=True)
    mounted = mount("-t", "tmpfs", "-o", f"size={kilobytes}k", "none", folder)
    try:
        yield mounted
    finally:
        if mounted:
            subprocess.run(["umount", "-l", folder], check=True)


def mount(*words: object) -> bool:
    """Mount something, where that is allowed."""
    if os.geteuid() != 0 or shutil.which("mount") is None:
        return False
    return subprocess.run(["mount", *map(str, words)], check=False, capture_output=True).returncode == 0


def can_lock(folder: Path) -> bool:
    """Say whether a folder can be made read-only here: a mode does not stop root, and not every root may mount."""
    if os.geteuid() != 0:
        return True
    with small_disk(folder, 64) as mounted:
        return mounted


@contextmanager
def read_only(folder: Path) -> Iterator[None]:
    """Let nobody write into a folder; root is stopped by a mount, others by its mode."""
    mounted = mount("--bind", folder, folder) and mount("-o", "remount,ro,bind", folder)
    if not mounted:
        folder.chmod(0o555)
    try:
        yield
    finally:
        if mounted:
            subprocess.run(["umount", "-l", folder], check=True)
        else:
            folder.chmod(0o755)
