"""Where a text says the parts of a point: word for word, by a synonym, by an opposite, or as the same value."""

import itertools
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from functools import lru_cache

from msgspec import Struct
from msgspec.structs import replace

from ragstone.reading.cuebook import tables
from ragstone.reading.cues import cue
from ragstone.reading.lexicon import is_word
from ragstone.reading.points.forms import RUN, Asking, Form, Run, Word
from ragstone.reading.scopes import NEGATORS
from ragstone.reading.statements import Statements
from ragstone.reading.synonyms import OPPOSITE
from ragstone.reading.tokens import TOKEN
from ragstone.reading.values.name_words import SURNAMES
from ragstone.reading.values.persons import AFTER_NAMES, is_done_by, is_whole
from ragstone.reading.values.values import Value
from ragstone.text.fold import fold
from ragstone.text.late import late

BRANCH = cue(r"附[属设]|分(?:公司|行|校|院|部|店|局)|支行|工会|子公司")
"""Behind a name they make it that of a part: 临江大学附属中学 is not 临江大学."""
_TAIL = late(r"[a-z]+|[0-9]{1,2}(?![0-9])")
_LONG_ENOUGH = 4
"""Letters from which a name is looked for inside a longer word."""
_COUNTED = late(r" [a-z]{3,}")
_MEASURED = frozenset(("money", "share", "gram", "metre", "area", "byte", "litre"))
"""What numbers measure that count nothing."""
_ONE_NAME = 24
"""Characters from the beginning of one word of a name to that of the next."""
_WHOLE_PART = 3
"""Characters of a part that are left a part when its last one is cut off."""
_CLIPPED = 2
"""Characters of a word of which one may be left out: 开发票 for 开具发票."""
_TRIES = 8
"""Places of one character that are looked at."""
_PARTING = NEGATORS | frozenset("0123456789两二三四五六七八九十百半")
"""What may not stand between the characters of a word: 每两年 is not 每年."""
_COMPLEMENTS = frozenset(fold("掉住好完成到下起回过"))
_PEOPLE = frozenset(fold("人者方员家长"))
"""Endings that make another noun: 承租 is not 承租人."""
DEPUTY = late(r"[副부]$|\b(?:vice|deputy|assistant|associate)[ -]$")


class Piece(Struct, frozen=True, order=True, gc=False):
    """A part of a point, and where the text says it."""

    start: int
    weight: float
    at: int
    """Its place in the text; -1: nowhere."""
    hard: bool
    """A value, name or code."""
    text: str
    size: int = 0
    """How many characters of the text say it."""
    opposite: bool = False
    """Whether the opposite word stands there."""


class _Found(Struct, frozen=True, gc=False):
    size: int
    """Characters of the point."""
    at: int
    there: int
    """Characters of the text."""
    opposite: bool = False


def find_pieces(form: Form, said: Statements, lo: int, hi: int, question: str | None = None) -> list[Piece]:
    """The parts of a wording in order, each with its place in a window of the text.

    With a question a run is left at the first part that the window lacks and the question does not say.
    """
    return add_values(find_words(form, said, lo, hi, question), form, said, lo, hi)


def add_values(words: list[Piece], form: Form, said: Statements, lo: int, hi: int) -> list[Piece]:
    """The words of a wording together with its values, in order."""
    found = words + [_of_value(value, form, said, lo, hi) for value in form.values]
    return _clipped(sorted(found), said.text)


def find_words(form: Form, said: Statements, lo: int, hi: int, question: str | None = None) -> list[Piece]:
    """The parts of a wording that are words, without its values; in the whole text they are looked for once."""
    if hi - lo < len(said.text):
        return _words_in(form, said, lo, hi, question)
    known = said.parts.get(id(form))
    if known is None or known[0] is not form:
        known = said.parts[id(form)] = form, _words_in(form, said, lo, hi)
    return known[1]


def _words_in(form: Form, said: Statements, lo: int, hi: int, question: str | None = None) -> list[Piece]:
    found = _all_words(form, said, lo, hi, None if question is None else (form, question))
    if any(one.at >= 0 and one.weight for one in found):
        found = [one for one in found if one.at >= 0 or one.hard or not _is_generic(one.text)]
    if not any(one.opposite for one in found):
        return found
    # A word that says one part of the point is not the opposite of another: free of charge.
    own = {one.at for one in found if not one.opposite}
    return [one for one in found if not (one.opposite and one.at in own)]


def _all_words(form: Form, said: Statements, lo: int, hi: int, asking: tuple[Form, str] | None) -> list[Piece]:
    found: list[Piece] = []
    for run in form.runs:
        found += _of_run(run, said.text, lo, hi, asking)
    for name in form.names:
        found += _of_words(name, said, lo, hi)
    return found


def _of_words(name: tuple[Word, ...], said: Statements, lo: int, hi: int) -> Sequence[Piece]:
    """A Latin word, or the words of one name."""
    return (_of_word(name[0], said, lo, hi),) if len(name) == 1 else _of_name(name, said, lo, hi)


def _is_generic(word: str) -> bool:
    """Whether a word adds nothing where the rest of a point is said: held, applies, 举行, 时间."""
    return word in tables()["generic"]


def needed(form: Form, said: Statements, question: str) -> list[list[int]]:
    """The places of each value and plain Latin word that the question does not say: a window holds one or lacks it."""
    found = []
    for value in form.values:
        text = form.text[value.start : value.end]
        if text not in question and _rate(value, said, 0, len(said.text)) < 0:
            numbers = said.tokens.get(text, []) if text.isdigit() else []
            found.append(sorted([*numbers, *(start for start, _, _ in _same_values(value, said))]))
    for word in form.words:
        plain = not (word.hard or word.phrases or len(word.text) == _CLIPPED or _is_generic(word.text))
        if plain and not is_asked(form, word, question):
            found.append(said.places(word.keys + word.opposite))
    return found


def lacks(parts: list[list[int]], lo: int, hi: int) -> bool:
    """Whether a window has no place of one of some parts."""
    for places in parts:
        at = bisect_left(places, lo)
        if at == len(places) or places[at] >= hi:
            return True
    return False


def is_asked(form: Form, piece: Piece | Word, question: str) -> bool:
    """Whether the question itself says a part of a point, in any wording: it need not be said again."""
    if not question or piece.text in question:
        return bool(question)
    if piece.start in form.value_starts:
        return False
    if form.asked.question != question:
        form.asked = Asking(question)
    part = piece.start, len(piece.text)
    known = form.asked.parts.get(part)
    if known is None:
        known = form.asked.parts[part] = _says(form, piece)
    return known


def _says(form: Form, piece: Piece | Word) -> bool:
    """Whether the question that is asked says a part in other words."""
    asked = form.asked
    if len(piece.text) in (2, 3) and not piece.text.isascii() and set(piece.text).issubset(asked.question):
        return True
    question = _read(asked.question)
    run = next((one for one in form.runs if one.start <= piece.start < one.start + len(one.text)), None)
    if run is None:
        names = (one for one in form.names if one[0].start <= piece.start <= one[-1].start)
        return any(_covers(_of_words(one, question, 0, len(question.text)), piece) for one in names)
    found = asked.runs.get(run.start)
    if found is None:
        found = asked.runs[run.start] = _of_run(run, question.text, 0, len(question.text))
    return _covers(found, piece)


def _covers(found: Iterable[Piece], piece: Piece | Word) -> bool:
    """Whether the parts that were found, and not as opposites, make up all of one."""
    places = [range(one.start, one.start + len(one.text)) for one in found if one.at >= 0 and not one.opposite]
    return set(range(piece.start, piece.start + len(piece.text))).issubset(itertools.chain.from_iterable(places))


_read = lru_cache(maxsize=16)(Statements)


def light() -> frozenset[str]:
    """Words that carry nothing of their own."""
    return tables()["light"]


# --- runs of Han, kana and Hangul ---


def _of_run(run: Run, text: str, lo: int, hi: int, asking: tuple[Form, str] | None = None) -> list[Piece]:
    """The run, covered from the left by the longest parts that the window holds."""
    pieces, at, words, whole = [], 0, light(), len(run.text)
    while at < whole:
        found = _longest(run, at, text, lo, hi, words)
        if at in run.same:
            found = _synonym(run, at, text, lo, hi, found) or found
        cut_off = found is not None and (
            _is_part(run, at, found, text) or _goes_on(run.text[at : at + found.size], text, found)
        )
        if cut_off:
            found = None
        elif found is not None and found.size >= _WHOLE_PART:
            found = _trimmed(run, at, found, text, lo, hi, words)
        if found is None and (skip := _light_at(run, at, words)):
            at += skip
            continue
        if found is None:
            end = run.words.get(at, at + 1)
            found = (None if cut_off else _otherwise(run.text[at:end], text, lo, hi)) or _Found(end - at, -1, 0)
        part = run.text[at : at + found.size]
        weight = _weight(part)
        if weight or found.at >= 0:
            pieces.append(Piece(run.start + at, weight, found.at, False, part, found.there, found.opposite))
            if asking and weight and found.at < 0 and _is_lost(pieces[-1], text, lo, hi, *asking):
                break
        at += found.size
    return pieces


def _is_lost(missing: Piece, text: str, lo: int, hi: int, form: Form, question: str) -> bool:
    """Whether nothing makes up for a part that a window lacks."""
    if _is_generic(missing.text) or is_asked(form, missing, question):
        return False
    return len(missing.text) != _CLIPPED or text.find(missing.text[0], max(0, lo - _CLIPPED), hi) < 0


@lru_cache(maxsize=8192)
def _weight(part: str) -> int:
    """How much a part counts: its characters without light ones; a word is no sum of them (过期)."""
    words = light()
    if part in words:
        return 0
    heavy = sum(char not in words and char not in NEGATORS for char in part)
    return heavy or (len(part) if len(part) > 1 and is_word(part) else 0)


def _longest(run: Run, at: int, text: str, lo: int, hi: int, words: frozenset[str]) -> _Found | None:
    """The longest part that stands there word for word; it does not end inside a word, save before a light ending."""
    own = run.text
    best, place = _prefix(own, at, text, lo, hi)
    if best and at + best in run.within:
        first, last = run.within[at + best]
        rest = own[at + best : last]
        after = text.find(rest, place + best, min(hi, place + best + len(rest) + 2)) if is_word(rest) else -1
        apart = after >= 0 and all(char in words for char in text[place + best : after])
        if not apart and not all(char in words for char in rest):
            best = max(0, first - at)
            place = text.find(own[at : at + best], lo, hi) if best > 1 else -1
    if place < 0 and len(own) == 1:
        best, place = 1, text.find(own, lo, hi)
    if place < 0 and run.words.get(at) == at + 1 and own[at] not in words:
        best, place = 1, _alone(own[at], text, lo, hi)
    return _Found(best, place, best) if place >= 0 else None


def _prefix(own: str, at: int, text: str, lo: int, hi: int) -> tuple[int, int]:
    """How much of a run from a place on stands in a window in one piece, two characters at least, and where."""
    two, most = own[at : at + 2], len(own) - at
    place = text.find(two, lo, hi) if most > 1 and two in text else -1
    if place < 0:
        return 0, -1
    size = 2
    while size < most:
        if place + size < hi and text[place + size] == own[at + size]:
            size += 1
            continue
        longer = text.find(own[at : at + size + 1], place + 1, hi)
        if longer < 0:
            break
        place, size = longer, size + 1
    return size, place


def _alone(char: str, text: str, lo: int, hi: int) -> int:
    """Where a word of one character stands by itself: 借 in 能借3本, not in 借口."""
    place, tries = text.find(char, lo, hi), 0
    while place >= 0 and tries < _TRIES:
        if not is_word(text[max(0, place - 1) : place + 1]) and not is_word(text[place : place + 2]):
            return place
        place, tries = text.find(char, place + 1, hi), tries + 1
    return -1


def _apart(char: str, text: str, lo: int, hi: int) -> int:
    """Where one character stands that does not end another word: 租 in 已租三年, not in 出租."""
    words, place, tries = light(), text.find(char, lo, hi), 0
    while place >= 0 and tries < _TRIES:
        before = text[max(0, place - 1) : place]
        if not before or before in words or before in NEGATORS or not is_word(before + char):
            return place
        place, tries = text.find(char, place + 1, hi), tries + 1
    return -1


def _trimmed(
    run: Run, at: int, found: _Found | None, text: str, lo: int, hi: int, words: frozenset[str]
) -> _Found | None:
    """A part that ends inside a word of two characters, cut back to where the word begins and is said otherwise."""
    if found is None or found.size != found.there or found.size < _WHOLE_PART:
        return found
    last = at + found.size
    first = last - 1
    if run.words.get(first) != last + 1 or run.text[last] in words:
        return found
    word = run.text[first : last + 1]
    said = _synonym(run, first, text, lo, hi, None) or _otherwise(word, text, lo, hi)
    return replace(found, size=found.size - 1, there=found.there - 1) if said else found


def _synonym(run: Run, at: int, text: str, lo: int, hi: int, found: _Found | None) -> _Found | None:
    """A word that says the same as the run's at this place, where it says more than what stands there itself."""
    for word, others in run.same.get(at, ()):
        if found and len(word) <= found.size:
            return None
        for other in others:
            # Most stand nowhere, and `in` tells that several times as fast as `find`.
            if other in text:
                place = text.find(other, lo, hi) if len(other) > 1 else _apart(other, text, lo, hi)
                if place >= 0:
                    return _Found(len(word), place, len(other))
    return None


def _otherwise(word: str, text: str, lo: int, hi: int) -> _Found | None:
    """A word that is missing as it is: in its short form, drawn apart, with another ending, or as its opposite."""
    size = len(word)
    if size == 4:
        for short in (word[0] + word[3], word[0] + word[2]):
            if short in text and (place := text.find(short, lo, hi)) >= 0:
                return _Found(size, place, 2)
    if size == 3 and word[-1] not in _PEOPLE and (place := text.find(word[:2], lo, hi)) >= 0 and is_word(word[:2]):
        return _Found(size, place, 2)
    if size == 2 and (place := _drawn_apart(word, text, lo, hi)) >= 0:
        return _Found(size, place, 3)
    for other in OPPOSITE.get(word, ()):
        if other in text and (place := text.find(other, lo, hi)) >= 0:
            return _Found(size, place, len(other), opposite=True)
    return None


def _drawn_apart(word: str, text: str, lo: int, hi: int) -> int:
    """禁用 as 禁止使用, 关闭 as 关掉: both characters near each other, or the first with a complement."""
    if not is_word(word):
        return -1
    first, tries = text.find(word[0], lo, hi), 0
    while first >= 0 and tries < _TRIES:
        between = text.find(word[1], first + 2, min(hi, first + 4))
        if between > 0 and _PARTING.isdisjoint(text[first + 1 : between]):
            return first
        first, tries = text.find(word[0], first + 1, hi), tries + 1
    place = text.find(word[0], lo, hi)
    closes = place >= 0 and text[place + 1 : place + 2] in _COMPLEMENTS and not is_word(text[place - 1 : place + 1])
    return place if closes else -1


def _is_part(run: Run, at: int, found: _Found, text: str) -> bool:
    """Whether only part of a title or a longer name stands there: 副主任 is not 主任, 非独家 not 独家."""
    before = text[found.at - 1 : found.at]
    if before in ("副", "부") and run.text[at - 1 : at] != before:
        return True
    if BRANCH.match(text, found.at + found.there) and not BRANCH.match(run.text, at + found.size):
        return True
    if before == "非" and not RUN.match(text, max(0, found.at - 2)) and run.text[at - 1 : at] != "非":
        return True
    for first, last in run.persons:
        if at <= first and last <= at + found.size == at + found.there:
            start = found.at + first - at
            return not is_whole(text, start, start + last - first)
    return False


def _goes_on(part: str, text: str, found: _Found) -> bool:
    """Whether a name of two characters goes on: 李明 is not 李明达."""
    name, end = part[-2:], found.at + found.there
    if name[0] not in SURNAMES or end >= len(text) or not "\u4e00" <= text[end] <= "\u9fff":
        return False
    if is_done_by(text, end - 2, end):
        return False
    words = light()
    if text[end] == name[-1] or is_word(name):
        return text[end] == name[-1]
    closes = not RUN.match(text, end + 1) or text[end + 1] in words
    return closes and text[end] not in words and text[end] not in AFTER_NAMES and not is_word(text[end : end + 2])


def _light_at(run: Run, at: int, words: frozenset[str]) -> int:
    """How many characters at a place say nothing: a light word, or light characters that are no word together."""
    skip = run.skips.get(at)
    if skip is None:
        skip = run.skips[at] = _skip(run, at, words)
    return skip


def _skip(run: Run, at: int, words: frozenset[str]) -> int:
    end = run.words.get(at)
    if end is not None and end - at > 1 and run.text[at:end] not in words and is_word(run.text[at:end]):
        return 0
    return next((size for size in (4, 3, 2, 1) if run.text[at : at + size] in words and at + size <= len(run.text)), 0)


def _clipped(pieces: list[Piece], text: str) -> list[Piece]:
    """开具发票 as 开发票: a missing word of two characters, one of which stands right before the next part."""
    lost = [n for n, one in enumerate(pieces[:-1]) if one.at < 0 and one.weight and len(one.text) == _CLIPPED]
    for number in lost:
        one, after = pieces[number], pieces[number + 1]
        if after.at > 0 and not one.hard and NEGATORS.isdisjoint(one.text) and after.start == one.start + 2:
            place = after.at - 1 - (text[after.at - 1] == "了")
            doubled = text[place - 1 : place] == text[place : place + 1]
            if place >= 0 and text[place] == one.text[0] and not doubled and not is_word(text[place - 1 : place + 1]):
                pieces[number] = replace(one, at=place, size=1)
    return pieces


# --- Latin words and values ---


def _of_name(name: tuple[Word, ...], said: Statements, lo: int, hi: int) -> list[Piece]:
    """The words of one name together and in order; a person's middle names may be left out."""
    for place in _places(name[0], said, lo, hi):
        found = _named(name, place, said, hi)
        last = found[-1]
        whole = all(one.at >= 0 for one in found) or (len(name) > 2 and last.at >= 0)
        if whole and is_whole(said.text, last.at, last.at + last.size):
            return [one if one.at >= 0 else replace(one, at=place, size=0) for one in found]
    return [Piece(word.start, 2, -1, True, word.text) for word in name]


def _named(name: tuple[Word, ...], place: int, said: Statements, hi: int) -> list[Piece]:
    """The words of a name from the place of its first one on."""
    at, found = place, [Piece(name[0].start, 2, place, True, name[0].text, len(name[0].text))]
    for word in name[1:]:
        after = next((one for one in _places(word, said, at + 1, hi) if one - at <= _ONE_NAME), -1)
        found.append(Piece(word.start, 2, after, True, word.text, len(word.text)))
        at = after if after >= 0 else at
    return found


def _of_word(word: Word, said: Statements, lo: int, hi: int) -> Piece:
    places = _places(word, said, lo, hi)
    if places and word.hard:
        places = [at for at in places if is_whole(said.text, at, at + len(word.text))]
    if places and word.opposite and not any(said.text.startswith(word.text, place) for place in places):
        places = [] if (opposite := _opposite(word, said, lo, hi)) and opposite.at > places[-1] else places
    if places and not (word.text in _TITLES and DEPUTY.search(said.text, max(0, places[0] - 12), places[0])):
        return Piece(word.start, 2, places[0], word.hard, word.text, _width(word.text, said.text, places[0]))
    for phrase in word.phrases:
        place = said.text.find(phrase, lo, hi)
        if place >= 0 and not said.text[place + len(phrase) : place + len(phrase) + 1].isdigit():
            return Piece(word.start, 2, place, word.hard, word.text, len(phrase))
    return _opposite(word, said, lo, hi) or Piece(word.start, 2, -1, word.hard, word.text)


def _opposite(word: Word, said: Statements, lo: int, hi: int) -> Piece | None:
    """The opposite of a word in a window."""
    for key in word.opposite:
        for place in said.tokens.get(key, ()):
            if lo <= place < hi:
                return Piece(word.start, 2, place, False, word.text, _width(word.text, said.text, place), opposite=True)
    return None


def _width(word: str, text: str, place: int) -> int:
    """How many characters of the text stand for a word: its own, or those of a word that says the same."""
    token = None if text.startswith(word, place) else TOKEN.match(text, place)
    return token.end() - place if token else len(word)


_TITLES = frozenset(
    ("president", "chair", "chairman", "director", "manager", "minister", "editor", "principal", "head")
)


def _places(word: Word, said: Statements, lo: int, hi: int) -> list[int]:
    """Where a window holds a word, also a name that lost the space before or behind it."""
    found = said.places(word.keys)
    if found and (found[0] < lo or found[-1] >= hi):
        found = [place for place in found if lo <= place < hi]
    return found or ([glued] if word.hard and (glued := _glued(word.text, said, lo, hi)) >= 0 else [])


def _glued(word: str, said: Statements, lo: int, hi: int) -> int:
    """A name that a copied page glued to its neighbours: singerMariah Careyfor."""
    at = said.text.find(word, lo, hi) if len(word) >= _LONG_ENOUGH and word.isalpha() else -1
    while at >= 0:
        end = at + len(word)
        opens = at == 0 or not said.text[at - 1].isalnum() or said.written[at].isupper()
        rest = _TAIL.match(said.text, end)
        # All is a word, and Marshall a name.
        cut = rest is None or rest[0].isdigit() or (said.glued and len(rest[0]) > _CLIPPED and rest[0] in light())
        if opens and (cut or said.written[end].isupper()):
            return at
        at = said.text.find(word, end, hi)
    return -1


def _rate(value: Value, said: Statements, lo: int, hi: int) -> int:
    """Where a window says every day for one day: 一天最多六颗 is 每日上限6颗."""
    if value.low != value.factor or value.measure not in ("month", "second") or value.limit.side:
        return -1
    every = RATES.get((value.measure, int(value.factor)), ())
    return next((place for word in every if (place := said.text.find(word, lo, hi)) >= 0), -1)


RATES = {
    one: tuple(map(fold, words))
    for one, words in {
        ("second", 3600): ("每小时", "每个小时", "hourly", "per hour", "an hour", "毎時", "매시간"),
        ("second", 86400): ("每天", "每日", "天天", "daily", "per day", "a day", "each day", "毎日", "하루", "매일"),
        ("second", 604800): ("每周", "每星期", "weekly", "per week", "a week", "毎週", "매주", "일주일"),
        ("month", 1): ("每月", "每个月", "按月", "monthly", "per month", "a month", "毎月", "매월", "매달", "한 달"),
        ("month", 12): ("每年", "按年", "yearly", "annual", "per year", "a year", "毎年", "매년"),
    }.items()
}


def _of_value(value: Value, form: Form, said: Statements, lo: int, hi: int) -> Piece:
    text = form.text[value.start : value.end]
    counts = _counts(value, form)
    for start, end, to in _same_values(value, said):
        if lo <= start < hi and not (counts and said.values_in(start, start + 1)[0].measure in _MEASURED):
            # 20 GB in "from 10 GB to 20 GB" begins where the whole range does.
            at = end - 1 if to else start
            return Piece(value.start, 3, at, True, text, max(1, end - at))
    place = _rate(value, said, lo, hi)
    if place >= 0:
        return Piece(value.start, 3, place, True, text, 2)
    if text.isdigit() and len(text) > 2:
        places = (place for place in said.tokens.get(text, ()) if lo <= place < hi)
        place = next((one for one in places if not _is_limited_otherwise(value, said, one)), -1)
    return Piece(value.start, 3, place, True, text, len(text))


def _counts(value: Value, form: Form) -> bool:
    """Whether a bare number of a point counts what a Latin word behind it names: 5 projects."""
    return value.measure == "bare" and _COUNTED.match(form.text, value.end) is not None


def _is_limited_otherwise(value: Value, said: Statements, place: int) -> bool:
    """Whether a text gives the number at a place under another limit: after 1950 for before 1950."""
    here = said.values_in(place, place + 1)
    return any(not value.limit.admits(one.limit) for one in here)


def _same_values(value: Value, said: Statements) -> list[tuple[int, int, bool]]:
    """Where a text gives a value, in order; looked for once, since every window of the text asks."""
    known = said.given.get(id(value))
    if known is None or known[0] is not value:
        places = [(one.start, one.end, one.step == "to") for one in said.values if value.same(one)]
        known = said.given[id(value)] = value, places
    return known[1]
