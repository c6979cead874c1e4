"""Reads yes or no out of an answer, negation understood (R1.3); knows no score."""

import re

from ragstone.parsing.cues import cue
from ragstone.parsing.sentences import clauses, hide_quotes, sentences
from ragstone.text.fold import fold

_ASKING = cue(
    r"是否|是不是|有没有|有无|能否|可否|会不会|能不能|可不可以|了没有?(?=\W*$)|没有(?=\W*$)|[吗嘛呢么]|\?",
)
_ECHO = cue(r"是否|是不是|有没有|有无|能否|可否|会不会|能不能|可不可以")
_YES = cue(
    r"^(?:是的|是(?!否|不是)|对(?!于|此|方|不|比|其|自|他|她)|有的|有(?!没有|关|可能|人)|会(?!议|计|见)|能(?!力)|可以|属实|确实|没错|正确|认罪|承认|同意|愿意)",
    r"^(?:yes|yeah|true|correct|right|indeed|affirmative)\b",
)
_NO = cue(
    r"^(?:否(?!认)|不是|不(?!仅|但|过|久|同|断|少|止|只|否认)|没有?(?!错|收)|未(?!来)|无(?!论|疑)|并非|并没有|并未|并不|从未|尚未)",
    r"^(?:no|not|false|incorrect|never|negative)\b",
)
_NEGATION = cue(
    r"并非|绝非|否认|拒绝|没有|从未|尚未|并未|未曾|没(?!收|错)|未(?!来|必|成年)|无(?!论|数|疑|限|偿)|不(?!仅|但|过|久|同|断|少|止|只|错|管|论|得不)",
    r"\b(?:not|never|no|none|neither|nor|denie[sd]|refused?|without)\b(?! only| doubt)|n't\b",
)
_OPEN = cue(
    r"无法|不能(?:确定|判断)|不确定|不清楚|不知道|可能|也许|\bunclear\b|\bunknown\b|\bcannot\b|\bmay(?:be)?\b|\bmight\b"
)
_LEAD = re.compile(r"^[\W_]*(?:答案?|回答|answer|结论)?\W*(?:是|为)?\W*(?=[是否有没不未无yn])")
_WORDS = {"true": True, "false": False, "1": True, "0": False, "y": True, "n": False, "√": True, "×": False}


def read_yes_no(text: str, question: str = "") -> bool | None:
    """Read an answer to a yes/no question: True, False, or None when it says neither."""
    folded = fold(hide_quotes(text)).strip()
    if folded.strip(" .!") in _WORDS:
        return _WORDS[folded.strip(" .!")]
    told = _LEAD.sub("", folded, count=1).lstrip()
    if _OPEN.search(told[:12]):
        return None
    if _NO.search(told):
        return False
    if _YES.search(told):
        return not _denied_at_once(told)
    return _by_predicate(folded, fold(question))


def _denied_at_once(told: str) -> bool:
    """Tell 有…吗 and 是没有 from a plain yes."""
    return bool(re.match(r"(?:是|确实|对)[,的 ]*(?:没|未|不|无|并)", told))


def _by_predicate(folded: str, question: str) -> bool | None:
    """Find the clause that speaks of what was asked, and whether it denies it."""
    asked = _ASKING.sub("", question)
    wanted = _pairs(asked)
    found: list[tuple[int, int, bool]] = []
    for sentence in sentences(folded):
        for clause in clauses(folded, sentence):
            words = folded[clause.start : clause.end]
            if _OPEN.search(words):
                continue
            denials = len(_NEGATION.findall(_ECHO.sub("", words)))
            found.append((len(_pairs(words) & wanted), -clause.start, denials % 2 == 1))
    if not found:
        return None
    overlap, _, denied = max(found)
    turned = len(_NEGATION.findall(asked)) % 2 == 1
    return denied == turned if overlap else None


def _pairs(words: str) -> set[str]:
    """Return pairs of neighbouring Han characters, and Latin words."""
    runs = re.findall(r"[\u4e00-\u9fff]+", words)
    return {run[at : at + 2] for run in runs for at in range(len(run) - 1)} | set(re.findall(r"[a-z]{3,}", words))
