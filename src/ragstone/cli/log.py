"""`--verbose` and `--log-file`: what a run does, a line an event, without keys; a service's error is quoted."""

import platform
import sys
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

import click

from ragstone.cli.watch import Watch, around
from ragstone.core.masking import MASK, hide_foreign, names_secret
from ragstone.core.types import JSON, Result, Summary
from ragstone.report.console import Wording
from ragstone.runs.execute import Observer, Progress
from ragstone.runs.plan import Plan
from ragstone.text.visible import visible_line
from ragstone.version import full_version

Write = Callable[[str], object]


def watchers(given: dict[str, JSON], **more: JSON) -> list[Observer]:
    """Return the observers of a run: the terminal, and a log if requested."""
    targets: list[Write] = [_to_terminal] if given["verbose"] else []
    targets += [_to_file(Path(given["log_file"]))] if given["log_file"] else []
    logs = [Log(*targets)] if targets else []
    return [*logs, Watch(quiet=given["quiet"] or given["as_json"], **more)]


def _to_terminal(line: str) -> None:
    click.echo(line, err=True)


def _to_file(path: Path) -> Write:
    """Append to a file, whole lines at a time; a disk that fills up later ends no run."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.open("ab").close()

    def write(line: str) -> None:
        with suppress(OSError), path.open("ab") as file:
            file.write(f"{line}\n".encode(errors="replace"))

    return write


class Log:
    """Writes each event of a run with its time."""

    def __init__(self, *targets: Write) -> None:
        self._targets = targets
        self._words: Wording | None = None
        self._say("command", line=" ".join(map(_masked, ["ragstone", *sys.argv[1:]])))
        self._say("version", ragstone=full_version(), python=platform.python_version(), system=platform.system())

    def _say(self, event: str, **facts: object) -> None:
        now = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        said = " ".join(f"{name}={value}" for name, value in facts.items() if value is not None)
        line = visible_line(hide_foreign(f"{now} {event} {said}"))
        for write in self._targets:
            write(line)

    def started(self, plan: Plan, folder: Path, expected: int) -> None:
        """Log what is asked, and how."""
        self._words = plan.spoken()
        self._say("started", run=folder, dataset=plan.dataset, contract=plan.contract_name, answers=expected)
        for system in plan.model_ids:
            self._say("system", model=system, concurrency=plan.concurrency, timeout=plan.timeout, repeats=plan.repeats)

    def result(self, result: Result) -> None:
        """Log how a case was answered, and why it failed."""
        row = self._words.cover(result) if self._words else result
        facts = {"case": row.sample_id, "model": row.model_step, "repeat": row.repeat, "attempts": row.attempts}
        times = {"ms": None if row.latency_ms is None else round(row.latency_ms, 1), "cached": row.cached}
        card = {"passed": row.scorecard.passed, "score": row.scorecard.primary_score}
        why = {"error": row.error_type, "stage": row.error_stage, "message": row.error_message}
        self._say("failed" if row.error_type else "answered", **facts, **times, **card, **why)

    def tick(self, progress: Progress) -> None:
        """Do nothing."""

    speaks = staticmethod(around)

    def notice(self, text: str) -> None:
        """Log a notice."""
        self._say("notice", text=text)

    def judged(self, asked: int) -> None:
        """Log how many questions the judges have answered."""
        self._say("judged", questions=asked)

    def finished(self, plan: Plan, folder: Path, summary: Summary) -> None:
        """Log the result of the run."""
        self._say("finished", run=folder, status=summary.status, answers=summary.finished, of=summary.expected)
        for model, figures in summary.models.items():
            block = figures.all
            self._say("model", model=model, passed=block.passed, of=block.cases, failed=block.errored)


def _masked(word: str) -> str:
    """Return a word of the command line without the value of what is called a key."""
    name, mark, _ = word.partition("=")
    return f"{name}={MASK}" if mark and names_secret(name) else word
