"""Stores the answers of tests as run folders, and applies the gates to all cases together.

Workers attach each answer to its test's report; only the main process writes. So a run
is whole whichever of xdist's workers asked which case.
"""

import os
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TypedDict

import msgspec

from ragstone.core.errors import UserError
from ragstone.core.interfaces import tables_of
from ragstone.core.language import Text
from ragstone.core.types import JSON, Answer, Summary
from ragstone.report.verdict import verdict_lines
from ragstone.runs.finish import finish
from ragstone.runs.reopen import Answers, plan_of, score_again
from ragstone.runs.store.codec import decoder, encode
from ragstone.runs.store.describe import describe
from ragstone.runs.store.folder import META, ResultWriter, RunFolder
from ragstone.runs.store.seal import begin
from ragstone.runs.summary import Summarizer
from ragstone.testing.ask import Asker
from ragstone.testing.suite import Place
from ragstone.text.visible import visible_line
from ragstone.trust.gate import GateFile, judge_run, make_gate

HANDED = "ragstone"
"""Under which name a report carries an answer."""
_ANSWER = decoder(Answer)
_KEPT = Text(
    "Run folder: {folder} ({finished} of {expected:case|cases})", "运行文件夹：{folder}（{finished}/{expected} 个用例）"
)


class SentAnswer(TypedDict):
    """One answer, in plain values that pass between processes."""

    run: str
    files: str
    """What the run is made of, as JSON; with the first answer from each process only."""
    rules: list[str]
    unit: int
    id: str
    answer: str


class Sender:
    """Prepares answers for sending; the description of a run goes with the first one."""

    def __init__(self) -> None:
        self._told: set[str] = set()

    def prepare(self, run: str, asker: Asker, place: Place, answer: Answer) -> SentAnswer:
        """Return the answer to a case ready to be sent; `run` is the same name in every process."""
        files = {} if run in self._told else describe(asker.plan, place.suite.found)
        self._told.add(run)
        return SentAnswer(
            run=run,
            files=encode(files).decode(),
            rules=list(place.mark.gate),
            unit=place.number,
            id=place.case.id,
            answer=encode(answer).decode(),
        )


class _Kept:
    """One run while its answers come in."""

    def __init__(self, folder: RunFolder, expected: int) -> None:
        self.folder = folder
        self.expected = expected
        self.rules: list[str] = []
        self.journal = folder.__enter__().journal()

    def finish(self) -> Summary:
        """Score what came in and write the run's files."""
        self.journal.close()
        plan = plan_of(self.folder)
        figures = Summarizer(plan.metrics, tables_of(plan.contract))
        writer = ResultWriter(self.folder.path / "results.jsonl")
        try:
            with Answers(self.folder) as answers:
                for scored in score_again(plan, answers):
                    writer.add(scored.result)
                    figures.add(scored.result)
        finally:
            writer.close()
        return finish(plan, self.folder, figures, self.expected, complete=True)


class Keeper:
    """Writes the runs of a session and lets their gates decide."""

    def __init__(self, home: Path, folder: str | None, rules: Sequence[str]) -> None:
        self.lines: list[str] = []
        """What to tell the user at the end."""
        self.failed = False
        """Whether a gate was not passed, or something could not be kept."""
        self._home = home
        self._rules = rules
        # A gate without a folder to keep needs one all the same, for as long as it decides.
        self._loose = None if folder else tempfile.TemporaryDirectory(prefix="ragstone-")
        self._runs_dir = Path(self._loose.name if self._loose else home / str(folder))
        self._runs: dict[str, _Kept] = {}
        self._lost: set[str] = set()
        """Runs that could not be kept; this was reported."""

    def add(self, handed: SentAnswer) -> None:
        """Keep one answer: it is on disk when this returns."""
        if handed["run"] in self._lost:
            return
        try:
            kept = self._runs.get(handed["run"]) or self._begin(handed)
            kept.rules += [rule for rule in handed["rules"] if rule not in kept.rules]
            kept.journal.append(handed["unit"], handed["id"], _ANSWER(handed["answer"].encode()))
        except UserError as error:
            self._lost.add(handed["run"])
            self._give_up(error)

    def _begin(self, handed: SentAnswer) -> _Kept:
        files: dict[str, JSON] = msgspec.json.decode(handed["files"])
        for name in ("config.json", "dataset_fingerprint.json"):
            files[name] = near(files[name], self._home)
        folder = RunFolder.create(self._runs_dir, files[META]["run_id"])
        begin(folder, files)
        self._runs[handed["run"]] = _Kept(folder, int(files[META]["expected"]))
        self._runs[handed["run"]].rules.extend(self._rules)
        return self._runs[handed["run"]]

    def _give_up(self, error: UserError) -> None:
        self.failed = True
        self.lines.append(visible_line(str(error)))

    def finish(self) -> None:
        """Write every run and judge it."""
        for kept in self._runs.values():
            try:
                self.lines += self._finish(kept)
            except UserError as error:
                self._give_up(error)
            finally:
                kept.folder.__exit__(None, None, None)
        if self._loose:
            self._loose.cleanup()

    def _finish(self, kept: _Kept) -> Iterator[str]:
        summary, lang = kept.finish(), plan_of(kept.folder).lang
        counts = {"finished": summary.finished, "expected": summary.expected}
        if not self._loose:
            yield _KEPT.say(lang, {"folder": near(str(kept.folder.path), self._home), **counts})
        if kept.rules:
            verdict = judge_run(kept.folder, make_gate(GateFile(), kept.rules)).verdict
            # Who picks some cases by -k or stops at the first failure wants no verdict over all of them.
            picked = verdict.outcome == "NOT MEASURED" and summary.finished < summary.expected
            self.failed = self.failed or not (verdict.outcome == "PASS" or picked)
            yield from verdict_lines(verdict, lang)


def near(value: JSON, home: Path) -> JSON:
    """Name files below a folder as they are named from there, so that a run can be moved with its project."""
    if isinstance(value, str):
        return value.replace(f"{home}{os.sep}", "") if home.name else value
    if isinstance(value, dict):
        return {name: near(item, home) for name, item in value.items()}
    return [near(item, home) for item in value] if isinstance(value, list) else value
