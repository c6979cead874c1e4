"""EvalScope folders: several datasets in one run, answers that are missing, errors written as 0."""

import json
import shutil
from pathlib import Path

import pytest

from ragstone.bridges.import_run import import_run
from ragstone.core.errors import DatasetError
from tests.bridges.samples import SAMPLES, bring, figures, results

REVIEW = "reviews/fiction-1/general_qa_fiction.jsonl"


@pytest.fixture
def folder() -> Path:
    """Return a copy of the sample that may be changed."""
    return Path(shutil.copytree(SAMPLES / "evalscope", "work"))


def test_an_answer_that_is_missing_makes_the_run_partial() -> None:
    """EvalScope drops what errored from its files and its means; the report's count tells."""
    done = bring("evalscope")

    assert (done.summary.status, done.summary.finished, done.summary.expected) == ("partial", 8, 9)
    assert done.means["general_qa bleu (ngram 1)"] == "0.1032 (of 6)"


def test_a_metric_of_one_dataset_does_not_apply_to_another() -> None:
    """Six answers have ROUGE, two have accuracy; the rest is not applicable and lowers nothing."""
    done = bring("evalscope")

    found = figures(done)

    assert (found["Rouge-L-R"].n, found["Rouge-L-R"].not_applicable) == (6, 2)
    assert (found["accuracy"].n, found["accuracy"].not_applicable) == (2, 6)
    assert done.unscored == {}
    assert done.summary.models["fiction-1"].groups["category"].keys() == {"general_qa_fiction", "general_mcq_choices"}


def test_a_zero_after_an_error_stays_and_is_told() -> None:
    """The tool says 0, so 0 is shown; why it is 0 stands beside it."""
    rows = {row.question: row for row in results(bring("evalscope")).values()}
    row = rows["Which town hosts the Lantern Fair?"]

    assert row.scorecard.sub_scores["bleu-1"] == 0.0
    assert "LookupError" in row.scorecard.details["said"]["BLEU"]


def test_the_main_score_is_the_cases_score() -> None:
    """EvalScope names one metric as the main one."""
    row = next(row for row in results(bring("evalscope")).values() if row.question.startswith("星河"))

    assert row.scorecard.primary_score == row.scorecard.sub_scores["Rouge-L-R"] == 1.0
    assert row.usage is not None
    assert row.latency_ms is not None


def test_any_path_inside_the_folder_will_do() -> None:
    """One of its files leads to the whole run."""
    done = import_run(SAMPLES / "evalscope" / REVIEW, out=Path("runs/x"))

    assert done.summary.finished == 8


def test_predictions_and_reports_may_be_missing(folder: Path) -> None:
    """Without them there are no times and no expected count, but the answers and scores."""
    for name in ("predictions", "reports", "configs"):
        shutil.rmtree(folder / name)

    done = import_run(folder, out=Path("runs/x"))

    assert (done.summary.status, done.summary.finished, done.tool) == ("complete", 8, "evalscope")


def test_a_doubled_review_is_refused(folder: Path) -> None:
    """Two reviews of one answer are two runs in one file."""
    path = folder / REVIEW
    path.write_text(path.read_text(encoding="utf-8") * 2, encoding="utf-8")

    with pytest.raises(DatasetError) as error:
        import_run(folder, out=Path("runs/x"))

    assert error.value.code == "import.duplicate"


def test_a_review_of_another_shape_is_refused(folder: Path) -> None:
    """The place and the field are named."""
    (folder / REVIEW).write_text(json.dumps({"index": 0}) + "\n", encoding="utf-8")

    with pytest.raises(DatasetError) as error:
        import_run(folder, out=Path("runs/x"))

    assert error.value.code == "import.field"
    assert "line 1" in str(error.value)


def test_a_folder_without_reviews_is_none() -> None:
    """An empty folder is recognised as nothing, and refused when named."""
    Path("empty").mkdir()

    with pytest.raises(DatasetError) as error:
        import_run(Path("empty"), tool="evalscope")

    assert error.value.code == "import.folder"
