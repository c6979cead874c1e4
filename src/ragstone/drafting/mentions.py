"""What documents tell of something that is named: whether they may hold the answer to a question about it."""

from collections.abc import Callable, Iterable, Iterator

from ragstone.drafting.corpus import Block, Corpus, Paper, bare_title
from ragstone.drafting.draft import Draft
from ragstone.drafting.questions.parts import plain
from ragstone.reading.values.name_words import LONG_SURNAMES, SURNAMES
from ragstone.reading.values.names import Tagged, find_names, tagged
from ragstone.reading.values.values import values
from ragstone.text.fold import fold
from ragstone.text.late import late

_MEASURES: dict[str, frozenset[str]] = {
    "date": frozenset(("date",)),
    "time": frozenset(("clock",)),
    "amount": frozenset(("money", "bare")),
    "share": frozenset(("share",)),
    "duration": frozenset(("second", "month", "bare")),
}
_CELLS = frozenset(("table", "field", "asked"))
COUNTS = frozenset(("count", "ordinal"))
NO_COUNT = frozenset(("date", "clock", "money", "share"))
"""What no number of things is."""
PROPER = ("ns", "nr", "nt", "nz", "eng")
_LEAST = 3
"""Characters of what surely is a name."""
_QUOTED = late(r"[《「“]([^《》「」“”]{2,})[》」”]")
_CAPITALS = late(r"(?<=[a-z“] )(?:[A-Z][\w'’-]+)(?: (?:(?:of|the) )?[A-Z][\w'’-]+)*")
_VAGUE = {
    "date": late(
        r"世纪|年代|年间|[初末中]年|[一二三四五六七八九十]年|[去前今]年|[明清宋元唐]朝|\b(?:century|centuries|decades?|year)\b"
    ),
    "count": late(r"[几数上成][十百千万]|\b(?:dozens?|scores?|hundreds?|thousands?|hectares?|acres?|square)\b"),
}
"""What tells a time or a number without a figure."""
_PEOPLE = late(r"(?:(?<=by )|(?<=[a-z,] ))[A-Z][\w'’-]+|[A-Z][a-z'’-]+ [A-Z][\w'’-]+")
"""What may be a person in English: a name within a sentence, two names side by side."""
_PERSON = late(
    f"(?:[由是为叫:长任理席官师人]|有)((?:{'|'.join(LONG_SURNAMES)}|[{''.join(sorted(SURNAMES))}])[\u4e00-\u9fff]{{1,2}})"
)
"""What may be a person in Chinese: a surname behind what introduces one."""
_ALSO = late(
    r"(?:简称|簡稱|又称|又稱|俗称|俗稱|又名|also known as|known as|or simply)[为為]?\s?[“”「\"]?"
    r"([\w’'-]{2,20}?)(?=[”」\"，,。.；;）)])"
)
"""Another name that a document gives to what it is about."""
TYPES = (
    "大学|(?:股份有限|有限责任|集团有限|有限)?公司|集团|银行|铁路|主教座堂|车站|战争|条约|协定|足球会|足球队|山脉|半岛|公园|植物园|博物馆|图书馆|体育馆|美术馆|"
    "科技馆|医院|诊所|中学|小学|学校|学院|书院|大桥|研究所|天文台|出版社|剧院|合作社|渡口|码头|水库|机场|酒店|"
    "[镇市县区站山岛湖河江湾港州城寺庙塔桥路道线属科鱼蛇猫乡省鲷村]"
)
_SENTENCES = late("(?<=[。！？；])|(?<=[.!?]) ")
_TYPE = late(rf"(?:{TYPES})$")


def names_in(question: str) -> Iterator[str]:
    """Everything a question names: names that are found, what stands in quotation marks, nouns with a name in them."""
    yield from (question[one.start : one.end] for one in find_names(question))
    yield from _QUOTED.findall(question)
    yield from _CAPITALS.findall(question)
    run: list[Tagged] = []
    for one in [*tagged(plain(question)), Tagged("", "x", len(question))]:
        if one.tag.startswith("n"):
            run.append(one)
        else:
            if any(part.tag.startswith(PROPER) for part in run):
                yield question[run[0].start : run[-1].end]
            run = []


def stem(name: str) -> str:
    """A name without the word that tells of what kind it is, where enough is left: 曲江县 → 曲江."""
    name = bare_title(name)
    first, _, last = name.removeprefix("The ").rpartition(" ")
    if first:
        return first
    found = _TYPE.search(plain(name))
    return name[: found.start()] if found and found.start() > 1 else last


def may_tell(draft: Draft, corpus: Corpus) -> bool:
    """Say whether documents that are there may answer: they name what it is about, and hold a value of its kind.

    Not every person is recognised, so whatever is said of what a question is about may tell who did it.
    """
    if any(_tells(corpus, name, draft, whole=True) for name in {bare_title(draft.topic), stem(draft.topic)}):
        return True
    others = {name for name in names_in(draft.question) if len(name) >= _LEAST} - {draft.topic}
    return any(_tells(corpus, name, draft, whole=False) for name in sorted(others))


def _tells(corpus: Corpus, name: str, draft: Draft, *, whole: bool) -> bool:
    told = (said for paper in corpus.holding(name) for said in told_of(paper, name, whole))
    return any((whole and draft.kind == "person") or holds_kind(said, draft, name) for said in told)


def told_of(paper: Paper, name: str, whole: bool = True) -> Iterator[str]:
    """What a document says of a name: its paragraphs or sentences that hold it, and all that stands under it."""
    for block in paper.blocks:
        text = paper.page(block.page)[block.start : block.end]
        if _heads(name, block, paper):
            yield text
        elif plain(name) in plain(text):
            yield from (text,) if whole else (one for one in _SENTENCES.split(text) if name in one)


def _heads(name: str, block: Block, paper: Paper) -> bool:
    return plain(name) in plain(paper.title) or plain(name) in plain(block.section)


def said_of(name: str, holding: Callable[[str], Iterable[Paper]]) -> Iterator[str]:
    """All that documents about something say, and of other documents every paragraph that names it, or its short name.

    `holding` finds the documents that hold a name.
    """
    about = [paper for paper in holding(name) if plain(name) in plain(paper.title)]
    pages = [page.text for paper in about for page in paper.pages]
    known = {name} | {found for text in pages for found in _ALSO.findall(text)}
    yield from pages
    yield from (text for one in sorted(known) for paper in holding(one) for text in told_of(paper, one))


def holds_kind(text: str, draft: Draft, name: str) -> bool:
    """Say whether a text holds anything of the kind that a draft asks for, in whatever words it tells it.

    What no value tells, any text may.
    """
    if draft.kind == "person":
        return _names_somebody(text, name)
    if (vague := _VAGUE.get(draft.kind)) and vague.search(plain(text)):
        return True
    if draft.kind in COUNTS:
        return any(one.measure not in NO_COUNT for one in values(text))
    cell = frozenset(one.measure for one in values(draft.points[0].text)) if draft.kind in _CELLS else frozenset()
    wanted = _MEASURES.get(draft.kind, cell)
    return not wanted or any(one.measure in wanted for one in values(text))


def _names_somebody(text: str, name: str) -> bool:
    """Say whether a text names a person, or what may be one."""
    people = [text[one.start : one.end] for one in find_names(text) if one.kind == "person"]
    people += [one.word for one in tagged(plain(text)) if one.tag.startswith("nr") and len(one.word) > 1]
    people += _PEOPLE.findall(text) + _PERSON.findall(fold(text))
    return any(fold(one) not in fold(name) and fold(name) not in fold(one) for one in people)
