"""declines(question, said): does an answer leave the question unanswered? Proved yes, proved no, or open.

Declining means that what was asked is what is unknown, and nothing else answers it. Each clause has a role: it
declines, asks back, is polite or gives a reason, or tells something; what is told, and of what, decides.
"""

from ragstone.reading.asked import BARE_NO, BARE_YES, KINDS, holds, listed, read_question
from ragstone.reading.cuebook import tables
from ragstone.reading.cues import cue
from ragstone.reading.refusals.excuses import DENYING, find_hints
from ragstone.reading.refusals.roles import MOST_OF, MUCH, Roles, begins
from ragstone.reading.scopes import Clause
from ragstone.reading.statements import Statements
from ragstone.reading.verdicts import Outcome, Verdict
from ragstone.text.fold import fold
from ragstone.text.late import late

_WORD = late(r"\w")
_LONG = 5
"""Clauses that tell something, behind which a refusal is one of a detail."""
_FEW = 8
"""Clauses in which an answer without a figure may hint that it has none."""
_VALUED = frozenset(("asks_number", "asks_date", "asks_money"))
_ANSWER_IS = cue(r"[ ,]*(?:答案|结论)(?:就?是)[:,]?", r"[ ,]*the answer is[:,]? ?")
_YES_SO = cue(r" *(?:可以|能|行|会)\w{0,4}的[,.!]")
_ELSEWHERE = frozenset(("asks_way", "asks_person", "asks_place"))
"""What somebody to ask may answer."""
_SIGNS = ("narrator", "self", "machine", "only", "filler", "refer", "later", "needs", "asks_back")
"""Cues of an answer that may not know."""
_NO_CLAIM = ("sermon", "sermon_words", "filler", "refer", "self", "ours", "later", "willing", "offers", "needs", "only")
"""Cues of a clause that claims nothing about what was asked."""
_TALKS = ("telling", "information", "narrator")
"""Cues of a clause that speaks of what is told."""
_ASIDE = late(r"\(([^()]{2,60})")
_STEPS = 3
_LOOSE = frozenset(("asks_way", "asks_favour", "asks_reason"))
"""What a refusal on principle speaks about all the same."""
_PAIR = 2
_IT = frozenset(fold("it he she they this that 它 他 她 这 那").split())
_QUESTION = late(r"\bquestion\b|问题|質問|질문")
_COPULA = cue(
    r"名?叫|是|为",
    r"\b(?:is|was|are|were)\b|(?<=\bit|\bhe)'s\b",
    r"は(?=.*(?:です|でした|である|ます|ました)\W*$)",
    r"[은는](?= .*(?:입니다|이에요|예요|이고|이며)\W*$)",
)
_SOMEBODY = late(r"[\uac00-\ud7a3]{2}(?:입니다|이에요|예요)\W*$|[\u3400-\u9fff]{2}(?:さん|氏)?(?:です|でした)\W*$")
"""A sentence that is a person's name in Korean or Japanese, without saying who that is."""


def declines(question: str, said: Statements) -> Verdict:
    """Whether an answer declines to answer a question."""
    asked = read_question(question)
    if not _WORD.search(said.text):
        return Verdict("open", "silence")
    if said.text.strip(" .。!-—()[]\"'") in tables()["nothing"] and not asked.closed:
        return Verdict("yes", "nothing")
    return _Weighing(asked, said).verdict()


class _Weighing(Roles):
    """What the roles of an answer's clauses come to."""

    def verdict(self) -> Verdict:
        """What the roles of the clauses come to."""
        declining = [at for at, role in enumerate(self.roles) if role == "declines"]
        if not declining:
            return self._without()
        told = [at for at, role in enumerate(self.roles) if role == "tells" and not self._is_all_there_is(at)]
        outcome, rule = self._weigh(declining, told)
        if (at := self._asserted(declining)) >= 0:
            outcome, rule = "no", "answered_behind" if at > declining[0] else "answered_before"
        one = self.clauses[declining[0]]
        return Verdict(outcome, rule, self.said.span(one.start, one.end))

    def _is_all_there_is(self, at: int) -> bool:
        """Whether a clause behind what is not known says what little the source has: 只写了他是负责人."""
        one = self.clauses[at]
        only = next((hit.start for hit in one.hits if "only" in hit.kinds), one.end)
        return at > 0 and only - one.start < _PAIR and one.has("telling") and at not in self.given

    def _weigh(self, declining: list[int], told: list[int]) -> tuple[Outcome, str]:
        """What clauses that decline come to beside those that tell something."""
        first, last = declining[0], declining[-1]
        if decided := self._decided(first, told):
            return "no", decided
        if not told and not self.given:
            return "yes", "nothing_else"
        if self._concludes(last):
            return "yes", "concluded"
        if self.asked.exact and not self.asked.several:
            return self._weigh_figures(first, self._named_before(declining))
        if not self.asked.several and (settled := self._settles(first, last, told)):
            return settled
        if answered := self._answered(declining, told):
            if self._is_own_answer(declining, told):
                return "no", answered
            return ("yes", "concluded") if self._named(declining) else ("open", answered)
        return "yes", "refuses" if self._is_own(first) else "concluded"

    def _decided(self, first: int, told: list[int]) -> str:
        """The rule by which a yes or a no beside the words that decline answers."""
        if first > 0 and (not self._is_own(first) or (told and told[0] < first)) and self._says_yes():
            return "answered_before"
        apart = [one for one in self.clauses if one.sentence != self.clauses[first].sentence]
        if self.asked.closed and any(map(self._is_bare, apart)):
            return "answered_before" if self._is_bare(self.clauses[0]) else "answered_behind"
        if self.asked.closed and any(self._decides(one) or self._denies(one, first) for one in self.clauses[first:]):
            return "answered_behind"
        if self._is_unreal():
            return "no_such_thing"
        return ""

    def _asserted(self, declining: list[int]) -> int:
        """The first clause that says in the answer's own words what was asked for, whatever excuse stands beside it."""
        excused = {self.clauses[at].sentence for at in declining}
        own = self._is_own(declining[0])
        layman = any(one.has("layman") for one in self.clauses)
        if any(one.has("sermon") for one in self.clauses):
            return -1
        for at, one in enumerate(self.clauses):
            if self.roles[at] == "declines" and self._tells_aside(one):
                return at
            if at > declining[0] and (self._announces(one) or self._heads(at)):
                return at
            if self.roles[at] not in ("tells", "reason") or one.has(*_NO_CLAIM):
                continue
            apart = one.sentence not in excused
            if apart and at > declining[0] and self._tells_who(one):
                return at
            if apart and layman and at > declining[0] and not one.has("supposition"):
                return at
            if apart and "asks_reason" in self.asked.kinds and one.has("because", "because_behind"):
                return at
            behind = at > declining[0] and self._is_to_the_point(one) and not self._supposes(one)
            if behind and self._asserts(one, own=own, apart=apart):
                return at
        return self._steps(declining[0], excused) if "asks_way" in self.asked.kinds and not own else -1

    def _announces(self, one: Clause) -> bool:
        """Whether a clause announces the answer behind it."""
        words = listed(self.text[one.start : one.end], "announces")
        return next(words, None) is not None and not one.has(*_NO_CLAIM, "narrator")

    def _heads(self, at: int) -> bool:
        """Whether a clause says again what was asked, and a list of what it is stands below it."""
        one, below = self.clauses[at], self.roles[at + 1 : at + 1 + _FEW]
        words = self.text[one.start : one.end]
        return words.rstrip().endswith(":") and len(self.asked.named(words)) >= _PAIR and "tells" in below

    def _tells_who(self, one: Clause) -> bool:
        """Whether a clause tells by whom it was done that was asked for, whoever is named as its source."""
        by = (hit.end for hit in one.hits if "passive" in hit.kinds)
        named = any(not self.text[end : end + 2].strip()[:1].isdigit() for end in by)
        if "asks_person" not in self.asked.kinds or not named or one.has(*DENYING):
            return False
        return bool(self.asked.named(self.text[one.start : one.end])) and self._is_fresh(one)

    def _steps(self, first: int, excused: set[int]) -> int:
        """The first of three clauses behind an excuse that tell a way of doing it; -1 where there are none."""
        told = [
            at
            for at, one in enumerate(self.clauses)
            if at > first and one.sentence not in excused and self.roles[at] == "tells" and not one.has(*_NO_CLAIM)
        ]
        return told[0] if len(told) >= _STEPS else -1

    def _tells_aside(self, one: Clause) -> bool:
        """Whether a clause that declines tells in brackets, or before them, what was asked: (it is held in May)."""
        opened = self.text.find("(", one.start, one.end)
        aside = _ASIDE.match(self.text, opened) if opened >= 0 else None
        if aside is None:
            return False
        before = opened < min((hit.start for hit in one.hits if hit.kinds & DENYING), default=0)
        return self._tells_in(one, *aside.span(1)) or (before and self._tells_in(one, one.start, opened))

    def _tells_in(self, one: Clause, start: int, end: int) -> bool:
        """Whether a part of a clause gives what was asked for, or says something new of it."""
        hits = [hit for hit in one.hits if start <= hit.start < end]
        part = Clause(start, end, one.sentence, False, False, hits)
        if part.has(*_NO_CLAIM, *DENYING, "supposition"):
            return False
        head, rest = _parted(self.text[start:end])
        about = self.asked.is_named(head) or (rest and self._novel(part, start, start + len(head)) < MUCH)
        return bool(self.asked.exact and self._gives(part)) or bool(about and self._count_new(rest) >= MUCH)

    def _asserts(self, one: Clause, *, own: bool, apart: bool) -> bool:
        """Whether a clause gives a name or a value for what was asked, or says the question again and more."""
        words = self.text[one.start : one.end]
        kinds, named = self.asked.kinds, self.asked.named(words)
        if (own and (kinds & _LOOSE or self.asked.closed)) or _QUESTION.search(words):
            return False
        if apart and "asks_person" in kinds and _SOMEBODY.search(words):
            return True
        first = words.split(maxsplit=1)
        if apart and first and first[0] in _IT and self._is_fresh(one):
            return True
        head, rest = _parted(words)
        if (self.asked.named(head) or head.strip() in _IT) and self._count_new(rest) >= MUCH:
            return True
        return bool(named) if apart else len(named) >= _PAIR

    def _settles(self, first: int, last: int, told: list[int]) -> tuple[Outcome, str] | None:
        """What an answer comes to that gives the one thing asked for behind its excuse, or leaves just that."""
        if self._gives_behind(last, told):
            return "no", "answered_behind"
        if self._leaves_asked(last, told):
            return "yes", "concluded"
        favour = "asks_favour" in self.asked.kinds
        return ("yes", "refuses") if favour and self._is_own(first) else None

    def _leaves_asked(self, last: int, told: list[int]) -> bool:
        """Whether all that is told stands in sentences before, of other things than the one that is not known."""
        sentence = self.clauses[last].sentence
        before = [at for at in told if self.clauses[at].sentence < sentence]
        named = self._named_before([last])
        return bool(before and named) and not any(self._named([at]) & named for at in before)

    def _weigh_figures(self, first: int, named: frozenset[str]) -> tuple[Outcome, str]:
        """A figure that is given answers, and without one the excuse holds; one of something else is none."""
        if not self.given:
            return "yes", "not_given"
        behind = self.given[-1] > first
        if self._opens_with_figure(first):
            return "no", "answered_before"
        if not behind and named and not any(self._named([at]) >= named for at in self.given):
            return "yes", "concluded"
        if not behind and all(self._is_cited(self.clauses[at]) for at in self.given):
            return ("yes", "concluded") if self._is_own(first) else ("open", "answered_before")
        return "no", "answered_behind"

    def _opens_with_figure(self, first: int) -> bool:
        """Whether the first sentence is the figure and little else, and the excuse stands behind it."""
        one = self.clauses[0]
        values = self._values(one) if 0 in self.given and not self._is_cited(one) else []
        apart = all(other.sentence > one.sentence for other in (self.clauses[first], *self.clauses[1:2]))
        return len(values) == 1 and apart and not self._has_subject(one, values[0].start)

    def _is_to_the_point(self, one: Clause) -> bool:
        """Whether a clause is the answer's own, and nothing that is told by the way."""
        aside = any(self._opens_by(other, "aside") for other in (*self._earlier(one), one))
        return not (aside or self._is_cited(one))

    @staticmethod
    def _supposes(one: Clause) -> bool:
        """Whether a clause opens with an if."""
        return any("supposition" in hit.kinds and hit.start - one.start < _PAIR for hit in one.hits)

    def _gives_behind(self, last: int, told: list[int]) -> bool:
        """Whether own words behind the last excuse give a figure of what was asked."""
        behind = [at for at in told if at > last and at in self.given and self._is_to_the_point(self.clauses[at])]
        return any(self._named([at]) for at in behind)

    def _is_own_answer(self, declining: list[int], told: list[int]) -> bool:
        """Whether own words answer; a source that tells something before what is not known tells something else."""
        return any(at > declining[0] or not self._is_cited(self.clauses[at]) for at in told)

    def _answered(self, declining: list[int], told: list[int]) -> str:
        """The rule by which something told before or behind the words that decline answers."""
        first, named = declining[0], self._named(declining)
        if sum(at < first for at in told) > _LONG:
            return "answered_before"
        if any(self._answers(at, named, first) for at in told if at < first):
            return "answered_before"
        return "answered_behind" if any(self._goes_on(at, first, named) for at in told if at > first) else ""

    def _without(self) -> Verdict:
        """No word declines: asking back, a sermon or several hints may, and what tells something does not."""
        asks = next((at for at, role in enumerate(self.roles) if role == "asks"), -1)
        told = [at for at, role in enumerate(self.roles) if role == "tells"]
        needs = {one.sentence for one in self.clauses[: asks + 1] if one.has("needs")}
        early = [at for at in told if at < asks and self.clauses[at].sentence not in needs]
        back = not early and not any(self._fits(self.clauses[at]) for at in told)
        if asks >= 0 and (back or (self.asked.exact and not self.given)):
            return Verdict("yes", "asks_back", self.said.span(self.clauses[asks].start, self.clauses[asks].end))
        if self._lacks_figure() and any(map(self._is_sign, self.clauses[:_FEW])):
            return Verdict("yes", "no_figure", self.said.span(self.clauses[0].start, self.clauses[-1].end))
        if self._preaches():
            return Verdict("yes", "sermon", self.said.span(self.clauses[0].start, self.clauses[0].end))
        if self._hints(told):
            return Verdict("yes", "hints", self.said.span(self.clauses[0].start, self.clauses[-1].end))
        if not told:
            asks = any(one.sentence in self.questions and self._is_fresh(one) for one in self.clauses)
            return Verdict("yes", "asks_back") if asks else Verdict("open", "says_nothing")
        return Verdict("no" if self._is_answer(told) else "open", "tells")

    def _is_answer(self, told: list[int]) -> bool:
        """Whether what is told is what was asked for, or nothing at all hints that something is not known."""
        if self._says_yes() or self._opens() or self.given:
            return True
        clauses = [self.clauses[at] for at in told]
        own = [one for one in clauses if not self._is_cited(one)]
        again = self.asked.named(" ".join(self.text[one.start : one.end] for one in own))
        if any(map(self._fits, clauses)) or any(map(self._values, own)) or len(again) >= MOST_OF * len(self.asked.keys):
            return True
        return not any(one.has(*DENYING, *_SIGNS) for one in self.clauses)

    def _is_unreal(self) -> bool:
        """Whether it tells that what is asked about does not exist, which answers."""
        return any("unreal" in hit.kinds and self._is_new(hit) for one in self.clauses for hit in one.hits)

    def _lacks_figure(self) -> bool:
        """Whether a figure was asked for and none of its kind is given, of anything."""
        if not self.asked.exact or self.asked.several or self._opens() or self._is_unreal():
            return False
        return not any(self._is_kind(value, cited=False) for one in self.clauses for value in self._values(one))

    def _is_sign(self, one: Clause) -> bool:
        """Whether a clause of an answer without a figure hints that there is none to give."""
        source = any("narrator" in hit.kinds and self._is_new(hit) for hit in one.hits)
        if one.asked or one.has("because", "because_behind", "supposition"):
            return False
        return source or (any(hit.kinds & DENYING and self._is_new(hit) for hit in one.hits) and not self._is_none(one))

    def _is_none(self, one: Clause) -> bool:
        """Whether a denial answers how much or when: none, never, it does not happen."""
        return not self._is_fresh(one) and self.asked.is_named(self.text[one.start : one.end])

    def _preaches(self) -> bool:
        opening = [one for one in self.clauses if one.sentence <= 3]
        weight = sum(2 * one.has("sermon") + one.has("sermon_words") for one in opening)
        opens = any(one.has("sermon") for one in opening if one.sentence == 0)
        return opens or (weight >= 3 and any(one.has("sermon") for one in opening[:4]))

    def _hints(self, told: list[int]) -> bool:
        """Whether hints alone decline: two of them, or one where nothing is told, and nothing of the kind asked for."""
        hints = [find_hints(one, speaks) for one, speaks in zip(self.clauses[:8], self.speakers, strict=False)]
        every = set().union(*hints)
        if not every or any(map(self._fits, self.clauses)):
            return False
        marked = {one.sentence for one, there in zip(self.clauses, hints, strict=False) if there}
        if any(self.clauses[at].sentence not in marked for at in told):
            return False
        if every <= {"limits", "needs"}:
            known = self.asked.kinds & (_VALUED | {"asks_reason", "asks_person"})
            return bool(known or self._tells_only()) and not self.asked.closed
        return len(every) > 1 or not self.asked.kinds & _ELSEWHERE

    def _tells_only(self) -> bool:
        """Whether a source that the question does not name tells something else."""
        return any(
            one.has("telling") and any("narrator" in hit.kinds and self._is_new(hit) for hit in one.hits)
            for one in self.clauses
        )

    def _is_own(self, at: int) -> bool:
        excuse = self.excuses[at]
        return excuse is not None and excuse.own

    def _is_soft(self, at: int) -> bool:
        excuse = self.excuses[at]
        return excuse is not None and excuse.soft

    def _named(self, declining: list[int]) -> frozenset[str]:
        """The question's own words in the clauses that decline."""
        there = (self.clauses[at] for at in declining)
        return self.asked.named(" ".join(self._topic(one) + self.text[one.start : one.end] for one in there))

    def _named_before(self, declining: list[int]) -> frozenset[str]:
        """The question's own words in the sentences that decline, up to where they do."""
        there = (other for at in declining for other in (*self._earlier(self.clauses[at]), self.clauses[at]))
        return self.asked.named(" ".join(self.text[one.start : one.end] for one in there))

    def _is_fresh(self, one: Clause) -> bool:
        """Whether a clause says something that the question does not."""
        return self._novel(one, one.start, one.end) >= MUCH

    def _concludes(self, last: int) -> bool:
        """Whether the answer closes by saying that it therefore cannot answer."""
        one = self.clauses[last]
        return one.has("therefore") and "tells" not in self.roles[last + 1 :]

    def _says_yes(self) -> bool:
        return any(begins(self.text, word) for word in tables()["says_yes"])

    def _decides(self, one: Clause) -> bool:
        """Whether a clause behind a but is the answer yes or no: 但答案是可以的."""
        led = _ANSWER_IS.match(self.text, one.start)
        start = led.end() if led else one.hits[0].end if one.but else one.end
        words = self.text[start : one.end].strip(" ,.:;!")
        if (led and words.startswith(("不", "no"))) or _YES_SO.match(self.text, one.start):
            return True
        return any(words.startswith(word.partition("!")[0]) for word in tables()["opens"] if len(word) > 1) and any(
            holds(words, word) for word in tables()["says_yes"]
        )

    def _is_bare(self, one: Clause) -> bool:
        """Whether a clause is nothing but yes or no."""
        return any(bare.fullmatch(self.text[one.start : one.end].strip()) for bare in (BARE_YES, BARE_NO))

    def _denies(self, one: Clause, first: int) -> bool:
        """Whether a clause denies in the question's own words what was asked: 不能免费."""
        apart = one.sentence != self.clauses[first].sentence and not one.has(*_NO_CLAIM, *_TALKS)
        denied = apart and one.has("negation", "negation_behind", "denial", "cannot", "undone")
        return denied and not self._is_fresh(one) and bool(self.asked.named(self.text[one.start : one.end]))

    def _opens(self) -> bool:
        """Whether it begins as an answer does: it is."""
        return any(begins(self.text, word) for word in tables()["opens"])

    def _speaks_of(self, one: Clause, named: frozenset[str]) -> bool:
        """Whether a clause speaks of what is declined, or of the other of two things asked for."""
        there = self.asked.named(self.text[one.start : one.end]) & named
        if not named or len(there) >= MOST_OF * len(named):
            return True
        values = self._values(one)
        return bool(values) and not self._has_subject(one, values[0].start)

    def _answers(self, at: int, named: frozenset[str], first: int) -> bool:
        """Whether a clause before the words that decline answers: a value of the kind asked for, or a statement."""
        one, own = self.clauses[at], self._is_own(first)
        other = self.asked.several and named and not one.has("narrator", "self")
        if not (other or self._speaks_of(one, named)) or one.has("sermon", "sermon_words"):
            return False
        if other and not own:
            return True
        valued = bool(self.asked.kinds & (_VALUED | {"asks_person", "asks_reason"}))
        if valued:
            return self._fits(one)
        talk = one.has("concede", "silent", "narrator", "self", "machine", "only", "desk")
        if one.sentence or talk:
            return False
        named_here = bool(self.asked.named(self.text[one.start : one.end]))
        if own:
            later = self.clauses[first].sentence > one.sentence
            return later and (named_here or "asks_way" in self.asked.kinds)
        against = any(other.but for other in self.clauses[at + 1 : first + 1])
        return named_here or not against

    def _fits(self, one: Clause) -> bool:
        """Whether a clause holds what the question asks for: a date, an amount, a count, a reason, a person."""
        if self._gives_serial(one):
            return True
        asks, kinds = self.asked.kinds, {value.measure for value in self._values(one)}
        words = self.text[one.start : one.end]
        if "asks_date" in asks and kinds & {"date", "clock"}:
            return True
        if "asks_reason" in asks and one.has("because", "because_behind"):
            return True
        if asks & {"asks_number", "asks_money"} and kinds - {"date"}:
            first = self._values(one)[0].start
            plain = kinds & {"money", "share", "bare", "month", "second"} or not self._has_subject(one, first)
            return bool(plain)
        person = "asks_person" in asks and not self._is_sourced(one)
        return person and (any(word in words for word in tables()["copula"]))

    def _goes_on(self, at: int, first: int, named: frozenset[str]) -> bool:
        """Whether an answer follows the words that decline: behind a but, as a guess, or with a value."""
        one, decline = self.clauses[at], self.clauses[first]
        near, same = one.sentence - decline.sentence <= 1, one.sentence == decline.sentence
        led = any(other.but for other in self.clauses[first + 1 : at + 1] if other.sentence == one.sentence)
        led = led or (same and decline.has("concede"))
        if led and same and one.has("offers"):
            return True
        if one.has("sermon", "sermon_words", "filler", "refer", "self", "ours", "later", "willing"):
            return False
        again = self.asked.named(self.text[one.start : one.end])
        fits = same and self._fits(one)
        if near and again and self._is_soft(first):
            return True
        if not self._speaks_of(one, named):
            plain = self.asked.closed and not self._is_own(first) and not one.has(*_TALKS)
            return same and ((led and (fits or plain)) or self._is_soft(first))
        guesses = one.has("guess")
        if self._is_own(first):
            return near and (guesses or fits or (led and same and not one.has("narrator")))
        if led or guesses:
            return True
        return bool(self._values(one)) and not self.asked.kinds & set(KINDS)


def _parted(words: str) -> tuple[str, str]:
    """The words of a clause before and behind its first copula."""
    found = _COPULA.search(words)
    return (words[: found.start()], words[found.end() :]) if found else (words, "")
