"""The examples at the end of each command's help, typed."""

import asyncio
import shlex
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from ragstone.cli.commands.new import TEMPLATES
from ragstone.cli.examples import EXAMPLES
from ragstone.cli.front import COMMANDS
from tests.bridges.samples import SAMPLES
from tests.conftest import Cli
from tests.loopback import Loopback, Reply, completion

LEFT_OUT = ("serve", "judge", "certify")
"""Only their help is shown: a page that stays open, a judge and labels that nobody has here."""


@pytest.fixture
def folder(inside: Cli, tmp_path: Path) -> Path:
    """Make what the examples speak of: starter files, two runs, tables of one's own, another tool's results."""
    inside("new", "key_points", ".")
    shutil.copytree(TEMPLATES.parent / "key_points" / "documents", "handbook")
    shutil.copy(SAMPLES / "deepeval" / "test_run.json", "results.json")
    Path("mine.csv").write_text("prompt,expected\n几点开门？,九点\n", encoding="utf-8")
    Path("recorded.csv").write_text("question,gold,response\n几点开门？,九点,九点开门\n", encoding="utf-8")
    table = "case,point,answer_text,verdict,reviewer\nQ1,九点,九点开门,stated,lin\n"
    Path("reviewed.csv").write_text(table, encoding="utf-8")
    for part in "12":
        shard = ("--shard", f"{part}/2", "--run-id", f"part-{part}", "-q")
        assert inside("run", "questions.jsonl", "-s", "builtin:documents", *shard).returncode == 0
    return tmp_path


def _service(body: Mapping[str, Any], number: int) -> Reply:
    return Reply({"response": "九点", "references": []} if "query" in body else completion("九点"))


def test_every_command_has_an_example_of_its_own() -> None:
    """Each line begins with the command it stands under, and the order is that of the front page."""
    assert list(EXAMPLES) == sorted(EXAMPLES, key=list(COMMANDS).index)
    assert EXAMPLES.keys() == COMMANDS.keys()
    for name, lines in EXAMPLES.items():
        assert lines and all(shlex.split(line)[0] == name for line, _, _ in lines)


async def test_the_examples_run(inside: Cli, folder: Path) -> None:
    """In the order of the help, with services on loopback."""
    lines = [
        line for name in ("run", *EXAMPLES) for line, _, _ in EXAMPLES[name] if name != "run" or "--run-id" in line
    ]
    lines += [line for line, _, _ in EXAMPLES["run"] if "--run-id" not in line]
    async with Loopback(script=_service) as server:
        env = {"LIGHTRAG_URL": server.url, "OPENAI_BASE_URL": server.url, "OPENAI_API_KEY": "sk-0123456789"}
        for line in dict.fromkeys(lines):
            words = [*shlex.split(line), *(["--help"] if line.startswith(LEFT_OUT) else [])]
            done = await asyncio.to_thread(inside, *words, env=env)
            assert done.returncode == 0, f"{line}\n{done.stdout}{done.stderr}"


@pytest.mark.parametrize(
    ("lang", "head"), [("en_US.UTF-8", "Examples:"), ("zh_CN.UTF-8", "示例："), ("zh_TW", "範例：")]
)
def test_help_shows_them_in_the_readers_language(process: Cli, lang: str, head: str) -> None:
    """The line is the same; what it is for is told in the language of the help."""
    shown = process("gate", "--help", env={"LANG": lang}).stdout

    line, english, chinese = EXAMPLES["gate"][0]
    assert head in shown and f"ragstone {line}" in shown
    assert (english in shown) == (lang == "en_US.UTF-8") and (chinese in shown) == (lang == "zh_CN.UTF-8")
