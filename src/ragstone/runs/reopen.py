"""Reopens a stored run, so that its answers can be scored again; nothing here can make a call."""

from collections.abc import Iterator, Mapping
from contextlib import closing, suppress
from pathlib import Path
from types import TracebackType
from typing import NamedTuple, Self

import msgspec
from msgspec import structs

from ragstone.core.errors import DatasetError, RunError, UserError
from ragstone.core.interfaces import Contract, Staged
from ragstone.core.language import Lang, Text, pick_language
from ragstone.core.registry import contract_type
from ragstone.core.types import JSON, Answer, MetricSpec, Request, Result
from ragstone.datasets.check import open_contract
from ragstone.datasets.glossary import with_content
from ragstone.datasets.key_index import KeyTable
from ragstone.report.console import Wording
from ragstone.runs.judged.files import load_decisions, read_judging
from ragstone.runs.judged.judge_order import read_order
from ragstone.runs.pipeline import Unit, judge
from ragstone.runs.plan import Plan
from ragstone.runs.store.admission import OWN, Guard, Inputs
from ragstone.runs.store.folder import RunFolder
from ragstone.runs.store.journal import AnswerJournal
from ragstone.runs.store.seal import SOURCES, altered


class Silent:
    """Stands for a system that was asked once: it has its name, and no answers but the recorded ones."""

    def __init__(self, model_id: str, identity: Mapping[str, JSON]) -> None:
        self.model_id = model_id
        self._identity = identity

    def identity(self) -> Mapping[str, JSON]:
        """Describe the system as it was recorded."""
        return self._identity

    async def ask(self, request: Request) -> Answer:
        """Refuse: recorded answers are looked up, never asked for."""
        raise RunError("run.silent", model=self.model_id, id=request.id)

    async def close(self) -> None:
        """Nothing is held."""


def plan_of(
    folder: RunFolder,
    *,
    guard: Guard = OWN,
    dataset: Path | None = None,
    contract: str | None = None,
    options: Mapping[str, JSON] | None = None,
) -> Plan:
    """Make the plan of a stored run again, without its systems; what is named replaces what was recorded.

    What was recorded is opened as far as the guard lets it.
    """
    meta, config = folder.meta(), folder.read("config.json")
    named = inputs_of(folder, dataset=dataset, contract=contract, options=options)
    path, name, documents, given, _ = guard.inputs(folder, named)
    models = folder.read("model_snapshot.json")["models"]
    return Plan(
        run_id=meta["run_id"],
        dataset=path,
        contract=_opened(folder, path, name, documents, given),
        contract_name=name,
        systems=() if config["mock"] else tuple(Silent(model, models[model]) for model in models),
        system_specs=tuple(config["systems"]),
        system_options=config["system_options"],
        system_files=folder.read("model_snapshot.json").get("files") or {},
        names=tuple(config.get("names", ())),
        documents=documents,
        options=with_content(given),
        lang=pick_language(config["language"]),
        mask_private=bool(config.get("mask_private")),
        concurrency=config["concurrency"],
        timeout=config["timeout"],
        repeats=config["repeats"],
        max_samples=config["max_samples"],
        shard=config.get("shard", ""),
        span=tuple(config["span"]) if config.get("span") else None,
        mock=config["mock"],
        decisions=load_decisions(folder.path),
        ordered=read_order(folder, meta),
    )


def inputs_of(
    folder: RunFolder,
    *,
    dataset: Path | None = None,
    contract: str | None = None,
    options: Mapping[str, JSON] | None = None,
) -> Inputs:
    """Return what a run names that its scores are made from, and what the user names instead."""
    config: Mapping[str, JSON] = folder.read("config.json")
    said = {"dataset": dataset, "contract": contract, **(options or {})}
    return Inputs(
        dataset=dataset or _dataset(folder, config),
        contract=contract or config["contract"],
        documents=placed(folder, config["documents"]) if config["documents"] else None,
        options={**config["options"], **(options or {})},
        given=frozenset(name for name, value in said.items() if value is not None),
    )


def misplaced(plan: Plan, journal: AnswerJournal) -> Iterator[int]:
    """Yield the units of a journal whose case is not the dataset's, or whose case the dataset does not have."""
    end = plan.first_unit
    for unit in plan.units():
        end = unit.number + 1
        if (entry := journal.entry(unit.number)) is not None and entry.id != unit.case.id:
            yield unit.number
    yield from [unit for unit in journal.units() if unit >= end]


def _dataset(folder: RunFolder, config: Mapping[str, JSON]) -> Path:
    """Return where the dataset is: where it was, or inside the run's folder when that has been moved with it."""
    path = placed(folder, config["dataset"])
    inside = folder.path / path.name
    return inside if not path.exists() and inside.is_file() else path


def placed(folder: RunFolder, recorded: str) -> Path:
    """Return a path that a run recorded: from the current folder, else from the one that the folder of runs lies in."""
    path = Path(recorded)
    beside = home_of(folder) / path
    return beside if not path.exists() and beside.exists() else path


def home_of(folder: RunFolder) -> Path:
    """Return the folder in which the folder of runs lies."""
    return folder.path.resolve().parent.parent


def _opened(folder: RunFolder, path: Path, name: str, documents: Path | None, given: dict[str, JSON]) -> Contract:
    """Open the dataset of a run; where it is not there, say where it was looked for."""
    try:
        return open_contract(path, name=name, documents=documents, options=given)
    except DatasetError as error:
        if error.code != "dataset.missing" or path.is_absolute():
            raise
        here, beside = str(Path.cwd()), str(home_of(folder))
        raise DatasetError("run.no_dataset", run=str(folder.path), file=str(path), here=here, beside=beside) from None


def specs_of(folder: RunFolder) -> list[MetricSpec]:
    """Return the metrics a run declared, and those its judges and people added."""
    judging = read_judging(folder.path)
    return msgspec.convert(folder.read("config.json")["metrics"], list[MetricSpec]) + (
        judging.metrics if judging else []
    )


def is_masked(folder: RunFolder) -> bool:
    """Return whether what is private in a run is hidden from its readers."""
    return bool(folder.read("config.json").get("mask_private"))


def wording_of(folder: RunFolder, lang: Lang | None = None, *, mask: bool = False, many: bool = False) -> Wording:
    """Return what puts a stored run's results into words, in its own language unless another one is named."""
    config = folder.read("config.json")
    own, kind = pick_language(config["language"]), None
    with suppress(UserError):  # a plug-in that is gone, or code from elsewhere: what is on record can still be read
        kind = contract_type(OWN.code(folder, config["contract"]))
    phrases: Mapping[str, Text] = getattr(kind, "phrases", {})
    return Wording(
        metrics=tuple(specs_of(folder)),
        phrases=phrases,
        lang=lang or own,
        many_models=many or len(model_names(folder)) > 1,
        models=() if hasattr(kind, "step_names") else tuple(model_names(folder)),
        mask=mask or is_masked(folder),
        tables=getattr(kind, "tables", {}),
        retold=bool(phrases) and lang is not None and lang != own,
    )


def model_names(folder: RunFolder) -> list[str]:
    """Return the models a run asked, in their order."""
    return list(folder.read("model_snapshot.json")["models"])


class Answers:
    """The recorded answers of a run, by case, system and repeat; the dataset may have been reordered since."""

    def __init__(self, folder: RunFolder) -> None:
        self._step = len(model_names(folder)) * int(folder.read("config.json")["repeats"])
        self._repeats = int(folder.read("config.json")["repeats"])
        self.folder = folder
        self.journal = folder.journal(read_only=True)
        self._places: KeyTable | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.journal.close()
        if self._places:
            self._places.close()

    def find(self, unit: Unit) -> Answer | None:
        """Return the answer recorded for a unit's case, wherever that case stands now."""
        entry = self.journal.entry(unit.number)
        if entry is None or entry.id != unit.case.id:
            return self.of(unit.case.id, unit.system, unit.repeat)
        return entry.answer

    def of(self, case_id: str, system: int, repeat: int) -> Answer | None:
        """Return the answer recorded under a case's id."""
        base = self._table().find(case_id)
        if base is None:
            return None
        return self.journal.find(base * self._step + system * self._repeats + repeat)

    def _table(self) -> KeyTable:
        """Index once at which place of the old order each case stood."""
        if self._places is None:
            self._places = KeyTable()
            for unit in self.journal.units():
                if (case_id := self.journal.id_of(unit)) is not None:
                    self._places.add(case_id, unit // self._step)
        return self._places


def take_over(plan: Plan, folder: RunFolder, source: RunFolder) -> int:
    """Copy answers of another run into a new run's journal where the same request goes to the same system.

    Returns how many; answers that failed are asked for again, and so are the steps of a workflow.
    """
    if plan.mock or isinstance(plan.contract, Staged):
        return 0
    if files := altered(source, SOURCES):
        raise RunError("run.altered", run=str(source.path), files=files)
    before = plan_of(source)
    with Answers(source) as answers:
        found = {_key(before, unit): answer for unit in before.units() if (answer := answers.find(unit))}
    with closing(folder.journal()) as journal:
        for unit in plan.units():
            answer = found.get(_key(plan, unit))
            if answer is not None and answer.failure is None:
                journal.append(unit.number, unit.case.id, structs.replace(answer, cached=True, attempts=0))
        return len(journal)


def _key(plan: Plan, unit: Unit) -> tuple[str, int, bytes]:
    """Return what was asked of which system, without the case's id."""
    request = structs.replace(plan.contract.request(unit.case), id="", repeat=0)
    return plan.model_ids[unit.system], unit.repeat, msgspec.json.encode(request)


class Scored(NamedTuple):
    """One unit and what its recorded answer is worth now."""

    unit: Unit
    answer: Answer
    result: Result


def score_again(plan: Plan, answers: Answers) -> Iterator[Scored]:
    """Score every recorded answer in the order of the dataset; cases without an answer are passed over."""
    frame = plan.frame()
    for unit in plan.units():
        answer = answers.find(unit)
        if answer is not None:
            yield Scored(unit, answer, judge(plan.contract, unit, answer, frame))
