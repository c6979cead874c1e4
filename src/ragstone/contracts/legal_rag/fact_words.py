"""Texts, names and yes/no of a fact_exact question (R1.2, R1.3)."""

from collections.abc import Callable
from functools import lru_cache

from ragstone.contracts.legal_rag.given import Given, Verdict, plain
from ragstone.contracts.legal_rag.light_words import nearly_said
from ragstone.contracts.legal_rag.name_roles import judge_name
from ragstone.contracts.legal_rag.outside_quotes import Outside
from ragstone.contracts.legal_rag.quotes import quote_key
from ragstone.contracts.legal_rag.stated import Choice
from ragstone.contracts.legal_rag.yes_no import read_yes_no
from ragstone.core.language import excerpt
from ragstone.reading.mention import Mention, Point, Reply, mentions
from ragstone.reading.sentences import hide_quotes
from ragstone.text.fold import fold, squeeze

SHOWN = 200
"""Longest piece of an answer that is kept as what was found."""
_SET_ASIDE = frozenset({"negated", "asked", "supposed", "guessed", "corrected", "number_changed", "swapped"})
"""Rules by which the answer's own words deny what a quote says."""


def compare_text_answer(given: Given) -> Verdict:
    """Compare an answer in words: it must be stated, not denied."""
    wanted = given.fact.text_answer
    assert wanted is not None
    return Verdict(_best(wanted, given, lambda words: _words(words, given, own=True)), wanted)


def _best(wanted: str, given: Given, judge: Callable[[str], Choice]) -> Choice:
    """Judge what is wanted in each of its wordings, and keep the first that matches."""
    first = None
    for wording in given.lexicon.wordings(wanted):
        choice = judge(wording)
        if choice.outcome == "match":
            return choice
        first = first or choice
    assert first is not None
    return first


def _words(wanted: str, given: Given, *, own: bool = False) -> Choice:
    """Look for words outside the quotes, and in them only where nothing else answers."""
    text = given.words()
    if _same_words(text, wanted):
        return Choice("match", excerpt(text, SHOWN), "same_words")
    hidden = hide_quotes(text)
    mention = mentions(_prepare(wanted), Reply.prepare(hidden), given.question)
    if mention.verdict != "yes" and own and (span := nearly_said(wanted, hidden)):
        return Choice("match", excerpt(text[span[0] : span[1]], SHOWN), "light_words")
    if mention.verdict != "yes" and hidden != text and mention.rule not in _SET_ASIDE:
        whole = mentions(_prepare(wanted), Reply.prepare(text), given.question)
        if whole.verdict == "yes" and _quote_answers(wanted, Outside(text, hidden, given.question, given.asks), whole):
            mention = whole
    if mention.verdict == "yes":
        span = mention.span or (0, len(text))
        return Choice("match", excerpt(text[span[0] : span[1]], SHOWN), mention.rule)
    return Choice(
        "wrong" if text.strip() else "missing",
        rule=mention.rule,
        others=(excerpt(text, SHOWN),) if text.strip() else (),
    )


def _quote_answers(wanted: str, outside: Outside, mention: Mention) -> bool:
    """Tell whether quoted words may stand as the answer; own words that share half of them may lean on the quote."""
    if outside.refuses():
        return False
    shared = set(fold(wanted)) & set(outside.content)
    return 2 * len(shared) >= len(set(fold(wanted))) or outside.lets_speak([mention.span[0] if mention.span else 0])


def _same_words(one: str, other: str) -> bool:
    key = quote_key(other)
    return quote_key(one) == key if key else squeeze(one) == squeeze(other)


def compare_entity(given: Given) -> Verdict:
    """Compare a name: 李明 is not 李明珠, one of two names is no answer, and 李明是付款人 names no payee."""
    wanted = given.fact.entity
    assert wanted is not None
    return Verdict(_best(wanted, given, lambda name: _entity(name, given)), wanted)


def _entity(wanted: str, given: Given) -> Choice:
    choice = _words(wanted, given)
    if choice.outcome == "match" and choice.rule != "same_words":
        # A name outside the quotes is judged by what stands there; in them it may stand otherwise.
        text = given.words()
        hidden = hide_quotes(text)
        told = hidden if mentions(_prepare(wanted), Reply.prepare(hidden), given.question).verdict == "yes" else text
        return judge_name(wanted, told, given.question, choice)
    return choice


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
