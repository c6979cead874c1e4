"""Texts, names and yes/no of a fact_exact question (R1.2, R1.3)."""

from functools import lru_cache

from ragstone.contracts.legal_rag.facts.given import Given, Verdict, plain
from ragstone.contracts.legal_rag.sources.quotes import quote_key
from ragstone.core.language import excerpt
from ragstone.reading import verdicts
from ragstone.reading.answers.told import Choice, Told
from ragstone.reading.answers.who import judge_name, short_forms
from ragstone.reading.answers.yes_no import read_yes_no
from ragstone.reading.asked import BARE_NO, BARE_YES
from ragstone.reading.points.forms import Point
from ragstone.reading.points.states import states
from ragstone.text.fold import fold, squeeze

SHOWN = 200
"""Longest piece of an answer that is kept as what was found."""


def compare_text_answer(given: Given) -> Verdict:
    """Compare an answer in words: it must be stated, not denied."""
    wanted = given.fact.text_answer
    assert wanted is not None
    told = given.told
    if _same_words(told.text, wanted):
        return Verdict(Choice("match", excerpt(told.text, SHOWN), "same_words"), wanted)
    if not told.text.strip():
        return Verdict(Choice("missing"), wanted)
    if (yes := BARE_YES.fullmatch(fold(wanted))) or BARE_NO.fullmatch(fold(wanted)):
        return Verdict(_says(told, wanted=yes is not None), wanted)
    found = states(_prepare(wanted, given.lexicon), told.outside, given.question)
    if found.outcome == "open":
        found = _in_quotes(told, _prepare(wanted, given.lexicon)) or found
    shown = excerpt(told.words_at(found.span) if found.span else told.text, SHOWN)
    if found.outcome == "yes":
        return Verdict(Choice("match", shown, found.rule), wanted)
    return Verdict(Choice("wrong" if found.outcome == "no" else "open", rule=found.rule, others=(shown,)), wanted)


def _in_quotes(told: Told, wanted: Point) -> verdicts.Verdict | None:
    """The verdict on a quotation that states the words, where it may stand as the answer."""
    for quote in told.quotes:
        found = states(wanted, told.inside(quote).said, told.question)
        if found.outcome == "yes" and told.quote_answers([quote.start]):
            return verdicts.Verdict("yes", found.rule, quote)
    return None


def _same_words(one: str, other: str) -> bool:
    key = quote_key(other)
    return quote_key(one) == key if key else squeeze(one) == squeeze(other)


def compare_entity(given: Given) -> Verdict:
    """Compare a name: 李明 is not 李明珠, one of two names is no answer, and 李明是付款人 names no payee."""
    wanted = given.fact.entity
    assert wanted is not None
    if _same_words(given.told.text, wanted):
        return Verdict(Choice("match", excerpt(given.told.text, SHOWN), "same_words"), wanted)
    names = given.lexicon.wordings(wanted)
    if fold(wanted) not in given.told.folded:
        names += [name for name in short_forms(wanted) if fold(name) in given.told.folded]
    choices = [judge_name(name, given.told) for name in names]
    return Verdict(next((one for one in choices if one.outcome == "match"), choices[0]), wanted)


def compare_boolean_answer(given: Given) -> Verdict:
    """Compare yes and no."""
    wanted = given.fact.boolean_answer
    assert wanted is not None
    if isinstance(given.value, bool):
        return Verdict(plain(given.value is wanted, str(given.value).lower()), wanted)
    return Verdict(_says(given.told, wanted=wanted), wanted)


def _says(told: Told, *, wanted: bool) -> Choice:
    """Whether an answer says the yes or the no that is wanted."""
    said, shown = read_yes_no(told), excerpt(told.text, SHOWN)
    if said is None:
        return Choice("open" if told.text.strip() else "missing", rule="not_found")
    return Choice("match", shown, "yes_no") if said is wanted else Choice("wrong", others=(shown,))


_prepare = lru_cache(maxsize=512)(Point)
