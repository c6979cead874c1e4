"""What a case expects, and the same made ready for comparing, once."""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from ragstone.contracts.eval_json_v2.terms import KEYWORDS, LABELS, LISTS
from ragstone.core.types import JSON, Case
from ragstone.reading.citations.document_names import name_parts
from ragstone.text.similar import Prepared, prepare
from ragstone.text.tokens import keywords

_FIRST_HAN = "\u3005"
"""Keywords that begin below it are Latin or digits."""


class Keywords(NamedTuple):
    """The first keywords of the expected evidence, Han bigrams apart from Latin tokens."""

    han: tuple[str, ...]
    latin: tuple[str, ...]


class Reference(NamedTuple):
    """One expected source: a file, its page if any, and strings that stand there."""

    file: str
    page: int | None
    anchors: tuple[str, ...]


@dataclass(frozen=True)
class Expected:
    """ExpectedV2: the seven fields a perfect answer would have."""

    target_audience: str
    main_topic: str
    sub_topic: str
    detailed_description: tuple[str, ...]
    original_evidence: str
    predicted_questions: tuple[str, ...]
    source_map: tuple[dict[str, JSON], ...]

    @cached_property
    def labels(self) -> dict[str, Prepared]:
        """The three classification fields, ready for comparing."""
        return {name: prepare(getattr(self, name)) for name in LABELS}

    @cached_property
    def lists(self) -> dict[str, list[Prepared]]:
        """The two list fields, ready for comparing."""
        return {name: [prepare(item) for item in getattr(self, name)] for name in LISTS}

    @cached_property
    def keywords(self) -> Keywords:
        """The keywords of the evidence that are looked up (R4.2)."""
        first = keywords(self.original_evidence)[:KEYWORDS]
        return Keywords(
            tuple(word for word in first if word[0] >= _FIRST_HAN),
            tuple(word for word in first if word[0] < _FIRST_HAN),
        )

    @cached_property
    def references(self) -> tuple[Reference, ...]:
        """The sources the gold names, one after the other."""
        refs = [ref for entry in self.source_map for ref in entry["refs"]]
        return tuple(Reference(ref["file"], ref.get("page"), tuple(ref["anchors"])) for ref in refs)

    @cached_property
    def files(self) -> tuple[str, ...]:
        """The documents the gold names, each once."""
        named = {name_parts(reference.file): reference.file for reference in self.references if reference.file}
        return tuple(named.values())


@dataclass(frozen=True)
class Wanted:
    """The older form: strings that an answer should hold, scored by coverage."""

    must_include: tuple[str, ...]
    keywords: tuple[str, ...]

    @property
    def all(self) -> tuple[str, ...]:
        """Every string, once."""
        return tuple(dict.fromkeys((*self.must_include, *self.keywords)))


def gold_of(case: Case) -> Expected | Wanted:
    """Return the gold this contract put into a case."""
    assert isinstance(case.gold, Expected | Wanted)
    return case.gold
