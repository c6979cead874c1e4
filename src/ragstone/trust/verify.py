"""Checks that a run can be reproduced from its parts: hashes everything and scores every recorded answer again.

Nothing is asked and nothing in the run's folder is touched.
"""

from collections.abc import Iterator, Mapping
from contextlib import closing
from itertools import chain
from pathlib import Path
from typing import NamedTuple

import msgspec

from ragstone.core.errors import UserError
from ragstone.core.interfaces import Engine, tables_of
from ragstone.core.types import JSON, CaseDrift, Drift, Result, Verification
from ragstone.datasets.glossary import OPTION as GLOSSARY
from ragstone.datasets.glossary import changed_file
from ragstone.datasets.key_index import KeyTable
from ragstone.judging.decisions import RULES
from ragstone.runs.judged.files import read_judging
from ragstone.runs.plan import Plan
from ragstone.runs.reopen import Answers, inputs_of, placed, plan_of
from ragstone.runs.shards import Judged, judge_again
from ragstone.runs.store.admission import OWN, Guard, is_near, is_own
from ragstone.runs.store.codec import decoder, encode, is_plain, read_plain
from ragstone.runs.store.fingerprint import file_sha256, installed, path_fingerprint, redact, value_sha256
from ragstone.runs.store.folder import JOURNAL, META, RunFolder
from ragstone.runs.store.owner import DECIDED
from ragstone.runs.store.seal import (
    ALTERED,
    FILES,
    SEAL,
    SEALED,
    altered,
    is_file,
    meta_sha256,
    recorded_parts,
    scorer_parts,
)
from ragstone.runs.store.status import counts
from ragstone.runs.summary import Summarizer

MOST_CASES = 100
"""Drifted rows that are named; all are counted."""
_RESULT = decoder(Result)


def verify(folder: RunFolder, engine: Engine | None = None, *, guard: Guard = OWN) -> Verification:
    """Hash a run's parts and score its answers again; say what is no longer as it was."""
    meta = folder.meta()
    running = meta.get("status") == "running"
    drifts, rows = list(_files(folder, meta)), _Rows()
    try:
        drifts += _inputs(folder, meta, guard)
        plan = plan_of(folder, guard=guard)
        drifts += chain(_scorer(plan, meta), _judging(folder))
        if running:
            code = "verify.running" if folder.is_busy() else "verify.interrupted"
            drifts.append(Drift(what="run", code=code, level="note", params=counts(folder)))
        else:
            with Answers(folder) as answers:
                rows.compare(
                    folder,
                    judge_again(plan, answers, engine),
                    Summarizer(plan.metrics, tables_of(plan.contract)),
                )
            if rows.digest != meta.get("results_digest") and not rows.drifted:
                drifts.append(_changed("results_digest", str(meta.get("results_digest")), rows.digest))
    except UserError as error:
        # What has drifted may well be unreadable: then that is the finding, and not a reason to say nothing.
        if not any(drift.level == "drift" for drift in drifts):
            raise
        drifts.append(Drift(what="rescore", code="verify.unusable", params={"problem": str(error)}))
    return _verification(meta, drifts, rows)


def _verification(meta: Mapping[str, JSON], drifts: list[Drift], rows: "_Rows") -> Verification:
    real = rows.drifted or any(drift.level == "drift" for drift in drifts)
    return Verification(
        run_id=str(meta["run_id"]),
        status="drift" if real else "identical" if meta.get("status") == "complete" else "partial",
        rows=rows.rows,
        rescored=rows.rescored,
        drifted=rows.drifted,
        drifts=tuple(drifts),
        cases=tuple(rows.cases),
    )


def _changed(what: str, was: str, now: str) -> Drift:
    return Drift(what=what, code="verify.changed", params={"what": what, "was": was[:12], "now": now[:12]})


def _files(folder: RunFolder, meta: Mapping[str, JSON]) -> Iterator[Drift]:
    """Hash what the run left behind."""
    known = meta.get(FILES) or {}
    for name in altered(folder, (JOURNAL,)):
        if name == META:
            yield _changed(META, str(meta.get(SEAL, "")), meta_sha256(meta))
        elif name not in known or name in meta.get(ALTERED, ()):
            yield Drift(what=name, code="verify.altered", params={"what": name})
    for name, was in (meta.get("files_sha256") or {}).items():
        path = folder.path / name
        # A name that no run seals may lead anywhere.
        if name not in (*SEALED, *DECIDED) or not is_plain(path):
            yield Drift(what=name, code="verify.missing", params={"what": name})
        elif (now := file_sha256(path)) != was:
            yield _changed(name, was, now)
    if not meta.get("files_sha256"):
        yield Drift(what="files_sha256", code="verify.unsealed", level="note")


def _inputs(folder: RunFolder, meta: Mapping[str, JSON], guard: Guard) -> Iterator[Drift]:
    """Hash what the run was made of: dataset, documents, files that options name, files its systems are made of."""
    try:
        config, was = folder.read("config.json"), folder.read("dataset_fingerprint.json")
        files = folder.read("model_snapshot.json").get("files") or {}
    except UserError as error:
        yield Drift(what="config", code="verify.unusable", params={"problem": str(error)})
        return
    guard.inputs(folder, inputs_of(folder))
    yield from _same_path("dataset", placed(folder, config["dataset"]), {**was, "sha256": meta.get("dataset_sha256")})
    if was.get("documents") and config["documents"]:
        yield from _same_path("documents", placed(folder, config["documents"]), was["documents"])
    own = is_own(folder)
    if changed := changed_file(config["options"]) if own else None:
        yield Drift(what="glossary", code="verify.glossary", params={"what": changed.file}, level="note")
    for name, recorded in (was.get("option_files") or {}).items():
        if name == GLOSSARY:
            continue
        value = str(config["options"].get(name))
        now = file_sha256(Path(value)) if is_file(value) else "missing"
        if now != recorded:
            yield _changed(value, str(recorded), now)
    yield from _system_files(files, own=own)


def _system_files(files: Mapping[str, JSON], *, own: bool) -> Iterator[Drift]:
    """Hash the files the systems were made of; one that is elsewhere is noted, for no score needs it.

    A run from elsewhere may name any file: of such a run only those of this project are looked at.
    """
    for recorded in files.values():
        path = str(recorded["path"])
        if not is_file(path) or not (own or is_near(Path(path))):
            yield Drift(what=path, code="verify.absent", params={"what": path}, level="note")
        elif (now := file_sha256(Path(path))) != recorded["sha256"]:
            yield _changed(path, str(recorded["sha256"]), now)


def _same_path(what: str, path: Path, was: Mapping[str, JSON]) -> Iterator[Drift]:
    if not path.exists():
        # Without its dataset a run cannot be opened at all; that is told when it is tried.
        return
    now = path_fingerprint(path)
    if now["sha256"] == was.get("sha256"):
        return
    old, new = was.get("files") or {}, now.get("files") or {}
    names = sorted(name for name in old.keys() | new.keys() if old.get(name) != new.get(name))
    params = {"what": what, "was": str(was.get("sha256"))[:12], "now": now["sha256"][:12]}
    if names:
        yield Drift(what=what, code="verify.changed_files", params=params | {"files": names[:10]})
    else:
        yield Drift(what=what, code="verify.changed", params=params | {"what": f"{what} {path}"})


def _scorer(plan: Plan, meta: Mapping[str, JSON]) -> Iterator[Drift]:
    """Compare the code and the terms a score is made by, and what else is installed."""
    contract, parts, was = plan.contract, scorer_parts(type(plan.contract)), recorded_parts(meta)
    if packages := sorted(name for name in parts.keys() | was.keys() if parts.get(name) != was.get(name)):
        old, new = str(meta.get("scorer_sha256"))[:12], value_sha256(parts)[:12]
        params = {"what": "scorer", "was": old, "now": new, "files": packages}
        yield Drift(what="scorer", code="verify.changed_files", params=params)
    versions = {"scorer_version": contract.scorer_version, "prompt_version": contract.prompt_version}
    now = msgspec.json.decode(encode(redact(versions | dict(contract.terms()))))
    for name, value in now.items():
        if value != meta.get(name):
            yield _changed(name, _short(meta.get(name)), _short(value))
    if value_sha256(installed()) != meta.get("installed_sha256"):
        yield Drift(what="installed", code="verify.installed", level="note")


def _judging(folder: RunFolder) -> Iterator[Drift]:
    """Compare the rules by which a judge's replies become verdicts."""
    judging = read_judging(folder.path)
    if judging is not None and judging.terms.rules != RULES:
        yield _changed("judging rules", judging.terms.rules or "?", RULES)


def _short(value: JSON) -> str:
    return value if isinstance(value, str) else encode(value).decode()


class _Rows:
    """Compares recorded rows with rows made again, in step."""

    def __init__(self) -> None:
        self.rows = self.rescored = self.drifted = 0
        self.cases: list[CaseDrift] = []
        self.digest = ""

    def compare(self, folder: RunFolder, again: Iterator[Judged], figures: Summarizer) -> None:
        for line, scored in _aligned(folder.path / "results.jsonl", again):
            self.rows += line is not None
            if scored is not None:
                self.rescored += 1
                figures.add(scored.result)
            if line is None or scored is None or line != scored.row:
                self._note(_parsed(line), scored.result if scored else None)
        self.digest = figures.summary(
            run_id="", task_name="", status="", scorer_version="", expected=self.rescored
        ).results_digest

    def _note(self, was: Result | None, now: Result | None) -> None:
        fields = _differing(was, now)
        self.drifted += 1
        row = now or was
        if len(self.cases) < MOST_CASES:
            self.cases.append(
                CaseDrift(
                    sample_id=row.sample_id if row else "?",
                    repeat=row.repeat if row else 0,
                    model=row.model_step if row else "?",
                    fields=fields,
                    first_score=was.scorecard.primary_score if was else None,
                    second_score=now.scorecard.primary_score if now else None,
                )
            )


def _aligned(path: Path, again: Iterator[Judged]) -> Iterator[tuple[bytes | None, Judged | None]]:
    """Set each recorded line beside its row made again: in step, and by an index from where the order differs."""
    lines = _lines(path)
    for scored in again:
        line = next(lines, None)
        if line is not None and line.text != scored.row and _is_other(line.text, scored.result):
            yield from _indexed(path, chain([line], lines), chain([scored], again))
            return
        yield line.text if line else None, scored
    yield from ((line.text, None) for line in lines)


def _is_other(line: bytes, scored: Result) -> bool:
    """Return whether a line is a row, but of another answer."""
    row = _parsed(line)
    return row is not None and _key(row) != _key(scored)


def _indexed(
    path: Path, lines: Iterator["_Line"], again: Iterator[Judged]
) -> Iterator[tuple[bytes | None, Judged | None]]:
    with closing(KeyTable()) as places, closing(KeyTable()) as found, read_plain(path) as file:
        rest = []
        for line in lines:
            row = _parsed(line.text)
            if row is None or places.add(_key(row), line.offset) is not None:
                rest.append(line.text)
        for scored in again:
            offset = places.find(_key(scored.result))
            if offset is None:
                yield None, scored
                continue
            found.add(str(offset), 1)
            file.seek(offset)
            yield file.readline().removesuffix(b"\n"), scored
        yield from ((line, None) for line in rest)
        yield from _unmatched(path, places, found)


def _unmatched(path: Path, places: KeyTable, found: KeyTable) -> Iterator[tuple[bytes, None]]:
    """Yield the lines that were looked for and belong to no case any more."""
    for line in _lines(path):
        row = _parsed(line.text)
        if row and places.find(_key(row)) == line.offset and found.find(str(line.offset)) is None:
            yield line.text, None


def _key(row: Result) -> str:
    return f"{row.sample_id}\0{row.repeat}\0{row.model_step}"


class _Line(NamedTuple):
    offset: int
    text: bytes


def _lines(path: Path) -> Iterator[_Line]:
    if not is_plain(path):
        return
    offset = 0
    with read_plain(path) as file:
        for line in file:
            yield _Line(offset, line.removesuffix(b"\n"))
            offset += len(line)


def _parsed(line: bytes | None) -> Result | None:
    try:
        row: Result | None = None if line is None else _RESULT(line)
    except (msgspec.DecodeError, ValueError):
        return None
    return row


def _changed_scores(was: Mapping[str, JSON], now: Mapping[str, JSON]) -> list[str]:
    """Name the figures of a row that came out otherwise, with both values."""
    names = [name for name in {**was, **now} if was.get(name) != now.get(name)]
    return [f"{name} {_short(was.get(name))} → {_short(now.get(name))}" for name in names]


def _differing(was: Result | None, now: Result | None) -> tuple[str, ...]:
    """Name the fields of a row that came out otherwise."""
    if now is None:
        return ("no answer" if was else "unreadable",)
    if was is None:
        return ("not recorded",)
    old, new = msgspec.to_builtins(was), msgspec.to_builtins(now)
    cards = old.pop("scorecard"), new.pop("scorecard")
    names = [name for name in new if old.get(name) != new[name]]
    names += [f"scorecard.{name}" for name in cards[1] if cards[0].get(name) != cards[1][name] and name != "sub_scores"]
    names += [f"scorecard.{name}" for name in _changed_scores(*(card.get("sub_scores") or {} for card in cards))]
    return tuple(names) or ("bytes",)
