"""Recorded answers judged in shards, wherever an engine works: the same bytes whatever the engine, in the same order.

A shard is some consecutive cases and where their answers stand in the journal. Of a plain JSONL dataset it names
bytes, so that little travels; of any other it carries the cases themselves. Dataset and run lie on a path that all
workers share.
"""

import pickle
import threading
from array import array
from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import msgspec
from msgspec import Struct

from ragstone.core.errors import RunError, SettingError
from ragstone.core.files.random_access import line_at
from ragstone.core.interfaces import Contract, Engine, Shard, Staged, Work
from ragstone.core.language import Lang
from ragstone.core.types import JSON, Answer, Case, Result
from ragstone.datasets.check import load_cases, open_contract
from ragstone.datasets.formats import form_of
from ragstone.datasets.rows import Part, only, parts
from ragstone.runs.judged.files import load_decisions
from ragstone.runs.pipeline import Frame, Unit, judge
from ragstone.runs.plan import Plan
from ragstone.runs.reopen import Answers, score_again
from ragstone.runs.store.codec import decoder, encode, read_plain
from ragstone.runs.store.describe import scorer_sha256
from ragstone.runs.store.folder import RunFolder
from ragstone.runs.store.journal import AnswerJournal, line_of, read_entry
from ragstone.runs.store.seal import is_file

SIZE = 500
"""Cases of one shard."""
WIDTH = 4 << 20
"""Bytes of a dataset in one shard, when its cases are large."""
_RESULT = decoder(Result)


class Slice(NamedTuple):
    """One of several parts of a run."""

    number: int
    of: int
    span: tuple[int, int]
    """Places of its first case and of the first one after it."""


def part_of(shard: str, cases: int) -> Slice:
    """Read `2/4`: the second of four parts of so many cases, whole and next to each other; nothing is the whole.

    >>> part_of("2/4", 10).span
    (2, 5)
    """
    if not shard:
        return Slice(1, 1, (0, cases))
    number, slash, of = shard.partition("/")
    if not (slash and _is_number(number) and _is_number(of) and 1 <= int(number) <= int(of)):
        raise SettingError("shard.spec", shard=shard)
    i, n = int(number), int(of)
    if n > cases > 1:
        raise SettingError("shard.many", shard=shard, cases=cases)
    return Slice(i, n, (cases * (i - 1) // n, cases * i // n))


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 7


class Setup(Struct, frozen=True, kw_only=True):
    """What all shards of a run have in common; a worker opens it once."""

    folder: str
    dataset: str
    contract: str
    scorer: str
    documents: str | None
    options: dict[str, JSON]
    run_id: str
    lang: Lang
    model_ids: tuple[str, ...]
    repeats: int
    sure: bool
    """Answers stand under the numbers of their units; if not, they are looked for by case."""
    keep: bool
    """Lines for a new journal are wanted too."""
    decided: str = ""
    """Folder of the run whose judges and people decided; empty if none did."""
    frame: str = ""
    """What its labels must be drawn from to make an estimate."""


class Bundle(Struct, frozen=True, array_like=True):
    """One shard: which cases, and where each unit's answer begins in the journal (-1: nowhere)."""

    first: int
    """Place of the first case in the dataset."""
    offsets: bytes
    part: tuple[int, ...] = ()
    cases: bytes = b""


class Reply(Struct, frozen=True, array_like=True):
    """What a shard comes to, unit by unit; units without an answer are left out."""

    numbers: list[int]
    rows: list[bytes]
    entries: list[bytes]


class Judged(NamedTuple):
    """One unit's row, and the line a new journal would hold for it."""

    number: int
    row: bytes
    result: Result
    entry: bytes = b""


def judge_again(plan: Plan, answers: Answers, engine: Engine | None = None, *, keep: bool = False) -> Iterator[Judged]:
    """Judge every recorded answer of a run in the order of the dataset, here or with an engine."""
    if engine is not None:
        yield from _with_engine(plan, answers.folder.path, answers.journal, engine, sure=False, keep=keep)
        return
    for unit, answer, result in score_again(plan, answers):
        entry = line_of(unit.number, unit.case.id, answer) if keep else b""
        yield Judged(unit.number, encode(result), result, entry)


def judge_journal(
    plan: Plan, folder: Path, journal: AnswerJournal, engine: Engine, halted: Callable[[], bool]
) -> Iterator[Judged]:
    """Judge what a run's own journal holds; end early when `halted` says so."""
    for judged in _with_engine(plan, folder, journal, engine, sure=True, keep=False):
        if halted():
            return
        yield judged


def _with_engine(
    plan: Plan, folder: Path, journal: AnswerJournal, engine: Engine, *, sure: bool, keep: bool
) -> Iterator[Judged]:
    work = Work("ragstone.runs.shards:judge_shard", encode(_setup(plan, folder, sure=sure, keep=keep)))
    for content in engine.run(work, _shards(plan, journal)):
        reply = _REPLY(content)
        entries = reply.entries or [b""] * len(reply.rows)
        for number, row, entry in zip(reply.numbers, reply.rows, entries, strict=True):
            yield Judged(number, row, _RESULT(row), entry)


def _setup(plan: Plan, folder: Path, *, sure: bool, keep: bool) -> Setup:
    # Workers may stand elsewhere: a path is only good when it is whole.
    options = {
        name: str(Path(v).resolve()) if isinstance(v, str) and is_file(v) else v for name, v in plan.options.items()
    }
    return Setup(
        folder=str(folder.resolve()),
        dataset=str(plan.dataset.resolve()),
        contract=plan.contract_name,
        scorer=scorer_sha256(plan.contract),
        documents=str(plan.documents.resolve()) if plan.documents else None,
        options=options,
        run_id=plan.run_id,
        lang=plan.lang,
        model_ids=plan.model_ids,
        repeats=plan.repeats,
        sure=sure,
        keep=keep,
        decided=str(folder.resolve()) if plan.decisions else "",
        frame=plan.decisions.terms.frame if plan.decisions else "",
    )


def _shards(plan: Plan, journal: AnswerJournal) -> Iterator[Shard]:
    step = len(plan.model_ids) * plan.repeats
    for first, size, part, cases in _cuts(plan):
        offsets = journal.offsets(first * step, (first + size) * step).tobytes()
        name = f"cases {first + 1}-{first + size}"
        yield Shard(name, _PACK(Bundle(first, offsets, part, cases)))


class _Cut(NamedTuple):
    first: int
    size: int
    part: tuple[int, ...] = ()
    cases: bytes = b""


def _cuts(plan: Plan) -> Iterator[_Cut]:
    first, end = plan.span or (0, plan.max_samples)
    if getattr(plan.contract, "by_rows", False) and form_of(plan.dataset).plain:
        most = None if end is None else end - first
        for part in parts(plan.dataset, SIZE, skip=first, most=most, width=WIDTH):
            yield _Cut(part.rows, part.size, tuple(part))
        return
    cases = islice(load_cases(plan.contract), first, end)
    while batch := list(islice(cases, SIZE)):
        yield _Cut(first, len(batch), cases=pickle.dumps(batch, pickle.HIGHEST_PROTOCOL))
        first += len(batch)


def judge_shard(setup: bytes, content: bytes) -> bytes:
    """Judge one shard; this is what workers call."""
    bench, bundle = _bench(setup), _BUNDLE(content)
    numbers, rows, entries = [], [], []
    for unit, answer in bench.answered(bundle):
        result = judge(bench.contract, unit, answer, bench.frame)
        numbers.append(unit.number)
        rows.append(encode(result))
        if bench.setup.keep:
            entries.append(line_of(unit.number, unit.case.id, answer))
    return _PACK(Reply(numbers, rows, entries))


@lru_cache(maxsize=2)
def _bench(setup: bytes) -> "_Bench":
    return _Bench(msgspec.json.decode(setup, type=Setup))


class _Bench:
    """What a worker has open for one run."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.path = Path(setup.dataset)
        journal = Path(setup.folder) / "answers.jsonl"
        for path in (self.path, journal):
            if not path.exists():
                raise RunError("engine.path", file=str(path), problem="no such file or folder")
        self.contract = self._open()
        self.frame = _frame(self.contract, setup)
        self._lock = threading.Lock()
        self._answers: Answers | None = None
        self._journal = read_plain(journal)

    def _open(self) -> Contract:
        setup = self.setup
        documents = Path(setup.documents) if setup.documents else None
        contract = open_contract(self.path, name=setup.contract, documents=documents, options=setup.options)
        theirs = scorer_sha256(contract)
        if theirs != setup.scorer:
            raise RunError("engine.version", theirs=theirs[:12], ours=setup.scorer[:12])
        return contract

    def __del__(self) -> None:
        if hasattr(self, "_journal"):
            self._journal.close()

    def cases(self, bundle: Bundle) -> list[Case]:
        """Return the cases of a shard."""
        if not bundle.part:
            # Written by the process that asked for this work.
            return list(pickle.loads(bundle.cases))  # noqa: S301
        with only(self.path, Part(*bundle.part)):
            return list(load_cases(self.contract))

    def answered(self, bundle: Bundle) -> Iterator[tuple[Unit, Answer]]:
        """Yield the units of a shard that have an answer."""
        setup, offsets = self.setup, array("q", bundle.offsets)
        at, number = 0, bundle.first * len(setup.model_ids) * setup.repeats
        for case in self.cases(bundle):
            for system in range(len(setup.model_ids)):
                for repeat in range(setup.repeats):
                    answer = self._find(offsets[at] if at < len(offsets) else -1, case.id, system, repeat)
                    if answer is not None:
                        yield Unit(number, case, system, repeat), answer
                    at, number = at + 1, number + 1

    def _find(self, offset: int, case_id: str, system: int, repeat: int) -> Answer | None:
        """Return an answer: from its place, or wherever its case stood when it was recorded."""
        try:
            entry = read_entry(line_at(self._journal.fileno(), offset)) if offset >= 0 else None
        except (msgspec.DecodeError, ValueError) as error:
            file, run = self._journal.name, self.setup.folder
            raise RunError("run.journal", file=file, line=f"@{offset}", problem=str(error), run=run) from error
        if entry is not None and entry.id == case_id:
            return entry.answer
        if self.setup.sure:
            return None
        with self._lock:
            if self._answers is None:
                self._answers = Answers(RunFolder(Path(self.setup.folder)))
            return self._answers.of(case_id, system, repeat)


def _frame(contract: Contract, setup: Setup) -> Frame:
    names = setup.model_ids
    stages = tuple(contract.stage(name) for name in names) if isinstance(contract, Staged) else ()
    decisions = known.framed(setup.frame) if setup.decided and (known := load_decisions(Path(setup.decided))) else None
    return Frame(run_id=setup.run_id, lang=setup.lang, model_ids=names, stages=stages, decisions=decisions)


_PACK = msgspec.msgpack.Encoder().encode
_BUNDLE = msgspec.msgpack.Decoder(Bundle).decode
_REPLY = msgspec.msgpack.Decoder(Reply).decode
