"""What documents tell of something that is named: whether they may hold the answer to a question about it."""

from collections.abc import Iterable, Iterator

from ragstone.drafting.corpus import Block, Corpus, Paper
from ragstone.drafting.draft import Draft
from ragstone.drafting.questions.chinese import plain
from ragstone.reading.values.names import Tagged, find_names, tagged
from ragstone.reading.values.values import values
from ragstone.text.late import late

_MEASURES: dict[str, frozenset[str]] = {
    "date": frozenset(("date",)),
    "time": frozenset(("clock",)),
    "amount": frozenset(("money", "bare")),
    "share": frozenset(("share",)),
    "duration": frozenset(("second", "month", "bare")),
}
_COUNTS = frozenset(("count", "ordinal"))
_CELLS = frozenset(("table", "field", "asked"))
_NO_COUNT = frozenset(("date", "clock", "money", "share"))
"""What no number of things is."""
PROPER = ("ns", "nr", "nt", "nz", "eng")
_LEAST = 3
"""Characters of what surely is a name."""
_QUOTED = late(r"[《「“]([^《》「」“”]{2,})[》」”]")
_CAPITALS = late(r"(?<=[a-z“] )(?:[A-Z][\w'’-]+)(?: (?:(?:of|the) )?[A-Z][\w'’-]+)*")
_NUMERAL = late(r"^(?:[0-9.,]+ ?|[零〇一二两三四五六七八九十百千万亿]+)+(?:(?:hundred|thousand|million|billion)\b ?)*")
TYPES = (
    "大学|公司|集团|银行|铁路|主教座堂|车站|战争|条约|协定|足球会|足球队|山脉|半岛|公园|植物园|博物馆|图书馆|体育馆|美术馆|"
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
    first, _, last = name.rpartition(" ")
    if first:
        return first
    found = _TYPE.search(plain(name))
    return name[: found.start()] if found and found.start() > 1 else last


def may_tell(draft: Draft, corpus: Corpus) -> bool:
    """Say whether documents that are there may answer: they name what it is about, and hold a value of its kind.

    Not every person is recognised, so whatever is said of what a question is about may tell who did it.
    """
    if any(_tells(corpus, name, draft, whole=True) for name in {draft.topic, stem(draft.topic)}):
        return True
    others = {name for name in names_in(draft.question) if len(name) >= _LEAST} - {draft.topic}
    return any(_tells(corpus, name, draft, whole=False) for name in sorted(others))


def _tells(corpus: Corpus, name: str, draft: Draft, *, whole: bool) -> bool:
    told = (said for paper in corpus.holding(name) for said in told_of(paper, name, whole))
    return any((whole and draft.kind == "person") or _holds(said, name, draft) for said in told)


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


def _holds(text: str, name: str, draft: Draft) -> bool:
    """Say whether a text holds what a draft asks for, whatever it says of it; what no value tells, any text may."""
    if draft.kind == "person":
        found = (text[one.start : one.end] for one in find_names(text) if one.kind == "person")
        return any(one not in name and name not in one for one in found)
    if draft.kind in _COUNTS:
        return any(one.measure not in _NO_COUNT for one in values(text))
    cell = frozenset(one.measure for one in values(draft.points[0].text)) if draft.kind in _CELLS else frozenset()
    wanted = _MEASURES.get(draft.kind, cell)
    return not wanted or any(one.measure in wanted for one in values(text))


def holds_alike(texts: Iterable[str], draft: Draft) -> bool:
    """Say whether texts hold a value in the same unit as a draft's, or in none."""
    answer = draft.points[0].text
    wanted = {(one.measure, _unit(answer)) for one in values(answer)}
    found = ((one.measure, _unit(text[one.start : one.end])) for text in texts for one in values(text))
    same = {measure for measure, _ in wanted} - {"count", "bare"}
    return any(one in wanted or one[0] in same or one[0] == "bare" for one in found)


def _unit(written: str) -> str:
    return _NUMERAL.sub("", plain(written))
