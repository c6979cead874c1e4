"""Contract 1 as one object: what `ragstone.api` opens."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from ragstone.contracts.legal_rag import cases, check, decided, model, read, recognise, score
from ragstone.contracts.legal_rag.phrases import PHRASES
from ragstone.contracts.legal_rag.recognise import TYPES
from ragstone.contracts.legal_rag.sources.pages import Library
from ragstone.core.errors import SettingError
from ragstone.core.interfaces import Source
from ragstone.core.language import Text
from ragstone.core.types import (
    JSON,
    Answer,
    Case,
    Finding,
    MetricSpec,
    Question,
    Reading,
    Request,
    RuleVerdict,
    Scorecard,
)
from ragstone.datasets.glossary import glossary_of


def _flag(name: str, en: str, hans: str, *, headline: bool = False) -> MetricSpec:
    return MetricSpec(name=name, label=Text(en, hans), kind="flag", headline=headline)


def _ratio(name: str, en: str, hans: str, *, headline: bool = False) -> MetricSpec:
    return MetricSpec(name=name, label=Text(en, hans), kind="ratio", headline=headline)


METRICS = (
    _flag("exact_match", "exact match", "精确匹配", headline=True),
    _ratio("citation_correctness", "citation correctness", "引用正确率"),
    _ratio("evidence_recall", "evidence recall", "证据召回率", headline=True),
    _ratio("evidence_precision", "evidence precision", "证据精确率"),
    _flag("citation_provided", "citation provided", "提供引用"),
    _ratio("key_point_recall", "key point recall", "关键点召回率"),
    _flag("correct_abstention", "correct abstention", "正确拒答", headline=True),
    _flag("no_hallucination", "no hallucination", "无幻觉", headline=True),
    _flag("quote_included", "quote included", "引用原话"),
    _flag("amount_total", "total amount", "总金额"),
    _flag("amount_breakdown", "breakdown", "金额明细"),
    _flag("date", "date", "日期"),
    _flag("date_range", "date range", "日期范围"),
    _flag("count", "count", "数量"),
    _flag("text_answer", "text answer", "文本答案"),
    _flag("boolean_answer", "yes or no", "是否答案"),
    _flag("entity", "entity", "实体"),
    _flag("answered", "coverage", "作答率"),
    MetricSpec(name="over_refusal", label=Text("over-refusal", "过度拒答"), kind="flag", better="lower"),
    MetricSpec(name="unsupported_answer", label=Text("unsupported answer", "无依据作答"), kind="flag", better="lower"),
)

SCORER_VERSION = "1.12.0"
WEIGH = "weigh_hallucination_penalty"
"""Option: an answer that invents keeps only a part of its score, by the question's hallucination_penalty."""


class LegalRag:
    """Exact facts on their page, complete evidence, and no answer where the source has none."""

    name = task_name = "legal_rag"
    options = recognise.options
    tables: Mapping[str, Text] = {"abstention": Text("answering and declining", "作答与拒答")}
    prompt_version: str | None = None
    metrics: Sequence[MetricSpec] = METRICS
    phrases: Mapping[str, Text] = PHRASES
    judged: Sequence[str] = decided.JUDGED
    question_kinds: Sequence[str] = decided.KINDS
    judged_kinds: Mapping[str, Sequence[str]] = decided.KINDS_OF

    def __init__(self, source: Source) -> None:
        self._source = source
        self._type = source.options.get("type")
        if self._type is not None and self._type not in TYPES:
            raise SettingError("option.choice", name="type", value=str(self._type), allowed=list(TYPES))
        self._weigh = source.options.get(WEIGH) in (True, "true", "1", "yes")
        self._glossary = glossary_of(source.options)
        self._lexicon = self._glossary.lexicon()
        self.scorer_version = SCORER_VERSION + ("+penalty" if self._weigh else "") + self._glossary.mark
        self._library = Library(source.documents or _beside(source.path))

    @staticmethod
    def recognises(source: Source) -> bool:
        """Return whether a dataset looks like one of this contract's."""
        return recognise.recognises(source)

    def terms(self) -> Mapping[str, JSON]:
        """Say the formulas and what a pass is."""
        return {
            "fact_exact": {"exact_match": 0.7, "citation_correctness": 0.3},
            "evidence_set": {"recall": 0.5, "precision": 0.3, "citation_provided": 0.2},
            "conflict_gap": {"correct_abstention": 0.4, "no_hallucination": 0.4, "quote_included": 0.2},
            "passing_threshold": cases.PASSING,
            WEIGH: self._weigh,
            "documents_at_hand": self._library.folder is not None,
            **self._glossary.terms(),
        }

    def load(self) -> Iterator[Case | Finding]:
        """Stream the cases, all or those of the one type that was asked for."""
        found = cases.load(self._source.path)
        return found if self._type is None else (one for one in found if self._is_wanted(one))

    def _is_wanted(self, one: Case | Finding) -> bool:
        return isinstance(one, Finding) or one.groups["type"] == (self._type,)

    def check(self, case: Case) -> Iterator[Finding]:
        """Prove every quote to be on its page, and find thresholds that mean nothing."""
        yield from check.check(case, self._library)
        best = self.score(case, self.read(case, self.model_answer(case)))
        yield from check.imperfect(case, best)

    def request(self, case: Case) -> Request:
        """Ask the question."""
        return Request(id=case.id, question=case.question)

    def read(self, case: Case, answer: Answer) -> Reading:
        """Read fields, citations and evidence out of an answer."""
        return read.read(case, answer)

    def score(self, case: Case, reading: Reading) -> Scorecard:
        """Judge by the formula of the question's type."""
        return score.score(case, reading, self._library, weigh_penalty=self._weigh, lexicon=self._lexicon)

    def asked(self, case: Case, reading: Reading, card: Scorecard) -> Sequence[tuple[Question, RuleVerdict]]:
        """Ask what the rules may have left open: a fact, a key point, whether the answer declines."""
        return decided.asked(case, reading, card)

    def decide(
        self, case: Case, reading: Reading, card: Scorecard, verdicts: Sequence[RuleVerdict]
    ) -> dict[str, float | None]:
        """Return the figures of the question's type by verdicts."""
        return decided.decide(case, verdicts)

    def model_answer(self, case: Case) -> Answer:
        """Give every expected value, quote and citation."""
        return model.model_answer(case)


def _beside(path: Path) -> Path | None:
    """Find the `documents` folder that belongs to a dataset: in it, or beside its `questions` folder."""
    for folder in (path, path.parent, path.parent.parent):
        found = folder / "documents"
        if found.is_dir() and (folder == path or (folder / "questions").is_dir()):
            return found
    return None
