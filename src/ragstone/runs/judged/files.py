"""The files of a run that say what judges and people decided about its answers; bad lines are dropped on request."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import msgspec
from msgspec import Struct, to_builtins

from ragstone.core.errors import RunError
from ragstone.core.types import JSON, MetricSpec
from ragstone.judging.decisions import Decisions, Terms
from ragstone.judging.judgements import FILE, LONGEST, Judgements, read_line
from ragstone.judging.judgements import FILE as JUDGEMENTS
from ragstone.judging.label_file import FILE as LABELS
from ragstone.judging.label_file import read_labels
from ragstone.judging.labels import Labels
from ragstone.runs.judged.costs import NAME as PAID
from ragstone.runs.judged.judge_order import NAME as ORDER
from ragstone.runs.store.codec import is_plain, pretty, read_plain
from ragstone.runs.store.folder import LARGEST, RunFolder
from ragstone.runs.store.journal import Salvaged, free_name
from ragstone.runs.store.seal import renew

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


BROKEN = f"{FILE}.broken"


def salvage_judgements(folder: RunFolder) -> Salvaged:
    """Drop the lines that no judge said, and have the judge asked again; the file stays beside it as it was found.

    Whether the run counts as altered for it is for `settle_salvage` to say.
    """
    path = folder.path / FILE
    if not is_plain(path):
        return Salvaged(0, 0)
    lines = list(_good(path))
    kept = [line for line in lines if line]
    if len(kept) == len(lines):
        return Salvaged(len(kept), 0)
    beside = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    with beside.open("wb") as file:
        file.writelines(kept)
        file.flush()
        os.fsync(file.fileno())
    path.replace(free_name(path.with_name(BROKEN)))
    beside.replace(path)
    return Salvaged(len(kept), len(lines) - len(kept))


def _good(path: Path) -> Iterator[bytes]:
    """Yield every whole line that is good, and nothing in place of one that is not."""
    with path.open("rb") as file:
        for line in iter(lambda: file.readline(LONGEST + 1), b""):
            whole = line.endswith(b"\n")
            while not line.endswith(b"\n") and (line := file.readline(LONGEST)):
                pass
            if not (whole or line):
                return  # Cut short by a crash: nobody was told that it is there.
            try:
                read_line(line[:-1])
                yield line if whole else b""
            except (msgspec.DecodeError, ValueError, RecursionError):
                yield b""


def settle_salvage(folder: RunFolder, kept: int) -> None:
    """Seal the lines that were kept: one that cannot be read decided nothing, and the others are as they were."""
    renew(folder, FILE, _facts(folder, kept))


def _facts(folder: RunFolder, lines: int) -> dict[str, JSON]:
    """Say in run_meta.json that the judge is to be asked again, and which lines are paid for."""
    meta = folder.meta()
    order = {ORDER: {**meta[ORDER], "due": True}} if isinstance(meta.get(ORDER), dict) else {}
    paid = meta.get(PAID)
    return order | ({PAID: {**paid, "lines": min(lines, paid.get("lines", 0))}} if isinstance(paid, dict) else {})
