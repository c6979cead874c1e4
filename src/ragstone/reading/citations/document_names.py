"""Tells whether two names mean the same document; knows no answer and no score."""

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple
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
_PLAIN = late(r"[A-Za-z0-9_](?:[A-Za-z0-9_.\-]*[A-Za-z0-9_])?")
"""A name that is one part, with nothing to undo."""
_SEPARATOR = late(r"[/\\]+")
_SAME_ENDINGS = {"markdown": "md", "htm": "html", "yml": "yaml"}
_LONGEST_KEPT = 500
_WRAPPING = " \t\r\n*`'\"“”‘’,;:.。，；：、"
_PAIRS = dict(zip("《〈「『【[(<（", "》〉」』】])>）", strict=True))
_CLOSERS = {closer: opener for opener, closer in _PAIRS.items()}


class DocumentName(NamedTuple):
    """A name taken apart, folded for comparing; what a name does not say is empty."""

    folders: tuple[str, ...]
    stem: str
    ending: str


def same_document(first: str, second: str) -> bool:
    """Tell whether two names mean one document: `docs/FAQ.md`, `faq`, `[x](faq.md#a)` do, `my_faq` does not.

    What only one of them says, a folder or an ending, is no difference; `b/faq.md` and `faq.pdf` are not `a/faq.md`.
    """
    one, other = name_parts(first), name_parts(second)
    if not one.stem or one.stem != other.stem or (one.ending and other.ending and one.ending != other.ending):
        return False
    shared = min(len(one.folders), len(other.folders))
    return not shared or one.folders[-shared:] == other.folders[-shared:]


class Documents:
    """Some documents, each found by any of its names."""

    def __init__(self, names: Iterable[str]) -> None:
        self._names: dict[str, list[str]] = {}
        for name in names:
            self._names.setdefault(document_key(name), []).append(name)

    def find(self, name: str) -> str | None:
        """Return the first of the documents that a name means."""
        return next((one for one in self._names.get(document_key(name), ()) if same_document(one, name)), None)


def document_key(name: str) -> str:
    """Return the bare, folded stem of a name, which all names of one document share; "" when nothing is named."""
    return name_parts(name).stem


def name_parts(name: str) -> DocumentName:
    """Take a name apart."""
    # A name that long is kept nowhere: the memory of names would be filled by one answer.
    return _parts(name) if len(name) <= _LONGEST_KEPT else _parts.__wrapped__(name)


@lru_cache(maxsize=8192)
def _parts(name: str) -> DocumentName:
    path = [" ".join(fold(part).split()) for part in _path(name)]
    if not path:
        return DocumentName((), "", "")
    ending = _EXTENSION.search(path[-1])
    stem = path[-1][: ending.start()].strip() if ending else path[-1]
    folders = tuple(part for part in path[:-1] if part not in {".", "..", "~", ""})
    if not stem:
        return DocumentName(folders, path[-1], "")
    written = ending[0][1:] if ending else ""
    return DocumentName(folders, stem, _SAME_ENDINGS.get(written, written))


def plain_name(name: str) -> str:
    """Return the last part of a path, link or URL, with its markdown and URL escapes undone."""
    return (_path(name) or [""])[-1]


def web_path(address: str) -> str:
    """Return the path of a URL, or its host when there is nothing else."""
    return "/".join(_path(address))


def _path(name: str) -> list[str]:
    """Cut a path, link or URL into its parts, escapes undone; the host of a URL is left out when a path follows."""
    if _PLAIN.fullmatch(name):
        return [name]
    path = _bare(_ESCAPE.sub(r"\1", unlinked(name)))
    if "%" in path:
        path = unquote(path)
    path = _without_fragment(path)
    scheme, mark, rest = path.partition("://")
    parts = [part for part in map(_bare, _SEPARATOR.split(rest if mark and scheme.isalpha() else path)) if part]
    return parts[1:] if mark and scheme.isalpha() and len(parts) > 1 else parts


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
