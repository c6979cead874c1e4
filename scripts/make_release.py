"""Build a release: wheel, source archive, bill of materials and checksums, looked over before anybody gets them.

python scripts/make_release.py dist

Nothing is published. The wheel is installed into an environment of its own and has to start there.
"""

import argparse
import hashlib
import json
import subprocess
import sys
import tarfile
import tempfile
import tomllib
import zipfile
from pathlib import Path

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
NEEDED = (
    "ragstone/__init__.py",
    "ragstone/py.typed",
    "ragstone/web/templates/base.html",
    "ragstone/web/static/page.js",
    "ragstone/data/key_points/questions.jsonl",
    "ragstone/commit.txt",
)
"""Files without which the wheel would install and not work."""
FOREIGN = frozenset({".env", ".git", ".venv", "__pycache__", "tests", "perf", "uv.lock"})
"""Names that no archive holds at any depth."""
TOPS = frozenset(
    {"src", "scripts", "pyproject.toml", "pyproject.toml.orig", "PKG-INFO", "README.md", "LICENSE", "NOTICE"}
)
"""What a source archive holds."""


def main() -> None:
    """Build, look over, and write the checksums."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    folder: Path = parser.parse_args().folder.absolute()
    if folder.exists() and any(folder.iterdir()):
        sys.exit(f"{folder} is not empty")
    wheel, source = build(folder)
    faults = [*look_over(wheel), *look_over_source(source)]
    if faults:
        sys.exit("\n".join(faults))
    version = try_out(wheel)
    bill = folder / f"ragstone-{version}.cdx.json"
    run(sys.executable, "scripts/make_sbom.py", "--output", str(bill))
    sums = "".join(f"{sha256(path)}  {path.name}\n" for path in sorted([wheel, source, bill]))
    (folder / "SHA256SUMS").write_text(sums, encoding="utf-8")
    print(sums, end="")
    if ".example" in (home := PROJECT["project"]["urls"]["Repository"]):
        print(f"before publishing: {home} is a reserved name; set [project.urls] in pyproject.toml and build again")


def run(*words: str) -> str:
    """Run a command; what it says on failure is shown."""
    done = subprocess.run(words, cwd=ROOT, capture_output=True, encoding="utf-8", check=False)
    if done.returncode:
        sys.exit(f"{' '.join(words)}\n{done.stdout}{done.stderr}")
    return done.stdout


def build(folder: Path) -> tuple[Path, Path]:
    """Build both archives twice: equal sources must give equal bytes."""
    with tempfile.TemporaryDirectory() as again:
        for target in (str(folder), again):
            run("uv", "build", "--quiet", "--out-dir", target)
        for path in [*folder.glob("*.whl"), *folder.glob("*.tar.gz")]:
            if sha256(path) != sha256(Path(again) / path.name):
                sys.exit(f"{path.name}: a second build gave other bytes")
    return next(folder.glob("*.whl")), next(folder.glob("*.tar.gz"))


def look_over(wheel: Path) -> list[str]:
    """Say what a wheel lacks and what does not belong in it."""
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    lacking = [f"{wheel.name}: lacks {name}" for name in NEEDED if name not in names]
    tops = {name.partition("/")[0] for name in names if ".dist-info/" not in name}
    strange = [f"{wheel.name}: installs {top}" for top in sorted(tops - {"ragstone"})]
    return lacking + strange + [f"{wheel.name}: holds {name}" for name in names if _foreign(name)]


def look_over_source(source: Path) -> list[str]:
    """Say what does not belong in a source archive: links, paths that lead out, what only one machine has."""
    with tarfile.open(source) as archive:
        members = archive.getmembers()
    odd = [one.name for one in members if not (one.isfile() or one.isdir()) or ".." in one.name or one.name[0] == "/"]
    inner = [one.name.partition("/")[2] for one in members]
    strange = [name for name in inner if name and (name.split("/")[0] not in TOPS or _foreign(name))]
    return [f"{source.name}: holds {name}" for name in [*odd, *strange]]


def _foreign(name: str) -> bool:
    return bool(FOREIGN.intersection(name.split("/"))) or name.endswith((".pyc", ".sqlite"))


def try_out(wheel: Path) -> str:
    """Install the wheel into an environment of its own, with the pinned versions, and start it there."""
    with tempfile.TemporaryDirectory() as place:
        pins = Path(place) / "pins.txt"
        pins.write_text("\n".join(PROJECT["tool"]["uv"]["constraint-dependencies"]), encoding="utf-8")
        python = f"{place}/env/bin/python"
        run("uv", "venv", "--quiet", "--python", sys.executable, f"{place}/env")
        run("uv", "pip", "install", "--quiet", "--python", python, "--constraint", str(pins), str(wheel))
        run(f"{place}/env/bin/ragstone", "--help")
        code = "import json, ragstone, ragstone.web.app; print(json.dumps(ragstone.__version__))"
        return str(json.loads(run(python, "-c", code)))


def sha256(path: Path) -> str:
    """Hash a file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


if __name__ == "__main__":
    main()
