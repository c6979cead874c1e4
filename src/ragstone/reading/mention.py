"""Does an answer state a key point? Yes, no or unsure, and which rule says so; knows no score.

    point = Point.prepare("支持ChromaDB")            # once per key point
    mentions(point, "目前不支持ChromaDB。").verdict    # "no", by the rule "negated"

Two ways lead to yes. verbatim: the point stands in the answer and is not denied, asked, supposed, guessed or
corrected. coverage: its words stand in one sentence or two neighbours, with every number, name and polarity kept.
"""

import itertools
from bisect import bisect_right
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Literal, NamedTuple

from msgspec import Struct

from ragstone.reading.citations.document_names import EXTENSIONS
from ragstone.reading.cues import cue
from ragstone.reading.negation import Moods
from ragstone.reading.points import AGENT_MARKS, DIRECT, ONLY, PAST, PHASE, Form, Point, Unit, limit_weight
from ragstone.reading.replies import Reply
from ragstone.reading.scattered import Part, cut, rival_of
from ragstone.reading.sentences import Piece, next_sentence
from ragstone.reading.values.number_limits import NONE, Limit, limit_of, may_be_limited
from ragstone.reading.values.persons import is_longer, is_whole
from ragstone.reading.values.values import Value
from ragstone.reading.words import weight, words
from ragstone.text.fold import bare, fold
from ragstone.text.late import late

__all__ = ["Mention", "Point", "Reply", "Verdict", "mentions"]

Verdict = Literal["yes", "no", "unsure"]

STATED = 0.75
"""Share of a point's weight that must be there for yes, in one sentence."""
STATED_IN_TWO = 0.85
"""The same for two neighbouring sentences."""
DOUBTFUL = 0.6
"""Share from which the verdict is unsure instead of no."""
FAINT = 0.3
"""Share below which it is not worth naming the missing word."""
TURNED = 0.3
"""Share of the found words with the other polarity from which the point is denied."""
AGREED = 0.6
"""The same when both deny the same word: its subject may stand on either side."""

_CORRECTED = cue(
    r"^\W*(?:不对|更正|错了|纠正|说错|应为|不,|\(?correction\b|wait\b|actually\b|no,|sorry, (?:i meant|it))",
)
_DENIED_AFTER = cue(
    r"^[^,.;!?]{0,12}?(?:不|没有?|未|无法)(?:再|被|受|能|予|在|得到|获){0,2}(?:支持|支援|提供|包含|包括|可用|兼容|相容|采用"
    r"|使用|之列|列入|推荐|适用)",
    r"^[^,.;!?]{0,20}?\b(?:is|are|was|were|has|have|will)(?: not|n't| no longer| never)(?: be| been)? (?:\w+"
    r" )?(?:support|includ|availab|provid|compatib|used|recommend)",
    r"^(?:では|じゃ)(?:な|あり)|^[^,.]{0,10}(?:対応していません|サポートされていません|できません|使えません|使えない)",
    r"^(?:之外|以外|除外)(?![^.;!?]{0,12}(?:还|也|另))",
)
_ACTS = cue(r"(?<![自理缘经事情])由(?!于|此)|(?<!回)归(?![还属来类档纳于])")
_PASSIVE_EN = cue(r"\b(?:is|are|was|were|be|been|being|got|by|which|that)\b")
_PASSIVE = cue(r"被|由|受|为|给|向|从|\bby\b|\bfrom\b|\bto\b|\bof\b")
_CLAUSE_MARK = late(r"[,.;!?](?!\d)")
_WRITTEN_MARK = late(r"[，；。！？]|[,.;!?](?!\d)")
_LATIN_WORD = late(r"[a-z0-9]+")
_LATIN_SIDE = late(r"[a-z0-9]")
_HAN_SIDE = late("[\u4e00-\u9fff]")
_DEPUTY = cue(r"副$|\b(?:vice|deputy|assistant|associate)[ -]$")
_GOES_ON = late(r"[+#a-z0-9]|[-_][0-9]")
# Answers copied from web pages lose spaces: was written byNorah Jones.
_LOST_SPACE = late(r"(?<![a-z0-9])(?:in|on|by|is|the|at|of|to|from|was|with|and|as)$")
_ENDING = late(r"(?:e?s|[0-9]{1,2})(?![a-z0-9+#])")
_DETAIL = cue(
    r"多少|几|什么|哪|如何|怎|为何|何时|何地|多久|多大|多长",
    r"\b(?:what|when|where|which|how|why)\b",
)
_CHOICE = cue(r"还是|或者?|谁|哪一?个|哪位|\bor\b|\bwho\b|\bwhich\b")
_CLOSED = cue(r"吗|是否|是不是|能不能|有没有|^(?:is|are|was|were|do|does|did|can|could|will|would|has|have)\b")
_LABEL = cue(
    r"(?:第|版本号?|步骤|章节|附录|图|表|编号|序号|节|\b(?:v|ver|version|chapter|section|page|p|step|no|figure|fig|table|part"
    r"|question|article|clause|item|appendix|vol|volume|rule))[. #:]{0,2}$"
)
_LABELLED = cue(rf"\.(?:{EXTENSIONS})(?![a-z])")
_ADDRESS = late(r"(?:https?://|www\.)[^\s\u3000-\u9fff]{0,60}$")
_ASKS_LABEL = cue(r"第(?:几|多少|何)|哪[一几]?[章节页条步版项]|版本|\b(?:which|version|chapter|section|page|step)\b")
_LIMITS = cue(
    r"最[低高少多大小长短早晚迟]|至[少多]|起码|超过|不到|以[上下内]|[上下]限|限[制额]|[高低多少大小]于",
    r"\b(?:min|max)|\bat (?:least|most)|\b(?:more|less|fewer) than|\bover\b|\bunder\b|exceed|\blimit",
)
_COUNTS = cue(
    r"(?:几|多少)(?:个|台|名|位|人|件|条|只|张|份|种|家|辆|本|间|套|次|项|款|座|所)?(?P<han>[\u4e00-\u9fff]{2,4})",
    r"\bhow many (?P<latin>[a-z]+)",
)
_SHUNS = cue(
    r"(?:避免|防止|杜绝|规避|免去|省去|严防|谨防)(?:了|使用|采用|进行|出现|发生|再)?$",
    r"\b(?:avoid|prevent)(?:s|ed|ing)?(?: the| any| a)? $",
)
_SHUN_ENDS = frozenset(fold("免止绝避去省防了用行现生再 "))
_LIST = late(
    r"(?:\s?[、/]\s?[^、，。；,;.!?！？\s和与與及]{1,20}){0,6}(?:\s?(?:和|与|與|及|以及|或)\s?[^、，。；,;.!?！？\s]{1,20}?)?"
    r"(?:等[^\W\d_]{0,5}?)?\s?(?=均|都|皆|全|一律)"
    r"|(?:, [\w.+-]{1,20}){0,6},? (?:and|or) [\w.+-]{1,20}(?= (?:is|are|was|were|will|has|have)\b)"
)
"""The other names of a list that is then spoken of as one."""
_LIST_OPENS = frozenset("、/和与與及以或等 ,")
_ALL = cue(r"(?:均|都|皆|全都?|一律)")
_VALUE_REACH = cue(r"(?:[^的者时后前每按价费额率税:,]{0,6})|[ a-z']{1,40}")
"""What may stand between a negator and the number it denies."""
_OF_WHOM = late(r"'s? |的")
_BRIEF = 60
_COMPLEMENT = cue(r"掉|住|下来|起来|回来|回去|过来")
_LONG_QUESTION = 500
_FAR = 30
_RESPECTIVELY = cue(r"分别|各自|依次|\brespectively\b")
_LEADING = frozenset("经含有被可因该本各以为所需应须对将带用")
_NEGATIONS = frozenset("不未无没非")
_ROUND = 64
"""Characters on either side of a number in which its limit, or what it changed to, is told."""
_NEAR = 12
"""Characters that may stand between two words of one name."""
_ENOUGH = 200
"""Places of a whole point that are looked at."""
_MANY_VALUES = 50
_MANY = 8
"""Places of one word that are looked at in one window."""


class Mention(Struct, frozen=True):
    """The verdict on one key point and one answer."""

    verdict: Verdict
    rule: str
    """Code of the rule that decided. For yes: verbatim, coverage. For no: not_found, negated, asked, supposed, guessed,
    outdated, corrected, echo, number_changed, number_missing, word_missing, swapped, coverage. For unsure: coverage,
    apart."""
    params: dict[str, str] = {}
    """What the rule speaks of, e.g. {"expected": "42000元", "found": "24000元"}; for a sentence in any language."""
    span: tuple[int, int] | None = None
    """Where in the answer."""
    score: float = 0.0
    """Share of the point's weight found, 0..1."""


_NOTHING = Mention("no", "not_found")


class _Kept(NamedTuple):
    own: Value
    value: Value
    """The same in the answer."""
    trouble: str
    """Why it is not stated: negated, guessed, outdated; empty if it is."""


class _Hit(NamedTuple):
    unit: Unit
    place: int
    end: int
    turned: bool
    """Whether it is said with the other polarity."""
    share: float
    opposite: bool = False
    """Whether the opposite word stands there; turned by a negator, it says the same."""


def mentions(point: Point | str, answer: Reply | str, question: str = "") -> Mention:
    """Whether the answer states the point explicitly; prepare both sides when they are used more than once."""
    ready = Point.prepare(point) if isinstance(point, str) else point
    reply = Reply.prepare(answer) if isinstance(answer, str) else answer
    echoes = _echoes(reply, question)
    found = [_counted(form, _mention(form, reply, echoes, question), reply, question) for form in ready.forms]
    return max(found, key=_rank) if len(found) > 1 else found[0]


def _rank(mention: Mention) -> tuple[int, float]:
    return ("no", "unsure", "yes").index(mention.verdict), mention.score


def _echoes(reply: Reply, question: str) -> list[Piece]:
    asked = _asked(question)
    if not asked or asked not in reply.bare.text:
        return []
    return [piece for piece in reply.pieces[:_ENOUGH] if bare(reply.text[piece.start : piece.end]) == asked]


_asked = lru_cache(maxsize=256)(bare)


@lru_cache(maxsize=256)
def _topic(question: str) -> str:
    """A question that asks for a detail names its topic, which the answer need not repeat; a choice names none."""
    folded = fold(question[:_LONG_QUESTION])
    return folded if _DETAIL.search(folded) and not _CHOICE.search(folded) else ""


def _mention(form: Form, reply: Reply, echoes: list[Piece], question: str) -> Mention:
    verbatim = _verbatim(form, reply, echoes, question)
    if verbatim is not None:
        return verbatim
    best = _NOTHING
    units = [unit for unit in form.units if _occurs(unit, reply)]
    if not form.weight or not (units or form.values):
        return best
    topic = _topic(question)
    for window, single in reply.windows:
        if any(echo.start < window.end and window.start < echo.end for echo in echoes):
            continue
        enough = STATED if single else STATED_IN_TWO
        best = max(best, _coverage(form, units, reply, window, (topic, question), enough), key=_rank)
        if best.verdict == "yes":
            break
    return best


def _verbatim(form: Form, reply: Reply, echoes: list[Piece], question: str) -> Mention | None:
    last = None
    for start, end in _occurrences(form.bare, reply):
        if _is_longer(form, reply.folded, start, end) or (
            end - start <= _NEAR
            and reply.folded[start].isnumeric()
            and form.numeral
            and _is_label(reply, start, end, question)
        ):
            continue
        problem = (
            "echo"
            if any(echo.start <= start < echo.end for echo in echoes)
            else _problem(form, reply, start, end, question)
        )
        if problem is None:
            return Mention("yes", "verbatim", {}, (start, end), 1.0)
        last = Mention("no", problem, {}, (start, end), 1.0)
    return last


def _occurrences(needle: str, reply: Reply) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    text = reply.bare.text
    at = text.find(needle) if needle else -1
    while at >= 0 and len(found) < _ENOUGH:
        start, end = reply.bare.span(at, at + len(needle))
        if _stands_alone(reply.folded, start, end):
            found.append((start, end))
        at = text.find(needle, at + len(needle))
    return found


def _is_longer(form: Form, folded: str, start: int, end: int) -> bool:
    """Whether the place only holds part of a longer title or name: 副主任 is not 主任, 王安然 not 王安."""
    if _DEPUTY.search(folded, max(0, start - _NEAR), start):
        return not form.deputy
    if _OF_WHOM.match(folded, end) and (form.person or (form.compact and form.latin)):
        return not is_whole(folded, start, end)
    return bool(_HAN_SIDE.match(folded, end)) and form.person and is_longer(folded, start, end)


def _stands_alone(folded: str, start: int, end: int) -> bool:
    """Whether no Latin word or number goes on at either side: Go is not in Google, 4.2 not in 14.2."""
    before, after = folded[max(0, start - 2) : start], folded[end : end + 2]
    first, last = folded[start], folded[end - 1]
    if _LATIN_SIDE.match(first) and before:
        if _LATIN_SIDE.match(before[-1]) and not _LOST_SPACE.search(folded, max(0, start - 6), start):
            return False
        if first.isdigit() and before[-1] in ".," and before[0].isdigit():
            return False
    if not _LATIN_SIDE.match(last):
        return True
    if last.isdigit():
        return not (after[:1].isalnum() and after[:1].isascii()) and not (
            after[:1] in (".", ",") and after[1:].isdigit()
        )
    # A long word may carry a plural s or the number of a footnote.
    return not _GOES_ON.match(after) or (end - start >= 4 and bool(_ENDING.match(folded, end)))


def _problem(form: Form, reply: Reply, start: int, end: int, question: str) -> str | None:
    moods = reply.moods
    plain = moods.is_plain(start)
    # A point that opens with its own denial is denied once more only by a negator in front of it.
    if (not plain and moods.negated(start)) or _denied_behind(reply, end):
        return "negated"
    if _shunned(reply.folded, start) and not form.turns:
        return "negated"
    if moods.past(start) and not (form.past or _asks_past(question)):
        return "outdated"
    if _other_limit(form, reply, start, end) and not _asks_limit(question):
        return "number_changed"
    return (None if plain else _mood(form, moods, start)) or ("corrected" if _corrected(reply, end) else None)


def _mood(form: Form, moods: Moods, start: int) -> str | None:
    if moods.asked(start) and not form.asks:
        return "asked"
    if moods.supposed(start) and not form.supposes and not form.compact and len(form.units) > 1:
        return "supposed"
    return "guessed" if moods.guessed(start) and not form.guesses else None


def _denied_behind(reply: Reply, end: int) -> bool:
    """Whether what stands behind denies it, alone or with the rest of a list: A、B均不在支持之列."""
    if _DENIED_AFTER.search(reply.folded[end : end + 60]):
        return True
    others = _LIST.match(reply.text, end) if reply.text[end : end + 1] in _LIST_OPENS else None
    if not others or others.end() == end:
        return False
    shared = _ALL.match(reply.folded, others.end())
    at = shared.end() if shared else others.end()
    return _DENIED_AFTER.search(reply.folded[at : at + 60]) is not None


def _other_limit(form: Form, reply: Reply, start: int, end: int) -> bool:
    """Whether a number of the point is a limit here, or the old value: 42000元以上."""
    if not may_be_limited(reply.folded[max(0, start - _ROUND) : end + _ROUND]) or not form.values:
        return False
    there = [value for value in reply.values_in(Piece(max(0, start - 5), end)) if value.end > start]
    return any(
        any(own.equals(value) for value in there) and not any(own.same(value) for value in there) for own in form.values
    )


def _is_label(reply: Reply, start: int, end: int, question: str) -> bool:
    """Whether a number only names a chapter, a version, a file or an address."""
    near = max(0, start - _NEAR)
    labels = (
        _LABEL.search(reply.folded, near, start)
        or _LABELLED.match(reply.folded, end)
        or _ADDRESS.search(reply.folded, max(0, start - 80), start)
    )
    return bool(labels) and not _ASKS_LABEL.search(fold(question[:_LONG_QUESTION]))


def _counted(form: Form, mention: Mention, reply: Reply, question: str) -> Mention:
    """Take back a yes to a bare number when another number stands with what the question counts."""
    told = _counts(question) if mention.verdict == "yes" else ""
    if not told or not form.numeral:
        return mention
    there = [
        value
        for value in reply.values[:_MANY_VALUES]
        if reply.folded.startswith(told, value.end + reply.folded.startswith(" ", value.end))
    ]
    if not there or any(form.values[0].equals(value) for value in there):
        return mention
    params = {"expected": form.values[0].text, "found": there[0].text}
    return Mention("no", "number_changed", params, (there[0].start, there[0].end), mention.score)


@lru_cache(maxsize=256)
def _asks_limit(question: str) -> bool:
    """Whether a question asks for a limit, so that the answer may set one."""
    return bool(_LIMITS.search(fold(question[:_LONG_QUESTION])))


@lru_cache(maxsize=256)
def _asks_past(question: str) -> bool:
    """Whether a question asks what was once."""
    return bool(PAST.search(fold(question[:_LONG_QUESTION])))


@lru_cache(maxsize=256)
def _counts(question: str) -> str:
    """What a question counts: 节点 of 有几个节点."""
    found = _COUNTS.search(fold(question[:_LONG_QUESTION]))
    return (found["han"] or found["latin"]) if found else ""


def _corrected(reply: Reply, end: int) -> bool:
    start = next_sentence(reply.text, end)
    return bool(_CORRECTED.match(reply.folded[start : start + 60]))


def _occurs(unit: Unit, reply: Reply) -> bool:
    """Whether an answer could say a unit anywhere; what this overlooks, no window finds."""
    text, folded = unit.text, reply.folded
    if unit.latin:
        return not reply.stems.isdisjoint((text, *unit.same, *unit.opposite))
    if any(other in folded for other in (text, *unit.same, *unit.opposite)):
        return True
    if unit.named:
        return False
    if len(text) == 2:
        return not unit.firm and text[0] in folded
    if len(text) == 4:
        return text[:2] in folded and text[2:] in folded
    return len(text) >= 3 and (text[:-1] in folded or (text[0] in _LEADING and text[1:] in folded))


def _coverage(
    form: Form, units: list[Unit], reply: Reply, window: Piece, asked: tuple[str, str], enough: float
) -> Mention:
    span = (window.start, window.end)
    stems = reply.stems_in(window) if form.latin else {}
    hits = _spend(form, [hit for unit in units if (hit := _hit(unit, reply, window, stems))], reply)
    values = reply.values_in(window) if form.values else []
    said = [one for own in form.values if (one := _kept(form, own, values, reply, window, asked[1]))]
    kept = [one.own for one in said]
    if not hits and not kept:
        return _NOTHING
    found = sum(hit.share * hit.unit.weight for hit in hits) + len(kept) + _limits_kept(form, said, hits, reply)
    given = _given(form, hits, kept, values, reply, window, asked[0]) if asked[0] else frozenset()
    if len(kept) == len(form.values) and _open(asked[1]) and _says_only(form, hits, said, reply):
        given = frozenset(unit for unit in form.units if unit.place not in {hit.unit.place for hit in hits})
    score = min(1.0, found / (form.weight - sum(unit.weight for unit in given)))
    if len(kept) < len(form.values):
        return _number_mention(form, kept, values, span, score)
    rival = _rival(form, hits, values, reply, window) if score >= DOUBTFUL else None
    if rival:
        params = {"expected": form.values[0].text, "found": rival.text}
        return Mention("no", "number_changed", params, span, score)
    missing = _missing(form, hits, given, reply, window)
    if not missing and score >= enough:
        missing = _replaced(form, hits, values, reply)
    problem = _trouble(form, hits, said, reply, window) if score >= DOUBTFUL else None
    if not problem and score >= enough and _crossed(form, hits, values, reply, window):
        problem = "swapped"
    if problem:
        return Mention("no", problem, {}, span, score)
    if not missing and score >= enough:
        missing = _scattered(form, hits, said, reply, window)
    if missing and score >= FAINT:
        return Mention("no", "word_missing", {"word": missing}, span, score)
    return _by_share(form, hits, reply.folded, span, score, enough)


def _scattered(form: Form, hits: list[_Hit], said: list[_Kept], reply: Reply, window: Piece) -> str:
    """A word of the point that is said of something else, in another clause than the rest."""
    clauses = cut(reply.text, window) if len(hits) + len(said) > 1 else []
    places = [hit.place for hit in hits] + [one.value.start for one in said]
    if not clauses or any(clause.start <= min(places) and max(places) < clause.end for clause in clauses):
        return ""
    units = [hit.unit for hit in hits]
    return rival_of(form, [_part(form, units, reply, clause) for clause in clauses], reply)


def _part(form: Form, units: list[Unit], reply: Reply, clause: Piece) -> Part:
    stems = reply.stems_in(clause) if form.latin else {}
    found = (hit for unit in units if (hit := _hit(unit, reply, clause, stems)) and not hit.opposite)
    spans = {hit.unit.place: (hit.place, _word_end(hit, reply.folded)) for hit in found}
    values = reply.values_in(clause) if form.values else []
    for own in form.values:
        spans.update((own.start, (value.start, value.end)) for value in values if own.same(value))
    return Part(clause, spans, values)


def _word_end(hit: _Hit, folded: str) -> int:
    """Where a word ends of which a Latin hit only tells the stem."""
    word = _LATIN_WORD.match(folded, hit.place) if hit.unit.latin else None
    return word.end() if word else hit.end


def _kept(form: Form, own: Value, values: list[Value], reply: Reply, window: Piece, question: str) -> _Kept | None:
    """Where an answer gives a number of the point, stated if it can be."""
    found = None
    for value in values:
        if own.same(value) or (own.equals(value) and not value.old and _asks_limit(question)):
            if form.numeral and _is_label(reply, value.start, value.end, question):
                continue
            past = form.past or own.old or _asks_past(question)
            found = _Kept(own, value, _value_trouble(form, own, value, reply, past=past))
            if not found.trouble:
                return found
    return found or (_version(own, reply, window) if own.measure == "bare" else None)


def _version(own: Value, reply: Reply, window: Piece) -> _Kept | None:
    """A number such as 18.2 that the answer writes as a version, which is no number."""
    written = f"{own.low}"
    places = reply.stems_in(window).get(written) if "." in written else None
    if not places:
        return None
    limit = limit_of(reply.folded, places[0], places[0] + len(written), "number")
    value = own._replace(start=places[0], end=places[0] + len(written), limit=limit)
    return _Kept(own, value, "") if own.same(value) else None


def _value_trouble(form: Form, own: Value, value: Value, reply: Reply, *, past: bool) -> str:
    moods = reply.moods
    if not past and moods.past(value.start):
        return "outdated"
    if moods.is_plain(value.start):
        return ""
    if own.start not in form.denied and not own.old and not value.limit.denies and moods.negated(value.start):
        reach = moods.denied_at(value.start)
        if reach < 0 or _VALUE_REACH.fullmatch(reply.folded, reach, value.start):
            return "negated"
    return "guessed" if moods.guessed(value.start) and not form.guesses else ""


def _limit_at(place: int, hits: list[_Hit], reply: Reply) -> Limit:
    hit = next((hit for hit in hits if hit.unit.place == place), None)
    return limit_of(reply.folded, hit.place, hit.end, "number") if hit else NONE


def _limits_kept(form: Form, said: list[_Kept], hits: list[_Hit], reply: Reply) -> float:
    """The weight of the limits that the answer sets too."""
    kept = sum(limit_weight(one.own.limit) for one in said if one.own.limit.side == one.value.limit.side)
    bounds = (limit for place, limit in form.bounds if limit.side == _limit_at(place, hits, reply).side)
    return kept + sum(map(limit_weight, bounds))


def _spend(form: Form, hits: list[_Hit], reply: Reply) -> list[_Hit]:
    """Let a denial stand for 避免, and 避免 for a denial: 不用重复计算 avoids it."""
    if not form.turning:
        shunned = [at for at, hit in enumerate(hits) if _shunned(reply.folded, hit.place)]
        for at in shunned:
            hits[at] = hits[at]._replace(turned=not hits[at].turned)
        return hits
    for place in form.turning:
        behind = next((hit for hit in hits if hit.unit.place > place), None)
        turning = next((hit for hit in hits if hit.unit.place == place), None)
        if behind is None or not behind.turned or (turning and not _is_denial(turning, reply)):
            continue
        reach = reply.moods.denied_at(behind.place)
        hits = [hit._replace(turned=False) if reply.moods.denied_at(hit.place) == reach else hit for hit in hits]
        if turning is None:
            unit = next(unit for unit in form.units if unit.place == place)
            hits = [_Hit(unit, behind.place, behind.place, False, 1.0), *hits]
    return hits


def _shunned(folded: str, place: int) -> bool:
    """Whether 避免 or avoid stands in front of this place."""
    near = max(0, place - _NEAR)
    return folded[place - 1 : place] in _SHUN_ENDS and _SHUNS.search(folded, near, place) is not None


def _is_denial(hit: _Hit, reply: Reply) -> bool:
    return reply.folded[hit.place] in _NEGATIONS


@lru_cache(maxsize=256)
def _open(question: str) -> bool:
    """Whether a question asks for something and offers nothing: its answer may be a bare number."""
    folded = fold(question[:_LONG_QUESTION]).strip()
    return bool(folded) and not _CHOICE.search(folded) and not _CLOSED.search(folded)


def _says_only(form: Form, hits: list[_Hit], said: list[_Kept], reply: Reply) -> bool:
    """Whether an answer is nothing but the point's numbers."""
    if len(reply.folded) > _BRIEF or not (said or any(hit.unit.text[0].isdigit() for hit in hits)):
        return False
    spans = [(one.value.start, one.value.end) for one in said] + [(hit.place, hit.end) for hit in hits]
    others = (word for word in words(reply.folded) if weight(word) or word.latin)
    return all(any(start <= word.start < end for start, end in spans) for word in others) and len(reply.values) == len(
        said
    )


def _number_mention(form: Form, kept: list[Value], values: list[Value], span: tuple[int, int], score: float) -> Mention:
    lost = next(value for value in form.values if value not in kept)
    rivals = [value for value in values if (value.measure == "date") == (lost.measure == "date")]
    rivals.sort(key=lambda value: not lost.equals(value))
    if rivals and score >= 0.4:
        return Mention("no", "number_changed", {"expected": lost.text, "found": rivals[0].text}, span, score)
    return Mention("no", "number_missing", {"expected": lost.text}, span, score)


def _trouble(form: Form, hits: list[_Hit], said: list[_Kept], reply: Reply, window: Piece) -> str | None:
    """Why what is there is not stated."""
    told = _turned(form, hits, reply, window) or next((one.trouble for one in said if one.trouble), None)
    if told or any(not limit.admits(_limit_at(place, hits, reply)) for place, limit in form.bounds):
        return told or "number_changed"
    return _unstated(form, hits, said, reply)


def _turned(form: Form, hits: list[_Hit], reply: Reply, window: Piece) -> str | None:
    """Polarity; turned words are let pass when point and window deny equally often and agree on a denied word."""
    turned = sum(hit.unit.weight for hit in hits if hit.turned)
    if any(hit.turned and hit.opposite for hit in hits) or _other_phase(form, hits, reply):
        return "negated"
    if not turned:
        return None
    share = turned / sum(hit.unit.weight for hit in hits)
    # 不开放 for 闭馆: the negator is spent on the opposite, and denies nothing more.
    spent = sum(hit.opposite and reply.folded[hit.place] not in _NEGATIONS for hit in hits)
    even = (reply.moods.denials(window.start - 1, window.end) - form.denials - spent) % 2 == 0
    if spent and even:
        return None
    agreed = any(hit.unit.negated and not hit.turned and hit.unit.weight == 1 for hit in hits)
    return None if even and share < (AGREED if agreed else TURNED) else "negated"


def _other_phase(form: Form, hits: list[_Hit], reply: Reply) -> bool:
    """Whether 后 stands where the point has 前, or the other way round."""
    wanted = dict(form.phases)
    told = ((wanted.get(hit.unit.place), PHASE.match(reply.folded, hit.end)) for hit in hits) if wanted else ()
    return any(own and other and own != other[1] for own, other in told)


def _unstated(form: Form, hits: list[_Hit], said: list[_Kept], reply: Reply) -> str | None:
    total = sum(hit.unit.weight for hit in hits)
    if not hits and not form.asks and any(reply.moods.asked(one.value.start) for one in said):
        return "asked"
    moods = (
        ("asked", reply.moods.asked, form.asks),
        ("outdated", reply.moods.past, form.past or bool(said)),
        ("supposed", reply.moods.supposed, form.supposes),
        ("guessed", reply.moods.guessed, form.guesses),
    )
    for name, holds, own in moods:
        if not own and total and sum(hit.unit.weight for hit in hits if holds(hit.place)) > total / 2:
            return name
    return "swapped" if _swapped(form, hits, reply) else None


def _swapped(form: Form, hits: list[_Hit], reply: Reply) -> bool:
    """Whether two parties change places around the same verb, without a word that turns the sentence round."""
    if form.agent is not None and (
        _other_agent(form.agent, hits, reply) or _stranger_acts(form, hits, reply) or _is_object(form, hits, reply)
    ):
        return True
    if _other_order(form, hits, reply) or (form.active and _turned_round(hits, reply.folded)):
        return True
    if form.pair is None:
        return False
    first, second = (form.units[at] for at in form.pair)
    places = {hit.unit.place: hit.place for hit in hits}
    one, other = places.get(first.place), places.get(second.place)
    if one is None or other is None or one < other:
        return False
    verbs = [unit for unit in form.units if first.place < unit.place < second.place]
    if verbs and not any(other < places.get(verb.place, -1) < one for verb in verbs):
        return False
    between = reply.folded[max(0, other - 1) : one]
    asked = form.text[first.place : second.place]
    return not _CLAUSE_MARK.search(between) and bool(_PASSIVE.search(between)) == bool(_PASSIVE.search(asked))


def _other_agent(agent: int, hits: list[_Hit], reply: Reply) -> bool:
    """Whether 由 or 被 makes another noun of the point the one who acts."""
    doers = [hit.unit.place for hit in hits if hit.unit.noun and reply.folded[hit.place - 1 : hit.place] in AGENT_MARKS]
    return bool(doers) and agent not in doers and any(hit.unit.place == agent for hit in hits)


def _stranger_acts(form: Form, hits: list[_Hit], reply: Reply) -> bool:
    """Whether 由, 被 or 归 makes somebody act whom the point does not know: 归车主出 is not 由保险公司承担."""
    agent = next((hit.place for hit in hits if hit.unit.place == form.agent), -1) if form.marked else -1
    if agent < 0 or reply.folded[agent - 1 : agent] in AGENT_MARKS:
        return False
    near = _ACTS.search(reply.folded, max(0, min(hit.place for hit in hits) - _NEAR), max(hit.end for hit in hits))
    if not near:
        return False
    doer = next(iter(words(reply.folded[near.end() : near.end() + _NEAR])), None)
    return doer is not None and doer.nominal and weight(doer) == 1


def _is_object(form: Form, hits: list[_Hit], reply: Reply) -> bool:
    """Whether the one who acts stands right behind the verb, and somebody else in front of it."""
    agent = next((hit for hit in hits if hit.unit.place == form.agent), None)
    verb = next((hit for hit in hits if not hit.unit.noun and hit.unit.place > (form.agent or 0)), None)
    if form.marked or agent is None or verb is None or not 0 <= agent.place - verb.end <= 1:
        return False
    opening = max(reply.folded.rfind(mark, max(0, verb.place - _FAR), verb.place) for mark in ",.;!?") + 1
    before = words(reply.folded[max(opening, verb.place - _FAR) : verb.place])
    return any(word.nominal and weight(word) == 1 for word in before)


def _crossed(form: Form, hits: list[_Hit], values: list[Value], reply: Reply, window: Piece) -> bool:
    """Whether two values or rivals have changed places: 租金2000元，押金3000元 for 租金3000元，押金2000元."""
    if len(form.values) + len(form.rivals) < 2 or _RESPECTIVELY.search(reply.folded, *window):
        return False
    said = {hit.unit.place: hit.place for hit in hits}
    items = {place: said[place] for place in form.rivals if place in said}
    for own in form.values:
        items.update((own.start, value.start) for value in values[:_MANY_VALUES] if own.same(value))
    texts = [unit.text for unit in form.units]
    anchors = {
        hit.unit.place: hit.place
        for hit in hits
        if hit.unit.weight == 1 and hit.unit.place not in items and texts.count(hit.unit.text) == 1
    }
    wanted = {place: _nearest(place, anchors) for place in items}
    back = {there: place for place, there in anchors.items()}
    got = {place: back.get(_nearest(there, back), -1) for place, there in items.items()}
    return any(
        wanted[one] != wanted[two]
        and wanted[one] == got[two]
        and wanted[two] == got[one]
        and -1 not in (got[one], got[two])
        for one, two in itertools.combinations(items, 2)
    )


def _nearest(place: int, anchors: Iterable[int]) -> int:
    """The last anchor in front of a place."""
    return max((anchor for anchor in anchors if anchor < place), default=-1)


def _turned_round(hits: list[_Hit], folded: str) -> bool:
    """Whether doer and object of three words have changed places: the borrower sued the bank."""
    if len(hits) < 3:
        return False
    doer, verb, aim = hits
    between = folded[aim.end : verb.place] if aim.place < verb.place < doer.place else "by"
    return not _PASSIVE_EN.search(between) and DIRECT.fullmatch(folded, verb.place, doer.place) is not None


def _other_order(form: Form, hits: list[_Hit], reply: Reply) -> bool:
    """Whether 先 begins with another step: 先登录再注册 is not 先注册再登录."""
    if not form.begins or not hits:
        return False
    places = sorted(hit.place for hit in hits)
    first = reply.folded.find("先", max(0, places[0] - _NEAR), places[-1])
    nearest = min((hit for hit in hits if hit.place > first), key=_place, default=None) if first >= 0 else None
    return nearest is not None and nearest.unit.place != form.begins


def _place(hit: _Hit) -> int:
    return hit.place


def _rival(form: Form, hits: list[_Hit], values: list[Value], reply: Reply, window: Piece) -> Value | None:
    """Another value that the words go with: 周一开馆，周二闭馆 does not say 周一闭馆."""
    others = [value for value in values if not any(own.same(value) for own in form.values)]
    heavy = [hit.unit for hit in hits if hit.unit.weight == 1 and not hit.unit.latin]
    if any(not unit.noun for unit in heavy):
        heavy = [unit for unit in heavy if unit.place == form.measured] or [unit for unit in heavy if not unit.noun]
    if _RESPECTIVELY.search(reply.folded, *window):
        return None
    if not others or not heavy or len(form.values) != 1 or len(values) > _MANY_VALUES:
        return None
    own = form.values[0]
    bounds = [window.start, *(mark.end() for mark in _WRITTEN_MARK.finditer(reply.text, *window)), window.end]
    spans = {value: _clause_of(value.start, bounds) for value in values}
    if any(_says(reply.folded, span, heavy, any) for value, span in spans.items() if own.same(value)):
        return None
    # What is denied or no longer holds is no rival: 押金不是2000元，而是3000元.
    rivals = (value for value in others if (value.measure == "date") == (own.measure == "date") and not value.old)
    rivals = (v for v in rivals if not reply.moods.negated(v.start) and not reply.moods.past(v.start))
    return next((value for value in rivals if _says(reply.folded, spans[value], heavy, all)), None)


def _clause_of(place: int, bounds: list[int]) -> Piece:
    at = bisect_right(bounds, place)
    return Piece(bounds[at - 1], bounds[min(at, len(bounds) - 1)])


def _says(folded: str, clause: Piece, units: list[Unit], how: Callable[[Iterable[bool]], bool]) -> bool:
    return how(any(folded.find(text, *clause) >= 0 for text in _wordings(unit)) for unit in units)


def _wordings(unit: Unit) -> tuple[str, ...]:
    """What says a unit: itself, its synonyms, and 截止 for 截止日."""
    short = () if unit.latin or unit.named or len(unit.text) != 3 else (unit.text[:-1],)
    return (unit.text, *unit.same, *short)


def _replaced(form: Form, hits: list[_Hit], values: list[Value], reply: Reply) -> str:
    """A word in whose place, between the same neighbours, another word stands: 免费停车一次 for 免费退货一次."""
    places = {hit.unit.place: (hit.place, hit.end) for hit in hits}
    for own in form.values:
        places.update((own.start, (value.start, value.end)) for value in values if own.same(value))
    order = sorted([unit.place for unit in form.units] + [own.start for own in form.values])
    sides = {place: (left, right) for left, place, right in zip(order, order[1:], order[2:], strict=False)}
    for unit in form.units:
        left, right = (places.get(side) for side in sides.get(unit.place, (-1, -1)))
        if unit.weight < 1 or unit.place in places or left is None or right is None:
            continue
        if right[0] - left[1] <= _NEAR and _is_other(reply.folded[left[1] : right[0]], unit.text):
            return unit.text
    return ""


def _is_other(slot: str, text: str) -> bool:
    """Whether a slot holds another word: 还书 is like 归还, but 导出 is the rival of 导入."""
    content = [word.text for word in words(slot) if weight(word) and len(word.text) > 1]
    rival = any(
        len(word) == len(text) and any(one == two for one, two in zip(word, text, strict=True)) for word in content
    )
    return bool(content) and (rival or not set(slot) & set(text))


def _given(
    form: Form, hits: list[_Hit], kept: list[Value], values: list[Value], reply: Reply, window: Piece, topic: str
) -> frozenset[Unit]:
    """The nouns that the question gave and the answer leaves out, if it does not open with another noun."""
    there = {hit.unit.place for hit in hits}
    left = [unit for unit in form.units if unit.firm and unit.place not in there and unit.text in topic]
    if not left:
        return frozenset()
    places = [hit.place for hit in hits] + [value.start for value in values if any(own.same(value) for own in kept)]
    first = min(places)
    opening = max((mark.end() for mark in _CLAUSE_MARK.finditer(reply.folded, window.start, first)), default=0)
    before = words(reply.folded[max(window.start, opening, first - _FAR) : first])
    return frozenset() if any(word.nominal and weight(word) for word in before) else frozenset(left)


def _missing(form: Form, hits: list[_Hit], given: frozenset[Unit], reply: Reply, window: Piece) -> str:
    there = {hit.unit.place for hit in hits if hit.share >= 0.7}
    wanted = (unit for unit in form.units if unit.firm and unit not in given)
    lost = next((unit.text for unit in wanted if unit.place not in there), "")
    if not lost and form.only and not ONLY.search(reply.folded, *window):
        return form.only
    return lost if lost or form.deputy else _deputy(hits, reply.folded)


def _deputy(hits: list[_Hit], folded: str) -> str:
    """A word that is only said of a deputy."""
    of_deputy = (hit for hit in hits if _DEPUTY.search(folded, max(0, hit.place - _NEAR), hit.place))
    return next((hit.unit.text for hit in of_deputy if hit.unit.weight == 1), "")


def _by_share(form: Form, hits: list[_Hit], folded: str, span: tuple[int, int], score: float, enough: float) -> Mention:
    if form.compact and score >= enough and not _together(hits, folded):
        return Mention("unsure", "apart", {}, span, min(1.0, score))
    verdict: Verdict = "yes" if score >= enough else "unsure" if score >= DOUBTFUL else "no"
    return Mention(verdict, "coverage", {}, span, min(1.0, score))


def _together(hits: list[_Hit], folded: str) -> bool:
    """Whether the words of a Latin name stand near each other in order; a name in Han is only stated verbatim."""
    latin = [hit for hit in hits if hit.unit.latin]
    if len(latin) < 2 or len(latin) < len(hits):
        return False
    last = _LATIN_WORD.match(folded, latin[-1].place)
    if last and not is_whole(folded, latin[-1].place, last.end()):
        return False
    gaps = [two.place - one.place - len(one.unit.text) for one, two in itertools.pairwise(latin)]
    return all(0 <= gap <= _NEAR for gap in gaps)


def _hit(unit: Unit, reply: Reply, window: Piece, stems: dict[str, list[int]]) -> _Hit | None:
    """Where a window says a unit: itself, a synonym, its opposite turned round, or most of its characters."""
    for text in (unit.text, *unit.same):
        places = stems.get(text, []) if unit.latin else _places(reply.folded, text, window)
        if unit.person:
            places = [place for place in places if is_whole(reply.folded, place, place + len(text))]
        if places:
            return _best(unit, places, reply, len(text))
    for text in unit.opposite:
        places = stems.get(text, []) if unit.latin else _places(reply.folded, text, window)
        if places:
            return _best(unit, places, reply, len(text), opposite=True)
    return None if unit.latin or unit.named else _soft_hit(unit, reply, window)


def _places(folded: str, text: str, window: Piece) -> list[int]:
    found: list[int] = []
    at = folded.find(text, window.start, window.end)
    while at >= 0 and len(found) < _MANY:
        found.append(at)
        at = folded.find(text, at + len(text), window.end)
    return found


def _best(unit: Unit, places: list[int], reply: Reply, length: int, *, opposite: bool = False) -> _Hit:
    # What holds now is looked at before what held once.
    ordered = sorted(places, key=reply.moods.past) if len(places) > 1 else places
    for place in ordered:
        if reply.moods.negated(place) ^ opposite == unit.negated:
            return _Hit(unit, place, place + length, False, 1.0, opposite)
    return _Hit(unit, places[0], places[0] + length, True, 1.0, opposite)


def _soft_hit(unit: Unit, reply: Reply, window: Piece) -> _Hit | None:
    text = unit.text
    if len(text) == 2 and not unit.firm:
        spread = _spread(reply.folded, text, window)
        if spread < 0:
            spread = _rooted(reply.folded, text, window)
        return _best(unit, [spread], reply, 2)._replace(share=0.8) if spread >= 0 else None
    if len(text) == 4:
        halves = [_places(reply.folded, half, window) for half in (text[:2], text[2:])]
        if all(halves):
            return _best(unit, halves[1], reply, 2)
    if len(text) != 4 and len(text) >= 3:
        # 入口处 is said by 入口, but not by the end it shares with 出口处; 含酒精 is said by 酒精.
        for part in (text[:-1], text[1:]) if text[0] in _LEADING else (text[:-1],):
            places = _places(reply.folded, part, window)
            if places:
                return _best(unit, places, reply, len(part))._replace(share=0.8)
    return None


def _spread(folded: str, text: str, window: Piece) -> int:
    """Where the two characters of a verb stand apart: 重启 in 重新启动."""
    for at in _places(folded, text[0], window):
        if folded.find(text[1], at + 1, min(at + 4, window.end)) > 0:
            return at
    return -1


def _rooted(folded: str, text: str, window: Piece) -> int:
    """Where a verb's first character stands with another complement: 关 in 关掉, 降 in 降下来."""
    return next((at for at in _places(folded, text[0], window) if _COMPLEMENT.match(folded, at + 1)), -1)
