"""Which side of a debt a value stands on: what is paid, what is left, what is only due (R1.3).

还有多少没有退？  已退20000元，还剩52000元     52000 answers, 20000 is context
退了多少？        打算退20000元               nothing: a plan pays nothing
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Literal, NamedTuple

from ragstone.reading.answers.told import Found, Told
from ragstone.reading.cues import cue
from ragstone.text.fold import fold

Side = Literal["left", "perhaps_left", "done", "due", "whole", ""]

# 还 is a verb (repay) or an adverb (still): 还了, 已还 and 还5000 against 还有, 还剩.
_REPAY = r"(?<=[已归偿退没未应须需只曾能算划备有])还(?![有剩差欠没未不是在需应])|还(?=[了过清给款钱掉完上]|\W?[0-9]|$)"
_SETTLE = (
    r"(?:支付|交付|付|退还|退|归还|偿还|返还|清偿|结清|缴|交(?![易代给涉])|兑现|履行|还清|发(?![现生票货起动展])"
    rf"|给|送(?!达)|打款|转账|{_REPAY})"
)
_SETTLED_EN = r"(?:re)?(?:paid|pay|turned|turn|funded|fund)\b|\bsettled?\b|\bgave back\b|\bgiven back\b"
_NOT_YET = (
    r"(?:没有?|未能?|未曾|不曾|尚未|从未)(?:曾|再|实际|足额|按时|按期|完全|全部"
    r"|[向给][^,.;!?]{1,6}){0,2}"
)
_LEFT = cue(
    rf"{_NOT_YET}{_SETTLE}|(?:还|尚|仍|还是|依然)(?:欠|差|短)|拖欠|剩|余款|余额|余下|其余|结余",
    r"\bstill ow\w*|\bunpaid\b|\boutstanding\b|\bremain\w*|\bleft\b|\bbalance\b"
    rf"|\b(?:not|never|n't)(?: yet)?(?: been)? (?:{_SETTLED_EN})",
)
_PERHAPS_LEFT = cue(r"欠|[还尚仍]有|\bow(?:e|es|ed|ing)\b")
_CLEARED = cue(r"不(?:再)?(?:拖)?欠|没有?(?:再)?(?:拖)?欠(?!款|条)|没有\W?$|\b(?:not|n't|no longer) owe\b")
_DUE = cue(
    r"(?:打算|计划|准备(?!金)|承诺|答应|保证(?!金|人)|应当?|应该|需要?|必须|须|(?<![主重只])要|将(?=于|在|会|要)|会(?![计议])|拟|愿意?|同意"
    rf"|(?<![按照])约定|希望|考虑|本该)[^,.;!?0-9]{{0,8}}?{_SETTLE}(?![了过])",
    r"\b(?:plan\w*|promis\w+|agreed|intend\w*|going|will|should|must|ought|has|have|had) (?:to )?"
    r"(?:re)?(?:pay|turn|fund)\b",
)
_DONE = cue(rf"{_SETTLE}", r"\b(?:re)?(?:paid|turned|funded)\b|\bsettled\b")
_DONE_FIRMLY = cue(rf"(?:已经?|实际|只|仅|先后|陆续|均|都)(?:[^,.;!?0-9]{{0,6}}?){_SETTLE}|{_SETTLE}(?:还|给)?[了过]")
_LEFT_BEHIND = cue(
    rf"[^,.;!?]{{0,10}}?{_NOT_YET}(?:{_SETTLE}|结|给)",
    r"[^,.;!?]{0,10}?(?:是|为)?(?:欠款|余款|剩余|尚欠)",
    r"(?: [a-z]+){0,4}? (?:unpaid|outstanding|remain\w*|left|owed|owing|still due|"
    rf"(?:not|never|n't)(?: yet)?(?: been)? (?:{_SETTLED_EN}))",
)
_DONE_BEHIND = cue(
    rf"[^,.;!?]{{0,6}}?(?:已经?|均|都|全部)(?:已经?|全部|如数)?{_SETTLE}|(?:款|钱)?(?:还|退|付)(?:了|清)",
    r"(?: (?:is|was|were|has|have|had|been|already|yuan|dollars)){0,4} (?:re)?(?:paid|turned|funded)\b",
)
_WITHIN = cue(r"(?:的?[款货借押欠定][款金]|的?债务|钱)?(?:之中|当中|中|里面?|内)(?!旬|午)")
_TAKEN_OFF = cue(r"\W{0,3}(?:减去?|扣除|扣掉|-|\bminus\b)[^,.;!?]{0,12}")
_HOW_MUCH = cue(r"多少|几|\bhow (?:much|many)\b|\bwhat (?:amount|sum)\b")
_NEXT = 24


@lru_cache(maxsize=4096)
def asked_side(question: str) -> Side:
    """Read out of a question whether it asks for what is left or for what is paid; both at once is neither."""
    folded = fold(question)
    if not _HOW_MUCH.search(folded):
        return ""
    plain = _LEFT.sub("▒", folded)
    left, done = plain != folded, bool(_DONE_FIRMLY.search(plain))
    if left and not done:
        return "left"
    return "done" if done and not left else ""


def answering(told: Told, candidates: Sequence[Found]) -> list[Found]:
    """Leave out the values that stand on another side of the debt than the one asked for."""
    asked = asked_side(told.question)
    if not asked:
        return list(candidates)
    sided = _sided(told, sorted(candidates, key=lambda candidate: candidate.start))
    return _left(sided) if asked == "left" else _done(sided)


class _Sided(NamedTuple):
    value: Found
    side: Side


def _left(sided: Sequence[_Sided]) -> list[Found]:
    for side in ("left", "perhaps_left"):
        kept = [one.value for one in sided if one.side == side]
        if kept:
            return kept
    return [one.value for one in sided if one.side in ("", "due")]


def _done(sided: Sequence[_Sided]) -> list[Found]:
    return [one.value for one in sided if one.side in ("done", "")]


def _sided(told: Told, candidates: Sequence[Found]) -> list[_Sided]:
    """Name each value's side by the words between it and its neighbours."""
    found: list[_Sided] = []
    taken = False
    for number, candidate in enumerate(candidates):
        following = candidates[number + 1].start if number + 1 < len(candidates) else len(told.folded)
        stop = told.stop(candidate)
        behind = told.folded[candidate.end : min(stop, following)]
        # 72000元减去20000元: both only stand in a sum.
        takes = _TAKEN_OFF.fullmatch(behind) is not None
        within = following < stop and _WITHIN.match(behind) is not None
        side = _side(told.before(candidate), "" if following < stop else behind)
        after = told.folded[candidate.end : candidate.end + _NEXT]
        # 答应退20000元，后来退了: what was due was paid.
        if side == "due" and following >= candidate.end + len(after) and _DONE_FIRMLY.search(after):
            side = "done"
        found.append(_Sided(candidate, "whole" if within or takes or taken else side))
        taken = takes
    return found


def _side(before: str, behind: str) -> Side:
    if _CLEARED.search(before):
        return "done"
    if _LEFT_BEHIND.match(behind):
        return "left"
    if _DONE_BEHIND.match(behind):
        return "done"
    return _side_before(before)


def _side_before(before: str) -> Side:
    """Let the last words before a value decide: 已退的除外，还剩."""
    left = _last(_LEFT, before)
    done = max(_last(_DONE, before), _last(_DONE_FIRMLY, before))
    if left >= max(0, done):
        return "left"
    if done >= 0:
        firmly = _last(_DONE_FIRMLY, before)
        return "due" if _last(_DUE, before) >= done and firmly < done else "done"
    return "perhaps_left" if _PERHAPS_LEFT.search(before) else ""


def _last(pattern: re.Pattern[str], words: str) -> int:
    """Where the last match ends, -1 without one."""
    return max((found.end() for found in pattern.finditer(words)), default=-1)
