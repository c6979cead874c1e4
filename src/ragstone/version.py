"""The version and the commit it was built from."""

import os

VERSION = "0.1.0"


def full_version() -> str:
    """Return the version with its commit: `0.1.0 (commit 1a2b3c4d5e6f)`; a clone that was edited ends in -dirty."""
    found = commit()
    return f"{VERSION} (commit {found})" if found else VERSION


def commit() -> str:
    """Return the commit of the clone this runs from, or the one the build wrote down; nothing when neither is known."""
    here = os.path.dirname(os.path.abspath(__file__))
    clone = os.path.dirname(os.path.dirname(here))
    if os.path.exists(os.path.join(clone, ".git")):
        return _of_clone(clone)
    try:
        with open(os.path.join(here, "commit.txt"), encoding="utf-8") as file:
            return file.read().strip()
    except OSError:
        return ""


def _of_clone(folder: str) -> str:
    import subprocess  # noqa: PLC0415 - only a clone needs it

    words = ["git", "-C", folder, "describe", "--always", "--dirty", "--abbrev=12", "--exclude=*"]
    try:
        return subprocess.run(words, capture_output=True, encoding="utf-8", check=False).stdout.strip()
    except OSError:
        return ""
