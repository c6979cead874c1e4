"""The project itself: layers, style, types, exported names, and nothing that does not belong in it."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import ragstone

ROOT = Path(__file__).parents[2]


def _run(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(words, cwd=ROOT, capture_output=True, encoding="utf-8", check=False)


def _script(name: str) -> str:
    return str(Path(sys.executable).parent / name)


def test_a_file_imports_only_from_the_floors_below() -> None:
    """import-linter proves the layers."""
    done = _run(_script("lint-imports"), "--no-cache")

    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("words", [("check",), ("format", "--check")])
def test_style_is_clean(words: tuple[str, ...]) -> None:
    """Ruff has nothing to say."""
    done = _run(_script("ruff"), *words)

    assert done.returncode == 0, done.stdout


@pytest.mark.timeout(400)
def test_types_are_strict() -> None:
    """Mypy has nothing to say."""
    done = _run(_script("mypy"))

    assert done.returncode == 0, done.stdout


def test_every_exported_name_is_there() -> None:
    """`ragstone` names what it exports."""
    for name in ragstone.__all__:
        assert getattr(ragstone, name) is not None
    assert sorted(ragstone.__all__) == ragstone.__all__
    with pytest.raises(AttributeError):
        _ = ragstone.no_such_name


def test_the_version_is_told_once() -> None:
    """The package and the project file agree."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))

    assert project["project"]["version"] == ragstone.__version__


def test_importing_ragstone_is_light() -> None:
    """`import ragstone` and --help pull in nothing heavy."""
    heavy = ("httptools", "pydantic", "fastapi", "rjieba", "msgspec", "jinja2", "yaml")
    code = f"import sys, ragstone, ragstone.cli.main; print([m for m in {heavy} if m in sys.modules])"

    assert _run(sys.executable, "-c", code).stdout.strip() == "[]"


def test_a_run_loads_only_what_it_needs() -> None:
    """Neither YAML nor the gate is loaded for a run of key points that has none."""
    needed = "ragstone.cli.commands.run, ragstone.contracts.key_points.contract, ragstone.systems.chat"
    heavy = ("yaml", "ragstone.trust.gate", "ragstone.trust.compare", "rjieba", "pydantic")
    code = f"import sys, {needed}; print([m for m in {heavy} if m in sys.modules])"

    assert _run(sys.executable, "-c", code).stdout.strip() == "[]"


def test_the_front_page_needs_next_to_nothing() -> None:
    """`ragstone --help` imports neither the command line's library nor what is slow in the standard one."""
    code = "import sys; sys.argv[1:] = ['--help']; from ragstone.cli.front import main; main(); print(*sys.modules)"
    *page, loaded = _run(sys.executable, "-c", code).stdout.splitlines()

    assert any("ragstone demo" in line for line in page)
    assert not {"click", "typing", "inspect", "asyncio", "msgspec"} & set(loaded.split())


@pytest.mark.parametrize("name", ["README.md", "README.zh-CN.md"])
def test_the_readme_is_short_and_leads_on(name: str) -> None:
    """60 to 160 lines, both commands, and no dead link."""
    text = (ROOT / name).read_text(encoding="utf-8")

    assert 60 <= len(text.splitlines()) <= 160
    assert "ragstone demo" in text
    assert "uv run pytest" in text
    for target in re.findall(r"\]\((?!http)([^)#]+)", text):
        assert (ROOT / target).exists(), target


def test_the_command_line_page_is_current() -> None:
    """docs/cli.md is what the commands say of themselves."""
    done = _run(sys.executable, "scripts/make_cli_docs.py", "--check")

    assert done.returncode == 0, "run: uv run python scripts/make_cli_docs.py"


_CODE = re.compile(r"```.*?```", re.DOTALL)


def test_no_link_in_the_docs_is_dead() -> None:
    """Every page a page names is there, with the heading it names."""
    for page in [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]:
        text = re.sub("`[^`\n]*`", "", _CODE.sub("", page.read_text(encoding="utf-8")))
        for target, heading in re.findall(r"\]\((?!\w+:)([^)#\s]*)#?([^)\s]*)\)", text):
            found = page.parent / target if target else page
            assert found.exists(), f"{page.name}: {target}"
            assert not heading or heading in _headings(found), f"{page.name}: {target}#{heading}"


def _headings(page: Path) -> set[str]:
    """Return the anchors of a page's headings, as code hosts make them."""
    lines = re.findall(r"^#+ (.+)$", _CODE.sub("", page.read_text(encoding="utf-8")), flags=re.MULTILINE)
    return {re.sub(r"[^\w -]", "", line.lower()).replace(" ", "-") for line in lines}
