"""A gate as JUnit XML, which every build server reads: a test a rule, and a test a failing case."""

import re
from collections.abc import Iterable, Iterator, Mapping
from xml.sax.saxutils import escape, quoteattr

from ragstone.core.language import Lang
from ragstone.core.types import Result, Ruling, Verdict
from ragstone.report.verdict import say_ruling
from ragstone.text.visible import visible_line

MOST_CASES = 1000
"""Failing cases listed; the suite's properties give the number of all cases."""
_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def junit_xml(verdict: Verdict, results: Iterable[Result], lang: Lang) -> Iterator[str]:
    """Write the XML piece by piece; a rule that was not measured is an error, one that failed a failure."""
    failures = sum(ruling.outcome == "FAIL" for ruling in verdict.rulings)
    errors = sum(ruling.outcome == "NOT MEASURED" for ruling in verdict.rulings)
    yield '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="ragstone">\n'
    counts = f'tests="{len(verdict.rulings)}" failures="{failures}" errors="{errors}"'
    yield f"<testsuite name={_attribute(f'gate {verdict.run_id}')} {counts}>\n"
    yield from _properties(verdict)
    for ruling in verdict.rulings:
        yield _rule(ruling, lang)
    yield "</testsuite>\n"
    yield from _cases(verdict.run_id, results)
    yield "</testsuites>\n"


def _properties(verdict: Verdict) -> Iterator[str]:
    """Name the run, the baseline it was compared with, and how many of its questions are unaccepted drafts."""
    named = {"run": verdict.run_id, "baseline": verdict.baseline or ""}
    drafts = {"unreviewed_drafts": str(verdict.unreviewed_drafts)} if verdict.unreviewed_drafts else {}
    yield _named({name: run for name, run in named.items() if run} | drafts)


def _named(values: Mapping[str, str]) -> str:
    inside = (f'<property name="{name}" value={_attribute(value)}/>' for name, value in values.items())
    return f"<properties>{''.join(inside)}</properties>\n"


def _rule(ruling: Ruling, lang: Lang) -> str:
    name = f"{ruling.rule} @{ruling.model}" if ruling.model else ruling.rule
    head = f'<testcase classname="gate" name={_attribute(name)}'
    if ruling.outcome == "PASS":
        return f"{head}/>\n"
    why = say_ruling(ruling, lang)
    tag = "failure" if ruling.outcome == "FAIL" else "error"
    return f"{head}><{tag} message={_attribute(why)}>{escape(_clean(why))}</{tag}></testcase>\n"


def _cases(run_id: str, results: Iterable[Result]) -> Iterator[str]:
    """Write the failing cases; they are held until the counts, which stand first, are known."""
    total = failed = 0
    kept: list[str] = []
    for result in results:
        total += 1
        if not result.scorecard.passed:
            failed += 1
            if len(kept) < MOST_CASES:
                kept.append(_case(result))
    # Cases are for reading: whether the build fails is up to the rules, so they count as skipped, not as failures.
    counts = f'tests="{len(kept)}" failures="0" skipped="{len(kept)}"'
    yield f"<testsuite name={_attribute(f'cases {run_id}')} {counts}>\n"
    yield _named({"cases": str(total), "failing": str(failed)})
    yield from kept
    yield "</testsuite>\n"


def _case(result: Result) -> str:
    name = f"{result.sample_id} #{result.repeat + 1}" if result.repeat else result.sample_id
    head = f"<testcase classname={_attribute(f'cases.{result.model_step}')} name={_attribute(name)}"
    return f"{head}><skipped message={_attribute(result.scorecard.explain)}/></testcase>\n"


def _attribute(text: str) -> str:
    return quoteattr(_clean(text))


def _clean(text: str) -> str:
    return _NOT_XML.sub("�", visible_line(text))
