"""A workflow as a contract: its steps are prompt tasks over the same rows, and one more counts the whole way."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path

import msgspec
from msgspec import Struct, structs

from ragstone.contracts.prompt_task.contract import PromptTask, read_params
from ragstone.core.errors import SettingError
from ragstone.core.interfaces import Contract, Source, Stage, System
from ragstone.core.language import Text
from ragstone.core.types import JSON, Answer, Case, Finding, MetricSpec, Reading, Request, Rung, Scorecard, model_step
from ragstone.runs.workflow.file import END_TO_END, Loaded, Step, read_workflow
from ragstone.runs.workflow.systems import Joined, Shared

SCORER_VERSION = "1.0.0"
ALL_DONE = MetricSpec(name="all_steps_done", label=Text("all steps done", "步骤全部完成"), kind="flag")
_RUNGS: tuple[Rung, ...] = ("direct", "unfenced", "balanced", "repaired", "failed")


class Chained(Struct, frozen=True):
    """The case of a workflow: the same row as each of its steps sees it."""

    cases: dict[str, Case]


def case_for(case: Case, step: str) -> Case:
    """Return a row as one step sees it."""
    assert isinstance(case.gold, Chained)
    return case.gold.cases[step]


class StepPart:
    """One step: a prompt task that looks at its own view of a row."""

    def __init__(self, step: Step, inner: PromptTask) -> None:
        self.step, self.inner = step, inner
        self.name, self.task_name = inner.name, inner.task_name
        self.scorer_version, self.prompt_version = inner.scorer_version, inner.prompt_version
        self.metrics, self.phrases = inner.metrics, inner.phrases

    def terms(self) -> Mapping[str, JSON]:
        """Return what a run must record about this step."""
        kept = {name: value for name, value in self.inner.terms().items() if not name.startswith("prompt_")}
        return {"name": self.step.name, "input_from": self.step.input_from, "model": self.step.model, **kept}

    def load(self) -> Iterator[Case | Finding]:
        """Stream this step's view of the rows."""
        return self.inner.load()

    def check(self, case: Case) -> Iterator[Finding]:
        """Return what looks wrong about a row for this step."""
        return self.inner.check(case_for(case, self.step.name))

    def request(self, case: Case) -> Request:
        """Render the prompt of a step that needs no other."""
        return self.inner.request(case_for(case, self.step.name))

    def request_after(self, case: Case, given: Mapping[str, JSON]) -> Request:
        """Render the prompt with the results of earlier steps."""
        return self.inner.request_after(case_for(case, self.step.name), given)

    def read(self, case: Case, answer: Answer) -> Reading:
        """Read the step's answer."""
        return self.inner.read(case_for(case, self.step.name), answer)

    def score(self, case: Case, reading: Reading) -> Scorecard:
        """Judge the step's reading."""
        return self.inner.score(case_for(case, self.step.name), reading)

    def model_answer(self, case: Case) -> Answer:
        """Answer with the labels of this step."""
        return self.inner.model_answer(case_for(case, self.step.name))


class EndToEnd:
    """The whole way: what its last steps are worth; a step that failed makes it worth nothing."""

    name = "workflow"
    by_rows = True

    def __init__(self, loaded: Loaded, parts: Mapping[str, StepPart], scorer_version: str) -> None:
        fed = {name for step in loaded.steps for name in step.input_from}
        self.last = [part for name, part in parts.items() if name not in fed]
        self.parts, self.task_name, self.scorer_version = parts, loaded.file.name, scorer_version
        self.prompt_version: str | None = versions(parts)
        own = self.last[0].metrics if len(self.last) == 1 else ()
        self.metrics: Sequence[MetricSpec] = (*own, ALL_DONE)
        self.phrases: Mapping[str, Text] = self.last[0].phrases

    def terms(self) -> Mapping[str, JSON]:
        """Return nothing: the workflow records it all."""
        return {}

    def load(self) -> Iterator[Case | Finding]:
        """Stream nothing: the workflow has the cases."""
        return iter(())

    def check(self, case: Case) -> Iterator[Finding]:
        """Find nothing besides what the steps find."""
        return iter(())

    def request(self, case: Case) -> Request:
        """Name the case; nothing is sent for the whole way."""
        return Request(id=case.id, question=case.question)

    def read(self, case: Case, answer: Answer) -> Reading:
        """Read the texts of the last steps, which the joined answer holds by name."""
        texts = answer.data if isinstance(answer.data, dict) else {}
        said = {part.step.name: Answer(text=str(texts.get(part.step.name, ""))) for part in self.last}
        readings = {part.step.name: part.read(case, said[part.step.name]) for part in self.last}
        rung = max((reading.rung for reading in readings.values()), key=_RUNGS.index)
        problem = next((reading.problem for reading in readings.values() if reading.problem), None)
        fields = {name: msgspec.to_builtins(reading) for name, reading in readings.items()}
        return Reading(text=answer.text, fields=fields, rung=rung, problem=problem)

    def score(self, case: Case, reading: Reading) -> Scorecard:
        """Return the mean of the last steps' scores; it passes when they all do."""
        cards = [
            part.score(case, msgspec.convert(reading.fields.get(part.step.name) or {}, Reading)) for part in self.last
        ]
        scores: dict[str, float | None] = dict(cards[0].sub_scores) if len(cards) == 1 else {}
        primary = sum(card.primary_score for card in cards) / len(cards)
        return Scorecard(
            primary_score=primary,
            passed=all(card.passed for card in cards),
            sub_scores=scores | {ALL_DONE.name: float(bool(reading.fields))},
            error_tags=tuple(dict.fromkeys(tag for card in cards for tag in card.error_tags)),
            reasons=tuple(reason for card in cards for reason in card.reasons),
        )

    def model_answer(self, case: Case) -> Answer:
        """Join the perfect answers of the last steps."""
        texts = {part.step.name: part.model_answer(case).text for part in self.last}
        return Answer(text="\n".join(texts.values()), data=texts)


def versions(parts: Mapping[str, StepPart]) -> str:
    """Name the prompt versions of all steps."""
    return ", ".join(f"{name}={part.prompt_version}" for name, part in parts.items())


class Workflow:
    """Rows that are asked step by step.

    Options: `workflow` (path of its file; needed), `params` (over the tasks' own), `repair` (as for a prompt task).
    """

    name = "workflow"
    options = frozenset({"params", "repair", "workflow"})
    rests_on = (PromptTask,)
    """Contracts whose code decides its scores, too."""

    def __init__(self, source: Source) -> None:
        if not source.options.get("workflow"):
            raise SettingError("plain", text="which workflow? Give the path of its file as the option `workflow`.")
        self.loaded = read_workflow(Path(str(source.options["workflow"])))
        self.task_name = self.loaded.file.name
        self.parts: dict[str, StepPart] = {}
        for step in self.loaded.steps:
            self.parts[step.name] = StepPart(step, PromptTask(self._source(step, source)))
        rules = [[name, part.step.input_from, part.scorer_version] for name, part in self.parts.items()]
        self.scorer_version = f"{SCORER_VERSION}+{sha256(msgspec.json.encode(rules)).hexdigest()[:8]}"
        self.prompt_version: str | None = versions(self.parts)
        self.end = EndToEnd(self.loaded, self.parts, self.scorer_version)
        self.metrics: Sequence[MetricSpec] = _union([*self.parts.values(), self.end])
        self.phrases = self.end.phrases
        self.size = len(self.parts) + 1

    def _source(self, step: Step, source: Source) -> Source:
        """Make what a step's task is opened with; fields of earlier steps need not stand in the rows."""
        given = [name for earlier in step.input_from for name in (earlier, *self._fields(earlier))]
        options: dict[str, JSON] = {"task": step.task, "given": [*given, "input"] if given else []}
        options |= {"prompt": step.prompt} if step.prompt else {}
        options |= {"repair": source.options["repair"]} if "repair" in source.options else {}
        params = read_params(source.options.get("params")) | step.params_override
        return structs.replace(source, options=options | {"params": params})

    def _fields(self, earlier: str) -> list[str]:
        return [field.field for field in self.parts[earlier].inner.task.parse_schema] or ["*"]

    @staticmethod
    def recognises(source: Source) -> bool:
        """Return whether a workflow is named."""
        return bool(source.options.get("workflow"))

    def terms(self) -> Mapping[str, JSON]:
        """Return what a run must record: versions and hashes of the workflow, its tasks and its prompts."""
        prompts = {name: part.inner.prompt.sha256 for name, part in self.parts.items()}
        return {
            "workflow": self.loaded.file.name,
            "workflow_version": self.loaded.file.version,
            "workflow_sha256": self.loaded.sha256,
            "steps": [dict(part.terms()) for part in self.parts.values()],
            "prompt_version": self.prompt_version,
            "prompt_sha256": sha256(msgspec.json.encode(prompts)).hexdigest(),
            "prompt_sha256_by_step": prompts,
        }

    def load(self) -> Iterator[Case | Finding]:
        """Stream the rows as all steps see them; a row that one of them cannot use is none."""
        streams = [part.load() for part in self.parts.values()]
        for items in zip(*streams, strict=False):
            findings = [item for item in items if isinstance(item, Finding)]
            if findings:
                yield from {(one.code, repr(one.params)): one for one in findings}.values()
                continue
            cases = {name: item for name, item in zip(self.parts, items, strict=True) if isinstance(item, Case)}
            first = next(iter(cases.values()))
            yield structs.replace(first, gold=Chained(cases))

    def check(self, case: Case) -> Iterator[Finding]:
        """Find what the steps find."""
        for part in self.parts.values():
            yield from part.check(case)

    def request(self, case: Case) -> Request:
        """Render the first step."""
        return next(iter(self.parts.values())).request(case)

    def read(self, case: Case, answer: Answer) -> Reading:
        """Read a joined answer."""
        return self.end.read(case, answer)

    def score(self, case: Case, reading: Reading) -> Scorecard:
        """Judge the whole way."""
        return self.end.score(case, reading)

    def model_answer(self, case: Case) -> Answer:
        """Join perfect answers."""
        return self.end.model_answer(case)

    def needs_model(self) -> bool:
        """Return whether any step leaves its model to the run."""
        return any(step.model is None for step in self.loaded.steps)

    def _models(self, models: Sequence[str]) -> list[str]:
        """Return the models that are compared; where every step names its own, all of them together are one."""
        if self.needs_model():
            return list(models)
        return ["+".join(dict.fromkeys(str(step.model) for step in self.loaded.steps))]

    def step_names(self, models: Sequence[str]) -> tuple[str, ...]:
        """Name model and step, for each model each step, then the whole way."""
        compared = self._models(models)
        return tuple(
            model_step(self._asked(step, model, len(compared) > 1), step.name if step else END_TO_END)
            for model in compared
            for step in (*self.loaded.steps, None)
        )

    def _asked(self, step: Step | None, model: str, many: bool) -> str:
        """Return who is asked; a step's own model is asked once for each model that is compared."""
        if step is None or step.model is None:
            return model
        return f"{step.model}@{model}" if many and step.model != model else step.model

    def stage(self, name: str) -> Stage:
        """Return the step a name refers to."""
        model, _, step = name.rpartition(" · ")
        part: Contract = self.end if step == END_TO_END else self.parts[step]
        return Stage(model, step, part)

    def systems(self, models: Sequence[System], connect: Callable[[str], System]) -> tuple[System, ...]:
        """Let each step ask its model; steps that ask the same one share it, with its limits and its cache."""
        known = {model.model_id: model for model in models}
        names = self.step_names([model.model_id for model in models])
        made: list[System] = []
        closing: set[int] = set()
        for place, name in enumerate(names):
            at, step = divmod(place, self.size)
            if step == self.size - 1:
                made.append(Joined(name))
                continue
            own = self.loaded.steps[step].model
            if own is not None and own not in known:
                known[own] = connect(own)
            inner = known[own] if own is not None else models[at]
            made.append(Shared(inner, name, closes=id(inner) not in closing))
            closing.add(id(inner))
        return tuple(made)


def _union(parts: Sequence[Contract]) -> tuple[MetricSpec, ...]:
    """Declare each figure once, whichever steps have it."""
    declared: dict[str, MetricSpec] = {}
    for spec in (spec for part in parts for spec in part.metrics):
        declared.setdefault(spec.name, spec)
    return tuple(declared.values())
