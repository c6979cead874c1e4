"""Documents as drafting sees them: their sections, sentences, lists and tables, each by its offsets in its page."""

import re
from collections.abc import Container, Iterable, Iterator
from functools import cached_property
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from typing import Literal, NamedTuple

from ragstone.documents.folder import Note, find_files, read_document
from ragstone.documents.page import DocumentError, Page
from ragstone.documents.rendered import rendered
from ragstone.drafting.draft import Place, Writing
from ragstone.reading.sentences import sentences
from ragstone.text.fold import bare, fold
from ragstone.text.late import late
from ragstone.text.numbers.find import read_number
from ragstone.text.traditional import only_simplified

BREAK = "\x0b"
"""Stands for the end of a line within a sentence of a script that is written without spaces."""
Form = Literal["text", "item", "row"]
_HEADING = late(r" {0,3}#{1,6}\s+(.+?)\s*#*$")
_UNDERLINE = late(r"(?:={3,}|-{3,})[ \t]*$")
"""Under a heading that is written with a line below it."""
_LINK = late(r"!?\[([^\[\]]*)\](?:\([^()]*\)|\[[^\[\]]*\])?")
_NESTED = 2
"""Links within one another, as pictures that are links are."""
_CODE = late(r"(?<!\w)--[a-z]{2,}|\w\(\)|^ *(?:\$|>>>) \S", re.MULTILINE)
"""What documents of software hold: an option, a call, a line typed."""
_CODED = 2
"""Times that something is marked or written as code in them."""
_ITEM = late(
    r"[ \t]*(?:[-•·+]|\*(?!\*)|"
    r"[0-9]{1,2}[.、)）](?![0-9])|[（(][0-9一二三四五六七八九十]{1,2}[）)]|[一二三四五六七八九十]{1,3}、)"
    r"[ \t]*(?=\S)"
)
_CLAUSE = late(
    r"[ \t]*(?:(?P<article>第[0-9一二三四五六七八九十百]{1,5}[条條])[ \t\u3000]+|[0-9]{1,2}(?:\.[0-9]{1,2})+\.?[ \t]+)"
    r"(?=\S)"
)
"""The number of an article or clause in front of its text: 第七条, 3.2."""
_NUMBER = late(
    r"^(?:第[0-9一二三四五六七八九十百]{1,4}[章节節条條款][ \t\u3000]+|"
    r"[0-9一二三四五六七八九十]{1,3}(?:[.、]|(?:\.[0-9]{1,2})+)[ \t\u3000]*|[0-9]{1,2}[ \t]+(?=[\u4e00-\u9fff]))(?=\S)"
)
"""The number of a heading in front of its words: 一、, 第三章, 2.1."""
_QUESTION = late(r"(?:\*\*|__)?(?:(?:问|問|Q)[0-9]*[：:.]\s*)?(?P<asked>[^*：:。.!！?？]{3,80}[?？])(?:\*\*|__)?[ \t]*")
"""What a document of questions and answers asks, in front of its answer or alone in its line."""
_ANSWER = late(r"[ \t]*(?:\*\*)?(?:答|A)(?:\*\*)?[：:](?:\*\*)?[ \t]*(?=\S)")
_FULL_LINE = 56
"""Places of a line, two for a Han character, from which it may have been broken for its length."""
_WRAPPED = 72
"""Places that a line would have with the next word, from which that word may have been too long for it."""
_ENDED = late(r"[。！？!?：:；;…]$|\.[\"”')]?$")
_SKIPPED = late(r"\s*(?:>|<!--|```|!\[|---+\s*$|===+\s*$|\*\*\*+\s*$)")
_WORD = late(r"(?<=[a-z,;] )[A-Za-z]{2,}")
_KANA = late("[\u3041-\u30ff]")
_HANGUL = late("[\uac00-\ud7a3]")
_LATIN = late("[A-Za-z]{2,}")
"""A word of Latin letters says about as much as one Han character."""
_FEW_WORDS, _LEAST_SMALL = 200, 0.05
_SMALL = frozenset(("the", "of", "and", "to", "is", "for", "with", "that", "by", "are", "from"))
_HAN = late("[\u3400-\u9fff]")
_AROUND = 300
"""Characters of a paragraph kept on either side of a quotation."""
_ENOUGH = 60
"""Characters of a paragraph that tells enough by itself."""
_BRACKETS = late(r"[（(][^（）()]*[）)]\s*$")
_COUNTED = late("[0-9一二三四五六七八九十]")
_NO_TITLE = late(
    r"[。，；;！!：:|<>{}=\t]|[.,?？]$|\. |^(?:page|dear|by|to|from|for immediate release|(?:press|news) release|"
    r"confidential|draft|尊敬的?|亲爱的?|第[ 0-9]+[页頁])(?:\b|$|(?=[\u4e00-\u9fff]))|^\W*[0-9\W]*$",
    re.IGNORECASE,
)
"""In a first line that is no title."""
_SAYS = late(
    r"\b(?:is|are|was|were|has|have|had|must|may|can|will|shall|should|does|do|did)\b|[^为為是]{2}[为為是](?!了)"
)
"""In a line that says something."""
_LONGEST_TITLE = (40, 90)
"""Characters of a title; in Latin letters."""
_TELLING_NAME = (3, 2)
"""Han characters, or words in Latin letters, of a file name that says what a document is."""
_LOWER = late(r"(?<![\w'’-])(?!(?:with|from|between|about|into|over|after|under|upon)\b)[a-z][\w'’-]{3,}")
_PART = late(r"第[0-9一二三四五六七八九十百]{1,4}(?:章|节|節|编|編|部分)[ \t\u3000]*\S{1,20}$")
_NUMBERED = late(
    r"(?:[0-9]{1,2}(?:\.[0-9]{1,2})*[.、]?[ \t\u3000]+(?=[A-Z\u4e00-\u9fff])|"
    r"[一二三四五六七八九十]{1,3}、)(?P<words>.+)$"
)
"""A line with a number, which is a heading where it is short and stands alone."""
_NUMERAL = late("[0-9]+|[一二三四五六七八九十]+")
_LONGEST_HEADING = (16, 50)
_CELLS = late(r"\S \| \S")


class Block(NamedTuple):
    """A line of a page: a paragraph, an item of a list, a row of a table; where its text begins and ends."""

    form: Form
    page: int
    start: int
    end: int
    section: str
    article: str = ""
    """Its number, where it is an article: 第七条."""


class Sentence(NamedTuple):
    """A sentence and its place."""

    text: str
    page: int
    start: int
    section: str
    first: bool
    """Whether its line begins with it."""


class _Marked(NamedTuple):
    """A heading that may be a document's title."""

    words: str
    is_section: bool


class Paper:
    """A document and what it is made of."""

    def __init__(self, name: str, digest: str, pages: tuple[Page, ...]) -> None:
        self.name, self.sha256, self.pages = name, digest, pages
        self._written = {page.number: page.text for page in pages}
        self._seen = tuple(Page(page.number, rendered(page.text, name)) for page in pages)
        self._texts = {page.number: page.text for page in self._seen}
        self.folded = fold("\n".join(page.text for page in pages))

    @cached_property
    def bare(self) -> str:
        """All it says, without spaces and punctuation."""
        return bare("\n".join(page.text for page in self.pages))

    def page(self, number: int) -> str:
        """The text of a page, as readers see it."""
        return self._texts[number]

    def place(self, page: int, start: int, end: int) -> Place:
        """Cut a quotation, as it is written, with everything that proves it."""
        return Place(self.name, self.sha256, page, start, end, self._written[page][start:end])

    def around(self, page: int, start: int, end: int) -> str:
        """The paragraph of a stretch, at most so long; where it is short, with lines below in its section, or above."""
        text = self._written[page]
        first, last = max(0, start - _AROUND), min(len(text), end + _AROUND)
        begin, stop = text.rfind("\n", first, start) + 1 or first, _line_end(text, end, last)
        while len(text[begin:stop].strip()) < _ENOUGH and stop < last and not self._is_titled(text, stop + 1):
            stop = _line_end(text, stop + 1, last)
        while len(text[begin:stop].strip()) < _ENOUGH and begin > first:
            begin = text.rfind("\n", first, begin - 1) + 1 or first
        return text[begin:stop].strip()

    def _is_titled(self, text: str, at: int) -> bool:
        """Say whether the line that begins at a place is the heading of a section."""
        line = text[at : _line_end(text, at, len(text))]
        return _HEADING.match(line) is not None or _NUMBER.sub("", bare_heading(line), count=1) in self.sections

    @cached_property
    def heading(self) -> str:
        """Its first heading, if it stands at the beginning or is one of the first level; no section among others."""
        marked = self._marked
        if marked is None:
            return _title_of(self._first_line)
        words = bare_heading(marked.words).strip(" _")
        return self._named_file if marked.is_section else _title_of(words)

    @cached_property
    def _marked(self) -> "_Marked | None":
        """The heading that may be the title."""
        begun = fenced = False
        lines = [line.rstrip() for page in self._seen for line in page.text.splitlines()]
        for at, (line, below) in enumerate(pairwise([*lines, ""])):
            fenced ^= line.lstrip().startswith("```")
            heading = None if fenced else _HEADING.match(line)
            if heading and (not begun or line.lstrip().startswith("# ")):
                return _Marked(heading[1], self._is_section(line, lines[at + 1 :]))
            if not begun and line and _UNDERLINE.match(below):
                return _Marked(line, is_section=False)
            begun = begun or bool(line)
        return None

    def _is_section(self, heading: str, below: list[str]) -> bool:
        """Say whether a first heading is one of several of its level; one right above another heading is a title."""
        level = heading.split(maxsplit=1)[0]
        if level == "#" and not self.name.lower().endswith(".docx"):
            return False
        text = next((line for line in below if line.strip()), "")
        return _HEADING.match(text) is None and any(line.lstrip().startswith(f"{level} ") for line in below)

    @property
    def _named_file(self) -> str:
        """The file's name, where it says what the document is."""
        words = " ".join(re.split(r"[\s_-]+", Path(self.name).stem)).strip()
        told = len(_HAN.findall(words)) >= _TELLING_NAME[0] or len(_LATIN.findall(words)) >= _TELLING_NAME[1]
        return words if told else ""

    @cached_property
    def opening(self) -> str:
        """Its first line, where that is no sentence: it may be a title beside its first heading."""
        line = next((line.strip() for page in self._seen[:1] for line in page.text.splitlines() if line.strip()), "")
        return "" if _ENDED.search(line) or len(line) > max(_LONGEST_TITLE) else bare_heading(line)

    @cached_property
    def _first_line(self) -> str:
        """The line a document begins with, if it is a title that is not marked as one."""
        lines = [line.strip() for page in self._seen[:1] for line in page.text.splitlines()]
        at = next((at for at, line in enumerate(lines) if line), len(lines))
        rest = lines[at + 1 :]
        return lines[at] if any(rest) and _is_title(lines[at], rest[0]) else ""

    @property
    def title(self) -> str:
        """Its first heading, or its file name."""
        return self.heading or Path(self.name).stem

    @cached_property
    def words(self) -> frozenset[str]:
        """Its words of Latin letters that do not begin a sentence."""
        return frozenset(_WORD.findall("\n".join(page.text for page in self._seen)))

    @cached_property
    def writing(self) -> Writing:
        """The script most of it is written in."""
        text = self.folded[:4000]
        if len(_KANA.findall(text)) * 10 > len(text):
            return "ja"
        if len(_HANGUL.findall(text)) * 5 > len(text):
            return "ko"
        titled = _HAN.search(self.heading) and not _LATIN.search(self.heading)
        if not titled and len(_HAN.findall(text)) < len(_LATIN.findall(text)):
            return "en"
        written = "".join(page.text for page in self._seen)[:4000]
        simplified = sum(map(only_simplified, written))
        return "zh-Hant" if sum(fold(char) != char and char >= "\u4e00" for char in written) > simplified else "zh-Hans"

    @cached_property
    def blocks(self) -> tuple[Block, ...]:
        """Its lines without headings, block quotes, code and comments; a sentence broken over lines is made whole."""
        whole: list[Block] = []
        for block in self._blocks():
            if whole and self._goes_on(whole[-1], block):
                whole[-1] = whole[-1]._replace(end=block.end)
            else:
                whole.append(block)
        return tuple(whole)

    def _goes_on(self, one: Block, other: Block) -> bool:
        """Say whether a line is the rest of the one above it, which was full, or of the item it is indented below."""
        if (one.page, one.section, other.form) != (other.page, other.section, "text") or one.form == "row":
            return False
        text = self._texts[one.page]
        between, last = text[one.end : other.start], text[one.start : one.end].rpartition("\n")[2]
        indented = one.form == "item" and between.endswith(("  ", "\t"))
        width = sum(1 + (char >= "\u2e80") for char in last)
        word = text[other.start : other.end].partition(" ")[0]
        full = indented or width >= _FULL_LINE or (self.writing == "en" and width + 1 + len(word) > _WRAPPED)
        return not between.strip() and between.count("\n") == 1 and full and not _ENDED.search(last)

    def _blocks(self) -> Iterator[Block]:
        section, opening = "", self._first_line if not _HEADING.match(self._first_line) else ""
        styles, above = set[str](), ""
        for page in self._seen:
            here, fenced = 0, False
            lines = page.text.splitlines(keepends=True)
            for line, around in zip(lines, _around(lines), strict=True):
                start, here = here, here + len(line)
                bare = line.strip()
                fenced ^= bare.startswith("```")
                if opening and bare == opening:
                    opening = ""
                elif heading := self._heading(line, around, styles):
                    section = _NUMBER.sub("", bare_heading(heading), count=1)
                    above = bare
                    styles.add(_style(bare))
                elif bare and not fenced and not _SKIPPED.match(line) and not self._is_code(line):
                    asked = _QUESTION.match(bare) if bare.startswith(("**", "__", "问", "問", "Q")) else None
                    if asked or _comes_after(above, bare):
                        section, above = asked["asked"] if asked else "", ""
                    used = len(line) - len(line.lstrip()) + asked.end() if asked else 0
                    if line[used:].strip():
                        block = _block(line[used:], page.number, start + used, section)
                        yield block._replace(form="row") if _is_row(line, around) else block

    def _heading(self, line: str, around: "_Around", styles: set[str]) -> str:
        """The words of a line that is a heading: marked, underlined or numbered, maybe in one of some styles."""
        if heading := _HEADING.match(line.rstrip()):
            return heading[1]
        underlined = line[:1].strip() and not line.startswith(("|", "-", "=")) and _UNDERLINE.match(around.below)
        if underlined or _is_numbered_heading(line, around, styles):
            return line.strip()
        return ""

    def _is_code(self, line: str) -> bool:
        """Say whether a line is indented as code is in Markdown, and is no item of a list."""
        return self.name.endswith(".md") and line.startswith(("    ", "\t")) and not _ITEM.match(line)

    @cached_property
    def is_english(self) -> bool:
        """Whether its Latin words are English, by the small words between them; titles and tables have few."""
        words = _LATIN.findall(self.folded[:8000])
        return len(words) < _FEW_WORDS or sum(word in _SMALL for word in words) > _LEAST_SMALL * len(words)

    @cached_property
    def has_code(self) -> bool:
        """Whether it shows code here and there, as the documents of software do."""
        return sum(page.text.count("`") // 2 + len(_CODE.findall(page.text)) for page in self._seen) >= _CODED

    @cached_property
    def sections(self) -> frozenset[str]:
        """The headings its text stands under."""
        return frozenset(block.section for block in self.blocks)

    @cached_property
    def sentences(self) -> tuple[Sentence, ...]:
        """The sentences of its paragraphs and items, each in one line."""
        return tuple(
            _stripped(line, block, piece.start, piece.end)
            for block in self.blocks
            if block.form != "row"
            for line in [self._line(block)]
            for piece in sentences(line)
        )

    def _line(self, block: Block) -> str:
        """A block without ends of lines, as long as it is written: words need a space in their place, Han none."""
        text = self._texts[block.page][block.start : block.end]
        return text.replace("\n", " " if self.writing in ("en", "ko") else BREAK)


def bare_title(title: str) -> str:
    """A title without a bracket behind it."""
    return _BRACKETS.sub("", title).strip(" _")


def _title_of(words: str) -> str:
    """A title; a bracket with a number behind what sets rules tells its edition, any other nothing or a sort."""
    bracket = words[len(bare_title(words)) :]
    return words if _COUNTED.search(bracket) and RULES.search(fold(words)) else bare_title(words)


class _Around(NamedTuple):
    """The line above and the line below a line, and the nearest of both that is not empty."""

    above: str
    below: str
    last: str
    next: str


def _around(lines: list[str]) -> Iterator[_Around]:
    following, coming = [""] * len(lines), ""
    for at in range(len(lines) - 1, -1, -1):
        following[at] = coming
        coming = lines[at].strip() or coming
    last = ""
    for at, line in enumerate(lines):
        below = lines[at + 1].rstrip("\r\n") if at + 1 < len(lines) else ""
        yield _Around(lines[at - 1].strip() if at else "", below, last, following[at])
        last = line.strip() or last


def _is_title(line: str, below: str) -> bool:
    """Say whether a document's first line is its title: short, without a verb or a full stop."""
    han = _HAN.search(line) is not None
    if _NO_TITLE.search(line) or _ITEM.match(line) or _CLAUSE.match(line) or _SAYS.search(line):
        return False
    if len(line) > _LONGEST_TITLE[not han] or (below and sum(1 + (char >= "\u2e80") for char in line) >= _WRAPPED):
        return False
    return han or not below or not _LOWER.search(line)


def _is_numbered_heading(line: str, around: _Around, styles: set[str]) -> bool:
    """Say whether a line is a chapter, or a number and a few words that stand above a text and in no list."""
    bare = line.strip()
    if _PART.match(bare):
        return not _ENDED.search(bare)
    found = _NUMBERED.match(bare) if line[:1].strip() else None
    if not found or not around.next or _style(bare) in map(_style, (around.last, around.next)):
        return False
    words, goes_on = found["words"], around.above and not _ENDED.search(around.above)
    fits = len(words) <= _LONGEST_HEADING[words.isascii()] and not _NO_TITLE.search(words) and not _SAYS.search(words)
    return fits and (not goes_on or _style(bare) in styles)


def _number(line: str) -> str:
    """The number in front of a line, with its marks."""
    found = _NUMBERED.match(line)
    return line[: found.start("words")] if found else ""


def _style(line: str) -> str:
    """How a line is numbered: 一、, 1., 1.1; nothing where it is not."""
    return _NUMERAL.sub(lambda one: "1" if one[0].isdigit() else "一", _number(line))


def _comes_after(heading: str, line: str) -> bool:
    """Say whether a line has the number behind that of a heading, and so is no part of its section."""
    if not _style(heading) or _style(heading) != _style(line):
        return False
    one, other = (read_number(_NUMERAL.findall(_number(text))[-1]) for text in (heading, line))
    return one is not None and other == one + 1


def _is_row(line: str, around: _Around) -> bool:
    """Say whether a line is a row of a table whose cells only stand apart: one beside it has as many."""
    cells = len(_CELLS.findall(line))
    return cells > 0 and any(len(_CELLS.findall(one)) == cells for one in (around.above, around.below))


def _line_end(text: str, at: int, last: int) -> int:
    found = text.find("\n", at, last)
    return last if found < 0 else found


def bare_heading(text: str) -> str:
    """A heading without marks, pictures and links."""
    for _ in range(_NESTED):
        text = _LINK.sub(lambda link: "" if link[0].startswith("!") else link[1], text)
    return text.strip().strip("*` ¶")


def _block(line: str, page: int, start: int, section: str) -> Block:
    end = start + len(line.rstrip())
    if line.lstrip().startswith("|"):
        return Block("row", page, start + len(line) - len(line.lstrip()), end, section)
    if item := _ITEM.match(line):
        return Block("item", page, start + item.end(), end, section)
    if answer := _ANSWER.match(line):
        return Block("text", page, start + answer.end(), end, section)
    if clause := _CLAUSE.match(line):
        return Block("text", page, start + clause.end(), end, section, clause["article"] or "")
    return Block("text", page, start + len(line) - len(line.lstrip()), end, section)


def _stripped(line: str, block: Block, start: int, end: int) -> Sentence:
    text = line[start:end]
    lead = len(text) - len(text.lstrip())
    return Sentence(text.strip(), block.page, block.start + start + lead, block.section, first=start == 0)


class Corpus:
    """All documents, and exact search over them."""

    def __init__(self, papers: tuple[Paper, ...]) -> None:
        self.papers = papers
        self.by_name = {paper.name: paper for paper in papers}

    def distinct(self) -> "Corpus":
        """The documents without copies of one another."""
        return Corpus(tuple({paper.sha256: paper for paper in reversed(self.papers)}.values())[::-1])

    def papers_of(self, names: Iterable[str]) -> list[Paper]:
        """The documents of some names."""
        return [self.by_name[name] for name in names]

    def holding(self, *words: str) -> list[Paper]:
        """The documents that hold all of some words, width and script apart."""
        wanted = [fold(word) for word in words]
        return [paper for paper in self.papers if all(word in paper.folded for word in wanted)]


def read_corpus(folder: Path | str, note: Note | None = None, *, only: Container[str] | None = None) -> Corpus:
    """Read all documents of a folder, or those named; what cannot be read or is empty is skipped and told to `note`."""
    papers = []
    for path, name in find_files(folder, note):
        if only is not None and name not in only:
            continue
        try:
            document = read_document(path, name)
            if not any(page.text.strip() for page in document.pages):
                raise DocumentError("documents.blank", file=name)
            papers.append(Paper(name, sha256(path.read_bytes()).hexdigest(), document.pages))
        except DocumentError as error:
            if note:
                note(error.finding(name))
    return Corpus(tuple(papers))


RULES = re.compile(
    r"(?:规定|规则|须知|指南|手册|流程|制度|说明|办法|章程|(?:合同|契约|租约|协议|同意|说明)书?|条例|守则|规范|标准|方案|法|报告|摘要|通知|公告|纪要|订单|公报|声明|简报|清单|问题|问答|简章|记录|备忘录|时间|时间表|"
    r"价目表|价格表|收费表|安排|准则|规程|细则|规约|公约|指引|导则|规章|章则|简则|条款|注意事项|通则|"
    r"\b(?:rules?|policy|guide(?:lines?|book)?|manual|handbook|agreement|contract|terms|regulations?|notes|faqs?|questions|"
    r"instructions(?: for use)?|specifications?|notice|price list|tariff|opening hours|opening times|code "
    r"of conduct|charter))(?:\s*[（(][^（）()]*[）)])?$|"
    r"\b(?:agreement|contract|lease|terms|rules|opening hours|opening times|price list) (?:between|for|of|"
    r"with)\b|^(?:minutes|notice|terms|notes|help|faq|guide)\b",
    re.IGNORECASE,
)
"""Titles of documents that regulate something, folded."""
