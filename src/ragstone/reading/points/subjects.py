"""What a clause speaks of: whether it names something that neither the point nor the question does."""

from ragstone.reading.asked import roots_of
from ragstone.reading.lexicon import cut_words, tag_words
from ragstone.reading.points.forms import RUN, Form
from ragstone.reading.points.pieces import light
from ragstone.reading.statements import Statements
from ragstone.reading.tokens import TOKEN, root
from ragstone.text.fold import fold
from ragstone.text.late import late

SEVERAL = late(fold("[和与及、]") + r"|各|\band\b|と|[와과] ")
"""Where a question asks for more than one thing."""
_HANGUL = late("[\uac00-\ud7a3]{2,}")
_PAIR = 2


def tells_of_other(form: Form, said: Statements, lo: int, hi: int, question: str) -> bool:
    """Whether a clause speaks of something else before the value: 房租3000元 does not tell the deposit."""
    known = form.text + question
    words = light()
    for word, tag in tag_words(said.text[max(lo, hi - 40) : hi]):
        if tag and tag[0] == "n" and len(word) > 1 and word not in words and not _is_known(word, known):
            return True
    return False


def _is_known(word: str, known: str) -> bool:
    """Whether a noun is a known one, with another ending: 保修期 is known by 保修."""
    return word in known or (len(word) > _PAIR and word[:_PAIR] in known)


def residue(form: Form, said: Statements, lo: int, hi: int, question: str) -> int:
    """How much a stretch of a clause says beyond point, question and cues: characters of Han, two for a Latin word."""
    words, text = light(), list(said.text[lo:hi])
    for hit in said.at(lo).hits:
        if lo <= hit.start and hit.end <= hi:
            text[hit.start - lo : hit.end - lo] = " " * (hit.end - hit.start)
    left = "".join(" " if char.isdigit() else char for char in text)
    known = form.text + question
    han = (word for run in RUN.findall(left) for word in cut_words(run) if word not in known and word not in words)
    count = sum(sum(char not in words for char in word) for word in han)
    return count + sum(2 for match in TOKEN.finditer(left) if match[0] not in words and match[0] not in known)


def is_noun(said: Statements, at: int) -> bool:
    """Whether a noun in Han begins at a place."""
    return any(start == at and tag[0] == "n" for start, _, tag in said.tags_in(at, at + 1))


def before(said: Statements, at: int) -> tuple[int, int]:
    """The stretch of a clause before a place."""
    return said.at(at).start, at


def names_other(form: Form, said: Statements, start: int, end: int, question: str, *, kinds: bool = False) -> bool:
    """Whether a stretch of a clause names something that neither point nor question name; `kinds`: or another of its
    kind, 分部 for 总部."""
    known = form.text + question
    for first, last, tag in said.tags_in(start, end):
        word = said.text[first:last]
        named = tag[:2] == "nr" or (tag[0] == "n" and last - first > 1)
        if not named or word in light() or word in known or word[0] in known:
            continue
        if kinds or word[-1] not in known:
            return True
    if any(word[:_PAIR] not in known and word not in light() for word in _HANGUL.findall(said.text, start, end)):
        return True
    names = roots_of(known)
    words = (match[0] for match in TOKEN.finditer(said.text, start, end))
    return any(word not in light() and not word.isdigit() and root(word) not in names for word in words)
