"""Hides what is a person's own: identity numbers, phones, accounts, mail and street addresses.

What a reader of answers finds is hidden first; a net of plain shapes follows, because a number in a file name, an
address of the web or a cut text is as private as one in a sentence. It is better to hide too much than too little.
"""

from collections.abc import Iterator, Mapping

from ragstone.core.types import JSON
from ragstone.reading.values.specifics import Specific, find_written
from ragstone.text.fold import fold
from ragstone.text.late import late

_DISTRICT = late(".*[省市区县州]")
_HAN_DIGITS = "〇零○一幺么二三四五六七八九"
_NET = late(
    r"(?<!\d)(?<!\d\.)(?:"
    r"1[3-9]\d{9}(?!\d)"  # a mobile number, whatever letters stand around it
    r"|1[3-9](?:,\d{3}){3}(?![\d,])"  # the same, written as if it were an amount
    r"|\d{15,30}x?(?!\d)"
    r"|\d{6,30}(?=…|\.\.\.)"  # the beginning of a number that was cut
    r"|0\d{1,3}[ \-]\d{3,4}[ \-]?\d{4}(?!\d)"
    r"|1\.[3-9]\d{5,9}e\+?10"  # a mobile number that was read as a number
    r")"
    r"|(?<![a-z0-9])[a-z][12]\d{8}(?!\d)"  # an identity number of Taiwan
    r"|(?<![a-z0-9])[a-z]{1,2}\d{6}\([0-9a]\)"  # one of Hong Kong
    # a phone in Han digits
    rf"|(?<![{_HAN_DIGITS}])(?:[{_HAN_DIGITS}][ \-]?){{10,29}}[{_HAN_DIGITS}](?![{_HAN_DIGITS}])"
)
_CUT_MAIL = late(r"[A-Za-z0-9_.+\-]{1,64}(?=@[A-Za-z0-9_.\-]{0,64}(?:…|\.\.\.))")
"""Before the ellipsis of a text that was cut, nobody knows an address any more."""
_LARGE = 10**9
"""A number smaller than this is nobody's own."""


def mask_private(text: str) -> str:
    """Hide identity numbers, phones, accounts, mail and street addresses, keeping length and last two digits.

    >>> mask_private("电话 13812345678")
    '电话 *********78'
    """
    pieces, here = [], 0
    for specific in find_written(text):
        if _is_private(specific):
            pieces += [text[here : specific.start], _masked(specific)]
            here = specific.end
    hidden = _net("".join([*pieces, text[here:]]))
    return _CUT_MAIL.sub(lambda found: "*" * len(found[0]), hidden) if "@" in hidden else hidden


def mask_private_in(value: JSON) -> JSON:
    """Hide the same in all texts and numbers of a JSON value, names of its fields included."""
    if isinstance(value, str):
        return mask_private(value)
    if isinstance(value, Mapping):
        return {mask_private(str(name)): mask_private_in(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [mask_private_in(item) for item in value]
    if isinstance(value, int | float) and abs(value) >= _LARGE:
        hidden = mask_private(str(value))
        return value if hidden == str(value) else hidden
    return value


def _net(text: str) -> str:
    pieces, here = [], 0
    for found in _NET.finditer(fold(text)):
        pieces += [text[here : found.start()], _but_last_two(text[found.start() : found.end()])]
        here = found.end()
    return "".join([*pieces, text[here:]]) if pieces else text


def _is_private(specific: Specific) -> bool:
    """Tell a person's own number from a version, a case number or a public line such as 110."""
    digits = sum(map(str.isdigit, specific.value))
    if specific.kind == "id":
        return digits >= 15
    return specific.kind in ("email", "address") or (specific.kind in ("phone", "account") and digits >= 7)


def _masked(specific: Specific) -> str:
    if specific.kind == "email":
        return "*" * specific.text.index("@") + specific.text[specific.text.index("@") :]
    if specific.kind == "address":
        district = _DISTRICT.match(fold(specific.text))
        shown = district.end() if district else 0
        return specific.text[:shown] + "*" * (len(specific.text) - shown)
    return _but_last_two(specific.text)


def _but_last_two(text: str) -> str:
    hidden = sum(char.isalnum() for char in text) - 2
    return "".join("*" if char.isalnum() and place < hidden else char for char, place in _counted(text))


def _counted(text: str) -> Iterator[tuple[str, int]]:
    place = 0
    for char in text:
        yield char, place
        place += char.isalnum()
