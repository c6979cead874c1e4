"""A finished run, and the comparison of two."""

from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct, structs

from ragstone.core.language import Lang
from ragstone.core.types import Comparison, Result, Summary
from ragstone.report.comparison import comparison_lines
from ragstone.report.console import closing_lines
from ragstone.report.html import report_fragment
from ragstone.report.rows import ReportRows
from ragstone.report.table import flat_rows
from ragstone.runs.reopen import wording_of
from ragstone.runs.store.folder import RunFolder

if TYPE_CHECKING:
    import pandas
    import polars

    from ragstone.runs.judged.decide import Deciding


class PrintedComparison(Comparison, frozen=True, kw_only=True):
    """A comparison that prints, and shows in a notebook, as `ragstone compare` does."""

    lang: Lang = "en"

    def __str__(self) -> str:
        """Return the table and the closing sentence."""
        return "\n".join(comparison_lines(self, self.lang))

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        printer.text(str(self))

    def _repr_html_(self) -> str:
        return f"<pre>{escape(str(self))}</pre>"


class Run(Struct, frozen=True):
    """A finished (or stopped) run."""

    folder: Path
    summary: Summary
    stopped: str = ""
    """Why it ended early: SIGINT, SIGTERM, or which budget was spent."""
    why: str = ""
    """The same as a sentence in the run's language."""
    lang: Lang = "en"
    """The language of its texts."""
    exhausted: tuple[str, ...] = ()
    """Options of the system, such as max_calls, that must grow before anything more is asked."""
    judging: "Deciding | None" = None
    """The result of judging, if the run was judged."""

    def results(self) -> Iterator[Result]:
        """Stream the rows."""
        return RunFolder(self.folder).results()

    def failures(self) -> list[Result]:
        """Return the rows that did not pass."""
        return [result for result in self.results() if not result.scorecard.passed]

    def compare(self, other: "Run | str | Path") -> PrintedComparison:
        """Compare this run, as the newer one, with another, case by case."""
        from ragstone.trust.compare import compare  # noqa: PLC0415 - statistics are needed only here

        first = other.folder if isinstance(other, Run) else Path(other)
        found = compare(RunFolder.open(first), RunFolder.open(self.folder))
        return PrintedComparison(**structs.asdict(found), lang=self.lang)

    def __str__(self) -> str:
        """Return the closing lines of the command line, and the folder."""
        lines = closing_lines(self.summary, wording_of(RunFolder(self.folder), self.lang))
        return "\n".join([*lines, str(self.folder)])

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        printer.text(str(self))

    def to_pandas(self) -> "pandas.DataFrame":
        """Return the rows as a pandas table, a column a metric; needs pandas."""
        from pandas import DataFrame  # noqa: PLC0415 - the user's own

        return DataFrame(flat_rows(self.results()))

    def to_polars(self) -> "polars.DataFrame":
        """Return the rows as a polars table, a column a metric; needs polars."""
        from polars import DataFrame  # noqa: PLC0415 - the user's own

        return DataFrame(list(flat_rows(self.results())), infer_schema_length=None)

    def _repr_html_(self) -> str:
        """Show a notebook the figures, the distribution and the first failures."""
        folder = RunFolder(self.folder)
        return "".join(report_fragment(self.summary, wording_of(folder, self.lang), ReportRows(folder.results())))
