"""What tests of trusted judges share."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from ragstone.judging.label_file import append_labels
from tests.conftest import Cli
from tests.judging.lights import COUNT, label_of, make_runs


@pytest.fixture
def lights(cli: Cli, write_rows: Callable[..., Path], tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two runs of the same 120 cases and a label for each; made once."""
    made = tmp_path_factory.getbasetemp() / "lights"
    if not made.exists():
        make_runs(cli, write_rows)
        append_labels(Path("labels.jsonl"), map(label_of, range(1, COUNT + 1)))
        shutil.copytree(tmp_path, made)
    shutil.copytree(made, tmp_path, dirs_exist_ok=True)
    return Path("labels.jsonl")
