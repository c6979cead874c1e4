"""What a question asks of numbers: a limit, a label such as a chapter, or how many of something there are."""

from functools import lru_cache

from ragstone.reading.asked import holds
from ragstone.reading.citations.document_names import EXTENSIONS
from ragstone.reading.cues import cue
from ragstone.reading.points.forms import Form
from ragstone.reading.points.pieces import RATES
from ragstone.reading.points.subjects import is_of_other_rank
from ragstone.reading.statements import Statements
from ragstone.reading.values.values import Value
from ragstone.text.fold import fold

_LABEL = cue(
    r"(?:第|版本号?|步骤|章节|附录|图|表|编号|序号|节|\b(?:v|ver|version|chapter|section|page|p|step|no|figure|fig|table|part"
    r"|question|article|clause|item|appendix|vol|volume|rule))[. #:]{0,2}$"
)
_FILE = cue(rf"\.(?:{EXTENSIONS})(?![a-z])")
_ASKS_LABEL = cue(r"第(?:几|多少|何)|哪[一几]?[章节页条步版项]|版本|\b(?:which|version|chapter|section|page|step)\b")
_LIMITS = cue(
    r"(?P<low>最[低少小短早]|至少|起码|以上|下限|[高多大]于|(?<![不能])超过)|最[高多大长晚迟]|至多|超过|不到|以[下内]|上限|限[制额]"
    r"|[低少小]于|(?:时候|何时|[何几哪]一?[天日号月])[之以]?前",
    r"\b(?:(?P<low_en>min|at least|(?:more|older) than|over\b)|max|at most|(?:less|fewer) than|under\b"
    r"|exceed|limit|by (?:when|what|which)\b)",
)
_COUNTS = cue(
    r"(?:几|多少)(?:个|台|名|位|人|件|条|只|张|份|种|家|辆|本|间|套|次|项|款|座|所)?(?P<han>[\u4e00-\u9fff]{2,4})",
    r"\bhow many (?P<latin>[a-z]+)",
)
_PEOPLE, _THINGS = cue(r"[0-9一二三四五六七八九十百千万亿] ?[人名位]$"), cue("[个项种款条件台套张份]")
_PERSONS = frozenset(fold("人员者户生客工师民孩友众"))
"""How words for people end."""
_NEAR = 12
_MOST = 50


@lru_cache(maxsize=256)
def asks_limit(question: str) -> str:
    """Which limit a folded question asks for, so that the answer may set it: low or high; empty where it asks none."""
    found = _LIMITS.search(question)
    return "low" if found and found.lastgroup else "high" if found else ""


def is_other_rate(form: Form, said: Statements, place: int, question: str) -> bool:
    """Whether a clause tells how much in another time than the question asks about: each hour, where it asks a day."""
    here = said.at(place)
    asked = _rates(question)
    told = _rates(said.text[here.start : here.end]) if asked else asked
    return bool(told) and told.isdisjoint(asked) and not _rates(form.text)


def counts_things(form: Form, said: Statements, end: int) -> bool:
    """Whether a number of people in a point is one of things where a text has it: 500个项目 for 500人."""
    if not (form.bare and _PEOPLE.search(form.text)) or not _THINGS.match(said.text, end - 1):
        return False
    noun = next((said.text[first:last] for first, last, _ in said.tags_in(end, end + 1)), "")
    return said.text[end - 1] != "个" or bool(noun and noun[-1] not in _PERSONS)


@lru_cache(maxsize=256)
def _rates(text: str) -> frozenset[tuple[str, int]]:
    """The times that a folded text names for which something is counted."""
    return frozenset(one for one, words in RATES.items() if any(holds(text, word) for word in words))


def is_label(form: Form, said: Statements, at: int, end: int, question: str) -> bool:
    """Whether a point that is a number only names a chapter, a version or a file there."""
    if end - at > _NEAR or not form.bare:
        return False
    labels = _LABEL.search(said.text, max(0, at - _NEAR), at) or _FILE.match(said.text, end)
    return bool(labels) and not _ASKS_LABEL.search(question)


def other_count(form: Form, said: Statements, question: str) -> Value | None:
    """Another number that stands with what the question counts, where the point is a bare number."""
    counted = _counted(question) if form.bare else ""
    if not counted:
        return None
    there = [
        value
        for value in said.values[:_MOST]
        if said.text.startswith(counted, value.end + said.text.startswith(" ", value.end))
        and not is_of_other_rank(form, said, value.start, question)
    ]
    return None if not there or any(form.values[0].equals(value) for value in there) else there[0]


@lru_cache(maxsize=256)
def _counted(question: str) -> str:
    found = _COUNTS.search(question)
    return (found["han"] or found["latin"]) if found else ""
