"""What a question asks for: its words and numbers, and the kind of thing that would answer it."""

from collections.abc import Collection, Iterable, Iterator
from functools import cache, lru_cache

from ahocorasick_rs import AhoCorasick
from msgspec import Struct

from ragstone.reading.cuebook import tables
from ragstone.reading.tokens import TOKEN, root
from ragstone.reading.values.values import Value, values
from ragstone.text.fold import fold
from ragstone.text.late import late

_CLOSED = late(
    r"吗|是否|是不是|有没有|能否|能不能|可否|会不会|可不可以|该不该|要不要"
    r"|^(?:is|are|was|were|do|does|did|can|could|will|would|should|has|have|had|may|must|shall|am)\b"
    r"|(?:ます|です|ません|でした)か|(?:나|은가|는가|인가|까|돼|되나)요|습니까"
)
_OPEN = late(
    fold("什么|谁|哪|几|多少|怎|何|为啥") + r"|どの|どう|だれ|いつ|どこ|いくら|なぜ|誰|何"
    r"|무엇|무슨|뭐|뭘|누구|누가|언제|어디|얼마|몇|며칠|왜|어떻게|어느|어떤"
)
"""Words that ask for more than yes or no."""
_A_NOT_A = late(fold(r"(.)不\1|有没有|有无|可不可以"))
"""能不能 asks yes or no, and not about what cannot be."""
_SEVERAL = late(
    fold("[和与及跟、]|[,;?][^,;?]{0,14}(?:什么|多少|几|哪|谁|怎|何时|是否|吗)")
    + r"|\band\b|各|分别|と[^いこ]|[와과] |및|하고 "
)
_HAN = late(r"[\u3005\u30a1-\u30ff\u3400-\u9fff]+")
_HANGUL = late(r"[\uac00-\ud7a3]+")
_FRAME = late(
    fold(
        r"^(?:(?:根据|按照|依照|依据|在)《[^》]*》(?:中)?(?:「[^」]*」)?(?:的规定|规定|中|里)?|关于[^,;?、和与及跟]{1,40}"
        r"|[^,;?、和与及跟什么谁哪几多少怎何吗否]{2,24}(?:之?后|之?前|时|期间|的话|情况下|以上|以内)),"
    )
    + r'|^(?:according to|in) "[^"]*", ?'
    + r"|^(?:if|when|after|before|once|during|within|without|with)\b(?!.{0,60}\band\b)[^,;?]{2,60}, ?(?="
    r"(?:is|are|was|were|do|does|did|can|could|will|would|should|has|have|had|may|must|shall|am)\b)"
)
"""What stands in front of a question and asks for nothing: the document it is about, a condition."""
BARE_NO = late(
    r" *(?:不(?:行|可以?|能|是|会|支持|允许|需要|得|准|许|必)?|没有|无需|否|no|いいえ|아니[요오]|아뇨)(?:[^\w]|$)"
)
BARE_YES = late(r" *(?:可以|是的?|能|会|支持|允许|必须|需要|有|对|行|yes|はい|네|예)[的喔哦呀啊]?(?:[^\w]|$)")
"""An answer that opens with yes or no, and a comma or a full stop, or says nothing else."""
KINDS = ("asks_number", "asks_date", "asks_person", "asks_money", "asks_reason", "asks_place", "asks_way")
"""What a question may ask for."""
_MANNERS = ("asks_favour", "asks_self", "asks_absence", "asks_needs", "asks_contact", "shown")
_MEASURES = {
    "asks_sum": frozenset(("money", "share")),
    "asks_span": frozenset(("month", "second", "date", "clock")),
    "asks_extent": frozenset(("metre",)),
    "asks_count": frozenset(("count", "bare")),
}
"""What the values measure that answer a question with such words."""
_FIGURES = ("asks_exact", "asks_figure", *_MEASURES)
_WHAT_IS = late(r"^(?:and |so )?what(?:'s| is| was| are| were) ")
_TAIL = late(
    r"(?:是?多少|[はがってとも]|[은는이가]|です|でしょう|ですか|인가요|이에요|예요|이죠|죠|뭐"
    r"|を?(?:教えて(?:ください|下さい)?|お願いします)|[을를]? ?(?:알려 ?(?:주세요|줘)|알고 싶어요?)"
    r"|어떻게|되나요|되죠|되어요|돼요|됩니까"
    r"|何|什么|[呢啊呀?。.! ])+"
)


class Asked(Struct, frozen=True):
    """A question, read."""

    text: str
    roots: frozenset[str]
    """The stems of its Latin words."""
    written: str
    """The question before it was folded."""
    closed: bool
    """Whether yes or no would answer it."""
    halved: bool
    """Whether yes or no would answer a part of it."""
    several: bool
    """Whether it asks for more than one thing."""
    exact: bool
    """Whether only a number, a sum or a date answers it."""
    measures: frozenset[str]
    """What a value that answers it measures; empty where the question does not tell."""
    kinds: frozenset[str]
    """What it asks for, of KINDS, and how: a favour, about the one who answers, about what is not there, about
    something it shows."""

    @property
    def plain(self) -> str:
        """Its folded text without 有没有 and the like, which deny nothing."""
        return _A_NOT_A.sub(" ", self.text) if self.closed else self.text

    @property
    def keys(self) -> frozenset[str]:
        """What its words of content are met by: see `keys_of`."""
        return _all_keys(self.text)

    def has(self, value: Value) -> bool:
        """Whether the question itself names a value."""
        return names_value(self.written, value)

    def named(self, words: str) -> frozenset[str]:
        """The question's own words of content in a folded text."""
        return self.keys & frozenset(keys_of(words))

    def is_named(self, words: str) -> bool:
        """Whether a folded text names what is asked for: by the question's words, or by its kind."""
        kinds = (kind for kind in self.kinds if kind in KINDS)
        return bool(self.named(words)) or any(
            len(word) > 1 and word in words for kind in kinds for word in tables()[kind]
        )


@lru_cache(maxsize=1024)
def read_question(question: str) -> Asked:
    """Read a question."""
    text = fold(question).strip()
    there = {kind for kind, _ in listed(_A_NOT_A.sub(" ", text), *KINDS, *_MANNERS, *_FIGURES)}
    kinds = frozenset(there) - frozenset(_FIGURES)
    roots = roots_of(text)
    bare = _without_frames(text)
    halved = _CLOSED.search(bare) is not None
    closed = halved and not (_OPEN.search(bare) and "不" not in bare)
    several = _SEVERAL.search(bare) is not None
    exact = not closed and ("asks_exact" in there or _names_figure(text, there))
    measures = frozenset[str]().union(*(found for kind, found in _MEASURES.items() if kind in there))
    return Asked(text, roots, question, closed, halved, several, exact, measures, kinds)


def _without_frames(text: str) -> str:
    """A folded question without what stands in front of it and asks for nothing."""
    while frame := _FRAME.match(text):
        text = text[frame.end() :]
    return text


@lru_cache(maxsize=256)
def _all_keys(text: str) -> frozenset[str]:
    return frozenset(keys_of(_without(text, (word for _, word in listed(text, "asks_exact")))))


def names_value(question: str, value: Value) -> bool:
    """Whether a question names a value."""
    return any(own.equals(value) for own in _all_values(question))


@lru_cache(maxsize=256)
def _all_values(question: str) -> tuple[Value, ...]:
    return tuple(values(question))


def _names_figure(text: str, there: Collection[str]) -> bool:
    """Whether a folded question without a question word of number asks for a figure: what is the price."""
    if text.isascii():
        return "asks_figure" in there and _WHAT_IS.match(text) is not None
    ends = (text.rfind(word) + len(word) for word in tables()["asks_figure"] if word in text)
    return any(end == len(text) or _TAIL.fullmatch(text, end) for end in ends)


def _without(text: str, words: Iterable[str]) -> str:
    for word in sorted((word.partition("!")[0] for word in words), key=len, reverse=True):
        text = text.replace(word, " " * len(word))
    return text


@lru_cache(maxsize=256)
def roots_of(text: str) -> frozenset[str]:
    """The stems of the Latin words of a folded text."""
    return frozenset(root(match[0]) for match in TOKEN.finditer(text))


def keys_of(words: str) -> Iterator[str]:
    """What the words of content in a folded text are met by: pairs of Han, the stem of a word, how Hangul begins."""
    generic = _generic()
    for run in _HAN.finditer(words):
        pairs = (run[0][at : at + 2] for at in range(len(run[0]) - 1))
        yield from (pair for pair in pairs if pair not in generic and not _ASKING.search(pair))
    for word in _HANGUL.finditer(words):
        if len(word[0]) > 1 and word[0] not in generic and word[0][:2] not in generic:
            yield word[0][: 1 if word[0][1] in _PARTICLES else 2]
    for match in TOKEN.finditer(words):
        if match[0] not in generic and len(match[0]) > 1:
            yield root(match[0])


_PARTICLES = frozenset("은는이가을를의에도로와과")
_ASKING = late("[" + fold("的了是在有和与及或也都吗呢几么哪谁您你我这那该此其个被把将会能可不没未无很最为何于") + "]")


@cache
def _generic() -> frozenset[str]:
    return tables()["talk"] | tables()["light"]


def listed(text: str, *kinds: str) -> Iterator[tuple[str, str]]:
    """The words of some listed categories that a folded text holds, each behind its category."""
    automaton, words = _automaton(kinds)
    seen = {number for number, _, _ in automaton.find_matches_as_indexes(text, overlapping=True)}
    if not seen:
        return iter(())
    return (words[number] for number in sorted(seen) if holds(text, words[number][1]))


@cache
def _automaton(kinds: tuple[str, ...]) -> tuple[AhoCorasick, list[tuple[str, str]]]:
    words = [(kind, word) for kind in kinds for word in sorted(tables()[kind])]
    return AhoCorasick([word.partition("!")[0] for _, word in words]), words


def holds(text: str, word: str) -> bool:
    """Whether a folded text holds a listed word, a Latin one as a whole word; 不!知 is 不, not followed by 知."""
    word, _, stops = word.partition("!")
    at = text.find(word)
    while at >= 0:
        end = at + len(word)
        whole = not word.isascii() or (not text[at - 1 : at].isalnum() and not text[end : end + 1].isalpha())
        if (whole or word == "n't") and not (stops and text.startswith(tuple(stops.split("|")), end)):
            return True
        at = text.find(word, end)
    return False
