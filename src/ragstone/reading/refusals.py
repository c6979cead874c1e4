"""Tell whether an answer as a whole declines to give what was asked, and how; knows no score.

read_refusal("抱歉，材料中没有提到，无法回答。").kind             # "source_silent", abstained
read_refusal("I can't find it, but it is probably 12.").abstained   # False: a guess is an answer
"""

import re
from typing import Literal, NamedTuple

from msgspec import Struct

from ragstone.reading import refusal_cues as cues
from ragstone.reading.sentences import Piece, clauses, hide_quotes, sentences
from ragstone.text.fold import fold
from ragstone.text.late import late

RefusalKind = Literal["none", "source_silent", "does_not_know", "safety", "partial"]

_Role = Literal["filler", "forgot", "decline", "guess", "talk", "content"]


class Refusal(Struct, frozen=True):
    """What an answer declines: `abstained` speaks of the whole answer, `partial` of a part that was left open."""

    kind: RefusalKind
    abstained: bool
    rule: str
    """Which rule decided: silence, no_decline, source_silent, does_not_know, safety, asks_back, preaches, concluded,
    nothing_else, guess_follows, answer_follows, conceded, goes_on, premise, partly_open."""
    span: tuple[int, int] | None = None
    """Where the declining words stand in the answer."""


class _Clause(NamedTuple):
    role: _Role
    kind: RefusalKind
    start: int
    end: int
    sentence: int
    words: str


_WORD = late(r"\w")
_DIGITS = late(r"\d+")
_TERM = late(r"[a-z]{3,}|[一-鿿]")
_ASKING = frozenset(fold("多少什么谁哪怎样如何是的了在有吗呢为何几个和与及以具体里")) | {
    *("the", "what", "who", "when", "where", "which", "how", "why", "does", "did", "are", "was", "were", "and", "for")
}
_LONG = 60
"""Clauses looked at from each end; nobody declines in the middle of a long text."""
_FAR = 500
_PREACHING = 2
"""Preaching clauses in the opening that make a sermon."""
_OPENING = 12
"""Clauses that count as the opening."""


def read_refusal(answer: str, question: str = "") -> Refusal:
    """Tell whether the answer declines; silence is no refusal, and a guess behind "not stated, but" is an answer."""
    if not _WORD.search(answer):
        return Refusal("none", False, "silence")
    told = fold(hide_quotes(answer))
    if not cues.MAY_DECLINE.search(told):
        return Refusal("none", False, "no_decline")
    asked = fold(question).strip()
    pieces = _label(answer, told, asked)
    return _weigh(pieces, asked)


def _label(answer: str, told: str, asked: str) -> list[_Clause]:
    places = [
        (number, clause) for number, sentence in enumerate(sentences(answer)) for clause in clauses(answer, sentence)
    ]
    if len(places) > 2 * _LONG:
        places = places[:_LONG] + places[-_LONG:]
    found: list[_Clause] = []
    lead = ""
    for number, clause in places:
        words = lead + _ends(told, clause).strip()
        lead = words + " " if cues.TURN_ALONE.fullmatch(words) else ""
        if lead:
            continue
        role, kind = _role(words, asked)
        # A list goes on in the role of its head: 说明书列出了容量、功率和尺寸.
        if role == "content" and found and found[-1].role == "talk" and answer[found[-1].end - 1] == "、":
            role = "talk"
        found.append(_Clause(role, kind, clause.start, clause.end, number, words))
    return found


def _ends(told: str, clause: Piece) -> str:
    """The words of a clause; of one that no person would write, its two ends."""
    if clause.end - clause.start <= 2 * _FAR:
        return told[clause.start : clause.end]
    return told[clause.start : clause.start + _FAR] + " " + told[clause.end - _FAR : clause.end]


def _role(words: str, asked: str) -> tuple[_Role, RefusalKind]:
    kind = _declines(words, asked)
    if kind != "none":
        return "decline", kind
    if cues.FILLER.match(words):
        return "filler", "none"
    if cues.FORGOT.search(words):
        return "forgot", "none"
    if cues.SOURCE_TALK.search(words) or (cues.LISTS.search(words) and _strange(words, asked)):
        return "talk", "none"
    return ("guess" if cues.GUESS.search(words) else "content"), "none"


def _terms(asked: str) -> set[str]:
    return {term for term in _TERM.findall(asked) if term not in _ASKING}


def _strange(words: str, asked: str) -> bool:
    """Whether a clause speaks of something that was not asked."""
    return bool(asked) and sum(term in words for term in _terms(asked)) < 2


def _declines(words: str, asked: str) -> RefusalKind:
    if not cues.MAY_DECLINE.search(words) or cues.BECAUSE.match(words):
        return "none"
    if cues.PERMISSION.match(asked) and cues.HOUSE_RULE.search(words):
        return "none"
    if cues.UNSURE.search(words):
        return "does_not_know"
    safe = cues.SAFE.search(words)
    if safe and not cues.THIRD.search(words, 0, safe.start()):
        return "safety"
    if cues.WORDING.search(asked):
        return "none"
    silent = cues.SILENT.search(words)
    if silent and not _answers(silent, words, asked) and not _is_told(words, silent.start()):
        return "source_silent"
    unknown = cues.UNKNOWN.search(words)
    if unknown and not _is_told(words, unknown.start()) and not cues.THIRD.search(words, 0, unknown.start()):
        return "does_not_know"
    return "does_not_know" if cues.ASKS_BACK.match(words) else "none"


def _is_told(words: str, before: int) -> bool:
    """Whether the words are given as a reason or as somebody else's, not as the answer's own."""
    return bool(cues.BECAUSE.search(words, 0, before) or cues.REPORTED.search(words, 0, before))


def _answers(silent: re.Match[str], words: str, asked: str) -> bool:
    """Whether "not mentioned" is the answer: the question asked for gaps, for reasons, or whether it is there."""
    if cues.ASKS_LACK.search(asked):
        return True
    if cues.WHY.search(asked) and cues.THIRD.search(words, 0, silent.start()):
        return True
    if not cues.YES_NO.search(asked):
        return False
    if cues.WORLD.search(words) and not cues.OF_SOURCE.search(words):
        return True
    last = silent[0].rsplit(maxsplit=1)[-1]
    return (last[:5] if last.isascii() else last[-2:]) in asked


def _weigh(pieces: list[_Clause], asked: str) -> Refusal:
    at = next((at for at, piece in enumerate(pieces) if piece.role == "decline"), None)
    if at is None:
        return _sermon(pieces) or Refusal("none", False, "no_decline")
    first = pieces[at]
    if any(piece.role in ("content", "guess") for piece in pieces[:at]):
        return _after_content(pieces, at, asked)
    answer = _answer_behind(pieces, at, asked)
    if answer:
        return Refusal("none", False, answer, (first.start, first.end))
    return Refusal(first.kind, True, _rule(first), (first.start, first.end))


def _rule(piece: _Clause) -> str:
    return "asks_back" if cues.ASKS_BACK.match(piece.words) else piece.kind


def _sermon(pieces: list[_Clause]) -> Refusal | None:
    opening = pieces[:_OPENING]
    if any(cues.GOES_ON.search(piece.words) for piece in opening):
        return None
    strong = [piece for piece in opening if piece.kind == "safety" or cues.PREACH.search(piece.words)]
    weak = [piece for piece in opening if piece not in strong and cues.PREACH_TOO.search(piece.words)]
    if not strong or len(strong) + len(weak) < _PREACHING or strong[0].sentence > pieces[0].sentence + 1:
        return None
    return Refusal("safety", True, "preaches", (strong[0].start, strong[0].end))


def _answer_behind(pieces: list[_Clause], at: int, asked: str) -> str | None:
    """The rule by which something behind the declining words is an answer after all."""
    first = pieces[at]
    behind = pieces[at + 1 :]
    idle = {piece.sentence for piece in behind if piece.role in ("decline", "talk")} - {first.sentence}
    preached = first.kind == "safety" and bool(cues.PREACH.search(first.words))
    for piece in behind:
        if cues.PREMISE.search(piece.words):
            return "premise"
        if first.kind == "safety" and cues.INSTEAD.search(piece.words):
            return None
        if cues.GOES_ON.search(piece.words):
            return "goes_on"
        if first.kind == "safety":
            preached = preached or bool(cues.PREACH.search(piece.words))
            near = first.sentence + 1 if not cues.DISCLAIMS.search(first.words) else piece.sentence
            turned = piece.sentence == near and cues.TURN.match(piece.words)
            if turned and not preached and piece.role in ("guess", "content") and piece.sentence not in idle:
                return "answer_follows"
        elif piece.role in ("guess", "content") and piece.sentence not in idle:
            rule = _answers_after_all(piece, first, asked)
            if rule:
                return rule
    return None


def _answers_after_all(piece: _Clause, first: _Clause, asked: str) -> str | None:
    if piece.role == "guess":
        return "guess_follows"
    if piece.sentence == first.sentence and cues.CONCEDE.match(first.words):
        return "conceded"
    if cues.TURN.match(piece.words) or _new_number(piece.words, asked):
        return "answer_follows"
    return None


def _new_number(words: str, asked: str) -> bool:
    return any(digits not in asked for digits in _DIGITS.findall(words))


def _after_content(pieces: list[_Clause], at: int, asked: str) -> Refusal:
    """Behind other words, an answer declines as a whole only if it concludes so or speaks of all that was asked."""
    for piece in pieces[at:]:
        if piece.role != "decline" or cues.ASKS_BACK.match(piece.words):
            continue
        span = (piece.start, piece.end)
        preached = piece.kind == "safety" and any(cues.PREACH.search(other.words) for other in pieces[:at])
        if preached or _concludes(pieces, piece):
            return Refusal(piece.kind, True, "concluded", span)
        if _speaks_of_all(pieces, piece, asked):
            return Refusal(piece.kind, True, "nothing_else", span)
    sermon = _sermon(pieces)
    if sermon:
        return sermon
    return Refusal("partial", False, "partly_open", (pieces[at].start, pieces[at].end))


def _concludes(pieces: list[_Clause], piece: _Clause) -> bool:
    sentence = [other for other in pieces if other.sentence == piece.sentence and other.start <= piece.start]
    return any(cues.THEREFORE.search(other.words) for other in sentence) and piece.sentence == pieces[-1].sentence


def _speaks_of_all(pieces: list[_Clause], piece: _Clause, asked: str) -> bool:
    terms = _terms(asked)
    told = [other.words for other in pieces if other.role == "content" and other is not piece]
    if len(terms) < 2 or any(_new_number(words, asked) and any(term in words for term in terms) for words in told):
        return False
    said = " ".join(other.words for other in pieces if other is not piece)
    missing = sum(term in piece.words for term in terms)
    return missing >= 0.75 * len(terms) and sum(term in said for term in terms) < missing
