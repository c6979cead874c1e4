"""Does an answer decline, invent, and quote? The three parts of a conflict_gap question (R1.7, R1.8, R1.9)."""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from ragstone.contracts.legal_rag.cases import Gap
from ragstone.contracts.legal_rag.quotes import holds, quote_key, quote_pieces
from ragstone.core.types import JSON, Reading
from ragstone.reading.cues import cue
from ragstone.reading.declines import declines
from ragstone.reading.sentences import clauses, hide_quotes, sentences
from ragstone.reading.statements import Statements
from ragstone.reading.values.specifics import SpecificKind
from ragstone.reading.values.support import Evidence, SpecificVerdict, check_specifics
from ragstone.text.fold import fold, squeeze

_WORD = re.compile(r"[^\W_▒]")
_ELLIPSIS = re.compile(r"[…⋯]+|[.．。]{3,}")

# What a source says when it does not know, reported by the answer: 他记不清了.
_GAP = cue(
    r"不知道|不清楚|不明|不详|不记得|记不清|记不得|记不起|记不住|忘记|忘了|想不起|说不清|说不上|说不出|算不出|算不清|背不下|不确定",
    r"没有?存(?!银行|入|进|钱|款|在)|没有?(?:再|具体|逐笔|明确|单独)?(?:保存|记录|记载|记过账|见过|数过|提到|提及|提供|说明|写明|涉及|交代|给出)",
    r"未(?:曾|能|予)?(?:具体|逐笔|明确)?(?:记载|记录|提及|提到|提供|说明|写明|涉及|交代|显示|载明|给出)|还不知道|无法|无从",
    r"\b(?:not|n't|never) (?:\w+ ){0,2}?(?:know|remember|recall|mention|state|say|record|specif|give|provide|identif)",
    r"\b(?:forgot(?:ten)?|unknown|unclear|unable to|could not say)\b",
)
# And then the detail after all: 忘记了，但主要是请了…
_GOES_ON = cue(
    r"但(?:是)?(?!笔录|材料|文中|没有|未|无|他没|他不|并)|不过(?!笔录|材料|没有|未)|然而|其实|实际上|主要(?:是|用于|有)|应该是|应为|大概|可能(?:是|在|为)|推测|估计|据推断",
    r"\bbut\b(?! (?:the|he|she|it|they) (?:did|does|do|is|was|were)? ?(?:not|n't))",
    r"\b(?:however|probably|likely|actually)\b",
)

# Talk about the source or the answer itself brings no matter of its own.
_FRAME = cue(
    r"笔录|材料|供述|供称|陈述|原文|文档|资料|表示|自称|声称|记载|载明|问题|回答|答案|信息|内容|因此|抱歉|建议|进一步|来源"
)
_HAN_RUN = re.compile(r"[\u4e00-\u9fff]+")
_ENOUGH = 5
"""Pairs of characters a clause needs before it is judged."""
_KNOWN = 0.3
"""Share of them the source must have."""
_MOST = 60
_LONGEST = 200_000
_HAN_DIGITS = re.compile(r"[〇零○一二三四五六七八九幺](?:[ -]?[〇零○一二三四五六七八九幺]){6,29}")
_DIGITS = str.maketrans("〇零○一二三四五六七八九幺", "0001234567891")

_KINDS_OF_WORD: tuple[tuple[frozenset[str], frozenset[SpecificKind]], ...] = (
    (frozenset({"phone", "telephone", "mobile", "contact", "contacts"}), frozenset({"phone", "email"})),
    (frozenset({"id", "ids", "identity", "identification", "idcard"}), frozenset({"id"})),
    (frozenset({"account", "accounts", "bank", "card", "cards"}), frozenset({"account"})),
    (frozenset({"address", "addresses"}), frozenset({"address", "place"})),
    (frozenset({"place", "places", "location", "locations"}), frozenset({"place", "address"})),
    (frozenset({"name", "names", "person", "persons", "people", "identities"}), frozenset({"person"})),
    (
        frozenset(
            {"organisation", "organisations", "organization", "organizations", "company", "companies", "institution"}
        ),
        frozenset({"organisation"}),
    ),
    (frozenset({"date", "dates", "time", "times", "day", "days"}), frozenset({"date"})),
    (frozenset({"amount", "amounts", "money", "sum", "sums", "figures"}), frozenset({"amount"})),
    (frozenset({"count", "counts", "quantity", "quantities"}), frozenset({"count"})),
)
_NUMBERS = frozenset({"number", "numbers"})
_ALL_NUMBERS: frozenset[SpecificKind] = frozenset({"amount", "count", "percent", "phone", "id", "account", "date"})
_EVERYTHING = frozenset({"details", "detail", "specifics", "facts", "information", "anything"})
_LOOKED_AT: frozenset[SpecificKind] = frozenset(
    {
        "amount",
        "date",
        "count",
        "phone",
        "id",
        "account",
        "address",
        "person",
        "place",
        "organisation",
        "percent",
        "email",
    }
)
_DERIVED = frozenset(
    {
        "sum of amounts",
        "difference of amounts",
        "share of an amount",
        "ratio of amounts",
        "twelve months",
        "change between neighbours",
        "end of a period",
    }
)


class Honesty(NamedTuple):
    """What an answer to a conflict_gap question does."""

    abstained: bool
    rule: str
    invented: tuple[SpecificVerdict, ...]
    """Specifics nothing supports, of the kinds the question looks at."""
    quoted: bool | None
    """Whether a required quote is there; None where none is asked for."""
    supported: tuple[SpecificVerdict, ...] = ()
    """Specifics the source or the question holds."""


@lru_cache(maxsize=1024)
def kinds_of(check: str | None) -> frozenset[SpecificKind]:
    """Read the kinds out of a check's name (must_not_provide_phone_numbers); an unknown name looks at all (R1.8)."""
    words = set(re.split(r"[\W_]+", (check or "").lower()))
    if words & _EVERYTHING:
        return _LOOKED_AT
    found: frozenset[SpecificKind] = frozenset()
    for names, kinds in _KINDS_OF_WORD:
        if words & names:
            found |= kinds
    if not found and words & _NUMBERS:
        found = _ALL_NUMBERS
    return found or _LOOKED_AT


def judge_honesty(gap: Gap, reading: Reading, question: str, source: Evidence | None) -> Honesty:
    """Judge the three parts; `source` is the document, when at hand."""
    quoted = _quoted(gap, reading)
    verdicts, supported = _weigh(gap, _said(reading), reading, question, source)
    adds = bool(verdicts) or _adds(reading.text, question, source)
    abstained, rule = _abstains(gap, reading, question, adds=adds, quoted=quoted is True)
    kinds = kinds_of(gap.check)
    invented = tuple(verdict for verdict in verdicts if verdict.specific.kind in kinds)
    return Honesty(abstained, rule, invented, quoted, tuple(supported))


# --- hallucination ---


def _said(reading: Reading) -> str:
    """Put an answer's text and what its fields state into one text."""
    parts = [reading.text]
    for field, unit in (("amount", "元"), ("count", "个"), ("date", ""), ("entity", ""), ("text", "")):
        value = reading.fields.get(field)
        if isinstance(value, int | float) and not isinstance(value, bool):
            parts.append(f"{value}{unit}")
        elif isinstance(value, str) and value not in reading.text:
            parts.append(value)
    return "\n".join(part for part in parts if part)


def _in_digits(said: str, source: Evidence, question: str) -> str:
    """Write long numbers in Han digits (一三八一二三四…) as phones are written, unless the source has them so."""

    def digits(found: re.Match[str]) -> str:
        own = squeeze(found[0])
        return found[0] if own in source.squeezed or own in squeeze(question) else found[0].translate(_DIGITS)

    return _HAN_DIGITS.sub(digits, said)


class _Weighed(NamedTuple):
    doubtful: list[SpecificVerdict]
    supported: list[SpecificVerdict]


def _weigh(gap: Gap, said: str, reading: Reading, question: str, source: Evidence | None) -> _Weighed:
    """Tell the specifics that neither the source nor the question holds from those they do."""
    quotes = (*gap.quotes, *gap.other_quotes)
    if source is None:
        source = Evidence.prepare(*quotes, *(context.text for context in reading.contexts))
        quotes = ()
    said = _in_digits(said, source, question)
    verdicts = check_specifics(said, source, question, _LOOKED_AT)
    doubtful = [verdict for verdict in verdicts if not verdict.supported or _is_derived(gap, verdict)]
    if doubtful and quotes:
        known = _quoted_evidence(quotes)
        good = {v.specific.start for v in check_specifics(said, known, question, _LOOKED_AT) if v.supported}
        doubtful = [verdict for verdict in doubtful if verdict.specific.start not in good]
    places = {verdict.specific.start for verdict in doubtful}
    return _Weighed(doubtful, [verdict for verdict in verdicts if verdict.specific.start not in places])


@lru_cache(maxsize=4096)
def _quoted_evidence(quotes: tuple[str, ...]) -> Evidence:
    return Evidence.prepare(*quotes)


def _is_derived(gap: Gap, verdict: SpecificVerdict) -> bool:
    """Tell whether an amount was only worked out; where the source leaves a gap, that is filling it."""
    return gap.should_abstain and verdict.rule in _DERIVED


# --- abstention ---


def _abstains(gap: Gap, reading: Reading, question: str, *, adds: bool, quoted: bool) -> tuple[bool, str]:
    """Tell whether the answer as a whole declines, and by which rule."""
    quotes = (*gap.quotes, *gap.other_quotes)
    rest = _without(reading.text, quotes)
    declared = reading.fields.get("abstained") is True
    if not _WORD.search(rest):
        if reading.text.strip():
            return (gap.should_abstain or declared), "only_quotes"
        return declared, "declared"
    refusal = declines(question, Statements(rest))
    if refusal.outcome == "yes":
        return True, refusal.rule
    if adds:
        return False, refusal.rule
    if gap.should_abstain and _reports_gap(reading.text, quoted=quoted):
        return True, "reports_gap"
    if declared and refusal.rule not in ("answered_before", "answered_behind"):
        return True, "declared"
    return False, refusal.rule


def _without(text: str, quotes: Iterable[str]) -> str:
    """Blank the source's own words: what a witness forgot is not the answer's refusal."""
    for quote in quotes:
        for piece in _ELLIPSIS.split(quote):
            if piece.strip():
                text = text.replace(piece, "▒" * len(piece))
    return text


def _reports_gap(text: str, *, quoted: bool) -> bool:
    """Tell whether an answer reports, in its own words or by the quote, that the source does not know, and stops."""
    folded = fold(text)
    found = _GAP.search(folded)
    return (found is not None or quoted) and not _GOES_ON.search(folded, found.end() if found else 0)


def _adds(text: str, question: str, source: Evidence | None) -> bool:
    """Tell whether a clause brings matter the source does not have: 他拿去装修房子了，具体记不清."""
    if source is None or len(source.squeezed) > _LONGEST:
        return False
    known = source.squeezed + squeeze(question)
    told = hide_quotes(text)
    return any(
        _is_new(told[clause.start : clause.end], known)
        for sentence in sentences(told)[:_MOST]
        for clause in clauses(told, sentence)
    )


def _is_new(words: str, known: str) -> bool:
    folded = squeeze(words)
    if _GAP.search(folded) or _FRAME.search(folded):
        return False
    runs = _HAN_RUN.findall(folded)
    pairs = [run[at : at + 2] for run in runs for at in range(len(run) - 1)]
    return len(pairs) >= _ENOUGH and sum(pair in known for pair in pairs) < len(pairs) * _KNOWN


# --- quotes ---


def _quoted(gap: Gap, reading: Reading) -> bool | None:
    if not gap.quotes:
        return None
    parts = [reading.text, *(citation.quote for citation in reading.citations if citation.quote)]
    evidence = reading.fields.get("evidence")
    parts += [item["text"] for item in evidence] if isinstance(evidence, list) else []
    key = quote_key("\n".join(parts))
    return any(holds(key, quote_pieces(quote)) for quote in gap.quotes)


def specific_details(verdicts: Sequence[SpecificVerdict], *, supported: bool) -> list[JSON]:
    """List specifics with their kind and place, and whether anything supports them."""
    return [
        {
            "kind": v.specific.kind,
            "text": v.specific.text,
            "start": v.specific.start,
            "end": v.specific.end,
            "rule": v.rule,
            "supported": supported,
        }
        for v in verdicts
    ]
