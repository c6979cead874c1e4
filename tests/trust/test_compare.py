"""Two stored runs in pairs."""

import json
import shutil
from contextlib import closing
from pathlib import Path

import pytest

from ragstone import api
from ragstone.core.errors import RunError
from ragstone.core.registry import connect_engine
from ragstone.core.types import Comparison, Delta, Result, Scorecard
from ragstone.runs.store.folder import RunFolder
from ragstone.trust.compare import MOST_CHANGES, _Changes, compare
from ragstone.trust.differences import card_of
from ragstone.trust.pairs import Pair
from tests.trust.samples import Lab


@pytest.fixture
def lab(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Lab:
    """Make runs in the test's folder."""
    return Lab(tmp_path, monkeypatch)


def _delta(found: Comparison, figure: str, value: str = "") -> Delta:
    return next(delta for delta in found.deltas if (delta.figure, delta.value) == (figure, value))


def test_runs_over_the_same_dataset_are_read_in_step(lab: Lab) -> None:
    """Every case is paired; groups are told apart."""
    found = compare(lab.run("a", {"c2": "错"}), lab.run("b", {"c1": "错", "c3": "错"}))

    assert (found.paired, found.only_first, found.only_second) == (6, 0, 0)
    assert (found.broken, found.fixed) == (2, 1)
    assert _delta(found, "pass_rate").difference == pytest.approx(-1 / 6)
    assert _delta(found, "pass_rate", "gap").lost == 2
    assert _delta(found, "pass_rate", "fact").gained == 1


@pytest.mark.parametrize("turn", [lambda rows: rows[::-1], lambda rows: rows[3:] + rows[:3]])
def test_another_order_is_looked_up(lab: Lab, turn: object) -> None:
    """The rest is paired by an index from where the order differs."""
    first = lab.run("a", {"c1": "错"})
    second = lab.run("b", rows=turn(lab.rows()), file="turned.jsonl")  # type: ignore[operator]

    found = compare(first, second)

    assert (found.paired, found.only_first, found.only_second, found.fixed) == (6, 0, 0, 1)


def test_cases_of_one_run_only_are_counted(lab: Lab) -> None:
    """Rows removed, rows added."""
    rows = lab.rows(8)
    first, second = lab.run("a", rows=rows[:6]), lab.run("b", rows=[rows[0], *rows[2:]], file="b.jsonl")

    found = compare(first, second)

    assert (found.paired, found.only_first, found.only_second) == (5, 1, 2)
    assert compare(second, first).only_first == 2


def test_a_shorter_second_run_and_a_longer_one(lab: Lab) -> None:
    """The same beginning, an end of its own."""
    first, second = lab.run("a"), lab.run("b", rows=lab.rows(4), file="b.jsonl")

    assert compare(first, second).only_first == 2
    assert compare(second, first).only_second == 2


def test_two_single_models_are_compared_whatever_their_names(lab: Lab) -> None:
    """Old and new are called differently more often than not."""
    found = compare(lab.run("a", model="old"), lab.run("b", {"c1": "错"}, model="new"))

    assert found.models == ("old → new",)
    assert found.paired == 6
    assert found.unpaired_models == ()


def _run_two(*models: str) -> RunFolder:
    systems = [f"replay:{model}.jsonl" for model in models]
    return RunFolder(
        api.evaluate("q.jsonl", systems, contract="tests.trust.samples:Graded", run_id="".join(models)).folder
    )


def test_several_models_are_paired_by_name(lab: Lab) -> None:
    """A model without a counterpart is named; none in common is an error."""
    for name in ("x", "y", "z"):
        lab.run(f"made-{name}", model=name)
    first, second = (_run_two(*names) for names in ("xy", "yz"))

    found = compare(first, second)

    assert found.models == ("y",)
    assert found.unpaired_models == ("x", "z")
    assert (found.paired, found.only_first, found.only_second) == (6, 6, 6)
    with pytest.raises(RunError, match="no model in common"):
        compare(first, lab.run("c", model="z"))


def test_runs_without_a_common_case_are_refused(lab: Lab) -> None:
    """Nothing can be said about them."""
    rows = lab.rows(12)

    with pytest.raises(RunError, match="no case in common"):
        compare(lab.run("a", rows=rows[:6]), lab.run("b", rows=rows[6:], file="b.jsonl"))


def test_a_group_that_no_case_has_is_refused(lab: Lab) -> None:
    """A misspelt cluster would be left out without a word; the groups there are get named."""
    first, second = lab.run("a"), lab.run("b")
    known = sorted({group for row in first.results() for group in row.groups})

    with pytest.raises(RunError, match="no case has a group 'nope'") as caught:
        compare(first, second, cluster="nope")

    assert caught.value.params["known"] == known
    assert compare(first, second, cluster=known[0]).paired == 6


def _case(score: float, **metrics: float) -> Result:
    card = Scorecard(passed=False, primary_score=score, sub_scores=dict(metrics), explain="")
    return Result(
        run_id="r",
        sample_id="Q1",
        task_name="t",
        model_id="m",
        scorer_version="1",
        question="q",
        output_text="",
        task_metrics={},
        scorecard=card,
    )


def test_metrics_of_one_contract_only_move_nothing() -> None:
    """After a rescoring by another contract a case is listed only when what both know came out otherwise."""
    changes = _Changes({"theirs", "ours"})

    def noted(first: Result, second: Result) -> bool:
        pair = Pair([first], [second])
        return changes.note("m", pair, card_of(pair.firsts), card_of(pair.seconds)) is not None

    assert not noted(_case(0.0, theirs=1.0), _case(0.0, ours=0.0))
    assert noted(_case(0.0, theirs=1.0), _case(0.5, ours=0.0))
    assert noted(_case(0.0, both=1.0), _case(0.0, both=0.0))


def test_the_last_bits_of_a_sum_are_no_change() -> None:
    """0.1 + 0.2 against 0.3."""
    pair = Pair([_case(0.3, both=0.3)], [_case(0.1 + 0.2, both=0.1 + 0.2)])

    assert _Changes().note("m", pair, card_of(pair.firsts), card_of(pair.seconds)) is None


def test_a_broken_row_is_named(lab: Lab) -> None:
    """File and line, no traceback."""
    first, second = lab.run("a"), lab.run("b")
    path = second.path / "results.jsonl"
    path.write_bytes(path.read_bytes().replace(b'"repeat":0', b'"repeat":x', 2))

    with pytest.raises(RunError, match=r"results\.jsonl:1"):
        compare(first, second)
    path.unlink()
    with pytest.raises(RunError, match=r"results\.jsonl"):
        compare(first, second)


def test_a_partial_run_is_told(lab: Lab) -> None:
    """What differs besides the answers stands beside the figures."""
    first, second = lab.run("a"), lab.run("b")
    second.write("run_meta.json", second.meta() | {"status": "partial", "prompt_sha256": "x", "contract": "other"})

    assert compare(first, second).differs == ("prompt", "contract", "partial")


def test_changes_are_listed_up_to_a_bound(lab: Lab) -> None:
    """All are counted."""
    n = MOST_CHANGES + 20
    rows = lab.rows(n)

    found = compare(lab.run("a", rows=rows), lab.run("b", {f"c{i}": "错" for i in range(n)}, rows=rows))

    assert (found.broken, len(found.changes), found.causes) == (n, MOST_CHANGES, {"answer": n})


def test_repeats_are_paired_one_by_one(lab: Lab) -> None:
    """Case, repeat and model make the key; the answers to one case are one cluster."""
    found = compare(lab.run("a", repeats=3), lab.run("b", {"c1": "错"}, repeats=3))

    assert found.paired == 18
    assert _delta(found, "exact").clusters == 6
    assert _delta(found, "exact").lost == 3


def test_a_case_asked_more_often_is_compared_by_its_mean(lab: Lab) -> None:
    """Three answers against one: every answer counts, a case is one observation, and flags are shares."""
    wavering = [{"id": "c1", "output": text, "repeat": n} for n, text in enumerate(("答案001", "错", "答案001"))]
    first, second = lab.run("a"), lab.run("b", {"c1": None}, repeats=3, more=wavering)

    found = compare(first, second)

    delta = _delta(found, "pass_rate")
    assert (found.paired, found.only_first, found.only_second, found.repeats) == (6, 0, 0, (1, 3))
    assert "repeats" in found.differs
    assert (delta.n, delta.clusters, delta.lost, delta.test) == (6, 6, 1, "permutation")
    assert delta.difference == pytest.approx(-1 / 18)
    assert [(change.sample_id, change.repeat, change.kind) for change in found.changes] == [("c1", 1, "broken")]
    assert _delta(compare(second, first), "pass_rate").difference == pytest.approx(1 / 18)


def test_a_run_that_was_altered_is_told(lab: Lab) -> None:
    """The comparison stands, with the files that are not as their run left them."""
    first, second = lab.run("a"), lab.run("b")
    path = second.path / "results.jsonl"
    path.write_bytes(path.read_bytes().replace("答案001".encode(), "答案002".encode()))

    assert compare(first, second).altered == ("b/results.jsonl",)


@pytest.mark.parametrize("spec", ["inproc", "process:2"])
def test_causes_are_the_same_wherever_they_are_looked_for(tmp_path: Path, spec: str) -> None:
    """Answers and golds changed at once: an engine comes to what is found here, in the same order."""
    rows = [{"q": f"第{n}问", "gold": [f"要点{n}"], "doc_hint": []} for n in range(40)]
    runs = []
    for name in ("a", "b"):
        turned = [row | {"gold": ["另一要点"]} if name == "b" and n % 5 == 0 else row for n, row in enumerate(rows)]
        said = [{"id": f"Q{n + 1}", "output": f"要点{n if name == 'a' or n % 3 else 0}"} for n in range(40)]
        (tmp_path / f"{name}.jsonl").write_text("\n".join(map(json.dumps, turned)), encoding="utf-8")
        (tmp_path / f"said_{name}.jsonl").write_text("\n".join(map(json.dumps, said)), encoding="utf-8")
        run = api.evaluate(tmp_path / f"{name}.jsonl", f"replay:{tmp_path}/said_{name}.jsonl", run_id=name)
        runs.append(RunFolder(run.folder))
    with closing(connect_engine(spec)) as engine:
        found = compare(*runs, engine=engine)

    assert found == compare(*runs)
    assert found.causes.keys() == {"answer", "gold"}


def test_a_run_is_not_compared_with_itself(lab: Lab) -> None:
    """Neither by another path to it nor as a copy: nothing could ever differ."""
    folder = lab.run("a")
    shutil.copytree(folder.path, folder.path.with_name("copy"))
    (folder.path.parent / "link").symlink_to(folder.path.absolute())

    for other in (folder.path, folder.path.parent / "link", folder.path.with_name("copy")):
        with pytest.raises(RunError, match="itself"):
            compare(RunFolder(other), folder)
