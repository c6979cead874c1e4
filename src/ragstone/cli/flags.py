"""The flags several commands have, each written once, and how they become settings and options."""

import json
import math
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from ragstone.cli.wording import choose
from ragstone.core.errors import SettingError
from ragstone.core.language import Lang, pick_language
from ragstone.core.masking import MASK, names_secret
from ragstone.core.messages import message
from ragstone.core.settings import Settings, read_settings
from ragstone.core.types import FACTS, JSON
from ragstone.runs.store.admission import OWN, TRUSTING, Guard, Risk, risk_lines
from ragstone.runs.store.folder import RunFolder
from ragstone.text.visible import visible_line

if TYPE_CHECKING:
    from ragstone.api import Judging

F = TypeVar("F", bound=Callable[..., object])
Flag = Callable[[F], F]

KEPT_ANSWERS = ".ragstone/answers.sqlite"
SETTINGS = ("concurrency", "timeout", "runs_dir", "language", "mask_private")


class Place(click.Path):
    """A file or folder here, or a file in an object store, which is fetched."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        """Return a path that can be opened."""
        if isinstance(value, str) and "://" in value:
            from ragstone.datasets.fetch import at_hand  # noqa: PLC0415 - few datasets lie elsewhere

            return at_hand(value)
        return Path(str(super().convert(value, param, ctx)))


class Milliseconds(click.FloatRange):
    """A time that can be waited."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Return a finite number of 0 or more."""
        try:
            number = float(value)
        except ValueError:
            number = math.nan
        if not 0 <= number < math.inf:
            raise SettingError("flag.number", flag=param.opts[0] if param else self.name, value=str(value))
        return number


PLACE = Place(path_type=Path)
contract = click.option(
    "--contract",
    help=choose("Contract to use; recognised from the dataset when left out.", "使用的契约；省略时自动识别。"),
)
documents = click.option(
    "--documents",
    type=click.Path(path_type=Path),
    help=choose("Folder of the documents the answers rest on.", "回答所依据的文档文件夹。"),
)
_MAP, _GLOSSARY = "ragstone.map", "ragstone.glossary"


def _note_map(ctx: click.Context, parameter: click.Parameter, pairs: tuple[str, ...]) -> None:
    """Keep what --map says until the contract's options are gathered."""
    ctx.meta[_MAP] = dict(_pair(pair) for pair in pairs)


def _note_glossary(ctx: click.Context, parameter: click.Parameter, file: str | None) -> None:
    """Keep what --glossary says until the contract's options are gathered."""
    ctx.meta[_GLOSSARY] = file


def _pair(text: str) -> tuple[str, str]:
    """Split NAME=VALUE."""
    name, equals, value = text.partition("=")
    if not name or not equals:
        raise SettingError("option.pair", pair=MASK if names_secret(text) else text)
    return name, value


_option = click.option(
    "--option", "-o", "pairs", multiple=True, metavar="NAME=VALUE", help=choose("Option of the contract.", "契约选项。")
)
columns = click.option(
    "--map",
    multiple=True,
    metavar="FIELD=COLUMN",
    expose_value=False,
    callback=_note_map,
    help=choose(
        "Column of a field (question, gold, documents, id, answer, contexts) that its name does not tell.",
        "指定字段（question、gold、documents、id、answer、contexts）所在的列，列名无法识别时使用。",
    ),
)
glossary = click.option(
    "--glossary",
    metavar="FILE",
    expose_value=False,
    callback=_note_glossary,
    help=choose(
        'File of your own words that mean the same, a line each: SSO = single sign-on. "" for none.',
        "自定义同义词文件，每行一组：专票 = 增值税专用发票。“” 表示不使用。",
    ),
)
max_samples = click.option(
    "--max-samples", type=click.IntRange(1), help=choose("Only the first N cases.", "只取前 N 个用例。")
)
run_id = click.option("--run-id", help=choose("Name of the run's folder.", "运行文件夹的名称。"))
systems = click.option(
    "--system",
    "-s",
    "systems",
    multiple=True,
    metavar="KIND:ARGUMENT",
    help=choose("System to ask; may be repeated.", "被测系统，可重复。"),
)
system_option = click.option(
    "--system-option",
    "-O",
    "system_pairs",
    multiple=True,
    metavar="NAME=VALUE",
    help=choose("Option of the system.", "系统选项。"),
)
cache = click.option(
    "--cache",
    is_flag=False,
    flag_value=KEPT_ANSWERS,
    metavar="[FILE]",
    help=choose("Keep answers and use them again in later runs.", "保存回答并在以后的运行中复用。"),
)
repeats = click.option(
    "--repeats",
    type=click.IntRange(1, 10_000),
    default=1,
    show_default=True,
    help=choose("Ask each case N times.", "每个用例提问 N 次。"),
)
concurrency = click.option(
    "--concurrency", "-c", type=click.IntRange(1, 4096), help=choose("Requests in flight.", "并发请求数。")
)
timeout = click.option(
    "--timeout", type=float, help=choose("Seconds one attempt at a case may take.", "单个用例每次尝试的超时秒数。")
)
runs_dir = click.option("--runs-dir", help=choose("Folder that holds the runs.", "保存运行的文件夹。"))
language = click.option(
    "--lang", "language", help=choose("Language: en, zh-Hans, zh-Hant.", "语言：en、zh-Hans、zh-Hant。")
)
mask_private = click.option(
    "--mask-private",
    is_flag=True,
    default=None,
    help=choose(
        "Hide id numbers, phones, addresses and accounts in reports.", "在报告中遮盖证件号、电话、地址和账号。"
    ),
)


def _go_offline(ctx: click.Context, parameter: click.Parameter, given: bool) -> None:
    """Guard the process before the command begins; child processes inherit it by the environment."""
    if given:
        os.environ["RAGSTONE_OFFLINE"] = "1"
        go_offline()


offline = click.option(
    "--offline",
    is_flag=True,
    expose_value=False,
    callback=_go_offline,
    help=choose(
        "Refuse every connection but to this machine and RAGSTONE_OFFLINE_ALLOW.",
        "拒绝一切连接，本机与 RAGSTONE_OFFLINE_ALLOW 除外。",
    ),
)
engine = click.option(
    "--engine",
    metavar="ENGINE",
    help=choose(
        "Where answers are judged: inproc, process:N, dask://HOST:PORT.",
        "评分引擎：inproc、process:N、dask://主机:端口。",
    ),
)
workers = click.option(
    "--workers",
    metavar="N",
    help=choose("Judge with N processes, or auto for every core.", "用 N 个进程评分，auto 表示全部核心。"),
)
shard = click.option(
    "--shard",
    default="",
    metavar="I/N",
    help=choose(
        "Ask only the I-th of N parts; limits are divided by N. Join them with `ragstone merge`.",
        "只提问 N 份中的第 I 份；限额除以 N。用 `ragstone merge` 合并。",
    ),
)
quiet = click.option("--quiet", "-q", is_flag=True, help=choose("Print nothing but errors.", "只输出错误。"))
verbose = click.option(
    "--verbose",
    "-v",
    is_flag=True,
    help=choose(
        "Log each event to the error output: attempts, times, failures. Keys are hidden.",
        "在错误输出中逐条说明事件：尝试次数、耗时、失败；密钥会被遮盖。",
    ),
)
log_file = click.option(
    "--log-file",
    type=click.Path(dir_okay=False),
    metavar="FILE",
    help=choose("Append the same lines to FILE.", "将同样的内容追加到 FILE。"),
)
as_json = click.option("--json", "as_json", is_flag=True, help=choose("Print JSON for machines.", "以 JSON 输出。"))


def together(*flags: Flag[F]) -> Flag[F]:
    """Make one decorator of several; help shows them in this order."""

    def add(command: F) -> F:
        for flag in reversed(flags):
            command = flag(command)
        return command

    return add


option = together(_option, columns, glossary)
"""What every command that opens a dataset with its contract has."""
calling = together(offline, quiet, verbose, log_file)
"""What every command has that asks anybody."""
watching = together(concurrency, timeout, runs_dir, language, mask_private, calling, as_json)
"""What every command that watches a run has."""
over_dataset = together(contract, documents, option, max_samples, run_id, watching)
"""What every command that works through a dataset into a run has."""


trust_run = click.option(
    "--trust-run",
    is_flag=True,
    help=choose(
        "Load what a run names that was not made by you here (code, files, addresses, keys), and count its verdicts.",
        "信任并非由您在本机生成的运行：加载其中写明的代码、文件、地址与密钥，并计入其判定。",
    ),
)
judging = together(engine, workers)
"""What every command that judges recorded answers has."""


_judge = click.option(
    "--judge",
    "judge_spec",
    is_flag=False,
    flag_value="",
    metavar="[JUDGE]",
    help=choose(
        "Who decides what rules leave open: chat:MODEL, a system's name, several with commas; alone, [judge] of "
        "ragstone.toml.",
        "由谁裁定规则未能确定的内容：chat:模型、系统名称，多个用逗号分隔；不带值时用 ragstone.toml 的 [judge]。",
    ),
)
_judge_option = click.option(
    "--judge-option",
    "-J",
    "judge_pairs",
    multiple=True,
    metavar="NAME=VALUE",
    help=choose("Option of the judge (base_url, max_cost, …).", "裁判选项（base_url、max_cost 等）。"),
)
_listen = click.option(
    "--judge-listen",
    "listen",
    type=click.Choice(["margin", "quote"]),
    help=choose(
        "Read a verdict from the probability of its first word, or from a quotation; by default what the judge gives.",
        "裁判的读取方式：首词概率（margin）或可核对的引文（quote）；默认按接口能力选择。",
    ),
)
judge = together(_judge, _judge_option, _listen)
"""What every command has that can put a run before a judge."""


def judging_of(flags: Mapping[str, JSON], *, labels: Path | None = None) -> "Judging":
    """Return the judges to ask: those named, of the settings where `--judge` stands alone; else the run decides."""
    from ragstone.api import Judging  # noqa: PLC0415 - few commands need it

    spec, options = flags["judge_spec"], pairs_to_options(flags["judge_pairs"])
    named = tuple(part.strip() for part in spec.split(",") if part.strip()) if spec else ()
    if spec == "":
        entry = read_settings().judge
        named = (entry.judge,) if isinstance(entry.judge, str) else entry.judge
        options = {**entry.options, **options}
        if not any(named):
            raise SettingError("judge.unnamed")
    tell = None if flags.get("quiet") else partial(_tell, choose("en", "zh-Hans", "zh-Hant"))
    return Judging(judges=named, options=options, listen=flags["listen"] or "", labels=labels, tell=tell)


def _tell(tongue: str, say: Callable[[Lang], str]) -> None:
    click.echo(visible_line(say(pick_language(tongue))), err=True)


def engine_of(engine: str | None, workers: str | None) -> str | None:
    """Return the engine to use; --workers N is short for process:N."""
    if engine and workers:
        raise SettingError("engine.both")
    return f"process:{workers}" if workers else engine


def guard_of(trusting: bool) -> Guard:
    """Return the guard of what a run from elsewhere may load: by the flag, or by asking at the terminal."""
    if trusting:
        return TRUSTING
    return Guard(_ask) if sys.stdin.isatty() and sys.stderr.isatty() else OWN


def _ask(folder: RunFolder, risks: Sequence[Risk]) -> bool:
    lang = pick_language(choose("en", "zh-Hans", "zh-Hant"))
    click.echo(message("run.foreign_asks").say(lang, {"run": str(folder.path)}), err=True)
    for line in risk_lines(risks, lang):
        click.echo(f"  {visible_line(line)}", err=True)
    return click.confirm(choose("Load it?", "是否加载？"), err=True)


def settings_of(flags: dict[str, JSON]) -> Settings:
    """Read the settings with a command's flags on top."""
    return read_settings({name: flags.get(name) for name in SETTINGS})


def go_offline() -> None:
    """Guard this process by the settings, or as tightly as can be when they cannot be read."""
    from ragstone.core.offline import guard  # noqa: PLC0415 - only where it is asked for

    try:
        places = read_settings().offline_allow
    except SettingError:
        places = ()  # the command itself says what is wrong
    guard(places)


def pairs_to_options(pairs: tuple[str, ...], texts: Sequence[str] = ()) -> dict[str, JSON]:
    """Turn NAME=VALUE flags into options; a value that is JSON is taken as such, but for those that are `texts`."""
    options: dict[str, JSON] = {}
    for pair in pairs:
        name, value = _pair(pair)
        try:
            options[name] = value if name in texts else json.loads(value)
        except (ValueError, RecursionError):
            options[name] = value
    return options


def contract_options(pairs: tuple[str, ...]) -> dict[str, JSON]:
    """Gather what -o, --map and --glossary say to the contract."""
    columns, words = column_map(), _glossary_named()
    said = ({"map": columns} if columns else {}) | ({} if words is None else {"glossary": words})
    return pairs_to_options(pairs) | said


def _glossary_named() -> str | None:
    context = click.get_current_context(silent=True)
    return context.meta.get(_GLOSSARY) if context else None


def column_map() -> dict[str, str]:
    """Return what --map said."""
    context = click.get_current_context(silent=True)
    return dict(context.meta.get(_MAP, {})) if context else {}


def typed_system_options(pairs: tuple[str, ...]) -> dict[str, JSON]:
    """Gather what -O says: names and versions as they are typed, 2024.10 among them."""
    return pairs_to_options(pairs, ("model_id", *FACTS))


def system_options(flags: dict[str, JSON]) -> dict[str, JSON]:
    """Gather what -O and --cache say to the systems."""
    kept = flags.get("cache")
    return typed_system_options(flags["system_pairs"]) | ({"answer_cache": kept} if kept else {})
