"""What a question asks of numbers: a limit, a label such as a chapter, or how many of something there are."""

from functools import lru_cache

from ragstone.reading.citations.document_names import EXTENSIONS
from ragstone.reading.cues import cue
from ragstone.reading.points.forms import Form
from ragstone.reading.statements import Statements
from ragstone.reading.values.values import Value

_LABEL = cue(
    r"(?:第|版本号?|步骤|章节|附录|图|表|编号|序号|节|\b(?:v|ver|version|chapter|section|page|p|step|no|figure|fig|table|part"
    r"|question|article|clause|item|appendix|vol|volume|rule))[. #:]{0,2}$"
)
_FILE = cue(rf"\.(?:{EXTENSIONS})(?![a-z])")
_ASKS_LABEL = cue(r"第(?:几|多少|何)|哪[一几]?[章节页条步版项]|版本|\b(?:which|version|chapter|section|page|step)\b")
_LIMITS = cue(
    r"最[低高少多大小长短早晚迟]|至[少多]|起码|超过|不到|以[上下内]|[上下]限|限[制额]|[高低多少大小]于",
    r"\b(?:min|max)|\bat (?:least|most)|\b(?:more|less|fewer) than|\bover\b|\bunder\b|exceed|\blimit",
)
_COUNTS = cue(
    r"(?:几|多少)(?:个|台|名|位|人|件|条|只|张|份|种|家|辆|本|间|套|次|项|款|座|所)?(?P<han>[\u4e00-\u9fff]{2,4})",
    r"\bhow many (?P<latin>[a-z]+)",
)
_NEAR = 12
_MOST = 50


@lru_cache(maxsize=256)
def asks_limit(question: str) -> bool:
    """Whether a folded question asks for a limit, so that the answer may set one."""
    return _LIMITS.search(question) is not None


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
    ]
    return None if not there or any(form.values[0].equals(value) for value in there) else there[0]


@lru_cache(maxsize=256)
def _counted(question: str) -> str:
    found = _COUNTS.search(question)
    return (found["han"] or found["latin"]) if found else ""
