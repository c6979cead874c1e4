"""A stored run as the page needs it: its facts, its figures, one case with its answer and its gold.

Nothing here writes into a run's files, so that a run that is going on can be looked at.
"""

import mmap
from collections.abc import Mapping
from pathlib import Path

import msgspec
from msgspec import Struct, convert, to_builtins

from ragstone.checking import load_cases
from ragstone.errors import RunError, UserError
from ragstone.language import Lang, Text
from ragstone.recorded import model_names, plan_of, specs_of
from ragstone.registry import contract_type
from ragstone.report.lines import Wording
from ragstone.store.codec import decoder, encode
from ragstone.store.folder import RunFolder
from ragstone.store.journal import Entry
from ragstone.types import JSON, Answer, Case, MetricSpec, ModelSummary, Result, Summary

_ENTRY = decoder(Entry)


class Stored(Struct, frozen=True, kw_only=True):
    """What a run's own files say of it."""

    folder: Path
    meta: dict[str, JSON]
    config: dict[str, JSON]
    specs: tuple[MetricSpec, ...]
    phrases: Mapping[str, Text]
    summary: Summary | None
    models: tuple[str, ...]

    @property
    def run_id(self) -> str:
        """The run's name."""
        return self.folder.name

    @property
    def headlines(self) -> tuple[MetricSpec, ...]:
        """The metrics shown first."""
        return tuple(spec for spec in self.specs if spec.headline) or self.specs[:1]

    def wording(self, lang: Lang) -> Wording:
        """Return what puts results into words."""
        return Wording(self.specs, self.phrases, lang, len(self.models) > 1)

    def figures(self, model: str) -> ModelSummary | None:
        """Return the figures of a model, or of the first."""
        if self.summary is None or not self.summary.models:
            return None
        return self.summary.models.get(model) or next(iter(self.summary.models.values()))


def open_run(path: Path) -> Stored:
    """Read a run's files."""
    folder = RunFolder(path)
    config = folder.read("config.json")
    return Stored(
        folder=path,
        meta=folder.meta(),
        config=config,
        specs=tuple(specs_of(folder)),
        phrases=_phrases(str(config.get("contract"))),
        summary=_summary(folder),
        models=tuple(model_names(folder)),
    )


def _phrases(contract: str) -> Mapping[str, Text]:
    try:
        phrases: Mapping[str, Text] = getattr(contract_type(contract), "phrases", {})
    except UserError:
        # A plug-in that is gone: its figures can still be read.
        return {}
    return phrases


def _summary(folder: RunFolder) -> Summary | None:
    try:
        return convert(folder.read("summary.json"), Summary)
    except (RunError, msgspec.ValidationError):
        return None


def find_answer(stored: Stored, result: Result) -> Answer | None:
    """Find the recorded answer of a row by searching the journal backwards; the last line of a unit counts."""
    repeats = int(stored.config.get("repeats") or 1)
    place = stored.models.index(result.lane) if result.lane in stored.models else 0
    wanted = place * repeats + result.repeat
    needle = b',"id":' + encode(result.sample_id) + b',"answer":'
    try:
        with (
            (stored.folder / "answers.jsonl").open("rb") as file,
            mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content,
        ):
            return _search(content, needle, wanted, repeats * max(1, len(stored.models)))
    except (OSError, ValueError, msgspec.DecodeError):
        return None


def _search(content: mmap.mmap, needle: bytes, wanted: int, step: int) -> Answer | None:
    end = len(content)
    while (at := content.rfind(needle, 0, end)) >= 0:
        start, stop = content.rfind(b"\n", 0, at) + 1, content.find(b"\n", at)
        if stop >= 0:
            entry: Entry = _ENTRY(content[start:stop])
            if entry.unit % step == wanted:
                return entry.answer
        end = start
    return None


def find_case(stored: Stored, result: Result) -> Case | None:
    """Find a row's case in the dataset; none when the dataset is gone or asks something else under that id."""
    try:
        contract = plan_of(RunFolder(stored.folder)).contract
        case = next((case for case in load_cases(contract) if case.id == result.sample_id), None)
    except (UserError, OSError):
        return None
    return case if case and case.question == result.question else None


def gold_of(case: Case) -> JSON:
    """Return what a contract expects, as plain values; nothing that is empty."""
    try:
        return _trim(to_builtins(case.gold))
    except (TypeError, ValueError):
        return str(case.gold)


def _trim(value: JSON) -> JSON:
    if isinstance(value, dict):
        return {str(name): _trim(item) for name, item in value.items() if item not in (None, "", [], {}, ())}
    if isinstance(value, list | tuple):
        return [_trim(item) for item in value]
    return value
