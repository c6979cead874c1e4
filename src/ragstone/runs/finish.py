"""Writes the summary, the table and the reports at the end of a run."""

from collections.abc import Iterable, Mapping

from msgspec import structs

from ragstone.core.interfaces import Staged
from ragstone.core.types import JSON, JudgedBy, Summary
from ragstone.report.console import Wording
from ragstone.report.html import report_html
from ragstone.report.markdown import report_markdown, run_facts
from ragstone.report.rows import ReportRows
from ragstone.report.table import summary_csv
from ragstone.runs.plan import Plan
from ragstone.runs.store.describe import now, with_facts
from ragstone.runs.store.folder import META, RunFolder
from ragstone.runs.store.owner import close_verdicts
from ragstone.runs.store.seal import seal
from ragstone.runs.summary import Summarizer


def finish(
    plan: Plan,
    folder: RunFolder,
    figures: Summarizer,
    expected: int,
    complete: bool,
    *,
    facts: Mapping[str, JSON] | None = None,
    shown: ReportRows | None = None,
    told: Mapping[str, Iterable[str]] | None = None,
) -> Summary:
    """Write summary.json, summary.csv and the reports, and mark the run complete or partial.

    What the reports show is read from the rows on disk unless `shown` holds it. `facts` go into
    run_meta.json: the calls made, what was spent, and why the run was stopped, by language. `told` is what the replies
    told of the systems.
    """
    status = "complete" if complete and figures.finished == expected else "partial"
    contract = plan.contract
    summary = figures.summary(
        run_id=plan.run_id,
        task_name=contract.task_name,
        status=status,
        scorer_version=contract.scorer_version,
        expected=expected,
        models=() if isinstance(contract, Staged) else plan.model_ids,
    )
    known = {"calls": 0, "stop_reason": {}} | dict(facts or {})
    known |= {} if status == "partial" else {"stop_reason": {}}
    summary = structs.replace(summary, dry_run=plan.mock, stop_reason=known["stop_reason"], judged_by=_judged_by(plan))
    summary = structs.replace(summary, unused_answers=known.get("unused_answers", 0))
    meta = folder.meta() | {"status": status, "finished": now(), "results_digest": summary.results_digest} | known
    meta = with_facts(meta, told or {})
    folder.write("summary.json", summary)
    folder.write_bytes("summary.csv", summary_csv(summary, plan.metrics))
    _write_report(folder, summary, plan.wording(), shown or ReportRows(folder.results()), run_facts(meta))
    folder.write(META, seal(folder, meta | close_verdicts(folder, meta)))
    return summary


def _judged_by(plan: Plan) -> JudgedBy | None:
    if plan.decisions is None:
        return None
    figures = {name: tuple(kinds) for name, kinds in getattr(plan.contract, "judged_kinds", {}).items()}
    return structs.replace(plan.decisions.terms.judged_by(), figures=figures)


def _write_report(
    folder: RunFolder, summary: Summary, words: Wording, shown: ReportRows, facts: Mapping[str, JSON]
) -> None:
    """Write report.md and report.html."""
    for name, report in (("report.md", report_markdown), ("report.html", report_html)):
        pieces = report(summary, words, shown, facts)
        folder.write_bytes(name, "".join(pieces).encode("utf-8", "replace"))
