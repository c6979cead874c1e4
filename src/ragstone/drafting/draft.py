"""The values of this package: a drafted question, its points, the place that proves each, and what people are told."""

from typing import Literal

from msgspec import Struct

from ragstone.core.language import Text
from ragstone.core.types import JSON

Difficulty = Literal["easy", "hard"]
"""One place, or two that are compared."""
Writing = Literal["zh-Hans", "zh-Hant", "ja", "ko", "en"]
AbsentKind = Literal["swapped", "other_entity", "left_out"]


class Frame(Struct, frozen=True, omit_defaults=True):
    """What gives a quotation its meaning and stands around it."""

    title: str = ""
    section: str = ""
    header: tuple[str, ...] = ()
    """The columns of its table; of a cell its own column."""
    row: str = ""
    """Of a cell, what its row is called."""
    lead: str = ""
    """Of an item, the line that announces its list."""


class Place(Struct, frozen=True, omit_defaults=True):
    """Where a quotation stands: offsets into the text of a page, as Ragstone reads it."""

    document: str
    sha256: str
    """Of the file's bytes."""
    page: int
    start: int
    end: int
    quote: str
    frame: Frame | None = None


class Point(Struct, frozen=True):
    """One thing a right answer states, and the quotation that says it."""

    text: str
    place: Place


class Absent(Struct, frozen=True):
    """Why a question has no answer in the documents."""

    kind: AbsentKind
    words: tuple[str, ...]
    """What no document holds (swapped), or no sentence together (other_entity); the documents left out (left_out)."""
    digests: tuple[str, ...] = ()
    """Of the bytes of the documents left out: under another name they are still there."""


class Draft(Struct, frozen=True, kw_only=True):
    """A question for a person to accept or reject."""

    question: str
    points: tuple[Point, ...]
    kind: str
    """What is asked for: amount, date, count, share, time, person, place, name, definition, list, …"""
    difficulty: Difficulty = "easy"
    writing: Writing = "en"
    topic: str = ""
    section: str = ""
    expected: dict[str, JSON] = {}
    """The answer as one of legal_rag's typed fields; empty for lists and what has no answer."""
    compared: tuple[Point, ...] = ()
    """What has to be known to compare, where the points do not tell it."""
    absent: Absent | None = None
    context: str = ""
    """What stands around the first quotation: its paragraph."""

    @property
    def documents(self) -> tuple[str, ...]:
        """The documents it rests on."""
        return tuple(dict.fromkeys(point.place.document for point in self.points))


REFUSED = {
    "no_subject": Text("no subject of its own", "没有自己的主语"),
    "nothing_told": Text(
        "a sentence that tells no date, amount, name, rule or list in a form that is asked for",
        "句中没有可提问形式的日期、金额、名称、规定或列举",
    ),
    "no_title": Text(
        "its document has no title that a question could name: begin it with one",
        "文档没有可供问题引用的标题：请在开头写上标题",
    ),
    "refers_back": Text("refers to another sentence", "指代其他句子"),
    "needs_context": Text("makes no sense without the document", "脱离文档无法理解"),
    "excepted": Text("a rule with an exception or condition beside it", "规定另有例外或条件"),
    "broken": Text("would not read well", "读起来不通顺"),
    "length": Text("too short or too long", "过短或过长"),
    "unsure": Text("the text itself is not sure", "原文语气不确定"),
    "leaks": Text("would give its answer away", "泄露答案"),
    "half": Text("the answer is told only in part", "答案只取到一部分"),
    "two_places": Text("another place fits too", "另有一处也符合"),
    "clashes": Text(
        "a fact asked for already, or one question would tell another's answer",
        "同一事实已问过，或一题会透露另一题的答案",
    ),
    "repeats": Text("nearly asked already", "与已有问题近似"),
    "no_form": Text("the contract has no form for it", "该契约没有对应写法"),
    "spread": Text("good, but its document or kind had enough", "可用，但其文档或类别已足够"),
    "quote_missing": Text("its quotation is not in the text", "引文不在原文中"),
    "quote_cut": Text("its quotation is cut out of a number, a word or a denial", "引文截断了数字、单词或否定"),
    "hostile": Text("markup, a formula or control characters", "含有标记、公式或控制字符"),
    "same_quote": Text(
        "one quotation for two questions, or two for one", "一处引文对应两个问题，或一个问题对应两处引文"
    ),
    "two_asked": Text("asks for two things, or for nothing", "同时问两件事，或没有疑问词"),
    "no_question": Text("no question", "不是问句"),
    "not_told": Text(
        "its quotation stands under other words, in another clause, denied, or the other way round",
        "引文所在处用词不同、属于另一分句、被否定，或施受相反",
    ),
    "no_value": Text("its quotation holds no value of the kind asked for", "引文中没有所问的数值或时间"),
    "software": Text("an English document of software, whose sentences hang on code", "英文软件文档，其句子离不开代码"),
    "no_language": Text("a language that only a model asks about", "该语言只能借助模型起草"),
    "language": Text("another language or script", "语言或字形不符"),
    "needs_document": Text("speaks of the text", "提及“本文”"),
    "off_topic": Text("not about its passage", "与所给文字无关"),
    "unreadable": Text("a reply that cannot be read (asked again next time)", "无法读取的回复（下次重新请求）"),
    "none_proposed": Text("nothing was proposed for a passage", "未就某段文字提出问题"),
    "short": Text("a passage too short to be shown", "过短而未给模型看的段落"),
    "failed": Text("a call that failed", "请求失败"),
    "unproved": Text("its quotation was not found", "引文未能找到"),
}
MISSED = {
    "topic": Text(
        "does not ask for a value of something named, or says too much of it",
        "问的不是某个有名称之物的值，或题面已透露太多",
    ),
    "sort": Text("its topic is no name that can be swapped", "主题不是可替换的名称"),
    "alone": Text("no other document is about a thing of its sort", "没有另一份文档讲同类事物"),
    "told": Text("the documents may tell it", "其他文档可能说到"),
    "repeats": Text("nearly asked already", "与已有问题近似"),
}
"""Why a question could not be turned into one without an answer."""
STOPPED = {
    "": Text("the documents give no more good ones", "文档中没有更多合格的问题"),
    "passages": Text(
        "every passage that is not too short was shown to the model", "除过短者外，所有段落都已给模型看过"
    ),
    "budget": Text(
        "the budget of this set is spent; draft again into the same file with a larger one to go on",
        "本样例集的预算已用完；提高预算后再次起草到同一文件即可继续",
    ),
    "failures": Text(
        "the model's calls kept failing; draft again into the same file to go on",
        "模型请求连续失败；再次起草到同一文件即可继续",
    ),
}
DIFFICULTIES = {
    "easy": Text("one place", "单处"),
    "hard": Text("comparison", "比较"),
}
KINDS = {
    "absent": Text("no answer", "无答案"),
    "amount": Text("amount", "金额"),
    "asked": Text("the document's own question", "文档自带的问题"),
    "comparison": Text("comparison", "比较"),
    "count": Text("number", "数量"),
    "date": Text("date", "日期"),
    "definition": Text("definition", "定义"),
    "duration": Text("duration", "时长"),
    "field": Text("field of a form", "表单项"),
    "list": Text("list", "列举"),
    "name": Text("name", "名称"),
    "ordinal": Text("ordinal", "序数"),
    "person": Text("person", "人物"),
    "place": Text("place", "地点"),
    "proposed": Text("proposed by a model", "模型提出"),
    "section": Text("section", "章节"),
    "share": Text("share", "比例"),
    "table": Text("table cell", "表格"),
    "time": Text("time of day", "时刻"),
    "yes_no": Text("yes or no", "是非"),
}
"""What is asked for."""
