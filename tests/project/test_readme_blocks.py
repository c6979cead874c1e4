"""The README's code blocks, taken from the README and run in their order on a machine that has Python and pip only."""

import asyncio
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.bridges.samples import SAMPLES
from tests.loopback import Loopback, Reply, completion

ROOT = Path(__file__).parents[2]
READMES = ("README.md", "README.zh-CN.md")
CLONED = ("pyproject.toml", "README.md", "LICENSE", "NOTICE", "src", "scripts")
LIGHTRAG = {"response": "9 am, ten books", "references": [{"reference_id": "1", "file_path": "opening_hours.md"}]}


def blocks(name: str, kind: str) -> list[str]:
    """Return the code blocks of a README, without comments."""
    text = (ROOT / name).read_text(encoding="utf-8")
    found = re.findall(rf"```{kind}\n(.*?)```", text, re.DOTALL)
    return [re.sub(r"[ \t]+#.*", "", block) for block in found]


@pytest.mark.parametrize("kind", ["bash", "python"])
def test_both_readmes_have_the_same_blocks(kind: str) -> None:
    """What is shown to work in one language works in the other."""
    assert blocks(READMES[0], kind) == blocks(READMES[1], kind)
    assert len(blocks(READMES[0], kind)) >= 2


@pytest.fixture
def machine(tmp_path: Path) -> dict[str, str]:
    """Make a home, a PATH of one Python and the tools every system has, and a copy of the sources."""
    tools = tmp_path / "bin"
    tools.mkdir()
    (tools / "python3").symlink_to(Path(sys.base_prefix) / "bin" / "python3")
    for tool in ("bash", "cp", "env", "git", "uname"):
        (tools / tool).symlink_to(shutil.which(tool) or pytest.skip(f"{tool} is not here"))
    clone = tmp_path / "clone"
    clone.mkdir()
    for name in CLONED:
        source = ROOT / name
        copy = shutil.copytree if source.is_dir() else shutil.copy
        copy(source, clone / name)
    # How packages are reached is the machine's affair, not the README's.
    kept = {key: value for key, value in os.environ.items() if key.startswith(("PIP_", "UV_", "SSL_", "REQUESTS_"))}
    return {**kept, "HOME": str(tmp_path), "PATH": str(tools), "LANG": "en_US.UTF-8", "PIP_CACHE_DIR": _cache()}


def _cache() -> str:
    done = subprocess.run([sys.executable, "-m", "pip", "cache", "dir"], capture_output=True, text=True, check=False)
    return done.stdout.strip()


@pytest.mark.long
@pytest.mark.timeout(400)
async def test_the_blocks_run_in_their_order(machine: dict[str, str], tmp_path: Path) -> None:
    """Install, own data, what needs a service (on loopback here), Python and pytest; only the page stays closed."""
    install, own, needing, *_ = blocks(READMES[0], "bash")
    script, tests = blocks(READMES[0], "python")
    shutil.copy(SAMPLES / "deepeval" / "test_run.json", tmp_path / "results.json")
    (tmp_path / "mine.csv").write_text("Question,Answer\nWhen does it open?,9 am\n", encoding="utf-8")
    (tmp_path / "script.py").write_text(script, encoding="utf-8")
    (tmp_path / "test_answers.py").write_text(tests, encoding="utf-8")
    lines = [
        *("set -e\n", install, own.replace("ragstone serve\n", "ragstone serve --help\n"), "cp ../*.* .\n", needing),
        *(
            "python script.py\n",
            "pip install --quiet pytest\n",
            "python -m pytest -q -p no:cacheprovider test_answers.py\n",
        ),
    ]

    async with Loopback(script=_service) as server:
        services = {"LIGHTRAG_URL": server.url, "OPENAI_BASE_URL": server.url, "OPENAI_API_KEY": "sk-none"}
        typed = "".join(lines).replace("http://localhost:9000", server.url)
        said = await asyncio.to_thread(_typed, typed, tmp_path / "clone", machine | services)

    assert "2 passed" in said.splitlines()[-1]


def _service(body: Mapping[str, Any], number: int) -> Reply:
    if "question" in body:
        return Reply({"answer": "9 am, ten books", "citations": ["opening_hours.md"]})
    return Reply(LIGHTRAG if "query" in body else completion("9 am, ten books"))


def _typed(lines: str, folder: Path, env: dict[str, str]) -> str:
    done = subprocess.run(
        ["bash"], input=lines, cwd=folder, env=env, capture_output=True, encoding="utf-8", check=False
    )
    assert done.returncode == 0, f"{done.stdout}{done.stderr}"
    return done.stdout.strip()


@pytest.mark.long
@pytest.mark.timeout(400)
@pytest.mark.parametrize("tool", ["uv", "pipx"])
def test_a_new_terminal_knows_the_command(machine: dict[str, str], tmp_path: Path, tool: str) -> None:
    """What the README says for every folder and terminal, typed, and then a login shell elsewhere."""
    text = (ROOT / READMES[0]).read_text(encoding="utf-8")
    line = next(
        line for line in re.findall(r"`([^`\n]+)`", text) if line.startswith(f"{tool} ") and " install ." in line
    )
    _typed(f"python3 -m venv {tmp_path}/tools && {tmp_path}/tools/bin/pip install -q {tool}", tmp_path, machine)
    typing = machine | {"PATH": f"{machine['PATH']}:{tmp_path}/tools/bin", "SHELL": str(tmp_path / "bin" / "bash")}
    _typed(line, tmp_path / "clone", typing)

    done = subprocess.run(["bash", "-lc", "ragstone --version"], cwd="/", env=machine, capture_output=True, check=False)

    assert done.stdout.startswith(b"ragstone 0."), done.stderr
