"""states(point, said): does a text state a point? Proved yes, proved no, or open.

    states(Point("支持ChromaDB"), Statements("目前不支持ChromaDB。")).rule      # "negated"

Yes: every part of the point is said in one clause or sentence, under the point's own flags. No: the parts are there,
also in two neighbouring sentences, under another flag, in another order, or with another value in their place. All
else is open.
"""

import itertools
import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from operator import attrgetter
from typing import Literal

from ragstone.reading import scopes
from ragstone.reading.asked import BARE_NO, BARE_YES, Asked, holds, listed, read_question
from ragstone.reading.cuebook import tables
from ragstone.reading.cues import cue
from ragstone.reading.points.forms import ALL, Form, Point
from ragstone.reading.points.numbers_asked import asks_limit, counts_things, is_label, is_other_rate, other_count
from ragstone.reading.points.pieces import (
    BRANCH,
    DEPUTY,
    Piece,
    add_values,
    find_pieces,
    find_words,
    is_asked,
    lacks,
    light,
    needed,
)
from ragstone.reading.points.roles import exchanged, inverted, paired_otherwise, swapped, tells
from ragstone.reading.points.subjects import (
    SEVERAL,
    asked_together,
    before,
    is_noun,
    is_of_other_label,
    is_of_other_rank,
    is_of_other_relation,
    names_other,
    residue,
    tells_of_other,
)
from ragstone.reading.points.turning import question_flags, turned_by
from ragstone.reading.points.unsaid import is_multiple, is_near, only_turned, unsaid
from ragstone.reading.sentences import Piece as Stretch
from ragstone.reading.statements import Statements
from ragstone.reading.synonyms import OPPOSITE
from ragstone.reading.tokens import TOKEN
from ragstone.reading.values.persons import is_whole
from ragstone.reading.values.values import Value
from ragstone.reading.verdicts import Verdict
from ragstone.text.fold import fold
from ragstone.text.late import late

_SIZES = ("clause", "sentence", "neighbours")
_WEIGHT = attrgetter("weight")
_NEIGHBOURS = 2
"""Two sentences, which may say no together and prove nothing."""
_NOT_FOUND = Verdict("open", "not_found")
_ENOUGH = 0.5
"""Share of a point's words beside which another value is one in its place."""
_MOST_WINDOWS = 2000
"""Clauses or sentences of one text in which a point is looked for part by part."""
_ASKS_PLACE = cue(r"哪里|哪儿|何处|什么地方|在哪", r"\bwhere\b", r"どこ|어디")
_ASKS_DAYS = late(r"(?:多少|几)个?[日天]|多久|多长")
_ASKS_TIMES = cue(r"次|频|多久|几[回遍趟]", r"\b(?:often|times|frequen\w+)\b", r"回|頻|번|자주|빈도")
_PAIR = 2
_NEXT_OF_LIST = late(fold(r"[,、和与及/]") + r"([^,、;.。]{1,10})|,? and ([^,;.]{1,20})")
"""From one value of a list to the next: 、半马"""
_INTRODUCED = 40
"""Characters before a quotation in which somebody is named who says it."""
_SAYS = cue(
    r"写道|写|称|说|喊|评价|留言|标语|口号|广告|传说|相信|认为|例如|比如|譬如|这样|回复|表示",
    r"\b(?:said|says|taught|wrote|claims?|claimed|believed|instance|example|e\.g\.|such as|slogan|told|argued|joked)\b",
    r"と(?:言|話|書)|例えば|たとえば|고 (?:하|말)|흔히|예를 들",
)
_CLAIMED = cue(
    r"[^,;.!?]{0,16}(?:标语|口号|广告|宣传语|说法|传言|谣言|误解|误会|误传|slogan|claim|rumou?r|myth|misconception"
    r"|キャッチコピー|噂|誤解|소문|문구|오해)"
)
_RULES = cue(
    r"规定|条|款|章程|合同|协议|说明书|手册|公告|通知|法|办法|载明|写明|注明|明确",
    r"\b(?:section|article|clause|rule|policy|by-?law|reads|states|contract|agreement|manual|label|notice|law)\b",
    r"規定|規約|契約|条|규정|약관|계약",
)
_ONLY_THEN = cue(r"[^\W\d]后(?=需|须|应|可|才|要)", r"前[0-9一二两三四五六七八九十]+个?(?:小时|分钟|天|月|年|次|名|位)")
_NAME = r"[A-Z0-9][\w.+#'-]*(?: [A-Z0-9][\w.+#'-]*){0,3}"
_NAMES = late(rf" ?(?:{_NAME}, ){{0,20}}{_NAME},? (?:and|or|&) {_NAME}[.!;)\]\s]*")
"""The rest of a list of names behind its first comma: Word, CSV and Markdown."""
_SOME = cue(
    r"部分|一些|有些|有的|某些|大多|多数|少数|个别|几[个位名]",
    r"\b(?:some|several|most|many|few|a number of|half)\b",
    r"一部|多く|일부|대부분",
)
_OTHERS = cue(
    r"其他|其它|其余|别的", r"\b(?:other|others|another|remaining|the rest)\b", r"他の|その他|ほかの|다른|나머지"
)
"""Words by which a clause speaks of others than the question."""
_SAME_AS_ANY = frozenset(("当天", "次日", "前一天", "当月", "次月", "当年", "次年"))
"""Times told from another one that is told elsewhere: none of them is another than a point's."""
OPEN = "?"
"""In front of a rule that only keeps a point from being proved."""
_OTHERWISE_ASKED = frozenset(("asks_person", "asks_reason", "asks_way", "asks_absence"))
"""What a question may ask for besides a value."""
Omitted = Literal["", "words", "topic"]
Spoilt = tuple[tuple[Piece, ...], Omitted, bool]
"""The parts of a point that are there, what was left out, and whether the window speaks of some instead of all."""
_NO = late(r"^(?:并?不|没有?|并?未)")
_NOT = late(r" *不(?:可以?|能|行|得|准|许|允许)(?P<rest>[\u4e00-\u9fff]{1,8})[.! ]*")
_CAN = late(r" *(?:可以|可(?!能)|能|允许)(?P<rest>[\u4e00-\u9fff]{1,8})[.! ]*")
"""An answer that repeats no more than the verb of a question for yes or no."""
_UNLESS = (fold("除非"), "unless")
_CODE = late(r"[0-9]+[a-z]")
_MODEL = late(r"[ -]?(?:pro|max|plus|mini|ultra|lite|premium|classic)(?![a-z])")
_VERSION = late(r"\.[0-9]|[+#]")
_ITEM_ENDS = cue(r"(?<=[円元원])(?:です|である)?[、,]")
"""Where an item of a list of prices ends."""
_UNTIL = frozenset(fold("至到"))
"""Between two values they are no relation of two parties."""
_OTHER = (is_of_other_rank, is_of_other_label, is_other_rate)
"""What else a clause may speak of than the question."""
_HAN_WORD = late(r"[\u4e00-\u9fff]+")


def states(point: Point, said: Statements, question: str = "") -> Verdict:
    """Whether a text states a point, in any of its wordings."""
    whole = point.forms[0].text
    if whole and said.text.startswith(whole) and not said.text[len(whole) :].strip(" .;!"):
        return Verdict("yes", "verbatim", said.span(0, len(whole)))
    best, question = _NOT_FOUND, _folded(question)
    heads = point.heads if point.heads and _ASKS_PLACE.search(question) else ()
    days = point.days if point.days and _ASKS_DAYS.search(question) else ()
    limited = point.limited.get(asks_limit(question), ())
    for form in (*point.forms, *heads, *days, *limited):
        verdict = _states(form, said, question)
        if verdict.outcome == "yes":
            return verdict
        if verdict.outcome == "no" or best.rule == _NOT_FOUND.rule:
            best = verdict
    return best


_folded = lru_cache(maxsize=256)(fold)


def _states(form: Form, said: Statements, question: str) -> Verdict:
    verdict = _looked_for(form, said, question)
    if verdict.rule == "not_found" and question:
        verdict = _asked_for(form, said, question) or _answered(form, said, question) or verdict
    if verdict.outcome == "open":
        verdict = _contradicted(form, said, question) or verdict
    if verdict.rule == "not_found":
        verdict = only_turned(form, said, question) or verdict
    if verdict.outcome == "yes" and _says_no(form, said, question):
        return Verdict("open", scopes.NEGATED, verdict.span)
    if verdict.outcome == "yes" and (other := other_count(form, said, question)):
        return Verdict("no", "number_changed", said.span(other.start, other.end), _values(form.values[0], other))
    return verdict


def _says_no(form: Form, said: Statements, question: str) -> bool:
    """Whether an answer opens by denying what was asked, in the question's own words, and the point affirms it."""
    first = said.clauses[0]
    if form.said.turned or not first.scopes or len(said.clauses) == 1 or said.clauses[1].sentence == first.sentence:
        return False
    words = said.text[first.start : first.end].strip(" .!,")
    rest = _NO.sub("", words)
    if rest == words or not rest:
        return False
    return read_question(question).closed and rest in question and form.text.startswith(rest)


def _looked_for(form: Form, said: Statements, question: str) -> Verdict:
    """The smallest place that says all of it decides: clauses first, then sentences, then two neighbours."""
    verbatim = _verbatim(form, said, question)
    if verbatim and verbatim.outcome == "yes":
        return verbatim
    words = find_words(form, said, 0, len(said.text))
    if form.values and _are_few(form, words, question):
        return verbatim or unsaid(form, said, question) or _NOT_FOUND
    whole = add_values(words, form, said, 0, len(said.text))
    lost = [one for one in whole if one.at < 0]
    if len(lost) == len(whole) or any(one.weight and not is_asked(form, one, question) for one in lost):
        return verbatim or _against(form, said, question)
    if not any(one.weight for one in whole):
        return verbatim or _against(form, said, question)
    doubts = [verbatim] if verbatim else []
    known: dict[Spoilt, str] = {}
    parts: list[list[int]] | None = None
    # Most sentences are one clause.
    read: dict[tuple[int, int], list[Piece]] = {}
    # What a whole text says word for word a window says too that holds it: the first of each is in it.
    first, last = _reach(whole) if not lost and _is_literal(form, whole, said) else (-1, -1)
    for size, windows in enumerate(_windows(form, whole, said, question)):
        for lo, hi in itertools.islice(windows, _MOST_WINDOWS):
            held = lo <= first and last <= hi
            if not held:
                parts = needed(form, said, question) if parts is None else parts
                if lacks(parts, lo, hi):
                    continue
            pieces = whole if held else read.get((lo, hi))
            if pieces is None:
                pieces = read[lo, hi] = find_pieces(form, said, lo, hi, question)
            verdict = _window(form, said, lo, hi, question, size, pieces, known) if pieces else None
            if verdict and verdict.outcome == "yes":
                return verdict
            doubts += [verdict] if verdict else []
        if any(doubt.outcome == "no" for doubt in doubts):
            break
    firm = next((doubt for doubt in doubts if doubt.outcome == "no"), None)
    return firm or (doubts[0] if doubts else _against(form, said, question))


def _is_literal(form: Form, whole: list[Piece], said: Statements) -> bool:
    """Whether the parts of a wording stand there as they are written, where the writing tells no words apart."""
    return not form.runs or all(one.hard or said.text.startswith(one.text, one.at) for one in whole)


def _are_few(form: Form, words: list[Piece], question: str) -> bool:
    """Whether so few of a point's words are there that its values need not be read, which takes longest."""
    lost = [one for one in words if one.at < 0 and one.weight]
    lost_weight = sum([one.weight for one in lost])
    if lost_weight <= (1 - _ENOUGH) * sum([one.weight for one in words]):
        return False
    return any(one.hard or not is_asked(form, one, question) for one in lost)


def _windows(
    form: Form, whole: Sequence[Piece], said: Statements, question: str
) -> Iterator[Iterable[tuple[int, int]]]:
    """Clauses that hold a part of the point, those with most of it first; then sentences, then neighbours."""
    items = ((one.heading.start, one.end) for one in said.clauses if one.heading)
    yield itertools.chain(_clauses(form, whole, said, question), items)
    yield said.sentences if len(said.clauses) > len(said.sentences) else ()
    yield said.pairs


def _clauses(form: Form, whole: Sequence[Piece], said: Statements, question: str) -> Iterator[tuple[int, int]]:
    """Clauses in which parts of a point were found, then those that say its weightiest new part once more."""
    held: dict[int, int] = {}
    for one in whole:
        clause = said.at(one.at) if one.at >= 0 else None
        if clause and one.at < clause.end:
            held[clause.start] = held.get(clause.start, 0) + 1
    for start in sorted(sorted(held), key=held.__getitem__, reverse=True):
        yield start, said.at(start).end
    new = [one for one in whole if not is_asked(form, one, question)]
    anchor = max(new or whole, key=_WEIGHT).text
    for other in said.clauses if anchor in said.text else ():
        if other.start not in held and said.text.find(anchor, other.start, other.end) >= 0:
            yield other.start, other.end


def _verdict(rule: str, span: tuple[int, int], stated: str) -> Verdict:
    """The verdict of a rule that spoils a point, or of none."""
    if not rule:
        return Verdict("yes", stated, span)
    return Verdict("open" if rule.startswith(OPEN) else "no", rule.removeprefix(OPEN), span)


# --- as it is written ---


def _verbatim(form: Form, said: Statements, question: str) -> Verdict | None:
    """The point as it is written, under its own flags or others; None where it does not stand there so."""
    last = None
    for at in _occurrences(form.text, said.text) if form.text in said.text else ():
        end = at + len(form.text)
        if _is_part(form, said, at, end, question):
            continue
        rule = _quoted(said, at, end)
        if not rule and not (form.said.turned and _quote(said, at, end)):
            # A point's own cues are none in quotes.
            rule = _turned(form, said, at, question)
        rule = rule or _narrower(form, said, at, end, question)
        verdict = _verdict(rule, said.span(at, end), "verbatim")
        if verdict.outcome == "yes":
            return verdict
        last = last or verdict
    return last


def _turned(form: Form, said: Statements, at: int, question: str) -> str:
    """What turns a point that stands at a place as it is written."""
    if not (form.said.turned or said.is_turned(at, at + len(form.text))):
        return ""
    there = [Piece(one, 1, at + one, False, "") for one, char in enumerate(form.text) if char.isalnum()]
    return turned_by(form, said, there, question)


def _occurrences(wanted: str, text: str) -> Iterator[int]:
    at = text.find(wanted) if wanted else -1
    while at >= 0:
        end = at + len(wanted)
        if not (_latin(text, at - 1, at) or _latin(text, end - 1, end) or _goes_on(text, end)):
            yield at
        at = text.find(wanted, end)


def _latin(text: str, one: int, two: int) -> bool:
    return one >= 0 and two < len(text) and all(text[at].isascii() and text[at].isalnum() for at in (one, two))


def _goes_on(text: str, end: int) -> bool:
    """Whether a Latin name or a number goes on: D is not D++, V2 not V2.1."""
    return text[end - 1].isascii() and text[end - 1].isalnum() and _VERSION.match(text, end) is not None


def _is_part(form: Form, said: Statements, at: int, end: int, question: str) -> bool:
    """Whether only part of a longer name, title or number stands there: 副主任 is not 主任, 王安然 not 王安."""
    if at and said.text[at - 1] in "副부 -" and DEPUTY.search(said.text, max(0, at - 12), at):
        return True
    if BRANCH.match(said.text, end):
        return True
    if not is_whole(said.text, at, end) and _closes_with_name(form):
        return True
    if not form.values:
        return False
    if is_label(form, said, at, end, question):
        return True
    near = said.values_in(max(0, at - 8), end)
    lacking = [own for own in form.values if not any(own.same(one) for one in near)]
    if lacking and (side := asks_limit(question)):
        return any(not any(own.equals(one) and one.limit.side in ("", side) for one in near) for own in lacking)
    return bool(lacking)


def _closes_with_name(form: Form) -> bool:
    """Whether the last word of a point is a name."""
    return any(last == len(form.text) for _, last in form.people) or bool(form.names and form.names[-1][-1].hard)


# --- part by part ---


def _window(
    form: Form,
    said: Statements,
    lo: int,
    hi: int,
    question: str,
    size: int,
    pieces: list[Piece],
    known: dict[Spoilt, str],
) -> Verdict | None:
    """What a window makes of the point; None where it does not say it.

    Larger windows often hold the same parts as smaller ones: what spoils these is `known`.
    """
    there = tuple([one for one in pieces if one.at >= 0])
    if not there or is_label(form, said, there[0].at, there[0].at + there[0].size, question):
        return None
    missing = [one for one in pieces if one.at < 0 and one.weight]
    omitted = _omitted(form, said, pieces, missing, (lo, hi), question, size) if missing else ""
    if missing and not omitted:
        return None
    weaker = _is_weaker(form, said, lo, hi)
    rule = known.get((there, omitted, weaker))
    if rule is None:
        rule = known[there, omitted, weaker] = _spoilt(form, said, list(there), omitted, question, weaker=weaker)
    first, last = _reach(there)
    return _verdict(rule if size < _NEIGHBOURS else rule or OPEN + "apart", said.span(first, last), _SIZES[size])


def _spoilt(form: Form, said: Statements, there: list[Piece], omitted: Omitted, question: str, *, weaker: bool) -> str:
    """The first rule that spoils a point whose parts are there, behind a question mark where it only casts doubt."""
    rule = turned_by(form, said, there, question)
    rule = OPEN + rule if omitted == "topic" and rule == scopes.NEGATED else rule
    rule = rule or (OPEN + scopes.SUPPOSED if _is_exception(form, said, there) else "")
    rule = rule or ("swapped" if swapped(form, said, there) else _apart(form, said, there, question))
    rule = rule or (OPEN + "swapped" if inverted(form, said, there) or exchanged(form, said, there) else "")
    rule = rule or (OPEN + "swapped" if paired_otherwise(form, said, there) else "")
    rule = rule or (OPEN + "swapped" if _has_other(form, said, there) or _is_longer(said, there) else "")
    rule = rule or (OPEN + "weaker" if weaker else "")
    if rule:
        return rule
    first, last = _reach(there)
    if counts_things(form, said, last):
        return OPEN + "narrower"
    rule = _quoted(said, first, last) or _narrower(form, said, first, last, question)
    return rule or (OPEN + "narrower" if _is_compound(form, said, there) or _is_other_model(form, said, there) else "")


def _is_exception(form: Form, said: Statements, there: Sequence[Piece]) -> bool:
    """Whether only one of point and text says unless, where the other may say if."""
    lo, hi = _reach(there)
    words = said.text[said.at(lo).start : said.at(hi - 1).end]
    return any((one in form.text) != (one in words) for one in _UNLESS)


def _is_other_model(form: Form, said: Statements, there: Sequence[Piece]) -> bool:
    """Whether a name or a code goes on by a word that makes it another model: R60 Pro is no R60."""
    for one in there:
        named = one.hard and (one.start not in form.value_starts or one.text.isdigit())
        more = _MODEL.match(said.text, one.at + one.size) if named else None
        if more and not form.text.startswith(more[0], one.start + len(one.text)):
            return True
        if one.text.isdigit() and _CODE.fullmatch(said.text, one.at, one.at + one.size):
            return True
    return False


def _reach(there: Sequence[Piece]) -> tuple[int, int]:
    """From where to where the parts of a point stand."""
    return min([one.at for one in there]), max([one.at + one.size for one in there])


def _has_other(form: Form, said: Statements, there: Sequence[Piece]) -> bool:
    """Whether one of the values does not belong to the point's words."""
    starts = form.value_starts
    values = [one for one in there if one.start in starts]
    return any(_is_of_other(form, said, one, there) or _is_of_other_item(form, said, one, there) for one in values)


def _is_longer(said: Statements, there: Sequence[Piece]) -> bool:
    """Whether the first word of a point closes the longer name of another item: 白金卡 beside 金卡."""
    first = min(there)
    at, opened = first.at, said.at(first.at).start
    longer = said.text[opened:at].lstrip(" -")
    if first.start or first.hard or not longer or len(longer) > _PAIR or not _HAN_WORD.fullmatch(longer):
        return False
    wanted = said.text[at : at + first.size + 1]
    places = (found.start() for found in re.finditer(re.escape(wanted), said.text))
    return any(not said.text[said.at(place).start : place].strip(" -") for place in places)


def _is_of_other_item(form: Form, said: Statements, value: Piece, there: Sequence[Piece]) -> bool:
    """Whether the words beside a value stand in another item of its list, with a value of their own."""
    here, own = said.at(value.at), [one for one in form.values if one.start == value.start]
    for one in there:
        item = said.at(one.at)
        if here.heading is None or item.heading is not here.heading or item.sentence == here.sentence:
            continue
        if any(_is_rival(other, own) for other in said.values_in(*said.sentences[item.sentence])):
            return True
    return False


def _is_of_other(form: Form, said: Statements, value: Piece, there: Sequence[Piece]) -> bool:
    """Whether a value belongs to something else that stands between it and another value: 全马1200元、半马900元."""
    own = [one for one in form.values if one.start == value.start]
    before = [one.at for one in there if one.weight and one.start not in form.value_starts and one.at < value.at]
    if not before:
        return False
    rivals = (one for one in said.values_in(max(before), value.at) if one.end <= value.at and _is_rival(one, own))
    rival = next(rivals, None)
    between = _NEXT_OF_LIST.fullmatch(said.text, rival.end, value.at) if rival else None
    return between is not None and residue(form, said, *between.span(between.lastindex or 0), "") > 0


def _is_weaker(form: Form, said: Statements, lo: int, hi: int) -> bool:
    """Whether the point speaks of all, and the window of some, or of those beyond a limit."""
    if not form.of_all or ALL.search(said.text, lo, hi):
        return False
    limited = any(one.limit.side and not any(own.equals(one) for own in form.values) for one in said.values_in(lo, hi))
    return limited or _SOME.search(said.text, lo, hi) is not None


def _narrower(form: Form, said: Statements, start: int, end: int, question: str) -> str:
    """Whether the clause says it only of some: of students, on weekends, once opened, of the first two hours."""
    words = said.text[said.at(start).start : said.at(max(start, end - 1)).end]
    words = _of_list(words, said.text[start:end]) if form.values else words
    known = form.text + question
    narrows = any(word.partition("!")[0] not in known for _, word in listed(words, "restricts"))
    if not narrows and ("后" in words or "前" in words) and (found := _ONLY_THEN.search(words)):
        narrows = found[0] not in known and not _ONLY_THEN.search(known)
    narrows = narrows and not form.only_names
    narrows = narrows or any(other(form, said, start, question) for other in _OTHER)
    return OPEN + "narrower" if narrows else ""


def _of_list(words: str, part: str) -> str:
    """The items of a list of values that a part of it touches: 大人が500円 in 大人が500円、小中学生が200円."""
    first = words.find(part)
    ends = [one.end() for one in _ITEM_ENDS.finditer(words)]
    behind = (end for end in ends if end > first + len(part))
    return words[max((end for end in ends if end <= first), default=0) : next(behind, len(words))]


def _is_compound(form: Form, said: Statements, there: Sequence[Piece]) -> bool:
    """Whether the point's first word only tells which thing is meant: the museum shop is no museum."""
    first = min(there)
    if first.hard or not first.text.isascii():
        return False
    own = TOKEN.search(form.text, first.start + len(first.text))
    subject = TOKEN.match(said.text, first.at)
    here = TOKEN.match(said.text, subject.end() + 1) if subject else None
    after = TOKEN.search(said.text, here.end()) if here else None
    if own is None or here is None or after is None or own[0] != after[0]:
        return False
    return here[0] != own[0] and here[0] not in light() and not here[0].endswith("ly")


def _quoted(said: Statements, start: int, end: int) -> str:
    """Whether what is told stands only in somebody's quoted words, or in an example; a rule's own words are told."""
    quote = _quote(said, start, end)
    if quote is None or said.written[quote.start] == "《":
        return ""
    before = said.text[max(0, quote.start - _INTRODUCED) : quote.start]
    behind = said.text[quote.end : quote.end + _INTRODUCED // 2]
    claimed = _SAYS.search(before) or _CLAIMED.match(behind)
    return OPEN + "quoted" if claimed and not _RULES.search(before) else ""


def _quote(said: Statements, start: int, end: int) -> Stretch | None:
    """The quotation in which a stretch of some length stands."""
    if end - start <= _PAIR:
        return None
    at = bisect_right(said.quotes, (start, len(said.text))) - 1
    return said.quotes[at] if at >= 0 and end <= said.quotes[at].end else None


def _omitted(
    form: Form,
    said: Statements,
    pieces: list[Piece],
    missing: list[Piece],
    window: tuple[int, int],
    question: str,
    size: int,
) -> Omitted:
    """What the question said need not be said again: beside a new value, where a clause says nothing else, or where
    all of the answer speaks of it."""
    if not all(is_asked(form, one, question) for one in missing) or _is_headed_otherwise(said, missing, window[0]):
        return ""
    if any(said.text.find("副" + one.text, *window) >= 0 for one in missing):
        return ""
    if _is_of_other_asked(form, said, missing, window, question):
        return ""
    new = [one for one in pieces if one.at >= 0 and one.weight and not is_asked(form, one, question)]
    if any(_is_former_elsewhere(said, one) for one in _parties(form, new)):
        return ""
    value = next((one for one in new if one.start in form.value_starts), None)
    alone = not size and not any(one.hard for one in missing)
    there = "".join([said.text[one.at : one.at + one.size] for one in pieces if one.at >= 0]) if value else ""
    if value is not None and alone:
        own = [one for one in form.values if one.start == value.start]
        others = (one for one in said.values if len(new) == 1 and not one.old and not said.flags(one.start)[0])
        rival = any(_is_rival(one, own) for one in others)
        rival = rival or (_OTHERS.search(said.text, *window) is not None and not _OTHERS.search(form.text + question))
        last = max(one.at for one in new if one.start in form.value_starts)
        if rival or is_of_other_relation(form, said, value, question + there):
            return ""
        return "" if tells_of_other(form, said, window[0], last, question + there) else "words"
    known = form.text if SEVERAL.search(question) else form.text + question
    if new and alone and residue(form, said, *window, known) <= 1:
        return "" if _is_told_against(said, missing, window[0]) or _costs(form, said, window, question) else "words"
    topic = _is_of_topic(form, said, new, missing, question)
    return "topic" if topic and not (value and is_of_other_relation(form, said, value, question + there)) else ""


def _is_of_other_asked(
    form: Form, said: Statements, missing: Sequence[Piece], window: tuple[int, int], question: str
) -> bool:
    """Whether a clause speaks of another thing the question asks about, and what it leaves out is told elsewhere:
    专业版29元 does not tell the price of 基础版."""
    if not any(one.text in said.text for one in missing):
        return False
    for pair in asked_together(question):
        others = [word for word in pair if word not in form.text and said.text.find(word, *window) >= 0]
        if others and any(one.text in word for one in missing for word in pair if word not in others):
            return True
    return False


def _costs(form: Form, said: Statements, window: tuple[int, int], question: str) -> bool:
    """Whether a clause gives an amount that neither point nor question has: 停车5元 does not tell what is free."""
    amounts = [one for one in said.values_in(*window) if one.measure == "money"]
    known = [*form.values, *Statements(question).values] if amounts else []
    return any(not any(own.equals(one) for own in known) for one in amounts)


def _is_told_against(said: Statements, missing: Sequence[Piece], place: int) -> bool:
    """Whether what a clause leaves out is told of another behind a but: A brings servers, while B brings staff."""
    here = said.at(place)
    against = [one for one in said.clauses if one.but and one.sentence == here.sentence and one.start > here.start]
    return any(said.text.find(lost.text, one.start, one.end) >= 0 for one in against for lost in missing)


def _is_headed_otherwise(said: Statements, missing: list[Piece], place: int) -> bool:
    """Whether a clause stands behind a word and a colon that says the opposite of a part left out, Optional: phone, or
    is not the one about that part: 白金卡：…, where 金卡：… is another."""
    here = said.at(place)
    heading = here.heading
    if heading is None:
        return False
    heads = [one for one in said.clauses if said.text[one.start : one.end].endswith(":")]
    others = {said.text[one.start : one.end].strip(" -:") for one in heads if one.sentence != here.sentence}
    if any(len(other) >= _PAIR and one.text.startswith(other) for one in missing for other in others):
        return True
    words = said.text[heading.start : heading.end]
    return any(holds(words, other) for one in missing for other in OPPOSITE.get(one.text, ()))


def _is_former_elsewhere(said: Statements, piece: Piece) -> bool:
    """Whether a text gives a name that stands here without a flag elsewhere as a former one."""
    if scopes.FORMER not in said.flagged or said.flags(piece.at)[0]:
        return False
    places = (match.start() for match in re.finditer(re.escape(piece.text), said.text))
    return any(scopes.FORMER in said.flags(place)[0] for place in places)


def _is_of_topic(form: Form, said: Statements, new: list[Piece], missing: list[Piece], question: str) -> bool:
    """Whether all that is new to the question is told in one clause, and no clause speaks of anything else."""
    if sum(one.weight for one in new) < _PAIR or len({said.at(one.at).start for one in new}) > 1:
        return False
    if not any(tells(form, one) for one in new):
        return False
    if read_question(question).halved or len(_parties(form, new)) > 1 or form.turns:
        return False
    if max(one.start for one in missing) > min(one.start for one in new):
        return False
    lost = {place for one in missing for place in range(one.start, one.start + len(one.text)) if not one.text.isdigit()}
    if any(one.at >= 0 and one.weight and one.start in lost for one in find_words(form, said, 0, len(said.text))):
        return False
    return not names_other(form, said, *before(said, min(one.at for one in new)), question)


def _parties(form: Form, new: Sequence[Piece]) -> list[Piece]:
    """The names among the parts of a point."""
    people = {start for start, _ in form.people}
    return [one for one in new if (one.hard and one.start not in form.value_starts) or one.start in people]


def _apart(form: Form, said: Statements, there: list[Piece], question: str) -> str:
    """Each clause of the point is told in one clause; before it may stand its subject or the topic."""
    if form.nominal and not _stand_together(there, said):
        return OPEN + "apart"
    places = [one.at for one in there]
    if said.at(min(places)) is said.at(max(places)):
        return ""
    groups: dict[int, list[Piece]] = {}
    for one in there:
        if one.weight:
            groups.setdefault(form.said.at(one.start).start, []).append(one)
    return next((OPEN + "apart" for group in groups.values() if _group_apart(form, said, group, question)), "")


def _stand_together(there: Sequence[Piece], said: Statements) -> bool:
    """Whether the parts of one name stand side by side, with nothing but light words between them."""
    ordered = sorted(there, key=lambda one: one.at)
    gaps = (said.text[one.at + one.size : two.at] for one, two in itertools.pairwise(ordered))
    return all(all(char in light() or not char.isalnum() for char in gap) for gap in gaps)


def _group_apart(form: Form, said: Statements, group: list[Piece], question: str) -> bool:
    if (form.lists or all(one.hard for one in group)) and len({said.at(one.at).sentence for one in group}) == 1:
        return False
    if any(said.at(one.at).has("supposition", "supposition_behind") for one in group):
        return False
    if len({said.at(one.at).start for one in group}) == 1:
        return False
    related = any(form.text[hit.start : hit.end] not in _UNTIL for hit in form.turns)
    in_order = [one.at for one in sorted(group)] == sorted([one.at for one in group])
    in_order = in_order and _hangs(said, max(one.at for one in group))
    if (in_order or not related) and _is_item(said, {said.at(one.at).start for one in group}):
        return False
    if _is_listed(said, group) or _are_listed(form, said, group):
        return False
    new = [one for one in group if not is_asked(form, one, question)] or group
    places = {said.at(one.at).start for one in new}
    topics = {said.at(one.at).start for one in group if one not in new}
    if len(places) > 1:
        ways = (_go_together, _is_subject, _go_on)
        return not any(way(form, said, group, question) for way in ways)
    if any(place > max(places) for place in topics):
        return True
    here = said.at(new[-1].at)
    told = any(one.hard for one in new if one.start in form.value_starts)
    known = "" if SEVERAL.search(question) else question
    return bool(topics - places) and not told and residue(form, said, here.start, here.end, known) > 1


def _is_listed(said: Statements, group: list[Piece]) -> bool:
    """Whether all but names stand in one clause, and the names in a list that closes it: supports A, B and C."""
    first = min(said.at(one.at).start for one in group)
    if any(said.at(one.at).start != first and not one.hard for one in group):
        return False
    rest = said.sentences[said.at(first).sentence].end
    return _NAMES.fullmatch(said.written, said.at(first).end, rest) is not None


def _are_listed(form: Form, said: Statements, group: list[Piece]) -> bool:
    """Whether a point is a list of values, each with what it counts, and each of them is told in one clause."""
    if len(form.values) < _PAIR or len({said.at(one.at).sentence for one in group}) > 1:
        return False
    ends = [match.start() for match in SEVERAL.finditer(form.text)]
    parts: dict[int, list[Piece]] = {}
    for one in group:
        parts.setdefault(bisect_right(ends, one.start), []).append(one)
    return len(parts) == len(form.values) and all(
        part[0].start in form.value_starts and len({said.at(one.at).start for one in part}) == 1
        for part in parts.values()
    )


def _is_item(said: Statements, places: set[int]) -> bool:
    """Whether two clauses are an item of a list and what stands above the list."""
    last = said.at(max(places))
    if last.heading is None or last.heading.start not in places:
        return False
    rest = [said.at(place) for place in places if place != last.heading.start]
    if len(rest) > 1 and not _hangs(said, last.start):
        return False
    return all(one.heading is last.heading and one.sentence == last.sentence for one in rest)


def _hangs(said: Statements, place: int) -> bool:
    """Whether a place is in an item below a line, not behind a colon in the same one."""
    above = said.at(place).heading
    return above is not None and "\n" in said.written[above.start : above.end]


def _go_together(form: Form, said: Statements, group: list[Piece], question: str) -> bool:
    """Two neighbouring clauses that tell one thing: the second gives the value, names nobody else, and no rival."""
    if len(form.values) != 1:
        return False
    clauses = sorted({said.at(one.at).start for one in group})
    first, second = said.at(clauses[0]), said.at(clauses[-1])
    if len(clauses) != _PAIR or first.sentence != second.sentence or first.end != second.start or second.but:
        return False
    if first.has("but", "also") or second.has("also", "former", "now"):
        return False
    if any(_rivals(value, form, said, first.start, second.end) for value in form.values):
        return False
    value = next((one for one in group if one.start in form.value_starts), None)
    begins = min(one.at for one in group if said.at(one.at) is second)
    return (
        value is not None
        and said.at(value.at) is second
        and not tells_of_other(form, said, second.start, begins, question)
    )


def _go_on(form: Form, said: Statements, group: list[Piece], question: str) -> bool:
    """Clauses of one sentence that tell one thing: the later ones name nothing else, and none gives another value."""
    clauses = [said.at(start) for start in sorted({said.at(one.at).start for one in group})]
    if len({one.sentence for one in clauses}) > 1 or any(one.but for one in clauses):
        return False
    if any(_has_other_agent(said, one, group) for one in group):
        return False
    own = [value for value in form.values if any(one.start == value.start for one in group)]
    if any(_is_rival(one, own) for one in said.values_in(clauses[0].start, clauses[-1].end)):
        return False
    first = min(one.at for one in group if said.at(one.at) is clauses[-1])
    if said.text.find("由", clauses[-1].start, first + 1) > clauses[-1].start and is_noun(said, clauses[-1].start):
        return False
    if any(names_other(form, said, one.start, one.end, question, kinds=True) for one in clauses[1:]):
        return False
    opens = not said.text[clauses[-1].start : first].strip() and is_noun(said, first)
    end = clauses[0].end if opens else min(one.at for one in group)
    return not names_other(form, said, clauses[0].start, end, question, kinds=True)


def _has_other_agent(said: Statements, verb: Piece, group: list[Piece]) -> bool:
    """Whether 由 names somebody else in front of a part of the point: 采样由顾负责，分析由陆完成."""
    start = said.text.rfind("由", said.at(verb.at).start, verb.at)
    return start >= 0 and start + 1 < verb.at and not any(start < one.at < verb.at for one in group)


def _is_rival(value: Value, own: list[Value]) -> bool:
    """Whether a value is another one of the same kind."""
    return any(one.measure == value.measure for one in own) and not any(one.equals(value) for one in own)


def _rivals(value: Value, form: Form, said: Statements, lo: int, hi: int) -> list[Value]:
    """The other values of the same kind that a window gives."""
    others = (one for one in said.values_in(lo, hi) if one.measure == value.measure and not one.equals(value))
    return [one for one in others if not any(own.equals(one) for own in form.values)]


def _is_subject(form: Form, said: Statements, group: list[Piece], question: str) -> bool:
    """Two clauses of which the first opens with the point's first words, and the second with no subject of its own."""
    clauses = sorted({said.at(one.at).start for one in group})
    first = [one for one in group if said.at(one.at).start == clauses[0]]
    rest = [one for one in group if one not in first]
    if len(clauses) != 2 or max(one.start for one in first) > min(one.start for one in rest):
        return False
    if residue(form, said, clauses[0], min(one.at for one in first), question) > 1:
        return False
    if any(one.start in form.value_starts for one in first) or not any(tells(form, one) for one in rest):
        return False
    begins = min(one.at for one in rest)
    if any(one.start < begins for one in said.values_in(clauses[1], begins)):
        return False
    return residue(form, said, clauses[1], min(one.at for one in rest), "") == 0


# --- what was asked for ---


def _asked_for(form: Form, said: Statements, question: str) -> Verdict | None:
    """The one value of a point that the question asks for, where the answer gives no other of its kind."""
    if len(form.values) != 1:
        return None
    asked = read_question(question)
    if asked.closed or asked.kinds & _OTHERWISE_ASKED or not _is_kind(form.values[0], asked):
        return None
    pieces = find_pieces(form, said, 0, len(said.text))
    there = [one for one in pieces if one.at >= 0]
    value = next((one for one in there if one.start in form.value_starts and one.weight), None)
    if value is None or is_label(form, said, value.at, value.at + value.size, question):
        return None
    lost = [one for one in pieces if one.at < 0 and one.weight and not is_asked(form, one, question)]
    if any(one.hard or form.text[one.start - 1 : one.start] == "由" or one.text in tables()["roughly"] for one in lost):
        return None
    if any(
        not one.old and not said.flags(one.start)[0] for one in _rivals(form.values[0], form, said, 0, len(said.text))
    ):
        return None
    if asked.has(form.values[0]) or names_other(form, said, *before(said, value.at), question):
        return None
    if is_of_other_relation(form, said, value, question) or is_of_other_label(form, said, value.at, question):
        return None
    rule = turned_by(form, said, there, question) or turned_by(form, said, [value], question)
    return _verdict(rule, said.span(value.at, value.at + value.size), "asked_for")


def _answered(form: Form, said: Statements, question: str) -> Verdict | None:
    """A point that says no more than the question: yes or no answers it, or a value in the place of its own."""
    if not all(is_asked(form, one, question) for one in _heavy(form, said)):
        return None
    asked = read_question(question)
    bans = form.said.flagged == {scopes.NEGATED} and scopes.NEGATED not in question_flags(question)
    allows = form.said.flagged == {scopes.MAYBE} and scopes.MAYBE in question_flags(question)
    if asked.several or (form.said.turned and not (bans or allows)):
        return None
    first = said.clauses[0]
    span = said.span(first.start, first.end)
    if asked.closed and not form.values and (BARE_NO.match(said.text) or _echoes(_NOT, said, question)):
        return Verdict("yes", "asked_for", span) if bans else Verdict("no", scopes.NEGATED, span)
    if any(one.flag == scopes.NEGATED for one in said.clauses[min(1, len(said.clauses) - 1)].scopes):
        # "Yes, it does not": what the yes agrees with is not said.
        return None
    if asked.closed and not form.values and (BARE_YES.match(said.text) or _echoes(_CAN, said, question)):
        return Verdict("no", scopes.NEGATED, span) if bans else Verdict("yes", "asked_for", span)
    if bans or allows:
        return None
    value = form.values[0] if len(form.values) == 1 else None
    if value is None or not _is_kind(value, asked) or not _may_have_rival(value, form, said):
        return None
    others = [one for one in said.values if one.measure == value.measure]
    if len(others) != 1 or others[0].old or said.flags(others[0].start)[0] or _overlap(value, others[0]):
        return None
    return Verdict("no", "number_changed", said.span(others[0].start, others[0].end), _values(value, others[0]))


def _echoes(opening: re.Pattern[str], said: Statements, question: str) -> bool:
    """Whether all that is said is yes or no with the question's own verb: 不能乘坐."""
    words = opening.fullmatch(said.text)
    return words is not None and words["rest"] in question


def _overlap(one: Value, two: Value) -> bool:
    """Whether a value may lie within the other: 31 August within August."""
    try:
        return bool(one.low <= two.high and two.low <= one.high)  # type: ignore[operator]  # both of one measure
    except TypeError:
        return True


def _heavy(form: Form, said: Statements) -> list[Piece]:
    """The words of a point that carry something."""
    return [one for one in find_words(form, said, 0, len(said.text)) if one.weight]


def _is_kind(value: Value, asked: Asked) -> bool:
    """Whether a question asks for values of this kind."""
    if value.measure in ("date", "clock"):
        return "asks_date" in asked.kinds
    if value.measure == "money":
        return "asks_money" in asked.kinds
    return "asks_number" in asked.kinds and (value.measure != "times" or _ASKS_TIMES.search(asked.text) is not None)


# --- what is said instead ---


def _against(form: Form, said: Statements, question: str) -> Verdict:
    """No, where a sentence gives another value in the point's place; else open."""
    open_to = {value.measure for value in form.values if _may_have_rival(value, form, said)}
    for lo, hi in said.sentences[:_MOST_WINDOWS] if open_to else ():
        if not any(one.measure in open_to for one in said.values_in(lo, hi)):
            continue
        found = _other_value(form, said, lo, hi)
        if found:
            return found
    return unsaid(form, said, question) or _NOT_FOUND


def _contradicted(form: Form, said: Statements, question: str) -> Verdict | None:
    """No, where a clause says all of a point with another value in the place of its one value."""
    if len(form.values) != 1 or not (form.runs or form.words):
        return None
    value = form.values[0]
    if value.measure in ("bare", "ordinal", "date", "clock") or not _is_rivalled(value, said):
        return None
    if is_near(form, value, said) or _is_told_in_part(value, said):
        return None
    for one in said.clauses[:_MOST_WINDOWS]:
        rivals = [other for other in said.values_in(one.start, one.end) if other.measure == value.measure]
        if len(rivals) != 1 or value.equals(rivals[0]):
            continue
        words = find_words(form, said, one.start, one.end, "")
        if any(word.at < 0 and word.weight for word in words) or sum(word.weight for word in words) < _PAIR:
            continue
        there = [word for word in words if word.at >= 0]
        if not turned_by(form, said, there, question) and not said.flags(rivals[0].start)[0] and not rivals[0].old:
            return Verdict("no", "number_changed", said.span(rivals[0].start, rivals[0].end), _values(value, rivals[0]))
    return None


def _is_rivalled(value: Value, said: Statements) -> bool:
    """Whether a text gives another value of the same kind."""
    return any(one.measure == value.measure and not value.equals(one) for one in said.values)


def _other_value(form: Form, said: Statements, lo: int, hi: int) -> Verdict | None:
    """Another value where half of the point's other words stand, under no flag."""
    pieces = find_pieces(form, said, lo, hi)
    missing = {one.start for one in pieces if one.at < 0 and one.weight}
    if not missing & form.value_starts or any(said.flags(one.at)[0] for one in pieces if one.at >= 0):
        return None
    there = sum(one.weight for one in pieces if one.at >= 0)
    if there < _ENOUGH * sum(one.weight for one in pieces if one.start not in form.value_starts):
        return None
    for value in form.values:
        rival = _rival(value, form, said, lo, hi) if value.start in missing else None
        if rival:
            return Verdict("no", "number_changed", said.span(rival.start, rival.end), _values(value, rival))
    return None


def _values(expected: Value, found: Value) -> dict[str, str]:
    return {"expected": expected.text, "found": found.text}


def _may_have_rival(value: Value, form: Form, said: Statements) -> bool:
    """Whether a text gives a value nowhere, and another of its kind would be in its place."""
    if value.measure in ("bare", "ordinal") or any(value.equals(one) for one in said.values):
        return False
    if is_near(form, value, said) or is_multiple(value, said) or _is_told_in_part(value, said):
        return False
    # "until 7" may be 7 p.m.
    return value.measure != "clock" or not any(one.measure == "bare" and one.text in value.text for one in said.values)


def _rival(value: Value, form: Form, said: Statements, lo: int, hi: int) -> Value | None:
    """Another value of the same kind in a window, where the text gives this one nowhere."""
    if not _may_have_rival(value, form, said):
        return None
    rivals = (one for one in said.values_in(lo, hi) if one.measure == value.measure and not one.equals(value))
    rivals = (one for one in rivals if one.low not in _SAME_AS_ANY)
    others = (one for one in rivals if one.low == one.high or value.low not in (one.low, one.high))
    return next((one for one in others if not any(own.equals(one) for own in form.values)), None)


def _is_told_in_part(value: Value, said: Statements) -> bool:
    """Whether a text gives a part of a range, and may give the others: 二、三、四、五年级 for 二年级至五年级."""
    parts = (one for one in said.values if one.measure == value.measure and one.low == one.high)
    return value.low != value.high and any(_overlap(value, one) for one in parts)
