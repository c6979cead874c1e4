"""Questions from lists and tables: what a line announces and its items say, and the cells of a table."""

import re
from collections import Counter
from collections.abc import Iterator
from itertools import groupby
from typing import NamedTuple

from ragstone.core.types import JSON
from ragstone.drafting.corpus import Block, Paper
from ragstone.drafting.questions.chinese import QUANTITIES, plain
from ragstone.drafting.questions.parts import POINTERS, asks_value
from ragstone.drafting.questions.whole import announced
from ragstone.reading.values.names import tagged
from ragstone.reading.values.values import values
from ragstone.text.dates.find import find_dates
from ragstone.text.late import late
from ragstone.text.numbers.find import read_number
from ragstone.text.traditional import traditional

_BELOW = late(r"(?:以下|下列)(?:的)?(?:[一二三四五六七八九十0-9]{1,3}[种个项类点条步大])?")
_COUNTED = late(r"(?P<count>[二两三四五六七八九十]|[2-9])(?P<unit>[种个项类点条步大]类?)")
_SO = late(r"(?:分别)?(?:如下|为|是|包括|有)?$")
_HEAD = late(r"^(?P<head>[^：:。；;]{1,40}?)(?:[：:]| [—–-] |$|。$)")
_MARKED = late(r"[*_`\[\]]")
MOST_ITEMS = 10


class Asked(NamedTuple):
    """A question about a list or table, and the place of each of its answers with the line that proves it."""

    question: str
    points: tuple[tuple[str, int, int, int], ...]
    """Text, page, start and end of the quotation."""
    kind: str
    section: str
    expected: dict[str, JSON]
    subject: str


def ask_lists(paper: Paper) -> Iterator[Asked]:
    """Ask for the items of every list that a line with a colon announces."""
    blocks = paper.blocks
    for at, lead in enumerate(blocks):
        text = paper.page(lead.page)[lead.start : lead.end]
        if lead.form != "text" or not text.endswith(("：", ":")):
            continue
        items = _following(blocks, at + 1)
        question = _announced(text, paper.writing)
        points = tuple(_item(paper, one) for one in items)
        if question and 2 <= len(items) <= MOST_ITEMS and all(point is not None for point in points):
            found = tuple(point for point in points if point is not None)
            yield Asked(question, found, "list", lead.section, {}, question)


def _following(blocks: tuple[Block, ...], at: int) -> list[Block]:
    end = at
    while end < len(blocks) and blocks[end].form == "item":
        end += 1
    return list(blocks[at:end])


def _item(paper: Paper, block: Block) -> tuple[str, int, int, int] | None:
    text = paper.page(block.page)[block.start : block.end]
    head = _HEAD.match(text)
    if head is None or _MARKED.search(head["head"]) or text.endswith((":", "：")):
        return None
    return head["head"].strip(), block.page, block.start, block.end


def _announced(text: str, writing: str) -> str | None:
    """Turn the line above a list into a question."""
    last = re.split(r"[。！？.!?]\s*", text.rstrip("：: "))[-1]
    if writing == "en":
        return announced(last)
    folded = plain(last)
    say = traditional if writing == "zh-Hant" else str
    if writing == "ja" or re.search("[这那该此其他它我你]|本文", folded):
        return None
    if below := _BELOW.search(folded):
        end = next((at for at in range(below.end(), len(last)) if last[at] in "，,；"), len(last))
        return f"{last[: below.start()]}哪些{last[below.end() : end]}？"
    if folded.endswith("如下"):
        return f"{last[: _SO.search(folded).start()]}有哪些？"  # type: ignore[union-attr]
    if counted := _COUNTED.search(folded):
        return f"{last[: counted.start()]}哪{last[counted.start() :]}？" if "，" not in last else None
    if folded.endswith(("包括", "包含", "分为", "设有")):
        return f"{last}{say('哪些')}？"
    return None


def ask_tables(paper: Paper) -> Iterator[Asked]:
    """Ask for the cells of every table by row and column; a row that another one is named like is passed over."""
    runs = groupby(paper.blocks, key=lambda block: block.form == "row")
    tables = [table for is_table, run in runs if is_table for table in _tables(paper, list(run))]
    headers = Counter(tuple(header) for header, _ in tables)
    for header, rows in tables:
        # Tables that share their header tell of something each, which only their sections name.
        if paper.writing != "en" or headers[tuple(header)] == 1:
            names = Counter(_cells(_text(paper, row))[0] for row in rows)
            for row in rows:
                if names[_cells(_text(paper, row))[0]] == 1:
                    yield from _row(paper, header, row)


def _tables(paper: Paper, rows: list[Block]) -> Iterator[tuple[list[str], list[Block]]]:
    """Cut rows that follow one another into tables: each begins above its line of dashes."""
    lines = [at for at, row in enumerate(rows) if _is_dashes(_text(paper, row))]
    ends = [line - 1 for line in lines[1:]] + [len(rows)]
    for at, end in zip(lines, ends, strict=False):
        if at:
            yield _cells(_text(paper, rows[at - 1])), rows[at + 1 : end]


def _is_dashes(text: str) -> bool:
    return "-" in text and set(text) <= set("|-: ")


def _text(paper: Paper, block: Block) -> str:
    return paper.page(block.page)[block.start : block.end]


def _cells(text: str) -> list[str]:
    return [cell.strip() for cell in text.strip().strip("|").split("|")]


def _row(paper: Paper, header: list[str], row: Block) -> Iterator[Asked]:
    cells = _cells(_text(paper, row))
    first = _CODE.sub(r"\1", cells[0])
    named = len(first) <= _LONG_CELL and _NAMED.search(first) and not _PHRASE.search(first)
    if len(cells) != len(header) or not named:
        return
    for name, cell in zip(header[1:], cells[1:], strict=True):
        bare = name and not _PHRASE.search(name) and not _MARKED.search(cell) and not _SAYS_LITTLE.search(cell)
        figure = paper.writing.startswith("zh") and _FIGURE.fullmatch(cell) and plain(name)[-1] not in _TOLD_BY_FIGURE
        if bare and not figure and 0 < len(cell) <= _LONG_CELL:
            question = _cell_question(_Cell(header[0], first, name, cell), paper)
            point = (cell, row.page, row.start, row.end)
            if question:
                yield Asked(question, (point,), "table", row.section, {"text_answer": cell}, cells[0])


class _Cell(NamedTuple):
    """A cell, its column, the first cell of its row, and what the column of first cells is called."""

    rows: str
    row: str
    column: str
    text: str


_LONG_CELL = 30
_CODE = late(r"^`([^`]+)`$")
_ANYTHING = late(
    r"(?:items?|names?|fields?|propert(?:y|ies)|parameters?|specs?|specifications?|details?)?", re.IGNORECASE
)
"""What a column of names is called that says nothing of them."""
_TELLS = late(r"values?|descriptions?|meanings?|details?|notes?|remarks?|comments?|default value", re.IGNORECASE)
"""Columns that are asked for by the row alone, or not at all."""
_PHRASE = late(r"[*_`\[，。；：:;,()（）→？?<>=≥≤]")
"""In what is no name of a row or column."""
_NAMED = late("[A-Za-z\u3400-\u9fff]{2}")
_FIGURE = late(r"[-+]?[0-9][0-9.,/ ]*")
_TOLD_BY_FIGURE = QUANTITIES + "码号人元天年"
"""Last characters of columns whose figures need no unit."""
_SAYS_LITTLE = late(r"^(?:[-—–]+|[/√✓✔✗×]|[无有是否]|yes|no|true|false|n/a|none)$|[；;：]", re.IGNORECASE)
"""Cells that mean something under their column only, and those that tell two things."""


def _cell_question(cell: _Cell, paper: Paper) -> str | None:
    if paper.writing == "en":
        return _english_cell(cell, paper)
    if paper.writing == "ja":
        return f"{cell.row}の{cell.column}は何ですか？"
    say = traditional if paper.writing == "zh-Hant" else str
    what = say("谁" if plain(cell.column)[-1] in _SOMEBODY else "多少" if _is_figure(cell.text) else "什么")
    row = f"{cell.rows}{say('为')}{cell.row}{say('的')}，" if cell.row[0].isdigit() else f"{cell.row}的"
    if plain(cell.column) in ("数值", "取值", "值"):
        return f"{cell.row}是{what}？"
    if _SAID_OF_IT.search(plain(cell.column)):
        return None
    if not tagged(plain(cell.column))[-1].tag.startswith(("n", "vn", "l", "q", "k", "an", "j")):
        if not _is_figure(cell.text):
            return None
        return f"{say('表格中')}「{cell.row}」{say('的')}「{cell.column}」{say('一栏是')}{what}？"
    return f"{row}{cell.column}是{what}？"


def _is_figure(text: str) -> bool:
    return read_number(text) is not None or text[:1].isdigit()


def _english_cell(cell: _Cell, paper: Paper) -> str | None:
    """Ask for a cell by what its column and its row are called; a column that is a name says nothing of a row."""
    first = cell.column.split(" ")[0]
    if first in paper.words or not _LABEL.fullmatch(cell.column) or not _LABEL.fullmatch(cell.rows):
        return None
    unnamed = bool(_ANYTHING.fullmatch(cell.rows)) and _NO_NAME.fullmatch(cell.row)
    scored = _SCORE.fullmatch(cell.text) and not _MEASURE.search(cell.column)
    if scored or _ADJECTIVE.search(cell.column) or _MARK.search(cell.text) or (paper.has_code and unnamed):
        return None
    if _TELLS.fullmatch(cell.column):
        plain_name = _is_figure(cell.text) and len(cell.row.split()) <= _FEW_WORDS
        return (
            f"What is the {cell.row[0].lower()}{cell.row[1:]}?"
            if plain_name and _ANYTHING.fullmatch(cell.rows)
            else None
        )
    kind = "" if _ANYTHING.fullmatch(cell.rows) or cell.rows in paper.words else f"the {cell.rows.lower()} "
    return f"What is the {cell.column.lower()} for {kind}“{cell.row}”?"


_ADJECTIVE = late(
    r"(?:ed|able|ible|ional|atory| (?:for|to|of|by|in|with|on|from|as))$|"
    r"^(?:type|kind|purpose|use|usage|number|example|reason|action|when|why|result|"
    r"behaviou?r|meaning|status|support|comment|prompt)s?$",
    re.IGNORECASE,
)
"""Columns of software's tables that are no attribute a question can ask for: Required, Type, Purpose."""
_MARK = late(r"[\u2190-\u27ff\u2b00-\u2bff\U0001f000-\U0001ffff]|\.$|^[a-z]+$")
"""In cells that are signs, sentences, or one small word."""
_SCORE = late(r"[0-9]+\.[0-9]+%?|[0-9]+%")
_MEASURE = late(
    r"(?:rate|share|score|accuracy|percentage|price|fee|discount|version|size|length|width|height|weight|cost|power|"
    r"speed|time|capacity|margin|tax|interest|growth|area|distance|voltage|release|humidity)$",
    re.IGNORECASE,
)
"""Columns whose figures need no more words; of others only the table's own text tells what is measured."""
_NO_NAME = late(r"[a-z]+(?: [a-z]+)*")
_SAID_OF_IT = late("说明|内容|问题|描述|备注|示例|例子|结果|什么|怎么|如何|[的是]$")
"""Columns that tell this and that of a row."""
_LABEL = late(
    "(?:(?!(?:with|without|for|in|on|of|after|before|how|what|who|when|why)\\b)"
    "[A-Za-z][a-z]+(?:[a-rt-z]|ss)(?: [a-z]*(?:[a-rt-z]|ss)){0,3})?",
    re.IGNORECASE,
)
"""What a column may be called that a question can name."""
_FEW_WORDS = 3
_SOMEBODY = "人员者方商"
"""Last characters of what is filled in with a name."""
_FIELD = late(
    r"(?P<name>[\u4e00-\u9fff]{2,6}(?:（[\u4e00-\u9fff]{2,6}）)?)[：:]\s*(?P<value>[^，。：:；？！\s][^，。：:；？！]{1,29}?)"
    r"(?P<rest>[，；].*)?。?$"
)
_FILLED_IN = late(
    "(?:[人员者方商址价额费期量率度积重]|时间|地点|日期|编号|单号|号码|电话|热线|分机|传真|邮箱|网址|名称|型号|版本|部门|单位|机构|尺寸|币种|职务)"
    "(?:（[^（）]*）)?$"
)
"""What a form asks for, by its last characters."""


def ask_fields(paper: Paper) -> Iterator[Asked]:
    """Ask for what a form fills in: a line that is a name, a colon and a short value; once in its document."""
    if not paper.writing.startswith("zh") or not paper.heading:
        return
    lines = [(block, _FIELD.match(_text(paper, block))) for block in paper.blocks if block.form != "row"]
    names = Counter(found["name"] for _, found in lines if found)
    for block, found in lines:
        if found is None or names[found["name"]] > 1 or not _FILLED_IN.search(plain(found["name"])):
            continue
        question = _field_question(paper, found)
        if question and block.end - block.start <= _LONG_FIELD:
            point = (found["value"], block.page, block.start, block.end)
            yield Asked(question, (point,), "field", block.section, {"text_answer": found["value"]}, found["name"])


def _field_question(paper: Paper, found: re.Match[str]) -> str | None:
    """Ask for a field; only what names somebody may be followed by more."""
    name, value = found["name"], found["value"]
    say = traditional if paper.writing == "zh-Hant" else str
    if plain(name).partition("（")[0][-1] in _SOMEBODY:
        return f"{paper.title}中的{name}是{say('谁')}？"
    if found["rest"]:
        return None
    if plain(name).endswith("地点"):
        return f"{paper.title}中的{name}在{say('哪里')}？"
    called = plain(name).endswith(_BY_NUMBER)
    what = "什么时候" if find_dates(value) else "多少" if called or value[0].isdigit() else "什么"
    return f"{paper.title}中的{name}是{say(what)}？"


_BY_NUMBER = ("电话", "热线", "号码", "分机", "传真")
_ARTICLE = late(r"[^。；：（(]{8,48}(?=[。；])")
_NO_ARTICLE = late("施行|生效|本(?:规则|办法|条例|合同|协议|法)")


def ask_articles(paper: Paper) -> Iterator[Asked]:
    """Ask which article lays something down."""
    say = traditional if paper.writing == "zh-Hant" else str
    for block in paper.blocks:
        says = _ARTICLE.match(_text(paper, block)) if block.article else None
        if says and not _NO_ARTICLE.search(plain(says[0])):
            start = paper.page(block.page).rindex(block.article, 0, block.start)
            point = (block.article, block.page, start, block.start + says.end())
            question = f"{say('第几条规定')}「{says[0]}」？"
            yield Asked(question, (point,), "article", block.section, {"text_answer": block.article}, says[0])


def ask_itself(paper: Paper) -> Iterator[Asked]:
    """Ask what a document of questions and answers asks: for its one value, or for the one sentence that answers."""
    for section, run in groupby(paper.blocks, key=lambda block: block.section):
        blocks = list(run)
        if (
            not section.endswith(("?", "？"))
            or (paper.has_code and not _ASKED_WELL.match(section))
            or _BACK.search(plain(section))
            or _ASKS_TWO.search(plain(section))
            or not _asks_of_something(section, paper)
            or any(one.form != "text" for one in blocks)
        ):
            continue
        said = [one for one in paper.sentences if one.section == section and not _AGREES.fullmatch(one.text)]
        found = [(one, value) for one in said for value in values(one.text) if value.low != 1]
        if asks_value(section) and len(found) == 1:
            one, value = found[0]
            point = one.text[value.start : value.end]
        elif len(said) == 1 and not asks_value(section) and _is_one_point(said[0].text, paper.writing):
            one, point = said[0], _point(section, said[0].text)
        else:
            continue
        place = (point, one.page, one.start, one.start + len(one.text))
        yield Asked(section, (place,), "asked", section, {"text_answer": point}, section)


def _asks_of_something(asked: str, paper: Paper) -> bool:
    """Say whether a document's own question names a thing: 退了没有？ does not."""
    tagged_as = [one.tag for one in tagged(plain(asked))] if paper.writing.startswith("zh") else ["n"]
    return any(tag.startswith(("n", "eng", "vn", "l", "j")) for tag in tagged_as)


def _point(asked: str, text: str) -> str:
    """What answers: of a rule asked for with yes or no its own clause, not where to go instead."""
    first, _, rest = text.partition("，")
    rule = rest and _CLOSED.search(plain(asked)) and _RULED.search(plain(first))
    return first if rule else text.rstrip("。.")


_CLOSED = late("吗？|吗[?]|能否|可否|是否|能不能|可不可以")
_RULED = late("不得|禁止|严禁|不可|不能|不准|谢绝|可以|允许|必须|须")


def _is_one_point(text: str, writing: str) -> bool:
    """Say whether a sentence answers with one thing."""
    return (
        len(text) <= _LONG_ANSWER[writing == "en"]
        and len(values(text)) <= 1
        and not _BACK.search(plain(text))
        and text.count("，") <= (not values(text))
        and "](" not in text
    )


_BACK = late(rf"\b(?:{POINTERS})\b|[该此这那它其你我您]|上述|以上", re.IGNORECASE)
_ASKS_TWO = late(
    r"(?:什么|哪|谁|几|多少|怎|何)[^，。]*(?:、|，|和|及|与|并|又).*(?:什么|哪|谁|几|多少|怎|何)|"
    r"\b(?:who|what|which|when|where|why|how)\b.*\band (?:who|what|which|when|where|why|how)\b",
    re.IGNORECASE,
)
"""Two things asked for at once: the answer that code finds is one of them."""
_ASKED_WELL = late(
    r"(?!what about|how about)(?:what|who|which|when|where|why|how|is|are|do|does|did|can|must|may|should|will)\b"
    r"(?!.*\b(?:i|my|me|we|our|us)\b)",
    re.IGNORECASE,
)
"""English headings that are questions of their own, of anybody."""
_AGREES = late(r"(?:yes|no|不?可以|能|会|有|是的?|没有|不能|不会)[,，。.！!]?", re.IGNORECASE)
_LONG_ANSWER = (50, 110)
"""Characters of an answer that is one point; in English."""
_LONG_FIELD = 60
"""Characters of a line that fills in a form."""
_SECTION_ASKS = {
    "en": "What does {title} say about “{section}”?",
    "ja": "{title}の「{section}」には何が書かれていますか？",
    "zh-Hans": "{title}中关于“{section}”有哪些内容？",
    "zh-Hant": "{title}中關於「{section}」有哪些內容？",
}
_NUMBERING = late(
    r"(?:(?:article|section|clause|chapter|part|step|item|no)\.? ?)?[0-9ivx.]{1,8}[.:]?|"
    "第[0-9一二三四五六七八九十百]{1,5}[条條章节節款]",
    re.IGNORECASE,
)
"""What is read as a sentence and only counts one: Article 4."""
_LEAST_OF_SECTION, _MOST_OF_SECTION = 40, 8
"""Characters a section must have, and sentences that are expected of it."""


def ask_sections(paper: Paper) -> Iterator[Asked]:
    """Ask what each section says; for contracts whose answers are whole descriptions."""
    for section, run in groupby(paper.sentences, key=lambda sentence: sentence.section):
        said = [one for one in run if not _NUMBERING.fullmatch(one.text)]
        if not section or section.startswith(paper.title) or sum(len(one.text) for one in said) < _LEAST_OF_SECTION:
            continue
        question = _SECTION_ASKS[paper.writing].format(title=paper.title, section=section)
        points = tuple(
            (paper.page(one.page)[one.start :][: len(one.text)], one.page, one.start, one.start + len(one.text))
            for one in said[:_MOST_OF_SECTION]
        )
        yield Asked(question, points, "section", section, {}, question)
