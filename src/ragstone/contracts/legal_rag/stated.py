"""Which of several values an answer states as the answer (R1.3); knows no field and no score.

总共42000元，其中定金10000元        42000: the other has a label of its own
42000元或24000元                   nothing: two values, one question
42000元（第一笔20000元，第二笔22000元）  42000: the others are its parts
"""

import re
from bisect import bisect_left
from collections.abc import Callable, Sequence
from decimal import Decimal
from functools import cached_property
from typing import Literal, NamedTuple

from ragstone.parsing.cues import cue
from ragstone.parsing.sentences import hide_quotes
from ragstone.text.fold import fold

Outcome = Literal["match", "wrong", "several", "missing"]

_MARKS = r"[,;.!?()\[\]:、]"
_BREAK = re.compile(rf"(?<![0-9]){_MARKS}|{_MARKS}(?![0-9])|\n")
_OTHERWISE = cue(
    r"或者?|要么|抑或|说法|(?:说|称)(?:是|有)|也可能|可能|不确定|不一致|\bor\b|\beither\b|\bmaybe\b|\bperhaps\b"
)
# What stands before such a turn is set right by what follows: 有人说24000元，但笔录显示是42000元.
_TURNS = cue(r"但|然而|实际上|其实|而是|应为|更正为|\bbut\b|\bactually\b|\bhowever\b")
_RESTATES = cue(r"(?:是|为|即|系|等于|应|核实|更正|:|\bis|\bwas)\W{0,2}$")
_OR_NUMBER = cue(r"\W{0,2}(?:或者?|或是|要么|\bor\b)\W{0,2}[0-9一二三四五六七八九十两]")
_NOT = cue(
    r"(?:不是|并非|而非|绝非|不应为|不等于|误为|误作|误写[为作]?|\bnot|\bisn't|\brather than|\binstead of)\W{0,3}$"
)
_LABEL = cue(
    r"一共|总共|共计|合计|总计|总额|总金额|总价|总数|累计|其中|另外?|此外|单价|定金|订金|押金|首付|尾款|利息|手续费",
    r"佣金|介绍费|辛苦费|租金|工资|罚|成本|利润|注册|市场价|原价|第[一二三四五六七八九十0-9]+[次笔期个]|每|退|归还|返还",
    r"剩|余|欠|还差|花|买|用于|后来|之后|随后|实际|承诺|约定|转账|现金|微信",
    r"\btotal|\baltogether|\bin all\b|\bof which\b|\beach\b|\bper\b|\brefund|\breturn|\bdeposit|\bfees?\b|\bremain",
    r"\bbalance\b|\binterest\b|\brent\b|\blater\b|\bactually\b|\bpromised\b|\bcash\b|\btransfer",
)
_TOTAL = cue(r"一共|总共|共计|合计|总计|总额|总金额|总价|总数|累计|\btotal|\baltogether|\bin all\b")
_MOST_PARTS = 60
_MOST = 200
_MOST_HITS = 5
_NEAR = 60
_TAIL = 10
_HAN = re.compile(r"[\u4e00-\u9fff]")


class Candidate(NamedTuple):
    """A value an answer mentions."""

    value: object
    start: int
    end: int
    rule: str


class Choice(NamedTuple):
    """Whether the right value is stated, by which rule, and what else stands there."""

    outcome: Outcome
    found: str = ""
    rule: str = ""
    others: tuple[str, ...] = ()


class Told:
    """An answer with the places of its quotes and the labels of its clauses."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.folded = fold(text)

    @cached_property
    def _hidden(self) -> str:
        return hide_quotes(self.text)

    @cached_property
    def _breaks(self) -> list[int]:
        return [found.start() for found in _BREAK.finditer(self.folded)]

    def quoted(self, candidate: Candidate) -> bool:
        """Tell whether a value stands in a quotation."""
        return self._hidden[candidate.start] != self.text[candidate.start]

    def denied(self, candidate: Candidate) -> bool:
        """Tell whether a value is named only to be set aside: 不是24000元."""
        return bool(_NOT.search(self.folded[max(0, candidate.start - 16) : candidate.start]))

    def restated(self, candidate: Candidate) -> bool:
        """Tell whether a value is put forward as what something is: 经核实为24000元."""
        return bool(_RESTATES.search(self.folded[max(0, candidate.start - 8) : candidate.start]))

    def doubled(self, candidate: Candidate) -> bool:
        """Tell whether another number follows as an alternative: 30日或31日."""
        return bool(_OR_NUMBER.match(self.folded, candidate.end, candidate.end + _TAIL))

    def clause(self, candidate: Candidate) -> str:
        """Return the words a value stands in, up to the next comma on each side, without the value."""
        first, last = bisect_left(self._breaks, candidate.start), bisect_left(self._breaks, candidate.end)
        before = max(self._breaks[first - 1] + 1 if first else 0, candidate.start - _NEAR)
        after = min(self._breaks[last] if last < len(self._breaks) else len(self.folded), candidate.end + _NEAR)
        return self.folded[before : candidate.start] + " " + self.folded[candidate.end : after]

    def between(self, one: Candidate, other: Candidate) -> str:
        """Return what stands between two neighbouring values; what is far apart has nothing between."""
        first, second = sorted((one, other), key=lambda candidate: candidate.start)
        return self.folded[first.end : second.start] if second.start - first.end < _NEAR else ""


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
    texts = tuple(dict.fromkeys(told.text[candidate.start : candidate.end] for candidate in stated))
    if not hits:
        return Choice("wrong" if texts else "missing", others=texts)
    outside = [hit for hit in hits if not told.quoted(hit)]
    rivals = [other for other in stated if not right(other) and other.value not in granted]
    if outside:
        rivals = [other for other in rivals if not told.quoted(other)]
    hit = (outside or hits)[0]
    parts = _parts(hits, stated) if rivals else set()
    rivals = [other for other in rivals[:_MOST] if other.value not in parts]
    asked = fold(question)
    # A value outside the quotes is what the answer says, whatever its quotes hold.
    firm = [] if outside else [other for other in rivals if not told.quoted(other)]
    rivals = firm or [o for o in rivals if not _is_something_else(told, hits[:_MOST_HITS], o, asked, margin)]
    found = told.text[hit.start : hit.end]
    if not rivals and told.doubled(hit):
        return Choice("several", found, hit.rule, (told.text[hit.start : hit.end + _TAIL].strip(),))
    if rivals:
        return Choice("several", found, hit.rule, tuple(dict.fromkeys(told.text[c.start : c.end] for c in rivals)))
    return Choice("match", found, hit.rule)


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
        if _OTHERWISE.search(told.between(hit, other)):
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
