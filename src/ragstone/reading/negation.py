"""Where a folded text denies, asks, supposes or guesses: stretches of it that do not state what they say."""

import re
from bisect import bisect_left, bisect_right
from itertools import pairwise

from ragstone.reading.cues import cue
from ragstone.reading.plain import PlainParts
from ragstone.text.late import late, lazy


def _gated(first: str, *alternatives: str) -> re.Pattern[str]:
    """Try the alternatives only where one of them can begin: most characters of a text begin none."""
    return cue(f"(?={first})(?:{'|'.join(alternatives)})")


_LIMITING = cue(
    r"(?:不(?:得|能|可|应|会|要)?|未|没有?)(?:再|曾)?(?:超过|超出|高于|多于|大于|晚于|迟于|长于|低于|少于|小于|早于|短于|足|到|满|够|逾"
    r"|达到?) ?[$¥€£0-9〇一二两三四五六七八九十百千半]"
)
"""不超过20公斤 sets a limit and denies nothing."""
_NEGATOR = _gated(
    r"[并绝而决不无毋禁严没未尚从拒否勿难很误谎移弃停取放终撤去删下原本按除与有网谣坊传]|\b[a-z]|n\'t",
    r"并非|绝非|而非|决非|而不是|不再|不予|无需|无须|毋须|不必|不用|不需要?|不得|不准|不许|不可以?|不能够?|不会"
    r"|不是|不要|禁止|严禁|没有(?![^,.;]{1,20}[就便][不无没])|未能|未曾|尚未|从未|无法|拒绝|否认|不应当?|不宜|勿",
    r"难以|难于|很难|无从|误以为|误认为|谎称",
    r"不(?!仅|但|只|过|同|断|少|错|久|禁|妨|愧|光|论|管|止|单|等|日|足以|一定|一样|外乎|良|满|动产|锈)",
    r"(?<![出淹沉埋覆湮吞])没(?!收|落|完没了|有[^,.;]{1,20}[就便][不无没])|未(?!来|必|婚|成年|满)"
    r"|无(?!论|数|线|疑|限|偿|锡|缝|人机|人驾驶|机"
    r"|形|意识|比|穷|纺|烟|双|极|名氏|花果|为)",
    r"\b(?:not|never|cannot|without|neither|nor|unable|lacks?|excluding|except|no)\b(?! (?:only|just|merely|to"
    r" mention|doubt|matter|later than|less than|more than|fewer than|exceed))|n't\b"
    r"|\binstead of\b|\brather than\b|\bother than\b"
    r"|\b(?:hardly|barely|scarcely|rarely|seldom)\b|\b(?:false|untrue|incorrect|wrong|myth|misconception) that\b"
    r"|\b(?:claim|statement|notion|idea|belief|rumou?r|assertion|assumption)s? that\b"
    r"(?=[^.;!?]{1,120}?\b(?:is|are|was|were)"
    r"(?: \w+)? (?:wrong|false|incorrect|untrue|mistaken|unfounded|a myth)\b)"
    r"|\bfails? to\b|\bfailed to\b|\b(?:dropped|removed|discontinued|deprecated|abandoned)\b",
    r"移除|弃用|停用|停止(?=支持|使用|提供)",
    r"(?:取消|放弃|终止|撤销|去掉|删除|下线)了?(?=对?[^,.;]{1,20}(?:支持|功能|特性|服务))",
    r"原(?:来|先|本|定)(?:是|为|在|于)?(?=[^.;!?]{1,30}(?:现在|后来|现已|改为|改到|最终|如今|改期|推迟|延期|延后|延至|提前到|提前至))",
    r"(?:本应|本该|本来应该?|原应|原本应该?|按理)(?=[^.;!?]{1,40}(?:但|却|实际|结果|然而|不过))",
    r"\b(?:originally|formerly|previously|initially|used to be)\b(?=[^.;!?]{1,60}\b(?:now|later|changed|but)\b)",
    r"除了?(?=[^,.;]{1,30}[,;]?(?:其他|其它|其余|都|均|全部))|除外",
    r"与其(?:说是?)?(?=[^.;!?]{1,30}不如)",
    r"(?:有人|有些人|不少人|很多人|网传|谣传|误|坊间|传言)(?:都|曾|也|就|会)?(?:认为|以为|称|说|觉得|传)"
    r"(?=[^.;!?]{1,40}(?:其实(?![这那此该])|事实上|实际上?|并非))",
    r"\b(?:some|many|people|they)(?: people)? (?:say|think|believe|claim)\b"
    r"(?=[^.;!?]{1,80}\b(?:but(?! (?:that|this|it|which) (?:is|was))|actually|in fact|however)\b)",
)
_NON = cue(r"(?<![并绝而决除莫无是若])非(?!常|洲|凡|法|得|要|但|典|议|礼|难|此|同)")
_DISMISSED = cue(
    r"[,.;](?:但|不过|然而|其实)?(?:这|那|此|该|上述)(?:种|个|一|些)?(?:说法|观点|看法|理解|传言|消息|想法|认识)?"
    r"(?:是|属于|并|完全|纯属|显然|其实){0,3}(?:错误|错的|不对|不准确|误解|谣言|误传|不实|假的|误会|不符合事实"
    r"|不是事实|不正确|不成立|没有根据)",
    r"[,.;]?(?:答案|回答|结论)(?:是|为)(?:否定|不)的?(?=[,.;!?]|$)",
    r"[,.;] ?(?:but |however,? )?(?:that|this|which|it) (?:is|was|'s) (?:simply |a |an |just |completely ){0,2}"
    r"(?:wrong|false|incorrect|untrue|myth|misconception|mistaken|not true|not the case)\b",
    r"[,.;] ?(?:but )?the answer is (?:no|negative)\b",
)
"""What is said in front of these words is then called wrong."""
_SCOPE_END = _gated(
    r"[,.;!?:而但不却即就便才并也可仍的者则会将把]|\b[abhiuw]",
    r"[,.;!?:](?!\d)|而(?!非|不)|但|不过|却|即可|就(?!是)|便(?!利|民)|才(?!能力|华)|并(?!非|不|未|无)"
    r"|也(?![不没未])|可以|仍|的话|的情况下|的前提下|的同时|者|则|会(?!员|议|计|场)|将(?!军)|把",
    r"\bbut\b|\bhowever\b|\bbecause\b|\balthough\b|\bwhile\b|\band (?:is|are|it|does|has|can)\b|\binstead\b(?! of)"
    r"|\buntil\b|\bunless\b",
)
_SAYING = r"(?:说法|传言|观点|结论|消息|看法|描述|表述|信息|理解|传闻|报道|言论)"
_UNTRUE = (
    r"(?:错误|错的|错|不实|不对|有误|不准确|不正确|不成立|不可信|不属实|虚假|假的?|谣言|谣传|误传|误解|站不住脚|没有根据|毫无根据"
    r"|无中生有)"
)
_DENIED_BEFORE = _gated(
    r"[是属不被禁纯显说传观结消看描表信理报言可概几机希(×✗✘❌]|\b[aiw]",
    r"(?:不被?(?:允许|许可|支持|接受|推荐)|不受支持|不可以|不行|被?禁止|不成立|不存在"
    r"|不属实|不正确)的?(?=[,.;!?]|$)",
    r"\b(?:is|are|was|were)(?: not|n't)(?: \w+)? (?:allowed|permitted|supported|possible|true|correct|accepted"
    r"|available)(?=[,.;!?]|$)",
    r"\b(?:is|are|was|were) (?:prohibited|forbidden|banned)(?=[,.;!?]|$)",
    rf"(?:是|属于?|纯属|显然){{1,2}}{_UNTRUE}的?{_SAYING}?(?=[,.;!?)]|$)",
    rf"{_SAYING}(?:其实|并|是|为|属于?|完全|都|纯属|显然|已被?){{0,3}}{_UNTRUE}",
    r"\((?:错误?|×|✗|✘|❌|否|不实|假|误|不对|不正确|有误|false|wrong|incorrect|no|not true)\)",
    r"[×✗✘❌](?=[\s,.;!?)]|$)(?<![0-9a-z].)(?<![0-9a-z] .)",
    r"(?:可能性?|概率|几率|机率|机会|希望)(?:几乎|基本|接近|等于|趋近于?|都?为|是){0,3}(?:零|0(?![.\d])|渺茫)",
)
_CANNOT_DO = cue(r"[^\W\d_a-z]不(?:了|成(?!功|熟)|到(?!位)|起(?!眼)|上|出)")
_ASKED = _gated(
    r"[是有能可会想要您你]|\b[iwy]",
    r"是否|是不是|有没有|能否|可否|会不会|能不能|(?:想|要)(?:知道|了解|问|请教)|(?:您|你)(?:问|提到|询问)"
    r"|\bwhether\b|\bif (?:it|they|there|the) (?:is|are|was|were|does|can)\b|\byou(?:'re| are)? ask(?:ed|ing)?\b"
    r"|\bwould like to know\b",
)
_SUPPOSED = _gated(
    r"[如假倘要若建考计打有希拟]|\b[chipsw]",
    r"如果|假如|假设|倘若|要是|若(?!干)|(?:建议|考虑|计划|打算|有望|希望|拟)(?=(?:考虑)?(?:采用|使用|引入|增加"
    r"|提供|支持|推出|于|在|能|可以))",
    r"\bplans? to\b|\bconsider(?:ing)?\b|\bhopes? to\b|\bif\b|\bsuppos(?:e|ing)\b|\bwere to\b|\bhad it\b|\bshould it\b",
)
_GUESSED = cue(
    r"(?<!不)可能(?!性)|未必|不一定|不见得|也许|或许|大概(?=是|会|支持|在)|说不定|恐怕|疑似|据传|不确定|\b(?:might|maybe|perhaps"
    r"|possibly|could be|rumou?red|allegedly)\b"
)
_NOW = (
    r"现在|后来|现已|改为|改到|改成|改用|换成|最终|如今|调整[为到至]"
    r"|(?:缩短|延长|降低?|升|提高|增加|减少|上调|下调)[为至到]"
)
_ONCE = cue(
    "过去|以前|从前|此前|之前|先前|起初|最初|早先|往年|曾|原为|原是|原系|早期|旧版|老版"
    "|formerly|previously|originally|initially|once|used to"
)
"""A quick look before the next pattern."""
_PAST = cue(
    rf"(?:过去|以前|从前|此前|之前|先前|起初|最初|早先|往年)(?=[^.;!?]{{1,30}}?(?:现为|目前|后改|不再|今年|{_NOW}))",
    rf"(?:原(?:为|是|系)|早期|旧版本?|老版本?)(?=[^.;!?]{{1,40}}?(?:{_NOW}))",
    r"曾经?(?=[^.;!?]{1,40}?(?:现已|不再|后来|后改|改为|(?:已|被)(?:移除|下线|取消|停用|废弃|关闭|删除|撤销|终止|替换|移走)))",
    r"\b(?:formerly|previously|originally|initially|once|used to)\b"
    r"(?=[^.;!?]{1,60}\b(?:now|later|since changed|but)\b)",
)
"""What is told behind these words held once, and something else holds now."""
_QUOTED = late(r'"[^"]{0,200}"|《[^》]{0,100}》')
_NEXT_WORD = late(r" ?[a-z']{1,12}")
_KANA = late(r"[\u3041-\u309f]")
_SENTENCE_STOP = cue(r"[.;!?](?!\d)")
Stretch = tuple[int, int]
"""Start and end of text in one mood; plain tuples, because a hostile line has a quarter of a million of them."""

_CLAUSE_STOP = cue(r"[,.;!?](?!\d)|(?<!\d)[,;!?]")
_NEGATIONS = frozenset("不未无没")
_REACH = 40
_FAR = 80
_NEIGHBOUR = 3
_LOOK_BACK = 6
"""Stretches in front of a place that are looked at; more do not overlap in real writing."""


class Moods:
    """The moods of one folded text, each found when it is first asked for."""

    def __init__(self, folded: str) -> None:
        self._folded = folded
        self._plain = PlainParts(folded)

    @lazy
    def _denied(self) -> list[Stretch]:
        return _denied(self._folded)

    @lazy
    def _starts(self) -> list[int]:
        return [start for start, _ in self._denied]

    @lazy
    def _undoable(self) -> frozenset[int]:
        return _undoable(self._folded)

    @lazy
    def _behind(self) -> list[Stretch]:
        return _denied_before(self._folded)

    @lazy
    def _asked(self) -> list[Stretch]:
        return sorted([*_questions(self._folded), *_reported_questions(self._folded)])

    @lazy
    def _supposed(self) -> list[Stretch]:
        return _stretches(self._folded, _SUPPOSED, _CLAUSE_STOP, 80)

    @lazy
    def _guessed(self) -> list[Stretch]:
        return _stretches(self._folded, _GUESSED, _CLAUSE_STOP, 60)

    @lazy
    def _past(self) -> list[Stretch]:
        return _stretches(self._folded, _PAST, _CLAUSE_STOP, 80) if _ONCE.search(self._folded) else []

    def is_plain(self, place: int) -> bool:
        """Whether nothing near this place can be the sign of any mood."""
        return place in self._plain

    def negated(self, place: int) -> bool:
        """Whether an odd number of negators reaches this place; 并非不 is no denial."""
        if place in self._plain:
            return False
        reaching = 0
        if self._denied:
            upto = bisect_right(self._starts, place)
            reaching = sum(1 for _, end in self._denied[max(0, upto - 4) : upto] if end > place)
        return (reaching + (place in self._undoable) + _within(self._behind, place)) % 2 == 1

    def denials(self, start: int, end: int) -> int:
        """How many negators stand between two places."""
        return bisect_right(self._starts, end) - bisect_right(self._starts, start)

    def asked(self, place: int) -> bool:
        """Whether this place is in a question or a reported question."""
        return place not in self._plain and _within(self._asked, place)

    def supposed(self, place: int) -> bool:
        """Whether this place is in a condition or a wish."""
        return place not in self._plain and _within(self._supposed, place)

    def guessed(self, place: int) -> bool:
        """Whether this place is said as a mere possibility."""
        return place not in self._plain and _within(self._guessed, place)

    def past(self, place: int) -> bool:
        """Whether this place tells what held once and no longer does."""
        return _within(self._past, place)

    def denied_at(self, place: int) -> int:
        """Where the last negator that reaches this place ends; -1 if none in front of it does."""
        upto = bisect_right(self._starts, place)
        return max((start for start, end in self._denied[max(0, upto - 4) : upto] if end > place), default=-1)

    def has_question(self) -> bool:
        """Whether anything here is asked."""
        return bool(self._asked)

    def has_condition(self) -> bool:
        """Whether anything here is supposed."""
        return bool(self._supposed)

    def has_guess(self) -> bool:
        """Whether anything here is guessed."""
        return bool(self._guessed)


def is_negator(word: str) -> bool:
    """Whether a word begins with one of 不, 未, 无, 没 as a denial (未经许可, but not 未来)."""
    return word[:1] in _NEGATIONS and bool(_NEGATOR.match(word))


def _stretches(folded: str, opening: re.Pattern[str], closing: re.Pattern[str], reach: int) -> list[Stretch]:
    marks = [mark.span() for mark in opening.finditer(folded)]
    if opening is _NEGATOR:
        marks = [mark for mark in marks if not _LIMITING.match(folded, mark[0])]
    if not marks:
        return []
    stops = [stop.start() for stop in closing.finditer(folded)]
    stops.append(len(folded) + 1)
    found = []
    for start, end in marks:
        if _is_choice(folded, start):
            continue
        # The first character behind the opening never closes: 不会将…退还 denies the return.
        stop = stops[bisect_left(stops, end + 1)]
        found.append((end, min(end + reach, stop)))
    return found


def _denied(folded: str) -> list[Stretch]:
    """Where negators reach; one inside quotes does not reach out of them, and Japanese denies by its verb endings."""
    if _KANA.search(folded):
        return []
    found = _cut_at_next(folded, _stretches(folded, _NEGATOR, _SCOPE_END, _REACH))
    # 非会员 denies the one word behind it.
    found = sorted(found + [(non.end(), non.end() + 1) for non in _NON.finditer(folded)])
    quotes = [quote.span() for quote in _QUOTED.finditer(folded)] if found else []
    if not quotes:
        return found
    opened = [start for start, _ in quotes]
    for number, (start, end) in enumerate(found):
        at = bisect_right(opened, start) - 1
        if at >= 0 and start < quotes[at][1]:
            found[number] = (start, min(end, quotes[at][1]))
    return found


def _cut_at_next(folded: str, found: list[Stretch]) -> list[Stretch]:
    """未经许可不得拍照 denies twice, side by side; only neighbours such as 并非不 turn each other round."""
    for number, ((start, end), (after, _)) in enumerate(pairwise(found)):
        if after < end and after - start > _NEIGHBOUR and not _NEXT_WORD.fullmatch(folded, start, after):
            found[number] = (start, after)
    return found


def _denied_before(folded: str) -> list[Stretch]:
    """外带食物是不允许的 denies what stands in front, back to the clause's beginning."""
    found = []
    for mark in _DENIED_BEFORE.finditer(folded):
        opening = max(folded.rfind(stop, max(0, mark.start() - _REACH), mark.start()) for stop in ",.;!?")
        found.append((max(opening + 1, mark.start() - _REACH), mark.start()))
    for mark in _DISMISSED.finditer(folded):
        opening = max(folded.rfind(stop, max(0, mark.start() - _FAR), mark.start()) for stop in ".;!?")
        found.append((max(opening + 1, mark.start() - _FAR), mark.start()))
    return sorted(found)


def _is_choice(folded: str, start: int) -> bool:
    """Whether a negator only offers a choice: 是不是, 能不能, 有没有."""
    return start > 0 and folded[start] in "不没" and folded[start - 1] == folded[start + 1 : start + 2]


def _undoable(folded: str) -> frozenset[int]:
    """Places of verbs denied from behind: 办 in 办不了."""
    return frozenset(found.start() for found in _CANNOT_DO.finditer(folded))


def _questions(folded: str) -> list[Stretch]:
    if "?" not in folded:
        return []
    found = []
    here = 0
    for stop in _SENTENCE_STOP.finditer(folded):
        if stop[0] == "?":
            found.append((here, stop.start()))
        here = stop.end()
    return found


def _reported_questions(folded: str) -> list[Stretch]:
    """The whole clause of 是否 or whether: 课程是否免费 says nothing of the course."""
    found = []
    for end, stop in _stretches(folded, _ASKED, _CLAUSE_STOP, 80):
        opening = max(folded.rfind(mark, max(0, end - _REACH), end) for mark in ",.;!?")
        found.append((max(opening + 1, end - _REACH), stop))
    return found


def _within(stretches: list[Stretch], place: int) -> bool:
    """Whether a place lies in one of the stretches, which are sorted and none of which reaches far."""
    if not stretches:
        return False
    upto = bisect_right(stretches, place, key=_start)
    return any(end > place for _, end in stretches[max(0, upto - _LOOK_BACK) : upto])


def _start(stretch: Stretch) -> int:
    return stretch[0]
