"""Seals a run: hashes of its inputs and its files by name, so that later changes can be named."""

import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path

from ragstone.core.types import JSON
from ragstone.datasets.glossary import OPTION as GLOSSARY
from ragstone.runs.store.codec import is_plain
from ragstone.runs.store.fingerprint import code_sha256, file_sha256, path_fingerprint, value_sha256
from ragstone.runs.store.folder import JOURNAL, META, RunFolder
from ragstone.runs.store.journal import is_summed
from ragstone.runs.store.owner import DECIDED, foreign_verdicts, mark_of, open_verdicts

PACKAGE = Path(__file__).parents[2]
SCORING_PACKAGES = ("text", "reading", "metrics", "documents")
"""Packages whose code decides scores, besides the contract's own; a contract may name its `packages` itself."""
RENAMED = {"parsing": "reading"}
"""Packages that runs of an earlier version name otherwise."""
BEGUN = ("config.json", "dataset_fingerprint.json", "model_snapshot.json")
"""What a run writes before it asks anything, and never again."""
SOURCES = (*BEGUN, JOURNAL)
"""What everything else of a run is made from."""
FIGURES = (*SOURCES, "results.jsonl", "summary.json")
"""The files a verdict rests on."""
SEALED = (*FIGURES, "summary.csv", "report.md", "report.html")
FILES, SEAL = "files_sha256", "meta_sha256"
ALTERED = "altered"
"""Where run_meta.json names for ever what was changed behind a run's back."""
BEFORE = "answers_before"
"""Where run_meta.json of a run that is continued keeps the seal of the answers it had."""
WRITTEN = frozenset({"cache", "answer_cache", "index"})
"""Options of systems that name a file the run itself may write."""


def scorer_parts(kind: type) -> dict[str, str]:
    """Hash the code a contract's scores are made by, package by package; `kind` is the contract's class."""
    own = Path(import_module(kind.__module__).__file__ or PACKAGE)
    parts = {package: code_sha256([PACKAGE / package]) for package in getattr(kind, "packages", SCORING_PACKAGES)}
    more = {name: sha for inner in getattr(kind, "rests_on", ()) for name, sha in _beneath(inner).items()}
    return parts | {"contract": code_sha256([own.parent if own.is_relative_to(PACKAGE) else own])} | more


def recorded_parts(meta: Mapping[str, JSON]) -> dict[str, str]:
    """Return the hashes of code in a run's run_meta.json, by today's names."""
    return {RENAMED.get(name, name): sha for name, sha in (meta.get("scorer_parts") or {}).items()}


def _beneath(kind: type) -> dict[str, str]:
    """Hash the code of a contract that another one rests on."""
    return {kind.__name__: scorer_parts(kind)["contract"]}


def terms_sha256(terms: Mapping[str, JSON]) -> str:
    """Hash the terms a contract scores by; its prompt changes answers, not scores, and is left out."""
    return value_sha256({name: terms[name] for name in sorted(terms) if not name.startswith("prompt")})


def beside(documents: Path | None, options: Mapping[str, JSON]) -> dict[str, JSON]:
    """Hash what lies beside a dataset: its documents, and every file an option names, or was read from."""
    named = {name: Path(value) for name, value in options.items() if isinstance(value, str) and is_file(value)}
    kept = {name: str(value["sha256"]) for name, value in options.items() if name == GLOSSARY}
    return {
        "documents": path_fingerprint(documents) if documents else None,
        "option_files": {name: file_sha256(path) for name, path in sorted(named.items())} | kept,
    }


def system_files(system: object, options: Mapping[str, JSON]) -> dict[str, JSON]:
    """Hash the files a connected system is made of, by what names them.

    Those are what its argument or an option names (a description, a recording, a registry), and the file of the module
    that a Python system stands in; what that module imports is not looked at.
    """
    named = {name: value for name, value in options.items() if isinstance(value, str) and name not in WRITTEN}
    found = {name: Path(value) for name, value in named.items() if is_file(value)}
    kind, _, argument = system.partition(":") if isinstance(system, str) else ("", "", "")
    if is_file(argument):
        found[str(system)] = Path(argument)
    elif module := _module_of(system, kind, argument):
        found[system if isinstance(system, str) else module.stem] = _from_here(module)
    inner = options.get("chat")
    more = system_files(inner, options.get("chat_options") or {}) if isinstance(inner, str) and ":" in inner else {}
    return {name: {"path": str(path), "sha256": file_sha256(path)} for name, path in found.items()} | more


def _module_of(system: object, kind: str, argument: str) -> Path | None:
    """Return the file of the user's module that a system stands in; Ragstone's own code is hashed elsewhere."""
    if isinstance(system, str):
        name = argument.partition(":")[0] if kind == "python" else kind
    else:
        name = str(getattr(system, "__module__", None) or type(system).__module__)
    file = getattr(sys.modules.get(name), "__file__", None)
    path = Path(file) if isinstance(file, str) else None
    return path if path is not None and path.is_file() and not path.is_relative_to(PACKAGE) else None


def _from_here(path: Path) -> Path:
    """Name a file as seen from the current folder, where it lies below it."""
    return path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path


def is_file(name: str) -> bool:
    """Return whether a text names a file; a text that cannot be a path names none."""
    try:
        return Path(name).is_file()
    except (OSError, ValueError):
        return False


def begin(folder: RunFolder, files: Mapping[str, Mapping[str, JSON]], *, own: bool = True) -> None:
    """Write the files that make a folder a run, sealed from its first moment and marked as made here if it is `own`."""
    for name in BEGUN:
        folder.write(name, files[name])
    mark = mark_of(folder, str(files[META]["run_id"]), BEGUN) if own else {}
    folder.write(META, seal(folder, {**files[META], **mark}))


def seal(folder: RunFolder, meta: Mapping[str, JSON]) -> dict[str, JSON]:
    """Return run_meta.json with the hashes of the run's other files and of itself."""
    files = {name: file_sha256(folder.path / name) for name in (*SEALED, *DECIDED) if is_plain(folder.path / name)}
    kept = {name: value for name, value in meta.items() if name not in {BEFORE, SEAL}}
    return _closed({**kept, FILES: files})


def unseal(folder: RunFolder, meta: Mapping[str, JSON], *, own: bool, salvaged: bool = False) -> None:
    """Write run_meta.json of a run that goes on: only what was there before keeps a hash."""
    journal = folder.path / JOURNAL
    sealed = is_plain(journal) and (JOURNAL in (meta.get(FILES) or {}) or (salvaged and BEFORE in meta))
    before = {BEFORE: {"bytes": journal.stat().st_size, "sha256": file_sha256(journal)}} if sealed else {}
    begun = {name: file_sha256(folder.path / name) for name in BEGUN if is_plain(folder.path / name)}
    mark = mark_of(folder, str(meta["run_id"]), BEGUN) if own else {}
    deciding = {} if foreign_verdicts(folder) else open_verdicts(meta)
    folder.write(META, _closed({**meta, FILES: begun, **before, **mark, **deciding}))


def loosen(folder: RunFolder, meta: Mapping[str, JSON], name: str) -> None:
    """Drop the hash of a file that is about to be rewritten from run_meta.json: a kill in between is harmless."""
    files: Mapping[str, JSON] = meta.get(FILES) or {}
    folder.write(META, _closed({**meta, FILES: {other: sha for other, sha in files.items() if other != name}}))


def renew(folder: RunFolder, name: str, facts: Mapping[str, JSON]) -> None:
    """Seal one file of a run as it is now, with some facts; other changes stay, and are reported."""
    meta = folder.meta()
    if SEAL in meta and _is_open(folder, meta):
        return
    files: Mapping[str, JSON] = meta.get(FILES) or {}
    fresh = {FILES: {**files, name: file_sha256(folder.path / name)}} if name in files else {}
    told = {**meta, **facts, **fresh}
    folder.write(META, _closed(told) if SEAL in meta else told)


def _closed(meta: Mapping[str, JSON]) -> dict[str, JSON]:
    return {**meta, SEAL: meta_sha256(meta)}


def add_facts(folder: RunFolder, facts: Mapping[str, JSON]) -> None:
    """Add facts to run_meta.json of a run that is over; what its seal says of the other files stays."""
    meta = {**folder.meta(), **facts}
    folder.write(META, _closed(meta) if SEAL in meta else meta)


def altered(folder: RunFolder, names: Sequence[str] = FIGURES) -> list[str]:
    """Name those files that are not as the run left them, and those once found so; an old run may have no seal."""
    meta = folder.meta()
    sealed: Mapping[str, JSON] = meta.get(FILES) or {}
    changed = [name for name in (*names, *DECIDED) if name in sealed and _sha256(folder.path / name) != sealed[name]]
    if JOURNAL in sealed:
        # A run that is over got all its verdicts before it was sealed: what came later was put there.
        changed += [name for name in DECIDED if name not in sealed and is_plain(folder.path / name)]
    if JOURNAL in names and (before := meta.get(BEFORE)) and not _begins(folder.path / JOURNAL, before):
        changed.append(JOURNAL)
    return list(dict.fromkeys([*meta.get(ALTERED, ()), *changed, *([META] if _is_open(folder, meta) else [])]))


def _begins(journal: Path, before: Mapping[str, JSON]) -> bool:
    return is_plain(journal) and file_sha256(journal, before["bytes"]) == before["sha256"]


def _is_open(folder: RunFolder, meta: Mapping[str, JSON]) -> bool:
    """Return whether run_meta.json is not as it was sealed, or lost a seal that it must have had."""
    if SEAL in meta:
        return bool(meta[SEAL] != meta_sha256(meta))
    # Journals with checksums are younger than seals.
    return FILES in meta or is_summed(folder.path / JOURNAL)


def _sha256(path: Path) -> str:
    return file_sha256(path) if is_plain(path) else ""


def meta_sha256(meta: Mapping[str, JSON]) -> str:
    """Hash run_meta.json without the place that holds this hash."""
    return value_sha256({name: meta[name] for name in sorted(meta) if name != SEAL})
