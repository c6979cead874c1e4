"""The files of a run that say what judges and people decided about its answers."""

import shutil
from pathlib import Path

import msgspec
from msgspec import Struct, to_builtins

from ragstone.core.errors import RunError
from ragstone.core.types import MetricSpec
from ragstone.judging.decisions import Decisions, Terms
from ragstone.judging.judgements import FILE as JUDGEMENTS
from ragstone.judging.judgements import Judgements
from ragstone.judging.label_file import FILE as LABELS
from ragstone.judging.label_file import read_labels
from ragstone.judging.labels import Labels
from ragstone.runs.store.codec import is_plain, pretty, read_plain
from ragstone.runs.store.folder import LARGEST, RunFolder

JUDGING = "judging.json"
NAMES = (JUDGING, JUDGEMENTS, LABELS)


class Judging(Struct, frozen=True, kw_only=True):
    """judging.json: who decides besides the rules, and which figures that adds."""

    terms: Terms
    metrics: list[MetricSpec]


def read_judging(path: Path) -> Judging | None:
    """Read judging.json of a run folder; None where neither judges nor people were asked."""
    file = path / JUDGING
    if not is_plain(file):
        return None
    try:
        with read_plain(file) as content:
            return msgspec.json.decode(content.read(LARGEST), type=Judging)
    except (OSError, ValueError, RecursionError) as error:
        raise RunError("run.damaged", run=str(path), file=JUDGING, problem=str(error)) from error


def load_decisions(path: Path) -> Decisions | None:
    """Open what judges and people decided about a run's answers; no judge is asked."""
    judging = read_judging(path)
    if judging is None:
        return None
    labels = read_labels(path / LABELS) if is_plain(path / LABELS) else []
    return Decisions(judging.terms.renewed(), Judgements(path / JUDGEMENTS, read_only=True), Labels(labels))


def write_judging(folder: RunFolder, terms: Terms, metrics: list[MetricSpec]) -> None:
    """Write judging.json; `metrics` are those that the contract itself does not have."""
    folder.write_bytes(JUDGING, pretty(to_builtins(Judging(terms=terms, metrics=metrics))))


def copy_decisions(source: RunFolder, target: RunFolder, frame: str) -> None:
    """Copy decisions into another run of the same answers, where today's rules make verdicts of them."""
    for name in NAMES:
        if is_plain(source.path / name):
            shutil.copyfile(source.path / name, target.path / name)
    if (judging := read_judging(target.path)) is not None:
        write_judging(target, judging.terms.renewed(), judging.metrics)
        set_frame(target, frame)


def set_frame(folder: RunFolder, frame: str) -> None:
    """Say in a judged run that it has other cases or answers than its labels were drawn from, if that is so."""
    judging, decisions = read_judging(folder.path), load_decisions(folder.path)
    if judging and decisions and judging.terms.frame != frame:
        write_judging(folder, decisions.framed(frame).terms, judging.metrics)
