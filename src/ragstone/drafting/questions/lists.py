"""Questions from lists and tables: what a line announces and its items say, and the cells of a table."""

import re
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from itertools import groupby
from math import ceil
from typing import NamedTuple

from ragstone.core.types import JSON
from ragstone.drafting.answers.people import is_called, is_somebody
from ragstone.drafting.corpus import Block, Paper
from ragstone.drafting.questions.english_forms import announced
from ragstone.drafting.questions.parts import Refused, plain, widened
from ragstone.drafting.questions.slots import QUANTITIES
from ragstone.reading.values.names import tagged
from ragstone.reading.values.values import values
from ragstone.text.dates.find import find_dates
from ragstone.text.late import late
from ragstone.text.numbers.find import read_number
from ragstone.text.traditional import traditional

_BELOW = late(r"(?:以下|下列)(?:的)?(?:[一二三四五六七八九十0-9]{1,3}[种个项类点条步大])?")
_COUNTED = late(r"(?P<count>[二两三四五六七八九十]|[2-9])(?P<unit>[种个项类点条步大]类?)")
_SORTS = late("[二两兩三四五六七八九十0-9]{1,3}[种種个個项項类類大]$")
_SO = late(r"(?:分别)?(?:如下|为|是|包括|有)?$")
_HEAD = late(r"^(?P<head>[^：:。；;]{1,40}?)(?:[：:]| [—–-] |$|。$)")
_MARKED = late(r"[*_`\[\]]")
MOST_ITEMS = 10
MOST_CELLS = 3000
"""Cells of a table that are asked for; of a larger one those of every second row, every third."""


class Listed(NamedTuple):
    """A question about a list or table, and the place of each of its answers with the line that proves it."""

    question: str
    points: tuple[tuple[str, int, int, int], ...]
    """Text, page, start and end of the quotation."""
    kind: str
    section: str
    expected: dict[str, JSON]
    subject: str


def ask_lists(paper: Paper) -> Iterator[Listed]:
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
            yield Listed(question, found, "list", lead.section, {}, question)


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
        sorts = _SORTS.search(last[slice(*below.span())]) if folded[: below.start()].endswith("分为") else None
        return f"{last[: below.start()]}{f'哪{sorts[0]}' if sorts else '哪些'}{last[below.end() : end]}？"
    if folded.endswith("如下"):
        return f"{last[: _SO.search(folded).start()]}有哪些？"  # type: ignore[union-attr]
    if counted := _COUNTED.search(folded):
        return f"{last[: counted.start()]}哪{last[counted.start() :]}？" if "，" not in last else None
    if folded.endswith(("包括", "包含", "设有")):
        return f"{last}{say('哪些')}？"
    return None


def ask_tables(paper: Paper) -> Iterator[Listed | Refused]:
    """Ask for the cells of every table by row and column; a row that another one is named like is passed over."""
    tables = tables_of(paper)
    headers = Counter(tuple(table.header) for table in tables)
    for table in tables:
        if paper.writing == "en" and headers[tuple(table.header)] > 1:
            # Tables that share their header tell of something each, which only their sections name.
            yield from (Refused("needs_context") for _ in table.rows)
        else:
            yield from _table(paper, table)


def _table(paper: Paper, table: "Table") -> Iterator[Listed | Refused]:
    rows = [cells_of(_text(paper, row)) for row in table.rows]
    label = _label_column(table.header, rows)
    names = Counter(cells[label] for cells in rows if label < len(cells))
    is_whole = sum(len(cells) == len(table.header) for cells in rows) * 2 > len(rows)
    table = table._replace(header=_clear(table.header, rows[0] if rows else [], label))
    step = ceil(len(rows) * len(table.header) / MOST_CELLS) or 1
    for at, cells in enumerate(rows):
        if at % step:
            yield Refused("spread")
        elif not is_whole or len(cells) != len(table.header):
            yield Refused("broken")
        elif not _names_row(_bare(cells[label])) and not (_is_code_of(table.header[label]) and cells[label]):
            yield Refused("no_subject")
        elif names[cells[label]] > 1:
            yield Refused("two_places")
        else:
            yield from _row(paper, table, table.rows[at], cells, label)


def _clear(header: list[str], first: list[str], label: int) -> list[str]:
    """The names of columns; nothing for those that share one, or whose first row goes on with the header."""
    names = Counter(header)
    goes_on = first[label : label + 1] in ([""], [header[label]]) and not any(map(values, first))
    below = first if goes_on else []
    unclear = [at for at, name in enumerate(header) if names[name] > 1 or any(below[at : at + 1])]
    return ["" if at in unclear and at != label else name for at, name in enumerate(header)]


def _label_column(header: list[str], rows: list[list[str]]) -> int:
    """Which column names the rows: the first, unless it holds codes and one beside it holds names."""
    rows = [cells for cells in rows if len(cells) == len(header)]
    if not rows or not _holds_codes(header, rows, 0):
        return 0
    return next((at for at in range(1, len(header)) if _holds_names(header, rows, at)), 0)


def _holds_codes(header: list[str], rows: list[list[str]], at: int) -> bool:
    cells = [_bare(cells[at]) for cells in rows]
    return bool(_CODES.search(header[at])) or sum(bool(_CODE_CELL.fullmatch(cell)) for cell in cells) * 2 > len(cells)


def _holds_names(header: list[str], rows: list[list[str]], at: int) -> bool:
    """Say whether a column holds names of its own for most of its rows, and neither codes nor values."""
    cells = [_bare(cells[at]) for cells in rows]
    named = sum(_names_row(cell) and not values(cell) for cell in cells)
    return not _holds_codes(header, rows, at) and named * 2 > len(cells) and len(set(cells)) * 2 > len(cells)


def _is_code_of(column: str) -> bool:
    """Say whether codes of a column are said with its name: 产品编号为A-7的."""
    return _CODES.search(column) is not None and _HAN.search(column) is not None and column not in _COUNTS_ROWS


def _bare(cell: str) -> str:
    return _CODE.sub(r"\1", cell)


def _names_row(cell: str) -> bool:
    return len(cell) <= _LONG_CELL and bool(_NAMED.search(cell)) and not _PHRASE.search(_NOTE.sub("", cell))


class Table(NamedTuple):
    """A table: what its columns are called, and its rows."""

    header: list[str]
    rows: list[Block]


@lru_cache(64)
def tables_of(paper: Paper) -> tuple[Table, ...]:
    """The tables of a document."""
    tables: list[Table] = []
    for is_table, run in groupby(paper.blocks, key=lambda block: block.form == "row"):
        if is_table:
            tables += [Table(*table) for table in _tables(paper, list(run))]
    return tuple(tables)


def _tables(paper: Paper, rows: list[Block]) -> Iterator[tuple[list[str], list[Block]]]:
    """Cut rows that follow one another into tables: each begins above its line of dashes."""
    lines = [at for at, row in enumerate(rows) if _is_dashes(_text(paper, row))]
    if not lines:
        yield from _unruled(paper, rows)
    ends = [line - 1 for line in lines[1:]] + [len(rows)]
    for at, end in zip(lines, ends, strict=False):
        if at:
            yield cells_of(_text(paper, rows[at - 1])), rows[at + 1 : end]


def _unruled(paper: Paper, rows: list[Block]) -> Iterator[tuple[list[str], list[Block]]]:
    """Cut rows without lines of dashes, as a word processor's are, where they do not follow one another."""
    begin = 0
    while begin < len(rows):
        end = begin + 1
        while end < len(rows) and paper.page(rows[end].page)[rows[end - 1].end : rows[end].start].count("\n") == 1:
            end += 1
        if end > begin + 1 and not any(values(cell) for cell in cells_of(_text(paper, rows[begin]))):
            yield cells_of(_text(paper, rows[begin])), rows[begin + 1 : end]
        begin = end


def _is_dashes(text: str) -> bool:
    return "-" in text and set(text) <= set("|-: ")


def _text(paper: Paper, block: Block) -> str:
    return paper.page(block.page)[block.start : block.end]


def cells_of(text: str) -> list[str]:
    """The cells of a row."""
    return [cell.strip() for cell in text.strip().strip("|").split("|")]


def _row(paper: Paper, table: Table, row: Block, cells: list[str], label: int) -> Iterator[Listed | Refused]:
    """Ask for each cell of a row beside the one that names it."""
    first = _bare(cells[label])
    for at, (column, cell) in enumerate(zip(table.header, cells, strict=True)):
        if at == label or not cell or column in _COUNTS_ROWS:
            continue
        told = len(cell) <= _LONG_CELL and not _MARKED.search(cell) and not _SAYS_LITTLE.search(cell)
        name = f"{column}{_unit_above(paper, column, cell)}"
        priced = _PRICED.fullmatch(plain(name)) or _STERLING.match(cell)
        if not told or not name or (not priced and (_PHRASE.search(name) or _needs_unit(name, cell, paper))):
            yield Refused("broken" if told else "nothing_told")
            continue
        question = _cell_question(_Cell(table.header[label], first, name, cell, row.section), paper)
        point = (cell, row.page, row.start, row.end)
        told_of = Listed(question or "", (point,), "table", row.section, {"text_answer": cell}, cells[label])
        yield told_of if question else Refused("broken")


def _unit_above(paper: Paper, column: str, cell: str) -> str:
    """The unit that a document tells once for all sums of its table, where a cell of prices holds none."""
    bare = paper.writing.startswith("zh") and _FIGURE.fullmatch(cell) and _PRICE.search(plain(column))
    return _above_tables(paper)[0] if bare else ""


@lru_cache(64)
def _above_tables(paper: Paper) -> tuple[str, tuple[str, ...]]:
    """The unit that a document tells for its sums, and what the lines above its tables call them."""
    text = widened("\n".join(page.text for page in paper.pages))
    found = _UNIT_ABOVE.search(text)
    return f"（{found['unit']}）" if found else "", tuple(_CAPTION.findall(text))


_UNIT_ABOVE = late("[单單]位(?:均?[为為])?：? ?(?P<unit>元(?:[/／每][\u4e00-\u9fff]{1,3})?)")


def _needs_unit(column: str, cell: str, paper: Paper) -> bool:
    """Say whether a bare figure says nothing, because neither it nor its column tells what is measured."""
    figure = paper.writing.startswith("zh") and _FIGURE.fullmatch(cell)
    return bool(figure) and plain(column)[-1] not in _TOLD_BY_FIGURE


class _Cell(NamedTuple):
    """A cell, its column, the first cell of its row, and what the column of first cells is called."""

    rows: str
    row: str
    column: str
    text: str
    section: str


_LONG_CELL = 30
_CODE = late(r"^`([^`]+)`$")
_CODES = late(
    r"(?:编号|編號|编码|編碼|代码|代碼|货号|貨號|条码|條碼|序号|序號)$|^(?:sku|code|no\.?|nr\.?|#|id|ref\.?|number)$|"
    r"\b(?:code|no\.?|nr\.?|id|number|sku|ref(?:erence)?\.?)$",
    re.IGNORECASE,
)
"""What a column of codes is called."""
_CODE_CELL = late(r"[A-Za-z]{1,5}[-_./ ]?[0-9][A-Za-z0-9._/-]*")
_COUNTS_ROWS = ("序号", "序號", "#", "No.", "No", "Nr.", "单位", "單位", "Unit", "Units")
"""Columns that only count the rows, or what is counted."""
_HAN = late("[\u3400-\u9fff]")
_ANYTHING = late(
    r"(?:items?|names?|fields?|propert(?:y|ies)|parameters?|specs?|specifications?|details?)?", re.IGNORECASE
)
"""What a column of names is called that says nothing of them."""
_TELLS = late(r"values?|descriptions?|meanings?|details?|notes?|remarks?|comments?|default value", re.IGNORECASE)
"""Columns that are asked for by the row alone, or not at all."""
_PHRASE = late(r"[*_`\[，。；：:;,()（）→？?<>=≥≤]")
"""In what is no name of a row or column."""
_NOTE = late(r"[（(][^（）()]*[）)]$")
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
    column, price = plain(cell.column), _PRICED.fullmatch(plain(cell.column))
    coded = _FIGURED.fullmatch(plain(cell.row)) or _is_code_of(cell.rows)
    row = f"{cell.rows}{say('为')}{cell.row}{say('的')}，" if coded else f"{cell.row}的"
    if price and read_number(cell.text) is not None:
        each = say(f"每{price['each']}多少{price['unit']}" if price["each"] else f"多少{price['unit']}")
        about = "标准" if _RATES.search(plain(paper.title + cell.section)) else "价格"
        priced = "" if _PRICE.search(price["what"]) else say(f"的{about}")
        return (
            f"{row.removesuffix('的') if priced else row}{cell.column[: price.end('what')]}{priced}{say('是')}{each}？"
        )
    figure = _is_figure(cell.text) and (
        _PRICE.search(column) or column[-1] in QUANTITIES or _MEASURED.fullmatch(plain(cell.text))
    )
    what = say("谁" if _is_somebody(cell) else "多少" if figure or _SUM.search(plain(cell.text)) else "什么")
    measured = plain(cell.rows) in ("项目", "参数", "指标", "项目名称", "名称") and what == say("多少")
    if column in ("数值", "取值", "值", "参数", "数据", "指标值") or (column in ("内容", "规格") and measured):
        return f"{cell.row}是{what}？"
    if _SAID_OF_IT.search(column) or (_CASE.search(column) and _is_figure(cell.text)):
        return _case_question(cell, row.removesuffix("的"), paper) if _MONEY.fullmatch(plain(cell.text)) else None
    if column[-1] in "数量额率" and not _is_figure(cell.text):
        return None
    noun = tagged(column)[-1].tag.startswith(("n", "vn", "l", "q", "k", "an", "j")) and not column.startswith(
        ("含", "可", "需", "应", "最")
    )
    return f"{row}{cell.column}是{what}？" if noun or figure else None


def _case_question(cell: _Cell, row: str, paper: Paper) -> str | None:
    """Ask for a sum by the case its column names: what the sums are stands above the table, or its document tells."""
    say = traditional if paper.writing == "zh-Hant" else str
    if captions := _above_tables(paper)[1]:
        return f"{row}{cell.column}的{captions[0]}是{say('多少')}？" if len(captions) == 1 else None
    told = plain(paper.title + cell.section)
    priced = re.search("[价费票]", told) and not re.search("补贴|津贴|报销|差旅|工资|薪", told)
    return f"{row}{cell.column}{say('的价格是多少')}？" if priced else None


_CAPTION = late(
    r"(?:^|\n)[^\n，。：（]{0,6}?(?:\s|[、.])?([\u4e00-\u9fff]{1,6}?(?:[标標][准準]|[补補][贴貼]|津[贴貼]|[价價]格?|[费費]用?|票[价價]))"
    r"(?:（[^（）\n]*）)?：\s*\n\s*(?=\|)"
)
"""The line above a table that tells what its sums are."""
_FIGURED = late("[0-9][0-9.,~～至到–-]*[^0-9]{0,2}(?:以[上下内])?")
"""A row that is called by a figure: 3天以上."""
_PRICED = late(
    r"(?P<what>[^（()）]{1,12})[（(](?P<unit>美元|欧元|港元|日元|元)(?:[/／每](?P<each>[^（()）]{1,4}))?[）)]"
)
"""A column whose cells are sums: 淡季（元/晚）."""
_RATES = late("标准|补贴|津贴|报销|差旅|工资|薪")
"""In titles of sums that are no prices."""
_PRICE = late("(?:价格?|费用?|[收票]费标准|金额?|标准)$")
_SUM = late("[0-9](?:万|亿)?元")
_MONEY = late(r"[0-9][0-9,.]*(?:万|亿)?元(?:[/／每][^，]{1,4})?")
_MEASURED = late(
    r"(?:约|每[\u4e00-\u9fff]{1,2})?[0-9][0-9,.]*(?:[-–—~至到][0-9][0-9,.]*)?\s*(?:[a-zA-Z%°℃㎡³²/()]{1,8}|[\u4e00-\u9fff]{1,4})"
)


def _is_somebody(cell: _Cell) -> bool:
    """Say whether a cell names somebody, by its column or by itself."""
    called = plain(cell.column)
    named = called[-1] in _SOMEBODY or (is_somebody(cell.text) and called[-1] not in _NO_PERSON)
    return named and not called.endswith(_NO_PARTY)


_CASE = late(
    "(?:[杯份盒包碗瓶日末季市区县国舱座房级档类型版]|[周星][期一二三四五六日]+|至周[一二三四五六日]|期间|学生|员工|成人|儿童|"
    "老人|老年人|平日|假日|工作日|会员)(?:[（(][^（）()]*[）)])?$"
)
"""What a column is called that only says in which case its cells hold."""


def _is_figure(text: str) -> bool:
    return read_number(text) is not None or _BOUND.match(plain(text)) is not None


_BOUND = late("(?:不[大小高低少多]于|不超过|至少|至多|最[多高低少]|[≤≥<>约])?[0-9]")


def _english_cell(cell: _Cell, paper: Paper) -> str | None:
    """Ask for a cell by what its column and its row are called; a column that is a name says nothing of a row."""
    first = cell.column.split(" ")[0]
    headed = first in " ".join((paper.title, *paper.sections)).split()
    named = first in paper.words and first.lower() not in paper.words and not headed
    kind = "" if _ANYTHING.fullmatch(cell.rows) or cell.rows in paper.words else f"the {cell.rows.lower()} "
    if _STERLING.match(cell.text) and not _COSTS.search(cell.column) and _LABEL.fullmatch(cell.rows):
        return f"What is the “{cell.column}” price for {kind}“{cell.row}”?"
    if named or not _LABEL.fullmatch(cell.column) or not _LABEL.fullmatch(cell.rows):
        return None
    if _ADJECTIVE.search(cell.column) or _MARK.search(cell.text):
        return None
    if _TELLS.fullmatch(cell.column):
        alone = _is_figure(cell.text) and len(cell.row.split()) <= _FEW_WORDS and _ANYTHING.fullmatch(cell.rows)
        several = "are" if re.search("[^s]s$", cell.row) else "is"
        return f"What {several} the {cell.row[0].lower()}{cell.row[1:]}?" if alone else None
    who = is_called(cell.text, cell.column)
    return f"{'Who' if who else 'What'} is the {cell.column.lower()} for {kind}“{cell.row}”?"


_STERLING = late(r"[£$€][ ]?[0-9]")
_COSTS = late(r"price|fee|cost|fare|rate|charge|deposit|amount|allowance|rent|budget|premium|salary|pay", re.IGNORECASE)
"""What a column of sums is called that says so."""
_ADJECTIVE = late(
    r"(?:ed|able|ible|ional|atory| (?:for|to|of|by|in|with|on|from|as))$|"
    r"^(?:valid|available|included|due|open|free|type|kind|purpose|use|usage|number|example|reason|action|when|why|result|overall|"
    r"behaviou?r|meaning|status|support|comment|prompt)s?$",
    re.IGNORECASE,
)
"""Columns that are no attribute a question can ask for: Required, Type, Purpose."""
_MARK = late(r"[\u2190-\u27ff\u2b00-\u2bff\U0001f000-\U0001ffff]|\.$|^[a-z]+$")
"""In cells that are signs, sentences, or one small word."""
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
_NO_PARTY = ("配方", "处方", "地方", "药方", "平方", "立方", "官方")
_NO_PERSON = "名称地址点站品类别码色"
"""Last characters of columns whose cells are no persons, whatever they look like."""
_FIELD = late(
    r"(?P<name>[\u4e00-\u9fff]{2,6}(?:（[\u4e00-\u9fff]{2,6}）)?)[：:]\s*"
    r"(?P<value>[^，。：:；？！\s](?:[^，。：:；？！]|(?<=[0-9])[：:](?=[0-9])){1,29}?)"
    r"(?P<rest>[，；].*)?。?$"
)
_FILLED_IN = late(
    "(?:[人员者方商址价额费期量率度积重]|时间|地点|日期|编号|单号|号码|电话|热线|专线|分机|传真|邮箱|网址|名称|型号|版本|部门|单位|机构|尺寸|币种|职务)"
    "(?:（[^（）]*）)?$"
)
"""What a form asks for, by its last characters."""


def ask_fields(paper: Paper) -> Iterator[Listed]:
    """Ask for what a form fills in: a line that is a name, a colon and a short value; once in its document."""
    if paper.writing == "en" and paper.title.startswith("Minutes"):
        yield from _minuted(paper)
    if not paper.writing.startswith("zh") or not paper.heading:
        return
    lines = [(block, _FIELD.match(widened(_text(paper, block)))) for block in paper.blocks if block.form != "row"]
    names = Counter(found["name"] for _, found in lines if found)
    for block, found in lines:
        if found is None or names[found["name"]] > 1 or not _FILLED_IN.search(plain(found["name"])):
            continue
        question = _field_question(paper, found)
        if question and block.end - block.start <= _LONG_FIELD:
            value = _text(paper, block)[slice(*found.span("value"))]
            point = (value, block.page, block.start, block.end)
            yield Listed(question, (point,), "field", block.section, {"text_answer": value}, found["name"])


_MINUTED = late(
    r"(?:(?P<when>Date)|(?P<where>Place|Location|Venue)|(?P<chair>Chair|Chairman|Chaired by)|"
    r"(?P<clerk>Minutes|Minutes by|Clerk)): "
    r"(?P<value>[^;:]{4,60}?)\.?$"
)


def _minuted(paper: Paper) -> Iterator[Listed]:
    """Ask when and where a meeting was, who led it and who took its minutes."""
    asks = ("When did the meeting take place?", "Where did the meeting take place?", "Who chaired the meeting?")
    for block in paper.blocks:
        found = _MINUTED.match(_text(paper, block))
        if found and block.section.startswith(paper.title) | (not block.section):
            told = dict(zip(("when", "where", "chair", "clerk"), (*asks, "Who took the minutes?"), strict=True))
            question = next(told[name] for name in told if found[name])
            point = (found["value"], block.page, block.start, block.end)
            yield Listed(question, (point,), "field", block.section, {"text_answer": found["value"]}, paper.title)


def _field_question(paper: Paper, found: re.Match[str]) -> str | None:
    """Ask for a field; when and where a meeting was, and what names one thing."""
    name, value, title = found["name"], found["value"], paper.title.strip("《》")
    say = traditional if paper.writing == "zh-Hant" else str
    somebody = plain(name).partition("（")[0][-1] in _SOMEBODY
    if found["rest"] and not (somebody or plain(name).endswith(_BY_NUMBER)):
        return None
    if re.search("[（(]", value):
        return None
    if _MEETING.match(plain(title)):
        held = {"时间": "在什么时候召开", "地点": "在哪里召开"}.get(plain(name).removeprefix("会议"))
        asked = say(held) if held else f"的{name}是{say('谁')}" if somebody else ""
        return asked and f"{say('会议')}{asked}？"
    if plain(name) in ("时间", "地点", "日期"):
        return None
    if somebody:
        return f"{say('根据')}《{title}》，{name}是{say('谁')}？"
    where = plain(name).endswith(("地点", "地址"))
    figure = plain(name).endswith(_BY_NUMBER) or _is_figure(value)
    what = "在哪里" if where else "是什么时候" if find_dates(value) else "是多少" if figure else "是什么"
    return f"{say('根据')}《{title}》，{name}{say(what)}？"


_MEETING = late("[^，。]{2,}(?:会议?|例会)(?=纪要|记录|$)")
_BY_NUMBER = ("电话", "热线", "专线", "号码", "分机", "传真")
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


def ask_sections(paper: Paper) -> Iterator[Listed]:
    """Ask what each section says; for contracts whose answers are whole descriptions."""
    for section, run in groupby(paper.sentences, key=lambda sentence: sentence.section):
        said = [one for one in run if not _NUMBERING.fullmatch(one.text)]
        if not section or section.startswith(paper.title) or sum(len(one.text) for one in said) < _LEAST_OF_SECTION:
            continue
        question = _SECTION_ASKS[paper.writing].format(title=paper.title, section=section)
        points = tuple(
            (
                paper.page(one.page)[one.start : one.start + len(one.text)],
                one.page,
                one.start,
                one.start + len(one.text),
            )
            for one in said[:_MOST_OF_SECTION]
        )
        yield Listed(question, points, "section", section, {}, question)
