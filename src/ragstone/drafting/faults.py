"""Why a question is not good enough: it holds its answer, fits two places, or was asked already."""

import re
from array import array
from collections.abc import Iterable, Iterator, MutableSequence
from decimal import Decimal
from functools import lru_cache
from itertools import chain
from math import ceil

from ragstone.drafting.corpus import Corpus, Paper, Sentence, bare_title
from ragstone.drafting.draft import Draft, Point
from ragstone.drafting.questions.parts import plain, words
from ragstone.reading.values.values import values
from ragstone.text.fold import squeeze
from ragstone.text.late import late

SAME = 0.7
"""Share of character trigrams from which two questions are the same."""
FITS = 0.6
"""Share of a question's pairs of characters from which another sentence may answer it too."""
ASKING = late(
    r"哪一年|哪年哪月|什么时候|哪个年代|哪个世纪|多少|百分之几|几成|几点|第几|哪里|哪所学校|什么位置|什么职务|哪支球队|什么|谁|哪些|"
    r"^(?:根据《[^》]*》|关于)[^，]*，|^according to “[^”]*”(?: in “[^”]*”)?, |[？?，,。、「」《》“”]"
)
ABOUT = late(
    r"^(?:根[据據]《[^》]*》(?:中「[^」]*」)?，|[关關]于[^，]*，|according to “[^”]*”(?: in “[^”]*”)?, )", re.IGNORECASE
)
"""What stands in front of a question to name its document."""
_LATIN = late("[a-z0-9][a-z0-9.'-]*[a-z0-9]")
_STOP = words(
    "what is are was were the how many much when does did do listed under for which with from that must may can will "
    "each every long of in on by to an at least most about over within after before be and or who"
)
KEPT = 64
_PAIR = 2
_FEW = 200
"""Sentences that are read one by one sooner than an index of them is made."""
_NOWHERE = array("L")
_TELLING = 3
"""The rarest things a question says, of which another sentence of a long document must say one."""
_NEAR = 300
"""Characters between a list and the line that announces it."""
_VALUED = frozenset(("date", "amount", "count", "duration", "share", "ordinal", "time"))


def leaks(question: str, answers: Iterable[str]) -> bool:
    """Say whether a question gives one of its answers away."""
    asked = squeeze(question)
    given = values(question)
    for answer in answers:
        if squeeze(answer) in asked:
            return True
        wanted = values(answer)
        if len(wanted) == 1 and any(
            _same(wanted[0].low, one.low) and one.measure == wanted[0].measure for one in given
        ):
            return True
    return False


def _same(one: object, other: object) -> bool:
    return one == other and not (isinstance(one, Decimal) and one <= 1)


def pairs_of(text: str) -> frozenset[str]:
    """What a question says, without what it asks with: pairs of neighbouring characters, and words in Latin letters."""
    said = "\n".join(ASKING.split(plain(text).lower()))
    words = frozenset(_LATIN.findall(said)) - _STOP
    pieces = _LATIN.sub("\n", said).split("\n")
    return words | {
        piece[at : at + 2] for piece in pieces for at in range(len(piece) - 1) if piece[at : at + 2].strip()
    }


def fits_elsewhere(draft: Draft, subject: str, corpus: Corpus) -> bool:
    """Say whether a sentence other than the one it was made of may answer a question."""
    if draft.kind == "section":
        return False
    wanted = pairs_of(draft.question)
    place = draft.points[0].place
    for paper in corpus.holding(subject or bare_title(draft.topic)):
        if _is_other_edition(paper.title, draft):
            continue
        texts = spoken(paper)
        for at in _worth_reading(draft, wanted, paper):
            one = paper.sentences[at]
            here = (paper.name, one.page) == (place.document, place.page) and place.start <= one.start < place.end
            if not here and _answers(draft, wanted, one, texts[at], paper) and not _contrasts(draft, texts[at]):
                return True
    return False


def _is_other_edition(title: str, draft: Draft) -> bool:
    """Say whether a document is another edition than the one that a question names."""
    return draft.topic in draft.question and title != draft.topic and bare_title(title) == bare_title(draft.topic)


def _contrasts(draft: Draft, other: str) -> bool:
    """Say whether another sentence tells the same of something else than the question names: domestic, foreign."""
    own, other = (_NUMBER.sub("0", text) for text in (plain(draft.points[0].place.quote).lower(), other))
    start = _alike(own, other)
    end = min(_alike(own[::-1], other[::-1]), len(own) - start, len(other) - start)
    mine, there = own[start : len(own) - end].strip(), other[start : len(other) - end].strip()
    return bool(mine and there) and len(mine) <= _NAMED and mine in plain(draft.question).lower() and mine not in other


def _alike(one: str, other: str) -> int:
    """How many characters two texts begin with alike."""
    return next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


_NUMBER = late("[0-9][0-9.,:]*|[〇零一二两三四五六七八九十百千万亿]+")
_NAMED = 24
"""Characters by which two sentences that tell the same of two things may differ."""


def _worth_reading(draft: Draft, wanted: frozenset[str], paper: Paper) -> Iterable[int]:
    """The sentences that may answer: each must hold one of the rarest things a question says."""
    said = {plain(draft.topic).lower()} if draft.kind == "definition" else wanted
    if len(paper.sentences) <= _FEW or not said or any(len(one) < _PAIR for one in said):
        return range(len(paper.sentences))
    index = _index(paper)
    rarest = sorted((min((index.get(pair, _NOWHERE) for pair in _pairs(one)), key=len) for one in said), key=len)
    needed = min(len(said) - ceil(FITS * len(said)) + 1, _TELLING)
    return chain.from_iterable(rarest[:needed])


def _pairs(text: str) -> Iterator[str]:
    return (text[at : at + _PAIR] for at in range(len(text) - 1))


@lru_cache(4)
def _index(paper: Paper) -> dict[str, MutableSequence[int]]:
    """In which sentences of a long document each pair of characters stands."""
    index: dict[str, MutableSequence[int]] = {}
    for at, text in enumerate(spoken(paper)):
        for pair in set(_pairs(text)):
            index.setdefault(pair, array("L")).append(at)
    return index


@lru_cache(KEPT)
def spoken(paper: Paper) -> tuple[str, ...]:
    """The sentences of a document as they are compared; of the documents last asked about."""
    return tuple(plain(one.text).lower() for one in paper.sentences)


def _answers(draft: Draft, wanted: frozenset[str], one: Sentence, text: str, paper: Paper) -> bool:
    if draft.kind == "definition":
        return (
            re.match(rf"{re.escape(plain(draft.topic).lower())}(?:（[^（）]*）|\([^()]*\))?(?:是| is )", text)
            is not None
        )
    if draft.kind == "list" and ("、" not in text or _announces(draft, one, paper)):
        return False
    if not wanted:
        return True
    covered = sum(pair in text for pair in wanted) / len(wanted)
    if covered < FITS:
        return False
    measures = measures_of(draft.points[0]) if draft.kind in _VALUED else frozenset()
    if not measures:
        asked = wanted - pairs_of(draft.topic)
        return sum(pair in text for pair in asked) >= FITS * len(asked)
    return any(value.measure in measures for value in values(one.text))


def measures_of(point: Point) -> frozenset[str]:
    """What a gold measures, read alone and in its sentence: 1861 is a number or a year."""
    inside = (one for one in values(point.place.quote) if one.text in point.text)
    return frozenset(one.measure for one in (*values(point.text), *inside))


def _announces(draft: Draft, one: Sentence, paper: Paper) -> bool:
    """Say whether a sentence is the line above the list that a question asks for."""
    place = draft.points[0].place
    return paper.name == place.document and one.page == place.page and 0 <= place.start - one.start <= _NEAR


def trigrams(text: str) -> frozenset[str]:
    """The character trigrams of a text, width and script apart."""
    plain_text = squeeze(text)
    return frozenset(plain_text[at : at + 3] for at in range(max(1, len(plain_text) - 2)))


class Asked:
    """The questions that were taken; tells whether another is nearly one of them."""

    def __init__(self) -> None:
        self._grams: list[frozenset[str]] = []
        self._questions: list[str] = []
        self._known: set[frozenset[str]] = set()
        self._holding: dict[str, list[int]] = {}

    def repeats(self, question: str, *, wholly: bool = False) -> bool:
        """Say whether a question is nearly, or to the letter, one that was taken; cells of a table are asked alike."""
        mine = trigrams(question)
        if wholly:
            return mine in self._known
        shared: dict[int, int] = {}
        for gram in mine:
            for at in self._holding.get(gram, ()):
                shared[at] = shared.get(at, 0) + 1
        return any(_share(n, mine, self._grams[at]) and self._is_core(question, at) for at, n in shared.items())

    def _is_core(self, question: str, at: int) -> bool:
        """Say whether two questions are nearly the same without what names their document."""
        mine, there = trigrams(ABOUT.sub("", question)), trigrams(ABOUT.sub("", self._questions[at]))
        return _share(len(mine & there), mine, there)

    def take(self, question: str) -> None:
        """Remember a question."""
        mine = trigrams(question)
        for gram in mine:
            self._holding.setdefault(gram, []).append(len(self._grams))
        self._grams.append(mine)
        self._known.add(mine)
        self._questions.append(question)


def _share(both: int, one: frozenset[str], other: frozenset[str]) -> bool:
    return both >= SAME * (len(one) + len(other) - both)
