"""Finds people, places, addresses, organisations and products: Chinese by rjieba and rules, Latin by capitals.

Kin and role words (他的妹妹, 原告, the buyer) name nobody and are left out. Chinese is folded first, so that
Traditional reads as Simplified does. rjieba is loaded at the first Chinese text, not at import.
"""

import re
from collections.abc import Callable, Iterator
from functools import cache
from itertools import accumulate
from typing import Literal, NamedTuple

from ragstone.reading.values import name_words as words
from ragstone.text.fold import fold
from ragstone.text.late import late

NameKind = Literal["person", "place", "address", "organisation", "product"]


class Name(NamedTuple):
    """One name and its place."""

    kind: NameKind
    start: int
    end: int


class Tagged(NamedTuple):
    """A word with the part of speech the tagger gives it."""

    word: str
    tag: str
    start: int

    @property
    def end(self) -> int:
        """Where it ends."""
        return self.start + len(self.word)


_HAN = late("[\u3400-\u9fff]")
_PIECE = 20_000
"""Longer texts are cut for the tagger, which takes more than linear time on one endless line."""


def find_names(text: str) -> list[Name]:
    """Find all names of a text, in order and without overlap."""
    folded = fold(text)
    names = [*_latin(text, bool(_HAN.search(folded)))]
    if _HAN.search(folded):
        names += _han(folded)
    return _apart(names)


def _apart(names: list[Name]) -> list[Name]:
    """Keep the longest of names that overlap."""
    kept: list[Name] = []
    for name in sorted(names, key=lambda one: (one.start, -one.end)):
        if not kept or name.start >= kept[-1].end:
            kept.append(name)
        elif name.end - name.start > kept[-1].end - kept[-1].start:
            kept[-1] = name
    return kept


# --- Chinese ---

_ORG_END = late(f"(?:{words.ORG_ENDINGS})$")
_TAGGED_END = late(f"(?:{words.ORG_ENDINGS}|{words.TAGGED_ENDINGS})$")
_ORDINAL = late("第[一二三四五六七八九十]{1,3}")
_FIRM_END = late("(?:公司|集团)$")
_PLACE_END = late(f"(?:{words.PLACE_ENDINGS})$")
_TITLE = late(f"(?:{words.PERSON_TITLES})$")
_SURNAME = f"(?:{'|'.join(words.LONG_SURNAMES)}|[{''.join(sorted(words.SURNAMES))}])"
_CUED = late(
    rf"(?:{words.PERSON_CUES}|{words.PERSON_TITLES})(?:是|为|叫|:| ){{0,2}}(?P<name>{_SURNAME}[\u4e00-\u9fff]{{1,2}}?)"
    r"(?=[^\u4e00-\u9fffa-z0-9]|$|[的和与及也在于说称将已]|表示|介绍|告诉|认为|代表|签[字署名订]|出席|负责|担任)"
)
_MOU = late(rf"{_SURNAME}某(?:某|[甲乙丙丁])?")
_SOUNDS = f"[{''.join(sorted(words.TRANSLITERATED))}]"
_DOTTED = late(f"{_SOUNDS}{{1,8}}(?:[·•‧]{_SOUNDS}{{1,8}}){{1,4}}(?:-{_SOUNDS}{{1,8}})?")
_PARTICLES = frozenset("于在是说称等被给把将已因也和与对向从到为的之")
_NEVER_GIVEN = frozenset("是把被给说称从的也曾已让")
"""Particles that end no given name, behind a name of two characters: 林晓是."""
_LEADING = frozenset("为是在由和与对从向给被到如")
_PROPER = frozenset(("ns", "nz", "nr", "nrt", "nrfg", "nt", "eng", "nrj"))
_INNER = _PROPER | frozenset(("n", "j", "vn", "b", "an", "l", "s", "ng", "x_name", "f"))
_FIRM_INNER = _INNER | frozenset(("v", "a", "ad", "vd", "i", "t", "q", "zg", "vi"))
_FIRM_PARTS = frozenset(("股份", "责任", "集团", "控股"))
_STREET_NUMBER = late(
    r"[0-9一二三四五六七八九十]+(?:号|栋|幢|室|楼|层|段|弄|巷|单元|座|之)?|[号栋幢室楼层段弄巷座之\-]|单元|号楼|[a-z]座?"
)
_STREET = late("路|街|大道|巷|弄|段|胡同|村|号")


@cache
def _tagger() -> Callable[[str], list[tuple[str, str]]]:
    import rjieba  # noqa: PLC0415 loading its dictionary takes a tenth of a second, which most commands never need

    tag: Callable[[str], list[tuple[str, str]]] = rjieba.tag
    return tag


def tagged(folded: str) -> list[Tagged]:
    """Cut a folded text into words with their parts of speech."""
    clean = folded.encode("utf-8", "replace").decode("utf-8")
    pairs = [pair for at in range(0, len(clean), _PIECE) for pair in _tagger()(clean[at : at + _PIECE])]
    starts = accumulate((len(word) for word, _ in pairs), initial=0)
    return [Tagged(word, tag, start) for (word, tag), start in zip(pairs, starts, strict=False)]


def _han(folded: str) -> Iterator[Name]:
    tokens = tagged(folded)
    yield from _organisations(tokens)
    yield from _people(tokens)
    yield from _places(tokens)
    for found in _CUED.finditer(folded):
        if not _is_common(found["name"]):
            yield Name("person", found.start("name"), found.end("name"))
    for found in _MOU.finditer(folded):
        yield Name("person", found.start(), found.end())
    if "·" in folded:
        yield from (Name("person", found.start(), found.end()) for found in _DOTTED.finditer(folded))


def _organisations(tokens: list[Tagged]) -> Iterator[Name]:
    last = words.ORG_LAST
    for at in [at for at, (word, _, _) in enumerate(tokens) if word[-1] in last and len(word) > 1]:
        if not _ends_organisation(tokens, at):
            continue
        token = tokens[at]
        first = _organisation_start(tokens, at)
        if first is not None and (first < at or token.word not in words.NOT_ORGANISATIONS):
            start = tokens[first].start
            yield Name(
                "organisation", start + (len(tokens[first].word) > 2 and tokens[first].word[0] in _LEADING), token.end
            )


def _ends_organisation(tokens: list[Tagged], at: int) -> bool:
    token = tokens[at]
    if token.word in words.TRADES:
        before = tokens[at - 1] if at else token
        return before.tag in ("nz", "nr", "nrt", "ns", "eng") and before.word not in words.NOT_PLACES
    return bool((_TAGGED_END if token.tag == "nt" else _ORG_END).search(token.word))


def _organisation_start(tokens: list[Tagged], at: int) -> int | None:
    """Go left through what may be part of the name, to its leftmost proper word; None when there is none."""
    inner = _FIRM_INNER if _FIRM_END.search(tokens[at].word) else _INNER
    proper = at if tokens[at].tag in ("nt", "nz", "ns") and len(tokens[at].word) > 2 else None
    here = at - 1
    while here >= max(0, at - 7) and _is_inner(tokens[here], inner):
        if tokens[here].tag in _PROPER or (tokens[here].tag in ("v", "a") and tokens[here - 1].tag == "ns"):
            proper = here
        here -= 1
    if proper is None and tokens[at].word.endswith("有限公司"):
        return next((first for first in range(here + 1, at) if tokens[first].word not in _FIRM_PARTS), None)
    return proper


def _is_inner(token: Tagged, tags: frozenset[str]) -> bool:
    """Tell what may stand inside a name: also the number of 第五人民医院."""
    return (token.tag in tags and token.word not in words.ROLES) or bool(_ORDINAL.fullmatch(token.word))


_PERSON_TAGS = frozenset(("nr", "nrt", "nrfg"))
_SURNAMES = words.SURNAMES | frozenset(words.LONG_SURNAMES)


def _people(tokens: list[Tagged]) -> Iterator[Name]:
    # Most tokens are none of these: a quick look saves the questions below.
    for at in [at for at, (word, tag, _) in enumerate(tokens) if tag in _PERSON_TAGS or word in _SURNAMES]:
        token, following = tokens[at], tokens[at + 1] if at + 1 < len(tokens) else None
        if token.word in words.LONG_SURNAMES and following and following.tag in ("nr", "nrt", "nrfg", "n", "ns", "nz"):
            yield Name("person", token.start, following.end)
        elif token.tag in _PERSON_TAGS and len(token.word) > 1:
            yield from _person(token, tokens, at)
        elif len(token.word) == 1 and token.word in words.SURNAMES and following is not None:
            yield from _split_person(token, following)


def _person(token: Tagged, tokens: list[Tagged], at: int) -> Iterator[Name]:
    word, start = token.word, token.start
    if word[0] in "人长员方" and word[1] in words.SURNAMES and len(word) > 2:
        word, start = word[1:], start + 1
    while (len(word) > 3 and word[-1] in _PARTICLES) or (len(word) == 3 and word[-1] in _NEVER_GIVEN):
        word = word[:-1]
    titled = _TITLE.search(word)
    if (titled and titled.start() == 0) or _is_common(word):
        return
    if (word[0] in words.SURNAMES and len(word) <= 3) or word.startswith(words.LONG_SURNAMES) or titled:
        yield Name("person", start, start + len(word))
    elif all(char in words.TRANSLITERATED for char in word):
        yield from _foreign(tokens, at)


def _is_common(word: str) -> bool:
    """Tell a word that the tagger mistakes for a name: 高喊, 舒适性, 金为."""
    if word in words.NOT_PERSONS:
        return True
    return word[-1] in (_PARTICLES if len(word) == 2 else words.NOT_GIVEN_ENDINGS if len(word) == 3 else "")


def _foreign(tokens: list[Tagged], at: int) -> Iterator[Name]:
    last = at
    while (
        last + 1 < len(tokens)
        and len(tokens[last + 1].word) <= 2
        and set(tokens[last + 1].word) <= words.TRANSLITERATED
    ):
        last += 1
    if tokens[last].end - tokens[at].start >= 3:
        yield Name("person", tokens[at].start, tokens[last].end)


def _split_person(token: Tagged, following: Tagged) -> Iterator[Name]:
    """Join a surname with what the tagger cut off: 魏 + 东来, 汪 + 先生."""
    given = token.tag == "nr" and len(following.word) <= 2 and _HAN.match(following.word)
    if _TITLE.fullmatch(following.word) or (given and following.tag not in _NOT_GIVEN):
        yield Name("person", token.start, following.end)


_NOT_GIVEN = frozenset(("p", "c", "uj", "ul", "uz", "ug", "d", "r", "m", "x", "f", "y", "q", "v"))


_PLACE_TAGS = frozenset(("ns", "n", "nz", "nr", "nrt"))


def _places(tokens: list[Tagged]) -> Iterator[Name]:
    resume = 0
    for at in [at for at, (word, tag, _) in enumerate(tokens) if tag in _PLACE_TAGS and len(word) > 1]:
        last = _place_end(tokens, at) if at >= resume else None
        if last is None:
            continue
        start, end = tokens[at].start, tokens[last].end
        chain = "".join(token.word for token in tokens[at : last + 1])
        if chain not in words.NOT_PLACES:
            yield Name("address" if _STREET.search(chain) and any(map(str.isdigit, chain)) else "place", start, end)
        resume = last + 1


def _place_end(tokens: list[Tagged], at: int) -> int | None:
    """Return the last token of the chain of places that begins here (深圳市 龙岗区 布吉 街道), None when none does."""
    here = _one_place(tokens, at)
    if here is None:
        return None
    last = here
    while last + 1 < len(tokens):
        following = _one_place(tokens, last + 1)
        if following is None and _is_street_number(tokens, last + 1):
            following = last + 1
        if following is None:
            break
        last = following
    return last


def _is_street_number(tokens: list[Tagged], at: int) -> bool:
    """Tell a house number (27 号, 3 栋 1502 室) from any other number behind a place."""
    word = tokens[at].word
    if not _STREET_NUMBER.fullmatch(word) or not _PLACE_OR_NUMBER.search(tokens[at - 1].word):
        return False
    return not word[-1].isdigit() or (at + 1 < len(tokens) and bool(_STREET_UNIT.match(tokens[at + 1].word)))


_STREET_UNIT = late("[号栋幢室楼层段弄巷座之\\-]|单元")
_PLACE_OR_NUMBER = late(f"(?:{words.PLACE_ENDINGS}|[0-9a-z一二三四五六七八九十号栋幢楼层段弄座\\-])$")


_STREET_END = frozenset(("路", "街", "大道", "巷", "弄", "胡同"))


def _is_street(tokens: list[Tagged], at: int) -> bool:
    """Tell a street with a house number that the tagger does not know as a place: 港口 路 88 号."""
    return len(tokens[at].word) > 1 and tokens[at + 1].word in _STREET_END and tokens[at + 2].word[0].isdigit()


def _one_place(tokens: list[Tagged], at: int) -> int | None:
    token = tokens[at]
    following = tokens[at + 1] if at + 1 < len(tokens) else None
    if token.tag in _PLACE_TAGS and at + 2 < len(tokens) and _is_street(tokens, at):
        return at + 1
    named = token.tag in ("ns", "nr", "nrt", "nz") and len(token.word) > 1
    if named and following and _PLACE_END.fullmatch(following.word) and (following.word != "区" or token.tag == "ns"):
        return at + 1
    if token.tag == "ns" and len(token.word) > 1 and token.word not in words.NOT_PLACES:
        return at
    ended = len(token.word) > 2 and token.tag in ("n", "nz", "nr", "nrt") and _PLACE_END.search(token.word)
    return at if ended and token.word not in words.NOT_PLACES and token.word[-2:] not in words.NOT_PLACES else None


# --- Latin ---

_WORD = late(r"[A-Za-z\u00c0-\u024f][A-Za-z0-9\u00c0-\u024f]*(?:[&'’.+\-_][A-Za-z0-9\u00c0-\u024f]+)*")
_OPENING = late(r"(?:^|[.!?:;。！？：；\n•·*#>\-\"“”(（\[])[\s*_#>\"“”'(\[]{0,4}$")
_LABEL = late(r"\s?[*_]{0,2}\s?[:：]")


_LONGEST_UNIT = 4


def _latin(text: str, mixed: bool) -> Iterator[Name]:
    """Find runs of capitalised words; in Chinese prose (`mixed`) a single one is a name wherever it stands."""
    run: list[re.Match[str]] = []
    for word in _WORD.finditer(text):
        if len(word[0]) <= _LONGEST_UNIT and text[max(0, word.start() - 1) : word.start()].isdigit():
            continue  # 256MB has a unit, not a name
        joined = bool(run) and text[run[-1].end() : word.start()] in (" ", "  ", " & ")
        if not joined or not _capital(word[0]):
            yield from _named(text, run, mixed)
            run = []
        if _capital(word[0]):
            run.append(word)
    yield from _named(text, run, mixed)


def _capital(word: str) -> bool:
    return word[0].isupper() or (len(word) > 2 and any(map(str.isupper, word[1:])))


def _named(text: str, run: list[re.Match[str]], mixed: bool) -> Iterator[Name]:
    opens = bool(run) and bool(_OPENING.search(text[max(0, run[0].start() - 8) : run[0].start()]))
    loud = len(run) > 1 and all(word[0].isupper() for word in run)
    stops = [_is_stop(word[0], not loud) for word in run]
    if all(stops):
        return
    first, last = stops.index(False), len(run) - stops[::-1].index(False)
    opens, run = opens and not first, run[first:last]
    if all(word[0].lower() in words.ENGLISH_ORGS for word in run) or (opens and _LABEL.match(text, run[-1].end())):
        return
    start, end = run[0].start(), run[-1].end()
    if text[end - 2 : end] in ("'s", "’s"):
        end -= 2
    single = text[start:end]
    if len(run) == 1 and (len(single) < 2 or single.lower() in words.COMMON_LATIN or (opens and not mixed)):
        return
    yield Name(_latin_kind([word[0].lower() for word in run]), start, end)


def _is_stop(word: str, alone: bool) -> bool:
    """Tell a common word; WHO standing alone in running text is none."""
    lower = word.lower().replace("’", "'").removesuffix("'s")
    return lower in (words.CAPITAL_STOPS if alone and len(word) > 1 and word.isupper() else words.ENGLISH_STOPS)


def _latin_kind(run: list[str]) -> NameKind:
    if any(word.strip(".") in words.ENGLISH_ORGS for word in run):
        return "organisation"
    if any(word in words.ENGLISH_PLACES for word in run):
        return "place"
    return (
        "person"
        if 2 <= len(run) <= 3 and all(word.replace("-", "").replace("'", "").replace(".", "").isalpha() for word in run)
        else "product"
    )
