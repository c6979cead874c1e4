"""declines(question, said): does an answer leave the question unanswered? Proved yes, proved no, or open.

Declining means that what was asked is what is unknown, and nothing else answers it. Each clause has a role: it
declines, is polite or gives a reason, or tells something; what is told, and where it stands, decides.
"""

from functools import cache
from typing import Literal

from ragstone.reading.asked import Asked, read_question
from ragstone.reading.cuebook import Hit, tables
from ragstone.reading.forms import RUN
from ragstone.reading.scopes import Clause
from ragstone.reading.sentences import quotes
from ragstone.reading.statements import Statements
from ragstone.reading.tokens import TOKEN, root
from ragstone.reading.values.values import Value
from ragstone.reading.verdicts import Verdict
from ragstone.text.fold import fold
from ragstone.text.late import late

_DECLINING = frozenset(("silent", "unable", "unknown", "asks_back"))
_TOLD = frozenset(("telling", "information", "narrator"))
_COUNTED = frozenset(
    ("direction", "passive", "person", "ended", "becomes", "moves", "also", "except", "refusing", "negation_ends")
)
"""Cues that tell something of their own."""
_FUNCTION = frozenset(
    fold(
        "的了是在有和与及或也都并还对就为被把将更很之以但仅只由可能会而且则若如个这那该此其我你您里中内从到不没未无等来"
    )
)
_WORD = late(r"\w")
_OPENS = late(
    r"\W*(?:就?是(?!否)|即|答案[是为]|叫|it(?:'s| is(?! (?:not|im|un))| was(?! not)| means)\b|yes\b|no\b|the answer is"
    r"|그것은|はい|いいえ|네|아니요)"
)
_YES = late(r"\W*(?:是的|对的|可以的|没错|yes\b|no\b|はい|いいえ|네\b|예\b|아니요)")
_IS = late(r"是|叫|为|by |was |is ")
_LIST = late(r"(?m)^\s*(?:\d+[.)]|[-*•])\s")
_NEGATIVE = late(r"^(?:没有?|未|不|无|not |n't |no )")
_MEANS = late(r"\bmeans\b|意思是|意味着")
_FIRST_PERSON = late(r"\b(?:i|i'm|i'd|me)\b|我|本人工智能|私|저는|제가")
_NOTHING = late(r"^\W*(?:无|没有|暂无|none|null|nil|n/?a|なし|없음)?\W*$")
_ASKS_ABSENCE = late(
    r"缺[少乏]?|没有|未|不[^知清明同仅]|无(?!人|关)|\b(?:missing|lack|omit|without|not|n't|never|unknown)\b|없|않|ない|ません"
)
"""A question about what is not there is answered by what is not there."""
_NEAR_LATIN, _NEAR_HAN, _NEAR_BACK = 24, 12, 10
"""Characters between a denial and what is not told."""
_MUCH = 2
_SHORT = 60
"""Characters of talk behind a refusal that change nothing."""
_MOST = 400
"""Clauses of one answer that are read."""

Role = Literal["declines", "polite", "reason", "tells"]


def declines(question: str, said: Statements) -> Verdict:
    """Whether an answer declines to answer a question."""
    asked = read_question(question)
    if not _WORD.search(said.text):
        return Verdict("open", "silence")
    if _NOTHING.match(said.text) and not asked.closed:
        return Verdict("yes", "nothing")
    return _Answer(asked, said).verdict()


class _Answer:
    """An answer beside its question."""

    def __init__(self, asked: Asked, said: Statements) -> None:
        self.asked, self.said = asked, said
        self.text = said.text
        for quote in quotes(said.written):
            self.text = self.text[: quote.start] + " " * (quote.end - quote.start) + self.text[quote.end :]
        self.clauses = said.clauses[:_MOST]

    def verdict(self) -> Verdict:
        """What the roles of the clauses come to."""
        roles = [self._role(one) for one in self.clauses]
        declining = [at for at, role in enumerate(roles) if role == "declines"]
        if not declining:
            return self._without(roles)
        first, last = self.clauses[declining[0]], declining[-1]
        span = self.said.span(first.start, first.end)
        told = [at for at, role in enumerate(roles) if role == "tells"]
        if declining[0] > 0 and _YES.match(self.text):
            return Verdict("no", "answered_before", span)
        if not told:
            return Verdict("yes", "nothing_else", span)
        if self._concludes(last):
            return Verdict("yes", "concluded", span)
        if any(self._answers(self.clauses[at], refused=self._refuses(first)) for at in told if at < declining[0]):
            return Verdict("no", "answered_before", span)
        if any(self._goes_on(at, declining[0]) for at in told if at > declining[0]):
            return Verdict("no", "answered_behind", span)
        if self._refuses(first) and first.sentence <= 2:
            return Verdict("yes", "refuses", span)
        if max(told) < last:
            return Verdict("yes", "concluded", span)
        talk = sum(self.clauses[at].end - self.clauses[at].start for at in told if at > declining[0])
        return Verdict("yes", "talk_behind", span) if talk < _SHORT else Verdict("open", "content_behind", span)

    def _without(self, roles: list[Role]) -> Verdict:
        """No word declines: a sermon may, and what tells something does not."""
        opening = [one for one in self.clauses if one.sentence <= 3]
        weight = sum(2 * one.has("sermon") + one.has("sermon_words") for one in opening)
        opens = any(one.has("sermon") for one in opening if one.sentence == 0)
        listed = len(_LIST.findall(self.said.written[:5000]))
        if listed < 3 and (opens or (weight >= 3 and any(one.has("sermon") for one in opening[:4]))):
            return Verdict("yes", "sermon", self.said.span(opening[0].start, opening[0].end))
        return Verdict("no", "tells") if "tells" in roles else Verdict("open", "says_nothing")

    def _role(self, one: Clause) -> Role:
        hit = self._decline_hit(one)
        if hit and self._is_meant(one, hit):
            return "declines"
        if one.has("filler", "forgot", "sermon") and not one.has("guess"):
            return "polite"
        if one.has("because", "concede") and not hit:
            return "reason"
        return "tells" if self._novel(one, one.start, one.end) >= _MUCH else "polite"

    def _decline_hit(self, one: Clause) -> Hit | None:
        """The words that decline: one cue, or a denial with a verb of telling or a word for information near it."""
        for hit in one.hits:
            if not hit.kinds.isdisjoint(_DECLINING) and self.text[hit.start] != " ":
                return hit
        for number, hit in enumerate(one.hits):
            if "negation" in hit.kinds and one.has("narrator") and not _WORD.search(self.text, hit.end, one.end):
                return hit
            if hit.kinds & {"negation", "denial"}:
                near = _NEAR_LATIN if self.text[hit.end - 1].isascii() else _NEAR_HAN
                for other in one.hits[number + 1 :]:
                    if other.kinds & _TOLD and other.start - hit.end <= near:
                        return Hit(hit.start, other.end, hit.kinds)
            if "negation_behind" in hit.kinds:
                for other in one.hits[:number]:
                    if other.kinds & _TOLD and hit.start - other.end <= _NEAR_BACK:
                        return Hit(other.start, hit.end, hit.kinds)
        return None

    def _is_meant(self, one: Clause, hit: Hit) -> bool:
        """Whether it is the answer, or its source, that does not know, and what it does not know is what was asked."""
        if "asks_back" in hit.kinds:
            return True
        if one.has("supposition", "supposition_behind") or _MEANS.search(self.text, one.start, hit.start):
            return False
        if "unable" not in hit.kinds and _ASKS_ABSENCE.search(self.asked.text):
            return False
        if any("because" in other.kinds and other.start < hit.start for other in one.hits):
            return False
        if any("because_behind" in other.kinds and other.start > hit.start for other in one.hits):
            return False
        cue = self.text[hit.start : hit.end]
        if cue in self.asked.text or (self.asked.closed and _NEGATIVE.sub("", cue) in self.asked.text):
            return False
        before = self.text[one.start : hit.start]
        source = _FIRST_PERSON.search(before + cue) is not None or _names_source(before)
        strange = self._novel(one, one.start, hit.start) >= _MUCH and not self._shares(before)
        if not source and (one.has("person") or strange):
            return False
        if source and "unable" in hit.kinds:
            return True
        return self._novel(one, hit.end, one.end) < 3 or self._shares(self.text[hit.end : one.end])

    def _shares(self, words: str) -> bool:
        """Whether some words of a text are the question's own."""
        if any(word in words for kind in self.asked.kinds for word in tables()[kind] if len(word) > 1):
            return True
        talk = _generic()
        for match in RUN.finditer(words):
            pairs = (match[0][at : at + 2] for at in range(len(match[0]) - 1))
            if any(pair in self.asked.text and pair not in talk for pair in pairs):
                return True
        return any(root(m[0]) in self.asked.roots and m[0] not in talk for m in TOKEN.finditer(words))

    def _novel(self, one: Clause, start: int, end: int) -> int:
        """How much is said that neither the question nor the talk about sources says: characters, or words × 2."""
        words = self.text[start:end]
        for hit in one.hits:
            if start <= hit.start and hit.end <= end and not hit.kinds <= _COUNTED:
                words = words[: hit.start - start] + " " * (hit.end - hit.start) + words[hit.end - start :]
        talk, light = tables()["talk"], tables()["light"]
        count = sum(_new_chars(match[0], self.asked.text, talk, light) for match in RUN.finditer(words))
        for match in TOKEN.finditer(words):
            word = match[0].partition("'")[0]
            count += 0 if word in talk or word in light or root(word) in self.asked.roots else 2
        return count

    def _values(self, one: Clause) -> list[Value]:
        """The values of a clause that the question did not name."""
        there = self.said.values_in(one.start, one.end)
        return [value for value in there if value.measure != "ordinal" and not self.asked.has(value)]

    def _concludes(self, last: int) -> bool:
        """Whether the answer closes by saying that it therefore cannot answer."""
        one = self.clauses[last]
        rest = (other for other in self.clauses[last + 1 :] if self._role(other) == "tells")
        return one.has("therefore") and one.has("unable") and next(rest, None) is None

    def _answers(self, one: Clause, *, refused: bool) -> bool:
        """Whether a clause answers: a value of the kind asked for, words that open an answer, or a guess."""
        if one.start == 0 and _OPENS.match(self.text, one.start):
            return True
        values = self._values(one)
        if one.has("guess"):
            return True
        if self.asked.kinds:
            return self._fits(one, values)
        if values:
            return True
        talk = one.has("concede", "silent") or _names_source(self.text[one.start : one.end])
        return one.sentence == 0 and not talk and not refused

    def _fits(self, one: Clause, values: list[Value]) -> bool:
        """Whether a clause holds what the question asks for: a date, an amount, a count, a person."""
        kinds = {value.measure for value in values}
        if "asks_date" in self.asked.kinds and kinds & {"date", "clock"}:
            return True
        if "asks_money" in self.asked.kinds:
            return bool(kinds & {"money", "share", "bare"})
        if "asks_number" in self.asked.kinds and kinds - {"date"}:
            return bool(kinds & {"money", "share", "bare", "month", "second"}) or self._shares(
                self.text[one.start : one.end]
            )
        person = "asks_person" in self.asked.kinds and not one.has("concede")
        return person and _IS.search(self.text, one.start, one.end) is not None

    def _goes_on(self, at: int, first: int) -> bool:
        """Whether an answer follows the words that decline: behind a but, as a guess, or with a value."""
        one, decline = self.clauses[at], self.clauses[first]
        near = one.sentence - decline.sentence <= 1
        if near and self._guesses(one) and not one.has("sermon", "sermon_words", "filler"):
            return True
        if self._refuses(decline) and decline.has("unable"):
            return False
        led = any(other.but for other in self.clauses[first + 1 : at + 1] if other.sentence == one.sentence)
        if led or self._guesses(one) or _OPENS.match(self.text, one.start):
            return True
        wanted = self.asked.kinds & {"asks_number", "asks_date", "asks_money"}
        return bool(wanted) and bool(self._values(one))

    def _guesses(self, one: Clause) -> bool:
        return one.has("guess") or (one.has("about") and bool(self._values(one)))

    def _refuses(self, one: Clause) -> bool:
        return one.has("unable", "silent") and _FIRST_PERSON.search(self.text, one.start, one.end) is not None


@cache
def _generic() -> frozenset[str]:
    return tables()["talk"] | tables()["light"]


def _names_source(words: str) -> bool:
    """Whether some words speak of the text an answer is drawn from."""
    return any(word in words for word in tables()["narrator"] if len(word) > 1)


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
