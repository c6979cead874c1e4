"""What a reader must know before the first figure of a run: a dry run, what is missing, and why."""

from typing import Literal, NamedTuple

from ragstone.core.language import Lang, Text
from ragstone.core.types import Summary

DRY_RUN = Text(
    "Dry run: the dataset's own model answers were scored. These figures measure no system.",
    "试运行：评分的是样例集自带的标准回答，以下指标不反映任何系统的表现。",
    "試執行：評分的是樣例集自帶的標準回答，以下指標不反映任何系統的表現。",
)
_NOTHING = Text(
    "Not measured: 0 of {expected} answers. There are no figures.",
    "未测得结果：0/{expected} 个回答，没有任何指标。",
    "未測得結果：0/{expected} 個回答，沒有任何指標。",
)
_PARTIAL = Text(
    "PARTIAL: {finished} of {expected} answers. These figures are not final.",
    "结果不完整：{finished}/{expected}。以下指标不是最终结果。",
    "結果不完整：{finished}/{expected}。以下指標不是最終結果。",
)
_REASON = Text("Stopped because: {reason}", "中止原因：{reason}", "中止原因：{reason}")
DRY_MARK = Text("dry run", "试运行", "試執行")
"""Stands beside every figure of a dry run."""
NOT_MEASURED = Text("not measured", "未测得", "未測得")


class Notice(NamedTuple):
    """A sentence that stands above a run's figures."""

    kind: Literal["dry_run", "nothing", "partial", "reason"]
    text: str


def notices(summary: Summary, lang: Lang) -> list[Notice]:
    """Say what a reader must know before the first figure: a dry run, what is missing, and why."""
    counts = {"finished": summary.finished, "expected": summary.expected}
    found = [Notice("dry_run", DRY_RUN.say(lang))] if summary.dry_run else []
    if not summary.finished:
        found.append(Notice("nothing", _NOTHING.say(lang, counts)))
    elif summary.finished != summary.expected:
        found.append(Notice("partial", _PARTIAL.say(lang, counts)))
    if reason := summary.stop_reason.get(lang):
        found.append(Notice("reason", _REASON.say(lang, {"reason": reason})))
    return found
