"""Finds the marks of which citations are made: documents, pages and quotes, each with its place."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from ragstone.reading.citations.document_names import (
    EXTENSIONS,
    document_key,
    link_document,
    plain_name,
    same_document,
    web_path,
)
from ragstone.text.fold import fold
from ragstone.text.late import late
from ragstone.text.numbers.words import read_numeral

_LONGEST_NAME = 200
_LONGEST_RUN = 50
"""A range of more pages than this is read as its two ends."""
_MOST_IN_RUNS = 1000
"""Pages between the ends of ranges that one text can name; further ranges are read as their two ends."""


class Mark(NamedTuple):
    """One document, page or quote that a text shows."""

    kind: Literal["file", "page", "quote"]
    start: int
    end: int
    name: str = ""
    page: int | None = None


# --- documents ---

_WIDE = late("[０-９Ａ-Ｚａ-ｚ＿．／％＃［］＼]")
_NARROW = {ord(wide): ord(wide) - 0xFEE0 for wide in map(chr, range(0xFF10, 0xFF5B))} | {
    ord(wide): ord(narrow) for wide, narrow in zip("＿．／％＃［］＼", "_./%#[]\\", strict=True)
}
_NARROW = {wide: narrow for wide, narrow in _NARROW.items() if chr(narrow) not in ":;<=>?@"}
_LINK = late(r"\\?\]\(\s?<?([^()<>\s]{0,500}(?:\([^()\s]{0,80}\)[^()<>\s]{0,200})?)>?(?:\s\"[^\"\n]{0,200}\")?\)")
_FRONT = late(r"[\w.\-/]{1,100}\\?$")
_URL = late(r"(?:https?|ftp|file)://[^\s<>\"'`|\\^{}，。；：、！？（）【】「」『』《》“”]{1,2000}", re.IGNORECASE)
_ENDING = late(rf"\.(?:{EXTENSIONS})(?![A-Za-z0-9_]|\.[A-Za-z0-9])", re.IGNORECASE)
_NAME_BACKWARDS = late(r"(?:[\w\-./\\%+~&@·]|\)[^()\s]{1,40}\(|）[^（）\s]{1,40}（)+")
_TITLE = late(r"《([^《》\n]{1,100})》")
_TITLE_TOLD = late(
    r"(?:[参參][考见見阅閱]|[详詳請请]?[见見]|[根依][据據]|[来來](?:自|源于?)|出[自处處]|[引摘]自|引用|[资資]料|文[件档檔]|\bsources?|\bsee)"
    r"(?:是|了|名)?\s?[:：]?\s?[「『“\"'`【\[（(*]{0,3}$|[\[【（(]\s?$",
    re.IGNORECASE,
)
_TITLE_PLACED = late(
    r"[*`\s,，（(]{0,4}(?:第[\s\w,，、–~～-]{1,20}[页頁]|[页頁]|pp?\.|pages?\b|\d+\s?[页頁]|所[载載]|[记記][载載]|[)）\]】]\s?$)"
    r"|[^。！？；;\n“「”」]{0,12}[“「]",
    re.IGNORECASE,
)
"""In front of and behind a title that is named as a source."""
_TITLE_NEAR = 16
_CLOSERS = {"`": "`", "》": "《", "」": "「", "』": "『", "】": "【"}
_NOT_IN_NAME = late(r"[\n†\x00。，；：:]")
_PAGE_FRAGMENT = late(r"[#?&]page=(\d{1,5})(?!\d)")
_IMAGE = late(r"\.(?:png|jpe?g|gif|svg|webp|bmp)(?:[?#]|$)", re.IGNORECASE)
_STRONG_CUE = late(
    "^见(?![证习面闻])|参见|详见|(?:答案|内容|说明|详情|原文|条款|规定)可?见|来自|来源于|来源是|出自|引自|摘自|根据|依据|请见|请看|基于|载于|参考(?!手册|书|资料|文献|答案|指南|价)"
)
_ENDS_WITH_CUE = late(f"(?:{_STRONG_CUE.pattern})$")
_LATIN_CUE = late(
    "(?:参考|参阅|参照|查看|查阅|引用|来源|依照|按照|文档|文件|资料|附件|手册|详情|位于|以及|[见看读在从和与及或是为由按据到即如的了])$"
)
_CUE_BEFORE = late(
    r"(?:参考|参见|参阅|参照|详见|请见|请看|来自|来源于|来源|出自|引自|摘自|根据|依据|基于|按照|查看|文档|文件|资料|见"
    r"|\bsee(?: also)?|\bsources?|\breferences?|\baccording to|\bciting|\bcited?|\bfrom|\bfile|\bdocument)"
    r"(?:是|了|名)?\s?[:：]?\s?(?:the )?[「『“\"'《`【\[（(*]{0,3}$"
)
_CUE_AFTER = late(r"[」』”\"'》`】\])）*]{0,3}\s?(?:文档|文件|\.\w|file\b|document\b|第\s?\d|p\.|page\b)")


def half_width(text: str) -> str:
    """Write full-width letters, digits and the signs of file names in half width, keeping the length."""
    return text.translate(_NARROW) if _WIDE.search(text) else text


def find_marks(text: str, known: Sequence[str] = ()) -> list[Mark]:
    """Find all marks of a text; `known` documents are also found by their bare stem."""
    links = list(_links(text))
    rest = _blanked(text, links)
    addresses = list(_addresses(rest))
    rest = _blanked(rest, addresses)
    spaced = _stems(rest, [name for name in known if " " in document_key(name)])
    files = sorted([*spaced, *_file_names(_blanked(rest, spaced), known)], key=lambda mark: mark.start)
    files += _told(_blanked(rest, files))
    files.sort(key=lambda mark: mark.start)
    rest = _blanked(rest, files)
    quotes = list(_quotes(rest, known))
    titles = list(_titles(rest, known))
    marks = links + addresses + files + quotes + titles
    marks += _stems(_blanked(rest, titles), known)
    return _affirmed(text, marks + list(_pages(rest, marks)))


def _titles(text: str, known: Sequence[str]) -> Iterator[Mark]:
    """Find titles of known documents, and others that are named as a source; running text speaks of 《民法典》 too."""
    keys, last = {document_key(name) for name in known}, -1
    for found in _TITLE.finditer(text):
        start, end = found.span()
        listed = last >= 0 and start - last < len("以及《") and _AND.fullmatch(text, last, start)
        told = listed or _TITLE_TOLD.search(text, max(0, start - _TITLE_NEAR), start) or _TITLE_PLACED.match(text, end)
        if "\x00" not in found[1] and (told or document_key(found[1]) in keys):
            last = end
            yield Mark("file", start, end, found[1])


# --- documents that are named only to be ruled out ---

_DENIED_ZH = late(
    "(?:(?<!是)不是|并非|并不|而非|(?<!不得)(?<!不能)(?<!不可)(?<!是)不|没有?|未曾?|从未|无法|不能)(?:是|直接|再|被|曾|有)?"
    "(?:来自|来源于?|出自|引自|摘自|源自|取自|引用|参考|参照|参阅|依据|根据|基于|采用|使用|见于|载于|出现在|写在|提到|提及)"
    "(?:于|自|了|过)?(?:文档|文件)?$|(?:(?<!是)不是|并非|而非|不在)(?:文档|文件)?$"
)
_DENIED_EN = late(
    r"(?:\b(?:not|never|without|neither|nor)|n't)(?: (?!only|just)[a-z]+){0,2}? "
    r"(?:from|in|citing|cited?|quoting|quoted?|referenc\w+|based on|according to|us(?:e|ed|ing))"
    r"(?: the)?(?: file| document)?$"
    r"|\b(?:not|rather than|instead of)(?: the)?(?: file| document)?$"
)
_AND = late(r"[\s,，、/和与與及或]*(?:and|or|nor|以及|或者)?[\s]*", re.IGNORECASE)
_DENIAL_REACH = 40
_OPENING = " \t:：《「『“\"'`*[(（【"


def _affirmed(text: str, marks: list[Mark]) -> list[Mark]:
    """Leave out the documents a text says it does not rest on, and the pages that belong to them."""
    folded = fold(text) if any(mark.kind == "file" for mark in marks) else ""
    denied: list[Mark] = []
    for mark in sorted((mark for mark in marks if mark.kind == "file"), key=lambda mark: mark.start):
        before = folded[max(0, mark.start - _DENIAL_REACH) : mark.start].rstrip(_OPENING)
        listed = denied and mark.start - denied[-1].end < 8 and _AND.fullmatch(folded, denied[-1].end, mark.start)
        if listed or _DENIED_ZH.search(before) or _DENIED_EN.search(before):
            denied.append(mark)
    if not denied:
        return marks
    gone, ends = {*denied}, [mark.end for mark in denied]
    return [mark for mark in marks if mark not in gone and not (mark.kind == "page" and _follows(mark, ends))]


def _follows(mark: Mark, ends: Sequence[int]) -> bool:
    at = bisect_right(ends, mark.start) - 1
    return at >= 0 and mark.start - ends[at] < 8


def _blanked(text: str, marks: Sequence[Mark]) -> str:
    if not marks:
        return text
    pieces, here = [], 0
    for mark in marks:
        pieces += [text[here : mark.start], "\x00" * (mark.end - mark.start)]
        here = mark.end
    return "".join([*pieces, text[here:]])


def _links(text: str) -> Iterator[Mark]:
    last = 0
    for found in _LINK.finditer(text):
        opening = text.rfind("[", max(last, found.start() - _LONGEST_NAME), found.start())
        if opening < 0:
            continue
        mark = _link(text, opening, found, last)
        last = found.end()
        if mark:
            yield mark


def _link(text: str, opening: int, found: re.Match[str], last: int) -> Mark | None:
    if text[opening - 1 : opening] == "!" or _IMAGE.search(found[1]):
        return None
    front = _FRONT.search(text[max(last, opening - 100) : opening])
    label = text[opening + 1 : found.start()]
    glued = front[0] if front else ""
    named = link_document(_cut_cue(glued), label, found[1])
    if named is label and not _ENDING.search(label):
        return None
    if named is found[1] and _ENDING.search(label) and not _ENDING.search(plain_name(named)):
        named = label
    start = opening - len(glued) if front and named not in (label, found[1]) else opening
    return Mark("file", start, found.end(), plain_or_path(named), _page_within(found[1], label))


def _page_within(target: str, label: str) -> int | None:
    fragment = _PAGE_FRAGMENT.search(target)
    if fragment:
        return int(fragment[1])
    pages = [mark.page for mark in _pages(label, ())]
    return pages[0] if pages else None


def _addresses(text: str) -> Iterator[Mark]:
    for found in _URL.finditer(text):
        address = found[0].rstrip(".,;:!?)]*_")
        yield Mark("file", found.start(), found.start() + len(address), web_path(address), _page_within(address, ""))


def _file_names(text: str, known: Sequence[str]) -> Iterator[Mark]:
    here = 0
    for ending in _ENDING.finditer(text):
        start = _name_start(text, ending, here)
        name = text[start : ending.end()]
        if name.strip(" .-/\\") != ending[0].lstrip("."):
            start += len(name) - len(_cut_cue(name, known))
            here = ending.end()
            yield Mark("file", start, ending.end(), plain_or_path(text[start : ending.end()]))


_TOLD = late(
    r"(?:[来來]源|出[处處]|文件|文[档檔]|[资資]料|[参參]考|引用|\b(?:sources?|files?|documents?|references?))\s?[:：]\s?"
    r"([A-Za-z0-9]{1,60}+(?:\\?_[A-Za-z0-9]{1,60}+){1,12}+)(?![\w(\[.\\]\w)",
    re.IGNORECASE,
)


def _told(text: str) -> list[Mark]:
    """Find documents that are named by their stem behind a label: 来源：04_retention_rules."""
    told = _TOLD.finditer(text) if ":" in text or "：" in text else ()
    return [Mark("file", found.start(1), found.end(1), plain_or_path(found[1])) for found in told]


def _name_start(text: str, ending: re.Match[str], here: int) -> int:
    floor = max(here, ending.start() - _LONGEST_NAME)
    opener = _CLOSERS.get(text[ending.end() : ending.end() + 1])
    if opener:
        at = text.rfind(opener, floor, ending.start())
        if at >= 0 and not _NOT_IN_NAME.search(text, at, ending.start()):
            return at + 1
    part = _NAME_BACKWARDS.match(text[floor : ending.start()][::-1])
    start = ending.start() - (part.end() if part else 0)
    while text[start] in "-~&@+%":
        start += 1
    return start


def _cut_cue(name: str, known: Sequence[str] = ()) -> str:
    """Drop what is written in front of a name without a space: 请参考orchid_faq.md."""
    if name.isascii():
        return name
    folded = fold(name)
    for document in known:
        end = len(name) - len(plain_name(document))
        if end > 0 and same_document(name[end:], document) and _ends_words(folded, end):
            return name[end:]
    cut = max((cue.end() for cue in _STRONG_CUE.finditer(folded)), default=0)
    for at in range(len(name) - 1, cut, -1):
        # The dot of 手册.pdf opens no name, nor does the hyphen of 手册-假期.pdf.
        if (
            name[at].isascii()
            and name[at] not in ".-"
            and not name[at - 1].isascii()
            and _LATIN_CUE.search(folded, cut, at)
        ):
            cut = at
            break
    return name[cut:] if not _ENDING.match(name[cut:]) else name


def _ends_words(folded: str, end: int) -> bool:
    """Tell whether what stands before a name is not part of it: a cue, or another script."""
    if _LATIN_CUE.search(folded, 0, end) or _ENDS_WITH_CUE.search(folded, 0, end):
        return True
    return not folded[end - 1].isascii() and folded[end].isascii()


def plain_or_path(name: str) -> str:
    """Return a name as written, without markdown escapes and fragments."""
    last = plain_name(name)
    whole = re.sub(r"\\([^\w\s\\/]|_)", r"\1", name).strip(" *`'\"[]()<>").partition("#")[0].partition("?")[0]
    if "://" in whole:
        return web_path(whole)
    return whole if whole.endswith(last) else last


def names_any(text: str, known: Sequence[str]) -> bool:
    """Say whether the stem of a known document stands in a text at all."""
    if not known:
        return False
    folded = fold(text)
    return any(stem in folded for name in known for stem in _spellings(name, folded))


def _stems(text: str, known: Sequence[str]) -> list[Mark]:
    """Find known documents that are named without their ending."""
    if not known:
        return []
    folded = fold(text)
    return [mark for name in known for stem in _spellings(name, folded) for mark in _named_by(stem, text, folded)]


def _spellings(name: str, folded: str) -> Iterator[str]:
    """Yield a document's stem, also with escaped underscores when the text escapes anything."""
    stem = document_key(name)
    if stem:
        yield stem
    if "\\" in folded and "_" in stem:
        yield stem.replace("_", "\\_")


def _named_by(stem: str, text: str, folded: str) -> Iterator[Mark]:
    at = folded.find(stem)
    while at >= 0:
        ending = _ENDING.match(folded, at + len(stem))
        end = ending.end() if ending else at + len(stem)
        if _stands_alone(folded, at, stem, end):
            start = _path_start(folded, at)
            yield Mark("file", start, end, plain_or_path(text[start:end]))
        at = folded.find(stem, end)


def _path_start(folded: str, at: int) -> int:
    """Return where the folders before a stem begin, or the stem itself."""
    if folded[max(0, at - 1) : at] not in ("/", "\\"):
        return at
    folders = _FOLDERS.search(folded, max(0, at - _LONGEST_PATH), at)
    return folders.start() if folders else at


_DISTINCT = late(r"[a-z\u3400-\u9fff].*[\d_\-]|[\d_\-].*[a-z\u3400-\u9fff]|[\u3400-\u9fff]{6}|[a-z]+ [a-z]+ [a-z]")
_WORDLIKE = late(r"[a-z0-9_\-./\\]")
_FOLDERS = late(
    r"(?<![\w./\\])(?:~?[/\\]|\.{1,2}[/\\])?(?:[a-z0-9_.\-]{1,40}[/\\])+$|(?<![\w.])(?:~?[/\\]|\.{1,2}[/\\])$"
)
"""The folders of a path up to its last part; 和/或 is none."""
_LONGEST_PATH = 120
_PATH_ENDS = late(r"[^\u3400-\u9fff]|$|第|中(?!心)|里|内|的|所|文档|文件|规定|可知|指出|写|记载|显示")


def _stands_alone(folded: str, at: int, stem: str, end: int) -> bool:
    """Tell a document named by its stem from the same letters inside a word or in common use."""
    before, after = folded[max(0, at - 1) : at], folded[end : end + 1]
    if _WORDLIKE.match(stem) and _WORDLIKE.match(before) and before not in "./\\":
        return False
    ends_sentence = after in ".-/" and not folded[end + 1 : end + 2].isalnum()
    if end == at + len(stem) and _WORDLIKE.match(stem[-1]) and _WORDLIKE.match(after) and not ends_sentence:
        return False
    if _DISTINCT.search(stem) or end > at + len(stem):
        return True
    folders = _FOLDERS.search(folded, max(0, at - _LONGEST_PATH), at) if before in ("/", "\\") else None
    if folders:
        at = folders.start()
        if not _PATH_ENDS.match(folded, end):
            return False
        if not _WORDLIKE.match(stem) or folders[0].startswith(("/", "./", "../", "~")):
            return True
    return bool(_CUE_BEFORE.search(folded, max(0, at - 24), at) or _CUE_AFTER.match(folded, end))


# --- quotes ---

_QUOTED = late(
    r"“([^“”\n]{2,600})”|「([^「」\n]{2,600})」|『([^『』\n]{2,600})』|\"([^\"\n]{2,600})\"|‘([^‘’\n]{4,600})’"
)
_SENTENCE_SIGN = late(r"[。，！？；,!?;…\x00]|\.\s")


def _quotes(text: str, known: Sequence[str]) -> Iterator[Mark]:
    keys = {document_key(name) for name in known} - {""}
    for found in _QUOTED.finditer(text):
        inside = found[found.lastindex or 0]
        start, end = found.span()
        plain = text[start] == '"'
        if not inside.strip("\x00 ") or (plain and text.startswith(":", end)):
            continue
        named = (keys and document_key(inside) in keys) or (
            not plain and len(inside) <= 30 and not _SENTENCE_SIGN.search(inside) and _is_cued(text, start)
        )
        yield Mark("file" if named else "quote", start, end, inside)


def _is_cued(text: str, start: int) -> bool:
    return start > 0 and _CUE_BEFORE.search(fold(text[max(0, start - 24) : start])) is not None


# --- pages ---

_HAN = "零〇一二三四五六七八九十百两"
_PAGE_ZH = late(
    rf"第\s?((?:\d{{1,5}}|[{_HAN}]{{1,6}})(?:\s?[页頁]?\s?[-–—~～至到、,，和与及與]\s?第?\s?(?:\d{{1,5}}|[{_HAN}]{{1,6}})){{0,9}})\s?[页頁]"
    r"|(?<![\d.第])(\d{1,5})\s?[页頁](?!码|碼|面)"
    r"|[页頁][码碼]\s?[:：]?\s?(\d{1,5})(?!\d)"
    rf"|(?<![\w])[页頁]\s?((?:\d{{1,5}}|[{_HAN}]{{1,6}})(?:\s?[-–—~～至到、]\s?(?:\d{{1,5}}|[{_HAN}]{{1,6}})){{0,9}})(?![\w])"
)
_PAGE_EN = late(
    r"(?<![a-z0-9])(?:(pages|pp)\.?\s?(\d{1,5}(?:\s?(?:-|–|—|,|&|and|to)\s?\d{1,5}){0,9})"
    r"|(page|pg|p)(?:\sno\.|\snumber|_number|\")?(\s?[.:：=])?\s?(\d{1,5}(?:\s?[-–—]\s?\d{1,5})?))(?![a-z0-9%]|\.\d)",
    re.IGNORECASE,
)
_NUMBER = late(rf"\d+|[{_HAN}]+|[-–—~～至到]|\bto\b")
_RANGE = set("-–—~～至到") | {"to"}


def _pages(text: str, marks: Sequence[Mark]) -> Iterator[Mark]:
    ends = {mark.end for mark in marks if mark.kind == "file"}
    left = _MOST_IN_RUNS
    for found, numbers in _places(text, ends):
        pages, between = _expanded(numbers, left)
        left -= between
        for page in pages:
            yield Mark("page", found.start(), found.end(), page=page)


def _places(text: str, ends: set[int]) -> Iterator[tuple[re.Match[str], str]]:
    for found in _PAGE_ZH.finditer(text) if "页" in text or "頁" in text else ():
        if found[2] is None or _is_page(text, found, ends):
            yield found, found[1] or found[2] or found[3] or found[4]
    for found in _PAGE_EN.finditer(text):
        if found[2] or found[4] or found[3].lower() != "p" or _is_page(text, found, ends):
            yield found, found[2] or found[5]


class _Pages(NamedTuple):
    numbers: list[int]
    between: int
    """How many of them were not written down."""


def _expanded(numbers: str, most: int) -> _Pages:
    """Read "3-5" as 3, 4, 5 and "3, 5" as 3, 5; no more than so many pages that are not written down."""
    pages: list[int] = []
    through, between = False, 0
    for sign in _NUMBER.findall(numbers):
        numeral = None if sign in _RANGE else read_numeral(sign)
        if numeral is None:
            through = sign in _RANGE
            continue
        page = int(numeral.value)
        if through and pages and pages[-1] < page <= pages[-1] + min(_LONGEST_RUN, most - between + 1):
            between += page - pages[-1] - 1
            pages.extend(range(pages[-1] + 1, page))
        pages.append(page)
        through = False
    return _Pages(pages, between)


def _is_page(text: str, found: re.Match[str], ends: set[int]) -> bool:
    """Tell a page from a count of pages (共12页) and from a grade (P0 故障)."""
    before, after = text[max(0, found.start() - 1) : found.start()], text[found.end() : found.end() + 1]
    if (before in "(（[【" and before) or (found[2] or "").startswith("0"):
        return after in ")）]】,，;；:： 。" or before not in "(（[【"
    near = {found.start(), found.start() - 1, found.start() - 2}
    return bool(near & ends) or before in tuple("见在於于看卷宗录书册")
