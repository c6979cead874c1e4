"""What turns a point whose parts are all there: each part's flags in the text beside its flags in the point."""

from collections.abc import Sequence
from functools import lru_cache

from ragstone.reading import scopes
from ragstone.reading.cues import cue
from ragstone.reading.points.forms import Form
from ragstone.reading.points.pieces import Piece
from ragstone.reading.statements import Statements
from ragstone.reading.tokens import TOKEN
from ragstone.text.late import late

_TURNED, _TINGED, _ALL = 0.4, 0.15, 0.95
"""Shares of a point's weight under another flag: from which it is denied, is open, and nearly all of it."""
_DENYING = (
    scopes.CORRECTED,
    scopes.NEGATED,
    scopes.UNKNOWN,
    scopes.ASKED,
    scopes.HEARSAY,
    scopes.GUESSED,
    scopes.PLANNED,
)
_DOUBTS = (
    *((flag, _TINGED) for flag in _DENYING),
    (scopes.MAYBE, _TURNED),
    (scopes.LED, _TURNED),
    (scopes.ENDED, _TURNED),
    (scopes.ALTERNATIVE, _TURNED),
    (scopes.MOVED, _ALL),
    (scopes.CONDITION, _ALL),
)
_DENIES = ("negation", "negation_behind", "denial", "refusing", "silent", "unable", "except", "refuted", "doubt")
_ENDS = ("ended", "ousts", "former", "former_behind")
_NOW = ("now", "becomes", "moves", "ousts")
_PAST = (scopes.MOVED, scopes.FORMER, scopes.REPLACED)
_ASKS_NOW = late(r"现|目前|当前|如今|最新|\bnow\b|current|today|現在|지금|현재")
_ASKS_PAST = late(
    r"\b(?:originally|initially|first|formerly|former|previous|was|were|did|had)\b"
    r"|\bwho (?:\w+ed|sang|sung|wrote|made|built|said|won|drew|told|found|led|shot|took|gave)\b"
    r"|曾|出生|生于|原来|原先|最初|起初|当时|以前|过去|之前|历史上|那时"
)
_NOT_WITHOUT = cue(
    r"[不没无未][^,;.!?]{1,16}[就便则都][不没无]",
    r"\bwithout [^.;!?]{1,60}(?:\b(?:no|not|cannot|nobody|nothing)\b|n't\b)",
    r"(?:なければ|ないと|なしで?は)[^。]{1,24}(?:ない|ません)|없으면[^.]{1,24}(?:없|않|못)",
)
"""Two denials that come to a condition: without a ticket nobody gets in."""
_NEAR_HAN, _NEAR_LATIN = 8, 25
"""Characters behind a point in which a denial may still be meant for it."""


def turned_by(form: Form, said: Statements, there: Sequence[Piece], question: str) -> str:
    """The flag that turns a point, behind a question mark where it only keeps it from being proved; empty: none."""
    opposed = any(one.opposite for one in there)
    hidden = _has_hidden(form, said) and any(_hides(form, said, one) != (False, False) for one in there)
    if not (said.turned or form.said.turned or opposed or hidden):
        return ""
    if not (form.said.turned or opposed or hidden or any(said.at(one.at).scopes for one in there)):
        return ""
    if opposed and _is_opposed(form, said, there):
        return "opposite"
    weights = _weights(form, said, there)
    known = question_flags(question) if form.only_names else frozenset()
    for flag in known:
        weights.pop(flag, None)
    past = not said.flagged.isdisjoint(_PAST) and (_ASKS_PAST.search(question) is not None or _is_day(form, question))
    if past:
        weights.pop(scopes.MOVED, None)
    total = sum(one.weight for one in there) or 1
    for flag in _DENYING if weights else ():
        if weights.get(flag, 0) / total >= _TURNED:
            supposed = weights.get(scopes.SUPPOSED, 0) / total >= _TURNED
            supposed = supposed and any(said.at(one.at).has("negation") for one in there)
            unsure = flag == scopes.UNKNOWN or (flag == scopes.NEGATED and (supposed or _may_deny(form, said, there)))
            return "?" + flag if unsure else flag
    if not past and _is_former(form, said, there, question):
        now = any(one.has(*_NOW, "former_between") for one in said.clauses)
        firm = (now or _ASKS_NOW.search(question)) and not any(_is_newer(said, one) for one in there if one.weight)
        return scopes.FORMER if firm else "?" + scopes.FORMER
    if weights.get(scopes.SUPPOSED, 0) / total > _ALL:
        return "?" + scopes.SUPPOSED
    for flag, share in _DOUBTS if weights else ():
        if weights.get(flag, 0) / total >= share:
            return "?" + flag
    return "?" + scopes.NEGATED if scopes.NEGATED not in known and _denied_behind(form, said, there) else ""


def _is_day(form: Form, question: str) -> bool:
    """Whether a point is nothing but the date on which something happened."""
    return form.bare and form.values[0].measure == "date" and not _ASKS_NOW.search(question)


@lru_cache(maxsize=256)
def question_flags(question: str) -> frozenset[str]:
    """The flags of what a folded question itself says: who is no longer a member, what was discontinued."""
    found = {scope.flag for one in Statements(question).clauses for scope in one.scopes}
    return frozenset(found - {scopes.ASKED, scopes.LED, scopes.UNKNOWN})


def _weights(form: Form, said: Statements, there: Sequence[Piece]) -> dict[str, float]:
    """Each flag and the weight of the parts that stand under it in the text and not in the point."""
    places = {one.at for one in there}
    spelt = _spelt(said, there) if said.turned else ()
    weights: dict[str, float] = {}
    agreed = lost = False
    hides = _has_hidden(form, said)
    for one in there:
        flags, denied = said.at(one.at).flags(one.at, said=places, spelt=spelt)
        own, own_denied = form.flags(one.start)
        if hides:
            hidden, own_hidden = _hides(form, said, one)
            denied, own_denied = denied + hidden, own_denied + own_hidden
        if not (flags or own or denied or own_denied or one.opposite):
            continue
        if scopes.UNKNOWN in own or (own_denied and scopes.UNKNOWN in flags):
            # What is not stated is denied too: 未载明 and 没有载明.
            own, own_denied = own - {scopes.UNKNOWN}, 1
            flags, denied = flags - {scopes.UNKNOWN}, denied or int(scopes.UNKNOWN in flags)
        both = own_denied % 2 or (one.opposite and denied % 2)
        agreed |= bool(both) and (denied + one.opposite) % 2 == own_denied % 2
        turned = set(flags - own - {scopes.NEGATED})
        if (denied + one.opposite - own_denied) % 2:
            turned.add(scopes.NEGATED)
            lost |= bool(own_denied % 2)
        for flag in turned:
            weights[flag] = weights.get(flag, 0) + (one.weight or 0.5) * (2 if one.hard else 1)
    if agreed:
        # Both deny the same word: what stands before the one negator may stand behind the other.
        weights.pop(scopes.NEGATED, None)
    elif lost:
        # What a point denies may be its lightest word: 周六不办公.
        weights[scopes.NEGATED] = max(weights[scopes.NEGATED], _TINGED * sum(max(one.weight, 1) for one in there))
    return weights


def _has_hidden(form: Form, said: Statements) -> bool:
    return bool(said.hidden or form.said.hidden)


def _hides(form: Form, said: Statements, one: Piece) -> tuple[bool, bool]:
    """Whether a word of the text, and one of the point, hides a denial of a part."""
    here, own = said.hidden, form.said.hidden
    there = one.at in here.before or one.at + one.size in here.behind
    return there, one.start in own.before or one.start + len(one.text) in own.behind


def _spelt(said: Statements, there: Sequence[Piece]) -> set[int]:
    """Places of words that say the same in other words: 没有网络 for 离线 denies nothing."""
    other = (one for one in there if one.size > 1 and said.text[one.at : one.at + one.size] not in one.text)
    return {place for one in other if not _is_cut(said, one) for place in range(one.at, one.at + one.size)}


def _is_cut(said: Statements, piece: Piece) -> bool:
    """Whether a word is only the beginning of a denial: may not and can't are no other words for allowed."""
    token = TOKEN.match(said.text, piece.at)
    if token is None:
        return False
    end = token.end() - token[0].endswith("n't")
    return any(hit.start <= piece.at and end < hit.end and "negation" in hit.kinds for hit in said.at(piece.at).hits)


def _may_deny(form: Form, said: Statements, there: Sequence[Piece]) -> bool:
    """Whether a text that lacks the denial of a point may deny it in words of its own: do not, ineligible, 别, 才能."""
    if len({said.at(one.at).start for one in there}) > 1 and not said.flags(min(there).at)[1] and not form.said.turned:
        return True
    if any(_hides(form, said, one) == (False, True) for one in there):
        return True
    if any(_NOT_WITHOUT.search(said.text, *said.sentences[said.at(one.at).sentence]) for one in there):
        return True
    lacking = [one for one in there if form.flags(one.start)[1] > said.flags(one.at)[1] + one.opposite]
    if not lacking:
        return False
    reworded = any(said.text[one.at : one.at + one.size] != one.text for one in there if not one.hard)
    near = {said.at(one.at).sentence for one in there}
    return reworded or any(one.has(*_DENIES, *_ENDS) for one in said.clauses if one.sentence in near)


def _is_opposed(form: Form, said: Statements, there: Sequence[Piece]) -> bool:
    """Whether an opposite word stands there that nothing turns round again."""
    beside = {said.at(one.at).start for one in there if not one.opposite and one.weight}
    turned = [one for one in there if one.opposite and (said.flags(one.at)[1] + 1 - form.flags(one.start)[1]) % 2]
    return any(said.at(one.at).start in beside for one in turned) or (bool(turned) and not beside)


def _is_former(form: Form, said: Statements, there: Sequence[Piece], question: str) -> bool:
    """Whether what is new to the question stands in a clause that tells the point's words of former times."""
    if said.flagged.isdisjoint((scopes.FORMER, scopes.REPLACED)):
        return False
    new = [one for one in there if one.weight and one.text not in question] or list(there)
    hard = [one for one in new if one.hard]
    if hard and not any(scopes.FORMER in said.flags(one.at)[0] for one in hard):
        return False
    total = sum(one.weight for one in new)
    old = {said.at(one.at).start for one in there if _weights(form, said, [one]).get(scopes.FORMER)}
    return sum(one.weight for one in new if said.at(one.at).start in old) >= _TURNED * total > 0


def _is_newer(said: Statements, piece: Piece) -> bool:
    """Whether a part stands behind a word for what came after: 从汐州迁往澄湾."""
    kinds = {"becomes", "moves", "now"}
    return any(hit.kinds & kinds and hit.end <= piece.at for hit in said.at(piece.at).hits)


def _denied_behind(form: Form, said: Statements, there: Sequence[Piece]) -> bool:
    """Whether a denial follows closely upon the point in its clause: A、B都不受支持."""
    last = max(one.at + one.size for one in there)
    clause = said.at(max(one.at for one in there))
    if any(own.flag == scopes.NEGATED for one in form.said.clauses for own in one.scopes):
        return False
    near = _NEAR_LATIN if said.text[last - 1 : last].isascii() else _NEAR_HAN
    return any(0 <= hit.start - last <= near and "negation" in hit.kinds for hit in clause.hits)
