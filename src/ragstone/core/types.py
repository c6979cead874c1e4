"""The frozen values that are passed between packages, and nothing else.

    Case ─► Request ─► Answer ─► Reading ─► Scorecard ─► Result ─► Summary

They are msgspec structs: quick to make, and each one survives a round trip through JSON.
"""

from typing import Any, ClassVar, Literal, TypeAlias

from msgspec import Struct, field

from ragstone.core.language import Lang, Text
from ragstone.core.messages import message

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
    wants_version: bool = False
    """Whether the answer shall say which version of the endpoint gave it."""
    is_trial: bool = False
    """Whether it is a trial question: a user is waiting for the reply."""


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
    """In English, for machines and logs."""
    stage: str = "ask"
    code: str | None = None
    said: str = ""
    """The code of the message, when there is one in every language; `params` fill its places."""
    params: dict[str, JSON] = {}

    def say(self, lang: Lang) -> str:
        """Return the message in a language, as far as there is one."""
        return message(self.said).say(lang, self.params) if self.said else self.message


FACTS = ("index_version", "adapter_id", "base_model")
"""What a run records of every system besides its name, so that it can be made again; a reply may tell them, too."""


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
    facts: dict[str, str] = {}
    """Which of FACTS came from the reply."""
    judged: dict[str, JSON] = {}
    """What another tool said of it, in an imported run; no other contract looks at it."""
    first_word: dict[str, float] = {}
    """Token to log probability, of the answer's first token; only where a request asks for them."""
    version: str | None = None
    """What the endpoint called itself in this very reply; only where a request wants to know."""


QuestionKind = Literal["states", "declines", "supported", "equivalent", "meets"]
"""The closed questions about an answer: does it state a point, decline, stand in the source, equal, meet a rubric?"""


RuleVerdict = Literal["yes", "no", "open"]
"""What rules make of such a question; open where they can prove neither."""


class Question(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One closed question about an answer that rules leave open, for a judge or a person."""

    kind: QuestionKind
    answer: str
    question: str = ""
    point: str = ""
    """What is looked for: a key point, a sentence, a reference, a rubric."""
    source: str = ""
    """What a sentence must be supported by."""


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
    also: tuple[str, ...] = ()
    """Other names its users know its mean by; a gate understands them too."""


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
    step_id: str = ""
    """The step of a workflow; empty where a case is one request."""
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

    @property
    def model_step(self) -> str:
        """What the row's figures are counted under: its model, or model and step."""
        return model_step(self.model_id, self.step_id) if self.step_id else self.model_id


def model_step(model_id: str, step_id: str) -> str:
    """Name a step asked of a model.

    >>> model_step("qwen", "extract")
    'qwen · extract'
    """
    return f"{model_id} · {step_id}"


class Interval(Struct, frozen=True, kw_only=True):
    """How far a figure may lie from what it measures."""

    low: float
    high: float
    level: float
    method: str
    """wilson, bca, t; tango and bca+t for differences. docs/trust.md says when which is used."""
    clusters: int
    """Independent pieces it rests on: cases that share a question count once."""


class Figure(Struct, frozen=True, kw_only=True):
    """One metric over a set of cases. `mean` is None when it applied to none of them; it is never NaN."""

    mean: float | None
    n: int
    not_applicable: int
    total: float
    lost: int = 0
    """Of those without a value, the cases for which another tool wanted one and could not make it."""
    interval: Interval | None = None
    """None when there is too little to tell, such as one case only."""
    open: int = 0
    """Cases whose value could be higher: a rule proved neither yes nor no, and open counts as no.

    Of an estimate, cases that were drawn and that people did not decide; they do not count.
    """
    mean_high: float | None = None
    """The mean if all that is open were a yes; None where nothing is open."""
    mean_low: float | None = None
    """Of an estimate, the mean if all that is open were a no."""


class Block(Struct, frozen=True, kw_only=True):
    """All figures over a set of cases."""

    cases: int
    scored: int
    errored: int
    unparsed: int
    passed: int
    pass_rate: float | None
    """None when there is no case: nothing measured is not 0."""
    primary_score: float | None
    """Mean of the primary scores, each weighed by its case's weight."""
    metrics: dict[str, Figure]
    pass_interval: Interval | None = None
    score_interval: Interval | None = None


class Costs(Struct, frozen=True, kw_only=True):
    """What the answers took."""

    answered: int
    latency_ms_mean: float | None = None
    """Of the answers this run asked for; those of the cache took their time in another run."""
    latency_ms_p50: float | None = None
    latency_ms_p95: float | None = None
    total_tokens: int = 0
    tokens_mean: float | None = None
    tokens_p95: float | None = None
    retries: int = 0
    cached: int = 0
    """Answers that were not asked for in this run: they came from the cache, or from a run whose answers it reuses."""
    cost: float | None = None


class Repeats(Struct, frozen=True, kw_only=True):
    """The figures of cases that were asked several times."""

    cases: int
    tries: int
    """Answers every case has at least."""
    pass_at: dict[str, float]
    """k to pass@k: the chance that at least one of k answers passes."""
    always: int
    never: int
    spread: float
    """Standard deviation of the primary score between answers to one case."""
    within_variance: float
    between_variance: float
    system_share: float
    """Share of the variance that is the system's own wavering, not the difference between cases."""


class StepName(Struct, frozen=True):
    """Which step of a workflow some figures are of."""

    task_name: str
    model_id: str
    step_id: str


class RuleCheck(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What people say of verdicts that the rules gave."""

    FEWEST: ClassVar[int] = 20
    """Labels without which nothing is said of the rules."""
    yes_right: int = 0
    """Points that a rule calls stated, and people too."""
    yes: int = 0
    """Points that a rule calls stated and people labelled."""
    no_right: int = 0
    no: int = 0

    @property
    def right(self) -> int:
        """How many verdicts people hold."""
        return self.yes_right + self.no_right

    @property
    def n(self) -> int:
        """How many people labelled."""
        return self.yes + self.no


class ModelSummary(Struct, frozen=True, kw_only=True):
    """The figures of one model, or of one step asked of it."""

    all: Block
    costs: Costs
    groups: dict[str, dict[str, Block]]
    repeats: Repeats | None = None
    """Only when cases were asked more than once."""
    step: StepName | None = None
    """Only in a workflow."""
    tables: dict[str, dict[str, int]] = field(default_factory=dict)
    """Table of the contract to how many cases each of its cells holds."""
    authors: dict[str, int] = field(default_factory=dict)
    """Who decided how many questions: rule, judge, person, or nobody yet (open); only where a judge or people did."""
    unasked: int = 0
    """Open questions without a word of the judge: it was down, its budget was spent, or another version answered."""
    judged_kinds: dict[str, int] = field(default_factory=dict)
    """Kind of question to how many of it a judge decided."""
    rule_checks: dict[str, RuleCheck] = field(default_factory=dict)
    """Kind of question to what people say of what the rules decided; equal answers count once."""


class KindDoubt(Struct, frozen=True, kw_only=True):
    """What keeps judges from being trusted with one kind of question."""

    kind: str
    why: str
    """As a code."""
    judges: tuple[str, ...] = ()
    """To whom it applies."""
    failed: tuple[str, ...] = ()
    """Kinds of probe that they failed."""


class JudgedBy(Struct, frozen=True, kw_only=True):
    """Who decided besides the rules, and how far that is to be believed."""

    names: tuple[str, ...] = ()
    standing: Literal["trusted", "advisory"] = "advisory"
    why: str = ""
    """Code of what keeps a judge from being trusted."""
    labels: int = 0
    """Questions that people decided."""
    foreign: int = 0
    """Those of them that were drawn from other answers: they make no estimate."""
    doubted: tuple[str, ...] = ()
    """Those of them to whom that applies."""
    failed: tuple[str, ...] = ()
    """Kinds of probe that they failed."""
    itself: tuple[str, ...] = ()
    """Judges that judged their own answers."""
    doubts: tuple[KindDoubt, ...] = ()
    """What keeps them from being trusted, kind by kind; a figure rests on some kinds only."""
    figures: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """Metric to the kinds of question its verdicts are on; one that is not named may rest on all."""
    elsewhere: tuple[str, ...] = ()
    """Files of verdicts that none of this user's own processes wrote, as far as is known now."""
    rule_checks: dict[str, RuleCheck] = field(default_factory=dict)
    """Kind of question to what the labels of a judge's certificate say of what the rules decided."""


class Summary(Struct, frozen=True, kw_only=True):
    """The figures of a run."""

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
    dry_run: bool = False
    """The contract's own model answers were scored: the figures measure no system."""
    stop_reason: dict[str, str] = field(default_factory=dict)
    """Why the run ended early, by language; empty when it did not."""
    judged_by: JudgedBy | None = None
    """Only where judges or people decided what rules left open."""
    unused_answers: int = 0
    """Recorded answers that are for no case of the dataset."""


Cause = Literal["answer", "gold", "parser", "normaliser", "scorer", "judge", "unknown"]
"""What made a case come out otherwise: one thing that differs between two runs."""


class Delta(Struct, frozen=True, kw_only=True):
    """One figure in two runs, over the cases both have: what the second gained on the first."""

    model: str
    figure: str
    """A metric, pass_rate or primary_score."""
    group: str = ""
    value: str = ""
    """The group's value; both are empty for all cases."""
    n: int
    clusters: int
    first: float | None
    second: float | None
    difference: float | None
    error: float = 0.0
    """Standard error of the difference."""
    interval: Interval | None = None
    gained: int
    """Cases with a better value in the second run."""
    lost: int
    p: float | None = None
    p_holm: float | None = None
    """Adjusted for all figures over the same set of cases that were tested."""
    test: str = ""
    detectable: float | None = None
    """Smallest true difference this many cases find in 80 of 100 times."""
    better: Literal["higher", "lower"] = "higher"
    open: int = 0
    """Of an estimate, cases drawn in both runs and not decided in both; the interval holds whatever they would be."""

    @property
    def apart(self) -> bool:
        """Whether the difference is not that of the two values: it is estimated by itself, from pairs."""
        values = (self.first, self.second, self.difference)
        if self.test != "strata" or None in values:
            return False
        return abs((self.second or 0.0) - (self.first or 0.0) - (self.difference or 0.0)) >= 0.0005


class Change(Struct, frozen=True, kw_only=True):
    """One case that came out otherwise."""

    sample_id: str
    repeat: int = 0
    model: str
    kind: Literal["broken", "fixed", "moved"]
    first_score: float
    second_score: float
    metrics: tuple[str, ...] = ()
    """Those whose value changed."""
    groups: dict[str, tuple[str, ...]] = {}
    cause: Cause
    explain: str = ""
    """Why the second run scored it as it did."""


UNLIKE = frozenset({"judging_rules", "judges", "certificates"})
"""What may make the judged figures of two runs differ besides their answers."""


class Comparison(Struct, frozen=True, kw_only=True):
    """Two runs side by side."""

    first: str
    second: str
    paired: int
    only_first: int
    only_second: int
    differs: tuple[str, ...]
    """What is not the same in both runs besides the answers: dataset, scorer, documents, prompt, partial, …"""
    other_questions: int = 0
    """Cases with the same id in both and another question: they are not paired, and counted on both sides."""
    repeats: tuple[int, int] = (1, 1)
    """How often each case was asked; where that differs, the means over a case's answers are compared."""
    altered: tuple[str, ...] = ()
    """Files, as run/file, that changed after their run had ended."""
    mock: tuple[str, ...] = ()
    """Runs that are dry runs: their answers were made of what is expected."""
    level: float = 0.95
    """Of the intervals; `detectable` is at the same."""
    models: tuple[str, ...]
    unpaired_models: tuple[str, ...] = ()
    broken: int
    fixed: int
    moved: int
    causes: dict[str, int]
    """Cause to number of cases that flipped."""
    deltas: tuple[Delta, ...]
    changes: tuple[Change, ...]
    """The first of them, broken ones before fixed ones before moved ones."""

    @property
    def judged_unlike(self) -> bool:
        """Whether judges, their certificates or the rules of judging are not those of the other run."""
        return not UNLIKE.isdisjoint(self.differs)


Outcome = Literal["PASS", "FAIL", "NOT MEASURED"]


class GateRule(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """One condition a run must meet."""

    figure: str
    """A metric, pass_rate, primary_score, coverage, cost, total_tokens, latency_ms_p50/p95/mean."""
    test: Literal["at_least", "at_most", "drop", "no_new_failures"]
    limit: float = 0.0
    group: str = ""
    value: str = ""
    proof: Literal["point", "interval"] = "point"
    """point: the figure itself must meet the limit; interval: its whole interval must."""
    unsure: Literal["not_measured", "pass", "fail", "point"] = "not_measured"
    """What follows when an interval lies on both sides of the limit."""


class Ruling(Struct, frozen=True, kw_only=True):
    """What became of one rule for one model."""

    rule: str
    model: str
    outcome: Outcome
    code: str
    """Names the sentence that says why."""
    params: dict[str, JSON] = {}


class Verdict(Struct, frozen=True, kw_only=True):
    """What a gate decided, and on which ground."""

    run_id: str
    baseline: str | None = None
    max_samples: int | None = None
    """The verdict is about the first so many cases of a dataset that may have more."""
    unreviewed_drafts: int = 0
    """Drafted questions that are not accepted."""
    outcome: Outcome
    decided_by: str
    """The rules that decided; empty when all were met."""
    rulings: tuple[Ruling, ...]


class Drift(Struct, frozen=True, kw_only=True):
    """Something about a run that is no longer as it was recorded."""

    what: str
    """dataset, documents, scorer, answers.jsonl, prompt_sha256, …"""
    code: str
    params: dict[str, JSON] = {}
    level: Literal["drift", "note"] = "drift"


class CaseDrift(Struct, frozen=True, kw_only=True):
    """One row that does not come out again as it was recorded."""

    sample_id: str
    repeat: int = 0
    model: str
    fields: tuple[str, ...]
    first_score: float | None = None
    second_score: float | None = None


class Verification(Struct, frozen=True, kw_only=True):
    """Whether a run can still be made again from its parts."""

    run_id: str
    status: Literal["identical", "drift", "partial"]
    rows: int
    rescored: int
    drifted: int
    drifts: tuple[Drift, ...]
    cases: tuple[CaseDrift, ...]
    """The first of them."""
