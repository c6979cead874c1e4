"""What can be asked for in a Chinese sentence: its values, names, places, other names, lists, rules."""

import re
from collections.abc import Iterator
from datetime import date

from ragstone.core.types import JSON
from ragstone.drafting.corpus import RULES
from ragstone.drafting.questions.parts import Slot
from ragstone.reading.values.names import Tagged, tagged
from ragstone.text.dates.find import DateMention, find_dates
from ragstone.text.late import late
from ragstone.text.numbers.find import Quantity, find_numbers

_DIGITS = "0-9〇零一二两三四五六七八九十百千万亿壹贰叁肆伍陆柒捌玖拾佰仟"
_NUMERAL = late(rf"[{_DIGITS}](?:[{_DIGITS}.,]*[{_DIGITS}])?[多余几]?")
_LOOSE = late(
    r"^(?:左右|前后|以?来(?!自)|前夕|[春夏秋冬]|初|末|中期|底|代|间|之|度|时(?!间)|前|后|才|款|版|型|版本|的|届|至|到|[-—~～+/－–×]|多|余|几|半|[0-9０-９]|[）)]|"
    r"[（(][^（）()]*[0-9])"
)
_JOINED = late(r"(?:[0-9a-z.·\-—~～/第+－–×（(]|[0-9年][）)])(?:约)?$")
_RANGE = late(r"(?:至|到|-|—|~|～|和|与|、|及|、)$")
_AND = late(r"[和与及或、][^，。；]{0,4}?[0-9一二三四五六七八九十百千万]")
"""Behind a value that is one of several."""
QUANTITIES = "期费价金额率龄限数量温速积距度"
"""Last characters of nouns that are told by a number alone: 借期三十天."""
_END = r"(?=$|[，。；！？])"
_PLACE = late(
    r"(?P<cue>位于|坐落于|坐落在|出生于|诞生于|出生在|毕业于|就读于|就读|发源于|发源自|总部设在|总部位于|葬于)"
    rf"(?P<answer>[^，。；（(0-9]{{2,18}}(?:[0-9]+号[^，。；（(0-9]{{0,6}})?){_END}"
)
_NO_SUBJECT = 3
"""Characters before a place that name nothing: 其中位于新区的车站."""
_SCHOOL = frozenset(("毕业于", "就读于", "就读"))
_ALIAS = late(
    r"(?P<cue>又称|又名|亦称|也称|别称|别名|俗称|简称|原名|本名|旧称|古称|全名|全称|艺名|笔名|谥号|庙号)(?P<link>为|是|作|叫)?"
    rf"(?P<answer>[「“《]?(?!意)[^，。；、（(「」“”的和或及]{{2,16}}[」”》]?){_END}"
)
_TAKES_OFFICE = late(rf"(?P<cue>担任|出任|就任|当选为?|晋升为)(?P<answer>[^，。；（(0-9]{{2,16}}){_END}")
_SOMEBODY = late(
    "(?:运动员|演员|议员|教宗|皇帝|皇后|国王|总统|总理|教授|之女|之子|族女|皇妃|导演|主持人|模特儿?|政治人物|歌手|作家|画家|诗人|学家|将领|球员|教练|大臣|律师|艺人)$"
)
_OFFICE = late(
    r"(?:长|者|家|人|员|席|王|帝|帅|师|导演|编剧|主演|总裁|总统|总理|教练|冠军|元首|父|母|妻|父亲|母亲|[儿妻]子|丈夫|女儿)(?:是|为)$"
)
_COPULA = late(rf"的(?P<head>[^，。；的是为]{{2,8}})(?P<cue>是|为)(?P<answer>[^，。；的是为（(]{{2,14}}){_END}")
_NO_COMPLEMENT = late(
    r"^(?:由|在|因|为|不|非|很|最|指|将|一[个种名位座部]|从|以|对|向|有|无|要|否|多|较|比|更|与|和|被)"
)
_DEFINES = late(r"(?P<link>是指|是|指的是|系)(?P<answer>[^。！？；，]{6,60})")
_CLASS = late("一[\u4e00-\u9fff]|的.{2,}|第[0-9一二三四五六七八九十]+[届任代]")
"""What makes a complement a definition: which one of which sort it is."""
_NO_DEFINITION = late(r"^(?:由|在|因|为|不|非|很|指|将|从|以|对|于|否|个|位于|继|如|最)")
_LIST = late(
    r"(?P<cue>包括了?|包含了?|分为|设有|共有|主要有)(?P<answer>[^，。；：、（）]{1,14}(?:、[^，。；：、（）]{1,14})+"
    rf"(?:和|及|以及|与|、)[^，。；：、（）]{{1,14}}?)(?P<rest>[二两三四五六七八九十0-9]+[类种个项大级层部][^，。；]{{0,4}})?{_END}"
)
_UNEQUAL = late("[「」“”『』]|[等的]|(?:和|及|与|以及)[^、]*(?:和|及|与|以及)")
"""In a list that is not told whole, or whose items are not of one kind."""
_MODAL = late(
    r"(?P<cue>不得|严禁|禁止|不可以|不可(?![变见逆用靠分少思])|不能|不准|可以|一律不得|一律禁止)(?P<verb>[^，。；：（）]{2,24}(?<![后时前者]))(?=$|[，。；])"
)
_FORBIDS = frozenset(("不得", "严禁", "禁止", "不可以", "不可", "不能", "不准", "一律不得", "一律禁止"))
_TIMES = frozenset(("年", "个月", "天", "日", "小时", "分钟", "周", "个工作日", "工作日", "星期", "个小时"))
_MEASURES = frozenset(
    ("公斤", "公里", "公尺", "公分", "厘米", "毫米", "米", "千米", "km", "kg", "克", "吨", "度", "平方公里")
)
_YEARS = {"year": "哪一年", "month": "哪年哪月", "day": "什么时候", "decade": "哪个年代", "century": "哪个世纪"}


def slots(text: str, folded: str, title: str, *, rules: bool, told: bool = False) -> Iterator[Slot]:
    """Everything that can be asked for in a sentence; yes or no only where a document sets rules."""
    if not (rules or told):
        yield from _dates(text, folded)
        yield from _numbers(text, folded)
    yield from _patterns(text, folded)
    yield from _definitions(text, folded, title)
    yield from _lists(text, folded)
    if rules:
        yield from _rules(text, folded, permits=RULES.search(title) is not None)


def _dates(text: str, folded: str) -> Iterator[Slot]:
    for found in find_dates(text):
        words = _YEARS.get(found.precision)
        if words is None or found.is_range or found.approximate or found.rule in ("relative", "numeric", "compact"):
            continue
        if found.reason:
            continue
        if _LOOSE.match(folded[found.end :]) or _JOINED.search(folded[: found.start]):
            continue
        if _AND.match(folded[found.end :]):
            continue
        if folded[: found.start].endswith(("是于", "是在")) and "的" in folded[found.end :]:
            continue
        if _RANGE.search(folded[: found.start]) and not folded[: found.start].endswith(("于", "在")):
            continue
        yield Slot(found.start, found.end, words, "date", _date(found), (found.start, found.end))


def _date(found: DateMention) -> dict[str, JSON]:
    if found.precision == "day" and isinstance(found.first, date):
        return {"date": found.first.isoformat()}
    return {"text_answer": found.text}


def _numbers(text: str, folded: str) -> Iterator[Slot]:
    for found in find_numbers(text):
        before, after = folded[: found.start], folded[found.end :]
        if (
            found.high is not None
            or _JOINED.search(before)
            or _RANGE.search(before)
            or _LOOSE.match(after)
            or after[:1] == "、"
            or _AND.match(after)
        ):
            continue
        if found.approximate and found.mark in after[:3]:
            continue
        slot = _amount(found, text, folded)
        if slot:
            yield slot


def _amount(found: Quantity, text: str, folded: str) -> Slot | None:
    written = folded[found.start : found.end]
    numeral = _NUMERAL.search(written)
    whole = (found.start, found.end)
    if found.kind == "percent":
        of = re.match("[千万]分之", written)
        per_mille = "千分之几" if written.endswith("‰") else ""
        words = per_mille or "几成" if per_mille or written.endswith("成") else f"{of[0]}几" if of else "百分之几"
        return Slot(*whole, words, "share", {"text_answer": found.text}, whole)
    if numeral is None or found.value <= 1 or "半" in written:
        return None
    if found.kind == "ordinal":
        if found.unit not in ("代", "任", "届", "号", "次"):
            return None
        return Slot(*whole, f"第几{_tail(text, found, numeral)}", "ordinal", {"text_answer": found.text}, whole)
    tail = _tail(text, found, numeral)
    if found.currency:
        words = f"多少{tail}" if tail else "多少钱"
        return Slot(*whole, words, "amount", {"amount_total": _plain(found)}, whole)
    few = found.value <= 2 and found.unit not in _TIMES
    if found.kind != "count" or found.unit in ("", "州") or few:
        return None
    if found.unit == "年" and found.value >= 100:
        if not written[:-1].isdigit() or folded[: found.start].endswith(("有", "近", "约", "达", "逾", "过", "超过")):
            return None
        return Slot(*whole, "哪一年", "date", {"text_answer": found.text}, whole)
    timed = found.unit in _TIMES
    expected: dict[str, JSON] = {"count": int(found.value)} if found.value % 1 == 0 else {"text_answer": found.text}
    if timed or found.unit in _MEASURES:
        expected = {"text_answer": found.text}
    return Slot(*whole, f"多少{tail}", "duration" if timed else "count", expected, whole)


def _tail(text: str, found: Quantity, numeral: re.Match[str]) -> str:
    return text[found.start + numeral.end() : found.end].strip()


def _plain(found: Quantity) -> JSON:
    return int(found.value) if found.value % 1 == 0 else float(found.value)


def _patterns(text: str, folded: str) -> Iterator[Slot]:
    for found in _PLACE.finditer(folded):
        words = "哪所学校" if found["cue"] in _SCHOOL else "哪里"
        clause = re.split("[，；]", folded[: found.start()])[-1]
        relative = "的" in found["answer"] and (len(clause) <= _NO_SUBJECT or re.search("[是为]$|是一", clause))
        if not relative:
            yield _named(text, found, words, "place")
    for found in _ALIAS.finditer(folded):
        if not re.search("[0-9]年", found["answer"]):
            yield _named(text, found, "什么", "name", found.end("cue"))
    for found in _TAKES_OFFICE.finditer(folded):
        clause = re.split("[，；]", folded[: found.start()])[-1]
        timeless = "任" in found["cue"] and not re.search("[0-9]年", clause)
        verb = any(one.tag == "v" for one in tagged(found["answer"]))
        if not timeless and not verb and not _NO_COMPLEMENT.match(found["answer"]):
            yield _named(text, found, "什么职务", "name")
    for found in _COPULA.finditer(folded):
        plain = not re.search("[0-9]", found["answer"]) and all(_is_noun(one) for one in tagged(found["answer"]))
        somebody = _OFFICE.search(found["head"] + found["cue"])
        if plain and not somebody and not _NO_COMPLEMENT.match(found["answer"]) and _is_noun(tagged(found["head"])[-1]):
            yield _named(text, found, "是什么", "name", found.start("cue"))


def _is_noun(token: Tagged) -> bool:
    return token.tag.startswith("n") or token.tag in ("eng", "vn", "j", "x")


def _named(text: str, found: re.Match[str], words: str, kind: str, since: int = -1) -> Slot:
    start, end = found.span("answer")
    return Slot(start if since < 0 else since, end, words, kind, {"text_answer": text[start:end]}, (start, end))


def _definitions(text: str, folded: str, title: str) -> Iterator[Slot]:
    """What the title's own sentence says it is."""
    if not title or not folded.startswith(title):
        return
    place = len(title)
    bracket = re.match(r"[（(][^（）()]*[）)]", folded[place:])
    place += bracket.end() if bracket else 0
    found = _DEFINES.match(folded, place)
    if found and not _NO_DEFINITION.match(found["answer"]) and not found["answer"].endswith(("的", "一")):
        start, end = found.span("answer")
        bracket = re.search(r"[（(][^（）()]*[）)]", text[start:end])
        head = tagged(folded[start:end])
        if "──" in folded[start:end] or not _CLASS.search(folded[start:end]) or folded[start:end].endswith("之一"):
            return
        if (bracket and bracket.end() < end - start) or (head[0].tag == "v" and "的" not in folded[start:end]):
            return
        span = (start, start + bracket.start() if bracket else end)
        who = "谁" if _SOMEBODY.search(folded[start : span[1]]) else "什么"
        yield Slot(0, end, f"{text[: len(title)]}是{who}？", "definition", {"text_answer": text[slice(*span)]}, span)


def _lists(text: str, folded: str) -> Iterator[Slot]:
    for found in _LIST.finditer(folded):
        start, end = found.span("answer")
        things = _things(found["answer"]) if found["cue"] in _HAS else ""
        if not _UNEQUAL.search(found["answer"]) and (things or found["cue"] not in _HAS):
            # 分为哪些 is no Chinese: it asks for the sorts that are counted behind the list.
            sorts = found["cue"] == "分为"
            if found["rest"] or not sorts:
                words = f"哪{text[slice(*found.span('rest'))]}" if sorts else f"哪些{things}"
                yield Slot(start, found.end(), words, "list", {}, (start, end))


_HAS = frozenset(("设有", "共有", "主要有"))
_SORTS = {
    "部": "部门",
    "科": "科室",
    "站": "车站",
    "中心": "中心",
    "系": "系",
    "学院": "学院",
    "馆": "场馆",
    "店": "门店",
}


def _things(items: str) -> str:
    """What all items of a list are by how they end: departments; 设有哪些 alone asks for anything."""
    last = re.split("、|和|以及|及|与", items)
    return next((name for end, name in _SORTS.items() if all(one.endswith(end) for one in last)), "")


def _rules(text: str, folded: str, *, permits: bool) -> Iterator[Slot]:
    """Bans; what one may do only in documents that regulate, elsewhere it tells what is possible."""
    for found in _MODAL.finditer(folded):
        verb = text[found.start("verb") : found.end("verb")]
        said = tagged(folded[: found.start()])
        cut = any(one.start < found.end("cue") < one.end for one in tagged(folded))
        if find_numbers(verb) or cut or (said and said[-1].tag == "v") or (found["cue"] == "可以" and not permits):
            continue
        # A permission with more behind it may hold in a case only.
        if found["cue"] in _FORBIDS or folded[found.end() :].strip("。") == "":
            denied = found["cue"] in _FORBIDS
            yield Slot(*found.span(), f"可以{verb}吗？", "yes_no", {"boolean_answer": not denied}, found.span())
