"""Verdicts, comparisons and checks in words: with numbers, in each language, and harmless whatever an answer holds."""

import re
from typing import Literal
from xml.etree import ElementTree

import pytest
from msgspec import structs

from ragstone.core.language import LANGS, Lang
from ragstone.core.types import (
    CaseDrift,
    Change,
    Comparison,
    Delta,
    Drift,
    Interval,
    Result,
    Ruling,
    Scorecard,
    Verdict,
    Verification,
)
from ragstone.report.ci.github import annotations, step_summary
from ragstone.report.ci.junit import MOST_CASES, junit_xml
from ragstone.report.comparison import comparison_lines, comparison_markdown
from ragstone.report.text_table import width
from ragstone.report.verdict import decision, say_ruling, verdict_lines, verdict_markdown
from ragstone.report.verification import verification_lines

HOSTILE = "\x1b[2J<script>alert(1)</script>\n::error::x\r\n![x](http://evil/x) | %0A ]]> & \"' \u202e\x00\ud800\uffff"
RULINGS = (
    Ruling(
        rule="exact >= 0.9",
        model="m",
        outcome="FAIL",
        code="gate.at_least",
        params={"figure": "exact", "value": 0.8666666, "limit": 0.9, "n": 30, "low": 0.7, "high": 0.95, "level": 0.95},
    ),
    Ruling(
        rule="cost <= 1",
        model="m",
        outcome="NOT MEASURED",
        code="gate.no_value",
        params={"figure": "cost", "value": None, "limit": 1.0, "n": 0},
    ),
    Ruling(rule="complete", model="", outcome="PASS", code="gate.complete", params={"finished": 3, "expected": 3}),
)
VERDICT = Verdict(run_id="r", baseline="b", outcome="FAIL", decided_by="exact >= 0.9", rulings=RULINGS)


def _hostile_verdict() -> Verdict:
    params = {"lost": 1, "n": 3, "gained": 0, "cases": [HOSTILE]}
    ruling = Ruling(rule=HOSTILE, model=HOSTILE, outcome="FAIL", code="gate.new_failures", params=params)
    return Verdict(run_id=HOSTILE, baseline=HOSTILE, outcome="FAIL", decided_by=HOSTILE, rulings=(ruling,))


def _comparison(text: str = "why") -> Comparison:
    interval = Interval(low=-0.3, high=0.1, level=0.95, method="tango", clusters=9)
    delta = Delta(
        model=text,
        figure="exact",
        group="type",
        value=text,
        n=9,
        clusters=9,
        first=0.5,
        second=0.4,
        difference=-0.1,
        interval=interval,
        gained=1,
        lost=2,
        p=0.5,
        p_holm=1.0,
    )
    change = Change(
        sample_id=text, model="m", kind="broken", first_score=1, second_score=0, cause="gold", explain=text, repeat=1
    )
    empty = Delta(model=text, figure="f", n=0, clusters=0, first=None, second=None, difference=None, gained=0, lost=0)
    passing = Delta(**{name: getattr(delta, name) for name in delta.__struct_fields__} | {"figure": "pass_rate"})
    return Comparison(
        first=text,
        second="b",
        paired=9,
        only_first=1,
        only_second=0,
        differs=("scorer", "partial"),
        models=("m", text),
        unpaired_models=(text,),
        broken=1,
        fixed=0,
        moved=3,
        causes={"gold": 1},
        deltas=(delta, passing, empty),
        changes=(change,),
    )


def _row(text: str, passed: bool = False) -> Result:
    card = Scorecard(primary_score=0, passed=passed, sub_scores={}, explain=text)
    return Result(
        run_id="r",
        sample_id=text,
        task_name="t",
        model_id=text,
        scorer_version="1",
        question=text,
        output_text=text,
        task_metrics={},
        scorecard=card,
    )


@pytest.mark.parametrize("lang", LANGS)
def test_a_ruling_shows_its_numbers(lang: Lang) -> None:
    """Value, interval, n and limit, with the digits anybody reads."""
    said = say_ruling(RULINGS[0], lang)

    assert all(number in said for number in ("0.8667", "0.7", "0.95", "30", "0.9"))
    assert "{" not in said


def test_the_deciding_rule_is_told() -> None:
    """In English, and in Chinese with the English word to search for."""
    assert decision(VERDICT, "en") == "[GATE] FAIL, decided by: exact >= 0.9"
    assert decision(VERDICT, "zh-Hans") == "[GATE] 未通过 FAIL，决定规则：exact >= 0.9"
    passed = Verdict(run_id="r", outcome="PASS", decided_by="", rulings=())
    assert decision(passed, "en") == "[GATE] PASS: every rule is met"


def test_lines_name_the_model_only_when_there_are_several() -> None:
    """One model needs no name."""
    assert not any("@m" in line for line in verdict_lines(VERDICT, "en"))
    second = Ruling(rule="x", model="m2", outcome="PASS", code="gate.complete")
    several = Verdict(run_id="r", outcome="PASS", decided_by="", rulings=(*RULINGS, second))
    assert any("@m2" in line for line in verdict_lines(several, "en"))


def test_junit_is_well_formed_whatever_the_answers_hold() -> None:
    """A failed rule is a failure, one not measured an error; failing cases are listed and decide nothing."""
    rows = [_row(HOSTILE), _row("fine", passed=True), *[_row("x")] * (MOST_CASES + 5)]

    root = ElementTree.fromstring("".join(junit_xml(_hostile_verdict(), rows, "en")))

    gate, cases = root.findall("testsuite")
    assert (gate.get("failures"), gate.get("errors")) == ("1", "0")
    assert cases.get("tests") == cases.get("skipped") == str(MOST_CASES)
    assert len(cases.findall("testcase")) == MOST_CASES
    told = {one.get("name"): one.get("value") for one in cases.iter("property")}
    assert told == {"cases": str(len(rows)), "failing": str(len(rows) - 1)}
    plain = ElementTree.fromstring("".join(junit_xml(VERDICT, [], "zh-Hans")))
    assert [len(case) for case in plain.iter("testcase")] == [1, 1, 0]


def test_a_workflow_command_stays_one_command() -> None:
    """No answer can break out of its line or its properties."""
    lines = list(annotations(_hostile_verdict(), "en"))

    assert len(lines) == 2
    for line in lines:
        assert "\n" not in line
        assert "\r" not in line
        head = re.fullmatch(r"::(error|warning|notice) title=([^:,]*)::.*", line)
        assert head, line


def test_a_passing_gate_is_a_notice() -> None:
    """Nothing is red then."""
    passed = Verdict(run_id="r", outcome="PASS", decided_by="", rulings=RULINGS[2:])

    assert [line.split()[0] for line in annotations(passed, "en")] == ["::notice"]


@pytest.mark.parametrize("lang", LANGS)
def test_markdown_shows_hostile_text_as_text(lang: Lang) -> None:
    """No tag, no image, no broken table."""
    text = "".join(step_summary(_hostile_verdict(), _comparison(HOSTILE), lang))

    assert "<script>" not in text
    assert "](http" not in text
    assert not re.search("[\x1b\x00\u202e\r]", text)
    for line in text.splitlines():
        if line.startswith("|"):
            assert line.endswith(" |")


def test_markdown_without_a_comparison() -> None:
    """The verdict alone."""
    assert "".join(step_summary(VERDICT, None, "en")) == "".join(verdict_markdown(VERDICT, "en"))


@pytest.mark.parametrize("lang", LANGS)
def test_a_comparison_in_words(lang: Lang) -> None:
    """Figures with interval and p, flips, causes, and how many more there are."""
    lines = list(comparison_lines(_comparison(HOSTILE), lang))

    text = "\n".join(lines)
    assert "-0.3..0.1" in text
    assert "1 / 2" in text
    assert all(line.startswith(("[COMPARE] ", "  ")) for line in lines)
    table = [line for line in lines if line.startswith("  ")]
    assert len(table) >= 2 and len({width(line) for line in table}) == 1
    assert not re.search("[\x1b\x00\u202e]", text)


@pytest.mark.parametrize(
    ("p", "difference", "finding"),
    [
        (0.01, -0.1, "the drop in exact is more than chance (p = 0.01)"),
        (0.01, 0.1, "the rise in exact is more than chance (p = 0.01)"),
        (0.2, -0.1, "no figure differs by more than chance"),
    ],
)
def test_a_comparison_ends_in_one_sentence(p: float, difference: float, finding: str) -> None:
    """Which run is better, on how many cases, and whether that means anything."""
    found = _comparison()
    delta = structs.replace(found.deltas[0], group="", value="", p_holm=p, difference=difference)

    *_, last = comparison_lines(structs.replace(found, deltas=(delta,)), "en")

    assert last == f"[COMPARE] B b is worse on 1 case, better on 0; {finding}"


def test_a_comparison_contradicts_none_of_its_intervals() -> None:
    """An interval without 0 beside a p that is adjusted for many figures is explained, not denied."""
    found = _comparison()
    ends = Interval(low=-0.2, high=-0.01, level=0.95, method="t", clusters=20)
    delta = structs.replace(found.deltas[0], group="", value="", p_holm=0.2, difference=-0.1, interval=ends)

    *_, last = comparison_lines(structs.replace(found, deltas=(delta,)), "en")

    assert "of all figures together none differs by more than chance" in last
    assert "the interval of exact alone does not hold 0" in last


def test_what_takes_weight_from_a_comparison_is_told() -> None:
    """Files altered afterwards, ids with other questions, and cases too few to find anything."""
    found = _comparison()
    none = structs.replace(found.deltas[0], group="", error=0.7)
    found = structs.replace(
        found, altered=("b/results.jsonl",), mock=("a",), other_questions=4, deltas=(none,), level=0.9
    )

    for text in ("\n".join(comparison_lines(found, "en")), "".join(comparison_markdown(found, "en"))):
        assert re.search(r"b/results\W+jsonl changed after the run had ended", text)
        assert "4 cases have the same id and another question" in text
        assert "a is a dry run" in text
        assert "nothing at this n" in text
        assert "90% interval" in text
        assert re.search(r"found from \W*90%", text)


def test_a_comparison_as_markdown() -> None:
    """One table of figures, one of cases."""
    text = "".join(comparison_markdown(_comparison(), "en"))

    assert "| pass\\_rate type=why @why | 0.5 | 0.4 | \\-0.1 |" in text
    assert "| why \\#2 | passed → fails | 1 → 0 | the gold changed | why |" in text


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("status", ["identical", "drift", "partial"])
def test_a_verification_in_words(lang: Lang, status: Literal["identical", "drift", "partial"]) -> None:
    """What drifted, which rows, and how many more."""
    drifts = (
        Drift(what="dataset", code="verify.changed", params={"what": HOSTILE, "was": "a", "now": "b"}),
        Drift(what="installed", code="verify.installed", level="note"),
    )
    case = CaseDrift(sample_id=HOSTILE, model="m", fields=("parsed",), first_score=1.0, repeat=2)
    found = Verification(
        run_id="r",
        status=status,
        rows=9,
        rescored=9,
        drifted=5,
        drifts=drifts,
        cases=(case,),
    )

    lines = list(verification_lines(found, lang))

    assert len(lines) == 5
    assert "4" in lines[3]
    assert not re.search("[\x1b\x00\u202e\n]", "".join(lines))


def test_build_servers_are_told_of_drafts_nobody_accepted() -> None:
    """A property of the suite, and a warning beside the build; nothing where there are none."""
    drafted = structs.replace(VERDICT, unreviewed_drafts=3)

    xml, plain = ("".join(junit_xml(one, [], "en")) for one in (drafted, VERDICT))

    assert '<property name="unreviewed_drafts" value="3"/>' in xml
    assert "unreviewed_drafts" not in plain
    assert sum(line.startswith("::warning title=Ragstone::") for line in annotations(drafted, "en")) == 1
