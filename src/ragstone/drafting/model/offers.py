"""What code finds in a sentence that can be asked for: a small model need only write the question."""

from collections.abc import Iterator
from typing import NamedTuple

from ragstone.drafting.corpus import Paper, Sentence
from ragstone.drafting.questions.parts import plain
from ragstone.drafting.questions.slots import slots
from ragstone.reading.statements import Statements
from ragstone.reading.values.names import find_names
from ragstone.reading.values.values import Value, values
from ragstone.text.dates.find import find_dates
from ragstone.text.late import late
from ragstone.text.numbers.find import find_numbers

_KINDS = {"money": "amount", "share": "share", "second": "duration", "month": "duration", "date": "date"}
_UNASKED = frozenset(("definition", "list", "yes_no", "ordinal"))
_SURE = frozenset(("guessed", "hearsay", "asked", "supposed", "unknown", "corrected", "negated", "alternative"))
_JOINED = late(r"[\w.\-–—~/+(#]$")
_GOES_ON = late(r"(?:[\w\-–—~/+%)]|\.\d)")
"""Around a number or name that is part of something longer."""
_MARKUP = late(r"[`\[\]|<>{}=]|[（(《「“]\s*[）)》」”]")
"""Code, and brackets that lost what stood in them."""
_CUT = late("[点分][0-9一二三四五六七八九十]")
"""In words that ask for half of a number: 多少点五度."""
_SHORTEST, _LONGEST, _LONGEST_HAN = 12, 160, 60
"""Characters of a sentence that a small model is shown; fewer where a character is a word."""
_ENGLISH = {
    "date": "When",
    "duration": "How long",
    "amount": "How much",
    "share": "What percentage",
    "count": "How many",
    "person": "Who",
}


class Offer(NamedTuple):
    """An answer in its sentence, and what kind of thing it is."""

    sentence: Sentence
    start: int
    end: int
    kind: str
    words: str
    """What asks for it: 哪一年, How many."""

    @property
    def answer(self) -> str:
        """What the question is to ask for."""
        return self.sentence.text[self.start : self.end]


def offers(paper: Paper) -> Iterator[Offer]:
    """What can be asked for in a document: of a sentence one thing, the only one of its kind there."""
    longest = _LONGEST if paper.writing in ("en", "ko") else _LONGEST_HAN
    for sentence in paper.sentences:
        fits = _SHORTEST <= len(sentence.text) <= longest and not _MARKUP.search(sentence.text)
        if fits and not _points_elsewhere(plain(sentence.text), plain(paper.title)):
            found = [one for one in _all(sentence, paper) if _is_alone(one)]
            kinds = [one.kind for one in found]
            yield from [one for one in found if kinds.count(one.kind) == 1][-1:]


def _is_alone(offer: Offer) -> bool:
    """Say whether a sentence holds a value once, and no other with its unit: 20张，后来新增3张."""
    text = offer.sentence.text
    numbers = find_numbers(text)
    own = [one for one in numbers if offer.start <= one.start < offer.end]
    units = {one.unit for one in own if one.unit}
    return text.count(offer.answer) == 1 and not any(one.unit in units for one in numbers if one not in own)


def _points_elsewhere(text: str, title: str) -> bool:
    """Say whether a sentence is about another thing than its title: 该会议 under the name of a treaty."""
    return text.startswith(("此", "该")) and title[-1:] not in text[1:4]


def _all(sentence: Sentence, paper: Paper) -> Iterator[Offer]:
    text = sentence.text
    flags = Statements(text)
    for one in _found(sentence, paper):
        cut = _JOINED.search(text[: one.start]) or _GOES_ON.match(text[one.end :])
        unsure = flags.written == text and flags.flags(one.start)[0] & _SURE
        if one.answer not in paper.title and not unsure and not (cut and paper.writing in ("en", "ko")):
            yield one


def _found(sentence: Sentence, paper: Paper) -> Iterator[Offer]:
    """Values and people of a sentence; of a Chinese or Japanese one what its own questions are made of."""
    text = sentence.text
    if paper.writing.startswith("zh"):
        for slot in slots(text, plain(text), plain(paper.title), rules=False):
            if slot.kind not in _UNASKED and not _CUT.search(plain(slot.words)):
                yield Offer(sentence, *slot.answer, slot.kind, slot.words)
    elif paper.writing == "ja":
        for start, end, words, kind in _japanese(text):
            yield Offer(sentence, start, end, kind, words)
    else:
        spans = [(one.start, one.end, _KINDS.get(one.measure, "count")) for one in values(text) if _is_one(one)]
        spans += [(one.start, one.end, "person") for one in find_names(text) if one.kind == "person" and one.start]
        for start, end, kind in spans:
            yield Offer(sentence, start, end, kind, _ENGLISH[kind] if paper.writing == "en" else "")


def _japanese(text: str) -> Iterator[tuple[int, int, str, str]]:
    """The dates and counts of a Japanese sentence, what asks for each, and its kind."""
    for day in find_dates(text):
        words = {"year": "何年", "month": "何年何月", "day": "何年何月何日"}.get(day.precision)
        sure = not day.reason and not day.is_range and day.rule == "chinese"
        if words and sure and text[day.end : day.end + 1] in ("に", "、", "。"):
            yield day.start, day.end, words, "date"
    for number in find_numbers(text):
        if number.kind == "count" and number.unit and number.value > 2 and not _LOOSE.match(text[number.end :]):
            yield number.start, number.end, f"何{text[number.end - len(number.unit) : number.end]}", "count"


_LOOSE = late(r"^(?:頃|ごろ|代|から|まで|間|以降|以来|前|後|余|以上|[-~〜～]|度|の|[0-9（(])")


def _is_one(value: Value) -> bool:
    return value.measure == "date" or value.low == value.high
