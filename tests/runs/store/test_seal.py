"""Hashes by name."""

from pathlib import Path

import pytest

from ragstone.runs.store.seal import SEALED, beside, is_file, meta_sha256, scorer_parts
from tests.trust.samples import Graded, Lab


def test_every_package_has_its_own_hash() -> None:
    """A plug-in's file is hashed apart from Ragstone's own packages."""
    parts = scorer_parts(Graded)

    assert parts.keys() == {"text", "reading", "metrics", "documents", "contract"}
    assert len(set(parts.values())) == len(parts)


def test_documents_and_files_of_options_are_hashed(tmp_path: Path) -> None:
    """A text that names no file is an ordinary option."""
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a.md").write_text("x")
    (tmp_path / "p.txt").write_text("p")

    found = beside(tmp_path / "docs", {"prompt": str(tmp_path / "p.txt"), "bar": 3, "mode": "strict"})

    assert found["documents"]["files"].keys() == {"a.md"}
    assert found["option_files"].keys() == {"prompt"}


@pytest.mark.parametrize("text", ["", "\0", "x" * 5000, "no/such"])
def test_what_cannot_be_a_path_is_none(text: str) -> None:
    """Nothing raises on any text."""
    assert not is_file(text)


def test_a_run_is_sealed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every artefact and run_meta.json itself have a hash."""
    meta = Lab(tmp_path, monkeypatch).run("a").meta()

    assert meta["files_sha256"].keys() == set(SEALED)
    assert meta["meta_sha256"] == meta_sha256(meta)
    assert meta_sha256(meta | {"cases": 1}) != meta["meta_sha256"]
