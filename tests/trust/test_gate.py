"""Stored runs before their gate."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from msgspec import structs

from ragstone import api
from ragstone.core.errors import SettingError
from ragstone.core.types import JSON
from ragstone.report.verdict import say_ruling
from ragstone.runs.store.folder import RunFolder
from ragstone.runs.store.seal import add_facts, altered, meta_sha256
from ragstone.trust.gate import GateFile, judge_run, make_gate, own_rules, read_gate
from tests.runs.stopped import leave
from tests.trust.samples import Lab

GATE = """
minimum_coverage: 0.9
confidence: 0.9
cluster: doc
rules:
  - exact >= 0.5
  - rule: drop(exact) <= 5% for type=fact
    unsure: point
"""


@pytest.fixture
def lab(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Lab:
    """Make runs in the test's folder."""
    return Lab(tmp_path, monkeypatch)


def test_a_gate_file_is_read(tmp_path: Path) -> None:
    """Rules as text or with choices of their own."""
    path = tmp_path / "gate.yaml"
    path.write_text(GATE, encoding="utf-8")

    made = make_gate(read_gate(path), ["no_new_failures"])

    assert (made.minimum_coverage, made.confidence, made.cluster) == (0.9, 0.9, "doc")
    assert [rule.unsure for rule in made.rules] == ["not_measured", "point", "not_measured"]
    assert made.rules[1].limit == pytest.approx(0.05)


@pytest.mark.parametrize(
    ("content", "needle"),
    [
        ("rules: 3", "rules"),
        ("ruls: []", "ruls"),
        ("[", "expected"),
        ("minimum_coverage: 2", "between 0 and 1"),
        ("confidence: 0.5", "above 0.5"),
        ("unsure: maybe", "maybe"),
        ("rules: [{rule: 'x >= 1', unsure: maybe}]", "maybe"),
        ("- a\n- b", "object"),
    ],
)
def test_a_faulty_gate_file_is_named(tmp_path: Path, content: str, needle: str) -> None:
    """File, fault, and where a complete one is shown."""
    path = tmp_path / "gate.yaml"
    path.write_text(content, encoding="utf-8")

    with pytest.raises(SettingError, match=needle):
        read_gate(path)


def test_a_missing_gate_file_is_named(tmp_path: Path) -> None:
    """No traceback."""
    with pytest.raises(SettingError, match="nothing"):
        read_gate(tmp_path / "nothing.yaml")


def test_a_gate_without_rules_is_refused_unless_there_is_a_baseline() -> None:
    """Against a baseline the score may not drop by more than 0.02."""
    with pytest.raises(SettingError, match="no rules"):
        make_gate(GateFile())
    (rule,) = make_gate(GateFile(), baseline=True).rules
    assert (rule.test, rule.figure, rule.limit) == ("drop", "primary_score", 0.02)


def test_a_verdict_is_left_in_the_folder(lab: Lab) -> None:
    """gate.json holds the verdict with its numbers, and the gate."""
    folder = lab.run("a", {"c1": "错"})

    done = judge_run(folder, make_gate(GateFile(), ["exact >= 0.9"]))

    kept = json.loads((folder.path / "gate.json").read_text())
    assert done.verdict.outcome == kept["outcome"] == "FAIL"
    assert kept["decided_by"] == "exact >= 0.9"
    assert kept["gate"]["rules"][0]["limit"] == 0.9


def test_an_equal_run_passes_its_baseline(lab: Lab) -> None:
    """However few cases there are, nothing changed."""
    done = judge_run(lab.run("b"), make_gate(GateFile(), baseline=True), lab.run("a"))

    assert done.verdict.outcome == "PASS"
    assert done.comparison is not None


def test_one_lost_case_of_six_is_undecided_and_a_new_failure(lab: Lab) -> None:
    """Six cases cannot tell 0.02 from chance, but a case that passed may still be forbidden to fail."""
    first, second = lab.run("a"), lab.run("b", {"c1": "错"})

    assert judge_run(second, make_gate(GateFile(), baseline=True), first).verdict.outcome == "NOT MEASURED"
    forbidden = make_gate(GateFile(), ["no_new_failures for type=gap"])
    assert judge_run(second, forbidden, first).verdict.outcome == "FAIL"
    assert judge_run(second, make_gate(GateFile(), ["no_new_failures for type=fact"]), first).verdict.outcome == "PASS"


def test_a_plain_loss_fails(lab: Lab) -> None:
    """Thirty of sixty cases lost is no chance."""
    rows = lab.rows(60)
    first, second = lab.run("a", rows=rows), lab.run("b", {f"c{i}": "错" for i in range(30)}, rows=rows)

    assert judge_run(second, make_gate(GateFile(), baseline=True), first).verdict.outcome == "FAIL"


def test_a_stale_scorer_is_not_measured(lab: Lab) -> None:
    """Unless it is allowed, which gate.json records; a stale baseline is told apart."""
    folder = lab.run("a")
    lab.turn("contract")
    newer = lab.run("b")

    assert judge_run(folder, make_gate(GateFile(), ["exact >= 0.5"])).verdict.outcome == "NOT MEASURED"
    allowed = make_gate(GateFile(), ["exact >= 0.5"], allow_stale=True)
    assert judge_run(folder, allowed).verdict.outcome == "PASS"
    assert json.loads((folder.path / "gate.json").read_text())["gate"]["allow_stale"] is True
    against = judge_run(newer, make_gate(GateFile(), baseline=True), folder).verdict
    assert against.rulings[-1].code == "gate.baseline_scorer"


def test_unanswered_cases_are_not_measured(lab: Lab) -> None:
    """Two of six never came back: that is no figure about the system."""
    folder = lab.run("a", {"c1": None, "c2": None})

    verdict = judge_run(folder, make_gate(GateFile(), ["exact >= 0.1"])).verdict

    assert (verdict.outcome, verdict.decided_by) == ("NOT MEASURED", "coverage >= 0.95")


def test_a_run_that_was_killed_is_not_measured(lab: Lab) -> None:
    """No summary was written, and a summary of an earlier stop is not believed."""
    folder = lab.run("a")
    leave(folder.path)
    gate = make_gate(GateFile(), ["exact >= 0.1"])

    assert judge_run(folder, gate).verdict.decided_by == "complete"
    (folder.path / "summary.json").unlink()
    assert judge_run(folder, gate).verdict.outcome == "NOT MEASURED"


def _spoil(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [("summary.json", '"mean": 1.0', '"mean": 0.99'), ("results.jsonl", "c1", "c9"), ("run_meta.json", "sut", "tus")],
)
def test_an_altered_run_is_not_measured(lab: Lab, name: str, old: str, new: str) -> None:
    """Figures nobody measured pass no gate, and the file is named; so it is with a baseline."""
    folder, other = lab.run("a"), lab.run("b")
    _spoil(folder.path / name, old, new)

    own = judge_run(folder, make_gate(GateFile(), ["exact >= 0.1"])).verdict
    against = judge_run(other, make_gate(GateFile(), baseline=True), folder).verdict

    assert (own.outcome, own.decided_by) == ("NOT MEASURED", "unaltered")
    assert own.rulings[1].params["files"] == [name]
    assert (against.outcome, against.rulings[-1].code) == ("NOT MEASURED", "gate.baseline_altered")
    assert against.rulings[-1].params["files"] == [name]


def _placed(lab: Lab, name: str, rows: Sequence[JSON], texts: Mapping[str, str]) -> RunFolder:
    """Run cases that have no id of their own; those not named in `texts` are answered well."""
    cases = [{"q": row, "gold": [f"要点{row}"], "doc_hint": ["d.md"]} for row in rows]
    said = [{"id": f"Q{at + 1}", "output": texts.get(row, f"要点{row}（d.md）")} for at, row in enumerate(rows)]
    dataset, answers = lab.write(f"{name}.jsonl", cases), lab.write(f"said_{name}.jsonl", said)
    return RunFolder(api.evaluate(dataset, f"replay:{answers}", run_id=name).folder)


def test_an_inserted_row_hides_no_regression(lab: Lab) -> None:
    """Cases are paired by question: one row more at the top neither hides a case that broke nor breaks another."""
    asked = [f"第{n}问" for n in range(20)]
    old = _placed(lab, "old", asked, {"第3问": "不知道"})
    new = _placed(lab, "new", ["新问", *asked], {"第3问": "不知道", "第4问": "不知道"})
    same = _placed(lab, "same", ["新问", *asked], {"第3问": "不知道"})
    gate = make_gate(GateFile(), ["no_new_failures"])

    verdict = judge_run(new, gate, old).verdict

    assert (verdict.outcome, verdict.rulings[-1].params["cases"]) == ("FAIL", ["Q6"])
    assert (verdict.rulings[-1].params["passed"], verdict.rulings[-1].params["n"]) == (19, 20)
    assert judge_run(same, gate, old).verdict.outcome == "PASS"


def test_cases_the_baseline_does_not_have_are_told(lab: Lab) -> None:
    """A new case that fails is compared with nothing: the rule may hold, and says what it did not look at."""
    asked = [f"第{n}问" for n in range(20)]
    old = _placed(lab, "old", asked, {})
    new = _placed(lab, "new", [*asked, "新问", "又问"], {"新问": "不知道"})
    gate = make_gate(GateFile(), ["no_new_failures", "drop(pass_rate) <= 0.02"])

    verdict = judge_run(new, gate, old).verdict

    assert verdict.outcome == "PASS"
    for ruling in verdict.rulings[-2:]:
        assert (ruling.params["new"], ruling.params["new_failing"]) == (2, 1)
        assert "2 cases of this run without a counterpart in the baseline" in say_ruling(ruling, "en")
    assert "new" not in judge_run(_placed(lab, "same", asked, {}), gate, old).verdict.rulings[-1].params


def test_another_wording_is_told_as_such(lab: Lab) -> None:
    """A case that is named by its place and asks another question is missing: the message says how that may be."""
    old, new = _placed(lab, "old", ["甲问", "乙问"], {}), _placed(lab, "new", ["甲的问", "乙问"], {})

    ruling = judge_run(new, make_gate(GateFile(), ["no_new_failures"]), old).verdict.rulings[-1]

    assert ruling.code == "gate.baseline_cases"
    assert "1 are gone or have another wording, 1 are paired" in say_ruling(ruling, "en")


def test_too_few_pairs_are_not_measured(lab: Lab) -> None:
    """Where the same ids ask other questions, there is nothing to compare, and it is told."""
    rows = lab.rows()
    changed = [row | {"question": f"别的{at}？"} if at < 3 else row for at, row in enumerate(rows)]
    first, second = lab.run("a", rows=rows), lab.run("b", rows=changed, file="b.jsonl")

    found = judge_run(second, make_gate(GateFile(), ["no_new_failures"]), first).verdict.rulings[-1]

    assert (found.outcome, found.code) == ("NOT MEASURED", "gate.baseline_cases")
    assert (found.params["others"], found.params["paired"]) == (3, 3)


def test_a_dry_run_is_not_measured(lab: Lab) -> None:
    """Answers made of what is expected pass every gate; that says nothing of a system, nor as a baseline."""
    real = lab.run("a")
    mock = RunFolder(api.evaluate("q.jsonl", (), mock=True, contract="tests.trust.samples:Graded", run_id="m").folder)

    own = judge_run(mock, make_gate(GateFile(), ["exact >= 0.9"])).verdict
    against = judge_run(real, make_gate(GateFile(), baseline=True), mock).verdict

    assert (own.outcome, own.decided_by) == ("NOT MEASURED", "asked")
    assert (against.outcome, against.rulings[-1].code) == ("NOT MEASURED", "gate.baseline_mock")


def test_a_baseline_that_was_down_is_not_compared_with(lab: Lab) -> None:
    """Half of it unanswered: the new run would look better than it is."""
    down = lab.run("a", {"c1": None, "c2": None, "c3": None})
    run = lab.run("b")

    found = judge_run(run, make_gate(GateFile(), ["no_new_failures"]), down).verdict.rulings[-1]

    assert (found.outcome, found.code, found.params["errored"]) == ("NOT MEASURED", "gate.baseline_uncovered", 3)


@pytest.mark.parametrize(
    ("facts", "code"), [({"status": "partial"}, "baseline_partial"), ({"shard": "1/2"}, "baseline_shard")]
)
def test_a_baseline_must_be_whole(lab: Lab, facts: dict[str, JSON], code: str) -> None:
    """A run that was stopped, or a part of one."""
    old = lab.run("a", shard=facts.get("shard"))
    if "status" in facts:
        meta = {**old.meta(), **facts}
        old.write("run_meta.json", meta | {"meta_sha256": meta_sha256(meta)})

    found = judge_run(lab.run("b"), make_gate(GateFile(), baseline=True), old).verdict.rulings[-1]

    assert (found.outcome, found.code) == ("NOT MEASURED", f"gate.{code}")


def test_unsure_says_what_was_chosen(lab: Lab) -> None:
    """Nobody is told to choose what he has chosen."""
    first, second = lab.run("a"), lab.run("b", {"c1": "错"})
    said = {}
    for unsure in ("not_measured", "pass", "fail", "point"):
        gate = make_gate(structs.replace(GateFile(), unsure=unsure), ["drop(exact) <= 0.1"])
        said[unsure] = say_ruling(judge_run(second, gate, first).verdict.rulings[-1], "en")

    assert "--unsure" in said.pop("not_measured")
    assert all(f"unsure is set to {unsure}" in text for unsure, text in said.items())


def test_a_row_that_was_removed_is_seen(lab: Lab) -> None:
    """Fewer rows are an altered file too."""
    folder = lab.run("a")
    rows = (folder.path / "results.jsonl").read_bytes().splitlines(keepends=True)
    (folder.path / "results.jsonl").write_bytes(b"".join(rows[1:]))

    assert judge_run(folder, make_gate(GateFile(), ["exact >= 0.1"])).verdict.outcome == "NOT MEASURED"


def test_facts_may_be_added_to_a_sealed_run(lab: Lab) -> None:
    """The seal is made anew over them, and vouches for the other files as before."""
    folder = lab.run("a")

    add_facts(folder, {"gate_for": "full.jsonl"})

    assert altered(folder) == []
    assert folder.meta()["gate_for"] == "full.jsonl"


def test_a_shard_is_no_run(lab: Lab) -> None:
    """A part of the cases says nothing of the whole, and a cut dataset is told."""
    gate = make_gate(GateFile(), ["exact >= 0.1"])

    part = judge_run(lab.run("p", shard="1/2", max_samples=4), gate).verdict
    cut = judge_run(lab.run("c", max_samples=4), gate).verdict
    whole = judge_run(lab.run("w", max_samples=40), gate).verdict

    assert (part.outcome, part.decided_by) == ("NOT MEASURED", "whole")
    assert (cut.outcome, cut.rulings[1].params["max_samples"]) == ("PASS", 4)
    assert whole.rulings[1].params["max_samples"] is None


def test_the_contracts_own_gate_holds_without_rules(lab: Lab) -> None:
    """What run_meta.json calls gate_thresholds become rules, and the verdict says where they come from."""
    folder = lab.run("a", {"c1": "错"})
    add_facts(folder, {"gate_thresholds": {"exact": 0.9, "noted": "by hand"}})

    done = judge_run(folder, make_gate(GateFile(), own=own_rules(folder)))

    assert (done.verdict.outcome, done.verdict.decided_by) == ("FAIL", "exact >= 0.9")
    (own,) = [ruling for ruling in done.verdict.rulings if ruling.code == "gate.own"]
    assert own.params["rules"] == "exact >= 0.9"
    assert json.loads((folder.path / "gate.json").read_text())["gate"]["own"] is True


@pytest.mark.parametrize("more", [{"more": ["exact >= 0.1"]}, {"baseline": True}])
def test_the_contracts_own_gate_gives_way(more: dict[str, JSON]) -> None:
    """Rules that were given, or a baseline alone, are all that holds."""
    made = make_gate(GateFile(), own=["exact >= 0.9"], **more)

    assert not made.own
    assert [rule.limit for rule in made.rules] != [0.9]


def test_a_folder_that_cannot_be_written_takes_no_verdict_away(lab: Lab) -> None:
    """The verdict comes back, with what could not be kept and why."""
    folder = lab.run("a")
    (folder.path / "gate.json").mkdir()

    done = judge_run(folder, make_gate(GateFile(), ["exact >= 0.9"]))

    assert done.verdict.outcome == "PASS"
    assert done.unkept is not None
    assert "gate.json could not be written" in str(done.unkept)
