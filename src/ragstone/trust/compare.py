"""Compares two stored runs: what differs over their common cases, and why each changed case did."""

from collections import Counter, deque
from collections.abc import Collection, Iterator, Mapping
from functools import lru_cache
from itertools import islice
from pathlib import Path
from threading import Lock
from typing import NamedTuple

import msgspec
from msgspec import structs

from ragstone.core.errors import RunError
from ragstone.core.interfaces import Engine, Shard, Work
from ragstone.core.types import JSON, Cause, Change, Comparison, MetricSpec, Result
from ragstone.runs.judged.files import read_judging
from ragstone.runs.reopen import model_names, specs_of
from ragstone.runs.store.admission import OWN, TRUSTING, Guard
from ragstone.runs.store.codec import decoder, encode
from ragstone.runs.store.folder import RunFolder
from ragstone.runs.store.seal import altered
from ragstone.statistics.intervals import LEVEL
from ragstone.trust.attribution import Attribution
from ragstone.trust.differences import SAME, Card, PairTally, card_of
from ragstone.trust.pairs import Pair, Pairs, label

PAIRS = 100
"""Changes whose causes are looked for in one shard."""
MOST_CHANGES = 200
"""Changed cases of each kind that are listed; all of them are counted."""
_RESULT = decoder(Result)
_ORDER = ("broken", "fixed", "moved")


def compare(
    first: RunFolder,
    second: RunFolder,
    *,
    cluster: str = "",
    level: float = LEVEL,
    attribute: bool = True,
    engine: Engine | None = None,
    most: int = MOST_CHANGES,
    guard: Guard = OWN,
) -> Comparison:
    """Compare two stored runs case by case; `second` is the newer one. An engine looks for the causes elsewhere.

    Of the cases that broke, were fixed or moved, `most` of each are listed.
    """
    require_two(first, second)
    pairs = Pairs(first, second)
    if not pairs.models:
        params = {"first": ", ".join(model_names(first)), "second": ", ".join(model_names(second))}
        raise RunError("compare.models", **params)
    specs = _common(specs_of(first), specs_of(second))
    tally = PairTally(specs, cluster=cluster, level=level, averaged=pairs.whole)
    with Attribution(first, second, guard) as reasons:
        changes = _Changes({spec.name for spec in specs_of(first)} ^ {spec.name for spec in specs_of(second)}, most)
        groups: set[str] = set()

        def changed() -> Iterator[_Changed]:
            for pair in pairs:
                row, before, after = pair.seconds[0], card_of(pair.firsts), card_of(pair.seconds)
                name = label(pair.firsts[0].model_step, row.model_step)
                tally.add(name, row, before, after)
                groups.update(row.groups)
                if (one := changes.note(name, pair, before, after)) is not None:
                    yield one

        for one, cause in _caused(changed(), reasons if attribute else None, engine):
            changes.settle(one, cause)
        differs = (*differs_in(reasons), *_of_cases(pairs))
    if not pairs.paired:
        raise RunError("compare.nothing", first=str(first.path), second=str(second.path))
    if cluster and cluster not in groups:
        raise RunError("group.unknown", names=[cluster], known=sorted(groups) or ["–"])
    return Comparison(
        first=str(first.meta()["run_id"]),
        second=str(second.meta()["run_id"]),
        paired=pairs.paired,
        only_first=pairs.only_first,
        only_second=pairs.only_second,
        differs=differs,
        other_questions=pairs.other_questions,
        repeats=pairs.repeats,
        altered=tuple(f"{run.path.name}/{name}" for run in (first, second) for name in altered(run)),
        mock=tuple(str(run.meta()["run_id"]) for run in (first, second) if run.read("config.json").get("mock")),
        level=level,
        models=pairs.models,
        unpaired_models=_unpaired(first, second, pairs),
        broken=changes.counts["broken"],
        fixed=changes.counts["fixed"],
        moved=changes.counts["moved"],
        causes=dict(sorted(changes.causes.items())),
        deltas=tally.deltas(),
        changes=changes.listed(),
    )


def require_two(first: RunFolder, second: RunFolder) -> None:
    """Refuse a run beside itself or a copy of itself: nothing could ever differ, and every gate would pass."""
    before, after = first.meta(), second.meta()
    copied = all(before.get(name) == after.get(name) for name in ("run_id", "created", "results_digest"))
    if copied or first.path.resolve() == second.path.resolve():
        raise RunError("compare.same", run=str(second.path))


def _common(first: list[MetricSpec], second: list[MetricSpec]) -> list[MetricSpec]:
    """Return the metrics both runs have, as the second declares them."""
    names = {spec.name for spec in first}
    return [spec for spec in second if spec.name in names]


def _unpaired(first: RunFolder, second: RunFolder, pairs: Pairs) -> tuple[str, ...]:
    if any("→" in model for model in pairs.models):
        return ()
    every = {*model_names(first), *model_names(second)}
    return tuple(sorted(every - set(pairs.models)))


def differs_in(reasons: Attribution) -> tuple[str, ...]:
    """Return what besides the answers is not the same."""
    first, second = reasons.first, reasons.second
    found = ["dataset"] if first.fingerprint.get("sha256") != second.fingerprint.get("sha256") else []
    found += ["documents"] if reasons.gold_differs and not found else []
    found += ["scorer"] if reasons.code_differs else []
    found += ["glossary"] if first.meta.get("glossary_sha256") != second.meta.get("glossary_sha256") else []
    found += ["prompt"] if first.meta.get("prompt_sha256") != second.meta.get("prompt_sha256") else []
    found += ["prompt_unversioned"] if _changed_silently(first.meta, second.meta) else []
    found += ["contract"] if first.meta.get("contract") != second.meta.get("contract") else []
    found += _judged_unlike(first.folder, second.folder)
    statuses = {first.meta.get("status"), second.meta.get("status")}
    return tuple(found + (["partial"] if statuses != {"complete"} else []))


def _judged_unlike(first: RunFolder, second: RunFolder) -> Iterator[str]:
    """Return what is not the same about the judges of two runs."""
    before, after = read_judging(first.path), read_judging(second.path)
    if before is not None and after is not None:
        yield from before.terms.unlike(after.terms)


def _of_cases(pairs: Pairs) -> Iterator[str]:
    """Return what is not the same about the cases themselves."""
    if pairs.other_questions:
        yield "questions"
    if pairs.whole:
        yield "repeats"


def _changed_silently(first: Mapping[str, JSON], second: Mapping[str, JSON]) -> bool:
    """Return whether a prompt was changed and its version left as it was."""
    changed = first.get("prompt_sha256") != second.get("prompt_sha256")
    version = first.get("prompt_version")
    return changed and version is not None and version == second.get("prompt_version")


class _Changed(NamedTuple):
    """A pair that came out otherwise, and what is listed of it, when it is."""

    pair: Pair
    kind: str
    change: Change | None


def _caused(
    changed: Iterator[_Changed], reasons: Attribution | None, engine: Engine | None
) -> Iterator[tuple[_Changed, Cause]]:
    """Set a cause beside each change, in their order."""
    if reasons is None:
        yield from ((one, "unknown") for one in changed)
    elif engine is None:
        yield from ((one, reasons.cause(one.pair.first, one.pair.second)) for one in changed)
    else:
        yield from _caused_by_engine(changed, reasons, engine)


def _caused_by_engine(
    changed: Iterator[_Changed], reasons: Attribution, engine: Engine
) -> Iterator[tuple[_Changed, Cause]]:
    waiting: deque[list[_Changed]] = deque()

    def shards() -> Iterator[Shard]:
        number = 0
        while batch := list(islice(changed, PAIRS)):
            waiting.append(batch)
            rows = [(encode(one.pair.first), encode(one.pair.second)) for one in batch]
            yield Shard(f"changes {number + 1}-{number + len(batch)}", msgspec.msgpack.encode(rows))
            number += len(batch)

    folders = reasons.first.folder.path, reasons.second.folder.path
    setup = encode([*(str(path.resolve()) for path in folders), reasons.today()])
    for content in engine.run(Work("ragstone.trust.compare:attribute_shard", setup), shards()):
        causes = msgspec.msgpack.decode(content, type=list[Cause])
        yield from zip(waiting.popleft(), causes, strict=True)


def attribute_shard(setup: bytes, content: bytes) -> bytes:
    """Name the causes of some changes; this is what workers call."""
    reasons = _opened(setup)
    pairs = msgspec.msgpack.decode(content, type=list[tuple[bytes, bytes]])
    with _LOCK:
        return msgspec.msgpack.encode([reasons.cause(_RESULT(first), _RESULT(second)) for first, second in pairs])


@lru_cache(maxsize=2)
def _opened(setup: bytes) -> Attribution:
    first, second, ours = msgspec.json.decode(setup, type=tuple[str, str, str])
    for path in (first, second):
        if not Path(path).is_dir():
            raise RunError("engine.path", file=path, problem="no such folder")
    # Whoever sent this work has opened the runs; where nothing could be opened, nothing is here.
    reasons = Attribution(RunFolder(Path(first)), RunFolder(Path(second)), TRUSTING if ours else OWN)
    theirs = reasons.today()
    if not theirs and ours:
        dataset = str(reasons.second.folder.read("config.json")["dataset"])
        raise RunError("engine.path", file=dataset, problem="not what the run was made with")
    if theirs != ours:
        raise RunError("engine.version", theirs=theirs[:12] or "–", ours=ours[:12] or "–")
    return reasons


_LOCK = Lock()


def has_moved(before: float | None, after: float | None) -> bool:
    """Return whether a value differs, or is missing on one side."""
    if before is None or after is None:
        return before is not after
    return abs(after - before) > SAME


class _Changes:
    """Collects the cases that came out otherwise."""

    def __init__(self, alone: Collection[str] = (), most: int = MOST_CHANGES) -> None:
        self._alone = alone
        """Metrics only one of the runs has: nothing can be said of how they moved."""
        self._most = most
        self._kept: dict[str, list[Change]] = {kind: [] for kind in _ORDER}
        self.counts: Counter[str] = Counter()
        self.causes: Counter[str] = Counter()

    def note(self, model: str, pair: Pair, before: Card, after: Card) -> _Changed | None:
        """Count a pair that changed; return None when it did not, or when its cause is not needed."""
        mine, yours = before.sub_scores, after.sub_scores
        names = () if mine == yours else (mine.keys() | yours.keys()).difference(self._alone)
        moved = tuple(sorted(name for name in names if has_moved(mine.get(name), yours.get(name))))
        turn = after.passed - before.passed
        if abs(turn) <= SAME and not has_moved(before.primary_score, after.primary_score) and not moved:
            return None
        kind = "moved" if abs(turn) <= SAME else "broken" if turn < 0 else "fixed"
        self.counts[kind] += 1
        listed = self.counts[kind] <= self._most
        if kind == "moved" and not listed:
            return None
        change = Change(
            sample_id=pair.second.sample_id,
            repeat=pair.second.repeat,
            model=model,
            kind=kind,  # type: ignore[arg-type]
            first_score=before.primary_score,
            second_score=after.primary_score,
            metrics=moved,
            groups=pair.second.groups if self.counts[kind] <= MOST_CHANGES else {},
            cause="unknown",
            explain=pair.second.scorecard.explain if self.counts[kind] <= MOST_CHANGES else "",
        )
        return _Changed(pair, kind, change if listed else None)

    def settle(self, one: _Changed, cause: Cause) -> None:
        """Record the cause of a change."""
        if one.kind != "moved":
            self.causes[cause] += 1
        if one.change is not None:
            self._kept[one.kind].append(structs.replace(one.change, cause=cause))

    def listed(self) -> tuple[Change, ...]:
        return tuple(change for kind in _ORDER for change in self._kept[kind])
