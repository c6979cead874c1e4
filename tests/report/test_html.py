"""report.html: one file, nothing loaded, nothing run, everything shown."""

import re
from html.parser import HTMLParser

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragstone.contracts.key_points.contract import METRICS
from ragstone.contracts.key_points.phrases import PHRASES
from ragstone.core.language import LANGS, Lang
from ragstone.core.types import Result, Scorecard
from ragstone.report.console import Wording
from ragstone.report.html import _T, report_html
from ragstone.report.rows import MOST_CASES, ReportRows
from ragstone.runs.summary import Summarizer

HOSTILE = "<script>alert(1)</script><img src=x onerror=alert(1)>\"'&\x1b[31m[x](javascript:alert(1))\u202e\ud800"


def _row(number: int, *, score: float = 1.0, text: str = "回答", group: str = "易") -> Result:
    card = Scorecard(
        primary_score=score,
        passed=score >= 1,
        sub_scores={"accuracy": float(score > 0), "citation": score},
        explain=f"why {text}",
    )
    return Result(
        run_id="r",
        sample_id=f"Q{number}",
        task_name="key_points",
        model_id="m",
        scorer_version="1",
        question=f"问题 {text}",
        groups={"difficulty": (group,)},
        output_text=text,
        task_metrics={},
        scorecard=card,
    )


def _report(rows: list[Result], lang: Lang = "zh-Hans", expected: int | None = None) -> str:
    figures = Summarizer(METRICS)
    for row in rows:
        figures.add(row)
    given = {"run_id": "r", "task_name": "key_points", "status": "complete", "scorer_version": "1"}
    summary = figures.summary(expected=len(rows) if expected is None else expected, **given)
    return "".join(report_html(summary, Wording(METRICS, PHRASES, lang), ReportRows(rows), {"contract": "key_points"}))


class _Tags(HTMLParser):
    """Collects the tags and attributes of a page, and what was left open."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note a tag."""
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}
        if tag not in {"meta", "rect", "line"}:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        """Close it."""
        if self.open and self.open[-1] == tag:
            self.open.pop()


@pytest.mark.parametrize("lang", LANGS)
def test_it_shows_what_a_run_came_to(lang: Lang) -> None:
    """Figures, distribution, groups, errors and cases, in the language asked for."""
    page = _report([_row(1), _row(2, score=0.5, group="难")], lang)

    for name in ("overall", "distribution", "errors", "cases", "facts"):
        assert _T[name].say(lang) in page
    assert "50.0%" in page
    assert "难" in page
    assert f'lang="{lang}"' in page


def test_it_names_no_other_address_and_holds_no_script() -> None:
    """The file opens without a network: no link, no script, no import; and it forbids them."""
    page = _report([_row(1)])

    assert not re.search(r"https?:|//\w|<script|<link|@import|url\(", page)
    assert "default-src &#x27;none&#x27;" in page


@settings(deadline=None)
@given(st.one_of(st.just(HOSTILE), st.text(max_size=80)))
def test_answers_are_text_whatever_they_hold(text: str) -> None:
    """No answer becomes a tag or an attribute, and the page stays well formed."""
    plain, hostile = _Tags(), _Tags()
    plain.feed(_report([_row(1, score=0.0)]))
    page = _report([_row(1, score=0.0, text=text, group=text or "x")])
    hostile.feed(page)

    assert hostile.tags == plain.tags
    assert hostile.attributes == plain.attributes
    assert not hostile.open
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f\u202a-\u202e]", page)


def test_a_long_run_is_cut_and_says_so() -> None:
    """Failures come first; what is left out is counted."""
    page = _report([_row(n, score=float(n != 250)) for n in range(1, 301)])

    assert page.count("<details>") == MOST_CASES
    assert page.index(">Q250<") < page.index(">Q1<")
    assert "另有 100 条" in page


def test_a_partial_run_says_so_first() -> None:
    """Nobody takes its figures for final."""
    assert "结果不完整：1/5" in _report([_row(1)], expected=5)
    assert _report([], expected=5)
