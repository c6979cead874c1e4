"""A run on the terminal: a line a case, rate and time left, the closing line, the Notes and what to type next."""

import sys
import time
from collections.abc import Iterable
from pathlib import Path

import click

from ragstone.cli.front import is_english
from ragstone.cli.program import as_typed, command
from ragstone.core.interfaces import Staged
from ragstone.core.language import Lang, Text
from ragstone.core.types import Result, Summary
from ragstone.report.console import Wording, case_line, closing_lines, model_lines, notes, open_lines, start_line
from ragstone.runs.execute import Progress
from ragstone.runs.plan import Plan
from ragstone.runs.spending import exhausted
from ragstone.text.visible import visible_line

MOST_LINES = 1000
"""Runs longer than this do not print a line a case."""
MOST_NOTES = 20
PLAIN_EVERY = 10.0
"""Seconds between two progress lines when the output is no terminal."""


def around(voice: Lang) -> Lang:
    """Return the language of what is said about a run: English to an English reader, else that of its verdicts."""
    return "en" if is_english() else voice


class Watch:
    """Prints what happens; a reader who goes away does not end the run."""

    def __init__(self, *, quiet: bool = False, hint: str = "", brief: bool = False) -> None:
        """`brief`: tell what is out of the ordinary, and nothing else."""
        self._hint = hint
        self._brief = brief
        self._quiet = quiet
        self._live = sys.stderr.isatty() and not quiet and not brief
        self._words: Wording | None = None
        self._lang: Lang = "en"
        self._failed: list[Result] = []
        self._passed: list[Result] = []
        self._seen = 0
        self._lines = True
        self._last = time.monotonic()

    def started(self, plan: Plan, folder: Path, expected: int) -> None:
        """Print how many cases there are; one watch may follow several runs."""
        self._failed, self._passed, self._seen = [], [], 0
        self._words, self._lang = plan.spoken(), around(plan.voice)
        self._lines = expected <= MOST_LINES
        each = 1 if isinstance(plan.contract, Staged) else len(plan.model_ids) * plan.repeats
        self._say(start_line(expected // each, plan.voice, expected))

    def result(self, result: Result) -> None:
        """Print a case's line and remember its note."""
        self._seen += 1
        kept = self._passed if result.scorecard.passed else self._failed
        if len(kept) < MOST_NOTES:
            kept.append(result)
        if self._lines and not self._quiet and self._words:
            self._say(case_line(result, self._words))

    def tick(self, progress: Progress) -> None:
        """Show the progress: in place on a terminal, as a line now and then elsewhere."""
        if self._live:
            click.echo(f"\r\x1b[2K{_progress(progress, self._lang)}", nl=False, err=True)
        elif not (self._quiet or self._brief) and time.monotonic() - self._last > PLAIN_EVERY:
            self._last = time.monotonic()
            click.echo(_progress(progress, self._lang), err=True)

    speaks = staticmethod(around)

    def notice(self, text: str) -> None:
        """Print a notice between the lines of cases."""
        if not self._quiet:
            self._clear()
            click.echo(visible_line(as_typed(text)), err=True)

    def finished(self, plan: Plan, folder: Path, summary: Summary) -> None:
        """Print the run's results."""
        if self._quiet or self._brief:
            return
        words = plan.spoken()
        for line in closing_lines(summary, words):
            self._say(line)
        shown = (self._failed + self._passed)[:MOST_NOTES]
        more = self._seen - len(shown)
        told = notes(shown, words, more=more, file=str(folder / "results.jsonl"))
        for line in ["", *told] if told else []:
            self._say(line)
        undecided = open_lines(summary, words)
        for line in ["", *undecided] if undecided else []:
            self._say(line)
        table = model_lines(summary, words)
        for line in ["", *table] if table else []:
            self._say(line)
        for line in ["", *_next_steps(folder, summary, around(plan.voice), exhausted(plan))]:
            self._say(line)
        if self._hint:
            self._say(_OWN.say(around(plan.voice), {"command": self._hint}))

    def _say(self, line: str) -> None:
        if self._quiet or self._brief:
            return
        self._clear()
        try:
            click.echo(line)
        except BrokenPipeError:
            self._quiet, self._live = True, False

    def _clear(self) -> None:
        if self._live:
            click.echo("\r\x1b[2K", nl=False, err=True)


_PROGRESS = Text("{head} done, {rate}/s{left}", "已完成 {head}，{rate}/秒{left}")
_LEFT = Text(", {time} left", "，剩余 {time}")
_PAUSED = Text(", paused", "，已暂停")
_FOLDER = Text("Run folder: {folder}", "运行文件夹：{folder}")
_CONTINUE = Text("Continue it: {command}", "继续运行：{command}")
_AGAIN = Text("{n} failed, ask them again: {command}", "{n} 个用例失败，重新提问：{command}")
UNRECORDED = Text(
    "{n:case has|cases have} no recorded answer: add what is missing to the file and score again",
    "{n} 个用例没有已录制的回答：请补充到文件中，再重新评分",
    "{n} 個用例沒有已錄製的回答：請補充到檔案中，再重新評分",
)
_OWN = Text("Your own data: {command}", "换成自己的数据：{command}")
_READ = Text("Read it again: {command}", "再次查看：{command}", "再次查看：{command}")


def _progress(progress: Progress, lang: Lang) -> str:
    seconds = progress.seconds_left
    left = "" if seconds is None else _LEFT.say(lang, {"time": _time(seconds)})
    left = _PAUSED.say(lang) if progress.paused else left
    head = f"{progress.finished}/{progress.expected}"
    return _PROGRESS.say(lang, {"head": head, "rate": f"{progress.rate:.1f}", "left": left})


def _time(seconds: float) -> str:
    whole = int(seconds + 0.5)
    return (
        f"{whole // 3600}:{whole // 60 % 60:02}:{whole % 60:02}" if whole >= 3600 else f"{whole // 60}:{whole % 60:02}"
    )


def failures(summary: Summary) -> int:
    """Count the cases of a run that could not be asked."""
    return sum(figures.all.errored for figures in summary.models.values())


def is_unrecorded(summary: Summary) -> bool:
    """Return whether nothing failed but recordings that lack an answer: there is nobody to ask."""
    return failures(summary) == summary.error_types.get("no_answer")


def resuming(folder: Path, summary: Summary, options: Iterable[str]) -> str:
    """Return the command that continues a run: an option whose budget is spent wants a larger value.

    Where nothing but failures came, as with a wrong key, they are asked again.
    """
    retry = ["--retry-failed"] if failures(summary) == summary.finished > 0 else []
    return " ".join([command("resume", folder, *retry), *(f"-O {option}=…" for option in options)])


def _next_steps(folder: Path, summary: Summary, lang: Lang, options: Iterable[str]) -> list[str]:
    lines = [_FOLDER.say(lang, {"folder": folder})]
    failed = failures(summary)
    if summary.status == "partial":
        lines.append(_CONTINUE.say(lang, {"command": resuming(folder, summary, options)}))
    elif failed and is_unrecorded(summary):
        lines.append(UNRECORDED.say(lang, {"n": failed}))
    elif failed:
        lines.append(_AGAIN.say(lang, {"n": failed, "command": command("resume", folder, "--retry-failed")}))
    lines.append(_READ.say(lang, {"command": command("report", folder)}))
    return lines
