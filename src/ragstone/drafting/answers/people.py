"""Who somebody is: the bare name, without rank, department or form of address; all names where several are told."""

import re

from ragstone.drafting.questions.parts import plain
from ragstone.drafting.questions.person_words import BODY, NAME, OFFICE, PERSON, ROLE, SURNAME
from ragstone.reading.values.names import find_names, tagged
from ragstone.text.late import late

_ADDRESSED = late(
    r"(?:(?:Dr|Sir|Dame|Lord|Lady|Mr|Mrs|Ms|Miss|Prof|Professor|Rev|Revd|Reverend)\.? )+(?=[^ ]+ )", re.IGNORECASE
)
"""A form of address in front of a whole name; before a family name alone it is part of how somebody is called."""
_CALLED = late("(?:先生|女士|小姐|太太)$")
_UNIT = "[部科处室组局司院会厅站所店厂办队校]"
_OF_UNIT = late(
    rf"(?P<unit>[\u4e00-\u9fff]*(?:{_UNIT}|中心|公司|集团|{OFFICE}|教授|老师|医师|研究员|书记|律师|社工|志工|[师员家]))\s*(?P<name>{PERSON})"
)
_APART = late(rf"[\u4e00-\u9fff]+\s+(?P<name>{PERSON})")
_ENDS_AS_UNIT = late(rf"(?:{_UNIT}|公司|集团|中心)$")
_PERSON, _NAME = late(PERSON), late(NAME)
_BETWEEN = late(r"\s*[、，&]\s*|(?<=[\u4e00-\u9fff])(?:以及|和|及|与)(?=[\u4e00-\u9fff])|,? and |, ")
_OTHERS = late(r"等(?:[0-9一二三四五六七八九十几数]*[人名位])?$|\b(?:and|&) (?:others?|colleagues|family)\b|\bet al\b")
_ANOTHER = late(
    r", (?:his|her|their)\b|(?:,[^,;]{2,40},)?,? ?(?:and|&|with|together with|along with|assisted by|helped by) "
    r"(?:(?:(?:the|an?|by|later|also) )*(?:[a-z]+ ){0,2}[A-Z]|"
    r"(?:his|her|their|the|an?|others?|two|three|four|several|some)\b)"
)
"""Behind a name: somebody else who did the same."""
_ANOTHER_ZH = late("(?:先生|女士|小姐)?(?:、|和|与|及|以及|暨|等|携)")
_ASKS_WHO = late(r"谁|^(?:According to “[^”]*”, |In [^,]+, )?who\b", re.IGNORECASE)


def asks_who(question: str) -> bool:
    """Say whether a question asks for somebody."""
    return _ASKS_WHO.search(plain(question)) is not None


def names_of(text: str) -> tuple[str, ...]:
    """The bare names in what tells who; what is no name stays as it is, and nothing is left where not all are told."""
    if _OTHERS.search(plain(text)):
        return ()
    whole = _bare(text)
    if _is_name(whole):
        return (whole,)
    parts = tuple(_bare(one) for one in _split(text))
    named = all(_is_name(one) or _FAMILIAR.fullmatch(plain(one)) for one in parts)
    return parts if len(parts) > 1 and named else (whole,)


def tells_another(after: str) -> bool:
    """Say whether what stands behind a name tells of somebody else who did the same."""
    return _ANOTHER.match(after) is not None or _ANOTHER_ZH.match(plain(after)) is not None


def is_called(text: str, column: str) -> bool:
    """Say whether an English cell names somebody: by a form of address, or below a column for such."""
    named = all(map(_NAME.fullmatch, names_of(text) or ("",)))
    return named and (_ADDRESSED.match(text) is not None or _DOES.fullmatch(column) is not None)


_DOES = late(
    rf"(?:[a-z]+ )?(?:{ROLE}|keeper|guide|teacher|tutor|instructor|driver|speaker|author|host|contact|trainer|lecturer|"
    r"doctor|nurse|winner|artist|translator|steward)",
    re.IGNORECASE,
)


def is_somebody(text: str) -> bool:
    """Say whether a short text is how somebody is called: a name the dictionary knows as one, 老张, 李师傅."""
    said = plain(text)
    known = any(one.kind == "person" and (one.start, one.end) == (0, len(said)) for one in find_names(said))
    return (known and _is_name(said)) or _FAMILIAR.fullmatch(said) is not None


def is_agent(text: str) -> bool:
    """Say whether a Chinese answer to who does something is somebody or an institution, and nothing they do.

    >>> is_agent("财务管理中心"), is_agent("何文涛在周末完成并")
    (True, False)
    """
    said = plain(text)
    if _NO_AGENT.search(said):
        return False
    bare = all(one.tag.startswith(("n", "eng", "j", "x", "c", "l", "b")) for one in tagged(said))
    return bare or _is_name(text) or _INSTITUTION.search(said) is not None


_NO_AGENT = late("在|(?<!处)于|并|且|(?<=.)[前后](?!勤)|[时内]$|(?:负责|统一|组织|完成|同意)$|[0-9]")
_INSTITUTION = late(rf"(?:{BODY}|{OFFICE}|[人员者方商师长家会队馆店校工户])$")
_FAMILIAR = late(rf"[老小阿]{SURNAME}|[\u4e00-\u9fff]{{1,3}}(?:师傅|老师|医生|教授|教练|律师|先生|女士|小姐)")


def _split(text: str) -> list[str]:
    cuts = list(_BETWEEN.finditer(plain(text)))
    starts, ends = [0, *(one.end() for one in cuts)], [*(one.start() for one in cuts), len(text)]
    return [text[start:end] for start, end in zip(starts, ends, strict=True)]


def _bare(text: str) -> str:
    """A name without what somebody is or where they work."""
    address = _ADDRESSED.match(text)
    text = text[address.end() :] if address else text
    said = plain(text)
    called = _CALLED.search(said)
    end = called.start() if called else len(text)
    if _PERSON.fullmatch(said, 0, end):
        return text[:end]
    found = _APART.fullmatch(said, 0, end) or _OF_UNIT.fullmatch(said, 0, end)
    return text[found.start("name") : end] if found and not _ENDS_AS_UNIT.search(found["name"]) else text


def _is_name(text: str) -> bool:
    said = plain(text)
    return bool(_NAME.fullmatch(text)) or (bool(_PERSON.fullmatch(said)) and not _ENDS_AS_UNIT.search(said))
