"""promptfoo: the texts its assertions state, and the tests of its YAML as rows; what no row can say is named."""

import re
from collections.abc import Iterator, Mapping
from itertools import islice, product
from typing import TYPE_CHECKING, Literal, NamedTuple

from ragstone.core.types import JSON, Finding, Position

if TYPE_CHECKING:
    from ragstone.datasets.syntax.yaml_text import Marked, Steps

STATED = frozenset(
    ["equals", "contains", "icontains", "contains-all", "icontains-all", "contains-any", "icontains-any"]
)
"""Assertions whose value is a text the answer must hold."""
REFERENCE = frozenset(
    ["similar", "factuality", "levenshtein", "rouge-n", "bleu", "gleu", "meteor", "starts-with", "context-recall"]
)
"""Assertions whose value is the wanted answer, though promptfoo measures something else about it."""
OTHERS = frozenset(
    [
        "contains-json",
        "is-json",
        "regex",
        "llm-rubric",
        "model-graded-closedqa",
        "grade",
        "answer-relevance",
        "javascript",
        "fn",
        "eval",
        "python",
        "file",
        "cost",
        "latency",
    ]
)
"""Assertions that state no text."""
MOST_TESTS = 10_000
"""Tests that one test may expand to: every list among its variables multiplies them."""
EXPECTED = "__expected"
"""The column of promptfoo's CSV that holds an assertion."""
_NUMBERED = re.compile(rf"{EXPECTED}\d+")
_WRITTEN = re.compile(r"(?:not-)?([a-z][a-z-]*)(?:\([\d.]+\))?:(.*)", re.DOTALL)
"""An assertion as promptfoo writes it in a cell: `contains: 7 am`, `similar(0.8): …`."""
_VARIABLE = re.compile(r"\{\{\s*(\w+)\s*\}\}")
_TEMPLATE = re.compile(r"\{[{%#]")
_FILE = re.compile(r"(?:file|https?|huggingface)://|\.(?:txt|md|json|jsonl|ya?ml|csv|xlsx|py|m?js|ts|j2)(?::\w+)?$")
_GROUPS = ("type", "category", "difficulty", "tags")
_ELSEWHERE = ("scenarios", "assertScoringFunction", "threshold", "transform")
"""What changes the verdict on a test and has no counterpart here."""


def stated(assertion: Mapping[str, JSON]) -> list[JSON] | None:
    """Return the texts an assertion says the answer must hold; None where it says something else."""
    kind, value = assertion.get("type"), assertion.get("value")
    if kind not in STATED | REFERENCE or isinstance(value, dict) or value is None:
        return None
    if isinstance(value, str) and kind.endswith(("-all", "-any")):
        return [part.strip() for part in value.split(",") if part.strip()]
    values = value if isinstance(value, list) else [value]
    return [one if isinstance(one, str) else str(one).lower() if isinstance(one, bool) else str(one) for one in values]


def written(text: str) -> list[JSON]:
    """Read an assertion of a cell; what names none is the text itself."""
    found = _WRITTEN.fullmatch(text.strip())
    if not found or found[1] not in STATED | REFERENCE | OTHERS:
        return [text]
    kind = "not" if found[0].startswith("not-") else found[1]
    return stated({"type": kind, "value": found[2].strip()}) or []


def expected_cells(row: dict[str, JSON]) -> dict[str, JSON]:
    """Return a row of promptfoo's CSV with its numbered assertions in one cell: `__expected1`, `__expected2`, …"""
    names = [name for name in row if _NUMBERED.fullmatch(name)]
    if not names:
        return row
    rest = {name: value for name, value in row.items() if name not in names}
    return rest | {EXPECTED: [row[name] for name in names]}


def unread_cells(row: Mapping[str, JSON], position: Position) -> Iterator[Finding]:
    """Name the assertions of a CSV row that state no text."""
    cells = row.get(EXPECTED)
    for cell in cells if isinstance(cells, list) else [cells]:
        if isinstance(cell, str) and not written(cell):
            name = cell.partition(":")[0].strip()
            yield Finding(level="warning", code="promptfoo.left_out", position=position, params={"name": name})


def is_promptfoo(value: JSON) -> bool:
    """Return whether a document is a configuration with tests, or a list of tests."""
    if isinstance(value, list):
        return bool(value) and isinstance(value[0], dict) and "vars" in value[0]
    return (
        isinstance(value, dict)
        and "tests" in value
        and bool({"prompts", "providers", "targets", "defaultTest"} & value.keys())
    )


class OneTest(NamedTuple):
    """One test as a row, and where it stands."""

    position: Position
    value: dict[str, JSON]


def read_tests(document: "Marked", file: str) -> Iterator[OneTest | Finding]:
    """Stream the tests of a configuration, and a finding for everything in it that is not measured here."""
    return _Tests(document, file).read()


class _Tests:
    """Goes through a configuration; what all tests have in common is said once."""

    def __init__(self, document: "Marked", file: str) -> None:
        whole = document.value
        self._lines, self._file = document.lines, file
        self._config: dict[str, JSON] = {"tests": whole} if isinstance(whole, list) else whole
        self._root: Steps = () if isinstance(whole, list) else ("tests",)
        default = self._config.get("defaultTest")
        self._default: dict[str, JSON] = default if isinstance(default, dict) else {}
        self._prompt = _only_prompt(self._config.get("prompts"))
        self._told: set[tuple[str, Position]] = set()

    def read(self) -> Iterator[OneTest | Finding]:
        """Yield the tests first: a file is recognised by what comes first."""
        several, tests = False, self._config["tests"]
        for place, test in enumerate(tests if isinstance(tests, list) else [tests]):
            at = (*self._root, place) if isinstance(tests, list) else self._root
            for found in self._test(test, at):
                several |= isinstance(found, OneTest) and len(found.value["assert"]) > 1
                yield found
        if several:
            yield self._finding("note", "promptfoo.several", self._root)
        yield from self._beside()

    def _beside(self) -> Iterator[Finding]:
        """Return what stands beside the tests: a dataset has no providers, and one question a case."""
        config = self._config
        for name in ("providers", "targets"):
            if name in config:
                yield self._finding("note", "promptfoo.providers", (name,), name=name, system=_system(config[name]))
        if config.get("prompts") and not self._prompt:
            yield self._finding("note", "promptfoo.prompts", ("prompts",))
        if isinstance(config.get("defaultTest"), str):
            yield self._finding("error", "promptfoo.file", ("defaultTest",), target=config["defaultTest"])
        yield from (self._left_out(name, (name,)) for name in _ELSEWHERE if name in config)

    def _test(self, test: JSON, at: "Steps") -> Iterator[OneTest | Finding]:
        if not isinstance(test, dict):
            yield self._finding("error", "promptfoo.file", at, target=str(test))
            return
        own = self._vars(self._default) | self._vars(test)
        lists = {name: value if isinstance(value, list) else [value] for name, value in own.items()}
        for values in islice(product(*lists.values()), MOST_TESTS):
            yield OneTest(self._position(at), self._row(test, dict(zip(lists, values, strict=True))))
        for given, where in ((self._default, ("defaultTest",)), (test, at)):
            yield from self._unsaid(given, where)

    def _unsaid(self, test: Mapping[str, JSON], at: "Steps") -> Iterator[Finding]:
        """Name each assertion and setting that a row cannot hold, once for every place."""
        options = test.get("options")
        names = [name for name in _ELSEWHERE if name in test]
        names += ["options.transform"] if isinstance(options, dict) and "transform" in options else []
        unsaid = [self._left_out(name, (*at, *name.split("."))) for name in names]
        unsaid += [finding for found in self._assertions(test, at) if (finding := self._odd(*found))]
        unsaid += [
            self._finding("warning", "promptfoo.variable", (*at, "vars", name), name=name)
            for name, value in self._vars(test).items()
            if isinstance(value, str) and value.startswith("file://")
        ]
        for finding in unsaid:
            key = (f"{finding.code}{finding.params}", finding.position)
            if key not in self._told:
                self._told.add(key)
                yield finding

    def _odd(self, assertion: Mapping[str, JSON], at: "Steps") -> Finding | None:
        kind = str(assertion.get("type", assertion.get("$ref", "?")))
        if stated(assertion) is None or "transform" in assertion:
            return self._left_out(kind, at)
        return self._finding("note", "promptfoo.reference", at, name=kind) if kind in REFERENCE else None

    def _assertions(self, test: Mapping[str, JSON], at: "Steps") -> "Iterator[tuple[Mapping[str, JSON], Steps]]":
        """Yield the assertions of a test, those of a set that wants all of them among the others."""
        listed = test.get("assert")
        for place, one in enumerate(listed if isinstance(listed, list) else []):
            where = (*at, "assert", place)
            if isinstance(one, dict) and one.get("type") == "assert-set" and "threshold" not in one:
                yield from self._assertions(one, where)
            else:
                yield one if isinstance(one, dict) else {"type": str(one)}, where

    def _row(self, test: Mapping[str, JSON], variables: dict[str, JSON]) -> dict[str, JSON]:
        every = [*self._assertions(self._default, ()), *self._assertions(test, ())]
        texts = [text for one, _ in every if "transform" not in one for text in stated(one) or []]
        row: dict[str, JSON] = {"vars": variables, "assert": [_filled(str(text), variables) or text for text in texts]}
        if self._prompt and (question := _filled(self._prompt, variables)):
            row = {"question": question, **row}
        metadata = test.get("metadata")
        told = {name: metadata[name] for name in _GROUPS if name in metadata} if isinstance(metadata, dict) else {}
        return row | told | {name: test[name] for name in ("description", "metadata") if name in test}

    @staticmethod
    def _vars(test: Mapping[str, JSON]) -> dict[str, JSON]:
        found = test.get("vars")
        return found if isinstance(found, dict) else {}

    def _left_out(self, name: str, at: "Steps") -> Finding:
        return self._finding("warning", "promptfoo.left_out", at, name=name)

    def _finding(self, level: Literal["error", "warning", "note"], code: str, at: "Steps", **params: JSON) -> Finding:
        return Finding(level=level, code=code, position=self._position(at), params=params)

    def _position(self, at: "Steps") -> Position:
        if self._lines:
            return Position(self._file, self._lines.get(at))
        return Position(self._file, pointer="".join(f"/{step}" for step in at))


def _only_prompt(prompts: JSON) -> str:
    """Return the text of the only prompt, when it is written out: that is what is asked."""
    listed = prompts if isinstance(prompts, list) else [prompts]
    if len(listed) != 1:
        return ""
    only = listed[0].get("raw") if isinstance(listed[0], dict) else listed[0]
    if not isinstance(only, str) or _FILE.search(only.strip()) or only.lstrip().startswith(("[", '{"')):
        return ""
    return only


def _filled(template: str, variables: Mapping[str, JSON]) -> str:
    """Fill in a template's variables; nothing where one is unknown or more than a name is wanted."""
    if any(name not in variables for name in _VARIABLE.findall(template)):
        return ""
    if _TEMPLATE.search(_VARIABLE.sub("", template)):
        return ""
    return _VARIABLE.sub(lambda found: str(variables[found[1]]), template)


def _system(providers: JSON) -> str:
    """Name the system that asks what a provider asks."""
    listed = providers if isinstance(providers, list) else [providers]
    first = listed[0] if listed else ""
    name = str(first.get("id") or next(iter(first), "")) if isinstance(first, dict) else str(first)
    if name.startswith(("http://", "https://")):
        return f"http_json:{name}"
    return f"chat:{name.rpartition(':')[2]}" if ":" in name and "://" not in name else "chat:MODEL"
