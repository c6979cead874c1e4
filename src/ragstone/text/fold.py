"""Folding: one form for all ways to write the same characters, so that two texts can be compared.

Width, Traditional and Simplified, variants, case, compatibility forms, punctuation and white space get one form each.
The folded text is for comparing only, never for showing: 乾 and 干 are one character here, and so are 著 and 着.
Write literals that meet folded text through `fold` too.
"""

import re
import unicodedata
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from ragstone.text.fold_table import FROM, TO

_SPACES = (
    "\t\n\v\f\r\x1c\x1d\x1e\x1f \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000"
)
_INVISIBLE_RANGES = (
    *((code, code) for code in (0xAD, 0x34F, 0x61C, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFEFF, 0xFFA0)),
    *((0x00, 0x08), (0x0E, 0x1B), (0x7F, 0x84), (0x86, 0x9F), (0x180B, 0x180F), (0x200B, 0x200F), (0x202A, 0x202E)),
    *((0x2060, 0x206F), (0xFE00, 0xFE0F), (0xFFF9, 0xFFFB), (0xE0000, 0xE01FF)),
)
_INVISIBLE = frozenset(code for first, last in _INVISIBLE_RANGES for code in range(first, last + 1))
_LAST_KEPT = 0xFFFF


class _Table(dict[int, int | None]):
    """A translation table that remembers the characters it leaves alone: a miss would cost an exception each time."""

    def __missing__(self, code: int) -> int:
        if code <= _LAST_KEPT:
            self[code] = code
        return code


_FOLD = _Table(zip(map(ord, FROM), map(ord, TO), strict=True))
_FOLD.update(dict.fromkeys(map(ord, _SPACES), ord(" ")))
_FOLD_ASCII = bytes(map(ord, bytes(range(128)).decode().translate(_FOLD))).ljust(256)
_SQUEEZE = _Table(_FOLD)
_SQUEEZE.update(dict.fromkeys(map(ord, _SPACES)))
_SQUEEZE.update(dict.fromkeys(_INVISIBLE))
_SEEN = _Table(_FOLD)
_SEEN.update((code, None) for code, folded in _FOLD.items() if folded in _INVISIBLE)
_SEEN.update(dict.fromkeys(_INVISIBLE - _FOLD.keys()))

# Folded punctuation; signs that carry meaning (+ # % & @ $ ° ~ = < >) are not among them.
_MARKS = re.escape("""!"'(),-./:;?[\\]_{|}·…《》¡¿‼⁇⁈⁉※†‡""")
_PARTS_THOUSANDS = "(?<=[0-9],)(?=[0-9]{3}(?![0-9]))"
_THOUSANDS = re.compile(f",{_PARTS_THOUSANDS}")
# A mark between two digits is part of a number (12.5, 1-3, 3:30), unless it only parts thousands. What stands round it
# is looked at behind it, so that other characters cost next to nothing.
_MARK = re.compile(f"[{_MARKS}](?:(?<![0-9][{_MARKS}])|(?![0-9])|{_PARTS_THOUSANDS})")
_DOTS = re.compile(r"\.{2,}|…+")
_DASHES = re.compile("-{2,}")
# Ligatures, ℃, Ⅳ, ⑴, ㈠, ㎡ and half-width kana: one character that stands for several, or joins with the next.
_MANY = re.compile("[ﬀ-ﬆ℀-ℹⅠ-ⅿ⑴-⒛㈀-㈞㈠-㉃㋀-㋋㋌-㋏㌀-㏿ｦ-ﾟ]")
_SPELT_OUT = ("<compat>", "<narrow>", "<square>")
_CIRCLED = re.compile("(?<![0-9a-z])[①-⑳](?![0-9a-z])")


class Placed(NamedTuple):
    """A reduced text and, for each of its characters, the place of that character in the original."""

    text: str
    offsets: Sequence[int]

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The span in the original that text[start:end] stands for (end exclusive)."""
        if start >= end:
            place = self.offsets[start] if start < len(self.offsets) else (self.offsets[-1] + 1 if self.offsets else 0)
            return place, place
        return self.offsets[start], self.offsets[end - 1] + 1


def fold(text: str) -> str:
    """One form for each character and the same length, so that offsets hold: fold("Ａ臺灣，") == "a台湾,"."""
    # The fold of ASCII is ASCII, and bytes are translated several times as fast.
    return text.encode().translate(_FOLD_ASCII).decode() if text.isascii() else text.translate(_FOLD)


def fold_visible(text: str) -> str:
    """Folded text without characters that show nothing."""
    return text.translate(_SEEN)


def squeeze(text: str) -> str:
    """Folded text without white space and invisible characters, for containment."""
    return text.translate(_SQUEEZE)


def join_thousands(text: str) -> str:
    """Folded text without the commas that part thousands: 1,200.5 becomes 1200.5, and 1,20 stays."""
    return _THOUSANDS.sub("", text)


def bare(text: str) -> str:
    """Squeezed text without punctuation, except inside numbers: bare("「1,012.5」萬，") == "1012.5万"."""
    return _MARK.sub("", text.translate(_SQUEEZE))


def squeeze_with_offsets(text: str) -> Placed:
    """Squeezed text that remembers where each character stood."""
    squeezed = text.translate(_SQUEEZE)
    if len(squeezed) == len(text):
        return Placed(squeezed, range(len(text)))
    codes = [_SQUEEZE[code] for code in map(ord, text)]
    return Placed(squeezed, [place for place, code in enumerate(codes) if code is not None])


def bare_with_offsets(text: str) -> Placed:
    """Bare text that remembers where each character stood."""
    squeezed = squeeze_with_offsets(text)
    dropped = {match.start() for match in _MARK.finditer(squeezed.text)}
    if not dropped:
        return squeezed
    offsets = [place for at, place in enumerate(squeezed.offsets) if at not in dropped]
    return Placed(_MARK.sub("", squeezed.text), offsets)


@cache
def _spelling(char: str) -> str:
    tag, _, codes = unicodedata.decomposition(char).partition(" ")
    return "".join(chr(int(code, 16)) for code in codes.split()) if tag in _SPELT_OUT else char


def _spelt_out(match: re.Match[str]) -> str:
    """One step of the compatibility form, so that ㎡ becomes m² and not m2."""
    return _spelling(match[0])


def key(text: str) -> str:
    """A key that is equal for texts a careful reader calls the same writing; offsets are lost.

    Beyond squeezing it spells out ligatures and ㎡, composes accents, folds case fully (ß), joins dots and dashes,
    drops thousands separators and reads ① as 1.
    """
    squeezed = squeeze(unicodedata.normalize("NFC", _MANY.sub(_spelt_out, text))).casefold()
    squeezed = _DASHES.sub("-", _DOTS.sub("…", join_thousands(squeezed)))
    return _CIRCLED.sub(lambda match: str(int(unicodedata.numeric(match[0]))), squeezed)


def same(one: str, other: str) -> bool:
    """Whether two texts are the same writing in another form; x² is not x2, and 12.5 is not 125."""
    return key(one) == key(other)
