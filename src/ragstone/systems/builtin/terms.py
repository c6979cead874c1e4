"""Words to search by: the same for documents and questions, the question's small words left out."""

import re

from ragstone.text.fold import fold
from ragstone.text.tokens import search_tokens

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
_ASCII_WORD = re.compile(r"[a-z]{4,}")


def index_terms(text: str) -> list[str]:
    """Return the terms of a piece of a document, with repeats: Latin stems, CJK characters and bigrams."""
    return [_stem(token) for token in search_tokens(text)]


def question_terms(question: str) -> list[str]:
    """Return the distinct content terms of a question, in order.

    >>> question_terms("LightRAG支持哪些数据库？")
    ['lightrag', '支', '持', '支持', '数', '据', '库', '数据', '据库']
    """
    plain = fold(_ASKING.sub(" ", question))
    terms = dict.fromkeys(index_terms(_SMALL.sub(" ", plain)))
    content = [term for term in terms if term not in _STOP]
    return content or list(dict.fromkeys(index_terms(question)))


def _stem(token: str) -> str:
    """Cut the common English endings, so that `installed` finds `install`."""
    if not _ASCII_WORD.fullmatch(token):
        return token
    for suffix in _SUFFIXES:
        if token.endswith(suffix) and len(token) - len(suffix) >= 4:
            return token[: -len(suffix)].rstrip("e")
    return token.rstrip("e")


_STOP = frozenset(map(_stem, _STOP_WORDS.split()))
