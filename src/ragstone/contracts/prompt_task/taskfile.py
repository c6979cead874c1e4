"""The task file and the prompt file as their authors write them; every fault is named at once, with file and path."""

from collections.abc import Iterator
from hashlib import sha256
from os.path import normpath
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, NamedTuple, TypeVar

import yaml
from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Discriminator,
    Field,
    Tag,
    ValidationError,
    ValidationInfo,
    model_validator,
)
from pydantic_core import ErrorDetails

from ragstone.core.errors import DatasetError, SettingError
from ragstone.core.types import JSON, Finding, Position
from ragstone.datasets.fields.errors import FieldError, field_error
from ragstone.datasets.syntax.yaml_text import PlainLoader, problem_of
from ragstone.metrics.rouge import RougeName
from ragstone.reading.json.fields import FieldType
from ragstone.text.nearest import nearest

AnswerType = Literal["choice", "number", "list", "text", "reasoning"]
Name = Annotated[str, Field(min_length=1)]
Share = Annotated[float, Field(ge=0, le=1)]
Tolerance = Annotated[float, Field(ge=0, allow_inf_nan=False)]
Bound = Annotated[float, Field(allow_inf_nan=False)]
Plain = str | int | float | bool


def _grouped(given: object, info: ValidationInfo) -> object:
    """Turn `{利好: positive}` round: what stands under a value is a list of its other words."""
    if not isinstance(given, dict):
        return given
    known = {str(one) for one in info.data.get("values") or ()}
    found = {word: meant for word, meant in given.items() if not isinstance(meant, Plain)}
    for word, meant in given.items():
        if isinstance(meant, Plain):
            name, other = (word, meant) if str(word) in known and str(meant) not in known else (meant, word)
            before = found.get(name, [])
            found[name] = [*before, other] if isinstance(before, list) else before
    return found


Aliases = Annotated[
    dict[str, list[str]], BeforeValidator(_grouped, json_schema_input_type=dict[str, list[str] | Plain])
]

BUNDLED = Path(__file__).parents[2] / "data" / "prompt_task"
"""The tasks, prompts and fictional datasets that come with Ragstone."""


class Part(BaseModel):
    """A piece of a task file: unknown keys are refused."""

    model_config = ConfigDict(extra="forbid", frozen=True, coerce_numbers_to_str=True, use_attribute_docstrings=True)


class FieldSpec(Part):
    """One field of the answer's JSON object."""

    field: Name
    type: FieldType = "str"
    default: JSON = None
    values: list[Plain] = []
    """The values of an enum."""
    aliases: Aliases = {}
    """Other words for a value of an enum."""
    lo: Bound | None = None
    hi: Bound | None = None
    max_len: Annotated[int, Field(ge=1)] | None = None
    unit: str | None = None
    """The unit a number counts in: %, 万元, …"""
    description: str | None = None
    """For people."""

    @model_validator(mode="after")
    def _sound(self) -> "FieldSpec":
        if self.type == "enum" and not self.values:
            raise ValueError("an enum needs `values`")
        if self.lo is not None and self.hi is not None and self.lo > self.hi:
            raise ValueError(f"lo {self.lo:g} is above hi {self.hi:g}")
        return self


class Metric(Part):
    """What all metrics have."""

    name: Name | None = None
    primary: bool = False
    """Whether this metric alone makes the primary score."""


class FieldCompleteness(Metric):
    """Share of the fields that are filled."""

    type: Literal["field_completeness"]
    fields: Annotated[list[Name], Field(min_length=1)]


class ReferenceRouge(Metric):
    """ROUGE of a field against a reference text."""

    type: Literal["reference_rouge"]
    output_field: Name = "summary"
    reference_field: Name = "reference_summary"
    measures: Annotated[list[RougeName], Field(min_length=1)] = ["rouge1"]


class CustomRatio(Metric):
    """A field over the size of a field of the row, or over a fixed number; describes, and judges nothing."""

    type: Literal["custom_ratio"]
    numerator_field: Name
    denominator_sample_field: Name | None = None
    denominator_fixed: Annotated[float, Field(gt=0, allow_inf_nan=False)] | None = None

    @model_validator(mode="after")
    def _sound(self) -> "CustomRatio":
        if (self.denominator_sample_field is None) == (self.denominator_fixed is None):
            raise ValueError("give either `denominator_sample_field` or `denominator_fixed`")
        return self


class ExactMatch(Metric):
    """The right value, or not."""

    type: Literal["exact_match"]
    pred_field: Name
    label_field: Name
    normalize: bool = True
    aliases: Aliases = {}


class NumericError(Metric):
    """How far off, and near enough or not."""

    type: Literal["numeric_error"]
    pred_field: Name
    label_field: Name
    tolerance: Tolerance = 0.0
    tolerance_rel: Tolerance = 0.0
    unit: str | None = None


class ListOverlap(Metric):
    """Precision, recall and F1 of two lists."""

    type: Literal["list_overlap"]
    pred_field: Name
    label_field: Name
    normalize: bool = True
    aliases: Aliases = {}
    ordered: bool = False


class ReasoningConsistency(Metric):
    """Whether the texts that lead up to the final answer state it."""

    type: Literal["reasoning_consistency"]
    final_answer_field: Name = "final_answer"
    support_fields: Annotated[list[Name], Field(min_length=1)] = ["steps", "claims", "rationale"]
    normalize: bool = True


class ClaimEvidenceOverlap(Metric):
    """Evidence named by the claims against the labelled evidence."""

    type: Literal["claim_evidence_overlap"]
    claims_field: Name = "claims"
    label_field: Name = "gt_evidence_ids"
    claim_evidence_key: Name = "evidence"
    normalize: bool = True


class ReasoningStepOrder(Metric):
    """Whether the labelled steps are there, and in their order."""

    type: Literal["reasoning_step_order"]
    steps_field: Name = "steps"
    label_field: Name = "gt_steps"


class ClaimVerifiability(Metric):
    """Whether the evidence of the claims is among the row's sources and says what they say."""

    type: Literal["claim_verifiability"]
    claims_field: Name = "claims"
    claim_evidence_key: Name = "evidence"
    sources_field: Name = "news_items"


class JudgedMetric(Metric):
    """Whether an answer meets a rubric, in plain words; decided by a judge or a person, never by rule."""

    type: Literal["judged"]
    name: Name
    rubric: Annotated[str, Field(min_length=1, max_length=2000, pattern=r"\S")]
    output_field: Name | None = None


class CustomMetric(Metric):
    """Any function by its dotted name: code of the user's own, run on purpose."""

    type: Annotated[str, Field(pattern=r"^[A-Za-z_][\w.]*:[A-Za-z_]\w*$")]
    name: Name
    pred_field: Name | None = None
    label_field: Name | None = None
    kind: Literal["flag", "ratio", "error"] = "ratio"
    params: dict[str, JSON] = {}


METRIC_TYPES: dict[str, type[Metric]] = {
    "field_completeness": FieldCompleteness,
    "reference_rouge": ReferenceRouge,
    "custom_ratio": CustomRatio,
    "exact_match": ExactMatch,
    "numeric_error": NumericError,
    "list_overlap": ListOverlap,
    "reasoning_consistency": ReasoningConsistency,
    "claim_evidence_overlap": ClaimEvidenceOverlap,
    "reasoning_step_order": ReasoningStepOrder,
    "claim_verifiability": ClaimVerifiability,
    "judged": JudgedMetric,
}


def _metric_tag(value: JSON) -> str | None:
    kind = value.get("type") if isinstance(value, dict) else getattr(value, "type", None)
    if not isinstance(kind, str):
        return None
    return kind if kind in METRIC_TYPES else "custom" if ":" in kind else None


AnyMetric = Annotated[
    Annotated[FieldCompleteness, Tag("field_completeness")]
    | Annotated[ReferenceRouge, Tag("reference_rouge")]
    | Annotated[CustomRatio, Tag("custom_ratio")]
    | Annotated[ExactMatch, Tag("exact_match")]
    | Annotated[NumericError, Tag("numeric_error")]
    | Annotated[ListOverlap, Tag("list_overlap")]
    | Annotated[ReasoningConsistency, Tag("reasoning_consistency")]
    | Annotated[ClaimEvidenceOverlap, Tag("claim_evidence_overlap")]
    | Annotated[ReasoningStepOrder, Tag("reasoning_step_order")]
    | Annotated[ClaimVerifiability, Tag("claim_verifiability")]
    | Annotated[JudgedMetric, Tag("judged")]
    | Annotated[CustomMetric, Tag("custom")],
    Discriminator(
        _metric_tag,
        custom_error_type="unknown_metric",
        custom_error_message=f"one of {', '.join(METRIC_TYPES)}, or module:function",
    ),
]


class AnswerSpec(Part):
    """How an answer is judged by its answer_type, when the task names no metrics."""

    field: Name | None = None
    """The field that holds the answer; found by its name or as the only one when left out."""
    label_field: Name | None = None
    aliases: Aliases = {}
    unit: str | None = None
    tolerance_abs: Tolerance = 0.0
    tolerance_rel: Tolerance = 0.0
    ordered: bool = False


class Task(Part):
    """A task file: what is asked, how the answer is read, what is measured."""

    kind: ClassVar[str] = "task"

    name: Name
    version: Name = "v1"
    description: str | None = None
    prompt_template: Name
    default_params: dict[str, JSON] = {}
    serialize_fields: list[Name] = []
    field_mapping: dict[str, Name] = {}
    answer_type: AnswerType | None = None
    answer: AnswerSpec = AnswerSpec()
    mock_response: dict[str, JSON] | None = None
    parse_schema: list[FieldSpec] = []
    metrics: list[AnyMetric] = []
    pass_at: Share | None = None
    """The primary score from which on a row passes."""

    @model_validator(mode="after")
    def _sound(self) -> "Task":
        if not self.metrics and self.answer_type is None:
            raise ValueError("name `metrics`, or an `answer_type` to be judged by")
        names = [rule.field for rule in self.parse_schema]
        if twice := sorted({name for name in names if names.count(name) > 1}):
            raise ValueError(f"parse_schema names {', '.join(twice)} twice")
        if sum(metric.primary for metric in self.metrics) > 1:
            raise ValueError("only one metric may be `primary: true`")
        return self


class PromptFile(Part):
    """A prompt file: its version and two Jinja2 templates."""

    kind: ClassVar[str] = "prompt"

    version: Name
    description: str | None = None
    system: str = ""
    user: Name


M = TypeVar("M", Task, PromptFile)


class Loaded(NamedTuple):
    """A file that was found and is sound."""

    path: Path
    sha256: str
    model: Any


def load_task(name: str) -> Loaded:
    """Find and read a task, by name or by path."""
    return _load(_find(name, "tasks", "task"), Task)


def load_prompt(name: str, beside: Path | None = None) -> Loaded:
    """Find and read a prompt, by name or by path; `beside` is the task file that names it."""
    return _load(_find(name, "prompts", "prompt", beside), PromptFile)


def _find(name: str, folder: str, kind: str, beside: Path | None = None) -> Path:
    """Look in the user's bench/ first, then next to the task file's own folder, then among the bundled ones."""
    if Path(name).suffix.lower() in {".yaml", ".yml"}:
        places = [Path(name), *([beside.parent / name] if beside else [])]
    else:
        homes = [Path("bench"), *([Path(normpath(beside.parent / ".."))] if beside else []), BUNDLED]
        places = [home / folder / f"{name}{end}" for home in homes for end in (".yaml", ".yml")]
    places = list({place.resolve(): place for place in reversed(places)}.values())[::-1]
    for place in places:
        if place.is_file():
            return place
    names = known(folder)
    own = [str(place) for place in places if not place.is_relative_to(BUNDLED)]
    near = nearest(name, tuple(names))
    raise SettingError("task.missing", kind=kind, name=name, places=own, known=names, near=near)


def known(folder: str) -> list[str]:
    """Name the tasks or prompts there are, the user's and the bundled ones."""
    homes = (Path("bench") / folder, BUNDLED / folder)
    return sorted({path.stem for home in homes for path in home.glob("*.y*ml")})


def _load(path: Path, model: type[M]) -> Loaded:
    value, raw = read_yaml(path)
    try:
        return Loaded(path, sha256(raw).hexdigest(), model.model_validate(value))
    except ValidationError as error:
        findings = [_finding(path, detail, model) for detail in error.errors(include_url=False)]
        raise DatasetError("file.faults", findings, file=str(path), kind=model.kind) from error


def _finding(path: Path, detail: ErrorDetails, model: type[BaseModel]) -> Finding:
    """Say one fault: where it stands, what is wrong, what is allowed."""
    steps = [step for at, step in enumerate(detail["loc"]) if not _is_tag(detail["loc"], at)]
    where = "/".join(map(str, steps))
    wrong = _field_error(detail, model)
    params: dict[str, JSON] = {"field": where or "(file)", "problem": wrong.problem}
    params |= {"expected": wrong.expected, "found": _found(detail["input"])}
    code = "row.missing" if detail["type"] == "missing" else "row.field" if wrong.expected else "row.unfit"
    return Finding(level="error", code=code, position=Position(str(path), pointer=f"/{where}"), params=params)


def _found(value: JSON) -> str:
    if isinstance(value, dict):
        return repr(value["type"]) if "type" in value else "an object"
    return "a list" if isinstance(value, list) else repr(value)


def _is_tag(loc: tuple[int | str, ...], at: int) -> bool:
    """Pydantic puts the chosen metric type into the path; the author's file has no such step."""
    return at == 2 and loc[0] == "metrics" and isinstance(loc[1], int)


def _field_error(detail: ErrorDetails, model: type[BaseModel]) -> FieldError:
    if detail["type"] == "extra_forbidden":
        keys = tuple(_known_keys(detail["loc"], model))
        near = nearest(str(detail["loc"][-1]), keys)
        return FieldError("unknown key", repr(near) if near else f"one of the known keys: {', '.join(keys)}")
    if detail["type"] == "unknown_metric":
        return FieldError("unknown metric type", detail["msg"])
    return field_error(detail)


def _known_keys(loc: tuple[int | str, ...], model: type[BaseModel]) -> Iterator[str]:
    owner: type[BaseModel] = model
    if loc[0] == "metrics" and len(loc) > 3:
        owner = METRIC_TYPES.get(str(loc[2]), CustomMetric)
    elif loc[0] == "parse_schema" and len(loc) > 2:
        owner = FieldSpec
    elif loc[0] == "answer" and len(loc) > 1:
        owner = AnswerSpec
    yield from owner.model_fields


MAX_BYTES = 1 << 20


class _Loader(PlainLoader):
    """The loader of YAML 1.2, narrowed."""

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        """Refuse aliases: a few lines of them can unfold into gigabytes."""
        if self.check_event(yaml.AliasEvent):
            event = self.peek_event()  # type: ignore[no-untyped-call]
            raise yaml.YAMLError(f"line {event.start_mark.line + 1}: aliases (*name) are not allowed; write it out")
        return super().compose_node(parent, index)

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        """Refuse a key that stands twice, and keys that are no text."""
        seen: set[str] = set()
        for name, _ in node.value:
            text = str(name.value)
            if text in seen:
                raise yaml.YAMLError(f"line {name.start_mark.line + 1}: the key {text!r} stands twice")
            seen.add(text)
        return {str(name): value for name, value in super().construct_mapping(node, deep).items()}


def read_yaml(path: Path) -> tuple[dict[str, JSON], bytes]:
    """Read a file that holds one mapping, and return it with the bytes it was read from."""
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise _fault(path, error.strerror or str(error)) from error
    if len(raw) > MAX_BYTES:
        raise _fault(path, f"longer than {MAX_BYTES} bytes")
    try:
        value: JSON = yaml.load(raw.decode("utf-8-sig"), Loader=_Loader)  # noqa: S506 - a safe loader, narrowed further
    except (yaml.YAMLError, UnicodeDecodeError, ValueError, RecursionError) as error:
        raise _fault(path, problem_of(error)) from error
    if not isinstance(value, dict):
        raise _fault(path, "expected a mapping (name: value) at the top")
    return value, raw


def _fault(path: Path, problem: str) -> SettingError:
    return SettingError("dataset.unreadable", file=str(path), problem=problem)
