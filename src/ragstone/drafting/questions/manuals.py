"""Questions from manual pages (`man ls`, saved as text): what a command is for, and what its options do."""

import re
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from ragstone.drafting.corpus import Manual, Paper
from ragstone.drafting.questions.lists import Asked
from ragstone.drafting.questions.parts import POINTERS
from ragstone.text.late import late

PURPOSE = "NAME"
"""The section of a manual page that says what it is about."""
_OPTION = late(
    r"^ {2,16}(?P<flags>-{1,2}[A-Za-z0-9][\w-]*(?:\[?=?\S+)?(?: [A-Z<]\S*)?(?:, *-{1,2}[A-Za-z0-9][\w-]*(?:\[?=\S+)?)*)"
    r"(?: {2,}(?P<said>\S.*))?$"
)
_FLAG = late(r"(?<![\w-])-{1,2}[A-Za-z0-9][A-Za-z0-9-]*")
_UNASKED = frozenset(("SYNOPSIS", "EXAMPLES", "EXAMPLE", "SEE ALSO", "COPYRIGHT", "USAGE"))
_SELF_TOLD = frozenset(("help", "version", "h", "V", "v", "verbose", "quiet", "q"))
"""Options that say themselves what they do."""
_FIRST = late(r"(?P<said>[A-Z][^.:;()]{14,100}?)(?:\. |\.?$)")
_DOES = late(
    r"(?:Add|Allow|Append|Ask|Avoid|Build|Change|Check|Clear|Compare|Compress|Convert|Copy|Count|Create|Decode|Delete|"
    r"Disable|Display|Do not|Don't|Dump|Enable|Encode|Exclude|Execute|Exit|Export|Extract|Filter|Follow|Force|Format|"
    r"Generate|Hide|Ignore|Import|Include|Install|Keep|Limit|List|Load|Lock|Make|Match|Merge|Omit|Open|Output|"
    r"Overwrite|Parse|Perform|Preserve|Prevent|Print|Produce|Prompt|Read|Recurse|Remove|Replace|Report|Reset|Restrict|"
    r"Return|Reverse|Run|Save|Search|Select|Send|Set|Show|Skip|Sort|Split|Start|Stop|Store|Strip|Suppress|Treat|"
    r"Turn o(?:n|ff)|Unlock|Update|Use|Verify|Wait|Write)(?:e?s)? (?!of |the behaviou?r )"
)
"""How a line begins that tells what an option does."""
_ALSO_DOES = late(
    r"(?:Analy[sz]e|Annotate|Apply|Archive|Assemble|Attach|Bind|Browse|Call|Clean|Collect|Combine|Compile|Compute|"
    r"Concatenate|Configure|Connect|Control|Cut|Debug|Determine|Download|Emit|Encrypt|Examine|Expand|Fetch|Find|Get|"
    r"Grant|Help|Initiali[sz]e|Inspect|Invoke|Join|Kill|Link|Log|Look|Maintain|Manage|Manipulate|Modify|Monitor|Mount|"
    r"Move|Obtain|Override|Paginate|Patch|Play|Prepare|Print|Profile|Provide|Push|Query|Re\w+|Scan|Serve|Sign|Summari[sz]e|"
    r"Switch|Synchroni[sz]e|Test|Trace|Transform|Translate|Unmount|Unpack|Upload|Validate|View|Watch)(?:e?s)? "
)
"""How a line begins that tells what a command does."""
_BACK = late(
    rf"\b(?:{POINTERS}|above|below|see|same|also|such|above-mentioned|you|your|default|like|instead|only|too|"
    r"following|either|other|given|specified|option|options|here)\b|[<>{}\[\]=\"`‘’\u2010]|-$",
    re.IGNORECASE,
)
"""What an answer that stands alone does not hold."""
_ENDS_OPEN = late(
    r"\b(?:the|an?|of|to|in|on|at|for|and|or|with|by|from|as|be|is|are|that|when|if|than)$", re.IGNORECASE
)


class _Line(NamedTuple):
    """A line of a page and where it begins."""

    text: str
    page: int
    start: int

    @property
    def indent(self) -> int:
        return len(self.text) - len(self.text.lstrip())


class _Told(NamedTuple):
    """An option, where its line begins, and the line that tells what it does."""

    flag: str
    start: int
    line: _Line


def ask_manual(paper: Paper) -> Iterator[Asked]:
    """Ask what the command of a manual page is for, and what each of its options does."""
    if paper.manual is not None:
        yield from _purpose(paper, paper.manual)
        yield from _options(paper, paper.manual.name)


def _purpose(paper: Paper, manual: Manual) -> Iterator[Asked]:
    name, about, page = manual.name, manual.about, paper.pages[0]
    initials = "".join(word[0] for word in about.split()).lower()
    if initials == name.lower() or _tells_itself(name, about) or not _stands(about):
        return
    if page.text[manual.end :].partition("\n")[2].partition("\n")[0].strip():
        return
    command = _does(about) and re.search(rf"\nSYNOPSIS\n\s+{_spoken(name)}[ \n\[]", page.text)
    asks = f"What is the command “{name}” for?" if command else f"How does its manual page sum up “{name}”?"
    point = (about, page.number, manual.start, manual.end)
    yield Asked(asks, (point,), "definition", PURPOSE, {"text_answer": about}, name)


def _spoken(name: str) -> str:
    """A command as its synopsis writes it: git-commit, or git commit."""
    return re.escape(name).replace(r"\-", "[- ]")


def _options(paper: Paper, name: str) -> Iterator[Asked]:
    found = list(_told(list(_lines(paper))))
    times = Counter(one.flag for one in found)
    named = frozenset(_FLAG.findall("\n".join(page.text for page in paper.pages)))
    for one in found:
        said = _FIRST.match(one.line.text.strip())
        opposite = one.flag.startswith("--no-") and f"--{one.flag.removeprefix('--no-')}" in named
        if said is None or times[one.flag] > 1 or opposite or not _is_worth_asking(one.flag, said["said"]):
            continue
        end = one.line.start + one.line.indent + said.end("said")
        point = (said["said"], one.line.page, one.start, end)
        question = f"What does the option “{one.flag}” of the command “{name}” do?"
        yield Asked(question, (point,), "option", "OPTIONS", {"text_answer": said["said"]}, name)


def _is_worth_asking(flag: str, said: str) -> bool:
    verb, _, rest = said.partition(" ")
    told = flag.lstrip("-") in _SELF_TOLD or _tells_itself(flag, rest)
    return bool(verb and _DOES.match(said)) and _stands(said) and not told


def _stands(said: str) -> bool:
    """Say whether a line is told whole, and without what stands around it."""
    return not _BACK.search(said) and not _ENDS_OPEN.search(said)


def _tells_itself(name: str, said: str) -> bool:
    """Say whether an answer holds little but what the name says: --program-headers, the program headers."""
    told = [word for word in re.findall("[a-z]{3,}", said.lower()) if word not in _SMALL]
    return sum(word.rstrip("s") in name.lower() for word in told) >= _MOSTLY * len(told)


_SMALL = frozenset(("the", "and", "all", "for", "with", "from", "any", "not"))
_MOSTLY = 0.6


def _does(about: str) -> bool:
    """Say whether a line tells what something does, not what it is."""
    said = about[0].upper() + about[1:].replace(",", " ", 1)
    return bool(_DOES.match(said) or _ALSO_DOES.match(said))


def _told(lines: list[_Line]) -> Iterator[_Told]:
    """The options of a page, each with the line that tells what it does, where that is told within the line."""
    for at, line in enumerate(lines):
        option = _OPTION.match(line.text)
        if option is None:
            continue
        if option["said"]:
            after, here = at + 1, _Line(option["said"], line.page, line.start + option.start("said"))
        else:
            after = at + 2 if lines[at + 1 : at + 2] and lines[at + 1].text.strip() else at + 3
            here = lines[min(after, len(lines)) - 1]
            if here.indent <= line.indent or _OPTION.match(here.text):
                continue
        follows = lines[after].text if after < len(lines) else ""
        if _ENDED.search(here.text) or not follows.strip() or _OPTION.match(follows):
            yield _Told(max(_FLAG.findall(option["flags"]), key=len), line.start + line.indent, here)


_ENDED = late(r"\. |\.$")


def _lines(paper: Paper) -> Iterator[_Line]:
    """The lines of the sections that tell about options."""
    section = ""
    for page in paper.pages:
        here = 0
        for line in page.text.splitlines(keepends=True):
            section = line.strip() if _SECTION.match(line) else section
            if section not in _UNASKED:
                yield _Line(line.rstrip(), page.number, here)
            here += len(line)


_SECTION = late(r"[A-Z][A-Z ]+$")
