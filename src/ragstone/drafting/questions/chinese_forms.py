"""Chinese clauses of a known form, asked for in their own words: who holds an office, fees, hours, terms, contacts."""

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from ragstone.core.types import JSON
from ragstone.drafting.questions.parts import Ask, words
from ragstone.drafting.questions.person_words import BODY, OFFICE, PEOPLE, PERSON
from ragstone.reading.values.names import find_names, tagged
from ragstone.text.late import late

CLOCK = (
    "(?:凌晨|清晨|早上|上午|中午|下午|傍晚|晚上|晚间)?(?:[0-9]{1,2}[:：][0-9]{2}|(?:[0-9]{1,2}|"
    "[一二三四五六七八九十]{1,3})[点时](?:半|整|[0-9一二三四五六七八九十]{1,3}分?)?)"
)
_WHAT = "[^，。：；、为是由]"
_HAN = "[\u4e00-\u9fff]"
_RANK = "(?:首任|现任|第一任|时任)"
_DOES = (
    "(?:统一|负责|审批|批准|审核|核准|承担|负担|组织|主持|保管|发放|受理|解释|签字|签署|执行|监督|管理|拨付|同意后?|提供|"
    "施工|承建|承揽|承包|运营|管辖|资助|补助|排定|更换|验收)"
)
"""What somebody does by a rule; followed by an institution's last character it is part of a name: 管理中心."""
_FIRM = late("(?:公司|集团|厂)$")
_DEPARTMENT = late("(?:部门?|科|组|室|处|中心)$")


class _Form(NamedTuple):
    """A clause of a known form, and what asks for its answer."""

    kind: str
    pattern: re.Pattern[str]
    words: str | Callable[[re.Match[str]], str]
    replaces: str = "answer"
    """The group from whose beginning the asking words stand."""


def _body(found: re.Match[str]) -> str:
    answer = found["answer"]
    by = found["by"]
    if re.search("[和与及、]", answer) and _DEPARTMENT.search(answer):
        return f"{by}哪些部门"
    return f"{by}哪家公司" if _FIRM.search(answer) else f"{by}哪个部门" if _DEPARTMENT.search(answer) else f"{by}谁"


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
)  # fmt: skip
_IN_RULES = (
    _Form("person", late(
        r"(?P<what>[^，。：；、由]{0,30}?)(?P<by>由|(?<=[须需应当可])经)(?P<answer>[^，。；由]{2,20}?)"
        f"(?P<verb>(?:共同|统一|轮流|另行|分别|书面)?{_DOES}(?!人|员|商|[^，。；]{{0,4}}?{BODY}(?:$|的|{_DOES}|{PERSON}))"
        "[^，。；]{0,8})"
    ), _body, "by"),
    _Form("person", late(
        rf"(?P<what>{_WHAT}{{0,12}}?(?:联系人|联络人|负责人|主持人|监工|主管|组长|{OFFICE}))(?P<is>为|是)"
        rf"(?P<rank>{_WHAT}{{0,8}}?(?:{OFFICE}|主管|组长|专员))?(?P<answer>{PERSON})"
    ), "是谁", "is"),
    _Form("place", late(
        rf"(?P<what>{_WHAT}{{0,12}}?(?:地点|地址|位置|场所))(?P<is>为|是|在|位于)(?P<answer>[^，。；：]{{3,30}})"
    ), "在哪里", "is"),
    _Form("name", late(
        rf"(?P<what>{_WHAT}{{2,6}}(?:单位|部门|机关|机构))(?P<is>为|是)(?P<answer>{_WHAT}{{2,20}}{BODY})"
    ), "是哪个单位", "is"),
    _Form("name", late(
        rf"(?P<what>{_WHAT}{{2,14}}(?:热线|电话|专线|编号|型号|邮箱|代码))(?:为|是)"
        r"(?P<answer>[A-Za-z0-9（(][A-Za-z0-9 ()（）.@_-]{{3,}})"
    ), "多少"),
)  # fmt: skip
"""Forms that are asked for only in documents that set rules."""
_BANNED = late(
    rf"(?P<what>{_WHAT}{{2,14}}(?:内|区|处|里|室|厅|场|中|间|期间))(?P<answer>(?:禁止|严禁|不得|谢绝)(?P<verb>[^，。；：、]{{2,16}}))"
)
_TERM = late(
    rf"(?P<own>本{_HAN}{{2,4}}(?:所称|中)(?:的)?)?[“「\"]?(?P<term>[^，。：；、“”「」\"是指（(]{{2,16}})[”」\"]?(?:[（(][^（）()]*[）)])?"
    r"(?(own)，?[是系]?指(?:的是)?|(?:，?(?:是指|指的是|系指)|(?<=[”」\"])，?指))(?P<answer>[^。；：]{6,80})"
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
_PARTY = late("[甲乙丙丁双].?方?|公司|本[馆店院校园局]")
"""Whoever does something, of which nothing tells what."""
_FEW, _NAMED = 4, 3
"""Characters of what names nothing behind another clause, and of what needs nothing before it."""
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
    if form in _IN_RULES and _PARTY.fullmatch(what):
        return True
    if (
        not (what or (lead and form in _IN_RULES))
        or _POINTS.search(what)
        or what in _BARE
        or (at > 0 and form in _IN_RULES and not lead and len(what) <= _FEW)
    ):
        return True
    if form in _ANYWHERE and form.kind == "person":
        answer = tagged(found["answer"])
        return len(answer) == 1 and not answer[0].tag.startswith("nr")
    return False


def _is_named(what: str, *, person: bool = False) -> bool:
    """Say whether a subject holds a name; of somebody's office or work a place will do."""
    if person:
        return any(one.tag.startswith(("nr", "ns", "nt", "nz")) for one in tagged(what))
    return any(one.kind in ("person", "organisation") for one in find_names(what))


def _asked(asked: str, text: str, span: tuple[int, int], kind: str, subject: str, *, first: bool, named: bool) -> Ask:
    answer = text[slice(*span)]
    expected: dict[str, JSON] = {"entity" if kind == "person" else "text_answer": answer}
    return Ask(asked, (span,), kind, expected, subject, named, first)
