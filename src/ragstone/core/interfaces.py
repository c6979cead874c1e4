"""The two extension points of Ragstone: Contract and System.

Both fit on one screen. `docs/plugins.md` shows a complete example of each.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Protocol, runtime_checkable

from msgspec import Struct

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


class Source(Struct, frozen=True, kw_only=True):
    """Where a contract finds its cases, and what lies beside them."""

    path: Path
    """The dataset: a file or a folder."""
    documents: Path | None = None
    """Folder of the documents the answers should rest on, when at hand."""
    options: dict[str, JSON] = {}
    """Whatever else the contract needs (a task file, a prompt), by name."""
    first: JSON = None
    """The first row of the dataset, so that a contract can recognise its own."""


@runtime_checkable
class Contract(Protocol):
    """What is asked, how an answer is read, and what it is worth.

    A contract is made from a `Source`; it knows no system, no run folder and no report. One whose rows come from
    `read_rows`, each of them a case, may say so with `by_rows = True`: its dataset can then be cut without reading it.
    """

    name: str
    task_name: str
    """What the rows call it: the contract's name, or the task's where a contract holds many."""
    scorer_version: str
    """Changes whenever any score could change."""
    prompt_version: str | None
    metrics: Sequence[MetricSpec]
    phrases: Mapping[str, Text]
    """Reason code to sentence."""

    def terms(self) -> Mapping[str, JSON]:
        """Return what a run must record to be repeated: thresholds, weights, prompt_sha256."""
        ...

    def load(self) -> Iterator[Case | Finding]:
        """Stream the cases in file order, and a finding of level error for each row that is none."""
        ...

    def check(self, case: Case) -> Iterator[Finding]:
        """Return what looks wrong about a case before anything is spent on it."""
        ...

    def request(self, case: Case) -> Request:
        """Return what to send."""
        ...

    def read(self, case: Case, answer: Answer) -> Reading:
        """Understand an answer; never raises on what a system may send."""
        ...

    def score(self, case: Case, reading: Reading) -> Scorecard:
        """Judge a reading; all numbers 0..1 (an `error` metric: 0 and up), never NaN."""
        ...

    def model_answer(self, case: Case) -> Answer:
        """Return a perfect answer."""
        ...


@runtime_checkable
class Decidable(Protocol):
    """What a contract has besides, when judges and people may decide what its rules leave open."""

    judged: Sequence[str]
    """The metrics their verdicts are for."""

    def asked(self, case: Case, reading: Reading, card: Scorecard) -> Sequence[tuple[Question, RuleVerdict]]:
        """Return the closed questions a scorecard rests on, each with what the rules made of it."""
        ...

    def decide(
        self, case: Case, reading: Reading, card: Scorecard, verdicts: Sequence[RuleVerdict]
    ) -> dict[str, float | None]:
        """Return those metrics by other verdicts on the same questions; what is open counts as no."""
        ...


class Stage(Struct, frozen=True):
    """One step of a case that is asked in steps: who judges it, and under which names."""

    model_id: str
    step_id: str
    contract: Contract


def tables_of(contract: Contract) -> Mapping[str, Text]:
    """Return the tables a contract wants counted, if any: a name in `Scorecard.details` to its title.

    Each case's detail of that name is the cell it belongs to; the phrase `<name>.<cell>` labels the cell.
    """
    tables: Mapping[str, Text] = getattr(contract, "tables", {})
    return tables


@runtime_checkable
class Recogniser(Protocol):
    """Recognises the datasets of a contract."""

    options: frozenset[str]
    """The names in `Source.options` the contract understands; others are refused."""

    @staticmethod
    def recognises(source: Source) -> bool:
        """Return whether a dataset looks like one of this contract's."""
        ...


@runtime_checkable
class ContractType(Recogniser, Protocol):
    """The class of a contract: can say whether a dataset is its own, and open it."""

    def __call__(self, source: Source) -> Contract:
        """Open a dataset."""
        ...


@runtime_checkable
class System(Protocol):
    """Something that can be asked. It never learns what is measured."""

    model_id: str

    def identity(self) -> Mapping[str, JSON]:
        """Describe it, without secrets, well enough to be recognised and repeated."""
        ...

    async def ask(self, request: Request) -> Answer:
        """Answer a request. What it raises becomes a failed case, never a failed run."""
        ...

    async def close(self) -> None:
        """Release its resources."""
        ...


@runtime_checkable
class Staged(Protocol):
    """What a contract has besides, when its cases are asked in steps, each with rows of its own."""

    size: int
    """Steps of one model, among them the way from end to end."""

    def step_names(self, models: Sequence[str]) -> tuple[str, ...]:
        """Name model and step of each row a run that asks these models has."""
        ...

    def stage(self, name: str) -> Stage:
        """Return the step a name refers to."""
        ...

    def systems(self, models: Sequence[System], connect: Callable[[str], System]) -> tuple[System, ...]:
        """Return what each step asks; `connect` makes the models that steps name themselves."""
        ...


class Connect(Protocol):
    """How a system is made: `builtin:docs/` calls connect("docs/", {})."""

    def __call__(self, argument: str, options: Mapping[str, JSON]) -> System:
        """Build the system, or raise ConnectError."""
        ...


class Work(Struct, frozen=True):
    """What is to be done with shards: a function by its name, and what all shards have in common."""

    target: str
    """`module:function`, called as function(setup, content) wherever the engine works; gives bytes back."""
    setup: bytes


class Shard(Struct, frozen=True):
    """A piece of work that may be done anywhere, and twice, and gives the same bytes."""

    name: str
    """What it is called when something goes wrong with it."""
    content: bytes


@runtime_checkable
class Engine(Protocol):
    """Where shards are worked on. It never learns what is in them."""

    name: str

    def run(self, work: Work, shards: Iterable[Shard]) -> Iterator[bytes]:
        """Do the shards, a bounded number at once, and yield what each comes to, in their order.

        A shard whose worker dies is tried again a few times, and then refused by its name.
        """
        ...

    def close(self) -> None:
        """Release its resources."""
        ...


class ConnectEngine(Protocol):
    """How an engine is made: `process:4` calls connect("4"), `dask://host:8786` connect("//host:8786")."""

    def __call__(self, argument: str) -> Engine:
        """Start or reach the engine, or raise SettingError."""
        ...


class Journal(Protocol):
    """Where finished answers are kept, each under the number of its unit of work."""

    def find(self, unit: int) -> Answer | None:
        """Return the recorded answer of a unit."""
        ...

    def append(self, unit: int, case_id: str, answer: Answer) -> None:
        """Write an answer to disk before it is used."""
        ...
