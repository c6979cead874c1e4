"""Compares each field of a fact_exact question with what an answer states (R1.2, R1.3, R1.4)."""

import re
from collections.abc import Callable, Sequence
from datetime import date
from decimal import Decimal
from functools import lru_cache
from typing import NamedTuple

from ragstone.contracts.legal_rag.cases import Fact, Gold, Period, exact
from ragstone.contracts.legal_rag.quotes import quote_key
from ragstone.contracts.legal_rag.stated import Candidate, Choice, Outcome, Told, choose
from ragstone.contracts.legal_rag.yes_no import read_yes_no
from ragstone.parsing.cues import cue
from ragstone.parsing.mention import Point, Reply, mentions
from ragstone.parsing.names import find_names
from ragstone.text.dates import DateMention, find_dates
from ragstone.text.fold import fold, squeeze
from ragstone.text.numbers import Quantity, find_numbers
from ragstone.types import JSON, Reading

TOLERANCE = Decimal("0.01")
"""Relative difference that `numeric_exact: false` allows (R1.4)."""

_ABOUT = cue(r"约|大约|大概|大致|左右|上下|估计|about|around|approximately|roughly")
_MONEY = cue(r"金额|款|钱|元|价|费|额|\btotal\b|\bamount\b|\bsum\b|\bpaid\b")
_ASKED_UNIT = re.compile(r"(?:几|多少)\s?([一-鿿])")
_PEOPLE = frozenset("个人名位口")
_ALTERNATIVE = cue(r"^\W{0,2}(?:或者?|还是|\bor\b)|(?:或者?|还是|\bor)\W{0,2}$")


class Compared(NamedTuple):
    """The verdict on one field."""

    field: str
    outcome: Outcome
    expected: JSON
    found: str = ""
    rule: str = ""
    others: tuple[str, ...] = ()


class _Given(NamedTuple):
    """What an answer gives for a field, and what it was asked."""

    value: JSON
    """The structured value, None when there is none."""
    text: str
    question: str
    gold: Gold
    fact: Fact


_FIELD_OF = {"amount_total": "amount", "boolean_answer": "boolean", "text_answer": "text"}


def compare(gold: Gold, fact: Fact, reading: Reading, question: str) -> list[Compared]:
    """Compare every field that is asked for."""
    found = []
    for name in fact.asked():
        value = reading.fields.get(_FIELD_OF.get(name, name))
        given = _Given(value, reading.text, question, gold, fact)
        choice, expected = _COMPARE[name](given)
        found.append(Compared(name, choice.outcome, expected, choice.found, choice.rule, choice.others))
    return found


# --- numbers ---


def _amount_total(given: _Given) -> tuple[Choice, JSON]:
    wanted = given.fact.amount_total
    assert wanted is not None
    close = _closeness(wanted, given.fact.numeric_exact)
    shown = _shown(wanted)
    number = _number(given.value)
    if number is not None:
        return _plain(close(number), _shown(number)), shown
    told = Told(given.value if isinstance(given.value, str) else given.text)
    currency = _currency(given.gold, wanted)
    rest = {value for part in (given.fact.amount_breakdown or ()) for value in (part,)}
    granted = frozenset(rest | {q.value for q in find_numbers(given.question) if q.kind == "amount"})
    quantities = _money(told)
    right = _right_quantity(quantities, close, currency, exactly=given.fact.numeric_exact)
    return choose(told, _candidates(quantities), right, question=given.question, granted=granted), shown


def _closeness(wanted: Decimal, exactly: bool) -> Callable[[Decimal], bool]:
    if exactly:
        return lambda value: value == wanted
    return lambda value: abs(value - wanted) <= abs(wanted) * TOLERANCE


def _right_quantity(
    quantities: Sequence[Quantity], close: Callable[[Decimal], bool], currency: str | None, *, exactly: bool
) -> Callable[[Candidate], bool]:
    by_place = {quantity.start: quantity for quantity in quantities}

    def right(candidate: Candidate) -> bool:
        quantity = by_place[candidate.start]
        if quantity.high is not None or not close(quantity.value) or not _is_about(quantity, exactly=exactly):
            return False
        return not (currency and quantity.currency and currency != quantity.currency)

    return right


def _is_about(quantity: Quantity, *, exactly: bool) -> bool:
    """Tell a value from a limit: 约42000元 states 42000, 超过42000元 and 42000多元 do not."""
    return not quantity.mark or _ABOUT.fullmatch(quantity.mark) is not None or (not exactly and quantity.approximate)


def _money(told: Told) -> list[Quantity]:
    """Find the amounts; a bare number counts as one when its clause speaks of money, or when there is nothing else."""
    numbers = [q for q in find_numbers(told.text) if q.kind in ("amount", "plain")]
    if not any(q.kind == "amount" for q in numbers):
        return numbers
    return [q for q in numbers if q.kind == "amount" or _MONEY.search(told.clause(_candidate(q)))]


def _candidate(quantity: Quantity) -> Candidate:
    value = (quantity.value, quantity.high) if quantity.high is not None else quantity.value
    return Candidate(value, quantity.start, quantity.end, quantity.rule)


def _candidates(quantities: Sequence[Quantity]) -> list[Candidate]:
    return [_candidate(quantity) for quantity in quantities]


@lru_cache(maxsize=4096)
def _currency(gold: Gold, wanted: Decimal) -> str | None:
    """Return the currency the required evidence states the amount in."""
    for evidence in gold.evidence:
        for quantity in find_numbers(evidence.text):
            if quantity.value == wanted and quantity.currency:
                return quantity.currency
    return None


def _number(value: JSON) -> Decimal | None:
    """Return a structured number, also one inside {"value": …}."""
    if isinstance(value, dict):
        value = next((value[key] for key in ("amount", "value", "total") if value.get(key) is not None), None)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    number = exact(value)
    return number if number.is_finite() else None


def _shown(value: Decimal) -> str:
    return f"{value.normalize():f}"


def _plain(right: bool, shown: str) -> Choice:
    return Choice("match", shown, "structured") if right else Choice("wrong", others=(shown,))


def _amount_breakdown(given: _Given) -> tuple[Choice, JSON]:
    wanted = given.fact.amount_breakdown
    assert wanted is not None
    shown: JSON = [_shown(value) for value in wanted]
    if isinstance(given.value, list | dict):
        return _listed_parts(given.value, wanted, exactly=given.fact.numeric_exact), shown
    told = Told(given.value if isinstance(given.value, str) else given.text)
    quantities = _money(told)
    totals = {sum(wanted, Decimal(0)), sum(set(wanted), Decimal(0))}
    totals |= {given.fact.amount_total} if given.fact.amount_total is not None else set()
    granted = frozenset(totals | {q.value for q in find_numbers(given.question) if q.kind == "amount"})
    for part in dict.fromkeys(wanted):
        close = _closeness(part, given.fact.numeric_exact)
        right = _right_quantity(quantities, close, None, exactly=given.fact.numeric_exact)
        others = granted | frozenset(wanted)
        choice = choose(told, _candidates(quantities), right, question=given.question, granted=others)
        if choice.outcome != "match":
            return choice, shown
    return Choice("match", "、".join(q.text for q in quantities), "set_of_amounts"), shown


def _listed_parts(value: JSON, wanted: Sequence[Decimal], *, exactly: bool) -> Choice:
    """Compare a list of amounts as a set, descriptions ignored."""
    items = list(value.values()) if isinstance(value, dict) else value
    parts = [part for item in items if (part := _part(item)) is not None]
    others = tuple(_shown(part) for part in parts)
    alike = all(any(_closeness(want, exactly)(part) for part in parts) for want in wanted)
    alike = alike and all(any(_closeness(want, exactly)(part) for want in wanted) for part in parts)
    if alike and len(parts) == len(items):
        return Choice("match", "、".join(others), "set_of_amounts")
    return Choice("wrong" if parts else "missing", others=others)


def _part(item: JSON) -> Decimal | None:
    number = _number(item)
    if number is not None:
        return number
    text = item if isinstance(item, str) else item.get("amount") if isinstance(item, dict) else None
    if not isinstance(text, str):
        return None
    found = [q for q in find_numbers(text) if q.kind in ("amount", "plain")]
    return found[0].value if len({q.value for q in found}) == 1 else None


def _count(given: _Given) -> tuple[Choice, JSON]:
    wanted = given.fact.count
    assert wanted is not None
    close = _closeness(Decimal(wanted), given.fact.numeric_exact)
    number = _number(given.value)
    if number is not None:
        return _plain(close(number), _shown(number)), wanted
    told = Told(given.value if isinstance(given.value, str) else given.text)
    quantities = _counts(told.text, given.question)
    granted = frozenset(q.value for q in find_numbers(given.question) if q.kind == "count")
    right = _right_quantity(quantities, close, None, exactly=given.fact.numeric_exact)
    return choose(told, _candidates(quantities), right, question=given.question, granted=granted), wanted


def _counts(text: str, question: str) -> list[Quantity]:
    """Find the counts; those with the measure word the question asks for (几辆) go before all others."""
    counts = [q for q in find_numbers(text) if q.kind in ("count", "plain")]
    asked = _ASKED_UNIT.search(fold(question))
    if asked:
        units = _PEOPLE if asked[1] in _PEOPLE else frozenset(asked[1])
        fitting = [q for q in counts if q.unit and q.unit[0] in units]
        return fitting or [q for q in counts if not q.unit] or counts
    return counts


# --- dates ---


def _date(given: _Given) -> tuple[Choice, JSON]:
    wanted = given.fact.date
    assert wanted is not None
    told = Told(given.value if isinstance(given.value, str) else given.text)
    mentions_ = [m for m in find_dates(told.text) if m.first is not None or m.month is not None]
    return _choose_date(told, mentions_, wanted, given), wanted.isoformat()


def _choose_date(told: Told, found: Sequence[DateMention], wanted: date, given: _Given) -> Choice:
    by_place = {mention.start: mention for mention in found}
    years = fold(told.text) + fold(given.question)

    def right(candidate: Candidate) -> bool:
        return _same_day(by_place[candidate.start], wanted, years, exactly=given.fact.date_exact)

    asked = find_dates(given.question)
    granted = frozenset((m.first, m.last) for m in asked)
    wider = frozenset(
        (m.first, m.last) for m in found if m.first and m.last and m.first <= wanted <= m.last and m.first != m.last
    )
    spoken = [Candidate((m.first, m.last), m.start, m.end, m.rule) for m in found]
    return choose(told, spoken, right, question=given.question, granted=granted | wider, by_words=True)


def _same_day(mention: DateMention, wanted: date, years: str, *, exactly: bool) -> bool:
    if mention.is_range:
        return False
    if mention.first is None:
        same = (mention.month, mention.day) == (wanted.month, wanted.day)
        return same and f"{wanted.year}" in years
    if mention.first == mention.last == wanted:
        return True
    if exactly or mention.last is None:
        return False
    vague = mention.approximate or mention.precision in ("part", "week", "month")
    return vague and _month(mention.first) == _month(mention.last) == _month(wanted)


def _month(day: date) -> tuple[int, int]:
    return day.year, day.month


def _date_range(given: _Given) -> tuple[Choice, JSON]:
    wanted = given.fact.date_range
    assert wanted is not None
    shown: JSON = {"start": wanted.start.isoformat(), "end": wanted.end.isoformat()}
    ends = _structured_ends(given.value)
    if ends:
        return _choose_ends(ends, wanted, given), shown
    told = Told(given.value if isinstance(given.value, str) else given.text)
    found = [m for m in find_dates(told.text) if m.first is not None]
    whole = [m for m in found if _is_period(m, wanted, exactly=given.fact.date_exact)]
    if whole:
        return Choice("match", whole[0].text, whole[0].rule), shown
    # Two ends named apart: each must be stated, the other one is no rival to it.
    single = [m for m in found if not m.is_range]
    if wanted.start == wanted.end or not single:
        return Choice("wrong" if found else "missing", others=tuple(m.text for m in found)), shown
    for end, other in ((wanted.start, wanted.end), (wanted.end, wanted.start)):
        choice = _choose_date(told, [m for m in single if m.first != other], end, given)
        if choice.outcome != "match":
            return choice, shown
    return Choice("match", "、".join(m.text for m in single), "two_dates"), shown


def _is_period(mention: DateMention, wanted: Period, *, exactly: bool) -> bool:
    if (mention.first, mention.last) == (wanted.start, wanted.end):
        return True
    if exactly or not mention.first or not mention.last or not mention.approximate:
        return False
    return (_month(mention.first), _month(mention.last)) == (_month(wanted.start), _month(wanted.end))


def _structured_ends(value: JSON) -> list[str]:
    if isinstance(value, dict):
        value = [value.get("start"), value.get("end")]
    if isinstance(value, list) and len(value) == 2 and all(isinstance(end, str) for end in value):
        return value
    return []


def _choose_ends(ends: Sequence[str], wanted: Period, given: _Given) -> Choice:
    for text, day in zip(ends, (wanted.start, wanted.end), strict=True):
        found = [m for m in find_dates(text) if not m.is_range]
        if not any(_same_day(m, day, text, exactly=given.fact.date_exact) for m in found):
            return Choice("wrong", others=tuple(ends))
    return Choice("match", "、".join(ends), "structured")


# --- words ---


def _text_answer(given: _Given) -> tuple[Choice, JSON]:
    wanted = given.fact.text_answer
    assert wanted is not None
    return _words(wanted, given), wanted


def _words(wanted: str, given: _Given) -> Choice:
    text = given.value if isinstance(given.value, str) else given.text
    if _same_words(text, wanted):
        return Choice("match", text, "same_words")
    mention = mentions(_prepare(wanted), Reply.prepare(text), given.question)
    if mention.verdict == "yes":
        span = mention.span or (0, len(text))
        return Choice("match", text[span[0] : span[1]], mention.rule)
    return Choice("wrong" if text.strip() else "missing", rule=mention.rule, others=(text,) if text.strip() else ())


def _same_words(one: str, other: str) -> bool:
    key = quote_key(other)
    return quote_key(one) == key if key else squeeze(one) == squeeze(other)


def _entity(given: _Given) -> tuple[Choice, JSON]:
    wanted = given.fact.entity
    assert wanted is not None
    choice = _words(wanted, given)
    text = given.value if isinstance(given.value, str) else given.text
    if choice.outcome == "match" and choice.rule != "same_words":
        longer = _longer_name(wanted, text)
        if longer:
            return Choice("wrong", others=(longer,)), wanted
        if _has_alternative(wanted, text):
            return Choice("several", wanted, choice.rule, (text,)), wanted
    return choice, wanted


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


def _boolean_answer(given: _Given) -> tuple[Choice, JSON]:
    wanted = given.fact.boolean_answer
    assert wanted is not None
    if isinstance(given.value, bool):
        return _plain(given.value is wanted, str(given.value).lower()), wanted
    text = given.value if isinstance(given.value, str) else given.text
    said = read_yes_no(text, given.question)
    if said is None:
        return Choice("missing"), wanted
    return (Choice("match", text, "yes_no") if said is wanted else Choice("wrong", others=(text,))), wanted


_prepare = lru_cache(maxsize=8192)(Point.prepare)

_COMPARE: dict[str, Callable[[_Given], tuple[Choice, JSON]]] = {
    "amount_total": _amount_total,
    "amount_breakdown": _amount_breakdown,
    "date": _date,
    "date_range": _date_range,
    "count": _count,
    "text_answer": _text_answer,
    "boolean_answer": _boolean_answer,
    "entity": _entity,
}
