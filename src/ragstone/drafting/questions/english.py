"""English questions from sentences with an auxiliary or a common verb: what asks goes to the front.

The audit log is kept for 180 days.  →  How long is the audit log kept?
"""

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from msgspec import structs

from ragstone.core.types import JSON
from ragstone.drafting.corpus import RULES
from ragstone.drafting.questions.english_forms import announced, ask_forms
from ragstone.drafting.questions.parts import POINTERS, Ask, Refused, words
from ragstone.reading.statements import Statements
from ragstone.reading.values.values import Value, values
from ragstone.text.late import late

LONGEST, SHORTEST = 150, 15
_MARKUP = late(r"[—`*()\[\]|<>{}]|^(?:Where|Nor|Which|What|While|How|Who|So|As|With|Yes|No|Note) ")
_DONE = "been|become|kept|made|held|paid|sold|won|built|left|bred|met|sent|spent|taken|given|grown|[a-z]+ed"
_AUX = rf"is|are|was|were|can|must|may|should|shall|will|(?:has|have|had)(?= (?:{_DONE})\b)"
_LED = late(r"^(?P<lead>(?:After|Before|Within|If|When|For|During|On|In|Until|Since|To) [^,.;:]{3,60}), (?=\S)")
"""In which case or when something holds, in front of it."""
_BACK = late(
    rf"\b(?:{POINTERS}|such|former|latter|we|our|you|your|i|my|another|"
    r"there|here|above|below|then|additional|also|both|others?|same|however|therefore|ones|now|"
    r"previously|last (?:year|month|week)|next (?:year|month|week)|yet|"
    r"today|yesterday|tomorrow|(?:mon|tues|wednes|thurs|fri)day(?:'s)?)\b",
    re.IGNORECASE,
)
_AGAIN = late(r"\b(?:their|its)\b|\bIT\b")
"""What points at a question's own subject, or at nothing."""
_OWN = late(r"\bthis (agreement|contract|policy|lease|handbook|guide|manual|notice)\b", re.IGNORECASE)
"""How a document that regulates speaks of itself, which its title explains."""
_CLUMSY = late(
    r"[:;’]|(?<!s)'(?!s)|\b(?:do|does|did)\b.*\b(?:is|are|was|were|has been|have been)\b|"
    r".\b(?:who|whom|which|what|if|when) .*\b(?:who|whom|which|that)\b|"
    r"\b(?:because of|due to|owing to)\b|"
    r"^(?!What).* (?:who|whom|which|what(?! percentage| time)) |\ball (?:[a-z]+ed)\b|\bone\?$|"
    r"\b(?:and|or|but|the|an?)\?$|\b(?:shall|will|must|may|can|should|do|does|did) .* not\b|"
    r"^(?:May|Can|Do|Does)\b.*\b(?:must|may|can|shall|will|cannot|is|are|was|were)\b"
)
"""Two finite verbs, a relative clause, 'all' that has lost its noun, a denial, or an end that is missing."""
_SURE = frozenset(("guessed", "hearsay", "asked", "supposed", "unknown", "corrected", "negated", "alternative"))
_IRREGULAR = {
    "began": "begin", "became": "become", "won": "win", "paid": "pay", "bought": "buy", "sold": "sell", "rose": "rise",
    "fell": "fall", "built": "build", "left": "leave", "held": "hold", "grew": "grow", "had": "have", "has": "have",
    "have": "have", "gave": "give", "ran": "run", "cut": "cut", "taught": "teach",
    "took": "take", "visited": "visit", "interviewed": "interview", "funded": "fund", "issued": "issue",
    "rise": "rise",
}  # fmt: skip
_REGULAR = words(
    "open start close found join end die launch move receive reach sign cost take last hold need keep allow employ "
    "serve hire invest publish appoint acquire complete introduce raise record contain cover require pay offer accept "
    "provide occupy weigh run earn drop decrease destroy damage produce sell include begin "
    "expire return bear win leave enter increase store measure use carry seat grant give attract "
    "incur borrow collect treat elect teach resume welcome own operate add reach maintain lend save travel apply"
)


def _forms(base: str) -> Iterator[str]:
    """How a regular verb is written when it is not bare."""
    yield (base[:-1] + "ie" if base.endswith("y") and base[-2] not in "aeiou" else base) + "s"
    yield (
        base[:-1] + "ied"
        if base.endswith("y") and base[-2] not in "aeiou"
        else base + "d" * base.endswith("e") + ("" if base.endswith("e") else "ed")
    )


_BASES = {form: base for base in sorted(_REGULAR) for form in (*_forms(base), base)} | _IRREGULAR
_ANY_VERB = "|".join(sorted(_BASES, key=len, reverse=True))
_ASIDE = r"(?:, (?!and |or |but )[^,;:()]{3,60},)?"
"""What is told of a subject by the way: The ferry company, founded in 1968, employs 74 people."""
_OF_WHOM = r"(?: (?:who|that) [a-z]+ [^,;:()]{1,40}?)?"
_AUXILIARY = late(rf"^(?P<subject>[^,;:()]{{2,70}}?{_OF_WHOM}){_ASIDE} (?P<aux>{_AUX})(?= |$)")
_VERB = late(rf"^(?P<subject>[^,;:()]{{2,60}}?{_OF_WHOM}){_ASIDE} (?P<verb>{_ANY_VERB})(?= |$)")
_DEFINED = late(
    r"^[*`_\[]*(?P<subject>[A-Za-z][^,;:()\[\]*`<>|]{1,50}?)(?:[*`_]|\](?:\([^()]*\))?)* "
    r"(?:is|are) (?P<answer>(?:an?|the) [^.;:`*()\[\]|<>{}—]{8,110}?)\.?$"
)
_MEANS = late(r'^["“](?P<subject>[^"”]{2,40})["”] means (?P<answer>[^.;:]{8,140})\.?$')
_LIST = late(
    r"^(?:There are (?P<count>two|three|four|five|six|seven|eight|nine|ten) (?P<noun>[a-z -]{3,40}): (?P<items>[^.;:]+)"
    r"|(?P<subject>(?!Examples)[^,;:.()]{2,60}?) (?P<verb>includes?|consists? of|comprises?|provides?) "
    r"(?P<listed>[^.;:]+,[^.;:]+ and [^.;:]+))\.?$"
)
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
    if run_in := _RUN_IN.match(text):
        yield from _behind(run_in.end(), ask(text[run_in.end() :], title, rules=rules, known=known))
        return
    own = RULES.search(title) is not None
    found = [*_meanings(text), *_defined(text, title)]
    if not _MARKUP.search(text):
        found += [*_lists(text, known), *_values(text, known), *_named_sums(text, known), *_subjects(text)]
        found += _rules(text, known, permits=own) if rules else []
        asked = list(ask_forms(text, lambda subject: _lowered(subject, known)))
        lasting = {one.spans[0] for one in asked if one.question.startswith("How long is ")}
        found = [one for one in found if one.spans[0] not in lasting]
        told = {one.spans[0] for one in found}
        found += [one for one in asked if one.spans[0] not in told]
    said = Statements(text)
    if own:
        found = [one._replace(question=_OWN.sub(r"the \1", one.question)) for one in found]
    for one in found:
        if _BACK.search(_AGAIN.sub("", one.question) if not _AGAIN.search(one.subject) else one.question):
            yield Refused("refers_back")
        elif _UNSURE in one.question or _CLUMSY.search(one.question):
            yield Refused("broken")
        elif one.kind != "yes_no" and said.flags(one.spans[0][0])[0] & (
            _SURE - {"supposed"} if " if " in one.question else _SURE
        ):
            yield Refused("unsure")
        elif not SHORTEST <= len(one.question) <= LONGEST:
            yield Refused("length")
        else:
            yield one


_RUN_IN = late(r"(?:\*\*|__)[A-Z][^*_.:]{1,40}[.:]?(?:\*\*|__)[.:]? (?=[A-Z])")
"""The words that head a clause within its own line: **Rent.** Monthly rent is …"""


def _behind(here: int, asked: Iterator[Ask | Refused]) -> Iterator[Ask | Refused]:
    """Questions about the rest of a sentence, their answers' places counted from its beginning."""
    for one in asked:
        spans = tuple((start + here, end + here) for start, end in one.spans) if isinstance(one, Ask) else ()
        yield one._replace(spans=spans) if isinstance(one, Ask) else one


def _defined(text: str, title: str) -> Iterator[Ask]:
    found = _DEFINED.match(text)
    if found and title.lower().startswith(found["subject"].lower()):
        subject = found["subject"]
        named = re.sub("^The ", "the ", subject)
        question = f"What {'is' if ' is ' in found[0] else 'are'} {named}?"
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


_SUM_OF = late(
    rf"^(?:(?P<subject>[^,;:()]{{2,60}}?){_ASIDE} (?P<verb>{_ANY_VERB}) )?"
    r"(?:(?:[Aa]n?|[Tt]he) )?(?![^.]*? (?:an?|the) [a-z ]* of )"
    r"(?P<noun>(?!(?:total|number|maximum|minimum|series|part|half|range|[a-z]+ed)\b)[A-Za-z][a-z -]{3,40}?) of "
    r"(?P<answer>(?:at least |up to |about )?"
    r"(?:[£$€]?\d(?:[\d,.]*\d)?(?: (?:million|billion))?(?:%| per cent| percent)?|[a-z]+)"
    r"(?: (?:working |calendar )?(?:days|weeks|months|years|hours|minutes|pounds|euros))?"
    r"(?: (?:a|an|per|each) (?:day|week|month|year|night|hour|head|person|mile)| (?:above|below) the [a-z ]{3,20}?)?)"
    r"(?: (?P<be>is|are|was|were) (?P<said>(?:[a-z]+ed|payable|due) ?[^,;:]{0,50}?))?"
    r"(?P<rest>(?: (?:from|for|towards|on|in|to|if|when|within) [^,;:]{3,60}?)?)"
    r"(?=\.?$|, | and (?:is|are|must|may|can|will)\b)"
)
"""Something told by its number: receive a discount of 20 per cent; A deposit of £10 a head is payable on booking."""


def _named_sums(text: str, known: frozenset[str]) -> Iterator[Ask]:
    """Ask what discount, deposit, allowance of so much there is."""
    found = _SUM_OF.match(text)
    if not found or not values(found["answer"]) or bool(found["subject"]) == bool(found["be"]):
        return
    if found["be"]:
        question, subject = f"What {found['noun'].lower()} {found['be']} {found['said']}{found['rest']}?", found["noun"]
    else:
        subject, base = _lowered(found["subject"], known), _BASES[found["verb"]]
        do = "do" if found["verb"] == base else "does" if found["verb"].endswith("s") else "did"
        question = f"What {found['noun']} {do} {subject} {base}{found['rest']}?"
    kind = (
        "amount"
        if re.search("[£$€]", found["answer"])
        else "share"
        if re.search("%|per ?cent", found["answer"])
        else "count"
    )
    yield Ask(question, (found.span("answer"),), kind, {"text_answer": found["answer"]}, subject)


_SUBJECT = late(
    r"^(?P<lead>(?:After|Before|During|In|Since|On) [^,;:]{3,50}, )?"
    r"(?:(?:[Aa]bout|[Aa]round|[Ss]ome|[Mm]ore than|[Nn]early|[Aa]lmost|"
    r"[Aa]t least|[Oo]nly|[Oo]ver|[Aa]pproximately|[Aa] total of) )?"
    r"(?P<answer>\d[\d,.]*(?: per cent| percent|%)?|[A-Z][a-z]+(?= [a-z]+s ))"
    rf"(?P<rest> (?!of those|of them|people\b)[a-z][^,;:]{{3,60}}? "
    rf"(?:{_AUX}|{_ANY_VERB}|came|went|took|live|lived|travel|said|use|work)\b[^,;:]{{2,80}}?)\.?(?:$|, (?:and|but) )"
)
"""How many or what percentage of something did what."""


def _subjects(text: str) -> Iterator[Ask]:
    """Ask how many there are of a sentence's subject, which needs no other order of words."""
    found = _SUBJECT.match(text)
    if not found or len(values(text)) > 1 or not any(found["answer"] in one.text for one in values(text)):
        return
    share = re.search("%|per ?cent", found["answer"]) is not None
    lead = f" {found['lead'][0].lower()}{found['lead'][1:].rstrip(', ')}" if found["lead"] else ""
    question = f"{'What percentage' if share else 'How many'}{found['rest']}{lead}?"
    yield Ask(
        question,
        (found.span("answer"),),
        "share" if share else "count",
        {"text_answer": found["answer"]},
        found["rest"].strip(),
    )


def _lists(text: str, known: frozenset[str]) -> Iterator[Ask]:
    yield from _behind_colon(text, known)
    found = _LIST.match(text)
    if not found or _SHARED.match(found["items"] or found["listed"]):
        return
    if found["items"]:
        question, span = f"What are the {found['count']} {found['noun']}?", found.span("items")
    else:
        verb = re.sub(r"^(includes?|comprises?|provides?)$", lambda one: one[0].rstrip("s"), found["verb"]).replace(
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
    lead = f" {led['lead'][0].lower()}{led['lead'][1:]}" if led else ""
    body = text[begin:].rstrip(". ")
    modal, found = _AUXILIARY.match(body), _VERB.match(body)
    if found and (_is_noun(found, body) or (modal and modal.end("subject") <= found.end("subject"))):
        found = None
    if modal and not found:
        found, verb, aux = modal, "", modal["aux"]
    elif found:
        verb = _BASES[found["verb"]]
        past = found["verb"] in ("cost", "cut") and not _is_several(found["subject"])
        aux = "did" if past else "do" if found["verb"] == verb else "does" if found["verb"].endswith("s") else "did"
    else:
        return None
    if _LEADS_OVER.match(found["subject"]) or _AUXILIARIES.search(found["subject"]):
        return None
    end = begin + found.end() + len(_CLAUSE_END.split(body[found.end() :], maxsplit=1)[0])
    return _Frame(lead, _lowered(found["subject"], known), aux, verb, begin + found.end(), end)


def _is_noun(found: re.Match[str], body: str) -> bool:
    """Say whether what looks like a verb is a noun: it stands behind an article, or a verb stands right behind it."""
    behind = body[found.end() :].split(maxsplit=1)[:1]
    verb = bool(behind) and (behind[0] in _BASES or _VERBAL.fullmatch(behind[0]) is not None)
    if _INITIALS.fullmatch(found["subject"]):
        return True
    held = found["verb"] == "held" and behind[:1] in (["on"], ["at"], ["in"], ["by"])
    return verb or held or _NO_SUBJECT.search(found["subject"]) is not None


_INITIALS = late("[A-Z]{2}")
"""Somebody in minutes whose name only the list of those present tells."""
_VERBAL = late("is|are|was|were|can|must|may|should|shall|will|has|have|had")


def _values(text: str, known: frozenset[str]) -> Iterator[Ask]:
    frame = _frame(text, known)
    read = tuple(_with_unit(one, text) for one in values(text)) if frame else ()
    cut = {one for pair in pairwise(read) if not text[pair[0].end : pair[1].start].strip() for one in pair}
    for value in read:
        inside = frame and frame.start <= value.start and value.end <= frame.end
        if frame and inside and value not in cut and (value.low == value.high or value.measure == "date"):
            found = _question(text, value, frame)
            if found:
                yield found


def _with_unit(value: Value, text: str) -> Value:
    """A number of days of a sort as a time: three working days."""
    if clock := next((one for one in _CLOCK.finditer(text) if one.start() <= value.start < one.end()), None):
        return structs.replace(value, start=clock.start(), end=clock.end(), measure="clock")
    if value.measure == "date" and value.text.endswith("."):
        return structs.replace(value, end=value.end - 1)
    if value.measure == "money":
        return structs.replace(value, end=value.end - len(re.findall(" an?$", value.text)) * 2)
    unit = _DAYS.match(text, value.end) if value.measure in ("bare", "count") else None
    return structs.replace(value, end=unit.end(), measure="second") if unit else value


_CLOCK = late(r"\b\d{1,2}(?:[.:]\d{2})? ?[ap](?:m\b|\.m\.)|\b(?:noon|midnight)\b")
_DAYS = late(r" (?:working|business|calendar|consecutive|full|school) (?:days|weeks|months|hours)\b")


def _question(text: str, value: Value, frame: _Frame) -> Ask | None:
    """Move what asks for a value in front of the auxiliary; what stands behind the value stays behind."""
    before = _BEFORE.search(text[frame.start : value.start])
    assert before is not None
    prep, front = (before["prep"] or "").strip().lower(), text[frame.start : frame.start + before.start()]
    lasts = re.search(r"\b(?:last|take)$", front.rstrip()) is not None
    asked = _asked(_Told(value, text[value.start : value.end], prep, text[value.end : frame.end], frame.verb, lasts))
    if asked is None:
        return None
    if text.startswith(" in advance", value.end) and asked.kind == "duration":
        far = f"{prep} how far in advance".strip()
        asked = asked._replace(words=far[0].upper() + far[1:], used=len(" in advance"))
    rest = _AT_CLOCK.sub("", text[value.end + asked.used : frame.end])
    if paired := _AND_VALUE.search(rest):
        if not _PREPOSITION.match(rest[: paired.start()]) or _FOR_BOTH.search(rest, paired.end()):
            return None
        rest = rest[: paired.start()]
    told = values(front)
    cut = told or not _GOES_ON.match(rest) or _OR_ELSE.match(text, frame.end)
    named = not prep and _NUMBERED.search(front)
    if cut or named or _JOINED.match(rest) or _ELSEWHERE.search(front):
        return None
    asks = f"{asked.words} {frame.aux} {frame.subject} {frame.verb}".rstrip()
    every = _EVERY.search(text, 0, value.start) if asked.words == "How often" else None
    span = (every.start() if every else value.start, value.end)
    expected: dict[str, JSON] = {"text_answer": text[slice(*span)]} if every else asked.expected
    question = f"{asks}{front.rstrip()}{rest.rstrip()}{frame.lead}?"
    return Ask(question, (span,), asked.kind, expected, frame.subject, frame.subject[0].isupper())


_EVERY = late("every $", re.IGNORECASE)
_AT_CLOCK = late(r"^ (?:at|from) (?:\d[\d.:]* ?[ap]\.?m\.?|\d+:\d+|noon)(?: (?:to|until) \S+(?: [ap]m)?)?")
"""Behind a day: the hour, which tells the same."""


class _Told(NamedTuple):
    """A value and what stands around it in its clause."""

    value: Value
    written: str
    prep: str
    after: str
    verb: str
    goes_on: bool
    """Whether a verb that takes a time stands right before it: expected to last nine weeks."""


class _Asks(NamedTuple):
    """What asks for a value, and how much behind the value is asked for with it."""

    words: str
    kind: str
    expected: dict[str, JSON]
    used: int = 0


def _asked(told: _Told) -> _Asks | None:
    value, prep = told.value, told.prep
    text: dict[str, JSON] = {"text_answer": told.written}
    if value.measure == "date":
        if re.search(r"\bto\b|[-–—]", told.written) or prep not in _DATED:
            return None
        return _Asks("When" if prep in ("in", "on") else f"{prep.capitalize()} when", "date", text)
    if value.measure == "clock":
        return _Asks(f"{prep} what time".capitalize(), "time", text) if prep in _CLOCKED else None
    kind = {"money": "amount", "share": "share", "second": "duration", "month": "duration"}.get(value.measure, "count")
    expected: dict[str, JSON] = {"amount_total": float(str(value.low))} if kind == "amount" else text
    words, used = _worded(told, kind)
    words = f"{prep} {words}".strip() if words and words not in ("how long", "how often") else words
    return _Asks(words[0].upper() + words[1:], kind, expected, used) if words else None


def _worded(told: _Told, kind: str) -> tuple[str, int]:
    """What asks for a number of its kind, and how much behind it is part of that."""
    if told.prep.startswith("of"):
        return "", 0
    if kind == "share":
        sure = re.search("[0-9]|per ?cent", told.written)
        return _with_whole("what percentage", told) if sure else ("", 0)
    if kind == "duration":
        return _with_whole(_lasting(told), told)
    if told.prep not in _COUNTING:
        return "", 0
    if kind == "amount":
        return "how much", 0
    if sized := _SIZED.match(told.after):
        return ("", 0) if told.verb else (f"how {sized['size']}", sized.end())
    counted = _COUNTED.match(f"{told.written}{told.after}")
    if counted is None or told.value.low == 1:
        return "", 0
    return f"how many {counted['things']}", counted.end() - len(told.written)


def _with_whole(words: str, told: _Told) -> tuple[str, int]:
    """Add what a share or time is taken of, and how long that is."""
    of = _PART.match(told.after)
    return (f"{words}{of[0]}", of.end()) if of and words.startswith(("what", "how many")) else (words, 0)


def _lasting(told: _Told) -> str:
    """How long, how often, or within how many days."""
    unit = _UNITS.fullmatch(told.written)
    if unit is None:
        return ""
    if told.prep == "every":
        return "how often"
    if told.goes_on:
        return "how long" if not told.prep or told.prep in _ABOUT else ""
    lasts = told.prep in ("for", "for up to", "for about") or (
        told.verb in _LASTS and told.prep in ("", "about", "up to")
    )
    return f"how many {unit['unit']}" if not lasts or _EACH.match(told.after) else "how long"


_LASTS = words("take last run need")
_ABOUT = words("about around approximately nearly almost")
_CLOCKED = words("at by before after until from")
_DATED = words("in on since by from until before after")
"""Prepositions in front of a date."""
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
_COUNTING = frozenset(
    ("", "up to", "at least", "at most", "for", "by", "with", "to", "about", "around", "more than", "for up to")
)
"""What stands before a number that is asked for."""
_COUNTED = late(
    r"(?P<number>[\d,.]+|[a-z]+(?:-[a-z]+)?) "
    r"(?P<things>(?:(?!(?:of|and|or|per|in|on|for|to|at|by|with|from|a)\b)[a-z-]+ ){0,2}?"
    r"(?:[a-z-]+[a-rt-z]s(?: of [a-z]+(?= each\b|\.|$| (?:in|on|for|to|at|by|per|a)\b))?|people|staff))"
    r"(?=$| (?:of|in|on|for|to|at|by|with|from|per|each|every|a|without|before|after)\b|,)"
)
"""A number and what it counts, up to where more is told."""
_NUMBERED = late(r" [A-Z][A-Za-z]+$")
"""A name right before a number, which is part of it: GraalPy 3.11."""
_SIZED = late(r" (?P<size>wide|long|high|tall|deep|thick|old)\b")
_PART = late(
    r" of (?:(?:the|each|every|any) )?[a-z]+(?: (?!(?:for|with|on|in|by|to|at|each|every|per|is|are)\b)[a-z]+){0,2}"
)
"""What a share or time is taken of."""
_EACH = late(r" (?:a|an|per|each|every) (?:working |calendar )?(?:day|week|month|year|night|hour)\b")
_AND_VALUE = late(r",? (?:and|but|or) (?=.*(?:\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten)\b))")
_GOES_ON = late(
    r"$| (?:in|on|for|at|with|from|per|by|within|during|after|before|to|of|each|every|a|an|when|if|unless|without|"
    r"under|excluding|including|plus|towards|"
    r"between|through|as|until|away|apart)\b"
)
"""What may stand behind a value that is told whole."""
_OR_ELSE = late(r",? (?:or|but|unless|except)\b")
_FOR_BOTH = late(r"\b(?:each|per|every|respectively)\b")
_PREPOSITION = late(r" (?:in|on|for|at|with|from|per|by|within|during|after|before) ")
_JOINED = late(
    r"\s*(?:of|percent|per cent|%|[-–'’/]|(?:and|or|to)(?= \d))(?= |\d|$)|"
    r"\s*(?:or|and) (?:more|less|later|newer|older|above)\b"
)
"""Behind a value that is not told whole."""
_SECOND = late(
    rf" (?:and|but) (?:then|is|are|was|were|can|must|may|will|shall|would|had|has|have|not|"
    rf"(?:{_ANY_VERB})(?= )|[a-z]+(?:s|ed)(?= (?:the|an?|in|on|to|by|for|\d|[a-z]+ly))) ?"
    rf"| (?:and|but|while|whereas) (?=(?:the|an?|each|all|one) (?:[\w'-]+ ){{1,4}}?(?:{_AUX}|{_ANY_VERB}) )"
)
_CLAUSE_END = late(rf",(?!\d)|;|{_SECOND.pattern}")
"""Where the clause of the sentence's own verb ends."""


_POSSIBLE = late(
    r"(?:also|still|even|well|be (?:due|caused|found|seen|used|able|different|more|less|too|a|an|the)|"
    r"include|have|result|"
    r"vary|change|occur|cause|lead|differ|contain|take|need|affect|help|seem|appear|happen|mean|become|not)\b"
)
"""What may be or happen, which nobody allows."""


def _rules(text: str, known: frozenset[str], *, permits: bool) -> Iterator[Ask]:
    """Bans and permissions; one that holds a number is asked for its number."""
    found = _RULE.match(text)
    if not found or _LEADS_OVER.match(found["subject"]):
        return
    verb = found["verb"]
    if values(verb) or verb.startswith("not ") or " only " in f" {verb}":
        return
    modal, denied = found["modal"].split()[0].removesuffix("not"), _DENIES.search(found["modal"]) is not None
    may = not denied and modal in ("may", "can")
    if may and (not permits or _POSSIBLE.match(verb)):
        return
    if not (denied or may):
        return
    question = f"{'Can' if modal == 'can' else 'May'} {_lowered(found['subject'], known)} {found['verb']}?"
    span = (found.start("modal"), found.end("verb"))
    yield Ask(question, (span,), "yes_no", {"boolean_answer": not denied}, found["subject"])


def _is_several(subject: str) -> bool:
    """Say whether a subject is several, by its head and what goes before that."""
    if _ONE.match(subject):
        return False
    head = _HEAD_ENDS.split(subject, maxsplit=1)[0].lower()
    return " and " in head or _PLURAL.search(head) is not None


_ONE = late(r"(?:each|every|an?|one|any(?:one|body)|every(?:one|body))\b", re.IGNORECASE)
_HEAD_ENDS = late(
    r" (?:of|in|with|without|from|for|at|on|under|over|aged|below|above|to|between|by|within|outside|near|who|whose|"
    r"that|which|(?:us|liv|wear|carry|visit|work|attend|arriv|travell|wish|stay|leav|hav)ing|"
    r"[a-z]+ed (?:by|in|to|for|at|on|from))\b"
)
_PLURAL = late(
    r"(?:\b(?:people|children|men|staff|police|mice|feet|teeth|geese|oxen|cattle|youths)|women|[^aeiou]men|"
    r"(?<!new)(?<![siu])s)$"
)
"""How a noun ends that is several."""


_LEADS_OVER = late(
    r"(?:some|many|most|several|certain|few|various|no|if|when|but|and|or|after|before|while|although|because|sometimes|for|in|on|at|to|then|so|thus|only|otherwise|still|there|by|with|as|under|from|between|during|never|not|please|where|which|that|who|whose|"
    r"using|[A-Za-z]+ly)\b",
    re.IGNORECASE,
)
"""How a stretch begins that is no subject."""
_AUXILIARIES = late(r"\b(?:do|does|did|who|which|that)$")
_DENIES = late("not$|never$")
_UNSURE = "\0"
"""Stands before a subject of which nothing tells whether it is a name."""
_ORDINARY = words(
    "Core Team Internet Office Staff Late Early Annual Monthly Weekly Daily Hotel Travel Sick Part Full "
    "Customer Client "
    "Children Adult Child Dog Car Home Meal Lunch Bank Public Basic Standard Overtime Remote New Expense "
    "Delivery Entry "
    "Guest Water Electric Electricity Gas Phone Tax Medical Dental Paid Unpaid Minimum Maximum Total Net Gross Ticket"
)
"""Common words that often begin a sentence of a policy or a notice."""
_COMMON = late("[A-Z][a-z]+(?:ing|ment|[st]ion|ship|ity|ness|ance|ence|age)")
"""How a common noun looks at the head of a sentence."""


def _lowered(subject: str, known: frozenset[str]) -> str:
    """A subject as it is written within a sentence."""
    first, _, rest = subject.partition(" ")
    lowered = first[0].lower() + subject[1:]
    begins = rest[:1].islower() or (not rest and _PLURAL.search(first.lower()))
    if first in _ARTICLES or (begins and first in _ORDINARY) or (first.endswith("ing") and not rest[:1].isupper()):
        return lowered
    named = first in known or _INNER.search(first) or first.isupper() or rest[:1].isupper()
    if named or not first[0].isupper():
        return subject
    common = (
        (rest[:1].islower() and _ENDS_COMMON.search(first))
        or first.lower() in known
        or (first.endswith("s") and first[1:].islower())
        or _COMMON.fullmatch(first)
    )
    return lowered if common and not _OWNED.search(first) else _UNSURE + subject


_ENDS_COMMON = late("(?:ed|en|al|ly|ous|ive|able|ful|less|ary|ic|ing|er|or|ee|nt|ry|al)s?$")
"""How adjectives and common nouns end in front of another word in small letters: Written objections."""
_OWNED = late("['’]s?$")
_INNER = late(r"[a-z][A-Z]|[A-Z][a-z]*\.[a-z]|[0-9]")
"""In a word that is a name wherever it stands: Node.js, PyPI."""
_NO_SUBJECT = late(r"['’]s?$|\b[a-z]+ed\b|\b(?:the|an?|of|for|to|in|and)$")
"""A verb within what looks like the subject of another, or a noun taken for a verb."""
_ELSEWHERE = late(
    r"\b(?:who|which|that|whose|where|[a-z]{2,}ing)\b(?! (?:is|are|was|were|must|can|may|will))|,(?!\d)|"
    r"\b(?:[Aa]n?(?: [a-z]+)?|[Tt]he|all|both|"
    r"further|additional|first|last|next|another|than|and|or|of|nearest|exactly)$|['’]s?$"
)
"""A value behind one of these belongs to another clause than the sentence's own, or is not told whole."""
_ARTICLES = frozenset(("The", "A", "An", "Each", "Every", "All", "Up", "Any", "One"))
