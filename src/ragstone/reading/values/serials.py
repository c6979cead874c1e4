"""Finds serial writing: phones, identity numbers, accounts, mail and web addresses, case numbers, versions, codes."""

from collections.abc import Iterator
from typing import Literal, NamedTuple

from ragstone.text.fold import fold
from ragstone.text.late import late

SerialKind = Literal["phone", "id", "account", "email", "url", "product"]


class Serial(NamedTuple):
    """One piece of serial writing and its place."""

    kind: SerialKind
    start: int
    end: int


_PROVINCES = "京津沪渝冀豫云辽黑湘皖鲁新苏浙赣鄂桂甘晋蒙陕吉闽贵粤青藏川宁琼"
_ALONE = r"(?<![0-9a-z.\-])"
_END = r"(?![0-9a-z])"
_PATTERNS: tuple[tuple[SerialKind, str], ...] = (
    ("url", r"(?:https?|ftp)://[^\s<>\"'\u3000-\u9fff()]{1,2000}"),
    ("url", r"(?<![a-z0-9_.])www\.[^\s<>\"'\u3000-\u9fff()]{1,500}"),
    ("email", r"(?<![a-z0-9_.+\-@])[a-z0-9_.+\-]{1,64}@[a-z0-9\-]{1,63}(?:\.[a-z0-9\-]{1,63}){1,5}"),
    (
        "id",  # (2020)粤0304刑初123号
        rf"[(\[]?(?<!\d)(?:19|20)\d\d[)\]]?(?:[{_PROVINCES}]|最高法)?\d{{0,5}}"
        r"[\u4e00-\u9fff]{1,4}第?\d{1,6}号(?:之[一二三四五])?",
    ),
    ("id", r"(?<!\d)\d{2,3}年度?[\u4e00-\u9fff]{1,6}字第\d{1,7}号"),
    ("id", rf"(?<![0-9a-z])[1-9]\d{{16}}[0-9x]{_END}"),
    ("phone", rf"(?<![0-9a-z.+\-])(?:\+?86[ \-]?)?1[3-9]\d(?:[ \-]?\d{{4}}){{2}}{_END}"),
    ("phone", rf"{_ALONE}\+\d{{1,3}}(?:[ \-.]?\(?\d{{1,4}}\)?){{2,6}}{_END}"),
    ("phone", rf"{_ALONE}(?:0\d{{2,3}}[ \-]|\(0\d{{1,3}}\) ?)\d{{3,4}}[ \-]?\d{{3,4}}{_END}"),
    ("phone", rf"{_ALONE}0[1-9]\d{{8,10}}{_END}"),
    ("phone", rf"{_ALONE}[48]00[ \-]?\d{{3,4}}[ \-]?\d{{3,4}}{_END}"),
    ("phone", rf"{_ALONE}\(?[2-9]\d\d\)?[ \-.]\d{{3}}[ \-.]\d{{4}}{_END}"),
    (
        "phone",
        r"(?:电话|手机号?码?|热线|拨打|致电|传真|call|dial|tel|phone)(?:号码|号)?(?:是|为|[:. ]){0,3}"
        rf"(?P<near>\d[\d \-]{{1,16}}\d){_END}",
    ),
    ("account", r"(?:尾号|末四位|ending in)(?:是|为|[: ]){0,3}(?P<tail>\d{3,6})(?!\d)"),
    ("account", rf"{_ALONE}(?:\d{{4}}(?:[ \-]\d{{4}}){{2,4}}(?:[ \-]?\d{{1,3}})?|\d{{12,30}}){_END}"),
    ("id", rf"[{_PROVINCES}][a-z][·. ]?[a-z0-9]{{4,5}}[a-z0-9挂学警](?![a-z0-9])"),
    (
        "id",  # v1.2.0
        r"(?<![a-z0-9.])(?:v|(?:version|release)(?: number)?(?: is| was|:)? |版本号?(?:是|为|[: ])?)"
        r"\d{1,4}(?:\.\d{1,5}){1,3}"
        rf"(?:-?(?:alpha|beta|rc)\.?\d{{0,3}})?{_END}",
    ),
)
# All patterns begin with one of these signs; a quick look saves trying each pattern at each character of plain prose.
_FIRST = rf"(?=[0-9a-z+(\[_.\-电手热拨致传尾末版{_PROVINCES}])"
_SERIAL = late(f"{_FIRST}(?:" + "|".join(f"(?P<k{at}>{one})" for at, (_, one) in enumerate(_PATTERNS)) + ")")
_CODE = late(r"(?<![a-z0-9_])[a-z0-9]{1,24}(?:[\-_/][a-z0-9]{1,24}){0,6}(?![a-z0-9_])")
_MEASURED = late(
    r"[\d\-]+(?:st|nd|rd|th|k|m|b|bn|mn|kg|g|mg|km|cm|mm|ml|l|gb|mb|kb|tb|s|ms|h|min|px|d|x|w|v|a|mah|kwh|kw|hz|ghz|mhz"
    r"|mmol/l|mmol/mol|[uμ]?mol/l|mmol|m?g/d?l|mg/kg|[nu]g/m?l|i?u/l|iu|mmhg|[khm]?pa|kcal|kj|mcg|[uμ]g|[nuμ]m|m/s|km/h|db"
    r"|rpm|fps|dpi|[kmg]bps|ppm|days?|years?|months?|weeks?|hours?)?|\d{1,4}s|[a-z]"
)
_HAS_BOTH = late(r"(?=[^a-z]*[a-z])[^0-9]*[0-9]")
_FILE = late(r"\.[a-z]{1,8}(?![a-z])")


def find_serials(text: str) -> list[Serial]:
    """Find all serial writing of a text, in order and without overlap."""
    folded = fold(text)
    found = list(_numbered(folded))
    here = 0
    codes: list[Serial] = []
    for serial in found:
        codes += _codes(folded, here, serial.start)
        here = serial.end
    return sorted([*found, *codes, *_codes(folded, here, len(folded))], key=lambda serial: serial.start)


def _numbered(folded: str) -> Iterator[Serial]:
    for found in _SERIAL.finditer(folded):
        kind = _PATTERNS[int((found.lastgroup or "k0")[1:])][0]
        group = "near" if found["near"] else "tail" if found["tail"] else 0
        yield Serial(kind, found.start(group), found.end(group))


def _codes(folded: str, start: int, end: int) -> Iterator[Serial]:
    """Find words of letters and digits: HX-2021-0387, H10900089, R7."""
    for found in _CODE.finditer(folded, start, end):
        word = found[0]
        if not _HAS_BOTH.match(word) or _MEASURED.fullmatch(word) or _FILE.match(folded, found.end()):
            continue
        yield Serial("id" if sum(map(str.isdigit, word)) >= 4 else "product", found.start(), found.end())
