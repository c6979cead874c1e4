"""`verify`: can a stored run still be made again from its parts?"""

import click

from ragstone.api import opened_engine
from ragstone.cli import flags
from ragstone.cli.flags import engine_of, judging
from ragstone.cli.output import print_json, print_lines
from ragstone.cli.program import as_typed
from ragstone.cli.stored_runs import open_run, reader, shared
from ragstone.cli.wording import choose
from ragstone.report.verification import verification_lines
from ragstone.trust.verify import verify as verify_run

EXIT_CODES = {"identical": 0, "drift": 1, "partial": 3}


@click.command(
    help=choose(
        "Hash everything RUN was made of, score its recorded answers again, and name what is no longer the same. "
        "Exit codes: 0 identical, 1 drift, 2 unusable, 3 partial.",
        "重新计算 RUN 所有组成部分的哈希，对已录制的回答重新评分，并指出不再相同之处。"
        "退出码：0 一致，1 有偏移，2 无法使用，3 不完整。",
    )
)
@click.argument("run_name", metavar="RUN", default="latest")
@judging
@flags.trust_run
@shared
def verify(
    run_name: str,
    *,
    engine: str | None,
    workers: str | None,
    trust_run: bool,
    runs_dir: str | None,
    language: str | None,
    as_json: bool,
) -> None:
    """Verify a run."""
    lang, folder = reader(language), open_run(run_name, runs_dir)
    with opened_engine(engine_of(engine, workers)) as judges:
        found = verify_run(folder, judges, guard=flags.guard_of(trust_run))
    if as_json:
        print_json(found)
    else:
        print_lines(map(as_typed, verification_lines(found, lang)))
    raise click.exceptions.Exit(EXIT_CODES[found.status])
