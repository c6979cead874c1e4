"""Does an answer decline, invent, and quote? The three parts of a conflict_gap question (R1.7, R1.8, R1.9)."""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from ragstone.contracts.legal_rag.cases import Gap
from ragstone.contracts.legal_rag.sources.quotes import holds, quote_key, quote_pieces
from ragstone.core.types import JSON, Reading
from ragstone.reading.answers.told import content
from ragstone.reading.answers.who import parties_in
from ragstone.reading.cuebook import tables
from ragstone.reading.cues import cue
from ragstone.reading.refusals.declines import declines
from ragstone.reading.refusals.excuses import DENYING
from ragstone.reading.scopes import Clause
from ragstone.reading.sentences import quotes
from ragstone.reading.statements import Statements
from ragstone.reading.tokens import root
from ragstone.reading.values.specifics import Specific, SpecificKind
from ragstone.reading.values.support import Evidence, SpecificVerdict, check_specifics, support_of
from ragstone.text.fold import fold, squeeze

_WORD = re.compile(r"[^\W_▒]")
_ELLIPSIS = re.compile(r"[…⋯]+|[.．。]{3,}")

_GAP = ("silent", "unable", "unknown", "forgot", "unsaid")
"""What a source says when it does not know, reported by the answer: 他记不清了."""
# And then the detail after all: 忘记了，但主要是请了…
_AFTER_ALL = cue(r"其实|实际上|主要(?:是|用于|有)|应该是|应为|大概|据推断|\b(?:however|probably|likely|actually)\b")
_SAYS_YES = cue(r"\W*(?:是的|对的|yes\b)")
# Talk about the source or the answer itself brings no matter of its own.
_FRAME = ("narrator", "filler", "telling", "hearsay", "therefore")
_SENDS = ("refer", "offers", "later", "willing", "asks_back")
"""Advice and offers claim nothing."""
_NEAR = 6
"""Characters between a denial and the verb of telling that it denies."""
_MOST_BESIDE = 2
"""Sentences of an answer that only reports a gap which tell something else."""
_OF_FILE = cue(
    r"▒[^,.;!?]{0,4}?(?:页|[份个](?:文件|材料|合同|协议|笔录|文书|资料|附件)|[条款章节](?:款|里|中|内|都|均|全|约定|规定))",
    r"(?:合同|协议|文件|材料|文书)[^,.;!?▒]{0,2}▒[^,.;!?]{0,4}?[条款章节份]",
    r"▒\w+ (?:pages?|clauses?|articles?|sections?|documents?|files?|exhibits?)\b",
)
_NOR = cue(
    r"[也都均](?:没有?|无|未见)\W*$|矛盾|不一致|不符|冲突|相反|说法不一|各执一词|对不上",
    r"\b(?:contradict|conflict|disagree|differ|inconsisten)\w*|\bn't agree\b",
)
"""后面三页也没有, 双方说法矛盾: what the answer finds in its sources, or between them."""
_BESIDE = 6
_WHO = cue(r"谁|哪一?方", r"\bwho ([a-z]+)")
_AGENT = cue(
    r"([a-z]+ed|done|made|paid|born[e]?|sent|kept|held) by (?:the )?[a-z]+",
    r"([\u4e00-\u9fff]{2,8})由[\u4e00-\u9fff]{2,6}?(?:购买|承担|负责|办理|支付|投保|缴纳|保管|安排|完成)",
)
"""Who did something, and what."""
_LATIN_WORD = re.compile(r"[a-z]{3,}")
_HAN_RUN = re.compile(r"[\u4e00-\u9fff]+")
_ENOUGH = 5
"""Pairs of characters a clause needs before it is judged."""
_KNOWN = 0.3
"""Share of them the source must have."""
_WORDS, _KNOWN_WORDS = 3, 0.4
"""The same for Latin words."""
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
        "claim",
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
    open: bool = False
    """Whether it could not be proved that the answer declines, nor that it does not."""


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
    said = Statements(reading.text)
    adds = bool(verdicts or _new_matter(said, question, source))
    # A quote beside an answer that says something else does not decline for it.
    told = bool(quoted) and _holds_any(gap, [reading.text])
    abstained, rule, undecided = _abstains(gap, reading, said, question, adds=adds, quoted=told)
    if gap.should_abstain and not abstained:
        known = source or _contexts(gap, reading)
        verdicts = [*verdicts, *_claims(said, _new_matter(said, question, known), verdicts)]
    kinds = kinds_of(gap.check)
    invented = tuple(verdict for verdict in verdicts if verdict.specific.kind in kinds)
    return Honesty(abstained, rule, invented, quoted, tuple(supported), undecided)


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
    verdicts = [one for one in check_specifics(said, source, question, _LOOKED_AT) if not _counts_file(one, said)]
    doubtful = [verdict for verdict in verdicts if not verdict.supported or _is_derived(gap, verdict)]
    if doubtful and quotes:
        known = _quoted_evidence(quotes)
        doubtful = [verdict for verdict in doubtful if not support_of(verdict.specific, said, known)]
    places = {verdict.specific.start for verdict in doubtful}
    return _Weighed(doubtful, [verdict for verdict in verdicts if verdict.specific.start not in places])


@lru_cache(maxsize=128)
def _quoted_evidence(quotes: tuple[str, ...]) -> Evidence:
    return Evidence.prepare(*quotes)


def _counts_file(verdict: SpecificVerdict, said: str) -> bool:
    """Tell whether a count is of the case file's own pages, articles or documents: 四页合同, all three pages."""
    one = verdict.specific
    if one.kind != "count":
        return False
    around = fold(said[max(0, one.start - _BESIDE) : one.start] + "▒" + said[one.start : one.end + 2 * _BESIDE])
    return _OF_FILE.search(around) is not None and _is_looked_through(one.start, Statements(said))


def _is_looked_through(place: int, said: Statements) -> bool:
    """Tell whether the sentence of a place says that something is not there: 四页都没有约定, and not 签了四份合同."""
    sentence = said.at(place).sentence
    return any(_is_gap(one) or one.has("negation", "denial") for one in said.talk if one.sentence == sentence)


def _is_derived(gap: Gap, verdict: SpecificVerdict) -> bool:
    """Return whether an amount was only worked out; where the source leaves a gap, that is filling it."""
    return gap.should_abstain and verdict.rule in _DERIVED


# --- abstention ---


def _abstains(
    gap: Gap, reading: Reading, said: Statements, question: str, *, adds: bool, quoted: bool
) -> tuple[bool, str, bool]:
    """Return whether the answer as a whole declines, by which rule, and whether that is open."""
    quotes = (*gap.quotes, *gap.other_quotes)
    rest = _without(reading.text, quotes)
    declared = reading.fields.get("abstained") is True
    if not _WORD.search(rest):
        if reading.text.strip():
            return (gap.should_abstain or declared), "only_quotes", False
        return declared, "declared", False
    own = said if rest == reading.text else Statements(rest)
    refusal = declines(question, own)
    if gap.should_abstain and _names_who(own, question):
        return False, "answered_behind", False
    if refusal.outcome == "yes":
        return True, refusal.rule, False
    if adds:
        return False, refusal.rule, False
    if refusal.rule == "answered_behind" or _SAYS_YES.match(said.text):
        return False, refusal.rule, False
    if gap.should_abstain and _reports_gap(said, quoted=quoted):
        return True, "reports_gap", False
    if declared and refusal.rule != "answered_before":
        return True, "declared", False
    return False, refusal.rule, refusal.outcome == "open"


def _names_who(said: Statements, question: str) -> bool:
    """Tell whether a clause names the party that is asked for as the one who did it: unloaded by the Buyer."""
    asked = fold(question)
    verb = _WHO.search(asked)
    return verb is not None and any(
        found is not None
        and not one.has(*_GAP, "negation", "denial", "guess")
        and bool(parties_in(found[0]) - parties_in(asked))
        and not (one.asked or one.scopes)
        and (root(found[1]) == root(verb[1] or "") if found[1] else bool(content(found[2]) & content(asked)))
        for one in said.clauses
        if (found := _AGENT.search(said.text, one.start, one.end))
    )


def _without(text: str, quotes: Iterable[str]) -> str:
    """Blank the source's own words: what a witness forgot is not the answer's refusal."""
    for quote in quotes:
        for piece in _ELLIPSIS.split(quote):
            if piece.strip():
                text = text.replace(piece, "▒" * len(piece))
    return text


def _reports_gap(said: Statements, *, quoted: bool) -> bool:
    """Return whether an answer reports, in its own words or by the quote, that the source does not know, and stops."""
    first = next((at for at, one in enumerate(said.talk) if _is_gap(one)), None)
    reported = {one.sentence for one in said.talk if _is_gap(one)}
    others = {one.sentence for one in said.talk} - reported
    if (first is None and not quoted) or len(others) > _MOST_BESIDE:
        return False
    return not any(_goes_on(one, said) for one in said.talk[0 if first is None else first + 1 :])


def _is_gap(one: Clause) -> bool:
    """Return whether a clause says that something is not known or not told."""
    if one.has(*_GAP):
        return True
    denials = [hit.end for hit in one.hits if "negation" in hit.kinds]
    verbs = [hit.start for hit in one.hits if hit.kinds & {"telling", "narrator", "information"}]
    return any(0 <= verb - denial <= _NEAR for denial in denials for verb in verbs)


def _goes_on(one: Clause, said: Statements) -> bool:
    """Return whether a clause gives the detail after all."""
    against = one.but and not one.has(*_GAP, "negation", "denial", "narrator")
    return against or one.has("guess") or _AFTER_ALL.search(said.text, one.start, one.end) is not None


def _contexts(gap: Gap, reading: Reading) -> Evidence | None:
    """What was retrieved, with the quotes of the question; None where nothing was."""
    texts = [context.text for context in reading.contexts]
    return Evidence.prepare(*gap.quotes, *gap.other_quotes, *texts) if texts else None


def _claims(said: Statements, new: Sequence[Clause], verdicts: Sequence[SpecificVerdict]) -> Iterator[SpecificVerdict]:
    """The clauses that tell what the source does not have, beside the specifics that do."""
    for one in new:
        start, end = said.span(one.start, one.end)
        text = said.written[start:end].strip(" ，。,.;；!！")
        if not (one.has(*DENYING, *_SENDS) or any(start <= verdict.specific.start < end for verdict in verdicts)):
            yield SpecificVerdict(
                Specific("claim", start, end, text, squeeze(text)), False, "claim not in the evidence"
            )


def _new_matter(said: Statements, question: str, source: Evidence | None) -> list[Clause]:
    """The clauses that bring matter the source does not have: 他拿去装修房子了，具体记不清."""
    if source is None or len(source.squeezed) > _LONGEST:
        return []
    known = source.squeezed + squeeze(question)
    stems = frozenset(root(word) for word in _LATIN_WORD.findall(source.folded + fold(question)))
    text = said.text
    for quote in quotes(said.written)[:_MOST]:
        text = text[: quote.start] + " " * (quote.end - quote.start) + text[quote.end :]
    own = (one for one in said.talk[:_MOST] if not (_is_gap(one) or one.has(*_FRAME)))
    return [
        one
        for one in own
        if _is_new(text[one.start : one.end], known, stems) and not _NOR.search(text[one.start : one.end])
    ]


def _is_new(words: str, known: str, stems: frozenset[str]) -> bool:
    runs = _HAN_RUN.findall(squeeze(words))
    pairs = [run[at : at + 2] for run in runs for at in range(len(run) - 1)]
    if len(pairs) >= _ENOUGH:
        return sum(pair in known for pair in pairs) < len(pairs) * _KNOWN
    own = [root(word) for word in _LATIN_WORD.findall(words) if word not in tables()["light"]]
    return len(own) >= _WORDS and sum(one in stems for one in own) < len(own) * _KNOWN_WORDS


# --- quotes ---


def _quoted(gap: Gap, reading: Reading) -> bool | None:
    if not gap.quotes:
        return None
    parts = [reading.text, *(citation.quote for citation in reading.citations if citation.quote)]
    evidence = reading.fields.get("evidence")
    parts += [item["text"] for item in evidence] if isinstance(evidence, list) else []
    return _holds_any(gap, parts)


def _holds_any(gap: Gap, parts: Sequence[str]) -> bool:
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
