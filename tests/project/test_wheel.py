"""What somebody gets who installs the wheel into a project of his own."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

import ragstone

ROOT = Path(__file__).parents[2]


def _run(installed: Path, folder: Path, *words: str) -> str:
    """Run Python in a project of the user's, with the wheel's files before and without those of this clone."""
    paths = [str(installed), *(path for path in sys.path if "site-packages" in path)]
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
    env.pop("PYTHONDONTWRITEBYTECODE", None)  # the wheel's files are compiled once, not by every command
    done = subprocess.run(
        [sys.executable, "-S", *words], cwd=folder, env=env, capture_output=True, encoding="utf-8", check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def _do(*words: str | Path, cwd: Path = ROOT) -> str:
    done = subprocess.run(words, cwd=cwd, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.fixture(scope="module")
def dist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the source archive, and the wheel from it."""
    uv = shutil.which("uv") or pytest.skip("uv is not here")
    place = tmp_path_factory.mktemp("dist")
    _do(uv, "build", "--quiet", "--offline", "--out-dir", place)
    return place


@pytest.fixture(scope="module")
def installed(dist: Path) -> Path:
    """Unpack the wheel, which is all that installing does."""
    with zipfile.ZipFile(next(dist.glob("*.whl"))) as wheel:
        wheel.extractall(dist / "site")
    return dist / "site"


def test_an_index_could_serve_it(installed: Path) -> None:
    """No link of the long description leads to a file that only a clone has, and the notices are there."""
    metadata = next(installed.glob("*.dist-info")) / "METADATA"
    text = metadata.read_text(encoding="utf-8")

    assert re.findall(r"\]\((?!https://|#)[^)]*\)", text) == []
    assert {"Repository", "Documentation", "Changelog", "Issues"} == set(re.findall(r"Project-URL: (\w+),", text))
    assert "License-File: NOTICE" in text and "Classifier: Typing :: Typed" in text


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="no clone")
def test_the_version_names_the_commit(installed: Path, tmp_path: Path) -> None:
    """The wheel says what it was built from, as the clone does; an edit since the commit shows in both."""
    commit = _do("git", "describe", "--always", "--dirty", "--abbrev=12", "--exclude=*")

    told = [_run(place, tmp_path, "-m", "ragstone", "--version").strip() for place in (installed, ROOT / "src")]

    assert told == [f"ragstone {ragstone.__version__} (commit {commit})"] * 2


@pytest.mark.long
@pytest.mark.timeout(300)
def test_the_source_archive_installs_into_a_clean_environment(dist: Path, tmp_path: Path) -> None:
    """Built from the archive with pip's own means, the pinned versions beside it, started outside the clone."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    (tmp_path / "pins.txt").write_text("\n".join(project["tool"]["uv"]["constraint-dependencies"]), encoding="utf-8")
    _do("uv", "venv", "--quiet", "--python", sys.executable, tmp_path / "env")
    python, source = tmp_path / "env/bin/python", next(dist.glob("*.tar.gz"))

    _do("uv", "pip", "install", "--quiet", "--python", python, "--constraint", tmp_path / "pins.txt", source)

    assert "(commit " in _do(tmp_path / "env/bin/ragstone", "--version", cwd=tmp_path)
    assert "评测完成" in _do(tmp_path / "env/bin/ragstone", "demo", cwd=tmp_path)


@pytest.mark.parametrize("own", ["", "bench/__init__.py benchmark/__init__.py", "bench/mine.py"])
def test_the_commands_of_the_documents_work_in_a_project(installed: Path, tmp_path: Path, own: str) -> None:
    """`ragstone new runners .` writes them; a package of the same name that the project has is no obstacle."""
    for name in own.split():
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).touch()

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


@pytest.mark.long
@pytest.mark.timeout(300)
def test_a_release_is_built_and_looked_over(tmp_path: Path) -> None:
    """The release script finds nothing wrong with what it builds, and writes a checksum for each of three files."""
    _do(sys.executable, "scripts/make_release.py", tmp_path / "dist")

    names = {path.name for path in (tmp_path / "dist").iterdir() if not path.name.startswith(".")}
    sums = (tmp_path / "dist" / "SHA256SUMS").read_text(encoding="utf-8").splitlines()
    assert names - {"SHA256SUMS"} == {line.split("  ")[1] for line in sums}
    assert len(sums) == 3
