"""Values of Chinese documents that set rules or tell news: asked where they stand, behind what leads to them.

补卡单应在两个工作日内提交。  →  补卡单应在多少个工作日内提交？
"""

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from ragstone.core.types import JSON
from ragstone.drafting.questions.awkward import MOVES
from ragstone.drafting.questions.chinese_clauses import TIME, Clause, clauses_of, is_condition
from ragstone.drafting.questions.chinese_forms import CLOCK
from ragstone.drafting.questions.parts import Ask, words
from ragstone.drafting.questions.slots import QUANTITIES
from ragstone.reading.values.names import tagged
from ragstone.reading.values.values import values
from ragstone.text.late import late

_DIGITS = "0-9〇零一二两三四五六七八九十百千壹贰叁肆伍陆柒捌玖拾佰仟"
_N = f"[{_DIGITS}][{_DIGITS},.]*(?:[万亿]+(?:[{_DIGITS}][{_DIGITS},.]*)?)*"
_DAY = f"[{_DIGITS}]{{1,3}}"
_DATE = f"(?:(?:[0-9]{{4}}|中华民国[{_DIGITS}]{{1,6}}|[次翌])年)?{_DAY}月{_DAY}[日号]"
_MONTH = f"(?:[0-9]{{4}}|[次翌当])年{_DAY}月(?:[底初]|中旬)?"
_UP_TO = "(?:[至到]|[-—–~～]+)"
_WEEK = "(?:周|星期)[一二三四五六日天](?!天)"
_MONEY = "(?:万|亿)*(?:美元|欧元|港元|日元|元)(?:整)?"
_UNITS = (
    "个?工作[日天]|个月|个?小时|分钟|秒钟?|星期|周岁|周(?![一二三四五六日天末边])|年(?![0-9度])|天|日(?![元前]?[内])|日|岁|平方公里|公里|"
    "平方米|立方米|厘米|毫米|公尺|公分|千米|米|公斤|千克|克|吨|毫升|公升|升|坪|公顷|千瓦|瓦|度|人次|人|名|位|户|家|台|辆|艘|"
    "架|册|本|份|张|条|件|套|盒|瓶|包|只|间|场|次|项|处|个|班(?!倒)|层|栋|座|页|字|课时|学时|学分|分贝|分(?![之钟])|倍|股|支|组|部|款|亩|株"
)
_VALUE = late(
    rf"(?P<period>(?:{_DATE}|{_MONTH})起?{_UP_TO}(?:{_DATE}|{_MONTH}|{_DAY}日)止?)"
    rf"|(?P<clocks>{CLOCK}{_UP_TO}(?:次日)?{CLOCK})|(?P<clock>{CLOCK})"
    rf"|(?P<monthly>(?<=每月|次月|当月|首月|末月){_DAY}[日号])"
    rf"|(?P<date>{_DATE}(?:{CLOCK}(?:{_UP_TO}{CLOCK})?)?|{_MONTH}|[0-9]{{4}}年(?!度))"
    rf"|(?P<week>每?{_WEEK}(?:[、和及至到](?:{_WEEK}|[一二三四五六日天](?=[、，。；上下早晚中停收开休闭公受])))*(?:[上下]午|晚上)?(?!{CLOCK}|[{_DIGITS}]))"
    rf"|(?P<share>{_N}[%％‰]|(?:百|千|万)分之{_N}|(?<![0-9])[一二三四五六七八九]成)"
    rf"|(?P<sum>(?:人民币|新台币|港币)?{_N}(?P<money>{_MONEY}))"
    rf"|(?P<number>{_N}(?P<unit>{_UNITS}))"
)
_KINDS = {"period": "date", "clocks": "time", "clock": "time", "monthly": "date", "week": "time", "sum": "amount"}
_LASTS = late("个?工作|个月|小时|分钟|秒|星期|周$|年|[天日]$")
_LOOSE_BEFORE = late(
    rf"(?:(?<![周期])[{_DIGITS}]\s*|第|至|到|和|与|及|、|或|[-—–~～.×/·+]|[a-zA-Z0-9]|之|[（(][^）)]*|农历|每逾|[上下]|另外|式|各[执執持])$"
)
_LOOSE_AFTER = late(
    r"左右|前后|上下|余|多|几|[-—–~～至到×/·+a-zA-Z]|、|[和与及或][^，。；]{0,4}[0-9一二两三四五六七八九十]|版|级|届|代|款|型|[）)]|以上[^，。；]*以下"
)
_POINTS = late(
    "^(?:超出|超过|超额|其余|其中|其他|其它|另|该|此|这|那|同[时年月日等]|上述|以[上下]|而|但|并|且|则|因此|所以|首班|末班|违者|单程|每逾|"
    "每[次人件个台辆张份套晚天日层户单年月周](?=[0-9每得可限收需须应计按为约])|(?:满|不足|约|共|现|计|近|占|至|增至?|减)(?=[0-9有约人新])|合计|总计|"
    "高峰|平峰|前者|后者|双方|两者|本次|增加|减少|达|可|须|需|应|不得|由|连续[0-9一二两三四五六七八九十])"
)
"""How a stretch begins that is told of something named before."""
_HEADS = words(
    "工程 项目 会议 活动 比赛 申请 申请人 申请材料 施工 材料 课程 费用 款项 货款 计划 产品 系统 研究 结果 方案 手续 "
    "航线 票价 参与者 "
    "受试者 实验 报告 投资 总投资 面积 成本 车辆 船舶 名单 作品 奖金 奖项 改造 公示 通知 "
    "样品 结构 订单 展览 演出 调查 对照组 复核 初审 考核 审核 验收 网站 场馆 项目组 改造工程 施工期 预算 定金 "
    "订金 尾款 "
    "首批 二期 一期 路线 全程 总价 数量 人数 总数 比率 完成率 电池 主机 检测 所需"
)
"""Nouns that mean one thing or another, unless title or section names it."""
_TWO = 2
_LONGEST, _BEFORE, _COMMAS, _OWN = 58, 28, 2, 5
"""Characters of a question, of the clauses before its value's; their commas; characters of a subject of its own."""
_VERBAL = ("v", "p", "d", "u", "c", "m", "q", "r", "f", "t", "x", "y", "z")


def ask_values(text: str, folded: str, say: Callable[[str], str]) -> Iterator[Ask]:
    """Ask for the values of a sentence, each behind the clauses it needs; `say` writes in the document's script."""
    clauses, found = clauses_of(folded), list(_VALUE.finditer(folded))
    for one in found:
        kind = one.lastgroup and next(name for name in one.groupdict() if one[name])
        clause = next((at for at, part in enumerate(clauses) if part.start <= one.start() < part.end), None)
        if kind is None or clause is None or one.end() > clauses[clause].end or _is_loose(folded, one, kind):
            continue
        start = _start(folded, clauses, clause)
        rest = [two for two in found if two is not one]
        if start is None or any(_alike(one, two, clauses[clause]) for two in rest):
            continue
        if _is_second(folded, clauses[clause], one, [two for two in rest if two.start() < clauses[clause].start]):
            continue
        if asked := _worded(text, folded, _Slot(one, kind, start, clauses[clause].end), say):
            yield asked


class _Slot(NamedTuple):
    """A value, its sort, and the stretch of its sentence that asks for it."""

    found: re.Match[str]
    sort: str
    start: int
    end: int


def _alike(one: re.Match[str], two: re.Match[str], clause: Clause) -> bool:
    """Say whether another value of the same unit stands in a value's own clause, or a period that lasts so long."""
    adds_up = two["period"] is not None and one["unit"] is not None
    return adds_up or (clause.start <= two.start() < clause.end and _unit_of(one) == _unit_of(two))


_NO_CLOCK = late("[记扣换达有的]$")
"""Before points that are counted, and decimals: 记一点."""


def _is_second(folded: str, clause: Clause, one: re.Match[str], before: list[re.Match[str]]) -> bool:
    """Say whether a clause before tells as much of something else, and this one not of what: 学生每期600元."""
    of = folded[clause.start : one.start()].strip()
    told = re.search(rf"(?:[{QUANTITIES}长宽高重深]|时间|标准|限)[^，]{{0,4}}$", of) or any(
        token.tag == "v" and token.word not in ("为", "是") for token in tagged(of)
    )
    return not told and any(_unit_of(one) == _unit_of(two) for two in before)


def _unit_of(found: re.Match[str]) -> str:
    return found["unit"] or next(name for name, part in found.groupdict().items() if part)


def _is_loose(folded: str, found: re.Match[str], sort: str) -> bool:
    """Say whether a value is not told whole: one of several, a part of a name, about so much, or one alone."""
    before, after = folded[: found.start()], folded[found.end() :]
    if (sort == "clock" and _NO_CLOCK.search(before)) or (sort == "week" and before.endswith("个")):
        return True
    joined = sort == "week" and after.startswith(("及", "和", "与", "、"))
    enumerated = sort == "number" and "、" in re.split("[，；：]", before)[-1]
    single = joined or enumerated or (sort == "number" and found[0].rstrip(found["unit"]) in ("1", "一"))
    paid = tagged(before)[-1] if sort == "share" and before else None
    if paid and paid.tag == "v" and paid.word not in MOVES:
        return True
    return bool(single or _LOOSE_BEFORE.search(before) or _LOOSE_AFTER.match(after) or found[0][-1] == ",")


def _start(folded: str, clauses: list[Clause], at: int) -> int | None:
    """Where a question begins: at its own clause if that names what it is of, else where the sentence does."""
    said = [folded[one.start : one.end].strip() for one in clauses]
    first = at
    while first and (
        _LEADS.search(said[first - 1]) or TIME.fullmatch(said[first - 1]) or is_condition(folded, clauses[first - 1])
    ):
        first -= 1
    alone = _noun(said[first]) >= _OWN or (_IS.match(said[first]) and _IS.match(said[first - 1]))
    if first and alone and not _POINTS.match(said[first]):
        return clauses[first].start
    before = folded[: clauses[at].start]
    fits = len(before) <= _BEFORE and before.count("，") <= _COMMAS and (not first or _noun(said[0]))
    whole = not set("；：。！？") & set(before) and (not first or fits)
    return 0 if whole and not _POINTS.match(folded) else None


_LEADS = late("[的者]$|的[^，0-9]{1,4}$")
_IS = late("[^，。在于从]{2,12}(?:为|是)")
"""A clause that tells what something is; two of them tell of two things."""


def _noun(clause: str) -> int:
    """How many characters of a clause name what it is about."""
    noun = ""
    for one in tagged(clause):
        if one.tag.startswith(_VERBAL) and one.tag not in ("vn", "uj"):
            break
        noun += one.word
    return len(noun)


def _worded(text: str, folded: str, slot: _Slot, say: Callable[[str], str]) -> Ask | None:
    found, sort, start, end = slot
    asks, first = _asking(found, sort), found.start()
    if unit := next((name for name in ("unit", "money") if found[name]), ""):
        asks, say = f"多少{re.sub('^[万萬亿億]+|整$', '', text[slice(*found.span(unit))])}", str
        if folded[: found.start(unit)].endswith("千") and found[unit] in "瓦米克":
            asks = asks.replace("多少", "多少千")
    if sort == "period" and folded[:first].endswith(("为", "是")):
        asks, first = "从什么时候到什么时候", first - 1
    rest, told = folded[found.end() : end], folded[:first].endswith(("为", "是"))
    if (
        rest
        and not told
        and (is_condition(rest, Clause(0, len(rest))) or rest.endswith(("者", "的")) or _OF.search(folded[start:end]))
    ):
        end = next((one.end for one in clauses_of(folded) if one.start > end), end)
    question = f"{text[start:first]}{say(asks)}{_SAME.sub('', text[found.end() : end])}".strip("，,；;：:。 、") + "？"
    core = folded[start:first].strip()
    bare = not core and not (sort == "week" and folded[found.end() : end])
    if len(question) > _LONGEST or bare or (core and _BARE.fullmatch(core)) or "：" in core:
        return None
    kind = _KINDS.get(sort, "duration" if sort == "number" and _LASTS.search(found["unit"]) else "count")
    kind = sort if sort in ("share", "date") else kind
    return Ask(
        _CALLED.sub("", question), (found.span(),), kind, _expected(text, found, kind), core[: _noun(core)] or core
    )


_SAME = late(r"^[（(][^（）()]*[）)]")
"""A value in other words right behind it."""
_CALLED = late(r"[（(](?:以下)?[简簡][称稱][^（）()]*[）)]")
_OF = late("[0-9一二三四五六七八九十][^，]*的[^，0-9]{2,4}$")
"""How a clause ends that only names whom or what the next one is about: 超过5000元的报销."""
_BARE = late(f"(?:自|从|在|于|至|到|截至|每|共|约|有|为|是|第|前|后|[{_DIGITS}])*")


def _asking(found: re.Match[str], sort: str) -> str:
    if sort == "share":
        return (
            re.sub("分之.*", "分之几", found[0])
            if "分之" in found[0]
            else "几成"
            if "成" in found[0]
            else "千分之几"
            if "‰" in found[0]
            else "百分之几"
        )
    year = re.fullmatch("[0-9]{4}年", found[0])
    span = "什么时候起至什么时候止" if "起" in found[0] else "什么时候到什么时候"
    asks = {"clocks": "几点到几点", "clock": "几点", "monthly": "几日", "period": span, "week": "星期几"}
    return asks.get(sort, "哪一年" if year else "什么时候")


def _expected(text: str, found: re.Match[str], kind: str) -> dict[str, JSON]:
    answer = text[slice(*found.span())]
    sums = [one.low for one in values(answer)] if kind == "amount" and "万" not in answer else []
    return {"amount_total": float(str(sums[0]))} if len(sums) == 1 else {"text_answer": answer}


_NO_OBJECT = late(
    "(?:[甲乙丙]方|公司|学校|单位|机构|中心|局|部门?|处|办公室|委员会|园|馆|社|[员人者长])(?:应|须|需|将|可)?[^，把将对向为给]{0,4}多少[^，把将对给]{1,12}?"
    "(?:返还|退还|处理|更换|办理|答复|回复|受理|支付|归还|审批|审核|批准|付款|清运|核准|交付|公告|公布)？$|接[到获]通知"
)
"""Somebody does something within so many days, of which only the sentence before tells what it is."""


_SUCH = late("[^，]{1,5}者|[未逾违][^，]{1,12}者")
"""A case of what was told before: 绝版者."""


def lacks_context(question: str, named: str, *, first: bool) -> bool:
    """Say whether a question, folded, begins with a noun that means one thing or another, which nothing names.

    `named` is what stands in front of it, title and section; `first` says whether its sentence begins its paragraph.
    """
    if _NO_OBJECT.search(question) or (not first and _SUCH.match(question)):
        return True
    tokens = [one.word for one in tagged(question)[:2]]
    heads = {tokens[0], tokens[0][:_TWO], "".join(tokens)} & _HEADS if tokens else set()
    return any(one not in named for one in heads)
