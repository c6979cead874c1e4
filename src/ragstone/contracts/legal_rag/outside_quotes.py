"""Whether a quotation may stand as an answer: only where nothing outside the quotes answers, refuses or denies (R1.3).

笔录第2页写道“一共给了42000元”。       it may: the words outside only introduce it
很多钱（第2页：“一共给了42000元”）      it may not: it proves another answer
"""

import re
from collections.abc import Iterator, Sequence

from ragstone.reading.cues import cue
from ragstone.reading.declines import declines
from ragstone.reading.negation import Moods
from ragstone.reading.statements import Statements
from ragstone.text.fold import fold
from ragstone.text.late import late, lazy

# A negator that sets no statement aside: 未经同意给了42000元, 没有借条的42000元.
_HARMLESS = cue(
    r"未经[^,.;!?]{0,8}?(?:同意|许可|授权|批准|允许|通知|协商)|毫[不无][^,.;!?]{1,4}?地|不[^,.;!?]{1,3}地",
    r"(?:没有?|无|未)[^,.;!?]{0,12}(?:情况下|前提下|之时)|无(?:息|偿|条件|故|端|抵押|担保)|不(?:慎|料|得不|得已|知情|顾|计|含|包括|算|辞|惜)",
    r"(?:没有?|未)(?!说|提|记|写|载)[^,.;!?的]{1,8}的(?=(?:[^,.;!?的]{0,3}(?:款项?|钱|费用?|金额?|债务?))?"
    r"(?:是|共|有|为|共计|合计|约)?\W?[0-9一二三四五六七八九十两])",
    r"(?:没有|无|毫无)(?:任何)?(?:争议|异议|疑问|疑义)|无可否认|不可否认|毋庸置疑|\bno (?:dispute|doubt|question)\b",
    # 不，是42000元: a negator on its own denies what stands in front of it.
    r"(?:不是|没有|不对?|并非|\bno|\bnot)(?=[,.;!?])",
    r"\bwithout\b|\bexcluding\b|\bexcept\b|\bother than\b|\bnot (?:including|counting)\b",
)
# A comma before a number does not end a denial elsewhere: 4月11日没写，2019年4月12日写的.
_UNCLOSED = late(r"(?<![0-9])[,.;!?:](?=[0-9])")
_CLOSES = fold("但")
_BRACKETS = re.compile(r"[(\[]([^()\[\]]{0,2000})[)\]]")
_PLACE = (
    r"(?:第 ?[0-9一二三四五六七八九十百]{1,5} ?[页条行段]|\bpages? ?[0-9]{1,5}|\bp\. ?[0-9]{1,5}"
    r"|[^\s,.;:!?▒]{1,60}\.(?:md|pdf|docx?|txt)|来源|出处|依据|引用|引文|原文|参见|见|\bsource|\bsee|\bquote)"
)
_PLACED = late(rf"(?:^|(?<=[.!?;\n])) ?(?:{_PLACE}[:, -]{{0,3}}){{1,4}}▒+")
_ANY_PLACE = late(_PLACE)
_FRAME = cue(
    r"笔录|材料|供述|供称|陈述|文档|文件|资料|记载|记录|载明|写道|写明|写着|写有|显示|表示|指出|提到|所述|根据|按照|证据|证词|答案|回答|如下",
    r"金额|数额|总额|合计|日期|时间|时候|原因|姓名|名字|问题|对此|关于|首页|当事人|证人|自己|具体",
    r"\b(?:the|record|transcript|document|file|text|statement|says?|said|states?|stated|reads?|wrote|writes|according|to|answer|is|was|it|on|of|in"
    r"|he|she|they|that|as|follows|amount|date|reason|name|note|witness|there|and)\b",
)
_FILLERS = frozenset("的是为在于中里他她其了由从据依见答曰称说道所有即系我这那该此上写")
_WHICH = cue(
    r"多少|几|谁|什么|哪|何|怎|为啥|多久|多大|多长",
    r"\b(?:how|what|who|whom|whose|when|which|where|why)\b",
)
_CONTENT = late(r"[\u4e00-\u9fff]|[0-9]+|[a-z]{2,}")
_SILENT = fold("(?:没有|未)(?:具体|明确)?(?:说明|提到|提及|写明|记载|交代|载明)") + r"{strange}{{2,10}}(?=[,.;!?]|$)"
_ENDS = late(r"[?\n]")
_ENOUGH = 2
_MOST = 50
"""Places of a value that are looked at."""
_LONGEST = 4000


def stating(folded: str) -> Moods:
    """Find where a text denies, negators that set nothing aside left out."""
    plain = _HARMLESS.sub(lambda found: "▒" * len(found[0]), folded)
    return Moods(_UNCLOSED.sub(_CLOSES, plain))


class Outside:
    """What an answer says beside its quotes, which are blanked in `hidden`."""

    def __init__(self, text: str, hidden: str, question: str, asks: str = "") -> None:
        self.text = text
        self.hidden = hidden
        self.question = question
        self.asks = asks
        self._folded = fold(hidden)

    @lazy
    def _appended(self) -> list[tuple[int, int]]:
        """Where a quote only stands behind its place, or in brackets: （第2页：“…”）."""
        spans = [found.span() for found in _BRACKETS.finditer(self._folded) if "▒" in found[1]]
        return sorted(spans + [found.span() for found in _PLACED.finditer(self._folded)])

    @lazy
    def rest(self) -> str:
        """The answer's own words, folded, without quotes and the places they come from."""
        kept, here = [], 0
        for start, end in self._appended:
            kept.append(self._folded[here : max(here, start)])
            here = max(here, end)
        kept.append(self._folded[here:])
        return _ANY_PLACE.sub(" ", " ".join(kept).replace("▒", " ")[:_LONGEST])

    @lazy
    def content(self) -> list[str]:
        """The words of the rest that the question does not have and that do more than introduce a quote."""
        asked = set(_CONTENT.findall(_WHICH.sub(" ", fold(self.question))))
        words = _CONTENT.findall(_FRAME.sub(" ", self.rest))
        return [word for word in words if word not in asked and word not in _FILLERS]

    def lets_speak(self, places: Sequence[int]) -> bool:
        """Tell whether a value at these places, all in quotes, may be the answer."""
        if self.refuses():
            return False
        return any(not self._is_appended(place) for place in places[:_MOST]) or not self.answers()

    def refuses(self) -> bool:
        """Tell whether the words outside decline, deny what was asked, or only ask back."""
        rest = self._own_matter.sub(" ", self.rest)
        return asks_back(self.asks) or declines(self.question, Statements(rest)).outcome == "yes" or self._denies()

    @lazy
    def _own_matter(self) -> re.Pattern[str]:
        """Silence about something else than what was asked: 他没有说明用途."""
        asked = "".join(_CONTENT.findall(fold(self.question)))
        strange = f"[^{re.escape(asked)},.;!?]" if asked else "[^,.;!?]"
        return re.compile(_SILENT.format(strange=strange))

    def answers(self) -> bool:
        """Tell whether the words outside are an answer of their own."""
        content = self.content
        return len(content) >= _ENOUGH or any(word[0].isdigit() or word[0].isascii() for word in content)

    def _is_appended(self, place: int) -> bool:
        return any(start <= place < end for start, end in self._appended)

    def _denies(self) -> bool:
        """Tell whether a word of the question is denied: 没有给钱."""
        asked = fold(self.question)
        if Moods(asked).denials(-1, len(asked) - 3):
            return False
        words = set(_CONTENT.findall(asked)) - _FILLERS
        moods = stating(self.rest)
        return any(moods.negated(place) for place in _places(self.rest, words))


def _places(text: str, words: set[str]) -> Iterator[int]:
    return (found.start() for found in _CONTENT.finditer(text) if found[0] in words and found[0] != "or")


def asks_back(asks: str) -> bool:
    """Tell whether questions put a value in doubt (是42000元吗), instead of repeating what was asked (多少钱)."""
    return any(one.strip() and not _WHICH.search(one) for one in _ENDS.split(fold(asks)))
