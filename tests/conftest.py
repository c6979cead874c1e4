"""What every test starts from: a clean environment, an empty folder, a real command line.

Tests marked `long` (sweeps, browser, clusters, fuzz, a real model) wait for `--long`, or for their file to be named.
"""

import compileall
import gc
import http.cookiejar
import io
import json
import os
import py_compile
import re
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout, suppress
from functools import cache
from importlib import machinery
from importlib.machinery import SourceFileLoader
from itertools import count, groupby
from pathlib import Path

# Commands that are started again and again read what is compiled once; see pytest_configure.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

import hypothesis  # noqa: E402 - pytest rewrites all of it, and shall keep it
import pytest  # noqa: E402

from tests.names import RESERVED, settle_names  # noqa: E402
from tests.warm import LANGUAGES, Warm, hasten  # noqa: E402

# Generated tests try the same examples every time, so that a failure is always the change's; others are tried with
# `--hypothesis-profile=random`. With `--long` half of them are tried, by default a quarter.
hypothesis.settings.register_profile("random")
hypothesis.settings.register_profile("ragstone", derandomize=True, max_examples=50)
hypothesis.settings.register_profile("quick", derandomize=True, max_examples=25)

DROPPED = {
    *("CI", "BUILD_NUMBER", "LINES", "NO_COLOR", "FORCE_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "PY_COLORS"),
    *("PYTEST_ADDOPTS", "PYTEST_THEME", "PYTHONWARNINGS", "PYTHONIOENCODING", "PYTHONUTF8", "PYTHONPATH"),
    *("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY", "UV", "UV_RUN_RECURSION_DEPTH", *LANGUAGES),
}
"""Variables of the developer's machine that no test may notice; besides whole families of them."""
LONG = re.compile(r"^pytestmark = \[?\s*pytest\.mark\.long\b", re.MULTILINE)
"""How a file says that all of its tests are long."""
FAMILIES = ("RAGSTONE_", "LC_", "OPENAI", "GITHUB_", "OTEL_")

# Help is written in the language of the moment it is imported, and a time zone is kept by the process.
for _name in LANGUAGES:
    os.environ.pop(_name, None)
os.environ["TZ"] = "UTC"
if hasattr(time, "tzset"):
    time.tzset()

from ragstone.cli.front import main  # noqa: E402 - after the language is settled
from ragstone.core import offline  # noqa: E402

settle_names()
offline.guard([RESERVED])
hasten()

# Tests that run pytest inside pytest forget what was imported in between, and packages do not: a module that half of
# a library took from its package and the other half imports anew has two of each class.
assert http.cookiejar

Cli = Callable[..., subprocess.CompletedProcess[str]]
PlugIn = Callable[[str, str, str], Path]


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the switch for everything."""
    parser.addoption(
        "--long", action="store_true", help="also run the tests marked long, as continuous integration does"
    )


def pytest_configure(config: pytest.Config) -> None:
    """Compile the package once, before the workers start; say how many examples generated tests try."""
    _compile_no_test_file()
    if not config.getoption("--hypothesis-profile", None):
        hypothesis.settings.load_profile("ragstone" if config.getoption("--long") else "quick")
    if not hasattr(config, "workerinput"):
        compileall.compile_dir(Path(offline.__file__).parents[1], quiet=2)
        _compile_imported()


def _compile_no_test_file() -> None:
    """Keep what is compiled of libraries and of this repository, and nothing of the modules that tests write."""
    inner, kept = SourceFileLoader.set_data, (str(Path(__file__).parents[1]), sys.prefix)

    def set_data(self: SourceFileLoader, path: str, data: bytes, *, _mode: int = 0o666) -> None:
        if path.startswith(kept):
            inner(self, path, data, _mode=_mode)

    vars(machinery)["SourceFileLoader"].set_data = set_data


def _compile_imported() -> None:
    """Compile what pytest imported before us, where the machine keeps Python from doing so: every worker imports it."""
    for module in list(sys.modules.values()):
        spec = getattr(module, "__spec__", None)
        if spec and spec.has_location and spec.cached and not Path(spec.cached).exists():
            with suppress(OSError, py_compile.PyCompileError):
                py_compile.compile(spec.origin, spec.cached, quiet=2)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Do not even import files and folders that are long as a whole: a browser's library takes half a second."""
    if config.getoption("--long"):
        return None
    files = [collection_path] if collection_path.is_file() else sorted(collection_path.rglob("test_*.py"))
    return True if files and all(map(_is_long, files)) else None


@cache
def _is_long(file: Path) -> bool:
    return file.suffix == ".py" and LONG.search(file.read_text(encoding="utf-8")) is not None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the long tests, unless they are asked for; begin with what takes longest."""
    if not config.getoption("--long"):
        _leave_out_long(config, items)
    items.sort(key=lambda item: (item.name != "test_types_are_strict", not item.get_closest_marker("long")))
    items[:] = _dealt(items, int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1")))


def _dealt(items: list[pytest.Item], workers: int) -> list[pytest.Item]:
    """Deal modules out so that every worker, which begins with a part of the list, has its share of the long tests."""
    hands: list[list[pytest.Item]] = [[] for _ in range(workers)]
    for _, module in groupby(items, key=lambda item: (item.path, item.get_closest_marker("long") is not None)):
        min(hands, key=len).extend(module)
    return [item for hand in hands for item in hand]


def _leave_out_long(config: pytest.Config, items: list[pytest.Item]) -> None:
    named = {Path(word.partition("::")[0]).resolve() for word in config.args}
    left = [item for item in items if item.get_closest_marker("long") and item.path not in named]
    gone = set(left)
    items[:] = [item for item in items if item not in gone]
    config.hook.pytest_deselected(items=left)


def pytest_collection_finish(session: pytest.Session) -> None:
    """Keep what was imported and collected out of every later search for garbage, and search seldom."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(5_000, 20, 100)


_NUMBERS = count()


@pytest.fixture
def tmp_path(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty folder: as pytest makes it, but without a link to the latest of each name, which takes longest."""
    folder = tmp_path_factory.getbasetemp() / (re.sub(r"\W", "_", request.node.name)[:30] + str(next(_NUMBERS)))
    folder.mkdir(0o700)
    return folder


@pytest.fixture(autouse=True)
def clean_environment(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Take away what the developer's machine has set, and stand in an empty folder, in a terminal of 80 columns."""
    for name in list(os.environ):
        if name.startswith(FAMILIES) or name.upper() in DROPPED:
            monkeypatch.delenv(name)
    monkeypatch.setenv("COLUMNS", "80")
    # A module that a test writes twice within a second would be taken for the first one; see _compile_no_test_file.
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    # No test may reach beyond this machine; .invalid is reserved and never resolves.
    monkeypatch.setenv("RAGSTONE_OFFLINE", "1")
    monkeypatch.setenv("RAGSTONE_OFFLINE_ALLOW", RESERVED)
    # Runs of tests are marked with a key of their own, not with the developer's.
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path_factory.getbasetemp() / "state"))
    monkeypatch.chdir(tmp_path)


@pytest.fixture(scope="session")
def warm() -> Iterator[Warm]:
    """A process that has imported the command line, and forks where one is asked for."""
    own = {name: value for name, value in os.environ.items() if name.startswith("PYTHON") and name not in DROPPED}
    with Warm({**own, "PYTHONDONTWRITEBYTECODE": "1", "PYTHONWARNINGS": "error"}) as found:
        yield found


@pytest.fixture
def process(warm: Warm) -> Cli:
    """Run the command line in the test's folder, in a process of its own."""

    def run(
        *words: str | Path, env: dict[str, str] | None = None, seconds: float = 60
    ) -> subprocess.CompletedProcess[str]:
        given = [str(word) for word in words]
        whole = {**os.environ, "PYTHONWARNINGS": "error", **(env or {})}
        if not warm.takes(whole):
            return _cold(given, whole, seconds)
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            code = warm.run(given, whole, out.fileno(), err.fileno(), seconds)
            shown = [(stream.seek(0), stream.read().decode())[1] for stream in (out, err)]
        return subprocess.CompletedProcess(given, code, *shown)

    return run


def _cold(words: list[str], env: dict[str, str], seconds: float) -> subprocess.CompletedProcess[str]:
    """Run the command line in a Python that is started for it."""
    command = [sys.executable, "-m", "ragstone", *words]
    return subprocess.run(command, capture_output=True, encoding="utf-8", timeout=seconds, env=env, check=False)


@pytest.fixture
def inside(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> Cli:
    """Run the command line in the test's folder, inside the test's own process: many commands in little time."""

    def run(*words: object, env: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
        given = [str(word) for word in words]
        out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(2))
        with (
            monkeypatch.context() as patch,
            _as_before(tmp_path_factory.getbasetemp()),
            redirect_stdout(out),
            redirect_stderr(err),
        ):
            for name, value in (env or {}).items():
                patch.setenv(name, value)
            patch.setattr(sys, "argv", ["ragstone", *given])
            patch.setattr(offline._GUARD, "refusals", {})
            code = _ended(main)
        shown = (_text(stream) for stream in (out, err))
        return subprocess.CompletedProcess(given, code, *shown)

    return run


def _ended(act: Callable[[], None]) -> int:
    """Return the exit code a process would end with."""
    try:
        act()
    except SystemExit as ended:
        return ended.code if isinstance(ended.code, int) else 0
    return 0


def _text(stream: io.TextIOWrapper) -> str:
    stream.flush()
    raw = stream.buffer
    assert isinstance(raw, io.BytesIO)
    return raw.getvalue().decode("utf-8")


@contextmanager
def _as_before(folders: Path) -> Iterator[None]:
    """Forget the modules that commands took from the folders of tests, before and after, and where they looked."""
    path = list(sys.path)
    _forget(folders)
    try:
        yield
    finally:
        sys.path[:] = path
        _forget(folders)


_ELSEWHERE: set[str] = set()
"""Modules that are known to come from no folder of a test: there are thousands, and commands are many."""


def _forget(folders: Path) -> None:
    for name in sys.modules.keys() - _ELSEWHERE:
        if str(getattr(sys.modules[name], "__file__", None) or "").startswith(f"{folders}{os.sep}"):
            del sys.modules[name]
        else:
            _ELSEWHERE.add(name)


@pytest.fixture
def cli(process: Cli, inside: Cli) -> Cli:
    """Run the command line in the test's folder: inside, or in a process of its own where its language is set."""

    def run(
        *words: str | Path, env: dict[str, str] | None = None, seconds: float = 60
    ) -> subprocess.CompletedProcess[str]:
        if set(LANGUAGES) & set(env or ()) or threading.current_thread() is not threading.main_thread():
            return process(*words, env=env, seconds=seconds)
        return inside(*words, env=env)

    return run


@pytest.fixture
def write_rows(tmp_path: Path) -> Callable[..., Path]:
    """Write a JSONL file into the test's folder."""

    def write(name: str, *rows: object) -> Path:
        path = tmp_path / name
        lines = (row if isinstance(row, str) else json.dumps(row, ensure_ascii=False) for row in rows)
        path.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
        return path

    return write


@pytest.fixture
def plug_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> PlugIn:
    """Install a package that adds one name, and return the folder its modules belong into."""

    def install(group: str, name: str, target: str) -> Path:
        about = tmp_path / "site" / f"{name}-1.0.dist-info"
        about.mkdir(parents=True)
        (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        (about / "entry_points.txt").write_text(f"[{group}]\n{name} = {target}\n")
        monkeypatch.syspath_prepend(str(about.parent))
        return about.parent

    return install
