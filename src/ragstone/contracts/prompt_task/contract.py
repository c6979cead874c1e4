"""Contract 3 as one object: what `ragstone.api` opens."""

from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256

import msgspec

from ragstone.contracts.prompt_task import recognise
from ragstone.contracts.prompt_task.cases import Reader, row_of
from ragstone.contracts.prompt_task.check import Checker
from ragstone.contracts.prompt_task.measures.judged import asked, rubrics
from ragstone.contracts.prompt_task.measures.profiles import PASS_AT, compile_task
from ragstone.contracts.prompt_task.measures.reasoning import Own
from ragstone.contracts.prompt_task.model import model_answer
from ragstone.contracts.prompt_task.phrases import PHRASES
from ragstone.contracts.prompt_task.prompts import Prompt, fields_of
from ragstone.contracts.prompt_task.read import AnswerReader
from ragstone.contracts.prompt_task.request import request
from ragstone.contracts.prompt_task.score import Judge
from ragstone.contracts.prompt_task.taskfile import Task, known, load_prompt, load_task
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
from ragstone.reading.json.fields import Schema

SCORER_VERSION = "1.3.0"
_SCORING = ("answer_type", "answer", "field_mapping", "parse_schema", "metrics", "pass_at")
_REPAIR = {"": False, "off": False, "false": False, "none": False, "count": True, "true": True, "on": True}


class PromptTask:
    """Any rows, a prompt, several models, one comparable table.

    Options: `task` (name or path; needed), `prompt` (another prompt for the same task), `params` (over default_params),
    `repair` (off; count: broken JSON is repaired; scorer_version and the row say so), `given` (fields that come from
    an earlier step and not from the rows).
    """

    name = "prompt_task"
    by_rows = True
    options = recognise.options
    question_kinds: Sequence[str] = ("meets",)
    phrases: Mapping[str, Text] = PHRASES

    def __init__(self, source: Source) -> None:
        self._options = _options(source)
        loaded = load_task(str(self._options["task"]))
        self.task: Task = loaded.model
        self.task_name = self.task.name
        """What the rows of a run are filed under."""
        self.task_sha256 = loaded.sha256
        self.prompt = Prompt(load_prompt(str(self._options.get("prompt") or self.task.prompt_template), loaded.path))
        self.prompt_version: str | None = self.prompt.version
        made = compile_task(self.task, str(loaded.path))
        self._measures, self._rules, self._plain = made
        self.metrics: Sequence[MetricSpec] = tuple(figure for measure in made.measures for figure in measure.specs)
        self._rubrics = rubrics(made.measures)
        self.judged: Sequence[str] = tuple(rubric.rule.name for rubric in self._rubrics)
        self.rubrics = self.judged
        """Figures that rules give no value: an answer of which nothing is asked has 0."""
        repair = _repair(self._options.get("repair"))
        self.pass_at = PASS_AT[self.task.answer_type] if self.task.pass_at is None else self.task.pass_at
        self.params = {**self.task.default_params, **read_params(self._options.get("params"))}
        self._reader = AnswerReader(
            Schema(made.rules), made.plain, repair=repair, short=self.task.answer_type in {"choice", "number"}
        )
        self._judge = Judge(made.measures, self.pass_at, [rule.field for rule in made.rules])
        self.scorer_version = f"{SCORER_VERSION}+{self._rules_sha256()[:8]}" + ("+repair" if repair else "")
        self._cases = Reader(
            path=source.path,
            prompt=self.prompt,
            mapping=self.task.field_mapping,
            serialize=tuple(self.task.serialize_fields),
            labels=frozenset(name for measure in made.measures for name in measure.labels),
            later=frozenset(_names(self._options.get("given"))),
        )
        self._checker = self._new_checker()

    def _rules_sha256(self) -> str:
        """Hash everything of the task that a score depends on, the code of the user's own metrics included."""
        rules = self.task.model_dump(mode="json", include=set(_SCORING), exclude_defaults=True)
        rules["parse_schema"] = [
            {name: value for name, value in field.items() if name != "description"}
            for field in rules.get("parse_schema", [])
        ]
        own = [measure.source_sha256() for measure in self._measures if isinstance(measure, Own)]
        return sha256(msgspec.json.encode([rules, own], order="deterministic")).hexdigest()

    def _new_checker(self) -> Checker:
        return Checker(
            self._measures,
            [rule.field for rule in self._rules],
            fields_of(self.prompt, self.task.serialize_fields),
            self.task.field_mapping,
            bool(self._judge.counted),
        )

    @staticmethod
    def recognises(source: Source) -> bool:
        """Return whether a dataset looks like one of this contract's."""
        return recognise.recognises(source)

    def terms(self) -> Mapping[str, JSON]:
        """Return what a run must record: versions and hashes of task and prompt, how the primary score is made."""
        return {
            "task": self.task.name,
            "task_version": self.task.version,
            "task_sha256": self.task_sha256,
            "prompt_template": self.task.prompt_template,
            "prompt_version": self.prompt.version,
            "prompt_sha256": self.prompt.sha256,
            "answer_type": self.task.answer_type,
            "primary_score": list(self._judge.counted) or "share of fields read",
            "pass_at": self.pass_at,
            "params": self.params,
            "rouge_tokens": "rouge-score words; CJK characters where either text holds CJK",
        }

    def load(self) -> Iterator[Case | Finding]:
        """Stream the cases."""
        return self._cases.load()

    def check(self, case: Case) -> Iterator[Finding]:
        """Find labels that leak or are unused, metrics without a field or a label, scores out of reach."""
        best = self.score(case, self.read(case, self.model_answer(case)))
        return self._checker.check(case, best)

    def request(self, case: Case) -> Request:
        """Render the prompt."""
        return request(self.prompt, case, self.task.serialize_fields, self.params)

    def request_after(self, case: Case, given: Mapping[str, JSON]) -> Request:
        """Render the prompt with what an earlier step of a workflow came to; it stands before the row's own fields."""
        return request(self.prompt, case, self.task.serialize_fields, self.params, given)

    def read(self, case: Case, answer: Answer) -> Reading:
        """Read the fields of the parse_schema."""
        return self._reader.read(answer)

    def score(self, case: Case, reading: Reading) -> Scorecard:
        """Judge a reading."""
        return self._judge.score(case, reading)

    def asked(self, case: Case, reading: Reading, card: Scorecard) -> Sequence[tuple[Question, RuleVerdict]]:
        """Ask of each rubric whether the answer meets it."""
        return asked(self._rubrics, case.question, reading)

    def decide(
        self, case: Case, reading: Reading, card: Scorecard, verdicts: Sequence[RuleVerdict]
    ) -> dict[str, float | None]:
        """Return for each rubric whether it is met; what is open counts as not met."""
        return {name: float(verdict == "yes") for name, verdict in zip(self.judged, verdicts, strict=False)}

    def model_answer(self, case: Case) -> Answer:
        """Answer with the labels."""
        return model_answer(self._measures, self._rules, self._plain, self.task.mock_response, row_of(case))


def _options(source: Source) -> Mapping[str, JSON]:
    if not source.options.get("task"):
        text = f"which task? Give its name or path as the option `task`. Known: {', '.join(known('tasks'))}."
        raise SettingError("plain", text=text)
    return source.options


def _repair(option: JSON) -> bool:
    mode = _REPAIR.get("" if option is None else str(option).lower())
    if mode is None:
        raise SettingError("plain", text=f"repair is {option!r}; allowed: off, count")
    return mode


def read_params(option: JSON) -> dict[str, JSON]:
    """Parameters as an object, or as the JSON text of one."""
    try:
        value = msgspec.json.decode(option) if isinstance(option, str) and option else option or {}
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        raise SettingError("plain", text=f'params is {option!r}; expected a JSON object such as {{"temperature": 0}}')
    return value


def _names(option: JSON) -> list[str]:
    if isinstance(option, str):
        return [name.strip() for name in option.split(",") if name.strip()]
    return [str(name) for name in option or []]
