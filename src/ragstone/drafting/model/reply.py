"""What a model proposed, looked at: its quotation is found or it is refused, and the gold is cut out by code."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from ragstone.core.types import JSON
from ragstone.drafting.corpus import Paper
from ragstone.drafting.draft import Draft, Place, Point
from ragstone.drafting.faults import leaks, pairs_of
from ragstone.drafting.find import Found
from ragstone.drafting.model.answering import Told, is_not_told
from ragstone.drafting.model.exact import is_inexact, value_alone
from ragstone.drafting.model.fitting import (
    cell_at,
    is_other_kind,
    named_in,
    rivalled,
    strange_name,
    table_around,
)
from ragstone.drafting.model.shape import defines_nothing, ends_early, has_subject, is_cut_word, is_no_sentence
from ragstone.drafting.proving.whole import is_denied, is_whole
from ragstone.drafting.questions.chinese import points_back
from ragstone.drafting.questions.parts import MARKUP, POINTERS, Ask, Refused, asks_value, is_unseen, plain
from ragstone.drafting.questions.topics import has_rules, introduce
from ragstone.reading.asked import read_question
from ragstone.reading.json.ladder import read_json
from ragstone.reading.values.clocks import find_clocks
from ragstone.reading.values.names import find_names
from ragstone.reading.values.values import values
from ragstone.text.fold import fold, squeeze, squeeze_with_offsets
from ragstone.text.late import late
from ragstone.text.traditional import only_simplified

SHORTEST, LONGEST, LONGEST_HAN = 2, 90, 40
"""Characters of a quotation that can be a gold point; fewer where a character is a word."""
_LONGEST_PLACE = 24
_CLAUSES = late("[，；。、]")
_MOST_CLAUSES = 2
LEAST_ASKED, MOST_ASKED = 6, 160
"""Characters of a question."""
_ABOUT_THE_TEXT = late(
    r"本文|文中|文章|原文|上文|下文|这段|這段|该段|該段|本段|段落|材料|文本|主要内容|主要內容|内容是什么|內容是什麼|この文|本文書|"
    r"\b(?:passage|the text|document|article|paragraph|excerpt|section above|according to the)\b",
    re.IGNORECASE,
)
_ASKS = late(r"吗|嗎|呢[?？]|什么|什麼|哪|谁|誰|几|幾|多少|多[长長久大高重远遠宽寬深厚]|何|怎|是否|か[?？]?$|は[?？]$")
_ASKS_ENGLISH = late(
    r"\b(?:who|whom|whose|what|which|when|where|why|how)\b|"
    r"^(?:is|are|was|were|do|does|did|has|have|had|can|could|may|might|must|will|would|shall|should)\b",
    re.IGNORECASE,
)
_MARKS = "\"'“”‘’()[].,;:?!¿¡"
_HOSTILE = late(r"^\s*[=+@-]|</?[a-z!]|[\x0b-\x0d]", re.IGNORECASE)
"""What a spreadsheet or a browser may take for an order."""
_ENDS_ASKING = late(r"\?\s*$")
_SPACED = frozenset(("en", "ko"))
"""Ways of writing with spaces between words."""
_WHERE = late(r"哪里|何处|どこ|^where\b", re.IGNORECASE)
_BACK = late(rf"\b(?:{POINTERS}|you|your|we|our|i|my)\b", re.IGNORECASE)
_HANGUL = late("[\uac00-\ud7a3]")
_KANA = late("[\u3041-\u30ff]")
_WORD = late("[a-z]{2,}")
_HAN = late("[\u3400-\u9fff]")
_SHARED = 2
"""Pairs of characters, or words, that a question must have in common with its passage."""


class Passage(NamedTuple):
    """What a model is shown: a stretch of a page."""

    paper: Paper
    page: int
    start: int
    end: int
    section: str

    @property
    def text(self) -> str:
        """The stretch."""
        return self.paper.page(self.page)[self.start : self.end]


def read_proposals(answer: str) -> list[tuple[str, str]] | None:
    """Take the questions and quotations out of a reply; what is none is left out. None where the reply cannot be read.

    >>> read_proposals('{"questions": []}'), read_proposals("Sorry?")
    ([], None)
    """
    value = read_json(answer, repair=True).value
    rows = value.get("questions", [value]) if isinstance(value, dict) else value
    if not isinstance(rows, list):
        return None
    found = [(_text(row, "question"), _text(row, "quote")) for row in rows if isinstance(row, dict)]
    sound = [(question, quote) for question, quote in found if question and quote]
    return sound if sound or not rows else None


def _named(question: str, passage: Passage) -> str | None:
    """A question that names what it is about, as those without a model do; None where that cannot be said."""
    paper = passage.paper
    if squeeze(paper.title) in squeeze(question) or (not has_rules(paper) and find_names(question)):
        return question
    return introduce(Ask(question, (), "proposed", {}, question), paper, passage.section)


def _about(question: str, passage: Passage) -> str | None:
    """A question that does not say whom it is about, behind its document's title."""
    paper = passage.paper
    if not paper.heading or has_rules(paper):
        return _named(question, passage)
    return f"{'關於' if paper.writing == 'zh-Hant' else '关于'}{paper.title}，{question}"


def _text(row: dict[str, JSON], name: str) -> str:
    value = row.get(name)
    return value.strip() if isinstance(value, str) else ""


def judge(question: str, quote: str, passage: Passage) -> Found | Refused:
    """Make a draft of a proposal, or say why not; the gold is the page's own text, never the model's."""
    question = " ".join(question.split())
    spans = _find(quote, passage)
    if isinstance(spans, str):
        return Refused(spans)
    tried = [_judge_at(question, span, passage) for span in spans[:_MOST_PLACES]]
    return next((one for one in tried if isinstance(one, Found)), tried[0])


_MOST_PLACES = 5
"""Places of a quotation that are tried."""


def _judge_at(question: str, span: tuple[int, int], passage: Passage) -> Found | Refused:
    paper = passage.paper
    span = value_alone(question, paper.page(passage.page), span)
    gold = paper.place(passage.page, *span).quote.strip()
    place = _place(passage, span)
    reason = _against(question, gold, passage) or ("quote_cut" if ends_early(paper.page(passage.page), *span) else "")
    if reason := reason or _off(question, place, span, passage):
        return Refused(reason)
    subject = named_in(question, paper)
    whole = has_subject(question, paper) or squeeze(paper.title) in squeeze(question)
    named = question if subject and whole else _named(question, passage) if whole else _about(question, passage)
    if named is None:
        return Refused("needs_context")
    draft = Draft(
        question=named if named.endswith(("?", "？")) else named + ("?" if paper.writing == "en" else "？"),
        points=(Point(gold, place),),
        kind="count" if values(gold) and len(gold) <= _SHORT else "proposed",
        writing=paper.writing,
        topic=paper.title,
        section=passage.section or paper.title,
        expected={"text_answer": gold},
        context=paper.place(passage.page, passage.start, passage.end).quote,
    )
    return Found(draft, subject)


def _off(question: str, place: Place, span: tuple[int, int], passage: Passage) -> str:
    """Return what is wrong with a question that the place of its quotation does not answer, or not alone."""
    paper, gold = passage.paper, passage.paper.page(passage.page)[slice(*span)]
    start, text = table_around(paper, passage.page, span[0]) or (place.start, place.quote)
    if "|" in gold:
        return "broken"
    if defines_nothing(question, passage.paper.page(passage.page), span[0], gold):
        return "off_topic"
    if read_question(_without_lead(question)).several:
        return "two_asked"
    if is_other_kind(question, gold):
        return "no_value"
    if strange_name(question, paper):
        return "off_topic"
    if "|" in text and rivalled(question, text, span[0] - start, span[1] - start):
        return "two_places"
    around = f"{paper.title}\n{paper.opening}\n{passage.section}"
    told = Told(text, span[0] - start, span[1] - start, around, cell_at(text, span[0] - start))
    sentence = (place.start, place.end)
    return is_not_told(question, told) or is_inexact(question, paper, passage.page, span, sentence)


def _without_lead(question: str) -> str:
    """A question without the clauses in front that ask nothing and join nothing: 发生故障的，…"""
    parts = _COMMA.split(question)
    first = next((at for at, part in enumerate(parts) if _ASKS.search(part) or _ASKS_ENGLISH.search(part)), 0)
    lead = "，".join(parts[:first])
    return question if _JOINS.search(plain(lead)) else "，".join(parts[first:])


_COMMA = late("[，,](?![0-9])")
_JOINS = late(r"[和与及跟、]|\band\b")
_SHORT = 20
"""Characters of a gold point that is a value and little else."""


def _find(quote: str, passage: Passage) -> list[tuple[int, int]] | str:
    """Find a quotation whole in its passage, to the letter or with other spaces, width or script; or say why not."""
    page, found = passage.paper.page(passage.page), list(dict.fromkeys(_places(quote, passage)))
    whole = [span for span in found if is_whole(page, *span) and not is_denied(page, span[0]) and not _cuts(page, span)]
    return whole or ("quote_cut" if found else "quote_missing")


def _cuts(page: str, span: tuple[int, int]) -> bool:
    """Say whether a quotation begins or ends within a Chinese word."""
    return any(is_cut_word(page, at) for at in span)


def _places(quote: str, passage: Passage) -> Iterator[tuple[int, int]]:
    placed = squeeze_with_offsets(passage.text)
    ways = ((passage.text, quote, range(len(passage.text))), (placed.text, squeeze(quote), placed.offsets))
    for text, wanted, offsets in ways:
        at = text.find(wanted) if wanted else -1
        while at >= 0:
            yield passage.start + offsets[at], passage.start + offsets[at + len(wanted) - 1] + 1
            at = text.find(wanted, at + 1)


def _against(question: str, gold: str, passage: Passage) -> str:
    """Return what speaks against a proposal, or nothing."""
    writing = passage.paper.writing
    if _HOSTILE.search(question) or MARKUP.search(question + gold) or is_unseen(question):
        return "hostile"
    if not LEAST_ASKED <= len(question) <= MOST_ASKED or not _is_one_point(gold, writing):
        return "length"
    if not _is_written_as(question, writing) or (writing == "en" and not _is_english(question, passage.paper)):
        return "language"
    if not (_ENDS_ASKING if writing in _SPACED else _ASKS).search(question):
        return "no_question"
    if _ABOUT_THE_TEXT.search(question):
        return "needs_document"
    if _points_back(question, writing):
        return "refers_back"
    if is_no_sentence(question, passage.paper):
        return "broken"
    if leaks(question, [gold.rstrip("。.")]):
        return "leaks"
    if not _shares(question, passage):
        return "off_topic"
    return _misses(question, gold)


_ASKS_WHO = late(r"谁|哪[位名]|何人|誰|누구|\b(?:who|whom|whose)\b", re.IGNORECASE)
_DAY = late("[0-9一二三四五六七八九十][日号]|(?:周|星期|礼拜)[一二三四五六日天]")
"""A day that no value tells without its month."""


def _is_one_point(gold: str, writing: str) -> bool:
    """Say whether a quotation is short enough for one thing."""
    longest = LONGEST if writing in _SPACED else LONGEST_HAN
    return SHORTEST <= len(gold) <= longest and len(_CLAUSES.findall(gold[:-1])) <= _MOST_CLAUSES


def _misses(question: str, gold: str) -> str:
    """Return what is wrong with a quotation that holds nothing of the kind asked for."""
    if _WHERE.search(plain(question)):
        return "no_value" if len(gold) > _LONGEST_PLACE else ""
    if _ASKS_WHO.search(plain(question)) or not asks_value(question):
        return ""
    return "" if values(gold) or find_clocks(gold) or _DAY.search(plain(gold)) else "no_value"


def _is_written_as(question: str, writing: str) -> bool:
    """Say whether a question is in its document's language and script."""
    if writing in ("ja", "ko"):
        return bool((_KANA if writing == "ja" else _HANGUL).search(question))
    if writing == "en":
        return not _HAN.search(question) and not _KANA.search(question)
    if len(_HAN.findall(question)) <= 2 * len(_WORD.findall(question)) or _KANA.search(question):
        return False
    if writing == "zh-Hant":
        return not any(map(only_simplified, question))
    return all(fold(char) == char or _in_gb2312(char) for char in question if "\u4e00" <= char <= "\u9fff")


def _is_english(question: str, paper: Paper) -> bool:
    """Say whether a question asks in English: by its question word, and with no word of another language."""
    foreign = (word for word in question.split() if not word.isascii() and word.strip(_MARKS).isalpha())
    return _ASKS_ENGLISH.search(question) is not None and all(
        fold(word.strip(_MARKS)) in paper.folded for word in foreign
    )


def _in_gb2312(char: str) -> bool:
    try:
        return bool(char.encode("gb2312"))
    except UnicodeEncodeError:
        return False


def _points_back(question: str, writing: str) -> bool:
    if writing == "en":
        return bool(_BACK.search(question))
    return writing.startswith("zh") and points_back(plain(question))


def _shares(question: str, passage: Passage) -> bool:
    """Say whether a question is about its passage at all."""
    if passage.paper.writing == "en":
        words = set(re.findall("[a-z]{4,}", question.lower()))
        said = f"{passage.text} {passage.paper.title}".lower()
        return len(words & set(re.findall("[a-z]{4,}", said))) >= _SHARED
    text = plain(passage.text + passage.paper.title).lower()
    return sum(pair in text for pair in pairs_of(question)) >= _SHARED


def _place(passage: Passage, span: tuple[int, int]) -> Place:
    """The sentence a quotation stands in, or the quotation itself where it goes beyond one."""
    for one in passage.paper.sentences:
        if one.page == passage.page and one.start <= span[0] and span[1] <= one.start + len(one.text):
            return passage.paper.place(one.page, one.start, one.start + len(one.text))
    text = passage.paper.page(passage.page)
    start, end = span
    return passage.paper.place(passage.page, start + len(text[start:end]) - len(text[start:end].lstrip()), end)
