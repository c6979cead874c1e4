"""Is this a question file of contract 1, or a folder of them? Imports next to nothing: every dataset is asked."""

from pathlib import Path
from typing import Literal

import msgspec

from ragstone.core.files.ragstone_files import is_ragstone_file
from ragstone.core.interfaces import Source
from ragstone.core.types import JSON
from ragstone.datasets.syntax.arrays import BrokenError, parts

Type = Literal["fact_exact", "evidence_set", "conflict_gap"]
TYPES: tuple[Type, ...] = ("fact_exact", "evidence_set", "conflict_gap")
options = frozenset({"weigh_hallucination_penalty", "type", "glossary"})


def recognises(source: Source) -> bool:
    """Return whether the dataset is a question file of this contract, or a folder of them."""
    if _is_ours(source.first):
        return True
    files = question_files(source.path) if source.path.exists() else []
    return bool(files) and files[0].suffix == ".json" and _is_ours(_root(files[0]))


def question_files(path: Path) -> list[Path]:
    """List the question files of a dataset: itself, or the .json files in it or in its `questions` folder."""
    if not path.is_dir():
        return [path]
    folder = path / "questions" if (path / "questions").is_dir() else path
    return sorted(file for file in folder.glob("*.json") if _is_set(file))


def _is_set(file: Path) -> bool:
    return file.is_file() and file.name != "schema.json" and not is_ragstone_file(file)


def _root(path: Path) -> JSON:
    """Return what says whose a file is, without reading all of it: its type, and its first question."""
    root: dict[str, JSON] = {}
    try:
        with path.open("rb") as file:
            for part in parts(file):
                if part.name is None or _is_ours(root):
                    break
                if part.name in {"benchmark_type", "questions"} and not part.place:
                    value = msgspec.json.decode(part.raw)
                    root[part.name] = value if part.place is None else [value]
    except (OSError, ValueError, RecursionError, BrokenError):
        return None
    return root


def _is_ours(root: JSON) -> bool:
    if not isinstance(root, dict):
        return False
    questions = root.get("questions")
    return isinstance(questions, list) and (
        # A misspelt type is this contract's to name.
        isinstance(root.get("benchmark_type"), str)
        or any(isinstance(one, dict) and one.get("type") in TYPES for one in questions[:1])
    )
