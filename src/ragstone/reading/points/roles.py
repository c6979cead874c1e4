"""Who does what to whom: whether a text that holds all parts of a point has let two of them change places."""

import itertools
import re
from collections.abc import Sequence

from ragstone.reading.points.forms import Form
from ragstone.reading.points.pieces import Piece
from ragstone.reading.statements import Statements
from ragstone.reading.tokens import TOKEN
from ragstone.text.fold import fold
from ragstone.text.late import late

_RESPECTIVELY = late("分别|各自|依次|" + r"\brespectively\b")
_JOINS = late(r"\band\b|并|且|,")
_TOWARDS = frozenset(fold("到至往"))
"""Between two places they tell the way; elsewhere they are part of a verb."""
_ARTICLE = late(r"(?:(?:the|an?|its|their|his|her|our) )?")
_BY = late(r"\bby\b")
_DETERMINER = "(?:the|an?|this|that|its|their|his|her|our)"
_ADVERBIAL = late(
    rf"\b(?:in|on|at|by|for|from|with|of|to|after|before|during|under)(?: {_DETERMINER})?"
    rf"(?: (?!{_DETERMINER}\b)\w+){{0,2}} $"
)
_LED = late(r"\b(in|on|at|by|for|from|with|of|to|is|are|was|were)(?: (?:the|an?|its|their|his|her|our))? $")
_ONE_OF_MANY = 2
_PAIR = 2
"""Characters by which a name in Han is told short: 蓝岩 for 蓝岩软件."""
_AND = late(r"\b(?:and|while|whereas)\b")
_PLACED = late(r"\b(in|at|on|by|from|to|with) (?:the )?(?:[A-Za-z]+ )?(?P<name>[A-Z][\w.-]*)")
"""A preposition and the name behind it."""
_IS_OF = late(r"(成为|是|系|为|作为)[^,;.]{2,16}的")
_PARTICLE = late(
    r"(?:さん|氏|씨|님)?(?:(?P<subject>が|(?<=[\uac00-\ud7a3])[이가](?= ))"
    r"|(?P<object>を|(?<=[\uac00-\ud7a3])[을를](?= ))"
    r"|(?P<other>に(?!よ|つ|お|関|対|は)|에게|한테|(?<=[\uac00-\ud7a3])에(?= )))"
)
_TIMES = frozenset(("month", "second", "date", "clock"))
"""Measures of values that are no party: appointed for four years."""
_CASES = frozenset("がをに이가을를에한")
"""What a particle of case begins with."""


def swapped(form: Form, said: Statements, there: list[Piece]) -> bool:
    """Whether A over B is told as B over A, or a value stands with another thing."""
    told = _turned_round(form, said, there, sure=True) or _crossed(form, said, there)
    return told or _other_case(form, said, there) or _of_somebody_else(form, said, there)


def _other_case(form: Form, said: Statements, there: Sequence[Piece]) -> bool:
    """Whether a subject of the point is an object in the text, or the other way, by its Japanese or Korean particle."""
    if _CASES.isdisjoint(form.text):
        return False
    for one in there:
        if one.start in form.value_starts:
            # 2歳になる is 2歳を迎える.
            continue
        own = _case(form.text, one.start, one.start + len(one.text))
        found = _case(said.text, one.at, one.at + one.size) if own else ""
        if own and found and own != found:
            return True
    return False


def _case(text: str, start: int, end: int) -> str:
    """subject, object or other, by the particle in or behind a word; empty where none tells."""
    match = _PARTICLE.search(text, start, end) or _PARTICLE.match(text, end)
    return (match.lastgroup or "") if match else ""


def _of_somebody_else(form: Form, said: Statements, there: Sequence[Piece]) -> bool:
    """Whether a name that does something in the point only owns somebody in the text: Marek's brother Pavel."""
    first = there[0] if there else None
    if first is None or first.start or len(there) == 1 or form.text.startswith("'s", len(first.text)):
        return False
    return said.text.startswith("'s ", first.at + first.size)


def _is_owned(said: Statements, one: Piece) -> bool:
    """Whether a name owns something in the point and not in the text."""
    if not one.text.endswith("'s") or said.text.startswith(one.text, one.at):
        return False
    return not said.text.endswith(("of ", "of the ", "by "), 0, one.at)


def exchanged(form: Form, said: Statements, there: Sequence[Piece]) -> bool:
    """Whether subject and object of an English verb have changed places: the ledger calls the billing service."""
    heavy = [one for one in there if one.weight]
    if not heavy or not _ARTICLE.fullmatch(form.text[: heavy[0].start]):
        return False
    first = heavy[0]
    for verb, two in itertools.pairwise(heavy[1:]):
        turned = two.at < verb.at < first.at and said.at(two.at) is said.at(first.at)
        if turned and two.start not in form.value_starts and not _BY.search(said.text[two.at : first.at]):
            led = _LED.search(said.text, verb.at, first.at)
            own = led and led[1] in form.text[verb.start : two.start].split()
            return not _ADVERBIAL.search(said.text[said.at(two.at).start : two.at]) and (led is None or bool(own))
    return False


def inverted(form: Form, said: Statements, there: Sequence[Piece]) -> bool:
    """Whether the point's subject stands behind its verb, or a name with another verb: drafted in A and signed in B."""
    heavy = [one for one in there if one.weight]
    if _turned_round(form, said, there, sure=False) or any(_is_owned(said, one) for one in heavy if one.hard):
        return True
    if _is_other_subject(said, heavy) or _belongs(form, said, heavy):
        return True
    for one, two in itertools.pairwise(heavy):
        if one.at > two.at and said.at(one.at) is said.at(two.at):
            between = said.text[two.at + two.size : one.at]
            counted = _is_counted(form, said, one, there)
            if two.hard and not counted and _JOINS.search(between) and one.start not in form.value_starts:
                return True
    return False


def _is_counted(form: Form, said: Statements, thing: Piece, there: Sequence[Piece]) -> bool:
    """Whether the number right before a thing is the point's own: 5 projects."""
    values = (one for one in there if one.start in form.value_starts and one.start + len(one.text) + 1 == thing.start)
    return any(one.at + one.size + 1 == thing.at for one in values)


def _is_other_subject(said: Statements, heavy: Sequence[Piece]) -> bool:
    """Whether a name that opens the point stands behind all the rest in its clause, as subject of something else."""
    if not heavy or not heavy[0].hard:
        return False
    names = list(itertools.takewhile(lambda one: one.hard and one.text.isascii(), heavy))
    rest = heavy[len(names) :]
    if not names or len(rest) < _ONE_OF_MANY or max(one.at for one in rest) > min(one.at for one in names):
        return False
    clause, first, last = said.at(names[0].at), min(one.at for one in rest), max(one.at for one in rest)
    opens = said.text[clause.start : first].strip()
    return bool(opens) and first >= clause.start and _AND.search(said.text, last, names[0].at) is not None


def _belongs(form: Form, said: Statements, heavy: Sequence[Piece]) -> bool:
    """Whether A is B's something in the point and B is A's in the text: 成为B的子公司."""
    match = _IS_OF.search(form.text)
    if match is None:
        return False
    left = [one for one in heavy if one.start + len(one.text) <= match.start(1)]
    right = [one for one in heavy if match.end(1) <= one.start < match.end() - 1]
    clause = said.at(max(one.at for one in heavy))
    told = _IS_OF.search(said.text, clause.start, clause.end)
    if told and _names(left, told[0]) and not _names(right, told[0]):
        return True
    if not (left and right) or said.at(left[-1].at) is not said.at(right[0].at):
        return False
    return right[0].at < left[-1].at and _IS_OF.search(said.text, right[0].at) is not None


def _names(pieces: Sequence[Piece], words: str) -> bool:
    """Whether some words name one of these, in full or by its beginning."""
    return any(one.text[:_PAIR] in words for one in pieces)


def paired_otherwise(form: Form, said: Statements, there: Sequence[Piece]) -> bool:
    """Whether a point gives a thing the place of another one: water is in Tank A and acid in Tank B."""
    for own in there:
        if own.hard and own.text.isascii() and own.start not in form.value_starts:
            clause = said.at(own.at)
            places = list(_PLACED.finditer(said.written, clause.start, clause.end))
            here = next((one for one in places if one.start() <= own.at < one.end()), None)
            soft = [one for one in there if one.weight and not one.hard]
            others = [one for one in places if here and one[1] == here[1] and one["name"].lower() not in form.text]
            if here and any(_stands_with(other, here, soft, said.text) for other in others):
                return True
    return False


def _stands_with(other: re.Match[str], here: re.Match[str], soft: Sequence[Piece], text: str) -> bool:
    """Whether a thing stands with another place than the one here, which has a thing of its own."""
    if other.start() > here.start():
        joint = _AND.search(text, here.end(), other.start())
        return joint is not None and any(joint.end() <= one.at < other.start() for one in soft)
    joint = _AND.search(text, other.end(), here.start())
    thing = TOKEN.search(text, joint.end(), here.start()) if joint else None
    return thing is not None and any(one.at + one.size + 1 == other.start() for one in soft)


def _turned_round(form: Form, said: Statements, there: Sequence[Piece], *, sure: bool) -> bool:
    """Whether two parties have changed places; `sure` where the relation is named, and both stand in one clause."""
    for hit in form.turns:
        left = [one for one in there if one.start < hit.start and one.weight] if hit.kinds else []
        right = [one for one in there if one.start >= hit.end and one.weight] if left else []
        if not right:
            continue
        one, two = _party(left[::-1], form), _party(right, form)
        if two.text.endswith("ly") or any(own.start == two.start and own.measure in _TIMES for own in form.values):
            continue
        beside = (one.start + len(one.text), two.start) == (hit.start, hit.end)
        if (sure and said.at(one.at) is not said.at(two.at)) or (
            form.text[hit.start : hit.end] in _TOWARDS and not beside
        ):
            continue
        own = any("passive" in other.kinds and one.start < other.start < two.start for other in form.hits)
        if (one.at > two.at) != (_is_passive(said, one, two) != own):
            return True
    return False


def _is_passive(said: Statements, one: Piece, two: Piece) -> bool:
    low, high = min(one.at, two.at), max(one.at, two.at)
    return any("passive" in hit.kinds and low < hit.start <= high for hit in said.at(high).hits)


def _party(pieces: Sequence[Piece], form: Form) -> Piece:
    """The party on one side of a relation: the nearest name, else the nearest word."""
    return next((one for one in pieces if one.hard and one.start not in form.value_starts), pieces[0])


def _crossed(form: Form, said: Statements, there: Sequence[Piece]) -> bool:
    """Whether two values have changed places: 租金2000元，押金3000元 for 租金3000元，押金2000元."""
    if len(form.values) < _ONE_OF_MANY:
        return False
    values = [one for one in there if one.start in form.value_starts]
    anchors = [one for one in there if one.weight and one.start not in form.value_starts]
    if len(values) < _ONE_OF_MANY or len(anchors) < _ONE_OF_MANY:
        return False
    if _RESPECTIVELY.search(said.text) or _RESPECTIVELY.search(form.text):
        return False
    own = [max((one.start for one in anchors if one.start < value.start), default=-1) for value in values]
    told = [max(((one.at, one.start) for one in anchors if one.at < value.at), default=(-1, -1))[1] for value in values]
    return own != told and sorted(own) == sorted(told) and -1 not in own


def tells(form: Form, piece: Piece) -> bool:
    """Whether a part of a point is more than a name: a value, a verb or a Latin word that is no name."""
    if piece.start in form.value_starts or (piece.text.isascii() and not piece.hard):
        return True
    inside = [
        tag
        for start, end, tag in form.tags
        if piece.start <= start < piece.start + len(piece.text) or start <= piece.start < end
    ]
    return any(tag[0] in "vad" for tag in inside)
