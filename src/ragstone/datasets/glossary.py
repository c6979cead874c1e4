"""The user's glossary of equivalent words: a text file with lines such as `SSO = single sign-on`, `#` for comments."""

import hashlib
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

from msgspec import Struct, ValidationError, convert, to_builtins

from ragstone.core.errors import DatasetError
from ragstone.core.types import JSON, Finding, Position
from ragstone.datasets.faults import unreadable
from ragstone.text.fold import fold

if TYPE_CHECKING:
    from ragstone.reading.lexicon import Lexicon

OPTION = "glossary"
"""Option of every contract that asks whether an answer states something."""
MOST_LINES = 20_000
LONGEST = 100
"""Characters of one word."""
_COMMENT = re.compile(r"(?:^|\s)#.*")
_EQUALS = re.compile("[=＝]")
_FIGURES = re.compile(r"[0-9][0-9., %]*")
_TURNING = frozenset(("negation", "negation_behind", "denial", "guess", "hearsay", "question", "supposition", "plan"))
"""Cues that decide whether a sentence states anything at all."""


class Glossary(Struct, frozen=True):
    """What a glossary file says; a run keeps it whole, so that it can be scored again without the file."""

    file: str
    sha256: str
    groups: tuple[tuple[str, ...], ...]

    def lexicon(self) -> "Lexicon":
        """Return the reader's words, with these laid over them if there are any."""
        from ragstone.reading.lexicon import DEFAULT, Lexicon  # noqa: PLC0415 - the reader's tables are slow to load

        return Lexicon(self.groups) if self.groups else DEFAULT

    def terms(self) -> dict[str, JSON]:
        """Return what run_meta.json records, if anything: comments and the order of lines change no score."""
        if not self.groups:
            return {}
        words = sorted("=".join(sorted(map(fold, group))) for group in self.groups)
        digest = hashlib.sha256("\n".join(words).encode()).hexdigest()
        return {"glossary_sha256": digest, "glossary_lines": len(self.groups)}

    @property
    def mark(self) -> str:
        """What it adds to the scorer's version: a score may be another with it."""
        return f"+glossary.{self.terms()['glossary_sha256'][:8]}" if self.groups else ""


NONE = Glossary("", "", ())


def glossary_of(options: Mapping[str, JSON]) -> Glossary:
    """Return the glossary that options name, by a path or as a run keeps it."""
    named = options.get(OPTION)
    if isinstance(named, Mapping):
        try:
            return convert(named, Glossary)
        except ValidationError as error:
            raise DatasetError("glossary.unreadable", file=OPTION, problem=str(error)) from error
    return read_glossary(Path(str(named))) if named else NONE


def with_content(options: Mapping[str, JSON]) -> dict[str, JSON]:
    """Return options in which a glossary stands with what it says, not with where it is."""
    found, rest = glossary_of(options), {name: value for name, value in options.items() if name != OPTION}
    return {**rest, OPTION: to_builtins(found)} if found != NONE else rest


class Changed(NamedTuple):
    """A glossary file that says something else than the copy a run keeps."""

    file: str
    was: str
    now: str


def changed_file(options: Mapping[str, JSON]) -> Changed | None:
    """Compare the glossary that a run keeps with its file, where that is still there."""
    kept = glossary_of(options)
    if not kept.file or not Path(kept.file).is_file():
        return None
    was, now = (one.get("glossary_sha256", "")[:12] for one in (kept.terms(), _terms_now(Path(kept.file))))
    return Changed(kept.file, was, now) if was != now else None


def _terms_now(path: Path) -> dict[str, JSON]:
    try:
        return read_glossary(path).terms()
    except DatasetError:
        return {}


def read_glossary(path: Path) -> Glossary:
    """Read a glossary, or refuse it with all its faults."""
    data, lines = _read(path)
    if faults := [finding for line in lines for finding in _faults(path, line)]:
        raise DatasetError("glossary.faults", faults, file=str(path))
    return Glossary(str(path), hashlib.sha256(data).hexdigest(), tuple(line.words for line in lines))


def oddities(options: Mapping[str, JSON]) -> Iterator[Finding]:
    """Return what is odd about the glossary that options name."""
    named = options.get(OPTION)
    return look_over(Path(str(named))) if named else iter(())


def look_over(path: Path) -> Iterator[Finding]:
    """Return what is odd about a glossary that can be read."""
    from ragstone.reading.lexicon import opposites  # noqa: PLC0415 - as above

    first: dict[str, int] = {}
    for line in _read(path)[1]:
        for word in line.words:
            where = first.setdefault(fold(word), line.number)
            if where != line.number:
                yield _finding(path, line, "warning", "glossary.again", word=word, first=where)
            elif sum(fold(other) == fold(word) for other in line.words) > 1:
                yield _finding(path, line, "warning", "glossary.twice", word=word)
            if code := _oddity(fold(word)):
                yield _finding(path, line, "warning", code, word=word)
        if pair := opposites([fold(word) for word in line.words]):
            yield _finding(path, line, "warning", "glossary.opposites", one=pair[0], other=pair[1])


class _Line(NamedTuple):
    number: int
    words: tuple[str, ...]


def _read(path: Path) -> tuple[bytes, list[_Line]]:
    try:
        data = path.read_bytes()
    except OSError as error:
        raise DatasetError("glossary.unreadable", file=str(path), problem=error.strerror or str(error)) from error
    if broken := unreadable(data):
        raise DatasetError("glossary.faults", [broken.at(str(path))], file=str(path))
    texts = [_COMMENT.sub("", text) for text in data.decode("utf-8-sig").splitlines()]
    lines = [_line(number, text) for number, text in enumerate(texts, start=1) if text.strip()]
    if len(lines) > MOST_LINES:
        raise DatasetError("glossary.long", file=str(path), most=MOST_LINES)
    return data, lines


def _line(number: int, text: str) -> _Line:
    return _Line(number, tuple(" ".join(word.split()) for word in _EQUALS.split(text)))


def _faults(path: Path, line: _Line) -> Iterator[Finding]:
    if len(line.words) == 1:
        yield _finding(path, line, "error", "glossary.one_word", word=line.words[0])
    elif not all(line.words):
        yield _finding(path, line, "error", "glossary.no_word")
    figures = [word for word in line.words if _FIGURES.fullmatch(fold(word))]
    if len({fold(word) for word in figures}) > 1:
        yield _finding(path, line, "error", "glossary.figures", words=figures)
    if longest := max(line.words, key=len)[LONGEST:]:
        yield _finding(path, line, "error", "glossary.long_word", length=LONGEST + len(longest), most=LONGEST)


def _oddity(word: str) -> str:
    """Return what makes a word mean too much, or be read as something else."""
    from ragstone.reading.cuebook import find, tables  # noqa: PLC0415 - as above

    if len(word) == 1 or word in tables()["light"]:
        return "glossary.broad"
    turns = any((hit.start, hit.end) == (0, len(word)) and hit.kinds & _TURNING for hit in find(word))
    return "glossary.cue" if turns else ""


def _finding(path: Path, line: _Line, level: Literal["error", "warning"], code: str, **params: JSON) -> Finding:
    return Finding(level=level, code=code, position=Position(str(path), line.number), params=params)
