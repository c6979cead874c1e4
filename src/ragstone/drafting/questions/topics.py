"""What a question is about, in its own words: nobody who has not seen the document should have to ask."""

from ragstone.drafting.corpus import RULES, Paper
from ragstone.drafting.questions.asking import Ask
from ragstone.drafting.questions.chinese import plain
from ragstone.reading.values.names import Tagged, tagged
from ragstone.text.late import late
from ragstone.text.traditional import traditional

_ATTRIBUTES = late(
    r"^(?:总|平均|最大|最高|设计|全市|全县|全镇|主要)?(?:体长|全长|面积|总面积|人口|身高|体重|海拔|时速|半径|直径|质量|重量|长度|宽度|高度|"
    r"尾巴|尾长|票价|造价|寿命|总部|站台|车站|学生|作者|签署国|会员|成员国|背鳍|臀鳍|果实|密度|年产量|总产值|占地面积|学名|英文名|首都|"
    r"省会|货币|官方语言|熔点|沸点|气温|年均|耕地|建筑面积|容量|首播|编剧|导演|主演|校长|会长|主席|总裁|创办人|东西|南北|车站主体)"
)
_SHORT = 3
"""Characters of a title that may stand in a sentence by chance: 香港."""
_LONG = 40
"""Characters of a title that cannot stand in front of a question."""
OFTEN = 3
"""Times a name stands in a document that is about it."""
_FILE_NAME = late(r"^[\w.-]+\.[a-z]{2,4}$|^(?:README|index|overview|说明|文档|附件|\d+)$")


def has_rules(paper: Paper) -> bool:
    """Say whether a document sets rules or is a guide: by its title, or by having sections."""
    sections = {block.section for block in paper.blocks if not block.section.startswith(paper.title)}
    return bool(RULES.search(plain(paper.title)) or sections - {""})


def introduce(ask: Ask, paper: Paper, section: str) -> str | None:
    """Return a question that names what it is about, or None where that would take more than title and section."""
    title, question = paper.title, ask.question
    if _mentions(question, title) and (len(title) > _SHORT or plain(title) in plain(ask.subject or question)):
        return question
    if not paper.heading or _FILE_NAME.search(title) or len(title) > _LONG:
        return question if ask.named else None
    if paper.writing == "en":
        return _english(question, title)
    if paper.writing == "ja":
        return f"{title}について、{question}"
    return question if ask.named else _chinese(ask, paper, section)


def _chinese(ask: Ask, paper: Paper, section: str) -> str | None:
    say = traditional if paper.writing == "zh-Hant" else str
    title, question = paper.title, ask.question
    if has_rules(paper):
        inside = f"「{section}」" if _adds(section, title, question) else ""
        if RULES.search(plain(title)):
            return f"{say('根据')}《{title.strip('《》')}》{inside and say('中')}{inside}，{question}"
        return f"{say('关于')}{title}{inside and '的'}{inside}，{question}"
    if ask.first and ask.subject and _ATTRIBUTES.match(plain(ask.subject)) and question.startswith(ask.subject):
        return f"{title}的{question}"
    subject = tagged(plain(ask.subject))
    if subject and (subject[0].tag == "ns" or _returns(subject[0], paper)):
        return f"{say('关于')}{title}，{question}"
    return None


def _adds(section: str, title: str, question: str) -> bool:
    """Say whether a section's name tells more than title and question do."""
    return bool(section) and not section.startswith(title) and plain(section)[:2] not in plain(question)


def _returns(token: Tagged, paper: Paper) -> bool:
    """Say whether a name that no dictionary knows stands all over a document."""
    return token.tag in ("nr", "nrt", "nz") and len(token.word) > 1 and paper.folded.count(token.word) >= OFTEN


def _mentions(question: str, title: str) -> bool:
    """Say whether a question holds the title, or all of its beginning that names something."""
    asked, named = plain(question).lower(), plain(title).lower()
    return named in asked or (":" in named and named.partition(":")[0] in asked)


def _english(question: str, title: str) -> str:
    name = title.partition(":")[0]
    return f"In {name}, {question[0].lower()}{question[1:]}"
