"""A judged figure rests on verdicts of rules, too: what people say of these is counted, told and asked for by gates."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ragstone.core.types import RuleCheck
from ragstone.judging.certificate import read_certificates
from ragstone.judging.estimates.rule_checks import check_of, contradicted
from ragstone.judging.label_file import append_labels
from ragstone.judging.labels import Label, hash_of
from tests.conftest import Cli
from tests.judging.bench import judging
from tests.judging.lights import COUNT, Endpoint, asking, label_of

Write = Callable[..., Path]
RULED = 30
GATE = ("--rule", "accuracy_judged >= 0.5")


def _said(n: int) -> str:
    return f"第{n}号展厅周日照常开放"


def _label(n: int, verdict: Any) -> Label:
    return Label(case=f"R{n}", point=_said(n), answer=hash_of(_said(n)), verdict=verdict, reviewer="lin")


@pytest.fixture
def run(cli: Cli, lights: Path, write_rows: Write) -> Path:
    """A run of the galleries' lights, all open, and of thirty points that a rule calls stated."""
    rows = [json.loads(line) for line in Path("q.jsonl").read_text(encoding="utf-8").splitlines()]
    answers = [json.loads(line) for line in Path("a.jsonl").read_text(encoding="utf-8").splitlines()]
    rows = [row | {"id": f"Q{n}"} for n, row in enumerate(rows, 1)]
    rows += [{"id": f"R{n}", "q": f"{n}号展厅周日开吗？", "gold": [_said(n)], "doc_hint": []} for n in range(RULED)]
    answers += [{"id": f"R{n}", "output": _said(n)} for n in range(RULED)]
    files = write_rows("all.jsonl", *rows), write_rows("said.jsonl", *answers)
    done = cli("score", *files, "--run-id", "all", "-q")
    assert done.returncode == 0, done.stderr
    return Path("runs/all")


def _labels(name: str, wrong: int, ruled: int = RULED) -> Path:
    """Label the lights, and of points that a rule decides so many, the first of them against the rule."""
    said = [_label(n, "absent" if n < wrong else "stated") for n in range(ruled)]
    append_labels(Path(name), [*map(label_of, range(1, COUNT + 1)), *said])
    return Path(name)


def test_labels_against_rules_are_counted_and_no_gate_passes(cli: Cli, run: Path) -> None:
    """Fifteen of thirty: certify names what it left out and why, and no gate goes by rules that people contradict."""
    labels = _labels("bad.jsonl", 15)
    with judging(Endpoint()) as server:
        certified = cli("certify", labels, *asking(server), "--run", "all")
        judged = cli("judge", "all", *asking(server))
    alone = cli("gate", "all", *GATE)
    taken = cli("judge", "all", "--people", "--labels", labels)
    (certificate,) = read_certificates(Path("judge.json")).values()
    rate = certificate.kinds["states"].rules["yes"]

    assert certified.returncode == 0, certified.stderr
    assert "30 labels are about points that a rule decides" in certified.stdout
    assert "people contradict the rules in 15 of 30 labelled points" in certified.stdout
    assert "R0, R1" in certified.stdout and "yes 15/30 [0.33–0.67]" in certified.stdout
    assert certificate.kinds["states"].labels == COUNT and certificate.kinds["states"].why == ""
    assert (rate.right, rate.n) == (15, 30) and rate.interval and rate.interval.low < 0.34
    assert judged.returncode == 0 and "advisory" not in judged.stdout
    assert alone.returncode == 3 and "they hold 15 (lower end 0.3315, at least 0.75" in alone.stdout
    assert "people contradict the rules in 15 of 30" in taken.stdout


def test_figures_tell_what_people_say_of_rules(cli: Cli, run: Path) -> None:
    """Reports, console and page say how many labelled points contradict a rule; a gate needs no judge to know."""
    labels = _labels("bad.jsonl", 15)
    with judging(Endpoint()) as server:
        cli("judge", "all", *asking(server))
    cli("judge", "all", "--people", "--labels", labels)
    told, written = cli("report", "all", "--lang", "en").stdout, (run / "report.md").read_text(encoding="utf-8")
    summary = json.loads((run / "summary.json").read_text(encoding="utf-8"))
    (model,) = summary["models"].values()

    assert model["rule_checks"] == {"states": {"yes_right": 15, "yes": 30}}
    assert "people contradict the rules in 15 of 30 labelled points" in told
    assert "在规则已判定并有标注的 30 个要点中，人工与规则不符 15 个" in written
    # All points that a rule decided are labelled: what people said counts, and no rule is left to be believed.
    assert "rule" not in model["authors"]


def test_rules_that_people_hold_pass(cli: Cli, run: Path) -> None:
    """One of thirty is no reason; with few labels a gate says that the rules were not checked."""
    with judging(Endpoint()) as server:
        few = cli("certify", _labels("few.jsonl", 0, 5), *asking(server), "--run", "all")
        cli("judge", "all", *asking(server))
        unchecked = cli("gate", "all", *GATE)
        good = cli("certify", _labels("good.jsonl", 1), *asking(server), "--run", "all")
        cli("judge", "all", *asking(server))
        checked = cli("gate", "all", *GATE)

    assert "not checked, 5 labels on what they decided" in few.stdout
    assert unchecked.returncode == 0 and "was not checked: 5 labels" in unchecked.stdout
    assert "yes 29/30" in good.stdout
    assert checked.returncode == 0 and "not checked" not in checked.stdout


def test_what_rules_and_people_decided_needs_no_certificate(cli: Cli, run: Path) -> None:
    """Where people decided every open point nothing is said of a judge that was asked and decided nothing."""
    with judging(Endpoint()) as server:
        cli("judge", "all", *asking(server))
    before = cli("report", "all", "--lang", "en").stdout
    cli("judge", "all", "--people", "--labels", _labels("all-labels.jsonl", 0, 0))
    after = cli("report", "all", "--lang", "en").stdout

    assert "advisory only" in before
    assert "120 by people" in after and "advisory" not in after
    assert "仅供参考" not in (run / "report.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("check", "side"),
    [
        (RuleCheck(yes_right=20, yes=20), ""),
        (RuleCheck(yes_right=12, yes=19), ""),
        (RuleCheck(yes_right=8, yes=16, no_right=10, no=17), "both"),
        (RuleCheck(yes_right=60, yes=60, no_right=14, no=20), "no"),
        (RuleCheck(yes_right=14, yes=20, no_right=180, no=180), "yes"),
        (RuleCheck(yes_right=0, yes=10), "both"),
        (RuleCheck(yes_right=4, yes=15, no_right=0, no=4), "both"),
        (RuleCheck(yes_right=0, yes=1), ""),
        (RuleCheck(), ""),
    ],
)
def test_rules_are_contradicted_on_either_side(check: RuleCheck, side: str) -> None:
    """With twenty labels or more the lower end must be 0.75, with fewer the upper one: of all, of yes and of no."""
    found = contradicted(check)

    assert (found.side if found else "") == side


def test_what_rules_leave_open_is_no_check() -> None:
    """Only verdicts count."""
    assert check_of([("open", True), ("yes", True), ("no", True), ("no", False)]) == RuleCheck(
        yes_right=1, yes=1, no_right=1, no=2
    )
