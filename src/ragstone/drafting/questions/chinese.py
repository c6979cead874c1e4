"""Chinese questions: the value is asked for where it stands, so that the sentence's own words ask for it.

    普朗特卒于1953年。  →  普朗特卒于哪一年？

Everything is read in the folded (Simplified) text, whose offsets are those of the text as written.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from ragstone.drafting.corpus import RULES
from ragstone.drafting.questions.awkward import Around, is_awkward, lacks_clause, lacks_object, without_reason
from ragstone.drafting.questions.chinese_clauses import TIME, Clause, clauses_of, is_condition, lost
from ragstone.drafting.questions.chinese_forms import ask_forms
from ragstone.drafting.questions.chinese_rules import ask_values
from ragstone.drafting.questions.parts import Ask, Refused, Slot, plain, widened, words
from ragstone.drafting.questions.slots import QUANTITIES, slots
from ragstone.reading.statements import Statements
from ragstone.reading.values.names import Name, Tagged, find_names, tagged
from ragstone.text.dates.find import find_dates
from ragstone.text.late import late
from ragstone.text.traditional import traditional

LONGEST, SHORTEST = 60, 6
"""Characters of a question, without its topic."""
MOST_COMMAS = 2
_TWO = 2
"""Characters of what looks like a name and may as well be a word."""
_BRACKETS = late(r"[（(][^（）()]*[）)]")
_OPENING = late(
    r"^(?:从此|而且|而|但是|但|然而|其后|随后|此外|另外|不过|因此|所以|并且|并|且|同时|后来|于是|例如|则|又|也|亦|还|即|"
    r"当中|之后|然后|及后|起初|初时|[甚什]至|正值|起先|当初|一直以来|随着|现时|以及|与此同时|最后|最终|首先|其次|目前|现在|如今|另有|另)(?:[，,、])?"
)
_AT_FIRST = late("起初|初时|当初|起先|最初|初期|早期|后来|其后|随后")
"""What holds for a time that only the sentences around tell."""
_BACK = words(
    "他 她 它 其 该 此 这 那 本 他们 她们 它们 自己 这些 那些 这个 那个 这种 此次 本次 该次 其中 其他 其它 前者 后者 "
    "两者 二者 三者 双方 上述 以上 以下 下列 前项 同年 同月 同日 当时 当年 当日 次年 翌年 隔年 至今 我 我们 你 您 咱们 "
    "彼此 对方 后来 之后 此后 其余 如此 另 另外 那里 这里 这样 那样 该书 本书 此外 那时 这时 同样 本作 本片 本人 "
    "本剧 本曲 今年 去年 明年 目前 近日 日前 昨日 昨天 今天 今日 当天 当晚 本月 上月 下月 "
    "上周 本周 下周 近年 近期 最近 此前 迄今 至此 "
    "现任 现时 现今 现有 现役 目前 时至今日"
)
_ALLOWED = words("为期 各 每 各个 各种 任何 某些 谁 前身 每个 每位 本地 本土 本国 同一 同名 同意 另一")
_NOUNS = ("n", "vn", "an", "j", "eng", "i", "l", "b", "s", "ng")
_INSIDE = frozenset(("a", "uj", "m", "q", "f", "x", "t", "c", "k", "ag", "mq", "zg", "g", "h", "nrfg"))
_SKIPPED = frozenset(("c", "d", "x", "t", "m", "q", "mq", "ad", "tg"))
_STARTS = frozenset(("v", "p", "d", "vd", "ad", "vg", "df", "zg", "u", "uz", "ul", "vq", "vi"))
_MODALS = words("可以 可 须 应 应当")
_PROPER = frozenset(("nr", "nrt", "nz", "nt", "eng", "nrfg"))
_NO_HEAD = late("[由被把将经]")
"""How a clause begins whose subject stands before it."""
_SURE = frozenset(("guessed", "hearsay", "asked", "supposed", "maybe", "unknown", "corrected", "planned", "negated"))


def _traditional(found: re.Match[str]) -> str:
    return traditional(found[0])


_ASKING = late(
    "什么时候|什么位置|什么职务|什么气候|什么|哪个|哪里|哪所学校|哪支球队|哪一年|百分之几|几成|几点|第几|谁|吗|是否必须"
)
_ASKED_WHOLE = late(
    "是谁？$|由谁|为谁|经谁|谁|指的是什么？$|什么？$|哪些|多少[\u4e00-\u9fff]|吗？$|几点到几点|几点|周几|几日|由哪家公司|由哪个部门|由哪些部门|由哪个单位|是哪个单位|在哪里|什么时候"
)
_MEASURED = frozenset(("count", "duration", "amount", "share", "ordinal"))
_MEASURING = words(
    "前 满 每小时 约 近 达 共 长 宽 高 重 深 为 有 占 距 超过 不足 至少 最多 全长 身高 体重 总计 合计 计 各 高达 "
    "大约 每 单程 票 逾"
)


_INSIDE_IT = late(r"(?:比赛|赛事|书|片|剧|文|会议|游戏|故事|赛)中|会上|场上|片尾|书里")
_UNFINISHED = late(
    "(?:发现|表示|宣布|通过|指出|认为|称|说|决定|要求|规定|提出|显示|发表声明|使|令|公布|声明|同意|强调|透露|批准|用)$"
)
_QUESTION = late("为?什么|怎|如何|为何|多|[哪谁几何]")
_LEADS_OVER = words("也 亦 则 还 便 又")
_FOREIGN = late(r"新华社|记者|[\[\]|{}]|https?:|doi")
_NO_SUBJECT = words("免费 什至 甚至 现时 谥号 毕业 通车 设置 生产 出版 效力 生食 成立 开始 担任 服役 出生 位于")


def ask(text: str, title: str, *, hant: bool, rules: bool, told: bool = False) -> Iterator[Ask | Refused]:
    """Ask for everything a sentence holds that can be asked for; `told` says whether it is one of news."""
    for one in _asks(text, title, hant=hant, rules=rules, told=told):
        if isinstance(one, Ask):
            question = without_reason(widened(one.question))
            fault = (
                "half" if _is_cut_value(one, plain(text)) else "needs_context" if lacks_clause(plain(question)) else ""
            )
            yield Refused(fault) if fault else one._replace(question=question)
        else:
            yield one


def _is_cut_value(one: Ask, folded: str) -> bool:
    """Say whether a value ends inside a noun that begins with its unit: 72分 of 72分贝."""
    start, end = one.spans[0]
    inside = (token for token in tagged(folded) if start < token.start < end < token.end)
    return one.kind in _MEASURED and any(
        token.tag.startswith("n") and len(token.word) == _TWO and token.word[0] not in _COUNTERS for token in inside
    )


_COUNTERS = "个本名人位天日月年"
"""Units behind which the dictionary joins the next word: 十本书."""


def _asks(text: str, title: str, *, hant: bool, rules: bool, told: bool) -> Iterator[Ask | Refused]:
    folded = plain(text)
    own = RULES.search(plain(title)) is not None
    whole = list(ask_forms(text, folded, plain(title), rules=own))
    if rules or told:
        others = ask_values(text, folded, traditional if hant else str)
        whole += [one for one in others if one.spans[0] not in {two.spans[0] for two in whole}]
    taken = {one.spans[0] for one in whole}
    found = [one for one in slots(text, folded, plain(title), rules=rules, told=told) if one.answer not in taken]
    if not found and not whole:
        return
    if not _balanced(text) or _FOREIGN.search(text):
        yield Refused("broken")
        return
    tokens, clauses, said = tagged(folded), clauses_of(folded), Statements(text)
    for one in whole:
        asked = _ASKED_WHOLE.sub(_traditional, one.question) if hant else one.question
        unsure = one.kind != "yes_no" and _is_unsure(text, one.spans[0])
        bare = _ASKED_WHOLE.sub("，", plain(asked)).replace("现任", "").replace("本书", "册书")
        back = points_back(_OWN.sub("", bare) if own or told else bare)
        fault = "unsure" if unsure else "refers_back" if back else ""
        fault = fault or ("needs_context" if lost(folded, clauses, one) else "")
        yield Refused(fault) if fault else one._replace(question=asked)
    for plain_slot in found:
        slot = plain_slot._replace(words=_ASKING.sub(_traditional, plain_slot.words)) if hant else plain_slot
        if said.written == text and said.flags(slot.answer[0])[0] & _SURE and slot.kind != "yes_no":
            yield Refused("unsure")
        else:
            made = _ask(_Read(text, folded, clauses, tokens, plain(title)), slot)
            hangs = isinstance(made, Ask) and (lost(folded, clauses, made) or _is_cut(made, folded))
            yield Refused("needs_context") if hangs else made


def _is_cut(made: Ask, folded: str) -> bool:
    """Say whether a yes or no is asked without the clause its sentence begins with: of whom, in which case."""
    return made.kind == "yes_no" and plain(made.question)[:_TWO] != folded.strip()[:_TWO]


def _is_unsure(text: str, span: tuple[int, int]) -> bool:
    """Say whether a sentence is not sure of what it says around an answer; a name in it says nothing of that (若溪)."""
    start, end = span
    masked = f"{text[:start]}{'甲' * (end - start)}{text[end:]}"
    said = Statements(masked)
    return said.written == masked and bool(said.flags(start)[0] & _SURE - {"planned"})


_OWN = late(
    "基本|(?<=[岁人名米元天日年月层件分级度寸时])以[上下]|本(?=合同|协议|制度|办法|规定|手册|章程|条例|规则|须知|公告|通知|方案|公约|规约|守则|细则|指引|准则|规程|规范|契约|手册|产品|研究|区|市|县|社区|公司|馆|店|院|校|中心)|对方|双方"
)
"""How a document that regulates speaks of itself and of those it binds, which its title explains."""


class _Read(NamedTuple):
    """A sentence, read."""

    text: str
    folded: str
    clauses: list[Clause]
    tokens: list[Tagged]
    title: str


def _ask(read: _Read, slot: Slot) -> Ask | Refused:
    if slot.kind == "definition":
        return Ask(slot.words, (slot.answer,), slot.kind, slot.expected, named=True)
    at = next((n for n, one in enumerate(read.clauses) if one.start <= slot.start < one.end), None)
    if at is None or not _stands_alone(read, slot):
        return Refused("broken")
    kept = _kept(read, slot, at)
    if kept is None:
        clause = read.clauses[at]
        return Refused("refers_back" if _points_back(read.tokens, clause.start, clause.end) else "no_subject")
    start, end, subject = kept
    asked = _worded(read, slot, start, end)
    if fault := _fault(read, slot, kept, asked):
        return Refused(fault)
    first, last = subject[0].start, subject[-1].end
    leads = start <= read.clauses[0].start or read.folded.startswith(read.title)
    spoken, named = read.text[first:last], _is_named(read, subject)
    return Ask(asked, (slot.answer,), slot.kind, slot.expected, spoken, named, leads)


def _fault(read: _Read, slot: Slot, kept: "_Kept", asked: str) -> str:
    """Return what speaks against a question, or nothing."""
    start, end, _ = kept
    outside = [one for one in read.tokens if one.end <= slot.start or one.start >= slot.end]
    if _points_back(outside, start, end) or _INSIDE_IT.search(read.folded, start, end):
        return "refers_back"
    cut = _UNFINISHED.search(read.folded[start:end]) and end < read.clauses[-1].end
    if cut or read.folded[:start].rstrip().endswith("：") or not _says_something(read, slot, kept):
        return "broken"
    if not SHORTEST <= len(asked) <= LONGEST or asked.count("，") > MOST_COMMAS:
        return "length"
    if slot.kind != "date" and _AT_FIRST.match(read.folded[start : slot.start].lstrip()):
        return "needs_context"
    if lacks_object([one for one in outside if start <= one.start < end]):
        return "broken"
    if is_awkward(slot, _around(read, slot), plain(asked), measured=slot.kind in _MEASURED):
        return "broken"
    days = find_dates(asked) if slot.kind == "duration" else []
    if len(days) > 1 or any(day.is_range for day in days):
        return "leaks"
    return "" if _balanced(asked) else "broken"


def _around(read: _Read, slot: Slot) -> Around:
    """Cut a value's clause in two."""
    clause = next(one for one in read.clauses if one.start <= slot.start < one.end)
    inside = [one for one in read.tokens if clause.start <= one.start and one.end <= clause.end and one.word.strip()]
    return Around(
        read.folded[clause.start : slot.start],
        read.folded[slot.end : clause.end],
        [one for one in inside if one.end <= slot.start],
        [one for one in inside if one.start >= slot.end],
    )


def _is_named(read: _Read, subject: list[Tagged]) -> bool:
    """Say whether a subject holds a proper name."""
    first, last = subject[0].start, subject[-1].end
    if any(one.tag == "eng" or one.word == "《" for one in subject):
        return True
    spoken = read.folded[first:last]
    if spoken in read.title and not read.title.startswith(spoken):
        return False
    names = [read.folded[one.start : one.end] for one in _names(read, first, last)]
    if any(len(name) > _TWO or name in read.title for name in names):
        return True
    return any(one.tag in _PROPER and len(one.word) > 1 and one.word in read.title for one in subject)


def _names(read: _Read, first: int, last: int) -> list[Name]:
    return [one for one in find_names(read.text) if one.start < last and first < one.end and one.kind != "place"]


def _stands_alone(read: _Read, slot: Slot) -> bool:
    """Say whether what is asked for ends where words end, and is the object of something where it is a number."""
    start, end = slot.answer
    if any(one.start < start < one.end or one.start <= start < end < one.end for one in read.tokens):
        return False
    within = slot.kind == "duration" and _WITHIN.search(read.folded, 0, start) and read.folded[end : end + 1] == "内"
    return slot.kind not in _MEASURED or bool(within) or _is_object(read.tokens, slot)


def _says_something(read: _Read, slot: Slot, kept: "_Kept") -> bool:
    """Say whether a question keeps a verb, and is not cut in the middle of what it counts or names."""
    outside = [one for one in read.tokens if kept.start <= one.start and one.end <= kept.end]
    outside = [one for one in outside if one.end <= slot.start or one.start >= slot.end]
    verbs = any(one.tag in ("v", "vd", "vi", "vq", "a", "zg") or one.word in _MEASURING for one in outside)
    if slot.kind == "date" and _names_what_follows(read.tokens, slot, kept.start):
        return False
    if slot.kind == "count" and ("、" in read.text[slot.end : kept.end] or read.folded[: slot.start].endswith("每")):
        return False
    if slot.kind == "share" and (follows := _following(read.tokens, slot)) and _is_noun(follows):
        return False
    ends = slot.end >= kept.end and read.folded[: slot.start].endswith(("于", *QUANTITIES))
    return verbs or ends or slot.kind in ("yes_no", "list", "place", "name")


class _Kept(NamedTuple):
    start: int
    end: int
    subject: list[Tagged]


def _kept(read: _Read, slot: Slot, at: int) -> _Kept | None:
    """Find the clauses a question is made of: the value's, one before it for its subject, those a condition needs."""
    first = last = at
    clauses, folded, tokens = read.clauses, read.folded, read.tokens
    leads = not folded[clauses[at].start : slot.start].strip("自从在于到至 ")
    if leads and not folded[slot.end : clauses[at].end].strip():
        first = last = at + 1
        subject = _subject(tokens, clauses[first], slot.end) if first < len(clauses) else None
    elif leads:
        subject = _subject(tokens, Clause(slot.end, clauses[at].end), slot.end)
    else:
        passive = _NO_HEAD.match(folded[clauses[at].start : clauses[at].end].strip())
        subject = None if passive else _subject(tokens, clauses[at], slot.start)
        if subject is None and at > 0:
            first = at - 1
            subject = _subject_before(read, clauses[first], slot)
    if subject is None:
        return None
    first = min(first, at)
    while first and _leads(read, clauses[first - 1]):
        first -= 1
    if slot.kind == "yes_no":
        tells = any(not _leads(read, one) for one in clauses[first:at])
        return None if tells else _Kept(clauses[first].start, slot.end, subject)
    while last + 1 < len(clauses) and slot.end < clauses[last].end and is_condition(folded, clauses[last]):
        last += 1
    return _Kept(clauses[first].start, clauses[last].end, subject)


def _subject_before(read: _Read, clause: Clause, slot: Slot) -> list[Tagged] | None:
    """Return the subject of the clause in front: it must say something of it, or be the title alone."""
    subject = _subject(read.tokens, clause, slot.start)
    says = read.folded[clause.start : clause.end]
    if slot.kind == "name" and not re.search("[是为]", says) and says.strip(" 《》") != read.title:
        return None
    if subject is None or read.folded[clause.start : clause.end].strip(" 《》") == read.title:
        return subject
    behind = [one for one in read.tokens if one.start >= subject[-1].end and one.end <= clause.end]
    return subject if any(one.tag in ("v", "p", "vd", "vi") for one in behind) else None


def _names_what_follows(tokens: list[Tagged], slot: Slot, start: int) -> bool:
    """Say whether a date is part of a name, as in 2002年世界杯; at the head of a clause it never is."""
    after = _following(tokens, slot)
    before = next((one for one in reversed(tokens) if start <= one.start and one.end <= slot.start), None)
    return before is not None and before.tag != "x" and after is not None and (_is_noun(after) or after.tag == "t")


def _following(tokens: list[Tagged], slot: Slot) -> Tagged | None:
    return next((one for one in tokens if one.start >= slot.end and one.word.strip()), None)


_WITHIN = late("(?:后|起|之日起|之后|前|之前)$")
"""What a number of days is counted from: 合同生效后45日内."""
_HAVING = late("(?:共有|现有|共设|设有|拥有|建有|配有|有|设|共)$")
"""What may stand before a thing and its number: 共设车站22座."""


def _is_object(tokens: list[Tagged], slot: Slot) -> bool:
    """Say whether what stands before a number takes it as its object: 获得, 长, 约; and not a noun, as in 初平三年."""
    before = next((one for one in reversed(tokens) if one.end <= slot.start and one.word.strip()), None)
    return before is not None and (
        before.word[-1] in QUANTITIES
        or before.tag[0] in "vpa"
        or before.tag in ("zg", "d", "uj")
        or before.word in _MEASURING
        or (
            _is_noun(before)
            and _HAVING.search("".join(one.word for one in tokens if one.end <= before.start)) is not None
        )
    )


def _worded(read: _Read, slot: Slot, start: int, end: int) -> str:
    """Put the asking words in the answer's place, without what stands in brackets or only leads over."""
    before = _BRACKETS.sub("", _without_adverbs(read, start, slot.start))
    for _ in range(2):
        if opening := _OPENING.match(plain(before)):
            before = before[opening.end() :]
    if re.search("[\u3400-\u9fff] +$", before):
        before = before.rstrip()
    after = _BRACKETS.sub("", _without_adverbs(read, slot.end, end))
    if not before.strip("，, 在于於"):
        before = ""
    if not before.strip("，, 自从從"):
        after = after.lstrip("，,、 ")
    if plain(before).startswith(f"{read.title}，") and before.count("，") == 1:
        before = before.replace("，", "")
    if slot.kind == "yes_no":
        before = re.sub("，(?:且|并且?|並且?)$", "，", before)
    return f"{before}{slot.words}{after}".strip("，,；;：:。 、") + ("" if slot.words.endswith("？") else "？")


def _without_adverbs(read: _Read, start: int, end: int) -> str:
    """A stretch of a sentence without the words that tie it to the one before: 也, 则, 还."""
    kept, here = [], start
    for one in read.tokens:
        bound = one.end == end or read.folded[one.end :].startswith(("称", "名", "叫"))
        if start < one.start < end and one.word in _LEADS_OVER and one.tag in ("d", "c") and not bound:
            kept.append(read.text[here : one.start])
            here = one.end
    return "".join([*kept, read.text[here:end]])


def _leads(read: _Read, clause: Clause) -> bool:
    """Say whether a clause tells when, of what or in which case the next one holds, which a question must not lose."""
    said = read.folded[clause.start : clause.end].strip()
    if read.folded[clause.end] not in "，,":
        return False
    if said.endswith("的") or TIME.fullmatch(said) or is_condition(read.folded, clause):
        return True
    behind = clause.start + read.folded[clause.start : clause.end].rfind("的")
    head = [one for one in read.tokens if behind < one.start and one.end <= clause.end]
    return behind >= clause.start and bool(head) and all(map(_is_noun, head))


def _subject(tokens: list[Tagged], clause: Clause, before: int) -> list[Tagged] | None:
    """Return the noun phrase that stands in front of a clause's first verb, if it has one and a verb behind it."""
    inside = [one for one in tokens if clause.start <= one.start and one.end <= clause.end]
    at = 0
    while (
        at < len(inside) and (inside[at].tag in _SKIPPED or inside[at].word == "曾") and inside[at].word not in "《「“"
    ):
        at += 1
    begin = at
    while (
        at < len(inside)
        and (_is_noun(inside[at]) or inside[at].tag in _INSIDE)
        and (inside[at].start < before or before <= clause.start)
    ):
        at += 1
    while begin and inside[begin : begin + 1] and inside[begin].word == "的":
        begin -= 1
    phrase = inside[begin:at]
    while phrase and phrase[-1].tag in ("uj", "m", "q", "t", "x", "c") and phrase[-1].word not in "》」”":
        phrase.pop()
    spoken = "".join(one.word for one in phrase)
    if not any(_is_noun(one) for one in phrase) or len(spoken) < 2 or spoken in _NO_SUBJECT:
        return None
    follows = at < len(inside) and inside[at].tag not in _STARTS and inside[at].word not in _MODALS
    if follows and spoken[-1] not in QUANTITIES:
        return None
    return phrase


def _is_noun(token: Tagged) -> bool:
    return token.tag in _NOUNS or token.tag.startswith("n")


def _points_back(tokens: list[Tagged], start: int, end: int) -> bool:
    """Say whether a stretch speaks of something named before it."""
    return any(_is_back(one) for one in tokens if start <= one.start < end and one.word not in _ALLOWED)


def points_back(text: str) -> bool:
    """Say whether a text in Simplified characters speaks of something named before it."""
    return any(_is_back(one) for one in tagged(text) if one.word not in _ALLOWED and not _QUESTION.match(one.word))


def _is_back(token: Tagged) -> bool:
    if token.word in _BACK or (token.tag == "r" and token.word[0] not in "每各") or token.word[0] in "这那该此":
        return True
    return token.word[0] == "本" and len(token.word) > 1 and not token.tag.startswith("nr")


def _balanced(text: str) -> bool:
    return all(text.count(one) == text.count(two) for one, two in ("「」", "『』", "《》", "“”", "（）", "()"))
