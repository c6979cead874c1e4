"""Makes a dataset of some cases of a run, to download or to ask again."""

from collections.abc import Collection

import msgspec

from ragstone.core.types import JSON, Case
from ragstone.datasets.check import load_cases
from ragstone.datasets.subset import cut_out
from ragstone.runs.reopen import plan_of
from ragstone.runs.store.admission import Guard
from ragstone.runs.store.folder import RunFolder
from ragstone.web.errors import PageError

MOST = 10_000
"""Cases that are cut out at once."""
_LINES, _NUMBERED = ".jsonl", "key_points"


def cut_cases(folder: RunFolder, ids: Collection[str], guard: Guard) -> tuple[str, bytes]:
    """Return a name and the rows of some cases of a run's dataset, as they stand there."""
    plan = plan_of(folder, guard=guard)
    wanted = frozenset(ids)
    cases = [case for case in load_cases(plan.contract) if case.id in wanted]
    path = plan.dataset
    if not cases:
        raise PageError(409, "page.no_cases", name=path.name)
    if path.is_dir() or path.suffix.lower() in {".yaml", ".yml"}:
        raise PageError(422, "page.not_cut", name=path.name)
    kind = path.suffix if path.suffix.lower() == ".json" else _LINES
    content = cut_out(path, cases, lines=kind == _LINES)
    if plan.contract.name == _NUMBERED and kind == _LINES:
        content = _keep_ids(content, cases)
    return f"{path.name.partition('.')[0] or 'cases'}-{len(cases)}{kind}", content


def _keep_ids(content: bytes, cases: Collection[Case]) -> bytes:
    """Keep the ids of rows that are named by their place, so that runs of both sets can be compared."""
    lines = []
    for line, case in zip(content.splitlines(), cases, strict=True):
        row: dict[str, JSON] = msgspec.json.decode(line)
        named = any(value == case.id or str(value) == case.id for value in row.values() if isinstance(value, str | int))
        lines.append(line if named else msgspec.json.encode({"id": case.id, **row}))
    return b"\n".join(lines) + b"\n"
