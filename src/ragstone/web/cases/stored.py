"""A stored run as the page needs it: its facts, its figures, one case with its answer and its gold.

Nothing here writes into a run's files, so that a run that is going on can be looked at.
"""

import mmap
from collections.abc import Iterator, Mapping
from pathlib import Path

import msgspec
from msgspec import Struct

from ragstone.core.errors import RunError, UserError
from ragstone.core.language import Lang, Text
from ragstone.core.registry import contract_type
from ragstone.core.types import JSON, Answer, Case, MetricSpec, ModelSummary, Result, Summary
from ragstone.datasets.check import load_cases
from ragstone.reading.private import mask_private_in
from ragstone.report.console import Wording, covered
from ragstone.report.notices import measured
from ragstone.runs.judged.certificates import believed
from ragstone.runs.reopen import model_names, plan_of, specs_of
from ragstone.runs.store.admission import Guard
from ragstone.runs.store.codec import encode, read_plain
from ragstone.runs.store.folder import RunFolder
from ragstone.runs.store.journal import Entry, read_entry
from ragstone.runs.store.status import stored_summary
from ragstone.web.errors import reading


class Stored(Struct, frozen=True, kw_only=True):
    """What a run's own files say of it."""

    folder: Path
    meta: dict[str, JSON]
    config: dict[str, JSON]
    specs: tuple[MetricSpec, ...]
    phrases: Mapping[str, Text]
    summary: Summary | None
    systems: tuple[str, ...]
    """The models that were asked, in their order."""
    mask: bool = False
    """Hide what is private: the run was made so, or the server is set so."""

    @property
    def models(self) -> tuple[str, ...]:
        """What figures are counted under: the models, or the steps of a workflow with them."""
        return tuple(self.summary.models) if self.summary and self.summary.models else self.systems

    @property
    def run_id(self) -> str:
        """The run's name."""
        return self.folder.name

    @property
    def dry_run(self) -> bool:
        """Whether the contract's own model answers were scored, and no system was asked."""
        return bool(self.config.get("mock"))

    @property
    def repeats(self) -> int:
        """How often each case was asked; a run that was sent may say anything."""
        told = self.config.get("repeats")
        return max(1, told) if isinstance(told, int) else 1

    @property
    def headlines(self) -> tuple[MetricSpec, ...]:
        """The metrics shown first."""
        return tuple(spec for spec in self.specs if spec.headline) or self.specs[:1]

    def wording(self, lang: Lang) -> Wording:
        """Return what puts results into words."""
        return Wording(self.specs, self.phrases, lang, len(self.models) > 1, self.mask)

    def cover(self, result: Result) -> Result:
        """Return a row as a reader may see it."""
        return covered(result) if self.mask else result

    def hide(self, value: JSON) -> JSON:
        """Return a value beside a row as a reader may see it."""
        return mask_private_in(value) if self.mask else value

    def choose(self, model: str) -> str:
        """Return the model a view is about: the one that is asked for, or the first; "" when there is only one."""
        if len(self.models) < 2:
            return ""
        return model if model in self.models else self.models[0]

    def figures(self, model: str) -> ModelSummary | None:
        """Return the figures of a model, or of the first."""
        if self.summary is None or not self.summary.models:
            return None
        return self.summary.models.get(model) or next(iter(self.summary.models.values()))


def open_run(path: Path, *, mask: bool = False) -> Stored:
    """Read a run's files."""
    folder = RunFolder(path)
    with reading(path.name):
        config = folder.read("config.json")
        return Stored(
            folder=path,
            meta=folder.meta(),
            config=config,
            specs=tuple(specs_of(folder)),
            phrases=_phrases(str(config.get("contract"))),
            summary=_summary(folder),
            systems=tuple(model_names(folder)),
            mask=mask or bool(config.get("mask_private")),
        )


def _phrases(contract: str) -> Mapping[str, Text]:
    if ":" in contract:
        # A run names its contract as text; showing a run must not import it.
        return {}
    try:
        phrases: Mapping[str, Text] = getattr(contract_type(contract), "phrases", {})
    except UserError:
        # A plug-in that is gone: its figures can still be read.
        return {}
    return phrases


def _summary(folder: RunFolder) -> Summary | None:
    try:
        return measured(believed(folder, stored_summary(folder)))
    except RunError:
        return None


def find_answer(stored: Stored, result: Result) -> Answer | None:
    """Find the recorded answer of a row by searching the journal backwards; the last line of a unit counts."""
    repeats = int(stored.config.get("repeats") or 1)
    place = stored.systems.index(result.model_id) if result.model_id in stored.systems else 0
    wanted, step = place * repeats + result.repeat, repeats * max(1, len(stored.systems))
    needle = b',"id":' + encode(result.sample_id) + b',"answer":'
    try:
        with (
            read_plain(stored.folder / "answers.jsonl") as file,
            mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content,
        ):
            entries = _entries(content, needle)
            if result.step_id:
                # Steps of a workflow have their own numbering; what was said tells them apart.
                return next((one.answer for one in entries if one.answer.text == result.output_text), None)
            return next((one.answer for one in entries if one.unit % step == wanted), None)
    except (OSError, ValueError, msgspec.DecodeError):
        return None


def _entries(content: mmap.mmap, needle: bytes) -> Iterator[Entry]:
    """Yield the lines of the journal that hold a text, the last one first."""
    end = len(content)
    while (at := content.rfind(needle, 0, end)) >= 0:
        start, stop = content.rfind(b"\n", 0, at) + 1, content.find(b"\n", at)
        if stop >= 0:
            yield read_entry(content[start:stop])
        end = start


def find_case(stored: Stored, result: Result, guard: Guard) -> Case | None:
    """Find a row's case in the dataset; none when the dataset is gone or asks something else under that id."""
    try:
        contract = plan_of(RunFolder(stored.folder), guard=guard).contract
        case = next((case for case in load_cases(contract) if case.id == result.sample_id), None)
    except (UserError, OSError, LookupError, TypeError, ValueError, AttributeError):
        # The run's files may be anybody's: what is not as we write it has no gold to show.
        return None
    return case if case and case.question == result.question else None
