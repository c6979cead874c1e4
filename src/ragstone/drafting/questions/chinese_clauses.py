"""The clauses of a Chinese sentence, and what a question about one of them must not lose of those before it."""

from collections.abc import Sequence
from typing import NamedTuple

from ragstone.drafting.questions.parts import Ask, plain
from ragstone.reading.values.names import tagged
from ragstone.text.late import late

_CUT = late(r"[，；：。！？]|[,;:!?](?!\d)")
CONDITION = late(
    r"(?:者|(?<![0-9一二三四五六七八九十])时|的话|后|前|以上|以下|以内|之内|期间|情况下|起|为止|内|之际|之初|中|上|(?<![公海英华])里|下)$"
)
_CONDITION_START = late(
    r"^(?:如|若|当|凡|除|未经|非经|未|为了|随着|根据|按照|经过|通过|由于|因|自从|自(?=[0-9一二三四五六七八九十每])|从)"
)
TIME = late(r"(?:自|从|在|截至|至|到)?[^，]{0,8}[0-9〇零一二三四五六七八九十]{1,4}[年月日][^，]{0,8}")
_CASE = late(r"[^是]的$|的话$|(?:时|者)$|^(?:如(?!下)|若|凡|未经|非经|逾)")
"""A clause that tells in which case the rest of its sentence holds."""
_OF_CASES = frozenset(("count", "duration", "amount", "share", "ordinal", "time", "yes_no"))
_PART = late("^其中")
_NO_WHAT = late("^每[^，多]{1,3}(?:收费|收取|收|需|要|为)?多少")
"""A sum for each of something, of which only the sentence before tells what it is for."""
_ON_TOP = late("(?:加收|另加|另收|减免|折抵|优惠)多少")
"""A sum on top of another that the clause before tells."""
_WHAT_LASTS = late("(?:^|，)(?P<what>[^，多]{1,8}?)(?:期限?|时间|时长|年限|周期)(?:为|是|约|不|至|最)?[^，]{0,3}多少")
_ENOUGH = 4
"""Characters of a clause that a question holds where it holds the clause."""


class Clause(NamedTuple):
    """Where a clause begins and ends."""

    start: int
    end: int


def clauses_of(folded: str) -> list[Clause]:
    """Cut a sentence into its clauses."""
    found, here = [], 0
    for cut in _CUT.finditer(folded):
        if folded[here : cut.start()].strip():
            found.append(Clause(here, cut.start()))
        here = cut.end()
    if folded[here:].strip():
        found.append(Clause(here, len(folded)))
    return found


def is_condition(folded: str, clause: Clause) -> bool:
    """Say whether a clause tells when or in which case the next one holds."""
    said = folded[clause.start : clause.end].strip()
    return bool(CONDITION.search(said) or _CONDITION_START.match(said))


def lost(folded: str, clauses: Sequence[Clause], ask: Ask) -> bool:
    """Say whether a question lost what its sentence says before: a case, a time, a condition."""
    asked, kind = plain(ask.question), ask.kind
    before = _before(folded, clauses, ask.spans[0][0])
    if before and before[-1][:_ENOUGH] not in asked and (_ON_TOP.search(asked) or _hangs(before, asked, kind)):
        return True
    lost = _NO_WHAT.search(asked) or any(_is_lost(one, asked, kind) for one in before)
    return kind != "definition" and bool(lost)


def _before(folded: str, clauses: Sequence[Clause], here: int) -> list[str]:
    """The clauses in front of a value's own that stand in its part of the sentence."""
    since = max(folded.rfind(mark, 0, here) for mark in "；。！？")
    return [folded[one.start : one.end].strip() for one in clauses if since < one.start and one.end <= here]


def _is_lost(said: str, asked: str, kind: str) -> bool:
    """Say whether a question does not hold a clause that its answer depends on."""
    if said[:_ENOUGH] in asked or said[-_ENOUGH:] in asked:
        return False
    if kind in _OF_CASES and (_PART.match(said) or TIME.fullmatch(said) or CONDITION.search(said)):
        return True
    return _CASE.search(said) is not None


def _hangs(before: Sequence[str], asked: str, kind: str) -> bool:
    """Say whether what lasts so long is only named by a clause before: 合同由法务部保管，保管期限为十年."""
    found = _WHAT_LASTS.search(asked) if kind == "duration" else None
    what = found["what"] if found else ""
    does = len(what) == 1 or all(one.tag.startswith("v") for one in tagged(what))
    return bool(what) and (does or any(what in one for one in before))
