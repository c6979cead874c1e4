"""Does the sentence of a quotation say what a question asks, of whom it asks it, and in the unit it names?

A question is refused where that is not sure: a good one that is lost costs little, a wrong gold costs trust.
"""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from ragstone.drafting.proving.whole import DENIES, is_denied
from ragstone.drafting.questions.parts import words
from ragstone.reading.asked import read_question
from ragstone.reading.cuebook import tables
from ragstone.reading.lexicon import DEFAULT
from ragstone.reading.scopes import NEGATED
from ragstone.reading.statements import Statements
from ragstone.reading.synonyms import IRREGULAR
from ragstone.reading.tokens import TOKEN, root, token_keys
from ragstone.reading.values.names import find_names, tagged
from ragstone.reading.values.values import Value, values
from ragstone.text.fold import fold
from ragstone.text.late import late

LIGHT = words(
    "who whom whose what which when where why how is are was were be been being do does did has have had can could "
    "may might must will would shall should the a an of in on at to by for from with into onto over under about per "
    "and or but if as than that this these those its their his her it they he she there any each every much many "
    "long often kind name named called year month week day date time hour person people company number amount sum "
    "total percentage percent share currently now one s first up upon within after before during since until"
)
_OPENS = LIGHT - words("the a an this that these those its their his her our and but")
"""Light words of English that open what a clause says of its subject."""
_LIGHT_HAN = words(
    "的 了 是 为 在 有 可 可以 能 能够 会 应 应当 应该 须 需 需要 必须 要 将 由 被 把 对 向 与 和 及 "
    "或 并 而 以 于 其 该 本 此 这 那 各 每 个 所 之 也 都 均 就 后 前 时 内 中 上 下 里 外 等 进行 "
    "至 到 从 自 起 按 给 让 使 一 着 过 请 即 因 通过 用 共 共有 现有 总 总共 约 大约 大概 人 名 位 "
    "年 月 日 天 元 吗 呢 具体 分别 多久 号 截至 达 作 做 得 地 称 叫 指"
)
_SIZES = frozenset(("metre", "gram", "area"))
_HOW_BIG = late(r"多([长高重远深宽厚])|\bhow (long)\b")
"""What is said of a size, and asks nothing more of a time: how long, 多长."""
_RATE = late(r"(?P<unit>每个?(?:小时|季度|[年月周天日次人晚页]))|\b(?:every|each|per) (?P<unit_en>[a-z]+)")
_UNIT_EN = late(r"\b(?:how many|number of) (?P<unit>[a-z]+)")
_UNITS_EN = words(
    "second minute hour day week month year metre meter kilometre kilometer mile foot inch litre liter gram kilogram "
    "tonne ton pound euro dollar crown percent hectare acre watt volt bar degree"
)
_UNITS_HAN = words(
    "秒 分钟 小时 天 日 周 星期 月 年 季度 元 万元 亿元 米 公里 厘米 毫米 公斤 千克 克 吨 升 平方米 平方公里 公顷 亩 "
    "度 瓦 伏 岁 折 成"
)
_ASKS_HAN = late(
    f"(?:多少|几)个?(?P<unit>{'|'.join(sorted(_UNITS_HAN, key=len, reverse=True))}"
    "|[点号张名位人座艘辆本件间口家次项种台条份只钱块])?"
    "|哪一?[个些位名家座所支种年月天日]|哪[里儿]|何[时处人地种]|什么(?:时候|时间|地方)?|谁|怎[么样]*|如何|为何"
    "|多[长久大高重远深宽快]|是否|是不是|百分之几|第几"
)
_SAME_UNITS = ({"天", "日"}, {"周", "星期"}, {"年", "周年"})
_CUTS = late(r"[,，](?![0-9]{3})|[;；。、]|(?<=[)）])|\b(?:and|but|while|whereas)\b")
_DENYING = late(rf"{DENIES.pattern}|[禁勿别拒]|\b(?:nobody|none|neither|nor|nothing|refus\w+|declin\w+)\b")
_EXCLUDES = late(
    r"不包括|不含|除外|除了|除[^,，。]{1,12}外|以外|而非|而不是|不同于|不像"
    r"|\b(?:without|unlike|contrary to|exclud\w+|except\w*|unless|other than|apart from|instead of|rather than)\b"
)
_CLAUSE = late("[,，;；。、]")
_BE = late(r"\b(?:is|are|was|were|been|being|be)(?: \w+ly| (?!by\b)\w+)? $")
_CAPITALS = late(r"[A-Z][\w'’-]*(?: (?:(?:of|the|de|van) )?[A-Z][\w'’-]*)*")
_HAN = late("[\u3400-\u9fff]")
_BY = late(r"\bby (?:\w+ ){0,4}$")
_LED = late(r"\b(?:in|at|on|of|from|for|to|near|with) (?:the )?$")
_LEADS = late(r"\b(?:what|which|the|an?|of) $")
"""In front of a participle that is no verb: the fixed fee."""
_WHO = late(r"^(?:by (?P<by>whom)|(?P<who>who|which|what|whom)\b)")
_DID = late(r"\b(?:did|does|do)\b")


class Told(NamedTuple):
    """What stands around a quotation: its sentence, or a cell's names, and what all of that is about."""

    text: str
    start: int
    end: int
    around: str
    """Its title, opening and section, each in its line."""
    cell: str = ""
    """The names of its row and column, where it stands in a table."""

    @property
    def gold(self) -> str:
        """What is quoted."""
        return self.text[self.start : self.end]

    @property
    def said(self) -> str:
        """What the place says."""
        return self.cell or self.text


def is_not_told(question: str, told: Told) -> str:
    """Return why a quotation does not answer a question, or nothing."""
    if not _has_unit(question, told.gold):
        return "no_value"
    found = list(_located(question, told))
    if any(not places and not _about(word, told) and not _is_measure(word, told) for word, places in found):
        return "off_topic"
    if told.cell:
        return ""
    if _is_half(told):
        return "quote_cut"
    if _is_denied(question, told, [at for _, places in found for at in places]) or _is_turned(question, told):
        return "not_told"
    own = [places for word, places in found if places and not _about(word, told)]
    return "two_places" if _is_of_another(question, told, own) else ""


# --- what a question says ---


def _located(question: str, told: Told) -> Iterator[tuple[str, list[int]]]:
    """The words of a question that carry something, each with its places in what is said."""
    said = fold(told.said)
    asked = _ASKS_HAN.sub(lambda found: "," * len(found[0]), fold(question))
    for name in filter(None, map(fold, told.around.splitlines())):
        asked = asked.replace(name, "," * len(name))
    for rate in _RATE.finditer(asked):
        unit = rate["unit"] or rate["unit_en"]
        yield unit, _latin_places(unit, said) if unit.isascii() else _han_places(unit, said)
    if _SIZES & {one.measure for one in values(told.gold)} and (size := _HOW_BIG.search(fold(question))):
        yield size[1] or size[2], _latin_places(size[2], said) if size[2] else _han_places(size[1], said)
    for match in TOKEN.finditer(asked):
        if match[0] not in LIGHT and not (match[0].isdigit() and len(match[0]) == 1):
            yield match[0], _latin_places(match[0], said)
    for one in tagged(asked) if _HAN.search(asked) else ():
        if one.word not in _LIGHT_HAN and _HAN.match(one.word) and one.tag[0] not in "xpcuyeodrqf":
            yield one.word, _han_places(one.word, said)


def _latin_places(word: str, said: str) -> list[int]:
    wanted = {*token_keys(word), *DEFAULT.same_stems(root(word))}
    tokens = [match.start() for match in TOKEN.finditer(said) if wanted & set(token_keys(match[0]))]
    return tokens + [said.index(one) for one in wanted if " " in one and one in said]


def _han_places(word: str, said: str) -> list[int]:
    """Where a word stands, or one that says the same, or its halves: 年终奖金, 奖金 at the end of a year."""
    ways = (word, *DEFAULT.same(word))
    found = [match.start() for one in ways for match in re.finditer(re.escape(one), said)]
    if not found and len(word) > 2:
        halves = [_han_places(part, said) for part in (word[:2], word[2:])]
        found = halves[1] if all(halves) else []
    return found


def _about(word: str, told: Told) -> bool:
    """Say whether a word only names what the document is about."""
    around = fold(told.around)
    return bool(_han_places(word, around) if _HAN.match(word) else _latin_places(word, around))


def _is_measure(word: str, told: Told) -> bool:
    """Say whether a word only tells what the value of a cell measures, and names nothing in its table."""
    known = any(word in tables()[kind] for kind in ("asks_figure", "asks_extent", "asks_sum", "asks_span"))
    return bool(told.cell) and known and bool(values(told.gold)) and fold(word) not in fold(told.text)


def _has_unit(question: str, gold: str) -> bool:
    """Say whether a quotation is in the unit that a question names."""
    asked, given = fold(question), fold(gold)
    if found := _UNIT_EN.search(asked):
        unit = root(found["unit"])
        return unit not in map(root, _UNITS_EN) or unit in map(root, TOKEN.findall(given)) or not _names_unit(given)
    units = [found["unit"] for found in _ASKS_HAN.finditer(asked) if found["unit"] in _UNITS_HAN]
    return all(any(one in given for one in _ways(unit)) or not _names_unit(given) for unit in units)


def _ways(unit: str) -> Iterable[str]:
    return next((same for same in _SAME_UNITS if unit in same), {unit})


def _names_unit(given: str) -> bool:
    """Say whether a quotation is more than a bare number."""
    return re.fullmatch(r"[0-9.,万亿〇零一二两三四五六七八九十百千 ]+", given) is None


def _is_half(told: Told) -> bool:
    """Say whether a quotation is one end of what is told from one value to another."""
    here = [one for one in values(told.text) if one.start < told.end and told.start < one.end]
    own = {one.measure: one for one in values(told.gold)}
    return any((mine := own.get(one.measure)) and not _spans(mine, one) for one in here)


def _spans(mine: Value, other: Value) -> bool:
    try:
        return bool(mine.low <= other.low and other.high <= mine.high)  # type: ignore[operator]  # both of one measure
    except TypeError:
        return True


# --- who, and not ---


def _is_denied(question: str, told: Told, places: Iterable[int]) -> bool:
    """Say whether what answers a question is denied or excepted, and the question does not say so."""
    asked = read_question(question)
    rest = fold(told.text[: told.start]) + "|" + fold(told.text[told.end :])
    if _EXCLUDES.search(rest) and not _EXCLUDES.search(asked.text):
        return True
    if DENIES.search(asked.plain):
        return DENIES.search(fold(told.text)) is None
    if asked.closed or not _DENYING.search(fold(told.text)):
        return False
    said = Statements(told.text)
    return any(NEGATED in said.flags(at)[0] or is_denied(told.text, at) for at in (told.start, *places))


def _is_turned(question: str, told: Told) -> bool:
    """Say whether somebody does in the sentence what is done to them in the question."""
    asked = _roles(question, _people(question, told), question)
    there = _roles(told.text, [*_people(question, told), told.gold], question)
    asked |= {told.gold: role} if (role := _asked_role(question)) else {}
    return any(name in there and (role == "agent") != (there[name] == "agent") for name, role in asked.items())


def _people(question: str, told: Told) -> list[str]:
    """The names that a question and its sentence share."""
    names = [question[one.start : one.end] for one in find_names(question)] + _CAPITALS.findall(question)
    return [one for one in dict.fromkeys(names) if len(one) > 1 and one in told.text and one not in told.gold]


def _roles(text: str, names: list[str], question: str) -> dict[str, str]:
    """Who of these does something in a text, and to whom it is done, by the verbs of the question."""
    found: dict[str, str] = {}
    for start, end, passive in _verbs(text, question):
        for name in names:
            at = text.find(name)
            if at < 0 or name in found:
                continue
            role = _role(text, at, at + len(name), start, end, passive=passive)
            found |= {name: role} if role else {}
    return found


def _verbs(text: str, question: str) -> Iterator[tuple[int, int, bool]]:
    """The verbs of a question in a text, and whether each is told in the passive."""
    folded = fold(text)
    if _HAN.search(question):
        told = [one.word for one in tagged(fold(question)) if one.tag in ("v", "vn") and one.word not in _LIGHT_HAN]
        for found in (found for one in told if len(one) > 1 for found in re.finditer(re.escape(one), folded)):
            yield *found.span(), _agent(folded, found.start()) >= 0
        return
    verbs = _verbs_asked(question)
    did = text is question and _DID.search(folded) is not None
    for match in TOKEN.finditer(folded):
        if root(match[0]) in verbs and not text[match.start()].isupper():
            passive = not did and (_BE.search(folded[: match.start()]) is not None or _is_passive(text, question))
            yield match.start(), match.end(), passive or folded.startswith(" by ", match.end())


def _verbs_asked(question: str) -> frozenset[str]:
    """The stems of an English question's verbs: in the past tense, or behind did."""
    folded = fold(question)
    did = _DID.search(folded)
    found = [one for one in TOKEN.finditer(folded) if one[0] not in LIGHT and not question[one.start()].isupper()]
    if did:
        behind = [one for one in found if one.start() >= did.end()]
        named = [one for one in behind if question[: one.start()].rsplit(maxsplit=1)[-1][0].isupper()]
        return frozenset(root(one[0]) for one in (named[:1] or behind[-1:]))
    found = [one for one in found if not _LEADS.search(folded[: one.start()])]
    return frozenset(root(one[0]) for one in found if one[0].endswith("ed") or one[0] in IRREGULAR)


def _is_passive(text: str, question: str) -> bool:
    """Say whether a question begins in the passive: When was the old mill rebuilt?"""
    return text is question and re.search(r"\b(?:is|are|was|were)\b", fold(text)) is not None


def _agent(folded: str, verb: int) -> int:
    """Where 由 or 被 introduces who does what a Chinese verb tells, or -1."""
    begin = max(folded.rfind(mark, 0, verb) for mark in ",;。、") + 1
    return max(folded.rfind("由", begin, verb), folded.rfind("被", begin, verb))


def _role(text: str, start: int, end: int, verb: int, stop: int, *, passive: bool) -> str:
    """Say whether a name does what a verb tells, or has it done to it; nothing where neither is sure."""
    if _HAN.search(text):
        agent = _agent(fold(text), verb) if passive else -1
        if _CLAUSE.search(text, min(end, stop), max(start, verb)):
            return ""
        if start >= stop:
            return "patient"
        return "agent" if end <= verb and start > agent else "patient" if end <= verb else ""
    if end <= verb:
        return "patient" if passive or _LED.search(text[:start].lower()) else "agent"
    return "agent" if _BY.search(text[stop:start].lower()) else "patient"


def _asked_role(question: str) -> str:
    """Say whether a question asks who does something, or to whom it is done; nothing where it asks for no party."""
    asked = fold(question)
    if _HAN.search(question):
        return _asked_han(asked, [(start, end) for start, end, _ in _verbs(question, question)])
    who = _WHO.match(asked)
    verb = next(_verbs(question, question), None) if who else None
    if who is None or verb is None:
        return ""
    passive = verb[2] and not asked.startswith(" by ", verb[1])
    return "agent" if who["by"] or not (_DID.search(asked) or passive) else "patient"


def _asked_han(asked: str, verbs: list[tuple[int, int]]) -> str:
    at = asked.find("谁")
    if at < 0 or not verbs:
        return ""
    if any(end <= at and not asked[end:at].strip("了过") for _, end in verbs):
        return "patient"
    return "agent" if any(start > at for start, _ in verbs) else ""


# --- the place in its sentence ---


def _is_of_another(question: str, told: Told, own: list[list[int]]) -> bool:
    """Say whether a sentence tells more than one thing of the kind, and the question's words not only of this one."""
    pieces = list(_pieces(told))
    here = next(number for number, (start, end) in enumerate(pieces) if start <= told.start < end)
    where = [{number for number, one in enumerate(pieces) if _any_in(places, one)} for places in own]
    told_here = [one for one in where if here in one]
    rivals = _rivals(question, told)
    held = {number for number, one in enumerate(pieces) if _any_in(rivals, one)}
    if here in held:
        return True
    # Not every name or value is recognised: what is told in the same words beside is told of something else.
    held |= set().union(*told_here) - {here}
    if held and (not told_here or any(all(number in one for one in told_here) for number in held)):
        return True
    free = {
        at for at, piece in enumerate(pieces) if at not in held and _leaves_free(at, piece, told, pieces[here], held)
    }
    strayed = [one for at, one in enumerate(where) if here not in one and not _is_shared(own[at], told, pieces[here])]
    return any(not one & free for one in strayed)


def _leaves_free(at: int, piece: tuple[int, int], told: Told, here: tuple[int, int], held: set[int]) -> bool:
    """Say whether a clause may tell more of what another clause tells: the one before it, or one without a value."""
    if piece[0] > here[0]:
        return bool(values(told.gold)) and not held and not values(told.text[slice(*piece)])
    return not held or _goes_on(piece, here, told.text)


def _goes_on(one: tuple[int, int], other: tuple[int, int], text: str) -> bool:
    """Say whether of two clauses the first or the second has no subject of its own."""
    return any(not text[start : _opening(text, start, end)].strip(" ,，") for start, end in (one, other))


def _any_in(places: Iterable[int], piece: tuple[int, int]) -> bool:
    return any(piece[0] <= at < piece[1] for at in places)


def _is_shared(places: list[int], told: Told, piece: tuple[int, int]) -> bool:
    """Say whether a word is the subject or the time of a whole sentence, and a clause has none of its own."""
    text = told.text
    dates = [one for one in values(text) if one.measure == "date"]
    if any(one.start <= min(places) < one.end for one in dates):
        return not any(_any_in([one.start], piece) for one in dates)
    return min(places) < _opening(text, 0, len(text)) and not text[piece[0] : _opening(text, *piece)].strip(" ,，")


def _opening(text: str, start: int, end: int) -> int:
    """Where a sentence or clause comes to its verb, preposition or number, behind its subject."""
    if _HAN.search(text):
        words = tagged(fold(text)[start:end])
        return next((start + one.start for one in words if one.tag[0] in "vpm" and one.tag != "vn"), end)
    for match in TOKEN.finditer(fold(text), start, end):
        if match[0].endswith("ed") or match[0] in IRREGULAR or match[0] in _OPENS or match[0][0].isdigit():
            return match.start()
    return end


def _rivals(question: str, told: Told) -> list[int]:
    """Where else in a sentence something of the kind that was quoted stands, which the question does not name."""
    gold = [one for one in values(told.text) if _overlaps((one.start, one.end), [(told.start, told.end)])]
    if gold:
        known = [*gold, *values(question)]
        return [
            one.start
            for one in values(told.text)
            if _competes(one, gold) and not any(one.equals(own) or own.equals(one) for own in known)
        ]
    names = [(one.start, one.end) for one in find_names(told.text)]
    if not _overlaps((told.start, told.end), names):
        return []
    times = [(one.start, one.end) for one in values(told.text)]
    others = [match.span() for match in _CAPITALS.finditer(told.text) if match.start()]
    names += [one for one in others if not _overlaps(one, [*times, *names])]
    names = [one for one in names if not _is_office(one, told)]
    known_names = fold(f"{question} {told.around}")
    apart = [(start, end) for start, end in names if end <= told.start or told.end <= start]
    return [start for start, end in apart if fold(told.text[start:end]) not in known_names]


def _overlaps(span: tuple[int, int], others: list[tuple[int, int]]) -> bool:
    return any(start < span[1] and span[0] < end for start, end in others)


def _is_office(span: tuple[int, int], told: Told) -> bool:
    """Say whether an office stands before or behind the name of who holds it: Head of Sales, Ada Quill."""
    beside = told.text[span[1] : told.start] in (" ", ", ") or told.text[told.end : span[0]] in (", ", " (")
    return beside and " of " in told.text[slice(*span)]


def _competes(value: Value, gold: list[Value]) -> bool:
    return any(value.measure == one.measure and _unit(value) in ("", _unit(one)) for one in gold)


def _unit(value: Value) -> str:
    """The unit of a Chinese count, which tells two things apart; other units do not."""
    return "".join(_HAN.findall(value.text))[-1:] if value.measure == "count" else ""


def _pieces(told: Told) -> Iterator[tuple[int, int]]:
    """The clauses of a sentence; one that says nothing but another value or name goes on with the one before."""
    begin = 0
    ends = [cut.end() for cut in _CUTS.finditer(told.text)]
    for end in ends:
        if begin < end and _says(told, end, next((one for one in ends if one > end), len(told.text))):
            yield begin, end
            begin = end
    yield begin, len(told.text)


def _says(told: Told, start: int, end: int) -> bool:
    """Say whether a clause says more than a value or a name."""
    text = told.text[start:end]
    spans = [(one.start, one.end) for one in values(text)] + [(one.start, one.end) for one in find_names(text)]
    for first, last in spans:
        text = text[:first] + " " * (last - first) + text[last:]
    text = _CAPITALS.sub(" ", text) if start else text
    folded = fold(text)
    return any(one not in LIGHT for one in TOKEN.findall(folded)) or any(
        one.tag[0] in "nvaj" and one.word not in _LIGHT_HAN for one in tagged(folded) if _HAN.match(one.word)
    )
