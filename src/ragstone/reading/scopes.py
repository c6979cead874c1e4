"""The one scope rule: how far each cue of a clause reaches, and what it makes of the words there.

Mood and source hold for the clause. A negation holds from its word to the clause's end or to 而是, a former value
onward to a word for now. A correction or a doubt reaches back one sentence. A colon, and the line above a list, carry
their flags on to what stands below them.
"""

from collections.abc import Collection, Sequence
from typing import NamedTuple

from msgspec import Struct

from ragstone.reading.cuebook import Hit
from ragstone.text.late import late

NEGATED, UNKNOWN, ASKED, SUPPOSED, GUESSED, MAYBE = "negated", "unknown", "asked", "supposed", "guessed", "maybe"
PLANNED, HEARSAY, FORMER, CORRECTED = "planned", "hearsay", "outdated", "corrected"
ALTERNATIVE, ENDED, MOVED, REPLACED, CONDITION, LED = "alternative", "ended", "moved", "replaced", "condition", "led"
FLAGS = frozenset(
    (
        *(NEGATED, UNKNOWN, ASKED, SUPPOSED, GUESSED, MAYBE, PLANNED, HEARSAY, FORMER, CORRECTED),
        *(ALTERNATIVE, ENDED, MOVED, REPLACED, CONDITION, LED),
    )
)
"""What a place may be under. `replaced` and `moved`: before a value or a place that took over; `condition`: what
follows an if; `led`: what leads to a question at the sentence's end; `maybe`: a may that is a guess or a permission."""

NEGATORS = frozenset("不没未无非")
DENIAL = late(r"[不没未无非]|\b(?:not|no|never|un[a-z]+)\b|n't\b")
"""What denies inside a longer word or phrase."""
_NEGATOR = late("[不没未无非]")
_TWICE = late(r"(?:不[得能可会]|无|莫|未必)不")
"""Denies nothing: 不得不, 无不."""
_CANNOT = late(r"不[到了起上下出着准清住动完开掉]")
"""Behind a verb: 查询不到."""

_WHOLE = {
    "denial": NEGATED,
    "guess": GUESSED,
    "maybe": MAYBE,
    "supposition": SUPPOSED,
    "silent": UNKNOWN,
    "unable": UNKNOWN,
    "alternative": ALTERNATIVE,
    "ended": ENDED,
    "question": ASKED,
    "embedded": LED,
    "plan": PLANNED,
    "hearsay": HEARSAY,
}
_ONWARD = {"negation": (NEGATED, "negation_ends"), "refusing": (NEGATED, "negation_ends"), "former": (FORMER, "now")}
_ONWARD |= {"ousts": (FORMER, "former_ends")}
_BACK = {"negation_behind": NEGATED, "supposition_behind": SUPPOSED, "former_behind": FORMER}
_LATER = ("now", "becomes", "moves", "ousts", "changed", "correction")
"""Cues that end former times."""
_LEAVES = {"becomes": REPLACED, "moves": MOVED}
_LAID = frozenset(
    (
        *(*_WHOLE, *_ONWARD, *_BACK, *_LEAVES),
        *("except", "complement", "former_between", "correction", "refuted", "doubt"),
    )
)
"""Kinds of cues that have a scope."""
_OTHERS = late(
    r"其他|其余|其它|别的|另[一外]|至于|关于|剩下|\b(?:others?|rest|remaining|as for|regarding)\b"
    r"|他の|その他|나머지|다른"
)
"""A doubt about something else leaves what was said before as it is."""
_INTRANSITIVE = frozenset("变难多大错差贵远晚早久改小少高低")
"""Denied at the end of a heading, they say nothing of what stands below it: 安排没变：…"""
_TELLS = late(r"已|是|将|\b(?:is|was|are|were|has|have|had|will)\b")
"""Behind a colon they tell something that the line above does not deny: it was not put off: the hall is open."""
_SAYS = late(r"[^\W_\u3041-\u3096]")
"""Letters; the endings of a Japanese verb are none."""
_DENIES = frozenset(("negation", "denial"))
_DENIALS = _DENIES | {"negation_behind", "refusing", "silent", "unable", "except", "refuted", "doubt"}
_OPENING = 3
_INSTEAD = frozenset(("只有", "只要", "而是", "only"))
"""They end the denial of the line above."""
_NOBODY = late(
    r" *(?:but |and |此?后来?|其后|之后|现在?|目前|如今|但|不过)*(?:[他她其]|he |she |it )? ?(?:现|已|早|has )*"
)
"""A clause that opens so speaks of whom the one before it named: 此后他已卸任."""
_THAT_IS = late(r" *(?:也就是|亦即|即(?![将使便])|that is\b|i\.e\.|namely\b)")
_BY_MEANS = late(r"\bby (?:giving|providing|sending|serving|paying|submitting|notifying)\b")
_MOODS = (PLANNED, GUESSED)
"""What else than hearsay goes on in a clause that says the same again."""
_DOUBT_OPENS = 12
_FAR_BACK = 12
"""Clauses that a correction or a doubt may speak of."""
_OF = 8
"""Characters in which 的 ends a denial that opens a clause: 不住宿的学生…"""
UNTURNED: tuple[frozenset[str], int] = (frozenset(), 0)
"""The flags of a place under none."""


class Scope(Struct, frozen=True, gc=False):
    """From start to end the words are under a flag."""

    flag: str
    start: int
    end: int
    origin: int = -1
    """Where the cue begins."""
    verb: bool = False
    """Whether the cue is a verb with a meaning of its own: 拒绝, 避免."""


class Clause(Struct):
    """One clause of a text."""

    start: int
    end: int
    sentence: int
    but: bool
    """Whether it stands against what came before it."""
    asked: bool
    """Whether it ends with a question mark."""
    hits: list[Hit]
    scopes: list[Scope] = []
    heading: "Clause | None" = None
    """The clause before a colon that it stands behind."""

    def has(self, *kinds: str) -> bool:
        """Whether it holds a cue of one of these kinds."""
        return bool(self.hits) and any(not hit.kinds.isdisjoint(kinds) for hit in self.hits)

    def flags(
        self, place: int, *, own: bool = False, said: Collection[int] = (), spelt: Collection[int] = ()
    ) -> tuple[frozenset[str], int]:
        """The flags at a place, and how often it is denied.

        A verb that denies is a word like others in a point (`own`), and in a text where it says a word of the point
        (`said` has its place). A denial that is part of a word with a meaning of its own (`spelt`) turns nothing.
        """
        if not self.scopes:
            return UNTURNED
        there = [
            one
            for one in self.scopes
            if one.start <= place < one.end
            and one.origin not in spelt
            and not (one.verb and (own or one.origin in said))
        ]
        if not there:
            return UNTURNED
        found = frozenset([one.flag for one in there])
        return found, len({one.origin for one in there if one.flag == NEGATED}) if NEGATED in found else 0


class Hidden(NamedTuple):
    """Places that a denial inside a word is about, which is no cue of denial itself."""

    before: frozenset[int]
    """It stands in front of them: 不|收费, 尚未|批准."""
    behind: frozenset[int]
    """It stands behind them: 查询|不到."""

    def __bool__(self) -> bool:
        """Whether there is any."""
        return bool(self.before or self.behind)


def find_hidden(clauses: Sequence[Clause], text: str) -> Hidden:
    """Find the denials of a text that no scope is laid for."""
    cues = {one.origin for clause in clauses for one in clause.scopes if one.flag == NEGATED}
    before, behind = set(), set()
    for match in _NEGATOR.finditer(text):
        at = match.start()
        if not cues.isdisjoint((at, at - 1)):
            continue
        if _CANNOT.match(text, at):
            behind.add(at)
        if not _TWICE.search(text, max(0, at - 3), at + 3):
            before.add(at + 1)
    for clause in clauses:
        for hit in clause.hits:
            if hit.kinds.isdisjoint(_DENIALS) and (found := DENIAL.search(text, hit.start, hit.end)):
                before.update(range(found.end(), hit.end))
    return Hidden(frozenset(before), frozenset(behind))


def lay_scopes(clauses: list[Clause], text: str) -> list[Clause]:
    """Lay the scopes of every clause; the clauses are of one folded text, in order."""
    asking = {one.sentence: one.start for one in clauses if one.asked}
    before: Clause | None = None
    for number, one in enumerate(clauses):
        if one.asked:
            one.scopes.append(Scope(ASKED, one.start, one.end))
        elif one.start < asking.get(one.sentence, -1):
            one.scopes.append(Scope(LED, one.start, one.end))
        for hit in one.hits:
            for kind in hit.kinds:
                if kind in _LAID:
                    _lay(kind, hit, one, clauses, number, text)
        _carry_on(one, before, text)
        before = one
    return clauses


def _is_sourced(one: Clause, clauses: Sequence[Clause], number: int) -> bool:
    """Whether a document is named that says it: what a rule is said to say, it says."""
    before = clauses[number - 1] if number else one
    return one.has("sourced") or (before.sentence == one.sentence and before.has("sourced"))


def _lay(kind: str, hit: Hit, one: Clause, clauses: Sequence[Clause], number: int, text: str) -> None:
    add = one.scopes.append
    if kind == "hearsay" and _is_sourced(one, clauses, number):
        return
    if kind in _ONWARD:
        flag, stop = _ONWARD[kind]
        end = _modifies(one, hit, text) or _stop(one, hit, stop)
        end = min(end, _means(one, text)) if text.startswith("without", hit.start) else end
        add(Scope(flag, _begin(kind, hit, one, text), end, hit.start, kind == "refusing"))
    elif kind in _WHOLE:
        add(Scope(_WHOLE[kind], one.start, _means(one, text) if kind == "maybe" else one.end, hit.start))
    elif kind in _BACK:
        add(Scope(_BACK[kind], one.start, hit.second if hit.second >= 0 else hit.start, hit.start))
        _carry_back(_BACK[kind], one, clauses[max(0, number - 1)], hit, text)
    elif kind == "except" and not _goes_on(one, clauses, number):
        add(Scope(NEGATED, hit.start + 1, hit.second if hit.second >= 0 else one.end, hit.start))
    elif kind == "complement":
        add(Scope(NEGATED, hit.start - 2, hit.start, hit.start))
    elif kind == "former_between" and (hit.end - hit.start < 3 or one.has("changed")):
        add(Scope(FORMER, hit.end, hit.second, hit.start))
    elif kind == "correction" and hit.start - one.start <= _OPENING:
        _reach_back(CORRECTED, one, clauses, number, 1)
    elif kind == "refuted":
        _reach_back(NEGATED, one, clauses, number, int(_opens(one, clauses, number, text)))
        add(Scope(NEGATED, one.start, hit.start, hit.start))
    elif kind == "doubt" and not _OTHERS.search(text, one.start, hit.start):
        opens = hit.start - one.start < _DOUBT_OPENS and number > 0 and clauses[number - 1].sentence != one.sentence
        _reach_back(GUESSED, one, clauses, number, int(opens))
    elif kind in _LEAVES:
        _reach_back(_LEAVES[kind], one, clauses, number, int(one.but))
        add(Scope(_LEAVES[kind], one.start, hit.start, hit.start))


def _begin(kind: str, hit: Hit, one: Clause, text: str) -> int:
    """Where an onward scope begins; a denial that closes its clause denies all of it: parking costs nothing."""
    behind = hit.end
    for other in one.hits if kind == "negation" else ():
        behind = other.end if other.start == behind and other.kinds & _DENIES else behind
    closes = kind == "negation" and not _SAYS.search(text, behind, one.end)
    return one.start if closes else hit.start + (kind not in ("former", "ousts"))


def _opens(one: Clause, clauses: Sequence[Clause], number: int, text: str) -> bool:
    """Whether a clause opens its sentence, or only the name of who speaks stands before it: 俱乐部回应：…"""
    led = number > 1 and text[clauses[number - 1].start : one.start].rstrip().endswith(":")
    before = clauses[number - 1 - led] if number else one
    return before.sentence != one.sentence


def _stop(one: Clause, hit: Hit, kind: str) -> int:
    """Where a scope that begins at a cue ends: at the next cue of this kind, else with the clause."""
    return next((other.start for other in one.hits if other.start > hit.start and kind in other.kinds), one.end)


def _means(one: Clause, text: str) -> int:
    """Where it is told by what means one may do something, or do it without a cause; else the clause's end."""
    found = _BY_MEANS.search(text, one.start, one.end)
    return found.start() if found else one.end


def _modifies(one: Clause, hit: Hit, text: str) -> int:
    """Where 的 ends a denial of one character that only tells what is spoken of, 不及格的科目…; 0 elsewhere.

    It opens the clause, or much is told behind it.
    """
    if hit.end - hit.start > 1 or "negation" not in hit.kinds:
        return 0
    opens = not text[one.start : hit.start].strip()
    return text.find("的", hit.end + 1, min(one.end - (2 if opens else _OF), hit.end + _OF)) + 1


def _goes_on(one: Clause, clauses: Sequence[Clause], number: int) -> bool:
    """Whether an exception is only a beginning, 除了A，还支持B, or the only one: 除了A，不支持别的."""
    after = clauses[number + 1] if number + 1 < len(clauses) else None
    goes_on = after is not None and after.sentence == one.sentence and after.has("also", "negation", "denial")
    return goes_on or one.has("also")


def _reach_back(flag: str, one: Clause, clauses: Sequence[Clause], number: int, sentences: int) -> None:
    """A later clause speaks of the earlier ones: of its sentence, or of the one before it too."""
    for at in range(number - 1, max(-1, number - _FAR_BACK), -1):
        other = clauses[at]
        if one.sentence - other.sentence > sentences:
            break
        other.scopes.append(Scope(flag, other.start, other.end, one.start))


def _carry_back(flag: str, one: Clause, before: Clause, hit: Hit, text: str) -> None:
    """A clause that opens with such a cue is former, and the one before it, where it only speaks of whom that named."""
    if flag != FORMER or not _NOBODY.fullmatch(text, one.start, hit.start):
        return
    about = one if before.sentence != one.sentence or not text[one.start : hit.start].strip() else before
    about.scopes.append(Scope(flag, about.start, about.end, hit.start))


def _opens_with_end(one: Clause, text: str) -> bool:
    """Whether a clause opens with a word that tells what holds instead: 只有…才, 而是."""
    first = one.hits[0] if one.hits else None
    return first is not None and first.start - one.start <= _OPENING and text[first.start : first.end] in _INSTEAD


def _hang_on(one: Clause, before: Clause, text: str) -> None:
    flags = {scope.flag for scope in before.scopes}
    if not one.but and (SUPPOSED in flags or CONDITION in flags):
        one.scopes.append(Scope(CONDITION, one.start, one.end))
    if _THAT_IS.match(text, one.start):
        one.scopes += [Scope(scope.flag, one.start, one.end) for scope in before.scopes if scope.flag in _MOODS]
    reaching = set() if one.but else {scope.flag for scope in before.scopes if scope.end == before.end}
    if HEARSAY in reaching and not one.has("sourced"):
        one.scopes.append(Scope(HEARSAY, one.start, one.end))
    if FORMER in reaching and not one.has(*_LATER):
        one.scopes.append(Scope(FORMER, one.start, one.end))


def _carry_on(one: Clause, before: Clause | None, text: str) -> None:
    """Hearsay and former times reach on to the end of the sentence or to a but; what follows an if hangs on it."""
    if before and before.sentence == one.sentence:
        if before.scopes:
            _hang_on(one, before, text)
        if one.heading is None:
            last = text[before.end - 1]
            opens = last == ":" or (last.isspace() and text[before.start : before.end].rstrip().endswith(":"))
            one.heading = before if opens else None if one.but else before.heading
    above = one.heading
    if above is not None and above.scopes:
        closed = text[above.start : above.end].rstrip(" :")[-1:] in _INTRANSITIVE or _opens_with_end(one, text)
        closed = closed or (above.end == one.start and _TELLS.search(text, one.start, one.end) is not None)
        reaching = [
            scope
            for scope in above.scopes
            if scope.end >= above.end - 1 and scope.origin < one.start and not (closed and scope.flag == NEGATED)
        ]
        one.scopes += [Scope(scope.flag, one.start, one.end, scope.origin) for scope in reaching]
