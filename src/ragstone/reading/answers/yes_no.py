"""read_yes_no(told): does an answer say yes or no to its question? Negation understood; None where neither is proved.

没有否认                            yes: a denial of a denial
起初承认，后来翻供否认                no: what counts is how it ended
不对，他承认了                       yes: the word disagrees with somebody, what follows answers

What is asked counts as said or denied where a clause has its verb and puts nothing in the place of what it leaves out:
to 物业费由承租方承担吗, 承租方承担 says yes, 由出租方承担 no, for that is the other side, and 由甲方承担 neither.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from ragstone.reading import scopes
from ragstone.reading.answers.told import ASIDE, DOUBTS, Told, names_in
from ragstone.reading.answers.who import opposite_parties, parties_in
from ragstone.reading.cuebook import tables
from ragstone.reading.cues import cue
from ragstone.reading.lexicon import DEFAULT, tag_words
from ragstone.reading.points.turning import question_flags
from ragstone.reading.scopes import Clause
from ragstone.reading.statements import Statements
from ragstone.reading.synonyms import OPPOSITE
from ragstone.reading.tokens import root
from ragstone.reading.values.names import find_names
from ragstone.text.late import late

_WORDS = {"true": True, "false": False, "1": True, "0": False, "y": True, "n": False, "√": True, "×": False}
_ASKING = cue(r"是否|是不是|有没有|有无|能否|可否|会不会|能不能|可不可以|了没有?(?=\W*$)|没有(?=\W*$)|[吗嘛呢么]|\?")
_LEAD = late(r"[\W_]{0,20}(?:答案?|回答|answer|结论)?\W{0,4}(?:是|为)?\W{0,4}(?=[是否有没不未无yn])")
_YES = cue(
    r"(?:是的|是(?!否|不是)|对(?!于|此|方|不|比|其|自|他|她)|有的|有(?!没有|关|可能|人)|会(?!议|计|见)|能(?!力)|可以|属实|确实|没错|不错|正确",
    r"认(?:了|的|账|罪)?(?=\W|$)|嗯|当然(?!不|没|未|否)|肯定(?!不|没|未)|必然(?!不))",
    r"(?:yes|yeah|true|correct|right|indeed|affirmative|sure"
    r"|(?:of course|certainly|definitely|absolutely)(?! not))\b",
)
_NO = cue(
    r"否(?!认)|不(?!仅|但|过|久|断|少|止|只|错)|没有?(?!错|收)|未(?!来)|无(?!论|疑)|并[非没未不]|从未|尚未|当然[不没未否]|肯定[不没未]",
    r"(?:no|not|false|incorrect|never|negative|(?:of course|certainly|definitely|absolutely) not)\b",
)
_DISAGREES = cue(r"(?:不对|不|错了?|并非如此|不是这样的?|no|wrong|incorrect)[,.;!]")
_ADMITS = cue(
    r"承认|否认|反对|供认|认账|认可|属实|翻供|改口|不?认了?(?=\W|$)",
    r"\b(?:admit\w*|den(?:y|ies|ied|ying)|confess\w*|acknowledg\w*|recant\w*)\b",
)
_RECANTS = cue(r"翻供|反悔|推翻|\brecant\w*|\bretract\w*")
_SHORT = cue(
    r"\W*(?:but|and|indeed)?,? ?(?:later|finally|then)?,? ?(?:he|she|it|they|i|we|you|[a-z]+(?: [a-z]+)?)"
    r" (?:did|does|do|has|have|had|is|are|was|were|can|could|will|would)( not|n't| never)?\W*$",
    r"\W*(?:他们?|她们?|它|我们?|对方|双方|其)(?:并|都|也|确实|的确)?"
    r"(?:(没有?|不是|不会|不能|不愿意?|未曾|不曾)|有|是的?|会|能|愿意)(?=\W|$)",
    r"\W*(?:后来|最终|最后|却|又|并|也|还是|仍然?|都){0,3}((?:没有?|未)能?(?:完成|做到|兑现|实现|成功|履行|照办)?)\W*$",
)
_UNAWARE = cue(r"毫?不(?:知道|知晓|知情|清楚|了解)", r"\b(?:not|n't) (?:know|aware)\b|\bunaware\b")
_DENIED = cue(r"(?:并非|不是|没有|绝非)$|\bnot $")
_KNOWING = cue(r"知情|知道|知晓|清楚|了解|\bknow\b|\baware\b")
_SETTLED = cue(r"(?:还|付|结|偿|缴|交|退)清|全部(?:还|付|退|归还|支付)|\b(?:fully|completely) (?:re)?paid|\bpaid off\b")
_OWES = cue(r"[还尚仍](?:差|欠|剩|有)[^,.;!?]{0,6}[0-9]|\bstill owes?\b|\bremains? (?:unpaid|outstanding)\b")
_ASPECT = cue(r"(?<=[\u4e00-\u9fff])[过了](?=[\u4e00-\u9fff])|(?<=[\u4e00-\u9fff])过$")
_LAST_PAIR = late(r"[\u4e00-\u9fff]{2}(?=[^\u4e00-\u9fff]*$)")
_NEGATIVE = cue(r"^(?:并?没有?|未|不|无|not |n't |no )(?:(?:任何|相关|具体|关于)$)?")
_ENDS = late(r"\W|$")
_RUN = late(r"[\u4e00-\u9fff]+")
_LATIN = late(r"[a-z]{3,}")
_MOST = 200
"""Clauses of one answer that are read."""
_RECANTED = 9
_STEM = 5
"""Letters in which two words agree that differ in their endings: deliver, delivery."""
_PART = cue(r"只(?!是|要|能|好|不过)|仅|一半|部分|各自", r"\b(?:only|half|partly)\b")
"""Somebody alone, or a part: no answer to what was asked of all of it."""
_FRAME = late(r"^.*,(?=.*[\u4e00-\u9fff])")
_NON = cue(r"\bnon-?(?=[a-z]{4})")
_PRONOUN = cue(r"\W*(?:it|they|he|she|this|that|both)\b")
"""It stands for what the question names first."""
_ITEM = cue(r"(?:(?![了过的到由付交收给把将])[\u4e00-\u9fff]){2}[费税款金险]")
"""What somebody pays; the tagger takes many of these apart."""
_TOWARDS = frozenset("给向对与和跟同为从")
"""Behind these stands whom something is done to or with; that takes nothing's place."""
_BESIDE = cue(
    r"合同|协议|笔录|判决|法院|法庭|条款?|材料|文件|记录|规定|双方|对方|理由|原因|^[一二两三几半]",
    r"\b(?:agree|contract|record|page|claus|parti|section|articl|under|allow|permit|entitl)\w*",
)
"""Where something is said, and that it may be; it takes nothing's place."""


def read_yes_no(told: Told) -> bool | None:
    """Read an answer to a yes/no question: True, False, or None when it says neither."""
    text = told.outside.text.strip()
    word = text.strip(" .!")
    if word in _WORDS:
        return _WORDS[word]
    asked = _asked(told.asked)
    lead = _LEAD.match(text)
    opening = text[lead.end() :] if lead else text
    told_by = _by_predicate(told.outside, asked)
    unaware = _UNAWARE.search(opening, 0, 40) if _KNOWING.search(told.asked) and told_by is None else None
    if unaware:
        return _DENIED.search(opening, 0, unaware.start()) is not None
    if _DISAGREES.match(opening):
        return bool(told_by) and _ADMITS.search(opening) is not None
    if told_by is None and _SETTLED.search(told.asked) and _OWES.search(text):
        return False
    first = told.outside.clauses[0] if told.outside.clauses else None
    if first is None or _is_aside(told.outside, first, asked):
        return told_by
    if no := _NO.match(opening):
        alone = _ENDS.match(opening, no.end())
        if told_by is None and not alone and _other(told.outside, first, asked):
            return None
        return told_by is True and _turned(first) % 2 == 0 and not alone
    if _YES.match(opening):
        return told_by is not False
    return told_by


class _Asked(NamedTuple):
    """What a yes/no question asks: its pairs of characters and its Latin words, all of them and without names."""

    pairs: frozenset[str]
    core: frozenset[str]
    last: str
    """The last pair of it, where its verb or object stands."""
    denied: bool
    text: str
    opposites: frozenset[str]
    """Words that say the opposite of what was asked."""
    allows: frozenset[str]
    """The flag of what may be, where that was asked: may the tenant sublet?"""
    words: tuple[frozenset[str], ...]
    """Its words of content, each with those that say the same; without what stands before a comma."""

    def denied_by(self, said: Statements, one: Clause) -> bool:
        """Whether the words by which a clause leaves something open deny what was asked."""
        cues = (said.text[hit.start : hit.end] for hit in one.hits if "silent" in hit.kinds)
        return any(_NEGATIVE.sub("", cue) in self.text for cue in cues)


@lru_cache(maxsize=4096)
def _asked(question: str) -> _Asked:
    raw = _ASKING.sub("", question)
    plain = kept = _ASPECT.sub("", raw)
    for name in find_names(plain):
        if name.kind in ("person", "organisation"):
            kept = kept.replace(plain[name.start : name.end], " ")
    last = _LAST_PAIR.search(kept)
    against = frozenset(word for pair in _pairs(kept) for word in OPPOSITE.get(pair, ()))
    said = Statements(plain, names_in(question))
    denied = any(one.flags(one.end - 1)[1] % 2 for one in said.clauses)
    words = _words(_FRAME.sub("", plain))
    allows = question_flags(question) & {scopes.MAYBE}
    return _Asked(_pairs(raw), _pairs(kept), last[0] if last else "", denied, question, against, allows, words)


def _words(plain: str) -> tuple[frozenset[str], ...]:
    """The words of content of a question, each with those that say the same; a Latin one by its stem."""
    light = tables()["light"]
    han = [word for word, _ in tag_words(plain) if len(word) > 1 and not word.isascii() and word not in light]
    latin = [word for word in _LATIN.findall(plain) if word not in light]
    stems = [(root(word), *(key.lstrip("~") for key in DEFAULT.same_stems(root(word)))) for word in latin]
    return tuple(map(frozenset, [*((word, *DEFAULT.same(word)) for word in han), *stems]))


def _replaces(said: Statements, one: Clause, asked: _Asked) -> bool:
    """Whether a clause has no word of the question, or leaves one out and has a noun or a name in its place."""
    text = _ASPECT.sub("", said.text[one.start : one.end])
    for hit in one.hits:
        text = text.replace(said.text[hit.start : hit.end], " ") if said.text[hit.start : hit.end].isascii() else text
    stems = [root(word) for word in _LATIN.findall(text) if word not in tables()["light"]]
    held = [any(_holds(text, stems, form) for form in forms) for forms in asked.words]
    held += [item in text for item in _ITEM.findall(asked.text)]
    held = [True, *held[1:]] if _PRONOUN.match(text) else held
    if all(held) or not any(held):
        return not all(held)
    known = frozenset(form for forms in asked.words for form in forms)
    nouns = (*_nouns(said, one), *_ITEM.findall(text))
    if _turned(one) % 2 and not parties_in(asked.text):
        nouns = tuple(word for word in nouns if not parties_in(word))
    if any(word not in asked.text and word not in known and not _BESIDE.search(word) for word in nouns):
        return True
    return any(not any(_alike(stem, form) for form in known) and not _BESIDE.match(stem) for stem in stems)


def _nouns(said: Statements, one: Clause) -> Iterator[str]:
    """The nouns of a clause, but not to whom or with whom something is done."""
    for start, end, tag in said.tags_in(one.start, one.end):
        if tag[0] == "n" and end - start > 1 and said.text[start - 1 : start] not in _TOWARDS:
            yield said.text[start:end]


def _holds(text: str, stems: Sequence[str], form: str) -> bool:
    return any(_alike(stem, form) for stem in stems) if form.isascii() else form in text


def _alike(stem: str, form: str) -> bool:
    return stem == form or (len(form) >= _STEM and stem[:_STEM] == form[:_STEM])


def _is_partial(words: str, asked: _Asked) -> bool:
    """Whether a clause speaks of somebody alone or of a part, and the question does not."""
    return _PART.search(words) is not None and not _PART.search(asked.text)


def _other(said: Statements, one: Clause, asked: _Asked) -> frozenset[str]:
    """The parties a clause names, where the one asked about is none of them."""
    named = parties_in(said.text[one.start : one.end])
    own = parties_in(asked.text)
    return frozenset() if not own or named & own else named


def _turned(one: Clause) -> int:
    """How often a clause denies."""
    return len(
        {hit.start for hit in one.hits if hit.kinds & {"negation", "negation_behind", "denial", "refusing", "silent"}}
    )


def _by_predicate(said: Statements, asked: _Asked) -> bool | None:
    """Find the clause that speaks of what was asked, and whether it denies it."""
    best: tuple[int, ...] = ()
    verdict: bool | None = None
    for one in said.clauses[:_MOST]:
        short = _SHORT.match(said.text, one.start, one.end)
        words = said.text[one.start : one.end]
        pairs = _pairs(_ASPECT.sub("", words))
        told = len(pairs & asked.core) + (asked.last in pairs)
        overlap = len(_pairs(words) & asked.pairs) or int(_ADMITS.search(words) is not None)
        if _RECANTS.search(words):
            told = overlap = _RECANTED
        opposite = "" if told else next((word for word in asked.opposites if word in words), "")
        overlap = overlap or int(bool(opposite))
        if not (told or overlap or short) or _is_aside(said, one, asked):
            continue
        others = _other(said, one, asked)
        plain = short or opposite or others or not told or told == _RECANTED or _ADMITS.search(words)
        if _is_partial(words, asked) or not (plain or not _replaces(said, one, asked)):
            continue
        now = not any(scope.flag == scopes.FORMER for scope in one.scopes)
        rank = (now, told, overlap, -one.start) if not short else (now, 8, 8, one.start)
        if rank > best:
            best = rank
            cues = {said.text[hit.start : hit.end] for hit in one.hits}
            turns = _turned(one) + len(_NON.findall(words))
            denied = (turns + (opposite not in cues | {""})) % 2 == 1 or bool(_RECANTS.search(words))
            if short:
                denied = any(short.groups())
            verdict = denied == asked.denied
            if others:
                verdict = None if denied or not others & opposite_parties(asked.text) else asked.denied
    return verdict


def _is_aside(said: Statements, one: Clause, asked: _Asked) -> bool:
    """Whether a clause leaves open what it speaks of; 没有约定 denies where 约定 is what was asked."""
    flags = {scope.flag for scope in one.scopes} - {scopes.FORMER} - asked.allows
    if scopes.UNKNOWN in flags and asked.denied_by(said, one):
        flags.discard(scopes.UNKNOWN)
    return bool(flags & {*ASIDE, *DOUBTS}) or one.has("doubt")


def _pairs(words: str) -> frozenset[str]:
    """Pairs of neighbouring Han characters, and Latin words by their stems."""
    runs = _RUN.findall(words)
    stems = frozenset(map(root, _LATIN.findall(words)))
    return stems | frozenset(run[at : at + 2] for run in runs for at in range(len(run) - 1))
