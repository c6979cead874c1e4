"""A verdict in words: for the terminal, and as Markdown for a merge request; foreign text is never markup."""

from collections.abc import Iterator, Mapping

from ragstone.core.language import Lang, Text
from ragstone.core.messages import message
from ragstone.core.types import JSON, Outcome, Ruling, Verdict
from ragstone.text.visible import markdown_cell, visible_line

TAG = "[GATE]"
MARKS: Mapping[Outcome, str] = {"PASS": "✅", "FAIL": "❌", "NOT MEASURED": "⚠️"}
_OUTCOMES: Mapping[Outcome, Text] = {
    "PASS": Text("PASS", "通过"),
    "FAIL": Text("FAIL", "未通过"),
    "NOT MEASURED": Text("NOT MEASURED", "未测得"),
}
_DECIDED = Text("{tag} {outcome}, decided by: {rule}", "{tag} {outcome}，决定规则：{rule}")
_ALL_MET = Text("{tag} {outcome}: every rule is met", "{tag} {outcome}：全部规则均满足")
_TITLE = Text("Gate", "门禁")
_RUN = Text("run {run}", "运行 {run}")
_BASELINE = Text("baseline {run}", "基线 {run}")
_HEADS = (Text("rule", "规则"), Text("model", "模型"), Text("why", "依据"))
_INTERVAL = Text(" ({level} interval {low} to {high})", "（{level} 区间 {low} 至 {high}）")
_UNSURE: Mapping[str, Text] = {
    "not_measured": Text(
        ". Use more cases, a wider margin, or say what to do when unsure (--unsure)",
        "。请增加用例、放宽界限，或用 --unsure 指定无法判断时的结论",
    ),
    "pass": Text(". It passes because unsure is set to pass", "。因 unsure 设为 pass 而判为通过"),
    "fail": Text(". It fails because unsure is set to fail", "。因 unsure 设为 fail 而判为未通过"),
    "point": Text(
        ". The figure itself decides because unsure is set to point", "。因 unsure 设为 point 而按数值本身判定"
    ),
}
_FOUND = Text(
    "a drop of {least} would be found at {level} confidence in 80 of 100 times",
    "在 {level} 置信水平下，下降 {least} 有 80% 的机会被检出",
    "在 {level} 信賴水準下，下降 {least} 有 80% 的機會被檢出",
)
_NOTHING = Text(
    "no drop on this scale would be found for sure by so few cases", "用例太少，此量表上的任何下降都无法可靠检出"
)
_MEANS = Text(
    "; each case was asked {first} times in the baseline and {second} here: means over its answers are compared",
    "；基线中每例提问 {first} 次，本次 {second} 次：比较的是各例回答的均值",
    "；基線中每例提問 {first} 次，本次 {second} 次：比較的是各例回答的平均值",
)
_NEW = Text(
    "; {n:case|cases} of this run without a counterpart in the baseline, not compared; failing among them: {failing}",
    "；本次运行有 {n} 个用例在基线中没有对应，未比较，其中 {failing} 个失败",
)
_NOT_ASKED = Text(
    "; {n:question|questions} could not be put to the judge, and none could change this",
    "；有 {n} 个问题未能向裁判提问，但都不会改变这一结论",
)
_UNCHECKED = Text(
    "; whether the rules' own verdicts are right was not checked: {n:label|labels} on what they decided",
    "；规则自身的判定是否正确未经核对：其判定的要点上只有 {n} 条标注",
)
_SAMPLE = Text(
    "; only the first {most:case was|cases were} asked (--max-samples)", "；仅提问了前 {most} 个用例（--max-samples）"
)

_CACHED = Text(
    "; {cached} of {answers:answer|answers} came from the cache", "；{answers} 个回答中有 {cached} 个来自缓存"
)

_SHARES = frozenset(
    f"gate.{code}" for code in ("coverage", "uncovered", "uncovered_imported", "baseline_uncovered", "lost", "untimed")
)
"""Rulings whose values are shares of the cases."""
_DRAFTS = Text(
    "{n} of the questions were drafted from documents and nobody has accepted them yet (ragstone draft accept)",
    "其中 {n} 个问题由文档起草，尚无人确认（ragstone draft accept）",
)


APART = Text(
    "both rates are each run's own estimate, the difference between them is estimated from the {n:case|cases} with "
    "both answers labelled, and is not one less the other",
    "两个比率是各运行自身的估计，其差异由两个回答都有标注的 {n} 个用例估计，并非两者相减",
)


def say_outcome(outcome: Outcome, lang: Lang) -> str:
    """Name an outcome; in Chinese with the English word beside it, so that logs can be searched."""
    text = _OUTCOMES[outcome].say(lang)
    return text if lang == "en" else f"{text} {outcome}"


def say_ruling(ruling: Ruling, lang: Lang) -> str:
    """Return why a rule came out as it did, with the numbers."""
    params = {name: number(value) for name, value in ruling.params.items()}
    if ruling.code in _SHARES:
        params |= {name: percent(ruling.params[name]) for name in ("value", "limit") if name in ruling.params}
    params["interval"] = _interval(ruling.params, lang)
    most = ruling.params.get("max_samples")
    params["sample"] = _SAMPLE.say(lang, {"most": most}) if most else ""
    params["unsure"] = _UNSURE[str(ruling.params.get("unsure") or "not_measured")].say(lang)
    params["found"] = _found(ruling.params, lang)
    asked = ruling.params.get("repeats")
    params["means"] = _MEANS.say(lang, dict(zip(("first", "second"), asked, strict=True))) if asked else ""
    if new := ruling.params.get("new"):
        params["means"] += _NEW.say(lang, {"n": new, "failing": ruling.params["new_failing"]})
    params["resume"] = "ragstone resume --retry-failed" if ruling.params.get("errored") else "ragstone resume"
    said = message(ruling.code).say(lang, params)
    if (missing := ruling.params.get("not_asked")) and "unasked" not in ruling.code:
        said += _NOT_ASKED.say(lang, {"n": missing})
    if (labels := ruling.params.get("rules_unchecked")) is not None:
        said += _UNCHECKED.say(lang, {"n": labels})
    if ruling.params.get("apart"):
        said += ("; " if lang == "en" else "；") + APART.say(lang, {"n": ruling.params["n"]})
    return visible_line(said)


def _interval(params: Mapping[str, JSON], lang: Lang) -> str:
    if params.get("low") is None or params.get("high") is None:
        return ""
    ends = {name: number(params[name]) for name in ("low", "high")}
    return _INTERVAL.say(lang, {**ends, "level": percent(params["level"])})


def _found(params: Mapping[str, JSON], lang: Lang) -> str:
    """Return how small a drop these cases could have detected."""
    least = params.get("detectable")
    if least is None:
        return _NOTHING.say(lang)
    return _FOUND.say(lang, {"least": number(least), "level": percent(params.get("confidence") or 0.95)})


def number(value: JSON) -> JSON:
    """Show a number with few digits."""
    if value is None:
        return "–"
    if isinstance(value, float):
        return f"{value:.4g}" if abs(value) >= 1e-9 else "0"
    return value


def percent(share: float) -> str:
    """Show a level: 0.9 as 90%, 0.975 as 97.5%."""
    return f"{100 * share:.4g}%"


def judged(verdict: Verdict, lang: Lang) -> str:
    """Name the run that was judged, and the baseline it was compared with."""
    names = [_RUN.say(lang, {"run": verdict.run_id})]
    if verdict.baseline:
        names.append(_BASELINE.say(lang, {"run": verdict.baseline}))
    return visible_line((", " if lang == "en" else "，").join(names))


def decision(verdict: Verdict, lang: Lang) -> str:
    """Return what was decided, and by which rule."""
    text = _DECIDED if verdict.decided_by else _ALL_MET
    outcome, most = say_outcome(verdict.outcome, lang), verdict.max_samples
    said = text.say(lang, {"tag": TAG, "outcome": outcome, "rule": verdict.decided_by})
    told = [_CACHED.say(lang, ruling.params) for ruling in verdict.rulings if ruling.code == "gate.cached"]
    return visible_line(said + (_SAMPLE.say(lang, {"most": most}) if most else "") + "".join(dict.fromkeys(told)))


def drafts_note(verdict: Verdict, lang: Lang) -> Iterator[str]:
    """Return a warning when a verdict rests on drafts that no person has accepted."""
    if verdict.unreviewed_drafts:
        yield _DRAFTS.say(lang, {"n": verdict.unreviewed_drafts})


def verdict_lines(verdict: Verdict, lang: Lang) -> Iterator[str]:
    """Return the lines on what was judged, the outcome of every rule, and the rule that decided."""
    yield f"{TAG} {judged(verdict, lang)}"
    many = len({ruling.model for ruling in verdict.rulings if ruling.model}) > 1
    for ruling in verdict.rulings:
        model = f" @{ruling.model}" if many and ruling.model else ""
        line = f"{TAG} {say_outcome(ruling.outcome, lang)}  {ruling.rule}{model}: {say_ruling(ruling, lang)}"
        yield visible_line(line)
    yield from (f"{TAG} {note}" for note in drafts_note(verdict, lang))
    yield decision(verdict, lang)


def verdict_markdown(verdict: Verdict, lang: Lang) -> Iterator[str]:
    """Write the verdict as Markdown: a heading and one table."""
    yield f"## {MARKS[verdict.outcome]} {_TITLE.say(lang)}: {say_outcome(verdict.outcome, lang)}\n\n"
    yield f"{markdown_cell(judged(verdict, lang))}\n\n"
    yield from (f"{note}\n\n" for note in drafts_note(verdict, lang))
    yield "| | " + " | ".join(head.say(lang) for head in _HEADS) + " |\n| --- | --- | --- | --- |\n"
    for ruling in verdict.rulings:
        cells = [markdown_cell(text) for text in (ruling.rule, ruling.model or "–", say_ruling(ruling, lang))]
        yield f"| {MARKS[ruling.outcome]} | {' | '.join(cells)} |\n"
