"""Which of several values an answer states as the answer (R1.3); knows no field and no score.

总共42000元，其中定金10000元        42000: the other has a label of its own
42000元或24000元                   nothing: two values, one question
42000元（第一笔20000元，第二笔22000元）  42000: the others are its parts
"""

import re
from bisect import bisect_left
from collections.abc import Callable, Sequence
from decimal import Decimal
from functools import lru_cache
from typing import Literal, NamedTuple

from ragstone.contracts.legal_rag.outside_quotes import Outside, stating
from ragstone.reading.cues import cue
from ragstone.reading.negation import Moods
from ragstone.reading.sentences import hide_quotes
from ragstone.text.fold import fold
from ragstone.text.late import lazy

Outcome = Literal["match", "wrong", "several", "missing"]

_MARKS = r"[,;.!?()\[\]:、]"
_BREAK = re.compile(rf"(?<![0-9]){_MARKS}|{_MARKS}(?![0-9])|\n")
_OTHERWISE = cue(
    r"或者?|要么|抑或|说法|(?:说|称)(?:是|有)|也可能|可能|不确定|不一致|\bor\b|\beither\b|\bmaybe\b|\bperhaps\b"
)
# What stands before such a turn is set right by what follows: 有人说24000元，但笔录显示是42000元.
_TURNS = cue(r"但|然而|实际上|其实|而是|应为|更正为|\bbut\b|\bactually\b|\bhowever\b")
_RESTATES = cue(r"(?:是|为|即|系|等于|应|核实|更正|:|\bis|\bwas)\W{0,2}$")
_OR_NUMBER = cue(r"\W{0,2}(?:或者?|或是|还是|要么|\bor\b)\W{0,2}[0-9一二三四五六七八九十两]")
_OR_ELSE = cue(r"\W{0,3}还是\W{0,3}")
_NOT = cue(
    r"(?:不是|并非|而非|绝非|不应为|不等于|误为|误作|误写[为作]?|\bnot|\bisn't|\brather than|\binstead of)\W{0,3}$"
)
# 42000元他没有给过: the denial stands behind.
_NOT_AFTER = cue(
    r"\W?(?:这|那)?(?:个|笔)?(?:他|她|我|对方|其)?(?:并|从来?|根本|实际|确实)?(?:没有?|未|不曾|未曾)"
    r"(?:借|给|付|支付|收到?|拿到?|转|交|退|见|写|签)(?:过|成)?(?=[,.;!?]|$)",
    r"\W?(?:都|均|也)?(?:不是|并非)(?=[,.;!?]|$)",
)
# 打算支付42000元，但没有付: so does the denial of the same verb in the next clause.
_NOT_DONE = cue(
    r"[^,.;!?]{0,6}[,.;] ?(?:但是?|却|可是?|然而)?(?:他|她|最终|最后|实际上?|后来|并|还|一直|至今|结果){0,3}"
    r"(?:没有?|未)(借|给|付|支付|收到?|拿到?|转|交|见|写|签)(?:过|出|成)?(?=[,.;!?]|$)"
)
_NOT_DONE_EN = cue(
    r"[^,.;!?]{0,30}[,.;] ?(?:but|yet|however),? (?:he |she |they |it )?(?:never|did not|didn't|has not|hasn't)"
    r" (?:did|do so|did so|pa(?:y|id)|gave|give|lent|lend|sent|send|received?)(?: it)?(?=[,.;!?]|$)"
)
_REFUSES = cue(r"\b(?:den(?:y|ies|ied|ying)|refus(?:e|es|ed|ing)|declin(?:e|es|ed)|nobody|no one)\b")
_WHETHER = cue(r"是否|是不是|有没有|\bwhether\b")
_CORRECTED = cue(
    r"[^,.;!?]{0,8}[,.;!?-]{1,3} ?(?:哦|噢|啊|呃|抱歉|对不起|sorry|oh)?[,.]? ?"
    r"(?:不[,.]|不对(?!外|称|等|应|于)|错了|更正|纠正|口误|说错|写错|应更正"
    r"|no[,.]|correction\b|i meant?\b|or rather\b|wait\b)"
)
"""What stands before these words is taken back by what follows."""
_LABEL = cue(
    r"一共|总共|共计|合计|总计|总额|总金额|总价|总数|累计|其中|另外?|此外|单价|定金|订金|押金|首付|尾款|利息|手续费",
    r"佣金|介绍费|辛苦费|租金|工资|罚|成本|利润|注册|市场价|原价|第[一二三四五六七八九十0-9]+[次笔期个]|每|退|归还|返还",
    r"剩|余|欠|还差|花|买|用于|后来|之后|随后|实际|承诺|约定|转账|现金|微信",
    r"\btotal|\baltogether|\bin all\b|\bof which\b|\beach\b|\bper\b|\brefund|\breturn|\bdeposit|\bfees?\b|\bremain",
    r"\bbalance\b|\binterest\b|\brent\b|\blater\b|\bactually\b|\bpromised\b|\bcash\b|\btransfer",
)
_TOTAL = cue(r"一共|总共|共计|合计|总计|总额|总金额|总价|总数|累计|\btotal|\baltogether|\bin all\b")
_ASKS_WHETHER = cue(r"(?:没有?)?[吗嘛呢么]?\W*$")
_MOST_PARTS = 60
_MOST = 200
_MOST_HITS = 5
_NEAR = 60
_TAIL = 10
_HAN = re.compile(r"[\u4e00-\u9fff]")
_HAN_RUN = re.compile(r"[\u4e00-\u9fff]+")


class Candidate(NamedTuple):
    """A value an answer mentions."""

    value: object
    start: int
    end: int
    rule: str
    shown_from: int | None = None
    """Where the words begin that a reader is shown, with a limit before the value."""
    shown_to: int | None = None


class Choice(NamedTuple):
    """Whether the right value is stated, by which rule, and what else stands there."""

    outcome: Outcome
    found: str = ""
    rule: str = ""
    others: tuple[str, ...] = ()


class Told:
    """An answer with the places of its quotes and the labels of its clauses, and what it was asked."""

    def __init__(self, text: str, question: str = "", asks: str = "") -> None:
        self.text = text
        self.question = question
        self.asks = asks
        self.folded = fold(text)

    @lazy
    def _hidden(self) -> str:
        return hide_quotes(self.text)

    @lazy
    def _breaks(self) -> list[int]:
        return [found.start() for found in _BREAK.finditer(self.folded)]

    @lazy
    def _moods(self) -> Moods:
        return stating(self.folded)

    def shown(self, candidate: Candidate) -> str:
        """Return the words of a value, with the limit that makes it another one: 超过42000元."""
        start = candidate.start if candidate.shown_from is None else candidate.shown_from
        return self.text[start : candidate.end if candidate.shown_to is None else candidate.shown_to]

    def quoted(self, candidate: Candidate) -> bool:
        """Tell whether a value stands in a quotation."""
        return self._hidden[candidate.start] != self.text[candidate.start]

    def quote_answers(self, candidates: Sequence[Candidate]) -> bool:
        """Tell whether values that stand only in quotations may be the answer."""
        outside = Outside(self.text, self._hidden, self.question, self.asks)
        return outside.lets_speak([candidate.start for candidate in candidates])

    def denied(self, candidate: Candidate) -> bool:
        """Tell whether a value is named only to be set aside: 不是24000元, 没有给24000元, 24000元，不对."""
        if _NOT.search(self.folded[max(0, candidate.start - 16) : candidate.start]):
            return True
        after = self.folded[candidate.end : candidate.end + _NEAR]
        if _CORRECTED.match(after):
            return True
        # Where the question asks for what was not done, 尚未归还31000元 states it.
        if denies(self.question):
            return False
        before = self.before(candidate)
        # "did not deny paying" denies twice.
        if self._moods.negated(candidate.start) != bool(_REFUSES.search(before)) or _WHETHER.search(before):
            return True
        undone = _NOT_DONE.match(after)
        same = undone is not None and undone[1][0] in before
        return same or bool(_NOT_AFTER.match(after) or _NOT_DONE_EN.match(after))

    def undone(self, candidate: Candidate) -> bool:
        """Tell whether what was asked is denied behind a value, and nothing of it said: 11月8日还没进场."""
        if denies(self.question):
            return False
        asked = _pairs(fold(self.question))
        places = [at for at in range(candidate.end, self.stop(candidate) - 1) if self.folded[at : at + 2] in asked]
        return bool(places) and all(self._moods.negated(at) for at in places)

    def restated(self, candidate: Candidate) -> bool:
        """Tell whether a value is put forward as what something is: 经核实为24000元."""
        return bool(_RESTATES.search(self.folded[max(0, candidate.start - 8) : candidate.start]))

    def doubled(self, candidate: Candidate) -> bool:
        """Tell whether another number follows as an alternative: 30日或31日."""
        return bool(_OR_NUMBER.match(self.folded, candidate.end, candidate.end + _TAIL))

    def before(self, candidate: Candidate) -> str:
        """Return the words of its clause that stand before a value."""
        first = bisect_left(self._breaks, candidate.start)
        start = max(self._breaks[first - 1] + 1 if first else 0, candidate.start - _NEAR)
        return self.folded[start : candidate.start]

    def clause(self, candidate: Candidate) -> str:
        """Return the words a value stands in, up to the next comma on each side, without the value."""
        return self.before(candidate) + " " + self.folded[candidate.end : self.stop(candidate)]

    def stop(self, candidate: Candidate) -> int:
        """Return where the clause of a value ends."""
        last = bisect_left(self._breaks, candidate.end)
        return min(self._breaks[last] if last < len(self._breaks) else len(self.folded), candidate.end + _NEAR)

    def between(self, one: Candidate, other: Candidate) -> str:
        """Return what stands between two neighbouring values; what is far apart has nothing between."""
        first, second = sorted((one, other), key=lambda candidate: candidate.start)
        return self.folded[first.end : second.start] if second.start - first.end < _NEAR else ""


@lru_cache(maxsize=4096)
def _pairs(folded: str) -> frozenset[str]:
    """Return the pairs of neighbouring Han characters of a question."""
    return frozenset(run[at : at + 2] for run in _HAN_RUN.findall(folded) for at in range(len(run) - 1))


@lru_cache(maxsize=4096)
def denies(question: str) -> bool:
    """Tell whether a question asks for what was not done: 还有多少没有归还."""
    folded = _ASKS_WHETHER.sub("", fold(question))
    return Moods(folded).denials(-1, len(folded)) > 0


def choose(
    told: Told,
    candidates: Sequence[Candidate],
    right: Callable[[Candidate], bool],
    *,
    question: str = "",
    granted: frozenset[object] = frozenset(),
    margin: int,
) -> Choice:
    """Judge whether the answer states the right value and no rival.

    `granted` values are no rivals (the question's own, a breakdown's parts).
    A value is also something else when its clause shares fewer characters with the question, by the `margin` at least.
    """
    stated = [candidate for candidate in candidates if not told.denied(candidate)]
    hits = [candidate for candidate in stated if right(candidate)]
    texts = tuple(dict.fromkeys(told.shown(candidate) for candidate in stated))
    if not hits:
        return Choice("wrong" if texts else "missing", others=texts)
    outside = [hit for hit in hits if not told.quoted(hit)]
    if not outside and (_takes_back(told, candidates, right) or not told.quote_answers(hits)):
        return Choice("wrong", others=tuple(told.shown(c) for c in candidates if not told.quoted(c)))
    rivals = [other for other in stated if not right(other) and other.value not in granted]
    if outside:
        rivals = [other for other in rivals if not told.quoted(other)]
    hit = (outside or hits)[0]
    parts = _parts(hits, stated) if rivals else set()
    # 42000美元 has the right number and is a rival all the same.
    same = {hit.value for hit in hits}
    rivals = [other for other in rivals[:_MOST] if other.value not in parts or other.value in same]
    asked = fold(question)
    # A value outside the quotes is what the answer says, whatever its quotes hold.
    firm = [] if outside else [other for other in rivals if not told.quoted(other)]
    rivals = firm or [o for o in rivals if not _is_something_else(told, hits[:_MOST_HITS], o, asked, margin)]
    found = told.text[hit.start : hit.end]
    if not rivals and told.doubled(hit):
        return Choice("several", found, hit.rule, (told.text[hit.start : hit.end + _TAIL].strip(),))
    if rivals:
        return Choice("several", found, hit.rule, tuple(dict.fromkeys(told.shown(c) for c in rivals)))
    return Choice("match", found, hit.rule)


def _takes_back(told: Told, candidates: Sequence[Candidate], right: Callable[[Candidate], bool]) -> bool:
    """Tell whether the answer denies in its own words what its quotes say."""
    return any(right(one) and not told.quoted(one) and told.denied(one) for one in candidates[:_MOST])


def _parts(hits: Sequence[Candidate], stated: Sequence[Candidate]) -> set[object]:
    """Gather the values in rows of neighbours that add up to the right value, or to a part of it."""
    values = [candidate.value for candidate in stated[:_MOST_PARTS]]
    sums = {hit.value for hit in hits}
    if not all(isinstance(value, Decimal) for value in values):
        return set()
    for _ in range(2):
        sums |= {part for run in _runs_to(values, sums) for part in run}
    return sums


def _runs_to(values: Sequence[object], sums: set[object]) -> list[list[object]]:
    found = []
    for start in range(len(values)):
        total = Decimal(0)
        for end in range(start, len(values)):
            value = values[end]
            assert isinstance(value, Decimal)
            total += value
            if end > start and total in sums:
                found.append(list(values[start : end + 1]))
    return found


def _is_something_else(told: Told, hits: Sequence[Candidate], other: Candidate, question: str, margin: int) -> bool:
    """Tell whether a value is labelled as another thing than the one asked for."""
    theirs = told.clause(other)
    if any(hit.start > other.end and _TURNS.search(told.between(other, hit)) for hit in hits):
        return True
    if _OTHERWISE.search(theirs):
        return False
    asked, label = _labels(question), _labels(theirs)
    own_words = len(_HAN.findall(theirs)) > 1 and not told.restated(other)
    for hit in hits:
        ours = told.clause(hit)
        between = told.between(hit, other)
        if _OTHERWISE.search(between) or _OR_ELSE.fullmatch(between):
            continue
        own = _labels(ours)
        if label - asked - own:
            return True
        if own_words and ((asked & own) - label or _nearness(ours, question) - _nearness(theirs, question) >= margin):
            return True
    return False


def _labels(words: str) -> set[str]:
    """Name the labels in some words; all words for a total are one."""
    return {"total" if _TOTAL.fullmatch(found[0]) else found[0] for found in _LABEL.finditer(words)}


def _nearness(words: str, question: str) -> int:
    return len(set(_HAN.findall(words)) & set(_HAN.findall(question))) + len(
        set(re.findall(r"[a-z]{3,}", words)) & set(re.findall(r"[a-z]{3,}", question))
    )
