"""Is a name that stands in an answer the one asked for? Not one of two, a relative, or the other party (R1.3).

周岩是付款人，林晓舟是收款人        收款人 is 林晓舟
是周岩转给林晓舟的                 周岩 pays, 林晓舟 receives
周岩的弟弟                         is not 周岩
"""

import re
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from itertools import islice, pairwise
from typing import Literal, NamedTuple

from ragstone.core.language import excerpt
from ragstone.reading.answers.told import Choice, Told, content
from ragstone.reading.cues import cue
from ragstone.reading.statements import Statements
from ragstone.reading.values.name_words import ENGLISH_ORGS
from ragstone.reading.values.names import Name, find_names
from ragstone.reading.values.persons import is_whole
from ragstone.text.fold import fold
from ragstone.text.late import late, lazy

_SHOWN = 200
_MOST = 50
"""Places of a name that are looked at."""
_NEAR = 40

_OR_BEHIND = cue(r"\W{0,2}(?:或者?|还是|\bor\b)")
_OR_BEFORE = cue(r"[^\W_](?:或者?|还是|\bor\b)\W{0,2}$")
# Folding makes 、 a comma; the text itself still has it.
_AND_SOURCE = fold("(?:和|与|及|以及|跟|同|") + "、|,? and |,? ?& ?)"
_AND_BEHIND = late(fold("(?:先生|女士|小姐|某某?)?") + _AND_SOURCE)
_AND_BEFORE = late(f"{_AND_SOURCE}$")
_HAN_NAME = cue(
    r"(?!男|女|汉族|现年|其他|他|她)([\u4e00-\u9fff]{2,4}?)(?=[,.;!?)(]|$|都|均|是|为|两人|二人|共同|一起|一同)"
)
_LAST_NAME = cue(r"(?:^|[,.;!?:是为])([\u4e00-\u9fff]{2,4})$")
_OPENING = cue(r"\W*(?:是|由|因为|当时|后来|则|其实|答案?|回答|\bit was\b){0,2}\W*")
_SUFFERS = cue(r"(?:后来|随后|当时)?被(?!告|申请|害|询问|讯问)|\W(?:was|were|got) [a-z]+ed\b(?= by)")
_FOR, _DOES = cue(r"[\u4e00-\u9fff][为替帮]$"), cue(r"(?:提供|作|做|担保|代|支付|付|还|垫|办)")
_FOR_WHOM = cue(r"[为替帮]谁")
_NEITHER = cue(r"[^,.;!?]{0,12}?(?:都|均|也|并|全)?(?:不是|并非|不算)(?=[,.;!?]|$)")
_GOES_ON = late(r"(?<=[a-z0-9])-?[a-z0-9]|[a-z0-9](?=[a-z0-9])")
_TITLES = ("Mr", "Mr.", "Ms", "Ms.", "Mrs", "Mrs.", "Miss", "Dr", "Dr.")
_OBJECT = late(r"(?:[a-z]{0,3})? (?:the )?")
_BRACKET = late(r"\(.*")
_HALF = cue(r"一半|各(?:自|半|承担|付|出)|平摊|分摊|均摊|共同", r"\b(?:half|each|jointly|shares?)\b")
_CONDITION = cue(r"除非|如果?|若|因|时[,]?$|的话", r"\b(?:if|unless|where|when|because|except)\b")
_CLAUSE = cue(r"[,.;!?\n](?!\d)|而(?!是|且|非)|但|\band (?=[a-z]+(?: [a-z]+)? (?:is|was|the)\b)|\bbut\b|\bwhile\b")
_TURN = cue(r"其实|实际上|事实上|而是|更正|改为|应为|不对|后来|\bactually\b|\bin fact\b|\blater\b|\bcorrection\b")

# --- roles ---

_ROLE_ASKED = cue(
    r"([^的,.;?\s]{2,6}?)(?:是|为|系|叫|姓)(?:谁|哪|什么|何)",
    r"谁是(?:[^,.;?]{0,6}的)?([\u4e00-\u9fff]{2,6})",
    r"\b(?:who|(?:which|what) [a-z]+) (?:is|was|are|were) the ([a-z]+)\b",
    r"([\uac00-\ud7a3]{2,6})[은는이가] ?누구",
)
_PAIR = 2
_PAIRS: tuple[tuple[tuple[str, str], tuple[str, str]], ...] = (
    (
        (r"收款|收钱|收到|收取|收了?|receiv|got\b", "收款人 收款方 收款者 收钱的人 payee recipient receiver"),
        (
            r"付款|付钱|付了?|汇|打款|转账|支付|paid|pays|sent|remit",
            "付款人 付款方 汇款人 打款人 转账人 支付人 给钱的人 payer sender remitter",
        ),
    ),
    (
        (r"出借|借给|借出|放款|lent|lends", "出借人 出借方 债权人 借出人 lender creditor"),
        (r"借入|借了?|欠|borrow|owe", "借款人 借款方 借入方 借入人 债务人 欠款人 borrower debtor"),
    ),
    (
        (
            r"把[^,?]{1,8}卖|卖|出售|sold|sells|suppl(?:y|ies|ied)\b",
            "卖方 卖家 卖主 卖车人 出卖人 出售方 供方 供货方 供货商 供应商 seller vendor supplier",
        ),
        (r"买|购|bought|buys|purchas", "买方 买家 买主 买受人 购买方 购买人 需方 采购方 buyer purchaser customer"),
    ),
    ((r"起诉|sued", "原告 起诉人 plaintiff claimant"), (r"被诉", "被告 被告人 defendant respondent")),
    (("", "甲方"), ("", "乙方")),
    (
        (r"出租|rented out|let\b", "出租人 出租方 房东 landlord lessor"),
        (r"承租|租了?|rented", "承租人 承租方 租客 租户 tenant lessee"),
    ),
    ((r"委托", "委托人 委托方 principal"), (r"受托", "受托人 受托方 代理人 agent trustee")),
    ((r"行贿|bribed", "行贿人 briber"), (r"受贿", "受贿人 bribee")),
    (("发包", "发包人 发包方"), ("承包", "承包人 承包方 contractor")),
    (("转让", "转让人 转让方 transferor assignor"), ("受让", "受让人 受让方 transferee assignee")),
    ((r"雇佣?|hired", "雇主 用人单位 employer"), (r"受雇", "雇员 员工 employee")),
)
_PLAIN_PAIRS = (_PAIRS[0], _PAIRS[2])
"""Receiving and paying, selling and buying: 借 alone may mean both sides."""
_SUBJECT = fold(r"(?<![给向对跟和与从替为])谁[^,?]{0,8}?") + r"|\bwho (?:had |has )?"
_PASSIVE_ROLE = cue(r"(被?)((?:申请|上诉|执行|保险|答辩|申诉|担保|抚养|扶养|继承|监护|代理|投诉|举报|许可)人)")
_IS = cue(r"\W{0,1}(?:就|则|才|应|应当|正)?(?:是|为|系|乃|即|叫|名叫|指|:|is\b|was\b|[은는이가] )")
_SOMEBODY = cue(
    r"(?!谁|何人|哪|不|未|本|该|这|那|一)[\u4e00-\u9fff\uac00-\ud7a3]{2}", r"\W*(?:mr|ms|mrs|dr|the|his|her|its)\b"
)
"""How somebody or something is named."""
_BEING = cue(
    r"(?<!不)(?<!并非)(?:是|为|系|乃|担任|作为|即|,? ?\b(?:is|was|as)(?: the| a)?|,? ?\bthe)\W{0,2}"
    r"(?:[^,.;!?]{1,6}的)?$"
)


class _Roles(NamedTuple):
    """Nouns for the one who is asked for, and for the other side."""

    asked: re.Pattern[str]
    other: re.Pattern[str]
    acts: re.Pattern[str] | None = None
    """Verbs of the one who is asked for, where they cannot be taken for the other side's."""
    other_acts: re.Pattern[str] | None = None


@lru_cache(maxsize=4096)
def _roles(asked: str) -> _Roles | None:
    """Read out of a folded question which role it asks for: 收款人是谁, who received it."""
    named = _ROLE_ASKED.search(asked)
    role = next((group for group in named.groups() if group), "") if named else ""
    for pair in _PAIRS:
        for (verb, nouns), (other_verb, others) in (pair, pair[::-1]):
            acts = bool(verb) and not role and re.search(rf"(?:{_SUBJECT})(?:{fold(verb)})", asked) is not None
            if role in fold(nouns).split() or acts:
                own, theirs = [*fold(nouns).split(), *([role] if role else [])], fold(others).split()
                verbs = (re.compile(fold(verb)), re.compile(fold(other_verb))) if pair in _PLAIN_PAIRS else ()
                return _Roles(_either(own), _either(theirs), *verbs)
    if not role:
        return None
    # 股权受让方 is told as 受让方.
    tails = [role] if role.isascii() else [role[at:] for at in range(len(role)) if at == 0 or len(role) - at > _PAIR]
    return _Roles(_either(tails), _either([role[1:] if role.startswith("被") else f"被{role}"]))


def _either(nouns: Sequence[str]) -> re.Pattern[str]:
    ordered = sorted(set(nouns), key=lambda noun: (-len(noun), noun))
    return re.compile("|".join(rf"\b{noun}\b" if noun.isascii() else rf"(?<!被){re.escape(noun)}" for noun in ordered))


@cache
def _parties() -> list[tuple[re.Pattern[str], re.Pattern[str]]]:
    """The nouns of each role and of its other side."""
    sides = [(_either(fold(one).split()), _either(fold(other).split())) for (_, one), (_, other) in _PAIRS]
    return [pair for one, other in sides for pair in ((one, other), (other, one))]


@lru_cache(maxsize=4096)
def parties_in(folded: str) -> frozenset[str]:
    """The parties to a contract or a suit that a folded text names by their role, one name for each."""
    return frozenset(one.pattern for one, _ in _parties() if one.search(folded))


@lru_cache(maxsize=4096)
def opposite_parties(folded: str) -> frozenset[str]:
    """The other sides of the parties that a folded text names."""
    return frozenset(other.pattern for one, other in _parties() if one.search(folded))


class _Bound(NamedTuple):
    """A clause that says who has a role."""

    start: int
    end: int
    holder: str
    named: bool = False
    """Whether the holder stands behind the role: 受让方为…"""


def _bound(folded: str, role: re.Pattern[str]) -> Iterator[_Bound]:
    """Find the clauses in which a role is bound to somebody by a copula: 收款人是…, …是收款人."""
    for found in role.finditer(folded):
        opening = folded[max(0, found.start() - 2 * _NEAR) : found.start()]
        start = found.start() - len(opening) + max((mark.end() for mark in _CLAUSE.finditer(opening)), default=0)
        stop = _CLAUSE.search(folded, found.end(), found.end() + 2 * _NEAR)
        end = stop.start() if stop else min(len(folded), found.end() + 2 * _NEAR)
        behind = _IS.match(folded, found.end(), end)
        if behind:
            yield _Bound(start, end, folded[behind.end() : end], named=True)
        elif _BEING.search(folded[start : found.start()]):
            yield _Bound(start, end, folded[start : found.start()])


# --- transfers ---

_MOVE = r"(?:转|汇|打|付|支付|交|缴|还|退|划|存|送|寄|卖|借|租|拿|流)"
_ACCOUNT = r"(?:的|名下的?)?(?:银行|个人|公司|对公|微信|支付宝)?(?:账户|帐户|账号|帐号|银行卡|卡)"
_FROM_WHOM = cue(r"[从由自]谁|\bfrom (?:whose|whom)\b")
_ASKS_SOURCE = cue(
    r"[从由自]谁|(?<![给向对跟和与替为到进入])谁(?:的)?[^,.;?]{0,10}?(?:转(?![租让告达述院学正])|付|汇|打款|打给|支付|交给|出资|垫付|卖给|借给|转出|汇出)",
    r"\bfrom (?:whose|whom)\b|\bwho (?:had |has )?(?:paid|sent|transferred|wired|remitted)\b",
)
_ASKS_TARGET = cue(
    rf"(?:给|到|进|入|向|予)了?谁|谁{_ACCOUNT}|谁(?:收|拿|领)|收款(?:人|方)是谁",
    r"\bto whom\b|\b(?:in)?to whose\b|\bwhose account\b|\bwho (?:had |has )?(?:received|got)\b",
)
_HANDED_TO = cue(
    rf"{_MOVE}(?:账|帐|款|钱|回|租)?(?:给|到|入|进|至|往|予)了?$",
    r"\b(?:paid|sent|transferred|wired|remitted|gave|given|handed|sold|lent)(?: [a-z0-9']+){0,5}? to $",
)
_TAKEN_FROM = cue(r"[从自]$", r"\bfrom $")
_OUT = r"(?:转|汇|打|划|支|付|支付|取|流|交|缴|还|退)(?:账|帐|款)?(?:出|给|到|入|进|至|往)"
_GIVES = cue(
    rf"(?:通过[^,.;!?]{{1,8}}?|用[^,.;!?]{{1,8}}?|把[^,.;!?]{{1,8}}?|将[^,.;!?]{{1,8}}?)?{_OUT}",
    rf"{_ACCOUNT}(?:里|上|中|内)?(?:[^,.;!?]{{0,6}}?){_OUT}",
    r"(?: (?:had|has|then))? (?:paid|sent|transferred|wired|remitted)\b|'s account (?:paid|sent)\b",
)
_HANDS_BACK = cue(r"(?:又|再|后来|随后|已经?|负责|只是|仅|全部|如数)*(?:退|还(?=给|了|清|款)|归还|返还|收(?!据|条))")
_BACK = cue(r"退|还|收")


@lru_cache(maxsize=4096)
def _asked_end(asked: str) -> Literal["source", "target", ""]:
    """Read out of a folded question which end of a transfer it asks for."""
    if _ASKS_TARGET.search(asked):
        return "target" if not _FROM_WHOM.search(asked) else "source"
    return "source" if _ASKS_SOURCE.search(asked) else ""


def _at_other_end(folded: str, start: int, end: int, asked: str) -> bool:
    """Tell whether a name stands at the other end of the transfer than the one asked for."""
    wanted = _asked_end(asked)
    if not wanted:
        return False
    before, behind = folded[max(0, start - _NEAR) : start], folded[end : end + _NEAR]
    if wanted == "target":
        return bool(_TAKEN_FROM.search(before) or (not _HANDED_TO.search(before) and _GIVES.match(behind)))
    if _GIVES.match(behind):
        return False
    return bool(_HANDED_TO.search(before)) or (not _BACK.search(asked) and bool(_HANDS_BACK.match(behind)))


# --- the verdict ---


def _is_part(text: str, start: int, end: int) -> bool:
    """Whether a Latin name is the beginning or the end of a longer word: Marsh in Marshall and Marsh-Jones."""
    return bool(_GOES_ON.match(text, end) or (start and _GOES_ON.match(text[start - 1 : start + 1])))


class _Name:
    """The places of an expected name in a text, and what each of them says of it."""

    def __init__(self, wanted: str, told: Told, said: Statements) -> None:
        self.wanted, self.told, self.said = fold(wanted), told, said
        self.text, self.asked = said.text, told.asked
        self.roles = _roles(self.asked)
        self.places = list(islice(self._found(), _MOST))

    def _found(self) -> Iterator[int]:
        at = self.text.find(self.wanted) if self.wanted else -1
        while at >= 0:
            if not _is_part(self.text, at, at + len(self.wanted)):
                yield at
            at = self.text.find(self.wanted, at + len(self.wanted))

    def has_more_before(self, at: int) -> bool:
        """Whether a Latin name has one word more, which may make it somebody else's: Anne Helen Marsh."""
        longer = next((one for one in self._names if one.kind == "person" and one.start < at < one.end), None)
        before = self.text[longer.start : at] if longer and self.wanted.isascii() and " " in self.wanted else ""
        return bool(before) and not parties_in(before)

    @lazy
    def _names(self) -> list[Name]:
        return find_names(self.said.written)

    @lazy
    def _listed(self) -> str:
        """The text with 、 as it was written."""
        return "".join("、" if b == "、" else a for a, b in zip(self.text, self.said.written, strict=True))

    def is_another(self, at: int) -> bool:
        """Whether somebody else is meant at a place, or the other side."""
        end = at + len(self.wanted)
        if not is_whole(self.text, at, end) or _NEITHER.match(self.text, end) or self._loses_role(at):
            return True
        if _SUFFERS.match(self.text, end) and "被" not in self.asked:
            return True
        if (
            _FOR.search(self.text, max(0, at - 4), at)
            and _DOES.match(self.text, end)
            and not _FOR_WHOM.search(self.asked)
        ):
            return True
        if self._for_other_party(at) or self._of_other_role(at):
            return True
        return self._acts_otherwise(at) or _at_other_end(self.text, at, end, self.asked)

    def _loses_role(self, at: int) -> bool:
        """Whether the role asked for is denied of it in its clause: 周岩不是收款人."""
        clause = self.said.at(at)
        found = self.roles.asked.search(self.text, at, clause.end) if self.roles else None
        return found is not None and clause.flags(found.start())[1] % 2 == 1

    def _for_other_party(self, at: int) -> bool:
        """Whether the words around a place speak of the other side than the question: 代理被告, asked of 原告."""
        start, end = self._stretch(at)
        words = self.text[start:at] + "▒" * len(self.wanted) + self.text[at + len(self.wanted) : end]
        if not self._against or parties_in(words) & parties_in(self.asked):
            return False
        places = (found.start() for one in self._against for found in re.finditer(one, words))
        return any(self.said.flags(start + place)[1] % 2 == 0 for place in places)

    @lazy
    def _against(self) -> frozenset[str]:
        """The other sides of the parties in the question, or of the expected name where that is a party."""
        own = parties_in(self.asked) | parties_in(self.wanted)
        return frozenset() if own & opposite_parties(self.asked) else opposite_parties(self.asked)

    def _stretch(self, at: int) -> tuple[int, int]:
        """Where the clause of a place begins and ends, also one that and joins to another."""
        opening = max(0, at - 2 * _NEAR)
        cuts = (one.end() for one in _CLAUSE.finditer(self.text, opening, at + _NEAR))
        start = max((cut for cut in cuts if cut <= at), default=opening)
        stop = _CLAUSE.search(self.text, at + len(self.wanted), at + len(self.wanted) + 2 * _NEAR)
        return start, stop.start() if stop else min(len(self.text), at + len(self.wanted) + 2 * _NEAR)

    def is_shared(self, places: Sequence[int]) -> bool:
        """Whether the expected party bears only a half, or a clause gives the other side what was asked."""
        others = opposite_parties(self.wanted) - parties_in(self.asked)
        if not others or not parties_in(self.text) & others:
            return False
        own = {self._stretch(at) for at in places}
        if any(_HALF.search(self.text, *one) for one in own):
            return True
        edges = [0, *(one.end() for one in islice(_CLAUSE.finditer(self.text), _MOST)), len(self.text)]
        stretches = [(start, end) for start, end in pairwise(edges) if not any(start <= one[0] < end for one in own)]
        return any(self._gives_to_others(*one, others) for one in stretches)

    def _gives_to_others(self, start: int, end: int, others: frozenset[str]) -> bool:
        """Whether a clause affirms that the other side does what was asked."""
        words = self.text[start:end]
        subject = next(
            (found for one in others if (found := re.search(rf"(?:^\W*(?:the )?|[由归])({one})", words))), None
        )
        if subject is None or _CONDITION.search(words) or self.said.flags(start + subject.end() - 1)[1] % 2:
            return False
        rest = content(_BRACKET.sub("", words[: subject.start()] + words[subject.end() :]))
        return len(rest) <= 1 or len(rest & content(self.asked)) > 1

    def _of_other_role(self, at: int) -> bool:
        """Whether the clause speaks of 申请人 where the question asks about 被申请人, or the other way."""
        clause = self.said.at(at)
        words = self.text[clause.start : clause.end]
        for found in _PASSIVE_ROLE.finditer(self.asked):
            own, other = (rf"被{found[2]}", rf"(?<!被){found[2]}")[:: 1 if found[1] else -1]
            if re.search(other, words) and not re.search(own, words):
                return True
        return False

    def _acts_otherwise(self, at: int) -> bool:
        """Whether it does what the other side does: 周岩把钱付给了林晓舟 is no answer to who received it."""
        roles = self.roles
        if roles is None or roles.acts is None or roles.other_acts is None:
            return False
        clause, behind = self.said.at(at), at + len(self.wanted)
        done = list(roles.acts.finditer(self.text, clause.start, at)) if self.wanted.isascii() else []
        if done and done[-1].start() > clause.start and _OBJECT.fullmatch(self.text, done[-1].end(), at):
            return True
        found = roles.other_acts.search(self.text, behind, min(clause.end, behind + _NEAR))
        if found is None or clause.flags(found.start())[1] % 2 or roles.other.match(self.text, found.start()):
            return False
        subject = _OPENING.fullmatch(self.text, max(clause.start, at - _NEAR), at)
        return subject is not None and not roles.acts.search(self.text, clause.start, clause.end)

    def is_one_of_two(self, at: int) -> bool:
        """Whether another name stands beside it, or for it: 周岩和林晓舟, 周岩或林晓舟."""
        end = at + len(self.wanted)
        if _OR_BEHIND.match(self.text, end) or _OR_BEFORE.search(self.text[max(0, at - 8) : at]):
            return True
        behind = _AND_BEHIND.match(self._listed, end)
        if behind and self._names_another(_HAN_NAME.match(self.text, behind.end()), behind.end(), None):
            return True
        before = _AND_BEFORE.search(self._listed[max(0, at - _NEAR) : at])
        if not before:
            return False
        edge = max(0, at - _NEAR) + before.start()
        return self._names_another(_LAST_NAME.search(self.text[max(0, edge - _NEAR) : edge]), None, edge)

    def _names_another(self, han: re.Match[str] | None, start: int | None, end: int | None) -> bool:
        if han:
            return han[1] not in self.asked
        return any(
            (name.start == start or name.end == end) and self._is_strange(name) and not self._goes_on(name)
            for name in self._names
        )

    def _is_strange(self, name: Name) -> bool:
        return name.kind in ("person", "organisation") and self.text[name.start : name.end] not in self.asked

    def _goes_on(self, name: Name) -> bool:
        """Whether a clause of its own begins with the name: … and Tom Veale was the borrower."""
        return bool(re.match(r" (?:is|was|the|did|had|then)\b", self.text[name.end :]))

    def rival(self, places: Sequence[int]) -> str:
        """Who has the asked role instead, or the words that give the name the other role."""
        if self.roles is None:
            return ""
        bound = list(islice(_bound(self.text, self.roles.asked), _MOST))
        if any(self.wanted in one.holder for one in bound):
            return ""
        for one in bound:
            if any(_TURN.search(self.text, one.end, at) for at in places if at > one.end):
                continue
            if rivals := self._others(one.holder):
                return rivals[0]
            if one.named and _SOMEBODY.match(one.holder):
                return one.holder.strip()[:_NEAR]
        if self._is_left_open(places):
            return self.text[places[0] :][:_NEAR]
        others = islice(_bound(self.text, self.roles.other), _MOST)
        wrong = [one for one in others if self.wanted in one.holder]
        elsewhere = [at for at in places if not any(one.start <= at < one.end for one in wrong)]
        return "" if elsewhere or not wrong else self.text[wrong[0].start : wrong[0].end].strip()

    def _others(self, words: str) -> list[str]:
        """The people and firms in some words that are neither expected nor in the question."""
        names = [words[name.start : name.end] for name in find_names(words) if name.kind in ("person", "organisation")]
        spoken = {self.text[name.start : name.end] for name in self._names if self._is_strange(name)}
        names += [name for name in spoken if name in words]
        return [
            name for name in names if self.wanted not in name and name not in self.wanted and name not in self.asked
        ]

    def _is_left_open(self, places: Sequence[int]) -> bool:
        """Whether the answer leaves the role open and says what else the name is: 不清楚谁报案，纪南风是证人."""
        unknown = any(one.end <= places[0] and one.has("silent", "unable", "unknown") for one in self.said.talk)
        return unknown and all(_IS.match(self.text, at + len(self.wanted)) for at in places)


def short_forms(name: str) -> list[str]:
    """How a Latin name is written shorter: Mr Marsh and H. Marsh for Helen Marsh, a firm without its Ltd."""
    first, *middle, last = name.split() if " " in name.strip() and name.isascii() else ("", "")
    if not first or not (first[0].isupper() and last[0].isupper()):
        return []
    if last.lower().strip(".") in ENGLISH_ORGS:
        return [" ".join([first, *middle])]
    return [f"{title} {last}" for title in (*_TITLES, f"{first[0]}.", first[0])]


def judge_name(wanted: str, told: Told) -> Choice:
    """Judge whether an answer gives a name for what was asked."""
    name = _Name(wanted, told, told.outside)
    if not name.places:
        quoted = [quote.start for quote in told.quotes if fold(wanted) in told.inside(quote).folded]
        if not quoted or not told.quote_answers(quoted):
            return Choice("wrong" if told.text.strip() else "missing", others=(excerpt(told.text, _SHOWN),))
        name = _Name(wanted, told, told.said)
    shown = (excerpt(told.text, _SHOWN),)
    turns = {at: told.turn(at, at + len(name.wanted)) for at in name.places}
    good = [at for at, turn in turns.items() if (not turn or turn[0] == "?") and not name.is_another(at)]
    if not good:
        rival = name.rival(name.places)
        return Choice("wrong", rule=next(iter(turns.values())), others=(rival,) if rival else shown)
    single = [at for at in good if not name.is_one_of_two(at)]
    if not single:
        return Choice("several", wanted, "verbatim", shown)
    rival = name.rival(single)
    if rival:
        return Choice("wrong", others=(rival,))
    if all(turns[at] for at in single):
        return Choice("open", wanted, turns[single[0]][1:], shown)
    if name.is_shared(single) or all(name.has_more_before(at) for at in single):
        return Choice("open", wanted, "apart", shown)
    return Choice("match", wanted, "verbatim")
