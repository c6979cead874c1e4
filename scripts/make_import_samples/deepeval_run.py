"""Make tests/data/imports/deepeval: run it in an environment that has deepeval, as `python deepeval_run.py OUT`."""

import os
import shutil
import sys
import tempfile
from pathlib import Path

os.environ["DEEPEVAL_TELEMETRY_OPT_OUT"] = "1"
os.environ["DEEPEVAL_UPDATE_WARNING_OPT_IN"] = "0"
os.environ["ERROR_REPORTING"] = "0"

from deepeval import evaluate
from deepeval.evaluate.configs import AsyncConfig, DisplayConfig, ErrorConfig
from deepeval.metrics import BaseMetric, ExactMatchMetric
from deepeval.test_case import LLMTestCase
from fiction import BROKEN, FICTIONS


class HoldsReference(BaseMetric):
    """Whether the answer holds the reference; raises on one question and gives NaN on another."""

    def __init__(self) -> None:
        self.threshold = 0.5
        self.async_mode = False

    def measure(self, test_case: LLMTestCase, *args: object, **kwargs: object) -> float:
        """Score one case."""
        if BROKEN in test_case.input:
            raise RuntimeError("the judge is out of order")
        holds = float(str(test_case.expected_output) in str(test_case.actual_output))
        self.score = float("nan") if test_case.input.startswith("=") else holds
        self.reason = "the answer holds the reference" if holds else "the reference is not in the answer"
        self.success = self.score >= self.threshold
        return self.score

    async def a_measure(self, test_case: LLMTestCase, *args: object, **kwargs: object) -> float:
        """Score one case."""
        return self.measure(test_case)

    def is_successful(self) -> bool:
        """Say whether it passed."""
        return bool(self.success)

    @property
    def __name__(self) -> str:  # type: ignore[override]
        return "Holds Reference"


def main(out: Path) -> None:
    """Evaluate the invented answers and keep the file of the run."""
    cases = [
        LLMTestCase(
            name=one.id,
            input=one.question,
            actual_output=one.answer if one.answer is not None else "月湖博物館週一不開放。",
            expected_output=one.reference,
            retrieval_context=[one.context],
        )
        for one in FICTIONS
    ]
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        os.environ["DEEPEVAL_RESULTS_FOLDER"] = folder
        evaluate(
            cases,
            metrics=[ExactMatchMetric(), HoldsReference()],
            async_config=AsyncConfig(run_async=False),
            error_config=ErrorConfig(ignore_errors=True),
            display_config=DisplayConfig(show_indicator=False, print_results=False),
            hyperparameters={"model": "fiction"},
        )
        found = sorted(path for path in Path(folder).glob("*") if path.is_file() and not path.name.startswith("."))
        print(found)
        out.mkdir(parents=True, exist_ok=True)
        shutil.copy(found[-1], out / "test_run.json")


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
