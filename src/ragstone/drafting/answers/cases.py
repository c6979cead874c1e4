"""Values that hold only in a case: one that a clause behind them takes up again, or part of one told before them."""

import re
from collections.abc import Sequence

from ragstone.drafting.questions.chinese_clauses import Clause, clauses_of, is_condition
from ragstone.drafting.questions.parts import Ask, plain
from ragstone.drafting.questions.slots import QUANTITIES
from ragstone.reading.values.names import tagged
from ragstone.reading.values.values import values
from ragstone.text.late import late

_VALUED = frozenset(("count", "duration", "amount", "share", "ordinal", "time"))
_SORTS = {"second": "time", "month": "time"}
EXEMPTS = late(
    "免(?!疫)|不[收退]|除外|例外|另[加收计付]|加收|上浮|减半|半价|折|优惠|延长|缩短|闭[馆园店]|停[业诊运]|休(?:[馆业诊]|息(?!日))|^(?:但|除)|"
    r"\b(?:waived|free|except|unless|but|however|reduced|half|halved|discount\w*|plus|extra|exempt\w*|rising)\b",
    re.IGNORECASE,
)
"""How a text says that what it told does not hold for all."""
_HAN = late("[\u3400-\u9fff]")
_LINKS = late("(?:提前|约|为|是|需|须|收取?|每[^0-9，]{1,3}|人民币|新台币|至|到|最[多高低少]为?)+$")
"""Between what a value is of and the value."""
_CASED = ("m", "q", "t", "r")
"""Tags of words that tell a case and no thing: 第二次, 周末, 每日."""
_FEW = 2
"""Characters of a sum or measure that does not say of what: 押金."""
_TIMED = late("周|星期|平日|假日|工作日|[春夏秋冬]季|[上下]午")
"""In what a clause tells of times of its own."""
_DAYS = late("(?<![月第])[0-9一二两三四五六七八九十百]+日")
_SAME = 4
"""Characters of a clause that a question holds where it holds the clause."""


def is_one_case(ask: Ask, text: str, before: str = "", after: str = "") -> bool:
    """Say whether a sentence tells more of what a question asks for than its value, or what it is of in another clause.

    Of English `before` and `after` are what semicolons join to it.

    >>> is_one_case(Ask("押金为多少元？", ((4, 8),), "amount", {}), "押金为100元，教职工免交")
    True
    """
    if ask.kind not in _VALUED or not ask.spans:
        return False
    start, end = ask.spans[0]
    if not _HAN.search(text):
        return _goes_on_english(f"{before}{text}{after}", len(before) + start, len(before) + end)
    folded = plain(text)
    clauses = clauses_of(folded)
    at = next((at for at, one in enumerate(clauses) if one.start <= start < one.end), None)
    return at is not None and (_goes_on(folded, clauses, at, ask) or _is_part(folded, clauses, at, ask))


def _told(text: str) -> dict[str, int]:
    """The sorts of values a text holds, and where the last of each begins; 30日 is read as a time here."""
    found = [(one.start, _SORTS.get(one.measure, one.measure)) for one in values(text)]
    found += [(one.start(), "time") for one in _DAYS.finditer(text)]
    return {sort: start for start, sort in sorted(found)}


def _measures(text: str) -> frozenset[str]:
    return frozenset(_told(text))


def _of(text: str) -> str:
    """What a value is of, as far as its clause tells before it."""
    return _LINKS.sub("", text.strip())


def _verbs(text: str) -> set[str]:
    """What a clause tells of its subject before a value; a name may hold a verb, too: 手织布工作坊为."""
    if text.strip().endswith(("为", "是")):
        return set()
    return {one.word for one in tagged(text) if one.tag.startswith("v") and one.tag != "vn"}


def _is_named(of: str) -> bool:
    return of[-1:] in f"{QUANTITIES}长宽高重深" or of.endswith(("时间", "票"))


def _goes_on(folded: str, clauses: Sequence[Clause], at: int, ask: Ask) -> bool:
    """Say whether a clause behind takes the value back, or tells another for somebody or some time: 教师为60天."""
    start, end = ask.spans[0]
    if is_condition(folded, clauses[at]):
        return False
    head = folded[clauses[at].start : start]
    wanted = _measures(folded[start:end])
    for before, one in zip(clauses[at:], clauses[at + 1 :], strict=False):
        if folded[before.end] not in "，,":
            return False
        said = folded[one.start : one.end].strip()
        if (exempts := EXEMPTS.search(said)) and exempts[0] not in head:
            return True
        told = min((start for sort, start in _told(said).items() if sort in wanted), default=-1)
        if told >= 0:
            return said[0] in "第首" or not _is_own(said[:told], head)
    return False


def _is_own(head: str, other: str) -> bool:
    """Say whether one of two clauses tells of something of its own: by its measure, its verb, its time, or its sort."""
    of, own = _of(head), _of(other)
    alike = bool(of) and (of[-_FEW:] in own or of[-1] == own[-1:])
    timed = _TIMED.search(own) is not None and _TIMED.search(of) is not None
    return _is_named(of) or bool(_verbs(head) - _verbs(other)) or alike or timed


def _is_part(folded: str, clauses: Sequence[Clause], at: int, ask: Ask) -> bool:
    """Say whether only a clause before tells what a value is of, and is not asked with it: 材料费另计，甲班为80元."""
    since = next((n + 1 for n in range(at - 1, -1, -1) if folded[clauses[n].end] not in "，,"), 0)
    before = [folded[one.start : one.end].strip() for one in clauses[since:at]]
    if not before or any(one[:_SAME] in plain(ask.question) for one in before):
        return False
    start, end = ask.spans[0]
    of = _of(folded[clauses[at].start : start])
    first = next((one for one in tagged(folded[clauses[at].start : start]) if one.word.strip()), None)
    if first is None or first.tag in _CASED:
        return True
    if len(of) <= _FEW or (len(of) == _FEW + 1 and _is_named(of)):
        return any(map(values, before))
    if any(one.endswith(("另计", "另收", "另付")) for one in before):
        return not _is_named(of)
    wanted = _measures(folded[start:end])
    heads = [_of(one[: min(_told(one).values())]) for one in before if wanted & _measures(one)]
    alike = any(head[-1:] == of[-1:] for head in heads)
    return bool(heads) and not (alike or _is_named(of) or _verbs(folded[clauses[at].start : start]))


def _goes_on_english(text: str, start: int, end: int) -> bool:
    """Say whether what stands behind a comma takes a value back, or tells another of its kind by another verb."""
    tail = text[found.start() :] if (found := _BEHIND.search(text, end)) else ""
    if EXEMPTS.search(tail):
        return True
    head, _, own = text[:start].rpartition("; ")
    verb, wanted = {*own.split()[-1:]}, _measures(text[start:end]) - {"count", "bare"}
    return any(part and wanted & _measures(part) and not verb & {*part.split()} for part in (head, tail))


_BEHIND = late("[,;] ")
