"""The frozen values that walk through the house, and nothing else.

    Case ─► Request ─► Answer ─► Reading ─► Scorecard ─► Result ─► Summary

They are msgspec structs: quick to make, and each one survives a round trip through JSON.
"""

from typing import Any, Literal, TypeAlias

from msgspec import Struct, field

from ragstone.language import Text

JSON: TypeAlias = Any
"""A value that JSON can hold. Foreign data enters through this name only."""

Rung = Literal["direct", "unfenced", "balanced", "repaired", "failed"]
"""How far down the parse ladder an answer had to climb before it could be read."""

MetricKind = Literal["flag", "ratio", "points", "error"]
"""flag: 0 or 1, shown as √ / ×; ratio: 0..1; points: 0..100; error: a distance, 0 is best."""


class Position(Struct, frozen=True, omit_defaults=True):
    """Where something stands in a user's files."""

    file: str
    line: int | None = None
    pointer: str | None = None
    """JSON pointer, for files that are one JSON value."""

    def __str__(self) -> str:
        if self.line is not None:
            return f"{self.file}:{self.line}"
        return f"{self.file}#{self.pointer}" if self.pointer else self.file


class Case(Struct, frozen=True, kw_only=True):
    """One thing to ask, with what is expected of the answer."""

    id: str
    question: str
    gold: object
    """What the contract expects; only the contract that made it looks inside."""
    inputs: dict[str, JSON] = {}
    groups: dict[str, tuple[str, ...]] = {}
    """Group name (type, category, difficulty, tags) to the values this case belongs to."""
    position: Position
    extra: dict[str, JSON] = {}
    """Fields of the user's row that no rule knows, carried through."""
    weight: float = 1.0


class Message(Struct, frozen=True):
    """One turn of a chat prompt."""

    role: str
    content: str


class Request(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What is sent to a system: the question, or rendered messages with parameters."""

    id: str
    """The case it belongs to; a system may use it to find a recorded answer, never to learn what is measured."""
    question: str
    messages: tuple[Message, ...] = ()
    params: dict[str, JSON] = {}
    repeat: int = 0


class Context(Struct, frozen=True, omit_defaults=True):
    """One piece of text the system retrieved."""

    source_path: str = ""
    page: int | None = None
    text: str = ""
    score: float | None = None


class Citation(Struct, frozen=True, omit_defaults=True):
    """One reference the system gave."""

    file: str | None = None
    page: int | None = None
    quote: str | None = None


class Usage(Struct, frozen=True, omit_defaults=True):
    """What an answer consumed."""

    prompt_tokens: int = 0
    completion_tokens: int = 0
    total_tokens: int = 0


class Failure(Struct, frozen=True, omit_defaults=True):
    """Why a case could not be asked, read or scored."""

    kind: str
    """timeout, refused, http_429, bad_reply, exception, … : a closed word per cause."""
    message: str = ""
    stage: str = "ask"
    code: str | None = None


class Answer(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What came back from a system, or why nothing did."""

    text: str = ""
    data: JSON = None
    """Structured data, when the system gives any."""
    contexts: tuple[Context, ...] = ()
    citations: tuple[Citation, ...] = ()
    usage: Usage | None = None
    latency_ms: float | None = None
    attempts: int = 1
    finish_reason: str | None = None
    cost: float | None = None
    cached: bool = False
    failure: Failure | None = None


class Reading(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a contract understood of an answer."""

    text: str = ""
    fields: dict[str, JSON] = {}
    rung: Rung = "direct"
    problem: str | None = None
    """Why it could not be read, when rung is failed."""
    citations: tuple[Citation, ...] = ()
    contexts: tuple[Context, ...] = ()
    tags: tuple[str, ...] = ()


class Reason(Struct, frozen=True, omit_defaults=True):
    """Why a metric came out as it did: a phrase of the contract with its places filled when shown."""

    metric: str
    code: str
    params: dict[str, JSON] = {}


class Scorecard(Struct, frozen=True, kw_only=True, rename={"passed": "pass"}):
    """The verdict on one answer."""

    primary_score: float
    passed: bool
    sub_scores: dict[str, float | None]
    """Metric name to value; None means not applicable, and is counted as such."""
    error_tags: tuple[str, ...] = ()
    explain: str = ""
    """Why, in one sentence, in the language of the run."""
    reasons: tuple[Reason, ...] = ()
    details: dict[str, JSON] = {}
    """What a reader may want to look at: matched spans, per-item diagnostics."""


class MetricSpec(Struct, frozen=True, kw_only=True):
    """What a contract measures, declared once; every report, column and chart is drawn from it."""

    name: str
    label: Text
    kind: MetricKind
    better: Literal["higher", "lower"] = "higher"
    headline: bool = False
    """Shown on the line of each case and in the closing line."""


class Finding(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Something `check` noticed about a dataset. Errors stop a run before a call is spent; warnings do not."""

    level: Literal["error", "warning", "note"]
    code: str
    position: Position
    case_id: str | None = None
    params: dict[str, JSON] = {}


RESULT_SCHEMA_VERSION = "1.0"


class Result(Struct, frozen=True, kw_only=True):
    """One row of results.jsonl."""

    schema_version: str = RESULT_SCHEMA_VERSION
    run_id: str
    sample_id: str
    repeat: int = 0
    task_name: str
    model_id: str
    prompt_version: str | None = None
    scorer_version: str
    question: str
    groups: dict[str, tuple[str, ...]] = {}
    weight: float = 1.0
    output_text: str
    parsed: dict[str, JSON] | None = None
    rung: Rung = "direct"
    task_metrics: dict[str, float | None]
    scorecard: Scorecard
    error_type: str | None = None
    error_stage: str | None = None
    error_code: str | None = None
    error_message: str | None = None
    usage: Usage | None = None
    latency_ms: float | None = None
    attempts: int = 1
    cached: bool = False
    cost: float | None = None


class Figure(Struct, frozen=True, kw_only=True):
    """One metric over a set of cases. `mean` is None when it applied to none of them; it is never NaN."""

    mean: float | None
    n: int
    not_applicable: int
    total: float


class Block(Struct, frozen=True, kw_only=True):
    """All figures over a set of cases."""

    cases: int
    scored: int
    errored: int
    unparsed: int
    passed: int
    pass_rate: float
    primary_score: float
    """Mean of the primary scores, each weighed by its case's weight."""
    metrics: dict[str, Figure]


class Costs(Struct, frozen=True, kw_only=True):
    """What the answers took."""

    answered: int
    latency_ms_mean: float | None = None
    latency_ms_p50: float | None = None
    latency_ms_p95: float | None = None
    total_tokens: int = 0
    tokens_mean: float | None = None
    tokens_p95: float | None = None
    retries: int = 0
    cached: int = 0
    cost: float | None = None


class ModelSummary(Struct, frozen=True, kw_only=True):
    """The figures of one model."""

    all: Block
    costs: Costs
    groups: dict[str, dict[str, Block]]


class Summary(Struct, frozen=True, kw_only=True):
    """What a run came to."""

    run_id: str
    task_name: str
    status: str
    scorer_version: str
    expected: int
    """Answers the run set out to get."""
    finished: int
    results_digest: str
    """Hash over all that was answered and decided, without ids of the run and timings: equal answers, equal digest."""
    models: dict[str, ModelSummary]
    error_types: dict[str, int] = field(default_factory=dict)
    error_tags: dict[str, int] = field(default_factory=dict)
