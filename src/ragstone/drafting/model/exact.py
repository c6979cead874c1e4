"""Whether a model's quotation is exactly what its question asks for: that cell, all of a list, no limit cut off."""

import re

from ragstone.drafting.answers.cases import EXEMPTS
from ragstone.drafting.corpus import Paper
from ragstone.drafting.model.answering import LIGHT
from ragstone.drafting.questions.lists import cells_of
from ragstone.drafting.questions.parts import plain
from ragstone.reading.tokens import TOKEN, root
from ragstone.reading.values.names import find_names
from ragstone.reading.values.values import values
from ragstone.text.fold import fold, squeeze
from ragstone.text.late import late

_ASKS_YEAR = late(r"哪一?年|\b(?:which|what) year\b", re.IGNORECASE)
_LIMITS = (
    (
        late(r"(?:\b(?:up to|at most|no more than|not exceed|maximum of)|最多|至多|不得?超过|最高)\s*$"),
        late(r"\b(?:up to|at most|most|more than|maximum|exceed|limit\w*|capped)\b|最多|至多|超过|最高|最大|上限|封顶"),
    ),
    (
        late(r"(?:\b(?:at least|no (?:less|fewer) than|minimum of)|至少|不少于|不低于|最低)\s*$"),
        late(r"\b(?:at least|least|less than|fewer than|minimum)\b|至少|最少|少于|低于|最低|最小|下限"),
    ),
)
"""What stands before a limit, and what a question may say of it."""
_OVER = late(r"\s*(?:per \w+ )?(?P<word>above|below|over|under|plus|minus|以上|以下|以内)\b")
_OF = late(
    r"\bhow (?:much|many)(?: (?P<unit>[a-z]+) of)? "
    r"(?P<what>(?:(?!(?:is|are|was|were|do|does|did|can|may|must|should|will|has|have)\b)[a-z-]+ ?)+)"
)
_EXTRA = late("(?P<what>[^，。；]{2,10})另(?:计|收|付|算)，[^。；]*$")
_JOINED = late(r"\s*(?:、|,? (?:and|or)\b|, |和|及|以及|与|或)")
_ANOTHER = late(r"(?:,| and| &) [A-Z][\w'’-]+ [A-Z]|、|(?:和|与|及|以及)[\u4e00-\u9fff]")
_JOINS = late(r"(?:、|\b(?:and|or) |, |和|及|与|或)$")
_SEVERAL = late(r"、|, | (?:and|or) |哪些")
_CUTS = late(r"[，；。]|[,;.](?!\d)")


def value_alone(question: str, page: str, span: tuple[int, int]) -> tuple[int, int]:
    """A quotation without words before its value that its question says: employ 180 people."""
    start, end = span
    found = values(page[start:end])
    before = fold(page[start : start + found[0].start]) if len(found) == 1 else ""
    asked = fold(question)
    said = {root(word) for word in TOKEN.findall(asked)}
    han = all(char in asked for char in squeeze(re.sub("[为是]$", "", before)) if char >= "\u2e80")
    told = [root(word) for word in TOKEN.findall(before) if word not in LIGHT]
    latin = not told or (any(word in said for word in told) and not any(one.search(before) for one, _ in _LIMITS))
    return (start + found[0].start, end) if before and han and latin else span


def is_inexact(question: str, paper: Paper, page: int, span: tuple[int, int], sentence: tuple[int, int]) -> str:
    """Return what a quotation has too little of, or of what else it is, or nothing."""
    text, (start, end) = paper.page(page), span
    gold, asked = text[start:end], plain(question)
    told = values(gold)
    if _ASKS_YEAR.search(asked) and told and all(one.measure != "date" for one in told):
        return "no_value"
    if _is_other_cell(question, paper, page, span):
        return "two_places"
    if told and _loses_limit(asked, text, span):
        return "quote_cut"
    if not told and _is_listed(question, text, span):
        return "half"
    first, last = sentence
    if told and _is_of_another(fold(question), text[first:last], start - first, end - first):
        return "two_places"
    if extra := _EXTRA.search(plain(text[first:start])):
        return "" if extra["what"] in asked else "needs_context"
    clauses = _CUTS.split(plain(text[end : max(end, last)]))
    exempts = EXEMPTS.search(clauses[1]) if told and len(clauses) > 1 else None
    return "excepted" if exempts and exempts[0] not in asked else ""


def _is_other_cell(question: str, paper: Paper, page: int, span: tuple[int, int]) -> bool:
    """Say whether a quotation is a cell of another row or column than a question names."""
    rows = [block for block in paper.blocks if block.form == "row" and block.page == page]
    at = next((at for at, row in enumerate(rows) if row.start <= span[0] < row.end), None)
    if at is None:
        return False
    first = at
    text = paper.page(page)
    while first and text[rows[first - 1].end : rows[first].start].count("\n") == 1:
        first -= 1
    head, cells = (cells_of(text[rows[one].start : rows[one].end]) for one in (first, at))
    if first == at or len(head) != len(cells):
        return False
    column = text[rows[at].start : span[0]].removeprefix("|").count("|")
    asked = squeeze(question)
    named = [name for name in head[1:] if name and squeeze(name) in asked]
    named = [name for name in named if not any(name != other and name in other for other in named)]
    beside = [cell for n, cell in enumerate(cells) if n != column and n]
    alike = any(
        {one.measure for one in values(cell)} & {one.measure for one in values(cells[column])} for cell in beside
    )
    if column and (squeeze(cells[0]) not in asked or (named and head[column] not in named)):
        return True
    return bool(column) and not named and alike


def _loses_limit(asked: str, text: str, span: tuple[int, int]) -> bool:
    """Say whether a limit or a base is left out that neither the quotation nor the question tells."""
    before, asked = plain(text[max(0, span[0] - 20) : span[0]]).lower(), asked.lower()
    over = _OVER.match(plain(text[span[1] : span[1] + 40]))
    return any(limit.search(before) and not said.search(asked) for limit, said in _LIMITS) or bool(
        over and over["word"] not in asked
    )


def _is_listed(question: str, text: str, span: tuple[int, int]) -> bool:
    """Say whether a quotation is only a part of what is counted off, or one of several persons."""
    gold, before, after = text[slice(*span)], text[max(0, span[0] - 10) : span[0]], text[span[1] : span[1] + 60]
    person = any(one.kind == "person" and one.end - one.start == len(gold) for one in find_names(gold))
    if person and _ANOTHER.match(after):
        return True
    if not _SEVERAL.search(f"{gold} {question}"):
        return False
    goes_on = _JOINED.match(after) is not None and not re.match(r"\s*, (?:who|which|that)\b", after)
    return goes_on or _JOINS.search(before) is not None


def _is_of_another(asked: str, text: str, start: int, end: int) -> bool:
    """Say whether a question asks how much of something, and a value stands before it that is not the one quoted."""
    found = _OF.search(asked)
    if not found:
        return False
    wanted = [root(word) for word in found["what"].split()]
    behind = [(one, _first_words(text, one.end, len(wanted))) for one in values(text)]
    own = _first_words(text, end, len(wanted) + _MORE)
    if found["unit"] and own and not set(wanted) & set(own):
        return True
    return any(words == wanted for one, words in behind if not (one.start < end and start < one.end))


_MORE = 3
"""Words that may stand between a value's “of” and what is asked for."""


def _first_words(text: str, at: int, most: int) -> list[str]:
    """The words behind a value and its “of”, up to the end of what is joined to it."""
    tail = re.split(r"[,.;]|\b(?:plus|and|or|into|in|to)\b", fold(text[at:]))[0]
    return [root(word) for word in TOKEN.findall(tail.removeprefix(" of"))][:most]
