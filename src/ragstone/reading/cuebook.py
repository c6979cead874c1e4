"""The cue words of all languages as one automaton: `find` gives every cue of a folded text in one pass.

The words are data, `cues/*.toml`, one file a language, one entry a category; docs/reading.md tells how to add one.
An entry is a list of words parted by ";", each of them:

    没有          the word
    acquir*       a Latin word with any ending; without the star it must end there
    从~20~调整    从, then 调整 after at most 20 characters
    如!何|此      如, not followed by 何 or 此
    안_           an underscore is a space at the edge of a word
"""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from ahocorasick_rs import AhoCorasick, MatchKind
from msgspec import Struct

from ragstone.text.fold import fold

TURNING = frozenset(
    (
        *("negation", "complement", "negation_behind", "denial", "negation_ends", "but", "supposition"),
        *("supposition_behind", "question", "guess", "plan", "hearsay", "former", "former_behind", "former_between"),
        *(
            "embedded",
            "sourced",
            "former_ends",
            "now",
            "correction",
            "doubt",
            "alternative",
            "ended",
            "becomes",
            "moves",
            "ousts",
            "changed",
        ),
        *("direction", "passive", "about", "refusing", "except", "also", "maybe", "refuted"),
    )
)
"""Categories that turn what a clause states."""
UNSAID = frozenset(("silent", "unable"))
"""Categories of what a text does not say; they turn a clause, and decline."""
DECLINING = frozenset(
    (
        *(
            "unsaid",
            "sought",
            "withheld",
            "refusal",
            "unsure",
            "offers",
            "willing",
            "unknown",
            "asks_back",
            "undone",
            "cannot",
        ),
        *("self", "machine", "ours", "narrator", "person", "telling", "helping", "information", "scope", "only"),
        *("desk", "sends", "handed", "refer", "later", "needs", "reports", "when", "filler", "forgot", "because"),
        *("because_behind", "concede", "therefore", "sermon", "sermon_words", "unreal", "layman"),
    )
)
"""Categories of which an answer that declines is made; other questions do not look for them."""
LISTED = frozenset(
    (
        *("light", "talk", "asks_number", "asks_date", "asks_person", "asks_money", "asks_reason", "asks_place"),
        *("asks_way", "asks_needs", "asks_contact", "asks_favour", "asks_self", "asks_absence", "shown", "opens"),
        "says_yes",
        *("copula", "means", "nothing", "restricts", "generic", "roughly", "gives"),
        *("asks_exact", "asks_figure", "asks_sum", "asks_span", "asks_extent", "asks_count"),
        *("announces", "aside", "of_telling"),
    )
)
"""Categories that are asked word by word; they are not looked for in answers."""
_ALONE = frozenset("안못")
_SYLLABLES = tuple(f"{one} " for one in _ALONE)
LANGUAGES = ("en", "ja", "ko", "zh")
_ENTRY = re.compile(r'''^(\w+) = """([^"]*)"""''', re.MULTILINE)
"""A category in a file and its words: all the TOML there is in them, which tomllib would read letter by letter."""
_LITERAL = re.compile("[^~*!]*")
"""The first part of a word, up to what is said about it."""
_MOST = 150_000
"""Cues of one text that are read."""
NEUTRAL = "neutral"
"""Words that only look like a cue: 不仅, 未来."""
SCOPED = TURNING | UNSAID | {NEUTRAL}
"""Categories that are looked for in every text."""
ALL = SCOPED | DECLINING
"""Categories that are looked for where an answer may decline."""


class Hit(Struct, frozen=True, gc=False):
    """A cue and its place."""

    start: int
    end: int
    kinds: frozenset[str]
    second: int = -1
    """Where the far part of a cue with a gap begins."""


class _Gap(NamedTuple):
    reach: int
    far: str
    kinds: frozenset[str]


class _Cue(NamedTuple):
    kinds: frozenset[str]
    open_start: bool
    open_end: bool
    """Whether a word may go on in front of it, and behind it."""
    gaps: tuple[_Gap, ...]
    reach: int
    """Characters behind it in which a far part begins."""
    begins: frozenset[str]
    """What the far parts begin with."""
    not_before: Mapping[str, frozenset[str]]
    """Categories that a word behind the cue takes away from it."""
    parts: tuple[Hit, ...]
    """The cues inside one that means nothing without what stands behind its gap: 我 and 不能 in 我不能~6~提供."""


def entries(written: str) -> Iterator[str]:
    """The words of one category as they are written in its file."""
    return (one.replace("_", " ") for part in fold(written).split(";") if (one := part.strip()))


class _Tables(dict[str, frozenset[str]]):
    """Parts the words of a category when it is first looked at: most answers need a few."""

    def __init__(self) -> None:
        folder = Path(__file__).with_name("cues")
        self._files = [dict(_ENTRY.findall((folder / f"{name}.toml").read_text("utf-8"))) for name in LANGUAGES]

    def __missing__(self, kind: str) -> frozenset[str]:
        self[kind] = found = frozenset(word for file in self._files for word in entries(file.get(kind, "")))
        return found

    def english(self, kind: str) -> Iterator[str]:
        """The words of the English file: of what turns a clause or declines, no other has any in ASCII."""
        return entries(self._files[0].get(kind, ""))


@cache
def tables() -> _Tables:
    """Each category and its words, all languages together."""
    return _Tables()


class _Draft:
    """A cue while the tables are read."""

    # Of the class, as nearly all cues have no more than a kind.
    kinds: frozenset[str] = frozenset()
    open_end = False
    gaps: tuple[_Gap, ...] = ()
    not_before: Mapping[str, frozenset[str]] = {}

    def add(self, kind: str, rest: str) -> None:
        """Take in one more reading of the cue: what follows its first word in the table."""
        if rest.startswith("~"):
            reach, _, far = rest[1:].partition("~")
            self.gaps += (_Gap(int(reach), far, frozenset({kind})),)
            return
        self.kinds |= {kind}
        if rest == "*":
            self.open_end = True
        elif rest:
            more = {word: self.not_before.get(word, frozenset()) | {kind} for word in rest[1:].split("|")}
            self.not_before = {**self.not_before, **more}

    def done(self, cue: str, parts: tuple[Hit, ...]) -> _Cue:
        """The cue as it is used; a word that is a cue as well is not neutral."""
        kinds = self.kinds - {NEUTRAL} if len(self.kinds) > 1 else self.kinds
        open_start = (not _is_latin(cue[0]) and cue[0] not in _ALONE) or cue.startswith("n't")
        open_end = self.open_end or not (_is_latin(cue[-1]) or "\uac00" <= cue[-1] <= "\ud7a3")
        gaps = tuple(sorted(self.gaps, key=lambda gap: (gap.reach, gap.far, *gap.kinds)))
        reach, begins = max((gap.reach for gap in gaps), default=0) + 1, frozenset(gap.far[0] for gap in gaps)
        return _Cue(kinds, open_start, open_end, gaps, reach, begins, self.not_before, parts)


@cache
def _book(kinds: frozenset[str], ascii_only: bool) -> tuple[AhoCorasick, list[_Cue]]:
    """All cues of some categories, or those that can be in a text of nothing but ASCII."""
    drafts: dict[str, _Draft] = {}
    for kind in kinds:
        for word in tables().english(kind) if ascii_only else tables()[kind]:
            literal = _LITERAL.match(word)[0]  # type: ignore[index]
            if (draft := drafts.get(literal)) is None:
                draft = drafts[literal] = _Draft()
            draft.add(kind, word[len(literal) :])
    literals = list(drafts)
    matcher = AhoCorasick(literals, matchkind=MatchKind.LeftmostLongest)
    whole = {word: draft.kinds for word, draft in drafts.items() if draft.kinds}
    return matcher, [drafts[one].done(one, () if one in whole else tuple(_parts(one, whole))) for one in literals]


def _parts(cue: str, whole: Mapping[str, frozenset[str]]) -> Iterator[Hit]:
    """The cues of which the first part of a cue with a gap is made, the longest at each place."""
    at = 0
    while at < len(cue):
        end = next((end for end in range(len(cue), at, -1) if cue[at:end] in whole), 0)
        if end and not (_goes_on(cue, at) or _goes_on(cue, end)):
            yield Hit(at, end, whole[cue[at:end]])
        at = end or at + 1


def _goes_on(text: str, at: int) -> bool:
    """Whether a Latin word stands on both sides of a place, or a syllable that would be a word only by itself."""
    if not 0 < at < len(text):
        return False
    one, two = text[at - 1], text[at]
    if text.startswith(_SYLLABLES, at):
        return "\uac00" <= one <= "\ud7a3"
    return _is_latin(one) and _is_latin(two)


def _is_latin(char: str) -> bool:
    return char.isascii() and char.isalnum()


def find(text: str, kinds: frozenset[str] = SCOPED) -> list[Hit]:
    """The cues of a folded text in order, the longest at each place; Latin ones only as whole words."""
    automaton, cues = _book(kinds, text.isascii())
    hits = []
    for number, start, end in islice(automaton.find_matches_as_indexes(text), _MOST):
        kinds, open_start, open_end, gaps, reach, begins, not_before, parts = cues[number]
        if (not open_start and _goes_on(text, start)) or (not open_end and _goes_on(text, end)):
            continue
        if not_before:
            for word, dropped in not_before.items():
                if text.startswith(word, end):
                    kinds -= dropped
        if kinds and NEUTRAL not in kinds:
            hits.append(Hit(start, end, kinds))
        if parts:
            hits += [Hit(start + part.start, start + part.end, part.kinds) for part in parts]
        if not gaps or begins.isdisjoint(text[end : end + reach]):
            continue
        for gap in gaps:
            second = text.find(gap.far, end, end + gap.reach + len(gap.far))
            if second >= 0:
                hits.append(Hit(start, end, gap.kinds, second))
    return hits
