"""English questions from sentences with an auxiliary, a common verb or an instruction: what asks goes to the front.

The audit log is kept for 180 days.  →  How long is the audit log kept?
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from ragstone.core.types import JSON
from ragstone.drafting.questions.parts import POINTERS, Ask, Refused, words
from ragstone.drafting.questions.whole import announced, ask_english
from ragstone.reading.statements import Statements
from ragstone.reading.values.values import Value, values
from ragstone.text.late import late

LONGEST, SHORTEST = 150, 15
_MARKUP = late(r"[—`*()\[\]|<>{}]|^(?:Where|Nor|Which|What|While|How|Who|So|As|With|Yes|No|Note) ")
_DONE = "been|become|kept|made|held|paid|sold|won|built|left|bred|met|sent|spent|taken|given|grown|[a-z]+ed"
_AUX = rf"is|are|was|were|can|must|may|should|shall|will|(?:has|have|had)(?= (?:{_DONE})\b)"
_LEADING = "After|Before|Within|If|When|For|During|On|In|Until|Since"
_LED = late(
    rf"^(?:(?P<lead>(?:{_LEADING}|To) [^,.;:]{{3,60}}), (?=\S)|"
    rf"(?P<short>(?:{_LEADING}) [^,.;:]{{3,50}}?) (?=the |an? |each ))"
)
"""In which case or when something holds, in front of it; a comma tells for certain where that ends."""
_BACK = late(
    rf"\b(?:{POINTERS}|such|former|latter|we|our|you|your|i|my|another|"
    r"there|here|above|below|then|also|both|others?|same|however|therefore|ones|now|"
    r"previously|last (?:year|month|week)|next (?:year|month|week)|yet|"
    r"today|yesterday|tomorrow|(?:mon|tues|wednes|thurs|fri)day(?:'s)?)\b",
    re.IGNORECASE,
)
_CLUMSY = late(
    r"[:;’]|(?<!s)'(?!s)|\b(?:do|does|did)\b.*\b(?:is|are|was|were|has been|have been)\b|"
    r".\b(?:who|whom|which|what|if|when) .*\b(?:who|whom|which|that)\b|"
    r"^(?!What).* (?:who|whom|which|what(?! percentage)) |\ball (?:[a-z]+ed)\b|\bone\?$"
)
"""Two finite verbs, a relative clause, or 'all' that has lost its noun."""
_PRAISE = late(r"\b(?:part|feature|aspect|example|one|thing|way)\b(?: (?:of|in|to|for)\b|$)")
"""In what says something of a thing, not which thing it is."""
_SURE = frozenset(("guessed", "hearsay", "asked", "supposed", "unknown", "corrected", "negated", "alternative"))
_IRREGULAR = {
    "began": "begin", "became": "become", "won": "win", "paid": "pay", "bought": "buy", "sold": "sell", "rose": "rise",
    "fell": "fall", "built": "build", "left": "leave", "held": "hold", "grew": "grow", "had": "have", "has": "have",
    "have": "have",
}  # fmt: skip
_REGULAR = words(
    "open start close found join end die launch move receive reach sign cost take last hold need keep allow employ "
    "serve hire invest publish appoint acquire complete introduce raise record contain cover require pay offer accept "
    "provide occupy weigh run earn drop decrease destroy damage produce sell include begin "
    "expire return win leave enter increase store measure use"
)
_ORDERS = words(
    "hold press wait keep charge let run replace rinse clean store leave heat allow change check fill tighten descale "
    "wash dry soak renew submit return report"
)
"""Verbs that an instruction begins with."""


def _forms(base: str) -> Iterator[str]:
    """How a regular verb is written when it is not bare."""
    yield base + "s"
    yield (
        base[:-1] + "ied"
        if base.endswith("y") and base[-2] not in "aeiou"
        else base + "d" * base.endswith("e") + ("" if base.endswith("e") else "ed")
    )


_BASES = {form: base for base in sorted(_REGULAR) for form in (*_forms(base), base)} | _IRREGULAR
_ANY_VERB = "|".join(sorted(_BASES, key=len, reverse=True))
_AUXILIARY = late(rf"^(?P<subject>[^,;:()]{{2,70}}?) (?P<aux>{_AUX})(?= |$)")
_VERB = late(rf"^(?P<subject>[^,;:()]{{2,60}}?) (?P<verb>{_ANY_VERB})(?= |$)")
_ORDER = late(rf"^(?:{'|'.join(sorted(_ORDERS))})(?= )", re.IGNORECASE)
_DEFINED = late(
    r"^[*`_\[]*(?P<subject>[A-Za-z][^,;:()\[\]*`<>|]{1,50}?)(?:[*`_]|\](?:\([^()]*\))?)* "
    r"(?:is|are) (?P<answer>(?:an?|the) [^.;:`*()\[\]|<>{}—]{8,110}?)\.?$"
)
_MEANS = late(r'^["“](?P<subject>[^"”]{2,40})["”] means (?P<answer>[^.;:]{8,140})\.?$')
_LIST = late(
    r"^(?:There are (?P<count>two|three|four|five|six|seven|eight|nine|ten) (?P<noun>[a-z -]{3,40}): (?P<items>[^.;:]+)"
    r"|(?P<subject>(?!Examples)[^,;:.()]{2,60}?) (?P<verb>includes?|consists? of|comprises?) "
    r"(?P<listed>[^.;:]+,[^.;:]+ and [^.;:]+))\.?$"
)
_NO_LISTER = late(r"\b(?:can|may|must|will|should|could|might|using|that|which)\b")
"""In what looks like the subject of a list, and is more."""
_SHARED = late(r"[^,]* (?:in|of|for|from|with|to|by) [^,]*,|.*such as")
"""A first item whose head belongs to the others too: employees in Ireland, Spain and Portugal."""
_RULE = late(
    r"^(?P<subject>(?:An?|The|Each|Every|All|No)? ?[^,;:.()]{2,60}?) "
    r"(?P<modal>must (?:not|never)|may (?:not|never)|cannot|can not|must|can|may) (?P<verb>[^,;:.]{4,70})\.?$"
)


def ask(text: str, title: str, *, rules: bool, known: frozenset[str] = frozenset()) -> Iterator[Ask | Refused]:
    """Ask for everything a sentence holds that can be asked for.

    `known` are words as they are written within sentences: they tell names from words that begin one.
    """
    found = [*_meanings(text), *_defined(text, title)]
    if not _MARKUP.search(text):
        found += [*_lists(text, known), *_values(text, known), *_whole(text, known)]
        found += _rules(text, known) if rules else []
    said = Statements(text)
    for one in found:
        if _BACK.search(one.question.replace(" should you ", " ", 1)):
            yield Refused("refers_back")
        elif _UNSURE in one.question or _CLUMSY.search(one.question):
            yield Refused("broken")
        elif one.kind != "yes_no" and said.flags(one.spans[0][0])[0] & _SURE:
            yield Refused("unsure")
        elif not SHORTEST <= len(one.question) <= LONGEST:
            yield Refused("length")
        else:
            yield one


def _whole(text: str, known: frozenset[str]) -> Iterator[Ask]:
    """Ask for persons and places; what stands in the middle of a question is written as it is there."""
    for subject, one in ask_english(text):
        within = _lowered(subject, known) if "{}" in one.question else subject
        yield one._replace(question=one.question.format(within), subject=within)


def _defined(text: str, title: str) -> Iterator[Ask]:
    found = _DEFINED.match(text)
    if found and title.lower().startswith(found["subject"].lower()) and not _PRAISE.search(found["answer"]):
        subject = found["subject"]
        question = f"What {'is' if ' is ' in found[0] else 'are'} {subject}?"
        yield Ask(
            question, (found.span("answer"),), "definition", {"text_answer": found["answer"]}, subject, named=True
        )


def _meanings(text: str) -> Iterator[Ask]:
    if found := _MEANS.match(text):
        question = f"What does “{found['subject']}” mean?"
        yield Ask(question, (found.span("answer"),), "definition", {"text_answer": found["answer"]}, found["subject"])


_COLON = late(r"^(?P<lead>[A-Z][^:.;]{6,80}): (?P<items>[^.;:]+, [^.;:]+? and [^.;:]+?)\.?$")


def _behind_colon(text: str, known: frozenset[str]) -> Iterator[Ask]:
    """Ask for what a sentence lists behind a colon: Every boat must carry: an anchor, a lifebuoy and a flare."""
    found = None if text.startswith("There are ") else _COLON.match(text)
    asked = announced(found["lead"]) if found else None
    if found and asked:
        named = found["lead"].split(" ")[0]
        yield Ask(asked, (found.span("items"),), "list", {}, found["lead"], _lowered(named, known) == named)


def _lists(text: str, known: frozenset[str]) -> Iterator[Ask]:
    yield from _behind_colon(text, known)
    found = _LIST.match(text)
    if not found or _SHARED.match(found["items"] or found["listed"]) or _NO_LISTER.search(found["subject"] or ""):
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


class _Frame(NamedTuple):
    """A sentence where an English question turns it: what goes before the subject, the subject, and what is said."""

    lead: str
    """In which case or when, which a question says at its end."""
    subject: str
    aux: str
    verb: str
    """The bare verb, where the auxiliary is a question's own."""
    start: int
    end: int
    """Where what is said of the subject begins and ends in the sentence."""


def _frame(text: str, known: frozenset[str]) -> _Frame | None:
    led = _LED.match(text)
    begin = led.end() if led else 0
    said = (led["lead"] or led["short"]) if led else ""
    lead = f" {said[0].lower()}{said[1:]}" if said else ""
    end = begin + len(_CLAUSE_END.split(text[begin:], maxsplit=1)[0].rstrip(". "))
    body = text[begin:end]
    if found := _AUXILIARY.match(body):
        verb, aux = "", found["aux"]
    elif found := _VERB.match(body):
        verb = _BASES[found["verb"]]
        aux = "do" if found["verb"] == verb else "does" if found["verb"] in (verb + "s", "has") else "did"
        if _NO_SUBJECT.search(found["subject"]):
            return None
    elif found := _ORDER.match(body):
        return _Frame(lead, "you", "should", found[0].lower(), begin + found.end(), end)
    if found is None or _LEADS_OVER.match(found["subject"]) or _AUXILIARIES.search(found["subject"]):
        return None
    subject = (
        found["subject"] if lead and begin and not found["subject"][0].isupper() else _lowered(found["subject"], known)
    )
    return _Frame(lead, subject, aux, verb, begin + found.end(), end)


def _values(text: str, known: frozenset[str]) -> Iterator[Ask]:
    frame = _frame(text, known)
    if frame is None:
        return
    for value in values(text):
        end = value.end + (year.end() if (year := _YEAR_BEHIND.match(text[value.end :])) else 0)
        if frame.start <= value.start and end <= frame.end and (value.low == value.high or value.measure == "date"):
            found = _question(text, value, end, frame)
            if found:
                yield found


def _question(text: str, value: Value, end: int, frame: _Frame) -> Ask | None:
    """Move what asks for a value in front of the auxiliary; what stands behind the value stays behind."""
    before = _BEFORE.search(text[frame.start : value.start])
    assert before is not None
    prep, front = (before["prep"] or "").strip().lower(), text[frame.start : frame.start + before.start()]
    asked = _asked(_Told(value, text[value.start : end], prep, text[end : frame.end], front, frame.verb))
    if asked is None:
        return None
    rest = text[end + asked.used : frame.end]
    if paired := _AND_VALUE.search(rest):
        if not _PREPOSITION.match(rest[: paired.start()]) or _FOR_BOTH.search(rest, paired.end()):
            return None
        rest = rest[: paired.start()]
    rest, front = _AT_CLOCK.sub("", rest), front if asked.front is None else asked.front
    told = frame.aux in ("is", "are", "was", "were") and values(front)
    cut = told or not _GOES_ON.match(rest) or _OR_ELSE.match(text, frame.end) or _UNIT_LEFT.match(rest)
    if cut or _JOINED.match(rest) or _ELSEWHERE.search(front) or _SECOND.search(front):
        return None
    asks = (
        f"{asked.words} {frame.aux} {frame.subject} {frame.verb}".rstrip() + front.rstrip() + rest.rstrip() + frame.lead
    )
    named = frame.subject[0].isupper() and frame.subject.split(" ")[0] not in _ARTICLES
    return Ask(f"{asks}?", ((value.start, end),), asked.kind, asked.expected, frame.subject, named)


class _Told(NamedTuple):
    """A value and what stands around it in its clause."""

    value: Value
    written: str
    prep: str
    after: str
    front: str
    """What stands between the verb and the value's preposition."""
    verb: str


class _Asks(NamedTuple):
    """What asks for a value, and how much behind the value is asked for with it."""

    words: str
    kind: str
    expected: dict[str, JSON]
    used: int = 0
    front: str | None = None
    """What is left before the value, where more of it is asked for: (pay) an annual fee of £28,500."""


def _asked(told: _Told) -> _Asks | None:
    value, prep = told.value, told.prep
    text: dict[str, JSON] = {"text_answer": told.written}
    if value.measure == "date":
        if prep not in ("in", "on", "since", "by", "from", "until", "before", "after"):
            return None
        return _Asks("When" if prep in ("in", "on") else f"{prep.capitalize()} when", "date", text)
    kind = {"money": "amount", "share": "share", "second": "duration", "month": "duration"}.get(value.measure, "count")
    expected: dict[str, JSON] = {"amount_total": float(str(value.low))} if kind == "amount" else text
    if prep == "of" and (thing := _ATTRIBUTE.fullmatch(told.front)):
        return _Asks(f"What {thing['what']}", kind, expected, front=thing["verb"] or "")
    if prep == "of" or _MORE.match(told.after):
        return None
    if sized := _SIZED.match(told.after):
        return _Asks(f"{prep} how {sized['size']}".strip().capitalize(), kind, text, sized.end())
    words, used = _worded(told, kind)
    return _Asks(words[0].upper() + words[1:], kind, expected, used) if words else None


def _worded(told: _Told, kind: str) -> tuple[str, int]:
    """What asks for a number of its kind, and how much behind it is part of that."""
    prep, more = told.prep, _REACHES.match(told.after)
    used, of = (more.end(), more[0]) if more else (0, "")
    if kind == "amount":
        return (f"{prep} how much".strip() if prep in _PAID else ""), 0
    if kind == "share":
        prep = prep or ("by" if told.verb in _MOVES or told.front.split()[-1:] == ["risen"] else "")
        return f"{prep} what percentage{of}".strip(), used
    if kind == "duration":
        return _lasting(told, of, used)
    if counted := _COUNTED.match(f"{told.written}{told.after}"):
        things = counted["things"]
        fits = (
            told.value.low != 1 and prep in _COUNTING and things not in _NO_THINGS and not _NUMBERED.search(told.front)
        )
        return (f"{prep} how many {things}".strip(), counted.end() - len(told.written)) if fits else ("", 0)
    if told.written.endswith(("°C", "°F")):
        return f"{prep} what temperature".strip(), 0
    holds = told.value.measure in ("gram", "litre") and prep in ("", "up to", "at least", "about")
    return (f"{prep} how much".strip(), 0) if holds else ("", 0)


def _lasting(told: _Told, of: str, used: int) -> tuple[str, int]:
    """How long, how often, or within how many days of what."""
    unit = _UNITS.fullmatch(told.written)
    if unit is None:
        return "", 0
    if told.prep == "every":
        return ("" if values(told.front) else "how often"), 0
    if told.prep in ("for", "for up to", "for about") and told.verb and told.verb not in _LASTS and not of:
        return ("", 0) if _EACH.match(told.after) else ("for how long", 0)
    lasts = told.prep in ("for", "for up to", "for about") or (
        told.verb in _LASTS and told.prep in ("", "about", "up to")
    )
    if lasts and not of and not _EACH.match(told.after):
        return "how long", 0
    each = _EACH.match(told.after)
    return f"{told.prep} how many {unit['unit']}{of}{each[0] if each else ''}".strip(), used or (
        each.end() if each else 0
    )


_MOVES = words("fall rise grow increase")
_LASTS = words("take last run need")
_UNITS = late(
    r"(?P<number>(?:[\d][\d,.]*|[a-z]+(?:-[a-z]+)?)) (?P<unit>(?:working |business |calendar )?[a-z]+s)\b",
    re.IGNORECASE,
)
_BEFORE = late(
    r"(?: (?P<prep>(?:(?:for|to|by|of|within|after|every|in|with) )?(?:up to|at least|at most|"
    r"no more than|more than|fewer than|less than|about|around|"
    r"approximately|nearly|almost)|for|within|after|before|every|in|on|by|from|since|at|of|"
    r"to|until|over|during|with|above|under|only))? ?$",
    re.IGNORECASE,
)
_PAID = frozenset(("", "up to", "at least", "at most", "about", "around", "more than", "for", "by", "to"))
_COUNTING = frozenset(
    ("", "up to", "at least", "at most", "for", "by", "with", "to", "about", "around", "more than", "for up to")
)
_COUNTED = late(
    r"(?P<number>[\d,.]+|[a-z]+(?:-[a-z]+)?) "
    r"(?P<things>(?:(?!(?:of|and|or|per|in|on|for|to|at|by|with|from|a)\b)[a-z-]+ ){0,2}?"
    r"(?:[a-z-]+[a-rt-z]s|people|staff))"
    r"(?=$| (?:of|in|on|for|to|at|by|with|from|per|each|every|a|without|before|after)\b|,)"
)
"""A number and what it counts, up to where more is told."""
_NUMBERED = late(r" [A-Z][A-Za-z]+$")
"""A name right before a number, which is part of it: GraalPy 3.11."""
_NO_THINGS = words("times percent others ones is was has")
_SIZED = late(r" (?P<size>wide|long|high|tall|deep|thick|old)\b")
_MORE = late(r" ?(?:k|m|bn|thousand|million|billion)\b|-| (?!per\b)[a-z]+(?:ed|er)\b(?! (?:by|in|on|at|to|for|with)\b)")
"""Behind a number that is not told whole, or that tells how much of something is the case: 15% contained."""
_YEAR_BEHIND = late(r" of the (?:following|next|same|previous) year\b")
_LINKS = "for|with|from|after|before|on|in|by|to|at|a|each|every|per|and|or|of"
_NOUN = rf"(?:(?:the|an?|each|every|any) )?[a-z]+(?:[ -](?!(?:{_LINKS})\b)[a-z]+){{0,2}}"
_REACHES = late(
    rf" (?:of|before|after|from) {_NOUN}(?: of {_NOUN})?"
    rf"(?=$| (?:for|with|on|in|by|to|at|each|every|per)\b)|'? (?:written )?notice\b"
)
"""What a duration or share is counted from or taken of."""
_EACH = late(r" (?:a|an|per|each|every) (?:working |calendar )?(?:day|week|month|year|night|hour)\b")
_ATTRIBUTE = late(
    r"(?P<verb> (?:be )?[a-z]+)? (?:an?|the) (?!power|number|set|list|pair|multiple|range|series)"
    r"(?P<what>(?:total |annual |one-off |maximum |minimum )?[a-z]+(?: [a-z]+)?)"
)
_AND_VALUE = late(r",? (?:and|but|or) (?=.*(?:\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten)\b))")
_GOES_ON = late(
    r"$| (?:in|on|for|at|with|from|per|by|within|during|after|before|to|of|each|every|a|an|when|if|unless|without|"
    r"under|"
    r"between|through|as|until|away|apart)\b"
)
"""What may stand behind a value that is told whole."""
_OR_ELSE = late(r",? (?:or|but|unless|except)\b")
_UNIT_LEFT = late(r" ?[A-Z][A-Za-z]{0,3}\b")
_AT_CLOCK = late(r" at [0-9][0-9.:]* ?(?:am|pm)?\b.*$")
_FOR_BOTH = late(r"\b(?:each|per|every|respectively)\b")
_PREPOSITION = late(r" (?:in|on|for|at|with|from|per|by|within|during|after|before) ")
_JOINED = late(
    r"\s*(?:of|percent|per cent|%|[-–'’/]|(?:and|or|to)(?= \d))(?= |\d|$)|"
    r"\s*(?:or|and) (?:more|less|later|newer|older|above)\b"
)
"""Behind a value that is not told whole."""
_SECOND = late(
    rf" (?:and|but) (?:then|is|are|was|were|can|must|may|will|shall|would|had|has|have|not|"
    rf"(?:{_ANY_VERB})(?= )|[a-z]+(?:s|ed)(?= (?:the|an?|in|on|to|by|for|\d))) ?"
)
_CLAUSE_END = late(rf",(?!\d)|;|{_SECOND.pattern}")
"""Where the clause of the sentence's own verb ends."""


def _rules(text: str, known: frozenset[str]) -> Iterator[Ask]:
    """Bans and duties; one that holds a number is asked for its number."""
    found = _RULE.match(text)
    if not found or _LEADS_OVER.match(found["subject"]) or _FINITE.search(found["subject"]) or values(found["verb"]):
        return
    modal, denied = found["modal"].split()[0].removesuffix("not"), _DENIES.search(found["modal"]) is not None
    if (not denied and modal != "must") or found["verb"].startswith(("not ", "only ")):
        return
    subject = _lowered(found["subject"], known)
    if denied:
        question = f"{'Can' if modal == 'can' else 'May'} {subject} {found['verb']}?"
    else:
        several = _SEVERAL.search(subject) and not subject.startswith(("each ", "every ", "a ", "an "))
        question = f"{'Do' if several else 'Does'} {subject} have to {found['verb']}?"
    span = (found.start("modal"), found.end("verb"))
    yield Ask(question, (span,), "yes_no", {"boolean_answer": not denied}, found["subject"])


_SEVERAL = late(r"^[^ ]*(?: [^ ]+)*?[a-rt-z]s(?: (?:of|in|with|from|for|at|on) .*)?$|\bpeople$")
"""A subject that is several."""


_LEADS_OVER = late(
    r"(?:no|if|when|but|and|or|after|before|while|although|because|sometimes|for|in|on|at|to|then|so|thus|only|otherwise|still|there|by|with|as|under|from|between|during|never|not|please|where|which|that|who|whose|"
    r"using|[A-Za-z]+ly)\b",
    re.IGNORECASE,
)
"""How a stretch begins that is no subject."""
_AUXILIARIES = late(r"\b(?:do|does|did)$")
_DENIES = late("not$|never$")
_FINITE = late(r"\b(?:is|are|was|were|has|have|will|would|does|says|if|when|returns?|raised)\b|\b(?:and|or|but)$")
_UNSURE = "\0"
"""Stands before a subject of which nothing tells whether it is a name."""
_COMMON = late("[A-Z][a-z]+(?:ing|ment|[st]ion|ship|ity|ness|ance|ence|age)")
"""How a common noun looks at the head of a sentence."""


def _lowered(subject: str, known: frozenset[str]) -> str:
    """A subject as it is written within a sentence."""
    first, _, rest = subject.partition(" ")
    if first in _ARTICLES:
        return first[0].lower() + subject[1:]
    if (
        first in known
        or _INNER.search(first)
        or (len(first) > 1 and first.isupper())
        or not first[0].isupper()
        or rest[:1].isupper()
    ):
        return subject
    lowered = first[0].lower() + subject[1:]
    if first.lower() in known or (first.endswith("s") and first[1:].islower()) or _COMMON.fullmatch(first):
        return lowered
    return _UNSURE + subject


_INNER = late(r"[a-z][A-Z]|[A-Z][a-z]*\.[a-z]|[0-9]")
"""In a word that is a name wherever it stands: Node.js, PyPI."""
_NO_SUBJECT = late(r"\b[a-z]+ed\b|\b(?:the|an?|of|for|to|in|and)$")
"""A verb within what looks like the subject of another, or a noun taken for a verb."""
_ELSEWHERE = late(
    r"\b(?:who|which|that|whose|where|[a-z]{2,}ing)\b(?! (?:is|are|was|were|must|can|may|will))|,(?!\d)|"
    r"\b(?:[Aa]n?|[Tt]he|further|additional|first|last|next|another|than|and|or|of|nearest|exactly)$|['’]s?$"
)
"""A value behind one of these belongs to another clause than the sentence's own, or is not told whole."""
_ARTICLES = frozenset(("The", "A", "An", "Each", "Every", "All", "Up", "Any", "One"))
