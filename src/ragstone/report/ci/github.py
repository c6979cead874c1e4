"""A gate for GitHub Actions: annotations beside the build, and the job's step summary.

A workflow command is a line of its own, so a text may neither break the line nor end the command's properties.
"""

from collections.abc import Iterator

from ragstone.core.language import Lang
from ragstone.core.types import Comparison, Verdict
from ragstone.report.comparison import comparison_markdown
from ragstone.report.verdict import decision, drafts_note, judged, say_ruling, verdict_markdown
from ragstone.text.visible import visible_line

_LEVELS = {"FAIL": "error", "NOT MEASURED": "warning"}


def annotations(verdict: Verdict, lang: Lang) -> Iterator[str]:
    """Yield a workflow command for each rule that was not met, one for unaccepted drafts, one for the decision."""
    for ruling in verdict.rulings:
        if ruling.outcome != "PASS":
            model = f" @{ruling.model}" if ruling.model else ""
            yield _command(_LEVELS[ruling.outcome], f"{ruling.rule}{model}", say_ruling(ruling, lang))
    yield from (_command("warning", "Ragstone", note) for note in drafts_note(verdict, lang))
    yield _command(
        _LEVELS.get(verdict.outcome, "notice"), f"Ragstone: {judged(verdict, lang)}", decision(verdict, lang)
    )


def _command(level: str, title: str, text: str) -> str:
    return f"::{level} title={_property(title)}::{_data(text)}"


def _data(text: str) -> str:
    return visible_line(text).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def step_summary(verdict: Verdict, comparison: Comparison | None, lang: Lang) -> Iterator[str]:
    """Write the Markdown of a job's summary: the verdict, and the comparison when there is one."""
    yield from verdict_markdown(verdict, lang)
    if comparison is not None:
        yield "\n"
        yield from comparison_markdown(comparison, lang)
