"""What a run is to do: which cases, which systems, under which terms."""

from collections.abc import Iterator
from itertools import islice, tee
from pathlib import Path

from msgspec import Struct, structs

from ragstone.core.interfaces import Contract, Staged, System, tables_of
from ragstone.core.language import Lang
from ragstone.core.settings import DEFAULT_TIMEOUT
from ragstone.core.types import JSON, Case, MetricSpec
from ragstone.datasets.check import load_cases
from ragstone.judging.decisions import Decisions
from ragstone.report.console import Wording
from ragstone.runs.judged.judge_order import JudgeOrder
from ragstone.runs.pipeline import Frame, Unit
from ragstone.runs.schedule import Queue


class Plan(Struct, frozen=True, kw_only=True):
    """Everything that decides what a run does; config.json holds it without its secrets."""

    run_id: str
    dataset: Path
    contract: Contract
    contract_name: str
    """How the contract was named, so that it can be found again."""
    systems: tuple[System, ...]
    system_specs: tuple[str, ...] = ()
    """How the systems were named, so that `resume` can make them again."""
    names: tuple[str, ...] = ()
    """Names of the models a dry run replaces."""
    system_options: dict[str, JSON] = {}
    system_files: dict[str, JSON] = {}
    """Files the systems are made of, with their hashes."""
    documents: Path | None = None
    options: dict[str, JSON] = {}
    lang: Lang = "en"
    reader: Lang | None = None
    """The reader's language, if it is not the run's own."""
    concurrency: int = 8
    """Requests in flight, for each system."""
    timeout: float = DEFAULT_TIMEOUT
    repeats: int = 1
    max_samples: int | None = None
    shard: str = ""
    """`2/4` when this run is the second of four parts of a larger one."""
    span: tuple[int, int] | None = None
    """Places of the first case of that part and of the first one after it."""
    mock: bool = False
    mask_private: bool = False
    links: dict[str, JSON] = {}
    """Facts about other runs this one belongs with, for run_meta.json."""
    runs_dir: Path = Path("runs")
    kept: tuple[Case, ...] | None = None
    """All cases of the dataset, when they were read before and are few."""
    decisions: Decisions | None = None
    """What judges and people decided about this run's answers, where any were asked."""
    ordered: JudgeOrder | None = None
    """The judges a stored run was given to, if any."""

    @property
    def metrics(self) -> tuple[MetricSpec, ...]:
        """What the run measures: the contract's metrics, and those that judges and people add."""
        return self.decisions.metrics(self.contract) if self.decisions else tuple(self.contract.metrics)

    @property
    def model_ids(self) -> tuple[str, ...]:
        """The names the systems go by, each once."""
        return (self.names or ("mock",)) if self.mock else tuple(system.model_id for system in self.systems)

    def cases(self) -> Iterator[Case]:
        """Stream the cases of this run."""
        first, end = self.span or (0, self.max_samples)
        return islice(load_cases(self.contract) if self.kept is None else self.kept, first, end)

    @property
    def first_unit(self) -> int:
        """The number of the first thing to be asked; a part of a run keeps the numbers of the whole."""
        return self.span[0] * len(self.model_ids) * self.repeats if self.span else 0

    def units(self) -> Iterator[Unit]:
        """Stream what is to be asked: case by case, each system, each repeat."""
        number = self.first_unit
        for case in self.cases():
            for system in range(len(self.model_ids)):
                for repeat in range(self.repeats):
                    yield Unit(number, case, system, repeat)
                    number += 1

    def queues(self) -> list[Queue]:
        """Return the same units as streams that can be worked on apart: one a system."""
        if isinstance(self.contract, Staged):
            return self._staged_queues(self.contract.size)
        if len(self.systems) < 2:
            return [Queue(self.units(), self.concurrency, self.model_ids[0])]
        streams = tee(self.cases(), len(self.systems))
        return [
            Queue(self._queue(system, cases), self.concurrency, self.model_ids[system])
            for system, cases in enumerate(streams)
        ]

    def _staged_queues(self, size: int) -> list[Queue]:
        """Return the first step's units of each model: one worker does all steps of a case."""
        firsts = range(0, len(self.model_ids), size)
        streams = tee(self.cases(), len(firsts))
        return [
            Queue(self._queue(first, cases), self.concurrency, self.model_ids[first])
            for first, cases in zip(firsts, streams, strict=True)
        ]

    def _queue(self, system: int, cases: Iterator[Case]) -> Iterator[Unit]:
        for place, case in enumerate(cases, self.span[0] if self.span else 0):
            first = (place * len(self.model_ids) + system) * self.repeats
            for repeat in range(self.repeats):
                yield Unit(first + repeat, case, system, repeat)

    def frame(self) -> Frame:
        """Return what all rows have in common."""
        names, contract = self.model_ids, self.contract
        stages = tuple(contract.stage(name) for name in names) if isinstance(contract, Staged) else ()
        return Frame(run_id=self.run_id, lang=self.lang, model_ids=names, stages=stages, decisions=self.decisions)

    @property
    def voice(self) -> Lang:
        """The language of messages to observers; files are in the run's own."""
        return self.reader or self.lang

    def spoken(self) -> Wording:
        """Return the wording of results for observers."""
        words = self.wording()
        return structs.replace(words, lang=self.voice, retold=bool(words.phrases) and self.voice != self.lang)

    def wording(self) -> Wording:
        """Return what is needed to put the results into words."""
        contract, many = self.contract, len(self.model_ids) > 1
        staged = isinstance(contract, Staged)
        metrics, tables = self.metrics, tables_of(contract)
        names = () if staged else self.model_ids
        return Wording(metrics, contract.phrases, self.lang, many, self.mask_private, staged, tables, models=names)
