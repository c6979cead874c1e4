"""Which of all questions are taken: seeded, spread over documents, sections, kinds and difficulties."""

from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from hashlib import sha256
from math import ceil, inf
from operator import itemgetter

import msgspec
from msgspec import Struct

from ragstone.core.types import Failure
from ragstone.drafting.clashes import Facts
from ragstone.drafting.comparisons import compared
from ragstone.drafting.corpus import Corpus, Paper
from ragstone.drafting.draft import Draft, Place
from ragstone.drafting.faults import ABOUT, Asked, fits_elsewhere
from ragstone.drafting.find import Found, find
from ragstone.drafting.proving.elsewhere import told_by_namesake
from ragstone.drafting.questions.parts import Refused

PER_SECTION = 2
PER_TABLE = 4
"""Cells of one table, where there are documents enough; twice as many of all tables of a document."""
MOST_OF_KIND = 0.3
"""Share of one kind, while there are others."""
COMPARED = 0.1
"""Share of questions that compare."""
_OF_TABLES = ("table", "comparison")
_POOL = 4
"""Documents read for each question wished for, before the first is chosen."""


Accepts = Callable[[Draft], bool]


def _any(draft: Draft) -> bool:
    return True


class Drawn(Struct, frozen=True):
    """The questions taken, why others were not, and how many were wished for."""

    drafts: tuple[Draft, ...]
    refused: dict[str, int]
    wished: int
    documents: int
    """Documents there are."""
    read: int
    """Documents looked into; with a model, passages shown."""
    stopped: str = ""
    """Why there are not enough: budget, failures, passages."""
    failure: Failure | None = None
    """Why the last call that failed did."""
    absent_wished: int = 0
    """How many were to have no answer."""
    missed: dict[str, int] = {}
    """Why other questions could not be turned into such, where there are too few."""
    kept: int = 0
    """Drafts that stood in the file before, and are not among these."""
    absent_kept: int = 0
    """Those of them that have no answer."""

    @property
    def absent(self) -> int:
        """How many have no answer."""
        return self.absent_kept + sum(draft.absent is not None for draft in self.drafts)

    @property
    def used(self) -> int:
        """Documents that gave a question."""
        return len({name for draft in self.drafts for name in draft.documents})

    @property
    def sections(self) -> int:
        """Sections that gave a question."""
        return len({(draft.documents[0], draft.section) for draft in self.drafts if draft.documents})


def order(seed: int, *parts: str) -> str:
    """A key that sorts the same on every machine."""
    return sha256(msgspec.json.encode((seed, *parts))).hexdigest()


class Taking:
    """What was taken so far, and the limits."""

    def __init__(
        self, corpus: Corpus, size: int, papers: int, fits: Callable[[Draft, str, Corpus], bool] = fits_elsewhere
    ) -> None:
        self.corpus, self.size, self.fits = corpus, size, fits
        self.per_document: float = 3 * ceil(size / max(1, papers))
        self.per_section: float = PER_SECTION
        self.per_table = max(PER_TABLE, ceil(size / max(1, 2 * papers)))
        self.tables: Counter[tuple[str, ...]] = Counter()
        self.again = False
        """Whether a sentence may be asked about twice."""
        self.drafts: list[Draft] = []
        self.refused: Counter[str] = Counter()
        self.kinds: Counter[str] = Counter()
        self.documents: Counter[str] = Counter()
        self.sections: Counter[tuple[str, str]] = Counter()
        self.places: set[Place] = set()
        self.facts = Facts()
        self.asked = Asked()

    def full(self) -> bool:
        """Whether there are enough."""
        return len(self.drafts) >= self.size

    def has_room(self, draft: Draft) -> bool:
        """Whether the caps leave room for a draft."""
        section = (draft.points[0].place.document, draft.section)
        if draft.difficulty == "easy" and not self.again and draft.points[0].place in self.places:
            return False
        if draft.kind in _OF_TABLES and any(
            self.tables[one] >= n * self.per_table for n, one in enumerate((section, section[:1]), 1)
        ):
            return False
        cap = self.per_document if draft.section == draft.topic else self.per_section
        return (
            all(self.documents[name] < self.per_document for name in draft.documents) and self.sections[section] < cap
        )

    def take(self, draft: Draft, subject: str) -> bool:
        """Take a draft unless something speaks against it; a reason is counted."""
        place = draft.points[0].place
        if self.asked.repeats(draft.question, wholly=draft.kind == "table"):
            self.refused["repeats"] += 1
        elif self.facts.clash(draft):
            self.refused["clashes"] += 1
        elif draft.difficulty == "easy" and (
            self.fits(draft, subject, self.corpus) or told_by_namesake(draft, self.corpus)
        ):
            self.refused["two_places"] += 1
        else:
            self.asked.take(draft.question)
            self.drafts.append(draft)
            self.kinds[draft.kind] += 1
            self.documents.update(draft.documents)
            self.facts.take(draft)
            if draft.difficulty == "easy":
                self.places.update(point.place for point in draft.points)
            self.sections[place.document, draft.section] += 1
            if draft.kind in _OF_TABLES:
                self.tables.update(((place.document, draft.section), (place.document,)))
            return True
        return False

    def drawn(self, size: int, seed: int, *, read: int, stopped: str = "", failure: Failure | None = None) -> Drawn:
        """Return what was taken, in an order of its own."""
        chosen = tuple(sorted(self.drafts, key=lambda draft: order(seed, draft.question)))
        refused = dict(self.refused.most_common())
        return Drawn(chosen[:size], refused, size, len(self.corpus.papers), read, stopped, failure)


def draw(corpus: Corpus, size: int, *, seed: int = 7, accepts: Accepts = _any) -> Drawn:
    """Take at most `size` questions from documents, without a model; `accepts` says which a contract has a form for."""
    papers = sorted(corpus.papers, key=lambda paper: order(seed, paper.name))
    taking = Taking(corpus, size, len(papers))
    pools: dict[str, _Pool] = {}
    for paper in papers[: max(size * _POOL, 50)]:
        pools[paper.name] = _pool(paper, seed, taking.refused, accepts)
    pairs = [draft for draft in compared(_all(pools)) if accepts(draft)]
    _take_compared(taking, pairs, round(size * COMPARED), seed)
    _take_easy(taking, pools, size, MOST_OF_KIND)
    _widen(taking, pools, size)
    for paper in papers[len(pools) :]:
        if taking.full():
            break
        pools[paper.name] = _pool(paper, seed, taking.refused, accepts)
        _take_easy(taking, {paper.name: pools[paper.name]}, size, inf)
    taking.per_document = taking.per_section = inf
    for taking.again in (False, True):
        _take_easy(taking, pools, size, inf)
    if left := sum(1 for _ in _all(pools)):
        taking.refused["spread"] += left
    return taking.drawn(size, seed, read=len(pools))


def _widen(taking: Taking, pools: dict[str, "_Pool"], size: int) -> None:
    """Loosen one limit after another: sections, then documents, then kinds."""
    for wider in (1, 2):
        taking.per_document *= wider
        taking.per_section = taking.per_document
        _take_easy(taking, pools, size, MOST_OF_KIND)
    for share in (1.5 * MOST_OF_KIND, inf):
        _take_easy(taking, pools, size, share)


_Rank = tuple[bool, int]
"""Whether a question is rough, and its place among those of its document."""
_PLAIN = (34, 100)
"""Characters of a plain question, without what names its document; in English."""


def _is_rough(draft: Draft) -> bool:
    """Say whether a question is of several clauses, long, or for a mere yes or no; plain ones are taken first."""
    asked = ABOUT.sub("", draft.question)
    return draft.kind == "yes_no" or "，" in asked or len(asked) > _PLAIN[draft.writing == "en"]


class _Pool:
    """The questions of a document: of each kind those that were not tried yet, and those that had no room."""

    def __init__(self, found: Iterable[Found]) -> None:
        self.kinds: dict[str, deque[tuple[_Rank, Found]]] = {}
        self.aside = [((_is_rough(one.draft), at), one) for at, one in enumerate(found)]

    def __iter__(self) -> Iterator[Found]:
        return (one for _, one in self._left())

    def _left(self) -> list[tuple["_Rank", Found]]:
        places = [*self.aside, *(place for kind in self.kinds.values() for place in kind)]
        return sorted(places, key=itemgetter(0))

    def reopen(self) -> None:
        """Try again those that had no room; the limits are wider now."""
        found, self.kinds, self.aside = self._left(), {}, []
        for place in found:
            self.kinds.setdefault(place[1].draft.kind, deque()).append(place)

    def next(self, taking: "Taking", most_of_kind: float) -> Found | None:
        """Take out the next question that has room: a plain one, of the kind there are fewest of."""

        def rank(kind: str) -> tuple[bool, int, int]:
            rough, at = self.kinds[kind][0][0]
            return rough, taking.kinds[kind], at

        while waiting := [kind for kind, places in self.kinds.items() if places]:
            kind = min(waiting, key=rank)
            if taking.kinds[kind] >= most_of_kind:
                return None
            place = self.kinds[kind].popleft()
            if taking.has_room(place[1].draft):
                return place[1]
            self.aside.append(place)
        return None


def _all(pools: dict[str, _Pool]) -> Iterator[Found]:
    for pool in pools.values():
        yield from pool


def _pool(paper: Paper, seed: int, refused: Counter[str], accepts: Accepts) -> _Pool:
    found = []
    for one in find(paper):
        if isinstance(one, Refused):
            refused[one.reason] += 1
        elif accepts(one.draft):
            found.append(one)
        elif one.draft.kind != "section":
            # A whole section is made for one contract; for another it is nothing that was refused.
            refused["no_form"] += 1
    return _Pool(sorted(found, key=lambda one: order(seed, one.draft.question)))


def _take_compared(taking: Taking, drafts: Iterable[Draft], most: int, seed: int) -> None:
    """Take questions that compare until there are so many."""
    for draft in sorted(drafts, key=lambda draft: order(seed, draft.question)):
        if len(taking.drafts) >= most:
            return
        if taking.has_room(draft):
            taking.take(draft, "")


def _take_easy(taking: Taking, pools: dict[str, _Pool], most: int, of_kind: float) -> None:
    """Take one question from each document in turn, of the kind there are fewest of; `of_kind` is a kind's share."""
    waiting = list(pools.values())
    for pool in waiting:
        pool.reopen()
    limit = max(2, taking.size * of_kind)
    while waiting and len(taking.drafts) < most:
        waiting = [pool for pool in waiting if _one_more(taking, pool, most, limit)]


def _one_more(taking: Taking, pool: _Pool, most: int, most_of_kind: float) -> bool:
    """Take one question of a document; say whether there may be another."""
    while len(taking.drafts) < most:
        one = pool.next(taking, most_of_kind)
        if one is None:
            return False
        if taking.take(one.draft, one.subject):
            return True
    return False


Parts = tuple[tuple[Draft, ...], tuple[Draft, ...]]


def split(drafts: Sequence[Draft], seed: int, share: float) -> Parts:
    """Cut drafts into two sets that have no document in common; `share` is about how much goes to the first."""
    first, taken = set[str](), 0
    counted = Counter(draft.documents[0] for draft in drafts)
    for name in sorted(counted, key=lambda name: order(seed, name)):
        if taken < share * len(drafts):
            first.add(name)
            taken += counted[name]
    inside, rest = (tuple(draft for draft in drafts if (draft.documents[0] in first) is side) for side in (True, False))
    return inside, rest
