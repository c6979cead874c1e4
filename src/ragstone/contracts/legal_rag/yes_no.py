"""Reads yes or no out of an answer, negation understood (R1.3); knows no score."""

import re
from functools import lru_cache
from typing import NamedTuple

from ragstone.reading.cues import cue
from ragstone.reading.sentences import clauses, hide_quotes, sentences
from ragstone.reading.values.names import find_names
from ragstone.text.fold import fold

_ASKING = cue(
    r"是否|是不是|有没有|有无|能否|可否|会不会|能不能|可不可以|了没有?(?=\W*$)|没有(?=\W*$)|[吗嘛呢么]|\?",
)
_ECHO = cue(r"是否|是不是|有没有|有无|能否|可否|会不会|能不能|可不可以")
_PREDICATE = cue(
    r"(?:是否|是不是|有没有|有无|能否|可否|会不会|能不能|可不可以)(?:已经?|曾经?|真的|都|也)?([\u4e00-\u9fff]{2})"
)
_YES = cue(
    r"^(?:是的|是(?!否|不是)|对(?!于|此|方|不|比|其|自|他|她)|有的|有(?!没有|关|可能|人)|会(?!议|计|见)|能(?!力)|可以|属实|确实|没错|不错|正确|认罪|承认|同意|愿意"
    r"|认(?:了|的|账|罪)?(?=\W|$)|嗯|当然(?!不|没|未|否)|肯定(?!不|没|未)|必然(?!不))",
    r"^(?:yes|yeah|true|correct|right|indeed|affirmative|sure"
    r"|(?:of course|certainly|definitely|absolutely)(?! not))\b",
)
_NO = cue(
    r"^(?:否(?!认)|不是|不(?!仅|但|过|久|同(?!意)|断|少|止|只|错|否认)|没有?(?!错|收)|未(?!来)|无(?!论|疑)|并非|并没有|并未|并不|从未|尚未|当然[不没未否]|肯定[不没未])",
    r"^(?:no|not|false|incorrect|never|negative|of course not|certainly not|definitely not|absolutely not)\b",
)
_NEGATION = cue(
    r"并非|绝非|否认|拒绝|反对|没有|从未|尚未|并未|未曾|没(?!收|错)|未(?!来|必|成年)|无(?!论|数|疑|限|偿)|不(?!仅|但|过|久|同(?!意)|断|少|止|只|错|管|论|得不)",
    r"\b(?:not|never|no|none|neither|nor|den(?:y|ies|ied|ying)|refuse[sd]?|without|fail(?:s|ed)? to)\b(?! only| doubt)"
    r"|n't\b",
)
_OPEN = cue(
    r"无法|不能(?:确定|判断)|不确定|不清楚|不知道|可能|也许|\bunclear\b|\bunknown\b|\bcannot\b|\bmay(?:be)?\b|\bmight\b"
)
_ADMITS = cue(
    r"承认|否认|反对|供认|认账|认可|属实|翻供|改口|不?认了?(?=\W|$)",
    r"\b(?:admit\w*|den(?:y|ies|ied|ying)|confess\w*|acknowledg\w*|recant\w*)\b",
)
_RECANTS = cue(r"翻供|反悔|推翻|\brecant\w*|\bretract\w*")
# What counts is how it ended: 起初不承认，后来承认了.
_FIRST = cue(
    r"起初|最初|一开始|开始时|刚开始|先前|原先|原本|当初|先是?|曾经?"
    r"|\bat first\b|\binitially\b|\boriginally\b|\bfirst\b"
)
_LATER = cue(
    r"后来|随后|之后|最终|最后|现在|如今|但(?:是)?(?=后|最|现)|又"
    r"|\blater\b|\beventually\b|\bfinally\b|\bthen\b|\bin the end\b"
)
_DISAGREES = cue(r"^(?:不对|不|错了?|并非如此|不是这样的?|no|wrong|incorrect)[,.;!]")
_SHORT_EN = cue(
    r"^(?:indeed,? )?(?:he|she|it|they|i|we|you|[a-z]+(?: [a-z]+)?)"
    r" (?:did|does|do|has|have|had|is|are|was|were|can|could|will|would)"
    r"( not|n't| never)?\W*$"
)
_SHORT_ZH = cue(
    r"^(?:他们?|她们?|它|我们?|对方|双方|其)(?:并|都|也|确实|的确)?(?:(没有?|不是|不会|不能|不愿意?|未曾|不曾)|有|是的?|会|能|愿意)(?=\W|$)"
)
_FELL_SHORT = cue(
    r"^\W*(?:却|又|并|也|还是|仍然?|都|最终|最后){0,3}(?:没有?|未)能?(?:完成|做到|兑现|实现|成功|履行|照办)?(?=[,.;!?]|$)"
)
_KNOWING = cue(r"知情|知道|知晓|清楚|了解|\bknow\b|\baware\b")
_UNAWARE = cue(
    r"^(?!并非|不是|没有|绝非)(?:他们?|她们?|其|对方|双方|[\u4e00-\u9fff]{2,3}?)(?:当时|事先|完全|根本|并|确实|对此){0,3}毫?不(?:知道|知晓|知情|清楚|了解)",
    r"^(?:he|she|they|[a-z]+(?: [a-z]+)?)"
    r" (?:(?:did|does|do) ?(?:not|n't) know|(?:was|were|is) ?(?:not|n't) aware|(?:was|were|is) unaware)\b",
)
_LEAD = re.compile(r"^[\W_]*(?:答案?|回答|answer|结论)?\W*(?:是|为)?\W*(?=[是否有没不未无yn])")
_FIRST_CLAUSE = re.compile(r"[^,.;!?:]*")
_ASPECT = cue(r"(?<=[\u4e00-\u9fff])[过了](?=[\u4e00-\u9fff])|(?<=[\u4e00-\u9fff])过$")
_LAST_PAIR = re.compile(r"[\u4e00-\u9fff]{2}(?=[^\u4e00-\u9fff]*$)")
_WORDS = {"true": True, "false": False, "1": True, "0": False, "y": True, "n": False, "√": True, "×": False}


def read_yes_no(text: str, question: str = "") -> bool | None:
    """Read an answer to a yes/no question: True, False, or None when it says neither."""
    folded = fold(hide_quotes(text)).strip()
    if folded.strip(" .!") in _WORDS:
        return _WORDS[folded.strip(" .!")]
    asked = fold(question)
    ended = _how_it_ended(folded, asked)
    if ended is not None:
        return ended
    told = _LEAD.sub("", folded, count=1).lstrip()
    if _UNAWARE.search(told) and _KNOWING.search(asked):
        return False
    if _OPEN.search(told[:12]):
        return None
    if _NO.search(told):
        return _by_contrast(told, asked) if _DISAGREES.search(told) else _turns_twice(told)
    if _YES.search(told):
        return not _denied_at_once(told)
    short = _SHORT_EN.search(_first_sentence(told)) or _SHORT_ZH.search(told)
    if short:
        return short[1] is None
    return _by_predicate(folded, asked)


def _first_sentence(told: str) -> str:
    spans = sentences(told[:200], 1)
    return told[: spans[0].end] if spans else ""


def _turns_twice(told: str) -> bool:
    """Tell a denial of a denial (没有否认, 并非不承认) from a plain no."""
    first = _FIRST_CLAUSE.match(told)
    return first is not None and len(_NEGATION.findall(first[0])) % 2 == 0 and len(_NEGATION.findall(first[0])) > 0


def _by_contrast(told: str, asked: str) -> bool:
    """Read 不对，他承认了: the word disagrees with somebody, and what follows is the answer."""
    opening = _DISAGREES.search(told)
    rest = told[opening.end() :] if opening else told
    return bool(_speaks_of(rest, asked) and _by_predicate(rest, asked))


def _how_it_ended(folded: str, asked: str) -> bool | None:
    """Read the last of several phases: 起初承认，后来翻供否认."""
    first = _FIRST.search(folded)
    later = list(_LATER.finditer(folded, first.end() if first else 0))
    if not later or not (first or _speaks_of(folded[: later[-1].start()], asked)):
        return None
    rest = folded[later[-1].end() :]
    short = _SHORT_EN.search(_first_sentence(rest.strip()))
    if first and (short or _FELL_SHORT.search(rest)):
        return short is not None and short[1] is None
    if _RECANTS.search(rest) and not _NEGATION.search(rest) and not _RECANTS.search(asked):
        return False
    if not _speaks_of(rest, asked):
        return None
    return _by_predicate(rest, asked)


def _speaks_of(words: str, asked: str) -> bool:
    """Tell whether words speak of the very thing that was asked: its predicate, admitting or denying."""
    found = _PREDICATE.search(asked)
    return bool(_ADMITS.search(words)) or bool(found and found[1] in words)


def _denied_at_once(told: str) -> bool:
    """Tell 有…吗 and 是没有 from a plain yes."""
    return bool(re.match(r"(?:是|确实|对)[,的 ]*(?:没|未|不|无|并)", told))


def _by_predicate(folded: str, question: str) -> bool | None:
    """Find the clause that speaks of what was asked, and whether it denies it."""
    asked = _ASKING.sub("", question)
    wanted, core = _pairs(asked), _core(asked)
    found: list[tuple[int, int, int, bool]] = []
    for sentence in sentences(folded):
        for clause in clauses(folded, sentence):
            words = folded[clause.start : clause.end]
            if _OPEN.search(words):
                continue
            denials = len(_NEGATION.findall(_ECHO.sub("", words)))
            overlap = len(_pairs(words) & wanted) or int(_ADMITS.search(words) is not None)
            found.append((core.told_by(words), overlap, -clause.start, denials % 2 == 1))
    if not found:
        return None
    told, overlap, _, denied = max(found)
    turned = len(_NEGATION.findall(asked)) % 2 == 1
    return denied == turned if told or overlap else None


class _Core(NamedTuple):
    """The pairs of a question without its names, and the last of them, where its verb or object stands."""

    pairs: frozenset[str]
    last: str

    def told_by(self, words: str) -> int:
        """Count how much of it a clause has."""
        theirs = _pairs(_ASPECT.sub("", words))
        return len(theirs & self.pairs) + (self.last in theirs)


@lru_cache(maxsize=4096)
def _core(asked: str) -> _Core:
    """Take the names out of a question: who is meant does not tell what was asked."""
    plain = kept = _ASPECT.sub("", asked)
    for name in find_names(plain):
        if name.kind in ("person", "organisation"):
            kept = kept.replace(plain[name.start : name.end], " ")
    last = _LAST_PAIR.search(kept)
    return _Core(frozenset(_pairs(kept)), last[0] if last else "")


def _pairs(words: str) -> set[str]:
    """Return pairs of neighbouring Han characters, and Latin words."""
    runs = re.findall(r"[\u4e00-\u9fff]+", words)
    return {run[at : at + 2] for run in runs for at in range(len(run) - 1)} | set(re.findall(r"[a-z]{3,}", words))
