"""Writes a foreign run into a run folder: cases to dataset.jsonl, answers to the journal, scores unchanged."""

import shutil
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct, structs, to_builtins

from ragstone.bridges.files import MOST_ROW, fault
from ragstone.bridges.naming import MOST_METRICS, Names, metric
from ragstone.bridges.recognise import read_foreign
from ragstone.bridges.records import ForeignRun, Record, Tool
from ragstone.contracts.imported.cases import HEADER, Header, Metric
from ragstone.core.errors import RunError
from ragstone.core.interfaces import tables_of
from ragstone.core.settings import Settings, read_settings
from ragstone.core.types import JSON, Answer, Summary
from ragstone.datasets.check import open_contract, require_sound, survey
from ragstone.runs.finish import finish
from ragstone.runs.pipeline import judge
from ragstone.runs.plan import Plan
from ragstone.runs.reopen import Silent
from ragstone.runs.store.codec import encode
from ragstone.runs.store.describe import describe
from ragstone.runs.store.fingerprint import path_fingerprint
from ragstone.runs.store.folder import META, ResultWriter, RunFolder, new_run_id
from ragstone.runs.store.seal import begin
from ragstone.runs.summary import Summarizer

DATASET = "dataset.jsonl"
MOST_REPEATS = 1000
MOST_EXTRA = 1 << 20
"""Bytes a row may have with the fields no rule knows."""
LINK = "imported"
"""Where run_meta.json says what was brought in."""
MEANS = "tool_means"
"""Where it holds the figures the foreign file shows, in words."""


class ImportedRun(Struct, frozen=True):
    """The new run, and what the import reports about it."""

    folder: RunFolder
    summary: Summary
    tool: str
    means: dict[str, str]
    unscored: dict[str, int]
    """Metric to the number of answers the tool could not score by it."""
    left_out: tuple[str, ...]
    """Metrics with negative values: kept as notes of their cases only."""
    unscaled: tuple[str, ...]
    """Metrics whose scale is not known, such as 1..5: plain numbers that do not enter the score of a case."""


def import_run(
    path: Path,
    *,
    tool: Tool | None = None,
    out: Path | None = None,
    only: str | None = None,
    model: str | None = None,
    settings: Settings | None = None,
) -> ImportedRun:
    """Import a finished run of another tool into the store.

    `only` picks one of several models; `model` names the system where there is only one.
    """
    settings = settings or read_settings()
    sheet = _Sheet(path, read_foreign(path, tool, only), model)
    place = out or Path(settings.runs_dir) / new_run_id(sheet.foreign.tool)
    with RunFolder.create(place.parent, place.name, "--out") as folder:
        try:
            summary = _fill(sheet, folder, settings)
        except BaseException:
            shutil.rmtree(folder.path, ignore_errors=True)
            raise
    return ImportedRun(
        folder, summary, sheet.tool, sheet.foreign.means, dict(sheet.unscored), sheet.left_out, sheet.unscaled
    )


def _fill(sheet: "_Sheet", folder: RunFolder, settings: Settings) -> Summary:
    """Write all files of the run."""
    dataset = folder.path / DATASET
    try:
        with dataset.open("wb") as file:
            file.writelines(sheet.lines())
    except OSError as error:
        raise RunError("run.unwritable", folder=str(folder.path), problem=error.strerror or str(error)) from error
    contract = open_contract(dataset, name="imported")
    found = survey(contract, dataset)
    require_sound(found, contract, dataset)
    identity = {"kind": "imported", "tool": sheet.foreign.tool, "version": sheet.foreign.version}
    plan = Plan(
        run_id=folder.path.name,
        dataset=dataset,
        contract=contract,
        contract_name="imported",
        systems=tuple(Silent(name, identity) for name in sheet.models),
        system_specs=tuple("" for _ in sheet.models),
        lang=settings.language or found.lang,
        repeats=sheet.repeats,
        mask_private=settings.mask_private,
        links=sheet.links(),
        runs_dir=folder.path.parent,
    )
    files = describe(plan, found)
    files[META]["expected"] = expected = max(int(files[META]["expected"]), sheet.foreign.expected or 0)
    begin(folder, files)
    return finish(plan, folder, _score(sheet, plan, folder), expected, complete=True)


def _score(sheet: "_Sheet", plan: Plan, folder: RunFolder) -> Summarizer:
    figures, journal = Summarizer(plan.metrics, tables_of(plan.contract)), folder.journal()
    writer, frame = ResultWriter(folder.path / "results.jsonl"), plan.frame()
    try:
        for unit in plan.units():
            answer = sheet.answer(int(unit.case.id.removeprefix("Q")) - 1, unit.system, unit.repeat)
            if answer is not None:
                journal.append(unit.number, unit.case.id, answer)
                result = judge(plan.contract, unit, answer, frame)
                writer.add(result)
                figures.add(result)
    finally:
        journal.close()
        writer.close()
    return figures


class _Sheet:
    """The records as a sheet: a row a case, a column a model and repeat."""

    def __init__(self, path: Path, foreign: ForeignRun, model: str | None) -> None:
        self.foreign = foreign
        self.tool = foreign.name
        self._path = path
        self._names = Names()
        self.unscored: Counter[str] = Counter()
        self._learn_metrics()
        found = foreign.models or tuple(dict.fromkeys(record.model or foreign.tool for record in foreign.records))
        self._column = {name: at for at, name in enumerate(found)}
        if model and len(found) > 1:
            raise fault("models", path, models=list(found))
        self.models = (model,) if model else found
        self.repeats = 1 + max(record.repeat for record in foreign.records)
        cases: dict[str, list[Record]] = {}
        for record in foreign.records:
            cases.setdefault(record.key, []).append(record)
        self._by_place = list(cases.values())
        self._cells = {(record.key, self._of(record), record.repeat): record for record in foreign.records}
        if self.repeats > MOST_REPEATS:
            raise fault("repeats", path, repeat=self.repeats, limit=MOST_REPEATS)

    def _learn_metrics(self) -> None:
        """Name and declare every metric, and count the scores that are missing."""
        records = self.foreign.records
        for record in records:
            for label, value in record.said.scores.items():
                self.unscored[label] += value is None and record.answer.failure is None
                _ = self._names[label]
            if len(self._names) > MOST_METRICS:
                raise fault("metrics", self._path, limit=MOST_METRICS)
        if not len(self._names):
            raise fault("no_scores", self._path, tool=self.foreign.tool)
        self._metrics: dict[str, Metric] = {}
        for label, name in self._names.items():
            found = metric(label, name, records, lower=label in self.foreign.lower)
            if found is not None:
                self._metrics[label] = found
        self.unscored = Counter({label: n for label, n in self.unscored.items() if n and label in self._metrics})

    @property
    def left_out(self) -> tuple[str, ...]:
        return tuple(label for label, _ in self._names.items() if label not in self._metrics)

    @property
    def unscaled(self) -> tuple[str, ...]:
        return tuple(label for label, found in self._metrics.items() if found.kind == "error")

    def links(self) -> dict[str, JSON]:
        """Return the facts about the import for run_meta.json."""
        told = path_fingerprint(self._path)
        told = {"file": self._path.name, "sha256": told["sha256"], "tool": self.foreign.tool}
        told |= {"version": self.foreign.version, "created": self.foreign.created, "means": self.foreign.means}
        told |= {"unscored": dict(self.unscored), "left_out": list(self.left_out)}
        means = "; ".join(f"{name}: {value}" for name, value in self.foreign.means.items())
        return {LINK: told, MEANS: means or None}

    def lines(self) -> Iterator[bytes]:
        """Encode the rows; what no rule knows is left out where it is very large."""
        for row in self._rows():
            line = encode(row)
            if len(line) > MOST_EXTRA and "extra" in row:
                line = encode({name: value for name, value in row.items() if name != "extra"})
            if len(line) > MOST_ROW:
                raise fault("row", self._path, where=str(row["id"]), limit=f"{MOST_ROW >> 20} MB")
            yield line + b"\n"

    def _rows(self) -> Iterator[dict[str, JSON]]:
        """Write each case once, so that any contract of ours that reads {q, gold} can score it."""
        kinds = {record.category: set[str]() for record in self.foreign.records}
        for record in self.foreign.records:
            kinds[record.category] |= record.said.scores.keys()
        for at, records in enumerate(self._by_place):
            header = {} if at else {HEADER: to_builtins(self._header())}
            yield self._row(at, records, kinds[records[0].category]) | header

    def _header(self) -> Header:
        metrics = tuple(self._metrics.values())
        return Header(tool=self.foreign.tool, version=self.foreign.version, metrics=metrics)

    def _row(self, at: int, records: list[Record], usual: set[str]) -> dict[str, JSON]:
        first = records[0]
        applied = {label for record in records for label in record.said.scores} or usual
        row: dict[str, JSON] = {
            "id": f"Q{at + 1}",
            "q": first.question if first.question.strip() else f"({first.source_id or first.key})",
            "gold": list(first.references),
            "doc_hint": [],
            "reference": "\n".join(first.references),
        }
        if first.category:
            row["category"] = first.category
        if first.source_id:
            row["source_id"] = first.source_id
        if len(applied & self._metrics.keys()) < len(self._metrics):
            row["metrics"] = [found.name for label, found in self._metrics.items() if label in applied]
        return row | ({"extra": first.extra} if first.extra else {})

    def _of(self, record: Record) -> int:
        return self._column[record.model or self.foreign.tool]

    def answer(self, case: int, model: int, repeat: int) -> Answer | None:
        """Return what stands in one cell, with what the tool said of it."""
        record = self._cells.get((self._by_place[case][0].key, model, repeat))
        return structs.replace(record.answer, judged=self._judged(record)) if record else None

    def _judged(self, record: Record) -> dict[str, JSON]:
        said = record.said
        kept = {self._names[label]: value for label, value in said.scores.items() if label in self._metrics}
        notes = dict(said.notes) | {
            label: str(said.scores[label]) for label in said.scores.keys() - self._metrics.keys()
        }
        judged: dict[str, JSON] = {"scores": kept, "passed": said.passed, "score": said.score, "notes": notes}
        return {name: value for name, value in judged.items() if value not in (None, {})} or {"scores": {}}
