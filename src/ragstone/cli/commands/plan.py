"""`plan`, `ping` and `index`: looking before spending."""

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path

import click
from msgspec import to_builtins

from ragstone import api
from ragstone.cli import flags
from ragstone.cli.output import print_json
from ragstone.cli.program import command
from ragstone.cli.wording import choose
from ragstone.core.errors import SettingError
from ragstone.core.interfaces import System
from ragstone.core.language import Lang, counted, pick_language
from ragstone.core.settings import DEFAULT_TIMEOUT
from ragstone.core.types import JSON, Answer, Request
from ragstone.datasets.check import load_cases, open_contract
from ragstone.judging.judge import Judge
from ragstone.runs.estimate import ANSWER_TOKENS, SystemEstimate, estimate, estimate_judging, most_claims, summed
from ragstone.runs.pipeline import Unit, ask, request_of
from ragstone.runs.plan import Plan
from ragstone.systems.http.endpoint import Exchange
from ragstone.systems.python import PythonSystem
from ragstone.systems.wrappers.compose import watch
from ragstone.systems.wrappers.wrapper import limit_time, listen
from ragstone.text.visible import visible_block, visible_line


@click.command(
    help=choose(
        "Say what running DATASET on the systems will take: calls exactly; tokens, time and cost as an estimate.",
        "在运行之前说明所需：请求数（精确），令牌数、时间和费用（估计）。",
    )
)
@click.argument("dataset", type=click.Path(path_type=Path))
@flags.systems
@flags.system_option
@flags.contract
@flags.option
@flags.cache
@flags.judge
@flags.repeats
@flags.max_samples
@flags.concurrency
@flags.offline
@click.option(
    "--answer-tokens",
    type=click.IntRange(0),
    default=ANSWER_TOKENS,
    show_default=True,
    help=choose("Tokens an answer has.", "每个回答的令牌数。"),
)
@click.option(
    "--latency-ms",
    type=flags.Milliseconds(0),
    help=choose("Time one call takes; else the last run's.", "单次请求耗时；省略时取上次运行。"),
)
@flags.as_json
def plan(dataset: Path, systems: tuple[str, ...], answer_tokens: int, latency_ms: float | None, **given: JSON) -> None:
    """Estimate a run."""
    settings = flags.settings_of(given)
    planned, _ = api.plan_run(
        dataset,
        list(systems),
        contract=given["contract"],
        options=flags.contract_options(given["pairs"]),
        system_options=flags.system_options(given),
        repeats=given["repeats"],
        max_samples=given["max_samples"],
        settings=settings,
    )
    found = estimate(planned, answer_tokens=answer_tokens, latency_ms=latency_ms, runs_dir=Path(settings.runs_dir))
    judged = _judging(planned, given, answer_tokens, latency_ms) if given["judge_spec"] is not None else []
    asyncio.run(_close(planned))
    if given["as_json"]:
        print_json(to_builtins([*found, *judged]))
        return
    for one in found:
        click.echo(_line(one))
    head = choose("judging, at most", "裁判，最多")
    if most := most_claims(planned.contract):
        head += choose(f" ({most} sentences an answer)", f"（每个回答 {most} 句）", f"（每個回答 {most} 句）")
    if len(judged) > 1:
        judged.append(summed(judged, choose("all judges", "全部裁判", "全部裁判")))
    for one in judged:
        click.echo(head + choose(": ", "：") + _line(one))


def _judging(planned: Plan, given: dict[str, JSON], tokens: int, latency_ms: float | None) -> list[SystemEstimate]:
    """Estimate what the judge, named or from the settings, would be asked."""
    settings = flags.settings_of(given)
    wish = api.complete_judging(flags.judging_of(given), None, settings)
    judges = [api.named_judge(one, wish.options, settings) for one in wish.judges]
    found = estimate_judging(planned, judges, answer_tokens=tokens, latency_ms=latency_ms)
    asyncio.run(_close_all(judges))
    return found


async def _close_all(systems: Sequence[System | Judge]) -> None:
    for system in systems:
        await system.close()


async def _close(planned: Plan) -> None:
    for system in planned.systems:
        await system.close()


def _line(one: SystemEstimate) -> str:
    unknown = choose("unknown", "未知")
    time = unknown if one.seconds is None else f"{one.seconds:.1f} s"
    cost = unknown if one.cost is None else f"{one.cost:.6g}"
    tokens = one.prompt_tokens + one.completion_tokens
    free = (
        choose(f", {one.free} without a call", f"，无需请求 {one.free}", f"，無需請求 {one.free}") if one.free else ""
    )
    line = choose(
        f"{one.model_id}: {counted(one.calls, 'call')} ({one.cached} cached{free}), about {tokens} tokens "
        f"({one.prompt_tokens} + {one.completion_tokens}), time {time}, cost {cost}",
        f"{one.model_id}：请求 {one.calls}（缓存 {one.cached}{free}），约 {tokens} 令牌"
        f"（{one.prompt_tokens} + {one.completion_tokens}），时间 {time}，费用 {cost}",
        f"{one.model_id}：請求 {one.calls}（快取 {one.cached}{free}），約 {tokens} 詞元"
        f"（{one.prompt_tokens} + {one.completion_tokens}），時間 {time}，費用 {cost}",
    )
    return line + _ending(one)


def _ending(one: SystemEstimate) -> str:
    """Return the budgets that end the run early, in words."""
    if not one.stopped_by:
        return ""
    names = ", ".join("max_tokens_spent" if what == "tokens" else f"max_{what}" for what in one.stopped_by)
    rest = (
        choose(f", {one.unasked} unasked", f"，未提问 {one.unasked}", f"，未提問 {one.unasked}") if one.unasked else ""
    )
    return choose(
        f"; the budget ends it early: {names}{rest}",
        f"；预算会使其提前结束：{names}{rest}",
        f"；預算會使其提前結束：{names}{rest}",
    )


@click.command(
    help=choose(
        "Try one case (of DATASET, or --question) on a system and show the raw exchange, secrets masked.",
        "用一个用例（取自 DATASET 或 --question）试探系统，显示原始往来，密钥已遮盖。",
    )
)
@click.argument("dataset", type=click.Path(path_type=Path), required=False)
@click.option("--system", "-s", required=True, help=choose("System to ask.", "被测系统。"))
@flags.system_option
@click.option("--question", help=choose("Ask this instead of the first case.", "改为提出这个问题。"))
@flags.contract
@flags.option
@flags.timeout
@flags.offline
def ping(dataset: Path | None, system: str, question: str | None, **given: JSON) -> None:
    """Ask once."""
    if dataset is None and not question:
        raise SettingError("ping.nothing")
    settings = flags.settings_of(given)
    api.keep_offline(settings)
    target = api.connect_system(system, flags.system_options(given), settings)
    if isinstance(target, PythonSystem):
        click.echo(_OWN_CODE, err=True)
    hide = _hiding(settings.mask_private)
    shown = watch(target, lambda exchange: click.echo(visible_block(hide(_exchange(exchange)))))
    lang = pick_language(settings.language, choose("en", "zh-Hans", "zh-Hant"))
    listen(target, lambda notice: click.echo(visible_line(notice.say(lang)), err=True))
    if settings.timeout != DEFAULT_TIMEOUT:
        limit_time(target, settings.timeout)

    async def once() -> Answer:
        try:
            if dataset is None or question:
                return await target.ask(Request(id="ping", question=question or ""))
            contract = open_contract(dataset, name=given["contract"], options=flags.contract_options(given["pairs"]))
            unit = Unit(0, next(load_cases(contract, 1)))
            if not shown:
                click.echo(visible_block(hide(f"> {request_of(contract, unit).question}")))
            return await ask(contract, target, unit, settings.timeout)
        finally:
            await target.close()

    answer = asyncio.run(once())
    click.echo(visible_block(hide(_answer(answer, lang))))
    if answer.failure:
        raise click.exceptions.Exit(3)


def _hiding(mask: bool) -> Callable[[str], str]:
    """Return what makes a text fit for readers."""
    if not mask:
        return str
    from ragstone.reading.private import mask_private  # noqa: PLC0415 - a reader of names is slow to load

    return mask_private


_OWN_CODE = choose(
    "note: a python: system is code of your own, run in this process with your rights; run only what you trust.",
    "注意：python: 系统是你自己的代码，在本进程中以你的权限运行；请只运行可信的代码。",
)


def _exchange(exchange: Exchange) -> str:
    headers = "\n".join(f"> {name}: {value}" for name, value in exchange.headers.items())
    head = f"> {exchange.method} {exchange.url}\n{headers}\n> {exchange.sent}"
    status = exchange.status or choose("no reply", "没有响应")
    lines = [head, f"< {status} ({exchange.seconds * 1000:.0f} ms)"]
    lines += [f"< {name}: {value}" for name, value in exchange.reply_headers.items()]
    return "\n".join([*lines, f"< {exchange.received}"] if exchange.received else lines)


def _answer(answer: Answer, lang: Lang) -> str:
    if answer.failure:
        return f"{answer.failure.kind}: {answer.failure.say(lang)}"
    lines = [f"text: {answer.text}"]
    lines += [f"citation: {c.file} {c.page or ''} {c.quote or ''}" for c in answer.citations]
    lines += [f"context: {c.source_path} {c.page or ''} {c.text[:80]}" for c in answer.contexts]
    if answer.usage:
        lines.append(f"tokens: {answer.usage.prompt_tokens} + {answer.usage.completion_tokens}")
    return "\n".join(lines)


@click.command(
    help=choose(
        "Build the built-in RAG's index of DOCS and name it by its content.",
        "为 DOCS 建立内置 RAG 的索引，并以其内容命名。",
    )
)
@click.argument("docs", type=click.Path(path_type=Path))
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    default=Path(".ragstone/indexes"),
    show_default=True,
    help=choose("Folder for the index.", "索引所在的文件夹。"),
)
@click.option(
    "--chunk-size",
    type=click.IntRange(50, 4000),
    default=300,
    show_default=True,
    help=choose("Characters of a chunk.", "片段的字符数。"),
)
def index(docs: Path, out: Path, chunk_size: int) -> None:
    """Build an index."""
    from ragstone.core.types import Finding  # noqa: PLC0415
    from ragstone.systems.builtin import build_index  # noqa: PLC0415 - only here

    findings: list[Finding] = []
    path = build_index(docs, out, size=chunk_size, note=findings.append)
    from ragstone.cli.wording import show_findings  # noqa: PLC0415

    show_findings(tuple(findings), {})
    use = command("run", "DATASET", "--system", f"builtin:{docs}", "-O", f"cache={out}")
    click.echo(str(path))
    click.echo(
        choose(
            f"Use it:  {use}",
            f"使用：  {use}",
            f"使用：  {use}",
        )
    )
