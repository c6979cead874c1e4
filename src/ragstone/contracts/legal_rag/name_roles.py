"""Is a name that stands in an answer the one asked for? Not a longer name, one of two, a relative, the other party.

周岩是付款人，林晓舟是收款人        收款人 is 林晓舟
周岩的弟弟                         is not 周岩
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

from ragstone.contracts.legal_rag.outside_quotes import stating
from ragstone.contracts.legal_rag.stated import Choice, denies
from ragstone.contracts.legal_rag.transfers import at_other_end
from ragstone.core.language import excerpt
from ragstone.reading.cues import cue
from ragstone.reading.values.names import Name, find_names
from ragstone.text.fold import fold, squeeze
from ragstone.text.late import late

_SHOWN = 200
_MOST = 50
"""Places of a name that are looked at."""
_NEAR = 40

_OR_BEHIND = cue(r"\W{0,2}(?:或者?|还是|\bor\b)")
_OR_BEFORE = cue(r"[^\W_](?:或者?|还是|\bor\b)\W{0,2}$")
_TITLE = r"(?:先生|女士|小姐|某某?)?"
_KIN = (
    r"(?:亲|堂|表|二|三|大|小|前|一个|一位|一名){0,2}(?:弟|哥|姐|妹|兄|父|母|爸|妈|妻|丈夫|爱人|老婆|老公|儿子|女儿|侄|叔|舅|姑|姨|岳|朋友|同事|秘书|司机"
    r"|助理|律师|代理人|老板|上司|下属|同学|邻居|战友|合伙人|家人|亲戚|亲属|女友|男友|会计|员工|手下|徒弟|工人|出纳|股东)"
)
_KIN_EN = (
    r"(?:brother|sister|wife|husband|son|daughter|father|mother|friend|colleague|secretary|driver|lawyer|agent|assistant"
    r"|boss|partner|cousin|uncle|aunt|neighbou?r|nephew|niece)"
)
# Without 的 only kin: 周岩律师 and 周岩会计 are 周岩.
_NEAR_KIN = (
    r"(?:弟弟|哥哥|姐姐|妹妹|父亲|母亲|爸爸|妈妈|妻子|丈夫|爱人|老婆|老公|儿子|女儿|侄子|侄女|外甥|叔叔|舅舅|姑姑|岳父|岳母|女友|男友|女朋友|男朋友|亲戚|家人|表哥"
    r"|表弟|表姐|表妹|堂哥|堂弟|堂姐|堂妹|嫂子|姐夫|妹夫|弟媳|儿媳|女婿)"
)
_RELATIVE = cue(rf"{_TITLE}的{_KIN}|{_TITLE}之?{_NEAR_KIN}|之[妻夫父母子女兄弟姐妹]|'s (?:[a-z]+ )?{_KIN_EN}\b")
_RELATIVE_OF = cue(rf"\b{_KIN_EN} of $")
# Folding makes 、 a comma; the text itself still has it.
_AND_SOURCE = fold("(?:和|与|及|以及|跟|同|") + "、|,? and |,? ?& ?)"
_AND_BEHIND = late(fold(_TITLE) + _AND_SOURCE)
_AND_BEFORE = late(f"{_AND_SOURCE}$")
_HAN_NAME = cue(
    r"(?!男|女|汉族|现年|其他|他|她)([\u4e00-\u9fff]{2,4}?)(?=[,.;!?)(]|$|都|均|是|为|两人|二人|共同|一起|一同)"
)
_LAST_NAME = cue(r"(?:^|[,.;!?:是为])([\u4e00-\u9fff]{2,4})$")
_OPENING = cue(r"\W*(?:是|由|因为|当时|后来|则|其实|答案?|回答|\bit was\b){0,2}\W*")
_LEFT_OPEN = cue(
    r"不清楚|不知道|(?:没有?|未)(?:提到|提及|写明?|说明|记载|载明)|无法(?:确定|判断|得知)|不[明详]",
    r"\b(?:not|n't) (?:mention|state|say|know|clear|record)|\bunclear\b|\bunknown\b",
)
_NEITHER = cue(r"[^,.;!?]{0,12}?(?:都|均|也|并|全)?(?:不是|并非|不算)(?=[,.;!?]|$)")
_CLAUSE = cue(r"[,.;!?\n](?!\d)|而(?!是|且|非)|但|\band (?=[a-z]+(?: [a-z]+)? (?:is|was|the)\b)|\bbut\b|\bwhile\b")
_TURN = cue(r"其实|实际上|事实上|而是|更正|改为|应为|不对|后来|\bactually\b|\bin fact\b|\blater\b|\bcorrection\b")
_CONTENT = re.compile(r"[\u4e00-\u9fff]|[a-z]{3,}")
_LIGHT = frozenset(fold("的是为在于中里他她其了由从谁哪什么何人方者款钱家位个名叫一本案公司")) | {
    *("the", "was", "were", "who", "whom", "did", "does", "what", "which", "name", "are", "and", "has", "had")
}

# --- roles ---

_ROLE_ASKED = cue(
    r"([^的,.;?\s]{2,6}?)(?:是|为|系|叫|姓)(?:谁|哪|什么|何)",
    r"谁是(?:[^,.;?]{0,6}的)?([\u4e00-\u9fff]{2,6})",
    r"\bwho (?:is|was|are|were) the ([a-z]+)\b",
)
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
        (r"把[^,?]{1,8}卖|卖|出售|sold|sells", "卖方 卖家 卖主 卖车人 出卖人 出售方 seller vendor"),
        (r"买|购|bought|buys|purchas", "买方 买家 买主 买受人 购买方 购买人 buyer purchaser"),
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


class _Roles(NamedTuple):
    """Nouns for the one who is asked for, and for the other side."""

    asked: re.Pattern[str]
    other: re.Pattern[str]
    acts: re.Pattern[str] | None = None
    """Verbs of the one who is asked for, where they cannot be taken for the other side's."""
    other_acts: re.Pattern[str] | None = None


@lru_cache(maxsize=4096)
def _roles(question: str) -> _Roles | None:
    """Read out of a question which role it asks for: 收款人是谁, who received it."""
    folded = fold(question)
    named = _ROLE_ASKED.search(folded)
    role = next((group for group in named.groups() if group), "") if named else ""
    for pair in _PAIRS:
        for (verb, nouns), (other_verb, others) in (pair, pair[::-1]):
            if role in fold(nouns).split() or (not role and _acts(folded, verb)):
                roles = _Roles(
                    _either([*fold(nouns).split(), *([role] if role else [])]), _either(fold(others).split())
                )
                plain = pair in _PLAIN_PAIRS
                return (
                    roles._replace(acts=re.compile(fold(verb)), other_acts=re.compile(fold(other_verb)))
                    if plain
                    else roles
                )
    if not role:
        return None
    other = role[1:] if role.startswith("被") else f"被{role}"
    return _Roles(_either([role]), _either([other]))


def _acts(folded: str, verb: str) -> bool:
    """Tell whether the question asks who does something; 付给谁 asks for the other side."""
    return bool(verb) and re.search(rf"(?:{_SUBJECT_SOURCE})(?:{fold(verb)})", folded) is not None


_SUBJECT_SOURCE = fold(r"(?<![给向对跟和与从替为])谁[^,?]{0,8}?") + r"|\bwho (?:had |has )?"


def _either(nouns: Sequence[str]) -> re.Pattern[str]:
    ordered = sorted(set(nouns), key=lambda noun: (-len(noun), noun))
    return re.compile("|".join(rf"\b{noun}\b" if noun.isascii() else rf"(?<!被){re.escape(noun)}" for noun in ordered))


_IS = cue(r"\W{0,1}(?:就|则|才|应|应当|正)?(?:是|为|系|乃|即|叫|名叫|指|:|is\b|was\b)")
_BEING = cue(
    r"(?<!不)(?<!并非)(?:是|为|系|乃|担任|作为|即|,? ?\b(?:is|was|as)(?: the| a)?|,? ?\bthe)\W{0,2}"
    r"(?:[^,.;!?]{1,6}的)?$"
)


class _Bound(NamedTuple):
    """A clause that says who has a role."""

    start: int
    end: int
    holder: str


def _bound(folded: str, role: re.Pattern[str]) -> Iterator[_Bound]:
    """Find the clauses in which a role is bound to somebody by a copula: 收款人是…, …是收款人."""
    for start, end in _clauses(folded):
        for found in role.finditer(folded, start, end):
            behind = _IS.match(folded, found.end(), end)
            if behind:
                yield _Bound(start, end, folded[behind.end() : end])
            elif _BEING.search(folded[start : found.start()]):
                yield _Bound(start, end, folded[start : found.start()])


def _clauses(folded: str) -> Iterator[tuple[int, int]]:
    here = 0
    for mark in _CLAUSE.finditer(folded):
        yield here, mark.start()
        here = mark.end()
    yield here, len(folded)


# --- the verdict ---


class _Name:
    """The expected name in an answer: where it stands and beside whom."""

    def __init__(self, wanted: str, text: str, question: str) -> None:
        self.wanted = fold(wanted).strip()
        self.folded = fold(text)
        self._listed = "".join("、" if mark == "、" else char for mark, char in zip(text, self.folded, strict=True))
        self.asked = fold(question)
        self.found = find_names(text)
        self.places = _places(self.folded, self.wanted)
        self.roles = _roles(question)
        self._content = set(_CONTENT.findall(self.asked)) - _LIGHT
        self._moods = stating(self.folded)
        self._asks_denied = denies(question)
        spoken = (self.folded[name.start : name.end] for name in self.found if name.kind in ("person", "organisation"))
        self._known = list(dict.fromkeys(spoken))[:_MOST]

    def others(self, words: str) -> list[str]:
        """Name the people and firms in some words that are neither expected nor in the question."""
        names = [words[name.start : name.end] for name in find_names(words) if name.kind in ("person", "organisation")]
        names += [name for name in self._known if name in words]
        return [
            name for name in names if self.wanted not in name and name not in self.wanted and name not in self.asked
        ]

    def is_owner(self, at: int) -> bool:
        """Tell whether only a relative or friend is meant: 周岩的弟弟."""
        end = at + len(self.wanted)
        return bool(_RELATIVE.match(self.folded, end) or _RELATIVE_OF.search(self.folded[max(0, at - _NEAR) : at]))

    def is_another(self, at: int) -> bool:
        """Tell whether somebody else is meant, or the other side."""
        if self.is_owner(at) or self.is_denied(at) or self.acts_otherwise(at):
            return True
        return at_other_end(self.folded, at, at + len(self.wanted), self.asked)

    def is_paired(self, at: int) -> bool:
        """Tell whether another name stands beside it: 周岩和林晓舟."""
        end = at + len(self.wanted)
        behind = _AND_BEHIND.match(self._listed, end)
        if behind and self._names_another(_HAN_NAME.match(self.folded, behind.end()), behind.end(), None):
            return True
        before = _AND_BEFORE.search(self._listed[max(0, at - _NEAR) : at])
        if not before:
            return False
        edge = max(0, at - _NEAR) + before.start()
        return self._names_another(_LAST_NAME.search(self.folded[max(0, edge - _NEAR) : edge]), None, edge)

    def _names_another(self, han: re.Match[str] | None, start: int | None, end: int | None) -> bool:
        if han:
            return han[1] not in self.asked
        return any(
            (name.start == start or name.end == end) and self._is_strange(name) and not self._goes_on(name)
            for name in self.found
        )

    def _is_strange(self, name: Name) -> bool:
        return name.kind in ("person", "organisation") and self.folded[name.start : name.end] not in self.asked

    def _goes_on(self, name: Name) -> bool:
        """Tell whether a clause of its own begins with the name: … and Tom Veale was the borrower."""
        return bool(re.match(r" (?:is|was|the|did|had|then)\b", self.folded[name.end :]))

    def is_denied(self, at: int) -> bool:
        """Tell whether what was asked is denied of it: 周岩没有收钱, 周岩不是收款人."""
        end = at + len(self.wanted)
        if _NEITHER.match(self.folded, end):
            return True
        if self._asks_denied:
            return False
        stop = _CLAUSE.search(self.folded, end)
        words = _CONTENT.finditer(self.folded, end, stop.start() if stop else len(self.folded))
        return any(found[0] in self._content and self._moods.negated(found.start()) for found in words)

    def acts_otherwise(self, at: int) -> bool:
        """Tell whether it does what the other side does: 周岩把钱付给了林晓舟 is no answer to who received it."""
        roles = self.roles
        if roles is None or roles.acts is None or roles.other_acts is None:
            return False
        stop = _CLAUSE.search(self.folded, at)
        end = stop.start() if stop else len(self.folded)
        opening = max((mark.end() for mark in _CLAUSE.finditer(self.folded, max(0, at - _NEAR), at)), default=0)
        subject = _OPENING.fullmatch(self.folded, max(opening, at - _NEAR), at)
        behind = at + len(self.wanted)
        found = roles.other_acts.search(self.folded, behind, min(end, behind + _NEAR))
        if (
            not (subject and found)
            or self._moods.negated(found.start())
            or roles.other.match(self.folded, found.start())
        ):
            return False
        return not roles.acts.search(self.folded, opening, end)

    def is_alternative(self, at: int) -> bool:
        """Tell whether it is offered beside another: 屈仲平或阮大勇."""
        end = at + len(self.wanted)
        return bool(_OR_BEHIND.match(self.folded, end) or _OR_BEFORE.search(self.folded[max(0, at - 8) : at]))


def _places(folded: str, name: str) -> list[int]:
    found: list[int] = []
    at = folded.find(name) if name else -1
    while at >= 0 and len(found) < _MOST:
        found.append(at)
        at = folded.find(name, at + len(name))
    return found


def judge_name(wanted: str, text: str, question: str, choice: Choice) -> Choice:
    """Judge a name that stands in an answer; `choice` is the verdict so far, a match."""
    longer = _longer_name(wanted, text)
    if longer:
        return Choice("wrong", others=(longer,))
    name = _Name(wanted, text, question)
    if not name.places:
        return choice
    shown = (excerpt(text, _SHOWN),)
    good = [at for at in name.places if not name.is_another(at)]
    if not good:
        return Choice("wrong", others=shown)
    single = [at for at in good if not (name.is_alternative(at) or name.is_paired(at))]
    if not single:
        return Choice("several", wanted, choice.rule, shown)
    rival = _other_holder(name, single)
    return Choice("wrong", others=(rival,)) if rival else choice


def _other_holder(name: _Name, places: Sequence[int]) -> str:
    """Return who has the asked role instead, or the words that give the name the other role."""
    if name.roles is None:
        return ""
    bound = list(islice(_bound(name.folded, name.roles.asked), _MOST))
    held = [one for one in bound if name.wanted in one.holder]
    for one in bound:
        rivals = name.others(one.holder) if name.wanted not in one.holder else []
        if rivals and not held and not any(_TURN.search(name.folded, one.end, at) for at in places if at > one.end):
            return rivals[0]
    if held:
        return ""
    if _is_left_open(name, places):
        return name.folded[places[0] :][:_NEAR]
    others = islice(_bound(name.folded, name.roles.other), _MOST)
    wrong = [one for one in others if name.wanted in one.holder]
    elsewhere = [at for at in places if not any(one.start <= at < one.end for one in wrong)]
    return "" if elsewhere or not wrong else name.folded[wrong[0].start : wrong[0].end].strip()


def _is_left_open(name: _Name, places: Sequence[int]) -> bool:
    """Tell whether the answer leaves the role open and says what else the name is: 不清楚谁报案，纪南风是证人."""
    if not _LEFT_OPEN.search(name.folded, 0, places[0]):
        return False
    return all(_IS.match(name.folded, at + len(name.wanted)) for at in places)


def _longer_name(wanted: str, text: str) -> str | None:
    """Return the longer name that begins with the expected one (李明 in 李明珠), if that never stands alone."""
    name = squeeze(wanted)
    found = [text[n.start : n.end] for n in find_names(text) if n.kind == "person"]
    longer = [one for one in found if squeeze(one) != name and squeeze(one).startswith(name)]
    if not longer or any(squeeze(one) == name for one in found):
        return None
    rest = squeeze(text)
    for one in longer:
        rest = rest.replace(squeeze(one), "¦")
    return None if name in rest else longer[0]
