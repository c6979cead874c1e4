"""The results of judging a run, as `run`, `resume` and `judge` print them."""

from pathlib import Path

import click

from ragstone.cli.program import as_typed
from ragstone.core.language import Lang, Text, excerpt
from ragstone.core.messages import message
from ragstone.report.console import judged_lines
from ragstone.runs.judged.certifying_labels import named_keys
from ragstone.runs.judged.decide import Deciding
from ragstone.runs.reopen import wording_of
from ragstone.runs.store.folder import RunFolder
from ragstone.text.visible import visible_line

_ASKED = Text(
    "{open:open question|open questions}: {asked} asked, {known} asked before, {unsure} of the replies cannot "
    "be used{left}",
    "未定问题 {open} 个：本次提问 {asked} 个，此前已问 {known} 个，其中 {unsure} 个回复无法采用{left}",
)
_OPEN = Text("{n} open after the judge: {whys}", "裁判之后仍未定 {n} 个：{whys}")
_BY_WHY = Text("{n} {why}", "{why} {n} 个")
_FAILED = Text("; {n} could not be asked", "；{n} 个未能提问")
_CORRECTED = Text(
    "{kind}: with the errors that the judge's certificate counted undone, {low}-{high} % of what it decided is a yes",
    "{kind}：按证书统计的裁判错误率修正后，其判定中实际为“是”的占 {low}–{high} %",
)
_STOPPED = Text(
    "{n:question|questions} could not be put to the judge: {why}. Go on: ragstone judge {run}",
    "有 {n} 个问题未能向裁判提问：{why}。继续：ragstone judge {run}",
)
_OWED = Text(
    "The judge was not checked for drift after its last {owed:reply|replies}: {why}. Until it is, gates say "
    "NOT MEASURED. Go on: ragstone judge {run}",
    "裁判最近的 {owed} 个回复之后尚未检查漂移：{why}。在此之前门禁结论为 NOT MEASURED。继续：ragstone judge {run}",
)


def figure_lines(done: Deciding, folder: RunFolder, lang: Lang, labels: Path | None = None) -> list[str]:
    """Return the judged figures, and what was asked for them."""
    return [*judged_lines(done.summary, wording_of(folder, lang)), *judging_lines(done, lang, labels)]


def judging_lines(done: Deciding, lang: Lang, labels: Path | None = None) -> list[str]:
    """Return the lines on what was asked and on labels that do not fit."""
    asked = done.asked
    left = _FAILED.say(lang, {"n": asked.unasked}) if asked.unasked else ""
    counts = {name: getattr(asked, name) for name in ("open", "asked", "unsure")} | {
        "known": asked.known + asked.cached
    }
    lines = [_ASKED.say(lang, counts | {"left": left})] if asked.open else []
    lines += [
        message(f"judge.{why}").say(lang, {"n": n, "problem": excerpt(asked.problems.get(why, ""), 200)})
        for why, n in sorted(asked.whys.items())
    ]
    if done.whys:
        told = [_BY_WHY.say(lang, {"n": n, "why": message(f"open.{code}").say(lang)}) for code, n in done.whys.items()]
        lines.append(
            _OPEN.say(lang, {"n": sum(done.whys.values()), "whys": ("; " if lang == "en" else "；").join(told)})
        )
    lines += [
        _CORRECTED.say(lang, {"kind": kind, "low": f"{100 * one.low:.0f}", "high": f"{100 * one.high:.0f}"})
        for kind, one in done.corrected.items()
    ]
    if done.strays and labels:
        lines.append(message("labels.strays").say(lang, {"n": done.strays, "file": labels}))
    if done.lacking:
        lines.append(message("labels.lacking").say(lang, {"n": done.lacking}))
    if done.foreign:
        lines.append(message("labels.foreign").say(lang, {"n": done.foreign}))
    if done.disputed:
        lines.append(message("labels.disagree").say(lang, {"n": len(done.disputed)}))
        lines.append(message("labels.named").say(lang, {"names": named_keys(done.disputed, "case")}))
    return [visible_line(line) for line in lines]


def require_asked(done: Deciding, run: Path, lang: Lang) -> None:
    """Say why not everything could be asked, and how to go on; the exit code is 3 then."""
    asked = done.asked
    if not (asked.stopped or asked.due):
        return
    why = asked.reasons.get(lang) or asked.stopped
    params = {"n": asked.unasked, "owed": asked.owed, "why": why.rstrip(".。"), "run": run}
    for text in [_STOPPED] * (asked.unasked > 0 or not asked.owed) + [_OWED] * (asked.owed > 0):
        click.echo(visible_line(as_typed(text.say(lang, params))), err=True)
    raise click.exceptions.Exit(130 if asked.stopped.startswith("SIG") else 3)
