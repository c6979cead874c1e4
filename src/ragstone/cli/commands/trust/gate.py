"""`gate`: may this run be released?"""

import os
from collections.abc import Sequence
from pathlib import Path

import click
from msgspec import structs, to_builtins

from ragstone.cli import flags
from ragstone.cli.output import print_json, print_lines
from ragstone.cli.program import as_typed
from ragstone.cli.stored_runs import (
    for_reader,
    open_run,
    reader,
    rows_for_reader,
    shared,
    write_text,
)
from ragstone.cli.wording import choose, show_warning
from ragstone.core.errors import RunError
from ragstone.core.language import Lang
from ragstone.core.messages import message
from ragstone.core.types import JSON, Outcome
from ragstone.report.ci.github import annotations, step_summary
from ragstone.report.ci.junit import junit_xml
from ragstone.report.verdict import verdict_lines
from ragstone.runs.store.folder import RunFolder
from ragstone.trust.baseline import Baseline, choose_baseline, pin
from ragstone.trust.gate import GateFile, GateOutcome, judge_run, make_gate, own_rules, read_gate

_BASELINE = choose(
    "Run or pin to compare with; auto: the pinned or last passed comparable one.",
    "用于比较的基线运行或固定名；auto：已固定或最近通过门禁的同类运行。",
)
EXIT_CODES = {"PASS": 0, "FAIL": 1, "NOT MEASURED": 3}


@click.command(
    help=choose(
        "Decide whether RUN passes: PASS (exit code 0), FAIL (1) or NOT MEASURED (3).\n\n\b\n"
        "Rules: accuracy >= 0.9                        a metric, pass_rate or primary_score\n"
        "       pass_rate >= 80% for type=fact_exact   within a group\n"
        "       drop(accuracy) <= 0.02                 against --baseline, paired\n"
        "       no_new_failures for type=fact_exact    against --baseline\n"
        "       coverage >= 0.98   cost <= 1.5   latency_ms_p95 <= 3000",
        "判断 RUN 是否通过：PASS（退出码 0）、FAIL（1）或 NOT MEASURED（3）。\n\n\b\n"
        "规则：accuracy >= 0.9                        指标、pass_rate 或 primary_score\n"
        "      pass_rate >= 80% for type=fact_exact   限定分组\n"
        "      drop(accuracy) <= 0.02                 与 --baseline 配对比较\n"
        "      no_new_failures for type=fact_exact    与 --baseline 比较\n"
        "      coverage >= 0.98   cost <= 1.5   latency_ms_p95 <= 3000",
    )
)
@click.argument("run_name", metavar="RUN", default="latest")
@click.option("--baseline", "-b", metavar="RUN", help=_BASELINE)
@click.option(
    "--pin",
    "pin_name",
    metavar="NAME",
    help=choose(
        "When it passes, make it the baseline NAME (kept in pins.json beside the runs).",
        "通过后将其固定为基线 NAME（记录于运行文件夹旁的 pins.json）。",
    ),
)
@click.option("--rule", "-r", "rules", multiple=True, help=choose("A rule; may be repeated.", "规则，可重复。"))
@click.option("--file", "file", type=click.Path(path_type=Path), help=choose("Gate file (YAML).", "门禁文件（YAML）。"))
@click.option(
    "--unsure",
    type=click.Choice(["not_measured", "pass", "fail", "point"]),
    help=choose("Verdict when the cases cannot decide.", "用例不足以判断时的结论。"),
)
@click.option("--junit", type=click.Path(path_type=Path), help=choose("Write JUnit XML.", "写出 JUnit XML。"))
@click.option(
    "--markdown",
    type=click.Path(path_type=Path),
    help=choose("Write Markdown for a merge request.", "写出用于合并请求的 Markdown。"),
)
@click.option(
    "--github",
    is_flag=True,
    help=choose("Print annotations and write the step summary of GitHub Actions.", "输出 GitHub Actions 注解与摘要。"),
)
@click.option(
    "--allow-stale",
    is_flag=True,
    help=choose("Accept figures of another scorer; gate.json says so.", "允许使用旧评分器的指标（记录于 gate.json）。"),
)
@click.option(
    "--allow-cached",
    is_flag=True,
    help=choose(
        "Compare with a baseline although all answers came from the cache; gate.json says so.",
        "即使全部回答来自缓存，也与基线比较（记录于 gate.json）。",
    ),
)
@flags.trust_run
@shared
@flags.offline
def gate(
    run_name: str,
    *,
    baseline: str | None,
    pin_name: str | None,
    rules: tuple[str, ...],
    file: Path | None,
    unsure: str | None,
    allow_stale: bool,
    allow_cached: bool,
    trust_run: bool,
    runs_dir: str | None,
    language: str | None,
    as_json: bool,
    **outputs: JSON,
) -> None:
    """Judge a run."""
    lang, folder = reader(language), open_run(run_name, runs_dir)
    wanted = read_gate(file) if file else GateFile()
    if unsure:
        wanted = structs.replace(wanted, unsure=unsure)
    own, chosen = own_rules(folder), _chosen(baseline or wanted.baseline, folder, runs_dir)
    if pin_name and not (own or chosen or rules or wanted.rules):
        _pin(folder, pin_name, lang)
        return
    made = make_gate(
        wanted, rules, baseline=chosen is not None, allow_stale=allow_stale, allow_cached=allow_cached, own=own
    )
    before = chosen.folder if chosen else None
    done = judge_run(folder, made, before, guard=flags.guard_of(trust_run))
    if as_json:
        why = {"baseline_why": chosen.why} if chosen else {}
        print_json({"folder": str(folder.path), **to_builtins(done.verdict), **why})
    else:
        told = [message(f"baseline.{chosen.why}").say(lang, chosen.params)] if chosen else []
        print_lines(map(as_typed, [*told, *verdict_lines(done.verdict, lang)]))
    if done.unkept:
        show_warning(done.unkept, lang)
    _write(done, [before, folder] if before else [folder], lang, outputs)
    if pin_name:
        _pin(folder, pin_name, lang, done.verdict.outcome)
    raise click.exceptions.Exit(EXIT_CODES[done.verdict.outcome])


def _chosen(name: str | None, folder: RunFolder, runs_dir: str | None) -> Baseline | None:
    """Return the baseline that the flags ask for."""
    if not name:
        return None
    place = Path(flags.settings_of({"runs_dir": runs_dir}).runs_dir)
    found = choose_baseline(place, name, folder)
    if found is None:
        raise RunError("gate.no_auto", run=folder.path.name, folder=str(place))
    return found


def _pin(folder: RunFolder, name: str, lang: Lang, outcome: Outcome = "PASS") -> None:
    """Pin a run that passed; say so beside the verdict."""
    params: dict[str, JSON] = {"run": folder.path.name, "pin": name, "outcome": outcome}
    if outcome == "PASS":
        params["file"] = str(pin(folder, name))
    click.echo(message("pin.done" if outcome == "PASS" else "pin.not").say(lang, params), err=True)


def _write(done: GateOutcome, runs: Sequence[RunFolder], lang: Lang, outputs: dict[str, JSON]) -> None:
    """Write what a build server or a merge request wants to see."""
    if outputs["junit"]:
        write_text(outputs["junit"], junit_xml(done.verdict, rows_for_reader(runs[-1], lang), lang))
    compared = for_reader(done.comparison, runs, lang) if done.comparison else None
    if outputs["markdown"]:
        write_text(outputs["markdown"], step_summary(done.verdict, compared, lang))
    if outputs["github"]:
        for line in annotations(done.verdict, lang):
            click.echo(line, err=True)
        if target := os.environ.get("GITHUB_STEP_SUMMARY"):
            write_text(Path(target), step_summary(done.verdict, compared, lang), mode="a")
