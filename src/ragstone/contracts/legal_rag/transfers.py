"""Which end of a transfer a name stands at: the one it comes from, or the one it goes to (R1.3).

钱是谁转的？        是周岩转给林晓舟的         周岩 gives, 林晓舟 receives
进了谁的账户？      从周岩的账户转入了林晓舟的   林晓舟, not 周岩
"""

from functools import lru_cache
from typing import Literal

from ragstone.reading.cues import cue
from ragstone.text.fold import fold

End = Literal["source", "target", ""]

_MOVE = r"(?:转|汇|打|付|支付|交|缴|还|退|划|存|送|寄|卖|借|租|拿|流)"
_ACCOUNT = r"(?:的|名下的?)?(?:银行|个人|公司|对公|微信|支付宝)?(?:账户|帐户|账号|帐号|银行卡|卡)"
_ASKS_SOURCE = cue(
    r"[从由自]谁|(?<![给向对跟和与替为到进入])谁(?:的)?[^,.;?]{0,10}?(?:转(?![租让告达述院学正])|付|汇|打款|打给|支付|交给|出资|垫付|卖给|借给|转出|汇出)",
    r"\bfrom (?:whose|whom)\b|\bwho (?:had |has )?(?:paid|sent|transferred|wired|remitted)\b",
)
_ASKS_TARGET = cue(
    rf"(?:给|到|进|入|向|予)了?谁|谁{_ACCOUNT}|谁(?:收|拿|领)|收款(?:人|方)是谁",
    r"\bto whom\b|\b(?:in)?to whose\b|\bwhose account\b|\bwho (?:had |has )?(?:received|got)\b",
)
_HANDED_TO = cue(
    rf"{_MOVE}(?:账|帐|款|钱|回|租)?(?:给|到|入|进|至|往|予)了?$",
    r"\b(?:paid|sent|transferred|wired|remitted|gave|given|handed|sold|lent)(?: [a-z0-9']+){0,5}? to $",
)
_TAKEN_FROM = cue(r"[从自]$", r"\bfrom $")
_OUT = r"(?:转|汇|打|划|支|付|支付|取|流)(?:账|帐|款)?(?:出|给|到|入|进|至|往)"
_GIVES = cue(
    rf"(?:通过[^,.;!?]{{1,8}}?|用[^,.;!?]{{1,8}}?|把[^,.;!?]{{1,8}}?|将[^,.;!?]{{1,8}}?)?{_OUT}",
    r"(?: (?:had|has|then))? (?:paid|sent|transferred|wired|remitted)\b",
)
_ACCOUNT_GIVES = cue(rf"{_ACCOUNT}(?:里|上|中|内)?(?:[^,.;!?]{{0,6}}?){_OUT}", r"'s account (?:paid|sent)\b")
_HANDS_BACK = cue(r"(?:又|再|后来|随后|已经?|负责|只是|仅|全部|如数)*(?:退|还(?=给|了|清|款)|归还|返还|收(?!据|条))")
_BACK = cue(r"退|还|收")
_NEAR = 40


@lru_cache(maxsize=4096)
def asked_end(question: str) -> End:
    """Read out of a question which end of a transfer it asks for."""
    folded = fold(question)
    if _ASKS_TARGET.search(folded):
        return "target" if not _FROM_WHOM.search(folded) else "source"
    return "source" if _ASKS_SOURCE.search(folded) else ""


_FROM_WHOM = cue(r"[从由自]谁|\bfrom (?:whose|whom)\b")


def at_other_end(folded: str, start: int, end: int, question: str) -> bool:
    """Tell whether a name stands at the other end of the transfer than the one asked for."""
    asked = asked_end(question)
    if not asked:
        return False
    before, behind = folded[max(0, start - _NEAR) : start], folded[end : end + _NEAR]
    if asked == "target":
        handed = _HANDED_TO.search(before) is not None
        return bool(
            _TAKEN_FROM.search(before) or (not handed and (_GIVES.match(behind) or _ACCOUNT_GIVES.match(behind)))
        )
    if _GIVES.match(behind):
        return False
    return bool(_HANDED_TO.search(before)) or (not _BACK.search(fold(question)) and bool(_HANDS_BACK.match(behind)))
