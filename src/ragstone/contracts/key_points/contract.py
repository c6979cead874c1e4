"""Contract 2 as one object: what `ragstone.api` opens."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from ragstone.contracts.key_points import cases, faithful, read, recognise, request, score
from ragstone.contracts.key_points.phrases import PHRASES
from ragstone.core.interfaces import Source
from ragstone.core.language import Text
from ragstone.core.types import (
    JSON,
    Answer,
    Case,
    Citation,
    Finding,
    MetricSpec,
    Question,
    Reading,
    Request,
    RuleVerdict,
    Scorecard,
)
from ragstone.datasets.columns import read_map
from ragstone.datasets.glossary import glossary_of
from ragstone.documents import find_files
from ragstone.reading.citations.document_names import Documents

METRICS = (
    MetricSpec(name="accuracy", label=Text("accuracy", "准确率"), kind="flag", headline=True),
    MetricSpec(name="citation", label=Text("citation rate", "引用率"), kind="flag", headline=True),
    MetricSpec(name="key_point_recall", label=Text("key point recall", "关键点召回率"), kind="ratio"),
    MetricSpec(name="retrieval_hit", label=Text("retrieval hit", "检索命中率"), kind="flag"),
    MetricSpec(name="reciprocal_rank", label=Text("reciprocal rank", "倒数排名"), kind="ratio"),
)

FAITHFULNESS = MetricSpec(name="faithfulness", label=Text("faithfulness", "忠实度"), kind="ratio")
"""Measured with the option of this name only: a reader of long sources takes its time."""
SCORER_VERSION = "1.12.0"


class KeyPoints:
    """At least one key point stated, at least one right document named."""

    name = task_name = "key_points"
    by_rows = True
    options = recognise.options
    prompt_version: str | None = None
    metrics: Sequence[MetricSpec] = METRICS
    phrases: Mapping[str, Text] = PHRASES
    judged: Sequence[str] = ("accuracy", "key_point_recall")
    question_kinds: Sequence[str] = ("states",)
    judged_kinds: Mapping[str, Sequence[str]] = dict.fromkeys(judged, question_kinds)
    """Judged metric to the kinds of question its verdicts are on."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._glossary = glossary_of(source.options)
        self._lexicon = self._glossary.lexicon()
        self._faithful = source.options.get("faithfulness") in (True, "true", "1", "yes")
        self.scorer_version = SCORER_VERSION + ("+faithfulness3" if self._faithful else "") + self._glossary.mark
        if self._faithful:
            self.metrics = (*METRICS, FAITHFULNESS)
            self.judged = (*KeyPoints.judged, FAITHFULNESS.name)
            self.question_kinds = (*KeyPoints.question_kinds, "supported")
            self.judged_kinds = {**KeyPoints.judged_kinds, FAITHFULNESS.name: ("supported",)}

    @staticmethod
    def recognises(source: Source) -> bool:
        """Say whether a dataset looks like one of this contract's."""
        return recognise.recognises(source)

    def terms(self) -> Mapping[str, JSON]:
        """Say what a pass is."""
        more = {"faithfulness": "retrieved contexts, else documents"} if self._faithful else {}
        return {"pass": "accuracy = 1 and citation = 1 (or no doc_hint)", **more, **self._glossary.terms()}

    def load(self) -> Iterator[Case | Finding]:
        """Stream the cases."""
        return cases.load(self._source.path, read_map(self._source.options.get("map") or {}))

    @cached_property
    def _documents(self) -> Documents:
        folder = self._source.documents
        return Documents(name for _, name in find_files(folder)) if folder else Documents(())

    @cached_property
    def _sources(self) -> faithful.Sources:
        return faithful.Sources(self._source.documents)

    def check(self, case: Case) -> Iterator[Finding]:
        """Find misspelt fields, documents that are hinted at but not there, and cases that ask for no citation."""
        gold = cases.gold_of(case)
        yield from cases.slips_of(case)
        if not gold.documents:
            yield Finding(level="warning", code="key_points.no_hint", position=case.position, case_id=case.id)
        if self._source.documents:
            for name in gold.documents:
                if self._documents.find(name) is None:
                    params = {"document": name, "folder": str(self._source.documents)}
                    yield Finding(
                        level="warning",
                        code="check.document_missing",
                        position=case.position,
                        case_id=case.id,
                        params=params,
                    )

    def request(self, case: Case) -> Request:
        """Ask the question."""
        return request.request(case)

    def read(self, case: Case, answer: Answer) -> Reading:
        """Find the documents an answer names."""
        return read.read(case, answer)

    def score(self, case: Case, reading: Reading) -> Scorecard:
        """Judge accuracy and citation."""
        card = score.score(case, reading, self._lexicon)
        if not self._faithful:
            return card
        source = self._sources.of(case, reading)
        found = faithful.claims(source, reading.text, self._lexicon)
        return score.with_claims(card, found, lacking=bool(reading.text.strip()) and not source.strip())

    def asked(self, case: Case, reading: Reading, card: Scorecard) -> Sequence[tuple[Question, RuleVerdict]]:
        """Ask of each key point whether the answer states it."""
        found = card.details.get("claims", ())
        claims = faithful.asked(self._sources.of(case, reading), reading.text, found) if found else []
        return [*score.asked(case, reading, card), *claims]

    def decide(
        self, case: Case, reading: Reading, card: Scorecard, verdicts: Sequence[RuleVerdict]
    ) -> dict[str, float | None]:
        """Return accuracy and recall by verdicts on the key points, and faithfulness by those on the sentences."""
        points = len(cases.gold_of(case).points)
        more = {FAITHFULNESS.name: faithful.share(verdicts[points:])} if self._faithful else {}
        return {**score.figures(verdicts[:points]), **more}

    def model_answer(self, case: Case) -> Answer:
        """State every key point and name every document."""
        gold = cases.gold_of(case)
        text = "\n".join(f"- {point}" for point in gold.points)
        return Answer(text=text, citations=tuple(Citation(file=name) for name in gold.documents))
