"""A failing case in words: what was asked, expected and answered, and why it failed, in the dataset's language."""

from collections.abc import Iterator

import pytest
from _pytest._code.code import ExceptionRepr

from ragstone.core.errors import DatasetError, UserError
from ragstone.core.language import Lang, Text, excerpt
from ragstone.core.messages import phrase
from ragstone.core.types import Result
from ragstone.report.console import Wording, show_value
from ragstone.report.rows import gold_of
from ragstone.runs.store.codec import encode
from ragstone.testing.suite import Place
from ragstone.text.visible import visible_block, visible_line

LONGEST = 400
"""Characters shown of a question, an expectation or an answer."""
MOST_FINDINGS = 50
"""Findings shown of a dataset; the rest is counted."""
_LINE = Text("{label}: {value}", "{label}：{value}")
_CASE = Text("case", "用例")
_QUESTION = Text("question", "问题")
_EXPECTED = Text("expected", "标准答案")
_ANSWER = Text("answer", "回答")
_SCORES = Text("scores", "得分")
_WHY = Text("why", "原因")
_EMPTY = Text("(empty)", "（空）")
_MORE = Text("… and {n} more", "……另有 {n} 处")
_LEVELS = {"error": Text("error: ", "错误："), "warning": Text("warning: ", "警告："), "note": Text("note: ", "提示：")}


def case_text(place: Place, result: Result, words: Wording, where: str) -> str:
    """Describe a case and its result, one fact a line; nothing in it can move a cursor or turn writing round."""
    return "\n".join(visible_line(line) for line in _facts(place, words.cover(result), words, where))


def _facts(place: Place, result: Result, words: Wording, where: str) -> Iterator[str]:
    lang, case = words.lang, place.case
    empty = _EMPTY.say(lang)
    yield _line(_CASE, f"{result.sample_id} ({where})", lang)
    yield _line(_QUESTION, excerpt(words.show(case.question), LONGEST), lang)
    yield _line(_EXPECTED, excerpt(words.show(expected(place)), LONGEST) or empty, lang)
    yield _line(_ANSWER, excerpt(result.output_text, LONGEST) or empty, lang)
    if scores := " | ".join(_scores(result, words)):
        yield _line(_SCORES, scores, lang)
    yield _line(_WHY, result.scorecard.explain, lang)


def _line(label: Text, value: str, lang: Lang) -> str:
    return _LINE.say(lang, {"label": label.say(lang), "value": value})


def _scores(result: Result, words: Wording) -> Iterator[str]:
    for spec in words.metrics:
        if (value := result.scorecard.sub_scores.get(spec.name)) is not None:
            yield f"{spec.label.say(words.lang)} {show_value(value, spec)}"


def expected(place: Place) -> str:
    """Return what a case expects as JSON, or as it stands when it is plain text."""
    gold = gold_of(place.case)
    return gold if isinstance(gold, str) else encode(gold).decode("utf-8", "replace")


def error_text(error: UserError, lang: Lang) -> str:
    """Return what the user can fix; of a dataset all its faults, one a line."""
    lines = [visible_block(error.say(lang))]
    if isinstance(error, DatasetError):
        for finding in error.findings[:MOST_FINDINGS]:
            level = _LEVELS[finding.level].say(lang)
            case = f" {finding.case_id}" if finding.case_id else ""
            said = phrase(error.phrases, finding.code, finding.params, lang)
            lines.append(visible_line(f"  {finding.position}:{case} {level}{said}"))
        if (rest := len(error.findings) - MOST_FINDINGS) > 0:
            lines.append("  " + _MORE.say(lang, {"n": rest}))
    return "\n".join(lines)


def cover_traceback(report: pytest.TestReport, words: Wording) -> None:
    """Hide in a traceback what readers may not see: pytest shows values there, answers among them."""
    shown = report.longrepr
    if not words.mask or not isinstance(shown, ExceptionRepr):
        return
    chain = getattr(shown, "chain", None) or [(getattr(shown, "reprtraceback", None), shown.reprcrash, None)]
    for trace, crash, _ in chain:
        for entry in getattr(trace, "reprentries", ()):
            entry.lines[:] = map(words.show, entry.lines)
            if arguments := getattr(entry, "reprfuncargs", None):
                arguments.args = [(name, words.show(value)) for name, value in arguments.args]
            if variables := getattr(entry, "reprlocals", None):
                variables.lines[:] = map(words.show, variables.lines)
        if crash is not None:
            crash.message = words.show(crash.message)


def add_case(report: pytest.TestReport, name: str, text: str, why: str) -> None:
    """Add a case to the report of a failing test, and the reason to its summary line."""
    shown = report.longrepr
    if not isinstance(shown, ExceptionRepr):
        return
    shown.addsection(f"ragstone {visible_line(name)}", text)
    crash = getattr(shown, "reprcrash", None)
    # Only where the test says nothing itself: `assert …passed` alone sums up to "assert False".
    if crash is not None and why and crash.message.removeprefix("AssertionError: ").startswith("assert "):
        crash.message = f"{visible_line(excerpt(why, LONGEST))}\n{crash.message}"
