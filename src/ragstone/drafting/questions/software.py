"""English questions from the documents of software, where most sentences hang on code and on their paragraph.

Fewer are asked than elsewhere: of whole sentences, about what is named in full.
"""

import re
from collections.abc import Iterator

from ragstone.drafting.corpus import Paper, Sentence
from ragstone.drafting.questions import english
from ragstone.drafting.questions.parts import Ask, Refused
from ragstone.text.late import late

_WHOLE = late(r"[A-Z\"“0-9].*[.!?][\"”]?$|[^.]{1,40} is (?:an?|the) .*$", re.DOTALL)
_SYMBOLS = late(r"(?:^| )[-+=~^\\$#@&*/!<>|–—]+(?: |$)|\\|://|[a-z]_[a-z]|\u2010 ")
"""In what is code, an address, or a list written in a line."""
_VERSION = late(r"\bv?[0-9]+\.[0-9]+|\b(?:19|20)[0-9]{2}-[0-9]{2}", re.IGNORECASE)
_HISTORY = late(
    r"\b(?:change(?:s|log)?|history|news|release(?:s| notes)?|migrat\w+|upgrad\w+|roadmap|todo)\b", re.IGNORECASE
)
"""Titles and sections of what changed: it holds for the version that is told there."""
_VAGUE = late(
    r"^(?:some|many|most|several|certain|few|various|different|optional|more|less|following)\b", re.IGNORECASE
)
_NAME = late(r"(?<=[a-z-] )[A-Z][A-Za-z]+|[A-Z]{2,}|[a-z][A-Z]|\.[a-z]+")
_SEVERAL = late("[a-z]+s")
"""Things in general, which a short text about one piece of software need not explain: changes, tables."""
_SHORT = 80
"""Sentences of such a text."""
_LEANS = late(r"\b(?:thus|hence|currently|already|again|simply|instead|either|usually|just|still|actually|no longer)\b")


def ask(sentence: Sentence, paper: Paper) -> Iterator[Ask | Refused]:
    """Ask for what a sentence holds, if it is one, and names what it is about."""
    text = sentence.text
    if not _WHOLE.match(text) or _SYMBOLS.search(text):
        return
    for one in english.ask(text, paper.title, rules=True, known=paper.words):
        yield one if isinstance(one, Refused) else _against(one, sentence, paper) or one


def _against(ask: Ask, sentence: Sentence, paper: Paper) -> Refused | None:
    if ask.kind == "definition" and ask.question.startswith("What does"):
        return Refused("leaks") if ask.subject.lower() in _said(ask, sentence) or _VAGUE.match(ask.subject) else None
    if ask.kind == "definition":
        return Refused("repeats") if paper.manual else Refused("needs_context") if _is_common(ask, paper) else None
    if paper.manual and paper.title not in ask.subject:
        return Refused("needs_context")
    told = _HISTORY.search(paper.title) or _HISTORY.search(sentence.section) or _VERSION.search(sentence.section)
    readme = len(paper.sentences) <= _SHORT and _SEVERAL.fullmatch(ask.subject) and ask.kind != "yes_no"
    named = readme or _NAME.search(ask.subject) or paper.title.lower() in ask.subject.lower()
    vague = _VAGUE.match(ask.subject) or _LEANS.search(ask.question)
    return Refused("needs_context") if told or vague or not named else None


def _said(ask: Ask, sentence: Sentence) -> str:
    """What a question's answer says, in small letters."""
    return " ".join(sentence.text[start:end] for start, end in ask.spans).lower()


def _is_common(ask: Ask, paper: Paper) -> bool:
    """Say whether what is defined is a common noun elsewhere in its document: a dispatcher."""
    name = re.escape(ask.subject.lower())
    several = ask.question.startswith("What are") and ask.subject.lower() in paper.words
    return several or re.search(rf"\ban? {name}\b", " ".join(page.text for page in paper.pages)) is not None
