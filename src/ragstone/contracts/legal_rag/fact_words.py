"""Texts, names and yes/no of a fact_exact question (R1.2, R1.3)."""

from functools import lru_cache

from ragstone.contracts.legal_rag.given import Given, Verdict, plain
from ragstone.contracts.legal_rag.quotes import quote_key
from ragstone.contracts.legal_rag.stated import Choice
from ragstone.contracts.legal_rag.yes_no import read_yes_no
from ragstone.language import excerpt
from ragstone.parsing.cues import cue
from ragstone.parsing.mention import Point, Reply, mentions
from ragstone.parsing.names import find_names
from ragstone.text.fold import fold, squeeze

SHOWN = 200
"""Longest piece of an answer that is kept as what was found."""
_ALTERNATIVE = cue(r"^\W{0,2}(?:或者?|还是|\bor\b)|(?:或者?|还是|\bor)\W{0,2}$")


def compare_text_answer(given: Given) -> Verdict:
    """Compare an answer in words: it must be stated, not denied."""
    wanted = given.fact.text_answer
    assert wanted is not None
    return Verdict(_words(wanted, given), wanted)


def _words(wanted: str, given: Given) -> Choice:
    text = given.words()
    if _same_words(text, wanted):
        return Choice("match", excerpt(text, SHOWN), "same_words")
    mention = mentions(_prepare(wanted), Reply.prepare(text), given.question)
    if mention.verdict == "yes":
        span = mention.span or (0, len(text))
        return Choice("match", excerpt(text[span[0] : span[1]], SHOWN), mention.rule)
    return Choice(
        "wrong" if text.strip() else "missing",
        rule=mention.rule,
        others=(excerpt(text, SHOWN),) if text.strip() else (),
    )


def _same_words(one: str, other: str) -> bool:
    key = quote_key(other)
    return quote_key(one) == key if key else squeeze(one) == squeeze(other)


def compare_entity(given: Given) -> Verdict:
    """Compare a name: 李明 is not 李明珠, and one of two names is no answer."""
    wanted = given.fact.entity
    assert wanted is not None
    choice = _words(wanted, given)
    text = given.words()
    if choice.outcome == "match" and choice.rule != "same_words":
        longer = _longer_name(wanted, text)
        if longer:
            return Verdict(Choice("wrong", others=(longer,)), wanted)
        if _has_alternative(wanted, text):
            return Verdict(Choice("several", wanted, choice.rule, (excerpt(text, SHOWN),)), wanted)
    return Verdict(choice, wanted)


def _longer_name(wanted: str, text: str) -> str | None:
    """Return the longer name that begins with the expected one (李明 in 李明珠), if that never stands alone."""
    name = squeeze(wanted)
    found = [text[n.start : n.end] for n in find_names(text) if n.kind == "person"]
    longer = [one for one in found if squeeze(one) != name and squeeze(one).startswith(name)]
    if not longer or any(squeeze(one) == name for one in found):
        return None
    rest = squeeze(text)
    for one in longer:
        rest = rest.replace(squeeze(one), "¦")
    return None if name in rest else longer[0]


def _has_alternative(wanted: str, text: str) -> bool:
    """Tell whether a name is offered beside another: 屈仲平或阮大勇."""
    folded, name = fold(text), fold(wanted)
    at = folded.find(name)
    if at < 0:
        return False
    after, before = folded[at + len(name) : at + len(name) + 6], folded[max(0, at - 6) : at]
    return bool(_ALTERNATIVE.match(after) or (_ALTERNATIVE.search(before) and before.strip()[:2] != ""))


def compare_boolean_answer(given: Given) -> Verdict:
    """Compare yes and no."""
    wanted = given.fact.boolean_answer
    assert wanted is not None
    if isinstance(given.value, bool):
        return Verdict(plain(given.value is wanted, str(given.value).lower()), wanted)
    text = given.words()
    said = read_yes_no(text, given.question)
    if said is None:
        return Verdict(Choice("missing"), wanted)
    return Verdict(
        Choice("match", excerpt(text, SHOWN), "yes_no")
        if said is wanted
        else Choice("wrong", others=(excerpt(text, SHOWN),)),
        wanted,
    )


_prepare = lru_cache(maxsize=8192)(Point.prepare)
