"""Joins the parts of a run that was split with `--shard` into the run it would have been unsplit."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path

from msgspec import Struct, structs

from ragstone.core.errors import RunError, SettingError
from ragstone.core.interfaces import tables_of
from ragstone.core.types import FACTS, JSON, Summary
from ragstone.datasets.check import require_sound, survey
from ragstone.runs.finish import finish
from ragstone.runs.judged.merge import decide_whole, join
from ragstone.runs.plan import Plan
from ragstone.runs.reopen import is_masked, plan_of
from ragstone.runs.shards import Slice, part_of
from ragstone.runs.store.admission import OWN, Guard, is_own
from ragstone.runs.store.describe import describe, same_or_raise, with_facts
from ragstone.runs.store.folder import META, ResultWriter, RunFolder
from ragstone.runs.store.seal import SEALED, altered, begin
from ragstone.runs.summary import Summarizer

LINK = "merged_from"
"""Where run_meta.json of the whole names its parts."""
SAME = (
    "contract",
    "dataset_sha256",
    "scorer_version",
    "scorer_sha256",
    "terms_sha256",
    "prompt_version",
    "prompt_sha256",
    "system_sha256",
    "system_id",
)
"""What parts of one run have in common."""
CHOSEN = (
    "dataset",
    "contract",
    "documents",
    "options",
    "mock",
    "names",
    "language",
    "repeats",
    "max_samples",
    "metrics",
)
"""Choices that parts of one run have in common; where a dataset lies may differ from machine to machine."""


class Merged(Struct, frozen=True):
    """The whole run."""

    folder: RunFolder
    summary: Summary


class _Part(Struct, frozen=True):
    folder: RunFolder
    meta: dict[str, JSON]
    config: dict[str, JSON]
    slice: Slice


def merge(
    folders: Sequence[RunFolder], out: Path, *, partial: bool = False, dataset: Path | None = None, guard: Guard = OWN
) -> Merged:
    """Join the parts of a run; `partial` allows that some are missing or unfinished, and marks the whole so."""
    parts = sorted((_part(folder) for folder in folders), key=lambda part: part.slice.number)
    _refuse_altered(parts)
    _refuse_others(parts)
    complete = _refuse_gaps(parts, partial)
    plan = plan_of(parts[0].folder, guard=guard, dataset=dataset)
    hidden, joined = any(is_masked(part.folder) for part in parts), join([part.folder for part in parts])
    # What was decided comes in when all answers are there.
    plan = structs.replace(plan, decisions=None)
    plan = structs.replace(plan, run_id=out.name, shard="", span=None, mask_private=hidden)
    same_or_raise(parts[0].folder, parts[0].meta, plan)
    found = survey(plan.contract, plan.dataset, most=plan.max_samples)
    require_sound(found, plan.contract, plan.dataset)
    _refuse_spans(parts, found.cases)
    files = describe(plan, found)
    files[META] = with_facts(files[META], {name: [part.meta.get(name) for part in parts] for name in FACTS})
    files["config.json"]["concurrency"] = sum(int(part.config["concurrency"]) for part in parts)
    files["config.json"]["timeout"] = parts[0].config["timeout"]
    files[META] |= {LINK: [{"run_id": part.meta["run_id"], "shard": part.config["shard"]} for part in parts]}
    files[META] |= joined.facts(files[META]) if joined else {}
    with RunFolder.create(out.parent, out.name, "--out") as new:
        begin(new, files, own=all(is_own(part.folder) for part in parts))
        figures = _fill(plan, new, parts)
        if joined:
            plan, figures = decide_whole(joined, plan, new)
        summary = finish(plan, new, figures, int(files[META]["expected"]), complete)
    return Merged(new, summary)


def _part(folder: RunFolder) -> _Part:
    config = folder.read("config.json")
    if not config.get("shard"):
        raise RunError("merge.whole", run=str(folder.path))
    whole = part_of(config["shard"], 1)
    return _Part(folder, folder.meta(), config, whole._replace(span=tuple(config["span"])))


def _refuse_altered(parts: Sequence[_Part]) -> None:
    """Refuse a part that is not as its run left it: the merged run gets a new seal, which would hide the change."""
    for part in parts:
        if files := altered(part.folder, SEALED):
            raise RunError("merge.altered", run=str(part.folder.path), files=files)


def _refuse_others(parts: Sequence[_Part]) -> None:
    """Refuse parts that were not cut from one run."""
    if not parts:
        raise SettingError("merge.none")
    first = parts[0]
    for part in parts[1:]:
        differing = [name for name in SAME if part.meta.get(name) != first.meta.get(name)]
        chosen = (name for name in CHOSEN if name not in {"dataset", "documents"})
        differing += [name for name in chosen if part.config.get(name) != first.config.get(name)]
        differing += ["shard"] if part.slice.of != first.slice.of else []
        if differing:
            names = ", ".join(dict.fromkeys(differing))
            raise RunError("merge.differs", first=str(first.folder.path), second=str(part.folder.path), names=names)


def _refuse_gaps(parts: Sequence[_Part], partial: bool) -> bool:
    """Refuse a part that is there twice, and gaps unless they are allowed; return whether there are none."""
    for before, after in pairwise(parts):
        if before.slice.number == after.slice.number:
            shard = f"{after.slice.number}/{after.slice.of}"
            raise RunError("merge.twice", shard=shard, first=str(before.folder.path), second=str(after.folder.path))
    numbers, of = {part.slice.number for part in parts}, parts[0].slice.of
    missing = [f"{number}/{of}" for number in range(1, of + 1) if number not in numbers]
    missing += [f"{p.config['shard']} ({p.meta.get('status')})" for p in parts if p.meta.get("status") != "complete"]
    if missing and not partial:
        raise RunError("merge.missing", shards=", ".join(missing))
    return not missing


def _refuse_spans(parts: Sequence[_Part], cases: int) -> None:
    """Refuse parts whose cases are not those of this dataset."""
    for part in parts:
        if part_of(str(part.config["shard"]), cases).span != part.slice.span:
            raise RunError("merge.span", run=str(part.folder.path), shard=part.config["shard"], cases=cases)


def _fill(plan: Plan, new: RunFolder, parts: Sequence[_Part]) -> Summarizer:
    """Write the journal and the rows of the whole; units keep their numbers, rows get the new run's name."""
    figures, writer = Summarizer(plan.metrics, tables_of(plan.contract)), None
    journal = new.journal()
    try:
        writer = ResultWriter(new.path / "results.jsonl")
        for part in parts:
            for unit, line in _answers(part):
                journal.append_line(unit, line)
            for result in part.folder.results():
                row = structs.replace(result, run_id=plan.run_id)
                writer.add(row)
                figures.add(row)
    finally:
        journal.close()
        if writer is not None:
            writer.close()
    return figures


def _answers(part: _Part) -> Iterator[tuple[int, bytes]]:
    """Stream what a part's journal holds, in the order of the units; lines that were replaced are left behind."""
    journal = part.folder.journal(read_only=True)
    try:
        for unit in journal.units():
            yield unit, journal.line(unit)
    finally:
        journal.close()
