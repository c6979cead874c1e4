"""`run`, `score` and `resume`."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import click
from msgspec import to_builtins

from ragstone import api
from ragstone.cli.watch import Watch
from ragstone.cli.wording import choose
from ragstone.errors import SettingError
from ragstone.gating import Gated
from ragstone.language import pick_language
from ragstone.settings import Settings, read_settings
from ragstone.store.catalogue import find_run
from ragstone.types import JSON

F = TypeVar("F", bound=Callable[..., object])


def common(command: F) -> F:
    """Add the flags every command that works through a dataset has."""
    for option in (
        click.option(
            "--contract",
            help=choose("Contract to use; recognised from the dataset when left out.", "使用的契约；省略时自动识别。"),
        ),
        click.option(
            "--documents",
            type=click.Path(path_type=Path),
            help=choose("Folder of the documents the answers rest on.", "回答所依据的文档文件夹。"),
        ),
        click.option(
            "--option",
            "-o",
            "pairs",
            multiple=True,
            metavar="NAME=VALUE",
            help=choose("Option of the contract.", "契约选项。"),
        ),
        click.option(
            "--max-samples", type=click.IntRange(1), help=choose("Only the first N cases.", "只取前 N 个用例。")
        ),
        click.option("--run-id", help=choose("Name of the run's folder.", "运行文件夹的名称。")),
    ):
        command = option(command)
    return output(command)


def output(command: F) -> F:
    """Add the flags every command that watches a run has."""
    for option in (
        click.option(
            "--concurrency", "-c", type=click.IntRange(1, 4096), help=choose("Requests in flight.", "并发请求数。")
        ),
        click.option("--timeout", type=float, help=choose("Seconds a case may take.", "单个用例的超时秒数。")),
        click.option("--runs-dir", help=choose("Folder that holds the runs.", "保存运行的文件夹。")),
        click.option(
            "--lang",
            "language",
            help=choose("Language of the verdicts: en, zh-Hans, zh-Hant.", "评语语言：en、zh-Hans、zh-Hant。"),
        ),
        click.option(
            "--mask-private",
            is_flag=True,
            default=None,
            help=choose(
                "Hide id numbers, phones, addresses and accounts in reports.", "在报告中遮盖证件号、电话、地址和账号。"
            ),
        ),
        click.option("--quiet", "-q", is_flag=True, help=choose("Print nothing but errors.", "只输出错误。")),
        click.option(
            "--json", "as_json", is_flag=True, help=choose("Print the summary as JSON.", "以 JSON 输出汇总。")
        ),
    ):
        command = option(command)
    return command


@click.command(
    help=choose(
        "Ask a system every case of DATASET and score the answers.\n\n\b\n"
        "Systems: builtin:FOLDER        the built-in RAG over a folder of documents\n"
        "         python:MODULE:NAME    your function, or an object with .query()\n"
        "         chat:MODEL            an OpenAI-compatible endpoint (-O base_url=…)\n"
        "         http_json:FILE        any service, described in YAML; or a preset: lightrag, ragflow, dify, fastgpt\n"
        "         NAME                  a [systems.NAME] table of ragstone.toml\n"
        "         replay:ANSWERS.jsonl  recorded answers",
        "向系统提出 DATASET 中的每个问题并评分。\n\n\b\n"
        "系统：builtin:文件夹          基于文档文件夹的内置 RAG\n"
        "      python:模块:名称        你的函数，或带 .query() 的对象\n"
        "      chat:模型               OpenAI 兼容接口（-O base_url=…）\n"
        "      http_json:文件          用 YAML 描述的任意服务；或预设：lightrag、ragflow、dify、fastgpt\n"
        "      名称                    ragstone.toml 中的 [systems.名称]\n"
        "      replay:回答.jsonl       已录制的回答",
    )
)
@click.argument("dataset", type=click.Path(path_type=Path))
@click.option(
    "--system",
    "-s",
    "systems",
    multiple=True,
    metavar="KIND:ARGUMENT",
    help=choose("System to ask; may be repeated.", "被测系统，可重复。"),
)
@click.option(
    "--system-option",
    "-O",
    "system_pairs",
    multiple=True,
    metavar="NAME=VALUE",
    help=choose("Option of the system.", "系统选项。"),
)
@click.option(
    "--cache",
    is_flag=False,
    flag_value=".ragstone/answers.sqlite",
    metavar="[FILE]",
    help=choose("Keep answers and reuse them in later runs.", "保存回答并在以后的运行中复用。"),
)
@click.option(
    "--repeats",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    help=choose("Ask each case N times.", "每个用例提问 N 次。"),
)
@click.option(
    "--gate-on",
    type=click.Path(path_type=Path),
    metavar="GATE_SET",
    help=choose("Run this smaller set first; go on only when it passes.", "先运行这个较小的样例集，通过后才继续。"),
)
@click.option(
    "--gate-rule",
    "gate_rules",
    multiple=True,
    help=choose("Rule of that gate, instead of the contract's own.", "门禁规则，替换契约自带的规则。"),
)
@click.option(
    "--force",
    is_flag=True,
    help=choose("Go on when the gate fails; it is recorded.", "门禁未通过也继续；会被记录。"),
)
@click.option(
    "--mock",
    is_flag=True,
    help=choose(
        "Dry run: the contract's own perfect answers, no calls.", "试运行：使用契约自带的标准回答，不发出请求。"
    ),
)
@common
def run(
    dataset: Path,
    systems: tuple[str, ...],
    system_pairs: tuple[str, ...],
    cache: str | None,
    repeats: int,
    mock: bool,
    *,
    gate_on: Path | None,
    gate_rules: tuple[str, ...],
    force: bool,
    **flags: JSON,
) -> None:
    """Ask and score."""
    options = pairs_to_options(system_pairs) | ({"answer_cache": cache} if cache else {})
    more = {"repeats": repeats, "mock": mock, "system_options": options}
    if gate_on is None:
        _evaluate(dataset, systems, flags, **more)
    else:
        _evaluate_behind_gate(dataset, gate_on, systems, flags, rules=gate_rules, force=force, **more)


@click.command(
    help=choose(
        "Score recorded ANSWERS (JSON lines: id, output, contexts?, citations?) against DATASET; makes no calls.",
        "用 DATASET 对已录制的 ANSWERS（每行一个 JSON 对象：id、output、contexts?、citations?）评分，不发出请求。",
    )
)
@click.argument("dataset", type=click.Path(path_type=Path))
@click.argument("answers", type=click.Path(path_type=Path))
@common
def score(dataset: Path, answers: Path, **flags: JSON) -> None:
    """Score recorded answers."""
    _evaluate(dataset, (f"replay:{answers}",), flags)


def _evaluate(dataset: Path, systems: tuple[str, ...], flags: dict[str, JSON], **more: JSON) -> None:
    conclude(api.evaluate(dataset, list(systems), **_choices(flags), **more), as_json=flags["as_json"])


def _evaluate_behind_gate(
    dataset: Path, gate_set: Path, systems: tuple[str, ...], flags: dict[str, JSON], **more: JSON
) -> None:
    """Run the gate set, show its verdict, and go on only when it passed or is forced."""
    from ragstone.gate_first import evaluate_behind_gate  # noqa: PLC0415 - only a gated run needs the gate
    from ragstone.report.verdict import verdict_lines  # noqa: PLC0415

    def show(gated: Gated) -> None:
        if not (flags["quiet"] or flags["as_json"]):
            for line in verdict_lines(gated.verdict, pick_language(choose("en", "zh"))):
                click.echo(line)

    done = evaluate_behind_gate(dataset, gate_set, list(systems), on_verdict=show, **_choices(flags), **more)
    if done.full_run is not None:
        conclude(done.full_run, as_json=flags["as_json"])
        return
    if flags["as_json"]:
        data = {"folder": str(done.gate_run.folder), "gate": to_builtins(done.gated.verdict)}
        click.echo(json.dumps(data, ensure_ascii=False, indent=2))
    raise click.exceptions.Exit(1 if done.gated.verdict.outcome == "FAIL" else 3)


def _choices(flags: dict[str, JSON]) -> dict[str, JSON]:
    """Turn flags into what `api.evaluate` takes."""
    return {
        "contract": flags["contract"],
        "documents": flags["documents"],
        "options": pairs_to_options(flags["pairs"]),
        "run_id": flags["run_id"],
        "max_samples": flags["max_samples"],
        "settings": settings_of(flags),
        "watchers": [Watch(quiet=flags["quiet"] or flags["as_json"])],
    }


@click.command(
    help=choose(
        "Continue RUN: asks exactly what is unanswered, then scores.", "继续 RUN：只提出尚未回答的问题，然后评分。"
    )
)
@click.argument("run_name", metavar="RUN")
@click.option("--retry-failed", is_flag=True, help=choose("Ask again what failed.", "重新提问失败的用例。"))
@click.option(
    "--system",
    "-s",
    "systems",
    multiple=True,
    help=choose("System, when the run cannot name it.", "系统（运行记录中没有时）。"),
)
@click.option(
    "--system-option",
    "-O",
    "system_pairs",
    multiple=True,
    metavar="NAME=VALUE",
    help=choose("Option of the system, instead of the run's own.", "系统选项，替换运行原有的选项。"),
)
@output
def resume(
    run_name: str, retry_failed: bool, systems: tuple[str, ...], system_pairs: tuple[str, ...], **flags: JSON
) -> None:
    """Continue a run."""
    settings = settings_of(flags)
    folder = find_run(Path(settings.runs_dir), run_name).path
    watch = Watch(quiet=flags["quiet"] or flags["as_json"])
    options = pairs_to_options(system_pairs)
    done = api.resume(
        folder,
        list(systems),
        retry_failed=retry_failed,
        system_options=options,
        settings=settings,
        watchers=[watch],
    )
    conclude(done, as_json=flags["as_json"])


def settings_of(flags: dict[str, JSON]) -> Settings:
    """Read the settings with a command's flags on top."""
    names = ("concurrency", "timeout", "runs_dir", "language", "mask_private")
    return read_settings({name: flags.get(name) for name in names})


def pairs_to_options(pairs: tuple[str, ...]) -> dict[str, JSON]:
    """Turn NAME=VALUE flags into options; a value that is JSON is taken as such."""
    options: dict[str, JSON] = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not name or not equals:
            raise SettingError("option.pair", pair=pair)
        try:
            options[name] = json.loads(value)
        except ValueError:
            options[name] = value
    return options


def conclude(done: api.Run, *, as_json: bool) -> None:
    """Print the JSON if asked for, and leave with the exit code the run deserves."""
    if as_json:
        data = {"folder": str(done.folder), **to_builtins(done.summary)}
        click.echo(json.dumps(data, ensure_ascii=False, indent=2))
    failed = sum(figures.all.errored for figures in done.summary.models.values())
    if done.stopped.startswith("SIG"):
        raise click.exceptions.Exit(130)
    if failed or done.summary.status == "partial":
        raise click.exceptions.Exit(3)
