"""Does an answer state a key point? Yes, no or unsure, and which rule says so; knows no score.

    point = Point.prepare("支持ChromaDB")            # once per key point
    mentions(point, "目前不支持ChromaDB。").verdict    # "no", by the rule "negated"

Rules, in the order they are tried:
verbatim: the point stands in the answer and is not denied, asked, supposed, guessed or corrected;
coverage: its words stand in one sentence or two neighbours, with every number, name and polarity kept.
"""

import re
from bisect import bisect_left
from typing import Literal, NamedTuple

from msgspec import Struct

from ragstone.parsing.cues import cue
from ragstone.parsing.negation import Moods
from ragstone.parsing.sentences import Piece, sentences
from ragstone.parsing.synonyms import OPPOSITE, SAME
from ragstone.parsing.values import Value, values
from ragstone.parsing.words import latin_words, stem, weight, words
from ragstone.text.fold import Placed, bare_with_offsets, fold

Verdict = Literal["yes", "no", "unsure"]

STATED = 0.75
"""Share of a point's words that must be there for yes."""
DOUBTFUL = 0.6
"""Share from which the verdict is unsure instead of no."""

_GLOSS = re.compile(r"\s*[(（【\[]([^()（）【】\[\]]*)[)）】\]]\s*")
_CORRECTED = cue(
    r"^[\s\W]*(?:不对|更正|错了|纠正|应为|应该是|抱歉|correction|wait|actually|sorry)\b|^[\s\W]*(?:不对|更正|错了|纠正)"
)
_DENIED_AFTER = cue(
    r"^[^,.;!?]{0,12}?(?:不|没|未|无法)(?:再|被|受|能|予|在)?(?:支持|提供|包含|包括|可用|兼容|采用|使用|之列|列入|推荐|适用)",
    r"^[^,.;!?]{0,20}?\b(?:is|are|was|were|has|have|will)(?: not|n't| no longer| never)(?: be| been)? (?:\w+ )?(?:support|includ|availab|provid|compatib|used|recommend)",
    r"^(?:之外|以外|除外)",
)
_LATIN_SIDE = re.compile(r"[a-z0-9]")


class Mention(Struct, frozen=True):
    """The verdict on one key point and one answer."""

    verdict: Verdict
    rule: str
    """Code of the rule that decided: verbatim, coverage, negated, asked, number_changed, word_missing …"""
    params: dict[str, str] = {}
    """What the rule speaks of, e.g. {"expected": "42000元", "found": "24000元"}; for a sentence in any language."""
    span: tuple[int, int] | None = None
    """Where in the answer."""
    score: float = 0.0
    """Share of the point's weight found, 0..1."""


class _Unit(NamedTuple):
    text: str
    place: int
    weight: float
    firm: bool
    """A name, noun or Latin word: nothing else may stand for it."""
    latin: bool
    same: tuple[str, ...]
    opposite: tuple[str, ...]
    negated: bool


class _Form(NamedTuple):
    text: str
    bare: str
    units: tuple[_Unit, ...]
    values: tuple[Value, ...]
    asks: bool
    supposes: bool
    guesses: bool
    weight: float


class Point(Struct, frozen=True):
    """A key point made ready for many answers; each form (head, gloss) alone states it."""

    text: str
    forms: tuple[_Form, ...]

    @classmethod
    def prepare(cls, point: str) -> "Point":
        """Cut a gloss in brackets off the head and weigh the words."""
        head = _GLOSS.sub(" ", point).strip() or point
        texts = [head]
        for gloss in _GLOSS.findall(point):
            if _is_alias(gloss, head):
                texts.append(gloss.strip())
        return cls(point, tuple(_form(text) for text in texts))


class Reply(Struct, frozen=True):
    """An answer made ready for many key points."""

    text: str
    folded: str
    bare: Placed
    pieces: tuple[Piece, ...]
    moods: Moods
    values: tuple[Value, ...]
    latin: tuple[tuple[str, str, int], ...]
    """Latin words with their stems and places."""

    @classmethod
    def prepare(cls, answer: str) -> "Reply":
        """Fold, cut into sentences and find moods and values once."""
        folded = fold(answer)
        latin = tuple((word, stem(word), place) for word, place in latin_words(folded))
        return cls(
            answer,
            folded,
            bare_with_offsets(answer),
            tuple(sentences(answer)),
            Moods(folded),
            tuple(values(answer)),
            latin,
        )


def mentions(point: Point | str, answer: Reply | str, question: str = "") -> Mention:
    """Whether the answer states the point explicitly; prepare both when they are used more than once."""
    ready = Point.prepare(point) if isinstance(point, str) else point
    reply = Reply.prepare(answer) if isinstance(answer, str) else answer
    found = [_mention(form, reply) for form in ready.forms]
    return max(found, key=_rank)


def _rank(mention: Mention) -> tuple[int, float]:
    return ("no", "unsure", "yes").index(mention.verdict), mention.score


def _is_alias(gloss: str, head: str) -> bool:
    folded = fold(gloss).strip()
    latin_gloss = bool(re.fullmatch(r"[a-z0-9 .+#/&'-]{2,40}", folded))
    latin_head = bool(re.search(r"[a-z]", fold(head)))
    return latin_gloss != latin_head and len(folded) <= 40 and (latin_gloss or len(folded) <= 8)


def _form(text: str) -> _Form:
    folded = fold(text)
    moods = Moods(folded)
    numbers = tuple(values(text))
    units = tuple(_units(folded, moods, numbers))
    mood = (moods.has_question(), moods.has_condition(), moods.has_guess())
    return _Form(text, bare_with_offsets(text).text, units, numbers, *mood, sum(unit.weight for unit in units))


def _units(folded: str, moods: Moods, numbers: tuple[Value, ...]) -> list[_Unit]:
    units = []
    for word in words(folded):
        heavy = weight(word)
        if not heavy or any(value.start <= word.start < value.end for value in numbers):
            continue
        latin = word.tag == "eng"
        firm = latin or word.tag.startswith("n") or word.tag in ("j", "i", "l")
        key = stem(word.text) if latin else word.text
        units.append(
            _Unit(
                key if latin else word.text,
                word.start,
                heavy,
                firm and heavy == 1,
                latin,
                SAME.get(word.text, ()),
                OPPOSITE.get(word.text, ()),
                moods.negated(word.start),
            )
        )
    return units


def _mention(form: _Form, reply: Reply) -> Mention:
    verbatim = _verbatim(form, reply)
    if verbatim is not None and (verbatim.verdict == "yes" or not form.units):
        return verbatim
    if verbatim is not None and verbatim.rule in ("negated", "asked", "supposed", "guessed", "corrected"):
        return verbatim
    covered = [_coverage(form, reply, window) for window in _windows(reply)]
    return max(covered, key=_rank, default=Mention("no", "not_found"))


def _verbatim(form: _Form, reply: Reply) -> Mention | None:
    last = None
    for start, end in _occurrences(form.bare, reply):
        problem = _mood(form, reply, start, end)
        if problem is None:
            return Mention("yes", "verbatim", {}, (start, end), 1.0)
        last = Mention("no", problem, {}, (start, end), 1.0)
    return last


def _occurrences(needle: str, reply: Reply) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    text = reply.bare.text
    at = text.find(needle) if needle else -1
    while at >= 0:
        start, end = reply.bare.span(at, at + len(needle))
        if _stands_alone(reply.folded, start, end):
            found.append((start, end))
        at = text.find(needle, at + len(needle))
    return found


def _stands_alone(folded: str, start: int, end: int) -> bool:
    before, after = folded[max(0, start - 2) : start], folded[end : end + 2]
    first, last = folded[start], folded[end - 1]
    if (
        _LATIN_SIDE.match(first)
        and before
        and (_LATIN_SIDE.match(before[-1]) or (first.isdigit() and before[-1] in ".," and before[0].isdigit()))
    ):
        return False
    if not _LATIN_SIDE.match(last) or not after:
        return True
    return not (
        _LATIN_SIDE.match(after[0]) or after[0] in "+#" or (last.isdigit() and after[0] in ".," and after[1:].isdigit())
    )


def _mood(form: _Form, reply: Reply, start: int, end: int) -> str | None:
    moods = reply.moods
    inner = any(unit.negated for unit in form.units[:1])
    if moods.negated(start) != inner and not form_starts_negative(form):
        return "negated"
    if form_starts_negative(form) and moods.negated(start):
        return "negated"
    if _DENIED_AFTER.search(reply.folded[end : end + 60]):
        return "negated"
    if moods.asked(start) and not form.asks:
        return "asked"
    if moods.supposed(start) and not form.supposes and len(form.units) > 1:
        return "supposed"
    if moods.guessed(start) and not form.guesses:
        return "guessed"
    return "corrected" if _corrected(reply, end) else None


def form_starts_negative(form: _Form) -> bool:
    """Whether the point itself begins with a denial."""
    return bool(form.units) and form.units[0].negated


def _corrected(reply: Reply, end: int) -> bool:
    at = bisect_left([piece.start for piece in reply.pieces], end)
    if at >= len(reply.pieces):
        return False
    piece = reply.pieces[at]
    return bool(_CORRECTED.search(reply.folded[piece.start : piece.end]))


def _windows(reply: Reply) -> list[Piece]:
    pieces = reply.pieces
    return [*pieces, *(Piece(one.start, two.end) for one, two in zip(pieces, pieces[1:], strict=False))]


def _coverage(form: _Form, reply: Reply, window: Piece) -> Mention:
    folded = reply.folded[window.start : window.end]
    stems = {stemmed: place for _, stemmed, place in reply.latin if window.start <= place < window.end}
    total = form.weight + len(form.values)
    if not total:
        return Mention("no", "not_found")
    got = 0.0
    missing = ""
    for unit in form.units:
        place = _find(unit, folded, stems, window.start)
        if place is None:
            missing = missing or (unit.text if unit.firm else "")
            continue
        got += unit.weight
        turned = place < 0
        if reply.moods.negated(abs(place)) ^ turned != unit.negated and unit.weight == 1:
            return Mention("no", "negated", {"word": unit.text}, (window.start, window.end), got / total)
        if reply.moods.asked(abs(place)) and not form.asks:
            return Mention("no", "asked", {}, (window.start, window.end), got / total)
    inside = [value for value in reply.values if window.start <= value.start < window.end]
    for value in form.values:
        if not any(other.kind == value.kind and other.key == value.key for other in inside):
            rule = "number_changed" if inside else "number_missing"
            return Mention(
                "no", rule, {"expected": form.text[value.start : value.end]}, (window.start, window.end), got / total
            )
        got += 1
    score = got / total
    if missing and score < 1:
        return Mention("no", "word_missing", {"word": missing}, (window.start, window.end), score)
    verdict: Verdict = "yes" if score >= STATED else "unsure" if score >= DOUBTFUL else "no"
    return Mention(verdict, "coverage", {}, (window.start, window.end), score)


def _find(unit: _Unit, folded: str, stems: dict[str, int], base: int) -> int | None:
    if unit.latin:
        if unit.text in stems:
            return stems[unit.text]
        for other in unit.same:
            if stem(other) in stems:
                return stems[stem(other)]
        for other in unit.opposite:
            if stem(other) in stems:
                return -stems[stem(other)]
        return None
    for text in (unit.text, *unit.same):
        at = folded.find(text)
        if at >= 0:
            return base + at
    for text in unit.opposite:
        at = folded.find(text)
        if at >= 0:
            return -(base + at)
    return None
