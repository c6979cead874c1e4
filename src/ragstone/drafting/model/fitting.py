"""Does a quotation answer a model's question, and nothing else in the documents? By what each place says of it.

The place of an answer is its clause, or in a table its row's first cell and its column's head. Of two places with a
value of one kind the one that says more of the question answers it; where neither does, the question fits both.
"""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from ragstone.drafting.corpus import Corpus, Paper, Sentence
from ragstone.drafting.draft import Draft, Place
from ragstone.drafting.faults import pairs_of
from ragstone.drafting.questions.parts import plain
from ragstone.reading.asked import Asked, keys_of, read_question
from ragstone.reading.values.names import find_names
from ragstone.reading.values.values import Value, values
from ragstone.text.fold import fold, squeeze
from ragstone.text.late import late

_CELL = late(r"[^|\n]+")
_THE = late(r"^(?:the|an?) ", re.IGNORECASE)
_NAME = 4
"""Characters of a title that name its subject; it may be a shorter one."""
_NAME_WORDS = 2


class _Place(NamedTuple):
    """Where something stands that may answer, and what is said of it there."""

    start: int
    end: int
    said: str


def named_in(question: str, paper: Paper) -> str:
    """Return the name by which a question says what its document is about, or an empty text."""
    asked, title = plain(question).lower(), _THE.sub("", plain(paper.title).lower())
    beginning = " ".join(title.split()[:_NAME_WORDS]) if title.isascii() else title[:_NAME]
    if squeeze(beginning) in squeeze(asked):
        return paper.title if squeeze(title) in squeeze(asked) else beginning
    names = (question[name.start : name.end] for name in find_names(question))
    return next((name for name in names if fold(name) in paper.folded), "")


def strange_name(question: str, paper: Paper) -> bool:
    """Say whether a question names what its document does not, nor in two parts: its title and a part of what it is."""
    names = (fold(question[name.start : name.end]) for name in find_names(question))
    return not all(one in paper.folded or _in_two(one, paper.folded) for one in names)


def _in_two(name: str, folded: str) -> bool:
    """Say whether a Chinese name is two that a document holds, one behind the other: 云栖诊所药房."""
    cuts = range(2, len(name) - 1) if not name.isascii() else ()
    return any(name[:at] in folded and name[at:] in folded for at in cuts)


def is_other_kind(question: str, gold: str) -> bool:
    """Say whether a quotation's values measure something else than a question asks for: a price for a length."""
    asked, kinds = read_question(question), _measures(gold)
    if not kinds or not asked.exact or not asked.measures or not asked.kinds.isdisjoint(_BY_WORD):
        return False
    # Money that no table of currencies knows is a count, or a bare number: 3 million crowns.
    alone = any(squeeze(value.text) == squeeze(gold) for value in values(gold))
    loose = {"bare", "count"} if "asks_money" in asked.kinds else {"bare"} if alone else set()
    return kinds.isdisjoint(asked.measures | loose)


_BY_WORD = frozenset(("asks_person", "asks_date"))
"""What a question asks for by a word that no measure in it changes: 于哪一年收购."""


def table_around(paper: Paper, page: int, at: int) -> tuple[int, str] | None:
    """The table a place stands in, and where that begins; None where it stands in none."""
    rows = [block for block in paper.blocks if block.form == "row" and block.page == page]
    own = next((number for number, row in enumerate(rows) if row.start <= at < row.end), None)
    if own is None:
        return None
    text, first, last = paper.page(page), own, own
    while first and not text[rows[first - 1].end : rows[first].start].strip():
        first -= 1
    while last + 1 < len(rows) and not text[rows[last].end : rows[last + 1].start].strip():
        last += 1
    return rows[first].start, text[rows[first].start : rows[last].end]


def rivalled(question: str, table: str, start: int, end: int) -> bool:
    """Say whether another cell of a table answers a question as well as what was quoted."""
    asked, kinds, gold = read_question(question), _measures(table[start:end]), values(table[start:end])
    places = list(_cells(table))
    own = next((one for one in places if one.start <= start < one.end), None)
    if own is None or not kinds:
        return False
    score = _score(asked, own.said)
    others = (one for one in places if one is not own and _holds_other(table[one.start : one.end], kinds, gold))
    inside = _holds_other(table[own.start : start] + " " + table[end : own.end], kinds, gold)
    return inside or any(_score(asked, one.said) >= score for one in others)


def _score(asked: Asked, said: str) -> int:
    """What a place says of a question, less what it says beside; all of a label that the question holds says most."""
    label, wanted, there = said.partition("|")[0], _terms(asked.text), _terms(fold(said))
    named = len(wanted & there) + (label != said and squeeze(label) in squeeze(asked.text))
    return 2 * named - len(there - wanted)


def _terms(folded: str) -> frozenset[str]:
    """What a text says: the stems of its words, and all pairs of Han characters."""
    return frozenset(keys_of(folded)) | {pair for pair in pairs_of(folded) if not pair.isascii()}


def _cells(table: str) -> Iterator[_Place]:
    """The cells of a table below its head, each with the names in its row and its column's head."""
    heads: list[str] = []
    at = 0
    for line in table.splitlines(keepends=True):
        cells = [(at + found.start(), at + found.end(), found[0].strip()) for found in _CELL.finditer(line)]
        cells = [one for one in cells if one[2]]
        at += len(line)
        heads = heads or [cell for _, _, cell in cells]
        if len(cells) == len(heads) and cells[0][2] != heads[0]:
            named = [cell for _, _, cell in cells[1:] if not values(cell)]
            for (start, end, own), head in zip(cells[1:], heads[1:], strict=True):
                beside = " ".join(cell for cell in named if cell != own)
                yield _Place(start, end, f"{cells[0][2]}|{head} {heads[0]} {beside}")


def _measures(text: str) -> frozenset[str]:
    return frozenset(value.measure for value in values(text))


def _holds_other(text: str, kinds: frozenset[str], gold: Iterable[Value]) -> bool:
    """Say whether a text holds a value of a kind that is not the one expected."""
    found = (value for value in values(text) if value.measure in kinds)
    return any(not any(one.equals(value) for one in gold) for value in found)


def answered_elsewhere(draft: Draft, subject: str, corpus: Corpus) -> bool:
    """Say whether a sentence other than the one it was made of may answer a question otherwise."""
    asked, place, gold = read_question(draft.question), draft.points[0].place, draft.points[0].text
    said = _said(place, corpus.by_name[place.document])
    least = len(asked.named(fold(f"{said} {draft.section} {draft.topic}")))
    for paper in corpus.holding(subject or draft.topic):
        for one, keys in _kept(paper):
            here = (paper.name, one.page) == (place.document, place.page) and place.start <= one.start < place.end
            if not here and len(asked.keys & keys) >= least and _may_answer(one, gold, asked, draft):
                return True
    return False


def _said(place: Place, paper: Paper) -> str:
    """What is said where a quotation stands: its sentence, or in a table the names of its row and column."""
    table = table_around(paper, place.page, place.start)
    if table is None:
        return place.quote
    return cell_at(table[1], place.start - table[0])


def cell_at(table: str, at: int) -> str:
    """The names of a cell's row and column, of another place in a table its line and the head; nothing elsewhere."""
    if "|" not in table:
        return ""
    line = table[table.rfind("\n", 0, at) + 1 :].partition("\n")[0]
    head = table.lstrip().partition("\n")[0]
    return next((one.said for one in _cells(table) if one.start <= at < one.end), f"{line} {head}")


@lru_cache(64)
def _kept(paper: Paper) -> tuple[tuple[Sentence, frozenset[str]], ...]:
    """The sentences of a document and what each says, under its section and title."""
    above = {name: frozenset(keys_of(fold(f"{name} {paper.title}"))) for name in paper.sections | {""}}
    return tuple((one, above.get(one.section, above[""]) | set(keys_of(fold(one.text)))) for one in paper.sentences)


def _may_answer(one: Sentence, gold: str, asked: Asked, draft: Draft) -> bool:
    """Say whether a sentence holds something else of the kind that was quoted."""
    kinds = _measures(gold)
    if kinds:
        return _holds_other(one.text, kinds, values(gold))
    if "asks_person" in asked.kinds:
        known = fold(f"{draft.question} {draft.topic} {gold}")
        people = (fold(one.text[name.start : name.end]) for name in find_names(one.text) if name.kind == "person")
        return any(name not in known for name in people)
    return asked.keys <= set(keys_of(fold(f"{one.text} {one.section} {draft.topic}"))) and gold not in one.text
