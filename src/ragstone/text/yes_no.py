"""The words by which a reply says yes or no, in the languages judges speak, and the beginnings of such words."""

from collections.abc import Mapping
from typing import Literal

from ragstone.text.fold import fold

Side = Literal["yes", "no"]
_AROUND = " \t▁ġċ*_`\"'“”‘’()[]{}<>【】「」《》.,:;!?。、"
"""What stands round a word: marks, and the signs that tokenizers put for a space or a line break."""
_WORDS: Mapping[Side, tuple[str, ...]] = {
    "yes": (
        *("yes", "yeah", "yep", "y", "true"),
        *("是", "是的", "对", "对的", "有", "真", "正确", "没错"),
        *("はい", "ええ", "正しい", "예", "네", "맞다", "맞습니다"),
    ),
    "no": (
        *("no", "nope", "nah", "n", "false"),
        *("否", "不", "不是", "不对", "没有", "没", "无", "未", "假", "错", "错误", "不正确"),
        *("いいえ", "いえ", "아니", "아니요", "아니오"),
    ),
}
_SIDES: Mapping[str, Side] = {fold(word): side for side, words in _WORDS.items() for word in words}
_OTHERS: Mapping[Side, Side] = {"yes": "no", "no": "yes"}


def _beginnings(side: Side) -> frozenset[str]:
    """Return how words of a side begin; one Latin letter is the beginning of too much else."""
    return frozenset(word[:size] for word in map(fold, _WORDS[side]) for size in range(1 + word.isascii(), len(word)))


_BEGIN: Mapping[Side, frozenset[str]] = {side: _beginnings(side) for side in _OTHERS}


def bare_word(text: str) -> str:
    """Return a word without what stands round it, in one writing.

    >>> bare_word("ĠYes."), bare_word("▁是"), bare_word(" “沒有”")
    ('yes', '是', '没有')
    """
    return fold(text).strip(_AROUND)


def side_of(word: str) -> Side | None:
    """Say what a whole word says; None where it is neither yes nor no.

    >>> side_of("不对"), side_of("是的。"), side_of("没"), side_of("well")
    ('no', 'yes', 'no', None)
    """
    return _SIDES.get(bare_word(word))


def side_of_token(token: str) -> Side | None:
    """Say what a reply says that begins with a token: a word, or the beginning of words of one side only.

    What may go on to the other side tells nothing: 没 of 没有 is that of 没错, too.

    >>> side_of_token("ye"), side_of_token("不"), side_of_token("아니"), side_of_token("没"), side_of_token("")
    ('yes', 'no', 'no', None, None)
    """
    word = bare_word(token)
    found = [side for side in _OTHERS if _SIDES.get(word) == side or word in _BEGIN[side]]
    return found[0] if len(found) == 1 else None
