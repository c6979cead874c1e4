"""DeepEval test runs: verdicts, metric errors, NaN, and which way a metric points."""

from pathlib import Path

import pytest

from ragstone.bridges.deepeval import read
from ragstone.bridges.import_run import import_run
from ragstone.core.errors import DatasetError
from tests.bridges.samples import SAMPLES, bring, figures, load, results, save


def test_scores_are_as_deepeval_gave_them() -> None:
    """A metric that raised and one that gave NaN are both none, and counted."""
    done = bring("deepeval/test_run.json")

    found = figures(done)

    assert list(done.summary.models) == ["fiction"]
    assert (found["Holds_Reference"].mean, found["Holds_Reference"].n) == (0.4, 5)
    assert done.unscored == {"Exact Match": 1, "Holds Reference": 2}
    assert done.means["Holds Reference"] == "0.4 (of 5; passes 2, fails 4, errors 1)"


def test_the_verdict_is_deepevals() -> None:
    """No case passed there, so none passes here, whatever its mean; the error is told."""
    done = bring("deepeval/test_run.json")
    row = results(done)["Q6"]

    assert done.summary.models["fiction"].all.passed == 0
    assert "the judge is out of order" in row.scorecard.details["said"]["Holds Reference"]


def test_less_is_better_where_low_scores_pass() -> None:
    """A metric that passes below its threshold is one of which less is better."""
    run = load("deepeval/test_run.json")
    for case in run["testCases"]:  # type: ignore[attr-defined]
        case["metricsData"] = [{"name": "Bias", "score": 0.1, "threshold": 0.5, "success": True}]

    done = import_run(save(run), out=Path("runs/x"))

    assert done.folder.read("config.json")["metrics"][0]["better"] == "lower"
    assert results(done)["Q1"].scorecard.primary_score == pytest.approx(0.9)


def test_the_cases_stand_in_their_order() -> None:
    """A run writes its cases as they finish; their number puts them right."""
    run = load("deepeval/test_run.json")
    run["testCases"].reverse()  # type: ignore[attr-defined]
    found = read(save({"testRunData": run})).records

    assert [record.source_id for record in found][:2] == ["loan", "fee"]
    assert found == read(SAMPLES / "deepeval/test_run.json").records


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"conversationalTestCases": [{}]}, "import.conversations"),
        ({"testCases": [1, 2]}, "import.shape"),
        ({"testCases": []}, "import.no_samples"),
        ({"testCases": [{"input": "q", "actualOutput": "a"}]}, "import.no_scores"),
        ({"testCases": "x"}, "import.unknown"),
    ],
)
def test_what_cannot_be_imported_is_said(change: dict[str, object], code: str) -> None:
    """Conversations and broken shapes have words of their own."""
    path = save(load("deepeval/test_run.json") | change)

    with pytest.raises(DatasetError) as error:
        import_run(path, out=Path("runs/x"))

    assert error.value.code == code
