"""The languages a reader may choose, and templates that speak them; knows nothing else of Ragstone.

A sentence for people is data: a `Text` holds it in every language, with places to fill in.
`{name}` is put in as it is, `{name:q}` in quotation marks, `{name:or}` and `{name:and}` join a list of quoted
items, `{name:short}` cuts long writing, `{name:pct}` shows a share as a percentage.
`{name:case is|cases are}` is a count in English: 1 case is, 2 cases are.
`{name:near}` asks whether a name was meant, and is nothing where there is none.
`{name:told}`, and any place called problem, is said in Chinese where it is a sentence that a library is known to say.
"""

from collections.abc import Mapping, Sequence
from string import Formatter
from typing import Literal, NamedTuple, get_args

from ragstone.core.translations import in_chinese
from ragstone.text.traditional import traditional

Lang = Literal["en", "zh-Hans", "zh-Hant"]
LANGS: tuple[Lang, ...] = get_args(Lang)

EXCERPT = 60
"""Longest piece of an answer that is put into a sentence."""

_JOINERS: dict[tuple[str, Lang], str] = {
    ("or", "en"): " or ",
    ("or", "zh-Hans"): "或",
    ("or", "zh-Hant"): "或",
    ("and", "en"): ", ",
    ("and", "zh-Hans"): "、",
    ("and", "zh-Hant"): "、",
}


_NEAR: dict[Lang, str] = {"en": " Did you mean '{}'?", "zh-Hans": "是否指 '{}'？", "zh-Hant": "是否指 '{}'？"}


class Text(NamedTuple):
    """One sentence or label in every language; Traditional is made from Simplified when left out."""

    en: str
    hans: str
    hant: str = ""

    def say(self, lang: Lang, params: Mapping[str, object] | None = None) -> str:
        """Return the text in a language, its places filled."""
        template = self.en if lang == "en" else self.hans
        if lang == "zh-Hant":
            template = self.hant or traditional(template)
        return fill(template, params, lang) if params else template


def fill(template: str, params: Mapping[str, object], lang: Lang = "en") -> str:
    """Fill the placeholders of a template.

    >>> fill("expected {docs:or}", {"docs": ["a.md", "b.md"]}, "zh-Hans")
    "expected 'a.md'或'b.md'"
    """
    parts, ended = list[str](), False
    for literal, name, spec, _ in _PARSE(template):
        # What a library says may end as a sentence does; ours goes on with the full stop it has of its own.
        parts.append(literal[1:] if ended and literal[:1] in _STOPS else literal)
        ended = False
        if name is not None:
            asked = spec or ("told" if name == "problem" else "")
            parts.append(_show(params.get(name, ""), asked, lang))
            ended = asked == "told" and parts[-1][-1:] in _ENDS
    return "".join(parts)


def _show(value: object, spec: str, lang: Lang) -> str:
    """Show one value the way its place asks for."""
    if spec in {"or", "and"}:
        items = value if isinstance(value, Sequence) and not isinstance(value, str) else [value]
        return _JOINERS[spec, lang].join(f"'{item}'" for item in items)
    if spec == "told" and lang != "en":
        return in_chinese(str(value), written=traditional if lang == "zh-Hant" else str)
    if spec == "near":
        return _NEAR[lang].format(value) if value else ""
    if "|" in spec:
        one, _, many = spec.partition("|")
        return f"{value} {one if str(value) == '1' else many}"
    if spec == "q":
        return f"'{excerpt(str(value))}'"
    if spec == "short":
        return excerpt(str(value))
    if spec == "pct" and isinstance(value, int | float):
        return f"{value:.1%}"
    return str(value)


def counted(n: int, noun: str) -> str:
    """Return a count in English.

    >>> counted(1, "case"), counted(2, "case")
    ('1 case', '2 cases')
    """
    return f"{n} {noun}" if n == 1 else f"{n} {noun}s"


def excerpt(text: str, limit: int = EXCERPT) -> str:
    """Return the beginning of a text on one line, cut with an ellipsis when it is long."""
    line = " ".join(text[: limit * 4].split())
    return line if len(line) <= limit else line[: limit - 1] + "…"


def pick_language(*wishes: str | None) -> Lang:
    """Return the first of several preferences that names a language; zh_TW.UTF-8 and the like are understood."""
    for wish in wishes:
        if not wish:
            continue
        tag = wish.replace("_", "-").split(".")[0].lower()
        if tag.startswith(("zh-hant", "zh-tw", "zh-hk", "zh-mo")):
            return "zh-Hant"
        if tag.startswith("zh"):
            return "zh-Hans"
        if tag.startswith("en"):
            return "en"
    return "en"


_STOPS = (".", "。")
_ENDS = (".", "?", "!", "。", "？", "！")
_PARSE = Formatter().parse
