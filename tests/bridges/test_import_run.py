"""A foreign run becomes a run like any other: shown as it was, rescored, compared, verified."""

import json
from pathlib import Path

import pytest

from ragstone import api
from ragstone.bridges.import_run import import_run
from ragstone.core.errors import DatasetError, RunError
from ragstone.runs.reopen import Answers
from ragstone.runs.store.folder import RunFolder
from ragstone.trust.compare import compare
from ragstone.trust.rescore import rescore
from ragstone.trust.verify import verify
from tests.bridges.samples import FILES, SAMPLES, bring, figures, load, results, save

TASK = {"task": "imported_answer"}


@pytest.mark.parametrize("name", FILES)
def test_an_imported_run_verifies(name: str) -> None:
    """Everything a run has is there, and comes out again from its parts."""
    done = bring(name)

    found = verify(done.folder)

    assert found.status == ("partial" if name == "evalscope" else "identical")
    assert found.rescored == found.rows == done.summary.finished


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("contract", ["key_points", "prompt_task"])
def test_an_imported_run_is_rescored_by_our_rules(name: str, contract: str) -> None:
    """The same answers, another scorer, and each case finds its pair."""
    done = bring(name)

    again = rescore(done.folder, contract=contract, options=TASK if contract == "prompt_task" else None)

    assert again.summary.finished == done.summary.finished
    assert compare(done.folder, again.folder).paired == done.summary.finished


def test_a_chinese_numeral_is_right_by_our_rules() -> None:
    """一千二百元 is 1,200元: the foreign string metric says 0.11, key points say yes."""
    done = bring("ragas/result.csv")
    again = rescore(done.folder, contract="key_points")

    rows = {row.sample_id: row for row in again.folder.results()}

    assert results(done)["Q2"].scorecard.sub_scores["non_llm_string_similarity"] == pytest.approx(0.1111, abs=1e-4)
    assert rows["Q2"].scorecard.sub_scores["accuracy"] == 1.0
    assert rows["Q4"].scorecard.sub_scores["accuracy"] == 0.0


def test_two_imported_runs_are_compared_on_what_they_share() -> None:
    """Ragas's CSV and JSONL are one run: same cases, same metrics, nothing flipped."""
    found = compare(bring("ragas/result.csv", "a").folder, bring("ragas/result.jsonl", "b").folder)

    assert found.paired == 7
    assert {delta.figure for delta in found.deltas} >= {"supported", "exact_match", "pass_rate"}
    assert found.broken == found.fixed == 0
    assert "questions" not in found.differs


def test_imported_cases_are_paired_by_their_questions() -> None:
    """Ids are places in a file: where two files hold other questions under them, the questions decide."""
    found = compare(bring("inspect/log.json", "a").folder, bring("ragas/result.csv", "b").folder)

    assert (found.paired, found.only_first, found.only_second) == (4, 0, 3)


def test_rows_carry_what_the_tool_said() -> None:
    """The journal keeps the foreign scores beside the answer; the row's parsed field shows them."""
    done = bring("promptfoo/out.json")

    with Answers(done.folder) as answers:
        answer = answers.of("Q3", 0, 0)

    assert answer is not None
    assert answer.judged["passed"] is True
    assert answer.usage is not None
    assert answer.usage.total_tokens == 28
    assert results(done, "openai:chat:fiction")["Q3"].parsed == answer.judged


def test_the_same_file_gives_the_same_rows() -> None:
    """Importing is deterministic."""
    first, second = bring("inspect/log.eval", "a"), bring("inspect/log.eval", "b")

    assert first.summary.results_digest == second.summary.results_digest
    assert (first.folder.path / "dataset.jsonl").read_bytes() == (second.folder.path / "dataset.jsonl").read_bytes()


def test_a_moved_run_finds_its_dataset() -> None:
    """The dataset lies in the run's folder and moves with it."""
    path = bring("ragas/result.csv").folder.path
    moved = path.rename(Path("elsewhere"))

    assert verify(RunFolder.open(moved)).status == "identical"


def test_an_imported_run_is_not_continued() -> None:
    """Its missing answers are the other tool's to get."""
    path = bring("inspect/log.eval").folder.path

    with pytest.raises(RunError) as error:
        api.resume(path, "replay:answers.jsonl", retry_failed=True)

    assert error.value.code == "import.resume"
    assert verify(RunFolder.open(path)).status == "identical"


def test_the_model_can_be_named() -> None:
    """A file that names no system gets a name."""
    done = import_run(SAMPLES / "ragas/result.csv", out=Path("runs/x"), model="my-rag")

    assert list(done.summary.models) == ["my-rag"]


def test_a_name_that_is_taken_is_refused_and_nothing_is_touched() -> None:
    """An import never writes into a run that is there."""
    before = (bring("ragas/result.csv").folder.path / "run_meta.json").read_bytes()

    with pytest.raises(RunError):
        bring("ragas/result.jsonl")

    assert Path("runs/run/run_meta.json").read_bytes() == before


def test_metric_names_are_safe_and_labels_are_the_tools() -> None:
    """Names fit flags and columns, clash with nothing, and stay apart from each other."""
    row = {"user_input": "q", "response": "a", "reference": "a"}
    odd = {"=HYPERLINK(1)": 1.0, "cost": 0.5, "A b": 0.1, "A|b": 0.2, "\u202e<script>": 0.3}
    done = import_run(save([row | odd], "odd.json"), out=Path("runs/x"))

    config = done.folder.read("config.json")["metrics"]

    assert [one["name"] for one in config] == ["HYPERLINK_1", "cost_metric", "A_b", "A_b_2", "script"]
    assert all(mark not in one["label"][0] for one in config for mark in "|<>\u202e")
    assert b"\n=" not in (done.folder.path / "summary.csv").read_bytes()


def test_scales_are_kept() -> None:
    """Values up to 100 are points, rubrics and large ones plain numbers, negative ones stay with their cases only."""
    rows = [
        {
            "user_input": f"q{n}",
            "response": "a",
            "points": 50 * n,
            "rubric": 1 + n,
            "long": 1000.0 * n,
            "below": -1.5 * n,
        }
        for n in range(3)
    ]
    done = import_run(save(rows, "scales.json"), out=Path("runs/x"))

    assert (done.left_out, done.unscaled) == (("below",), ("rubric", "long"))
    assert {name: figure.mean for name, figure in figures(done).items()} == {"points": 50, "rubric": 2, "long": 1000}
    assert results(done)["Q2"].scorecard.details["said"]["below"] == "-1.5"
    assert results(done)["Q3"].scorecard.primary_score == 1.0


def test_a_run_of_rubrics_only_says_that_it_has_no_score() -> None:
    """4 of 5 is not 0.04: the figure is shown, and the case says why it counts as 0."""
    done = import_run(save([{"user_input": "q", "response": "a", "rubric": 4}], "r.json"), out=Path("runs/x"))

    assert figures(done)["rubric"].mean == 4.0
    assert results(done)["Q1"].scorecard.reasons[0].code == "unscaled"


def test_a_number_beyond_all_measure_is_none() -> None:
    """1e308 is damage, not a score."""
    rows = [{"user_input": f"q{n}", "response": "a", "m": 1e308 if n else 0.5} for n in range(3)]
    done = import_run(save(rows, "r.json"), out=Path("runs/x"))

    assert (figures(done)["m"].mean, done.unscored) == (0.5, {"m": 2})


def test_too_many_metrics_are_refused() -> None:
    """A table of hundreds of columns is no result."""
    row = {"user_input": "q", "response": "a"} | {f"m{n}": 0.5 for n in range(300)}

    with pytest.raises(DatasetError) as error:
        import_run(save([row], "wide.json"), out=Path("runs/x"))

    assert error.value.code == "import.metrics"
    assert not Path("runs/x").exists()


def test_a_log_cut_short_is_partial() -> None:
    """Answers the run asked for and does not hold make it partial; gates then measure nothing."""
    log = load("inspect/log.json")
    log["samples"] = log["samples"][:2]  # type: ignore[index]
    done = import_run(save(log), out=Path("runs/x"))

    assert (done.summary.status, done.summary.finished, done.summary.expected) == ("partial", 2, 4)


def test_what_the_tool_shows_stands_in_the_report() -> None:
    """Inspect's mean over five of seven samples stands beside ours, which drops none."""
    done = bring("inspect/log.eval")

    meta, report = done.folder.meta(), (done.folder.path / "report.md").read_text(encoding="utf-8")

    assert meta["imported"]["means"]["includes/accuracy"] == "0.5 (of 6, 0 unscored)"
    assert figures(done)["includes"].mean == pytest.approx(6 / 14)
    assert "0.5 \\(of 6, 0 unscored\\)" in report
    assert json.dumps(meta).count("NaN") == 0
