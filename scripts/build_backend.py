"""Build what an index serves: uv_build's archives, with the commit inside and a README whose links lead somewhere.

Both are made in a copy, so that a build writes nothing into the sources. An editable install is uv_build's own.
"""

import re
import shutil
import subprocess
import tempfile
import tomllib
from collections.abc import Iterator
from contextlib import chdir, contextmanager
from pathlib import Path

import uv_build
from uv_build import (
    build_editable,
    get_requires_for_build_editable,
    get_requires_for_build_sdist,
    get_requires_for_build_wheel,
    prepare_metadata_for_build_editable,
)

__all__ = [
    "build_editable",
    "build_sdist",
    "build_wheel",
    "get_requires_for_build_editable",
    "get_requires_for_build_sdist",
    "get_requires_for_build_wheel",
    "prepare_metadata_for_build_editable",
]
PARTS = ("pyproject.toml", "README.md", "LICENSE", "NOTICE", "src", "scripts/build_backend.py")
COMMIT = Path("src/ragstone/commit.txt")


def build_sdist(folder: str, settings: dict[str, str] | None = None) -> str:
    """Build the source archive; it keeps the commit for whoever builds from it."""
    folder = str(Path(folder).absolute())
    with _copy():
        return str(uv_build.build_sdist(folder, settings))


def build_wheel(folder: str, settings: dict[str, str] | None = None, metadata: str | None = None) -> str:
    """Build the wheel."""
    folder = str(Path(folder).absolute())
    with _copy():
        return str(uv_build.build_wheel(folder, settings))


@contextmanager
def _copy() -> Iterator[None]:
    """Stand in a copy of the sources that knows its commit."""
    commit = _commit()
    with tempfile.TemporaryDirectory() as place:
        for part in PARTS:
            target = Path(place, part)
            target.parent.mkdir(exist_ok=True)
            if Path(part).is_dir():
                shutil.copytree(part, target, ignore=shutil.ignore_patterns("__pycache__", "*.pyc"))
            else:
                shutil.copy(part, target)
        with chdir(place):
            if commit:
                COMMIT.write_text(commit, encoding="utf-8")
            readme = Path("README.md")
            readme.write_text(absolute(readme.read_text(encoding="utf-8"), _home()), encoding="utf-8")
            yield


def _commit() -> str:
    """Return the commit of a clone, marked when files have changed since; nothing for an unpacked archive."""
    if not Path(".git").exists():
        return ""
    words = ["git", "describe", "--always", "--dirty", "--abbrev=12", "--exclude=*"]
    try:
        return subprocess.run(words, capture_output=True, encoding="utf-8", check=False).stdout.strip()
    except OSError:
        return ""


def _home() -> str:
    return str(tomllib.loads(Path("pyproject.toml").read_text(encoding="utf-8"))["project"]["urls"]["Repository"])


def absolute(text: str, home: str) -> str:
    """Write the links of a README as an index needs them: pictures raw, pages as the repository shows them."""
    text = re.sub(r"(!\[[^\]]*\]\()(?!\w+:|#)", rf"\g<1>{home}/raw/main/", text)
    return re.sub(r"(?<!!)(\[[^\]]*\]\()(?!\w+:|#)", rf"\g<1>{home}/blob/main/", text)
