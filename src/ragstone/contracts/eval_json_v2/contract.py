"""Contract 4 as one object: what `ragstone.api` opens."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Literal

from msgspec import structs

from ragstone.contracts.eval_json_v2 import phrases, recognise, request, terms
from ragstone.contracts.eval_json_v2.cases import QuestionSet
from ragstone.contracts.eval_json_v2.check import Library, check_case
from ragstone.contracts.eval_json_v2.gold import gold_of
from ragstone.contracts.eval_json_v2.model import model_answer
from ragstone.contracts.eval_json_v2.read import REPAIRED, read_answer
from ragstone.contracts.eval_json_v2.score import score_reading
from ragstone.core.errors import SettingError
from ragstone.core.interfaces import Source
from ragstone.core.language import Text
from ragstone.core.types import JSON, Answer, Case, Finding, MetricSpec, Reading, Reason, Request, Scorecard

Repair = Literal["off", "beside", "count"]
_REPAIR: Mapping[str, Repair] = {
    "": "off",
    "off": "off",
    "false": "off",
    "none": "off",
    "beside": "beside",
    "true": "beside",
    "on": "beside",
    "count": "count",
}


class EvalJsonV2:
    """Seven fields in one JSON object, scored from 0 to 100.

    Options: `repair` (off; beside: the repaired score is shown next to the raw one, which counts; count: the repaired
    one counts, and scorer_version says so), `prompt` (path of another prompt, with a version of its own).
    """

    name = task_name = "eval_json_v2"
    options = recognise.options
    wants_json = True
    """A system that only quotes documents can answer nothing here."""
    gate_rules = tuple(f"{figure} >= {limit:g}" for figure, limit in terms.GATE.items())
    """What section 5 of the document demands of the gate set."""
    phrases: Mapping[str, Text] = phrases.PHRASES

    def __init__(self, source: Source) -> None:
        self._source = source
        self._set = QuestionSet(source.path)
        self.by_rows = self._set.by_rows
        self._repair = _repair_mode(source.options.get("repair"))
        path = source.options.get("prompt")
        self._prompt = request.load_prompt(Path(str(path)) if path else None)
        self.prompt_version: str | None = self._prompt.version
        self.metrics = _metrics(self._set.overview.forms, self._repair)
        self.scorer_version = terms.SCORER_VERSION + ("+repair" if self._repair == "count" else "")

    @staticmethod
    def recognises(source: Source) -> bool:
        """Return whether a dataset looks like one of this contract's."""
        return recognise.recognises(source)

    def terms(self) -> Mapping[str, JSON]:
        """Return what a score depends on: weights, thresholds, limits, prompt."""
        prompt = {"prompt_version": self._prompt.version, "prompt_sha256": self._prompt.sha256}
        return terms.terms() | prompt | {"repair": self._repair}

    def load(self) -> Iterator[Case | Finding]:
        """Stream the cases."""
        return self._set.load()

    @cached_property
    def _library(self) -> Library | None:
        return Library(self._source.documents) if self._source.documents else None

    def check(self, case: Case) -> Iterator[Finding]:
        """Find empty golds, scores out of reach, and anchors that are not in the documents."""
        return check_case(case, self._library)

    def request(self, case: Case) -> Request:
        """Render the fixed prompt, its slot for contexts left open."""
        overview = self._set.overview
        return request.render(self._prompt, case, overview.audiences, overview.topics)

    def read(self, case: Case, answer: Answer) -> Reading:
        """Read the seven fields."""
        return read_answer(answer, repair=self._repair != "off")

    def score(self, case: Case, reading: Reading) -> Scorecard:
        """Score a reading; where repair is on, raw and repaired stand side by side."""
        card = score_reading(gold_of(case), reading)
        return card if self._repair == "off" else self._side_by_side(case, reading, card)

    def model_answer(self, case: Case) -> Answer:
        """Give a perfect answer, with contexts that ground it."""
        return model_answer(gold_of(case))

    def _side_by_side(self, case: Case, reading: Reading, card: Scorecard) -> Scorecard:
        if REPAIRED not in reading.tags:
            both = {"raw_score": 100 * card.primary_score, "repaired_score": 100 * card.primary_score}
            return structs.replace(card, sub_scores=card.sub_scores | both)
        problem = next(tag for tag in reading.tags if tag.startswith("raw:")).removeprefix("raw:")
        raw = score_reading(gold_of(case), structs.replace(reading, rung="failed", problem=problem, fields={}))
        both = {"raw_score": 100 * raw.primary_score, "repaired_score": 100 * card.primary_score}
        said = Reason("schema_ok", "repaired", {"raw": 0.0, "repaired": round(100 * card.primary_score, 2)})
        counted = card if self._repair == "count" else raw
        return structs.replace(
            counted,
            sub_scores=counted.sub_scores | both,
            reasons=(*counted.reasons, said),
            details=counted.details | {"raw": raw.sub_scores, "repaired": card.sub_scores},
        )


def _metrics(forms: frozenset[str], repair: Repair) -> Sequence[MetricSpec]:
    """Declare the seven sub-scores, or coverage for the older form; both for a file that mixes them."""
    beside = phrases.BESIDE if repair != "off" else ()
    older = (phrases.COVERAGE,) if "older" in forms else ()
    seven = phrases.SEVEN if forms != {"older"} else ()
    return (phrases.SCORE, phrases.SCHEMA_OK, *seven, *older, *beside, *(phrases.RETRIEVAL if seven else ()))


def _repair_mode(option: JSON) -> Repair:
    mode = _REPAIR.get(str(option).lower() if option is not None else "")
    if mode is None:
        raise SettingError("plain", text=f"repair is {option!r}; allowed: off, beside, count")
    return mode
