"""answers(found, right): which value does an answer give for what was asked? Proved yes, proved no, or open.

    总共42000元，其中定金10000元              42000: the other has a label of its own
    42000元或24000元                         nothing: two values, one question
    42000元（第一笔20000元，第二笔22000元）   42000: the others are its parts
    可能是42000元                            open: a guess proves nothing

What an answer denies, asks, supposes, corrects or tells of former times it does not give; what it only guesses or
plans stays open. A quotation answers where the words around it do nothing but introduce it.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from decimal import Decimal
from functools import lru_cache
from itertools import islice
from typing import Literal, NamedTuple

from ragstone.reading import scopes
from ragstone.reading.cuebook import tables
from ragstone.reading.cues import cue
from ragstone.reading.lexicon import DEFAULT
from ragstone.reading.refusals.declines import declines
from ragstone.reading.scopes import Clause
from ragstone.reading.sentences import Piece, quotes
from ragstone.reading.statements import Statements
from ragstone.reading.tokens import root
from ragstone.reading.values.names import find_names
from ragstone.text.fold import fold
from ragstone.text.late import late, lazy

Outcome = Literal["match", "wrong", "several", "missing", "open"]

ASIDE = (scopes.ASKED, scopes.LED, scopes.UNKNOWN, scopes.SUPPOSED, scopes.CORRECTED, scopes.FORMER)
"""Flags under which a value is not given."""
DOUBTS = (scopes.GUESSED, scopes.MAYBE, scopes.PLANNED, scopes.ALTERNATIVE, scopes.CONDITION)
"""Flags under which it stays open. What somebody says is none, records are made of that; a rumour is."""

_NOT = cue(
    r"(?:不是|并非|而非|绝非|不应为|不等于|误为|误作|误写[为作]?|\bnot|\bisn't|\brather than|\binstead of)\W{0,3}$"
)
_RISEN_TO = cue(r"\b(?:down|up) from .{1,30} to $")
_RUMOUR = cue(r"据说|听说|听闻|据传|网传|传闻|传言|谣|有人说|坊间|\breportedly\b|\ballegedly\b|\brumou?r|\bhearsay\b")
_SUBJECT = cue(r"他|她|我|\b(?:he|she|they|it|i|we)\b")
_BY = cue(
    r"[^,.;!?]{2,10}的[^,.;!?]{0,6}$|(?:超过|超出|高于|多于) ?$", r"\b(?:until|till|more than|over|exceed(?:ing)?) ?$"
)
_MARKS = r"[,;.!?()\[\]:、]"
_BREAK = late(rf"(?<![0-9]){_MARKS}|{_MARKS}(?![0-9])|\n")
_OTHERWISE = cue(
    r"或者?|要么|抑或|说法|(?:说|称)(?:是|有)|也可能|可能|不确定|不一致|\bor\b|\beither\b|\bmaybe\b|\bperhaps\b"
)
# What stands before such a turn is set right by what follows: 有人说24000元，但笔录显示是42000元.
_TURNS = cue(r"但|然而|实际上|其实|而是|应为|更正为|\bbut\b|\bactually\b|\bhowever\b")
_RESTATES = cue(r"(?:是|为|即|系|等于|应|核实|更正|:|\bis|\bwas)\W{0,2}$")
_OR_NUMBER = cue(r"\W{0,2}(?:或者?|或是|还是|要么|\bor\b)\W{0,2}[0-9一二三四五六七八九十两]")
_OR_ELSE = cue(r"\W{0,3}还是\W{0,3}")
_LABEL = cue(
    r"一共|总共|共计|合计|总计|总额|总金额|总价|总数|累计|其中|另外?|此外|单价|定金|订金|押金|首付|尾款|利息|手续费",
    r"佣金|介绍费|辛苦费|租金|工资|罚|成本|利润|注册|市场价|原价|第[一二三四五六七八九十0-9]+[次笔期个]|每|退|归还|返还",
    r"剩|余|欠|还差|花|买|用于|后来|之后|随后|实际|承诺|约定|转账|现金|微信",
    r"\btotal|\baltogether|\bin all\b|\bof which\b|\beach\b|\bper\b|\brefund|\breturn|\bdeposit|\bfees?\b|\bremain",
    r"\bbalance\b|\binterest\b|\brent\b|\blater\b|\bactually\b|\bpromised\b|\bcash\b|\btransfer",
    r"総額|手付金|敷金|頭金|残金|手数料|총액|합계|계약금|보증금|중도금|잔금|수수료|이자",
)
_TOTAL = cue(r"一共|总共|共计|合计|总计|总额|总金额|总价|总数|累计|\btotal|\baltogether|\bin all\b|総額|총액|합계")
_TURN = cue(r"第[一二三四五六七八九十0-9]+(?=[次笔期个批回])|最后(?=一?[次笔期个批回])|\b(?:first|second|third|last)\b")
_SETTLED = cue(r"实际|最终|最后|认定|核定|改判|\bactual|\bfinally\b|\bin fact\b|\bin the end\b")
_FOCUS = cue(
    r"(?:^|的|[,.:])((?:(?!的)[\u4e00-\u9fff]){2,6}?)(?:是|为|在|于)?"
    r"(?:哪一?[天日年月]|什么时候|何时|几[月号日]|多少元?|什么日期)(?=\W*$)",
    r"\b(?:when|date|day) (?:did|was|were|is|are|does|do)\b[^?]*?\b([a-z]{4,})\W*$",
)
"""The last noun before a question word, or the verb that ends an English question."""
_HAN = late(r"[\u4e00-\u9fff]")
_LATIN = late(r"[a-z]{3,}")
_HANGUL = late(r"[\uac00-\ud7a3]")
_CONTENT = late(r"[\u4e00-\u9fff]|[0-9]+|[a-z]{2,}")
_PLACE = cue(
    r"第 ?[0-9一二三四五六七八九十百]{1,5} ?[页条行段]|\bpages? ?[0-9]{1,5}|\bp\. ?[0-9]{1,5}"
    r"|[^\s,.;:!?▒]{1,60}\.(?:md|pdf|docx?|txt)|来源|出处|依据|引用|引文|原文|参见|见|\bsource|\bsee|\bquote"
)
_BRACKETS = late(r"[(\[]([^()\[\]]{0,2000})[)\]]")
_WHICH = cue(
    r"多少|几|谁|什么|哪|何|怎|为啥|多久|多大|多长",
    r"\b(?:how|what|who|whom|whose|when|which|where|why)\b",
)
_LIGHT = frozenset(fold("的是为在于中里他她其了由从据依有即系我这那该此上一个共总多少几谁什么哪何人钱款元没不")) | {
    *(
        "the",
        "an",
        "is",
        "was",
        "were",
        "who",
        "whom",
        "did",
        "do",
        "doe",
        "what",
        "which",
        "how",
        "much",
        "mani",
        "name",
    ),
    *("are", "and", "ha", "had", "of", "in", "on", "to", "for", "it", "he", "she", "they", "or", "at", "by", "wa"),
}
"""Words of a question that are denied without denying what was asked."""
_MOST_PARTS, _MOST, _MOST_HITS = 60, 200, 5
MOST_FOUND = 1000
"""Values of one answer that are looked at."""
_NEAR, _TAIL = 60, 10
_NO_FIGURE = frozenset(("asks_back", "no_figure", "not_given"))
"""Rules by which an answer declines that gives no figure; one in a quotation may be given."""
_LONGEST = 4000


class Found(NamedTuple):
    """A value that stands in an answer."""

    value: object
    start: int
    end: int
    rule: str
    shown_from: int | None = None
    """Where the words begin that a reader is shown, with a limit before the value."""
    shown_to: int | None = None


class Choice(NamedTuple):
    """Whether the right value is given, by which rule, and what else stands there."""

    outcome: Outcome
    found: str = ""
    rule: str = ""
    others: tuple[str, ...] = ()


class Told:
    """An answer, read once, beside what it was asked."""

    def __init__(self, text: str, question: str = "", expected: str = "") -> None:
        self.question, self.asked, self._given = question, fold(question), text
        self._names = names_in(self.asked) | names_in(fold(expected))
        self.said = Statements(text, self._names)
        self.text, self.folded = self.said.written, self.said.text
        self.own = _own_flags(self.asked)
        """The flags of what the question itself says: where it asks for what was not paid, 未付 turns nothing."""

    # --- what a place is under ---

    def turn(self, start: int, end: int) -> str:
        """The flag that keeps a place from being given, behind a question mark where it only leaves it open."""
        quote = self.quote(start)
        if quote is not None:
            inner = self.inside(quote)
            return inner.turn(start - quote.start - 1, end - quote.start - 1)
        clause = self.said.at(start)
        flags, denied = clause.flags(start)
        near = self.folded[max(0, start - 16) : start]
        if _NOT.search(near) or (denied % 2 and scopes.NEGATED not in self.own and not self._passes(clause, start)):
            return scopes.NEGATED
        if scopes.FORMER in flags and _RISEN_TO.search(self.folded, max(0, start - _NEAR), start):
            flags -= {scopes.FORMER}
        silent = [hit.end for hit in clause.hits if hit.end <= start and "silent" in hit.kinds]
        if silent and all(_BY.search(self.folded, end, start) for end in silent):
            flags -= {scopes.UNKNOWN}
        for flag in ASIDE:
            if flag in flags and flag not in self.own:
                return flag
        if self._taken_back(clause, end) or (scopes.NEGATED not in self.own and self._undone(clause, end)):
            return scopes.CORRECTED
        if any("doubt" in hit.kinds and hit.end <= start for hit in clause.hits):
            return scopes.UNKNOWN
        if scopes.HEARSAY in flags and _RUMOUR.search(self.folded, max(0, start - _NEAR), start):
            return "?" + scopes.HEARSAY
        return next(("?" + flag for flag in DOUBTS if flag in flags and flag not in self.own), "")

    def _passes(self, clause: Clause, start: int) -> bool:
        """Whether a denial passes by a value: 没有借条的42000元, not more than 5, or one before a colon."""
        first = min(
            (one.origin for one in clause.scopes if one.flag == scopes.NEGATED and one.origin < start), default=0
        )
        if first < clause.start:
            return _SUBJECT.search(self.folded, clause.start, start) is not None
        return _BY.search(self.folded, first, start) is not None

    @lazy
    def _read(self) -> dict[int, "Told"]:
        return {}

    def inside(self, quote: Piece) -> "Told":
        """A quotation, read on its own."""
        if quote.start not in self._read:
            self._read[quote.start] = Told(self.text[quote.start + 1 : quote.end - 1], self.question)
        return self._read[quote.start]

    def _after(self, clause: Clause) -> Clause | None:
        at = bisect_right(self.said.starts, clause.start)
        return self.said.clauses[at] if at < len(self.said.clauses) else None

    def _taken_back(self, clause: Clause, end: int) -> bool:
        """Whether the next clause is nothing but a denial: 三次。不，四次。"""
        after = self._after(clause)
        if after is None or not after.hits or not after.has("negation", "denial"):
            return False
        if after.end - after.start > _NEAR or after.asked or clause.asked:
            return False
        left = self.folded[after.start : after.hits[0].start] + self.folded[after.hits[0].end : after.end]
        return not _CONTENT.search(left)

    def _undone(self, clause: Clause, end: int) -> bool:
        """Whether what was asked is denied behind the value: 11月8日还没进场; 答应付42000元，但没有付."""
        asked = content(self.asked)
        if self._denies(clause, end, asked) or self._denied_before(clause, asked):
            return True
        after = self._after(clause)
        if after is None or not after.but or after.sentence != clause.sentence:
            return False
        return self._denies(after, after.start, asked & content(self.folded[max(clause.start, end - _NEAR) : end]))

    def _denied_before(self, clause: Clause, asked: frozenset[str]) -> bool:
        """Whether the clause before denied what was asked, and this one is silent of it: 并未付款，5000元一直欠着."""
        at = bisect_left(self.said.starts, clause.start) - 1
        before = self.said.clauses[at] if at >= 0 else None
        if before is None or clause.but or before.sentence != clause.sentence or self._has_digit(before):
            return False
        here = content(self.folded[clause.start : min(clause.end, clause.start + _NEAR)])
        return asked.isdisjoint(here) and self._denies(before, before.start, asked)

    def _has_digit(self, clause: Clause) -> bool:
        return any(char.isdigit() for char in self.folded[clause.start : clause.end])

    def _denies(self, clause: Clause, start: int, words: frozenset[str]) -> bool:
        """Whether a clause denies some of the words behind a place, and says none of them."""
        stop = min(clause.end, start + _NEAR)
        places = [one.start() for one in _CONTENT.finditer(self.folded, start, stop) if _key(one[0]) in words]
        return bool(places) and all(clause.flags(place)[1] % 2 for place in places)

    @lazy
    def moves_on(self) -> bool:
        """Whether the answer tells what holds now, so that what was formerly so does not."""
        return any(one.has("now", "becomes", "moves", "ousts") for one in self.said.clauses)

    # --- quotations ---

    @lazy
    def quotes(self) -> list[Piece]:
        """Its quotations; none where it is nothing but one."""
        found = quotes(self.text)
        return [] if len(found) == 1 and not _CONTENT.search(self._around(found)) else found

    def _around(self, found: Sequence[Piece]) -> str:
        """The answer without some stretches, which are blanked."""
        text = self.folded
        for one in islice(reversed(found), _MOST):
            text = text[: one.start] + "▒" * (one.end - one.start) + text[one.end :]
        return text

    def quote(self, place: int) -> Piece | None:
        """The quotation that a place stands in."""
        at = bisect_right(self._quote_starts, place) - 1
        return self.quotes[at] if at >= 0 and place < self.quotes[at].end else None

    @lazy
    def _quote_starts(self) -> list[int]:
        return [one.start for one in self.quotes]

    @lazy
    def hidden(self) -> str:
        """The answer's text with its quotations blanked."""
        return self._around(self.quotes) if self.quotes else self.folded

    @lazy
    def outside(self) -> Statements:
        """The answer read without its quotations."""
        if not self.quotes:
            return self.said
        hidden = (b if b == "▒" else a for a, b in zip(self.text, self.hidden, strict=True))
        return Statements("".join(hidden), self._names)

    def words_at(self, span: tuple[int, int]) -> str:
        """The words at a span of a verdict on what stands outside its quotations."""
        return (self._given if self.outside is self.said else self.text)[slice(*span)]

    @lazy
    def _brackets(self) -> list[tuple[int, int]]:
        return [one.span() for one in _BRACKETS.finditer(self.hidden) if "▒" in one[1]]

    @lazy
    def rest(self) -> str:
        """The answer's own words: no quotations, no brackets with them, no places they come from."""
        text = self.hidden
        for start, end in reversed(self._brackets[:_MOST]):
            text = text[:start] + " " + text[end:]
        return _PLACE.sub(" ", text.replace("▒", " ")[:_LONGEST])

    def quote_answers(self, places: Sequence[int]) -> bool:
        """Whether a value at these places, all in quotations, may be the answer."""
        rest = Statements(self.rest)
        declined = declines(self.question, rest)
        if declined.rule in _NO_FIGURE:
            declined = declines(self.question, self.said)
        if declined.outcome == "yes" or self._rest_denies(rest):
            return False
        introduced = any(not self._is_appended(place) for place in places[:_MOST_HITS])
        return introduced or not self._says_more()

    def _rest_denies(self, rest: Statements) -> bool:
        """Whether the words outside the quotations deny what was asked: 没有借钱给他."""
        if scopes.NEGATED in self.own:
            return False
        words = content(self.asked)
        return any(_key(one[0]) in words and rest.flags(one.start())[1] % 2 for one in _CONTENT.finditer(rest.text))

    def _is_appended(self, place: int) -> bool:
        """Whether a quotation stands in brackets, or behind nothing but its place."""
        quote = self.quote(place)
        if quote is None or any(start <= place < end for start, end in self._brackets[:_MOST]):
            return True
        clause = max(self.folded.rfind(mark, 0, quote.start) for mark in ".!?;\n") + 1
        return not _CONTENT.search(_PLACE.sub(" ", self.folded[clause : quote.start]))

    def _says_more(self) -> bool:
        """Whether the answer's own words do more than introduce a quotation."""
        known = {*_CONTENT.findall(_WHICH.sub(" ", self.asked)), *tables()["light"]}
        frame = tables()["talk"] | tables()["narrator"]
        rest = _WHICH.sub(" ", self.rest)
        for word in sorted((word for word in frame if len(word) > 1 and word in rest), key=len, reverse=True):
            rest = rest.replace(word, " ")
        return any(one not in known and one not in frame - {"不", "没", "无"} for one in _CONTENT.findall(rest))

    # --- the words around a value ---

    @lazy
    def _breaks(self) -> list[int]:
        return [found.start() for found in _BREAK.finditer(self.folded)]

    def shown(self, found: Found) -> str:
        """The words of a value, with the limit that makes it another one: 超过42000元."""
        start = found.start if found.shown_from is None else found.shown_from
        return self.text[start : found.end if found.shown_to is None else found.shown_to]

    def quoted(self, found: Found) -> bool:
        """Whether a value stands in a quotation."""
        return self.quote(found.start) is not None

    def restated(self, found: Found) -> bool:
        """Whether a value is put forward as what something is: 经核实为24000元."""
        return bool(_RESTATES.search(self.folded[max(0, found.start - 8) : found.start]))

    def doubled(self, found: Found) -> bool:
        """Whether another number follows as an alternative: 30日或31日."""
        return bool(_OR_NUMBER.match(self.folded, found.end, found.end + _TAIL))

    def before(self, found: Found) -> str:
        """The words before a value, back to the last comma."""
        first = bisect_left(self._breaks, found.start)
        start = max(self._breaks[first - 1] + 1 if first else 0, found.start - _NEAR)
        return self.folded[start : found.start]

    def clause(self, found: Found) -> str:
        """The words around a value, up to the next comma on each side, without the value."""
        return self.before(found) + " " + self.folded[found.end : self.stop(found)]

    def stop(self, found: Found) -> int:
        """Where the words behind a value end."""
        last = bisect_left(self._breaks, found.end)
        return min(self._breaks[last] if last < len(self._breaks) else len(self.folded), found.end + _NEAR)

    def between(self, one: Found, other: Found) -> str:
        """What stands between two neighbouring values; what is far apart has nothing between."""
        first, second = sorted((one, other), key=lambda found: found.start)
        return self.folded[first.end : second.start] if second.start - first.end < _NEAR else ""


@lru_cache(maxsize=512)
def content(folded: str) -> frozenset[str]:
    """The characters of Han and the Latin words of a text that carry meaning."""
    words = (one for one in _CONTENT.findall(folded) if not one[0].isdigit())
    return frozenset(_key(one) for one in words) - _LIGHT


def _key(word: str) -> str:
    """A Latin word by its stem."""
    return root(word) if word.isascii() else word


@lru_cache(maxsize=4096)
def _own_flags(asked: str) -> frozenset[str]:
    said = Statements(asked, names_in(asked))
    found = {scope.flag for one in said.clauses for scope in one.scopes}
    return frozenset(found - {scopes.ASKED, scopes.LED, scopes.UNKNOWN})


@lru_cache(maxsize=4096)
def names_in(folded: str) -> frozenset[str]:
    """The names in a folded question."""
    return frozenset(folded[one.start : one.end] for one in find_names(folded))


def answers(
    told: Told,
    found: Sequence[Found],
    right: Callable[[Found], bool],
    *,
    granted: frozenset[object] = frozenset(),
    margin: int,
) -> Choice:
    """Judge whether the answer gives the right value and no rival.

    `granted` values are no rivals (the question's own, a breakdown's parts). A value is also something else when its
    clause shares fewer characters with the question, by the `margin` at least.
    """
    found = found[:MOST_FOUND]
    turns = [told.turn(one.start, one.end) for one in found]
    if scopes.FORMER in turns and all(turn == scopes.FORMER for turn in turns) and not told.moves_on:
        turns = [""] * len(turns)
    stated = [one for one, turn in zip(found, turns, strict=True) if not turn or turn[0] == "?"]
    doubted = {one.start: turn[1:] for one, turn in zip(found, turns, strict=True) if turn[:1] == "?"}
    hits = [one for one in stated if right(one) and not _of_another_turn(told, one)]
    texts = tuple(dict.fromkeys(told.shown(one) for one in stated))
    if not hits:
        return Choice("wrong" if texts else "missing", others=texts)
    outside = [hit for hit in hits if not told.quoted(hit)]
    aside = (one for one, turn in zip(found, turns, strict=True) if turn and turn[0] != "?" and not told.quoted(one))
    if not outside and (any(map(right, aside)) or not told.quote_answers([hit.start for hit in hits])):
        return Choice("wrong", others=tuple(told.shown(one) for one in found if not told.quoted(one)))
    choice = _among(told, hits, outside, stated, right, granted, margin)
    firm = [hit for hit in (outside or hits) if hit.start not in doubted]
    if choice.outcome == "match" and not firm:
        hit = (outside or hits)[0]
        return Choice("open", told.shown(hit), doubted[hit.start], (told.shown(hit),))
    return choice


def _of_another_turn(told: Told, found: Found) -> bool:
    """Whether a value belongs to another turn than the one asked for: 第一笔 where 最后一笔 was asked."""
    asked = {one[0] for one in _TURN.finditer(told.asked)}
    told_of = {one[0] for one in _TURN.finditer(told.clause(found))} if asked else set()
    return bool(told_of) and asked.isdisjoint(told_of)


def _among(
    told: Told,
    hits: Sequence[Found],
    outside: Sequence[Found],
    stated: Sequence[Found],
    right: Callable[[Found], bool],
    granted: frozenset[object],
    margin: int,
) -> Choice:
    """Judge right values beside their rivals."""
    rivals = [other for other in stated if not right(other) and other.value not in granted]
    if outside:
        rivals = [other for other in rivals if not told.quoted(other)]
    hit = (outside or hits)[0]
    parts = _parts(hits, stated) if rivals else set()
    # 42000美元 has the right number and is a rival all the same.
    same = {hit.value for hit in hits}
    rivals = [other for other in rivals[:_MOST] if other.value not in parts or other.value in same]
    # A value outside the quotes is what the answer says, whatever its quotes hold.
    firm = [] if outside else [other for other in rivals if not told.quoted(other)]
    rivals = firm or [o for o in rivals if not _is_something_else(told, hits[:_MOST_HITS], o, margin)]
    found = told.text[hit.start : hit.end]
    if not rivals and told.doubled(hit):
        return Choice("several", found, hit.rule, (told.text[hit.start : hit.end + _TAIL].strip(),))
    if rivals:
        return Choice("several", found, hit.rule, tuple(dict.fromkeys(told.shown(one) for one in rivals)))
    return Choice("match", found, hit.rule)


def _parts(hits: Sequence[Found], stated: Sequence[Found]) -> set[object]:
    """The values in rows of neighbours that add up to the right value, or to a part of it."""
    values = [one.value for one in stated[:_MOST_PARTS]]
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


def _is_something_else(told: Told, hits: Sequence[Found], other: Found, margin: int) -> bool:
    """Whether a value is labelled as another thing than the one asked for."""
    theirs = told.clause(other)
    if any(hit.start > other.end and _TURNS.search(told.between(other, hit)) for hit in hits):
        return True
    if _OTHERWISE.search(theirs) or _settles(told, theirs, hits):
        return False
    asked, label = _labels(told.asked), _labels(theirs)
    own_words = any(len(words.findall(theirs)) > 1 for words in (_HAN, _LATIN, _HANGUL)) and not told.restated(other)
    for hit in hits:
        ours = told.clause(hit)
        between = told.between(hit, other)
        if _OTHERWISE.search(between) or _OR_ELSE.fullmatch(between):
            continue
        if own_words and _focused(told, hit, other) and not _focused(told, other, hit):
            return True
        own = _labels(ours)
        if label - asked - own:
            return True
        if own_words and (
            (asked & own) - label or _nearness(ours, told.asked) - _nearness(theirs, told.asked) >= margin
        ):
            return True
    return False


def _focused(told: Told, found: Found, rival: Found) -> bool:
    """Whether the words around a value name just what is asked for: 起租日为…, and its term began on …"""
    focus = _FOCUS.search(told.asked)
    if focus is None:
        return False
    words = told.before(found)
    words = words[max(0, len(words) - (found.start - rival.end)) :] if rival.end <= found.start else words
    if focus[1]:
        stop = told.stop(found)
        words += told.folded[found.end : stop if rival.start < found.end else min(stop, rival.start)]
        stem = focus[1].removesuffix("日")
        return any(one in words for one in (focus[1], *DEFAULT.same(focus[1]), *DEFAULT.same(stem)))
    keys = {"~" + root(focus[2]), *DEFAULT.same_stems(root(focus[2]))}
    return any("~" + root(word) in keys for word in _LATIN.findall(words))


def _settles(told: Told, theirs: str, hits: Sequence[Found]) -> bool:
    """Whether another value is what it came to in the end, and no right one is: 约定5000元，实际付了8000元."""
    if not _SETTLED.search(theirs) or content(told.asked).isdisjoint(content(theirs)):
        return False
    asked = _labels(told.asked) - _labels(theirs)
    return not any(_SETTLED.search(told.clause(hit)) or asked & _labels(told.clause(hit)) for hit in hits)


def _labels(words: str) -> set[str]:
    """Name the labels in some words; all words for a total are one."""
    return {"total" if _TOTAL.fullmatch(found[0]) else found[0] for found in _LABEL.finditer(words)}


def _nearness(words: str, question: str) -> int:
    return len(content(words) & content(question))
