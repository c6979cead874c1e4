"""What a reader must know before the first figure of a run: a dry run, what is missing, and why."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

from msgspec import structs

from ragstone.core.language import Lang, Text
from ragstone.core.messages import message
from ragstone.core.types import Block, ModelSummary, Summary

DRY_RUN = Text(
    "Dry run: the dataset's own model answers were scored. These figures measure no system.",
    "试运行：评分的是样例集自带的标准回答，以下指标不反映任何系统的表现。",
)
_NOTHING = Text(
    "Not measured: 0 of {expected:answer|answers}. There are no figures.",
    "未测得结果：0/{expected} 个回答，没有任何指标。",
)
_PARTIAL = Text(
    "PARTIAL: {answers} of {expected:answer|answers}. These figures are not final.",
    "结果不完整：{answers}/{expected}。以下指标不是最终结果。",
)
_REASON = Text("Stopped because: {reason}", "中止原因：{reason}")
_CACHED = Text(
    "{n} of {answers:answer|answers} came from the cache: the system was not asked for them in this run, and their "
    "latency is not counted.",
    "{answers} 个回答中有 {n} 个来自缓存：本次运行没有为其向系统提问，其延迟不计入。",
    "{answers} 個回答中有 {n} 個來自快取：本次執行沒有為其向系統提問，其延遲不計入。",
)
DRY_MARK = Text("dry run", "试运行")
"""Stands beside every figure of a dry run."""
NOT_MEASURED = Text("not measured", "未测得")


_JUDGED_BY = Text(
    "Judged figures stand beside those by rule. Verdicts: {authors}{standing}",
    "裁判后的数值与规则得出的数值并列。判定：{authors}{standing}",
)
_BY_PEOPLE = Text(
    "Figures with people's verdicts stand beside those by rule. Verdicts: {authors}{standing}",
    "计入人工判定的数值与规则得出的数值并列。判定：{authors}{standing}",
)
ESTIMATED = Text(
    "An estimate is for all questions like these; half a label of each verdict is added, so it can lie outside what "
    "these cases allow.",
    "估计值针对的是这类问题的总体；两种判定各加半条标注，因此可能超出这些用例所能达到的范围。",
)
_AUTHORS: dict[str, Text] = {
    "rule": Text("{n} by rule", "规则判定 {n} 项"),
    "judge": Text("{n} by judge", "裁判判定 {n} 项"),
    "person": Text("{n} by people", "人工判定 {n} 项"),
    "open": Text("{n} open", "未定 {n} 项"),
}
_UNASKED = Text(
    "; {n} of the open ones could not be put to the judge, or only to another version of it",
    "；未定中有 {n} 项未能向裁判提问，或只由其另一版本作答",
)
_AGAINST = Text(
    "; people contradict the rules in {n} of {of:labelled point|labelled points} that a rule decides",
    "；在规则已判定并有标注的 {of} 个要点中，人工与规则不符 {n} 个",
)
_ITSELF = Text(
    "; {judges:and} judged answers of its own, and models prefer their own words",
    "；{judges:and} 评判了自己的回答，而模型偏爱自己的说法",
)
_ELSEWHERE = Text(
    "; judgements and labels were made elsewhere ({files:and}): a gate on them needs --trust-run",
    "；判定与标注在别处作出（{files:and}）：以其过门禁需加 --trust-run",
)
_ADVISORY = Text("; advisory only: {judges}: {why}", "；仅供参考：{judges}：{why}")


def authors_text(authors: Mapping[str, int], lang: Lang) -> str:
    """Return how many questions each author decided."""
    parts = [text.say(lang, {"n": authors[name]}) for name, text in _AUTHORS.items() if authors.get(name)]
    return (", " if lang == "en" else "，").join(parts)


def standing_text(summary: Summary, lang: Lang) -> str:
    """Return what keeps the judges' figures from being believed; "" when nothing does."""
    by = summary.judged_by
    if by is None:
        return ""
    itself = _ITSELF.say(lang, {"judges": list(by.itself)}) if by.itself else ""
    itself += _ELSEWHERE.say(lang, {"files": list(by.elsewhere)}) if by.elsewhere else ""
    if by.standing == "trusted" or not needs_judge(summary):
        return itself
    why = message(f"standing.{by.why}").say(lang, {"probes": ", ".join(by.failed) or "–"})
    return _ADVISORY.say(lang, {"judges": ", ".join(by.doubted or by.names), "why": why}) + itself


def needs_judge(summary: Summary) -> bool:
    """Return whether judges decided anything, or left it open: what rules and people decided needs no certificate."""
    if not (summary.judged_by and summary.judged_by.names):
        return False
    return any(figures.authors.get(author) for figures in summary.models.values() for author in ("judge", "open"))


def against_text(figures: Sequence[ModelSummary], lang: Lang) -> str:
    """Return how many of the rules' verdicts people contradict; "" when none."""
    checks = [check for one in figures for check in one.rule_checks.values()]
    of, right = sum(check.n for check in checks), sum(check.right for check in checks)
    return _AGAINST.say(lang, {"n": of - right, "of": of}) if right < of else ""


def unasked_text(n: int, lang: Lang) -> str:
    """Return how many open questions no judge could be asked; "" when all were."""
    return _UNASKED.say(lang, {"n": n}) if n else ""


def measured(summary: Summary) -> Summary:
    """Return the figures as readers see them: zeros of cases that all failed measure nothing, and are none."""
    models = {
        name: structs.replace(
            one,
            all=_measured(one.all),
            groups={of: {value: _measured(block) for value, block in each.items()} for of, each in one.groups.items()},
        )
        for name, one in summary.models.items()
    }
    return structs.replace(summary, models=models)


def _measured(block: Block) -> Block:
    if block.errored < block.cases:
        return block
    metrics = {name: structs.replace(one, mean=None, interval=None, open=0) for name, one in block.metrics.items()}
    nothing = dict.fromkeys(("pass_rate", "primary_score", "pass_interval", "score_interval"))
    return structs.replace(block, metrics=metrics, **nothing)


def is_measured(summary: Summary) -> bool:
    """Return whether any answer was given."""
    return any(figures.costs.answered for figures in summary.models.values())


class Notice(NamedTuple):
    """A sentence that stands above a run's figures."""

    kind: Literal["dry_run", "nothing", "partial", "reason", "cached", "unused", "judged", "estimated"]
    text: str


def notices(summary: Summary, lang: Lang) -> list[Notice]:
    """Return what a reader must know before the first figure: a dry run, what is missing, and why."""
    answers = sum(figures.costs.answered for figures in summary.models.values())
    counts = {"answers": answers, "expected": summary.expected}
    found = [Notice("dry_run", DRY_RUN.say(lang))] if summary.dry_run else []
    if not is_measured(summary):
        found.append(Notice("nothing", _NOTHING.say(lang, counts)))
    elif summary.finished != summary.expected:
        found.append(Notice("partial", _PARTIAL.say(lang, counts)))
    if reason := summary.stop_reason.get(lang):
        found.append(Notice("reason", _REASON.say(lang, {"reason": reason})))
    if cached := sum(figures.costs.cached for figures in summary.models.values()):
        found.append(Notice("cached", _CACHED.say(lang, {"n": cached, "answers": max(cached, answers)})))
    if summary.unused_answers:
        found.append(Notice("unused", message("answers.unused").say(lang, {"n": summary.unused_answers})))
    if summary.judged_by is not None:
        authors = sum((Counter(figures.authors) for figures in summary.models.values()), Counter[str]())
        unasked = unasked_text(sum(figures.unasked for figures in summary.models.values()), lang)
        told = authors_text(authors, lang) + unasked + against_text(list(summary.models.values()), lang)
        judged = {"authors": told, "standing": standing_text(summary, lang)}
        found.append(Notice("judged", (_JUDGED_BY if summary.judged_by.names else _BY_PEOPLE).say(lang, judged)))
    if any(_is_estimated(figures) for figures in summary.models.values()):
        found.append(Notice("estimated", ESTIMATED.say(lang)))
    return found


def _is_estimated(figures: ModelSummary) -> bool:
    return any(name.endswith("_estimated") and one.n for name, one in figures.all.metrics.items())
