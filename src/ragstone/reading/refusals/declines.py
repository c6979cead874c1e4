"""declines(question, said): does an answer leave the question unanswered? Proved yes, proved no, or open.

Declining means that what was asked is what is unknown, and nothing else answers it. Each clause has a role: it
declines, asks back, is polite or gives a reason, or tells something; what is told, and of what, decides.
"""

from bisect import bisect_left
from typing import Literal

from ragstone.reading.asked import BARE_NO, BARE_YES, KINDS, Asked, holds, read_question
from ragstone.reading.cuebook import Hit, tables
from ragstone.reading.cues import cue
from ragstone.reading.lexicon import is_word
from ragstone.reading.points.forms import RUN
from ragstone.reading.refusals.excuses import DENYING, Excuse, find_excuse, find_hints, find_lack
from ragstone.reading.scopes import Clause
from ragstone.reading.statements import Statements
from ragstone.reading.tokens import TOKEN, root
from ragstone.reading.values.name_words import SURNAMES
from ragstone.reading.values.serials import find_serials
from ragstone.reading.values.values import Value
from ragstone.reading.verdicts import Outcome, Verdict
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
_WORD = late(r"\w")
_KANA = late(r"[\u3041-\u309f\uac00-\ud7a3]")
_TIME = late(
    r"(?<![这那有差])[0-9一二两三四五六七八九十]{1,3} ?"
    r"(?:[点时時:]|시(?!간)|[分日年](?:ほど|くらい|ぐらい|程度|です|間))"
)
_TOPIC = late(fold("意味は|의미는|뜻은|说明[书文]"))
_DIGITS = late(r"[0-9]+")
_MARK = late(r"\s*(?:[-*•]|\(?[0-9]{1,2}[.)、]?)\s*")
"""The mark of a list's item."""
_THIS_YEAR = frozenset(fold("今年 去年 明年 近年 本年 当年 今年度").split())
"""They tell no date."""
_YOU = frozenset("您你")
_REQUESTS = (
    "请",
    "麻烦",
    "能否",
    "可否",
    "烦",
    "把",
    "please",
    "could you",
    "can you",
    "ください",
    "いただけ",
    "お願い",
    "주세요",
    "주시",
    "부탁",
)
_NO = ("no ", "没有", "无", "并无")
_NEGATIVE = late(r"^(?:(?:do|does|did|is|are|was|were|has|have) ?)?(?:没有?|未|不|无|not |n't |no )")
_MOST_OF = 0.5
"""Share of the words that are declined, by which a clause speaks of the same."""
_MUCH = 2
"""Characters that say something new."""
_OPENS_HAN, _OPENS_LATIN = 4, 12
"""Characters of a clause within which 说明 and "means" explain."""
_LONG = 5
"""Clauses that tell something, behind which a refusal is one of a detail."""
_FEW = 8
"""Clauses in which an answer without a figure may hint that it has none."""
_MOST = 400
"""Clauses of one answer that are read."""
_FAR = 20
"""Clauses that a later one of the same sentence is read with."""
_VALUED = frozenset(("asks_number", "asks_date", "asks_money"))
_ANSWER_IS = cue(r"[ ,]*(?:答案|结论)(?:就?是)[:,]?", r"[ ,]*the answer is[:,]? ?")
_YES_SO = cue(r" *(?:可以|能|行|会)\w{0,4}的[,.!]")
_ABOUT = cue(r" *(?:关于|至于|有关|对于|as (?:for|to)|regarding|concerning)")
_OF_TELLING = cue(
    r"提到|提及|信息|记载|说到|写到|谈到", r"\b(?:information|mention|nothing)", r"记载|记述|触れ|언급|정보"
)
"""In words that decline: what is not told is no plain no."""
_OWNERS = frozenset(("his", "her", "their"))
_BY_THE_WAY = cue(r" *(?:另外|顺便|顺带|此外|by the way|incidentally|ちなみに|なお|참고로)")
_ELSEWHERE = frozenset(("asks_way", "asks_person", "asks_place"))
"""What somebody to ask may answer."""

_TOLD = frozenset(("asks_reason", "asks_way", "asks_absence"))
"""What a denial may answer."""

_SERIALS = frozenset(("phone", "id", "account", "email"))

_SIGNS = ("narrator", "self", "machine", "only", "filler", "refer", "later", "needs", "asks_back")
"""Cues of an answer that may not know."""

_UNTOLD = ("filler", "refer", "later", "question", "embedded")
"""Cues of a clause that tells nothing."""

_NO_CLAIM = ("sermon", "sermon_words", "filler", "refer", "self", "ours", "later", "willing", "offers", "needs", "only")
"""Cues of a clause that claims nothing about what was asked."""
_TALKS = ("telling", "information", "narrator")
"""Cues of a clause that speaks of what is told."""
_ASIDE = late(r"\(([^()]{2,60})")
_ANNOUNCES = cue(
    r"如下|以下[为是]|就是:|(?:做法|步骤|方法)是",
    r"\bas follows\b|\bhere(?:'s| is| are) (?:the|how)\b",
    r"以下の(?:通り|とおり)|次の(?:通り|とおり)|다음과 같",
)
"""What a clause says that announces the answer behind it."""
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

Role = Literal["declines", "asks", "polite", "reason", "tells"]


def declines(question: str, said: Statements) -> Verdict:
    """Whether an answer declines to answer a question."""
    asked = read_question(question)
    if not _WORD.search(said.text):
        return Verdict("open", "silence")
    if said.text.strip(" .。!-—()[]\"'") in tables()["nothing"] and not asked.closed:
        return Verdict("yes", "nothing")
    return _Answer(asked, said).verdict()


class _Answer:
    """An answer beside its question."""

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
            kinds = frozenset(kind for hit in one.hits for kind in hit.kinds & {"self", "machine"} if self._is_new(hit))
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
        favour = "asks_favour" in self.asked.kinds
        found = []
        for number, (one, speaks) in enumerate(zip(self.clauses, self.speakers, strict=True)):
            excuse = find_excuse(one, speaks, self.text, favour=favour)
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
            self._novel(one, one.start, one.end) >= _MUCH
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
        near = self._novel(one, one.start, excuse.start) < _MUCH or self.asked.is_named(before)
        return near and (self._novel(one, excuse.end, one.end) < _MUCH or self.asked.is_named(behind))

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
        if _ABOUT.match(self.text, one.start) and self.text[one.end - 1] == "," and not self._values(one):
            return "polite"
        if one.sentence in self.questions or one.has("question", "embedded"):
            return "polite"
        if _MARK.fullmatch(self.text, one.start, one.end):
            return "polite"
        if self.said.text[one.start : one.end] != self.text[one.start : one.end]:
            return "tells"
        return "tells" if self._novel(one, one.start, one.end) >= _MUCH else "polite"

    @lazy
    def questions(self) -> frozenset[int]:
        """The sentences that end with a question mark."""
        return frozenset(one.sentence for one in self.clauses if one.asked)

    def _gives_serial(self, one: Clause) -> bool:
        """Whether a clause gives a phone, an account or a mail address where such a thing was asked for."""
        return "asks_contact" in self.asked.kinds and any(one.start <= at < one.end for at in self.serials)

    @lazy
    def serials(self) -> list[int]:
        """Where phones, identity numbers, accounts and mail addresses stand that the question does not name."""
        found = (one for one in find_serials(self.text) if one.kind in _SERIALS)
        return [one.start for one in found if self.text[one.start : one.end] not in self.asked.text]

    # --- what the roles come to ---

    def verdict(self) -> Verdict:
        """What the roles of the clauses come to."""
        declining = [at for at, role in enumerate(self.roles) if role == "declines"]
        if not declining:
            return self._without()
        told = [at for at, role in enumerate(self.roles) if role == "tells"]
        outcome, rule = self._weigh(declining, told)
        if (at := self._asserted(declining)) >= 0:
            outcome, rule = "no", "answered_behind" if at > declining[0] else "answered_before"
        one = self.clauses[declining[0]]
        return Verdict(outcome, rule, self.said.span(one.start, one.end))

    def _weigh(self, declining: list[int], told: list[int]) -> tuple[Outcome, str]:
        """What clauses that decline come to beside those that tell something."""
        first, last = declining[0], declining[-1]
        if decided := self._decided(first, told):
            return "no", decided
        if not told and not self.given:
            return "yes", "nothing_else"
        if self._concludes(last):
            return "yes", "concluded"
        if self.asked.exact and not self.asked.several and not self._values_in(declining):
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
        if self.asked.closed and self._opens_bare(first):
            return "answered_before"
        if self.asked.closed and any(self._decides(one) or self._denies(one, first) for one in self.clauses[first:]):
            return "answered_behind"
        if self._is_unreal():
            return "no_such_thing"
        return ""

    def _asserted(self, declining: list[int]) -> int:
        """The first clause that says in the answer's own words what was asked for, whatever excuse stands beside it."""
        excused = {self.clauses[at].sentence for at in declining if not self._is_bracketed(self.clauses[at])}
        own = self._is_own(declining[0])
        if any(one.has("sermon") for one in self.clauses):
            return -1
        for at, one in enumerate(self.clauses):
            if self.roles[at] == "declines" and self._tells_aside(one):
                return at
            if (
                at > declining[0]
                and _ANNOUNCES.search(self.text, one.start, one.end)
                and not one.has(*_NO_CLAIM, "narrator")
            ):
                return at
            if self.roles[at] not in ("tells", "reason") or one.has(*_NO_CLAIM):
                continue
            apart = one.sentence not in excused
            if apart and "asks_reason" in self.asked.kinds and one.has("because", "because_behind"):
                return at
            behind = at > declining[0] and self._is_to_the_point(one)
            if behind and self._asserts(one, own=own, apart=apart):
                return at
        return self._steps(declining[0], excused) if "asks_way" in self.asked.kinds and not own else -1

    def _steps(self, first: int, excused: set[int]) -> int:
        """The first of three clauses behind an excuse that tell a way of doing it; -1 where there are none."""
        told = [
            at
            for at, one in enumerate(self.clauses)
            if at > first and one.sentence not in excused and self.roles[at] == "tells" and not one.has(*_NO_CLAIM)
        ]
        told = [at for at in told if self._is_to_the_point(self.clauses[at])]
        return told[0] if len(told) >= _STEPS else -1

    def _tells_aside(self, one: Clause) -> bool:
        """Whether brackets in a clause that declines hold what was asked for: (it is usually held in May)."""
        opened = self.text.find("(", one.start, one.end)
        if 0 <= opened < min((hit.start for hit in one.hits if hit.kinds & DENYING), default=0):
            head, rest = _parted(self.text[one.start : opened])
            told = Clause(one.start, opened, one.sentence, False, False, [hit for hit in one.hits if hit.end <= opened])
            if (self.asked.exact and self._gives(told)) or (
                self.asked.is_named(head) and self._count_new(rest) >= _MUCH
            ):
                return True
        for found in _ASIDE.finditer(self.text, opened) if opened >= 0 else ():
            if found.start() >= one.end:
                break
            hits = [hit for hit in one.hits if found.start(1) <= hit.start < found.end(1)]
            aside = Clause(found.start(1), found.end(1), one.sentence, False, False, hits)
            head, rest = _parted(found[1])
            if aside.has(*_NO_CLAIM, *DENYING, "supposition"):
                continue
            bare = head != found[1] and self._novel(aside, aside.start, aside.start + len(head)) < _MUCH
            if (self.asked.exact and self._gives(aside)) or (bare and self._count_new(rest) >= _MUCH):
                return True
        return False

    def _is_bracketed(self, one: Clause) -> bool:
        """Whether what declines in a clause stands in brackets, and so beside its sentence."""
        place = max((hit.start for hit in one.hits if hit.kinds & DENYING), default=one.start)
        return self.text.rfind("(", 0, place) > self.text.rfind(")", 0, place)

    def _asserts(self, one: Clause, *, own: bool, apart: bool) -> bool:
        """Whether a clause gives a name or a value for what was asked, or says the question again and more."""
        words = self.text[one.start : one.end]
        kinds, named = self.asked.kinds, self.asked.named(words)
        if (own and (kinds & _LOOSE or self.asked.closed)) or _QUESTION.search(words):
            return False
        if apart and self.asked.exact and self._gives(one):
            return True
        if apart and "asks_person" in kinds and _SOMEBODY.search(words):
            return True
        first = words.split(maxsplit=1)
        if apart and first and first[0] in _IT and self._is_fresh(one):
            return True
        head, rest = _parted(words)
        if (self.asked.named(head) or head.strip() in _IT) and self._count_new(rest) >= _MUCH:
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
        if 0 not in self.given or self.clauses[first].sentence == one.sentence or self._is_cited(one):
            return False
        values = self._values(one)
        return (
            len(values) == 1 and one.sentence < self.clauses[1].sentence and not self._has_subject(one, values[0].start)
        )

    def _is_to_the_point(self, one: Clause) -> bool:
        """Whether a clause is the answer's own, and nothing that is told by the way."""
        aside = any(_BY_THE_WAY.match(self.text, other.start) for other in (*self._earlier(one), one))
        return not (aside or self._is_cited(one))

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

    @lazy
    def given(self) -> list[int]:
        """The clauses that give a figure of the kind asked for, of what was asked."""
        return [at for at, one in enumerate(self.clauses) if self._gives_serial(one) or self._gives(one)]

    def _gives(self, one: Clause) -> bool:
        cited = self._is_cited(one)
        found = [value for value in self._values(one) if self._is_kind(value, cited=cited)]
        if not found:
            return _TIME.search(self.text, one.start, one.end) is not None
        if not cited:
            return True
        named = self.asked.named(self.text[one.start : one.end])
        if not self._has_subject(one, found[0].start):
            return not one.has("only")
        return len(named) >= _MOST_OF * len(self.asked.keys)

    def _is_kind(self, value: Value, *, cited: bool) -> bool:
        """Whether a value is of the kind asked for."""
        if value.measure == "count" and value.low == 1 and not value.text[:1].isdigit():
            return False
        if self.asked.measures:
            return (
                value.measure in self.asked.measures or "工作" in value.text or (value.measure == "bare" and not cited)
            )
        return value.measure != ("count" if "asks_date" in self.asked.kinds else "date")

    def _is_cited(self, one: Clause) -> bool:
        """Whether a clause tells what a source says, which may be something else than was asked."""
        if self._is_sourced(one):
            return True
        if any("telling" in hit.kinds and hit.end - hit.start > 1 and self._is_new(hit) for hit in one.hits):
            return True
        return any(self._is_sourced(other) and not other.has(*DENYING) for other in self._earlier(one))

    def _is_sourced(self, one: Clause) -> bool:
        """Whether a clause names a source that the question does not."""
        words = ((hit, self.text[hit.start : hit.end]) for hit in one.hits if "narrator" in hit.kinds)
        return any(len(word) > 1 and self._is_new(hit) for hit, word in words)

    def _values_in(self, numbers: list[int]) -> bool:
        values = (value for at in numbers for value in self._values(self.clauses[at]))
        return any(value.measure != "count" for value in values)

    def _without(self) -> Verdict:
        """No word declines: asking back, a sermon or several hints may, and what tells something does not."""
        asks = next((at for at, role in enumerate(self.roles) if role == "asks"), -1)
        told = [at for at, role in enumerate(self.roles) if role == "tells"]
        early = [at for at in told if at < asks and not self.clauses[at].has("needs", "later")]
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
        if (
            any(map(self._fits, clauses))
            or any(map(self._values, own))
            or len(again) >= _MOST_OF * len(self.asked.keys)
        ):
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
        if self.clauses[0].has("sermon"):
            return True
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
        if every != {"later"} and any(map(self._values, self.clauses)):
            return False
        return len(every) > 1 or not self.asked.kinds & _ELSEWHERE

    def _tells_only(self) -> bool:
        """Whether a source that the question does not name tells something else."""
        return any(
            one.has("telling") and any("narrator" in hit.kinds and self._is_new(hit) for hit in one.hits)
            for one in self.clauses
        )

    # --- what is declined ---

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
        if self.asked.closed and not own and self._is_told_of(one):
            return False
        if not own and excuse.composed and self.asked.named(cue) and not self._is_source(one, start):
            return False
        if excuse.soft and self._novel(one, end, one.end) >= _MUCH:
            return False
        return own or self._is_asked(one, excuse)

    def _is_told_of(self, one: Clause) -> bool:
        """Whether the question asks whether a source tells something: no is its answer."""
        told = (hit for hit in one.hits if "telling" in hit.kinds and hit.end - hit.start > 1)
        return any(self.text[hit.start : hit.end] in self.asked.text for hit in told)

    @staticmethod
    def _is_condition(one: Clause, start: int) -> bool:
        before = any(hit.kinds & {"supposition", "when"} and hit.start < start for hit in one.hits)
        return before or one.has("supposition_behind")

    def _is_reported(self, one: Clause, excuse: Excuse) -> bool:
        """Whether somebody else is told to have said it, or not to know."""
        kana = _KANA.search(self.text, one.start, one.end) is not None
        if any(hit.kinds & {"reports", "hearsay"} and (hit.start < excuse.start or kana) for hit in one.hits):
            return True
        if any(other.has("hearsay") for other in self._earlier(one)):
            return True
        if self.asked.is_named(self._topic(one)) and self._novel(one, one.start, one.end) < _MUCH:
            return False
        people = [hit for hit in one.hits if "person" in hit.kinds and hit.start < excuse.start]
        return not kana and any(not self._stands_for_source(one, hit) for hit in people)

    def _stands_for_source(self, one: Clause, hit: Hit) -> bool:
        """Whether a word for a person owns what is not told, her birthday, or is what was said of sources before."""
        word = self.text[hit.start : hit.end]
        before = self.clauses[: bisect_left(self._starts, one.start)]
        return word in _OWNERS or (word == "they" and any(other.has("narrator") for other in before))

    def _is_asked(self, one: Clause, excuse: Excuse) -> bool:
        """Whether what somebody does not know is what was asked."""
        start, end, firm, loose = excuse.start, excuse.end, excuse.firm, excuse.loose
        before, behind = self.text[one.start : start], self.text[end : one.end]
        source = (excuse.sought and not self.asked.closed) or self._is_source(one, start)
        no = self.asked.closed and loose and not _OF_TELLING.search(self.text, start, end)
        if "asks_absence" in self.asked.kinds or (no and not source):
            return False
        if "asks_reason" in self.asked.kinds and any(other.has("because") for other in self._earlier(one)):
            return False
        if self.asked.is_named(self._topic(one)):
            return True
        if firm:
            return True
        if excuse.composed and "asks_number" in self.asked.kinds and self.text.startswith(_NO, start):
            return False
        if source:
            return True
        if "asks_reason" in self.asked.kinds and not self.asked.is_named(before + behind):
            return False
        if not (excuse.composed or excuse.mind):
            return True
        return self._novel(one, one.start, start) < _MUCH or self.asked.is_named(before)

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
        bare = self._novel(one, one.start, start) < _MUCH
        return bare and any(other.has("narrator") for other in self._earlier(one))

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
        return self.asked.named(" ".join(self.text[one.start : one.end] for one in there if not self._values(one)))

    def _asks_back(self, one: Clause) -> bool:
        """Whether a clause asks the asker for something."""
        if "asks_needs" in self.asked.kinds:
            return False
        if one.has("asks_back") or (one.asked and one.has("needs")):
            return True
        words = self.text[one.start : one.end]
        return "shown" in self.asked.kinds and one.has("sends") and any(word in words for word in _REQUESTS)

    # --- what is told ---

    def _novel(self, one: Clause, start: int, end: int) -> int:
        """How much is said that neither the question nor the talk about sources says: characters, or words × 2."""
        return self._count_new(self._fresh(one, start, end))

    def _is_fresh(self, one: Clause) -> bool:
        """Whether a clause says something that the question does not."""
        return self._novel(one, one.start, one.end) >= _MUCH

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
            if value.measure != "ordinal"
            and value.text not in _THIS_YEAR
            and not self.asked.has(value)
            and not any(start <= value.start < end for start, end in self.phones)
        ]

    @lazy
    def phones(self) -> list[tuple[int, int]]:
        """Where telephone numbers stand that answer nothing."""
        if "asks_contact" in self.asked.kinds:
            return []
        return [(one.start, one.end) for one in find_serials(self.text) if one.kind == "phone"]

    def _concludes(self, last: int) -> bool:
        """Whether the answer closes by saying that it therefore cannot answer."""
        one = self.clauses[last]
        return one.has("therefore") and "tells" not in self.roles[last + 1 :]

    def _says_yes(self) -> bool:
        return any(_begins(self.text, word) for word in tables()["says_yes"])

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

    def _opens_bare(self, first: int) -> bool:
        """Whether the first sentence, before the one that declines, is nothing but yes or no."""
        opening = self.clauses[0]
        if opening.sentence == self.clauses[first].sentence:
            return False
        return any(bare.fullmatch(self.text, 0, opening.end) for bare in (BARE_YES, BARE_NO))

    def _denies(self, one: Clause, first: int) -> bool:
        """Whether a clause denies in the question's own words what was asked: 不能免费."""
        apart = one.sentence != self.clauses[first].sentence and not one.has(*_NO_CLAIM, *_TALKS)
        denied = apart and one.has("negation", "negation_behind", "denial", "cannot", "undone")
        return denied and not self._is_fresh(one) and bool(self.asked.named(self.text[one.start : one.end]))

    def _opens(self) -> bool:
        """Whether it begins as an answer does: it is."""
        return any(_begins(self.text, word) for word in tables()["opens"])

    def _speaks_of(self, one: Clause, named: frozenset[str]) -> bool:
        """Whether a clause speaks of what is declined, or of the other of two things asked for."""
        there = self.asked.named(self.text[one.start : one.end]) & named
        if not named or len(there) >= _MOST_OF * len(named):
            return True
        values = self._values(one)
        return bool(values) and not self._has_subject(one, values[0].start)

    def _has_subject(self, one: Clause, end: int) -> bool:
        """Whether a clause names a thing of its own before its value."""
        words = _DIGITS.sub(" ", self._fresh(one, one.start, end))
        if self._count_new(words) >= _MUCH:
            return True
        pairs = (run[0][at : at + 2] for run in RUN.finditer(words) for at in range(len(run[0]) - 1))
        return any(pair not in self.asked.text and is_word(pair) for pair in pairs)

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
        if self._values(one) and not own and not self._is_cited(one):
            return True
        talk = one.has("concede", "silent", "narrator", "self", "machine", "only", "desk")
        if one.sentence or talk:
            return False
        named_here = bool(self.asked.named(self.text[one.start : one.end]))
        if own:
            later = self.clauses[first].sentence > one.sentence
            return later and (named_here or "asks_way" in self.asked.kinds or self._is_detail(first))
        against = any(other.but for other in self.clauses[at + 1 : first + 1])
        return named_here or not against

    def _is_detail(self, at: int) -> bool:
        """Whether a clause declines something else than was asked: I don't know how often they occur."""
        one, excuse = self.clauses[at], self.excuses[at]
        return excuse is not None and self._novel(one, excuse.end, one.end) > _MUCH

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
        if "asks_money" in asks and "asks_number" not in asks:
            return bool(kinds & {"money", "share", "bare"})
        if asks & {"asks_number", "asks_money"} and kinds - {"date"}:
            first = self._values(one)[0].start
            plain = kinds & {"money", "share", "bare", "month", "second"} or not self._has_subject(one, first)
            return bool(plain)
        person = "asks_person" in asks and not self._is_sourced(one)
        return person and (self._names_somebody(one) or any(word in words for word in tables()["copula"]))

    def _tells_kind(self, one: Clause) -> bool:
        """Whether a clause opens by telling what was asked for: 地点是…, the price is …"""
        words = self.text[one.start : one.end].lstrip(" 的").removeprefix("the ")
        kinds = (word for kind in self.asked.kinds & frozenset(KINDS) for word in tables()[kind] if len(word) > 1)
        return any(words.startswith((word + "是", word + "为", word + " is ", word + " was ")) for word in kinds)

    def _names_somebody(self, one: Clause) -> bool:
        """Whether a clause names a person in Han."""
        return any(tag == "nr" and self.text[a] in SURNAMES for a, _, tag in self.said.tags_in(one.start, one.end))

    def _goes_on(self, at: int, first: int, named: frozenset[str]) -> bool:
        """Whether an answer follows the words that decline: behind a but, as a guess, or with a value."""
        one, decline = self.clauses[at], self.clauses[first]
        if self._gives_serial(one):
            return True
        near, same = one.sentence - decline.sentence <= 1, one.sentence == decline.sentence
        led = any(other.but for other in self.clauses[first + 1 : at + 1] if other.sentence == one.sentence)
        led = led or (same and decline.has("concede"))
        if led and same and one.has("offers"):
            return True
        if one.has("sermon", "sermon_words", "filler", "refer", "self", "ours", "later", "willing"):
            return False
        again = self.asked.named(self.text[one.start : one.end])
        fits = same and self._fits(one)
        if near and self.asked.several and again - named:
            return True
        if near and again and self._is_soft(first):
            return True
        if near and self._tells_kind(one):
            return True
        if not self._speaks_of(one, named):
            return same and ((led and fits) or self._is_soft(first))
        guesses = self._guesses(one)
        if self._is_own(first):
            return near and (guesses or fits or (led and same and not one.has("narrator")))
        if led or guesses:
            return True
        return bool(self._values(one)) and not self.asked.kinds & set(KINDS)

    def _guesses(self, one: Clause) -> bool:
        if one.has("needs", "refer", "filler") or not _YOU.isdisjoint(self.text[one.start : one.end]):
            return False
        return one.has("guess")


def _parted(words: str) -> tuple[str, str]:
    """The words of a clause before and behind its first copula."""
    found = _COPULA.search(words)
    return (words[: found.start()], words[found.end() :]) if found else (words, "")


def _without_quotes(said: Statements) -> str:
    """The folded text with blanks for what stands in quotes."""
    if not said.quotes:
        return said.text
    chars = list(said.text)
    for quote in said.quotes:
        chars[quote.start : quote.end] = " " * (quote.end - quote.start)
    return "".join(chars)


def _begins(text: str, word: str) -> bool:
    """Whether a folded text begins with a listed word."""
    size = len(word.partition("!")[0])
    return holds(text.lstrip()[: size + 4], word) and text.lstrip().startswith(word[:size])


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
