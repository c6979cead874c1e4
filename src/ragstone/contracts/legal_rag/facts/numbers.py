"""Amounts, breakdowns and counts of a fact_exact question (R1.2, R1.3, R1.4)."""

import re
from collections.abc import Callable, Sequence
from decimal import Decimal
from functools import lru_cache
from itertools import chain

import msgspec

from ragstone.contracts.legal_rag.cases import Evidence, exact
from ragstone.contracts.legal_rag.facts.given import Given, Verdict, plain
from ragstone.core.types import JSON
from ragstone.reading import scopes
from ragstone.reading.answers.debts import answering
from ragstone.reading.answers.told import MOST_FOUND, Choice, Found, Told, answers
from ragstone.reading.answers.who import opposite_parties, parties_in
from ragstone.reading.cuebook import tables
from ragstone.reading.cues import cue
from ragstone.reading.values.dimensions import MEASURES, Dimension, dimension
from ragstone.text.fold import fold
from ragstone.text.late import late
from ragstone.text.numbers.find import Quantity, find_numbers, read_number

TOLERANCE = Decimal("0.01")
"""Relative difference that `numeric_exact: false` allows (R1.4)."""

_MARGIN = 2
"""Characters a number's clause must share with the question beyond another's, for the other to be something else."""
_ABOUT = cue(r"约|大约|大概|大致|左右|上下|估计|about|around|approximately|roughly")
_LIMITS = (
    (
        cue(
            r"上限|最[高多大长]|封顶|限额|不[得能会应可]?(?:超过|高于|多于)",
            r"\b(?:max\w*|cap|ceiling|at most|limit|not exceed|no more than)\b",
        ),
        cue(
            r"不[得能会应可]?(?:超过|高于|多于)|至多|最[多高]|以[下内]|封顶|顶多",
            r"at most|up to|no more than|not (?:more than|exceed\w*)",
        ),
    ),
    (
        cue(r"下限|最[低少小短]|至少|起码|不[得能会应可]?(?:低于|少于)", r"\b(?:min\w*|floor|at least)\b"),
        cue(r"不[得能会应可]?(?:低于|少于)|至少|最[少低]|以上|起码", r"at least|no less than|no fewer than|or more"),
    ),
)
"""What asks for a limit, and how an amount is told that is one."""
_OVER = cue(r"超过|超出|高于|多于", r"more than|over")
"""Denied, they tell an upper limit: nobody is liable for more than …"""
# 至少交了三次: the limit stands before the verb; 至少有人说… limits something else.
_PARTED = cue(
    r"(?:至少|最少(?!的)|起码|最多(?!的)|至多|顶多|不止|不只|何止|不下|充其量)(?![^,.;!?]{0,9}?(?:人|证|认|说|称|看|见|知|确定|表示|可以))"
    r"[^,.;!?:0-9一二两三四五六七八九十几]{1,10}$",
    r"\b(?:at least|at most|no more than|not more than|no fewer than|no less than|up to)"
    r"(?: (?!one|two|three|four|five|six|seven|eight|nine|ten|witness|say|said|saw)[a-z']+){1,4} $",
)
_ASKS_OVER = cue(
    r"(?<![不得能会应可])(?:超过|超出|多于|逾期|达到?|满)了?(?:几|多少)",
    r"\b(?:more than|over|exceed\w*) how many\b",
)
_ASKED_UNIT = re.compile(r"(?:几|多少)\s?([一-鿿]{1,4})|\bhow many ([a-z]+(?: [a-z]+)?)")
_BEHIND = re.compile(r"(?:(?<=m)([23²³])|(?<=\d) ?-?((?:cubic|square|working|business) )?([a-z]{3,}))")
_LOOSE_DAY = re.compile(
    r"(?<!月)(?<!月 )(?<![0-9])([0-9]{1,4}|[〇零一二三四五六七八九十百两]{1,5}) ?日(?![期常程后前])"
)
"""Where days are asked for, 60日 alone is a length and no day of a month."""
_A_WEEK = re.compile(r"\b(?:a|an) (day|week|month|year|hour)\b", re.IGNORECASE)
_BEFORE, _AFTER = cue(r"[^,.;!?]{0,4}(?:之?前|以前)", r" (?:before|prior to)\b"), cue(r"之?后", r"\bafter\b")
_NUMERAL = re.compile(
    r"\s*([〇零一二三四五六七八九十百千两兩壹贰貳叁參肆伍陆陸柒捌玖拾]{1,6})\s*(?=[。.，,；;（(\[【]|$)"
)
_TIMES = re.compile(r"\b(?:twice|thrice)\b|^once(?=\W*$)", re.IGNORECASE)
_TIMES_VALUES = {"once": Decimal(1), "twice": Decimal(2), "thrice": Decimal(3)}
_BY = cue(
    r"(?:降低|下降|减少|少|下调|上调|上浮|上涨|增加|提高|多)了?$",
    r"\b(?:reduc\w+|lower\w*|cut|rais\w+|increas\w+|decreas\w+|fell|rose|dropp\w+|down|up) by $",
)
_OUT_OF = cue(r"\bout of (?:the |a total of )?$")
_ASKS_STEP = cue(
    r"[降减增涨调高低少多差]了?(?:多少|几)|相差|差额|幅度",
    r"\b(?:by how much|how much (?:less|more|lower|higher|cheaper)|difference|reduction|increase|discount)\b",
)
_OPERAND = late(r"[^\W\d_]{0,3} ?(?:[-+*/×÷减加] ?[$£€¥]?[0-9][0-9,.]*[^\W\d_]{0,3} ?)++=|[^\W\d_]{0,3} ?=")
"""Behind a number that stands in a sum."""
_NEVER_SO = cue(
    r"(?:这一?数额|的金额)?(?:从未|并未|未|没有?)(?:被|曾)?(?:约定|同意|提到|规定)",
    r" (?:is|was|were|ha[sd] been) (?:never|not) (?:yet |been )?(?:agreed|stipulated|mentioned|required|due|set)\b",
    r" (?:is|was|were) not (?:the|a)\b",
)
_PERIODS = {
    "day": cue(r"每[天日]|日租|日薪|[天日]计", r"\bdaily\b|每(?:day|diem)\b|\bper day\b"),
    "week": cue(r"每周|每星期|周租|周薪", r"\bweekly\b|每week\b|\bper week\b"),
    "month": cue(r"每个?月|月租|月薪|月供|月工资|[按每]月", r"\bmonthly\b|每month\b|\b(?:per|a|each) month\b"),
    "quarter": cue(r"每个?季|季租|按季", r"\bquarterly\b|每quarter\b|\b(?:per|a|each) quarter\b"),
    "year": cue(
        r"每年|年租|年薪|年费|年利|年度",
        r"\b(?:yearly|annual(?:ly)?)\b|每(?:year|annum)\b|\b(?:per|a|each) (?:year|annum)\b",
    ),
}
_EACH = cue(r"每个?([天日周月季年])度?(?:的?(?:租金|费用))?(?:为|是|付|交)?(?:人民币)?\W?$")
_PER = cue(r" ?(?:/|每|\bper |\ba |\beach |\bevery ) ?个?(day|diem|week|month|quarter|year|annum|[天日周月季年])")
_ASKS_WHOLE = cue(r"总|一共|共计|合计", r"\btotal|\baltogether|\bin all\b")
_ASKS_PRICE = cue(r"价款|价格|购买|售价", r"\b(?:price|purchase)\b")
_SORT = cue(
    r"定金|订金|押金|首付|尾款|余款|租金|利息|手续费|佣金|违约金|保证金|赔偿金",
    r"\b(?:deposit|balance|rent|interest|fee|commission|penalty|fine|damages)\b",
)
"""Sorts of money that are told apart."""
_PAYER = cue(
    r"([\u4e00-\u9fff]{2,4}(?<=[方人主家]))(?:应当?|须|需|要|得|再|又)?(?:向|给)[^,.;!?]{0,6}(?:付|支付|交|缴|给)",
    r"\b([a-z]+) (?:must |shall |has to |should |will |had to )?(?:pays?|paid) (?:the )?(?=[a-z])",
)
_POWERS = str.maketrans("²³", "23")
_BY_NEAR = 20
_MARK_NEAR = 10
_ALIKE = (frozenset("个人名位口"), frozenset("次笔回趟批"))
"""Measure words that count the same."""


def compare_amount_total(given: Given) -> Verdict:
    """Compare the amount that is asked for."""
    wanted = given.fact.amount_total
    assert wanted is not None
    close = _closeness(wanted, given.fact.numeric_exact)
    shown = _shown(wanted)
    number = _number(given.value)
    if number is not None:
        return Verdict(plain(close(number), _shown(number)), shown)
    told = given.told
    currency = _currency(given.gold.evidence, wanted)
    granted = _asked(given.question, "amount") | frozenset(given.fact.amount_breakdown or ())
    quantities = [_risen(told, q) for q in find_numbers(told.text) if q.kind in ("amount", "plain")]
    right = _right_quantity(told, quantities, close, currency, exactly=given.fact.numeric_exact)
    return Verdict(_choose(told, quantities, right, granted), shown)


def _choose(
    told: Told, quantities: Sequence[Quantity], right: Callable[[Found], bool], granted: frozenset[object]
) -> Choice:
    """Choose among the values on the side of a debt that is asked for."""
    candidates = [_with_limit(told, quantity) for quantity in quantities[:MOST_FOUND]]
    sided = [one for one in answering(told, candidates) if not _is_step(told, one)]
    if candidates and not sided:
        return Choice("wrong", others=tuple(dict.fromkeys(told.shown(one) for one in candidates)))
    hits = [one for one in sided if right(one)]
    choice = answers(
        told, sided, lambda one: right(one) and not _is_otherwise(told, one), granted=granted, margin=_MARGIN
    )
    if choice.outcome == "match" and all(_is_doubtful(told, one) for one in hits):
        return Choice("open", choice.found, "apart", (choice.found,))
    return choice


def _risen(told: Told, quantity: Quantity) -> Quantity:
    """Read what looks like a range and is a change and its end as the end: increased by 500 to 900."""
    link = quantity.text.rfind(" to ")
    if (
        quantity.high is None
        or link < 0
        or not _BY.search(told.folded, max(0, quantity.start - _BY_NEAR), quantity.start)
    ):
        return quantity
    start = quantity.start + link + len(" to ")
    text = told.text[start : quantity.end]
    return msgspec.structs.replace(quantity, start=start, text=text, value=quantity.high, high=None)


def _is_step(told: Told, found: Found) -> bool:
    """Whether a value is by how much something changed, or only stands in a sum: lowered by 500; 900 - 400 = 500."""
    if _OUT_OF.search(told.before(found)) and not _ASKS_WHOLE.search(told.asked):
        return True
    if _BY.search(told.before(found)) and not _ASKS_STEP.search(told.asked):
        return True
    return _OPERAND.match(told.folded, found.end) is not None


def _is_otherwise(told: Told, found: Found) -> bool:
    """Whether a value is paid for another time than asked, or is denied behind it: 每年900元; 900 was never agreed."""
    if _NEVER_SO.match(told.folded, found.end):
        return True
    paid, asked = _periods(told, found), _period_of(told.asked)
    return bool(paid) and asked.isdisjoint(paid) and (bool(asked) or _ASKS_WHOLE.search(told.asked) is not None)


def _periods(told: Told, found: Found) -> set[str]:
    """For what time a value is paid, by the words beside it."""
    before, behind = _EACH.search(told.before(found)), _PER.match(told.folded, found.end)
    return _period_of(f"每{before[1]}" if before else "") | _period_of(f"每{behind[1]}" if behind else "")


@lru_cache(maxsize=4096)
def _period_of(words: str) -> set[str]:
    return {name for name, told in _PERIODS.items() if told.search(words)}


def _is_doubtful(told: Told, found: Found) -> bool:
    """Whether a value has only another label than the one asked for, or the other party pays it."""
    words = told.clause(found)
    if _ASKS_PRICE.search(told.asked) and _periods(told, found) and not _period_of(told.asked):
        return True
    asked, label = set(_SORT.findall(told.asked)), set(_SORT.findall(words))
    if asked and label and asked.isdisjoint(label):
        return True
    payer = _PAYER.search(words)
    named = parties_in(payer[1] or payer[2]) if payer else frozenset()
    return bool(named & opposite_parties(told.asked)) and not named & parties_in(told.asked)


@lru_cache(maxsize=1024)
def _asked(question: str, kind: str) -> frozenset[object]:
    """Return the values a question itself names; repeating them is no rival answer."""
    return frozenset(quantity.value for quantity in find_numbers(question) if quantity.kind == kind)


def _closeness(wanted: Decimal, exactly: bool) -> Callable[[Decimal], bool]:
    if exactly:
        return lambda value: value == wanted
    return lambda value: abs(value - wanted) <= abs(wanted) * TOLERANCE


def _right_quantity(
    told: Told, quantities: Sequence[Quantity], close: Callable[[Decimal], bool], currency: str | None, *, exactly: bool
) -> Callable[[Found], bool]:
    by_place = {quantity.start: quantity for quantity in quantities}

    def right(candidate: Found) -> bool:
        quantity = by_place[candidate.start]
        if quantity.high is not None or not close(quantity.value) or not _is_about(told, quantity, exactly=exactly):
            return False
        return not (currency and quantity.currency and currency != quantity.currency)

    return right


def _is_about(told: Told, quantity: Quantity, *, exactly: bool) -> bool:
    """Tell a value from a limit: 约42000元 states 42000, 超过42000元 and 42000多元 do not."""
    if not quantity.mark:
        return _parted_limit(told, quantity) is None
    if _ASKS_OVER.search(told.asked) and (_OVER.fullmatch(quantity.mark) or quantity.mark in ("以上", "满")):
        return True
    if any(asked.search(told.asked) and limits.fullmatch(quantity.mark) for asked, limits in _LIMITS):
        return True
    if _OVER.fullmatch(quantity.mark) and _LIMITS[0][0].search(told.asked):
        return scopes.NEGATED in told.said.flags(quantity.start)[0]
    return _ABOUT.fullmatch(quantity.mark) is not None or (not exactly and quantity.approximate)


def _parted_limit(told: Told, quantity: Quantity) -> int | None:
    """Return where a limit begins that a verb parts from its number: 至少交了三次."""
    before = told.before(_candidate(quantity))
    found = _PARTED.search(before)
    return quantity.start - len(before) + found.start() if found else None


def _with_limit(told: Told, quantity: Quantity) -> Found:
    """Show a value with its limit: 超过42000元 is not 42000元."""
    candidate = _candidate(quantity)
    parted = None if quantity.mark else _parted_limit(told, quantity)
    if parted is not None:
        return candidate._replace(shown_from=parted)
    if not quantity.mark or _ABOUT.fullmatch(quantity.mark):
        return candidate
    at = told.folded.rfind(quantity.mark, max(0, quantity.start - _MARK_NEAR), quantity.start)
    if at >= 0:
        return candidate._replace(shown_from=at)
    at = told.folded.find(quantity.mark, quantity.end, quantity.end + _MARK_NEAR)
    return candidate._replace(shown_to=at + len(quantity.mark)) if at >= 0 else candidate


def _candidate(quantity: Quantity) -> Found:
    value = (quantity.value, quantity.high) if quantity.high is not None else quantity.value
    return Found(value, quantity.start, quantity.end, quantity.rule)


@lru_cache(maxsize=512)
def _currency(evidence: tuple[Evidence, ...], wanted: Decimal) -> str | None:
    """Return the currency the required evidence states the amount in."""
    for one in evidence:
        for quantity in find_numbers(one.text):
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


def compare_amount_breakdown(given: Given) -> Verdict:
    """Compare the parts of an amount as a set, descriptions ignored."""
    wanted = given.fact.amount_breakdown
    assert wanted is not None
    shown: JSON = [_shown(value) for value in wanted]
    if isinstance(given.value, list | dict):
        return Verdict(_listed_parts(given.value, wanted, exactly=given.fact.numeric_exact), shown)
    told = given.told
    quantities = [q for q in find_numbers(told.text) if q.kind in ("amount", "plain")]
    totals = {sum(wanted, Decimal(0)), sum(set(wanted), Decimal(0))}
    granted = _asked(given.question, "amount") | totals
    for part in dict.fromkeys(wanted):
        close = _closeness(part, given.fact.numeric_exact)
        right = _right_quantity(told, quantities, close, None, exactly=given.fact.numeric_exact)
        others = granted | frozenset(wanted)
        choice = answers(told, [_candidate(quantity) for quantity in quantities], right, granted=others, margin=_MARGIN)
        if choice.outcome != "match":
            return Verdict(choice, shown)
    return Verdict(Choice("match", "、".join(q.text for q in quantities), "set_of_amounts"), shown)


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


def compare_count(given: Given) -> Verdict:
    """Compare how many there are."""
    wanted = given.fact.count
    assert wanted is not None
    close = _closeness(Decimal(wanted), given.fact.numeric_exact)
    number = _number(given.value)
    if number is not None:
        return Verdict(plain(close(number), _shown(number)), wanted)
    told = given.told
    asked = _measured(given.question) or _measured_in(given.gold.evidence, Decimal(wanted))
    quantities = _counts(told, given.question, asked)
    granted = _asked(given.question, "count")
    right = _right_quantity(told, quantities, close, None, exactly=given.fact.numeric_exact)
    other = {q.start for q in quantities if asked and (_unit(told.folded, q) or asked).name != asked.name}
    after = _AFTER.search(told.asked) and not _BEFORE.search(told.asked)

    def fits(candidate: Found) -> bool:
        back = after and _BEFORE.match(told.folded, candidate.end)
        return candidate.start not in other and not back and right(candidate)

    return Verdict(_choose(told, quantities, fits, granted), wanted)


@lru_cache(maxsize=1024)
def _measured(question: str) -> Dimension | None:
    """Return what a question asks to measure, and in what: 几年, how many cubic metres."""
    for han, latin in _ASKED_UNIT.findall(fold(question)):
        units = (han[:size] for size in range(len(han), 0, -1)) if han else (_unit_named(latin), latin.split()[0])
        found = next((one for one in map(dimension, units) if one.name in MEASURES), None)
        if found:
            return found
    return None


def _unit_named(words: str) -> str:
    first, _, noun = words.partition(" ")
    power = {"cubic": "m3", "square": "m2"}.get(first, "") if noun.startswith("met") else ""
    return power or ("工作日" if first in ("working", "business") else words)


@lru_cache(maxsize=512)
def _measured_in(evidence: tuple[Evidence, ...], wanted: Decimal) -> Dimension | None:
    """Return what the required evidence measures, and in what, where it states the count."""
    for one in evidence:
        folded = fold(one.text)
        for quantity in find_numbers(one.text):
            unit = _unit(folded, quantity)
            if quantity.value == wanted and unit and unit.name in MEASURES:
                return unit
    return None


def _unit(folded: str, quantity: Quantity) -> Dimension | None:
    """Return what a number measures, and in what; None where no unit stands behind it."""
    behind = _BEHIND.match(folded, quantity.end)
    if behind and behind[1]:
        return dimension(f"m{behind[1].translate(_POWERS)}")
    if not quantity.unit:
        named = behind and _unit_named(f"{behind[2] or ''}{behind[3]}")
        return dimension(named) if named and named not in tables()["light"] else None
    return dimension(quantity.unit)


def _counts(told: Told, question: str, asked: Dimension | None) -> list[Quantity]:
    """Find the counts, outside the quotes and in them."""
    opening = [] if asked else _bare_count(told.text)
    counts = [q for q in find_numbers(told.text) if q.kind in ("count", "plain")]
    counts = _with_lengths(told.text, counts) if asked and asked.name in ("second", "month") else counts
    quoted = [q for q in counts if told.quoted(_candidate(q))]
    own = opening or [q for q in counts if not told.quoted(_candidate(q))] or _bare_count(told.text)
    if asked:
        return list(chain(_of_kind(told, own, asked), _of_kind(told, quoted, asked)))
    return _fitting(own, question) + _fitting(quoted, question)


def _with_lengths(text: str, counts: list[Quantity]) -> list[Quantity]:
    """Add the lengths of time that are counts only where one is asked for: 60日, a week."""
    taken = {q.start for q in counts}
    for found in _LOOSE_DAY.finditer(text):
        value = read_number(found[1])
        if value is not None and found.start() not in taken:
            counts.append(Quantity(*found.span(), found[0], value, "arabic", "count", unit="日"))
    counts += [
        Quantity(*one.span(), one[0], Decimal(1), "english_words", "count", unit=one[1].lower())
        for one in _A_WEEK.finditer(text)
    ]
    return sorted(counts, key=lambda q: q.start)


def _of_kind(told: Told, counts: list[Quantity], asked: Dimension) -> list[Quantity]:
    """Let those that measure what is asked for go before all others, in its unit: 36个月 are three years."""
    alike = [(q, unit) for q in counts if (unit := _unit(told.folded, q)) and unit.name == asked.name]
    fitting = [msgspec.structs.replace(q, value=q.value * unit.factor / asked.factor) for q, unit in alike]
    return fitting or [q for q in counts if not _unit(told.folded, q)] or counts


def _fitting(counts: list[Quantity], question: str) -> list[Quantity]:
    """Let those with the measure word the question asks for (几辆) go before all others."""
    asked = _ASKED_UNIT.search(fold(question))
    if asked and asked[1]:
        units = next((units for units in _ALIKE if asked[1][0] in units), frozenset(asked[1][0]))
        fitting = [q for q in counts if q.unit and q.unit[0] in units]
        return fitting or [q for q in counts if not q.unit] or counts
    return counts


def _bare_count(text: str) -> list[Quantity]:
    """Read an answer that opens with a numeral alone: 三（第1页）; in running text 三 may be part of any word."""
    times = _TIMES.search(text)
    if times:
        return [Quantity(times.start(), times.end(), times[0], _TIMES_VALUES[times[0].lower()], "english_words")]
    found = _NUMERAL.match(text)
    value = read_number(found[1]) if found else None
    if found is None or value is None:
        return []
    return [Quantity(found.start(1), found.end(1), found[1], value, "chinese_numeral")]
