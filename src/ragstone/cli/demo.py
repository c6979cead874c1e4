"""`demo`: the built-in RAG answers a bundled, fictional set of documents."""

from pathlib import Path

import click

from ragstone import api
from ragstone.cli.run import conclude, output, settings_of
from ragstone.cli.watch import Watch
from ragstone.cli.wording import choose
from ragstone.types import JSON

DATA = Path(__file__).parent.parent / "data"
SETS = {"zh": DATA / "key_points", "en": DATA / "key_points_en"}


@click.command(help=choose("Run the bundled example: no key, no network.", "运行内置示例：无需密钥和网络。"))
@click.option(
    "--set",
    "name",
    type=click.Choice(list(SETS)),
    default="zh",
    show_default=True,
    help=choose("Which example.", "选择示例。"),
)
@output
def demo(name: str, **flags: JSON) -> None:
    """Run the example."""
    documents = SETS[name] / "documents"
    done = api.evaluate(
        SETS[name] / "questions.jsonl",
        [f"builtin:{documents}"],
        documents=documents,
        settings=settings_of(flags),
        watchers=[Watch(quiet=flags["quiet"] or flags["as_json"], hint="ragstone new key_points my-eval")],
    )
    conclude(done, as_json=flags["as_json"])
