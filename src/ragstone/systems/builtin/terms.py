"""Words to search by: the same for documents and questions, the question's small words left out."""

import re
from collections.abc import Sequence
from functools import lru_cache

from ragstone.text.fold import fold
from ragstone.text.tokens import CJK, has_cjk, search_tokens

_ASKING = re.compile(
    "请问|請問|告诉我|告訴我|什么样|什麼樣|是什么|是什麼|有什么|有什麼|有哪些|是哪些|哪些|哪[一二两三四五六七八九十几]?[个個种種位项項年天家条條]|哪里|哪裡|"
    "什么|什麼|甚麼|怎么样|怎麼樣|怎么|怎麼|怎样|怎樣|如何|为什么|為什麼|为何|為何|多少|几[个個种種次年天位]|是否|能否|"
    "是不是|有没有|有沒有|吗|嗎|呢|谁|誰|"
    "ですか|ますか|でしょうか|ましたか|は何|何です|何年|どこ|どの|どのような|なぜ|誰"
)
_SMALL = re.compile("[的了是在与與和及或被把让讓将將于於其之也都就还還吧啊呀]")
_STOP_WORDS = (
    "a an the of to in on at for and or is are was were be been do does did has have had it its this that these those "
    "what which who whom whose when where why how many much can could may might should would will shall there with by "
    "from as any me my our your their his her tell please about into than then so if not no"
)
_SUFFIXES = ("ations", "ation", "ings", "ing", "edly", "ers", "er", "ies", "es", "ed", "ly", "s")
_LONGEST = 2000
"""Characters of a question that are looked at."""
_MOST = 200
"""Terms of a question that are searched for; the index parses no endless queries."""
_WORD = re.compile(f"[^\\W_{CJK}]+")
_LETTERS = re.compile("[a-z]{4,}")


def index_terms(text: str) -> list[str]:
    """Return the terms of a piece of a document, with repeats: Latin stems, CJK characters and bigrams."""
    return [_stem(token) if token.isascii() else token for token in search_tokens(text)]


def question_terms(question: str) -> list[str]:
    """Return the distinct content terms of a question, in order.

    >>> question_terms("LightRAG支持哪些数据库？")
    ['lightrag', '支', '持', '支持', '数', '据', '库', '数据', '据库']
    """
    question = question[:_LONGEST]
    plain = fold(_ASKING.sub(" ", question))
    terms = dict.fromkeys(index_terms(_SMALL.sub(" ", plain)))
    content = [term for term in terms if term not in _STOP]
    return (content or list(dict.fromkeys(index_terms(question))))[:_MOST]


def rare_terms(terms: Sequence[str]) -> list[str]:
    """Leave out the single characters that a longer term holds: they find much and tell little."""
    pairs = "".join(term for term in terms if len(term) > 1)
    return [term for term in terms if len(term) > 1 or term not in pairs]


class Cover:
    """Finds which of some terms a text holds, without cutting the text into terms."""

    def __init__(self, terms: Sequence[str]) -> None:
        self._parts = [term for term in terms if has_cjk(term)]
        self._words = frozenset(terms).difference(self._parts)

    def find(self, folded: str) -> set[str]:
        """Return the terms that stand in a folded text."""
        found = {part for part in self._parts if part in folded}
        if self._words:
            found.update(self._words.intersection(map(_stem, _WORD.findall(folded))))
        return found


@lru_cache(maxsize=8192)
def _stem(token: str) -> str:
    """Cut the common English endings, so that `installed` finds `install`."""
    if not _LETTERS.fullmatch(token):
        return token
    for suffix in _SUFFIXES:
        if token.endswith(suffix) and len(token) - len(suffix) >= 4:
            return token[: -len(suffix)].rstrip("e")
    return token.rstrip("e")


_STOP = frozenset(map(_stem, _STOP_WORDS.split()))
