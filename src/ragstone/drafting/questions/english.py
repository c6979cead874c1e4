"""English questions from sentences with an auxiliary or a common verb: the asked part goes to the front.

The audit log is kept for 180 days.  →  How long is the audit log kept?
"""

import re
from collections.abc import Iterator

from ragstone.core.types import JSON
from ragstone.drafting.questions.parts import Ask, Refused, words
from ragstone.reading.statements import Statements
from ragstone.reading.values.values import Value, values
from ragstone.text.late import late

LONGEST, SHORTEST = 150, 15
_MARKUP = late(r"[—`*()\[\]|<>{}]|^(?:Where|Nor|Which|What|When|While|How|Who|So|As|With|Keep) ")
_AUX = r"is|are|was|were|can|must|may|should|shall|will|(?:has|have)(?= (?:been|[a-z]+ed)\b)"
_LED = late(
    r"^(?P<lead>(?:After|Before|Within|If|When|For|During|On|In|Until|Since) [^,.;:]{3,50}?),? "
    r"(?P<rest>(?:the|an?|each|every|all) .+)$"
)
_BACK = late(
    r"\b(?:he|she|it|they|him|her|them|his|its|their|this|that|these|those|such|former|latter|we|our|you|your|i|my|another|"
    r"there|here|above|below|then|also|both|others?|same|however|therefore)\b",
    re.IGNORECASE,
)
_UNITS = late(r"(?P<number>(?:[\d][\d,.]*|[a-z]+(?:-[a-z]+)?)) (?P<unit>[a-z]+s)\b", re.IGNORECASE)
_BEFORE = late(
    r"(?P<prep>(?:for up to|up to|at least|at most|no more than|more than|fewer than|less than|for|within|after|before|"
    r"every|in|on|by|from|since|at|of|to|until|over|about|around|approximately|nearly|almost|during) )?$",
    re.IGNORECASE,
)
_CLUMSY = late(
    r"[:;’']|\b(?:do|does|did)\b.*\b(?:is|are|was|were|has been|have been)\b|.\b(?:who|whom|which|what)\b|"
    r"\ball (?:[a-z]+ed)\b|\bone\?$"
)
"""Two finite verbs, a relative clause, or 'all' that has lost its noun."""
_PRAISE = late(r"\b(?:part|feature|aspect|example|one|thing|way)\b(?: (?:of|in|to|for)\b|$)")
"""In what says something of a thing, not which thing it is."""
_DURATIONS = frozenset(("second", "month"))
_SURE = frozenset(("guessed", "hearsay", "asked", "supposed", "unknown", "corrected", "negated", "alternative"))
_IRREGULAR = {
    "began": "begin", "became": "become", "won": "win", "paid": "pay", "bought": "buy", "sold": "sell", "rose": "rise",
    "fell": "fall", "built": "build", "left": "leave", "held": "hold", "grew": "grow", "had": "have", "has": "have",
    "have": "have",
}  # fmt: skip
_REGULAR = words(
    "open start close found join end die launch move receive reach sign cost take last hold need keep allow employ "
    "serve hire invest publish appoint acquire complete introduce raise record contain cover require pay offer accept "
    "provide occupy weigh run earn produce sell include begin expire return win leave enter increase cost"
)


def _forms(base: str) -> Iterator[str]:
    """How a regular verb is written when it is not bare."""
    yield base + "s"
    yield (
        base[:-1] + "ied"
        if base.endswith("y") and base[-2] not in "aeiou"
        else base + "d" * base.endswith("e") + ("" if base.endswith("e") else "ed")
    )


_BASES = {form: base for base in sorted(_REGULAR) for form in (*_forms(base), base)} | _IRREGULAR
_VERB = late(
    rf"^(?P<subject>[^,;:()]{{2,60}}?) (?P<verb>{'|'.join(sorted(_BASES, key=len, reverse=True))})(?P<rest>(?: .+)?)$"
)
_DEFINED = late(r"^(?P<subject>[A-Z][^,;:.()]{1,50}?) (?:is|are) (?P<answer>(?:an?|the) [^.;:]{8,110}?)\.?$")
_LIST = late(
    r"^(?:There are (?P<count>two|three|four|five|six|seven|eight|nine|ten) (?P<noun>[a-z -]{3,40}): (?P<items>[^.;:]+)"
    r"|(?P<subject>(?!Examples)[^,;:.()]{2,60}?) (?P<verb>includes?|consists? of|comprises?) "
    r"(?P<listed>[^.;:]+,[^.;:]+ and [^.;:]+))\.?$"
)
_SHARED = late(r"[^,]* (?:in|of|for|from|with|to|by) [^,]*,|.*such as")
"""A first item whose head belongs to the others too: employees in Ireland, Spain and Portugal."""
_RULE = late(
    r"^(?P<subject>(?:An?|The|Each|Every|All|No)? ?[^,;:.()]{2,60}?) "
    r"(?P<modal>must not|may not|cannot|can not|must|can|may) (?P<verb>[^,;:.]{4,70})\.?$"
)


def ask(text: str, title: str, *, rules: bool, known: frozenset[str] = frozenset()) -> Iterator[Ask | Refused]:
    """Ask for everything a sentence holds that can be asked for.

    `known` are words as they are written within sentences: they tell names from words that begin one.
    """
    if _MARKUP.search(text):
        return
    found = [*_defined(text, title), *_lists(text, known), *_values(text, known)]
    if rules:
        found += _rules(text, known)
    said = Statements(text)
    for one in found:
        if _BACK.search(one.question):
            yield Refused("refers_back")
        elif _UNSURE in one.question or _CLUMSY.search(one.question):
            yield Refused("broken")
        elif one.kind != "yes_no" and said.flags(one.spans[0][0])[0] & _SURE:
            yield Refused("unsure")
        elif not SHORTEST <= len(one.question) <= LONGEST:
            yield Refused("length")
        else:
            yield one


def _defined(text: str, title: str) -> Iterator[Ask]:
    found = _DEFINED.match(text)
    if found and title.lower().startswith(found["subject"].lower()) and not _PRAISE.search(found["answer"]):
        subject = found["subject"]
        question = f"What {'is' if ' is ' in found[0] else 'are'} {subject}?"
        yield Ask(
            question, (found.span("answer"),), "definition", {"text_answer": found["answer"]}, subject, named=True
        )


def _lists(text: str, known: frozenset[str]) -> Iterator[Ask]:
    found = _LIST.match(text)
    if not found:
        return
    if _SHARED.match(found["items"] or found["listed"]):
        return
    if found["items"]:
        question, span = f"What are the {found['count']} {found['noun']}?", found.span("items")
    else:
        verb = re.sub(r"^(includes?|comprises?)$", lambda one: one[0].rstrip("s"), found["verb"]).replace(
            "consists", "consist"
        )
        does = "does" if found["verb"].split()[0].endswith("s") else "do"
        question, span = f"What {does} {_lowered(found['subject'], known)} {verb}?", found.span("listed")
    subject = _lowered(found["subject"], known) if found["subject"] else found["noun"]
    yield Ask(question, (span,), "list", {}, subject, named=subject[0].isupper())


def _values(text: str, known: frozenset[str]) -> Iterator[Ask]:
    for value in values(text):
        found = _question(text, value, known)
        if found:
            yield found


def _question(text: str, value: Value, known: frozenset[str]) -> Ask | None:
    """Move what asks for a value in front of its sentence's auxiliary."""
    if value.low != value.high and value.measure != "date":
        return None
    start, end = value.start, value.end
    if value.measure == "date" and (year := _YEAR_BEHIND.match(text[end:])):
        end += year.end()
    written = text[start:end]
    before = _BEFORE.search(text[:start])
    prep = (before["prep"] or "").strip().lower() if before else ""
    asked = _asked(value, written, prep, text[end:])
    if asked is None or _JOINED.match(text[end + asked[2] :]):
        return None
    words, kind, used, expected = asked
    cut = start - (len(before["prep"] or "") if before else 0)
    front = text[:cut].rstrip()
    said = _LEAD.sub("", front)
    named = kind == "count" and said and (not _SAYS.search(said) or _NUMBERED.search(said))
    if _ELSEWHERE.search(said) or _SECOND.search(front) or named:
        return None
    inverted = _inverted(f"{front} {text[end + used :].strip(' ;')}".strip(), known)
    if inverted is None:
        return None
    asks, subject = inverted
    if " and " in asks and any(one.measure == value.measure for one in values(asks)):
        return None
    named = subject[0].isupper() and subject.split(" ")[0] not in _ARTICLES
    return Ask(f"{words} {asks}?", ((start, end),), kind, expected, subject, named)


def _asked(value: Value, written: str, prep: str, after: str) -> tuple[str, str, int, dict[str, JSON]] | None:
    if value.measure == "date":
        if prep in ("in", "on", "since", "by", "from", "until", "before", "after"):
            words = "When" if prep in ("in", "on") else f"{prep.capitalize()} when"
            return words, "date", 0, {"text_answer": written}
        return None
    if value.measure == "money":
        words = "How much" if not prep else f"{prep.capitalize()} how much"
        counts_more = prep == "of" or _MORE_MONEY.match(after)
        return None if counts_more else (words, "amount", 0, {"amount_total": float(str(value.low))})
    unit = _UNITS.fullmatch(written)
    if value.measure in _DURATIONS and unit:
        more = _OF.match(after)
        used, of = (more.end(), more[0]) if more else (0, "")
        if prep in ("for", "for up to") and not of:
            return "How long", "duration", 0, {"text_answer": written}
        words = f"{prep} how many {unit['unit']}{of}".strip()
        return words[0].upper() + words[1:], "duration", used, {"text_answer": written}
    if value.measure == "count" and prep in _COUNTING and (counted := _COUNTED.fullmatch(written)):
        return f"{prep} how many {counted['noun']}".strip().capitalize(), "count", 0, {"text_answer": written}
    noun = re.match(r" (?P<noun>(?:[a-z-]+s(?: of [a-z]+)?|people|staff))\b", after)
    if value.measure in ("bare", "count") and noun and value.low != 1 and prep in _COUNTING:
        return f"{prep} how many {noun['noun']}".strip().capitalize(), "count", noun.end(), {"text_answer": written}
    if value.measure in ("byte", "gram", "metre", "litre") and unit is None and prep in ("", "up to", "at least"):
        return "How much", "count", 0, {"text_answer": written}
    return None


_COUNTING = frozenset(("", "up to", "at least", "at most"))
_COUNTED = late(r"[\d,]+ (?P<noun>[a-z]+)")
_MORE_MONEY = late(r" ?(?:k|m|bn|thousand|million|billion)\b|-")
_YEAR_BEHIND = late(r" of the (?:following|next|same|previous) year\b")
_OF = late(
    r" of (?:(?:the|an?) )?[a-z]+"
    r"(?: (?!(?:for|with|from|after|before|on|in|by|to|at|a|each|every|per|and|or)\b)[a-z]+)?"
    r"|'? (?:written )?notice\b"
)
_JOINED = late(r"\s*(?:of|percent|per cent|%|[-–'’]|(?:and|or|to)(?= \d))(?= |\d|$)")
"""Behind a value that is not told whole."""


def _inverted(rest: str, known: frozenset[str]) -> tuple[str, str] | None:
    """Put the auxiliary in front of the subject, and return both; what stands before a comma goes to the end."""
    rest = rest.rstrip(". ")
    lead = _LED.match(rest)
    tail = ""
    if lead:
        tail, rest = f" {lead['lead'][0].lower()}{lead['lead'][1:]}", lead["rest"]
    rest = _SECOND.split(re.split(r",(?!\d)", rest)[0])[0].rstrip()
    found = re.match(rf"^(?P<subject>[^,;:()]{{2,70}}?) (?P<aux>{_AUX})(?P<rest>(?: .+)?)$", rest)
    if found and not _LEADS_OVER.match(found["subject"]):
        subject = _lowered(found["subject"], known)
        return f"{found['aux']} {subject}{found['rest']}{tail}", subject
    verb = _VERB.match(rest)
    if verb is None or _NO_SUBJECT.search(verb["subject"]) or _LEADS_OVER.match(verb["subject"]):
        return None
    subject, written = _lowered(verb["subject"], known), verb["verb"]
    base = _BASES[written]
    does = "do" if written == base else "does" if written in (base + "s", "has") else "did"
    return f"{does} {subject} {base}{verb['rest']}{tail}", subject


def _rules(text: str, known: frozenset[str]) -> Iterator[Ask]:
    found = _RULE.match(text)
    if not found or _LEADS_OVER.match(found["subject"]) or _FINITE.search(found["subject"]):
        return
    modal, denied = found["modal"].split()[0].removesuffix("not"), "not" in found["modal"]
    if not denied and modal != "must":
        return
    word = {"must": "May" if denied else "Must", "may": "May", "can": "Can"}[modal]
    question = f"{word} {_lowered(found['subject'], known)} {found['verb']}?"
    span = (found.start("modal"), found.end("verb"))
    yield Ask(question, (span,), "yes_no", {"boolean_answer": not denied}, found["subject"])


_LEADS_OVER = late(
    r"(?:no|if|when|but|and|or|after|before|while|although|because|sometimes|for|in|on|at|to|then|so|thus|only|otherwise|still)\b",
    re.IGNORECASE,
)
"""How a stretch begins that is no subject."""
_FINITE = late(r"\b(?:is|are|was|were|has|have)\b")
_UNSURE = "\0"
"""Stands before a subject of which nothing tells whether it is a name."""


def _lowered(subject: str, known: frozenset[str]) -> str:
    """A subject as it is written within a sentence."""
    first, _, rest = subject.partition(" ")
    if first in _ARTICLES:
        return first[0].lower() + subject[1:]
    if first in known or (len(first) > 1 and first.isupper()) or not first[0].isupper() or rest[:1].isupper():
        return subject
    lowered = first[0].lower() + subject[1:]
    if first.lower() in known or (first.endswith("s") and first[1:].islower()):
        return lowered
    return _UNSURE + subject


_SECOND = late(
    r" and (?:then|is|are|was|were|can|must|may|will|shall|[a-z]+(?:s|ed)(?= (?:the|an?|in|on|to|by|for|\d))) ?"
)
_NO_SUBJECT = late(r"\b[a-z]+ed\b|\b(?:the|an?|of|for|to|in|and)$")
"""A verb within what looks like the subject of another, or a noun taken for a verb."""
_SAYS = late(rf"\b(?:{_AUX}|{'|'.join(sorted(_BASES, key=len, reverse=True))})\b")
"""A verb, without which a number stands within a name: Tier 2 targets."""
_NUMBERED = late(r" [A-Z][A-Za-z]+$")
"""A name right before a number, which is part of it: GraalPy 3.11."""
_LEAD = late(r"^(?:After|Before|Within|If|When|For|During|On|In|Until|Since) [^,]*, ")
_ELSEWHERE = late(
    r"\b(?:who|which|that|whose|where|[a-z]{2,}ing)\b(?! (?:is|are|was|were|must|can|may|will))|,(?!\d)|"
    r"\b(?:[Aa]n?|[Tt]he|further|additional|first|last|next|another|than|and|or)$"
)
"""A value behind one of these belongs to another clause than the sentence's own, or is not told whole."""
_ARTICLES = frozenset(("The", "A", "An", "Each", "Every", "All", "Up", "Any", "One"))
