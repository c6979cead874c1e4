"""Tells, for each specific of an answer, whether the evidence supports it and by which rule."""

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from itertools import combinations, pairwise

from msgspec import Struct

from ragstone.reading.values.dimensions import dimension
from ragstone.reading.values.names import find_names
from ragstone.reading.values.specifics import Specific, SpecificKind, compact, find_specifics
from ragstone.text.dates.find import DateMention, find_dates
from ragstone.text.fold import fold, squeeze
from ragstone.text.late import late, lazy
from ragstone.text.numbers.find import Quantity, find_numbers


class SpecificVerdict(Struct, frozen=True):
    """Whether one specific of an answer is supported, and why."""

    specific: Specific
    supported: bool
    rule: str
    """What supports it (same value, sum of amounts, in the question, …), or what was looked for in vain."""


@dataclass(frozen=True)
class Evidence:
    """Texts an answer may rely on, read once and then asked as often as needed."""

    text: str

    @classmethod
    def prepare(cls, *texts: str) -> "Evidence":
        """Read the evidence: Evidence.prepare(page_1, page_2)."""
        return cls("\n".join(texts))

    @lazy
    def folded(self) -> str:
        """The text in folded form."""
        return fold(self.text)

    @lazy
    def squeezed(self) -> str:
        """The folded text without white space."""
        return squeeze(self.text)

    @lazy
    def compact(self) -> str:
        """The text without the signs that group digits."""
        return compact(self.text)

    @lazy
    def words(self) -> frozenset[str]:
        """Its Latin words."""
        return frozenset(_LATIN.findall(self.folded))

    @lazy
    def initials(self) -> frozenset[str]:
        """The initials of its runs of capitalised words."""
        runs = _CAPITALS.findall(self.text)
        return frozenset(
            "".join(word[0] for word in run.removeprefix("The ").split() if word[0].isupper()).lower() for run in runs
        )

    @lazy
    def quantities(self) -> tuple[Quantity, ...]:
        """Its numbers, ordinals left out."""
        return tuple(quantity for quantity in find_numbers(self.text) if quantity.kind != "ordinal")

    @lazy
    def dates(self) -> tuple[DateMention, ...]:
        """Its dates, each once."""
        found = {(one.first, one.last, one.month, one.day, one.is_range): one for one in find_dates(self.text)}
        return tuple(found.values())

    @lazy
    def days(self) -> frozenset[tuple[date, date]]:
        """The first and last days of its dates."""
        return frozenset((one.first, one.last) for one in self.dates if one.first and one.last)

    @lazy
    def surnames(self) -> frozenset[str]:
        """The first characters of its Chinese people."""
        return frozenset(self.folded[name.start] for name in find_names(self.text) if name.kind == "person")

    @lazy
    def amounts(self) -> tuple[Decimal, ...]:
        """Its amounts of money in order, both ends of ranges."""
        return tuple(value for one in self.quantities if one.kind == "amount" for value in _ends(one))

    @lazy
    def shares(self) -> frozenset[Decimal]:
        """Its percentages and fractions."""
        return frozenset(
            value for one in self.quantities if one.kind in ("percent", "fraction") for value in _ends(one)
        )

    @lazy
    def currencies(self) -> dict[Decimal, set[str | None]]:
        """The currencies in which each number stands, None where any is possible."""
        known: dict[Decimal, set[str | None]] = {}
        for one in self.quantities:
            for value in _ends(one):
                known.setdefault(value, set()).add(None if _loose(one) else one.currency)
        return known

    @lazy
    def measures(self) -> frozenset[tuple[str, Decimal]]:
        """Its counts as (dimension, value in the dimension's base unit)."""
        return frozenset(measure for one in self.quantities for measure in _measures(one))

    @lazy
    def derived(self) -> dict[Decimal, str]:
        """What follows from its amounts by adding, subtracting or taking a share, with the rule."""
        return _derived(self.amounts[:_MOST_AMOUNTS], self.shares)

    @lazy
    def neighbours(self) -> tuple[tuple[str, Decimal, Decimal], ...]:
        """Two numbers of one dimension that follow each other: from 12 milliseconds to 8."""
        counts = [measure for one in self.quantities[:_MOST_COMPARED] for measure in _measures(one)]
        return tuple((one[0], one[1], two[1]) for one, two in pairwise(counts) if one[0] == two[0] and one != two)

    @lazy
    def steps(self) -> frozenset[tuple[str, Decimal]]:
        """The differences between neighbours."""
        return frozenset((name, abs(one - two)) for name, one, two in self.neighbours)

    @lazy
    def growths(self) -> frozenset[Decimal]:
        """By which share neighbours differ, either of them taken as the base."""
        pairs = [(abs(one - two), base) for _, one, two in self.neighbours for base in (one, two) if base]
        return frozenset(change / base for change, base in pairs)

    @lazy
    def has_han(self) -> bool:
        """Whether any Chinese character stands in it."""
        return bool(_HAN.search(self.folded))

    @lazy
    def spans(self) -> frozenset[tuple[str, int]]:
        """The time between any two of its full dates, in days, months and years."""
        return frozenset(_spans(self.dates))


_HAN = late("[\u3400-\u9fff]")
_LATIN = late(r"[a-z0-9\u00df-\u024f]+")
_CAPITALS = late(r"[A-Z][\w\-]*(?: (?:of|for|the|and|&) [A-Z][\w\-]*| [A-Z][\w\-]*){1,9}")
_MOST_AMOUNTS = 24
_MOST_DATES = 24
_MOST_COMPARED = 500
"""How many dates or places of a text are looked at one by one: a hostile text must not take quadratic time."""
_LONGEST_PLACE = 60
_AROUND = 20


def check_specifics(
    answer: str, evidence: Evidence, question: str = "", kinds: Collection[SpecificKind] | None = None
) -> list[SpecificVerdict]:
    """Judge every specific an answer states; `kinds` narrows what is looked at."""
    asked = Evidence.prepare(question) if question.strip() else None
    found = [specific for specific in find_specifics(answer) if kinds is None or specific.kind in kinds]
    known: dict[tuple[str, ...], str] = {}
    verdicts = []
    for one in found:
        key = (one.kind, one.value, answer[max(0, one.start - 2 * _AROUND) : one.end + 8])
        if key not in known:
            in_question = asked is not None and support_of(one, answer, asked)
            known[key] = support_of(one, answer, evidence) or ("in the question" if in_question else "")
        verdicts.append(SpecificVerdict(one, bool(known[key]), known[key] or f"{one.kind} not in the evidence"))
    return verdicts


def unsupported(
    answer: str, evidence: Evidence, question: str = "", kinds: Collection[SpecificKind] | None = None
) -> list[SpecificVerdict]:
    """Return the verdicts on those specifics of an answer that neither the evidence nor the question supports."""
    return [verdict for verdict in check_specifics(answer, evidence, question, kinds) if not verdict.supported]


def support_of(specific: Specific, answer: str, evidence: Evidence) -> str | None:
    """Return the rule by which the evidence supports a specific, None when it does not."""
    if specific.quantity is not None:
        rule = _QUANTITY[specific.kind](specific.quantity, evidence) or _worked_out(specific, answer, evidence)
        return rule or _alone(specific, answer, evidence)
    if specific.date is not None:
        return _date_support(specific.date, evidence)
    if specific.kind in _SERIAL_KINDS:
        return _serial_support(specific, evidence)
    return _name_support(specific, answer, evidence)


# --- numbers ---


def _ends(quantity: Quantity) -> tuple[Decimal, ...]:
    return (quantity.value,) if quantity.high is None else (quantity.value, quantity.high)


def _measures(quantity: Quantity) -> list[tuple[str, Decimal]]:
    if quantity.kind not in ("count", "plain"):
        return []
    name, factor = dimension(quantity.unit)
    return [(name, value * factor) for value in _ends(quantity)]


def _amount_support(quantity: Quantity, evidence: Evidence) -> str | None:
    currency = None if _loose(quantity) else quantity.currency
    for value in _ends(quantity):
        known = evidence.currencies.get(value)
        if not known or (currency and None not in known and currency not in known):
            return None
    return "same value"


_YUAN = late("人民币|rmb|cny|¥")


def _loose(quantity: Quantity) -> bool:
    """Tell an amount in plain 元, which may be any currency counted in 元."""
    return quantity.currency in (None, "CNY") and not _YUAN.search(fold(quantity.text))


def _share_support(quantity: Quantity, evidence: Evidence) -> str | None:
    values = _ends(quantity)
    if all(value in evidence.shares for value in values):
        return "same value"
    return "ratio of amounts" if len(values) == 1 and _is_ratio(values[0], evidence.amounts[:_MOST_AMOUNTS]) else None


_REST = late(r"剩|余|其他|未付|尾款|\brest\b|remain|balance|left")
_SUM = late(
    r"共|合计|总|累计|加起来|先后|差|剩|余|欠|净|多|少|即|折合|预付|扣除|扣掉|减去|除去|自付|自负|实付|尾款"
    r"|\btotal|\bsum\b|together|difference|remain|balance|\bnet\b|\bminus\b|deduct|\bless\b"
)
_YEARLY = late(r"年|annual|year")
_CHANGED = late(
    r"增|减|降|升|涨|跌|缩短|延长|提高|提速|[多少快慢]了|高出|相差|\bup\b|\bdown\b|\bri[sz]|\brose\b|\bgr[eo]w|increas|decreas"
    r"|\bf[ea]ll|drop|declin|reduc|\bmore\b|\bfewer\b|\bgain|\bcut"
)
_FEW_AMOUNTS = 6
"""With so few amounts an answer may add them up silently; with more, chance hits grow and it must say so."""


def _worked_out(specific: Specific, answer: str, evidence: Evidence) -> str | None:
    """Accept what follows from the evidence: sums, differences, shares, rests, lengths of lists."""
    value = specific.quantity.value if specific.quantity and specific.quantity.high is None else Decimal(0)
    around = fold(answer[max(0, specific.start - 2 * _AROUND) : specific.end + 8])
    if specific.kind == "amount" and _YEARLY.search(around) and value / 12 in evidence.amounts:
        return "twelve months"
    if specific.quantity and _CHANGED.search(around) and _is_change(specific.quantity, evidence):
        return "change between neighbours"
    if specific.kind == "amount" and value in evidence.derived:
        rule = evidence.derived[value]
        silent = len(set(evidence.amounts)) <= _FEW_AMOUNTS and not rule.startswith("difference")
        return rule if silent or _SUM.search(around) else None
    if specific.kind == "count" or not _REST.search(around):
        return None
    if specific.kind == "percent":
        return "rest of a share" if 1 - value in evidence.shares else None
    rests = (amount * (1 - share) for share in evidence.shares for amount in evidence.amounts[:_MOST_AMOUNTS])
    return "rest of an amount" if value in rests else None


def _is_change(quantity: Quantity, evidence: Evidence) -> bool:
    """Whether a number is the difference or the growth between two neighbours in the evidence: 12毫秒降到8毫秒."""
    if quantity.kind in ("count", "plain"):
        return any(measure in evidence.steps for measure in _measures(quantity))
    return any(_rounded(growth, quantity.value) for growth in evidence.growths)


def _rounded(growth: Decimal, value: Decimal) -> bool:
    """Whether a growth, rounded as the value is written, is the value."""
    return abs(growth - value) * 2 <= Decimal(1).scaleb(max(-6, min(-2, int(value.as_tuple().exponent))))


def _is_ratio(value: Decimal, amounts: Iterable[Decimal]) -> bool:
    return any(
        value in (one / two, two / one) for one, two in combinations([one for one in dict.fromkeys(amounts) if one], 2)
    )


def _count_support(quantity: Quantity, evidence: Evidence) -> str | None:
    measures = _measures(quantity)
    if all(measure in evidence.measures for measure in measures):
        return "same value"
    name, value = measures[0]
    return "time between dates" if (name, int(value)) in evidence.spans else None


_ENDS = late(r"\s*(?:[,.;:!?，。；、！？)）]|$|(?:and|or|but|in|at|under|as|is|was)\b)")


def _alone(specific: Specific, answer: str, evidence: Evidence) -> str | None:
    """Accept a number that leaves out its unit, which stands beside another: three months and six."""
    quantity = specific.quantity
    if quantity is None or quantity.kind != "plain" or not _ENDS.match(answer, quantity.end):
        return None
    return "same value" if all(value in evidence.currencies for value in _ends(quantity)) else None


_QUANTITY: dict[str, Callable[[Quantity, Evidence], str | None]] = {
    "amount": _amount_support,
    "percent": _share_support,
    "count": _count_support,
}


def _derived(amounts: tuple[Decimal, ...], shares: Iterable[Decimal]) -> dict[Decimal, str]:
    """Work out what the amounts of a text add up to."""
    single = tuple(dict.fromkeys(amounts))
    runs = [single[first:last] for first, last in combinations(range(len(single) + 1), 2) if last - first > 1]
    sums = {sum(run, Decimal(0)): run for run in runs}
    derived = dict.fromkeys((abs(one - two) for one, two in combinations(single, 2)), "difference of amounts")
    for total, used in sums.items():
        derived.update(dict.fromkeys((abs(total - one) for one in single if one not in used), "difference of amounts"))
    derived.update(dict.fromkeys((amount * share for share in shares for amount in single), "share of an amount"))
    derived.update(dict.fromkeys(sums, "sum of amounts"))
    derived.pop(Decimal(0), None)
    return derived


# --- dates ---


def _date_support(mention: DateMention, evidence: Evidence) -> str | None:
    if mention.first and mention.last and (mention.first, mention.last) in evidence.days:
        return "same date"
    for other in evidence.dates[:_MOST_COMPARED]:
        rule = _same_days(mention, other)
        if rule:
            return rule
    if mention.is_range and mention.first and mention.last:
        firsts, lasts = zip(*evidence.days, strict=True) if evidence.days else ((), ())
        return "both ends of a range" if mention.first in firsts and mention.last in lasts else None
    return None


def _same_days(mention: DateMention, other: DateMention) -> str | None:
    if mention.first is None or other.first is None:
        return _same_day_of_year(mention, other)
    if mention.last is None or other.last is None:
        return None
    if not mention.is_range and mention.first <= other.first and other.last <= mention.last:
        return "contains the date"
    if (
        not mention.is_range
        and any(mention.first <= day <= mention.last for day in (other.first, other.last))
        and other.is_range
    ):
        return "end of a range"
    guessed = other.reason in ("year_from_text", "refers_back") or mention.reason
    return _same_day_of_year(mention, other) if guessed else None


def _same_day_of_year(mention: DateMention, other: DateMention) -> str | None:
    """Compare month and day where one of the two has no year of its own."""
    if mention.month is None or mention.month != other.month:
        return None
    return "same day of the year" if mention.day in (None, other.day) else None


def _spans(dates: Iterable[DateMention]) -> Iterable[tuple[str, int]]:
    days = sorted({day for one in dates for day in (one.first, one.last) if day})[:_MOST_DATES]
    for first, last in combinations(days, 2):
        for extra in (0, 1):
            yield "second", ((last - first).days + extra) * 86400
        months = _months(first, last)
        if months:
            yield "month", months


def _months(first: date, last: date) -> int | None:
    """Count whole months from the first day to the last or to the day after it."""
    for day in (last, date.fromordinal(min(last.toordinal() + 1, date.max.toordinal()))):
        if day.day == first.day:
            return (day.year - first.year) * 12 + day.month - first.month
    return None


# --- serial numbers and names ---

_SERIAL_KINDS = frozenset(("phone", "id", "account", "email", "url"))


def _serial_support(specific: Specific, evidence: Evidence) -> str | None:
    needle, text = specific.value, evidence.compact
    for at in _places_of(needle, text):
        before, after = text[at - 1 : at] if at else "", text[at + len(needle) : at + len(needle) + 1]
        if specific.kind == "account" and len(needle) <= 6 and not after.isdigit():
            return "end of a number"
        if not (before.isdigit() and needle[0].isdigit()) and not (after.isdigit() and needle[-1].isdigit()):
            return "same number"
    return None


def _places_of(needle: str, text: str) -> Iterator[int]:
    """Yield where a needle stands in a text, up to a limit."""
    at = text.find(needle) if needle else -1
    for _ in range(_MOST_COMPARED):
        if at < 0:
            return
        yield at
        at = text.find(needle, at + 1)


def _name_support(specific: Specific, answer: str, evidence: Evidence) -> str | None:
    if _HAN.search(specific.value):
        return _han_support(specific, evidence)
    if _is_word(specific.text, evidence):
        return "same name"
    if specific.text.isupper() and specific.text.lower() in evidence.initials:
        return "initials of a name"
    return "not comparable: another script" if evidence.has_han and not evidence.words else None


def _is_word(name: str, evidence: Evidence) -> bool:
    """Tell whether a Latin name stands in the evidence as whole words."""
    needle, text = fold(name), evidence.folded
    for at in _places_of(needle, text):
        before, after = text[at - 1 : at] if at else "", text[at + len(needle) : at + len(needle) + 1]
        if not _LATIN.match(before) and not _LATIN.match(after):
            return True
    return False


_FIRM = late("(?:股份|控股)?(?:有限)?(?:责任)?(?:公司|集团)$")
_PLACE_RANK = late("[^省市区县]{0,4}自治[区州县]|特别行政区|地区|[省市县区镇乡村州]")
_TITLED = late("[^某]某|.(?:先生|女士|小姐|太太|老师|教授|医生|律师|法官|警官|经理|主任|师傅|老板|会计)")


def _han_support(specific: Specific, evidence: Evidence) -> str | None:
    value, text = specific.value, evidence.squeezed
    if value in text:
        return "same name"
    if not evidence.has_han:
        return "not comparable: another script" if evidence.words else None
    if specific.kind == "person":
        return _person_support(value, evidence)
    if specific.kind == "organisation":
        core = _FIRM.sub("", value)
        known = core != value and len(core) >= 2 and core in text
        return "part of the name" if known else None
    return "parts of the place" if len(value) <= _LONGEST_PLACE and _is_pieced(value, text) else None


def _is_pieced(value: str, text: str) -> bool:
    """Tell whether a chain of places is made of pieces the text knows: 北京海淀 out of 北京市海淀区."""
    here = 0
    while here < len(value):
        end = next((end for end in range(len(value), here + 1, -1) if value[here:end] in text), here)
        rank = _PLACE_RANK.match(value, end) if end > 1 else None
        if end == here and (rank is None or here == 0):
            return False
        here = rank.end() if rank else end
    return True


def _person_support(value: str, evidence: Evidence) -> str | None:
    if len(value) >= 4 and value[1:] in evidence.squeezed:
        return "part of the name"
    if _TITLED.fullmatch(value) or "某" in value:
        return "same surname" if value[0] in evidence.surnames else None
    return None
