"""The result of `verify` in words."""

from collections.abc import Iterator

from ragstone.core.language import Lang, Text
from ragstone.core.messages import message
from ragstone.core.types import CaseDrift, Verification
from ragstone.report.verdict import number
from ragstone.text.visible import visible_line

TAG = "[VERIFY]"
_STATUS = {
    "identical": Text(
        "{tag} identical: every hash agrees; scoring {rescored:answer|answers} again gives the same {rows:row|rows}",
        "{tag} 一致：全部哈希相符，重新评分的 {rescored} 个回答得到相同的 {rows} 行结果",
    ),
    "drift": Text(
        "{tag} drift: {drifted} of {rows:row comes|rows come} out otherwise",
        "{tag} 有偏移：{rows} 行结果中有 {drifted} 行不再相同",
    ),
    "partial": Text(
        "{tag} partial: the run is not complete; its {rows:row comes|rows come} out the same",
        "{tag} 不完整：运行尚未完成；已有的 {rows} 行结果相同",
    ),
}
_NOTHING = Text(
    "{tag} partial: the run is not complete; there are no rows to look at yet",
    "{tag} 不完整：运行尚未完成；还没有可核对的结果",
)
_NOTE = Text("note", "说明")
_MORE = Text("{tag} … and {n:more row|more rows}", "{tag} ……另有 {n} 行")


def verification_lines(found: Verification, lang: Lang) -> Iterator[str]:
    """Name everything that drifted, then the rows, then the verdict."""
    for drift in found.drifts:
        note = f"{_NOTE.say(lang)}: " if drift.level == "note" else ""
        yield visible_line(f"{TAG} {note}{message(drift.code).say(lang, {'code': drift.code, **drift.params})}")
    for case in found.cases:
        yield visible_line(f"{TAG} {_case(case)}")
    if found.drifted > len(found.cases):
        yield _MORE.say(lang, {"tag": TAG, "n": found.drifted - len(found.cases)})
    counts = {name: getattr(found, name) for name in ("rows", "rescored", "drifted")}
    told = _STATUS[found.status] if found.rows or found.status != "partial" else _NOTHING
    yield told.say(lang, {"tag": TAG, **counts})


def _case(case: CaseDrift) -> str:
    name = f"{case.sample_id} @{case.model}" + (f" #{case.repeat + 1}" if case.repeat else "")
    # What only judges or people decided otherwise leaves the score by rule as it was.
    same = case.first_score == case.second_score
    scores = "" if same else f" ({number(case.first_score)} → {number(case.second_score)})"
    return f"{name}: {', '.join(case.fields)}{scores}"
