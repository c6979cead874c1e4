"""The list of stored runs, filtered and searched."""

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import islice
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from ragstone.core.errors import UserError
from ragstone.core.language import Lang
from ragstone.core.types import MetricSpec, ModelSummary
from ragstone.report.notices import NOT_MEASURED, is_measured
from ragstone.runs.store.catalogue import runs
from ragstone.runs.store.folder import META
from ragstone.runs.store.label import LABEL, read_label
from ragstone.text.visible import visible_line
from ragstone.web.cases.altered import altered_files
from ragstone.web.cases.stored import Stored, open_run
from ragstone.web.views import dataset_name, mean_of, when
from ragstone.web.words import say

MOST_MODELS_SHOWN = 4
"""Models of one run whose figures stand in a list of runs."""
MOST_LINES = 2000
"""Runs that are looked through."""


class RunLine(Struct, frozen=True, kw_only=True):
    """One run in a list."""

    run_id: str
    dataset: str
    model: str
    status: str
    created: str
    figures: tuple[str, ...] = ()
    """Its figures; those of several models one after the other, each named."""
    dry_run: bool = False
    measured: bool = True
    """Whether any case was answered."""
    n: str = ""
    """Over how many cases; 2 × 3 where each of two was asked three times."""
    altered: tuple[str, ...] = ()
    """Files that are not as the run left them."""
    contract: str = ""
    name: str = ""
    """What people call it."""
    tags: tuple[str, ...] = ()
    archived: bool = False
    at: str = ""
    """When it was, for machines."""

    @property
    def title(self) -> str:
        """Its name, or its dataset's."""
        return self.name or self.dataset


class RunFilter(Struct, frozen=True, kw_only=True):
    """A filter of the list of runs; an empty field lets every run pass."""

    q: str = ""
    """Words that stand in the name, the id, the dataset, the model or the tags."""
    dataset: str = ""
    system: str = ""
    tag: str = ""
    state: str = ""
    archived: bool = False
    """Include archived runs."""

    def fits(self, line: RunLine) -> bool:
        """Return whether a run passes the filter."""
        wanted = {"dataset": line.dataset, "system": line.model, "state": line.status}
        if any(getattr(self, name) not in ("", found) for name, found in wanted.items()):
            return False
        if (self.tag and self.tag not in line.tags) or (line.archived and not self.archived):
            return False
        text = " ".join((line.name, line.run_id, line.dataset, line.model, *line.tags)).lower()
        return all(word in text for word in self.q.lower().split())


class ListedRun(Struct, frozen=True, kw_only=True):
    """A run in the list, with what a trend shows of it."""

    line: RunLine
    source: str
    """Where its dataset lies: two datasets may have one name."""
    series: dict[str, str]
    """Names and labels of the figures."""
    points: dict[str, dict[str, float | None]]
    """The figures by model; none of a run that asked no system, or is not complete."""
    counts: dict[str, int]
    """Cases by model."""
    cut: bool
    """Whether only a part of the dataset was asked for."""


def known_runs(folder: Path, lang: Lang) -> Iterator[ListedRun]:
    """Yield the runs in a folder, newest first; one that makes no sense hides no other."""
    for entry in runs(folder):
        try:
            entry.path.name.encode()  # what is no text cannot be asked for either
            one = _known(entry.path, lang, tuple(_stamp(entry.path / name) for name in (META, "summary.json", LABEL)))
            yield replace(one, line=replace(one.line, altered=altered_files(entry.path, quick=True)))
        except (UserError, LookupError, ValueError, OSError):
            continue


def run_lines(folder: Path, lang: Lang, most: int = MOST_LINES, chosen: RunFilter | None = None) -> list[RunLine]:
    """List the runs in a folder that pass a filter, newest first."""
    wanted = chosen or RunFilter()
    return list(islice((one.line for one in known_runs(folder, lang) if wanted.fits(one.line)), most))


@lru_cache(maxsize=4096)
def _known(path: Path, lang: Lang, stamps: tuple[object, ...]) -> ListedRun:
    """Read a run; what was read is kept until one of its files changes."""
    stored = open_run(path)
    told = stored.meta.get("status") == "complete" and not stored.dry_run
    specs = [spec for spec in stored.headlines if spec.kind in {"flag", "ratio"}]
    models = stored.summary.models if stored.summary and told else {}
    return ListedRun(
        line=_run_line(stored, lang),
        source=str(stored.config.get("dataset")),
        series={"pass_rate": say("overall.pass_rate", lang)} | {spec.name: spec.label.say(lang) for spec in specs},
        points={model: _points(figures, specs) for model, figures in models.items()},
        counts={model: figures.all.cases for model, figures in models.items()},
        cut=bool(stored.config.get("max_samples") or stored.config.get("shard")),
    )


def _points(figures: ModelSummary, specs: Iterable[MetricSpec]) -> dict[str, float | None]:
    means = {spec.name: figures.all.metrics[spec.name].mean for spec in specs if spec.name in figures.all.metrics}
    return {"pass_rate": figures.all.pass_rate, **means}


def _stamp(path: Path) -> tuple[int, int]:
    try:
        stat = path.stat()
    except OSError:
        return 0, 0
    return stat.st_size, stat.st_mtime_ns


def choices(lines: Iterable[RunLine]) -> Mapping[str, list[str]]:
    """Return what a list of runs can be filtered by."""
    every = list(lines)
    return {
        "dataset": sorted({line.dataset for line in every}),
        "system": sorted({line.model for line in every if line.model}),
        "tag": sorted({tag for line in every for tag in line.tags}),
        "state": sorted({line.status for line in every}),
    }


def _run_line(stored: Stored, lang: Lang) -> RunLine:
    label = read_label(stored.folder)
    return RunLine(
        name=label.name,
        tags=label.tags,
        archived=label.archived,
        at=visible_line(str(stored.meta.get("created") or "")),
        run_id=stored.run_id,
        dataset=dataset_name(stored),
        model=visible_line(str(stored.meta.get("system_id") or stored.meta.get("model_id") or "")),
        status=str(stored.meta.get("status")),
        created=when(stored.meta.get("created")),
        figures=_line_figures(stored, lang),
        n=_line_n(stored),
        contract=str(stored.meta.get("contract")),
        dry_run=stored.dry_run,
        measured=stored.summary is None or is_measured(stored.summary),
    )


def _line_n(stored: Stored) -> str:
    """Say over how many cases a run was, and how often each was asked."""
    most = max((one.all.cases for one in stored.summary.models.values()), default=0) if stored.summary else 0
    repeats = stored.repeats
    return f"{most // repeats} × {repeats}" if repeats > 1 and not most % repeats else str(most or "")


def _line_figures(stored: Stored, lang: Lang) -> tuple[str, ...]:
    """Return a run's figures in a few words; figures of several models are never put under one name."""
    models = stored.summary.models if stored.summary else {}
    if stored.summary is not None and not is_measured(stored.summary):
        return (NOT_MEASURED.say(lang),)
    if len(models) > 1:
        shown = [f"{visible_line(name)}: {_headline(one, stored, lang)}" for name, one in models.items()]
        return (*shown[:MOST_MODELS_SHOWN], *(["…"] if len(shown) > MOST_MODELS_SHOWN else []))
    return tuple(
        f"{spec.label.say(lang)} {mean_of(one.all, spec, lang)}" for one in models.values() for spec in stored.headlines
    )


def _headline(one: ModelSummary, stored: Stored, lang: Lang) -> str:
    spec = stored.headlines[0]
    return (
        f"{spec.label.say(lang)} {mean_of(one.all, spec, lang)}"
        if one.all.pass_rate is not None
        else NOT_MEASURED.say(lang)
    )
