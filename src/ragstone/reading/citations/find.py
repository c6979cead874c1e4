"""Finds the documents, pages and quotes that a free text names; knows no score.

Neighbouring marks are joined: a page belongs to the document before it in its sentence, a quote to the page or document
beside it, and [1] to what the reference list says.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from ragstone.reading.citations.document_names import document_key, same_document
from ragstone.reading.citations.marks import Mark, find_marks, half_width, names_any
from ragstone.text.late import late, lazy

__all__ = ["FoundCitation", "document_key", "find_citations", "same_document"]


LONGEST_ANSWER = 200_000
"""Characters that are looked through; an answer goes on no longer than this, a hostile line does."""
_MOST_SIGNS = 3000
"""Names of files, pages, titles, quotes and brackets that are looked at; the text behind them is left."""


class FoundCitation(NamedTuple):
    """A document, page or quote that a text refers to, and where it does so."""

    file: str | None
    """The name as written, escapes and links undone; compare it with `same_document`."""
    page: int | None
    quote: str | None
    start: int
    end: int
    number: int | None = None
    """What stands in [1], where nothing tells what it stands for."""


def find_citations(
    text: str, known: Sequence[str] = (), references: Sequence[str] = (), *, numbers: bool = False
) -> list[FoundCitation]:
    """Find what a text cites, in order of appearance; each page of a range is a citation of its own.

    `known` are documents that may also be named by their bare stem.
    `references` is what [1], [2], … stand for when the text brings no reference list itself; with `numbers`, those that
    stand for nothing known are told by their number.
    """
    plain = half_width(_read_through(text))
    if not (_HINT.search(plain) and _SIGN.search(plain)) and not names_any(plain, known):
        return []
    marks = find_marks(plain, known)
    entries = _entries(plain)
    marks += _titles(plain, entries, marks)
    marks.sort(key=lambda mark: (mark.start, -mark.end))
    found = _joined(plain, marks)
    found += _numbered(plain, entries, found, references, numbers)
    found.sort(key=lambda citation: (citation.start, citation.end))
    return found


def _read_through(text: str) -> str:
    """What of a text is looked through: neither its length nor its marks are without end."""
    text = text[:LONGEST_ANSWER]
    if len(text) <= _MOST_SIGNS:
        return text
    beyond = next(islice(_MARKING.finditer(text), _MOST_SIGNS, None), None)
    return text[: beyond.start()] if beyond else text


_MARKING = late(
    r"[《“「『‘页頁\[【〔]|[.．](?=[A-Za-zＡ-Ｚａ-ｚ])|://|(?<![A-Za-z])[pP](?=[a-z]{0,4}[.\s]{0,2}[0-9])|[:：](?=\s?\w{1,60}_)"
)
"""What every mark has that costs something to read."""
# One character of every sign: a set alone is looked for several times as fast.
_HINT = late(r"[《“「『\"‘页頁\[【〔\n.:：pP]")
# Every mark, entry and marker holds one of these; most answers hold none.
_SIGN = late(r"[《“「『\"‘页頁\[【〔\n]|\.[A-Za-z]|://|[:：]\s?\w{1,60}_|(?<![A-Za-z0-9])[pP]\D{0,16}\d")

# --- the reference list ---

_HEADING = late(
    r"^[#*_ \t>]{0,12}"
    r"(?:[参參]考(?:资料|文献|来源|文档|資料|文獻|來源|文檔)?|引用(?:来源|文献|文档|來源|文獻|文檔)?|(?:资料|資料)?(?:来源|來源)|出[处處]"
    r"|references?|sources?|citations?|bibliography)"
    r"[*_ \t]{0,6}[:：]?[*_ \t]{0,6}$",
    re.IGNORECASE | re.MULTILINE,
)
_ENTRY = late(
    r"^[ \t>*\-•]{0,12}(?:[\[【〔]\^?(\d{1,3})[\]】〕][ \t]{0,4}[:：]?|(\d{1,3})[.、)）])[ \t]{0,8}(\S[^\n]{0,600})",
    re.MULTILINE,
)
_MARKER = late(r"[\[【〔]\^?(\d{1,3}(?:\s?[,，、\-–]\s?\d{1,3}){0,20})[\]】〕]")
_PAGE_WORDS = late(r"[\s,，(（]*$")


class _Entry(NamedTuple):
    number: int
    line: int
    start: int
    end: int


def _entries(text: str) -> list[_Entry]:
    """Find the lines of a reference list; plain numbers (1. …) count only below a heading."""
    if "\n" not in text:
        return []
    heading = None
    for heading in _HEADING.finditer(text):  # noqa: B007 the last heading is wanted
        pass
    return [
        _Entry(int(found[1] or found[2]), found.start(), found.start(3), found.end(3))
        for found in _ENTRY.finditer(text)
        if found[1] or (heading and found.start() > heading.start())
    ]


def _titles(text: str, entries: Sequence[_Entry], marks: Sequence[Mark]) -> list[Mark]:
    """Take the words of an entry as its document when no file is named in it."""
    files = sorted(mark.start for mark in marks if mark.kind == "file")
    pages = sorted((mark.start, mark.end) for mark in marks if mark.kind == "page")
    titles = []
    for entry in entries:
        at = bisect_left(files, entry.start)
        if at < len(files) and files[at] < entry.end:
            continue
        page = bisect_left(pages, (entry.start, 0))
        end = min(pages[page][0], entry.end) if page < len(pages) else entry.end
        title = _PAGE_WORDS.sub("", text[entry.start : end])
        if title and entry.number:
            titles.append(Mark("file", entry.start, entry.start + len(title), title))
    return titles


def _numbered(
    text: str, entries: Sequence[_Entry], found: Sequence[FoundCitation], references: Sequence[str], unknown: bool
) -> list[FoundCitation]:
    """Resolve [1] and its like."""
    meanings = _meanings(entries, found, references)
    if not meanings and not unknown:
        return []
    markers = [marker for marker in _MARKER.finditer(text) if not _heads_entry(marker.start(), entries)]
    resolved = [
        FoundCitation(cited.file, cited.page, cited.quote, marker.start(), marker.end())
        for marker in markers
        for number in _numbers(marker[1])
        for cited in meanings.get(number, ())
    ]
    bare = [
        FoundCitation(None, None, None, marker.start(), marker.end(), number)
        for marker in (markers if unknown else ())
        for number in _numbers(marker[1])
        if number not in meanings and not _is_index(text, marker)
    ]
    return resolved + bare


def _is_index(text: str, marker: re.Match[str]) -> bool:
    """Tell the index of code (arr[1] = 5) from the number behind a word (for three years[1].)."""
    before, after = text[max(0, marker.start() - 1) : marker.start()], text[marker.end() : marker.end() + 1]
    return before.isascii() and (before.isalnum() or before in tuple("_)]")) and after not in ("", *".,;:!?。，；[【\n")


def _heads_entry(at: int, entries: Sequence[_Entry]) -> bool:
    index = bisect_right(entries, at, key=lambda entry: entry.line) - 1
    return index >= 0 and at < entries[index].start


def _meanings(
    entries: Sequence[_Entry], found: Sequence[FoundCitation], references: Sequence[str]
) -> dict[int, list[FoundCitation]]:
    meanings = {
        number: find_citations(name) or [FoundCitation(name.strip(), None, None, 0, 0)]
        for number, name in enumerate(references, start=1)
        if name.strip()
    }
    starts = [citation.start for citation in found]
    for entry in entries:
        cited = found[bisect_left(starts, entry.start) : bisect_left(starts, entry.end)]
        if cited:
            meanings[entry.number] = list(cited)
    return meanings


def _numbers(marker: str) -> list[int]:
    """Read "1, 3-5" as 1, 3, 4, 5."""
    numbers: list[int] = []
    for part in re.split(r"[,，、]", marker):
        first, _, last = part.replace("–", "-").partition("-")
        numbers += range(int(first), int(last or first) + 1)
    return numbers[:100]


# --- joining neighbours ---

_BREAK = late(r"[。！？；;\n]|[!?](?=\s)|(?<![ (（][pP])(?<!pp)(?<![nN]o)\.(?=\s+[A-Z\"“])")
_SAYS = late(
    r"(?:[:：]|写道|记载|记录|载明|显示|规定|提到|指出|说|称|写明|states?|says?|said|reads?|writes?)[,，]?\s?$"
)
_BESIDE = late(
    r"[。.]?[\s\x00]?[（(\[【—–\-]{1,3}[\s\w:：,，]{0,12}$|[\s,，]{0,2}(?:来自|出自|见|from|on|in|at|—|-)?\s?(?:the )?$"
)
_OF = late(r"[\s,，]*(?:of|in|from|的|之)?[\s,，]*(?:the )?[（(《「“\"]?\s?$", re.IGNORECASE)


class _Breaks:
    """Where sentences end outside quotes."""

    def __init__(self, text: str, marks: Sequence[Mark]) -> None:
        self._text, self._marks = text, marks

    @lazy
    def at(self) -> list[int]:
        """Where they end; few texts are asked."""
        text = self._text
        ends = [found.start() for found in _BREAK.finditer(text) if not _continues(text, found)]
        spans = [(mark.start, mark.end) for mark in self._marks if mark.kind != "page"]
        starts = [start for start, _ in spans]
        return [at for at in ends if not _inside(at, spans, starts)] if spans else ends

    def between(self, first: int, second: int) -> bool:
        """Tell whether a sentence ends between two offsets."""
        at = bisect_left(self.at, first)
        return at < len(self.at) and self.at[at] < second


def _continues(text: str, found: re.Match[str]) -> bool:
    at = found.start()
    return at > 0 and text[at] == "\n" and text[at - 1] in ":："


def _inside(at: int, spans: Sequence[tuple[int, int]], starts: Sequence[int]) -> bool:
    index = bisect_left(starts, at) - 1
    return index >= 0 and at < spans[index][1]


def _joined(text: str, marks: Sequence[Mark]) -> list[FoundCitation]:
    """Give each page its document and each quote its page or document."""
    breaks = _Breaks(text, marks)
    anchors = [mark for mark in marks if mark.kind != "quote"]
    owners = _owners(text, anchors, breaks)
    paged = set(owners.values())
    spots = [at for at, mark in enumerate(anchors) if mark.kind == "page" or mark.page is not None or at not in paged]
    quotes = _quotes_of(text, anchors, spots, [mark for mark in marks if mark.kind == "quote"], breaks)
    return [cited for at in spots for cited in _citations(anchors, at, owners.get(at), quotes.get(at, []))]


def _citations(anchors: Sequence[Mark], at: int, owner: int | None, quotes: Sequence[Mark]) -> Iterator[FoundCitation]:
    mark = anchors[at]
    owning = anchors[owner] if owner is not None else None
    file = mark.name if mark.kind == "file" else owning.name if owning else None
    start, end = min(mark.start, owning.start if owning else mark.start), max(mark.end, owning.end if owning else 0)
    for quote in quotes:
        yield FoundCitation(file, mark.page, quote.name, min(start, quote.start), max(end, quote.end))
    if not quotes:
        yield FoundCitation(file, mark.page, None, start, end)


def _owners(text: str, anchors: Sequence[Mark], breaks: "_Breaks") -> dict[int, int]:
    """Map each page to its document: the one before it in its sentence, or the one that follows at once."""
    owners: dict[int, int] = {}
    last: int | None = None
    for at, mark in enumerate(anchors):
        if mark.kind == "file":
            last = at
            continue
        if last is not None and not breaks.between(anchors[last].end, mark.start):
            owners[at] = last
            continue
        after = next(
            (index for index in range(at + 1, min(at + 12, len(anchors))) if anchors[index].kind == "file"), None
        )
        if (
            after is not None
            and _OF.fullmatch(text[mark.end : anchors[after].start][:20])
            and _near(mark, anchors[after])
        ):
            owners[at] = after
    return owners


def _near(mark: Mark, other: Mark) -> bool:
    return other.start - mark.end <= 15


def _quotes_of(
    text: str, anchors: Sequence[Mark], spots: Sequence[int], quotes: Sequence[Mark], breaks: "_Breaks"
) -> dict[int, list[Mark]]:
    """Map each place that names a page or document to the quotes that stand beside it."""
    starts = [anchors[spot].start for spot in spots]
    ends = sorted((anchors[spot].end, spot) for spot in spots)
    beside: dict[int, list[Mark]] = {}
    for quote in quotes:
        after = bisect_left(starts, quote.end)
        before = bisect_right(ends, (quote.start, len(anchors))) - 1
        following = spots[after] if after < len(spots) else None
        preceding = ends[before][1] if before >= 0 else None
        chosen = _choice(text, anchors, quote, preceding, following, breaks)
        if chosen is not None:
            beside.setdefault(chosen, []).append(quote)
    return beside


def _choice(
    text: str, anchors: Sequence[Mark], quote: Mark, preceding: int | None, following: int | None, breaks: "_Breaks"
) -> int | None:
    before = (
        text[anchors[preceding].end : quote.start]
        if preceding is not None and quote.start - anchors[preceding].end < 80
        else None
    )
    after = (
        text[quote.end : anchors[following].start]
        if following is not None and anchors[following].start - quote.end < 60
        else None
    )
    told = before is not None and preceding is not None and not breaks.between(anchors[preceding].end, quote.start)
    if told and before is not None and _SAYS.search(before):
        return preceding
    if after is not None and _BESIDE.match(after):
        return following
    if told:
        return preceding
    return (
        following
        if after is not None and following is not None and not breaks.between(quote.end, anchors[following].start)
        else None
    )
