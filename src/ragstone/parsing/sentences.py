"""Cut a text into sentences and clauses, and find what stands in quotes; knows no meaning."""

import re
from typing import NamedTuple

_TITLES = r"(?<!\bmr)(?<!\bms)(?<!\bdr)(?<!\bmrs)(?<!\bst)(?<!\bvs)(?<!\bno)(?<!\b[a-z])"
_SENTENCE_END = re.compile(rf"[。！？!?；;…\n\r]+[”’」』）)\"]*|{_TITLES}\.[”’」』）)\"]*(?=\s|$)", re.IGNORECASE)
_CLAUSE_END = re.compile(r"[，,：:、—]+(?!\d)|\s-\s")
_QUOTED = re.compile(
    r"“[^“”\n]{0,400}”|「[^「」\n]{0,400}」|『[^『』\n]{0,400}』|《[^《》\n]{0,200}》|\"[^\"\n]{0,400}\"|‘[^‘’\n]{0,400}’"
)


class Piece(NamedTuple):
    """A stretch of a text, by its offsets."""

    start: int
    end: int


def _cut(text: str, marks: re.Pattern[str], start: int, end: int) -> list[Piece]:
    pieces = []
    here = start
    for mark in marks.finditer(text, start, end):
        if text[here : mark.start()].strip():
            pieces.append(Piece(here, mark.end()))
        here = mark.end()
    if text[here:end].strip():
        pieces.append(Piece(here, end))
    return pieces


def sentences(text: str) -> list[Piece]:
    """Cut a text into its sentences, end marks included; a point inside a number or a name ends nothing."""
    return _cut(text, _SENTENCE_END, 0, len(text))


def clauses(text: str, sentence: Piece) -> list[Piece]:
    """Cut one sentence at its commas and colons."""
    return _cut(text, _CLAUSE_END, sentence.start, sentence.end)


def hide_quotes(text: str, filler: str = "▒") -> str:
    """Blank out what stands in quotes or title marks, keeping the length; a text that is one quote stays."""
    bare = text.strip().strip("。.！!")
    whole = _QUOTED.fullmatch(bare)
    if whole:
        return text
    return _QUOTED.sub(lambda found: filler * len(found[0]), text)
