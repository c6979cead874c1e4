"""A key point made ready: its forms, the words that carry it, its numbers and dates, and its mood."""

from collections.abc import Iterator
from functools import cache
from itertools import zip_longest
from typing import NamedTuple

from msgspec import Struct

from ragstone.reading.cues import cue
from ragstone.reading.negation import Moods
from ragstone.reading.synonyms import MODAL, OPPOSITE, SAME, THINGS
from ragstone.reading.values.name_words import SURNAMES
from ragstone.reading.values.number_limits import Limit, limit_of
from ragstone.reading.values.values import Value, values
from ragstone.reading.words import Word, join_pairs, stem, weight, words
from ragstone.text.fold import bare, fold
from ragstone.text.late import late, lazy

_GLOSS = late(r"\s*[(（【\[]([^()（）【】\[\]]*)[)）】\]]\s*")
_LATIN_GLOSS = late(r"[a-z0-9 .+#/&'-]{2,40}")
_LATIN_LETTER = late(r"[a-z]")
_PARTIES = frozenset("甲乙丙丁")
_JOINED = cue(r"和|与|及|或|、|,|同|跟|的|\band\b|\bor\b")
_BODY = cue(
    r"(?:公司|大学|银行|学院|医院|集团|俱乐部|党|局|部|馆|队|会|省|市|县|区|镇|条约|协会|委员会|中心|车站|机场)$"
)
_SUPPORTS = frozenset(map(fold, ("支持", "支援", "允许")))
_CLASSES = frozenset(fold("容器 数据库 资料库 语言 系统 框架 平台 软件 软体 库 引擎 工具 协议 格式").split())
AGENT_MARKS = frozenset(fold("由被归"))
"""What stands in front of the one who acts."""
_RECEIVER_MARKS = frozenset(fold("受经为给向从让使与和及、"))
_IS = cue(r" ?[为是:] ?")
_ORDER = cue(r"先[^,.;]{1,12}[,]?(?:再|后|然后|才)")
PHASE = cue(r"(?:之|以)?([前后])(?![提台端往续果勤期代方卫景缀门])")
"""What stands behind a word and tells before it from after it: 升级前, 手术之后."""
DIRECT = cue(r"[a-z]+ (?:the |a |an |its |his |her |their )?")
"""An English verb up to the object right behind it."""
_ONLY_FEW = cue(r"(?:只有|仅有?|唯有|\bonly)(?! ?[0-9一二两三四五六七八九十百千半])")
ONLY = cue(
    r"只(?!要)|仅|唯[有一独]|限[于由]|专属|专供|独家|其[他它余]|除(?:了|非)|非[^,.;]{1,12}(?:不[得能可]|勿)|以外|之外",
    r"\b(?:only|solely|exclusively|just|alone|nobody|no one|none|limited|restricted|reserved|except|other)\b",
)
"""What says that something holds for nothing else."""
_NAMED = cue(r"\bof (?:the )?[a-z0-9.' -]{1,40}? (?:is|are|was|were) [a-z.'-]+(?: [a-z.'-]+){0,2}$")
"""The CEO of Northwind is Dana Ross: neither side does anything to the other."""
_LENGTHS = frozenset(("long", "wide", "tall", "deep", "high", "old"))
_DEPUTY = cue(r"副|\b(?:vice|deputy|assistant|associate)\b")
_TURNING = frozenset(fold("避免 防止 杜绝 规避 免去 省去 防范 预防 取消 禁止 减少 降低").split())
"""Verbs without which a point says the opposite."""
_TURNS = cue(r"避免|防止|杜绝|规避|免去|省去|防范|预防|\b(?:avoid|prevent)")
PAST = cue(r"过去|以前|从前|此前|之前|曾|原|\b(?:former|previous|original|initial|once|used to)|最初|起初|first")
"""Words that speak of what was once."""
HEAVY, LIGHT = 1.0, 0.3
"""What a limit adds to a point's weight: the one of 最低内存为16GB is half of it, that of 最多20公斤 little."""
_SHORT_GLOSS = 8
_COMPACT = 10
"""Characters up to which a point without verbs is one name, whose words must stand together."""

_LONGEST = 1000
_LONG_NAME = 24
"""The same for names that end like a body or a place."""


@cache
def _stems(*, opposite: bool = False) -> dict[str, tuple[str, ...]]:
    """English words that stand for each other, or for the opposite, by their stems; made when a Latin word needs it."""
    return _by_stem(OPPOSITE if opposite else SAME)


def _by_stem(table: dict[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    found: dict[str, dict[str, None]] = {}
    for word, others in table.items():
        if word.isascii():
            found.setdefault(stem(word), {}).update((stem(other), None) for other in others)
    return {word: tuple(others) for word, others in found.items()}


class Unit(NamedTuple):
    """One word of a point that an answer must say in some way."""

    text: str
    """The word; a Latin word as its stem."""
    place: int
    weight: float
    latin: bool
    named: bool
    firm: bool
    """A name, noun or Latin word: the point is not stated without it."""
    noun: bool
    same: tuple[str, ...]
    opposite: tuple[str, ...]
    negated: bool
    """Whether the point itself denies the word."""
    person: bool = False
    """Whether it is a person's name in Han."""


class Form:
    """One wording that states the point: the head, or an alias from the brackets.

    What is read from it is read when it is first needed: an answer that says it word for word needs none of it.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.bare = bare(text)
        # What is longer than this is no point but a page: it is only looked for verbatim.
        self._folded = fold(text) if len(text) <= _LONGEST else ""
        self._moods = Moods(self._folded)

    @lazy
    def values(self) -> tuple[Value, ...]:
        """Its numbers and dates."""
        return tuple(values(self.text)) if self._folded else ()

    @lazy
    def _every(self) -> list[Word]:
        return words(self._folded)

    @lazy
    def bounds(self) -> tuple[tuple[int, Limit], ...]:
        """Places of versions that are limits: 最低版本为Python 3.11."""
        return tuple(_bounds(self._folded, self._every, self.values))

    @lazy
    def _words(self) -> list[Word]:
        taken = [*_spans(self.values), *((limit.start, limit.end) for _, limit in self.bounds)]
        found = (word for word in self._every if not any(start <= word.start < end for start, end in taken))
        return join_pairs(list(found))

    @lazy
    def units(self) -> tuple[Unit, ...]:
        """The words that carry its meaning."""
        found = self._words
        return tuple(
            _unit(word, self._moods, _does(found[at + 1 :]), self._is_slight(word, found[at - 1]) if at else False)
            for at, word in enumerate(found)
            if weight(word)
        )

    def _is_slight(self, word: Word, before: Word) -> bool:
        """Whether a word adds little to the one in front of it: 12 characters long, Docker容器."""
        if word.text in _LENGTHS and self.values:
            return 0 <= before.start - self.values[-1].end <= 1
        return _classifies(word, before)

    @lazy
    def weight(self) -> float:
        """What its words and values weigh together."""
        limits = [*(value.limit for value in self.values), *(limit for _, limit in self.bounds)]
        return sum(unit.weight for unit in self.units) + len(self.values) + sum(map(limit_weight, limits))

    @lazy
    def latin(self) -> bool:
        """Whether any unit is a Latin word."""
        return any(unit.latin for unit in self.units)

    @lazy
    def compact(self) -> bool:
        """One name or term, without a verb: its words must stand together."""
        return not self.denials and _is_compact(self.text, self._folded, self._words, self.values)

    @lazy
    def denials(self) -> int:
        """How many negators stand in it."""
        return self._moods.denials(-1, len(self._folded))

    @lazy
    def asks(self) -> bool:
        """Whether it asks something itself."""
        return self._moods.has_question()

    @lazy
    def supposes(self) -> bool:
        """Whether it supposes something itself."""
        return self._moods.has_condition()

    @lazy
    def guesses(self) -> bool:
        """Whether it is a guess itself."""
        return self._moods.has_guess()

    @lazy
    def pair(self) -> tuple[int, int] | None:
        """Two units of one kind whose order tells who does it to whom."""
        return _pair(self.text, self._folded, self.units, [word for word in self._words if weight(word)])

    @lazy
    def measured(self) -> int:
        """Place of the word that its only number is told of, -1 if none stands right in front: 截止日为9月15日."""
        before = [unit for unit in self.units if unit.place < self.values[0].start] if len(self.values) == 1 else []
        last = before[-1] if before else None
        if last is None or last.latin or last.weight < 1:
            return -1
        gap = self._folded[last.place + len(last.text) : self.values[0].start]
        return last.place if _IS.fullmatch(gap) else -1

    @lazy
    def phases(self) -> tuple[tuple[int, str], ...]:
        """Places of the words that 前 or 后 stands behind, and which of them."""
        return tuple(_phases(self._folded, self.units))

    @lazy
    def begins(self) -> int:
        """Place of the step behind 先, 0 where no order is told."""
        return _begins(self._folded, self.units)

    @lazy
    def agent(self) -> int | None:
        """Place of the noun that acts, where 由, 被 or the order of words tells it."""
        return _agent(self._folded, self.units)

    @lazy
    def marked(self) -> bool:
        """Whether 由 or 被 tells it."""
        return bool(self.agent) and self._folded[(self.agent or 0) - 1] in AGENT_MARKS

    @lazy
    def active(self) -> bool:
        """Whether it is three English words, and the first does something to the last: the bank sued the borrower."""
        return _is_active(self._folded, self.units)

    @lazy
    def person(self) -> bool:
        """Whether the point is one person's name in Han, which a longer name may hold: 王安 in 王安然."""
        return len(self._words) == 1 and _is_person(self._words[0])

    @lazy
    def deputy(self) -> bool:
        """Whether it speaks of a deputy itself."""
        return bool(_DEPUTY.search(self._folded))

    @lazy
    def only(self) -> str:
        """The word that keeps it from all others: 只有管理员可以删除."""
        found = _ONLY_FEW.search(self._folded)
        return found[0] if found else ""

    @lazy
    def turns(self) -> bool:
        """Whether it holds a word that turns it round: 避免."""
        return bool(_TURNS.search(self._folded))

    @lazy
    def turning(self) -> tuple[int, ...]:
        """Places of the words that turn it round."""
        return tuple(unit.place for unit in self.units if unit.text in _TURNING)

    @lazy
    def denied(self) -> frozenset[int]:
        """Places of the numbers that it denies itself."""
        return frozenset(
            value.start for value in self.values if self._moods.negated(value.start) and not value.limit.denies
        )

    @lazy
    def past(self) -> bool:
        """Whether it speaks of what was once."""
        return bool(PAST.search(self._folded))

    @lazy
    def numeral(self) -> bool:
        """Whether it is one number and nothing else."""
        if len(self.bare) > _SHORT_GLOSS or len(self.values) != 1:
            return False
        return bare(self.values[0].text) == self.bare or not self.units

    @lazy
    def rivals(self) -> tuple[int, ...]:
        """Places of units that are each other's opposites or rivals: daily and monthly."""
        units = self.units
        return tuple(unit.place for unit in units if any(other.text in unit.opposite for other in units))


class Point(Struct, frozen=True):
    """A key point made ready for many answers; any one of its forms states it."""

    text: str
    forms: tuple[Form, ...]

    @classmethod
    def prepare(cls, point: str) -> "Point":
        """Cut a gloss in brackets off the head, keep it as an alias if it is one, and weigh the words."""
        head = _GLOSS.sub(" ", point).strip()
        texts = [head or point]
        glosses = _GLOSS.findall(point) if head else []
        texts += [gloss.strip() for gloss in glosses if _is_alias(gloss, head)]
        texts += [point] if glosses else []
        return cls(point, tuple(map(Form, texts)))


def _is_alias(gloss: str, head: str) -> bool:
    folded = fold(gloss).strip()
    latin = bool(_LATIN_GLOSS.fullmatch(folded))
    return latin != bool(_LATIN_LETTER.search(fold(head))) and (latin or 1 < len(folded) <= _SHORT_GLOSS)


def _spans(numbers: tuple[Value, ...]) -> Iterator[tuple[int, int]]:
    """Where numbers, their limits, and the verbs between an old and a new value stand."""
    for number, after in zip_longest(numbers, numbers[1:]):
        yield number.start, after.start if number.old and after else number.end
        if number.limit.side:
            yield number.limit.start, number.limit.end


def _bounds(folded: str, found: list[Word], numbers: tuple[Value, ...]) -> Iterator[tuple[int, Limit]]:
    for word in found:
        if word.latin and word.text[0].isdigit() and not any(n.start <= word.start < n.end for n in numbers):
            limit = limit_of(folded, word.start, word.start + len(word.text), "number")
            if limit.side:
                yield word.start, limit


def limit_weight(limit: Limit) -> float:
    """How much of a point its limit is."""
    return HEAVY if limit.heavy else LIGHT if limit.firm else 0.0


def _does(behind: list[Word]) -> bool:
    """Whether what is supported is something one does: 支持离线使用, but not 支持Lumidex."""
    return any(word.tag[:1] == "v" for word in behind)


def _classifies(word: Word, before: Word) -> bool:
    """Whether a word only tells what the Latin name in front of it is: Docker容器, Neo4j数据库."""
    return before.latin and word.text in _CLASSES and word.start - before.start - len(before.text) <= 1


def _unit(word: Word, moods: Moods, does: bool, slight: bool) -> Unit:
    heavy = 0.3 if slight else weight(word)
    text = stem(word.text) if word.latin else word.text
    same, opposite = SAME.get(word.text, ()), OPPOSITE.get(word.text, ())
    if word.latin:
        same, opposite = _stems().get(text, ()), _stems(opposite=True).get(text, ())
    firm = heavy == 1 and word.nominal and (word.latin or not same or word.text in THINGS)
    # A comparison is the whole point of 更好的集成.
    firm = firm or (heavy == 1 and (word.text[0] == "更" or word.text in _TURNING))
    if does and word.text in _SUPPORTS:
        same += MODAL
    denied, person = moods.negated(word.start), _is_person(word)
    return Unit(text, word.start, heavy, word.latin, word.named, firm, word.nominal, same, opposite, denied, person)


def _is_compact(text: str, folded: str, found: list[Word], numbers: tuple[Value, ...]) -> bool:
    """Whether the point is one name or term: 北京大学, Grey Heron Cloud."""
    heavy = [word for word in found if weight(word) == 1]
    if numbers or not found:
        return False
    if any(word.latin for word in found):
        named = _NAMED.search(folded) is not None
        return len(heavy) == 1 or all(word.latin and text[word.start].isupper() and not named for word in heavy)
    if len(heavy) <= 1 and len(folded) <= _COMPACT:
        return True
    limit = _LONG_NAME if _BODY.search(folded) else _COMPACT
    return len(folded) <= limit and all(_in_name(word) for word in found) and not _JOINED.search(folded)


def _in_name(word: Word) -> bool:
    return word.nominal or word.tag in ("b", "a", "f") or (len(word.text) == 1 and bool(weight(word)))


def _pair(text: str, folded: str, units: tuple[Unit, ...], found: list[Word]) -> tuple[int, int] | None:
    kinds = [] if _NAMED.search(folded) else [_kind(text, word) for word in found]
    for one, kind in enumerate(kinds):
        for other in range(one + 1, len(kinds)):
            between = folded[found[one].start + len(found[one].text) : found[other].start]
            if (
                kind
                and kinds[other] == kind
                and found[one].text != found[other].text
                and between.strip()
                and not _JOINED.search(between)
            ):
                return one, other
    return None


def _is_active(folded: str, units: tuple[Unit, ...]) -> bool:
    latin = len(units) == 3 and all(unit.latin and unit.weight == 1 for unit in units)
    return latin and DIRECT.fullmatch(folded, units[1].place, units[2].place) is not None


def _is_person(word: Word) -> bool:
    return word.tag == "nr" and len(word.text) in (2, 3) and word.text[0] in SURNAMES


def _phases(folded: str, units: tuple[Unit, ...]) -> Iterator[tuple[int, str]]:
    for unit in units:
        told = None if unit.latin else PHASE.match(folded, unit.place + len(unit.text))
        if told:
            yield unit.place, told[1]


def _begins(folded: str, units: tuple[Unit, ...]) -> int:
    told = _ORDER.search(folded)
    return next((unit.place for unit in units if unit.place > told.start()), 0) if told else 0


def _agent(folded: str, units: tuple[Unit, ...]) -> int | None:
    nouns = [unit for unit in units if unit.noun]
    marked = [unit.place for unit in nouns if unit.place and folded[unit.place - 1] in AGENT_MARKS]
    if marked or len(nouns) < 2:
        return marked[0] if len(marked) == 1 else None
    first = nouns[0]
    if any(folded[unit.place - 1] in _RECEIVER_MARKS for unit in nouns[1:]):
        return None
    acts = first.place == 0 and any(first.place < unit.place < nouns[-1].place for unit in units if not unit.noun)
    return first.place if acts else None


def _kind(text: str, word: Word) -> str:
    if word.text[0] in _PARTIES:
        return "party"
    if word.latin:
        # Every sentence begins with a capital: Sales is no name, if it is a word with synonyms.
        ordinary = not word.start and stem(word.text) in _stems()
        return "latin" if text[word.start].isupper() and not ordinary else ""
    return "name" if word.named else "party" if word.text in ("原告", "被告", "买方", "卖方") else ""
