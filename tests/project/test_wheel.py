"""What somebody gets who installs the wheel into a project of his own."""

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CALL = "import benchmark, bench.cli; from benchmark.test_runner import BenchmarkRunner; print(benchmark.__file__)"


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel and unpack it, which is all that installing does."""
    uv = shutil.which("uv") or pytest.skip("uv is not here")
    place = tmp_path_factory.mktemp("wheel")
    words = [uv, "build", "--quiet", "--wheel", "--offline", "--out-dir", str(place / "dist")]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stderr
    with zipfile.ZipFile(next((place / "dist").glob("*.whl"))) as wheel:
        wheel.extractall(place / "site")
    return place / "site"


def test_the_names_the_documents_show_are_installed(installed: Path, tmp_path: Path) -> None:
    """From a project that has a benchmark folder of questions, too: a folder without code hides no package."""
    (tmp_path / "benchmark" / "questions").mkdir(parents=True)
    place = os.environ | {"PYTHONPATH": str(installed)}

    words = [sys.executable, "-c", CALL]
    done = subprocess.run(words, cwd=tmp_path, env=place, capture_output=True, encoding="utf-8", check=False)

    assert Path(done.stdout.strip()).is_relative_to(installed), done.stderr


def test_nothing_else_is_installed(installed: Path) -> None:
    """Three packages, no tests and no questions of ours."""
    tops = {path.name for path in installed.iterdir() if not path.name.endswith(".dist-info")}

    assert tops == {"ragstone", "bench", "benchmark"}
    assert {path.name for path in (installed / "benchmark").iterdir()} == {"__init__.py", "test_runner.py"}


def test_starter_files_are_installed(installed: Path) -> None:
    """`ragstone new` copies what the wheel holds."""
    starters = "src/ragstone/data/new"
    ours = {str(path.relative_to(ROOT / "src")) for path in (ROOT / starters).rglob("*") if path.is_file()}

    theirs = {str(path.relative_to(installed)) for path in (installed / "ragstone/data/new").rglob("*")}

    assert {name for name in ours if "__pycache__" not in name} <= theirs
