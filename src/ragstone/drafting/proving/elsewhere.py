"""Whether another document answers a question too: clause for clause, or in the question's own words beside a value."""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple

from ragstone.drafting.corpus import RULES, Corpus, Paper
from ragstone.drafting.draft import Draft
from ragstone.drafting.faults import ABOUT, measures_of, pairs_of
from ragstone.drafting.mentions import COUNTS, NO_COUNT, holds_kind, names_in, stem
from ragstone.drafting.proving.frame import frame_of
from ragstone.drafting.questions.chinese_clauses import clauses_of
from ragstone.drafting.questions.parts import plain
from ragstone.reading.tokens import root
from ragstone.reading.values.values import values
from ragstone.text.fold import bare, fold, squeeze
from ragstone.text.late import late

_MOST, _SOME = 0.5, 0.25
"""Share of a question's own words that stand beside a value of its kind, or beside its very answer."""
_MORE = {False: 2, True: 8}
"""Characters that a clause says besides its gold; in Latin letters."""
_JOINS = late("[的是为為]")
_TITLE_NAME = late(r"[A-Z][A-Za-z0-9-]{3,}|^[《“「]?[\u3400-\u9fff]{2}")
"""What of a title may be a name; a Chinese one begins with it."""


def stands_in(quote: str, gold: str, paper: Paper) -> bool:
    """Say whether a document holds the clause that tells a gold, or its whole sentence where that says no more."""
    said = _clause_of(quote, gold)
    at = paper.bare.find(said) if said else -1
    while at >= 0:
        before, after = paper.bare[at - 1 : at], paper.bare[at + len(said) :][:1]
        if not (said[0].isdigit() and before.isdigit()) and not (said[-1].isdigit() and after.isdigit()):
            return True
        at = paper.bare.find(said, at + 1)
    return False


def _clause_of(quote: str, gold: str) -> str:
    told = bare(gold)
    pieces = [quote[one.start : one.end] for one in clauses_of(plain(quote))]
    said = (one for one in map(bare, [*pieces, quote]) if told in one)
    return next((one for one in said if len(one) - len(told) >= _MORE[one.isascii()]), "")


def told_by_namesake(draft: Draft, corpus: Corpus) -> bool:
    """Say whether a document of the same title, or of one that holds a source's title, answers a question too."""
    title, wanted = squeeze(draft.topic), _wanted(draft)
    others = (paper for paper in corpus.holding(draft.topic) if paper.name not in draft.documents)
    titled = ((paper, squeeze(paper.title)) for paper in others)
    same = (paper for paper, called in titled if called == title or (wanted.titles and title in called))
    return any(_restates(paper, wanted._replace(titles=frozenset())) for paper in same)


class _Wanted(NamedTuple):
    """What a paragraph must say to answer a question."""

    draft: Draft
    words: frozenset[str]
    """The question's own, without its document's title and section."""
    names: tuple[frozenset[str], ...]
    """Of each of these one."""
    titles: frozenset[str]
    """What of its document's title may be a name, beside which the very answer is enough."""
    golds: frozenset[str]
    values: frozenset[tuple[str, object]]
    """The answers, as they are written and as what they measure."""


def restated(draft: Draft, papers: Iterable[Paper]) -> bool:
    """Say whether other documents answer a question, whatever their titles: clause for clause, or in other words."""
    wanted = _wanted(draft)
    return any(_restates(paper, wanted) for paper in papers if paper.name not in draft.documents)


def _wanted(draft: Draft) -> _Wanted:
    begun = ABOUT.match(draft.question)
    asked = draft.question[begun.end() :] if begun else draft.question
    is_source = (begun and begun[0][0] not in "关關") or RULES.search(plain(draft.topic))
    names = [frozenset(map(fold, names_in(asked.replace(draft.topic, ""))))]
    if draft.topic in draft.question and not is_source:
        names.append(frozenset(map(fold, {stem(draft.topic), *names_in(draft.topic)})))
    written = fold(" ".join(point.text for point in draft.points))
    said = pairs_of(_JOINS.sub("\n", asked.replace(draft.topic, "\n")))
    words = frozenset(map(_stem_of, (one for one in said if one not in written))) or said
    titles = frozenset(fold(one) for one in _TITLE_NAME.findall(draft.topic) if is_source)
    golds = frozenset(bare(point.text) for point in draft.points)
    told = frozenset(one for point in draft.points for one in _values_of(point.text))
    return _Wanted(draft, words, tuple(one for one in names if one), titles, golds, told)


def _stem_of(word: str) -> str:
    """What all forms of an English word begin with: batter of battery, batteries."""
    begun = root(word) if word.isascii() else word
    return begun if word.startswith(begun) else begun[:-1]


def _values_of(text: str) -> Iterator[tuple[str, object]]:
    """What is told, in whatever unit it is counted: a bare number may be of anything."""
    return (("" if one.measure in (*COUNTS, "bare") else one.measure, one.low) for one in values(text))


def _restates(paper: Paper, wanted: _Wanted) -> bool:
    if any(stands_in(point.place.quote, point.text, paper) for point in wanted.draft.points):
        return True
    about = fold(paper.title)
    if not _may_be_it(f"{about} {paper.folded}", wanted):
        return False
    return any(_answers(text, f"{about} {above}", wanted) for above, text in _paragraphs(paper))


def _may_be_it(said: str, wanted: _Wanted) -> bool:
    """Say whether a text holds some of a question's words, or names its document."""
    named = any(name in said for name in wanted.titles)
    return named or (_share(wanted, said) >= _SOME and _names(wanted, said))


def _share(wanted: _Wanted, text: str) -> float:
    return sum(word in text for word in wanted.words) / max(1, len(wanted.words))


def _names(wanted: _Wanted, text: str) -> bool:
    return all(any(name in text for name in names) for names in wanted.names)


def _answers(text: str, above: str, wanted: _Wanted) -> bool:
    said = f"{above} {fold(text)}"
    if not _may_be_it(said, wanted):
        return False
    if any(gold in bare(text) for gold in wanted.golds) or not wanted.values.isdisjoint(_values_of(text)):
        return True
    return _share(wanted, said) > _MOST and _names(wanted, said) and _has_kind(text, wanted.draft)


def _has_kind(text: str, draft: Draft) -> bool:
    """Say whether a text holds a value that a question may ask for; of units that are not known, any number."""
    if draft.kind == "person":
        return holds_kind(text, draft, draft.topic)
    wanted, found = measures_of(draft.points[0]), {one.measure for one in values(text)}
    loose = not wanted.isdisjoint(("bare", *COUNTS))
    return not wanted or not found.isdisjoint(wanted) or (loose and bool(found - NO_COUNT))


@lru_cache(64)
def _paragraphs(paper: Paper) -> tuple[tuple[str, str], ...]:
    """What a document says, headings and block quotes too, each below what stands above it: section, header, lead."""
    found: list[tuple[str, str]] = []
    blocks = {page: list(run) for page, run in groupby(paper.blocks, key=attrgetter("page"))}
    for page in paper.pages:
        here, lead = 0, ""
        for block in blocks.get(page.number, ()):
            found += _lines(page.text[here : block.start])
            said, here = page.text[block.start : block.end], block.end
            header = frame_of(paper, paper.place(block.page, block.start, block.end)).header
            found.append((fold(" ".join((block.section, *header, lead))), said))
            lead = said if said.endswith(("?", "？", ":", "：")) else lead if block.form == "item" else ""
        found += _lines(page.text[here:])
    return tuple(found)


def _lines(text: str) -> list[tuple[str, str]]:
    return [("", line) for line in text.splitlines() if line.strip()]
