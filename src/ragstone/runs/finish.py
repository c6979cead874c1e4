"""What a run came to: its summary, its table and its reports, written at its end."""

from collections.abc import Mapping

from ragstone.core.types import JSON, Summary
from ragstone.report.console import Wording
from ragstone.report.facts import run_facts
from ragstone.report.html import report_html
from ragstone.report.markdown import report_markdown
from ragstone.report.samples import Shown
from ragstone.report.table import summary_csv
from ragstone.runs.plan import Plan
from ragstone.runs.store.describe import now
from ragstone.runs.store.folder import META, RunFolder
from ragstone.runs.store.seal import seal
from ragstone.runs.summary import Summarizer


def finish(
    plan: Plan,
    folder: RunFolder,
    figures: Summarizer,
    expected: int,
    complete: bool,
    *,
    calls: int = 0,
    spent: Mapping[str, JSON] | None = None,
    shown: Shown | None = None,
) -> Summary:
    """Write summary.json, summary.csv and the reports, and mark the run complete or partial.

    What the reports show is read from the rows on disk unless somebody has gathered it already.
    """
    status = "complete" if complete and figures.finished == expected else "partial"
    contract = plan.contract
    summary = figures.summary(
        run_id=plan.run_id,
        task_name=contract.task_name,
        status=status,
        scorer_version=contract.scorer_version,
        expected=expected,
    )
    digest = summary.results_digest
    meta = folder.meta() | {"status": status, "finished": now(), "results_digest": digest, "calls": calls}
    meta |= {"spent": dict(spent)} if spent else {}
    folder.write("summary.json", summary)
    folder.write_bytes("summary.csv", summary_csv(summary, contract.metrics))
    write_report(folder, summary, plan.wording(), shown or Shown(folder.results()))
    folder.write(META, seal(folder, meta))
    return summary


def write_report(folder: RunFolder, summary: Summary, words: Wording, shown: Shown) -> None:
    """Write report.md and report.html."""
    facts = run_facts(folder.meta())
    for name, report in (("report.md", report_markdown), ("report.html", report_html)):
        pieces = report(summary, words, shown, facts)
        folder.write_bytes(name, "".join(pieces).encode("utf-8", "replace"))
