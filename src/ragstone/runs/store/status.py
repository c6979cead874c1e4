"""The status of a stored run, the same for every command: ended, being worked on, or cut short."""

import msgspec

from ragstone.core.errors import RunError
from ragstone.core.types import JSON, Summary
from ragstone.runs.store.folder import RunFolder

SUMMARY = "summary.json"
_MADE_BY = {"imported_from": "import", "merged_from": "merge", "rescored_from": "rescore"}
"""What run_meta.json says of a run that was not asked for here, and the command that makes such a run."""


def standing(folder: RunFolder) -> str:
    """Return a run's status: `running` only while a process is working on it, `interrupted` when that one has died."""
    status = str(folder.meta().get("status"))
    return "interrupted" if status == "running" and not folder.is_busy() else status


def counts(folder: RunFolder) -> dict[str, JSON]:
    """Return how many answers are kept, and of how many."""
    return {"answers": folder.answered(), "expected": int(folder.meta().get("expected") or 0)}


def require_ended(folder: RunFolder) -> None:
    """Refuse a run that has no figures yet, and say how it comes to them."""
    meta, now = folder.meta(), standing(folder)
    if now == "running":
        raise RunError("run.running", run=str(folder.path), **counts(folder))
    if now != "interrupted":
        return
    if command := next((command for link, command in _MADE_BY.items() if meta.get(link)), None):
        raise RunError("run.halfway", run=str(folder.path), command=command)
    raise RunError("run.interrupted", run=str(folder.path), **counts(folder))


def read_summary(folder: RunFolder) -> Summary:
    """Read the state of a run."""
    require_ended(folder)
    return stored_summary(folder)


def stored_summary(folder: RunFolder) -> Summary:
    """Read summary.json as it stands; one that lacks a metric which the run declares is refused."""
    try:
        found, config = msgspec.convert(folder.read(SUMMARY), Summary), folder.read("config.json")
        names = {spec["name"] for spec in config["metrics"]}
        if any(one.all.metrics and not names <= one.all.metrics.keys() for one in found.models.values()):
            raise ValueError("a metric is missing")
        # Summaries of older versions do not say it themselves.
        return msgspec.structs.replace(found, dry_run=bool(config.get("mock")))
    except (RunError, ValueError) as error:
        raise RunError("run.summary", run=str(folder.path), file=SUMMARY) from error
