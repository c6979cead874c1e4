"""English questions from sentences with an auxiliary or a common verb: the asked part goes to the front.

The audit log is kept for 180 days.  →  How long is the audit log kept?
"""

import re
from collections.abc import Iterator

from ragstone.core.types import JSON
from ragstone.drafting.questions.asking import Ask, Refused
from ragstone.reading.statements import Statements
from ragstone.reading.values.values import Value, values
from ragstone.text.late import late

LONGEST, SHORTEST = 150, 15
_MARKUP = late(r"[`*()\[\]|<>{}]|^(?:Where|Nor|Which|What|When|While|How|Who|So|As|With|Keep) ")
_AUX = r"is|are|was|were|can|must|may|should|will|has|have"
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
    r"every|in|on|by|from|since|at|of|to|until) )?$",
    re.IGNORECASE,
)
_DURATIONS = frozenset(("second", "month"))
_SURE = frozenset(("guessed", "hearsay", "asked", "supposed", "unknown", "corrected", "negated", "alternative"))
_PAST = {
    "opened": "open", "began": "begin", "started": "start", "closed": "close", "founded": "found", "joined": "join",
    "became": "become", "ended": "end", "died": "die", "launched": "launch", "moved": "move", "received": "receive",
    "won": "win", "signed": "sign", "paid": "pay", "bought": "buy", "sold": "sell", "reached": "reach",
}  # fmt: skip
_VERB = late(
    rf"^(?P<subject>[^,;:()]{{2,60}}?) (?P<verb>{'|'.join(_PAST)}|costs|takes|lasts|holds|needs|keeps|allows)"
    r"(?P<rest>(?: .+)?)$"
)
_DEFINED = late(r"^(?P<subject>[A-Z][^,;:.()]{1,50}?) (?:is|are) (?P<answer>(?:an?|the) [^.;:]{8,110}?)\.?$")
_LIST = late(
    r"^(?:There are (?P<count>two|three|four|five|six|seven|eight|nine|ten) (?P<noun>[a-z -]{3,40}): (?P<items>[^.;:]+)"
    r"|(?P<subject>[^,;:.()]{2,60}?) (?P<verb>includes?|supports?|consists? of|comprises?) "
    r"(?P<listed>[^.;:]+,[^.;:]+ and [^.;:]+))\.?$"
)
_RULE = late(
    r"^(?P<subject>(?:An?|The|Each|Every|All|No)? ?[^,;:.()]{2,60}?) "
    r"(?P<modal>must not|may not|cannot|can not|must|can|may) (?P<verb>[^,;:.]{4,70})\.?$"
)


def ask(text: str, title: str, *, rules: bool) -> Iterator[Ask | Refused]:
    """Ask for everything a sentence holds that can be asked for."""
    if _MARKUP.search(text):
        return
    found = (
        list(_defined(text, title)) + list(_lists(text)) + list(_values(text)) + (list(_rules(text)) if rules else [])
    )
    said = Statements(text)
    for one in found:
        if _BACK.search(one.question):
            yield Refused("refers_back")
        elif one.kind != "yes_no" and said.flags(one.spans[0][0])[0] & _SURE:
            yield Refused("unsure")
        elif not SHORTEST <= len(one.question) <= LONGEST:
            yield Refused("length")
        else:
            yield one


def _defined(text: str, title: str) -> Iterator[Ask]:
    found = _DEFINED.match(text)
    if found and title.lower().startswith(found["subject"].lower()):
        subject = found["subject"]
        question = f"What {'is' if ' is ' in found[0] else 'are'} {subject}?"
        yield Ask(
            question, (found.span("answer"),), "definition", {"text_answer": found["answer"]}, subject, named=True
        )


def _lists(text: str) -> Iterator[Ask]:
    found = _LIST.match(text)
    if not found:
        return
    if found["items"]:
        question, span = f"What are the {found['count']} {found['noun']}?", found.span("items")
    else:
        verb = re.sub(r"^(includes?|supports?|comprises?)$", lambda one: one[0].rstrip("s"), found["verb"]).replace(
            "consists", "consist"
        )
        does = "does" if found["verb"].split()[0].endswith("s") else "do"
        question, span = f"What {does} {_lowered(found['subject'])} {verb}?", found.span("listed")
    yield Ask(question, (span,), "list", {}, found["subject"] or found["noun"], named=bool(found["subject"]))


def _values(text: str) -> Iterator[Ask]:
    for value in values(text):
        question = _question(text, value)
        if question:
            words, kind, expected = question
            yield Ask(words, ((value.start, value.end),), kind, expected, words)


def _question(text: str, value: Value) -> tuple[str, str, dict[str, JSON]] | None:
    """Move what asks for a value in front of its sentence's auxiliary."""
    if value.low != value.high and value.measure != "date":
        return None
    start, end = value.start, value.end
    written = text[start:end]
    before = _BEFORE.search(text[:start])
    prep = (before["prep"] or "").strip().lower() if before else ""
    asked = _asked(value, written, prep, text[end:])
    if asked is None:
        return None
    words, kind, used, expected = asked
    cut = start - (len(before["prep"] or "") if before else 0)
    rest = f"{text[:cut].rstrip()} {text[end + used :].strip()}".strip()
    inverted = _inverted(rest)
    return (f"{words} {inverted}?", kind, expected) if inverted else None


def _asked(value: Value, written: str, prep: str, after: str) -> tuple[str, str, int, dict[str, JSON]] | None:
    if value.measure == "date":
        if prep in ("in", "on", "since", "by", "from", "until", "before", "after"):
            words = "When" if prep in ("in", "on") else f"{prep.capitalize()} when"
            return words, "date", 0, {"text_answer": written}
        return None
    if value.measure == "money":
        words = "How much" if prep in ("", "up to", "of") else f"{prep.capitalize()} how much"
        counts_more = re.match(r" ?[a-z]", after[1:3])
        return None if counts_more else (words, "amount", 0, {"amount_total": float(str(value.low))})
    unit = _UNITS.fullmatch(written)
    if value.measure in _DURATIONS and unit:
        if prep in ("for", "for up to"):
            return "How long", "duration", 0, {"text_answer": written}
        words = f"how many {unit['unit']}"
        return (f"{prep} {words}".strip().capitalize(), "duration", 0, {"text_answer": written}) if prep else None
    noun = re.match(r" (?P<noun>[a-z-]+s(?: of [a-z]+)?)\b", after)
    if value.measure in ("bare", "count") and noun and value.low != 1 and prep in ("", "up to", "at least", "at most"):
        return f"How many {noun['noun']}", "count", noun.end(), {"text_answer": written}
    if value.measure in ("byte", "gram", "metre", "litre") and unit is None and prep in ("", "up to", "at least"):
        return "How much", "count", 0, {"text_answer": written}
    return None


def _inverted(rest: str) -> str | None:
    """Put the auxiliary in front of the subject; what stands before a comma goes to the end."""
    rest = rest.rstrip(". ")
    lead = _LED.match(rest)
    tail = ""
    if lead:
        tail, rest = f" {lead['lead'][0].lower()}{lead['lead'][1:]}", lead["rest"]
    rest = _SECOND.split(rest.split(",")[0])[0]
    found = re.match(rf"^(?P<subject>[^,;:()]{{2,70}}?) (?P<aux>{_AUX})(?P<rest>(?: .+)?)$", rest)
    if found:
        return f"{found['aux']} {_lowered(found['subject'])}{found['rest']}{tail}"
    verb = _VERB.match(rest)
    if verb is None:
        return None
    base = _PAST.get(verb["verb"])
    does, base = ("did", base) if base else ("does", verb["verb"].removesuffix("s"))
    return f"{does} {_lowered(verb['subject'])} {base}{verb['rest']}{tail}"


def _rules(text: str) -> Iterator[Ask]:
    found = _RULE.match(text)
    if not found or found["subject"].startswith("No "):
        return
    modal, denied = found["modal"].split()[0].removesuffix("not"), "not" in found["modal"]
    word = {"must": "May" if denied else "Must", "may": "May", "can": "Can"}[modal]
    question = f"{word} {_lowered(found['subject'])} {found['verb']}?"
    span = (found.start("modal"), found.end("verb"))
    yield Ask(question, (span,), "yes_no", {"boolean_answer": not denied}, found["subject"])


def _lowered(subject: str) -> str:
    first = subject.split(" ", 1)[0]
    return (
        subject[0].lower() + subject[1:]
        if first in _ARTICLES or (first.endswith("s") and first[1:].islower())
        else subject
    )


_SECOND = late(r" and (?:then |is |are |was |were |can |must |may |[a-z]+s (?:the|an?) )")
_ARTICLES = frozenset(("The", "A", "An", "Each", "Every", "All", "Up", "Any", "One"))
