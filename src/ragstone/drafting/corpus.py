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
from ragstone.drafting.draft import Place, Writing
from ragstone.reading.sentences import sentences
from ragstone.text.fold import fold
from ragstone.text.late import late
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
_MANUAL = late(
    r"\s*\S.*\([1-9][a-z]*\)[ \t]*\n(?:.*\n){1,4}?NAME\n[ \t]+(?P<name>\S[^\n]{0,60}?) +[-–—] +(?P<about>\S.*\S)"
)
"""How a manual page begins: LS(1), and below NAME what its command is for."""
_CODE = late(r"(?<!\w)--[a-z]{2,}|\w\(\)|^ *(?:\$|>>>) \S", re.MULTILINE)
"""What documents of software hold: an option, a call, a line typed."""
_CAPITALS = late(r"[A-Z][A-Z -]{2,40}$")
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
    r"(?:第[0-9一二三四五六七八九十百]{1,4}[章节節条條款][ \t\u3000]+|"
    r"[0-9一二三四五六七八九十]{1,3}(?:[.、]|(?:\.[0-9]{1,2})+)[ \t\u3000]*)(?=\S)"
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
_BRACKETS = late(r"[（(][^（）()]*[）)]\s*$")


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


class Manual(NamedTuple):
    """How a manual page begins: its command, what that is for, and where both stand in the first page."""

    name: str
    about: str
    start: int
    end: int


class Paper:
    """A document and what it is made of."""

    def __init__(self, name: str, digest: str, pages: tuple[Page, ...]) -> None:
        self.name, self.sha256, self.pages = name, digest, pages
        self._texts = {page.number: page.text for page in pages}
        self.folded = fold("\n".join(page.text for page in pages))

    def page(self, number: int) -> str:
        """The text of a page."""
        return self._texts[number]

    def place(self, page: int, start: int, end: int) -> Place:
        """Cut a quotation, with everything that proves it."""
        return Place(self.name, self.sha256, page, start, end, self._texts[page][start:end])

    def around(self, page: int, start: int, end: int) -> str:
        """The paragraph of a stretch, at most so long."""
        text = self._texts[page]
        before, after = text[max(0, start - _AROUND) : start], text[end : end + _AROUND]
        return (before.rpartition("\n")[2] + text[start:end] + after.partition("\n")[0]).strip()

    @cached_property
    def heading(self) -> str:
        """Its first heading, if it stands at the beginning or is one of the first level."""
        if self.manual:
            return self.manual.name
        begun = fenced = False
        lines = [line.rstrip() for page in self.pages for line in page.text.splitlines()]
        for line, below in pairwise([*lines, ""]):
            fenced ^= line.lstrip().startswith("```")
            heading = None if fenced else _HEADING.match(line)
            if heading and (not begun or line.lstrip().startswith("# ")):
                return _BRACKETS.sub("", bare_heading(heading[1])).strip(" _")
            if not begun and line and _UNDERLINE.match(below):
                return _BRACKETS.sub("", bare_heading(line)).strip(" _")
            begun = begun or bool(line)
        return ""

    @cached_property
    def manual(self) -> "Manual | None":
        """What a manual page begins with."""
        found = _MANUAL.match(self.pages[0].text) if self.pages else None
        if found is None:
            return None
        name = " ".join(found["name"].split(",")[0].split())
        return Manual(name, found["about"], found.start("name"), found.end("about"))

    @property
    def title(self) -> str:
        """Its first heading, or its file name."""
        return self.heading or Path(self.name).stem

    @cached_property
    def words(self) -> frozenset[str]:
        """Its words of Latin letters that do not begin a sentence."""
        return frozenset(_WORD.findall("\n".join(page.text for page in self.pages)))

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
        written = "".join(page.text for page in self.pages)[:4000]
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
        section = ""
        for page in self.pages:
            here, fenced = 0, False
            for line in page.text.splitlines(keepends=True):
                start, here = here, here + len(line)
                bare = line.strip()
                fenced ^= bare.startswith("```")
                if heading := self._heading(line, page.text[here:]):
                    section = _NUMBER.sub("", bare_heading(heading), count=1)
                elif bare and not fenced and not _SKIPPED.match(line) and not self._is_code(line):
                    asked = _QUESTION.match(bare) if bare.startswith(("**", "__", "问", "問", "Q")) else None
                    section = asked["asked"] if asked else section
                    used = len(line) - len(line.lstrip()) + asked.end() if asked else 0
                    if line[used:].strip():
                        yield _block(line[used:], page.number, start + used, section)

    def _heading(self, line: str, below: str) -> str:
        """The words of a line that is a heading: marked, underlined, or in capitals on a manual page."""
        if heading := _HEADING.match(line.rstrip()):
            return heading[1]
        underlined = (
            line[:1].strip() and not line.startswith(("|", "-", "=")) and _UNDERLINE.match(below.partition("\n")[0])
        )
        return line.strip() if underlined or (self.manual and _CAPITALS.match(line.rstrip())) else ""

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
        """Whether it shows code, as the documents of software do."""
        return self.manual is not None or any("`" in page.text or _CODE.search(page.text) for page in self.pages)

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
    r"(?:规定|规则|须知|指南|手册|流程|制度|说明|办法|章程|合同|协议|条例|守则|规范|标准|方案|法|报告|摘要|通知|公告|纪要|订单|公报|声明|简报|清单|问题|问答|简章|公约|记录|备忘录)$|"
    r"\b(?:rules?|policy|guide(?:lines?|book)?|manual|handbook|agreement|contract|terms|regulations?|notes|faqs?|questions|"
    r"instructions(?: for use)?|specifications?)$|^(?:minutes|terms|notes|help|faq|guide)\b",
    re.IGNORECASE,
)
"""Titles of documents that regulate something, folded."""
