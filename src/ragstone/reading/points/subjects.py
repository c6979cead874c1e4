"""What a clause speaks of: whether it names something that neither the point nor the question does."""

import itertools
from collections.abc import Iterable, Iterator
from functools import lru_cache

from ragstone.reading.asked import read_question, roots_of
from ragstone.reading.cuebook import tables
from ragstone.reading.cues import cue
from ragstone.reading.lexicon import cut_words, is_word, tag_words
from ragstone.reading.points.forms import RUN, Form, span_of
from ragstone.reading.points.pieces import Piece, light
from ragstone.reading.scopes import Clause
from ragstone.reading.sentences import Piece as Stretch
from ragstone.reading.statements import Statements
from ragstone.reading.tokens import TOKEN, root
from ragstone.text.fold import fold
from ragstone.text.late import late

SEVERAL = late(fold("[和与及、]") + r"|各|\band\b|と|[와과] ")
"""Where a question asks for more than one thing."""
_JOINED = cue(
    r"(?P<left>[\w-]{2,12}?) ?(?:[和与、及と]|\band\b(?: the)?|[와과](?= )) ?(?P<right>[\w-]{2,12})",
)
"""Two words that a question joins."""
_HANGUL = late("[\uac00-\ud7a3]{2,}")
_EVERY = cue(r"每隔?(?=(?:过|满)?$)", r"\bevery(?= $)")
"""Before a value they make it a rate."""
_SPENT = cue(r"花[费了掉]*(?=$)", r"\b(?:took(?! place)|spent)\b")
"""Before a value they tell what something took."""
_IS_PART = cue(r" ?[是为]", r" is | are ")
_SUBJECT = late(r"\b(?:an?|the|your|our|my|his|her|its|their|this|that) (?P<noun>[a-z]{3,})")
_OPENS = late(
    r"\W*(?P<noun>[a-z]{3,}(?= (?:is|are|was|were|costs?|takes?|lasts?) )"
    r"|[\uac00-\ud7a3]+(?=[은는이가] )|[\u4e00-\u9fff]{2,}(?=は))"
)
_LIGHT_STARTS = fold("可只最每再就已能要须需应会")
"""They open words that say no more than what follows them."""
_NAMED = late(r"\b[A-Z][\w'-]+(?: [A-Z][\w'-]+)+")
_LABEL = cue(
    r"(?<![0-9a-z.])(?P<label>[0-9]{1,3}(?=号|路|班|区|栋|单元|航)|[a-z](?![0-9路])) ?"
    r"(?P<head>号(?:线|楼|店|馆|厅|院|门|机|柜|仓|库|窗口)|路(?=公交|车)|班(?=级|的|同|每|周)|区|栋|座|馆|类|档|单元|航站楼)",
    r"\b(?P<noun>line|room|gate|platform|terminal|building|floor|level|tier|zone|block|phase|grade|route|hall|tank|section"
    r"|group|type|lane|bay|dock|stage|bus) (?P<number>[0-9]{1,3}|[a-z])\b(?! (?:few|lot|little))",
)
_LEADS = late(r"(?s) *(?:(?:in|on|at|during|after|before|for)\b.*|.*: *)")
"""A clause that only leads to another one."""
_NEAR = 40
"""Characters before a value in which its subject is looked for."""
_PAIR = 2


def tells_of_other(form: Form, said: Statements, lo: int, hi: int, question: str) -> bool:
    """Whether a clause speaks of something else before the value: 房租3000元 does not tell the deposit."""
    known = form.text + question
    words = light()
    for word, tag in tag_words(said.text[max(lo, hi - 40) : hi]):
        if tag and tag[0] == "n" and len(word) > 1 and word not in words and not _is_known(word, known):
            return True
    return False


def is_of_other_relation(form: Form, said: Statements, value: Piece, question: str) -> bool:
    """Whether a clause gives a value to something, or in a way, that neither point nor question speaks of.

    维修花了3000元 does not tell the deposit, every 30 days not how long, 25 parking spaces not how many users.
    """
    known = form.text + question
    here, end = said.at(value.at), value.at + value.size
    first = min((span_of(one)[0] for one in said.values_in(value.at, end)), default=value.at)
    ahead, behind = said.text[here.start : first], said.text[end : here.end]
    if any(word not in known and word not in light() for word in _ways(said, here, value, ahead)):
        return True
    if _IS_PART.match(behind) and residue(form, said, end, here.end, question):
        return True
    return bool(strange(said, here.start, here.end, known)) or _has_other_subject(ahead, behind, known)


def is_of_other_rank(form: Form, said: Statements, place: int, question: str) -> bool:
    """Whether a clause speaks of another thing than is asked about, which another clause speaks of: 免费版五万次,
    企业版不限次数."""
    if not (form.bare or form.only_names or form.people == [(0, len(form.text))]) or not question:
        return False
    here = said.at(place)
    words, known = said.text[here.start : here.end], form.text + question
    told, all_told = _ranks(words), _ranks(said.text)
    for head, wanted in _ranks(question).items():
        others = [one for one in told.get(head, frozenset()) if one not in known]
        if others and not any(one in words or one in form.text for one in wanted):
            opens = len(head) == 1 and words.lstrip().startswith(tuple(one + head for one in others))
            return opens or not wanted.isdisjoint(all_told[head])
    return _is_of_rival(form, said, here, question)


def is_of_other_label(form: Form, said: Statements, place: int, question: str) -> bool:
    """Whether a clause speaks of another line, building or room than point or question: 1号线 for 2号线, Line 1."""
    here = said.at(place)
    wanted = {**_labels(question), **_labels(form.text)}
    told = _labels(said.text[here.start : here.end]) if wanted else wanted
    return any(head in told and told[head].isdisjoint(labels) for head, labels in wanted.items())


@lru_cache(maxsize=256)
def _labels(text: str) -> dict[str, frozenset[str]]:
    """What is labelled in a folded text, with its labels: 号线 with 2, line with 2."""
    found: dict[str, set[str]] = {}
    for match in _LABEL.finditer(text):
        found.setdefault(match["head"] or match["noun"], set()).add(match["label"] or match["number"])
    return {head: frozenset(labels) for head, labels in found.items()}


@lru_cache(maxsize=256)
def _ranks(text: str) -> dict[str, frozenset[str]]:
    """The heads of a folded text, each with the words that tell which one is meant: 版 with 免费."""
    found: dict[str, set[str]] = {}
    for run in RUN.findall(text):
        for at, size in itertools.product(range(_PAIR, len(run)), (1, _PAIR)):
            head, kind = run[at : at + size], run[at - _PAIR : at]
            goes_on = size == 1 and at + 1 < len(run) and is_word(run[at : at + _PAIR])
            if len(head) == size and not goes_on and light().isdisjoint((head, kind)) and is_word(kind):
                found.setdefault(head, set()).add(kind)
    return {head: frozenset(kinds) for head, kinds in found.items()}


def _is_of_rival(form: Form, said: Statements, here: Clause, question: str) -> bool:
    """Whether a clause adds something to what is asked, and another one gives another answer and adds nothing:
    the proxy uses 8080, the server 9090."""
    asked, known = read_question(question), form.text + question
    measured = form.bare and form.values[0].measure != "date"
    own = _with_head(here)
    if not (measured or "asks_person" in asked.kinds) or not _told(said, own, known):
        return False
    keys = asked.named(said.text[own.start : own.end])
    others = (one for one in said.clauses if one is not here and not _LEADS.fullmatch(said.text, one.start, one.end))
    rivals = (one for one in map(_with_head, others) if asked.named(said.text[one.start : one.end]) - keys)
    return any(_gives_rival(form, said, one, known) and not _told(said, one, known) for one in rivals)


def _with_head(one: Clause) -> Stretch:
    """A clause with the words and the colon in front of it: Sale items: 14 days."""
    opens = one.heading is not None and one.heading.end == one.start
    return Stretch(one.heading.start if one.heading and opens else one.start, one.end)


def _gives_rival(form: Form, said: Statements, one: Stretch, known: str) -> bool:
    """Whether a clause gives a value, or names somebody, where a point gives another."""
    if not form.bare:
        return any(name not in known for name in _named(said, one))
    own = form.values[0]
    return any(other.measure == own.measure and not own.equals(other) for other in said.values_in(one.start, one.end))


def _named(said: Statements, one: Stretch) -> list[str]:
    """The persons and names of several words in a clause."""
    latin = [match[0].lower() for match in _NAMED.finditer(said.written, one.start, one.end)]
    return latin + [said.text[start:end] for start, end, tag in said.tags_in(one.start, one.end) if tag == "nr"]


def _told(said: Statements, one: Stretch, known: str) -> list[str]:
    """What a clause speaks of that is not known, but for names."""
    return strange(said, one.start, one.end, " ".join((known, *_named(said, one))))


def strange(said: Statements, lo: int, hi: int, known: str) -> list[str]:
    """The words of a stretch that neither point nor question says, and that do more than give a value."""
    words, plain = light(), tables()["generic"] | tables()["gives"]
    left = _without(said, lo, hi, map(span_of, said.values_in(lo, hi)))
    han = (word for run in RUN.findall(left) for word in cut_words(run) if len(word) > 1)
    bare = ((word, word.lstrip(_LIGHT_STARTS)) for word in han if word not in plain and word not in words)
    told = (word for word, rest in bare if len(rest) > 1 and rest[0] not in known)
    found = [word for word in told if any(char not in words for char in word)]
    latin = (match[0] for match in TOKEN.finditer(left) if len(match[0]) > 1 and match[0] not in plain)
    return found + [word for word in latin if not _is_said(word.removesuffix("'s"), known)]


def _ways(said: Statements, here: Clause, value: Piece, ahead: str) -> Iterator[str]:
    """The words in a clause that say how a value is meant: owes, took, every."""
    yield from (said.text[hit.start : hit.end] for hit in here.hits if "direction" in hit.kinds)
    if took := _SPENT.search(ahead):
        yield took[0]
    timed = any(one.measure in ("date", "clock") for one in said.values_in(value.at, value.at + value.size))
    if not timed and (every := _EVERY.search(ahead)):
        yield every[0]


def _has_other_subject(ahead: str, behind: str, known: str) -> bool:
    """Whether what stands before a value opens with something that is not known."""
    for word in _named_before(ahead):
        if word[0] not in known if RUN.match(word) else not _is_said(word, known):
            return True
    subject = _SUBJECT.search(ahead)
    if subject is None or _is_said(subject["noun"], known):
        return False
    words = (match[0] for match in TOKEN.finditer(ahead + behind) if match[0] not in light())
    return not ahead[: subject.start()].strip() or not any(_is_said(word, known) for word in words)


def _named_before(ahead: str) -> Iterator[str]:
    """The nouns in front of a value, and the word that opens: 利率为, 维修花了, rent is."""
    tagged = [(word, tag or "x") for word, tag in tag_words(ahead[-_NEAR:])] if RUN.search(ahead) else []
    for number, (word, tag) in enumerate(tagged):
        opens = number == 0 and (tag[0] == "n" or (tag[0] == "v" and len(tagged) > 1 < len(word)))
        if word not in light() and RUN.match(word) and (opens or (tag[0] == "n" and len(word) > 1)):
            yield word
    if first := _OPENS.match(ahead):
        yield first["noun"]


def _is_said(word: str, known: str) -> bool:
    """Whether a word is one of the known ones, or no word of its own."""
    return word in light() or word in known or root(word) in roots_of(known)


def _is_known(word: str, known: str) -> bool:
    """Whether a noun is a known one, with another ending: 保修期 is known by 保修."""
    return word in known or (len(word) > _PAIR and word[:_PAIR] in known)


def _without(said: Statements, lo: int, hi: int, more: Iterable[tuple[int, int]] = ()) -> str:
    """A stretch of a clause without its cues, but for those of direction, which are verbs, without digits and more."""
    text = list(said.text[lo:hi])
    cues = ((hit.start, hit.end) for hit in said.at(lo).hits if "direction" not in hit.kinds)
    for start, end in (*cues, *more):
        if lo <= start and end <= hi:
            text[start - lo : end - lo] = " " * (end - start)
    return "".join(" " if char.isdigit() else char for char in text)


def residue(form: Form, said: Statements, lo: int, hi: int, question: str) -> int:
    """How much a stretch of a clause says beyond point, question and cues: characters of Han, two for a Latin word."""
    words, left = light(), _without(said, lo, hi)
    known = form.text + question
    han = (word for run in RUN.findall(left) for word in cut_words(run) if word not in known and word not in words)
    count = sum(len(word) for word in han if any(char not in words for char in word))
    return count + sum(2 for match in TOKEN.finditer(left) if match[0] not in words and match[0] not in known)


def is_noun(said: Statements, at: int) -> bool:
    """Whether a noun in Han begins at a place."""
    return any(start == at and tag[0] == "n" for start, _, tag in said.tags_in(at, at + 1))


def before(said: Statements, at: int) -> tuple[int, int]:
    """The stretch of a clause before a place."""
    return said.at(at).start, at


def names_other(form: Form, said: Statements, start: int, end: int, question: str, *, kinds: bool = False) -> bool:
    """Whether a stretch of a clause names something that neither point nor question name; `kinds`: or another of its
    kind, 分部 for 总部."""
    known = form.text + question
    for first, last, tag in said.tags_in(start, end):
        word = said.text[first:last]
        named = tag[:2] == "nr" or (tag[0] == "n" and last - first > 1)
        if not named or word in light() or word in known or word[0] in known:
            continue
        if kinds or word[-1] not in known:
            return True
    if any(word[:_PAIR] not in known and word not in light() for word in _HANGUL.findall(said.text, start, end)):
        return True
    names = roots_of(known)
    words = (match[0] for match in TOKEN.finditer(said.text, start, end))
    return any(word not in light() and not word.isdigit() and root(word) not in names for word in words)


@lru_cache(maxsize=256)
def asked_together(question: str) -> tuple[tuple[str, str], ...]:
    """The words that a folded question joins: 基础版 and 专业版, deposit and rent."""
    return tuple(_alike(one["left"], one["right"]) for one in _JOINED.finditer(question))


def _alike(left: str, right: str) -> tuple[str, str]:
    """Two joined stretches of Han cut to words of one length; 专业版分别多少钱 ends where 基础版 does."""
    if left.isascii() or right.isascii():
        return left, right
    end = right.find(left[-1]) + 1 or len(next(iter(cut_words(right))))
    return left[-end:], right[:end]
