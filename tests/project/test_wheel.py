"""What somebody gets who installs the wheel into a project of his own."""

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def _run(installed: Path, folder: Path, *words: str) -> str:
    """Run Python in a project of the user's, with the wheel's files before and without those of this clone."""
    paths = [str(installed), *(path for path in sys.path if "site-packages" in path)]
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
    done = subprocess.run(
        [sys.executable, "-S", *words], cwd=folder, env=env, capture_output=True, encoding="utf-8", check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


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


@pytest.mark.parametrize("own", ["", "bench/__init__.py", "benchmark/__init__.py", "bench/mine.py"])
def test_the_commands_of_the_documents_work_in_a_project(installed: Path, tmp_path: Path, own: str) -> None:
    """`ragstone new runners .` writes them; a package of the same name that the project has is no obstacle."""
    if own:
        (tmp_path / own).parent.mkdir()
        (tmp_path / own).touch()

    _run(installed, tmp_path, "-m", "ragstone", "new", "runners", ".")

    assert "--workflow" in _run(installed, tmp_path, "-m", "bench.cli.runner", "--help")
    assert "--labels" in _run(installed, tmp_path, "-m", "bench.cli.from_csv", "--help")
    assert "fact_exact" in _run(installed, tmp_path, "benchmark/test_runner.py", "--help")
    _run(installed, tmp_path, "-c", "from benchmark.test_runner import BenchmarkRunner")


def test_the_legal_starter_runs_from_its_own_files(installed: Path, tmp_path: Path) -> None:
    """The script and the class of the document, from the wheel alone."""
    _run(installed, tmp_path, "-m", "ragstone", "new", "legal_rag", ".")

    said = _run(installed, tmp_path, "benchmark/test_runner.py", "--type", "fact_exact")
    call = "from benchmark.test_runner import BenchmarkRunner as R; print(len(R('benchmark').load_questions()))"

    assert "overall_percentage" in said
    assert int(_run(installed, tmp_path, "-c", call)) == 4


def test_nothing_else_is_installed(installed: Path) -> None:
    """One package, no tests and no questions of ours; names that users have themselves stay theirs."""
    assert {path.name for path in installed.iterdir() if not path.name.endswith(".dist-info")} == {"ragstone"}


def test_starter_files_are_installed(installed: Path) -> None:
    """`ragstone new` copies what the wheel holds."""
    starters = "src/ragstone/data/new"
    ours = {str(path.relative_to(ROOT / "src")) for path in (ROOT / starters).rglob("*") if path.is_file()}

    theirs = {str(path.relative_to(installed)) for path in (installed / "ragstone/data/new").rglob("*")}

    assert {name for name in ours if "__pycache__" not in name} <= theirs
