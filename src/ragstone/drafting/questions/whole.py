"""Questions from clauses of a known form, made of their parts: who holds an office or made something, fees, terms."""

import re
from collections.abc import Iterator

from ragstone.drafting.questions.parts import Ask, words
from ragstone.reading.values.names import Tagged, tagged
from ragstone.text.late import late

_SURNAMES = (
    "赵钱孙李周吴郑王冯陈褚卫蒋沈韩杨朱秦尤许何吕施张孔曹严华金魏陶姜戚谢邹喻柏窦章苏潘葛范彭郎鲁韦马苗方俞任袁柳"
    "鲍史唐费廉岑薛雷贺倪汤滕殷罗毕郝邬安常乐于傅齐康伍余元顾孟黄穆萧尹姚邵汪祁毛米戴宋庞熊纪舒屈项祝董梁杜阮蓝季"
    "贾江颜郭梅林钟徐邱骆高夏蔡田樊胡凌霍虞万柯管卢莫房裘解应宗丁宣邓洪包左石崔吉龚程邢裴陆荣翁甄曲封靳段焦侯全班"
    "秋仲伊宫宁仇栾甘祖武符刘景詹龙叶司黎白蒲卓屠池乔闻党翟谭申冉牛温庄柴阎习艾易向古戈廖终居耿满匡文寇欧沃师巩聂"
    "曾沙丰关红游盖桓公晏瞿阳辛路盛肖池水"
)
_HAN = r"[\u4e00-\u9fff]"
_PERSON = rf"(?:(?:[{_SURNAMES}]|欧阳|上官|司马|诸葛){_HAN}{{1,2}}|{_HAN}{{1,6}}(?:·{_HAN}{{1,6}}){{1,2}})"
_OFFICE = (
    "(?:校长|院长|所长|馆长|局长|部长|处长|科长|市长|县长|镇长|区长|州长|村长|台长|站长|厂长|店长|社长|团长|队长|船长|"
    "董事长|理事长|秘书长|会长|行长|主任|主席|总裁|总经理|经理|总监|主编|总编辑|导演|编剧|主教练|教练|首相|总理|总统|"
    "负责人|法定代表人|创始人|创办人|设计师|总工程师|工程师|建筑师|指挥|班主任|督导)"
)
_RANK = "(?:首任|现任|第一任|时任)"
_HOLDS = late(
    rf"(?P<whose>[^，。：；、由是为任]{{2,20}}?)?的?(?P<office>{_RANK}?{_HAN}{{0,4}}?{_OFFICE})(?:是|为)"
    rf"(?P<answer>{_PERSON})"
)
_HELD = late(
    rf"(?P<answer>{_PERSON})(?:出任|担任|任)(?P<whose>[^，。：；、由是为任]{{2,20}}?)(?P<office>{_RANK}{_OFFICE})"
)
_MADE = late(
    r"(?P<whose>[^，。：；、由]{2,24}?)?由(?:[^，。：；由]{0,7}(?:家|师|员|者|商人|教授|匠|僧人))?"
    rf"(?P<answer>{_PERSON})"
    r"(?:于[^，。；]{4,12}?)?(?P<verb>(?:设计|题写|题名|创办|创立|创建|建立|设立|建造|兴建|撰写|编写|主持|执导|主编|绘制|"
    r"谱写|作词|作曲|发明|雕刻|捐建|捐资|出资|担任|命名|修建|发现|首创)[^，。；于由]{0,6})"
)
_BEGUN = late("(?P<head>[^，。：；]{3,16}?)(?:成立于|创立于|创建于|位于|坐落于|建于|始建于|设立于|创办于|建成于|是)")
_FEE = late(
    r"(?P<what>[^，。：；、（）]{2,14}(?:费|金|价|价格|费用|补贴|罚款|津贴|补助|定价))(?P<is>为|是)?"
    r"(?P<each>每[\u4e00-\u9fff]{1,3}|人民币)?(?P<answer>[0-9][0-9,.]*(?P<unit>万?元|美元|欧元|港元|日元))(?P<per>/[\u4e00-\u9fff]{1,2})?"
)
_BARE_FEE = words("停车 会员 年 月 日 其他 另收 加收 总 单 本 应 须 需")
_TERM = late(
    r"(?:本[\u4e00-\u9fff]{2,4}(?:所称|中)(?:的)?)?[“「\"]?(?P<term>[^，。：；、“”「」\"是指（(]{2,16})[”」\"]?(?:[（(][^（）()]*[）)])?"
    r"(?:，?(?:是指|指的是|系指)|(?<=[”」\"])，?指)(?P<answer>[^。；：]{6,80})"
)
_NO_TERM = late(
    "[这那该此其他它我你]|^(?:由|在|从|以|把|将|曾|被|所有|主要|一般|可)|(?:针|箭|手|分|主|泛|专|特|暗|人|直|矛头)$"
)
_NAMING = "nvajlibms"
"""Tags of words that a term is made of, by their first letter."""
_CARRIES = late(
    r"(?P<lead>[^，。：；、]{4,30}?(?:携带|提交|准备|提供|出示|备齐|附上|填写))(?:以下)?(?P<things>材料|物品|证件|文件)?[：:]"
    r"(?P<answer>[^，。：；、]{1,16}(?:、[^，。：；、]{1,16})+(?:[和及][^，。：；、]{1,16})?)"
)
_PARTS = late(r"[^，。；]+")


def ask_chinese(text: str, folded: str, title: str) -> Iterator[Ask]:
    """Ask a sentence, clause by clause, for who holds an office, who made something, a fee, a term."""
    head = _head(folded, title)
    for clause in _PARTS.finditer(folded):
        at, said = clause.start(), clause[0].rstrip("！？")
        whose = head if at else ""
        for form in (_HOLDS, _HELD, _MADE):
            if found := form.fullmatch(said):
                yield from _person(text, found, at, whose)
        if (found := _FEE.fullmatch(said)) and not _is_bare(found["what"]):
            yield _fee(text, found, at)
    if found := _TERM.match(folded):
        yield from _term(text, found)
    if found := _CARRIES.match(folded):
        yield _carried(text, found)


def _head(folded: str, title: str) -> str:
    """What a sentence begins with whose first clause tells what or where it is, if that is what its document is of."""
    found = _BEGUN.match(folded)
    return found["head"] if found and (found["head"] in title or title in found["head"]) and title else ""


def _person(text: str, found: re.Match[str], at: int, head: str) -> Iterator[Ask]:
    begin, end = found.span("whose")
    whose = text[at + begin : at + end] if found["whose"] else head
    answer = tagged(found["answer"])
    if not whose or (len(answer) == 1 and not answer[0].tag.startswith("nr")):
        return
    if "office" in found.re.groupindex:
        start, stop = found.span("office")
        office = text[at + start : at + stop]
        asked = f"{text[at + begin : at + stop] if found['whose'] else f'{whose}的{office}'}是谁？"
    else:
        start, stop = found.span("verb")
        asked = f"{whose}由谁{text[at + start : at + stop]}？"
    span = (at + found.start("answer"), at + found.end("answer"))
    yield Ask(asked, (span,), "person", {"entity": text[slice(*span)]}, whose, _is_named(whose), not at)


def _is_named(whose: str) -> bool:
    return any(one.tag.startswith(("nr", "ns", "nt", "nz")) for one in tagged(whose))


def _is_bare(what: str) -> bool:
    """Say whether a fee has nothing before it that tells what it is for."""
    tokens: list[Tagged] = tagged(what)
    return len(what) <= _SHORT or what[0] in "每最另共" or tokens[0].word in _BARE_FEE


_SHORT, _NAMED = 2, 3
"""Characters of a fee that names nothing it is for, and of one that needs nothing before it."""


def _fee(text: str, found: re.Match[str], at: int) -> Ask:
    start, end = found.span("answer")
    begin, stop = found.span("what")
    answer, what = text[at + start : at + end], text[at + begin : at + stop]
    unit, amount = found["unit"].removeprefix("万"), found["answer"].removesuffix(found["unit"]).replace(",", "")
    per = text[at + found.start("per") : at + found.end("per")] if found["per"] else ""
    expected = {"text_answer": answer} if "万" in found["unit"] else {"amount_total": float(amount)}
    asked = f"{what}{found['is'] or ''}{found['each'] or ''}多少{unit}{per}？"
    return Ask(asked, ((at + start, at + end),), "amount", dict(expected), what, first=not at or len(what) > _NAMED)


def _term(text: str, found: re.Match[str]) -> Iterator[Ask]:
    if _NO_TERM.search(found["term"]) or any(one.tag[0] == "r" for one in tagged(found["answer"])):
        return
    if set(found["term"]) <= set(found["answer"]) or not all(one.tag[0] in _NAMING for one in tagged(found["term"])):
        return
    term, span = text[slice(*found.span("term"))], found.span("answer")
    asked = f"“{term}”指的是什么？"
    yield Ask(asked, (span,), "definition", {"text_answer": text[slice(*span)]}, term, named=True)


def _carried(text: str, found: re.Match[str]) -> Ask:
    lead = text[slice(*found.span("lead"))]
    what = f"哪些{found['things']}" if found["things"] else "什么"
    return Ask(f"{lead}{what}？", (found.span("answer"),), "list", {}, lead)


_NAME = r"(?:(?:Dr|Sir|Mr|Mrs|Ms)\.? )?[A-Z][\w'’-]+(?: (?:[A-Z]\.|de|van|von|[A-Z][\w'’-]+)){1,3}"
_ROLE = (
    r"(?:director|teacher|head|headteacher|principal|president|chair|chairman|chairwoman|chairperson|mayor|curator|"
    r"manager|editor|founder|owner|captain|secretary|treasurer|conductor|dean|rector|governor|warden|librarian|"
    r"architect|designer|chancellor|minister|master|commissioner|inspector|officer|superintendent|leader|coach|chef)"
)
_THE_ROLE = rf"(?:(?:present|current|first|founding) )?(?:[a-z-]+ ){{0,2}}{_ROLE}"
_ROLE_IS = late(rf"[Tt]he (?P<role>{_THE_ROLE})(?P<of> of [^,.;:]{{2,50}}?)? is (?P<answer>{_NAME})(?=[,.;]|$)")
_IS_ROLE = late(rf"(?P<answer>{_NAME}) is the (?P<role>{_THE_ROLE})(?P<of> of [^,.;:]{{2,50}}?)(?=[,.;]|$)")
_PASSIVE = late(
    r"(?P<what>(?!(?:In|On|At|For|By|From|After|Before|During|When|As) )[A-Z][^,;:()]{2,60}?) "
    r"(?:was|were) (?:first )?(?P<done>[a-z]+(?:ed|lt|ten|wn|ade)|set up)"
    r"(?P<when> (?:in|on) [^,;:]{4,20}?)? by (?:the (?P<sort>[a-z]+ )?)?(?P<answer>" + _NAME + r")"
    r"(?=[,.;]|$| (?:and|in|on|for|to) )"
)
_PAST = {"written": "wrote", "drawn": "drew", "given": "gave", "shown": "showed", "taken": "took"}
_GROUPS = words("company firm group studio agency")
_SOMEONE = late("[a-z]+(?:er|or|ist|ect|an|eer|ian|ist|nt|ess|et|author|sculptor)")
_LOCATED = late(
    r"(?P<what>[A-Z][^,;:()]{2,50}?) (?:is|are) (?:located|situated) (?:in|on|at) (?P<answer>[^,;.()]{4,60})(?=[.;]|$)"
)


def ask_english(text: str) -> Iterator[tuple[str, Ask]]:
    """Ask for who holds an office, who made something, where something is; with the subject as the sentence has it."""
    if found := _ROLE_IS.match(text) or _IS_ROLE.match(text):
        of = found["of"] or ""
        subject = f"the {found['role']}{of}"
        yield subject, _who(f"Who is {subject}?", found, subject, named=re.search("[A-Z]", of) is not None)
    found = _PASSIVE.match(text)
    sort = ((found["sort"] or "").strip() if found else "") or "architect"
    if found and (sort in _GROUPS or _SOMEONE.fullmatch(sort)):
        who = f"Which {sort}" if sort in _GROUPS else "Who"
        done = _PAST.get(found["done"], found["done"])
        subject = found["what"]
        yield subject, _who(f"{who} {done} {{}}?", found, subject, named=not subject.startswith(("The ", "A ", "An ")))
    if found := _LOCATED.match(text):
        span = found.span("answer")
        expected = {"text_answer": found["answer"]}
        yield found["what"], Ask("Where is {} located?", (span,), "place", dict(expected), found["what"], named=True)


def _who(asked: str, found: re.Match[str], subject: str, *, named: bool) -> Ask:
    return Ask(asked, (found.span("answer"),), "person", {"entity": found["answer"]}, subject, named)


_VERBS = (
    r"supports?|offers?|includes?|needs?|has|have|provides?|accepts?|sells?|contains?|covers?|requires?|stocks?|teach(?:es)?|"
    r"serves?|produces?|uses?|carry|carries|publish(?:es)?|runs?|keeps?|holds?|lends?|issues?|charges?|organises?|hosts?"
)
_EN = late(
    r"^(?:There are (?P<count>[a-z]+|\d+) (?P<noun>[a-z -]{3,40})"
    rf"|(?P<subject>.{{2,60}}?) (?P<verb>{_VERBS}) (?:the following|these|[a-z]+) (?P<what>[a-z -]{{3,40}})"
    r"|The following (?P<listed>[a-z -]{3,40}) (?P<be>are|must be|may be|can be) (?P<done>[a-z]+)"
    r"|(?P<who>.{2,60}?) (?P<modal>must|should|may|can) (?P<act>[a-z]+)(?: the following)?(?: (?P<things>[a-z-]+))?)$"
)
_ADVERB = late("[A-Z][a-z]+ly\\b|[a-z]|Now\\b|Here\\b|Today\\b")
_CLAUSE = late(r"^(?:In|On|For|If|When|At|By|With|To)\b|\b(?:where|which|that|if|when|may|can|must|not|will)\b|,")
"""In what is more than the subject of a line above a list."""
_NOBODY = late(r"(?:we|you|i|it|they|he|she|this|that|these|those)(?: also)?", re.IGNORECASE)
_BASE = {"has": "have", "carries": "carry", "teaches": "teach", "publishes": "publish"}
_DETERMINED = late("(?:The|Every|Each|All|An?) ")


def announced(last: str) -> str | None:
    """Turn an English line above a list, or before its colon, into a question."""
    found = _EN.match(last)
    if not found:
        return None
    if found["noun"]:
        return f"What are the {found['count']} {found['noun']}?"
    if found["listed"]:
        be = found["be"].split(" ")
        return f"Which {found['listed']} {' '.join(be)} {found['done']}?"
    subject = found["subject"] or found["who"]
    if _ADVERB.match(subject) or _NOBODY.fullmatch(subject) or _CLAUSE.search(subject):
        return None
    subject = subject[0].lower() + subject[1:] if _DETERMINED.match(subject) else subject
    if found["modal"]:
        what = f"Which {found['things']}" if found["things"] else "What"
        return f"{what} {found['modal']} {subject} {found['act']}?"
    verb = _BASE.get(found["verb"], found["verb"].removesuffix("s"))
    return f"Which {found['what']} {'do' if verb == found['verb'] else 'does'} {subject} {verb}?"
