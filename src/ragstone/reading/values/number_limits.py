"""What stands round a number and makes it a limit (至少, 以上, less than), or only the old value (从…调整为…)."""

import re
from typing import NamedTuple

from ragstone.reading.cues import cue
from ragstone.text.fold import fold

_BEFORE = 26
"""Characters in front of a number in which its limit is told."""
_NOT = r"(?:不得|不能|不可|不应|不会|不要|不|未曾|未|没有?|从未|勿)(?:再|曾|能|得)?"
_NOT_EN = r"(?:\b(?:not|never|no|cannot)|n't)(?: [a-z]+){0,2} "
_UP = r"(?:超过|超出|高于|多于|大于|长于|晚于|迟于|逾|超)"
_DOWN = r"(?:低于|少于|小于|短于|早于)"
_UP_EN = r"(?:more than|greater than|higher than|longer than|above|exceed(?:s|ed|ing)?|in excess of|beyond|upwards of)"
_DOWN_EN = r"(?:less than|fewer than|lower than|shorter than|below|under)"
_IS = r"(?:为|是|有|要|了|需要?|达到?|在|:| is| are| was| of| the| a| be)*"
_NAME = r"(?: ?[a-z][a-z.+#-]{0,15})?"
_MOST = r"最(?:高|大|多|长|晚|迟|后)"
_LEAST = r"最(?:低|小|少|短|早)"
_THING = r"(?P<thing>(?!的|不)[^\W\d_a-z的]{1,4}?)?"
_CAPPED = r"限[额值量重速带购领借乘报选]?"
_LIMIT_BEFORE = cue(
    # What it begins with, looked at first: most places of a text are left here.
    r"(?=[不未没从勿超高多大长晚迟逾低少小短早至下起年满顶上限最<>≤≥최적많]|\b[a-z]|n't)(?:"
    rf"(?:(?P<not_over>{_NOT}{_UP}|{_NOT_EN}(?:{_UP_EN}|over|later than))"
    rf"|(?P<not_under>{_NOT}{_DOWN}|{_NOT_EN}{_DOWN_EN}|不止)"
    rf"|(?P<short>不到|不足|不满|不够|未满|未到|未达到?)"
    rf"|(?P<over>{_UP}|至少|下限|起码|>=?|≥|최소|적어도|\bat least|\b(?:over|{_UP_EN}))"
    r"|(?P<full>年?满)"
    rf"|(?P<under>{_DOWN}|至多|顶多|(?<![有无不年期时权])(?:上限|{_CAPPED})|<=?|≤|최대|많아야|\bat most"
    rf"|\b{_DOWN_EN})"
    r"|(?P<inside>\bup to))"
    rf"{_IS} ?$"
    rf"|(?:(?P<most>{_MOST})|(?P<least>{_LEAST})){_THING}(?:要求)?(?:为|是|达|需要?|要|:)?{_NAME} ?$"
    r"|\b(?:(?P<most_en>maximum|max\.?|highest|latest)|(?P<least_en>minimum|min\.?|lowest|oldest))"
    rf"(?P<thing_en>(?: [a-z]+){{1,2}}?)?(?: is| of| are|:)?{_NAME} ?$)",
)
_GENERIC = frozenset(fold("版本 要求 需求 标准 限额 额度 门槛 限制 数量 数目 值").split()) | {"version", "requirement"}
"""What is limited, where the limit alone tells it: 最低版本."""
_LIMIT_AFTER = cue(
    r" ?(?:(?P<over>(?:或者?|及|和|或是)?(?:以上|更高|更多|更长|更新)|이상|초과"
    r"|(?:[a-z]+ )?(?:or|and) (?:more|above|over|higher|longer|later|newer|greater|up)\b"
    r"|at (?:the )?(?:very )?(?:least|minimum)\b)"
    r"|(?P<under>(?:或者?|及|和|或是)?(?:以下|更低|更少|更短|更旧)|이하|미만|封顶|为上?限"
    r"|(?:[a-z]+ )?(?:or|and) (?:less|fewer|below|under|lower|earlier|older|shorter)\b"
    r"|at (?:the )?(?:very )?(?:most|longest|maximum|latest)\b)"
    r"|(?P<inside>以内|之内|까지))",
)
_TIME_AFTER = cue(r" ?(?:(?P<inside>以?内|之内)|(?P<later>(?:之|以)?后(?![续台勤期果])))")
_NOTICE = cue(r" ?(?:in advance|beforehand|ahead|notice|before\b|prior|提前|之?前(?!后)|전)")
"""Behind a length of time: two weeks in advance are at least two weeks in advance."""
_TIME_BEFORE = cue(r"\b(?:(?P<inside>within|in under|inside)|(?P<later>after))(?: the)? ?$")
_DATE_AFTER = cue(
    r" ?(?:(?P<under>(?:之|以)?前(?![后台提夕\d一二三四五六七八九十几半]))|(?P<over>(?:之|以)?后(?![续台勤期果])))"
)
_DATE_BEFORE = cue(
    r"\b(?:(?P<under>before|prior to|no later than|not later than)|(?P<over>after)|(?P<inside>by))(?: the)? ?$"
    r"|(?:(?P<early>早于|不(?:得|能)?晚于|不(?:得|能)?迟于|最[晚迟])"
    r"|(?P<late>(?<!不)[晚迟]于|不早于|最早))(?:在|于)? ?$"
)
_DATE_WITHIN = cue(r"\b(?:(?P<under>before)|(?P<over>after)|(?P<inside>by)) ")
_OLD = cue(
    r"(?:从|由|自)(?:原来的?|原先的?|之前的?)?(?:每[年月天日人次])? ?(?:\d{1,2}:\d\d ?[-–~至到] ?)?$",
    r"\bfrom (?:the )?(?:original )?$",
)
_TURNS = cue(
    r"(?: ?[-–~至到] ?\d{1,2}:\d\d)?"
    r"[^,.;!?\d]{0,8}?(?:调|改|降|升|涨|变|增|减|提|下|上|缩|延|推|换|跌|加|收|放|压|砍)[^,.;!?\d]{0,4}?[为到至成]",
    r" (?:[a-z]+ ){0,3}?to ",
)
_TURNS_BEHIND = cue(
    r"(?:から|より)(?:[^,.、。]|\.(?=\d)){1,16}[にへ](?:引き上げ|引き下げ|値上げ|値下げ|変更|改定|改め|変わ|延長|短縮|増|減|移)",
    r"에서 (?:[^,.]|\.(?=\d)){1,16}로 (?:조정|변경|인상|인하|바뀌|바꾸|연장|단축|이전|올|내[리려렸]|늘|줄)",
)
"""Japanese and Korean tell behind a value that something changed from it."""
_TURNED_EN = cue(
    r"\b(?:rais|increas|reduc|lower|cut|chang|adjust|mov|postpon|delay|doubl|fell|fall|rose|ris|drop|grew|grow|went"
    r"|extend|shorten|update|upgrad)[a-z]*(?: [a-z]+){0,3}$"
)

_WORDS = (*fold("为 是 有 要 了 需 达 达到 在 :").split(), " is", " are", " was", " of", " the", " a", " be")
"""Words of `_IS`, which stand between a limit and its number."""
_ENDS = (
    *fold("过 出 于 逾 超 止 到 足 满 够 达 少 限 限值 限量 限重 限速 码 多 顶 额 > >= ≥ < <= ≤").split(),
    *fold("限带 限购 限领 限借 限乘 限报 限选").split(),
    *("least", "most", "than", "above", "over", "exceed", "exceeds", "exceeded", "exceeding", "beyond"),
    *("below", "under", "excess of", "up to"),
    *("최소", "적어도", "최대", "많아야"),
)
"""How a limit in front of a number ends."""
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_LAST_CHARS = frozenset(one[-1] for one in (*_ENDS, *_WORDS) if one[-1] not in _LETTERS)
_LAST_WORDS = frozenset(one.split()[-1] for one in (*_ENDS, *_WORDS) if one[-1] in _LETTERS)
"""The last character or Latin word of all these."""
_HAN_SIGNS = frozenset(fold("超高多大长晚迟逾低少小短早到足满够达止码顶最限额以更封内后前从由自><≥≤"))
_LATIN = re.compile("[a-z]+")
_LATIN_SIGNS = frozenset(
    _LATIN.findall(
        "than least most up over above exceed exceeds exceeded exceeding excess beyond upwards below under max maximum "
        "min minimum highest latest lowest oldest more higher longer later newer greater less fewer lower earlier "
        "older shorter within inside after before prior by from"
    )
)
_FAR, _BEHIND = 40, 24
"""Characters round a number in which a sign of a limit makes min a minimum."""
_AFTER = frozenset(fold("或及和以更封为之内后oa前提inbp이초미까전"))
"""How what is told behind a number begins."""
_TIMED = ("within", "under", "inside", "after", "the")
_FROM_BEHIND = ("から", "より", "에서")
_OLDS = frozenset("从由自")
_OLD_REACH = 8
"""How a change in Chinese begins, and how long that beginning is."""


class Limit(NamedTuple):
    """Which side of a number is open, and where that is told."""

    side: str = ""
    """low: this much or more; high: this much or less; empty: just this much."""
    firm: bool = False
    """Whether it changes the value; 30天内 and 30天后 only say which side, and may stand for 30天."""
    denies: bool = False
    """Whether a negator is part of it: 不超过 denies nothing."""
    heavy: bool = False
    """Whether it is half of the point, as in 最低内存为16GB."""
    start: int = -1
    end: int = -1

    def admits(self, other: "Limit") -> bool:
        """Whether another limit may stand where this one is asked for; none may always."""
        if not other.side:
            return True
        return self.side == other.side if self.side else not other.firm


NONE = Limit()
_SIDES = {
    "not_over": ("high", True, True),
    "not_under": ("low", True, True),
    "short": ("high", True, True),
    "over": ("low", True, False),
    "under": ("high", True, False),
    "full": ("low", False, False),
    "inside": ("high", False, False),
    "later": ("low", False, False),
    "early": ("high", True, True),
    "late": ("low", True, False),
    "most": ("high", True, False),
    "most_en": ("high", True, False),
    "least": ("low", True, False),
    "least_en": ("low", True, False),
}
_NAMED = {"thing": ("most", "least"), "thing_en": ("most_en", "least_en")}
"""The limits that may name a thing: the last group of such a match is the thing."""


def limit_of(folded: str, start: int, end: int, kind: str) -> Limit:
    """The limit told round a number (kind: number), a length of time (time) or a date (date) of a folded text."""
    first = max(0, start - _BEFORE)
    if kind == "date":
        before = _DATE_BEFORE.search(folded, first, start) or _DATE_WITHIN.match(folded, start, end)
        return _read(before or _DATE_AFTER.match(folded, end))
    head = folded[first:start]
    before = _LIMIT_BEFORE.search(folded, first, start) if _may_limit(head, folded, start, end) else None
    after = folded[end : end + 1]
    follows = (folded[end + 1 : end + 2] if after == " " else after) in _AFTER
    if before:
        limit = _read(before)
        noticed = limit.side == "low" and kind == "time" and follows and _NOTICE.match(folded, end)
        return limit._replace(firm=False) if noticed else limit
    timed = None
    if kind == "time":
        timed = _TIME_AFTER.match(folded, end) if follows else None
        if timed is None and head.rstrip(" ").endswith(_TIMED):
            timed = _TIME_BEFORE.search(folded, first, start)
    return _read(timed or (_LIMIT_AFTER.match(folded, end) if follows else None))


def _may_limit(head: str, folded: str, start: int, end: int) -> bool:
    """Whether what stands in front of a number ends like a limit; most does not, and looking is cheap."""
    if "最" in head:
        return True
    if "max" in head or "min" in head or "est " in head:
        near = folded[max(0, start - _FAR) : end + _BEHIND]
        return not (_HAN_SIGNS.isdisjoint(near) and _LATIN_SIGNS.isdisjoint(_LATIN.findall(near)))
    head = head.removesuffix(" ")
    if head[-1:] not in _LAST_CHARS and head[len(head.rstrip(_LETTERS)) :] not in _LAST_WORDS:
        return False
    while not head.endswith(_ENDS):
        if not head.endswith(_WORDS):
            return False
        head = head[: -next(len(word) for word in _WORDS if head.endswith(word))]
    return True


def _read(found: re.Match[str] | None) -> Limit:
    if found is None:
        return NONE
    name = found.lastgroup or ""
    if name in _SIDES:
        return Limit(*_SIDES[name], False, found.start(), found.end())
    limit = next(one for one in _NAMED[name] if found[one])
    side, _, denies = _SIDES[limit]
    # 最低内存 names a thing, 最多可续借 what is done.
    named = found[limit][-1] not in "多少"
    last = found.end(name if found[name].strip() in _GENERIC else limit)
    return Limit(side, False, denies, named, found.start(limit), last)


def is_old(folded: str, start: int, end: int) -> bool:
    """Whether a value is the one that something changed from: 从42000元调整为24000元."""
    first = max(0, start - _BEFORE)
    head = folded[first:start]
    if not folded.isascii() and folded.startswith(_FROM_BEHIND, end):
        return _TURNS_BEHIND.match(folded, end) is not None
    if "from" not in head and (head.isascii() or _OLDS.isdisjoint(head[-_OLD_REACH:])):
        return False
    return bool(_OLD.search(folded, first, start) and _TURNS.match(folded, end))


def is_change(folded: str, start: int) -> bool:
    """Whether a range tells a change and no span: raised from 10 GB to 20 GB."""
    first = max(0, start - 2 * _BEFORE)
    told = _OLD.search(folded, first, start)
    return bool(told and _TURNED_EN.search(folded, first, max(first, told.start() - 1)))
