"""English sentences of a known form: who holds an office or made something, hours, contacts; what a line announces."""

import re
from collections.abc import Callable, Iterator

from ragstone.core.types import JSON
from ragstone.drafting.questions.parts import Ask, words
from ragstone.drafting.questions.person_words import NAME, NAMES, ROLE
from ragstone.text.late import late

_THE_ROLE = rf"(?:[a-z-]+ ){{0,3}}{ROLE}"
_WHAT = "(?P<what>[^,;:]{2,60}?)"
_HOUR = r"(?:[0-9]{1,2}(?:[:.][0-9]{2})? ?(?:am|pm|a\.m\.|p\.m\.)|[0-9]{1,2}:[0-9]{2}|noon|midnight)"
_HOURS = (
    rf"(?:from |between )?{_HOUR} (?:to|until|and) {_HOUR}"
    r"(?: (?:every day|daily|on [A-Z][a-z]+days?|from [A-Z][a-z]+day to [A-Z][a-z]+day))?"
)
_PHONE = r"\+?[0-9(][0-9 ()-]{6,18}[0-9]"
_DAYS = r"[A-Z][a-z]+days?"
_MONEY = r"[£$€]\d(?:[\d,.]*\d)?"
_FEE = r"(?:rent|fee|deposit|price|charge|fare|premium|fine|penalty|subscription|bond|surcharge)"
_LASTING = r"[\w-]+ (?:(?:business|working|calendar) )?(?:minutes|hours|days|weeks|months|years)"
_PARTY = late(
    r"(?:Tenant|Landlord|Lessee|Lessor|Licensee|Customer|Client|Supplier|Contractor|Employee|Employer|Buyer|Seller)"
)
"""A party that a contract names without an article."""
_FORMS: tuple[tuple[str, str, str], ...] = (
    ("person", "Who is {what}?",
     rf"(?P<what>[Tt]he {_THE_ROLE}(?: (?:of|for) [^,.;:]{{2,50}}?)?) is (?P<answer>{NAME})(?=[,.;]|$)"),
    ("person", "Who is {what}?", rf"(?P<answer>{NAME}) is (?P<what>the {_THE_ROLE} of [^,.;:]{{2,50}}?)(?=[,.;]|$)"),
    ("place", "Where is {what} located?",
     r"(?P<what>[A-Z][^,;:()]{2,50}?) (?:is|are) (?:located|situated) (?:in|on|at) "
     r"(?P<answer>[^,;.()]{4,60})(?=[.;]|$)"),
    ("place", "Where {be} {what} {done}?",
     rf"{_WHAT} (?P<be>is|are|was|were|will) "
     r"(?P<done>(?:be )?(?:held|built|kept|stored|based|displayed|exhibited|printed)) (?:at|in) "
     r"(?P<answer>(?!(?:[A-Z][a-z]+ )?\d|(?:January|February|March|April|May|June|July|August|September|October|"
     r"November|December)\b)(?:the |[A-Z])[^,;.:]{3,50}?)(?: (?:on|from|by|until|every|between|at) [^,;]*|,.*)?\.?$"),
    ("name", "Who {be} {what} {done} by?",
     rf"{_WHAT} (?P<be>is|are|was|were) (?P<done>carried out|funded|run|handled|issued|maintained|operated|managed|"
     r"organised|supplied|led|owned|chaired|sponsored|published|audited) by "
     r"(?P<answer>(?!(?:our|his|her|its|their|volunteers|staff)\b)[^,;.:]{3,60}?)"
     r"(?:,.*| (?:in|on|at|with|between|from|for|since) [^,;]*)?\.?$"),
    ("time", "What are the {what}?",
     rf"(?P<what>[A-Z][\w' -]{{1,40}}? (?:hours|times)) are (?P<answer>{_HOURS}(?: [A-Z]{{2,4}} time)?)\.?$"),
    ("time", "When {be} {what} {done}?",
     rf"{_WHAT} (?P<be>is|are) (?P<done>open|staffed|available|served|held) (?P<answer>{_HOURS})\.?$"),
    ("time", "When does {what} take place?", rf"{_WHAT} takes place (?P<answer>{_HOURS})\.?$"),
    ("duration", "How often {be} {what} {done}?",
     rf"{_WHAT} (?P<be>is|are) (?P<done>[a-z]+ed|held|swept) "
     r"(?P<answer>(?:once|twice|[a-z]+ times) (?:a|every|per|each) [a-z]+|daily|weekly|monthly)"
     r"(?: (?:by|in) [^,;]*)?\.?$"),
    ("amount", "How much is {what}{rest}?",
     rf"(?P<what>(?:(?:The|Our) )?[A-Z]?[a-z -]{{0,30}}?\b{_FEE}) (?:is|shall be|will be) (?P<answer>{_MONEY})"
     r"(?P<rest>(?: (?:per|a|an|each|every|for) [a-z]+(?: [a-z]+)?)?)(?:, (?:due|payable) [^;:]*)?\.?$"),
    ("amount", "How much is {what}{rest}?",
     rf"(?P<what>An? [a-z -]{{3,30}}? {_FEE}) of (?P<answer>{_MONEY}) (?:applies|will apply|is charged|will be charged)"
     r"(?P<rest>(?: (?:if|when|for|to) [^,;:]{3,60}?)?)\.?$"),
    ("amount", "How much is the {fee} {what} must pay{rest}?",
     rf"{_WHAT} (?:shall|must|will) pay (?:an?|the) (?P<fee>[a-z -]{{0,30}}?\b{_FEE}) of (?P<answer>{_MONEY})"
     r"(?P<rest>(?: (?:before|when|on|for|to|upon) [^,;:]{3,60}?)?)\.?$"),
    ("duration", "How much notice must {what} give{rest}?",
     rf"(?:Except in an emergency, )?{_WHAT} (?:must|shall) give (?:the [A-Z]?[a-z]+ )?(?:at least )?"
     rf"(?P<answer>{_LASTING})['’]? (?:prior |written |advance )*notice"
     r"(?P<rest>(?: (?:before|of|to) [^,;:]{3,60}?)?)\.?$"),
    ("duration", "How long is {what}{rest}?",
     r"(?P<what>The (?:[a-z-]+ ){0,3}?(?:term|period|probation|warranty|guarantee|course|contract|lease|membership)"
     rf"(?: (?:of|for) [^,;:]{{3,40}}?)?) (?:is|lasts|shall be|runs for) (?P<answer>{_LASTING})"
     r"(?P<rest>(?: from [^,;:]{3,40}?)?)\.?$"),
    ("date", "When will {what} be held?",
     rf"{_WHAT} will be held on (?P<answer>(?:{_DAYS},? )?\d{{1,2}} [A-Z][a-z]+(?: \d{{4}})?"
     r"(?: at \d[\d:.]* ?[ap](?:\.m\.|m))?)(?: (?:in|at) [A-Za-z][^,;]*)?\.?$"),
    ("amount", "How much is charged for {what}?",
     rf"{_WHAT} (?:is|are) charged at (?P<answer>[£$€]\d[\d,.]*(?<!\.)(?: (?:a|an|per|each) [a-z]+(?: [a-z]+)?)?)\.?$"),
    ("name", "Who may {what} be {how} by?",
     rf"{_WHAT} may (?:only )?be (?P<how>[a-z]+) (?:only )?by (?P<answer>[^,;.:]{{3,60}}?)\.?$"),
    ("date", "When {be} {what} closed?",
     rf"{_WHAT} (?P<be>is|are) closed (?P<answer>(?:on |every )(?:{_DAYS})(?: and {_DAYS})?)\.?$"),
    ("person", "Who is {what}?", rf".*?\b(?P<what>[Tt]he (?:{_THE_ROLE}|(?:Head|Director) of [A-Z][a-z]+)), "
     rf"(?P<answer>{NAME})(?=[,.]).*$"),
    ("person", "Who was {what}?",
     rf"(?P<answer>{NAME}) was (?P<what>(?:re-?)?(?:elected|appointed) [a-z -]{{4,40}})\.?$"),
    ("name", "What telephone number can {what} be {how} on?",
     rf"{_WHAT} can be (?P<how>reached|contacted|called)(?: by (?:tele)?phone)? (?:on|at) (?P<answer>{_PHONE})\.?$"),
    ("name", "What is the telephone number of {what}?",
     rf"(?:In an emergency, |For [^,]{3,40}, )?(?:[Cc]ontact|[Cc]all|[Rr]ing|[Tt]elephone) "
     r"(?P<what>the [a-z][^,;:]{{2,40}}?)(?:, {NAME},)? "
     rf"(?:on|at) (?P<answer>{_PHONE})\.?$"),
    ("name", "Who must {do} {what}?",
     rf"{_WHAT} must be (?P<how>approved|signed|authori[sz]ed|countersigned|confirmed|checked) by "
     r"(?P<answer>(?:the|an?) [a-z -]{3,40}?)(?: (?:at least|before|within|in advance|in writing)\b[^,;:]*)?\.?$"),
    ("name", "Whose {how} is required for {what}?",
     rf"{_WHAT} requires? (?:the )?(?P<how>(?:written )?(?:approval|consent|permission|signature)) (?:of|from) "
     r"(?P<answer>the [a-z -]{3,40}?)(?:, [A-Z][^,]*)?\.?$"),
    ("date", "When do {what} {how}?",
     rf"{_WHAT} (?P<how>take place|meet|open|close) (?P<answer>(?:every|on) {_DAYS}(?: at {_HOUR})?)"
     r"(?: in [^,;]*)?\.?$"),
    ("duration", "At least how old must {what} be?",
     rf"{_WHAT} must be at least (?P<answer>\d+(?: years)?)(?: old| of age)(?: (?:to|on|when|at) [^,;]*)?\.?$"),
    ("duration", "How many {how}' notice must {what} give{rest}?",
     rf"{_WHAT} must give (?:a )?(?:written )?notice of (?P<answer>[\w-]+ (?P<how>days|weeks|months))"
     r"(?P<rest>(?: before [^,;:.]{3,40})?)\.?$"),
)  # fmt: skip
_PASSIVE = late(
    r"(?P<what>(?!(?:In|On|At|For|By|From|After|Before|During|When|As) )[A-Z][^,;:()]{2,60}?) "
    r"(?:was|were) (?:first )?(?P<done>[a-z]+(?:ed|lt|ten|wn|ade)|set up|won|led|run|held|taught)"
    r"(?P<when> (?:in|on) [^,;:]{4,20}?)? by (?:the (?P<sort>[a-z]+ )?)?(?P<answer>" + NAMES + r")"
    r"(?=[,.;]|$| (?:and|in|on|for|to) )"
)
_TWO_VERBS = late(
    r"\b(?:and|or|but)$|\b(?:is|are|was|were|has|had|have|who|which|that|whose)\b|\b[a-z]+ed (?:in|on|by|at|to|from)\b"
)
"""In what looks like the subject of a passive and holds a verb of its own."""
_PAST = {"written": "wrote", "drawn": "drew", "given": "gave", "shown": "showed", "taken": "took"}
_GROUPS = words("company firm group studio agency")
_SOMEONE = late("[a-z]+(?:er|or|ist|ect|an|eer|ian|nt|ess|et)")


_FINITE = late(r"\b(?:is|are|was|were|has|have|had|took|and)\b")
"""A verb in what looks like the subject of another."""


def ask_forms(text: str, lowered: Callable[[str], str]) -> Iterator[Ask]:
    """Ask a sentence for what its form tells; `lowered` writes a subject as it is within a sentence."""
    taken = set()
    for kind, asked, pattern in _FORMS:
        found = re.match(pattern, text)
        if found and found.span("answer") not in taken and not _FINITE.search(found.groupdict().get("what") or ""):
            taken.add(found.span("answer"))
            parts = {name: part or "" for name, part in found.groupdict().items()}
            what = parts["what"]
            party = _PARTY.fullmatch(what) or (what.isupper() and kind == "date")
            subject, how = f"the {what}" if party else lowered(what), parts.get("how", "")
            if asked.startswith("How much is {what}"):
                subject = f"the {re.sub('^(?:an?|the|our) ', '', subject)}"
            parts["do"] = how[:-1] if how.endswith(("ved", "sed", "zed")) else how.removesuffix("ed")
            yield _ask(asked.format(**parts | {"what": subject}), found, kind, subject)
    found = _PASSIVE.match(text)
    sort = ((found["sort"] or "").strip() if found else "") or "architect"
    if found and (sort in _GROUPS or _SOMEONE.fullmatch(sort)) and not _TWO_VERBS.search(found["what"]):
        who = f"Which {sort}" if sort in _GROUPS else "Who"
        subject = lowered(found["what"])
        yield _ask(f"{who} {_PAST.get(found['done'], found['done'])} {subject}?", found, "person", subject)


def _ask(question: str, found: re.Match[str], kind: str, subject: str) -> Ask:
    expected: dict[str, JSON] = {"entity" if kind == "person" else "text_answer": found["answer"]}
    named = kind in ("person", "place") and re.search("[A-Z]", subject) is not None
    return Ask(question, (found.span("answer"),), kind, expected, subject, named)


_VERBS = (
    r"supports?|offers?|supply|supplies|includes?|needs?|has|have|provides?|accepts?|sells?|contains?|covers?|requires?|stocks?|teach(?:es)?|"
    r"serves?|produces?|uses?|carry|carries|publish(?:es)?|runs?|keeps?|holds?|lends?|issues?|charges?|organises?|hosts?"
)
_ANNOUNCES = late(
    r"^(?:There are (?P<count>[a-z]+|\d+) (?P<noun>[a-z -]{3,40})"
    rf"|(?P<subject>.{{2,60}}?) (?P<verb>{_VERBS}) (?:the following|these|[a-z]+) (?P<what>[a-z -]{{3,40}})"
    r"|The following (?P<listed>[a-z -]{3,40}) (?P<be>are|must be|may be|can be) (?P<done>[a-z]+(?: (?:to|"
    r"with|by|for|in|at|from|on) [a-z ]{3,40})?)"
    r"|(?P<who>.{2,60}?) (?P<modal>must|should|may|can) (?P<act>[a-z]+)(?: the following)?(?: (?P<things>[a-z-]+))?)$"
)
_ADVERB = late("[A-Z][a-z]+ly\\b|[a-z]|Now\\b|Here\\b|Today\\b")
_CLAUSE = late(r"^(?:In|On|For|If|When|At|By|With|To)\b|\b(?:where|which|that|if|when|may|can|must|not|will)\b|,")
"""In what is more than the subject of a line above a list."""
_NOBODY = late(r"(?:we|you|i|it|they|he|she|this|that|these|those)(?: also)?", re.IGNORECASE)
_BASE = {"has": "have", "supplies": "supply", "carries": "carry", "teaches": "teach", "publishes": "publish"}
_DETERMINED = late("(?:The|Every|Each|All|An?) ")


def announced(last: str) -> str | None:
    """Turn an English line above a list, or before its colon, into a question."""
    found = _ANNOUNCES.match(last)
    if not found:
        return None
    if found["noun"]:
        return f"What are the {found['count']} {found['noun']}?"
    if found["listed"]:
        return f"Which {found['listed']} {found['be']} {found['done']}?"
    subject = found["subject"] or found["who"]
    if _ADVERB.match(subject) or _NOBODY.fullmatch(subject) or _CLAUSE.search(subject):
        return None
    subject = subject[0].lower() + subject[1:] if _DETERMINED.match(subject) else subject
    if found["modal"]:
        what = f"Which {found['things']}" if found["things"] else "What"
        return f"{what} {found['modal']} {subject} {found['act']}?"
    verb = _BASE.get(found["verb"], found["verb"].removesuffix("s"))
    return f"Which {found['what']} {'do' if verb == found['verb'] else 'does'} {subject} {verb}?"
