"""What a document of questions and answers asks itself: its yes or no, one value, a place, or its one sentence."""

import re
from collections.abc import Iterator
from itertools import groupby

from ragstone.core.types import JSON
from ragstone.drafting.answers.people import asks_who
from ragstone.drafting.corpus import Paper, Sentence
from ragstone.drafting.faults import pairs_of
from ragstone.drafting.questions.lists import Listed
from ragstone.drafting.questions.parts import POINTERS, asks_value, plain
from ragstone.reading.asked import read_question
from ragstone.reading.points.forms import Point
from ragstone.reading.points.states import states
from ragstone.reading.statements import Statements
from ragstone.reading.values.names import tagged
from ragstone.reading.values.values import Value, values
from ragstone.text.late import late

_BACK = late(rf"\b(?:{POINTERS})\b|[该此这那它其你我您]|上述|以上", re.IGNORECASE)
_ASKS_TWO = late(
    r"(?:什么|哪|谁|几|多少|怎|何)[^，。]*(?:、|，|和|及|与|并|又).*(?:什么|哪|谁|几|多少|怎|何)|"
    r"\b(?:who|what|which|when|where|why|how)\b.*\band (?:who|what|which|when|where|why|how)\b",
    re.IGNORECASE,
)
"""Two things asked for at once: the answer that code finds is one of them."""
_CLOSED = late("吗？|吗[?]|能否|可否|是否|能不能|可不可以|[要会是]不[要会是]|有没有")
_AGREES = late(
    r"(?P<no>不可以|不能|不会|没有|不需要|不用|不要|不是|否|no)|(?P<yes>是的?|对|yes)|"
    r"(?P<said>可以|能|会|有|需要|要|是)",
    re.IGNORECASE,
)
_ENDS = late(r"[,，。.！!；;]|$")
_SAYS = {"可以": "可以|能|可否", "能": "可以|能|可否", "需要": "需|要", "要": "需|要"}
"""Words of a question that a yes in such a word answers."""
_TAKES_BACK = late(
    r"除外|例外|除非|但|不过|然而|[如若]|只有|[仅只](?:有|允许)|(?:^|[.!?] )only\b|"
    r"^yes, (?:within|until|till|up to|before|after|on|during|for|from|with|at|in|by|as|when)\b|"
    r"\b(?:but|except|unless|however|provided|if|although|otherwise)\b",
    re.IGNORECASE,
)
_NARROWS = late(
    r"[仅只限须需]|必须|应当?|最多|至多|不得|以上|以下|超过|不足|未满|[已凡]满|\b(?:only|must|need to|have to|"
    r"at most|up to|above|over|below|under|more than|less than|at least)\b",
    re.IGNORECASE,
)
"""What makes a yes depend on something."""
_FORBIDS = late(
    r"不得|禁止|严禁|不可以?|不能|不准|谢绝|\b(?:must not|may not|cannot|can't|(?:are|is) not (?:allowed|permitted))\b"
)
_PERMITS = late(r"可以|允许|\b(?:may|can|(?:are|is) (?:allowed|permitted))\b")
_MAY = late(r"可以|能|可否|允许|^(?:can|may|could)\b|\b(?:allowed|permitted)\b", re.IGNORECASE)
_SAME, _MOSTLY = 0.3, 0.6
"""Share of what a question says that the rule answering it says too; of what the rule says, where it answers yes."""
_OFTEN = late(r"多久[^，]{0,12}一次|多长时间[^，]{0,12}一次|每隔多|how often", re.IGNORECASE)
_EVERY = late(r"(?:每隔?|\bevery )$", re.IGNORECASE)
_PER_BEFORE = late("(?:每[一-鿿]{1,3})+(?:收取|收费|收|为|约)?$")
_PER_AFTER = late(r" (?:(?:per|an?|each|every) [a-z]+(?: (?:per|an?) [a-z]+)?|each)\b")
_UNIT_AFTER = late(
    r" (?:(?:working|business|calendar|consecutive|full|school) )?"
    r"(?:seconds|minutes|hours|days|nights|weeks|months|years)\b"
)
_BOUND = late(r"(?:\b(?:at least|more than|less than|fewer than|under|over)|至少|不少于|最少|超过|不足|低于|高于)\s*$")
"""Before a value that is a limit of what may be."""
_LATER = late("(?:之后|以后|后|之内|以内|内)$")
"""Behind a time in the value's own words, of what is told and not of how long."""
_NUMBER = late(r"[0-9][0-9,.]*|[a-z]+|[〇零一二两三四五六七八九十百千万]+", re.IGNORECASE)
_LONG_ANSWER = (50, 110)
"""Characters of an answer that is one point; in English."""


def ask_itself(paper: Paper) -> Iterator[Listed]:
    """Ask what a document of questions and answers asks, where the answer is one thing and is told whole."""
    for section, run in groupby(paper.blocks, key=lambda block: block.section):
        if all(one.form == "text" for one in run) and _asks_well(section, paper):
            said = [one for one in paper.sentences if one.section == section]
            if said:
                yield from _answered(section, said, paper)


def _asks_well(section: str, paper: Paper) -> bool:
    return (
        section.endswith(("?", "？"))
        and not _BACK.search(plain(section))
        and not _ASKS_TWO.search(plain(section))
        and "哪几" not in plain(section)
        and _asks_of_something(section, paper)
    )


def _asks_of_something(asked: str, paper: Paper) -> bool:
    """Say whether a document's own question names a thing: 退了没有？ does not."""
    tagged_as = [one.tag for one in tagged(plain(asked))] if paper.writing.startswith("zh") else ["n"]
    return any(tag.startswith(("n", "eng", "vn", "l", "j")) for tag in tagged_as)


def _answered(section: str, said: list[Sentence], paper: Paper) -> Iterator[Listed]:
    if read_question(section).closed or _CLOSED.search(plain(section)):
        yield from _agreed(section, said, paper)
    elif asks_value(section):
        found = [(one, value) for one in said for value in values(one.text) if value.low != 1]
        if len(found) == 1 and (point := _whole_value(section, found[0][0].text, found[0][1])):
            yield _asked(section, found[0][0], point)
    elif len(said) == 1 and (point := _told(section, said[0].text.rstrip("。.!！"), paper.writing)):
        yield _asked(section, said[0], point)


def _asked(section: str, one: Sentence, point: str) -> Listed:
    place = (point, one.page, one.start, one.start + len(one.text))
    return Listed(section, (place,), "asked", section, {"text_answer": point}, section)


def _agreed(section: str, said: list[Sentence], paper: Paper) -> Iterator[Listed]:
    """The yes or no that a closed question is answered with; what else is told of it is no answer."""
    whole = plain(" ".join(one.text for one in said))
    found = _agreement(section, plain(said[0].text))
    word = _AGREES.match(whole)
    if found is None or _TAKES_BACK.search(whole) or (found[0] and _NARROWS.search(whole, word.end() if word else 0)):
        return
    yes, end = found
    last = said[min(1, len(said) - 1)] if end >= len(said[0].text.rstrip("。.!！ ")) else said[0]
    last = last if last.page == said[0].page else said[0]
    place = (said[0].text[:end], said[0].page, said[0].start, last.start + len(last.text))
    rule: dict[str, JSON] = {"boolean_answer": yes}
    yield Listed(section, (place,), "yes_no", section, rule, section)


def _agreement(section: str, said: str) -> tuple[bool, int] | None:
    """Whether a sentence answers yes, and where that ends: with its first word, or with the rule it lays down."""
    asked = plain(section)
    found = _AGREES.match(said)
    if found and _ENDS.match(said, found.end()):
        word = found["said"]
        return None if word and not re.search(_SAYS.get(word, word), asked) else (not found["no"], found.end())
    clause = said[: end.start()] if (end := re.search(r"[，；。]|[,;.](?!\d)", said)) else said
    denied, allowed = _FORBIDS.search(clause), _PERMITS.search(clause)
    if not (denied or allowed) or not _MAY.search(asked) or _holds(clause, section) < _SAME:
        return None
    adds = values(clause) or _holds(section, clause) < _MOSTLY
    return None if adds and not denied else (not denied, len(clause))


def _holds(text: str, other: str) -> float:
    """Return what share of what another text says a text says too."""
    wanted, said = pairs_of(other), plain(text).lower()
    return sum(pair in said for pair in wanted) / max(1, len(wanted))


def _whole_value(section: str, text: str, value: Value) -> str:
    """A value with its unit and what it is counted by, or nothing where that would not do as an answer."""
    start, end = value.start, value.end
    end -= len(text[start:end]) - len(re.sub(r" an?$", "", text[start:end]))
    if later := _LATER.search(plain(text[start:end])):
        end = start + later.start()
    if unit := _UNIT_AFTER.match(text, end):
        end = unit.end()
    often, every = _OFTEN.search(plain(section)), _EVERY.search(text, 0, start)
    if bool(often) != bool(every) or _BOUND.search(plain(text[:start])):
        return ""
    between = re.search("between $", text[:start]) if value.low != value.high else None
    start = next((one.start() for one in (every, between) if one), start)
    if value.measure == "money":
        before, after = _PER_BEFORE.search(plain(text[:start])), _PER_AFTER.match(text, end)
        start, end = before.start() if before else start, after.end() if after else end
    point = text[start:end]
    return "" if _is_bare(section, point, value) else point


def _is_bare(section: str, point: str, value: Value) -> bool:
    """Say whether another unit would pass for a value's own: five years for five working days."""
    number = _NUMBER.search(point)
    if value.measure not in ("bare", "count") or re.search(r"\bhow many\b|多少|几", plain(section), re.IGNORECASE):
        return False
    other = "年" if re.search("[\u4e00-\u9fff]", section) else " years"
    wrong = f"{number[0] if number else point}{other}"
    return states(Point(point), Statements(wrong), section).outcome == "yes"


def _told(section: str, text: str, writing: str) -> str:
    """What answers in a sentence: all of it; nothing where that is more than one thing, or asks who or where."""
    bare = "asks_place" in read_question(section).kinds or asks_who(section)
    return text if not bare and _is_one_point(text, writing) else ""


def _is_one_point(text: str, writing: str) -> bool:
    """Say whether a sentence answers with one thing."""
    return (
        len(text) <= _LONG_ANSWER[writing == "en"]
        and len(values(text)) <= 1
        and not _BACK.search(plain(text))
        and text.count("，") <= (not values(text))
        and "](" not in text
    )
