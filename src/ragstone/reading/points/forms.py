"""A key point made ready to be looked for: its wordings, and the runs, names and values each of them is made of."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from ragstone.reading.cuebook import Hit, tables
from ragstone.reading.cues import cue
from ragstone.reading.lexicon import DEFAULT, Lexicon, cut_words, is_word, tag_words
from ragstone.reading.scopes import DENIAL, UNTURNED
from ragstone.reading.statements import Statements
from ragstone.reading.tokens import LETTER, root, token_keys
from ragstone.reading.values.values import Value
from ragstone.text.late import late, lazy

RUN = late(r"[\u3005\u3041-\u30ff\u3400-\u9fff\uac00-\ud7a3]+")
"""Han, kana or Hangul in one piece."""
_DIRECTED = cue(r"[上下]调|[涨降]", r"\b(?:raised|lowered|increased|reduced)\b", r"인[상하]")
"""Where no value tells it, these say which way something changed."""
_GLOSS = late(r"^(?P<head>[^（(]{2,})[（(](?P<alias>[^）)]{2,60})[）)]$")
_FLAG_CUES = frozenset(
    (
        "negation",
        "former",
        "now",
        "guess",
        "supposition",
        "supposition_behind",
        "question",
        "embedded",
        "plan",
        "but",
        "maybe",
    )
)
"""Cues of a point that are compared as flags, not as words."""
_FORBIDS = late(r"\b(?:allowed|permitted|prohibited|forbidden|banned)$")
"""Ends of a denial that say no more than that it is one."""
_WORD = late(rf"[{LETTER}]+(?:(?:[.+#'_:]|-(?=[0-9]))[{LETTER}]+)*[+#]*")
"""A Latin word of a point; the parts of a hyphened one are words of their own."""
_PLACE = late(r"((?:[A-Z][\w.'-]+ ?){1,3}), (?:[A-Z][\w.'-]+ ?){1,3}$")
_LIST = late(r"(?:the )?\w+(?:, \w+)*,? and (?:the )?\w+")
_DAYS = late(r"([0-9一二三四五六七八九十百两]{1,5}) ?日")
_INITIALS = late(r"[a-z](?:\.[a-z])*|dr|mr|mrs|ms|prof")
_BETWEEN_NAMES = late(r"[^ .'-]")
_DESCRIBES = late(r"\b(?:the|an?|its|their|his|her|our|your) $")
"""Before a verb of direction that only describes a thing: the saved files."""
_TAKING = frozenset(
    ("last", "lasts", "lasted", "take", "takes", "took", "run", "runs", "come", "comes", "came", "stand", "stands")
)
"""Beside a value they say no more than is."""
_LENGTHS = frozenset(("long", "wide", "tall", "deep", "high", "old", "exactly"))
"""Behind a number they say nothing."""
ALL = cue(
    r"所有|全部|全体|任何|不限|每[个位名]|人人|一律",
    r"\b(?:all|any|every|each|everyone|everybody|entire)\b",
    r"すべて|全員|모든|모두",
)
_LIMITED = {"high": ("最多", "最晚"), "low": ("最少", "最早")}
"""What makes a number a limit, and what a date."""
_PAIR = 2
_LONGEST = 1000
"""Characters up to which a point is read; what is longer is a page."""
_PLURAL = 5
"""Letters of a name beyond which an s at its end is taken for a plural."""
_WHOLE_WORD = 3
"""Characters from which a dictionary word is not found in parts."""


class Run(Struct, frozen=True):
    """A run of Han, kana or Hangul of a point."""

    start: int
    text: str
    same: dict[int, list[tuple[str, tuple[str, ...]]]]
    """By place: words of the run, the longest first, and what says the same."""
    words: dict[int, int]
    """Its words as the segmenter cuts them: start to end."""
    within: dict[int, tuple[int, int]]
    """By place inside a word that is not found in parts: where the word begins and ends."""
    persons: tuple[tuple[int, int], ...]
    """Persons' names in it."""
    skips: dict[int, int]
    """By place: how many characters say nothing, as far as that was asked."""


class Word(Struct, frozen=True):
    """A Latin word of a point and the keys under which an answer may hold it."""

    start: int
    text: str
    keys: tuple[str, ...]
    opposite: tuple[str, ...]
    """Keys of the opposite words."""
    phrases: tuple[str, ...]
    """Wordings of several words that say the same."""
    hard: bool
    """A name or a code: nothing else stands for it."""


class Asking(Struct):
    """What a question says of a wording, as far as that was asked."""

    question: str
    parts: dict[tuple[int, int], bool] = {}
    """By start and length: whether it says a part."""
    runs: dict[int, list[Any]] = {}
    """By start: what it says of a run."""


class Form:
    """One wording of a point, prepared."""

    def __init__(self, text: str, lexicon: Lexicon = DEFAULT) -> None:
        self.said = Statements(text[:_LONGEST].strip(" 。.;；"))
        self.text = self.said.text
        self.lexicon = lexicon
        self.asked = Asking("")

    @lazy
    def values(self) -> list[Value]:
        """Its numbers, dates and times."""
        return self.said.values

    @lazy
    def value_starts(self) -> frozenset[int]:
        """Where they begin."""
        return frozenset(value.start for value in self.values)

    @lazy
    def hits(self) -> list[Hit]:
        """Its cues."""
        return [hit for one in self.said.clauses for hit in one.hits]

    @lazy
    def _free(self) -> str:
        """Its text without values and without the cues that are compared as flags."""
        taken = [span_of(one) for one in self.values]
        taken += [span for hit in self.hits for span in self._flagging(hit)]
        if not taken:
            return self.text
        free = list(self.text)
        for start, end in taken:
            free[start:end] = " " * (end - start)
        return "".join(free)

    def _flagging(self, hit: Hit) -> Iterator[tuple[int, int]]:
        """Where a cue is compared as a flag, not as a word: nowhere in the 现 of 现存."""
        if "guess" in hit.kinds and DENIAL.search(self.text, hit.start, hit.end):
            taken = False
        elif hit.kinds.isdisjoint(_FLAG_CUES):
            taken = "negation_behind" in hit.kinds and _FORBIDS.search(self.text, hit.start, hit.end) is not None
        else:
            begins = hit.end - hit.start == 1 and "now" in hit.kinds
            taken = not (begins and is_word(self.text[hit.start : hit.start + 2]))
            taken = taken and (bool(self.values) or not _DIRECTED.search(self.text, hit.start, hit.end))
        if taken:
            yield hit.start, hit.end

    @lazy
    def runs(self) -> list[Run]:
        """Its runs of Han, kana or Hangul."""
        return [_run(match.start(), match[0], self) for match in RUN.finditer(self._free)]

    @lazy
    def words(self) -> list[Word]:
        """Its Latin words that carry meaning."""
        written = self.said.written
        found = []
        for match in _WORD.finditer(self._free):
            initial = written[match.end() : match.end() + 1] == "." and _INITIALS.fullmatch(match[0]) is not None
            shouted = len(match[0]) > 1 and written[match.start() : match.end()].isupper()
            if not initial and (shouted or not self._is_light(match[0], match.start(), match.end())):
                found.append(_word(match.start(), match[0], written, self.lexicon))
        return found

    def _is_light(self, word: str, start: int, end: int) -> bool:
        """Whether a Latin word carries nothing: of, long behind a number, only in front of one."""
        near = word in _LENGTHS and any(0 <= start - value.end <= 2 for value in self.values)
        few = word == "only" and any(0 <= value.start - end <= 2 for value in self.values)
        return near or few or word in tables()["light"] or (word in _TAKING and bool(self.values))

    @lazy
    def names(self) -> list[tuple[Word, ...]]:
        """Its Latin words, those of one name together."""
        found: list[tuple[Word, ...]] = []
        end = 0
        for word in self.words:
            both = bool(found) and word.hard and found[-1][-1].hard
            if both and not _BETWEEN_NAMES.search(self.text, end, word.start):
                found[-1] = (*found[-1], word)
            else:
                found.append((word,))
            end = word.start + len(word.text)
        return found

    @lazy
    def tags(self) -> list[tuple[int, int, str]]:
        """Its Han words with their parts of speech."""
        return list(_tagged(self.text)) if RUN.search(self.text) else []

    @lazy
    def people(self) -> list[tuple[int, int]]:
        """Persons' names in Han."""
        return [(start, end) for start, end, tag in self.tags if tag == "nr" and 2 <= end - start <= 3]

    @lazy
    def lists(self) -> bool:
        """Whether it is a list of Latin words: grass and sedges."""
        return bool(self.words) and not self.runs and _LIST.fullmatch(self.text) is not None

    @lazy
    def nominal(self) -> bool:
        """Whether it is nothing but one name or noun in Han, whose parts stand together."""
        named = all(tag[0] in "nbjsz" or tag in ("eng", "x") for _, _, tag in self.tags)
        return named and len(self.tags) > 1 and len(self.runs) == 1 and not (self.words or self.values)

    @lazy
    def turns(self) -> list[Hit]:
        """Places between two parties of which one does something to the other."""
        found = [
            hit for hit in self.hits if "direction" in hit.kinds and not _DESCRIBES.search(self.text, 0, hit.start)
        ]
        if found:
            return found
        if len(self.people) == _PAIR and self.said.at(self.people[0][0]) is self.said.at(self.people[1][0]):
            return [Hit(self.people[0][1], self.people[0][1], frozenset())]
        names = [one.start for one in self.words if one.hard]
        return [
            Hit(one.start, one.start + len(one.text), frozenset())
            for one in self.words
            if not one.hard and names and names[0] < one.start < names[-1]
        ]

    @lazy
    def of_all(self) -> bool:
        """Whether it speaks of all."""
        return ALL.search(self.text) is not None

    @lazy
    def only_names(self) -> bool:
        """Whether it says nothing of its own about the names and values in it."""
        return (not self.runs and all(word.hard for word in self.words)) or self.nominal

    @lazy
    def bare(self) -> bool:
        """Whether it is nothing but one value."""
        return len(self.values) == 1 and not RUN.search(self._free) and not self.words

    def flags(self, place: int) -> tuple[frozenset[str], int]:
        """The point's own flags at a place, and how often it denies it."""
        return self.said.at(place).flags(place, own=True) if self.said.turned else UNTURNED


class Point:
    """A key point with its aliases, prepared once."""

    def __init__(self, text: str, lexicon: Lexicon = DEFAULT) -> None:
        match = _GLOSS.match(text.strip()) if "(" in text or "（" in text else None
        texts = [match["head"], match["alias"]] if match else [text]
        texts += lexicon.wordings(text)[1:]
        self.forms = [Form(one, lexicon) for one in texts]
        days = _DAYS.fullmatch(text.strip())
        self.days = [Form(days[1] + "天", lexicon)] if days else []
        """A number of 日, which may be a day of the month, as so many days."""
        place = _PLACE.match(text.strip()) if ", " in text else None
        self.heads = [Form(place[1], lexicon)] if place else []
        """A place without the region it lies in: Los Angeles for Los Angeles, California."""

    @lazy
    def limited(self) -> dict[str, list[Form]]:
        """A point that is nothing but one value as a limit: 最多500人 for 500人, where the question asks how many at
        most."""
        alone = [form for form in self.forms if form.bare and not form.values[0].limit.side]
        return {
            side: [Form(words[form.values[0].measure == "date"] + form.text, form.lexicon) for form in alone]
            for side, words in _LIMITED.items()
        }


def span_of(value: Value) -> tuple[int, int]:
    """The place of a value with its limit."""
    if not value.limit.side:
        return value.start, value.end
    return min(value.start, value.limit.start), max(value.end, value.limit.end)


def _tagged(text: str) -> Iterator[tuple[int, int, str]]:
    at = 0
    for word, tag in tag_words(text):
        if RUN.match(word):
            yield at, at + len(word), tag or "x"
        at += len(word)


def _run(start: int, text: str, form: Form) -> Run:
    same: dict[int, list[tuple[str, tuple[str, ...]]]] = {}
    words = dict(_cut(text))
    for at, char in enumerate(text):
        for size in form.lexicon.sizes(char):
            others = form.lexicon.same(text[at : at + size]) if at + size <= len(text) else ()
            if others and size == 1 < len(text):
                others = tuple(one for one in others if len(one) > 1) if words.get(at) == at + 1 else ()
            if others:
                same.setdefault(at, []).append((text[at : at + size], others))
    persons = tuple((a - start, b - start) for a, b in form.people if start <= a and b <= start + len(text))
    return Run(start, text, same, words, dict(_within(text, words)), persons, {})


def _within(text: str, words: dict[int, int]) -> Iterator[tuple[int, tuple[int, int]]]:
    """The places inside the words of a run that are not found in parts, with these words."""
    light = tables()["light"]
    for first, last in words.items():
        if last - first > 1 and (whole_word(text[first:last]) or text[first:last] in light):
            yield from ((place, (first, last)) for place in range(first + 1, last))


def _cut(text: str) -> Iterator[tuple[int, int]]:
    at = 0
    for word in cut_words(text):
        yield at, at + len(word)
        at += len(word)


def whole_word(word: str) -> bool:
    """Whether a word is not found in parts."""
    return len(word) >= _WHOLE_WORD and is_word(word)


def _word(start: int, text: str, written: str, lexicon: Lexicon) -> Word:
    if "_" in text:
        return Word(start, text, (text,), (), (), True)
    digits = any(char.isdigit() for char in text)
    hard = digits or (written[start].isupper() and not _only_opens(start, text, written))
    if digits:
        keys = tuple(key for key in token_keys(text) if key == text or key.isdigit())
        return Word(start, text, (*keys, text.replace("-", "")), (), (text.replace("-", " "),) * ("-" in text), True)
    return replace(_met_by(text, hard, lexicon), start=start)


@lru_cache(maxsize=2048)
def _met_by(text: str, hard: bool, lexicon: Lexicon) -> Word:
    """A word of no place yet: points share many of them."""
    own = (*token_keys(text)[::2], text.removesuffix("'s"), text + "s", _singular(text)) if hard else token_keys(text)
    same = lexicon.same(text) if hard else lexicon.same_stems(root(text))
    keys = (*own, *(other for other in same if " " not in other))
    opposite = () if hard else lexicon.opposite_stems(root(text))
    phrases = tuple(other for other in (*same, *lexicon.same(text)) if " " in other)
    return Word(0, text, tuple(dict.fromkeys(keys)), opposite, phrases, hard)


def _singular(text: str) -> str:
    """A name without the s of its plural."""
    return text[:-1] if len(text) > _PLURAL and text.endswith("s") and not text.endswith("ss") else text


def _only_opens(start: int, text: str, written: str) -> bool:
    """Whether a word has its capital only because it is the first of several, and no name goes on behind it."""
    behind = written[start + len(text) :].lstrip()
    inside = any(char.isupper() for char in written[start + 1 : start + len(text)])
    return not written[:start].strip() and behind[:1].islower() and not inside
