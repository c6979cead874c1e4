"""What each clause of an answer does: it declines, asks back, is polite, gives a reason, or tells something."""

from bisect import bisect_left
from typing import Literal

from ragstone.reading.asked import Asked, holds, listed
from ragstone.reading.cuebook import Hit, entries, tables
from ragstone.reading.lexicon import is_word
from ragstone.reading.points.forms import RUN
from ragstone.reading.refusals.excuses import DENYING, Excuse, find_excuse, find_lack
from ragstone.reading.scopes import Clause
from ragstone.reading.statements import Statements
from ragstone.reading.tokens import TOKEN, root
from ragstone.reading.values.serials import find_serials
from ragstone.reading.values.values import Value
from ragstone.text.fold import fold
from ragstone.text.late import late, lazy

_COUNTED = frozenset(
    (
        *("direction", "passive", "person", "ended", "former_ends", "moves", "becomes", "also", "except", "refusing"),
        *("negation_ends", "helping", "handed", "sends", "desk", "later", "scope", "only", "refer", "changed"),
    )
)
"""Cues that tell something of their own."""
_FUNCTION = frozenset(
    fold(
        "的了是在有和与及或也都并还对就为被把将更很之以但仅只由可能会而且则若如个这那该此其我你您里中内从到不没未无等来"
    )
)
_KANA = late(r"[\u3041-\u309f\uac00-\ud7a3]")
_TIME = late(
    r"(?<![这那有差])[0-9一二两三四五六七八九十]{1,3} ?"
    r"(?:[点时時:]|시(?!간)|[分日年](?:ほど|くらい|ぐらい|程度|です|間))"
)
_TIMES = frozenset(("date", "clock", "second", "month"))
_TOPIC = late(fold("意味は|의미는|뜻은|说明[书文]"))
_DIGITS = late(r"[0-9]+")
_THIS_YEAR = frozenset(fold("今年 去年 明年 近年 本年 当年 今年度").split())
"""They tell no date."""
_REQUESTS = tuple(
    entries("请; 麻烦; 能否; 可否; 烦; 把; please; could_you; can_you; ください; いただけ; お願い; 주세요; 주시; 부탁")
)
_NEGATIVE = late(r"^(?:(?:do|does|did|is|are|was|were|has|have) ?)?(?:没有?|未|不|无|not |n't |no )")
MOST_OF = 0.5
"""Share of the words that are declined, by which a clause speaks of the same."""
MUCH = 2
"""Characters that say something new."""
_OPENS_HAN, _OPENS_LATIN = 4, 12
"""Characters of a clause within which 说明 and "means" explain."""
_MOST = 400
"""Clauses of one answer that are read."""
_FAR = 20
"""Clauses that a later one of the same sentence is read with."""
_TOLD = frozenset(("asks_reason", "asks_way", "asks_absence"))
"""What a denial may answer."""
_UNTOLD = ("filler", "refer", "later", "question", "embedded")
"""Cues of a clause that tells nothing."""
Role = Literal["declines", "asks", "polite", "reason", "tells"]


class Roles:
    """The clauses of an answer, and what each does."""

    def __init__(self, asked: Asked, said: Statements) -> None:
        self.asked, self.said = asked, said
        self.text = _without_quotes(said)
        self.clauses = said.talk[:_MOST]

    @lazy
    def speakers(self) -> list[frozenset[str]]:
        """For each clause the cues for the one who answers, its own or those of an earlier clause of its sentence."""
        found: list[frozenset[str]] = []
        before = None
        for one in self.clauses:
            kinds = frozenset(kind for hit in one.hits for kind in hit.kinds & {"self", "machine"})
            carried = before is not None and before.sentence == one.sentence
            found.append(kinds | found[-1] if carried else kinds)
            before = one
        return found

    def _is_new(self, hit: Hit) -> bool:
        """Whether a word is none of the question's own: what it asks about does not answer it."""
        return hit.end - hit.start == 1 or self.text[hit.start : hit.end] not in self.asked.text

    @lazy
    def excuses(self) -> list[Excuse | None]:
        """For each clause the words in it that decline what was asked."""
        found = []
        for number, (one, speaks) in enumerate(zip(self.clauses, self.speakers, strict=True)):
            excuse = find_excuse(one, speaks, self.text, favour="asks_favour" in self.asked.kinds)
            meant = excuse is not None and self._is_meant(one, excuse)
            found.append(excuse if meant else self._lack(number))
        return self._without_weak(found)

    def _lack(self, number: int) -> Excuse | None:
        """A denial of a thing that was asked for, where a source is spoken of: 里面没有孙科长."""
        one = self.clauses[number]
        if self.asked.closed or self.asked.kinds & _TOLD:
            return None
        excuse = find_lack(one, self.text)
        if excuse is None or self._explains(one, excuse.start):
            return None
        if not self.asked.named(self.text[one.start : excuse.start] + self.text[excuse.end : one.end]):
            return None
        before = self.clauses[number - 1] if number else one
        spoken = any("narrator" in hit.kinds and self._is_new(hit) for hit in before.hits)
        return excuse if self._is_source(one, excuse.start) or spoken else None

    def _without_weak(self, found: list[Excuse | None]) -> list[Excuse | None]:
        """An excuse for something else than was asked counts only where nothing is told."""
        weak = [at for at, excuse in enumerate(found) if excuse and not self._names(self.clauses[at], excuse)]
        if not weak or (self.asked.exact and not self.given):
            return found
        told = (
            self._novel(one, one.start, one.end) >= MUCH
            and not (one.asked or one.has(*_UNTOLD) or self._tells_else(one))
            for one, excuse in zip(self.clauses, found, strict=True)
            if not excuse
        )
        return [None if at in weak else excuse for at, excuse in enumerate(found)] if any(told) else found

    def _topic(self, one: Clause) -> str:
        """A clause right before one that only names what it speaks of: 至于原因, as for the motor."""
        at = bisect_left(self._starts, one.start) - 1
        before = self.clauses[at] if at >= 0 else None
        if before is None or before.sentence != one.sentence or before.has(*DENYING) or self._values(before):
            return ""
        return self.text[before.start : before.end]

    def _tells_else(self, one: Clause) -> bool:
        """Whether a clause tells something that a source says, and nothing of what was asked."""
        return self._is_cited(one) and not self.asked.named(self.text[one.start : one.end])

    def _names(self, one: Clause, excuse: Excuse) -> bool:
        """Whether what an excuse speaks of is what was asked, as far as it says so."""
        if excuse.own or self.asked.is_named(self.text[excuse.start : excuse.end]):
            return True
        before, behind = self._topic(one) + self.text[one.start : excuse.start], self.text[excuse.end : one.end]
        near = self._novel(one, one.start, excuse.start) < MUCH or self.asked.is_named(before)
        return near and (self._novel(one, excuse.end, one.end) < MUCH or self.asked.is_named(behind))

    @lazy
    def roles(self) -> list[Role]:
        """What each clause does."""
        return [self._role(one, excuse) for one, excuse in zip(self.clauses, self.excuses, strict=True)]

    def _role(self, one: Clause, excuse: Excuse | None) -> Role:
        if excuse:
            return "declines"
        if self._gives_serial(one):
            return "tells"
        if self._asks_back(one):
            return "asks"
        if one.has("filler", "forgot", "sermon"):
            return "polite"
        if one.has("because", "concede"):
            return "reason"
        if one.sentence in self.questions or one.has("question", "embedded"):
            return "polite"
        if self.said.text[one.start : one.end] != self.text[one.start : one.end]:
            return "tells"
        return "tells" if self._novel(one, one.start, one.end) >= MUCH else "polite"

    def _opens_by(self, one: Clause, kind: str) -> bool:
        """Whether a clause begins with a word of a listed category."""
        return any(begins(self.text[one.start : one.end], word) for word in tables()[kind])

    @lazy
    def questions(self) -> frozenset[int]:
        """The sentences that end with a question mark."""
        return frozenset(one.sentence for one in self.clauses if one.asked)

    def _gives_serial(self, one: Clause) -> bool:
        """Whether a clause gives a phone, an account or a mail address where such a thing was asked for."""
        return "asks_contact" in self.asked.kinds and any(one.start <= at < one.end for at in self.serials)

    @lazy
    def serials(self) -> list[int]:
        """Where phones, numbers of accounts, mail addresses and the like stand."""
        return [one.start for one in find_serials(self.text)]

    @lazy
    def given(self) -> list[int]:
        """The clauses that give a figure of the kind asked for, of what was asked."""
        return [at for at, one in enumerate(self.clauses) if self._gives_serial(one) or self._gives(one)]

    def _gives(self, one: Clause) -> bool:
        cited = self._is_cited(one)
        found = [value for value in self._values(one) if self._is_kind(value, cited=cited)]
        if not found:
            timed = "asks_date" in self.asked.kinds or bool(self.asked.measures & _TIMES)
            return timed and _TIME.search(self.text, one.start, one.end) is not None
        if not cited:
            return not one.has("offers") or self.asked.is_named(self.text[one.start : one.end])
        named = self.asked.named(self.text[one.start : one.end])
        if not self._has_subject(one, found[0].start):
            return not one.has("only")
        return len(named) >= MOST_OF * len(self.asked.keys)

    def _is_kind(self, value: Value, *, cited: bool) -> bool:
        """Whether a value is of the kind asked for."""
        if value.measure in ("count", "times") and value.low == 1 and not value.text[:1].isdigit():
            return False
        if self.asked.measures:
            return (
                value.measure in self.asked.measures or "工作" in value.text or (value.measure == "bare" and not cited)
            )
        return value.measure != "count" if "asks_date" in self.asked.kinds else value.measure not in ("date", "clock")

    def _is_cited(self, one: Clause) -> bool:
        """Whether a clause tells what a source says, which may be something else than was asked."""
        if self._is_sourced(one):
            return True
        if any("telling" in hit.kinds and hit.end - hit.start > 1 and self._is_new(hit) for hit in one.hits):
            return True
        no_source = (*DENYING, "refusal") if one.but else DENYING
        return any(self._is_sourced(other) and not other.has(*no_source) for other in self._earlier(one))

    def _is_sourced(self, one: Clause) -> bool:
        """Whether a clause names a source that the question does not."""
        words = ((hit, self.text[hit.start : hit.end]) for hit in one.hits if "narrator" in hit.kinds)
        return any(len(word) > 1 and self._is_new(hit) for hit, word in words)

    def _is_meant(self, one: Clause, excuse: Excuse) -> bool:
        """Whether it is the answer, or its source, that does not know, and what it does not know is what was asked."""
        start, end, own = excuse[:3]
        if self._is_condition(one, start) or self._is_reported(one, excuse):
            return False
        if self._explains(one, start) or (not own and self._is_reason(one, start)):
            return False
        cue = self.text[start:end]
        if cue in self.asked.plain or (self.asked.closed and not own and _NEGATIVE.sub("", cue) in self.asked.text):
            return False
        if not own and excuse.composed and self.asked.named(cue) and not self._is_source(one, start):
            return False
        return own or self._is_asked(one, excuse)

    @staticmethod
    def _is_condition(one: Clause, start: int) -> bool:
        before = any(hit.kinds & {"supposition", "when"} and hit.start < start for hit in one.hits)
        return before or one.has("supposition_behind")

    def _is_reported(self, one: Clause, excuse: Excuse) -> bool:
        """Whether somebody else is told to have said it, or not to know."""
        kana = _KANA.search(self.text, one.start, one.end) is not None
        if any(hit.kinds & {"reports", "hearsay"} and (hit.start < excuse.start or kana) for hit in one.hits):
            return True
        if self.asked.is_named(self._topic(one)) and self._novel(one, one.start, one.end) < MUCH:
            return False
        return not kana and any("person" in hit.kinds and hit.start < excuse.start for hit in one.hits)

    def _is_asked(self, one: Clause, excuse: Excuse) -> bool:
        """Whether what somebody does not know is what was asked."""
        start, end, loose = excuse.start, excuse.end, excuse.loose
        source = (excuse.sought and not self.asked.closed) or self._is_source(one, start)
        no = self.asked.closed and loose and next(listed(self.text[start:end], "of_telling"), None) is None
        if "asks_absence" in self.asked.kinds or (no and not source):
            return False
        if self.asked.is_named(self._topic(one)):
            return True
        if source or not (excuse.composed or excuse.mind):
            return True
        return self._novel(one, one.start, start) < MUCH or self.asked.is_named(self.text[one.start : start])

    def _explains(self, one: Clause, start: int) -> bool:
        """Whether a clause, or the answer, opens by telling what something means."""
        first = self.clauses[0]
        near = _TOPIC.sub(" ", self.text[one.start : min(start, one.start + _OPENS_LATIN)])
        opened = one is not first and one.sentence == first.sentence and not first.has("person")
        if opened and self._explains(first, first.end):
            return True
        return any(holds(near[:_OPENS_HAN] if not word.isascii() else near, word) for word in tables()["means"])

    @staticmethod
    def _is_reason(one: Clause, start: int) -> bool:
        return any("because" in hit.kinds and hit.start < start for hit in one.hits)

    def _earlier(self, one: Clause) -> list[Clause]:
        """The earlier clauses of a clause's sentence, the nearest ones of a very long one."""
        at = bisect_left(self._starts, one.start)
        return [other for other in self.clauses[max(0, at - _FAR) : at] if other.sentence == one.sentence]

    @lazy
    def _starts(self) -> list[int]:
        return [one.start for one in self.clauses]

    def _is_source(self, one: Clause, start: int) -> bool:
        """Whether a source, or a title, stands before the words that decline."""
        if any(hit.kinds & {"narrator", "self"} and hit.end <= start for hit in one.hits):
            return True
        bare = self._novel(one, one.start, start) < MUCH
        return bare and any(other.has("narrator") for other in self._earlier(one))

    def _asks_back(self, one: Clause) -> bool:
        """Whether a clause asks the asker for something."""
        if "asks_needs" in self.asked.kinds:
            return False
        if one.has("asks_back") or (one.asked and one.has("needs")):
            return True
        words = self.text[one.start : one.end]
        return "shown" in self.asked.kinds and one.has("sends") and any(word in words for word in _REQUESTS)

    def _novel(self, one: Clause, start: int, end: int) -> int:
        """How much is said that neither the question nor the talk about sources says: characters, or words × 2."""
        return self._count_new(self._fresh(one, start, end))

    def _count_new(self, words: str) -> int:
        talk, light = tables()["talk"], tables()["light"]
        count = sum(_new_chars(match[0], self.asked.text, talk, light) for match in RUN.finditer(words))
        for match in TOKEN.finditer(words):
            word = match[0].partition("'")[0]
            count += 0 if word in talk or word in light or root(word) in self.asked.roots else 2
        return count

    def _fresh(self, one: Clause, start: int, end: int) -> str:
        """A stretch of a clause without its cues, save those that tell something of their own."""
        parts, at = [], start
        for hit in one.hits:
            if at <= hit.start and hit.end <= end and not hit.kinds <= _COUNTED:
                parts += [self.text[at : hit.start], " " * (hit.end - hit.start)]
                at = hit.end
        return "".join((*parts, self.text[at:end]))

    def _values(self, one: Clause) -> list[Value]:
        """The values of a clause that the question did not name."""
        there = self.said.values_in(one.start, one.end)
        return [
            value
            for value in there
            if value.measure != "ordinal" and value.text not in _THIS_YEAR and not self.asked.has(value)
        ]

    def _has_subject(self, one: Clause, end: int) -> bool:
        """Whether a clause names a thing of its own before its value."""
        words = _DIGITS.sub(" ", self._fresh(one, one.start, end))
        if self._count_new(words) >= MUCH:
            return True
        pairs = (run[0][at : at + 2] for run in RUN.finditer(words) for at in range(len(run[0]) - 1))
        return any(pair not in self.asked.text and is_word(pair) for pair in pairs)


def _without_quotes(said: Statements) -> str:
    """The folded text with blanks for what stands in quotes."""
    if not said.quotes:
        return said.text
    chars = list(said.text)
    for quote in said.quotes:
        chars[quote.start : quote.end] = " " * (quote.end - quote.start)
    return "".join(chars)


def _new_chars(run: str, asked: str, talk: frozenset[str], light: frozenset[str]) -> int:
    at = new = 0
    while at < len(run):
        parts = (run[at : at + size] for size in (5, 4, 3, 2) if at + size <= len(run))
        size = next((len(part) for part in parts if part in talk or part in asked or part in light), 1)
        if size == 1:
            char = run[at]
            hangul = char >= "\uac00"
            new += (char not in light) if hangul else char not in _FUNCTION and char >= "\u3100"
        at += size
    return new


def begins(text: str, word: str) -> bool:
    """Whether a folded text begins with a listed word."""
    size = len(word.partition("!")[0])
    return holds(text.lstrip()[: size + 4], word) and text.lstrip().startswith(word[:size])
