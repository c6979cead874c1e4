"""Chinese clauses of a known form, asked for in their own words: who holds an office, fees, hours, terms, contacts."""

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from ragstone.core.types import JSON
from ragstone.drafting.questions.parts import Ask, words
from ragstone.drafting.questions.person_words import OFFICE, PEOPLE, PERSON
from ragstone.reading.values.names import find_names, tagged
from ragstone.reading.values.values import values
from ragstone.text.late import late

_DIGITS = "0-9〇零一二两三四五六七八九十百千万亿壹贰叁肆伍陆柒捌玖拾佰仟"
_N = f"[{_DIGITS}][{_DIGITS},.]*"
_CLOCK = (
    "(?:凌晨|清晨|早上|上午|中午|下午|傍晚|晚上|晚间)?(?:[0-9]{1,2}[:：][0-9]{2}|(?:[0-9]{1,2}|"
    "[一二三四五六七八九十]{1,3})[点时](?:半|整|[0-9一二三四五六七八九十]{1,3}分?)?)"
)
_DATE = "(?:[0-9]{4}年)[0-9]{1,2}月[0-9]{1,2}[日号]"
_WHAT = "[^，。：；、为是由]"
_HAN = "[\u4e00-\u9fff]"
_RANK = "(?:首任|现任|第一任|时任)"
_UNIT = "(?:万|亿)?(?:美元|欧元|港元|日元|元)"
_UNIT_OF = late(f"{_UNIT}(?=整?$)")
_SUM = f"(?P<answer>(?:人民币|新台币|港币)?{_N}{_UNIT}整?)"
_TIME = rf"(?P<answer>{_N}(?P<unit>个工作日|个月|工作日|小时|分钟|星期|年|周|天|日))"
BODY = "(?:公司|集团|银行|事务所|学校|部门?|处|科|组|室|中心|委员会|办公室|单位|分处|局|所|院|厂|行)"
_FIRM = late("(?:公司|集团|厂)$")
_DEPARTMENT = late("(?:部门?|科|组|室|处)$")


class _Form(NamedTuple):
    """A clause of a known form, and what asks for its answer."""

    kind: str
    pattern: re.Pattern[str]
    words: str | Callable[[re.Match[str]], str]
    replaces: str = "answer"
    """The group from whose beginning the asking words stand."""


def _money(found: re.Match[str]) -> str:
    unit = _UNIT_OF.search(found["answer"])
    return f"多少{unit[0].lstrip('万亿')}" if unit else "多少钱"


def _body(found: re.Match[str]) -> str:
    answer = found["answer"]
    return "由哪家公司" if _FIRM.search(answer) else "由哪个部门" if _DEPARTMENT.search(answer) else "由哪个单位"


def _unit(found: re.Match[str]) -> str:
    return f"多少{found['unit']}"


_ANYWHERE = (
    _Form("person", late(
        rf"(?P<what>[^，。：；、由是为任]{{2,20}}?)?的?(?P<office>{_RANK}?{_HAN}{{0,4}}?{OFFICE})(?P<is>是|为)(?P<answer>{PERSON})"
    ), "是谁", "is"),
    _Form("person", late(
        r"(?P<what>[^，。：；、由]{2,24}?)?(?P<by>由)(?:[^，。：；由]{0,7}(?:家|师|员|者|商人|教授|匠|僧人))?"
        rf"(?P<answer>{PEOPLE})"
        r"(?:于[^，。；]{4,12}?)?(?P<verb>(?:设计|题写|题名|创办|创立|创建|建立|设立|建造|兴建|撰写|编写|主持|执导|主编|绘制|"
        r"谱写|作词|作曲|发明|雕刻|捐建|捐资|出资|担任|命名|修建|发现|首创|共同(?:设计|创办|创立|创建|经营))[^，。；于由、]{0,6})"
    ), "由谁", "by"),
    _Form("amount", late(
        r"(?P<what>[^，。：；、（）]{2,14}(?:费|金|价|价格|费用|补贴|罚款|津贴|补助|定价))(?:为|是)?"
        rf"(?:每{_HAN}{{1,3}}|人民币)?(?P<answer>[0-9][0-9,.]*(?:万?元|美元|欧元|港元|日元))(?:/{_HAN}{{1,2}})?"
    ), _money),
)  # fmt: skip
_IN_RULES = (
    _Form("count", late(
        rf"(?P<what>{_WHAT}{{2,24}}?(?:可以|可|能|最多|至多|限)(?:借阅?|租借|领取?|限领|购买?|限购|携带|预约|报名|申请)"
        rf"(?:图书|书籍|书)?)(?P<answer>{_N}(?P<unit>[本册张件份次台瓶人名位个项])){_HAN}{{0,6}}"
    ), _unit),
    _Form("time", late(
        rf"(?P<what>{_WHAT}{{1,16}}?(?:时间|时段))(?:为|是)(?:每[日天])?(?P<answer>{_CLOCK}(?:至|到|[-—~～]+){_CLOCK})"
    ), "几点到几点"),
    _Form("time", late(rf"(?P<what>{_WHAT}{{1,16}}?时间)(?:为|是)(?P<answer>{_CLOCK})"), "几点"),
    _Form("time", late(
        rf"(?P<what>{_WHAT}{{2,24}}?)(?P<answer>{_CLOCK})"
        "(?:开门|闭馆|开馆|关门|关闭|营业|开放|打烊|上班|下班|开园|闭园|熄灯|集合|出发|发车)"
    ), "几点"),
    _Form("time", late(
        rf"(?P<what>{_WHAT}{{0,16}}?每?)(?P<answer>(?:周|星期)[一二三四五六日天](?:[至、和]周[一二三四五六日天])?)"
        "(?:闭馆|休馆|休息|停业|公休|闭园|不开放|停诊|休诊|不营业)"
    ), "周几"),
    _Form("amount", late(
        rf"(?P<what>{_WHAT}{{2,24}}?)(?:为|是)(?:每[^0-9，。；人]{{1,8}}|每人每[天日月年次])?{_SUM}(?:[（(][^（）()]*[）)])?"
    ), _money),
    _Form("amount", late(
        rf"(?P<what>{_WHAT}{{2,24}}?(?:另加|加收|另收|收取|收费|折抵|减免|扣除|支付|缴纳|处以罚款|处以|报销|不超过|不得超过))"
        rf"{_SUM}(?:{_HAN}{{2,6}})?"
    ), _money),
    _Form("duration", late(
        rf"(?P<what>{_WHAT}{{1,14}}?(?:(?<!逾)期|期限|时间|时长|期间|假))(?:为|是)?{_TIME}"
    ), _unit),
    _Form("duration", late(
        rf"(?P<what>{_WHAT}{{2,20}}?提前){_TIME}(?:以?书面)?(?:形式)?(?:通知|告知|申请|预约|提出)[^，。；]{{0,8}}"
    ), _unit),
    _Form("date", late(
        rf"(?P<what>{_WHAT}{{2,24}}?(?:每月|次月|当月|每季度首月|每年[0-9]{{1,2}}月))(?P<answer>[0-9]{{1,2}}[日号])(?:之前|以前|前)?"
        rf"(?:(?<=前){_WHAT}{{4,12}}|(?<=前)(?:提交|办理|申请|报送|送达|完成|归还|领取|召开))"
    ), "几日"),
    _Form("name", late(
        rf"(?P<what>{_WHAT}{{2,24}}?)(?P<by>由)(?P<answer>[^，。；、由和与及]{{1,20}}?{BODY})(?:负责)?{_HAN}{{2,8}}"
    ), _body, "by"),
    _Form("person", late(
        rf"(?P<what>.{{0,24}}?(?:须|需|应|必须|应当|可)经)(?P<rank>{_WHAT}{{0,8}}?{OFFICE})?(?P<answer>{PERSON})"
        "(?:书面)?(?:审批|批准|同意|签字|审核|核准|签署)"
    ), "谁", "rank"),
    _Form("person", late(
        rf"(?P<what>{_WHAT}{{0,12}}?(?:联系人|联络人|负责人|监工|主管|组长|{OFFICE}))(?:为|是)"
        rf"(?P<rank>{_WHAT}{{0,8}}?(?:{OFFICE}|主管|组长|专员))?(?P<answer>{PERSON})"
    ), "谁", "rank"),
    _Form("place", late(
        rf"(?P<what>{_WHAT}{{0,12}}?(?:地点|地址|位置|场所))(?P<is>为|是|在|位于)(?P<answer>[^，。；：]{{3,30}})"
    ), "在哪里", "is"),
    _Form("name", late(
        rf"(?P<what>{_WHAT}{{2,6}}(?:单位|部门|机关|机构))(?P<is>为|是)(?P<answer>{_WHAT}{{2,20}}{BODY})"
    ), "是哪个单位", "is"),
)  # fmt: skip
"""Forms that are asked for only in documents that set rules."""
_SCHEDULED = late(
    rf"(?P<what>[^。；：，]{{2,30}}?)，?(?P<how>(?:预?[定订]|将)于)(?P<answer>{_DATE}(?:{_CLOCK}(?:至{_CLOCK})?)?)(?P<verb>{_HAN}{{2,10}})"
)
_BANNED = late(
    rf"(?P<what>{_WHAT}{{2,14}}(?:内|区|处|里|室|厅|场|中|间|期间))(?P<answer>(?:禁止|严禁|不得|谢绝)(?P<verb>[^，。；：、]{{2,16}}))"
)
_TERM = late(
    rf"(?:本{_HAN}{{2,4}}(?:所称|中)(?:的)?)?[“「\"]?(?P<term>[^，。：；、“”「」\"是指（(]{{2,16}})[”」\"]?(?:[（(][^（）()]*[）)])?"
    r"(?:，?(?:是指|指的是|系指)|(?<=[”」\"])，?指)(?P<answer>[^。；：]{6,80})"
)
_NO_TERM = late(
    "[这那该此其它他我你]|^(?:由|在|从|以|把|将|曾|被|所有|主要|一般|可)|(?:针|箭|手|分|主|泛|专|特|暗|人|直|矛头)$"
)
_NAMING = "nvajlibms"
"""Tags of words that a term is made of, by their first letter."""
_BEGUN = late("(?P<head>[^，。：；]{3,16}?)(?:成立于|创立于|创建于|位于|坐落于|建于|始建于|设立于|创办于|建成于|是)")
_POINTS = late("[这那该此其它他她]|^(?:并|且|而|但|也|还|又|则|均|都|可|系指|是指|指的是)")
_BARE = words(
    "时间 地点 期限 价格 费用 总计 合计 共计 其余 其他 另 每人 每次 职务 位置 主任 经理 组长 主管 负责人 联系人 联络人"
)
_BARE_FEE = words("停车 会员 年 月 日 其他 另收 加收 总 单 本 应 须 需")
_SHORT, _NAMED = 2, 3
"""Characters of a fee that names nothing it is for, and of what needs nothing before it."""
_KEPT = late(
    "^(?!满|超过|达|低于|不足)(?:.*(?:的|(?<![0-9一二三四五六七八九十])时|后|前|者|[^内以]起|内|的[^，]{1,4})$|(?:如|若|凡|对于|每逾)|.{0,6}[0-9一二三四](?:年度?|月|日|季度)$|[上下]半年$)"
)
"""A clause in front of another that tells when that holds."""
_CLAUSE = late("[^，。；！？]+")
_TAIL = late(r"[（(][^（）()]*[）)](?=？$)")


def ask_forms(text: str, folded: str, title: str, *, rules: bool) -> Iterator[Ask]:
    """Ask a sentence for what its clauses tell; `rules` says whether it is of a document that sets rules."""
    if (found := _TERM.match(folded)) and _is_term(found):
        term, span = text[slice(*found.span("term"))], found.span("answer")
        told: dict[str, JSON] = {"text_answer": text[slice(*span)]}
        yield Ask(f"“{term}”指的是什么？", (span,), "definition", told, term, named=True)
    if rules and (found := _SCHEDULED.match(folded)) and not _POINTS.search(found["what"]):
        what, how, verb = (text[slice(*found.span(name))] for name in ("what", "how", "verb"))
        yield _asked(
            f"{what}{how}什么时候{verb}？", text, found.span("answer"), "date", what, first=True, named=_is_named(what)
        )
    if rules and (found := _BANNED.fullmatch(folded.rstrip("。！"))) and not _POINTS.search(found["what"]):
        what, verb = (text[slice(*found.span(name))] for name in ("what", "verb"))
        yield Ask(f"{what}可以{verb}吗？", (found.span("answer"),), "yes_no", {"boolean_answer": False}, what)
    head = _head(folded, title)
    lead = ""
    asked = set()
    for clause in _CLAUSE.finditer(folded):
        at, said = clause.start(), clause[0].rstrip("！？ ")
        for form in (*_ANYWHERE, *(_IN_RULES if rules else ())):
            found = form.pattern.fullmatch(said)
            one = found and _ask(form, found, text, at, lead if rules else "", head if at else "")
            if one and one.spans[0] not in asked:
                asked.add(one.spans[0])
                yield one
        lead = f"{lead}{text[at : at + len(said)]}，" if _KEPT.search(said) else ""


def _is_term(found: re.Match[str]) -> bool:
    term, answer = found["term"], found["answer"]
    if _NO_TERM.search(term) or any(one.tag[0] == "r" for one in tagged(answer)):
        return False
    return not set(term) <= set(answer) and all(one.tag[0] in _NAMING for one in tagged(term))


def _head(folded: str, title: str) -> str:
    """What a sentence begins with whose first clause tells what or where it is, if that is what its document is of."""
    found = _BEGUN.match(folded)
    return found["head"] if found and title and (found["head"] in title or title in found["head"]) else ""


def _ask(form: _Form, found: re.Match[str], text: str, at: int, lead: str, head: str) -> Ask | None:
    what = text[at + found.start("what") : at + found.end("what")] if found["what"] else head
    if _says_nothing(form, found, what, at=at, lead=lead):
        return None
    start, end = (at + one for one in found.span("answer"))
    cut = at + (found.start(form.replaces) if found[form.replaces] is not None else found.start("answer"))
    begun = f"{head}的" if not found["what"] and form.replaces == "is" else "" if found["what"] else head
    asking = form.words if isinstance(form.words, str) else form.words(found)
    question = f"{lead}{begun}{text[at + found.start() : cut]}{asking}{text[end : at + found.end()]}？"
    first = not at or bool(lead) or len(what) > _NAMED
    named = _is_named(what, person=form.kind == "person" and form in _ANYWHERE)
    return _asked(_TAIL.sub("", question), text, (start, end), form.kind, what, first=first, named=named)


def _says_nothing(form: _Form, found: re.Match[str], what: str, *, at: int, lead: str) -> bool:
    """Say whether a clause does not tell what its value is of, or its name may be none."""
    if not what or _POINTS.search(what) or what in _BARE:
        return True
    if form in _ANYWHERE and form.kind == "person":
        answer = tagged(found["answer"])
        return len(answer) == 1 and not answer[0].tag.startswith("nr")
    if form.kind != "amount" or lead:
        return False
    tokens = tagged(what.removesuffix("收费"))
    bare = len(what.removesuffix("收费")) <= _SHORT or what[0] in "每最另共" or tokens[0].word in _BARE_FEE
    return bare or (at > 0 and tokens[0].tag.startswith("v"))


def _is_named(what: str, *, person: bool = False) -> bool:
    """Say whether a subject holds a name; of somebody's office or work a place will do."""
    if person:
        return any(one.tag.startswith(("nr", "ns", "nt", "nz")) for one in tagged(what))
    return any(one.kind in ("person", "organisation") for one in find_names(what))


def _asked(asked: str, text: str, span: tuple[int, int], kind: str, subject: str, *, first: bool, named: bool) -> Ask:
    answer = text[slice(*span)]
    sums = [one.low for one in values(answer)] if kind == "amount" and "万" not in answer else []
    expected: dict[str, JSON] = {"entity" if kind == "person" else "text_answer": answer}
    if len(sums) == 1:
        expected = {"amount_total": float(str(sums[0]))}
    return Ask(asked, (span,), kind, expected, subject, named, first)
