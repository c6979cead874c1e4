"""The shape of a proposal: a quotation that ends where words and clauses end, a question that is a sentence."""

import re

from ragstone.drafting.corpus import Paper
from ragstone.drafting.questions.parts import plain, words
from ragstone.reading.lexicon import is_word
from ragstone.reading.values.names import tagged
from ragstone.reading.values.values import values
from ragstone.text.late import late

_HAN = late("[\u3400-\u9fff]")
_NEAR = 30
"""Characters on either side of a place in which the word that it may cut is looked for."""
_DATED = late("[0-9〇零一二三四五六七八九十][年月日号天时]$")
"""A date or number with its unit, behind which a tagger finds 日前."""
_CLAUSE = 8
"""Han characters from which a quotation with a verb is a clause, which is told to its end."""
_VALUE = 12
"""Characters of a quotation that is a value and little else."""
_HANGS = late("[的和与及或在于以把被将对从]$")
"""How a quotation ends that goes on."""
_ENDS = late(r"\s*(?:$|[，。；：！？、,.;:!?）)」』”\"\n|（(])")
_SENTENCE = late(r"[。！？]|[.!?]\s+[A-Z]")
_DEFINES = late(
    r"^(?:什么是(?P<first>[^，？]{1,20})|(?P<last>[^，？]{1,20}?)(?:是|指的是|是指)(?:什么|谁|何物|何人))？?$|"
    r"^(?:what|who) (?:is|are|was|were) (?P<english>[^,?]{2,60})\?$",
    re.IGNORECASE,
)
_OF = late(r"的(?!是)|\b(?:of|for|in|at|on|to)\b")
"""In a question for an attribute of something."""
_LINK = late(
    r"(?:(?:是|为|指|即|系|作|叫|称)(?:的是)?|(?:是|为)(?:一[个种名位座部]|由)|[：:，(（]|\b(?:is|are|was|"
    r"were|means?|as|called|refers to|:|,|an?|the))\s*$",
    re.IGNORECASE,
)
"""What stands before words that tell what something is."""
_ASKING = late(
    "哪一?年|哪年哪月|什么时候|何时|哪里|何处|哪[个些位座所支]?|多少|几[^，]?|谁|什么|怎[么样]*|为何|吗|呢|[？?]|是否"
)
_AT_END = late("(?:谁|什么|多少[^，。]{0,4}|几[^，。]{0,2}|哪里|何处|哪[个些位座所支][^，。]{0,4}|如何|怎样|吗)？?$")
_BROKEN = late(r"(?:[后時时]|之?前|期间|之际|以来|中|的|在|于|和|与|或)？?$")
_BROKEN_ENGLISH = late(
    r"\b(?:the|an?|after|before|when|while|and|or|during|because|although|if|than|very)\?$", re.IGNORECASE
)
_WHEN_FIRST = late("(?:哪一?年|什么时候|何时)")
_REST_OF_DATE = late("哪一?年[0-9一二三四五六七八九十]+月")
_MODAL = words("可以 能 须 应 应当 必须 需 需要 有 为")


def is_cut_word(text: str, at: int) -> bool:
    """Say whether a place is inside a Chinese word."""
    first = max(0, at - _NEAR)
    if not _HAN.match(text[at - 1 : at]) or not _HAN.match(text, at) or _DATED.search(text[max(0, at - 4) : at]):
        return False
    near = plain(text[first : at + _NEAR])
    return any(first + one.start < at < first + one.end and is_word(one.word) for one in tagged(near))


def ends_early(text: str, start: int, end: int) -> bool:
    """Say whether a quotation runs over the end of a sentence, or is a clause that stops before its own."""
    gold = text[start:end].strip()
    if _SENTENCE.search(gold[:-1]) or (_HANGS.search(plain(gold)) and not _ENDS.match(text, end)):
        return True
    if len(_HAN.findall(gold)) < _CLAUSE or gold.endswith(("。", "！", "？")):
        return False
    clause = any(one.tag.startswith("v") and one.tag != "vn" for one in tagged(plain(gold)))
    return clause and not _ENDS.match(text, end)


def defines_nothing(question: str, text: str, start: int, gold: str) -> bool:
    """Say whether a question asks what something is, and its quotation does not stand where that is told."""
    found = _DEFINES.match(plain(question))
    if not found or _OF.search(found[0]) or (values(gold) and len(gold) <= _VALUE):
        return False
    named = plain(next(part for part in found.groups() if part)).lower()
    said = plain(gold).lower()
    if said.startswith(named) and re.match(
        r"(?:[（(][^（）()]*[）)])?(?:是|为|指| is | are | was )", said[len(named) :]
    ):
        return _ENDS.match(text, start + len(gold)) is None
    return _LINK.search(plain(text[max(0, start - _NEAR) : start])) is None


def is_no_sentence(question: str, paper: Paper) -> bool:
    """Say whether a question lacks its verb, or stops in the middle."""
    asked = plain(question)
    if paper.writing == "en":
        return _BROKEN_ENGLISH.search(asked) is not None
    if not paper.writing.startswith("zh"):
        return False
    if (_BROKEN.search(asked) and not _AT_END.search(asked)) or _REST_OF_DATE.search(asked):
        return True
    told = _ASKING.sub("，", asked)
    tokens = tagged(told.rpartition("的")[2] if _WHEN_FIRST.match(asked) and "的" in told else told)
    verbs = any(one.tag[0] in "va" or one.tag in ("zg", "i", "l") or one.word in _MODAL for one in tokens)
    return not verbs and not _AT_END.search(asked)


def has_subject(question: str, paper: Paper) -> bool:
    """Say whether a question names what it is about in front of its verb, as far as that can be told."""
    if not paper.writing.startswith("zh"):
        return True
    asked = plain(question)
    lead = _ASKING.match(asked)
    said = tagged(asked[lead.end() :] if lead else asked)
    first = next((one for one in said if one.tag[0] not in "dcxtm"), None)
    return first is None or not (first.tag == "p" or (first.tag.startswith("v") and first.tag != "vn"))
