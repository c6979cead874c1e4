"""`demo`: the built-in RAG answers a bundled, fictional set of documents."""

from pathlib import Path

import click

from ragstone import api
from ragstone.cli import flags
from ragstone.cli.commands.run import conclude
from ragstone.cli.front import is_english
from ragstone.cli.log import watchers
from ragstone.cli.program import command
from ragstone.cli.wording import choose
from ragstone.core.types import JSON

DATA = Path(__file__).parents[2] / "data"
SETS = {"zh": DATA / "key_points", "en": DATA / "key_points_en"}


@click.command(help=choose("Run the bundled example: no key, no network.", "运行内置示例：无需密钥和网络。"))
@click.option(
    "--set",
    "name",
    type=click.Choice(list(SETS)),
    help=choose(
        "Which example; zh, or en where the language is set to English.", "选择示例；默认 zh，语言设为英文时为 en。"
    ),
)
@flags.watching
def demo(name: str | None, **given: JSON) -> None:
    """Run the example."""
    chosen = SETS[name or ("en" if is_english() else "zh")]
    documents = chosen / "documents"
    done = api.evaluate(
        chosen / "questions.jsonl",
        [f"builtin:{documents}"],
        documents=documents,
        settings=flags.settings_of(given),
        watchers=watchers(given, hint=command("new", "key_points", "my-eval")),
    )
    conclude(done, as_json=given["as_json"])
