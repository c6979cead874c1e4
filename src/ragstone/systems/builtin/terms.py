"""Search terms: the same for documents and questions, without the question's stop words."""

import re
from collections.abc import Sequence
from functools import lru_cache

from ragstone.text.fold import fold
from ragstone.text.tokens import CJK, has_cjk, search_tokens

_ASKING = re.compile(
    "请问|告诉我|是?什么时[候间]|什么样|是什么|有什么|有哪些|是哪些|哪些|哪[一二两三四五六七八九十几]{0,2}[个种位项年天家条日月笔次户张件辆只处部]|哪里|哪|"
    "什么|甚么|何时|何日|怎么样|怎么办|怎么|怎样|如何|为什么|为何|多少[钱元]?|几[个种次年天位]|多[久长远大高]|可以|需要|是否|能否|是不是|有没有|吗|呢|谁|"
    "ですか|ますか|でしょうか|ましたか|は何|何です|何年|どこ|どのような|どの|なぜ|だれ|いつ"
)
_FRAME = re.compile(
    "(?:还|另)?(?:有|存在)?(?:哪些|哪几[项个种]|什么|何种|何)(?:证据|依据)(?:能够?|可以)?(?:表明|证明|说明|显示|证实|支持|涉及|指向|反映|佐证)?"
    "|有?哪些(?:体现|表现)|证据(?:表明|证明|显示)|[的之](?:证据|依据)"
    "|请[你您]?(?:逐一|逐笔|逐项|逐个|分别|具体|详细|简要)?(?:列出|列举|列明|说明|指出|描述|概括|总结|回答)"
    "|(?:如果|假如)?我(?:想要?|要|该|可以|能|打算)|(?:逐一|逐笔|逐项|逐个|分别|具体|详细)(?:列出|列举|列明|说明|指出|描述)?|列出|列举|关于|自己|大约|大概|究竟|到底"
    r"|\b(?:what|which|is there(?: any)?|any) evidence(?: is there| exists)?(?: that| of| for)?"
    r"(?: (?:shows?|proves?|supports?|indicates?|suggests?|establish(?:es)?)(?: that)?)?\b"
    r"|^\W{0,9}(?:please )?(?:list|describe|explain)\b"
)
"""Words that frame a question and say nothing of what it is about."""
_SMALL = re.compile("[的了是在与和及或被把让将于其之也都就还吧啊呀对向从]")
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
_RUN = re.compile(r"[^\W_]+")
_LETTERS = re.compile("[a-z]{4,}")


def index_terms(text: str) -> list[str]:
    """Return the terms of a piece of a document, with repeats: Latin stems, CJK characters and bigrams."""
    return [_stem(token) if token.isascii() else token for token in search_tokens(text)]


def question_runs(question: str) -> list[list[str]]:
    """Return the content terms of a question, run by run, as its small words and question words part them.

    >>> question_runs("屋顶的颜色是什么？")
    [['屋', '顶', '屋顶'], ['颜', '色', '颜色']]
    """
    plain = _SMALL.sub(" ", _ASKING.sub(" ", _FRAME.sub(" ", fold(question[:_LONGEST]))))
    runs = ([term for term in index_terms(run) if term not in _STOP] for run in _RUN.findall(plain))
    return [run for run in runs if run]


def question_terms(question: str) -> list[str]:
    """Return the distinct content terms of a question, in order.

    >>> question_terms("LightRAG支持哪些数据库？")
    ['lightrag', '支', '持', '支持', '数', '据', '库', '数据', '据库']
    """
    content = list(dict.fromkeys(term for run in question_runs(question) for term in run))
    return (content or list(dict.fromkeys(index_terms(question[:_LONGEST]))))[:_MOST]


def rare_terms(terms: Sequence[str]) -> list[str]:
    """Leave out the single characters that a longer term holds: they find much and tell little."""
    pairs = "".join(term for term in terms if len(term) > 1)
    return [term for term in terms if len(term) > 1 or term not in pairs]


class Cover:
    """Finds which of some terms a text holds, without cutting the text into terms."""

    def __init__(self, terms: Sequence[str]) -> None:
        self._parts = [term for term in terms if has_cjk(term)]
        self._words = frozenset(terms).difference(self._parts)

    def find(self, folded: str, words: frozenset[str] | None = None) -> set[str]:
        """Return the terms that stand in a folded text; its stems may be given when they are known."""
        found = {part for part in self._parts if part in folded}
        if self._words:
            found |= self._words & (stems(folded) if words is None else words)
        return found


def stems(folded: str) -> frozenset[str]:
    """Return the stems of the Latin words and numbers in a folded text."""
    return frozenset(map(_stem, _WORD.findall(folded)))


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
