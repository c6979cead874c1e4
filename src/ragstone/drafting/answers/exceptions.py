"""Whether a rule holds without exception: what is told beside it, or of its article elsewhere, may take it back."""

import re
from bisect import bisect_right
from functools import lru_cache

from ragstone.drafting.corpus import Paper, Sentence
from ragstone.drafting.questions.parts import plain
from ragstone.text.late import late

_EXCEPTS = late(
    r"除外|例外|不受此限|不在此限|不适用|不受.{0,6}限制|豁免|除非|但书|^(?:但|但是|不过|然而|如|若|遇|凡|经|除|确|因)|"
    r"(?:须|需|应|必须|应当|可|可以)经.{0,12}(?:同意|批准|许可|允许|审批)|特殊情况|特殊原因|确需|确有|仅限|只限|只有|前提|"
    r"[，；](?:但|但是|除|如确|如因|如需|若)|上述(?:规定|限制|禁令|要求)|此项?(?:规定|限制|要求)|"
    r"\b(?:except(?:ion(?:s|ally)?|ing)?|exempt(?:ed|ion|ions)?|unless|however|otherwise|excluded|waived?)\b|"
    r"\b(?:does|do|shall|will) not apply\b|^(?:but|only|if|where|in (?:an )?emergenc|in exceptional|"
    r"subject to|provided|with (?:the )?|"
    r"this (?:rule|ban|requirement|applies|only|restriction))\b|\bonly (?:if|when|with|for|where)\b|"
    r"\b(?:prior|written) (?:consent|permission|approval)\b|\b(?:consent|permission) of\b",
    re.IGNORECASE,
)
"""How a text takes back, or makes depend on something, what it laid down."""
_WITHIN = late(
    r"除外|例外|除非|特殊情况|特殊原因|确需|确有|上述|此项|[，；](?:但|但是|如|若|除|经|确)|\b(?:except|"
    r"unless|but|however|subject to|provided|only)\b",
    re.IGNORECASE,
)
"""In a rule's own sentence."""
_BEFORE = late(
    r"除(?:以下|下列|下述|有).{0,12}(?:情况|情形|规定|者)?外|在(?:以下|下列)情|^(?:如|若)(?!何)|"
    r"\b(?:except|exception|unless|exempt)\b|\bin the following cases\b|^(?:if|when|in an emergency)\b",
    re.IGNORECASE,
)
"""In the sentence before, which tells in which case the rule holds or does not."""
_ARTICLE = late("第[0-9一二三四五六七八九十百]{1,5}[条條款]")
_APART = 400
"""Characters to the sentence beside, from which it tells of something else."""


def has_exception(paper: Paper, at: int) -> bool:
    """Say whether the rule of a sentence has an exception in itself, beside it, or where its article is named."""
    sentences, one = paper.sentences, paper.sentences[at]
    if _WITHIN.search(plain(one.text)):
        return True
    articles = _articles(paper)
    here = bisect_right(articles, (one.page, one.start, "\uffff")) - 1
    article = articles[here][2] if here >= 0 and articles[here][0] == one.page else ""
    if article in _excepted(paper):
        return True
    if at and _is_near(sentences[at - 1], one) and _BEFORE.search(plain(sentences[at - 1].text)):
        return True
    beside = plain(sentences[at + 1].text) if at + 1 < len(sentences) and _is_near(one, sentences[at + 1]) else ""
    others = _ARTICLE.findall(beside)
    return _EXCEPTS.search(beside) is not None and (not others or article in others)


def _is_near(one: Sentence, other: Sentence) -> bool:
    return (one.page, one.section) == (other.page, other.section) and other.start - one.start - len(one.text) < _APART


@lru_cache(64)
def _articles(paper: Paper) -> list[tuple[int, int, str]]:
    """Where each article begins, and its number."""
    return [(block.page, block.start, plain(block.article)) for block in paper.blocks if block.article]


@lru_cache(64)
def _excepted(paper: Paper) -> frozenset[str]:
    """The articles of which a sentence elsewhere tells an exception."""
    told = (plain(one.text) for one in paper.sentences)
    return frozenset(name for text in told if _EXCEPTS.search(text) for name in _ARTICLE.findall(text))
