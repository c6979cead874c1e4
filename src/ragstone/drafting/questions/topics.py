"""What a question is about, in its own words: nobody who has not seen the document should have to ask."""

import re
from functools import lru_cache

from ragstone.drafting.corpus import RULES, Paper
from ragstone.drafting.faults import pairs_of
from ragstone.drafting.questions.parts import Ask, plain
from ragstone.drafting.questions.slots import QUANTITIES
from ragstone.reading.values.names import Tagged, tagged
from ragstone.text.late import late
from ragstone.text.traditional import traditional

_ATTRIBUTES = late(
    r"^(?:总|平均|最大|最高|设计|全市|全县|全镇|主要)?(?:体长|全长|面积|总面积|人口|身高|体重|海拔|时速|半径|直径|质量|重量|长度|宽度|高度|"
    r"尾巴|尾长|票价|造价|寿命|总部|站台|车站|学生|作者|签署国|会员|成员国|背鳍|臀鳍|果实|密度|年产量|总产值|占地面积|学名|英文名|首都|"
    r"省会|货币|官方语言|熔点|沸点|气温|年均|耕地|建筑面积|容量|首播|编剧|导演|主演|校长|会长|主席|总裁|创办人|东西|南北|车站主体)"
)
_MEASURE = late("(?:时间|比例|金|款|次|长|宽|高|重|员工|公司|人员|双方|部分)$")
"""Nouns that are of something, or of somebody, that only what stands before names."""
_BARE = 4
"""Characters of a noun that names an attribute more often than a thing."""
_ONE_WORD, _SUMS = 2, ("费", "金", "价")
"""Characters of one word behind another clause: 车程, 任期; last characters of sums, which need nothing before them."""
_SHORT = 3
"""Characters of a title that may stand in a sentence by chance: 香港."""
_HEADLINE = 12
"""Characters from which a title with a verb is a headline."""
_LONG = (40, 80)
"""Characters of a title that cannot stand in front of a question; in English."""
_LOWER_WORDS = 4
"""Words in small letters of an English headline."""
_NAMES = ("nr", "ns", "nt", "nz", "eng")
_BARE_ENGLISH = late("(?:the|a|an|each|every|this) [a-z]+", re.IGNORECASE)
"""One common noun, which only what stands before explains: the value, the token."""
_YEAR = late("(?:19|20)[0-9]{2}")
_UNDATED = late("(?<![年0-9一二三四五六七八九十每])[0-9一二三四五六七八九十]{1,3}月(?!刊|报)")
"""A month whose year stands elsewhere."""
MEASURED = frozenset(("count", "duration", "amount", "share", "ordinal", "time"))
_OCCASIONS = MEASURED | {"person"}
"""Kinds whose answer belongs to an occasion, which the title of a document tells, or a year."""
OFTEN = 3
"""Times a name stands in a document that is about it."""
_FILE_NAME = late(
    r"^[\w.-]+\.[a-z]{2,4}$|^(?:README|index|overview|说明|文档|附件|\d+)$|"
    r"^(?:the \w+|(?:what|how|why|when|where|who)\b.*|(?:[^？]*(?:什么|怎么|如何|为何|多少)[^？]*)[？]?)$|"
    r"^(?:summary|introduction|overview|changelog|abstract|"
    r"glossary|contents|preface|faq|"
    r"history|errors?|news|changes|api|usage|about|"
    r"installation|getting started|quick ?start|release notes|overview of changes.*|what.s new.*|todo|"
    r"contributing|license|"
    r"摘要|简介|概述|前言|目录|引言|绪论)$",
    re.IGNORECASE,
)


@lru_cache(64)
def has_rules(paper: Paper) -> bool:
    """Say whether a document sets rules or is a guide: by its title, or by having sections."""
    titled = RULES.search(plain(paper.title)) is not None
    return titled or any(section and not section.startswith(paper.title) for section in paper.sections)


def introduce(ask: Ask, paper: Paper, section: str) -> str | None:
    """Return a question that names what it is about, or None where that would take more than title and section."""
    title, question = paper.title, ask.question
    if paper.writing.startswith("zh") and _UNDATED.search(plain(question)) and not has_rules(paper):
        return None
    if _mentions(question, title) and (len(title) > _SHORT or plain(title) in plain(ask.subject or question)):
        return question
    if is_news(paper) and paper.heading and len(title) <= _LONG[paper.writing == "en"]:
        return _english(question, paper, section) if paper.writing == "en" else _source(paper, "", question)
    headed = _is_headline(title, ask.subject) and not RULES.search(plain(title))
    named = ask.named or headed
    if not paper.heading or _FILE_NAME.search(title) or len(title) > _LONG[paper.writing == "en"]:
        return question if named and (ask.kind not in _OCCASIONS or _YEAR.search(question)) else None
    bare = (
        paper.writing == "en"
        and _BARE_ENGLISH.fullmatch(ask.subject)
        and ask.subject.split(" ")[-1].lower() not in title.lower()
    )
    if bare and not RULES.search(title) and not _tells(section, paper, question):
        return None
    if paper.writing == "en":
        stands = named and (ask.kind not in _OCCASIONS or not has_rules(paper))
        return question if stands else _english(question, paper, section)
    if paper.writing == "ja":
        return f"{title}について、{question}"
    return question if named else _chinese(ask, paper, section)


def _english(question: str, paper: Paper, section: str) -> str:
    """Name the source of a question."""
    inside = f"“{section}” in " if _tells(section, paper, question) else ""
    return f"According to {inside}“{paper.title}”, {question[0].lower()}{question[1:]}"


def _tells(section: str, paper: Paper, question: str) -> bool:
    """Say whether the name of an English section tells what a question does not."""
    adds = section and not section.startswith(paper.title) and not section.endswith("?")
    return bool(adds) and {*section.lower().split()}.isdisjoint(question.lower().rstrip("?").split())


def is_news(paper: Paper) -> bool:
    """Say whether a title is a headline: it tells what happened, and figures below it belong to that day."""
    title = plain(paper.title)
    if paper.writing == "en":
        low = sum(word.islower() for word in title.split())
        return low >= _LOWER_WORDS and not RULES.search(title) and not has_rules(paper)
    told = len(title) >= _HEADLINE and (any(one.tag in ("v", "vd", "vi") for one in tagged(title)) or " " in title)
    return told and paper.writing.startswith("zh") and not has_rules(paper)


def leans(ask: Ask, paper: Paper) -> bool:
    """Say whether a question is about one common noun that only what stands before explains: 长度不少于多少位？."""
    if not paper.writing.startswith("zh") or ask.kind not in MEASURED or plain(ask.subject) in plain(paper.title):
        return False
    if not ask.first and len(ask.subject) <= _ONE_WORD and plain(ask.subject)[-1:] not in _SUMS:
        return True
    if plain(ask.subject)[-1:] in ("期", "费", "金") and paper.folded.count(plain(ask.subject)) == 1:
        return RULES.search(plain(paper.title)) is None
    tokens = tagged(plain(ask.subject))
    named = any(one.tag.startswith(_NAMES) and one.word[-1] not in QUANTITIES for one in tokens)
    thing = RULES.search(plain(paper.title)) and not (
        plain(ask.subject)[-1] in QUANTITIES or _MEASURE.search(plain(ask.subject))
    )
    return len(ask.subject) <= _BARE and not named and not thing


def _is_headline(title: str, subject: str) -> bool:
    """Say whether a title tells something of a subject that it begins with, as headlines do."""
    head = subject.partition("的")[0]
    return len(head) >= _SHORT and title.startswith(head) and len(title) > len(head)


def _chinese(ask: Ask, paper: Paper, section: str) -> str | None:
    say = traditional if paper.writing == "zh-Hant" else str
    title, question = paper.title, ask.question
    if has_rules(paper):
        return _source(paper, section if _adds(section, title, question) else "", question)
    if ask.first and ask.subject and _ATTRIBUTES.match(plain(ask.subject)) and question.startswith(ask.subject):
        # Of the whole, where the whole stands before it: 沐野镇的(全镇)总面积.
        return f"{say(title)}的{re.sub('^全[市县縣镇鎮州省国國村区區](?=[总總面人])', '', question)}"
    if ask.kind == "table":
        return f"{title}中，{question}"
    subject = tagged(plain(ask.subject))
    if subject and (subject[0].tag == "ns" or _returns(subject[0], paper)):
        named = plain(title)
        variant = subject[0].word not in named and subject[0].word[-_ENDING:] == named[-_ENDING:]
        return None if variant else f"{say('关于')}{say(title)}，{question}"
    return None


def _source(paper: Paper, section: str, question: str) -> str:
    """Put the document, and maybe its section, in front of a Chinese question."""
    begins = "根據" if paper.writing == "zh-Hant" else "根据"
    return f"{begins}《{paper.title.strip('《》')}》{f'中「{section}」' if section else ''}，{question}"


_ENDING = 2
"""Last characters that two names of one place have in common: 尼日利亚, 奈及利亚."""


def _adds(section: str, title: str, question: str) -> bool:
    """Say whether a section's name tells more than title and question do."""
    if section.endswith(("?", "？")) and pairs_of(section).isdisjoint(pairs_of(question)):
        return False
    return bool(section) and not section.startswith(title) and plain(section)[:2] not in plain(question)


def _returns(token: Tagged, paper: Paper) -> bool:
    """Say whether a name that no dictionary knows stands all over a document."""
    return token.tag in ("nr", "nrt", "nz") and len(token.word) > 1 and paper.folded.count(token.word) >= OFTEN


def _mentions(question: str, title: str) -> bool:
    """Say whether a question holds the title, or all of its beginning that names something."""
    asked, named = plain(question).lower(), plain(title).lower()
    return named in asked or (":" in named and named.partition(":")[0] in asked)
