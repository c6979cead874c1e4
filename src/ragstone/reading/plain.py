"""Whether a stretch of folded text is simply said: it holds no sign of a denial, question, condition or guess.

A sign is less than a cue: every cue in `negation` holds at least one of them, and most sentences hold none. Looking for
signs costs a hundredth of looking for cues.
"""

import re

from ragstone.reading.cues import cue

_HAN = frozenset(
    "不没未无毋非勿禁严拒否移弃停原除实对错误谣传假想要问询您你知了如若设倘建虑计算望拟可能许概定怕疑据难谎×✗✘❌"
)
_LATIN = re.compile("[a-z]+")
_WORDS = frozenset(
    _LATIN.findall(
        "not never cannot without neither nor unable lack lacks excluding except no instead rather other fail "
        "fails failed dropped removed discontinued deprecated abandoned originally formerly previously initially "
        "used but however actually fact wrong false incorrect untrue myth misconception mistaken answer "
        "prohibited banned forbidden whether if ask asked asking know plan plans consider considering hope hopes "
        "suppose supposing were had should might maybe perhaps possibly could rumored rumoured allegedly "
        "hardly barely scarcely rarely seldom "
        "claim claims statement statements notion idea belief rumor rumour assertion assumption"
    )
)
_PAIRS = cue("取消|放弃|终止|撤销|去掉|删除|下线|本应|本该|本来应|按理|几率|机率|机会")
BLOCK = 256
"""Characters that are looked at together, with as many on either side: no cue reaches further."""


def is_plain(folded: str) -> bool:
    """Whether nothing in a text can be the sign of a mood; question marks are looked for elsewhere."""
    if not _HAN.isdisjoint(folded) or "n't" in folded:
        return False
    return _PAIRS.search(folded) is None and _WORDS.isdisjoint(_LATIN.findall(folded))


class PlainParts:
    """The plain parts of one text, found block by block when a place in them is asked for."""

    def __init__(self, folded: str) -> None:
        self._folded = folded
        self._asks = "?" in folded
        self._blocks: dict[int, bool] = {}

    def __contains__(self, place: int) -> bool:
        if self._asks:
            return False
        block = place // BLOCK
        plain = self._blocks.get(block)
        if plain is None:
            start = block * BLOCK
            plain = self._blocks[block] = is_plain(self._folded[max(0, start - BLOCK) : start + 2 * BLOCK])
        return plain
