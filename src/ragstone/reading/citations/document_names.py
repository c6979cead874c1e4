"""Tells whether two names mean the same document; knows no answer and no score."""

from functools import lru_cache
from urllib.parse import unquote

from ragstone.text.fold import fold
from ragstone.text.late import late

EXTENSIONS = (
    "markdown|mdx|md|txt|rst|adoc|pdf|docx|doc|odt|rtf|wps|xhtml|html|htm|xml|jsonl|json|yaml|yml|csv|tsv"
    "|xlsx|xls|ods|pptx|ppt|odp|epub|tex|ipynb|eml"
)
"""Endings that make a word a file name, for use inside a regular expression."""

_EXTENSION = late(rf"\.(?:{EXTENSIONS})$")
_ESCAPE = late(r"\\([^\w\s\\/]|_)")
_SEPARATOR = late(r"[/\\]+")
_WRAPPING = " \t\r\n*`'\"“”‘’,;:.。，；：、"
_PAIRS = dict(zip("《〈「『【[(<（", "》〉」』】])>）", strict=True))
_CLOSERS = {closer: opener for opener, closer in _PAIRS.items()}


def same_document(first: str, second: str) -> bool:
    """Tell whether two names mean one document: `docs/FAQ.md`, `faq`, `[x](faq.md#a)` do, `my_faq` does not."""
    key = document_key(first)
    return key != "" and key == document_key(second)


@lru_cache(maxsize=8192)
def document_key(name: str) -> str:
    """Return the form in which all names of one document are equal: its bare, folded stem; "" when nothing is named.

    The folder and the ending are left out: a name, a path and a copy converted to another format are one document.
    """
    path = fold(plain_name(name))
    stem = _EXTENSION.sub("", path)
    return " ".join((stem or path).split())


def plain_name(name: str) -> str:
    """Return the last part of a path, link or URL, with its markdown and URL escapes undone."""
    path = _bare(_ESCAPE.sub(r"\1", unlinked(name)))
    if "%" in path:
        path = unquote(path)
    path = _without_fragment(path)
    parts = [part for part in map(_bare, _SEPARATOR.split(path)) if part]
    return parts[-1] if parts else ""


def _bare(part: str) -> str:
    """Take off quotes, marks and brackets round a name; brackets that belong to it, as in report_(final), stay."""
    part = part.strip(_WRAPPING)
    while part:
        opens, closes = _PAIRS.get(part[0]), _CLOSERS.get(part[-1])
        if opens and (opens == part[-1] or opens not in part):
            part = part[1:].strip(_WRAPPING)
        elif closes and closes not in part:
            part = part[:-1].strip(_WRAPPING)
        else:
            break
    return part


def _without_fragment(path: str) -> str:
    head = path.partition("#")[0].partition("?")[0]
    return head if _bare(head) else path


def unlinked(name: str) -> str:
    r"""Return the document a markdown link means; `orchid\[_faq.md](_faq.md)` is a mangled `orchid_faq.md`."""
    middle = name.find("](")
    opening = name.rfind("[", 0, middle) if middle > 0 else -1
    if opening < 0:
        return name
    target = name[middle + 2 :].partition(")")[0].partition(" ")[0]
    label = name[opening + 1 : middle].rstrip("\\")
    return link_document(name[:opening], label, target)


def link_document(front: str, label: str, target: str) -> str:
    """Choose the document a link means from what is glued to its front, its label and its target."""
    glued = front.rstrip("\\")
    if glued and (front != glued or label.startswith(("_", "-", "."))) and not glued[-1].isspace():
        return glued + label
    if not target.strip() or target.startswith("#"):
        return label
    return target
