"""An environment for each contestant, made once and kept: what is installed, in which version, how large."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from perf.measure import ROOT

MARK = "perf.json"


class Environment(NamedTuple):
    """A folder with a contestant in it."""

    folder: Path
    version: str
    megabytes: float

    @property
    def python(self) -> str:
        """Its interpreter."""
        return str(self.folder / "bin" / "python")


class NotInstalledError(Exception):
    """A contestant could not be installed; says why."""


def default_folder() -> Path:
    """Where environments are kept unless another folder is named."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "ragstone-perf"


def python_environment(folder: Path, package: str, wanted: Sequence[str]) -> Environment:
    """Make or find a virtual environment with these packages; the first is the one whose version counts."""
    if found := _kept(folder, wanted):
        return found
    shutil.rmtree(folder, ignore_errors=True)
    _run("uv", "venv", "-q", "--python", sys.executable, str(folder))
    _run("uv", "pip", "install", "-q", "--python", str(folder / "bin" / "python"), *wanted)
    return _keep(folder, wanted, _version_in(folder, package), _megabytes(folder / "lib"))


def own_environment(folder: Path) -> Environment:
    """Make an environment with Ragstone as it stands here, with the exact versions of the project file."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    folder.mkdir(parents=True, exist_ok=True)
    pins = folder / "pins.txt"
    pins.write_text("\n".join(project["tool"]["uv"]["constraint-dependencies"]), encoding="utf-8")
    place = folder / "env"
    shutil.rmtree(place, ignore_errors=True)
    _run("uv", "venv", "-q", "--python", sys.executable, str(place))
    words = ("--python", str(place / "bin" / "python"), "-c", str(pins), "--reinstall-package", "ragstone", str(ROOT))
    _run("uv", "pip", "install", "-q", *words)
    return Environment(place, _version_in(place, "ragstone"), _megabytes(place / "lib"))


def node_environment(folder: Path, package: str, version: str) -> Environment:
    """Make or find a folder of Node modules with one package."""
    wanted = [f"{package}@{version}"]
    if found := _kept(folder, wanted):
        return found
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    _run("npm", "install", "--no-save", "--no-audit", "--no-fund", "--prefix", str(folder), *wanted)
    about = json.loads((folder / "node_modules" / package / "package.json").read_text(encoding="utf-8"))
    return _keep(folder, wanted, about["version"], _megabytes(folder / "node_modules"))


def _kept(folder: Path, wanted: Sequence[str]) -> Environment | None:
    """Find an environment that was made from the same wishes."""
    try:
        known = json.loads((folder / MARK).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    if known["wanted"] != list(wanted):
        return None
    return Environment(folder, known["version"], known["megabytes"])


def _keep(folder: Path, wanted: Sequence[str], version: str, megabytes: float) -> Environment:
    known = {"wanted": list(wanted), "version": version, "megabytes": megabytes}
    (folder / MARK).write_text(json.dumps(known), encoding="utf-8")
    return Environment(folder, version, megabytes)


def _run(*words: str) -> None:
    """Run an installer; whatever goes wrong is the reason why a contestant is missing."""
    if not shutil.which(words[0]):
        raise NotInstalledError(f"{words[0]} is not here")
    # Away from the project: its own pins are not the peers'.
    done = subprocess.run(
        words, cwd=tempfile.gettempdir(), capture_output=True, encoding="utf-8", errors="replace", check=False
    )
    if done.returncode:
        last = (done.stderr.strip() or "no message").splitlines()[-1]
        raise NotInstalledError(f"{words[0]} {words[1]}: {last[:200]}")


def _version_in(folder: Path, package: str) -> str:
    code = f"from importlib.metadata import version; print(version({package!r}))"
    return subprocess.check_output([str(folder / "bin" / "python"), "-c", code], encoding="utf-8").strip()


def _megabytes(folder: Path) -> float:
    """Add up the files as they came, without what was compiled from them."""
    files = (path for path in folder.rglob("*") if path.is_file() and path.suffix != ".pyc")
    return sum(path.lstat().st_size for path in files) / 1e6
